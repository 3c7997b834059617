"""The timetable at the desk: one time for each session to come."""

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.models import Session, Tournament
from tournaments.record.receipts import check_key
from tournaments.sessions.operations import timetable as operations
from tournaments.sessions.queries import timetable_of
from tournaments.web.access import page
from tournaments.web.forms import LocalDateTimeField, RefusableForm
from tournaments.web.frame import do, done, show, status_of, tried
from tournaments.web.requests import Request
from tournaments.web.strict import parse_whole

MOST_SHIFTED = 720
STEPS = (-15, -5, 5, 15)


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
        lines=timetable_of(tournament),
        steps=STEPS,
        zone=tournament.time_zone,
        minutes=tournament.regulation["session_minutes"],
        status=status_of(form),
    )


@page("run_sessions", methods=("POST",))
def shift_session(request: Request, tournament: Tournament, session: Session) -> HttpResponse:
    """Move a session and what comes after it on its day, by a drag or by a button. [RULES 9.27]"""

    def work() -> Any:
        minutes = parse_whole(
            request.POST.get("minutes", ""), field="minutes", least=-MOST_SHIFTED, most=MOST_SHIFTED
        )
        key = check_key(request.POST.get("key", ""))
        return operations.shift_sessions(session, minutes, by=request.actor, key=key)

    return do(request, work, _said, "tournaments:edit_timetable", tournament.slug)


def _said(changed: list[Session]) -> str:
    """Tell which sessions begin at another time now."""
    if not changed:
        return _("Nothing was moved.")
    times = ", ".join(
        f"{row} {timezone.localtime(row.planned_at, row.tournament.zone):%H:%M}"
        for row in changed
        if row.planned_at
    )
    return _("Moved: %(times)s. Everybody sees the new times.") % {"times": times}
