"""The random draw "four-winds/1": open, fair, and repeatable by anyone who knows its seed."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from scoring.problems import Problem, Refusal, gettext_noop
from seating.rules.checks import too_few
from seating.rules.stream import Stream

METHOD = "four-winds/1"
METHOD_WITH_PAST = "four-winds/2"
METHODS = frozenset({METHOD, METHOD_WITH_PAST})
TABLE_SIZE = 4
SMALLEST_TABLE = 3


@dataclass(frozen=True)
class RandomDraw:
    """Tables in their order, each East, South, West, North; and who has no game."""

    tables: tuple[tuple[int, ...], ...]
    off: tuple[int, ...]


def random_draw(
    seed: str, numbers: Sequence[int], table_size: int = TABLE_SIZE, short: Sequence[Hashable] = ()
) -> RandomDraw:
    """Deal the shuffled numbers in fours; of three left over North is missing, one or two have no game.

    Systems with smaller tables deal in threes or twos, and who fills no table has no game. Whoever stands in `short` was
    left over or at an incomplete table before, as often as they stand there, and is so again only after the others.
    [SBR 2.4.1] [SBR 3.1.3] [SBR 3.1.4] [RULES 8.33]
    """
    if problems := check_numbers(numbers, table_size):
        raise Refusal(*problems)
    order = shortest_last(Stream(seed).shuffled(sorted(numbers)), len(numbers) % table_size, short)
    hands = [tuple(order[start : start + table_size]) for start in range(0, len(order), table_size)]
    if len(hands[-1]) < min(table_size, SMALLEST_TABLE):
        return RandomDraw(tuple(hands[:-1]), hands[-1])
    return RandomDraw(tuple(hands), ())


def shortest_last(order: Sequence[int], remainder: int, short: Sequence[Hashable] = ()) -> list[int]:
    """Move to the end those who fill no table: of those who were short least often, the last. [SBR 3.1.4] [RULES 8.33]"""
    times = Counter(short)
    by_turn = sorted(range(len(order)), key=lambda place: (times[order[place]], -place))
    last = set(by_turn[:remainder])
    return [order[place] for place in sorted(range(len(order)), key=lambda place: place in last)]


def check_numbers(numbers: Sequence[int], table_size: int = TABLE_SIZE) -> tuple[Problem, ...]:
    """Return why these registration numbers cannot be drawn: too few, twice, or not above zero. [SBR 2.4.1]"""
    problems = []
    if len(numbers) < table_size:
        few = too_few(table_size)
        problems.append(replace(few, field="numbers", clause="SBR 2.4.1"))
    for number in sorted({number for number in numbers if numbers.count(number) > 1}):
        problems.append(
            Problem(
                "player_twice",
                gettext_noop("Number %(number)s stands in the list more than once."),
                field="numbers",
                details={"number": number},
            )
        )
    for number in sorted(number for number in set(numbers) if number < 0):
        problems.append(
            Problem(
                "number_invalid",
                gettext_noop("A number to be drawn is a whole number from 0; %(number)s is not."),
                field="numbers",
                details={"number": number},
            )
        )
    return tuple(problems)


def commitment(secret: str) -> str:
    """Return what is published before the draw so that the secret cannot be changed afterwards."""
    return sha256(secret.encode()).hexdigest()


def committed_seed(secret: str, chance: str) -> str:
    """Join the secret and the chance that the public threw after the commitment."""
    return f"{secret}:{chance}"
