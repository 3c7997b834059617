"""Red mahjong: who pays whom for two to four players, false wins, the next dealer, and the printed record."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.hands import DeadHand, FalseWin, Hand, Win, Winner
from scoring.protocol import play
from scoring.record.hands import read_hand
from scoring.seats import SEATS, Seat
from scoring.systems.red.cases import SEATS_BY_PLAYERS
from scoring.systems.red.law import Law
from scoring.systems.red.play import Red

E, S, W, N = SEATS
RED = Red()
VECTORS = Path(__file__).parent / "vectors"


def win(seat, fans, by=None, flowers=0):
    """Record a win."""
    return Win((Winner(seat, fans=fans, flowers=flowers),), by)


def paid(*events, players=4, ruleset=RED):
    """Return the payments in the order of the seats; nothing goes to nobody."""
    at = ruleset.start(SEATS_BY_PLAYERS[players])
    hand = Hand(1, events)
    payments = ruleset.payments(hand, at)
    assert payments.unpaid == 0
    assert all(str(line.sentence % line.details) and line.clause for line in payments.lines)
    return [payments.by_seat[seat] for seat in at.seats]


@pytest.mark.parametrize(
    ("players", "by", "expected"),
    [
        (4, None, [-15, 45, -15, -15]),
        (4, W, [0, 15, -15, 0]),
        (3, None, [-15, 30, -15]),
        (3, E, [-15, 15, 0]),
    ],
)
def test_discarder_pays_or_everybody_does(players, by, expected):
    """[RED payments 1] [RED payments 2] [RED payments 4] [RED payments 5]"""
    assert paid(win(S, 15, by), players=players) == expected


@pytest.mark.parametrize("by", [None, E])
def test_two_players_pay_once(by):
    """[RED payments 3]"""
    assert paid(win(W, 15, by), players=2) == [-15, 15]


def test_flowers_are_added_and_the_cap_holds():
    """[RED fan 1] [RED scoring 5]"""
    assert paid(win(S, 15, W, flowers=2)) == [0, 21, -21, 0]
    assert paid(win(S, 290, W, flowers=4)) == [0, 300, -300, 0]
    assert paid(win(S, 290, flowers=4)) == [-300, 900, -300, -300]
    assert paid(win(S, 290, W, flowers=4), ruleset=Red.from_rules("RED", {"limit": 500})) == [0, 302, -302, 0]


@pytest.mark.parametrize(("fans", "is_capped"), [(299, False), (300, False), (301, True)])
@pytest.mark.parametrize("by", [None, W])
def test_explanation_says_when_the_cap_holds(fans, is_capped, by):
    """[RED scoring 5]"""
    line = RED.payments(Hand(1, (win(S, fans, by),)), RED.start(SEATS)).lines[0]
    assert ("cap" in line.sentence) == is_capped
    assert line.details == {"points": min(fans, 300), "total": fans}
    who_pays = "RED payments 4" if by else "RED payments 5"
    assert line.clause == (f"{who_pays}, RED scoring 5" if is_capped else who_pays)


def test_no_winner_no_points():
    """[RED last tile 4]"""
    assert paid() == [0, 0, 0, 0]


@pytest.mark.parametrize(("players", "expected"), [(4, [-27, 9, 9, 9]), (3, [-18, 9, 9]), (2, [-9, 9])])
def test_false_win_costs_nine_to_each(players, expected):
    """[RED penalties 1]"""
    assert paid(FalseWin(E), players=players) == expected


def test_hand_goes_on_after_a_false_win():
    """[RED wrong claims 5] [RED count 1]"""
    assert paid(FalseWin(E), DeadHand(S), win(W, 12, E)) == [-39, 9, 21, 9]


@pytest.mark.parametrize(
    ("players", "events", "after"),
    [
        (4, [win(E, 3)], E),
        (4, [], E),
        (4, [win(W, 3)], S),
        (4, [FalseWin(E)], E),
        (3, [win(S, 3)], S),
        (3, [], E),
        (2, [win(E, 3)], E),
        (2, [win(W, 3)], W),
        (2, [], W),
    ],
)
def test_dealer_after_a_hand(players, events, after):
    """[RED dealer 4] [RED dealer 5] [RED last tile 4] [RULES 8.24]"""
    at = RED.start(SEATS_BY_PLAYERS[players])
    following = RED.following(Hand(1, tuple(events)), at)
    assert (following.dealer, following.number, following.is_over) == (after, 2, False)


def test_dealer_of_two_may_stay_without_a_winner():
    """[RULES 8.24]"""
    ruleset = Red.from_rules("RED", {"two_players_no_win": "stays"})
    assert ruleset.following(Hand(1), ruleset.start((E, W))).dealer == E


@pytest.mark.parametrize("players", [2, 3, 4])
def test_rounds_follow_the_winds_and_begin_again_with_east(players):
    """[RED dealer 3]"""
    at = RED.start(SEATS_BY_PLAYERS[players])
    rounds = []
    for number in range(5 * players):
        rounds.append(at.round_wind)
        other = next(seat for seat in at.seats if seat != at.dealer)
        at = RED.following(Hand(number + 1, (win(other, 3),)), at)
    assert rounds == [wind for wind in (E, S, W, N, E) for _ in range(players)]


def test_settings_come_from_the_regulation():
    """[RULES 6] [RULES 8.23] [RULES 8.24] [RULES 8.25]"""
    rules = {
        "minimum": 3,
        "special_pair": 2,
        "chaotic_hand": 3,
        "jokers": True,
        "limit": 200,
        "two_players_no_win": "stays",
    }
    assert Red.from_rules("RED", rules) == Red("RED", Law(3, 2, 3, True, 200, "stays"))
    assert Red.from_rules("RED", {}) == RED


def test_record_comes_out_as_printed():
    """[RED payments 3] [RED penalties 1] [RULES 8.24]"""
    record = json.loads((VECTORS / "record_red_duel.json").read_text(encoding="utf-8"))
    ruleset = Red.from_rules("RED", record["declared"]["regulation"]["system_rules"])
    table = record["declared"]["sessions"][0]["tables"][0]
    hands = [read_hand(one) for one in table["protocol"]["hands"]]
    game = play(ruleset, [Seat(seat["wind"]) for seat in table["seats"]], hands)
    told = [
        {"number": one.hand.number, "dealer": one.before.dealer, "payments": dict(one.payments.by_seat)}
        for one in game.hands
    ]
    assert told == record["computed"]["sessions"][0]["tables"][0]["hands"]


@settings(max_examples=100, deadline=None)
@given(
    st.integers(2, 4),
    st.integers(0, 400),
    st.integers(0, 8),
    st.integers(0, 3),
    st.integers(0, 3),
    st.booleans(),
)
def test_points_are_conserved(players, fans, flowers, winner, discarder, has_false_win):
    """[RED payments 1] [RED payments 4] [RED payments 5]"""
    seats = SEATS_BY_PLAYERS[players]
    won, by = seats[winner % players], seats[discarder % players]
    others = [seat for seat in seats if seat != won]
    events = ([FalseWin(others[0])] if has_false_win else []) + [
        win(won, fans, None if won == by else by, flowers)
    ]
    assert RED.check(Hand(1, tuple(events)), RED.start(seats)) == []
    assert sum(paid(*events, players=players)) == 0
