"""Plans from one round that is turned: number "orbit, position", each later round a step further."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from seating.rules.algebra import group, splittings
from seating.rules.chance import limits
from seating.rules.classplan import Rounds
from seating.rules.stream import Dice

TABLE = 4
STEPS_AT_ONCE = 2048
_LIMITS = limits((3, 10), largest=6)


@dataclass(frozen=True)
class Shape:
    """How the numbers fall into orbits that turn and numbers that stand still."""

    cycles: tuple[int, ...]
    orbits: int
    still: int
    size: int = TABLE
    left_out: int = 0
    pairs_inside: bool = True
    same_position_apart: bool = False
    still_with_orbits: bool = field(default=False, repr=False)

    @property
    def turns(self) -> int:
        """Count the positions of an orbit, which is how often the round can be turned."""
        order = 1
        for cycle in self.cycles:
            order *= cycle
        return order

    @property
    def players(self) -> int:
        """Count the numbers."""
        return self.turns * self.orbits + self.still

    def sizes(self) -> list[int]:
        """List how many numbers each block of the round holds; the last one has no game."""
        blocks = [self.size] * ((self.players - self.left_out) // self.size)
        return [*blocks, self.left_out] if self.left_out else blocks

    def part(self, number: int) -> int:
        """Name the orbit that a number belongs to; those who stand still are dealt to the orbits in turn."""
        turning = self.turns * self.orbits
        return number // self.turns if number < turning else (number - turning) % self.orbits

    def turn(self, number: int, step: int) -> int:
        """Return the number that stands in a number's place after so many steps."""
        orbit, position = divmod(number, self.turns)
        return number if orbit >= self.orbits else orbit * self.turns + group(*self.cycles)[position][step]


def turned(shape: Shape, base: list[list[int]], steps: list[int]) -> Rounds:
    """Turn the base round by each step."""
    return [[[shape.turn(number, step) for number in block] for block in base] for step in steps]


