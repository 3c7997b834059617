"""The timetable at the desk: one time for each session to come."""

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.models import Session, Tournament
from tournaments.sessions.operations import timetable as operations
from tournaments.web.access import page
from tournaments.web.forms import LocalDateTimeField, RefusableForm
from tournaments.web.frame import done, show, status_of, tried
from tournaments.web.requests import Request


class TimetableForm(RefusableForm):
    """When each session that has not begun shall begin."""

    def __init__(self, *args: Any, sessions: list[Session], tournament: Tournament, **kwargs: Any) -> None:
        """Ask for one time a session, with what is planned already."""
        super().__init__(*args, **kwargs)
        self.numbers = [session.number for session in sessions]
        for session in sessions:
            planned = session.planned_at
            local = timezone.localtime(planned, tournament.zone).replace(tzinfo=None) if planned else None
            self.fields[f"session_{session.number}"] = LocalDateTimeField(
                label=str(session), required=False, initial=local
            )

    def starts(self) -> dict[int, Any]:
        """Return the times by session."""
        return {number: self.cleaned_data[f"session_{number}"] for number in self.numbers}


@page("run_sessions", methods=("GET", "POST"))
def edit_timetable(request: Request, tournament: Tournament) -> HttpResponse:
    """Plan when the sessions begin. [INTEGRITY 68] [INTEGRITY 69]"""
    sessions = list(tournament.sessions.filter(state=Session.State.PLANNED).order_by("number"))
    form = TimetableForm(request.POST or None, sessions=sessions, tournament=tournament)
    planned = tried(
        form, lambda: operations.plan_sessions(tournament, form.starts(), by=request.actor) or True
    )
    if planned:
        return done(request, _("The timetable is saved."), "tournaments:sessions", tournament.slug)
    return show(
        request,
        "organizer/timetable",
        tournament,
        form=form,
        zone=tournament.time_zone,
        minutes=tournament.regulation["session_minutes"],
        status=status_of(form),
    )
