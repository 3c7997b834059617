"""Red mahjong: recorded hands that cannot be are refused, each with its code, field and clause; possible ones stand."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.hands import (
    Check,
    Chombo,
    DeadHand,
    Exposure,
    FalseWin,
    Hand,
    Kong,
    KongKind,
    Meld,
    Tiles,
    Win,
    Winner,
)
from scoring.seats import SEATS
from scoring.systems.red.hand import evaluate
from scoring.systems.red.law import Law
from scoring.systems.red.play import Red
from scoring.tests.oracles.riichi_hands import hand as tile_hand
from scoring.tests.oracles.riichi_hands import random_case
from scoring.tiles.readings import SetKind
from scoring.tiles.tile import write

E, S, W, N = SEATS
RED = Red()
START = RED.start(SEATS)
FROM_TILES = {"tile_copies", "tile_foreign"}


def win(value=None, *, seat=S, by=W, **more):
    """Record a win of one seat."""
    return Win((Winner(seat, **({"fans": 15} if value is None else value)),), by, **more)


def problems(recorded, at=START, ruleset=RED):
    """Return codes and fields; each problem reads as a sentence and names its clause."""
    found = ruleset.check(recorded, at)
    assert all(str(problem) for problem in found)
    assert all(problem.clause for problem in found if problem.code not in FROM_TILES)
    return [(problem.code, problem.field) for problem in found]


def of_winner(value, **more):
    """Return the problems of a single winner, fields within it."""
    ruleset = more.pop("ruleset", RED)
    found = problems(Hand(1, (win(value, **more),)), ruleset=ruleset)
    return [(code, field.removeprefix("events.0.winners.0.")) for code, field in found]


@pytest.mark.parametrize(
    "events",
    [
        (),
        (win(),),
        (win(by=None),),
        (win({"fans": 0}),),
        (win({"fans": 290, "flowers": 4}),),
        (FalseWin(E), FalseWin(E), DeadHand(N), win()),
        (DeadHand(E), DeadHand(N)),
        (win({"fans": 15, "fan_list": {"8": 1, "6": 1}}),),
        (win({"fans": 0, "fan_list": {}}),),
    ],
)
def test_possible_hands_stand(events):
    """[RED course 4] [RED scoring 3] [RULES 8.25]"""
    assert problems(Hand(1, events)) == []


@pytest.mark.parametrize(
    "event", [Kong(S, KongKind.ADDED), Exposure(S), Chombo(S)], ids=["kong", "exposure", "chombo"]
)
def test_events_of_other_systems_are_refused(event):
    """There are no kongs. [RED pung 5]"""
    assert problems(Hand(1, (event,))) == [("event_unknown", "events.0")]


def test_parts_of_other_systems_are_refused():
    """[RED scoring 1]"""
    recorded = Hand(1, (win(),), end={E: Check("waiting")}, riichi=(E,))
    assert problems(recorded) == [("unknown_field", "end"), ("unknown_field", "riichi")]


@pytest.mark.parametrize(
    "name", ["replacement_win", "discard_after_kong", "robbing_kong", "last_tile", "same_turn"]
)
def test_circumstances_of_other_systems_are_refused(name):
    """[RED scoring 1]"""
    assert problems(Hand(1, (win(**{name: True}),))) == [("unknown_field", f"events.0.{name}")]


@pytest.mark.parametrize(
    "extra",
    [
        {"han": 1},
        {"fu": 30},
        {"limit": "mangan"},
        {"liable": E},
        {"nagashi": True},
        {"yaku": {}},
        {"without_drawn_tile": True},
    ],
)
def test_values_of_other_systems_are_refused(extra):
    """[RED scoring 1]"""
    assert of_winner({"fans": 15} | extra) == [("unknown_field", next(iter(extra)))]


@pytest.mark.parametrize(
    ("event", "field"),
    [
        (FalseWin(S, kind="waiting"), "kind"),
        (FalseWin(S, discarder=E), "from"),
        (FalseWin(S, discard_after_kong=True), "discard_after_kong"),
        (FalseWin(S, robbing_kong=True), "robbing_kong"),
    ],
)
def test_false_wins_of_other_systems_are_refused(event, field):
    """[RED penalties 1]"""
    assert problems(Hand(1, (event,))) == [("unknown_field", f"events.0.{field}")]


def test_nothing_follows_a_win():
    """[RED course 4]"""
    assert problems(Hand(1, (win(), FalseWin(E)))) == [("outcome_conflict", "events.1")]
    assert problems(Hand(1, (win(), win(seat=N)))) == [("outcome_conflict", "events.1")]


def test_one_player_wins():
    """[RED win 5]"""
    two = (Winner(S, fans=3), Winner(N, fans=3))
    assert problems(Hand(1, (Win(two, W),))) == [("multi_win", "events.0.winners")]
    assert problems(Hand(1, (Win((), W),))) == [("outcome_conflict", "events.0.winners")]


def test_winner_did_not_discard():
    """[RED win 3]"""
    assert of_winner(None, by=S) == [("winner_is_discarder", "seat")]


@pytest.mark.parametrize("event", [DeadHand(S), FalseWin(S)], ids=["dead", "false win"])
def test_dead_hand_cannot_win(event):
    """[RED count 1] [RED count 5] [RED wrong claims 5]"""
    assert problems(Hand(1, (event, win()))) == [("dead_hand", "events.1.winners.0.seat")]


def test_dead_hand_stays_dead():
    """[RED count 5]"""
    assert problems(Hand(1, (DeadHand(S), DeadHand(S)))) == [("dead_hand", "events.1.seat")]


def test_seats_must_be_at_the_table():
    """Two sit at East and West. [RED seats 4]"""
    at = RED.start((E, W))
    assert problems(Hand(1, (FalseWin(S), DeadHand(N))), at) == [
        ("wrong_players", "events.0.seat"),
        ("wrong_players", "events.1.seat"),
    ]
    assert problems(Hand(1, (win(seat=S, by=N),)), at) == [
        ("wrong_players", "events.0.from"),
        ("wrong_players", "events.0.winners.0.seat"),
    ]
    assert problems(Hand(1), RED.start((E,))) == [("wrong_players", "")]


# Values


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"fans": None}, [("value_needed", "fans")]),
        ({"fans": -1}, [("out_of_range", "fans")]),
        ({"fans": 609}, [("out_of_range", "fans")]),
        ({"fans": 3, "flowers": 9}, [("out_of_range", "flowers")]),
        ({"fans": 3, "flowers": -1}, [("out_of_range", "flowers")]),
        ({"fans": 3, "fan_list": {"0": 1}}, [("fan_unknown", "fan_list")]),
        ({"fans": 3, "fan_list": {"02": 1}}, [("fan_unknown", "fan_list")]),
        ({"fans": 3, "fan_list": {"x": 1}}, [("fan_unknown", "fan_list")]),
        ({"fans": 3, "fan_list": {"1": 1}}, [("fan_unknown", "fan_list")]),
        ({"fans": 3, "fan_list": {"10": 3}}, [("fan_count", "fan_list")]),
        ({"fans": 6, "fan_list": {"2": 1}}, [("payment_mismatch", "fan_list")]),
        ({"fans": None, "fan_list": {"2": 1}}, [("value_needed", "fans")]),
        ({"fans": 15, "fan_list": {"2": 1, "8": 1}}, [("yaku_conflict", "fan_list")]),
    ],
)
def test_impossible_values_are_refused(value, expected):
    """[RED scoring 1] [RED scoring 2] [RED tiles 7]"""
    assert of_winner(value) == expected


def test_lower_and_upper_five_stand_together_where_there_are_jokers():
    """[RED fan 14] [RED fan 15] [RED jokers 1]"""
    value = {"fans": 15 + 3 + 12 + 24 + 24, "fan_list": {"4": 5, "7": 1, "8": 1, "14": 1, "15": 1}}
    assert of_winner(value, ruleset=Red(law=Law(jokers=True))) == []
    assert of_winner(value) == [("yaku_conflict", "fan_list")]


def test_minimum_counts_without_flowers():
    """[RED scoring 4]"""
    ruleset = Red(law=Law(minimum=3))
    assert of_winner({"fans": 0, "flowers": 3}, ruleset=ruleset) == [("below_minimum", "fans")]
    assert of_winner({"fans": 3}, ruleset=ruleset) == []


# Tiles


def recorded(tiles):
    """Write a hand as records do."""
    melds = tuple(Meld(str(m.kind), tuple(map(write, m.tiles)), m.is_open) for m in tiles.declared)
    return Tiles(tuple(map(write, tiles.concealed)), melds, write(tiles.winning_tile))


PUNGS = recorded(tile_hand("333m 555p 77s 11z", "E", "111m"))
JOKER = Tiles(
    ("m3", "m3", "J", "p5", "p5", "p5", "s7", "s7", "E", "E"), (Meld("pung", ("m1",) * 3, True),), "J"
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"fans": 15, "tiles": PUNGS}, []),
        ({"fans": 15, "fan_list": {"8": 1, "6": 1}, "tiles": PUNGS}, []),
        ({"fans": 12, "tiles": PUNGS}, [("payment_mismatch", "fans")]),
        ({"fans": 15, "fan_list": {"8": 1, "7": 1}, "tiles": PUNGS}, [("payment_mismatch", "fan_list")]),
        ({"fans": 15, "tiles": recorded(tile_hand("334m 555p 77s 11z", "E", "111m"))}, [("no_win", "tiles")]),
        ({"fans": 15, "tiles": Tiles(("m1",) * 13, (), "m1")}, [("tile_copies", "tiles")]),
        (
            {"fans": 15, "tiles": JOKER},
            [("tile_foreign", "tiles.concealed"), ("tile_foreign", "tiles.winning_tile")],
        ),
    ],
)
def test_tiles_must_be_worth_what_was_declared(value, expected):
    """[RED counting 3] [RED counting 5] [RED tiles 2]"""
    assert of_winner(value) == expected


def test_discarded_joker_is_refused():
    """[RED jokers 2]"""
    ruleset = Red(law=Law(jokers=True))
    assert of_winner({"fans": 15, "tiles": JOKER}, ruleset=ruleset) == [("no_win", "tiles")]
    assert of_winner({"fans": 15, "tiles": JOKER}, by=None, ruleset=ruleset) == []


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**9))
def test_evaluated_hands_can_be_recorded(seed):
    """[RED counting 5]"""
    tiles = random_case(Random(seed)).hand
    if any(meld.kind is SetKind.KONG for meld in tiles.declared):
        return
    value = evaluate(tiles, RED.law)
    if value:
        listed = {str(counted.fan.number): counted.count for counted in value.fans}
        declared = {"fans": value.without_flowers, "fan_list": listed, "tiles": recorded(tiles)}
        assert of_winner(declared) == []


def test_refusal_lists_the_fans_of_the_tiles():
    """[RED counting 5]"""
    value = {"fans": 15, "fan_list": {"8": 1, "7": 1}, "tiles": PUNGS}
    found = RED.check(Hand(1, (win(value),)), START)[0]
    assert found.details == {"found": "6×1, 8×1", "declared": "7×1, 8×1"}
