"""Plans whose numbers fall into a few large parts that never meet inside: for clubs that fill them."""

from collections.abc import Iterator, Sequence

from seating.rules.algebra import splittings
from seating.rules.classplan import Rounds
from seating.rules.progress import Steps
from seating.rules.skeleton import (
    CHANCE,
    QUICK_TABLE_TRIES,
    TABLE_TRIES,
    Skeleton,
    even_tables,
    left_out,
    numbered,
    played,
    without,
)
from seating.rules.stored import in_parts, parted_base
from seating.rules.stream import Dice
from seating.rules.turned import Shape, room, search, turned

TRIES = (20_000, 100_000, 300_000)
SHAPES_TRIED = 6
_KEPT = 64
_known: dict[tuple[int, int, int, tuple[int, ...]], Skeleton | None] = {}


def parted(players: int, rounds: int, size: int, groups: Sequence[int], *, steps: Steps) -> Skeleton | None:
    """Return a plan without a repeat in whose parts groups of these sizes have room, each whole within a part.

    It is one round turned as always; those who stand still belong to an orbit each and never meet it, nor
    one another. A part of m positions and a few who stand still so holds more people than the round is turned.
    """
    wanted = tuple(sorted((group for group in groups if group > 1), reverse=True))
    key = (players, rounds, size, wanted)
    if key not in _known:
        _known[key] = _find(players, rounds, size, wanted, steps)
        if len(_known) > _KEPT:
            _known.pop(next(iter(_known)))
    return _known[key]


def _find(players: int, rounds: int, size: int, groups: Sequence[int], steps: Steps) -> Skeleton | None:
    for parts, plan in in_parts(players, rounds, size):
        if packs(groups, parts):
            kept = numbered(plan, players, even_tables(players, rounds, size), QUICK_TABLE_TRIES, steps)
            return Skeleton(kept.rounds, players, kept.repeats, kept.table_repeats, parts)
    whole = players + 1 if size == 4 and players % 4 == 3 else players
    fitting = [shape for shape in _shapes(whole, rounds, size) if packs(groups, _sizes(shape, players))]
    fitting.sort(key=lambda shape: (shape.still > 0, _fullness(shape), shape.cycles))
    for tries in TRIES:
        for shape in fitting[:SHAPES_TRIED]:
            name = f"parted/{shape}/{tries}"
            base = parted_base(shape) or search(shape, Dice(CHANCE, name), tries, steps)
            if base is not None:
                return _skeleton(shape, base, players, rounds, size, steps)
    return None


def _skeleton(
    shape: Shape, base: list[list[int]], players: int, rounds: int, size: int, steps: Steps
) -> Skeleton:
    """Turn the round, and number it so that its parts follow one another."""
    order = sorted(range(shape.players), key=lambda number: (shape.part(number), number))
    number_of = {old: new for new, old in enumerate(order)}
    renamed: Rounds = [
        [[number_of[number] for number in table] for table in tables]
        for tables in played(turned(shape, base, list(range(rounds))), shape)
    ]
    plan, target = without(renamed, players), even_tables(players, rounds, size)
    quick = numbered(plan, players, target, QUICK_TABLE_TRIES, steps)
    best = min(
        quick, numbered(quick.rounds, players, target, TABLE_TRIES, steps), key=lambda one: one.table_repeats
    )
    return Skeleton(best.rounds, players, best.repeats, best.table_repeats, _sizes(shape, players))


def _shapes(players: int, rounds: int, size: int) -> Iterator[Shape]:
    """List the shapes in which nobody meets their own orbit, with those who stand still at a table each."""
    out = left_out(players, size)
    tables = (players - out) // size
    for orbits in range(size, players // rounds + 1):
        for turns in range(rounds, players // orbits + 1):
            still = players - orbits * turns
            for cycles in splittings(turns) if still <= tables else ():
                shape = Shape(cycles, orbits, still, size, out, False, False, True)
                if _needed(shape) <= room(shape):
                    yield shape


def _needed(shape: Shape) -> int:
    return (shape.players - shape.left_out) // shape.size * shape.size * (shape.size - 1) // 2


def _fullness(shape: Shape) -> float:
    """Return which share of the differences a round uses up; the fuller, the harder to find."""
    return _needed(shape) / room(shape)


def _sizes(shape: Shape, players: int) -> tuple[int, ...]:
    """Return the sizes of the parts; a number that nobody has is missing from the last."""
    more = [
        shape.turns + (shape.still - part + shape.orbits - 1) // shape.orbits for part in range(shape.orbits)
    ]
    more[-1] -= shape.players - players
    return tuple(more)


def packs(groups: Sequence[int], sizes: Sequence[int]) -> bool:
    """Return whether groups fit into parts, each whole, the largest first and each where it fits most tightly."""
    free = list(sizes)
    for group in groups:
        fits = [place for place, space in enumerate(free) if space >= group]
        if not fits:
            return False
        free[min(fits, key=free.__getitem__)] -= group
    return True
