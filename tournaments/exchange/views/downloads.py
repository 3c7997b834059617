"""What can be taken home: tables, the record, the timetable, the final protocol on paper."""

from collections.abc import Iterable
from itertools import islice
from typing import Any

from django.http import Http404, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language

from scoring.problems import gettext_noop
from tournaments.exchange import calendar
from tournaments.exchange.record_file import record_file
from tournaments.exchange.tables import CONTACTS, PUBLIC, Table, exactly
from tournaments.models import Registration, Role, Tournament
from tournaments.record.moment import one_moment
from tournaments.record.refusal import refuse
from tournaments.web import files, rates
from tournaments.web.access import page
from tournaments.web.frame import may, show
from tournaments.web.labels import heading_of
from tournaments.web.paging import choice_of
from tournaments.web.requests import Request

MOST_CRITERIA = 3
MOST_COMMITTEE = 5


@page("look", keeps_freeze=True)
def downloads(request: Request, tournament: Tournament) -> HttpResponse:
    """List everything that can be taken home."""
    is_closed = tournament.state == Tournament.State.CLOSED
    return show(
        request,
        "public/downloads",
        tournament,
        tables=[table for table in PUBLIC.values() if table.name != "ema"],
        ema=PUBLIC["ema"],
        contacts=CONTACTS if may(request, "manage_people") else None,
        is_closed=is_closed,
        may_see_judging=may(request, "see_judging"),
        record=record_file(tournament) if is_closed and not tournament.is_frozen else None,
        api_url=request.build_absolute_uri(f"/api/1/tournaments/{tournament.slug}/"),
    )


@page("look", reading=rates.FILE)
def download(request: Request, tournament: Tournament, sheet: str, form: str) -> HttpResponse:
    """Return one table as a file."""
    if sheet not in PUBLIC:
        raise Http404
    return table_file(request, tournament, PUBLIC[sheet], form)


@page("look", reading=rates.FILE)
@one_moment()
def everything(request: Request, tournament: Tournament) -> HttpResponse:
    """Return all tables of one moment as one workbook, but for the hands of an event too large for a page of it."""
    sheets = []
    for table in PUBLIC.values():
        sheet = table.gather(tournament) if table.in_workbook else None
        rows = list(islice(sheet.rows, files.MOST_ROWS + 1)) if sheet else []
        if sheet and (len(rows) <= files.MOST_ROWS or not table.may_be_too_long):
            sheets.append((str(table.title), files.FileTable(sheet.columns, rows, sheet.facts)))
    return _attached(files.workbook(sheets), f"{tournament.slug}.xlsx", files.TYPES[files.XLSX])


@page("manage_people")
def contacts(request: Request, tournament: Tournament, form: str) -> HttpResponse:
    """Send the file with how to reach everybody, to those who manage the people. [INTEGRITY 4]"""
    return table_file(request, tournament, CONTACTS, form)


@one_moment()
def table_file(request: Request, tournament: Tournament, table: Table, form: str) -> HttpResponse:
    """Write a table in the form asked for, as it was at one moment."""
    name = f"{tournament.slug}-{table.name}.{form}"
    if form == files.XLSX:
        body = files.workbook([(str(table.title), table.gather(tournament))])
        return _attached(body, name, files.TYPES[form])
    if form != files.CSV:
        raise Http404
    chosen = choice_of(request.GET, "separator", files.SEPARATORS)
    separator = chosen or files.separator_for(get_language() or "en")
    body = b"".join(files.csv_lines(table.gather(tournament), separator=separator))
    return _attached(body, name, files.TYPES[form])


@page("look", reading=rates.FILE)
def record(request: Request, tournament: Tournament) -> HttpResponse:
    """Return the record of a finished event, whole; its digest is its ETag. [RECORD 1]"""
    if tournament.state != Tournament.State.CLOSED:
        refuse("wrong_state", gettext_noop("The tournament data is published when the event is finished."))
    file = record_file(tournament)
    tag = f'"{file.digest}"'
    if request.headers.get("If-None-Match") == tag:
        answer = HttpResponse(status=304)
    elif "gzip" in request.headers.get("Accept-Encoding", ""):
        answer = HttpResponse(file.packed, content_type="application/json; charset=utf-8")
        answer["Content-Encoding"] = "gzip"
    else:
        answer = HttpResponse(file.body, content_type="application/json; charset=utf-8")
    answer["ETag"] = tag
    answer["X-Record-SHA256"] = file.digest
    patch_vary_headers(answer, ["Accept-Encoding"])
    _named(answer, f"{tournament.slug}-record.json")
    return answer


