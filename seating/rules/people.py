"""Who takes which number of a plan: clubs, countries and teams on numbers that never meet."""

from collections.abc import Callable, Mapping, Sequence

from seating.rules.chance import limits
from seating.rules.stream import Dice

Rounds = list[list[list[int]]]
Weights = Mapping[tuple[int, int], int]

STAGES = 24


def people_on_numbers(
    rounds: Rounds,
    orders: Sequence[Sequence[int]],
    weights: Weights,
    dice: Dice,
    tries: int,
    *,
    target: int = 0,
    steps: Callable[[int], None] = lambda done: None,
) -> tuple[list[int], int]:
    """Return the person on each number so that weighted pairs meet as little as can be found, and their weight.

    Each order is a start: the person for number 0, for number 1 and so on. The best result wins.
    """
    best: list[int] = list(orders[0])
    if not weights:
        return best, 0
    lowest = -1
    for order in orders:
        room = _Room(rounds, order, weights)
        room.settle(dice, tries // len(orders), target, steps)
        if lowest < 0 or room.best < lowest:
            lowest, best = room.best, room.kept
        if lowest <= target:
            break
    return best, lowest


class _Room:
    """People on their numbers, and what their meetings weigh."""

    def __init__(self, rounds: Rounds, order: Sequence[int], weights: Weights) -> None:
        self.person = list(order)
        self.number = [0] * len(order)
        for number, person in enumerate(order):
            self.number[person] = number
        self.met = [[0] * len(order) for _ in order]
        for tables in rounds:
            for table in tables:
                for a in table:
                    for b in table:
                        self.met[a][b] += a != b
        self.partners: list[list[tuple[int, int]]] = [[] for _ in order]
        for (one, other), weight in weights.items():
            self.partners[one].append((other, weight))
            self.partners[other].append((one, weight))
        self.bound = [person for person, partners in enumerate(self.partners) if partners]
        self.cost = self.best = sum(
            weight * self.met[self.number[one]][self.number[other]]
            for (one, other), weight in weights.items()
        )
        self.kept = list(self.person)

    def settle(self, dice: Dice, tries: int, target: int, steps: Callable[[int], None]) -> None:
        """Exchange two numbers again and again by simulated annealing."""
        for stage in range(STAGES):
            if self.best <= target:
                return
            warmth = 32 - 30 * stage // (STAGES - 1)
            limit = limits((warmth, 1), largest=12 * warmth)
            done = 0
            while done * STAGES < tries and self.best > target:
                throws = dice.throw()
                self._exchanges(throws, limit, target)
                done += len(throws) // 2
            steps(done)

    def _exchanges(self, throws: list[int], limit: list[int], target: int) -> None:
        person, number, met, bound = self.person, self.number, self.met, self.bound
        count, people = len(bound), len(person)
        for throw, chance in zip(throws[::2], throws[1::2], strict=True):
            one = bound[throw % count]
            here, there = number[one], throw // count % people
            other = person[there]
            if one == other:
                continue
            met_here, met_there = met[here], met[there]
            change = 0
            for partner, weight in self.partners[one]:
                if partner != other:
                    place = number[partner]
                    change += weight * (met_there[place] - met_here[place])
            for partner, weight in self.partners[other]:
                if partner != one:
                    place = number[partner]
                    change += weight * (met_here[place] - met_there[place])
            if change <= 0 or (change < len(limit) and chance < limit[change]):
                person[here], person[there] = other, one
                number[one], number[other] = there, here
                self.cost += change
                if self.cost < self.best:
                    self.best, self.kept = self.cost, list(person)
                    if self.best <= target:
                        return
