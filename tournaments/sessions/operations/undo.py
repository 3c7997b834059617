"""Presses taken back while nothing depends on them: a start, and the closing of a session."""

from django.db import transaction

from scoring.problems import Problem, gettext_noop
from tournaments.models import HistoryEntry, Registration, Session, Tournament
from tournaments.record import history, judges
from tournaments.record.actors import Actor
from tournaments.record.history import Kind
from tournaments.record.locks import lock_protocols, lock_session, lock_tournament
from tournaments.record.refusal import Refused, refuse_finished
from tournaments.sessions.operations.calls import end_calls

STATES = Session.State


@transaction.atomic
def take_back_start(session: Session, *, by: Actor) -> Session:
    """Make a session that was started by mistake a seated one again, while nothing was recorded in it. [RULES 9.11]"""
    tournament = lock_tournament(session.tournament)
    session = lock_session(session)
    session.tournament = tournament
    lock_protocols(session)
    refuse_finished(tournament)
    if problems := start_hindrances(session):
        raise Refused(*problems)
    session.state, session.started_at, session.regulation = STATES.PLANNED, None, None
    session.extra_seconds, session.paused_at = 0, None
    session.save(update_fields=["state", "started_at", "regulation", "extra_seconds", "paused_at"])
    end_calls(session)
    _cancel_again(tournament, session, by=by)
    others = tournament.sessions.filter(started_at__isnull=False).exists()
    if tournament.state == Tournament.State.RUNNING and not others:
        tournament.state = Tournament.State.ANNOUNCED
        tournament.save(update_fields=["state"])
    history.record(
        Kind.SESSION_START_TAKEN_BACK, tournament=tournament, by=by, subject=f"session:{session.number}"
    )
    return session


def start_hindrances(session: Session) -> list[Problem]:
    """Return why the start of a session stands: something was recorded or decided since. [RULES 9.11]"""
    if session.state != STATES.OPEN:
        return [
            Problem("wrong_state", gettext_noop("Only the start of a session in play can be taken back."))
        ]
    begun = session.tables.filter(protocol__version__gt=0).order_by("number")
    if tables := list(begun.values_list("number", flat=True)):
        details = {"tables": ", ".join(map(str, tables))}
        return [Problem("has_hands", START_RECORDED, details=details)]
    if judges.has_decided(session) or session.adjustments.exists():
        return [Problem("has_decisions", START_DECIDED)]
    return []


def _cancel_again(tournament: Tournament, session: Session, *, by: Actor) -> None:
    """Give those whom the start made leave in its course the status they had: they had cancelled. [RULES 9.9]"""
    rows = HistoryEntry.objects.filter(tournament=tournament, kind=Kind.SESSION_STARTED).order_by("-number")
    contents = (history.read(content) for content in rows.values_list("content", flat=True))
    subject = f"session:{session.number}"
    started = next((content for content in contents if content["subject"] == subject), None)
    cancelled = started["data"].get("withdrawn", []) if started else []
    left = tournament.registrations.filter(pk__in=cancelled, status=Registration.Status.WITHDRAWN)
    for row in left:
        row.status, row.last_session = Registration.Status.CANCELLED, None
        row.save(update_fields=["status", "last_session"])
        registration, data = f"registration:{row.pk}", {"status": row.status}
        history.record(
            Kind.REGISTRATION_CHANGED, tournament=tournament, by=by, subject=registration, data=data
        )


@transaction.atomic
def take_back_close(session: Session, *, by: Actor) -> Session:
    """Open a session that was closed by mistake, without a reason, while nothing followed. [RULES 9.11]"""
    tournament = lock_tournament(session.tournament)
    session = lock_session(session)
    session.tournament = tournament
    if problems := close_hindrances(session):
        raise Refused(*problems)
    session.state, session.checkpoint, session.ended_at = STATES.OPEN, "", None
    session.save(update_fields=["state", "checkpoint", "ended_at"])
    history.record(Kind.SESSION_REOPENED, tournament=tournament, by=by, subject=f"session:{session.number}")
    return session


def close_hindrances(session: Session) -> list[Problem]:
    """Return why the closing of a session stands: the event or a later session went on from it. [RULES 9.11]"""
    if session.state != STATES.CLOSED or session.ended_at is None:
        return [
            Problem("wrong_state", gettext_noop("Only the closing of a closed session can be taken back."))
        ]
    if session.tournament.state != Tournament.State.RUNNING:
        return [Problem("event_finished", gettext_noop("The event is closed; reopen it first."))]
    rows = session.tournament.sessions.exclude(pk=session.pk)
    later = rows.filter(published_at__gt=session.ended_at) | rows.filter(started_at__gt=session.ended_at)
    if after := later.order_by("number").first():
        return [Problem("round_exists", CLOSE_FOLLOWED, details={"n": after.number})]
    return []


START_RECORDED = gettext_noop("Something is recorded at tables %(tables)s, so the session has begun.")
START_DECIDED = gettext_noop("A referee has decided something in this session, so it has begun.")
CLOSE_FOLLOWED = gettext_noop(
    "Session %(n)s was seated or started since; reopen this one with a reason, if it must be."
)
