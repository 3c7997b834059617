"""Seating by standing: strict where asked, fair otherwise, and nobody short twice."""

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest

from scoring.problems import Refusal
from seating.rules.plan import Round
from seating.rules.swiss import (
    Mode,
    Placed,
    SwissRequest,
    again,
    by_standing,
    missed_winds,
    swiss_reasons,
    swiss_round,
    swiss_span,
)


def standings(count, **more):
    """Return that many players in the order of their standing."""
    return [Placed(number, number, **more) for number in range(1, count + 1)]


def pairs(rounds):
    """Count who met whom."""
    return Counter(
        frozenset(pair)
        for a_round in rounds
        for table in a_round.tables
        for pair in combinations([p for p in table if p is not None], 2)
    )


def played(count, sessions, mode, absent=0, seed=1):
    """Play an event of chance results and return its rounds."""
    chance = random.Random(seed)
    points = dict.fromkeys(range(1, count + 1), 0)
    rounds, short = [], []
    for number in range(1, sessions + 1):
        there = [p for p in points if chance.random() >= absent / 100]
        order = sorted(there, key=lambda p: -points[p])
        ranks = {p: 1 + sum(points[q] > points[p] for q in there) for p in there}
        request = SwissRequest(
            [Placed(p, ranks[p]) for p in order],
            number,
            mode,
            history=tuple(rounds),
            was_short=tuple(short),
            seed=str(seed),
        )
        answer = swiss_round(request)
        seated = [p for table in answer.tables for p in table if p is not None]
        assert sorted([*seated, *answer.off]) == sorted(there)
        short += answer.off
        for table in answer.tables:
            people = [p for p in table if p is not None]
            short += people if len(people) < 4 else []
            for place, p in enumerate(sorted(people, key=lambda p: p + chance.gauss(0, count))):
                points[p] += 4 - place
        rounds.append(Round(answer.tables, answer.off))
    return rounds, short


def test_strict_mode_seats_fours_down_the_list():
    """Places 1 to 4 at table 1, whoever met before. [RULES 1.3]"""
    history = (Round(((1, 2, 3, 4), (5, 6, 7, 8))),)
    answer = swiss_round(SwissRequest(standings(8), 2, Mode.STRICT, history=history))
    assert [set(table) for table in answer.tables] == [{1, 2, 3, 4}, {5, 6, 7, 8}]


@pytest.mark.parametrize("mode", [Mode.BALANCED, Mode.NO_REPEATS])
def test_those_who_met_are_parted(mode):
    history = (Round(tuple(tuple(range(t, t + 4)) for t in range(1, 33, 4))),)
    answer = swiss_round(SwissRequest(standings(32), 2, mode, history=history))
    met = pairs([*history, Round(answer.tables)])
    assert max(met.values()) <= (1 if mode is Mode.NO_REPEATS else 2)


@pytest.mark.parametrize("mode", list(Mode))
def test_tables_stand_in_order_of_their_players(mode):
    rounds, _ = played(28, 3, mode)
    request = SwissRequest(standings(28), 4, mode, history=tuple(rounds))
    answer = swiss_round(request)
    means = [sum(table) for table in answer.tables]
    assert means == sorted(means)


@pytest.mark.parametrize("mode", list(Mode))
def test_nobody_is_short_twice_with_absences(mode):
    """With a tenth of the field away each session, the gap is at the last table and always others'. [SBR 3.1.4]"""
    rounds, short = played(28, 6, mode, absent=10)
    assert max(Counter(short).values(), default=0) <= 1
    for a_round in rounds:
        assert all(None not in table for table in a_round.tables[:-1])


@pytest.mark.parametrize(
    ("players", "sizes", "off"), [(9, [4, 4], [9]), (10, [4, 4], [9, 10]), (11, [4, 4, 3], [])]
)
def test_gap_moves_to_the_last_table(players, sizes, off):
    """The lowest are at the incomplete table or have no game. [SBR 3.1.3] [RULES 1.3]"""
    answer = swiss_round(SwissRequest(standings(players), 1))
    assert [sum(p is not None for p in table) for table in answer.tables] == sizes
    assert list(answer.off) == off
    if not off:
        assert set(answer.tables[-1]) == {9, 10, 11, None}
        assert answer.tables[-1][3] is None


