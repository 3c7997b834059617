"""A table's hands and final points become the game points of its seats."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.hands import AsPlayed, Chombo, Hand, Win, Winner
from scoring.problems import Problem, Refusal
from scoring.protocol import (
    Vacancy,
    check_final,
    check_next,
    final_totals,
    play,
    play_on,
    share_left_over,
)
from scoring.seats import SEATS, Seat, after
from scoring.systems import SYSTEMS, ruleset
from scoring.systems.base import Payments, Situation, add_up

EAST, SOUTH, WEST, NORTH = SEATS


@dataclass(frozen=True)
class Simple:
    """A ruleset for these tests: a win brings its fans from East, a chombo nothing; four hands end the game."""

    system: str = "SIMPLE"

    def start(self, seats):
        return Situation(tuple(seats))

    def check(self, hand, at):
        return [Problem("no", "No.", "events")] if hand.riichi else []

    def payments(self, hand, at):
        fans = sum(win.winners[0].fans or 0 for win in hand.wins)
        return Payments(dict.fromkeys(at.seats, 0) | {EAST: -fans, SOUTH: fans})

    def following(self, hand, at):
        return at.but(number=at.number + 1, bets=len(hand.events), is_over=at.number == 4)

    def without_dealer(self, at):
        return at.but(dealer=after(at.dealer, at.seats))


def hand(number: int, *events: object, **parts: object) -> Hand:
    return Hand(number, tuple(events), **parts)  # type: ignore[arg-type]


def win(fans: int) -> Win:
    return Win((Winner(SOUTH, fans=fans),), EAST)


def test_hands_are_played_one_after_another():
    """[RULES 1.5]"""
    game = play(Simple(), SEATS, [hand(1, win(3)), hand(2), hand(3, win(4)), hand(4)])
    assert game.totals == {EAST: -7, SOUTH: 7, WEST: 0, NORTH: 0}
    assert [one.before.number for one in game.hands] == [1, 2, 3, 4]
    assert [one.after.number for one in game.hands] == [2, 3, 4, 5]
    assert (game.situation.number, game.situation.is_over) == (5, True)


def test_bets_left_at_the_end_go_to_the_leader():
    """[RIICHI 3.3.14] [RULES 8.42]"""
    game = play(Simple(), SEATS, [hand(1, win(300))], points_unit=100)
    assert game.left_over == {SOUTH: 1000}
    assert game.totals == {EAST: -300, SOUTH: 1300, WEST: 0, NORTH: 0}


def test_one_bet_is_worth_a_thousand():
    """[RIICHI 3.3.14]"""
    assert play(Simple(), SEATS, [hand(1, win(3))]).left_over == {SOUTH: 1000}


def test_amounts_are_whole_unless_a_larger_unit_is_named():
    """[RULES 8.42]"""
    bets = [hand(1, *[Chombo(EAST)] * 3)]
    three = (EAST, SOUTH, WEST)
    assert play(Simple(), three, bets).left_over == dict.fromkeys(three, 1000)
    assert play(Simple(), SEATS, [hand(1, Chombo(EAST))]).left_over == dict.fromkeys(SEATS, 250)
    assert play(Simple(), three, [hand(1, Chombo(EAST))]).left_over == dict.fromkeys(three, 333)


@pytest.mark.parametrize(
    ("hands", "limit", "problem"),
    [
        ([hand(2)], None, ("hand_number", "hands.0.number")),
        ([hand(1), hand(1)], None, ("hand_number", "hands.1.number")),
        ([hand(1), hand(2), hand(3)], 2, ("game_over", "hands.2.number")),
        ([hand(number) for number in range(1, 6)], None, ("game_over", "hands.4.number")),
        ([hand(1), hand(2, riichi=(EAST,))], None, ("no", "hands.1.events")),
    ],
    ids=["wrong number", "twice", "over the limit", "after the end", "impossible"],
)
def test_hand_that_cannot_stand_is_refused_where_it_stands(hands, limit, problem):
    """[RULES 1.4] [RULES 1.5]"""
    with pytest.raises(Refusal) as refused:
        play(Simple(), SEATS, hands, hands_limit=limit)
    assert [(one.code, one.field) for one in refused.value.problems] == [problem]


def test_hand_ended_by_chombo_does_not_count_against_the_limit():
    """[RIICHI 5.9]"""
    hands = [hand(1), hand(2, Chombo(EAST)), hand(3)]
    assert len(play(Simple(), SEATS, hands, hands_limit=2).hands) == 3


def test_next_hand_is_checked_against_the_game_so_far():
    """[RULES 1.5]"""
    game = play(Simple(), SEATS, [hand(1)])
    assert check_next(Simple(), game, hand(2), hands_limit=2) == []
    assert [one.code for one in check_next(Simple(), game, hand(3))] == ["hand_number"]
    assert [one.code for one in check_next(Simple(), game, hand(2), hands_limit=1)] == ["game_over"]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_game_played_on_is_the_game_played_at_once(count):
    """[RULES 1.5] [RULES 8.42]"""
    hands = [hand(1, win(3)), hand(2), hand(3, win(400), win(200))]
    game = play(Simple(), SEATS, hands[: count - 1], points_unit=100)
    played_on = play_on(Simple(), game, hands[count - 1], points_unit=100)
    assert played_on == play(Simple(), SEATS, hands[:count], points_unit=100)


def test_game_played_on_shares_the_bets_left_over_in_whole_units():
    """[RULES 8.42]"""
    three = (EAST, SOUTH, WEST)
    start = play(Simple(), three, [])
    in_hundreds = play_on(Simple(), start, hand(1, Chombo(EAST)), points_unit=100)
    assert in_hundreds.left_over == dict.fromkeys(three, 300)
    assert play_on(Simple(), start, hand(1, Chombo(EAST))).left_over == dict.fromkeys(three, 333)


def test_problem_without_a_field_names_its_hand():
    """[RULES 1.5]"""

    class Stern(Simple):
        def check(self, hand, at):
            return [Problem("no", "No.")]

    with pytest.raises(Refusal) as refused:
        play(Stern(), SEATS, [hand(1)])
    assert [one.field for one in refused.value.problems] == ["hands.0"]


# Bets left over


@pytest.mark.parametrize(
    ("points", "left", "unit", "expected"),
    [
        ((5, 3, 2, 0), 0, 100, {}),
        ((5, 3, 2, 0), 1000, 100, {EAST: 1000}),
        ((5, 5, 2, 0), 1000, 100, {EAST: 500, SOUTH: 500}),
        ((5, 5, 5, 0), 1000, 100, {EAST: 300, SOUTH: 300, WEST: 300}),
        ((0, 0, 0, 0), 1000, 100, {EAST: 200, SOUTH: 200, WEST: 200, NORTH: 200}),
        ((5, 5, 5, 0), 100, 100, {EAST: 0, SOUTH: 0, WEST: 0}),
    ],
    ids=["none", "one leader", "two", "three", "four", "too little"],
)
def test_equal_leaders_share_bets_in_whole_units(points, left, unit, expected):
    """[RULES 8.42]"""
    assert share_left_over(dict(zip(SEATS, points, strict=True)), left, unit) == expected


@given(points=st.lists(st.integers(-3, 3), min_size=2, max_size=4), bets=st.integers(0, 9))
def test_no_more_is_shared_than_lies_on_the_table(points, bets):
    """[RULES 8.42]"""
    shares = share_left_over(dict(zip(SEATS, points, strict=False)), bets * 1000, 100)
    assert 0 <= sum(shares.values()) <= bets * 1000
    assert bets * 1000 - sum(shares.values()) < 100 * max(len(shares), 1)


# Final points


def final(*points: int) -> dict[Seat, int]:
    return dict(zip(SEATS, points, strict=False))


RIICHI = {"seats": SEATS, "start_points": 30000, "points_unit": 100}


def test_final_points_less_the_start_with_bets_left_over():
    """[RIICHI reg. 6.2] [RULES 8.42] [RECORD 4]"""
    assert final_totals(final(41000, 30000, 30000, 18000), 1000, **RIICHI) == final(12000, 0, 0, -12000)
    assert final_totals(final(-1000, 31000, 60000, 30000), 0, **RIICHI) == final(-31000, 1000, 30000, 0)


@pytest.mark.parametrize(
    ("points", "left", "problems"),
    [
        ((41000, 30000, 30000, 18000), 1000, []),
        ((41000, 30000, 30000, 18000), 0, [("not_zero_sum", "final")]),
        ((41000, 30000, 31000), 18000, [("wrong_players", "final")]),
        ((41050, 29950, 30000, 19000), 0, [("unit", "final.E"), ("unit", "final.S")]),
        ((41000, 30000, 30000, 18950), 50, [("unit", "final.N"), ("unit", "left_on_table")]),
        ((41010, 30000, 30000, 18000), 0, [("unit", "final.E"), ("not_zero_sum", "final")]),
    ],
    ids=["right", "bets forgotten", "three of four", "unit", "unit on the table", "both"],
)
def test_final_points_are_checked_for_seats_unit_and_sum(points, left, problems):
    """[RULES 1.5] [RIICHI reg. 6.2]"""
    assert [(one.code, one.field) for one in check_final(final(*points), left, **RIICHI)] == problems
    if problems:
        with pytest.raises(Refusal):
            final_totals(final(*points), left, **RIICHI)


COUNTED = {"seats": SEATS, "start_points": 0, "points_unit": 1, "has_bets": False}


def test_only_riichi_bets_stay_on_a_table():
    """A table that is 40 short made its leader 40 richer. [RULES 8.42]"""
    (left,) = check_final(final(60, 0, -40, -60), 40, **COUNTED)
    assert (left.code, left.field, left.clause) == ("nothing_left", "left_on_table", "RULES 8.42")
    (short,) = check_final(final(60, 0, -40, -60), 0, **COUNTED)
    assert (short.code, short.field) == ("not_zero_sum", "final")
    assert str(short).startswith("The final points add up to -40; they must add up to 0. ")
    assert check_final(final(60, 40, -40, -60), 0, **COUNTED) == []


def test_sum_that_is_wrong_is_told_in_figures():
    """[RULES 1.5]"""
    (problem,) = check_final(final(41000, 30000, 30000, 18000), 0, **RIICHI)
    assert (
        str(problem)
        == "The final points with what is left on the table add up to 119000; they must add up to 120000."
    )


# Systems


@pytest.mark.parametrize(
    ("system", "rules"),
    [
        ("SBR", {}),
        ("WMSG", {}),
        ("MCR", {"minimum": 8}),
        ("SIAM", {"minimum": 8}),
        (
            "RED",
            {
                "minimum": 0,
                "special_pair": 3,
                "chaotic_hand": 12,
                "jokers": False,
                "limit": 300,
                "two_players_no_win": "passes",
            },
        ),
        ("RIICHI", {"limits": {"5": "mangan"}, "nagashi_mangan": False}),
    ],
)
def test_every_system_has_its_ruleset(system, rules):
    """[RULES 1.1]"""
    assert ruleset(system, rules).system == system


def test_unknown_system_is_refused():
    """[RULES 1.1]"""
    with pytest.raises(Refusal) as refusal:
        ruleset("TILE", {})
    assert refusal.value.problems[0].details["systems"] == ", ".join(SYSTEMS)


def test_lines_add_up_and_the_rest_is_nobodys():
    """[RULES 1.5]"""
    assert add_up(SEATS, []).unpaid == 0


# Who leaves in the middle of a game


SYSTEMS_OF_FOUR = ["SBR", "WMSG", "MCR", "RED", "RIICHI"]


def test_a_seat_is_empty_after_its_last_hand_and_keeps_its_points():
    """[RULES 8.55] [SBR 3.1.2]"""
    game = play(Simple(), SEATS, [hand(1, win(3)), hand(2, win(2)), hand(3)], vacancies=[Vacancy(WEST, 1)])
    assert [one.before.seats for one in game.hands] == [SEATS, (EAST, SOUTH, NORTH), (EAST, SOUTH, NORTH)]
    assert (game.seats, game.totals) == (SEATS, {EAST: -5, SOUTH: 5, WEST: 0, NORTH: 0})


def test_a_seat_is_taken_again_by_whoever_comes_later():
    """[RULES 8.55] [RULES 8.35]"""
    game = play(Simple(), SEATS, [hand(1), hand(2), hand(3)], vacancies=[Vacancy(WEST, 1, 3)])
    assert [WEST in one.before.seats for one in game.hands] == [True, False, True]


def test_where_too_few_are_left_the_game_is_over():
    """[RULES 8.33] [RULES 8.55]"""
    game = play(Simple(), SEATS, [hand(1, win(3))], vacancies=[Vacancy(WEST, 1)], smallest=4)
    assert game.situation.is_over
    assert [one.code for one in check_next(Simple(), game, hand(2))] == ["game_over"]


@pytest.mark.parametrize("system", SYSTEMS_OF_FOUR)
@pytest.mark.parametrize("gone", SEATS, ids=str)
def test_the_deal_passes_on_from_who_has_left_and_to_everybody_else(system, gone):
    """Dealers follow one another as if the seat had never been there; no round is dealt twice. [RULES 8.55]"""
    law = ruleset(system, {})
    start = law.start(SEATS)
    at = play(law, SEATS, [], vacancies=[Vacancy(gone, 0)]).situation
    assert at.seats == tuple(seat for seat in SEATS if seat != gone)
    assert at.dealer == (SOUTH if gone == EAST else EAST)
    assert at.round_wind == start.round_wind
    dealers = []
    for _ in range(3):
        dealers.append(at.dealer)
        at = law.without_dealer(at)
    assert sorted(dealers) == sorted(at.seats)


@pytest.mark.parametrize("system", ["MCR", "RED", "RIICHI"])
def test_the_last_dealer_of_a_round_who_leaves_ends_the_round(system):
    """[RULES 8.55] [MCR seats] [RED dealer 3] [RIICHI 3.5]"""
    law = ruleset(system, {})
    at = law.start(SEATS)
    for _ in range(3):
        at = law.without_dealer(at)
    assert (at.dealer, at.round_wind) == (NORTH, EAST)
    at = law.without_dealer(at)
    assert (at.dealer, at.round_wind) == (SOUTH if system == "MCR" else EAST, SOUTH)


def test_a_hand_is_dealt_as_it_was_played_where_that_was_kept_and_after_the_end_too():
    """Bets and numbers follow from the hands all the same. [RULES 9.23]"""
    kept = AsPlayed(WEST, SOUTH, counters=2)
    game = play(Simple(), SEATS, [hand(1), hand(2, win(3), as_played=kept), hand(3)])
    stood = [
        (one.before.dealer, one.before.round_wind, one.before.counters, one.before.bets) for one in game.hands
    ]
    assert stood == [(EAST, EAST, 0, 0), (WEST, SOUTH, 2, 0), (WEST, SOUTH, 2, 1)]
    five = [hand(number) for number in range(1, 5)]
    with pytest.raises(Refusal):
        play(Simple(), SEATS, [*five, hand(5)])
    assert len(play(Simple(), SEATS, [*five, hand(5, as_played=kept)]).hands) == 5


def test_nobody_deals_from_a_seat_where_nobody_sits():
    """[RULES 9.23]"""
    with pytest.raises(Refusal) as refused:
        play(Simple(), (EAST, SOUTH), [hand(1, as_played=AsPlayed(WEST, EAST))])
    assert refused.value.problems[0].code == "wrong_players"
