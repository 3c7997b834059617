"""The clauses that pages cite: each named in our own words, with the fans and offences that stand there and the code that does it.

The rulebooks are their authors'; none of their text is shipped. What a clause asks is told by its title, and how it is read where it is
unclear by the decisions of docs/RULES.md, whose titles stand here as well.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.urls import reverse

from scoring.citations import Citation, citations, listed
from scoring.clauses import Clause
from scoring.systems import SYSTEMS
from scoring.systems.system import System

ROOT = Path(__file__).resolve().parents[2]
DECISIONS = "RULES"
"""The book of what the rulebooks leave open, and of what all systems have in common."""


@dataclass(frozen=True)
class Entry:
    """One clause of a book: its tag and anchor, what it is about, its offences, and the functions and tests that cite it."""

    tag: str
    anchor: str
    title: str
    offences: tuple[str, ...]
    functions: tuple[Citation, ...]
    tests: tuple[Citation, ...]


def books() -> list[str]:
    """List the books: one for each system, and the decisions."""
    return [*SYSTEMS, DECISIONS]


def book_of(tag: str) -> str:
    """Return the book of a clause; what no book has is looked up among the decisions."""
    book = tag.split(" ")[0]
    return book if book in SYSTEMS else DECISIONS


def anchor_of(tag: str) -> str:
    """Return the anchor of a clause on the page of its book."""
    return re.sub(r"[^a-z0-9]+", "-", tag.lower()).strip("-")


def address_of(tag: str) -> str:
    """Return the address at which a clause is read; none for what an organizer wrote of an offence of their own."""
    if tag not in _known():
        return ""
    return reverse("tournaments:rulebook", args=[book_of(tag)]) + "#" + anchor_of(tag)


def entries(book: str) -> list[Entry]:
    """List the clauses of a book, in the order of the rulebook, its offences last."""
    cited = _cited()
    offences = _offences(book)
    titles = {clause.tag: clause.title for clause in _clauses(book)}
    titles |= {tag: names[0] for tag, names in offences.items() if tag not in titles}
    return [
        Entry(
            tag,
            anchor_of(tag),
            title,
            tuple(name for name in offences.get(tag, ()) if name != title),
            tuple(one for one in cited.get(tag, ()) if not one.is_test and "/tests/" not in one.path),
            tuple(one for one in cited.get(tag, ()) if one.is_test),
        )
        for tag, title in titles.items()
    ]


@cache
def _known() -> frozenset[str]:
    """Return every tag that has an entry."""
    return frozenset(
        tag for book in books() for tag in [*(one.tag for one in _clauses(book)), *_offences(book)]
    )


def _clauses(book: str) -> Iterator[Clause]:
    return (clause for clause in listed() if book_of(clause.tag) == book)


def _offences(book: str) -> Mapping[str, list[str]]:
    """Return the names of offences by the clause of the book under which they stand."""
    found: dict[str, list[str]] = {}
    for system in _systems(book):
        for offence in system.offences:
            if offence.clause and book_of(offence.clause) == book:
                names = found.setdefault(offence.clause, [])
                names += [offence.name] if offence.name not in names else []
    return found


def _systems(book: str) -> Iterable[System]:
    return [SYSTEMS[book]] if book in SYSTEMS else SYSTEMS.values()


@cache
def _cited() -> Mapping[str, list[Citation]]:
    """Read which functions and tests cite which clause; the code does not change while it runs."""
    return citations(ROOT, ["scoring"])
