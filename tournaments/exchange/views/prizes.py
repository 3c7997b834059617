"""The prize list of an event, as a page and as a file, and a diploma for everybody on it."""

from dataclasses import replace
from functools import partial
from typing import Any

from django.http import HttpResponse

from scoring.problems import gettext_noop
from tournaments.exchange import tables
from tournaments.exchange.views.downloads import lines_to_sign, officials_of, table_file
from tournaments.models import Role, Tournament
from tournaments.record.moment import one_moment
from tournaments.standings.queries.prizes import FOR_PLACE, IN_TABLE, faces, prize_tables
from tournaments.standings.rules.prizes import MOST_PLACES
from tournaments.web import rates
from tournaments.web.access import page
from tournaments.web.frame import may, show
from tournaments.web.paging import choice_of, refuse_filter
from tournaments.web.requests import Request
from tournaments.web.strict import parse_whole

SIGNING = (Role.Kind.CHIEF_REFEREE, Role.Kind.ORGANIZER)
MOST_SIGNING = 2
LONG, VERY_LONG = 28, 56
FEW_MEMBERS, MANY_LETTERS = 4, 500
PAPERS = ("a4", "a5")


@page("look", is_shared=True)
def prizes(request: Request, tournament: Tournament) -> HttpResponse:
    """Show the first places of every table of the event, for announcing and posting. [RULES 8.7]"""
    places = _places(request, tournament)
    return show(
        request,
        "public/prizes",
        tournament,
        tables=prize_tables(tournament, places),
        places=places,
        choices=range(1, MOST_PLACES + 1),
        may_print=may(request, "see_desk"),
    )


@page("look", reading=rates.FILE)
def prizes_file(request: Request, tournament: Tournament, form: str) -> HttpResponse:
    """Return the prize list as a file, with as many places as the page shows."""
    gather = partial(tables.prizes, places=_places(request, tournament))
    return table_file(request, tournament, replace(tables.PUBLIC["prizes"], gather=gather), form)


@page("see_desk")
@one_moment()
def diplomas(request: Request, tournament: Tournament) -> HttpResponse:
    """Print a diploma for everybody on the prize list, a page each; who shares a place gets that place."""
    places = _places(request, tournament)
    known = faces(tournament)
    chosen = _chosen(request, known)
    rows = [
        _diploma(table, row)
        for table in prize_tables(tournament, places)
        if table["at"] in chosen
        for row in table["rows"]
    ]
    return show(
        request,
        "paper/diplomas",
        tournament,
        diplomas=rows,
        places=places,
        choices=range(1, MOST_PLACES + 1),
        tables=[(at, label, at in chosen) for at, label in known.items()],
        signatures=_signatures(tournament),
        paper=choice_of(request.GET, "paper", PAPERS) or PAPERS[0],
    )


def _signatures(tournament: Tournament) -> list[dict[str, str]]:
    """Return the lines below a diploma: chief referee and organizer, two of each at the most."""
    officials = officials_of(tournament)
    return [line for office in SIGNING for line in lines_to_sign(officials, [office])[:MOST_SIGNING]]


def _diploma(table: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    """Return what a diploma says; who shares a place is told with how many. [RULES 8.7]"""
    sharing = sum(other["place"] == row["place"] for other in table["rows"])
    members = row["members"] if table["by"] == "team" else []
    return {
        "name": row["label"],
        "size": _size(row["label"]),
        "place": FOR_PLACE[row["place"] - 1],
        "sharing": sharing if row["shared"] else 0,
        "table": IN_TABLE[table["by"]],
        "is_team": table["by"] == "team",
        "members": members,
        "members_size": _size_of_list(members),
    }


def _size(name: str) -> str:
    """Return how long a name is, so that its letters are as large as there is room."""
    if len(name) <= LONG:
        return "short"
    return "long" if len(name) <= VERY_LONG else "very-long"


def _size_of_list(members: list[str]) -> str:
    """Return how much room the names of a team take: a line each, or a text in smaller letters."""
    if len(members) <= FEW_MEMBERS:
        return "few"
    return "many" if sum(map(len, members)) <= MANY_LETTERS else "very-many"


def _places(request: Request, tournament: Tournament) -> int:
    """Read how many places are asked for, else as many as win a prize; what is no number from 1 to 10 is refused. [INTEGRITY 145]"""
    text = request.GET.get("places", "")
    return parse_whole(text, field="places", least=1, most=MOST_PLACES) if text else tournament.prize_places


def _chosen(request: Request, known: dict[str, str]) -> set[str]:
    """Read which tables are asked for, all where none is named; an unknown one is refused. [INTEGRITY 146]"""
    chosen = request.GET.getlist("table")
    for name in chosen:
        if name not in known:
            refuse_filter(gettext_noop("Cannot filter by “%(f)s”."), name, field="table")
    return set(chosen or known)
