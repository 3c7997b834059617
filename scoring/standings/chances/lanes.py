"""Totals of a thousand finishes side by side in one long whole number, so that one addition or comparison is made for all of them.

A lane holds 16 bits, of which the top one is free for comparing. Totals are too long for that, so a lane holds how many steps
of a ruler a total is above the least of all: never more than it is, and less than `rough` steps too few.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, log2
from typing import NamedTuple

WIDTH, BYTES = 16, 2
TOP = 1 << WIDTH - 1
STEPS = 30_000


class Ruler(NamedTuple):
    """Measures totals in steps of a power of two, in which a float is divided exactly; the least total has `rough` steps."""

    least: float
    step: float
    rough: int

    def steps(self, total: float) -> int:
        """Return how many whole steps a total has."""
        return self.rough + int((total - self.least) / self.step)


def ruler(least: float, most: float, parts: int) -> Ruler:
    """Return a ruler for totals between two, each measured in no more than so many parts."""
    return Ruler(least, 2.0 ** ceil(log2(max(most - least, 1.0) / STEPS)), parts + 2)


class Table(NamedTuple):
    """The steps that each way for a table to end brings a player beyond the least, in two halves of a lane."""

    low: bytes
    high: bytes
    most: int

    def lanes(self, chosen: Sequence[int]) -> int:
        """Return what the chosen ways bring, a lane for each."""
        lanes = bytearray(BYTES * len(chosen))
        if isinstance(chosen, bytes):
            lanes[::BYTES], lanes[1::BYTES] = chosen.translate(self.low), chosen.translate(self.high)
        else:
            lanes[::BYTES] = bytes(map(self.low.__getitem__, chosen))
            lanes[1::BYTES] = bytes(map(self.high.__getitem__, chosen))
        return int.from_bytes(lanes, "little")


def table_of(adds: Sequence[float], step: float) -> Table:
    """Measure what each way adds beyond the least of them."""
    least = min(adds)
    steps = [int((value - least) / step) for value in adds]
    return Table(bytes([one & 255 for one in steps]), bytes([one >> 8 for one in steps]), max(steps))


@lru_cache(maxsize=4)
def ones(count: int) -> int:
    """Return so many lanes with one in each."""
    return int.from_bytes(b"\x01\x00" * count, "little")


def marked(lanes: int, every: int) -> int:
    """Set the top bit of each lane, from which a bound can be taken then; `every` has one in each."""
    return lanes | TOP * every


def at_least(marked: int, bounds: int, every: int) -> int:
    """Return one in each marked lane that is no less than its bound, and nothing in the others."""
    return (marked - bounds) >> WIDTH - 1 & every


def chosen(where: int, one: int, other: int) -> int:
    """Return the lanes of one where there is one in a lane, and those of the other elsewhere."""
    mask = (where << WIDTH) - where
    return other ^ ((one ^ other) & mask)


def between(low: int, high: int, every: int) -> int:
    """Return the middle of each lane of two."""
    return ((low + high) >> 1) & ((TOP - 1) * every)


def flags(where: int, count: int) -> bytes:
    """Return a byte for each lane that holds one or nothing."""
    return where.to_bytes(BYTES * count, "little")[::BYTES]


def numbers(lanes: int, count: int) -> list[int]:
    """Return the number in each lane."""
    raw = lanes.to_bytes(BYTES * count, "little")
    return [low + 256 * high for low, high in zip(raw[::BYTES], raw[1::BYTES], strict=True)]
