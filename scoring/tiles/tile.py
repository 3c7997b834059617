"""Tiles as small numbers: their names, their families, and both ways of writing them down.

A tile is an `int`, so that hot code may index with it:

    0–8 m1…m9 (characters)   9–17 p1…p9 (dots)   18–26 s1…s9 (bamboos)
    27–30 E S W N            31 R   32 G   33 Wh   34 J (joker)
    35–38 F1…F4 (flowers)    39–42 F5…F8 (seasons)

Two notations are read and written: record notation, a name a tile (`m1`, `Wh`), and compact notation for people
(`123m 55z`), whose honors `1z…7z` are E S W N Wh G R, whose `0z` is a joker, and whose `1f…8f` are flowers and seasons.
"""

import re
from collections.abc import Iterable

from scoring.problems import Problem, Refusal, gettext_noop

KINDS = 34
"""Different tiles that can stand in sets; counts are that long."""

EAST, SOUTH, WEST, NORTH, RED, GREEN_DRAGON, WHITE, JOKER = range(27, 35)

NAMES: tuple[str, ...] = (
    *(f"{suit}{rank}" for suit in "mps" for rank in range(1, 10)),
    *("E", "S", "W", "N", "R", "G", "Wh", "J"),
    *(f"F{number}" for number in range(1, 9)),
)
NUMBERS: dict[str, int] = {name: tile for tile, name in enumerate(NAMES)}

SUITS: tuple[range, ...] = (range(9), range(9, 18), range(18, 27))
"""Characters, dots and bamboos."""

SUITED = frozenset(range(27))
WINDS = frozenset(range(EAST, NORTH + 1))
DRAGONS = frozenset(range(RED, WHITE + 1))
HONORS = WINDS | DRAGONS
TERMINALS = frozenset({0, 8, 9, 17, 18, 26})
ORPHANS = TERMINALS | HONORS
SIMPLES = SUITED - TERMINALS
GREEN = frozenset({19, 20, 21, 23, 25, GREEN_DRAGON})
"""Tiles painted in green alone: bamboos 2, 3, 4, 6, 8 and the green dragon."""
REVERSIBLE = frozenset({9, 10, 11, 12, 13, 16, 17, 19, 21, 22, 23, 25, 26, WHITE})
"""Tiles that look the same upside down: dots 1 2 3 4 5 8 9, bamboos 2 4 5 6 8 9 and the white dragon."""
FLOWERS = frozenset(range(35, 43))
PLAYABLE = SUITED | HONORS
"""Every tile of which sets are made, without jokers."""

_COMPACT_HONORS = (JOKER, EAST, SOUTH, WEST, NORTH, WHITE, GREEN_DRAGON, RED)
_COMPACT_FIRST = {"m": 0, "p": 9, "s": 18, "f": 35}
_COMPACT = re.compile(r"([0-9]+)([mpszf])|(" + "|".join(sorted(NAMES, key=len, reverse=True)) + r")|\s+|,")


def suit(tile: int) -> int:
    """Return which suit a tile is of: 0 characters, 1 dots, 2 bamboos, 3 for all that is not suited."""
    return tile // 9 if tile < EAST else 3


def rank(tile: int) -> int:
    """Return the number on a suited tile, 1 to 9; 0 for all that is not suited."""
    return tile % 9 + 1 if tile < EAST else 0


def counts(tiles: Iterable[int]) -> list[int]:
    """Count the tiles of each of the 34 kinds; jokers and flowers have no place here."""
    counted = [0] * KINDS
    for tile in tiles:
        counted[tile] += 1
    return counted


def write(tile: int) -> str:
    """Name a tile in record notation."""
    return NAMES[tile]


def parse_compact(text: str, field: str = "") -> list[int]:
    """Read tiles in compact notation, in the order written; names of single tiles may stand among them."""
    tiles: list[int] = []
    position = 0
    while position < len(text):
        match = _COMPACT.match(text, position)
        if match is None:
            raise Refusal(_unknown(text[position:].split()[0], field))
        tiles += _compact_group(match, field)
        position = match.end()
    return tiles


def write_compact(tiles: Iterable[int]) -> str:
    """Write tiles in compact notation, sorted: `123m 456p 55z`."""
    digits: dict[str, str] = {}
    for letter, digit in sorted(
        map(_compact_name, tiles), key=lambda name: ("mpszf".index(name[0]), name[1])
    ):
        digits[letter] = digits.get(letter, "") + digit
    return " ".join(numbers + letter for letter, numbers in digits.items())


def _compact_group(match: re.Match[str], field: str) -> list[int]:
    numbers, letter, name = match.groups()
    if name:
        return [NUMBERS[name]]
    return [_compact_tile(int(digit), letter, field) for digit in numbers or ""]


def _compact_tile(digit: int, letter: str, field: str) -> int:
    lowest, highest = {"z": (0, 7), "f": (1, 8)}.get(letter, (1, 9))
    if not lowest <= digit <= highest:
        raise Refusal(_unknown(f"{digit}{letter}", field))
    return _COMPACT_HONORS[digit] if letter == "z" else _COMPACT_FIRST[letter] + digit - 1


def _compact_name(tile: int) -> tuple[str, str]:
    if tile in _COMPACT_HONORS:
        return "z", str(_COMPACT_HONORS.index(tile))
    if tile in FLOWERS:
        return "f", str(tile - _COMPACT_FIRST["f"] + 1)
    return "mps"[suit(tile)], str(rank(tile))


def _unknown(name: str, field: str) -> Problem:
    sentence = gettext_noop("There is no tile “%(tile)s”.")
    return Problem("tile_unknown", sentence, field=field, details={"tile": name})
