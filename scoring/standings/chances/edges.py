"""Who is within the last place of a goal, in many finishes at once: most are surely above or below its edge. [RULES 1.7]"""

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from math import inf, nan
from operator import add, eq, ge, itemgetter
from typing import NamedTuple

from scoring.standings.chances import lanes
from scoring.standings.chances.brackets import Bracket, bracket_of
from scoring.standings.chances.outcomes import Ways


@dataclass
class Pool:
    """The ways for one table to end, and by player what each of them adds; which of them each finish chose."""

    ways: Ways | None
    adds: list[tuple[int, list[float]]]
    chosen: Sequence[int] = ()


class Part(NamedTuple):
    """What one table brings a player: what each of its ways adds, and the same for lanes."""

    pool: Pool
    adds: list[float]
    table: lanes.Table


class Total(NamedTuple):
    """A player's total: what stands already, what tables bring, and between how many steps of the ruler it lies."""

    stands: float
    parts: list[Part]
    least: int
    most: int

    def at(self, finishes: Sequence[int]) -> list[float]:
        """Return the totals in some finishes."""
        if len(finishes) < 2:
            return [
                self.stands + sum(adds[pool.chosen[at]] for pool, adds, _ in self.parts) for at in finishes
            ]
        those = itemgetter(*finishes)
        totals: list[float] = []
        for pool, adds, _ in self.parts:
            brought = map(adds.__getitem__, those(pool.chosen))
            totals = list(map(add, totals, brought)) if totals else list(brought)
        return totals or [self.stands] * len(finishes)

    def in_lanes(self, count: int) -> int:
        """Return how many steps it is above the least of all, a lane for each finish."""
        return self.least * lanes.ones(count) + sum(part.table.lanes(part.pool.chosen) for part in self.parts)


TOP_PLACES = 12
"""Goals within so many places are looked for together, and everybody above their edges is looked at."""


class Reached(NamedTuple):
    """How often each player was within the last place of a goal, equals included; and where equals go beyond it.

    There it tells how many stand above them, and who they are.
    """

    times: Counter[int]
    ties: dict[int, tuple[int, list[int]]]


class _Near(NamedTuple):
    """A player near an edge: in which finishes surely above it, and in which perhaps, with the totals there."""

    who: int
    above: int
    finishes: list[int]
    totals: list[float]


