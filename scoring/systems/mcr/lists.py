"""Which lists of fans a hand can have: every one is known, and so are the nearest to any other. [RULES 8.48]

The list of a hand falls into two parts. Its *core* are the fans of the tiles and the sets. Its *ending* are those of open and
concealed sets, kongs and waits (the *finish*) and those that tell how the last tile came. `lists.json` keeps for every core the
finishes that go with it, for a win on a discard, on a draw, and in Siamese on a hand that leaves the drawn tile unused. How the
last tile may have come follows from three marks of a finish: whether the fan Last Tile can be absent, whether it can be there,
and whether the winning tile can be the one that raises another's pung. `bench/lists.py` makes the file by valuing every hand.

Fans are bits of a number here, further occurrences of the same fan further bits.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from heapq import heapreplace
from importlib.resources import files
from itertools import combinations, takewhile
from typing import Any, NamedTuple

from scoring.systems.legality import in_hex
from scoring.systems.mcr.fans import FANS, Chapter, clause_of, of_chapter

Counts = Mapping[int, int]
"""How often each fan is counted, by number."""

CHICKEN, LAST_TILE, ROBBING, FULLY_CONCEALED, SELF_DRAWN, FLOWERS = 43, 58, 47, 56, 80, 81
ON_LAST_DRAW, ON_LAST_CLAIM, ON_REPLACEMENT = 44, 45, 46
WAITS = frozenset({77, 78, 79})
KONGS = frozenset(number for number, _ in of_chapter(Chapter.KONGS))
CHOW_GROUPS = frozenset(number for number, _ in of_chapter(Chapter.CHOW_GROUPS))

FINISHES = frozenset({12, 33, 53, FULLY_CONCEALED, 62, 66, *KONGS, *WAITS})
"""The fans of open and concealed sets, kongs and waits."""

LAST_TILES = frozenset({ON_LAST_DRAW, ON_LAST_CLAIM, ON_REPLACEMENT, ROBBING, LAST_TILE, SELF_DRAWN})
"""The fans that tell how the last tile came."""

MAY_LACK_LAST_TILE, MAY_HAVE_LAST_TILE, MAY_ROB = 1, 2, 4
NEAREST = 3


class Way(NamedTuple):
    """How a hand was won, as far as the list does not say so.

    `is_double_wind`: the player's own wind is that of the round. In Siamese a win may leave the drawn tile unused, and a
    kong of the other hand may have brought the tile. [SIAM 17]
    """

    is_self_drawn: bool
    is_double_wind: bool
    uses_drawn_tile: bool = True
    has_other_hand: bool = False


@dataclass(frozen=True)
class Conflict:
    """Why a list is that of no hand: the clause, and the fans that never count together, where it is they."""

    clause: str
    fans: tuple[int, ...] = ()


def is_possible(listed: Counts, way: Way) -> bool:
    """Return whether a hand won in this way has exactly these fans. [RULES 8.48]"""
    if not listed:
        return False
    sought = bits_of(listed)
    known = _table().classes_of(way).get(sought & _CORE)
    return known is not None and sought & ~_CORE in _endings(known, way)


def nearest(listed: Counts, way: Way, points: int, least: int, most: int = NEAREST) -> list[dict[int, int]]:
    """List the lists of hands won in this way that differ in the fewest fans, then the least in points. [RULES 8.48]

    Cores come in the order of their distance; those that are farther than as many whole lists as are wanted are not looked at.
    """
    sought = bits_of(listed)
    core, ending = sought & _CORE, sought & ~_CORE
    classes = _table().classes_of(way)
    farthest = len(FANS) * 4
    found: list[tuple[int, int, int]] = [(-farthest, 0, 0)] * most
    by_distance: dict[int, list[list[int]]] = {}
    by_core = sorted([((other ^ core).bit_count(), other) for other in classes])
    for distance, other in takewhile(lambda one: one[0] <= -found[0][0], by_core):
        known = classes[other]
        if known not in by_distance:
            by_distance[known] = _apart(_endings(known, way), ending)
        of_core = worth_of(other)
        for more, ends in enumerate(by_distance[known], start=distance):
            if more > -found[0][0]:
                break
            for end in ends:
                worth = of_core + worth_of(end)
                one = (-more, -abs(worth - points), -(other | end))
                if one > found[0] and (worth >= least or not other | end):
                    heapreplace(found, one)
    return [counts_of(-bits) for away, _, bits in sorted(found, reverse=True) if -away < farthest]


def _apart(endings: Iterable[int], ending: int) -> list[list[int]]:
    """Put endings in the order of their distance from one: those of distance 0, of distance 1, and so on."""
    found: list[list[int]] = []
    for other in endings:
        distance = (other ^ ending).bit_count()
        while len(found) <= distance:
            found.append([])
        found[distance].append(other)
    return found


@lru_cache(maxsize=1 << 11)
def _endings(known: int, way: Way) -> frozenset[int]:
    """List everything that can stand beside the cores of a class."""
    place = 0 if not way.is_self_drawn else 1 if way.uses_drawn_tile else 2
    return frozenset(
        ending
        for finish, marks in _table().finishes[known][place]
        for ending in with_last_tile(finish, marks, way)
    )


def with_last_tile(finish: int, marks: int, way: Way) -> Iterator[int]:
    """Add to a finish what the last tile may be worth.

    [MCR fan 44] [MCR fan 45] [MCR fan 46] [MCR fan 47] [MCR fan 58]
    """
    for mark, last in ((MAY_LACK_LAST_TILE, 0), (MAY_HAVE_LAST_TILE, _bit(LAST_TILE))):
        if not marks & mark:
            continue
        if not way.is_self_drawn:
            yield from (finish | last, finish | last | _bit(ON_LAST_CLAIM))
            continue
        drawn = 0 if finish & _bit(FULLY_CONCEALED) else _bit(SELF_DRAWN)
        yield from (finish | last | drawn, finish | last | _bit(ON_LAST_DRAW))
        if way.uses_drawn_tile and (way.has_other_hand or finish & _ANY_KONG):
            replacement = finish | last | _bit(ON_REPLACEMENT)
            yield from (replacement, replacement | _bit(ON_LAST_DRAW))
    if marks & MAY_ROB:
        yield finish | _bit(ROBBING)


def conflict(listed: Counts, way: Way) -> Conflict:
    """Say what in an impossible list cannot stand together, as exactly as can be told, and by which clause."""
    beside = _table().beside
    for one, other in combinations(list(bits_in(bits_of(listed))), 2):
        if not beside[one.bit_length() - 1] & other:
            fans = _OF_BIT[one.bit_length() - 1], _OF_BIT[other.bit_length() - 1]
            return Conflict(_clause_against(*fans), fans)
    chows = bits_of({fan: count for fan, count in listed.items() if fan in CHOW_GROUPS})
    if not any(core & chows == chows for core in _table().classes_of(way)):
        return Conflict("MCR scoring 1e5", tuple(fan for fan in sorted(listed) if fan in CHOW_GROUPS))
    return Conflict("MCR scoring 1e")


def _clause_against(one: int, other: int) -> str:
    """Name the clause by which two fans are never counted in one hand. [MCR scoring 1e]"""
    pair = {one, other}
    if CHICKEN in pair:
        return clause_of(CHICKEN)
    if pair <= WAITS:
        return "RULES 8.16"
    if pair <= KONGS:
        return "RULES 8.17"
    if pair <= CHOW_GROUPS:
        return "MCR scoring 1e5"
    return clause_of(max(pair, key=lambda fan: (FANS[fan].value, -fan)))


# Lists as bits


_OF_BIT = [
    *range(FLOWERS),
    *(fan for fan in sorted(FANS) if fan != FLOWERS for _ in range(1, FANS[fan].most)),
]
"""The fan of each bit: first one bit for each fan, then one more for each time that it can count again."""

_PLACES = {
    fan: (fan, *(place for place, other in enumerate(_OF_BIT) if other == fan and place >= FLOWERS))
    for fan in FANS
}
"""The bits of each fan, for the first time that it counts, the second, and so on."""


def _bit(fan: int) -> int:
    return 1 << fan


_ANY_KONG = sum(map(_bit, KONGS))
_CORE = sum(1 << place for place, fan in enumerate(_OF_BIT) if fan not in FINISHES | LAST_TILES)


def bits_of(listed: Counts) -> int:
    """Write a list as bits. A chicken hand is the hand whose list is empty otherwise. [MCR fan 43]"""
    if listed == {CHICKEN: 1}:
        return 0
    return sum(1 << place for fan, count in listed.items() for place in _PLACES[fan][:count])


def counts_of(bits: int) -> dict[int, int]:
    """Read a list from its bits."""
    if not bits:
        return {CHICKEN: 1}
    found: dict[int, int] = {}
    for bit in bits_in(bits):
        fan = _OF_BIT[bit.bit_length() - 1]
        found[fan] = found.get(fan, 0) + 1
    return dict(sorted(found.items()))


@lru_cache(maxsize=1 << 13)
def worth_of(bits: int) -> int:
    """Add up the values of a list, or of a part of one."""
    return sum(FANS[_OF_BIT[bit.bit_length() - 1]].value for bit in bits_in(bits))


def bits_in(bits: int) -> Iterator[int]:
    """List the bits of a list, each by itself."""
    while bits:
        yield bits & -bits
        bits &= bits - 1


# The table


class _Table(NamedTuple):
    """The class of every core, the finishes of every class with their marks for each way of winning, what counts beside what.

    `cores` has one table for a player whose wind is not that of the round, and one for a double wind.
    """

    cores: tuple[Mapping[int, int], Mapping[int, int]]
    finishes: Sequence[Sequence[Sequence[tuple[int, int]]]]
    beside: Sequence[int]

    def classes_of(self, way: Way) -> Mapping[int, int]:
        """Return the cores there are with these winds, each with its class."""
        return self.cores[way.is_double_wind]


@cache
def for_scripts() -> dict[str, Any]:
    """Return the table, and what its bits mean, for programs that read numbers of this size from texts. [RULES 8.48]"""
    stored = _stored()
    return {
        "cores": [{"bits": in_hex(bits), "classes": known} for bits, known in stored["cores"]],
        "classes": stored["classes"],
        "finishes": in_hex(stored["finishes"]),
        "beside": in_hex(stored["beside"]),
        "fan_of_bit": list(_OF_BIT),
        "core": f"{_CORE:#x}",
        "fans": {
            "chicken": CHICKEN,
            "last_tile": LAST_TILE,
            "robbing": ROBBING,
            "fully_concealed": FULLY_CONCEALED,
            "self_drawn": SELF_DRAWN,
            "on_last_draw": ON_LAST_DRAW,
            "on_last_claim": ON_LAST_CLAIM,
            "on_replacement": ON_REPLACEMENT,
        },
        "waits": sorted(WAITS),
        "kongs": sorted(KONGS),
        "chow_groups": sorted(CHOW_GROUPS),
        "marks": {
            "may_lack_last_tile": MAY_LACK_LAST_TILE,
            "may_have_last_tile": MAY_HAVE_LAST_TILE,
            "may_rob": MAY_ROB,
        },
    }


def _stored() -> dict[str, Any]:
    """Read the file of the table."""
    text = (files("scoring.systems.mcr") / "lists.json").read_text(encoding="utf-8")
    stored: dict[str, Any] = json.loads(text)
    return stored


@cache
def _table() -> _Table:
    """Read the table, once in a process."""
    stored = _stored()
    finishes: list[int] = stored["finishes"]
    classes = [
        [[(finishes[place], marks) for place, marks in way] for way in known] for known in stored["classes"]
    ]
    single, double = (dict(zip(*cores, strict=True)) for cores in stored["cores"])
    return _Table((single, double), classes, stored["beside"])
