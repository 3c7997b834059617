"""Standings: every criterion, shared places, the reason for each place, teams and groups."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import criteria
from scoring.criteria import Criterion
from scoring.presets import PRESETS
from scoring.regulation import GivenResult, GroupMode, GroupTable, PlaceRule, PlayerField, Timing
from scoring.seats import SEATS
from scoring.standings.book import Book, Entrant
from scoring.standings.groups import GroupStanding, rank_groups
from scoring.standings.ranking import Reason, Standing, rank
from scoring.standings.sessions import Charge, Event, SeatFact, SessionFact, TableFact, tally
from scoring.standings.stages import standings
from scoring.tests.events import events, naive_head_to_head, naive_values

SBR, MCR, RIICHI, FESTIVAL = (
    PRESETS[code].regulation for code in ("sbr", "mcr", "riichi_ema", "riichi_festival")
)


def table(number: int, **points: int) -> TableFact:
    """Lay a table: players and their points from East on."""
    seats = tuple(
        SeatFact(wind, player, None, amount)
        for wind, (player, amount) in zip(SEATS, points.items(), strict=False)
    )
    return TableFact(number, seats)


def event(*sessions: list[TableFact], rules: Any = SBR, charges: Any = (), entrants: Any = None) -> Event:
    facts = [SessionFact(number, rules, tables) for number, tables in enumerate(sessions, start=1)]
    players = dict.fromkeys(seat.player for one in facts for here in one.tables for seat in here.seats)
    return Event(rules, entrants or [Entrant(player) for player in players], facts, charges)


def order(event: Event) -> list[tuple[Any, int | None, str]]:
    return [(row.player, row.place, str(row.decided_by or "")) for row in standings(event)]


def test_total_points_decide_first():
    """[RULES 1.7]"""
    assert order(event([table(1, a=1, b=9, c=-4, d=-6)])) == [
        ("b", 1, ""),
        ("a", 2, "tournament_points"),
        ("c", 3, "tournament_points"),
        ("d", 4, "tournament_points"),
    ]


def test_game_points_break_a_tie_of_tournament_points():
    """[RULES 1.7]"""
    played = event([table(1, a=5, b=-5)], [table(1, a=-1, b=1)], rules=PRESETS["red"].regulation)
    assert [(row.player, row.reason) for row in standings(played)] == [
        ("a", None),
        ("b", Reason(criteria.GAME_POINTS, 4, -4)),
    ]


def test_places_that_nothing_decides_are_shared_and_the_next_is_skipped():
    """[RULES 1.7] [RULES 8.43]"""
    rows = standings(event([table(1, a=0, b=4, c=0, d=-4)]))
    assert [(row.player, row.place, row.shared) for row in rows] == [
        ("b", 1, False),
        ("a", 2, True),
        ("c", 2, True),
        ("d", 4, False),
    ]
    assert rows[1].reason == rows[2].reason == Reason(criteria.TOURNAMENT_POINTS, Fraction(4), Fraction(5, 2))


def test_second_and_third_places_count_those_who_had_one_and_two_above_them():
    """Equals have one rank, unless seats part them. [RULES 9.32] [RULES 9.30]"""
    counted = (criteria.FIRST_PLACES, criteria.SECOND_PLACES, criteria.THIRD_PLACES)
    tables = [table(1, a=5, b=2, c=2, d=-9)], [table(1, a=1, b=5, c=-2, d=-4)]

    def found(rules: Any) -> dict[Any, list[Any]]:
        return {
            row.player: [row.values[one] for one in counted] for row in standings(event(*tables, rules=rules))
        }

    shared = SBR.but(ranking=counted)
    assert found(shared) == {"a": [1, 1, 0], "b": [1, 1, 0], "c": [0, 1, 1], "d": [0, 0, 0]}
    parted = shared.but(place_rule=PlaceRule.SEAT_ORDER)
    assert found(parted) == {"a": [1, 1, 0], "b": [1, 1, 0], "c": [0, 0, 2], "d": [0, 0, 0]}


def test_shared_first_place_counts_whole_for_each():
    """[RULES 8.43]"""
    rows = standings(event([table(1, a=2, b=2, c=-4)]))
    assert {row.player: row.values[criteria.FIRST_PLACES] for row in rows} == {"a": 1, "b": 1, "c": 0}


def test_head_to_head_seven_to_four_puts_the_first_ahead():
    """[RULES 1.7] [RULES 8.43]"""
    rules = SBR.but(ranking=(criteria.GAME_POINTS, criteria.HEAD_TO_HEAD))
    played = event(
        [table(1, a=5, b=3, x=-3, y=-5)],
        [table(1, x=5, a=3, y=-1, b=-7)],
        [table(1, a=0, c=1, d=2, e=-3), table(2, b=12, f=-1, g=-2, h=-9)],
        rules=rules,
    )
    first, second = standings(played)[:2]
    assert (first.player, second.player, second.place, second.shared) == ("a", "b", 2, False)
    assert second.reason == Reason(criteria.HEAD_TO_HEAD, Fraction(7), Fraction(4))


def test_head_to_head_is_compared_once_among_all_equals():
    """Three are equal; those equal again in their meetings share the place. [RULES 8.43]"""
    rules = SBR.but(ranking=(criteria.GAME_POINTS, criteria.HEAD_TO_HEAD))
    played = event(
        [table(1, a=3, b=1, x=-1, y=-3), table(2, c=0, d=9, e=-4, f=-5)],
        [table(1, a=-3, x=5, y=-1, z=-1), table(2, b=-1, d=7, e=-3, f=-3)],
        rules=rules,
    )
    rows = [row for row in standings(played) if row.player in ("a", "b", "c")]
    assert [(row.player, row.values[criteria.HEAD_TO_HEAD]) for row in rows] == [
        ("a", 4),
        ("b", 3),
        ("c", 0),
    ]


def test_head_to_head_is_asked_only_among_equals():
    """[RULES 8.43]"""
    rows = standings(event([table(1, a=9, b=5, c=-5, d=-9)]))
    assert all(row.values[criteria.HEAD_TO_HEAD] is None for row in rows)


def test_tournament_points_taken_do_not_touch_head_to_head():
    """[RULES 8.39]"""
    rules = MCR.but(ranking=(criteria.FIRST_PLACES, criteria.HEAD_TO_HEAD, criteria.TOURNAMENT_POINTS))
    charge = Charge("b", 1, tournament_points=Fraction(-3))
    rows = standings(event([table(1, a=3, b=1, c=-1, d=-3)], rules=rules, charges=[charge]))
    values = {row.player: row.values for row in rows}
    assert values["b"][criteria.HEAD_TO_HEAD] == 2
    assert values["b"][criteria.TOURNAMENT_POINTS] == -1


def test_opponents_points_count_once_for_every_meeting():
    """[RULES 8.43]"""
    rules = MCR.but(ranking=(criteria.OPPONENTS_POINTS,))
    twice = [table(1, a=9, b=3, c=-3, d=-9)]
    rows = standings(event(twice, twice, rules=rules))
    assert {row.player: row.values[criteria.OPPONENTS_POINTS] for row in rows} == {
        "a": 12,
        "b": 20,
        "c": 24,
        "d": 28,
    }


def test_festival_ranks_by_average_place_points_variance_and_spread():
    """[RIICHI reg. 6.3] [RULES 8.42]"""
    played = event(
        [table(1, a=20100, b=12500, c=-12500, d=-20100)],
        [table(1, d=29900, c=7500, b=-7500, a=-29900)],
        rules=FESTIVAL,
    )
    rows = {row.player: row.values for row in standings(played)}
    assert rows["a"] == {
        criteria.AVERAGE_PLACE: Fraction(5, 2),
        criteria.POINTS: 50200,
        criteria.PLACE_VARIANCE: Fraction(9, 4),
        criteria.POINTS_SPREAD: 50000,
    }
    assert rows["b"][criteria.PLACE_VARIANCE] == Fraction(1, 4)
    assert rows["b"][criteria.POINTS_SPREAD] == 20000


def test_spread_decides_as_in_the_regulations_example():
    """Best and worst 50100 and 100 against 42500 and 22500: the second player wins. [RIICHI reg. 6.3.4]"""
    rules = FESTIVAL.but(ranking=(criteria.POINTS_SPREAD,))
    played = event(
        [table(1, first=20100, second=12500, c=-16000, d=-16600)],
        [table(1, first=-29900, second=-7500, c=18000, d=19400)],
        rules=rules,
    )
    rows = standings(played)
    assert rows[0].player == "second"
    assert {row.player: row.values[criteria.POINTS_SPREAD] for row in rows} == {
        "second": 20000,
        "c": 34000,
        "d": 36000,
        "first": 50000,
    }


def test_uma_score_adds_thousands_and_uma():
    """[RULES 1.7]"""
    rows = standings(event([table(1, a=10600, b=0, c=0, d=-10600)], rules=RIICHI))
    assert {row.player: row.values[criteria.UMA_SCORE] for row in rows} == {
        "a": Fraction(256, 10),
        "b": 0,
        "c": 0,
        "d": Fraction(-256, 10),
    }


def test_lots_decide_in_the_end_and_none_stands_last():
    """[RULES 1.7]"""
    rules = SBR.but(ranking=(criteria.LOTS,))
    entrants = [Entrant("a"), Entrant("b", lot=7), Entrant("c", lot=2)]
    assert order(Event(rules, entrants, [])) == [("c", 1, ""), ("b", 2, "lots"), ("a", 3, "lots")]


def test_who_has_no_results_has_no_place_to_average():
    """[RULES 8.42]"""
    rules = SBR.but(
        ranking=(
            criteria.AVERAGE_PLACE,
            criteria.PLACE_VARIANCE,
            criteria.POINTS_SPREAD,
            criteria.BEST_GAME,
        )
    )
    (row,) = standings(Event(rules, [Entrant("a")], []))
    assert row == Standing("a", 1, False, None, dict.fromkeys(rules.ranking))
    assert row.decided_by is None


def test_removed_players_stand_at_the_end_without_a_place():
    """[RULES 8.7] [RULES 8.43]"""
    entrants = [Entrant("a", is_ranked=False), Entrant("b"), Entrant("c"), Entrant("d")]
    rows = standings(event([table(1, a=9, b=3, c=-3, d=-9)], entrants=entrants))
    assert [(row.player, row.place) for row in rows] == [("b", 1), ("c", 2), ("d", 3), ("a", None)]
    assert rows[-1].values[criteria.TOURNAMENT_POINTS] == 4
    assert rows[0].values[criteria.FIRST_PLACES] == 0


def test_nobody_is_ranked_where_nobody_is_registered():
    """[RULES 1.7]"""
    assert rank(Book([], 12), SBR.ranking) == ()


@settings(max_examples=150, deadline=None)
@given(event=events())
def test_standings_equal_those_worked_out_naively(event):
    """[RULES 1.7] [RULES 8.30] [RULES 8.31] [RULES 8.42] [RULES 8.43]"""
    rows = standings(event)
    values = {str(row.player): naive_values(event, str(row.player)) for row in rows}
    groups = [[entrant.player for entrant in event.entrants if entrant.is_ranked]]
    for criterion in event.regulation.ranking:
        if criterion is criteria.HEAD_TO_HEAD:
            for player in values:
                values[player][criterion] = None
            for group in groups:
                for player in group if len(group) > 1 else ():
                    values[player][criterion] = naive_head_to_head(event, player, set(group) - {player})
        groups = [part for group in groups for part in _naive_split(group, criterion, values)]
    assert [row.player for row in rows if row.place] == [player for group in groups for player in group]
    assert [row.place for row in rows if row.place] == [
        sum(map(len, groups[:at])) + 1 for at, group in enumerate(groups) for _ in group
    ]
    for row in rows:
        assert row.values == {
            criterion: values[str(row.player)][criterion] for criterion in event.regulation.ranking
        }


def _naive_split(group: list[Any], criterion: Criterion, values: Any) -> list[list[Any]]:
    def key(player: Any) -> Any:
        value = values[player][criterion]
        if value is None:
            return (1, 0)
        return (0, value if criterion.less_is_better else -value)

    keys = sorted({key(player) for player in group}) if len(group) > 1 else []
    return [[player for player in group if key(player) == one] for one in keys] or [group] if group else []


@settings(max_examples=60, deadline=None)
@given(event=events(), data=st.data())
def test_order_of_arrival_does_not_matter(event, data):
    """[RULES 1.7]"""
    shuffled = Event(
        event.regulation,
        event.entrants,
        [
            SessionFact(one.number, one.regulation, data.draw(st.permutations(one.tables)))
            for one in data.draw(st.permutations(event.sessions))
        ],
        data.draw(st.permutations(event.charges)),
        event.given,
    )
    assert standings(shuffled) == standings(event)


def first_difference(one: Standing, other: Standing) -> Reason:
    return next(
        Reason(criterion, value, other.values[criterion])
        for criterion, value in one.values.items()
        if other.values[criterion] != value
    )


@settings(max_examples=60, deadline=None)
@given(event=events())
def test_reason_of_every_place_is_what_two_rows_differ_by(event):
    """[RULES 1.7]"""
    ranked = [row for row in standings(event) if row.place is not None]
    for above, below in pairwise(ranked):
        if above.place == below.place:
            assert above.reason == below.reason
        else:
            assert below.reason == first_difference(above, below)


@settings(max_examples=60, deadline=None)
@given(event=events(), points=st.integers(1, 9))
def test_penalty_that_is_given_and_revoked_leaves_standings_as_they_were(event, points):
    """[RULES 1.8]"""
    player = event.entrants[0].player
    both = [
        Charge(player, None, -points, timing=Timing.AFTER),
        Charge(player, None, points, timing=Timing.AFTER),
    ]
    again = Event(event.regulation, event.entrants, event.sessions, [*event.charges, *both], event.given)
    assert standings(again) == standings(event)


def test_points_for_the_whole_tournament_enter_every_sum():
    """[RULES 8.50]"""
    rules = RIICHI.but(ranking=tuple(one for one in criteria.CRITERIA.values() if one is not criteria.LOTS))
    charge = Charge("a", None, -700, tournament_points=Fraction(-2), timing=Timing.AFTER)
    played = event([table(1, a=900, b=300, c=-300, d=-900)], rules=rules)
    charged = Event(rules, played.entrants, played.sessions, [charge])
    before = next(row for row in standings(played) if row.player == "a").values
    after = next(row for row in standings(charged) if row.player == "a").values
    assert {one: value for one, value in after.items() if value != before[one]} == {
        criteria.TOURNAMENT_POINTS: -2,
        criteria.GAME_POINTS: 200,
        criteria.POINTS: before[criteria.POINTS] - 700,
        criteria.UMA_SCORE: before[criteria.UMA_SCORE] - Fraction(7, 10),
    }


# Teams and groups


def rows_of(mode: GroupMode, best: int | None = None, rules: Any = SBR) -> tuple[GroupStanding, ...]:
    played = event([table(1, a=9, b=3, c=-3, d=-9)], [table(1, a=-9, b=-3, c=3, e=9)], rules=rules)
    teams = {"a": "Юг", "b": "Юг", "c": "Север", "d": "Юг", "e": "Север"}
    ranking = (criteria.TOURNAMENT_POINTS,)
    return rank_groups(standings(played), teams, GroupTable(PlayerField.TEAM, mode, best, ranking))


@pytest.mark.parametrize(
    ("mode", "best", "expected"),
    [
        (GroupMode.SUM, None, [("Юг", Fraction(11)), ("Север", Fraction(9))]),
        (GroupMode.AVERAGE, None, [("Север", Fraction(9, 2)), ("Юг", Fraction(11, 3))]),
        (GroupMode.BEST, 1, [("Север", Fraction(5)), ("Юг", Fraction(5))]),
    ],
)
def test_group_adds_averages_or_takes_its_best(mode, best, expected):
    """[SBR 2.4.3] [RULES 8.43]"""
    rows = rows_of(mode, best)
    assert [(row.name, row.values[criteria.TOURNAMENT_POINTS]) for row in rows] == expected


@pytest.mark.parametrize("mode", [GroupMode.SUM, GroupMode.AVERAGE])
def test_member_without_a_value_is_not_counted_and_a_group_of_such_is_last(mode):
    """[RULES 9.4]"""
    entrants = [Entrant(player) for player in "abcdef"]
    ranking = (criteria.AVERAGE_PLACE,)
    played = event([table(1, a=9, b=3, c=-3, d=-9)], rules=SBR.but(ranking=ranking), entrants=entrants)
    teams = {"d": "Север", "e": "Север", "f": "Юг"}
    rows = rank_groups(standings(played), teams, GroupTable(PlayerField.TEAM, mode, None, ranking))
    assert [(row.name, row.place, row.values[criteria.AVERAGE_PLACE]) for row in rows] == [
        ("Север", 1, Fraction(4)),
        ("Юг", 2, None),
    ]


@pytest.mark.parametrize(
    ("mode", "best", "north"),
    [
        (GroupMode.SUM, None, Fraction(7, 2)),
        (GroupMode.AVERAGE, None, Fraction(7, 4)),
        (GroupMode.BEST, 2, Fraction(7, 2)),
    ],
    ids=["sum", "average", "best"],
)
def test_head_to_head_that_was_not_asked_brings_its_group_nothing(mode, best, north):
    """A group has a number all the same, and an average is over all its ranked members. [RECORD 1] [RECORD 4] [RULES 9.4]"""
    ranking = (criteria.GAME_POINTS, criteria.HEAD_TO_HEAD)
    rules = SBR.but(ranking=ranking)
    played = event([table(1, a=9, b=9, c=-3, d=-15)], rules=rules)
    asked = {row.player: row.values[criteria.HEAD_TO_HEAD] for row in standings(played)}
    assert asked == {"a": Fraction(7, 2), "b": Fraction(7, 2), "c": None, "d": None}
    teams = {"a": "Север", "c": "Север", "d": "Юг"}
    rows = rank_groups(
        standings(played), teams, GroupTable(PlayerField.TEAM, mode, best, (criteria.HEAD_TO_HEAD,))
    )
    assert [(row.name, row.values[criteria.HEAD_TO_HEAD]) for row in rows] == [("Север", north), ("Юг", 0)]


def test_group_gives_members_in_the_order_of_the_standings_and_its_reason():
    """[SBR 2.4.3]"""
    north, south = rows_of(GroupMode.AVERAGE)
    assert (south.members, north.members) == (("a", "b", "d"), ("c", "e"))
    assert (north.decided_by, south.decided_by) == (None, criteria.TOURNAMENT_POINTS)
    assert south.reason == Reason(criteria.TOURNAMENT_POINTS, Fraction(9, 2), Fraction(11, 3))


def test_equal_groups_share_a_place_and_stand_by_name():
    """[SBR 2.4.3] [RULES 1.7]"""
    rows = rows_of(GroupMode.BEST, 1)
    assert [(row.name, row.place, row.shared) for row in rows] == [("Север", 1, True), ("Юг", 1, True)]


def test_less_is_better_for_groups_too_and_who_has_no_value_is_not_counted():
    """[RULES 1.7]"""
    rules = SBR.but(ranking=(criteria.AVERAGE_PLACE,))
    facts = [SessionFact(1, rules, [table(1, a=9, b=3, c=-3, d=-9)])]
    played = Event(rules, [Entrant(player) for player in "abcdef"], facts)
    teams = {"a": "A", "d": "A", "b": "B", "f": "B", "e": "C"}
    classification = GroupTable(PlayerField.CLUB, GroupMode.AVERAGE, None, (criteria.AVERAGE_PLACE,))
    rows = rank_groups(standings(played), teams, classification)
    assert [(row.name, row.values[criteria.AVERAGE_PLACE]) for row in rows] == [
        ("B", Fraction(2)),
        ("A", Fraction(5, 2)),
        ("C", None),
    ]


def test_removed_players_do_not_count_for_their_group():
    """[RULES 8.43]"""
    entrants = [Entrant("a", is_ranked=False), Entrant("b"), Entrant("c"), Entrant("d")]
    rows = standings(event([table(1, a=9, b=3, c=-3, d=-9)], entrants=entrants))
    classification = GroupTable(PlayerField.TEAM, GroupMode.SUM, None, (criteria.TOURNAMENT_POINTS,))
    assert [row.members for row in rank_groups(rows, {"a": "X", "b": "X"}, classification)] == [("b",)]
    assert rank_groups(rows, {}, classification) == ()


def test_book_counts_only_in_whole_numbers():
    """[RULES 1.6]"""
    book = tally(event([table(1, a=2, b=2, c=2, d=-6)], rules=MCR))
    assert all(isinstance(number, int) for shares in book.shares for share in shares for number in share)
    assert book.games == [[2], [2], [2], [-6]]
    assert book.scale % 12 == 0


def test_nobody_has_met_anybody_before_the_first_table():
    """[RULES 8.43]"""
    book = Book([Entrant("a"), Entrant("b")], 12)
    rows = rank(book, (criteria.OPPONENTS_POINTS, criteria.HEAD_TO_HEAD))
    assert [row.values for row in rows] == [{criteria.OPPONENTS_POINTS: 0, criteria.HEAD_TO_HEAD: 0}] * 2


def test_given_result_replaces_a_whole_session():
    """[RECORD 4]"""
    facts = event([table(1, a=9, b=3, c=-3, d=-9)])
    replaced = Event(
        SBR, facts.entrants, facts.sessions, [], {(1, "d"): GivenResult(Fraction(10), 100, None)}
    )
    assert order(replaced)[0] == ("d", 1, "")
