"""Who is within the last place of a goal, in many finishes at once: most are surely above or below its edge. [RULES 1.7]"""

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from operator import add, eq, ge
from typing import NamedTuple

from scoring.standings.chances import lanes
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
        totals: list[float] = []
        for pool, adds, _ in self.parts:
            chosen = pool.chosen
            brought = [adds[chosen[at]] for at in finishes]
            totals = list(map(add, totals, brought)) if totals else brought
        return totals or [self.stands] * len(finishes)

    def in_lanes(self, count: int) -> int:
        """Return how many steps it is above the least of all, a lane for each finish."""
        return self.least * lanes.ones(count) + sum(part.table.lanes(part.pool.chosen) for part in self.parts)


AT_FIRST = 3
"""After so many halvings most players are seen to be above the edge of a goal or below it in all finishes."""


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
    """Looks for the edge of goals in some finishes.

    What lanes tell is never too much and never `rough` steps too little. So the edge is not below the highest bound that as
    many players as the goal has places reach in their lanes; and `rough` steps above a bound that fewer reach, all are above it.
    """

    def __init__(self, ruler: lanes.Ruler, totals: Sequence[Total], count: int) -> None:
        """Keep the lanes of whoever is asked for."""
        self.ruler, self.totals, self.size = ruler, totals, count
        self.every, self.finishes = lanes.ones(count), list(range(count))
        self._lanes: dict[int, int] = {}

    def reached(self, last: int) -> Reached:
        """Count how often each player is within a place."""
        if last >= len(self.totals):
            return Reached(Counter(dict.fromkeys(range(len(self.totals)), self.size)), {})
        least = sorted((total.least for total in self.totals), reverse=True)[last - 1]
        most = sorted((total.most for total in self.totals), reverse=True)[last - 1] + 1
        rough = self.ruler.rough
        sure = {who for who, total in enumerate(self.totals) if total.least >= most + rough}
        others = [
            who for who, total in enumerate(self.totals) if total.most >= least - rough and who not in sure
        ]
        low, high = least * self.every, most * self.every
        for rounds in (AT_FIRST, max(0, len(others).bit_length() - AT_FIRST)):
            low, high = self._closer(others, last - len(sure), low, high, rounds)
            others = self._sifted(others, sure, low - rough * self.every, high + rough * self.every)
        low, high = low - rough * self.every, high + rough * self.every
        above, near = 0, []
        for who in others:
            own = self._of(who)
            surely = lanes.at_least(own, high, self.every)
            above += surely
            perhaps = lanes.at_least(own, low, self.every) ^ surely
            finishes = list(compress(self.finishes, lanes.flags(perhaps, self.size)))
            near.append(_Near(who, surely, finishes, self.totals[who].at(finishes)))
        found = self._counted(near, last - len(sure), lanes.numbers(above, self.size))
        found.times.update(dict.fromkeys(sure, self.size))
        return Reached(found.times, {at: (ahead + len(sure), who) for at, (ahead, who) in found.ties.items()})

    def _sifted(self, others: Sequence[int], sure: set[int], low: int, high: int) -> list[int]:
        """Leave out whoever is below the edge in all finishes, and whoever is above it in all: the latter are sure."""
        kept = []
        for who in others:
            own = self._of(who)
            if not lanes.at_least(own, low, self.every):
                continue
            if lanes.at_least(own, high, self.every) == self.every:
                sure.add(who)
            else:
                kept.append(who)
        return kept

    def _of(self, who: int) -> int:
        own = self._lanes.get(who)
        if own is None:
            own = self._lanes[who] = lanes.marked(self.totals[who].in_lanes(self.size), self.every)
        return own

    def _closer(
        self, others: Sequence[int], places: int, low: int, high: int, rounds: int
    ) -> tuple[int, int]:
        """Halve the room between a bound that enough players reach and one that fewer do, in all finishes at once."""
        every, enough = self.every, places * self.every
        known = [self._of(who) for who in others]
        for _ in range(rounds):
            middle = lanes.between(low, high, every)
            reach = sum([lanes.at_least(own, middle, every) for own in known])
            is_low = lanes.at_least(lanes.marked(reach, every), enough, every)
            low, high = lanes.chosen(is_low, middle, low), lanes.chosen(is_low, high, middle)
        return low, high

    def _counted(self, near: Sequence[_Near], places: int, above: Sequence[int]) -> Reached:
        """Find the edge of each finish among those near it, and count whom it leaves within."""
        totals: list[list[float]] = [[] for _ in range(self.size)]
        for one in near:
            deque(map(list.append, map(totals.__getitem__, one.finishes), one.totals), maxlen=0)
        edges = []
        ties: dict[int, tuple[int, list[int]]] = {}
        for at, ahead in enumerate(above):
            ordered = sorted(totals[at], reverse=True)
            edge = ordered[places - ahead - 1]
            edges.append(edge)
            if places - ahead < len(ordered) and ordered[places - ahead] == edge:
                ties[at] = ahead + ordered.index(edge), []
        times: Counter[int] = Counter()
        for who, surely, finishes, own in near:
            mine = list(map(edges.__getitem__, finishes))
            times[who] = surely.bit_count() + sum(map(ge, own, mine))
            for at in compress(finishes, map(eq, own, mine)):
                if at in ties:
                    ties[at][1].append(who)
        return Reached(times, ties)
