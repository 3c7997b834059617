"""Every way in which a set of tiles can be read as a win, with the place of the winning tile; shared by all systems.

What a caller gives is a 34-long sequence of counts of the tiles *in hand with the winning tile among them* (declared
sets left out), the declared sets as `TileSet`s, and the winning tile. What comes back are `Reading`s:

- `sets` holds the sets formed in hand first, sorted, then the declared ones in the order given;
- `pair` is the tile of the pair, or `None` in forms that have none;
- `completed` says what the winning tile completes: an index into `sets`, `PAIR`, or `None` where it completes
  neither (a single tile of an irregular form). One arrangement with the winning tile in two different places is two readings.

Sets formed in hand have `is_open=False`, also the one that a discard completed: ask `reading.completed` for that.
Forms are asked for one by one, so that each system reads only what it knows: `regular`, `seven_pairs`,
`thirteen_orphans`, `knitted_honors`, `knitted_straight`, `chaotic`, and `joker_arrangements` for hands with jokers.
`waits` turns any of them into the list of waiting tiles.

Single suits are decomposed once and remembered by their counts, which makes a hand a few look-ups.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import chain, combinations, pairwise, permutations
from typing import NamedTuple

from scoring.tiles.tile import HONORS, KINDS, ORPHANS

PAIR = -1
"""The winning tile completes the pair."""


class SetKind(StrEnum):
    """What a set is made of."""

    CHOW = "chow"
    PUNG = "pung"
    KONG = "kong"
    PAIR = "pair"
    KNITTED = "knitted"


class Form(StrEnum):
    """What a hand is made of as a whole."""

    REGULAR = "regular"
    SEVEN_PAIRS = "seven_pairs"
    THIRTEEN_ORPHANS = "thirteen_orphans"
    KNITTED_HONORS = "knitted_honors"
    KNITTED_STRAIGHT = "knitted_straight"
    CHAOTIC = "chaotic"


_STEPS = {
    SetKind.CHOW: (0, 1, 2),
    SetKind.PUNG: (0, 0, 0),
    SetKind.KONG: (0, 0, 0, 0),
    SetKind.PAIR: (0, 0),
    SetKind.KNITTED: (0, 3, 6),
}


class TileSet(NamedTuple):
    """A set named by its kind and lowest tile; `is_open` for a claimed one, never for a concealed kong."""

    kind: SetKind
    tile: int
    is_open: bool = False

    @property
    def tiles(self) -> tuple[int, ...]:
        """List the tiles of the set."""
        return tuple(self.tile + step for step in _STEPS[self.kind])


class Arrangement(NamedTuple):
    """Sets and a pair, without saying where the winning tile came in."""

    sets: tuple[TileSet, ...]
    pair: int | None


class Reading(NamedTuple):
    """One way to read a winning hand; see the head of this module for the meaning of each field."""

    form: Form
    sets: tuple[TileSet, ...]
    pair: int | None
    completed: int | None

    @property
    def completed_set(self) -> TileSet | None:
        """Return the set that the winning tile completes; none when it completes the pair or a single."""
        return self.sets[self.completed] if self.completed is not None and self.completed != PAIR else None


CHOWS: dict[int, TileSet] = {tile: TileSet(SetKind.CHOW, tile) for tile in range(27) if tile % 9 < 7}
PUNGS: tuple[TileSet, ...] = tuple(TileSet(SetKind.PUNG, tile) for tile in range(KINDS))
PAIRS: tuple[TileSet, ...] = tuple(TileSet(SetKind.PAIR, tile) for tile in range(KINDS))

KNITTINGS: tuple[tuple[int, int, int], ...] = tuple(
    (first, 9 + second, 18 + third) for first, second, third in permutations(range(3))
)
"""The six knittings, each as the lowest tile of its three knitted sets (1-4-7, 2-5-8, 3-6-9 in three suits)."""

KNITTED_TILES: tuple[frozenset[int], ...] = tuple(
    frozenset(start + step for start in starts for step in (0, 3, 6)) for starts in KNITTINGS
)


_APART: tuple[frozenset[int], ...] = tuple(
    frozenset(chosen)
    for size in range(4)
    for chosen in combinations(range(9), size)
    if all(high - low >= 3 for low, high in pairwise(chosen))
)
"""All choices of numbers (from 0) in a suit that stand at least three apart."""


def regular(counted: Sequence[int], melds: Sequence[TileSet], winning_tile: int) -> list[Reading]:
    """Read the tiles as four sets and a pair in every possible way."""
    declared = tuple(melds)
    readings: list[Reading] = []
    for sets, pair in arrangements(counted):
        if len(sets) + len(declared) == 4:
            readings += _placed(Form.REGULAR, sets, declared, pair, winning_tile)
    return readings


def is_regular(counted: Sequence[int]) -> bool:
    """Return whether the tiles in hand are sets and exactly one pair; the number of sets follows from that of tiles."""
    pairs = 0
    for base in (0, 9, 18, 27):
        block = tuple(counted[base : base + 9])
        size = sum(block)
        if size:
            if not _block(block, base, 0):
                return False
            pairs += size % 3 == 2
    return pairs == 1


def arrangements(counted: Sequence[int]) -> list[Arrangement]:
    """Split the tiles in hand into sets and exactly one pair in every possible way."""
    counted = tuple(counted)
    found: list[tuple[tuple[TileSet, ...], int | None]] = [((), None)]
    for base in (0, 9, 18, 27):
        parts = _block(counted[base : base + 9], base, 0)
        if not parts:
            return []
        found = [
            (sets + more, pair if other is None else other)
            for sets, pair in found
            for more, other, _ in parts
            if pair is None or other is None
        ]
    return [Arrangement(sets, pair) for sets, pair in found if pair is not None]


def seven_pairs(counted: Sequence[int], winning_tile: int, *, identical_pairs: bool = False) -> list[Reading]:
    """Read fourteen tiles as seven pairs; four equal tiles are two pairs only where the system allows that."""
    pairs: list[TileSet] = []
    for tile, count in enumerate(counted):
        if count & 1 or (count == 4 and not identical_pairs):
            return []
        if count:
            pairs += [PAIRS[tile]] * (count >> 1)
    if len(pairs) != 7:
        return []
    return [Reading(Form.SEVEN_PAIRS, tuple(pairs), None, pairs.index(PAIRS[winning_tile]))]


def thirteen_orphans(counted: Sequence[int], winning_tile: int) -> list[Reading]:
    """Read fourteen tiles as one of each terminal and honor and one more of them."""
    held = [tile for tile, count in enumerate(counted) if count]
    if sum(counted) != 14 or set(held) != ORPHANS:
        return []
    pair = next(tile for tile in held if counted[tile] == 2)
    return [Reading(Form.THIRTEEN_ORPHANS, (), pair, PAIR if winning_tile == pair else None)]


def knitted_honors(counted: Sequence[int]) -> list[Reading]:
    """Read fourteen single tiles as honors and knitted tiles; with all seven honors it is the greater form.

    Nothing in it depends on the place of the winning tile.
    """
    if sum(counted) != 14 or max(counted) != 1:
        return []
    suited = {tile for tile in range(27) if counted[tile]}
    fits = any(suited <= knitted for knitted in KNITTED_TILES)
    return [Reading(Form.KNITTED_HONORS, (), None, None)] if fits else []


def knitted_straight(counted: Sequence[int], melds: Sequence[TileSet], winning_tile: int) -> list[Reading]:
    """Read the tiles as the nine tiles of a knitted straight, one more set (in hand or declared) and a pair."""
    if len(melds) > 1:
        return []
    readings: list[Reading] = []
    for starts, knitted in zip(KNITTINGS, KNITTED_TILES, strict=True):
        if all(counted[tile] for tile in knitted):
            rest = [count - (tile in knitted) for tile, count in enumerate(counted)]
            straight = tuple(TileSet(SetKind.KNITTED, start) for start in starts)
            for sets, pair in arrangements(rest):
                if len(sets) + len(melds) == 1:
                    readings += _placed(
                        Form.KNITTED_STRAIGHT, straight + sets, tuple(melds), pair, winning_tile
                    )
    return readings


def chaotic(counted: Sequence[int], jokers: int = 0) -> list[Reading]:
    """Read fourteen single tiles as honors and suited tiles at least three numbers apart in each suit. [RED fan 11]

    A joker stands for any tile that still fits, as long as there is room for one.
    """
    if sum(counted) + jokers != 14 or max(counted) > 1:
        return []
    room = sum(counted[tile] == 0 for tile in HONORS)
    for base in (0, 9, 18):
        most = _most_apart(tuple(counted[base : base + 9]))
        if most is None:
            return []
        room += most
    return [Reading(Form.CHAOTIC, (), None, None)] if jokers <= room else []


def joker_arrangements(counted: Sequence[int], jokers: int) -> list[Arrangement]:
    """Split tiles and jokers into sets and exactly one pair in every way, each with at least one real tile. [RULES 8.25]

    `counted` holds the real tiles in hand. The sets name the tiles that the jokers stand for; which tile is the
    joker is left open. Different substitutions that give the same sets are listed once.
    """
    counted = tuple(counted)
    found: set[tuple[tuple[TileSet, ...], int | None, int]] = {((), None, jokers)}
    for base in (0, 9, 18, 27):
        parts = _block(counted[base : base + 9], base, jokers)
        found = {
            (sets + more, pair if other is None else other, left - used)
            for sets, pair, left in found
            for more, other, used in parts
            if used <= left and (pair is None or other is None)
        }
    return sorted(Arrangement(sets, pair) for sets, pair, left in found if left == 0 and pair is not None)


def waits(
    counted: Sequence[int],
    is_win: Callable[[Sequence[int], int], object],
    tiles: Iterable[int] = range(KINDS),
) -> list[int]:
    """List the tiles with which the tiles in hand become a win, judged by shape, whether or not any are left.

    `is_win` gets the counts with the candidate added, and the candidate:
    `waits(counted, lambda held, tile: regular(held, melds, tile) or seven_pairs(held, tile))`.
    """
    held = list(counted)
    found: list[int] = []
    for tile in tiles:
        held[tile] += 1
        if is_win(held, tile):
            found.append(tile)
        held[tile] -= 1
    return found


def _placed(
    form: Form, sets: tuple[TileSet, ...], melds: tuple[TileSet, ...], pair: int | None, winning_tile: int
) -> Iterator[Reading]:
    """Yield a reading for each different place of the winning tile among the sets in hand and the pair."""
    everything = sets + melds
    previous = None
    for index, formed in enumerate(sets):
        if formed != previous and _holds(formed, winning_tile):
            yield Reading(form, everything, pair, index)
        previous = formed
    if pair == winning_tile:
        yield Reading(form, everything, pair, PAIR)


def _holds(formed: TileSet, tile: int) -> bool:
    kind, lowest, _ = formed
    if kind is SetKind.CHOW:
        return lowest <= tile <= lowest + 2
    return tile in formed.tiles if kind is SetKind.KNITTED else tile == lowest


@lru_cache(maxsize=1 << 9)
def _most_apart(held: tuple[int, ...]) -> int | None:
    """Return how many more tiles fit into a suit three numbers apart; none when those held stand closer already."""
    ranks = {at for at, count in enumerate(held) if count}
    sizes = [len(apart) - len(ranks) for apart in _APART if ranks <= apart]
    return max(sizes, default=None)


_Part = tuple[tuple[TileSet, ...], int | None, int]
"""Sets, the tile of the pair or none, and the number of jokers used."""


@lru_cache(maxsize=1 << 16)
def _block(held: tuple[int, ...], base: int, jokers: int) -> tuple[_Part, ...]:
    """Split one suit (or the honors) into sets and at most one pair in every way, with up to so many jokers.

    The lowest tile goes into each set it can be part of; the rest is a smaller block of the same sort.
    """
    lowest = next((at for at, count in enumerate(held) if count), None)
    if lowest is None:
        return (((), None, 0),)
    found: set[_Part] = set()
    for formed in _sets_around(base + lowest):
        for rest, lacking in _taken(held, lowest, [tile - base for tile in formed.tiles], jokers):
            for sets, pair, used in _block(rest, base, jokers - lacking):
                if formed.kind is not SetKind.PAIR:
                    found.add((_in_order((formed, *sets)), pair, used + lacking))
                elif pair is None:
                    found.add((sets, formed.tile, used + lacking))
    return tuple(sorted(found, key=_place_in_list))


@lru_cache(maxsize=KINDS)
def _sets_around(tile: int) -> tuple[TileSet, ...]:
    """List the sets in which a tile can stand."""
    chows = [CHOWS[low] for low in (tile - 2, tile - 1, tile) if low in CHOWS and tile in CHOWS[low].tiles]
    return (*chows, PUNGS[tile], PAIRS[tile])


def _taken(
    held: tuple[int, ...], lowest: int, places: Sequence[int], jokers: int
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Take a set out of the tiles, its lowest tile real and every other one real or a joker; return the rest."""
    others = list(places)
    others.remove(lowest)
    for reals in _choices(tuple(others)) if jokers else (others,):
        lacking = len(others) - len(reals)
        rest = list(held)
        for place in (lowest, *reals):
            rest[place] -= 1
        if lacking <= jokers and min(rest) >= 0:
            yield tuple(rest), lacking


def _choices(places: tuple[int, ...]) -> set[tuple[int, ...]]:
    """List which of the places may be filled by real tiles, jokers taking the others."""
    sizes = range(len(places) + 1)
    return set(chain.from_iterable(combinations(places, size) for size in sizes))


def _in_order(sets: Iterable[TileSet]) -> tuple[TileSet, ...]:
    return tuple(sorted(sets, key=lambda formed: (formed.tile, formed.kind)))


def _place_in_list(part: _Part) -> tuple[int, tuple[TileSet, ...], int]:
    sets, pair, used = part
    return used, sets, -1 if pair is None else pair
