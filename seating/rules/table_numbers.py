"""Which table plays where: nobody comes back to a table number while another is left."""

from collections.abc import Callable, Collection, Mapping

from seating.rules.chance import limits
from seating.rules.stream import Dice

Rounds = list[list[list[int]]]

STAGES = 32
_HOTTEST, _COLDEST = 64, 25


def table_repeats(rounds: Rounds, players: int, visited: Mapping[tuple[int, int], int] | None = None) -> int:
    """Count the pairs of visits of one player to one table number."""
    visits = dict(visited or {})
    repeats = 0
    for tables in rounds:
        for number, table in enumerate(tables):
            for player in table:
                if player < players:
                    repeats += visits.get((player, number), 0)
                    visits[player, number] = visits.get((player, number), 0) + 1
    return repeats


def fewest_table_repeats(games: int, tables: int) -> int:
    """Count the pairs of visits that remain when one player's games are spread evenly over the tables."""
    if not tables:
        return 0
    each, more = divmod(games, tables)
    return tables * each * (each - 1) // 2 + more * each


def number_tables(
    rounds: Rounds,
    players: int,
    dice: Dice,
    tries: int,
    *,
    visited: Mapping[tuple[int, int], int] | None = None,
    pinned: Collection[tuple[int, int]] = (),
    target: int = 0,
    steps: Callable[[int], None] = lambda done: None,
) -> Rounds:
    """Exchange the numbers of tables within rounds, by simulated annealing, and return the best order seen."""
    if table_repeats(rounds, players, visited) <= target:
        return rounds
    order = _Order(rounds, players, visited or {}, pinned)
    for stage in range(STAGES):
        if order.best <= target or not order.choices:
            break
        warmth = _HOTTEST - (_HOTTEST - _COLDEST) * stage // (STAGES - 1)
        limit = limits((warmth, 100), largest=12)
        done = 0
        while done * STAGES < tries and order.best > target:
            throws = dice.throw()
            order.swaps(throws, limit, target)
            done += len(throws) // 2
        steps(done)
    return order.kept


class _Order:
    """The tables of every round in their order, with who visited which number how often."""

    def __init__(
        self,
        rounds: Rounds,
        players: int,
        visited: Mapping[tuple[int, int], int],
        pinned: Collection[tuple[int, int]],
    ) -> None:
        self.rounds = [list(tables) for tables in rounds]
        numbers = max((len(tables) for tables in rounds), default=0)
        self.visits = [
            [visited.get((player, number), 0) for number in range(numbers)] for player in range(players)
        ]
        for tables in rounds:
            for number, table in enumerate(tables):
                for player in table:
                    if player < players:
                        self.visits[player][number] += 1
        self.players = players
        fixed = set(pinned)
        free = [
            [number for number in range(len(tables)) if (r, number) not in fixed]
            for r, tables in enumerate(rounds)
        ]
        self.choices = [(r, numbers) for r, numbers in enumerate(free) if len(numbers) > 1]
        self.cost = self.best = table_repeats(rounds, players, visited)
        self.kept = [list(tables) for tables in rounds]
        self.seated = [[[p for p in table if p < players] for table in tables] for tables in rounds]

    def swaps(self, throws: list[int], limit: list[int], target: int) -> None:
        """Try a handful of exchanges."""
        visits, choices, seated = self.visits, self.choices, self.seated
        ways, highest = len(choices), len(limit)
        for throw, chance in zip(throws[::2], throws[1::2], strict=True):
            r, numbers = choices[throw % ways]
            throw //= ways
            count = len(numbers)
            one = numbers[throw % count]
            other = numbers[throw // count % count]
            if one == other:
                continue
            change = 0
            tables = seated[r]
            for player in tables[one]:
                seen = visits[player]
                change += seen[other] - seen[one] + 1
            for player in tables[other]:
                seen = visits[player]
                change += seen[one] - seen[other] + 1
            if change <= 0 or (change < highest and chance < limit[change]):
                self._exchange(r, one, other)
                self.cost += change
                if self.cost < self.best:
                    self.best = self.cost
                    self.kept = [list(tables) for tables in self.rounds]
                    if self.best <= target:
                        return

    def _exchange(self, r: int, one: int, other: int) -> None:
        for here, there in ((one, other), (other, one)):
            for player in self.seated[r][here]:
                self.visits[player][here] -= 1
                self.visits[player][there] += 1
        for tables in (self.rounds[r], self.seated[r]):
            tables[one], tables[other] = tables[other], tables[one]
