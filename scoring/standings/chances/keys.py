"""One number for all criteria that are sums: whoever has more stands ahead, exactly as criterion after criterion would say."""

from collections.abc import Collection, Sequence
from math import lcm
from typing import NamedTuple

from scoring.criteria import Criterion
from scoring.standings.book import Book, Share

EXACT = 2**53
"""Up to here a float counts exactly; floats are compared faster than other numbers."""


def sums_of(ranking: Sequence[Criterion]) -> tuple[Criterion, ...]:
    """Return the criteria from the first on that are sums or means; those behind them part equals alone."""
    found = []
    for criterion in ranking:
        if criterion.adds is None:
            break
        found.append(criterion)
    return tuple(found)


class Part(NamedTuple):
    """A criterion within the number: its weight, and what one GP moves it by."""

    criterion: Criterion
    weight: int
    by_point: int


class Keys:
    """Weights for the sums of a ranking, such that each outweighs all behind it. [RULES 1.7]

    A mean is counted as a sum times what makes the means of all entrants comparable, and where less is better, below zero.
    """

    def __init__(
        self,
        ranking: Sequence[Criterion],
        book: Book,
        games: Sequence[int],
        most_points: int,
        shares: Collection[Share],
        sessions: int,
    ) -> None:
        """Weigh the criteria for the games that each entrant will have, and for what a session may bring."""
        self.scale, self.factors, self._shares = book.scale, _factors(games), shares
        self.used: tuple[Criterion, ...] = sums_of(ranking)
        self.parts: tuple[Part, ...] = ()
        self.totals: list[list[int]] = []
        while self.used and not self._weigh(book, most_points, sessions):
            self.used = self.used[:-1]

    def _weigh(self, book: Book, most_points: int, sessions: int) -> bool:
        """Weigh the criteria; return whether all of them fit into one exact number."""
        self.totals = [self._totals(criterion, book) for criterion in self.used]
        weight, parts = 1, []
        largest = max(self.factors, default=1)
        for criterion, totals in zip(reversed(self.used), reversed(self.totals), strict=True):
            one = self._by_point(criterion)
            most = (abs(one) * most_points + self._most_of(criterion)) * sessions
            span = 2 * (max(map(abs, totals), default=0) + most * (largest if criterion.is_mean else 1)) + 1
            parts.append(Part(criterion, weight, one))
            weight *= span
        self.parts = tuple(reversed(parts))
        return weight <= EXACT

    def _most_of(self, criterion: Criterion) -> int:
        """Return what the share of a session adds at most."""
        return max((abs(self._added(criterion, 0, share)) for share in self._shares), default=0)

    def _by_point(self, criterion: Criterion) -> int:
        return self._added(criterion, 1, NOTHING) - self._added(criterion, 0, NOTHING)

    def _added(self, criterion: Criterion, points: int, share: Share) -> int:
        adds = criterion.adds
        value = adds(points, share, self.scale) if adds else 0
        return -value if criterion.less_is_better else value

    def _totals(self, criterion: Criterion, book: Book) -> list[int]:
        """Return what everybody has by a criterion so far; more is better."""
        if not criterion.is_mean:
            return [-int(key) for key in criterion.scale(book, []).keys]
        return [
            factor * sum(self._added(criterion, *row) for row in zip(games, shares, strict=True))
            for games, shares, factor in zip(book.games, book.shares, self.factors, strict=True)
        ]

    def base(self, number: int) -> int:
        """Return the number of an entrant as it stands."""
        return sum(part.weight * totals[number] for part, totals in zip(self.parts, self.totals, strict=True))

    @property
    def nothing(self) -> Share:
        """Return the share of nothing."""
        return NOTHING

    @property
    def by_point(self) -> int:
        """Return what one GP is worth."""
        return sum(part.weight * part.by_point for part in self.parts)

    def of_share(self, number: int, share: Share) -> int:
        """Return what a session's share is worth to an entrant, without its GP."""
        total = 0
        for criterion, weight, _ in self.parts:
            value = self._added(criterion, 0, share) * weight
            total += value * self.factors[number] if criterion.is_mean else value
        return total


NOTHING = Share(0, None, 0, rank=0, start=0)


def _factors(games: Sequence[int]) -> list[int]:
    common = lcm(*(count for count in games if count))
    return [common // count if count else 1 for count in games]
