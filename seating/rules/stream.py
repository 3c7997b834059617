"""Chance that a stranger can repeat: numbers made of a seed by SHA-256 and nothing else."""

from collections.abc import Iterable
from hashlib import sha256
from struct import Struct
from typing import TypeVar

Item = TypeVar("Item")

_FOUR_NUMBERS = Struct(">4Q")
_EIGHT_NUMBERS = Struct(">8L")
_RANGE = 1 << 64
_BLOCKS_AT_ONCE = 256


class Stream:
    """The numbers of one seed in their order: SHA-256(seed + "/" + block), four numbers of 8 bytes each."""

    def __init__(self, seed: str) -> None:
        """Begin at block 0."""
        self.seed = seed
        self._block = 0
        self._waiting: list[int] = []

    def next_number(self) -> int:
        """Take the next number of 64 bits."""
        if not self._waiting:
            digest = sha256(f"{self.seed}/{self._block}".encode()).digest()
            self._waiting = list(reversed(_FOUR_NUMBERS.unpack(digest)))
            self._block += 1
        return self._waiting.pop()

    def below(self, limit: int) -> int:
        """Take a number from 0 to limit - 1, each with exactly the same chance."""
        fair = _RANGE - _RANGE % limit
        while (number := self.next_number()) >= fair:
            pass
        return number % limit

    def shuffled(self, items: Iterable[Item]) -> list[Item]:
        """Return the items in an order in which each order has the same chance (Fisher and Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


class Dice:
    """Many numbers of 32 bits for a search, far cheaper each than a Stream's, just as repeatable."""

    def __init__(self, seed: str, purpose: str) -> None:
        """Keep apart what different stages of one draw throw."""
        self._name = f"{seed}/{purpose}/"
        self._block = 0

    def throw(self) -> list[int]:
        """Return the next 2 048 numbers, the last of them first in line."""
        numbers: list[int] = []
        for block in range(self._block, self._block + _BLOCKS_AT_ONCE):
            numbers.extend(_EIGHT_NUMBERS.unpack(sha256(f"{self._name}{block}".encode()).digest()))
        self._block += _BLOCKS_AT_ONCE
        return numbers
