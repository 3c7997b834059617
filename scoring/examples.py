"""Worked examples: hands with what is counted of them, for readers and for the tests that prove them."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Example:
    """A hand as people type it, under a clause, and how often each fan counts by its code (in riichi: its han).

    `is_printed` says whether the rulebook prints the hand; `beyond` are fans that its list leaves out although they count,
    `overruled` those that it prints although a clause forbids them.
    """

    clause: str
    tiles: str
    fans: Mapping[str, int]
    how: Mapping[str, object] = field(default_factory=dict)
    is_printed: bool = False
    beyond: tuple[str, ...] = ()
    overruled: tuple[str, ...] = ()
    decision: str = ""
    """By which clause something else is counted than is printed."""
