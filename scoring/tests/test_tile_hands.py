"""Hands tile by tile: everything wrong is told at once, nothing is corrected in silence."""

import pytest

from scoring.fields import Fields
from scoring.hands import Meld, Tiles
from scoring.tiles.readings import CHOWS, SetKind, TileSet
from scoring.tiles.tile import JOKER, PLAYABLE, SUITED, parse_compact, write
from scoring.tiles.tile_hands import Declared, Kit, TileHand, read_tile_hand, recorded_tile_hand

SICHUAN = Kit(tiles=SUITED, claims=(SetKind.PUNG, SetKind.KONG), kong_kinds=True)
RED = Kit(tiles=PLAYABLE | {JOKER}, claims=(SetKind.CHOW, SetKind.PUNG))


def names(text):
    """Name tiles in compact notation."""
    return [write(tile) for tile in parse_compact(text)]


def meld(kind, text, *, is_open=True, **more):
    """Write a declared set as JSON."""
    return {"type": kind, "tiles": names(text), "open": is_open, **more}


def hand(concealed, *melds, tile="m1"):
    """Write a hand as JSON."""
    return {"concealed": names(concealed), "melds": list(melds), "winning_tile": tile}


MCR = Kit()


def read(raw, kit=MCR, **options):
    """Read a hand; return it with the codes and fields of its problems."""
    fields = Fields(raw, "hand")
    found = read_tile_hand(fields, kit, **options)
    return found, [(problem.code, problem.field) for problem in fields.problems]


def test_a_legal_hand_is_read():
    """Declared sets are sorted, the winning tile stands apart and is counted with the tiles in hand."""
    raw = hand("1123m 55z 5z", meld("chow", "798p"), meld("kong", "1111z", is_open=False))
    found, problems = read(raw)
    assert problems == []
    assert found.melds == (CHOWS[15]._replace(is_open=True), TileSet(SetKind.KONG, 27))
    assert sorted(found.in_hand) == parse_compact("11123m 555z")
    assert (found.counted[0], found.counted[33], found.jokers) == (3, 3, 0)
    assert len(found.all_tiles) == 15


def test_a_waiting_hand_has_no_winning_tile():
    """With one it is refused, without one it is read."""
    raw = {"concealed": names("123m 456m 789m 1122z")}
    assert read(raw, is_waiting=True)[0] == TileHand(tuple(parse_compact("123m 456m 789m 1122z")))
    assert read(raw | {"winning_tile": None}, is_waiting=True)[1] == []
    assert read(raw | {"winning_tile": "m1"}, is_waiting=True) == (
        None,
        [("unknown_field", "hand.winning_tile")],
    )


@pytest.mark.parametrize(
    ("raw", "kit", "problems"),
    [
        (hand("123m 456m 789m 1122z"), SICHUAN, [("tile_foreign", "hand.concealed")] * 4),
        (hand("123m 456m 789m 1122z", tile="m0"), Kit(), [("tile_unknown", "hand.winning_tile")]),
        (hand("123m 456m 789m 1122z", tile=None), Kit(), [("field_needed", "hand.winning_tile")]),
        (hand("123m 456m 789m 1122z", tile=3), Kit(), [("value_type", "hand.winning_tile")]),
        (hand("123m 456m 789m 112z"), Kit(), [("tile_count", "hand.concealed")]),
        (hand("123m 456m 789m 1122z", meld("pung", "555z")), Kit(), [("tile_count", "hand.concealed")]),
        (hand("1m", *[meld("pung", f"{rank}{rank}{rank}p") for rank in range(1, 6)]), Kit(), [("tile_count", "hand.melds")]),
        (hand("111m 1m 456m 789m 112z"), Kit(), [("tile_copies", "hand")]),
        (hand("1m 456m 789m 112z", meld("pung", "111m")), Kit(), [("tile_copies", "hand")]),
        (hand("1m 456m 789m 112z", meld("chow", "345p")), SICHUAN, [("tile_foreign", "hand.concealed")] * 3 + [("value_unknown", "hand.melds.0.type")]),
        (hand("1m 456m 789m 112z", meld("chow", "346p")), Kit(), [("no_set", "hand.melds.0.tiles")]),
        (hand("1m 456m 789m 112z", meld("chow", "891p")), Kit(), [("no_set", "hand.melds.0.tiles")]),
        (hand("1m 456m 789m 112z", meld("chow", "9p 1s 2s")), Kit(), [("no_set", "hand.melds.0.tiles")]),
        (hand("1m 456m 789m 112z", meld("chow", "567z")), Kit(), [("no_set", "hand.melds.0.tiles")]),
        (hand("1m 456m 789m 112z", meld("chow", "334p")), Kit(), [("no_set", "hand.melds.0.tiles")]),
        (hand("1m 456m 789m 112z", meld("pung", "112p")), Kit(), [("no_set", "hand.melds.0.tiles")]),
        (hand("1m 456m 789m 112z", meld("pung", "1111p")), Kit(), [("no_set", "hand.melds.0.tiles")]),
        (hand("1m 456m 789m 112z", meld("kong", "111p")), Kit(), [("no_set", "hand.melds.0.tiles")]),
        (hand("1m 456m 789m 112z", meld("pung", "111p", is_open=False)), Kit(), [("closed_claim", "hand.melds.0.open")]),
        (hand("1m 456m 789m 112z", meld("pung", "111p", kong="open")), Kit(), [("unknown_field", "hand.melds.0.kong")]),
        (hand("1m 456m 789m 112s", meld("pung", "111p", kong="open")), SICHUAN, [("kong_kind", "hand.melds.0.kong")]),
        (hand("1m 456m 789m 112s", {"type": "kong", "tiles": ["p1"] * 4}), SICHUAN, [("field_needed", "hand.melds.0.kong")]),
        (hand("1m 456m 789m 112s", meld("kong", "1111p", kong="closed")), SICHUAN, [("value_unknown", "hand.melds.0.kong")]),
        (hand("1m 456m 789m 112s", meld("kong", "1111p", kong="concealed")), SICHUAN, [("kong_kind", "hand.melds.0.open")]),
        (hand("1m 456m 789m 112s", meld("kong", "1111p", is_open=False, kong="added")), SICHUAN, [("kong_kind", "hand.melds.0.open")]),
        (hand("1m 456m 789m 112z", {"type": "pung", "tiles": ["m1", "m1", 1], "open": True}), Kit(), [("tile_unknown", "hand.melds.0.tiles")]),
        (hand("1m 456m 789m 112z", "pung"), Kit(), [("value_type", "hand.melds.0"), ("field_needed", "hand.melds.0.type"), ("field_needed", "hand.melds.0.tiles")]),
        (hand("123m 456m 789m 112z 0z"), Kit(), [("tile_foreign", "hand.concealed")]),
        ({}, Kit(), [("field_needed", "hand.concealed"), ("field_needed", "hand.winning_tile")]),
        (None, Kit(), [("value_type", "hand"), ("field_needed", "hand.concealed"), ("field_needed", "hand.winning_tile")]),
    ],
    ids=lambda value: None,
)  # fmt: skip
def test_an_illegal_hand_is_refused_with_all_its_problems(raw, kit, problems):
    """Every field that is wrong is named."""
    assert read(raw, kit) == (None, problems)


