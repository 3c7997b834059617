"""The sport mahjong cases of docs/HANDS.md, as another program would send them."""

import pytest

from scoring.problems import Refusal
from scoring.systems.mcr.cases import answer
from scoring.tests.oracles.mcr_notation import hand
from scoring.tiles.tile import write


def case(text, by="discard", **changes):
    """Write a hand as a case."""
    tiles = hand(text)
    melds = [
        {"type": str(meld.kind), "tiles": [write(tile) for tile in meld.tiles], "open": meld.is_open}
        for meld in tiles.declared
    ]
    flags = changes.pop("win", {})
    return {
        "id": "x",
        "ruleset": "mcr",
        "hand": {
            "concealed": [write(tile) for tile in tiles.concealed],
            "melds": melds,
            "winning_tile": write(tiles.winning_tile),
        },
        "win": {"by": by, **flags},
        "seat_wind": "S",
        "round_wind": "E",
        **changes,
    }


def problems(given):
    """Return the problems for which a case is refused."""
    with pytest.raises(Refusal) as refused:
        answer(given)
    return [(problem.code, problem.field, problem.clause) for problem in refused.value.problems]


def test_example_of_the_format_is_answered_in_full():
    """The first example of docs/HANDS.md. [MCR scoring 1e] [MCR scoring 1c1]"""
    given = {
        "id": "a",
        "ruleset": "mcr",
        "hand": {
            "concealed": ["m1", "m2", "m3", "p4", "p5", "p6", "s7", "s8", "s9", "m7", "m8", "p2", "p2"],
            "melds": [],
            "winning_tile": "m9",
        },
        "win": {"by": "self_draw"},
        "seat_wind": "S",
        "round_wind": "E",
        "flowers": 1,
    }

    assert answer(given) == {
        "fans": [
            {"no": 39, "name": "Mixed Straight", "count": 1, "points": 8},
            {"no": 56, "name": "Fully Concealed", "count": 1, "points": 4},
            {"no": 63, "name": "All Chows", "count": 1, "points": 2},
            {"no": 70, "name": "Mixed Double Chow", "count": 1, "points": 1},
            {"no": 81, "name": "Flowers and Seasons", "count": 1, "points": 1},
        ],
        "points_without_flowers": 15,
        "total": 16,
        "meets_minimum": True,
        "payments": {"winner": 72, "discarder": None, "each_other": -24},
    }


def test_payments_are_those_of_the_source():
    """10 points and 2 flowers: 36 on a discard, 60 from the wall. [MCR payment 1] [MCR payment 2]"""
    ten = answer(case("(123m) (123p) (123s) 67m 77p + 8m", flowers=2))
    drawn = answer(case("(123m) (123p) (456s) 67s 99m + 5s", "self_draw"))

    assert (ten["points_without_flowers"], ten["total"]) == (10, 12)
    assert ten["payments"] == {"winner": 36, "discarder": -20, "each_other": -8}
    assert drawn["payments"] is None


def test_below_the_minimum_nothing_is_paid():
    """Flowers do not help to reach 8. [MCR scoring 1a]"""
    found = answer(case("(345p) (444s) (789m) 12s 77z + 3s", flowers=8))

    assert (found["points_without_flowers"], found["total"], found["meets_minimum"]) == (1, 9, False)
    assert found["payments"] is None


def test_eight_points_are_enough():
    """A chicken hand just reaches the minimum. [MCR scoring 1a] [MCR fan 43]"""
    found = answer(case("(123p) (444s) (789m) 34p 77z + 2p"))

    assert (found["points_without_flowers"], found["meets_minimum"]) == (8, True)
    assert found["payments"] == {"winner": 32, "discarder": -16, "each_other": -8}


def test_flags_left_out_are_false():
    """An absent flag and a false one say the same."""
    flags = ("last_of_kind", "replacement_after_kong", "robbing_kong", "last_wall_tile")

    assert answer(case("(123p) (444s) (789m) 34p 77z + 2p", win=dict.fromkeys(flags, False))) == answer(
        case("(123p) (444s) (789m) 34p 77z + 2p")
    )


@pytest.mark.parametrize(
    ("flags", "by", "number"),
    [
        ({"last_of_kind": True}, "discard", 58),
        ({"last_wall_tile": True}, "self_draw", 44),
        ({"last_wall_tile": True}, "discard", 45),
        ({"replacement_after_kong": True}, "self_draw", 46),
        ({"robbing_kong": True}, "discard", 47),
    ],
    ids=["last of kind", "last draw", "last claim", "replacement", "robbing"],
)
def test_flags_are_fans(flags, by, number):
    """Each circumstance counts as its fan. [MCR fan 44] [MCR fan 45] [MCR fan 46] [MCR fan 47] [MCR fan 58]"""
    found = answer(case("(4444s) (789m) (678p) 34p 77z + 2p", by, win=flags))

    assert number in [row["no"] for row in found["fans"]]


def test_winds_of_seat_and_round_are_read():
    """A pung of the own wind in its round counts twice. [MCR fan 60] [MCR fan 61]"""
    found = answer(case("(222z) (444s) (789m) 34p 77p + 2p", seat_wind="S", round_wind="S"))

    assert [row["no"] for row in found["fans"]] == [60, 61]


def test_everything_wrong_is_told_at_once():
    """A case is refused with all its problems."""
    given = case("(123p) (444s) (789m) 34p 77z + 2p", win={"by": "theft", "haitei": True}, seat_wind="X")
    given["hand"]["melds"][0]["tiles"] = ["m1", "m2", "m4"]
    given |= {"flowers": 9, "kind": "deal", "colour": "red"}
    del given["round_wind"]

    assert sorted(problems(given)) == [
        ("field_needed", "round_wind", ""),
        ("no_set", "hand.melds.0.tiles", ""),
        ("out_of_range", "flowers", ""),
        ("unknown_field", "colour", ""),
        ("unknown_field", "win.haitei", ""),
        ("value_unknown", "kind", ""),
        ("value_unknown", "seat_wind", ""),
        ("value_unknown", "win.by", ""),
    ]


def test_no_win_and_contradictions_come_together():
    """Neither hides the other. [MCR winning 2a]"""
    given = case("(123p) (444s) (789m) 34p 77z + 1z", win={"replacement_after_kong": True})
    with pytest.raises(Refusal) as refused:
        answer(given)

    found = [(problem.sentence, problem.field, problem.clause) for problem in refused.value.problems]
    assert found[:2] == [
        (
            "A replacement tile comes from the wall; the win is no discard.",
            "win.replacement_after_kong",
            "MCR fan 46",
        ),
        (
            "There is no kong in this hand that a tile could replace.",
            "win.replacement_after_kong",
            "MCR fan 46",
        ),
    ]
    assert [problem.code for problem in refused.value.problems][2:] == ["no_win"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("(123p) (444s) (789m) 34p 77z 1z + 2p", "tile_count"),
        ("(222p) 22p 123m 34m 777z + 7z", "tile_copies"),
        ("(123p) (444s) (789m) 34p 7z 0z + 2p", "tile_foreign"),
    ],
    ids=["too many tiles", "five copies", "a joker"],
)
def test_illegal_hands_are_refused(text, code):
    """Counts, copies and tiles are checked before anything is valued."""
    assert [problem[0] for problem in problems(case(text))] == [code]
