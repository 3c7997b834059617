"""Table numbers by matching: one round after another is numbered anew, in the best way there is beside all the others.

Swaps of two numbers stop where only a longer ring of exchanges helps; a matching of the tables of a round with its numbers is the
best of all their orders at once.
"""

from collections.abc import Callable, Collection, Mapping, Sequence

from seating.rules.stream import Dice
from seating.rules.table_numbers import Rounds, table_repeats

MOST_PASSES = 80
STEPS = 12_000_000
_FINE = 8
_COUNTED = 2048


def match_numbers(
    rounds: Rounds,
    players: int,
    dice: Dice,
    *,
    visited: Mapping[tuple[int, int], int],
    pinned: Collection[tuple[int, int]],
    target: int,
    steps: Callable[[int], None],
) -> Rounds:
    """Renumber whole rounds until nobody must return to a table or all passes are used; return the best order seen."""
    kept, best = rounds, table_repeats(rounds, players, visited)
    if best <= target:
        return kept
    order = _Order(rounds, players, visited, pinned)
    for _ in range(min(MOST_PASSES, STEPS // (len(rounds) * order.numbers**3))):
        for r in range(len(rounds)):
            order.number_anew(r, dice)
        returns = table_repeats(order.rounds, players, visited)
        if returns < best:
            kept, best = [list(tables) for tables in order.rounds], returns
        steps(_COUNTED)
        if best <= target:
            break
    return kept


class _Order:
    """The tables of every round in their order, with who visited which number how often."""

    def __init__(
        self,
        rounds: Rounds,
        players: int,
        visited: Mapping[tuple[int, int], int],
        pinned: Collection[tuple[int, int]],
    ) -> None:
        self.rounds, self.players = [list(tables) for tables in rounds], players
        self.numbers = max(map(len, rounds))
        self.visits = [
            [visited.get((player, number), 0) for number in range(self.numbers)] for player in range(players)
        ]
        fixed = set(pinned)
        self.free = [
            [number for number in range(len(tables)) if (r, number) not in fixed]
            for r, tables in enumerate(rounds)
        ]
        self.throws: list[int] = []
        for r in range(len(rounds)):
            self._count(r, 1)

    def number_anew(self, r: int, dice: Dice) -> None:
        """Number the free tables of a round so that returns are fewest; among equal orders chance decides."""
        free, tables = self.free[r], self.rounds[r]
        while len(self.throws) < len(free) ** 2:
            self.throws += dice.throw()
        self._count(r, -1)
        moving = [[player for player in tables[number] if player < self.players] for number in free]
        costs = [
            [
                _FINE * sum(self.visits[player][number] for player in table) + (self.throws.pop() % 3 == 0)
                for number in free
            ]
            for table in moving
        ]
        whole = [tables[number] for number in free]
        for table, place in zip(whole, cheapest_matching(costs), strict=True):
            tables[free[place]] = table
        self._count(r, 1)

    def _count(self, r: int, times: int) -> None:
        for number, table in enumerate(self.rounds[r]):
            for player in table:
                if player < self.players:
                    self.visits[player][number] += times


def cheapest_matching(costs: Sequence[Sequence[int]]) -> list[int]:
    """Return for each row its column, every column once, so that the sum of costs is least (the Hungarian method)."""
    size = len(costs)
    of_rows, of_columns, owners = [0] * (size + 1), [0] * (size + 1), [0] * (size + 1)
    for row in range(1, size + 1):
        owners[0] = row
        column, before = _cheapest_path(costs, of_rows, of_columns, owners)
        while column:
            owners[column] = owners[before[column]]
            column = before[column]
    columns = [0] * size
    for column in range(1, size + 1):
        columns[owners[column] - 1] = column - 1
    return columns


def _cheapest_path(
    costs: Sequence[Sequence[int]], of_rows: list[int], of_columns: list[int], owners: list[int]
) -> tuple[int, list[int]]:
    """Find the cheapest way from the new row over taken columns to a free one: that column, and which comes before each.

    Rows and columns are numbered from 1; column 0 stands for the new row. The potentials of both are kept such that no
    cost is below their sum.
    """
    size = len(costs)
    least, before, seen = [sum(map(sum, costs)) + 1] * (size + 1), [0] * (size + 1), [False] * (size + 1)
    column = 0
    while owners[column]:
        seen[column] = True
        row, following, step = owners[column], 0, least[0]
        line, of_row = costs[row - 1], of_rows[row]
        for other in range(1, size + 1):
            if seen[other]:
                continue
            cost = line[other - 1] - of_row - of_columns[other]
            if cost < least[other]:
                least[other], before[other] = cost, column
            if least[other] < step:
                step, following = least[other], other
        for other in range(size + 1):
            if seen[other]:
                of_rows[owners[other]] += step
                of_columns[other] -= step
            else:
                least[other] -= step
        column = following
    return column, before