def shapes(
    players: int, rounds: int, *, size: int = TABLE, left_out: int = 0, teams: bool = False
) -> Iterator[Shape]:
    """List the shapes worth a search, those first in which everybody changes table every round."""
    seated = players - left_out
    tables = seated // size
    for pairs_inside in (False, True):
        for still in range(max(4, players - 2 * rounds)):
            for turns in range(rounds, players // 2 + 1):
                if (players - still) % turns:
                    continue
                orbits = (players - still) // turns
                if pairs_inside:
                    fits = orbits >= size - 1
                else:
                    fits = still == 0 and orbits >= size and turns <= tables
                if teams:
                    fits = fits and orbits == size and still == 0
                for cycles in splittings(turns) if fits else ():
                    shape = Shape(cycles, orbits, still, size, left_out, pairs_inside, teams)
                    if room(shape) >= tables * size * (size - 1) // 2:
                        yield shape


def room(shape: Shape) -> int:
    """Count the differences that can be used; a round needs one for each pair at a table."""
    across = shape.orbits * (shape.orbits - 1) // 2 * (shape.turns - shape.same_position_apart)
    inside = shape.orbits * ((shape.turns - 1) // 2) if shape.pairs_inside else 0
    beside_others = shape.orbits - shape.still_with_orbits
    return across + inside + beside_others * shape.still


def differences(shape: Shape) -> tuple[list[list[int]], list[int]]:
    """Name for each pair of numbers the difference it uses, and say which names may not be used at all."""
    add, turns = group(*shape.cycles), shape.turns
    minus = [[row.index(a) for row in zip(*add, strict=True)] for a in range(turns)]
    names: dict[tuple[object, ...], int] = {("never",): 0}

    def name(a: int, b: int) -> int:
        (i, p), (j, q) = divmod(min(a, b), turns), divmod(max(a, b), turns)
        key: tuple[object, ...]
        if i >= shape.orbits or (
            j >= shape.orbits and shape.still_with_orbits and shape.part(max(a, b)) == i
        ):
            key = ("never",)
        elif j >= shape.orbits:
            key = ("still", i, max(a, b))
        elif i == j:
            step, back = minus[p][q], minus[q][p]
            never = step == back or not shape.pairs_inside
            key = ("never",) if never else ("inside", i, min(step, back))
        else:
            key = ("never",) if shape.same_position_apart and p == q else ("across", i, j, minus[p][q])
        return names.setdefault(key, len(names))

    table = [[name(a, b) for b in range(shape.players)] for a in range(shape.players)]
    return table, [1] + [0] * (len(names) - 1)


def search(
    shape: Shape, dice: Dice, tries: int, tick: Callable[[int], None] = lambda steps: None
) -> list[list[int]] | None:
    """Look for a round that uses no difference twice; None when the tries are used up."""
    names, used = differences(shape)
    blocks, home = _start(shape, dice)
    playing = [block for block in blocks if len(block) == shape.size]
    surplus = _surplus(names, used, playing)
    order = [number for block in blocks for number in block]
    for start in range(0, tries, STEPS_AT_ONCE // 2):
        if surplus == 0:
            break
        surplus = _anneal(shape, names, used, blocks, home, order, dice.throw(), surplus)
        tick(STEPS_AT_ONCE // 2 if start else 0)
    return [sorted(block) for block in blocks] if surplus == 0 else None


def _start(shape: Shape, dice: Dice) -> tuple[list[list[int]], list[int]]:
    """Fill the blocks in a random order, those who stand still apart from each other.

    Those without a game are of different orbits, so that they are others after every turn.
    """
    numbers = list(range(shape.players))
    throws = dice.throw()
    for last in range(len(numbers) - 1, 0, -1):
        other = throws[last % len(throws)] % (last + 1)
        numbers[last], numbers[other] = numbers[other], numbers[last]
    out = [orbit * shape.turns for orbit in range(shape.left_out)]
    numbers = [number for number in numbers if number not in out]
    numbers.sort(key=lambda number: number < shape.turns * shape.orbits)
    tables = len(numbers) // shape.size
    blocks = [numbers[table::tables] for table in range(tables)] + ([out] if out else [])
    home = [0] * shape.players
    for place, block in enumerate(blocks):
        for number in block:
            home[number] = place
    return blocks, home


def _may_wait(shape: Shape, waiting: list[int], leaves: int, comes: int) -> bool:
    """Return whether somebody may go without a game: nobody who stands still, nobody of another's orbit."""
    orbit = comes // shape.turns
    others = (number // shape.turns for number in waiting if number != leaves)
    return orbit < shape.orbits and orbit not in others


def _surplus(names: list[list[int]], used: list[int], blocks: list[list[int]]) -> int:
    surplus = 0
    for block in blocks:
        for place, a in enumerate(block):
            for b in block[:place]:
                surplus += used[names[a][b]] > 0
                used[names[a][b]] += 1
    return surplus


def _anneal(
    shape: Shape,
    names: list[list[int]],
    used: list[int],
    blocks: list[list[int]],
    home: list[int],
    order: list[int],
    throws: list[int],
    surplus: int,
) -> int:
    """Swap numbers of different blocks at a constant temperature until nothing is left over."""
    # One loop without more calls: it runs for every step of the search.
    count, size = len(order), shape.size
    for throw, chance in zip(throws[::2], throws[1::2], strict=True):
        a = throw % count
        b = throw // count % count
        block_a, block_b = blocks[home[a]], blocks[home[b]]
        if block_a is block_b:
            continue
        if len(block_a) != size and not _may_wait(shape, block_a, a, b):
            continue
        if len(block_b) != size and not _may_wait(shape, block_b, b, a):
            continue
        names_a, names_b = names[a], names[b]
        drop: list[int] = []
        take: list[int] = []
        if len(block_a) == size:
            mates = [x for x in block_a if x != a]
            drop = [names_a[x] for x in mates]
            take = [names_b[x] for x in mates]
        if len(block_b) == size:
            mates = [x for x in block_b if x != b]
            drop += [names_b[x] for x in mates]
            take += [names_a[x] for x in mates]
        change = 0
        for name in drop:
            used[name] -= 1
            if used[name]:
                change -= 1
        for name in take:
            if used[name]:
                change += 1
            used[name] += 1
        if change <= 0 or (change < len(_LIMITS) and chance < _LIMITS[change]):
            block_a[block_a.index(a)], block_b[block_b.index(b)] = b, a
            home[a], home[b] = home[b], home[a]
            surplus += change
            if surplus == 0:
                return 0
        else:
            for name in take:
                used[name] -= 1
            for name in drop:
                used[name] += 1
    return surplus
