"""Hands as JSON: read strictly, written back value for value."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
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
from scoring.problems import Refusal
from scoring.record.hands import foreign_parts, read_hand, write_hand
from scoring.seats import SEATS, Seat

VECTORS = Path(__file__).parent / "vectors"


def hands() -> list[Any]:
    found = []
    for path in sorted(VECTORS.glob("record_*.json")):
        for session in json.loads(path.read_text(encoding="utf-8"))["declared"]["sessions"]:
            for table in session["tables"]:
                found += [
                    pytest.param(hand, id=f"{path.stem}-{hand['number']}")
                    for hand in table["protocol"].get("hands", [])
                ]
    return found


@pytest.mark.parametrize("written", hands())
def test_hand_of_an_example_is_written_as_it_was_read(written):
    """[RECORD 3]"""
    assert write_hand(read_hand(written)) == written


def refused(data: Any) -> list[tuple[str, str]]:
    with pytest.raises(Refusal) as refusal:
        read_hand(data)
    return [(problem.code, problem.field) for problem in refusal.value.problems]


def event(**parts: Any) -> dict[str, Any]:
    return {"number": 1, "events": [parts]}


def won(**parts: Any) -> dict[str, Any]:
    return event(type="win", winners=[{"seat": "E", "fans": 1, **parts}])


def test_everything_a_hand_can_hold_is_read():
    """[RECORD 3]"""
    tiles = {
        "concealed": ["m1"],
        "melds": [{"type": "pung", "tiles": ["R", "R", "R"], "open": True}],
        "winning_tile": "m1",
    }
    read = read_hand(
        {
            "number": 7,
            "events": [
                {"type": "kong", "seat": "E", "kind": "open", "from": "S"},
                {"type": "kong", "seat": "W", "kind": "added", "robbed": True},
                {
                    "type": "false_win",
                    "seat": "S",
                    "kind": "no_wait",
                    "from": "E",
                    "discard_after_kong": True,
                },
                {"type": "exposure", "seat": "W"},
                {"type": "dead_hand", "seat": "N", "offence": "wrong_draw"},
                {
                    "type": "win",
                    "from": "S",
                    "winners": [{"seat": "E", "han": 3, "fu": 40, "liable": "W", "tiles": tiles}],
                    "last_tile": True,
                },
                {"type": "chombo", "seat": "N"},
            ],
            "end": {"E": {"state": "waiting", "max_base": 8}, "S": {"state": "pig"}},
            "riichi": ["S", "E"],
        }
    )
    assert read == Hand(
        7,
        (
            Kong(Seat.EAST, KongKind.OPEN, Seat.SOUTH),
            Kong(Seat.WEST, KongKind.ADDED, robbed=True),
            FalseWin(Seat.SOUTH, "no_wait", Seat.EAST, discard_after_kong=True),
            Exposure(Seat.WEST),
            DeadHand(Seat.NORTH, "wrong_draw"),
            Win(
                (
                    Winner(
                        Seat.EAST,
                        han=3,
                        fu=40,
                        liable=Seat.WEST,
                        tiles=Tiles(("m1",), (Meld("pung", ("R", "R", "R"), True),), "m1"),
                    ),
                ),
                Seat.SOUTH,
                last_tile=True,
            ),
            Chombo(Seat.NORTH),
        ),
        {Seat.EAST: Check("waiting", 8), Seat.SOUTH: Check("pig")},
        (Seat.SOUTH, Seat.EAST),
    )


@pytest.mark.parametrize(
    ("data", "problems"),
    [
        ([], [("object_type", "")]),
        ({}, [("required", "number"), ("required", "events")]),
        ({"number": 0, "events": []}, [("out_of_range", "number")]),
        ({"number": True, "events": {}}, [("number_type", "number"), ("list_type", "events")]),
        ({"number": 1, "events": [], "how": "undone"}, [("unknown_field", "how")]),
        ({"number": 1, "events": [], "end": {}}, [("list_length", "end")]),
        (
            {"number": 1, "events": [], "end": {"X": {"state": "lost"}}},
            [("choice", "end.X"), ("choice", "end.X.state")],
        ),
        ({"number": 1, "events": [], "riichi": []}, [("list_length", "riichi")]),
        ({"number": 1, "events": [], "riichi": ["E", "E"]}, [("repeated", "riichi")]),
        (event(type="draw"), [("choice", "events.0.type")]),
        (event(type="abort", reason="four_winds"), [("abort_unknown", "events.0")]),
        (event(type="win", winners=[]), [("list_length", "events.0.winners")]),
        (event(type="win", winners=[{"seat": "E"}]), [("value_needed", "events.0.winners.0.fans")]),
        (
            won(fans=8, tiles={"concealed": ["m1"] * 28, "melds": [], "winning_tile": "m1"}),
            [("list_length", "events.0.winners.0.tiles.concealed")],
        ),
        (won(fans=1.0), [("number_type", "events.0.winners.0.fans")]),
        (won(fans=True), [("number_type", "events.0.winners.0.fans")]),
        (won(fans=-1), [("out_of_range", "events.0.winners.0.fans")]),
        (won(flowers=0), [("out_of_range", "events.0.winners.0.flowers")]),
        (won(flowers=9), [("out_of_range", "events.0.winners.0.flowers")]),
        (won(han=14), [("out_of_range", "events.0.winners.0.han")]),
        (won(limit="grand"), [("choice", "events.0.winners.0.limit")]),
        (won(nagashi=False), [("mark_type", "events.0.winners.0.nagashi")]),
        (won(fan_list={"1": 0}), [("out_of_range", "events.0.winners.0.fan_list.1")]),
        (
            won(tiles={}),
            [
                ("required", f"events.0.winners.0.tiles.{part}")
                for part in ("concealed", "melds", "winning_tile")
            ],
        ),
        (
            won(tiles={"concealed": ["m0"], "melds": [], "winning_tile": "Z"}),
            [
                ("text_form", "events.0.winners.0.tiles.concealed.0"),
                ("text_form", "events.0.winners.0.tiles.winning_tile"),
            ],
        ),
        (event(type="kong", seat="E", kind="open"), [("discarder_needed", "events.0.from")]),
        (
            event(type="kong", seat="E", kind="added", **{"from": "S"}),
            [("discarder_unexpected", "events.0.from")],
        ),
        (
            event(type="kong", seat="E", kind="open", robbed=True, **{"from": "S"}),
            [("outcome_conflict", "events.0.robbed")],
        ),
        (event(type="false_win", seat="E", kind="pity"), [("choice", "events.0.kind")]),
        (event(type="chombo", seat="E", reason="x"), [("unknown_field", "events.0.reason")]),
        (
            {"number": 1, "events": [], "end": {"E": {"state": "waiting", "max_base": 3}}},
            [("out_of_range", "end.E.max_base")],
        ),
        (
            {"number": 1, "events": [], "end": {"E": {"state": "waiting", "max_base": 17}}},
            [("out_of_range", "end.E.max_base")],
        ),
        (
            {"number": 1, "events": [], "end": {"E": {"state": "waiting", "max_base": "8"}}},
            [("number_type", "end.E.max_base")],
        ),
    ],
)
def test_hand_of_a_wrong_shape_is_refused(data, problems):
    """[RECORD 1] [RECORD 3]"""
    assert refused(data) == problems


def test_all_problems_of_a_hand_are_told_at_once():
    """[RECORD 3]"""
    data = {
        "number": 1.5,
        "events": [
            {"type": "win", "winners": [{"seat": "Q", "fans": None}]},
            {"type": "kong", "seat": "E", "kind": "open"},
        ],
        "colour": "red",
    }
    assert refused(data) == [
        ("unknown_field", "colour"),
        ("number_type", "number"),
        ("choice", "events.0.winners.0.seat"),
        ("number_type", "events.0.winners.0.fans"),
        ("discarder_needed", "events.1.from"),
    ]


def test_path_of_a_problem_can_begin_deeper():
    """[RECORD 3]"""
    with pytest.raises(Refusal) as refusal:
        read_hand({"number": 1, "events": 1}, "sessions.0.hands.2")
    assert refusal.value.problems[0].field == "sessions.0.hands.2.events"


def foreign(system: str, data: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what a system does not record of a hand whose form is right."""
    read_hand(data)
    return [(problem.code, problem.field) for problem in foreign_parts(data, system)]


