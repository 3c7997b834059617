"""The audit of papers: which tables are drawn, where paper and record differ, and how sure one can be of the rest. [RULES 9.25]"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import zip_longest
from math import comb

METHOD = "four-winds-audit/1"
RISK = 0.05
"""How often the bound may be wrong."""

Place = tuple[int, int]
"""A table by the number of its session and its own."""
Points = Mapping[str, int]


def drawn(seed: str, tables: Sequence[Place], size: int) -> list[Place]:
    """Return the tables to compare: those whose digests with the seed come first, so that everybody can draw them again."""
    return sorted(sorted(tables, key=lambda table: digest(seed, table))[:size])


def digest(seed: str, table: Place) -> str:
    """Return the number in a table's lot: SHA-256 of seed, session and table."""
    return sha256(f"{METHOD}:{seed}:{table[0]}:{table[1]}".encode()).hexdigest()


@dataclass(frozen=True)
class Difference:
    """A hand that paper and record tell otherwise; None where one of them has no such hand."""

    hand: int
    recorded: Points | None
    paper: Points | None

    def changes(self) -> dict[str, int]:
        """Return by how much each total would change if the paper were right."""
        before, after = self.recorded or {}, self.paper or {}
        return {seat: after.get(seat, 0) - before.get(seat, 0) for seat in {**before, **after}}


def differences(recorded: Sequence[Points], paper: Sequence[Points]) -> Iterator[Difference]:
    """List the hands that differ, in order."""
    for number, (one, other) in enumerate(zip_longest(recorded, paper), start=1):
        if one is None or other is None or dict(one) != dict(other):
            yield Difference(number, one, other)


def most_wrong(tables: int, compared: int, found: int) -> int:
    """Return how many of all tables may differ at most, if chance drew those compared, with 95 % confidence.

    The bound is exact: with one more such table among them, no more than were found would be found in 5 % of draws at most.
    """
    wrong = found
    while wrong < tables - (compared - found) and _no_more_than(found, tables, wrong + 1, compared) > RISK:
        wrong += 1
    return wrong


def _no_more_than(found: int, tables: int, wrong: int, compared: int) -> float:
    ways = sum(comb(wrong, k) * comb(tables - wrong, compared - k) for k in range(min(found, wrong) + 1))
    return ways / comb(tables, compared)
