"""The screen of the hall: seating, the clock, the standings, in turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse

from tournaments.access import page
from tournaments.labels import CRITERIA
from tournaments.models import Session, Tournament
from tournaments.queries import current_session, seated_tables
from tournaments.views.frame import live_addresses, show

PARTS = ("seating", "clock", "standings")
MOST_TABLES = 16
MOST_ROWS = 24


@dataclass(frozen=True)
class Screenful:
    """What is shown at once, in so many columns and rows of a grid."""

    items: Sequence[Any]
    columns: int
    rows: int


@page("look")
def screen(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show one part, or let the script take them in turn."""
    session = current_session(tournament)
    part = request.GET.get("show", "")
    shown = tournament.regulation["ranking"][:2]
    is_over = session is not None and session.state == Session.State.CLOSED
    return show(
        request,
        "hall/screen",
        tournament,
        session=session,
        is_open=bool(session and session.state == Session.State.OPEN),
        seating=_of_tables(list(seated_tables(session).exclude(protocol=None)))
        if session and not is_over
        else [],
        standings=_of_rows(_lines(tournament, shown)),
        criteria=[CRITERIA[name] for name in shown],
        part=part if part in PARTS else "",
        **live_addresses(tournament),
    )


def _lines(tournament: Tournament, criteria: Sequence[str]) -> list[dict[str, Any]]:
    """List the standings with the values that decide first."""
    rows = tournament.standings.select_related("player")
    return [{"row": row, "values": [row.values.get(name) for name in criteria]} for row in rows]


def _of_tables(tables: Sequence[Any]) -> list[Screenful]:
    """Share tables out over screens that can be read from the far end."""
    found = []
    for items in _parts(tables, MOST_TABLES):
        columns = next(n for n in (1, 2, 3, 4) if n * n >= len(items))
        found.append(Screenful(items, columns, -(-len(items) // columns)))
    return found


def _of_rows(rows: Sequence[Any]) -> list[Screenful]:
    """Share the standings out over screens of two columns; twelve rows and fewer stand in one."""
    found = []
    for items in _parts(rows, MOST_ROWS):
        columns = 1 if len(rows) <= MOST_ROWS // 2 else 2
        found.append(Screenful(items, columns, -(-len(items) // columns)))
    return found


def _parts(items: Sequence[Any], most: int) -> list[Sequence[Any]]:
    """Cut a list into as few parts as may be, all about as long."""
    count = -(-len(items) // most)
    length = -(-len(items) // count) if count else 1
    return [items[start : start + length] for start in range(0, len(items), length)]