@pytest.mark.parametrize(
    ("manner", "kit", "is_open", "kong"),
    [
        ({}, MCR, False, ""),
        ({"open": None}, MCR, False, ""),
        ({"open": True}, MCR, True, ""),
        ({"open": True}, SICHUAN, True, "open"),
        ({"open": False}, SICHUAN, False, "concealed"),
        ({"kong": "concealed"}, SICHUAN, False, "concealed"),
        ({"kong": "added"}, SICHUAN, True, "added"),
        ({"kong": "delayed", "open": None}, SICHUAN, True, "delayed"),
    ],
)
def test_how_a_kong_lies_and_came_tell_each_other(manner, kit, is_open, kong):
    """Of `open` and `kong` one may be left out; a mark left out alone is false. [HANDS]"""
    found, problems = read(hand("1m 456m 789m 112s", {"type": "kong", "tiles": ["p1"] * 4, **manner}), kit)
    assert problems == []
    assert (found.declared[0].is_open, found.declared[0].kong) == (is_open, kong)


@pytest.mark.parametrize("kind", ["chow", "pung"])
def test_a_claimed_set_is_open_without_saying_so(kind):
    """`open` is false only for a concealed kong, so it may be left out elsewhere. [HANDS]"""
    tiles = names("111p" if kind == "pung" else "123p")
    found, problems = read(hand("1m 456m 789m 112s", {"type": kind, "tiles": tiles}))
    assert problems == []
    assert found.declared[0].is_open


def test_several_problems_are_told_at_once():
    """Wrong count and a fifth copy do not hide each other."""
    _, problems = read(hand("1111m 1m 456m 78m 1122z"))
    assert problems == [("tile_count", "hand.concealed"), ("tile_copies", "hand")]


@pytest.mark.parametrize(
    ("kind", "text", "sets"),
    [
        ("chow", "23m 0z", [("chow", 0), ("chow", 1)]),
        ("chow", "24m 0z", [("chow", 1)]),
        ("chow", "12m 0z", [("chow", 0)]),
        ("chow", "5m 00z", [("chow", 2), ("chow", 3), ("chow", 4)]),
        ("chow", "1z 00z", []),
        ("pung", "5z 00z", [("pung", 33)]),
        ("pung", "000z", []),
        ("chow", "000z", []),
    ],
)
def test_jokers_leave_a_declared_set_its_choices(kind, text, sets):
    """At least one tile is real; a chow may stand for several. [RULES 8.25]"""
    declared = Declared(SetKind(kind), tuple(parse_compact(text)), True)
    assert [(formed.kind, formed.tile) for formed in declared.sets] == sets
    assert all(formed.is_open for formed in declared.sets)


def test_jokers_in_hand_are_counted_apart():
    """A hand with jokers gives the real tiles and the number of jokers."""
    found, problems = read(hand("12m 0z 456m 789m 0z", meld("pung", "55z 0z"), tile="m3"), RED)
    assert problems == []
    assert (sum(found.counted), found.jokers) == (9, 2)


def test_a_recorded_hand_is_checked_alike():
    """Records leave out how a kong came."""
    tiles = Tiles(tuple(names("123m 456m 78m 11p")), (Meld("kong", tuple(names("2222p")), True),), "m9")
    problems = []
    found = recorded_tile_hand(tiles, SICHUAN, "events.0.winners.0.tiles", problems)
    assert (problems, found.winning_tile) == ([], 8)
    assert recorded_tile_hand(Tiles((), (), "m9"), SICHUAN, "tiles", problems) is None
    assert [(problem.code, problem.field) for problem in problems] == [("tile_count", "tiles.concealed")]
