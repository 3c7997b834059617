"""Presses taken back from the desk while nothing depends on them."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from tournaments.models import Registration, Session, Tournament
from tournaments.people.operations import registration as people
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
