"""The reader of the rulebooks: every clause that the site cites, searchable, with what does it."""

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext

from scoring.calculator import Question, link_of, valued
from scoring.examples import Example
from scoring.presets import PRESETS
from scoring.systems import SYSTEMS
from scoring.terms import GENERAL, speak
from tournaments.people.rules.names import search_key
from tournaments.web import rates
from tournaments.web.access import page
from tournaments.web.paging import words_of
from tournaments.web.requests import Request
from tournaments.web.rulebooks import DECISIONS, Entry, books, entries


@page("look")
def rulebooks(request: Request) -> HttpResponse:
    """Open the first of the books."""
    return redirect("tournaments:rulebook", books()[0])


@page("look", reading=rates.SEARCH)
def rulebook(request: Request, book: str) -> HttpResponse:
    """Show the clauses of a book, or those that the words sought for are found in. [RULES 1.1]"""
    if book not in books():
        raise Http404
    speak(SYSTEMS[book].terms if book in SYSTEMS else GENERAL)
    query = words_of(request.GET)
    sought = search_key(query)
    rows = [row for entry in entries(book) if sought in search_key((row := _row(entry, book)).text)]
    return render(
        request,
        "tournaments/public/rulebook.html",
        {
            "book": book,
            "books": [(code, _name(code)) for code in books()],
            "name": _name(book),
            "is_decisions": book == DECISIONS,
            "has_examples": book in SYSTEMS and bool(SYSTEMS[book].examples),
            "examples_of": _examples_of(book),
            "rows": rows,
            "query": query,
        },
    )


def _examples_of(book: str) -> tuple[str, str] | None:
    """Return code and name of the rulebook whose examples serve for one that works out no hand."""
    other = SYSTEMS[book].examples_of if book in SYSTEMS else ""
    return (other, _name(other)) if other else None


@page("look")
def examples(request: Request, book: str) -> HttpResponse:
    """Show the worked examples of a rulebook, each with what is counted and the same hand in the calculator. [RULES 1.1]"""
    if book not in SYSTEMS or not SYSTEMS[book].examples:
        raise Http404
    speak(SYSTEMS[book].terms)
    shown = [_worked(book, one, at) for at, one in enumerate(SYSTEMS[book].examples, start=1)]
    context = {"book": book, "name": _name(book), "examples": shown}
    return render(request, "tournaments/public/examples.html", context)


class Worked(NamedTuple):
    """An example with its value: the anchor of the first one under a clause bears the clause's name."""

    at: int
    example: Example
    hand: Mapping[str, Any]
    value: Mapping[str, Any]
    link: str
    beyond: str
    overruled: str


def _worked(book: str, example: Example, at: int) -> Worked:
    system, preset = SYSTEMS[book], next(one for one in PRESETS.values() if one.system == book)
    asked = Question(preset, example.tiles, example.how)
    hand, _ = asked.hand()
    link = link_of(preset.code, example.tiles, example.how)
    address = reverse("tournaments:calculator", args=link.pop("rules"))
    names = [
        ", ".join(gettext(system.tiles.fans[fan]) for fan in fans)
        for fans in (example.beyond, example.overruled)
    ]
    value = valued(asked.explained(hand), get_language() or "en")
    return Worked(at, example, hand, value, f"{address}?{urlencode(link, doseq=True)}", *names)


class Row(NamedTuple):
    """An entry in the reader's language."""

    entry: Entry
    title: str
    offences: list[str]
    example: int
    """The number of the first example under the clause, or nothing."""

    @property
    def text(self) -> str:
        """Return what words are sought in."""
        return " ".join([self.entry.tag, self.title, *self.offences])


def _row(entry: Entry, book: str) -> Row:
    listed = SYSTEMS[book].examples if book in SYSTEMS else ()
    first = next((at for at, one in enumerate(listed, start=1) if one.clause == entry.tag), 0)
    return Row(entry, gettext(entry.title), [gettext(name) for name in entry.offences], first)


def _name(book: str) -> str:
    return gettext(SYSTEMS[book].name) if book in SYSTEMS else gettext("Decisions")
