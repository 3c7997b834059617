"""Readings: every way in which tiles are a win, with the place of the winning tile."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.tests.strategies import regular_tiles, tiles
from scoring.tiles.readings import (
    CHOWS,
    KNITTED_TILES,
    PAIR,
    PUNGS,
    Form,
    Reading,
    SetKind,
    TileSet,
    arrangements,
    chaotic,
    is_regular,
    joker_arrangements,
    knitted_honors,
    knitted_straight,
    regular,
    seven_pairs,
    thirteen_orphans,
    waits,
)
from scoring.tiles.tile import KINDS, NUMBERS, counts, parse_compact, write_compact


def held(text):
    """Count tiles in compact notation."""
    return counts(parse_compact(text))


def shown(reading):
    """Write a reading as text: its sets, then its pair, what the winning tile completes in brackets."""
    names = [write_compact(formed.tiles) for formed in reading.sets]
    if reading.pair is not None:
        names.append(write_compact([reading.pair] * 2))
    if reading.completed is not None:
        names[reading.completed] = f"[{names[reading.completed]}]"
    return " ".join(names)


def split(arrangement):
    """Write an arrangement as text."""
    return " ".join(
        [*(write_compact(formed.tiles) for formed in arrangement.sets), write_compact([arrangement.pair])]
    )


@pytest.mark.parametrize(
    ("text", "tile", "expected"),
    [
        ("123m 456m 789m 111z 22s", "m2", ["[123m] 456m 789m 111z 22s"]),
        ("123m 456m 789m 111z 22s", "s2", ["123m 456m 789m 111z [22s]"]),
        ("123m 456m 789m 111z 22s", "E", ["123m 456m 789m [111z] 22s"]),
        ("112233m 789p 111z 55z", "m2", ["[123m] 123m 789p 111z 55z"]),
        ("2345m 789p 123s 111z 5m", "m5", ["234m 789p 123s 111z [55m]"]),
        ("12344456m 789p 111z", "m4", ["123m [456m] 789p 111z 44m", "123m 456m 789p 111z [44m]"]),
        ("22234m 456p 789s 555z", "m2", ["[234m] 456p 789s 555z 22m", "234m 456p 789s 555z [22m]"]),
        (
            "111222333m 789p 55s",
            "m1",
            ["[123m] 123m 123m 789p 55s", "[111m] 222m 333m 789p 55s"],
        ),
        ("123m 456m 789m 111z 2z 3z", "m1", []),
        ("123m 456m 789m 11z 22z 3z", "m1", []),
        ("123m 456m 789m 11z", "m1", []),
        ("123m 456m 789m 11m 111m", "m9", ["123m 111m 456m [789m] 11m"]),
    ],
)
def test_regular_gives_each_place_of_the_winning_tile(text, tile, expected):
    """One arrangement with the tile in two places is two readings; equal sets are one place."""
    assert sorted(map(shown, regular(held(text), (), NUMBERS[tile]))) == sorted(expected)


def test_regular_puts_declared_sets_last():
    """Declared sets are never completed by the winning tile, also when they hold its like."""
    melds = (TileSet(SetKind.KONG, 33), CHOWS[0]._replace(is_open=True))
    found = regular(held("123m 456m 11s"), melds, NUMBERS["m1"])
    assert found == [
        Reading(Form.REGULAR, (CHOWS[0], CHOWS[3], *melds), 18, 0),
    ]
    assert found[0].completed_set == CHOWS[0]


def test_completed_set_is_none_for_a_pair_and_for_a_single():
    """Only a set is given as a set."""
    assert regular(held("123m 456m 789m 111z 22s"), (), NUMBERS["s2"])[0].completed_set is None
    assert thirteen_orphans(held("19m19p19s1234567z1m"), 8)[0].completed_set is None


@cache
def brute_force(counted):
    """Split tiles into sets and a pair by trying every set at every tile; a multiset of arrangements."""
    found = set()
    for pair in range(KINDS):
        if counted[pair] >= 2:
            found |= {(sets, pair) for sets in _every_split(_less(counted, [pair] * 2))}
    return found


@cache
def _every_split(counted):
    if not any(counted):
        return frozenset({()})
    found = set()
    for formed in (*CHOWS.values(), *PUNGS):
        rest = _less(counted, formed.tiles)
        if rest and formed.tile == next(tile for tile in range(KINDS) if counted[tile]):
            found |= {tuple(sorted((formed, *sets))) for sets in _every_split(rest)}
    return frozenset(found)


def _less(counted, taken):
    rest = list(counted)
    for tile in taken:
        rest[tile] -= 1
    return tuple(rest) if min(rest) >= 0 else None


@settings(deadline=None)
@given(regular_tiles(kinds=range(9)) | regular_tiles() | regular_tiles(sets=2))
def test_arrangements_are_those_of_brute_force(drawn):
    """Nothing is missed, nothing is listed twice, and the order of tiles does not matter."""
    counted = counts(drawn)
    found = [(tuple(sorted(sets)), pair) for sets, pair in arrangements(counted)]
    assert len(found) == len(set(found))
    assert set(found) == brute_force(tuple(counted))


@settings(deadline=None)
@given(tiles(range(18), min_size=14, max_size=14) | regular_tiles())
def test_is_regular_agrees_with_arrangements(drawn):
    """The quick answer is that of the full list."""
    assert is_regular(counts(drawn)) == bool(arrangements(counts(drawn)))


@given(regular_tiles(), st.randoms())
def test_regular_places_every_winning_tile(drawn, random):
    """Whatever tile came last, it has a place, and that place holds it."""
    tile = random.choice(drawn)
    for reading in regular(counts(drawn), (), tile):
        place = (reading.pair,) if reading.completed == PAIR else reading.completed_set.tiles
        assert tile in place


@pytest.mark.parametrize(
    ("text", "tile", "identical", "expected"),
    [
        ("11m 33m 55p 77p 99s 11z 22z", "p7", False, ["11m 33m 55p [77p] 99s 11z 22z"]),
        ("1111m 55p 77p 99s 11z 22z", "m1", False, []),
        ("1111m 55p 77p 99s 11z 22z", "m1", True, ["[11m] 11m 55p 77p 99s 11z 22z"]),
        ("11m 33m 55p 77p 99s 11z 2z 3z", "m1", True, []),
        ("11m 33m 55p 77p 99s 11z", "m1", True, []),
    ],
)
def test_seven_pairs_with_and_without_equal_ones(text, tile, identical, expected):
    """Four equal tiles are two pairs only where the system says so."""
    found = seven_pairs(held(text), NUMBERS[tile], identical_pairs=identical)
    assert [shown(reading) for reading in found] == expected


@pytest.mark.parametrize(
    ("text", "tile", "expected"),
    [
        ("19m19p19s1234567z1m", "m1", [Reading(Form.THIRTEEN_ORPHANS, (), 0, PAIR)]),
        ("19m19p19s1234567z1m", "m9", [Reading(Form.THIRTEEN_ORPHANS, (), 0, None)]),
        ("19m19p19s123456z11m", "m1", []),
        ("19m19p19s1234567z2m", "m1", []),
        ("19m19p19s1234567z", "m1", []),
    ],
)
def test_thirteen_orphans(text, tile, expected):
    """The pair is known, and whether the winning tile made it."""
    assert thirteen_orphans(held(text), NUMBERS[tile]) == expected


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("147m 258p 36s 123456z", True),
        ("14m 25p 369s 1234567z", True),
        ("258m 147p 369s 12345z", True),
        ("147m 147p 36s 123456z", False),
        ("147m 258p 36s 12345z 5z", False),
        ("147m 258p 36s 12345z", False),
        ("1478m 25p 36s 123456z", False),
    ],
)
def test_knitted_honors(text, fits):
    """Fourteen different tiles, each suit within its own third. [RULES 8.15]"""
    assert [reading.form for reading in knitted_honors(held(text))] == [Form.KNITTED_HONORS] * fits


@pytest.mark.parametrize(
    ("text", "melds", "tile", "expected"),
    [
        (
            "147m 258p 369s 123m 55z",
            (),
            "m1",
            ["[147m] 258p 369s 123m 55z", "147m 258p 369s [123m] 55z"],
        ),
        ("147m 258p 369s 55z", (PUNGS[27],), "Wh", ["147m 258p 369s 111z [55z]"]),
        ("147m 258p 369s 55z", (PUNGS[27],), "s6", ["147m 258p [369s] 111z 55z"]),
        ("147m 258p 369s 11z 23z 4z", (), "m1", []),
        ("147m 258p 36s 444z 555z", (), "m1", []),
        ("147m 258p 369s", (PUNGS[27], PUNGS[28]), "m1", []),
        ("147m 258p 369s 123m 55z", (PUNGS[27],), "m1", []),
    ],
)
def test_knitted_straight(text, melds, tile, expected):
    """Nine knitted tiles, one more set in hand or declared, and a pair."""
    assert [shown(reading) for reading in knitted_straight(held(text), melds, NUMBERS[tile])] == expected


def test_knittings_are_six_thirds_of_three_suits():
    """Each takes nine tiles, three of every suit."""
    assert len(set(KNITTED_TILES)) == 6
    assert {len(knitted) for knitted in KNITTED_TILES} == {9}


@pytest.mark.parametrize(
    ("text", "jokers", "fits"),
    [
        ("147m 258p 36s 123456z", 0, True),
        ("147m 147p 14s 123456z", 0, True),
        ("159m 48p 39s 1234567z", 0, True),
        ("13m 258p 369s 123456z", 0, False),
        ("147m 258p 36s 12345z 5z", 0, False),
        ("147m 258p 36s 12345z", 0, False),
        ("147m 258p 36s 12345z", 1, True),
        ("5m 5p 5s 1234567z", 4, True),
        ("5m 258p 369s 1234567z", 0, True),
        ("25m 258p 25s 1234567z", 0, True),
        ("28m 28p 28s 1234567z", 1, True),
        ("36m 36p 36s 1234567z", 1, True),
        ("27m 27p 27s 1234567z", 1, False),
    ],
)
def test_chaotic(text, jokers, fits):
    """Fourteen single tiles, in each suit three numbers apart; jokers need room. [RED fan 11]"""
    assert [reading.form for reading in chaotic(held(text), jokers)] == [Form.CHAOTIC] * fits


@pytest.mark.parametrize(
    ("text", "jokers", "expected"),
    [
        ("123m 456m 789m 11z 555s", 0, ["123m 456m 789m 555s 1z"]),
        ("11z 5s", 2, ["111z 5s", "345s 1z", "456s 1z", "555s 1z", "567s 1z"]),
        ("1z 5s", 3, ["111z 5s", "345s 1z", "456s 1z", "555s 1z", "567s 1z"]),
        ("111z", 2, ["111z 1z"]),
        ("159m", 2, []),
        ("123m", 2, ["123m 1m", "123m 2m", "123m 3m", "234m 1m"]),
        ("1z", 4, []),
        ("19p 5s", 0, []),
    ],
)
def test_joker_arrangements_keep_a_real_tile_in_every_set(text, jokers, expected):
    """Two jokers alone are no pair and three no set. [RULES 8.25]"""
    assert sorted(split(found) for found in joker_arrangements(held(text), jokers)) == expected


def test_joker_arrangements_list_every_substitution_once():
    """With 2-3 and a joker both chows stand, with 1-3 only one, and a pair may be half a joker."""
    assert [split(found) for found in joker_arrangements(held("23m 55z"), 1)] == ["123m 5z", "234m 5z"]
    assert [split(found) for found in joker_arrangements(held("13m 55z"), 1)] == ["123m 5z"]
    assert [split(found) for found in joker_arrangements(held("1m"), 1)] == ["1m"]


@settings(deadline=None, max_examples=30)
@given(regular_tiles(sets=3), st.integers(1, 3), st.randoms())
def test_joker_arrangements_find_what_the_jokers_replaced(drawn, jokers, random):
    """Whatever tiles of a win become jokers, its arrangements are found again where each set keeps a real tile."""
    shuffled = random.sample(drawn, len(drawn))
    real = counts(shuffled[jokers:])
    found = {(tuple(sorted(sets)), pair) for sets, pair in joker_arrangements(real, jokers)}
    for sets, pair in brute_force(tuple(counts(drawn))):
        if _each_keeps_a_real_tile(sets, pair, real, jokers):
            assert (sets, pair) in found
    for sets, pair in found:
        needed = counts([tile for formed in sets for tile in formed.tiles] + [pair] * 2)
        assert sum(max(0, need - has) for need, has in zip(needed, real, strict=True)) == jokers


def _each_keeps_a_real_tile(sets, pair, real, jokers):
    """Return whether the real tiles can be shared out so that every set and the pair gets one."""
    groups = [formed.tiles for formed in sets] + [(pair, pair)]

    def served(index, left):
        if index == len(groups):
            return True
        return any(
            left[tile] and served(index + 1, [count - (at == tile) for at, count in enumerate(left)])
            for tile in set(groups[index])
        )

    return served(0, real)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1112345678999m", "m1 m2 m3 m4 m5 m6 m7 m8 m9"),
        ("123m 456m 789m 111z 2z", "S"),
        ("123m 456m 789m 13p 22z", "p2"),
        ("123m 456m 789m 13p 2z 3z", ""),
    ],
)
def test_waits_of_a_form(text, expected):
    """Waits are judged by shape, and the counts come back untouched."""
    counted = held(text)
    found = waits(counted, lambda with_tile, tile: regular(with_tile, (), tile))
    assert found == [NUMBERS[name] for name in expected.split()]
    assert counted == held(text)


def test_waits_are_asked_only_for_the_given_tiles():
    """A system names the tiles it plays with."""
    assert waits(held("123m 456m 789m 111z 2z"), lambda with_tile, _: is_regular(with_tile), range(27)) == []