def test_those_short_before_are_spared():
    answer = swiss_round(SwissRequest(standings(10), 3, was_short=(9, 10)))
    assert list(answer.off) == [7, 8]


def test_equal_standings_are_parted_by_lot():
    """Lots come from the seed and change with it and with the session. [SBR 2.4.1]"""
    level = [Placed(number, 1) for number in range(1, 17)]
    orders = {
        tuple(p.id for p in by_standing(SwissRequest(level, session, seed=seed)))
        for session, seed in ((1, "a"), (1, "b"), (2, "a"), (1, "a"))
    }
    assert len(orders) == 3


def test_groups_are_kept_apart():
    field = [Placed(number, number, group=(number - 1) // 4) for number in range(1, 33)]
    answer = swiss_round(SwissRequest(field, 1))
    assert all(len({(p - 1) // 4 for p in table}) == 4 for table in answer.tables)


@pytest.mark.parametrize(
    ("mode", "sizes"),
    [(Mode.BALANCED, (15, 14, 13, 2, 2, 2, 12)), (Mode.STRICT, (5, 4, 4, 4, 3))],
)
def test_where_there_are_no_standings_yet_no_club_meets(mode, sizes):
    """Places mean nothing before the first session: whoever can be kept apart is kept apart, in every mode. [RULES 1.3]"""
    clubs = [club for club, size in enumerate(sizes) for _ in range(size)]
    people = [
        Placed(number, 1, group=f"club {club}", has_place=False) for number, club in enumerate(clubs, start=1)
    ]
    tables = swiss_round(SwissRequest(people, 1, mode, has_standings=False)).tables
    assert all(len({clubs[who - 1] for who in table}) == len(table) for table in tables)


def test_pair_that_must_not_meet_is_parted_in_strict_mode_too():
    answer = swiss_round(SwissRequest(standings(8), 1, Mode.STRICT, apart=[(1, 2)]))
    assert not any({1, 2} <= set(table) for table in answer.tables)


def test_substitute_counts_as_the_person_who_sat():
    """Player 1 never met 2 to 4: a substitute did. [RULES 1.3]"""
    history = (Round((("sub", 2, 3, 4), (5, 6, 7, 8))),)
    field = [Placed(1, 1), *(Placed(n, n) for n in range(2, 9))]
    request = SwissRequest(field, 2, history=history)
    reasons = swiss_reasons(request, [(1, 2, 3, 5), (4, 6, 7, 8)])
    assert [remark.details for remark in reasons[0] if remark.code == "swiss_met"] == [
        {"one": 2, "other": 3, "sessions": "1"}
    ]
    stands_in = SwissRequest([Placed(1, 1, person="sub"), *field[1:]], 2, history=history)
    assert len(swiss_reasons(stands_in, [(1, 2, 3, 5)])[0]) == 4


def test_reasons_name_places_and_earlier_meetings():
    history = (Round(((1, 2, 3, 4), (5, 6, 7, 8))),)
    request = SwissRequest(standings(8), 2, history=history)
    reasons = swiss_reasons(request, [(1, 2, 5, 6), (3, 4, 7, 8)])
    assert [str(remark) for remark in reasons[0]] == [
        "Places 1, 2, 5, 6.",
        "Places 1 and 2 met in session 1.",
        "Places 5 and 6 met in session 1.",
    ]


def clubs_in_blocks(count):
    """Standings in which the first half is of one club and the second of another: clubs apart cost many places."""
    return [replace(one, group="club:A" if one.rank <= count // 2 else "club:B") for one in standings(count)]


def test_a_table_whose_places_lie_far_apart_says_how_far_and_why():
    """Places 3, 4, 17 and 18 together say that clubs are kept apart."""
    asked = SwissRequest(standings=clubs_in_blocks(32), round=2, mode=Mode.BALANCED, repeat_weight=200)
    said = swiss_reasons(asked, [(3, 4, 17, 18), (1, 2, 5, 6)])
    assert [remark.code for remark in said[0]] == ["swiss_ranks", "swiss_wide"]
    assert str(said[0][1]).startswith("Places 15 apart:")
    assert [remark.code for remark in said[1]] == ["swiss_ranks"]


def test_the_widest_table_is_a_figure_beside_what_neighbours_would_be():
    asked = SwissRequest(standings=clubs_in_blocks(32), round=2)
    drawn = swiss_round(asked)
    (span,) = swiss_span(asked, drawn.tables)
    widest = max(max(table) - min(table) for table in drawn.tables)
    assert (span.code, span.value, span.bound) == ("swiss_span", widest, 3)
    assert span.affected
    strict = replace(asked, mode=Mode.STRICT)
    (span,) = swiss_span(strict, swiss_round(strict).tables)
    assert (span.value, span.is_best, span.affected) == (3, True, ())
    assert str(span.remark) == "Every table seats neighbours in the standings; best possible."


def test_where_nobody_has_a_place_there_is_no_such_figure():
    asked = SwissRequest(standings=[replace(one, has_place=False) for one in standings(8)], round=1)
    assert swiss_span(asked, swiss_round(asked).tables) == ()


def test_reasons_name_no_place_of_whoever_has_none():
    """A substitute fills the table, and before the first session nobody has a place. [RULES 1.3]"""
    field = [*standings(3), Placed("s9", 5, has_place=False)]
    history = (Round(((3, "s9", 11, 12),)),)
    told = swiss_reasons(SwissRequest(field, 2, history=history), [(1, 2, 3, "s9")])
    assert [str(remark) for remark in told[0]] == ["Places 1, 2, 3."]
    nobody = [Placed(n, 1, has_place=False) for n in range(1, 5)]
    assert swiss_reasons(SwissRequest(nobody, 1), [(1, 2, 3, 4)]) == ((),)


def test_winds_go_to_those_who_had_them_least():
    """Four who all sat East, South, West, North get another wind each. [SBR 2.4.6]"""
    history = (Round(((1, 2, 3, 4), (5, 6, 7, 8))),)
    answer = swiss_round(SwissRequest(standings(8), 2, history=history))
    before = {p: seat for table in history[0].tables for seat, p in enumerate(table)}
    assert all(before[p] != seat for table in answer.tables for seat, p in enumerate(table))


def test_prices_of_repeats_and_winds():
    assert [again(times) for times in range(7)] == [0, 1, 3, 6, 7, 8, 9]
    assert missed_winds(0b1111, 0b1111, 0b1111, 0b1111) == 0
    assert missed_winds(0b0001, 0b0001, 0b0001, 0b1111) == 2


def test_same_seed_gives_the_same_tables():
    request = SwissRequest(standings(28), 1, seed="east")
    assert swiss_round(request) == swiss_round(request)


@pytest.mark.parametrize(
    ("asked", "codes"),
    [
        (SwissRequest(standings(3), 1), ["too_few_players"]),
        (SwissRequest([*standings(4), Placed(1, 5)], 1), ["player_twice"]),
        (SwissRequest(standings(9), 1, incomplete_tables=False), ["not_divisible"]),
        (SwissRequest(standings(8), 0), ["round_number"]),
        (SwissRequest(standings(8), 1, table_size=5), ["table_size"]),
        (SwissRequest(standings(8), 1, seed=""), ["seed_invalid"]),
        (SwissRequest(standings(8), 2, history=[Round(((1, 2, 3, 1),))]), ["player_twice"]),
    ],
)
def test_impossible_session_is_refused(asked, codes):
    with pytest.raises(Refusal) as refusal:
        swiss_round(asked)
    assert [problem.code for problem in refusal.value.problems] == codes
