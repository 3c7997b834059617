"""Tiles: their names both ways, their families."""

import pytest
from hypothesis import given

from scoring.problems import Refusal
from scoring.tests.strategies import tiles as some_tiles
from scoring.tiles import tile as tiles


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("123m", "m1 m2 m3"),
        ("19p", "p1 p9"),
        ("5s", "s5"),
        ("1234567z", "E S W N Wh G R"),
        ("0z", "J"),
        ("18f", "F1 F8"),
        ("E S W N R G Wh J", "E S W N R G Wh J"),
        ("m1m1 Wh, 55s", "m1 m1 Wh s5 s5"),
        ("", ""),
    ],
)
def test_compact_notation_is_read_in_the_order_written(text, names):
    """Names of single tiles may stand among groups."""
    assert [tiles.write(tile) for tile in tiles.parse_compact(text)] == names.split()


@pytest.mark.parametrize(
    ("text", "named"),
    [("0m", "0m"), ("8z", "8z"), ("9f", "9f"), ("12x 3m", "12x"), ("m", "m"), ("123", "123")],
)
def test_compact_notation_refuses_what_is_no_tile(text, named):
    """The sentence names what could not be read."""
    with pytest.raises(Refusal) as refused:
        tiles.parse_compact(text, "hand")
    (problem,) = refused.value.problems
    assert (problem.code, problem.field, problem.details) == ("tile_unknown", "hand", {"tile": named})


@given(some_tiles(range(43)))
def test_compact_notation_comes_back_as_it_went(drawn):
    """Reading what was written gives the same tiles, sorted by suit and number."""
    written = tiles.write_compact(drawn)
    assert sorted(tiles.parse_compact(written)) == sorted(drawn)
    assert tiles.write_compact(tiles.parse_compact(written)) == written


def test_compact_notation_is_written_sorted():
    """Suits first, then honors, then flowers; one group for each."""
    assert tiles.write_compact(tiles.parse_compact("1f R 3p E 1p 2m J")) == "2m 13p 017z 1f"


@pytest.mark.parametrize("tile", range(43))
def test_names_are_read_back(tile):
    """Record notation is a bijection."""
    assert tiles.NUMBERS[tiles.write(tile)] == tile


def test_numbers_stand_where_they_are_documented():
    """Other modules index by these numbers."""
    named = {
        name: tiles.NUMBERS[name]
        for name in ("m1", "m9", "p1", "s9", "E", "N", "R", "G", "Wh", "J", "F1", "F8")
    }
    assert named == {
        "m1": 0, "m9": 8, "p1": 9, "s9": 26, "E": 27, "N": 30, "R": 31, "G": 32, "Wh": 33, "J": 34, "F1": 35, "F8": 42,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "suit", "rank"), [("m1", 0, 1), ("p9", 1, 9), ("s5", 2, 5), ("E", 3, 0), ("J", 3, 0)]
)
def test_suit_and_rank(name, suit, rank):
    """Tiles that are not suited share a suit of their own and have no number."""
    assert (tiles.suit(tiles.NUMBERS[name]), tiles.rank(tiles.NUMBERS[name])) == (suit, rank)


@pytest.mark.parametrize(
    ("family", "compact"),
    [
        (tiles.TERMINALS, "19m 19p 19s"),
        (tiles.WINDS, "1234z"),
        (tiles.DRAGONS, "567z"),
        (tiles.ORPHANS, "19m 19p 19s 1234567z"),
        (tiles.SIMPLES, "2345678m 2345678p 2345678s"),
        (tiles.GREEN, "23468s 6z"),
        (tiles.REVERSIBLE, "1234589p 245689s 5z"),
        (tiles.FLOWERS, "12345678f"),
        (tiles.PLAYABLE - tiles.HONORS, "123456789m 123456789p 123456789s"),
    ],
)
def test_families_of_tiles(family, compact):
    """Every named set of tiles, tile by tile."""
    assert tiles.write_compact(family) == compact
