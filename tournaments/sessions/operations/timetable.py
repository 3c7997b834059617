"""The timetable: when the coming sessions begin."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction

from scoring.problems import gettext_noop
from tournaments.models import Session, Tournament
from tournaments.record import history, receipts
from tournaments.record.actors import Actor
from tournaments.record.history import Kind
from tournaments.record.locks import lock_tournament
from tournaments.record.refusal import Refused, refuse, refuse_finished
from tournaments.sessions.rules.timetable import Slot, clock_problems, order_problems


@transaction.atomic
def plan_sessions(
    tournament: Tournament, starts: Mapping[int, datetime | None], *, by: Actor
) -> list[Session]:
    """Set the local times of sessions that have not begun; return those that changed."""
    tournament = lock_tournament(tournament)
    refuse_finished(tournament)
    sessions = list(tournament.sessions.order_by("number"))
    problems = [
        problem
        for number, local in starts.items()
        if local is not None
        for problem in clock_problems(local, tournament.zone, field=f"session_{number}")
    ]
    if problems:
        raise Refused(*problems)
    changed = []
    for session in sessions:
        session.tournament = tournament
        if session.number not in starts or session.state != Session.State.PLANNED:
            continue
        local = starts[session.number]
        planned = local.replace(tzinfo=tournament.zone) if local is not None else None
        if planned != session.planned_at:
            session.planned_at = planned
            changed.append(session)
    slots = [Slot(row.number, row.started_at or row.planned_at, row.minutes) for row in sessions]
    if problems := order_problems(slots, tournament.zone):
        raise Refused(*problems)
    if changed:
        Session.objects.bulk_update(changed, ["planned_at"])
        said = {str(row.number): row.planned_at.isoformat() if row.planned_at else None for row in changed}
        history.record(
            Kind.TOURNAMENT_CHANGED,
            tournament=tournament,
            by=by,
            data={"fields": ["timetable"], "timetable": said},
        )
    return changed


@transaction.atomic
def shift_sessions(session: Session, minutes: int, *, by: Actor, key: str) -> list[Session]:
    """Move a session that has not begun, and all that come after it on its day, by so many minutes; return those moved.

    Sent again under the same key, it changes nothing. [RULES 9.27]
    """
    tournament = lock_tournament(session.tournament)
    body = {"session": session.number, "shift": minutes}
    if receipts.answered(tournament, key, by=by, body=body) is not None:
        return []
    rows = tournament.sessions.filter(number__gte=session.number, state=Session.State.PLANNED)
    starts = {row.number: row.planned_at.astimezone(tournament.zone) for row in rows if row.planned_at}
    if session.number not in starts:
        refuse("wrong_state", gettext_noop("Only a session that has a time and has not begun can be moved."))
    day = starts[session.number].date()
    moved_to = {
        number: at.replace(tzinfo=None) + timedelta(minutes=minutes)
        for number, at in starts.items()
        if at.date() == day
    }
    changed = plan_sessions(tournament, moved_to, by=by)
    receipts.store(tournament, key, by=by, body=body, answer={"sessions": sorted(moved_to)})
    return changed
