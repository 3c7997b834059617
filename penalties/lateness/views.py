"""The lateness clock: empty seats marked at the start, minutes that run, arrivals, corrections with reasons."""

from datetime import datetime, time
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from penalties.ladder.queries import penalties
from penalties.lateness import operations
from penalties.lateness import queries as lateness_queries
from penalties.lateness.forms import ChangeLatenessForm, LateForm
from penalties.lateness.rules import OUTSIDE, elapsed, thresholds
from penalties.models import Lateness
from penalties.web.frame import attempted, sent
from scoring.problems import gettext_noop
from tournaments.calendar import moved
from tournaments.models import Session, Tournament
from tournaments.record.refusal import refuse
from tournaments.sessions.queries import current_session
from tournaments.web.access import page
from tournaments.web.frame import do, done, may, show
from tournaments.web.requests import Request

BOTH = ("GET", "POST")
POST = ("POST",)


@page("judge")
def current(request: Request, tournament: Tournament) -> HttpResponse:
    """Lead to the clock of the session that matters now."""
    session = current_session(tournament)
    if session is None:
        return redirect("penalties:judging", tournament.slug)
    return redirect("penalties:lateness_clock", tournament.slug, session.number)


@page("judge", methods=BOTH)
def clock(request: Request, tournament: Tournament, session: Session) -> HttpResponse:
    """Show who is late and for how long; mark those whose seats are empty. [SBR 2.8.4.5]"""
    late = lateness_queries.late_players(session)
    marked = {one.row.player_id for one in late if one.row.state != Lateness.State.MISTAKE}
    playing = session.seats.filter(table__protocol__isnull=False)
    seats = [
        seat
        for seat in playing.select_related("table", "player__registration", "kept_for").in_order()
        if seat.player_id and seat.kept_for_id is None and seat.player_id not in marked and not seat.has_left
    ]
    form = LateForm(sent(request), seats=seats)

    def work() -> Any:
        wanted = set(form.cleaned_data["players"])
        players = [seat.player for seat in seats if str(seat.player_id) in wanted and seat.player]
        return operations.mark_late(session, players, by=request.actor)

    noted, status = attempted(form, work)
    if noted:
        return done(
            request, _("Lateness clock started."), "penalties:lateness_clock", tournament.slug, session.number
        )
    rules = penalties.JudgedEvent(tournament).rules_of(session.number).lateness
    return show(
        request,
        "penalties/lateness.html",
        tournament,
        status=status,
        session=session,
        late=late,
        thresholds=thresholds(rules),
        has_policy=rules is not None,
        per_minute=bool(rules and any(band.per_minute for band in rules.bands)),
        form=form if seats else None,
        now=timezone.now(),
        may_seat=may(request, "seat_substitutes"),
    )


@page("judge", methods=POST)
def arrived(request: Request, tournament: Tournament, session: Session, number: int) -> HttpResponse:
    """Stop the minutes of a player who has just come, or who came at the time that is sent. [RULES 8.54]"""

    def work() -> Lateness:
        row = _row(session, number)
        if row is None:
            refuse("not_found", gettext_noop("This player is not marked as late."))
        at = arrival_at(session, request.POST.get("at", ""))
        return operations.note_arrival(row, by=request.actor, at=at)

    back: tuple[Any, ...] = ("penalties:lateness_clock", tournament.slug, session.number)
    if name := BACK.get(request.POST.get("back", "")):
        back = (name, tournament.slug)
    return do(request, work, _("The arrival is noted."), *back)


BACK = {"tables": "tournaments:tables", "judging": "penalties:judging", "desk": "tournaments:desk"}
"""The pages on which somebody is noted as arrived, and to which the press leads back."""


def arrival_at(session: Session, text: str) -> datetime | None:
    """Read a clock time in the hall as the instant in or after the session's start; none where nothing was written."""
    if not text.strip() or session.started_at is None:
        return None
    try:
        clock = time.fromisoformat(text.strip())
    except ValueError:
        return refuse("time_format", gettext_noop("Write the time as 10:05."), field="at")
    start = timezone.localtime(session.started_at, session.tournament.zone)
    at = datetime.combine(start.date(), clock.replace(tzinfo=None), tzinfo=session.tournament.zone)
    if clock.second == 0 and (clock.hour, clock.minute) == (start.hour, start.minute):
        return session.started_at
    at = at if at >= start else moved(at, minutes=24 * 60)
    if at > timezone.now():
        refuse("arrival_outside", OUTSIDE, field="at", **lateness_queries.span_of(session))
    return at


@page("judge", methods=BOTH)
def change(request: Request, tournament: Tournament, session: Session, number: int) -> HttpResponse:
    """Correct when a player came, or forgive it, with a reason."""
    found = _row(session, number)
    row = found or get_object_or_404(session.latenesses, player__registration__number=number)
    form = ChangeLatenessForm(sent(request), initial=_as_it_is(session, row))

    def work() -> Lateness:
        data = form.cleaned_data
        return operations.change_lateness(
            row,
            seconds=data["minutes"],
            is_waived=data["is_waived"],
            by=request.actor,
            reason=data["reason"],
        )

    changed, status = attempted(form, work)
    if changed:
        return done(request, _("Saved."), "penalties:lateness_clock", tournament.slug, session.number)
    return show(
        request,
        "penalties/change_lateness.html",
        tournament,
        status=status,
        session=session,
        row=row,
        number=number,
        form=form,
    )


@page("judge", methods=POST)
def strike(request: Request, tournament: Tournament, session: Session, number: int) -> HttpResponse:
    """Say that a player was marked by mistake, with a reason."""

    def work() -> Lateness:
        row = _row(session, number)
        if row is None:
            refuse("not_found", gettext_noop("This player is not marked as late."))
        return operations.strike(row, by=request.actor, reason=request.POST.get("reason", ""))

    return do(request, work, _("Struck out."), "penalties:lateness_clock", tournament.slug, session.number)


def _as_it_is(session: Session, row: Lateness) -> dict[str, Any]:
    """Return what the form begins with; the minutes of somebody who is not here yet run."""
    seconds = row.seconds or 0
    if row.state == Lateness.State.RUNNING and session.started_at:
        seconds = elapsed(session.started_at, timezone.now())
    return {"minutes": f"{seconds // 60}:{seconds % 60:02}", "is_waived": row.is_waived}


def _row(session: Session, number: int) -> Lateness | None:
    rows = session.latenesses.select_related("player")
    row = rows.filter(player__registration__number=number).first() if number < 10**6 else None
    if row is not None:
        row.session = session
    return row
