"""The judges' sheets, one by one and all that wait at once, and the printer's page at the desk."""

from typing import Any

from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _

from penalties.appeals.views import appeal_context
from penalties.models import Lateness, PrintRequest
from penalties.paper import operations, queries
from penalties.web.frame import appeal_of, penalty_of
from tournaments.models import Session, Tournament
from tournaments.standings.queries.table import newest_revision
from tournaments.web.access import page
from tournaments.web.frame import do, live_addresses, may, show
from tournaments.web.requests import Request

POST = ("POST",)
KINDS = PrintRequest.Kind


@page("see_judging")
def slip(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Show the slip of a penalty as it is printed."""
    return _sheets(request, tournament, [_sheet(tournament, KINDS.PENALTY, number)])


@page("see_judging")
def late(request: Request, tournament: Tournament, session: Session) -> HttpResponse:
    """Show the list of a session's latenesses as it is printed."""
    return _sheets(request, tournament, [_sheet(tournament, KINDS.LATENESS, session.number)])


@page("see_judging")
def late_slip(request: Request, tournament: Tournament, session: Session, number: int) -> HttpResponse:
    """Show the slip of one player's lateness as it is printed."""
    rows = session.latenesses.exclude(state=Lateness.State.MISTAKE).select_related("player", "noted_by")
    row = rows.filter(player__registration__number=number).first() if number < 10**6 else None
    if row is None:
        raise Http404
    row.session = session
    return _sheets(request, tournament, [{"kind": KINDS.LATE_SLIP, "slip": queries.late_slip_of(row)}])


@page("see_judging")
def printer(request: Request, tournament: Tournament) -> HttpResponse:
    """Show what waits for the printer; the page is left open at the desk and hears of each sheet at once."""
    rows = queries.waiting_prints(tournament)
    done = list(tournament.print_requests.filter(printed_at__isnull=False).order_by("-printed_at")[:10])
    names = queries.late_names(tournament, [*rows, *done])

    def about(row: PrintRequest) -> str:
        return names.get(row.number, "") if row.kind == KINDS.LATE_SLIP else str(row.number)

    return show(
        request,
        "penalties/printer.html",
        tournament,
        rows=[(row, about(row)) for row in rows],
        printed=[(row, about(row)) for row in done],
        may_print=may(request, "take_appeals"),
        revision=newest_revision(tournament),
        **live_addresses(tournament),
    )


@page("see_judging")
def waiting(request: Request, tournament: Tournament) -> HttpResponse:
    """Show every sheet that waits, each on a page of its own."""
    rows = queries.waiting_prints(tournament)
    return _sheets(
        request, tournament, [_sheet(tournament, row.kind, row.number) for row in rows], waiting=rows
    )


@page("take_appeals", methods=POST)
def ask(request: Request, tournament: Tournament) -> HttpResponse:
    """Ask for a sheet at the desk's printer."""
    number = request.POST.get("number", "")
    wanted = int(number) if number.isascii() and number.isdigit() and len(number) < 7 else 0
    kind = request.POST.get("kind", "")
    return do(
        request,
        lambda: operations.ask_for_print(tournament, kind, wanted, by=request.actor),
        _("It waits at the desk's printer."),
        "penalties:printer",
        tournament.slug,
    )


@page("take_appeals", methods=POST)
def printed(request: Request, tournament: Tournament) -> HttpResponse:
    """Tick off the sheets that were shown."""
    pks = [int(pk) for pk in request.POST.getlist("sheet") if pk.isascii() and pk.isdigit() and len(pk) < 15]
    return do(
        request,
        lambda: operations.tick_off(tournament, pks),
        _("Ticked off."),
        "penalties:printer",
        tournament.slug,
    )


def _sheets(
    request: Request, tournament: Tournament, sheets: list[dict[str, Any]], *, waiting: Any = ()
) -> HttpResponse:
    return show(request, "penalties/sheets.html", tournament, sheets=sheets, waiting=waiting)


def _sheet(tournament: Tournament, kind: str, number: int) -> dict[str, Any]:
    """Gather what one sheet shows."""
    if kind == KINDS.PENALTY:
        return {"kind": kind, "slip": queries.slip_of(tournament, penalty_of(tournament, number))}
    if kind == KINDS.LATENESS:
        session = tournament.sessions.filter(number=number).first()
        if session is None:
            raise Http404
        session.tournament = tournament
        return {"kind": kind, "session": session, "rows": queries.lateness_list(session)}
    if kind == KINDS.LATE_SLIP:
        late = operations.latenesses_of(tournament).select_related("player", "noted_by", "session")
        found = late.filter(pk=number).first()
        if found is None:
            raise Http404
        found.session.tournament = tournament
        return {"kind": kind, "slip": queries.late_slip_of(found)}
    row = appeal_of(tournament, number)
    return {
        "kind": kind,
        **appeal_context(row),
        "taken_by": row.deposit_taken_by,
        "returned_by": row.deposit_returned_by,
    }
