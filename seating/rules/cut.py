"""The final: who goes through, at which table, and what they take along."""

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction

from scoring.problems import Problem, Refusal, gettext_noop
from seating.rules.plan import Id

TABLE = 4


class Pattern(StrEnum):
    """How finalists fall on tables: places 1 to 4 together, or 1, 8, 9 and 16."""

    FOURS = "fours"
    SNAKE = "snake"


class Carry(StrEnum):
    """What finalists keep of their points."""

    WHOLE = "whole"
    PART = "part"
    NOTHING = "nothing"


def finalists(standing: Sequence[Id], size: int) -> tuple[Id, ...]:
    """Take the first of the standings; the others play on. [RULES 1.3]"""
    if problems := check_cut(len(standing), size):
        raise Refusal(*problems)
    return tuple(standing[:size])


def check_cut(players: int, size: int) -> tuple[Problem, ...]:
    """Say why a cut of this size cannot be made."""
    problems = []
    if size < TABLE or size % TABLE:
        problems.append(
            Problem(
                "cut_size",
                gettext_noop("A final has whole tables: 4, 8, 12 … players, not %(size)s."),
                field="size",
                details={"size": size},
            )
        )
    if size > players:
        problems.append(
            Problem(
                "cut_size",
                gettext_noop("The standings hold %(players)s players; %(size)s cannot go through."),
                field="size",
                details={"size": size, "players": players},
            )
        )
    return tuple(problems)


def cut(standing: Sequence[Id], size: int, pattern: Pattern = Pattern.FOURS) -> tuple[tuple[Id, ...], ...]:
    """Return the tables of the final, table 1 with the best; within a table the best first."""
    through = finalists(standing, size)
    tables = size // TABLE
    if pattern is Pattern.FOURS:
        return tuple(through[place : place + TABLE] for place in range(0, size, TABLE))
    rows = [through[place : place + tables] for place in range(0, size, tables)]
    return tuple(
        tuple(row[table] if number % 2 == 0 else row[tables - 1 - table] for number, row in enumerate(rows))
        for table in range(tables)
    )


def carried(points: Fraction, carry: Carry, part: Fraction = Fraction(1, 2)) -> Fraction:
    """Return the points a finalist begins with."""
    if carry is Carry.NOTHING:
        return Fraction(0)
    return points if carry is Carry.WHOLE else points * part
