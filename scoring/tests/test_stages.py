"""Stages: what is carried over, who plays on, and where those stand who do not. [RULES 9.7]"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import criteria
from scoring.presets import PRESETS
from scoring.problems import Refusal
from scoring.regulation import Carry, Regulation, Stage
from scoring.seats import SEATS
from scoring.standings.book import Entrant
from scoring.standings.sessions import Charge, Event, SeatFact, SessionFact, TableFact
from scoring.standings.stages import account, standings
from scoring.tests.events import events

SBR = PRESETS["sbr"].regulation
TP, GP = criteria.TOURNAMENT_POINTS, criteria.GAME_POINTS


def staged(rules: Regulation, *stages: Stage) -> Regulation:
    return rules.but(stages=stages)


def event(rules: Regulation, *sessions: str) -> Event:
    """Play sessions at one table; each names the players from first to last, ten points apart."""
    people = sorted({name for order in sessions for name in order})
    facts = [
        SessionFact(
            number,
            rules,
            [
                TableFact(
                    table,
                    tuple(
                        SeatFact(seat, name, None, 15 - 10 * rank)
                        for rank, (seat, name) in enumerate(zip(SEATS, order[at : at + 4], strict=True))
                    ),
                )
                for table, at in enumerate(range(0, len(order), 4), start=1)
            ],
        )
        for number, order in enumerate(sessions, start=1)
    ]
    return Event(rules, [Entrant(name) for name in people], facts)


def without_sums_of_stages(rules: Regulation) -> Regulation:
    kept = tuple(one for one in rules.ranking if not one.code.startswith("stage_"))
    return rules.but(ranking=kept or (criteria.LOTS,))


def test_sums_of_the_current_stage_leave_out_what_was_gathered_before_it():
    """[RULES 9.32]"""
    sums = (
        criteria.STAGE_TOURNAMENT_POINTS,
        criteria.STAGE_GAME_POINTS,
        criteria.STAGE_POINTS,
        criteria.STAGE_UMA_SCORE,
    )
    rules = SBR.but(start_points=100, uma=(8, 4, -4, -8), ranking=(TP, *sums))
    charge = Charge("b", None, 50, Fraction(7))
    of = replace(event(rules, "abcd", "abcd", "badc"), charges=[charge])
    whole = {row.player: [row.values[one] for one in sums] for row in standings(of)}
    assert whole["b"] == [3 + 3 + 4, 5 + 5 + 15, 325, Fraction(25, 1000) + 4 + 4 + 8]
    for carry in Carry:
        two = replace(of, regulation=staged(rules, Stage(3, carry, None)))
        found = {row.player: [row.values[one] for one in sums] for row in standings(two)}
        assert found["b"] == [4, 15, 115, Fraction(15, 1000) + 8]
        assert found["a"] == [3, 5, 105, Fraction(5, 1000) + 4]


def places(of: Event) -> list[tuple[Any, int | None]]:
    return [(row.player, row.place) for row in standings(of)]


def points(of: Event) -> dict[Any, Any]:
    return {row.player: (row.values[TP], row.values[GP]) for row in standings(of)}


@pytest.mark.parametrize(
    ("carry", "of_a", "of_d"),
    [
        pytest.param(Carry.FULL, (5, 0), (5, 0), id="everything"),
        pytest.param(Carry.HALF, (3, Fraction(-15, 2)), (Fraction(9, 2), Fraction(15, 2)), id="half"),
        pytest.param(Carry.NONE, (1, -15), (4, 15), id="nothing"),
    ],
)
def test_stage_begins_with_what_is_carried_over(carry, of_a, of_d):
    """[RULES 9.7]"""
    found = points(event(staged(SBR, Stage(2, carry, None)), "abcd", "dcba"))
    assert (found["a"], found["d"]) == (of_a, of_d)


def test_halves_of_halves_are_exact():
    rules = staged(SBR, Stage(2, Carry.HALF, None), Stage(3, Carry.HALF, None))
    assert points(event(rules, "abcd", "dcba", "abcd"))["a"] == (
        1 + Fraction(1, 2) + 4,
        Fraction(15, 4) - Fraction(15, 2) + 15,
    )


def test_who_misses_the_cut_stands_behind_whoever_plays_on():
    """Whoever plays on may lose everything and still stands above them."""
    rules = staged(SBR, Stage(2, Carry.NONE, 4)).but(ranking=(TP, GP, criteria.LOTS))
    of = event(rules, "abcdefgh", "abef")
    of = replace(of, entrants=[Entrant(name, lot=lot) for lot, name in enumerate("aebfcgdh", start=1)])
    rows = standings(of)
    assert [(row.player, row.place, row.stage) for row in rows] == [
        ("a", 1, 2),
        ("b", 2, 2),
        ("e", 3, 2),
        ("f", 4, 2),
        ("c", 5, 1),
        ("g", 6, 1),
        ("d", 7, 1),
        ("h", 8, 1),
    ]
    assert rows[4].reason is None


def test_ties_at_the_last_place_of_the_cut_all_come_through():
    rules = staged(SBR, Stage(2, Carry.NONE, 1))
    of = event(rules, "abcdefgh")
    of = replace(of, sessions=[*of.sessions, SessionFact(2, rules, [])])
    assert [row.player for row in standings(of) if row.stage == 2] == ["a", "e"]


def test_whoever_is_seated_in_anothers_stead_plays_on():
    rules = staged(SBR, Stage(2, Carry.FULL, 4))
    of = event(rules, "abcdefgh", "aceb")
    inside = {row.player for row in standings(of) if row.stage == 2}
    assert inside == {"a", "b", "c", "e", "f"}


def test_before_its_first_session_a_stage_changes_nothing():
    rules = staged(SBR, Stage(2, Carry.NONE, 2))
    assert standings(event(rules, "abcd")) == standings(event(SBR, "abcd"))


@settings(max_examples=60, deadline=None)
@given(of=events(), first=st.integers(2, 3), cut=st.none() | st.integers(1, 9))
def test_everything_carried_over_and_nobody_cut_is_no_stage_at_all(of, first, cut):
    """With everything carried over the values are those of a tournament without stages, for everybody who plays on.

    Sums of the current stage alone are told apart from them by what they are.
    """
    of = replace(of, regulation=without_sums_of_stages(of.regulation))
    plain = {row.player: row.values for row in standings(of)}
    rules = staged(of.regulation, Stage(first, Carry.FULL, None))
    assert [row._replace(stage=0) for row in standings(replace(of, regulation=rules))] == list(standings(of))
    with_cut = standings(replace(of, regulation=staged(of.regulation, Stage(first, Carry.FULL, cut))))
    assert {row.player for row in with_cut} == set(plain)
    ranked = [row for row in with_cut if row.place is not None]
    assert [row.place for row in ranked] == sorted(row.place for row in ranked)


@settings(max_examples=60, deadline=None)
@given(of=events(is_plain=True), first=st.integers(2, 3))
def test_nothing_carried_over_equals_a_tournament_of_the_last_sessions(of, first):
    rules = staged(of.regulation, Stage(first, Carry.NONE, None))
    last = [session for session in of.sessions if session.number >= first]
    if last:
        alone = standings(replace(of, sessions=last))
        assert [row._replace(stage=0) for row in standings(replace(of, regulation=rules))] == list(alone)


@settings(max_examples=60, deadline=None)
@given(of=events(is_plain=True), first=st.integers(2, 3))
def test_half_is_exactly_between_everything_and_nothing(of, first):
    sums = (TP, GP, criteria.POINTS, criteria.UMA_SCORE)
    of = replace(of, regulation=of.regulation.but(ranking=sums))
    found = [
        {row.player: row.values for row in standings(replace(of, regulation=staged(of.regulation, stage)))}
        for stage in (Stage(first, carry, None) for carry in Carry)
    ]
    for player, half in found[1].items():
        assert {name: 2 * value for name, value in half.items()} == {
            name: found[0][player][name] + found[2][player][name] for name in sums
        }


@settings(max_examples=60, deadline=None)
@given(of=events(), first=st.integers(2, 3), carry=st.sampled_from(Carry), cut=st.none() | st.integers(1, 9))
def test_account_ranks_as_the_standings_do(of, first, carry, cut):
    """[RULES 1.7] [RULES 9.7]"""
    of = replace(of, regulation=staged(of.regulation, Stage(first, carry, cut)))
    assert account(of).standings == standings(of)


def test_account_without_stages_ranks_as_the_standings_do():
    """[RULES 1.7]"""
    of = event(SBR, "abcd", "bacd")
    assert account(of).standings == standings(of)


def test_account_keeps_all_sessions_though_a_stage_begins_anew():
    """[RULES 1.7] [RULES 9.7]"""
    of = event(staged(SBR, Stage(2, Carry.NONE, 4)), "abcdefgh", "abef")
    kept = account(of)
    assert kept.sources == [(1, 1), (1, 2), (2, 1)]
    assert [entrant.player for entrant in kept.book.entrants] == list("abcdefgh")
    assert kept.book.games == [[15, 15], [5, 5], [-5], [-15], [15, -5], [5, -15], [-5], [-15]]
    assert kept.book.sources == [[0, 2], [0, 2], [0], [0], [1, 2], [1, 2], [1], [1]]


def test_stages_are_read_back_as_they_were_written():
    rules = staged(SBR.but(sessions=9), Stage(5, Carry.HALF, 32), Stage(8, Carry.NONE, 4))
    assert Regulation.from_json(rules.to_json(), system="SBR") == rules
    assert Regulation.from_json(rules.to_json()).stages == rules.stages
    assert "stages" not in SBR.to_json()["system_rules"]


@pytest.mark.parametrize(
    "stages",
    [
        pytest.param([(9, 4)], id="after the last session"),
        pytest.param([(4, 16), (4, 8)], id="two begin at once"),
        pytest.param([(3, 16), (5, 16)], id="the cut lets as many through"),
    ],
)
def test_stages_that_contradict_one_another_are_refused(stages):
    rules = staged(SBR.but(sessions=8), *(Stage(first, Carry.FULL, cut) for first, cut in stages))
    with pytest.raises(Refusal):
        Regulation.from_json(rules.to_json(), system="SBR")
