"""The parameters of lists: page, order and filters; any other value is refused, none is guessed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from scoring.problems import gettext_noop
from tournaments.record.refusal import refuse

MOST_ON_A_PAGE = 100
LONGEST_QUERY = 100
MOST_DIGITS = 9


@dataclass(frozen=True)
class Page:
    """One page of a list of so many rows."""

    number: int
    size: int
    total: int

    @property
    def count(self) -> int:
        """Return the number of pages; an empty list has one, which is empty."""
        return max(1, -(-self.total // self.size))

    @property
    def of(self) -> slice:
        """Return the slice of the list that is on this page."""
        return slice((self.number - 1) * self.size, self.number * self.size)

    @property
    def before(self) -> int | None:
        """Return the number of the page before."""
        return self.number - 1 if self.number > 1 else None

    @property
    def after(self) -> int | None:
        """Return the number of the page after."""
        return self.number + 1 if self.number < self.count else None


def page_of(query: QueryDict, total: int, *, size: int = 50, may_choose: bool = False) -> Page:
    """Read which page is asked for; one that does not exist is refused. [INTEGRITY 145]"""
    asked = _small(query.get("page_size", str(size))) if may_choose else size
    number = _small(query.get("page", "1"))
    page = Page(number or 1, min(asked or 1, MOST_ON_A_PAGE), total)
    if not number or number > page.count or not asked or asked > MOST_ON_A_PAGE:
        sentence = gettext_noop("Page 1 to %(n)s; page size up to %(most)s.")
        refuse("page_range", sentence, field="page", n=page.count, most=MOST_ON_A_PAGE)
    return page


def order_of(query: QueryDict, orders: Mapping[str, Any], *, name: str = "sort") -> str:
    """Read the order of a list; the first one is the default. [INTEGRITY 146]"""
    wanted = query.get(name) or next(iter(orders))
    if wanted not in orders:
        refuse_filter(gettext_noop("Cannot sort by “%(f)s”."), wanted, field=name)
    return wanted


def check_order(query: QueryDict, columns: Collection[str], *, name: str = "sort") -> None:
    """Refuse to sort a table by anything but its columns, up or down. [INTEGRITY 146]"""
    for text in query.getlist(name):
        for wanted in filter(None, text.split(",")):
            if wanted.removeprefix("-") not in columns:
                refuse_filter(gettext_noop("Cannot sort by “%(f)s”."), wanted, field=name)


def choice_of(query: QueryDict, name: str, choices: Collection[str]) -> str:
    """Read a filter that takes one of a few values; without a value nothing is filtered. [INTEGRITY 146]"""
    wanted = query.get(name, "")
    if wanted and wanted not in choices:
        refuse_filter(gettext_noop("Cannot filter by “%(f)s”."), wanted, field=name)
    return wanted


def words_of(query: QueryDict, name: str = "q") -> str:
    """Read the words of a search; a text that no database can store has been refused before. [INTEGRITY 6] [INTEGRITY 147]

    Control characters, private ones and those beyond the first plane are in no name, so they find nothing.
    """
    words = query.get(name, "").strip()
    if len(words) > LONGEST_QUERY:
        refuse("query_too_long", gettext_noop("At most 100 characters."), field=name)
    return words


def only(query: QueryDict, known: Sequence[str]) -> None:
    """Refuse a parameter that the address does not know. [INTEGRITY 146]"""
    for name in query:
        if name not in known:
            refuse_filter(gettext_noop("Cannot filter by “%(f)s”."), name, field=name)


def refuse_filter(sentence: str, wanted: str, *, field: str) -> None:
    """Refuse a parameter and name its value."""
    refuse("filter_unknown", sentence, field=field[:60], f=wanted[:60])


def _small(text: str) -> int | None:
    """Read a number from 1 on, written with the digits 0–9; None for anything else."""
    if not text.isascii() or not text.isdigit() or len(text) > MOST_DIGITS:
        return None
    return int(text) or None
