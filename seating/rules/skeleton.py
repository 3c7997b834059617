"""The best known plan for so many numbers: who meets whom and at which table, before anybody has a number."""

from collections.abc import Iterator
from dataclasses import dataclass

from seating.rules.bounds import spread
from seating.rules.classplan import Rounds, class_plan, round_robin
from seating.rules.meetings import UNIT, Meetings
from seating.rules.progress import Steps, nothing
from seating.rules.stored import found, stored
from seating.rules.stream import Dice, Stream
from seating.rules.table_numbers import fewest_table_repeats, number_tables, table_repeats
from seating.rules.turned import Shape, search, shapes, turned

CHANCE = "four-winds"
SEARCH_TRIES = (20_000, 100_000, 400_000)
SEARCH_TOTAL = 1_000_000
SHAPES_TRIED = 8
PLANS_COMPARED = 6
WHOLE_PLAN_TRIES = 1_500_000
TRIES_FOR_EACH = 30_000
WARMTHS = (6, 9, 14)
QUICK_TABLE_TRIES = 60_000
TABLE_TRIES = 500_000
_PLAN_WITHOUT_REPEAT_MISSING = {20: 5}


@dataclass(frozen=True)
class Skeleton:
    """Tables of numbers round by round, in the order of table numbers; numbers not in a round have no game.

    Numbers fall, in their order, into parts of these sizes; nobody meets anybody of the same part.
    """

    rounds: Rounds
    players: int
    repeats: int
    table_repeats: int
    parts: tuple[int, ...]


def clean_rounds(players: int, size: int = 4) -> int:
    """Count the rounds in which nobody need meet anybody twice, as far as is known.

    In twos everybody plays everybody; with an odd one out a round more. Else, with fewer tables than seats at one, two of a table are at one table again in the next round.
    """
    if size == 2:
        return players - 1 + players % 2
    most = (players - 1) // (size - 1)
    tables = (players + (size == 4 and players % 4 == 3)) // size
    if tables < size:
        most = min(most, 1)
    return min(most, _PLAN_WITHOUT_REPEAT_MISSING.get(players, most)) if size == 4 else most


def left_out(players: int, size: int) -> int:
    """Count those without a game when everybody is present; three left over of four play. [SBR 3.1.3] [SBR 3.1.4]"""
    remainder = players % size
    return 0 if size == 4 and remainder == 3 else remainder


def skeleton(
    players: int,
    rounds: int,
    size: int = 4,
    *,
    teams: bool = False,
    later: bool = True,
    steps: Steps = nothing,
) -> Skeleton:
    """Return the best plan found; the same numbers always have the same plan.

    Plans that were found `later` than the first method are left out for those who work by it.
    """
    key = players, rounds, size, teams, later
    known = _known.get(key)
    if known is None:
        known = _known[key] = _find(players, rounds, size, teams, later, steps)
        if len(_known) > _KEPT:
            _known.pop(next(iter(_known)))
    return known


_KEPT = 64
_known: dict[tuple[int, int, int, bool, bool], Skeleton] = {}


def _find(players: int, rounds: int, size: int, teams: bool, later: bool, steps: Steps) -> Skeleton:
    whole = players + 1 if size == 4 and players % 4 == 3 else players
    if not teams and (plan := found(players, rounds, size, later=later)):
        return Skeleton(plan, players, _repeats(plan), table_repeats(plan, players), _parts(plan, players))
    target = even_tables(players, rounds, size)
    plans: list[Skeleton] = []
    for candidate in _clean(whole, rounds, size, teams, steps):
        plans.append(numbered(without(candidate, players), players, target, QUICK_TABLE_TRIES, steps))
        if plans[-1].table_repeats <= target:
            return plans[-1]
    if not plans:
        return _annealed(players, whole, rounds, size, target, steps)
    plans.sort(key=lambda plan: plan.table_repeats)
    longer = [numbered(plan.rounds, players, target, TABLE_TRIES, steps) for plan in plans[:2]]
    return min([*longer, *plans], key=lambda plan: plan.table_repeats)


def even_tables(players: int, rounds: int, size: int) -> int:
    """Count the returns to table numbers that remain when everybody visits all tables evenly."""
    tables = (players + 1) // size if size == 4 else players // size
    return 0 if rounds <= tables else players * fewest_table_repeats(rounds, tables)


def without(rounds: Rounds, players: int) -> Rounds:
    """Leave away the numbers that nobody has."""
    return [[[number for number in table if number < players] for table in tables] for tables in rounds]


def numbered(rounds: Rounds, players: int, target: int, tries: int, steps: Steps) -> Skeleton:
    """Number the tables of a plan."""
    dice = Dice(CHANCE, f"tables/{players}/{len(rounds)}")
    ordered = number_tables(rounds, players, dice, tries, target=target, steps=steps)
    repeats, returns = _repeats(ordered), table_repeats(ordered, players)
    return Skeleton(ordered, players, repeats, returns, _parts(ordered, players))