@page("look", keeps_freeze=True)
def timetable(request: Request, tournament: Tournament) -> HttpResponse:
    """Send the timetable as calendars read it."""
    address = request.build_absolute_uri(tournament.get_absolute_url())
    answer = HttpResponse(calendar.timetable(tournament, address=address), content_type=calendar.TYPE)
    answer["Content-Disposition"] = f'inline; filename="{tournament.slug}.ics"'
    return answer


@page("look", reading=rates.FILE)
@one_moment()
def final_protocol(request: Request, tournament: Tournament) -> HttpResponse:
    """Show the result as it is signed and hung up: places, officials, digests. [RULES 1.5]"""
    is_closed = tournament.state == Tournament.State.CLOSED
    criteria = tournament.regulation["ranking"][:MOST_CRITERIA]
    standings = list(
        tournament.standings.select_related("player__registration", "player__team").order_by("position")
    )
    sessions = list(tournament.sessions.filter(published_at__isnull=False).order_by("number"))
    officials = officials_of(tournament)
    return show(
        request,
        "public/final_protocol",
        tournament,
        is_closed=is_closed,
        criteria=[heading_of(name) for name in criteria],
        rows=[
            {"standing": row, "values": [exactly(row.values.get(name)) for name in criteria]}
            for row in standings
        ],
        with_country=any(row.player.country for row in standings),
        with_city=any(row.player.city for row in standings),
        taking_part=sum(row.place is not None for row in standings),
        left=tournament.registrations.filter(
            status__in=(
                Registration.Status.WITHDRAWN,
                Registration.Status.REMOVED,
                Registration.Status.DISQUALIFIED,
            )
        ).select_related("player"),
        sessions=sessions,
        officials=officials,
        signatures=_signatures(officials),
        record=record_file(tournament) if is_closed else None,
        record_url=request.build_absolute_uri(f"{tournament.get_absolute_url()}downloads/record.json"),
    )


def officials_of(tournament: Tournament) -> list[dict[str, Any]]:
    """List the offices, each once with everybody who held it and has a name; nobody is printed by a name to sign in with."""
    language = get_language() or "en"
    rows = list(tournament.roles.select_related("user", "player").order_by("pk"))
    offices = (Role.Kind.ORGANIZER, Role.Kind.CHIEF_REFEREE, Role.Kind.REFEREE, Role.Kind.COMMITTEE)
    found = []
    for office in offices:
        names = [row.printed(language) for row in rows if row.kind == office]
        if any(names):
            known = dict.fromkeys(filter(None, names))
            found.append({"kind": office, "office": office.label, "names": list(known)})
    return found


def _signatures(officials: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Return a line for everybody who signs the final protocol, the committee where there is one."""
    lines = lines_to_sign(officials, (Role.Kind.ORGANIZER, Role.Kind.CHIEF_REFEREE))
    committee = [one for one in officials if one["kind"] == Role.Kind.COMMITTEE]
    return lines + (lines_to_sign(committee, (Role.Kind.COMMITTEE,))[:MOST_COMMITTEE] if committee else [])


def lines_to_sign(officials: list[dict[str, Any]], offices: Iterable[Role.Kind]) -> list[dict[str, str]]:
    """Return a line for everybody in these offices, and an empty one where nobody is named."""
    named = {one["kind"]: one["names"] for one in officials}
    return [
        {"office": str(office.label), "name": name} for office in offices for name in named.get(office, [""])
    ]


def _attached(body: bytes, name: str, content_type: str) -> HttpResponse:
    answer = HttpResponse(body, content_type=content_type)
    _named(answer, name)
    return answer


def _named(answer: HttpResponse, name: str) -> HttpResponse:
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
