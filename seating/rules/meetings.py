"""Fewer repeated meetings in a plan that already stands: swaps within rounds, sometimes uphill."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from seating.rules.chance import limits
from seating.rules.stream import Dice

Rounds = list[list[list[int]]]
Steps = Callable[[int], None]

UNIT = 20
SHORT_AGAIN = 40 * UNIT
STAGES = 48
_HOTTEST, _COLDEST = 14, 3
SEATS = 4


def again(meetings: int) -> int:
    """Price the next meeting of two who have met so often: two pairs met twice are better than one met thrice."""
    return UNIT * meetings + meetings * (meetings - 1)


@dataclass
class Meetings:
    """A plan under change: tables of numbers, pairs that cost extra, earlier meetings and shortness.

    A table of three holds `nobody`, who also sits with each one left over, so that being short is a meeting
    with nobody.
    """

    players: int
    rounds: Rounds
    extra: Mapping[tuple[int, int], int] = field(default_factory=dict)
    met: Mapping[tuple[int, int], int] = field(default_factory=dict)
    short: Mapping[int, int] = field(default_factory=dict)
    pinned: Collection[tuple[int, int]] = ()

    def __post_init__(self) -> None:
        """Count who met whom."""
        self.nobody = self.players
        self._empty = self.players + 1
        width = self.players + 2
        self._times = [[0] * width for _ in range(width)]
        self._more = [[0] * width for _ in range(width)]
        self._less = [[0] * width for _ in range(width)]
        self._extra = [[0] * width for _ in range(width)]
        for (a, b), weight in self.extra.items():
            self._extra[a][b] = self._extra[b][a] = weight
        for (a, b), times in self.met.items():
            self._times[a][b] = self._times[b][a] = times
        for player, times in self.short.items():
            self._times[player][self.nobody] = times
        self._tables = [[self._filled(table) for table in tables] for tables in self.rounds]
        self._home = [{number: t for t in tables for number in t} for tables in self._tables]
        fixed = set(self.pinned)
        self._movable = [
            [
                number
                for table in tables
                for number in table
                if number < self.players and (r, number) not in fixed
            ]
            for r, tables in enumerate(self._tables)
        ]
        self.cost = 0
        for tables in self._tables:
            for table in tables:
                for place, a in enumerate(table):
                    for b in table[:place]:
                        self._count(a, b)
        for a, row in enumerate(self._times[: self.players]):
            for b, times in enumerate(row[: self.players + 1]):
                if times or self._extra[a][b]:
                    self._price(a, b)

    def _filled(self, table: Sequence[int]) -> list[int]:
        return [*table, *[self._empty] * (SEATS - len(table))]

    def _count(self, a: int, b: int) -> None:
        if self._empty in (a, b) or a == b:
            return
        player, other = min(a, b), max(a, b)
        times = self._times[player][other]
        if other == self.nobody:
            self.cost += SHORT_AGAIN * times
        else:
            self.cost += again(times) + self._extra[player][other]
        self._times[player][other] = times + 1
        if other != self.nobody:
            self._times[other][player] = times + 1

    def _price(self, a: int, b: int) -> None:
        """Say what one meeting more of the two costs and one less saves."""
        times = self._times[a][b]
        if b == self.nobody:
            self._more[a][b] = SHORT_AGAIN * times
            self._less[a][b] = SHORT_AGAIN * (times - 1) if times else 0
            return
        extra = self._extra[a][b]
        self._more[a][b] = self._more[b][a] = again(times) + extra
        self._less[a][b] = self._less[b][a] = (again(times - 1) + extra) if times else 0

    def result(self) -> Rounds:
        """Return the tables without their empty seats."""
        return [
            [[number for number in table if number != self._empty] for table in tables]
            for tables in self._tables
        ]

    def improve(
        self,
        dice: Dice,
        tries: int,
        *,
        target: int = 0,
        hottest: int = _HOTTEST,
        steps: Steps = lambda done: None,
    ) -> None:
        """Swap two players of a round again and again, warm at first, and keep the best plan seen."""
        best = _Best(self)
        for stage in range(STAGES):
            if best.cost <= target or not any(len(movable) > 1 for movable in self._movable):
                break
            warmth = hottest - (hottest - _COLDEST) * stage // (STAGES - 1)
            limit = limits((warmth, 1), largest=16 * warmth)
            done = 0
            while done * STAGES < tries:
                throws = dice.throw()
                self._swaps(throws, limit, best, target)
                done += len(throws) // 2
                if best.cost <= target:
                    break
            steps(done)
        if self.cost != best.cost:
            self._restore(best.rounds())

    def _restore(self, kept: Rounds) -> None:
        again_from = Meetings(self.players, kept, self.extra, self.met, self.short, self.pinned)
        self.__dict__.update(again_from.__dict__)

    def _swaps(self, throws: list[int], limit: list[int], best: "_Best", target: int) -> None:
        more, less, homes, movables = self._more, self._less, self._home, self._movable
        rounds, highest = len(movables), len(limit)
        for throw, chance in zip(throws[::2], throws[1::2], strict=True):
            r = throw % rounds
            throw //= rounds
            movable = movables[r]
            count = len(movable)
            if count < 2:
                continue
            a = movable[throw % count]
            b = movable[throw // count % count]
            home = homes[r]
            table_a, table_b = home[a], home[b]
            if table_a is table_b:
                continue
            less_a, less_b = less[a], less[b]
            p, q, s, t = table_a
            u, v, w, x = table_b
            saved = (
                less_a[p] + less_a[q] + less_a[s] + less_a[t] + less_b[u] + less_b[v] + less_b[w] + less_b[x]
            )
            if not saved:
                continue
            more_a, more_b = more[a], more[b]
            change = (
                more_b[p] + more_b[q] + more_b[s] + more_b[t]
                + more_a[u] + more_a[v] + more_a[w] + more_a[x]
                - more_a[b] - more_b[a] - saved
            )  # fmt: skip
            if change <= 0 or (change < highest and chance < limit[change]):
                self._swap(r, a, b)
                self.cost += change
                if self.cost < best.cost:
                    best.is_now(self.cost)
                    if self.cost <= target:
                        break
                else:
                    best.is_left(r, a, b)

    def _swap(self, r: int, a: int, b: int) -> None:
        home = self._home[r]
        table_a, table_b = home[a], home[b]
        times, nobody = self._times, self.nobody
        for moving, leaves, enters, other in ((a, table_a, table_b, b), (b, table_b, table_a, a)):
            for mate, by in [(x, -1) for x in leaves if x != moving] + [(x, 1) for x in enters if x != other]:
                if mate > nobody:
                    continue
                times[moving][mate] += by
                if mate != nobody:
                    times[mate][moving] += by
                self._price(moving, mate)
        table_a[table_a.index(a)], table_b[table_b.index(b)] = b, a
        home[a], home[b] = table_b, table_a


class _Best:
    """The best plan seen, known by who sat then where others sit now, so that a better one costs no copy."""

    def __init__(self, plan: Meetings) -> None:
        self.cost = plan.cost
        self._plan = plan
        self._sat: dict[tuple[int, int], int] = {}

    def is_now(self, cost: int) -> None:
        """Take the plan as it is for the best."""
        self.cost = cost
        self._sat.clear()

    def is_left(self, r: int, a: int, b: int) -> None:
        """Note that two have changed places and the plan is no better for it."""
        sat = self._sat
        sat[r, a], sat[r, b] = sat.get((r, b), b), sat.get((r, a), a)

    def rounds(self) -> Rounds:
        """Return the tables of the best plan."""
        return [
            [[self._sat.get((r, number), number) for number in table] for table in tables]
            for r, tables in enumerate(self._plan.result())
        ]