def ended(**check: Any) -> dict[str, Any]:
    return {"number": 1, "events": [], "end": {"E": {"state": "no_wait"}, "S": check}}


@pytest.mark.parametrize(
    ("system", "data", "problems"),
    [
        pytest.param("SBR", ended(state="pig", max_base=8), [], id="checks of sichuan"),
        pytest.param("MCR", ended(state="waiting"), [("unknown_field", "end")], id="checks in mcr"),
        pytest.param("RIICHI", ended(state="waiting"), [], id="waiting in riichi"),
        pytest.param("RIICHI", ended(state="pig"), [("unknown_field", "end.S")], id="pig in riichi"),
        pytest.param(
            "RIICHI",
            ended(state="waiting", max_base=1),
            [("unknown_field", "end.S")],
            id="base points in riichi",
        ),
        pytest.param("RIICHI", {"number": 1, "events": [], "riichi": ["E"]}, [], id="bets of riichi"),
        pytest.param(
            "WMSG",
            {"number": 1, "events": [], "riichi": ["E"]},
            [("unknown_field", "riichi")],
            id="bets in sichuan",
        ),
        pytest.param("SBR", event(type="kong", seat="E", kind="added"), [], id="kong of sichuan"),
        pytest.param(
            "RED",
            event(type="kong", seat="E", kind="added"),
            [("event_unknown", "events.0")],
            id="kong in red",
        ),
        pytest.param("SBR", won(), [], id="fans in sichuan"),
        pytest.param(
            "MCR",
            event(type="win", winners=[{"seat": "E", "fans": 8}], last_tile=True),
            [("unknown_field", "events.0.last_tile")],
            id="last tile in mcr",
        ),
        pytest.param("MCR", won(flowers=2), [], id="flowers in mcr"),
        pytest.param(
            "SIAM", won(flowers=2), [("unknown_field", "events.0.winners.0.flowers")], id="flowers in siamese"
        ),
        pytest.param("RIICHI", event(type="win", winners=[{"seat": "E", "han": 5}]), [], id="han in riichi"),
        pytest.param(
            "RED",
            event(type="win", winners=[{"seat": "E", "han": 5}]),
            [("unknown_field", "events.0.winners.0.han"), ("required", "events.0.winners.0.fans")],
            id="han in red",
        ),
        pytest.param("SBR", event(type="false_win", seat="E", kind="waiting"), [], id="false win of sichuan"),
        pytest.param(
            "MCR",
            event(type="false_win", seat="E", kind="waiting"),
            [("choice", "events.0.kind")],
            id="kind of another system",
        ),
        pytest.param(
            "SIAM", event(type="false_win", seat="E"), [("choice", "events.0.kind")], id="kind left out"
        ),
        pytest.param("RED", event(type="false_win", seat="E"), [], id="no kinds in red"),
        pytest.param(
            "RED",
            event(type="false_win", seat="E", kind="waiting"),
            [("unknown_field", "events.0.kind")],
            id="kind in red",
        ),
    ],
)
def test_hand_no_longer_in_force_says_only_what_its_system_records(system, data, problems):
    """[RECORD 3]"""
    assert foreign(system, data) == problems


