"""Places, tournament points and uma at a table: ties shared exactly."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.presets import PRESETS
from scoring.problems import Refusal
from scoring.regulation import PlaceRule, TieRule
from scoring.standings.shares import AtTable, at_table, points_row, tied

SBR, MCR, RIICHI = (PRESETS[code].regulation for code in ("sbr", "mcr", "riichi_ema"))
HALF = Fraction(1, 2)


def tournament_points(points, row, rule=TieRule.SPLIT):
    rows = {len(points): tuple(map(Fraction, row[: len(points)]))}
    found = at_table(points, SBR.but(tournament_points=rows, tie_rule=rule))
    return {seat: one.tournament_points for seat, one in found.items()}


def places(points, rule=PlaceRule.AVERAGE):
    found = at_table(points, SBR.but(tournament_points=None, place_rule=rule))
    return {seat: one.place for seat, one in found.items()}


@pytest.mark.parametrize(
    ("points", "row", "expected"),
    [
        ((10, 5, -5, -10), (4, 3, 2, 1), (4, 3, 2, 1)),
        ((-10, -5, 5, 10), (4, 3, 2, 1), (1, 2, 3, 4)),
        ((8, 8, 0, -16), (4, 3, 2, 1), (3 + HALF, 3 + HALF, 2, 1)),
        ((9, -3, -3, -3), (4, 2, 1, 0), (4, 1, 1, 1)),
        ((3, 3, 3, -9), (4, 2, 1, 0), (Fraction(7, 3),) * 3 + (0,)),
        ((5, 0, 0, -5), (4, 2, 1, 0), (4, 1 + HALF, 1 + HALF, 0)),
        ((0, 0, 0, 0), (4, 3, 2, 1), (2 + HALF,) * 4),
        ((1, 1, -1, -1), (4, 2, 1, 0), (3, 3, HALF, HALF)),
        ((4, 0, -4), (4, 3, 2), (4, 3, 2)),
        ((6, -3, -3), (4, 2, 1), (4, 1 + HALF, 1 + HALF)),
        ((7, -7), (2, 0), (2, 0)),
        ((0, 0), (2, 0), (1, 1)),
    ],
)
def test_tied_players_split_what_their_places_bring(points, row, expected):
    """[SBR 2.7.5] [RULES 1.6] [RULES 8.3]"""
    seats = dict(zip("ESWN", points, strict=False))
    assert tournament_points(seats, row) == dict(zip(seats, map(Fraction, expected), strict=True))


def test_best_of_the_tied_places_is_another_rule():
    """[RULES 8.3]"""
    seats = {"E": 5, "S": 5, "W": -5, "N": -5}
    row = [Fraction(points) for points in (4, 3, 2, 1)]
    assert tournament_points(seats, row, TieRule.BEST) == {"E": 4, "S": 4, "W": 2, "N": 2}


@pytest.mark.parametrize(
    ("rule", "expected"),
    [(PlaceRule.AVERAGE, (1, 3, 3, 3)), (PlaceRule.BEST, (1, 2, 2, 2))],
    ids=["average", "best"],
)
def test_place_of_tied_players_follows_the_rule(rule, expected):
    """[RULES 8.4]"""
    assert places({"E": 9, "S": -3, "W": -3, "N": -3}, rule) == dict(zip("ESWN", expected, strict=True))


def test_seats_part_tied_players_where_the_regulation_says_so():
    """Who sits nearer to the first dealer has the better place and all that it brings. [RULES 9.30]"""
    seats = {"E": -5, "S": 5, "W": 5, "N": -5}
    row = [Fraction(points) for points in (4, 3, 2, 1)]
    assert tournament_points(seats, row, TieRule.SEAT_ORDER) == {"S": 4, "W": 3, "E": 2, "N": 1}
    assert places(seats, PlaceRule.SEAT_ORDER) == {"S": 1, "W": 2, "E": 3, "N": 4}
    found = at_table(seats, RIICHI.but(tie_rule=TieRule.SEAT_ORDER))
    assert {seat: one.uma for seat, one in found.items()} == {"S": 15, "W": 5, "E": -5, "N": -15}
    assert {seat: one.place for seat, one in found.items()}["S"] == 1 + HALF


def test_oka_goes_to_the_first_beside_the_uma():
    """Everybody returns 30 000 of 25 000: 5 each, 20 for the first, whom equals are together. [RULES 9.31]"""
    rules = RIICHI.but(start_points=25000, return_points=30000)
    assert rules.uma_of(4) == (30, 0, -10, -20)
    found = at_table({"E": 9000, "S": 0, "W": -2000, "N": -7000}, rules)
    assert [one.uma for one in found.values()] == [30, 0, -10, -20]
    found = at_table({"E": 5000, "S": 5000, "W": -2000, "N": -8000}, rules)
    assert [one.uma for one in found.values()] == [15, 15, -10, -20]
    assert RIICHI.but(start_points=25000).uma_of(4) == RIICHI.uma
    assert RIICHI.but(uma=None).uma_of(4) is None


def test_two_tied_for_second_are_at_two_and_a_half():
    """[RULES 8.4]"""
    assert places({"E": 41000, "S": 30000, "W": 30000, "N": 18000})["S"] == Fraction(5, 2)


def test_table_gives_place_points_and_uma():
    """[RULES 1.6] [RULES 1.7]"""
    assert at_table({"E": 1, "S": 0, "W": 0, "N": -1}, RIICHI)["S"] == AtTable(
        Fraction(5, 2), None, Fraction(0)
    )
    assert at_table({"E": 1, "S": 0, "W": 0, "N": -1}, SBR)["S"] == AtTable(
        Fraction(5, 2), Fraction(5, 2), None
    )


def test_three_at_a_table_share_the_points_for_three():
    """[RULES 8.33] [SBR 3.1.3]"""
    found = at_table({"E": -70, "S": 18, "W": 4}, SBR)
    assert {seat: one.tournament_points for seat, one in found.items()} == {"E": 2, "S": 4, "W": 3}


def test_table_size_without_points_is_refused():
    """[RULES 8.33]"""
    with pytest.raises(Refusal) as refusal:
        points_row(MCR, 3)
    assert refusal.value.problems[0].code == "points_table"
    assert points_row(RIICHI, 3) is None


tables = st.lists(st.integers(-6, 6), min_size=2, max_size=4)
rows = st.lists(st.integers(0, 8), min_size=4, max_size=4).map(lambda row: sorted(row, reverse=True))


@given(points=tables, row=rows)
def test_all_points_for_the_places_are_given_out(points, row):
    """[SBR 2.7.5] [RULES 1.6]"""
    brought = tournament_points(dict(enumerate(points)), row)
    assert sum(brought.values()) == sum(row[: len(points)])


@given(points=tables)
def test_all_places_are_taken(points):
    """[RULES 8.4]"""
    assert sum(places(dict(enumerate(points))).values()) == sum(range(1, len(points) + 1))


@given(points=tables, row=rows, rule=st.sampled_from(TieRule))
def test_more_points_never_bring_less(points, row, rule):
    """[SBR 2.7.5]"""
    seats = dict(enumerate(points))
    brought = tournament_points(seats, row, rule)
    assert all(
        brought[one] >= brought[other]
        for one in seats
        for other in seats
        if seats[one] > seats[other]
        or (seats[one] == seats[other] and (rule is not TieRule.SEAT_ORDER or one < other))
    )


@given(points=tables, row=rows, data=st.data())
def test_order_of_the_seats_does_not_matter(points, row, data):
    """[RULES 1.6]"""
    seats = dict(enumerate(points))
    shuffled = dict(data.draw(st.permutations(list(seats.items()))))
    assert tournament_points(shuffled, row) == tournament_points(seats, row)
    assert places(shuffled) == places(seats)


@given(points=tables)
def test_groups_of_equals_hold_every_seat_once(points):
    """[RULES 1.6]"""
    groups = tied(dict(enumerate(points)))
    assert sorted(seat for group in groups for seat in group) == list(range(len(points)))
    assert all(len({points[seat] for seat in group}) == 1 for group in groups)
