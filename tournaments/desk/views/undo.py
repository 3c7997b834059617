"""Presses taken back from the desk while nothing depends on them."""

from datetime import datetime

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.dateparse import parse_datetime
from django.utils.timezone import is_naive
from django.utils.translation import gettext as _

from scoring.problems import gettext_noop
from tournaments.models import Registration, Session, Tournament
from tournaments.people.operations import registration as people
from tournaments.record.refusal import refuse
from tournaments.sessions.operations import undo
from tournaments.web.access import page
from tournaments.web.frame import do
from tournaments.web.requests import Request

POST = ("POST",)


@page("run_sessions", methods=POST)
def start(request: Request, tournament: Tournament, session: Session) -> HttpResponse:
    """Take back the start of a session."""
    return do(
        request,
        lambda: undo.take_back_start(session, by=request.actor),
        _("Session %(n)s has not begun; its clock is off.") % {"n": session.number},
        "tournaments:sessions",
        tournament.slug,
    )


@page("run_sessions", methods=POST)
def close(request: Request, tournament: Tournament, session: Session) -> HttpResponse:
    """Take back the closing of a session."""
    return do(
        request,
        lambda: undo.take_back_close(session, by=request.actor),
        _("Session %(n)s is open again.") % {"n": session.number},
        "tournaments:sessions",
        tournament.slug,
    )


@page("check_in", methods=POST)
def check_in_all(request: Request, tournament: Tournament) -> HttpResponse:
    """Take back that several were checked in by one press."""
    return do(
        request,
        lambda: people.undo_check_in_all(tournament, _moment(request), by=request.actor),
        _("Those players are not checked in."),
        "tournaments:check_in",
        tournament.slug,
    )


@page("check_in", methods=POST)
def payments(request: Request, tournament: Tournament) -> HttpResponse:
    """Take back that several payments were noted by one press."""
    return do(
        request,
        lambda: people.undo_payments(tournament, _moment(request), by=request.actor),
        _("Those payments are not noted."),
        "tournaments:check_in",
        tournament.slug,
    )


def _moment(request: Request) -> datetime:
    """Return the moment that a form names, with its zone."""
    try:
        moment = parse_datetime(request.POST.get("moment", ""))
    except ValueError:
        moment = None
    if moment is None or is_naive(moment):
        refuse("not_found", gettext_noop("There is nothing to take back any more."))
    return moment


@page("manage_people", methods=POST)
def withdrawal(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Take back that somebody is off the list."""
    row = get_object_or_404(
        Registration.objects.select_related("player"), tournament=tournament, number=number
    )
    row.tournament = tournament
    return do(
        request,
        lambda: people.take_back_withdrawal(row, by=request.actor),
        _("%(name)s has the same place as before.") % {"name": row.player},
        "tournaments:people",
        tournament.slug,
    )
