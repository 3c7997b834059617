"""Plans without a repeat from four classes of players, one of each class at every table."""

from seating.rules.algebra import Ring, field, modular, prime_powers, product_ring

Rounds = list[list[list[int]]]

_SMALLEST_FIELD = 5
_MULTIPLIERS = (0, 1, 2, 3, -1)


def class_plan(tables: int, rounds: int, *, size: int = 4, first_step: int = 0) -> Rounds | None:
    """Return a plan in which nobody meets anybody or sits at a table number twice, or None where none is known.

    Table t of round r holds number t + a r of each class with its own a: two numbers of classes a and b meet
    in one round alone as (r - r')(a - b) is never 0; a further multiplier numbers the tables. The first step
    left out keeps equal numbers of different classes from ever meeting.
    """
    ring, multipliers = _ring_for(tables, rounds + first_step) or (None, ())
    if ring is None:
        return None
    return [_round(ring, multipliers, step, size) for step in range(first_step, first_step + rounds)]


def round_robin(players: int, rounds: int) -> Rounds | None:
    """Let everybody play everybody in twos, the last of an even number standing still while the others turn."""
    turning = players - 1 + players % 2
    if rounds > turning:
        return None
    plan = []
    for step in range(rounds):
        pairs = [[(step + k) % turning, (step - k) % turning] for k in range(1, (turning + 1) // 2)]
        plan.append(pairs if players % 2 else [[step, turning], *pairs])
    return plan


def _ring_for(tables: int, steps: int) -> tuple[Ring, tuple[int, ...]] | None:
    if tables < _SMALLEST_FIELD or steps > tables:
        return None
    if (tables % 2 and tables % 3) or 4 * (steps - 1) < tables:
        return modular(tables), tuple(multiplier % tables for multiplier in _MULTIPLIERS)
    powers = prime_powers(tables)
    if any(prime**exponent < _SMALLEST_FIELD for prime, exponent in powers):
        return None
    fields = [field(prime, exponent) for prime, exponent in powers]
    ring = product_ring(fields)
    diagonal = []
    for value in range(len(_MULTIPLIERS)):
        place, element = 1, 0
        for part in fields:
            element += value * place
            place *= part.order
        diagonal.append(element)
    return ring, tuple(diagonal)


def _round(ring: Ring, multipliers: tuple[int, ...], step: int, size: int) -> list[list[int]]:
    tables: list[list[int]] = [[] for _ in range(ring.order)]
    for position in range(ring.order):
        number = ring.add[position][ring.multiply[multipliers[-1]][step]]
        tables[number] = [
            ring.order * place + ring.add[position][ring.multiply[multiplier][step]]
            for place, multiplier in enumerate(multipliers[:size])
        ]
    return tables
