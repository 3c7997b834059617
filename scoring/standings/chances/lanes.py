"""Totals of a thousand finishes side by side in one long whole number, so that one addition or comparison is made for all of them.

A lane holds 24 bits, of which the top one is free for comparing. Totals may be too long for that, so a lane holds how many steps
of a ruler a total is above the least of all: never more than it is, and less than `rough` steps too few.
"""

import sys
from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import compress
from math import ceil, log2
from typing import NamedTuple

WIDTH, BYTES = 24, 3
TOP = 1 << WIDTH - 1
STEPS = 8_000_000
FEW = 12
"""Where fewer lanes than one in so many hold one, each is searched for."""


class Ruler(NamedTuple):
    """Measures totals in steps of a power of two, in which a float is divided exactly; the least total has `rough` steps."""

    least: float
    step: float
    rough: int

    def steps(self, total: float) -> int:
        """Return how many whole steps a total has."""
        return self.rough + int((total - self.least) / self.step)

    def exact(self, total: float) -> float:
        """Return how many steps a total has, with what is over."""
        return self.rough + (total - self.least) / self.step

    def total(self, steps: float) -> float:
        """Return the total that has so many steps."""
        return self.least + (steps - self.rough) * self.step


def ruler(least: float, most: float, parts: int) -> Ruler:
    """Return a ruler for whole totals between two, each measured in no more than so many parts."""
    step = 2.0 ** max(0, ceil(log2(max(most - least, 1.0) / STEPS)))
    return Ruler(least, step, 1 if step == 1 else parts + 2)


class Table(NamedTuple):
    """The steps that each way for a table to end brings a player beyond the least, in the bytes of a lane."""

    planes: tuple[bytes, ...]
    most: int

    def lanes(self, chosen: Sequence[int]) -> int:
        """Return what the chosen ways bring, a lane for each."""
        lanes = bytearray(BYTES * len(chosen))
        for at, plane in enumerate(self.planes):
            if isinstance(chosen, bytes):
                lanes[at::BYTES] = chosen.translate(plane)
            else:
                lanes[at::BYTES] = bytes(map(plane.__getitem__, chosen))
        return int.from_bytes(lanes, "little")


def table_of(adds: Sequence[float], step: float) -> Table:
    """Measure what each way adds beyond the least of them."""
    least = min(adds)
    steps = list(map(int, [(value - least) / step for value in adds]))
    most = max(steps)
    return Table(tuple(_planes(steps)[: (most.bit_length() + 7) // 8]), most)


def _planes(numbers: Iterable[int]) -> list[bytes]:
    """Return the lowest bytes of numbers, the next, and so on."""
    raw = array("I", numbers)
    if sys.byteorder == "big":
        raw.byteswap()
    whole = raw.tobytes()
    return [whole[at :: raw.itemsize] for at in range(BYTES)]


@lru_cache(maxsize=4)
def ones(count: int) -> int:
    """Return so many lanes with one in each."""
    return int.from_bytes((1).to_bytes(BYTES, "little") * count, "little")


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


def positions(where: int, count: int) -> list[int]:
    """Return the numbers of the lanes that hold one."""
    raw = flags(where, count)
    if where.bit_count() * FEW > count:
        return list(compress(range(count), raw))
    found, at = [], raw.find(1)
    while at >= 0:
        found.append(at)
        at = raw.find(1, at + 1)
    return found


def numbers(lanes: int, count: int) -> list[int]:
    """Return the number in each lane."""
    raw = lanes.to_bytes(BYTES * count, "little")
    low, middle, high = (raw[at::BYTES] for at in range(BYTES))
    if not any(high):
        return [least + 256 * more for least, more in zip(low, middle, strict=True)]
    return [least + 256 * (more + 256 * most) for least, more, most in zip(low, middle, high, strict=True)]


def of_numbers(found: Iterable[int], count: int) -> int:
    """Lay numbers into lanes side by side."""
    lanes = bytearray(BYTES * count)
    for at, plane in enumerate(_planes(found)):
        lanes[at::BYTES] = plane
    return int.from_bytes(lanes, "little")
