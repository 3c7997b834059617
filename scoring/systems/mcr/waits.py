"""Waiting tiles of a hand: all of them for people, and quickly whether there is exactly one. [RULES 8.16]"""

from collections.abc import Sequence
from functools import lru_cache

from scoring.tiles import readings
from scoring.tiles.readings import Reading, TileSet
from scoring.tiles.tile import EAST, KINDS


def wins(counted: Sequence[int], melds: tuple[TileSet, ...], winning_tile: int) -> list[Reading]:
    """List every reading of the tiles as one of the complete hands. [MCR winning 2a] [MCR winning 2c]"""
    found = readings.regular(counted, melds, winning_tile)
    kinds = KINDS - counted.count(0)
    if kinds >= 9 and len(melds) < 2:
        found += readings.knitted_straight(counted, melds, winning_tile)
    if not melds:
        found += _special(counted, kinds, winning_tile)
    return found


def _special(counted: Sequence[int], kinds: int, winning_tile: int) -> list[Reading]:
    """Read the forms without sets, each only where the number of different tiles allows it. [MCR winning 2c]"""
    if kinds <= 7:
        return readings.seven_pairs(counted, winning_tile, identical_pairs=True)
    if kinds == 13:
        return readings.thirteen_orphans(counted, winning_tile)
    return readings.knitted_honors(counted) if kinds == 14 else []


def is_lone_wait(before: Sequence[int], winning_tile: int) -> bool:
    """Return whether only the winning tile completes these sets and pair, judged by shape. [RULES 8.16]

    A complete hand has one block with the pair, two tiles over a multiple of three. So before the winning tile came,
    either its own block was to gain the pair and the other blocks were complete, or it was two tiles over, and the hand
    may also have waited in the block that now has the pair.
    """
    blocks = [tuple(before[base : base + 9]) for base in (0, 9, 18, EAST)]
    at = winning_tile // 9
    return (
        len(_completing(blocks[at], at == 3)) == 1
        and not _waits_elsewhere(blocks, at)
        and not _waits_for_a_pair(before, winning_tile)
    )


def _waits_elsewhere(blocks: Sequence[tuple[int, ...]], at: int) -> bool:
    """Return whether the winning tile's own block could be the one with the pair, while another one waits."""
    if sum(blocks[at]) % 3 != 2 or not _is_complete(blocks[at], at == 3):
        return False
    return any(
        sum(block) % 3 == 2 and _completing(block, other == 3)
        for other, block in enumerate(blocks)
        if other != at
    )


def _waits_for_a_pair(before: Sequence[int], winning_tile: int) -> bool:
    """Return whether the hand is also six pairs with a single tile other than the winning one. [MCR fan 19]"""
    if sum(before) != 13:
        return False
    odd = [tile for tile, count in enumerate(before) if count & 1]
    return len(odd) == 1 and odd[0] != winning_tile


@lru_cache(maxsize=1 << 16)
def _completing(block: tuple[int, ...], honors: bool) -> tuple[int, ...]:
    """List the places of a suit at which one more tile makes it complete, with a pair if their number asks for one."""
    ranks = range(7 if honors else 9)
    return tuple(
        rank for rank in ranks if _is_complete((*block[:rank], block[rank] + 1, *block[rank + 1 :]), honors)
    )


@lru_cache(maxsize=1 << 16)
def _is_complete(block: tuple[int, ...], honors: bool) -> bool:
    """Return whether the tiles of one suit are sets, and a pair where their number is two over a multiple of three."""
    counted = [0] * KINDS
    base = EAST if honors else 0
    counted[base : base + len(block)] = block
    if sum(block) % 3 == 0:
        counted[EAST - 1 if honors else EAST] += 2
    return readings.is_regular(counted)