def test_kinds_of_false_win_are_told():
    """[RECORD 3]"""
    (problem,) = foreign_parts(event(type="false_win", seat="E", kind="waiting"), "MCR")
    assert problem.details == {"names": "below_minimum, wrong_claim"}


seats = st.sampled_from(SEATS)
marks = st.booleans()
codes = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
tile_names = st.sampled_from(["m1", "p5", "s9", "E", "R", "Wh", "J"])
melds = st.builds(
    Meld,
    st.sampled_from(["chow", "pung", "kong"]),
    st.lists(tile_names, min_size=3, max_size=4).map(tuple),
    marks,
)
tiles = st.builds(
    Tiles, st.lists(tile_names, max_size=13).map(tuple), st.lists(melds, max_size=4).map(tuple), tile_names
)
counts = st.none() | st.dictionaries(codes, st.integers(1, 9), max_size=3)
winners = st.builds(
    Winner,
    seats,
    fans=st.integers(0, 300),
    flowers=st.integers(0, 8),
    han=st.none() | st.integers(1, 13),
    fu=st.none() | st.integers(20, 110),
    limit=st.sampled_from(["", "mangan", "yakuman"]),
    liable=st.none() | seats,
    nagashi=marks,
    without_drawn_tile=marks,
    fan_list=counts,
    yaku=counts,
    tiles=st.none() | tiles,
)
wins = st.builds(
    Win,
    st.lists(winners, min_size=1, max_size=3).map(tuple),
    st.none() | seats,
    marks,
    marks,
    marks,
    marks,
    marks,
)
kongs = st.builds(Kong, seats, st.just(KongKind.OPEN), seats) | st.builds(
    Kong, seats, st.sampled_from([KongKind.ADDED, KongKind.CONCEALED, KongKind.DELAYED]), st.none(), marks
)
events = (
    wins
    | kongs
    | st.builds(
        FalseWin, seats, st.sampled_from(["", "waiting", "below_minimum"]), st.none() | seats, marks, marks
    )
    | st.builds(Exposure, seats)
    | st.builds(DeadHand, seats, st.just("") | codes)
    | st.builds(Chombo, seats)
)
checks = st.builds(Check, st.sampled_from(["waiting", "pig"]), st.none() | st.sampled_from([1, 2, 4, 8, 16]))


@given(
    hand=st.builds(
        Hand,
        st.integers(1, 99),
        st.lists(events, max_size=4).map(tuple),
        st.dictionaries(seats, checks),
        st.lists(seats, unique=True, max_size=4).map(tuple),
    )
)
def test_any_hand_is_read_as_it_was_written(hand):
    """[RECORD 3]"""
    assert read_hand(json.loads(json.dumps(write_hand(hand)))) == hand
