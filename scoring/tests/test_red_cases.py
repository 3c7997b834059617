"""Red cases of the JSON Lines door: exactly the promised fields, or a refusal with every problem."""

import pytest

from scoring.problems import Refusal
from scoring.systems.red.cases import answer

HAND = {
    "concealed": ["m2", "m3", "m4", "p2", "p3", "p4", "s6", "s7", "s8", "R", "R", "R", "s5"],
    "melds": [],
    "winning_tile": "s5",
}


def case(**changes):
    """Build a case; a change to None takes the field away."""
    fields = {
        "id": "c",
        "ruleset": "red",
        "players": 4,
        "hand": HAND,
        "flowers": 1,
        "win": {"by": "discard", "winner": "W", "discarder": "N"},
    }
    return {name: value for name, value in (fields | changes).items() if value is not None}


def refused(**changes):
    """Return codes and fields of the refusal."""
    with pytest.raises(Refusal) as refusal:
        answer(case(**changes))
    return sorted((problem.code, problem.field) for problem in refusal.value.problems)


def test_example_of_the_door():
    """[RED scoring 2] [RED payments 4]"""
    assert answer(case()) == {
        "valid_win": True,
        "fans": [
            {"no": 1, "name": "Flower or season", "count": 1, "points": 3},
            {"no": 3, "name": "Mixed double chow", "count": 1, "points": 3},
            {"no": 6, "name": "Pung of honors", "count": 1, "points": 3},
            {"no": 7, "name": "Special pair", "count": 1, "points": 3},
        ],
        "points": 12,
        "payments": {"E": 0, "S": 0, "W": 12, "N": -12},
    }


@pytest.mark.parametrize(
    ("players", "win", "expected"),
    [
        (4, {"by": "self_draw", "winner": "S"}, {"E": -9, "S": 27, "W": -9, "N": -9}),
        (3, {"by": "self_draw", "winner": "S"}, {"E": -9, "S": 18, "W": -9}),
        (3, {"by": "discard", "winner": "S", "discarder": "W"}, {"E": 0, "S": 9, "W": -9}),
        (2, {"by": "self_draw", "winner": "W"}, {"E": -9, "W": 9}),
    ],
)
def test_payments_of_two_to_four(players, win, expected):
    """[RED payments 1] [RED payments 2] [RED payments 3] [RED payments 5]"""
    assert answer(case(players=players, win=win, flowers=None, kind="hand"))["payments"] == expected


def test_hand_that_is_no_win():
    """[RED winning hand 4]"""
    found = answer(case(hand=HAND | {"winning_tile": "s9"}))
    assert found == {
        "valid_win": False,
        "fans": [],
        "points": 0,
        "payments": {"E": 0, "S": 0, "W": 0, "N": 0},
    }


def test_points_are_held_at_the_cap():
    """[RED scoring 5]"""
    tiles = {
        "concealed": ["s2", "s2", "s3", "s3", "s4", "s4", "s2", "s3", "s4", "s2", "s3", "s4", "s5"],
        "winning_tile": "s5",
    }
    found = answer(case(hand=tiles, flowers=8))
    assert found["points"] == sum(fan["points"] for fan in found["fans"]) == 3 + 72 + 64 + 24 + 3 + 24


def test_jokers_only_where_they_are_in_play():
    """[RED tiles 2] [RED jokers 1] [RED jokers 2]"""
    tiles = HAND | {"concealed": ["m2", "m3", "J", "p2", "p3", "p4", "s6", "s7", "s8", "R", "R", "R", "s5"]}
    assert refused(hand=tiles) == [("tile_foreign", "hand.concealed")]
    assert answer(case(hand=tiles, jokers_in_play=True))["points"] == 12
    claimed = HAND | {"winning_tile": "J"}
    assert answer(case(hand=claimed, jokers_in_play=True))["valid_win"] is False


def test_kongs_are_refused():
    """[RED pung 5]"""
    tiles = {
        "concealed": ["m2", "m3", "m4", "p2", "p3", "p4", "s6", "s7", "s8", "s5"],
        "melds": [{"type": "kong", "tiles": ["R"] * 4, "open": True}],
        "winning_tile": "s5",
    }
    assert refused(hand=tiles) == [("value_unknown", "hand.melds.0.type")]


@pytest.mark.parametrize(
    ("players", "win", "expected"),
    [
        (4, {"by": "discard", "winner": "W"}, [("discarder_needed", "win.discarder")]),
        (
            4,
            {"by": "self_draw", "winner": "W", "discarder": "N"},
            [("discarder_unexpected", "win.discarder")],
        ),
        (4, {"by": "discard", "winner": "W", "discarder": "W"}, [("winner_is_discarder", "win.discarder")]),
        (3, {"by": "self_draw", "winner": "N"}, [("value_unknown", "win.winner")]),
        (2, {"by": "discard", "winner": "E", "discarder": "S"}, [("value_unknown", "win.discarder")]),
        (
            4,
            {"by": "theft", "winner": "E", "x": 1},
            [("unknown_field", "win.x"), ("value_unknown", "win.by")],
        ),
        (4, {}, [("field_needed", "win.by"), ("field_needed", "win.winner")]),
    ],
)
def test_who_won_from_whom_is_checked(players, win, expected):
    """[RED win 2] [RED win 3] [RED seats 4]"""
    assert refused(players=players, win=win) == expected


def test_every_problem_of_a_case_is_named():
    """[RED tiles 7]"""
    found = refused(players=5, flowers=9, kind="deal", extra=1, jokers_in_play=1, hand={"concealed": []})
    assert found == [
        ("field_needed", "hand.winning_tile"),
        ("out_of_range", "flowers"),
        ("out_of_range", "players"),
        ("unknown_field", "extra"),
        ("value_type", "jokers_in_play"),
        ("value_unknown", "kind"),
    ]