class Edges:
    """Looks for the edges of goals in some finishes.

    What lanes tell is never too much and never `rough` steps too little. So whoever is `rough` steps below the edge in lanes is below
    it, and whoever reaches a bound in lanes reaches it.
    """

    def __init__(
        self, ruler: lanes.Ruler, totals: Sequence[Total], count: int, looked_at: Sequence[Sequence[float]]
    ) -> None:
        """Keep the lanes of whoever is asked for; `looked_at` holds all totals of some finishes in ascending order."""
        self.ruler, self.totals, self.size, self.looked_at = ruler, totals, count, looked_at
        self.every = lanes.ones(count)
        self._lanes: dict[int, int] = {}

    def reached(self, places: Iterable[int]) -> dict[int, Reached]:
        """Count how often each player is within each of some places."""
        found, top = {}, []
        for last in sorted(set(places)):
            if last >= len(self.totals):
                found[last] = Reached(Counter(dict.fromkeys(range(len(self.totals)), self.size)), {})
            elif last <= TOP_PLACES:
                top.append(last)
            else:
                found |= self._group([last], is_open=False)
        return found | self._group(top, is_open=True) if top else found

    def _group(self, places: Sequence[int], *, is_open: bool) -> dict[int, Reached]:
        """Count for places whose edges lie close together; leave out whoever cannot be near them in any finish."""
        rough = self.ruler.rough
        least = sorted((total.least for total in self.totals), reverse=True)[places[-1] - 1]
        most = sorted((total.most for total in self.totals), reverse=True)[places[0] - 1] + 1
        sure = {who for who, total in enumerate(self.totals) if total.least >= most + rough}
        others = [
            who for who, total in enumerate(self.totals) if total.most >= least - rough and who not in sure
        ]
        bracket = bracket_of(self.ruler, self.looked_at, places[-1], len(others), is_open=is_open)
        low, high = self._bounds(bracket, others, places[-1], len(sure))
        high += rough * self.every
        found = self._counted(others, [last - len(sure) for last in places], low, None if is_open else high)
        return {
            last: Reached(
                one.times + Counter(dict.fromkeys(sure, self.size)),
                {at: (ahead + len(sure), who) for at, (ahead, who) in one.ties.items()},
            )
            for last, one in zip(places, found, strict=True)
        }

    def _bounds(self, bracket: Bracket, others: Sequence[int], places: int, sure: int) -> tuple[int, int]:
        """Return for each finish the bounds between which the edge should lie."""
        guess, every = bracket.guess, self.every
        least, most = [[self._kept(guess + of) for of in ends] for ends in zip(*bracket.bounds, strict=True)]
        if len(bracket.bounds) == 1:
            return least[0] * every, most[0] * every
        above = lanes.numbers(self._reach(guess * every, others, sure), self.size)
        low = lanes.of_numbers(map(least.__getitem__, above), self.size)
        high = lanes.of_numbers(map(most.__getitem__, above), self.size)
        for _ in range(bracket.halvings):
            middle = lanes.between(low, high, every)
            reach = lanes.marked(self._reach(middle, others, sure), every)
            is_low = lanes.at_least(reach, places * every, every)
            low, high = lanes.chosen(is_low, middle, low), lanes.chosen(is_low, high, middle)
        return low, high

    def _reach(self, bounds: int, others: Sequence[int], sure: int) -> int:
        """Count in each finish how many reach a bound."""
        every = self.every
        return sum([lanes.at_least(self._of(who), bounds, every) for who in others]) + sure * every

    def _kept(self, steps: int) -> int:
        """Keep a guess within a lane."""
        rough = self.ruler.rough
        return min(max(steps, 2 * rough), lanes.TOP - 1 - 2 * rough)

    def _of(self, who: int) -> int:
        own = self._lanes.get(who)
        if own is None:
            own = self._lanes[who] = lanes.marked(self.totals[who].in_lanes(self.size), self.every)
        return own

    def _counted(
        self, others: Sequence[int], places: Sequence[int], low: int, high: int | None
    ) -> list[Reached]:
        """Look at whoever is between the bounds; finishes whose edges are not between them are looked at whole."""
        near = self._near(others, low, high)
        above = lanes.numbers(sum([one.above for one in near]), self.size)
        rows: list[list[float]] = [[-inf] for _ in range(self.size)]
        for one in near:
            deque(map(list.append, map(rows.__getitem__, one.finishes), one.totals), maxlen=0)
        for row in rows:
            row.sort(reverse=True)
        wrong = self._wrong(rows, above, places, low, high)
        for at in wrong:
            rows[at], above[at] = [nan] * (places[-1] - places[0] + 2), places[0] - 1
        whole = self._whole(wrong, others)
        return [self._within(last, near, rows, above, whole, others) for last in places]

    def _wrong(
        self,
        rows: Sequence[Sequence[float]],
        above: Sequence[int],
        places: Sequence[int],
        low: int,
        high: int | None,
    ) -> list[int]:
        """Name the finishes whose edges are not surely between the bounds."""
        first, last = places[0], places[-1]
        wrong = [
            at
            for at, (row, ahead, least) in enumerate(zip(rows, above, self._as_totals(low), strict=True))
            if ahead >= first or last - ahead >= len(row) or row[last - ahead - 1] < least
        ]
        if high is None:
            return wrong
        known = set(wrong)
        over = enumerate(zip(rows, above, self._as_totals(high), strict=True))
        return [
            *wrong,
            *(at for at, (row, ahead, most) in over if at not in known and row[first - ahead - 1] >= most),
        ]

    def _as_totals(self, bounds: int) -> list[float]:
        least, step, rough = self.ruler
        return [least + (steps - rough) * step for steps in lanes.numbers(bounds, self.size)]

    def _near(self, others: Sequence[int], low: int, high: int | None) -> list[_Near]:
        """Part everybody into finishes where they are surely above, and those where they may be at the edge."""
        near = []
        least, most = low - self.ruler.rough * self.every, high
        from_ = min(lanes.numbers(least, self.size))
        for who in others:
            total = self.totals[who]
            if total.most < from_:
                continue
            own = self._of(who)
            perhaps = lanes.at_least(own, least, self.every)
            surely = 0
            if most is not None and perhaps:
                surely = lanes.at_least(own, most, self.every)
                perhaps ^= surely
            if surely or perhaps:
                finishes = lanes.positions(perhaps, self.size)
                near.append(_Near(who, surely, finishes, total.at(finishes)))
        return near

    def _whole(self, finishes: Sequence[int], others: Sequence[int]) -> dict[int, Sequence[float]]:
        """Return everybody's totals in some finishes."""
        if not finishes:
            return {}
        rows = zip(*(self.totals[who].at(finishes) for who in others), strict=True)
        return dict(zip(finishes, rows, strict=True))

    def _within(
        self,
        last: int,
        near: Sequence[_Near],
        rows: Sequence[Sequence[float]],
        above: Sequence[int],
        whole: Mapping[int, Sequence[float]],
        others: Sequence[int],
    ) -> Reached:
        """Find the edge of each finish, and count whom it leaves within."""
        edges = [row[last - ahead - 1] for row, ahead in zip(rows, above, strict=True)]
        after = [row[last - ahead] for row, ahead in zip(rows, above, strict=True)]
        ties: dict[int, tuple[int, list[int]]] = {
            at: (above[at] + rows[at].index(edges[at]), [])
            for at in compress(range(self.size), map(eq, edges, after))
        }
        good = self.every - sum(1 << at * lanes.WIDTH for at in whole)
        times: Counter[int] = Counter()
        for who, surely, finishes, own in near:
            mine = list(map(edges.__getitem__, finishes))
            times[who] = (surely & good).bit_count() + sum(map(ge, own, mine))
            for at in compress(finishes, map(eq, own, mine)):
                if at in ties:
                    ties[at][1].append(who)
        for at, row in whole.items():
            ordered = sorted(row, reverse=True)
            edge = ordered[last - 1]
            times.update(compress(others, map(edge.__le__, row)))
            if ordered[last : last + 1] == [edge]:
                ties[at] = ordered.index(edge), list(compress(others, map(edge.__eq__, row)))
        return Reached(times, ties)
