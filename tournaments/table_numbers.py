"""Which number a table bears in the hall, where another event may have the first ones. [RULES 9.41]

Tables are 1 to n within an event: so records, addresses and the programming interface name them. What people read, say and
type begins with the number that the organizers gave the first one. Whose tables are meant is said once, where a page finds
its event; who speaks of another event names it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

MOST_FIRST = 9000


class Numbered(Protocol):
    """An event, as far as its tables' numbers go."""

    @property
    def first_table(self) -> int:
        """Return the number that its first table bears."""


_first: ContextVar[int] = ContextVar("first_table", default=1)


def count_from(first: int) -> None:
    """Let the first table bear this number in everything that follows."""
    _first.set(first)


@contextmanager
def counting_from(first: int) -> Iterator[None]:
    """Let the first table bear this number in everything within."""
    before = _first.set(first)
    try:
        yield
    finally:
        _first.reset(before)


def shown_number(number: int, tournament: Numbered | None = None) -> int:
    """Return the number that a table bears in the hall."""
    return number + (tournament.first_table if tournament else _first.get()) - 1


def number_within(shown: int, tournament: Numbered | None = None) -> int:
    """Return the number within its event of a table that bears this one; below 1 where the event has none such."""
    return shown - (tournament.first_table if tournament else _first.get()) + 1
