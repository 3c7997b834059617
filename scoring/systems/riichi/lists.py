"""Which yaku a hand of riichi can have together, and with how many minipoints: `lists.json` keeps every list. [RIICHI 4.1.1] [RIICHI 4.2]

A list falls into the yaku of the tiles, which the table knows, and those that tell how the hand was won, of which some ask for
a hand that is closed, has a kong or has none, or has the winning tile once. `bench/yaku.py` makes the file by laying out every hand.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

MINIPOINTS = (20, 25, *range(30, 141, 10))
DRAGONS = ("haku", "hatsu", "chun")
CIRCUMSTANCES = frozenset(
    [
        "riichi",
        "double_riichi",
        "ippatsu",
        "menzen_tsumo",
        "rinshan",
        "chankan",
        "haitei",
        "houtei",
        "renhou",
        "tenhou",
        "chiihou",
    ]
)
"""Yaku that the tiles do not show."""

CLOSED_ONLY = frozenset(["riichi", "double_riichi", "ippatsu", "menzen_tsumo", "renhou", "tenhou", "chiihou"])
WITHOUT_KONG = frozenset({"renhou", "tenhou", "chiihou"})
"""Who has not had a turn, or nothing but the tiles dealt, has declared no kong. [RIICHI 4.2.4] [RIICHI 4.2.5]"""


@dataclass(frozen=True)
class Way:
    """How a hand was won: from the wall or not, whether the own wind is that of the round, and whether the hand was closed.

    Nothing stands for what is not known.
    """

    from_wall: bool
    is_double_wind: bool | None = None
    is_closed: bool | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A way in which hands have a list: the minipoints they can have then."""

    is_double_wind: bool
    is_closed: bool
    from_wall: bool
    has_kong: bool
    is_single: bool
    minipoints: frozenset[int]


def is_possible(names: Collection[str], way: Way, *, is_yakuman: bool) -> bool:
    """Return whether a hand won in this way has exactly these yaku.

    Of several yakuman those may go unnamed that do not count besides. [RIICHI 4.2]
    """
    shown = set(names) - CIRCUMSTANCES
    lists = [words for words in known() if shown <= set(words.split())] if is_yakuman else [in_words(shown)]
    return any(_fits(row, names, way) for words in lists for row in known().get(words, ()))


def minipoints(names: Collection[str], way: Way) -> frozenset[int]:
    """Return the minipoints with which a hand won in this way has exactly these yaku. [RIICHI 4.1.1]"""
    rows = known().get(in_words(set(names) - CIRCUMSTANCES), ())
    return frozenset[int]().union(*(row.minipoints for row in rows if _fits(row, names, way)))


def _fits(row: Row, names: Collection[str], way: Way) -> bool:
    """Return whether hands that are won so can have been won in that way, with these yaku of circumstance."""
    named = frozenset(names)
    return (
        row.from_wall == way.from_wall
        and way.is_double_wind in (None, row.is_double_wind)
        and way.is_closed in (None, row.is_closed)
        and (row.is_closed or not named & CLOSED_ONLY)
        and (row.has_kong or "rinshan" not in named)
        and (row.is_single or "chankan" not in named)
        and not (row.has_kong and named & WITHOUT_KONG)
    )


def in_words(names: Collection[str]) -> str:
    """Write a list as the table has it: in order, and dragons by their number, for they are alike."""
    dragons = DRAGONS[: len(set(names) & set(DRAGONS))]
    return " ".join(sorted({*names} - {*DRAGONS} | {*dragons}))


@cache
def known() -> Mapping[str, tuple[Row, ...]]:
    """Return every list of yaku that the tiles show with the ways in which hands have it."""
    table = json.loads(files(__package__).joinpath("lists.json").read_text(encoding="utf-8"))
    return {words: tuple(map(read, rows)) for words, rows in table.items()}


def read(written: int) -> Row:
    """Read a row, which is one number: five marks, then a bit for each number of minipoints."""
    is_double_wind, is_closed, from_wall, has_kong, is_single = (
        bool(written >> place & 1) for place in range(5)
    )
    found = frozenset(fu for place, fu in enumerate(MINIPOINTS) if written >> place + 5 & 1)
    return Row(is_double_wind, is_closed, from_wall, has_kong, is_single, found)
