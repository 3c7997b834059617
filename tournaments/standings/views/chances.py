"""What may still happen: everybody's chances, one player's over the event, and standings with imagined results."""

from typing import Any

from django.http import HttpResponse, QueryDict
from django.utils.translation import gettext as _

from tournaments.models import Session, Tournament
from tournaments.standings.queries import chances as queries
from tournaments.standings.queries.table import newest_snapshot, value_text
from tournaments.table_numbers import shown_number
from tournaments.web import rates
from tournaments.web.access import page
from tournaments.web.frame import live_addresses, show
from tournaments.web.labels import heading_of
from tournaments.web.requests import Request

MOST_TABLES = 8
MOST_POINTS = 10**6


@page("look", reading=rates.SEARCH)
def chances(request: Request, tournament: Tournament) -> HttpResponse:
    """Show what everybody may still reach, on how many finishes that rests and of which moment it is."""
    row = queries.newest_chances(tournament)
    is_over = tournament.is_finished
    is_played = not is_over and not tournament.sessions.exclude(state=Session.State.CLOSED).exists()
    said = {} if is_over or is_played else queries.read(row)
    standing_rows = newest_snapshot(tournament)["rows"]
    rows = queries.chance_rows(said, standing_rows) if said else []
    chosen = next((one for one in rows if str(one["number"]) == request.GET.get("player")), None)
    events, tenths = queries.calibrated(tournament, alone=is_over)
    return show(
        request,
        "public/chances",
        tournament,
        said=said,
        made=row,
        is_over=is_over,
        is_played=is_played,
        goals=queries.goal_faces(said) if said else [],
        rows=rows,
        chosen=chosen,
        curve=queries.curve_of(tournament, chosen["number"]) if chosen else None,
        needs=queries.needs_of(tournament, chosen["number"], standing_rows) if chosen else [],
        events=events,
        tenths=tenths,
        revision=row.revision if row else 0,
        **live_addresses(tournament),
    )


@page("look", reading=rates.SEARCH)
def what_if(request: Request, tournament: Tournament) -> HttpResponse:
    """Show the standings as they would be with results that the reader sets; nothing is stored."""
    tables = [] if tournament.is_finished else queries.tables_left(tournament)
    chosen, problems = _chosen(request.GET, tables)
    results = {
        (table["session"], table["number"]): [seat["points"] for seat in table["seats"]] for table in chosen
    }
    return show(
        request,
        "public/what_if",
        tournament,
        tables=tables,
        chosen=chosen,
        chosen_numbers=[table["number"] for table in chosen],
        problems=problems,
        unit=tournament.regulation["points_unit"],
        rows=_shown(tournament, queries.standings_if(tournament, results)) if results else [],
        criterion=heading_of(tournament.regulation["ranking"][0]),
        is_full=len(chosen) >= MOST_TABLES,
    )


def _shown(tournament: Tournament, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    name = tournament.regulation["ranking"][0]
    return [{**row, "value": value_text(name, row["value"])} for row in rows]


def _chosen(query: QueryDict, tables: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[str]]:
    """Read which tables are imagined, and the points typed for their seats; what is no number stays as it is now."""
    asked = set(query.getlist("table"))
    chosen: list[dict[str, Any]] = []
    problems: list[str] = []
    for table in tables:
        if str(table["number"]) not in asked or len(chosen) >= MOST_TABLES:
            continue
        seats = []
        for seat in table["seats"]:
            typed = query.get(f"t{table['number']}{seat['wind']}", "")
            points = _points(typed)
            if typed and points is None:
                problems.append(_("Table %(n)s: write whole numbers.") % {"n": shown_number(table["number"])})
            seats.append({**seat, "points": seat["points"] if points is None else points})
        chosen.append({**table, "seats": seats, "sum": sum(seat["points"] for seat in seats)})
    return chosen, list(dict.fromkeys(problems))


def _points(typed: str) -> int | None:
    """Read whole points with either sign of minus; nothing for anything else."""
    text = typed.strip().replace("−", "-").replace("\u00a0", "").replace(" ", "").removeprefix("+")
    if not text.removeprefix("-").isdigit() or not text.isascii() or len(text) > 8:
        return None
    value = int(text)
    return value if abs(value) <= MOST_POINTS else None
