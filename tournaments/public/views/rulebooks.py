"""The reader of the rulebooks: every clause that the site cites, searchable, with what does it."""

from typing import NamedTuple

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

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
    rows = [row for entry in entries(book) if sought in search_key((row := _row(entry)).text)]
    return render(
        request,
        "tournaments/public/rulebook.html",
        {
            "book": book,
            "books": [(code, _name(code)) for code in books()],
            "name": _name(book),
            "is_decisions": book == DECISIONS,
            "rows": rows,
            "query": query,
        },
    )


class Row(NamedTuple):
    """An entry in the reader's language."""

    entry: Entry
    title: str
    offences: list[str]

    @property
    def text(self) -> str:
        """Return what words are sought in."""
        return " ".join([self.entry.tag, self.title, *self.offences])


def _row(entry: Entry) -> Row:
    return Row(entry, gettext(entry.title), [gettext(name) for name in entry.offences])


def _name(book: str) -> str:
    return gettext(SYSTEMS[book].name) if book in SYSTEMS else gettext("Decisions")