def _parts(rounds: Rounds, players: int) -> tuple[int, ...]:
    """Return the largest equal parts into which the numbers fall, in their order, without a meeting inside a part."""
    met = [0] * players
    for tables in rounds:
        for table in tables:
            mask = sum(1 << number for number in table)
            for number in table:
                met[number] |= mask & ~(1 << number)
    for size in range(-(-players // 4), 1, -1):
        part = (1 << size) - 1
        if all(not met[n] & (part << n // size * size) for n in range(players)):
            return tuple(min(size, players - start) for start in range(0, players, size))
    return (1,) * players


def _repeats(rounds: Rounds) -> int:
    met: dict[tuple[int, int], int] = {}
    for tables in rounds:
        for table in tables:
            for a in table:
                for b in table:
                    if a < b:
                        met[a, b] = met.get((a, b), 0) + 1
    return sum(times * (times - 1) // 2 for times in met.values())


def _clean(players: int, rounds: int, size: int, teams: bool, steps: Steps) -> Iterator[Rounds]:
    """List plans without a repeat, the likely best first; for teams only such as were made for them."""
    out = left_out(players, size)
    if size == 2:
        yield from filter(None, [round_robin(players, rounds)])
        return
    if out == 0:
        plans = (class_plan(players // size, rounds, size=size, first_step=step) for step in (1, 0))
        plan = next(filter(None, plans), None)
        if plan and not teams:
            yield plan
        if size == 4:
            for known in stored(players, rounds, teams=teams):
                yield known[:rounds]
    most = clean_rounds(players - out, size)
    if rounds > most + (out > 0 and most > 1):
        return
    yield from _searched(players, rounds, size, out, teams, steps)


def _searched(players: int, rounds: int, size: int, out: int, teams: bool, steps: Steps) -> Iterator[Rounds]:
    """Search for one round that gives a plan when turned, longer each time; a shape that gave one is not used again."""
    open_shapes = list(_some(shapes(players, rounds, size=size, left_out=out, teams=teams)))
    yielded = 0
    for tries in SEARCH_TRIES:
        for shape in list(open_shapes[: max(1, SEARCH_TOTAL // tries)]):
            base = search(shape, Dice(CHANCE, f"turned/{shape}/{tries}"), tries, steps)
            if base is None:
                continue
            open_shapes.remove(shape)
            yield played(turned(shape, base, list(range(rounds))), shape)
            yielded += 1
            if yielded == PLANS_COMPARED:
                return
        if yielded:
            return


def _some(all_shapes: Iterator[Shape]) -> Iterator[Shape]:
    """Take a few shapes with everybody changing tables and a few of the others."""
    taken = {False: 0, True: 0}
    for shape in all_shapes:
        if taken[shape.pairs_inside] < SHAPES_TRIED:
            taken[shape.pairs_inside] += 1
            yield shape
        elif shape.pairs_inside:
            return


def played(rounds: Rounds, shape: Shape) -> Rounds:
    """Leave away the block of those without a game."""
    return [tables[:-1] for tables in rounds] if shape.left_out else rounds


def _annealed(players: int, whole: int, rounds: int, size: int, target: int, steps: Steps) -> Skeleton:
    """Improve the whole plan by simulated annealing, beginning with rounds without repeats as far as there are any."""
    plans: list[Skeleton] = []
    tries = min(WHOLE_PLAN_TRIES, TRIES_FOR_EACH * players)
    for attempt, warmth in enumerate(WARMTHS):
        dice = Dice(CHANCE, f"whole/{players}/{rounds}/{size}/{attempt}")
        meetings = Meetings(players, _start(players, whole, rounds, size, attempt))
        least = least_repeats(players, rounds, size)
        meetings.improve(dice, tries, target=UNIT * least, hottest=warmth, steps=steps)
        plan = [
            [[n for n in table if n < players] for table in tables if _plays(table, players, size)]
            for tables in meetings.result()
        ]
        plans.append(numbered(plan, players, target, QUICK_TABLE_TRIES, steps))
    best = min(plans, key=lambda plan: (plan.repeats, plan.table_repeats))
    longer = numbered(best.rounds, players, target, TABLE_TRIES, steps)
    return min(longer, best, key=lambda plan: plan.table_repeats)


def least_repeats(players: int, rounds: int, size: int) -> int:
    """Return a number of repeats that no plan undercuts when everybody is there; 0 where some are left over."""
    if players % size:
        return 0
    tables = players // size
    by_players = -(-players * spread(rounds * (size - 1), players - 1) // 2)
    by_rounds = rounds * (rounds - 1) // 2 * tables * spread(size, tables)
    return max(by_players, by_rounds)


def _plays(table: list[int], players: int, size: int) -> bool:
    return len([number for number in table if number < players]) >= min(size, 3)


def _start(players: int, whole: int, rounds: int, size: int, attempt: int) -> Rounds:
    """Take clean rounds where some are stored and deal the others by chance."""
    clean: Rounds = []
    if size == 4 and attempt < len(WARMTHS) - 1:
        longest = max(stored(whole, 1), key=len, default=[])
        clean = [[[min(n, players) for n in table] for table in tables] for tables in longest[:rounds]]
    chance = Stream(f"{CHANCE}/start/{players}/{rounds}/{attempt}")
    return [*clean, *(_dealt(chance.shuffled(range(players)), size) for _ in range(rounds - len(clean)))]


def _dealt(order: list[int], size: int) -> list[list[int]]:
    """Deal people in order; nobody fills a table of three and sits beside each one left over."""
    nobody = len(order)
    playing = len(order) - left_out(len(order), size)
    tables = [order[place : place + size] for place in range(0, playing, size)]
    if len(tables[-1]) < size:
        tables[-1].append(nobody)
    return [*tables, *([number, nobody] for number in order[playing:])]
