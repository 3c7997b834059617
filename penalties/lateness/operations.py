"""Lateness: empty seats marked at the start signal, arrivals, corrections and waivers with their reasons."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from penalties.appeals.queries import seat_in
from penalties.ladder.operations.lines import settle
from penalties.ladder.queries.penalties import JudgedEvent
from penalties.lateness.queries import is_within, span_of
from penalties.lateness.rules import OUTSIDE, consequence, elapsed, seconds_problems
from penalties.models import Lateness
from scoring.problems import gettext_noop
from scoring.systems import SYSTEMS
from tournaments.models import Player, Registration, Session, Tournament
from tournaments.people.operations.registration import check_in
from tournaments.record import history
from tournaments.record.actors import Actor
from tournaments.record.history import Kind
from tournaments.record.locks import lock_protocols, lock_session, lock_tournament
from tournaments.record.refusal import Refused, need_reason, refuse
from tournaments.tables.operations.substitutes import leave_empty

STATES = Lateness.State


@transaction.atomic
def mark_late(session: Session, players: Sequence[Player], *, by: Actor) -> list[Lateness]:
    """Note that players are not in their seats; their minutes run from the start signal. [SBR 2.8.4.5]"""
    tournament, session = _lock(session)
    if session.state != Session.State.OPEN or session.started_at is None:
        refuse("not_started", gettext_noop("Session %(n)s is not in play."), n=session.number)
    return [_mark(tournament, session, player, by=by) for player in players]


@transaction.atomic
def note_arrival(lateness: Lateness, *, by: Actor, at: datetime | None = None) -> Lateness:
    """Stop a player's minutes; what they cost is posted, and beyond the limit the seat is kept empty. [RIICHI 5.7]"""
    tournament, session, row = _lock_row(lateness)
    if row.state not in {STATES.RUNNING, STATES.ABSENT} or session.started_at is None:
        refuse("wrong_state", gettext_noop("The arrival of %(name)s is noted already."), name=str(row.player))
    _check_open(tournament, session, row.player, by)
    _check_arrival(session, row, at)
    row.arrived_at = at or timezone.now()
    row.seconds, row.state = elapsed(session.started_at, row.arrived_at), STATES.ARRIVED
    row.save(update_fields=["arrived_at", "seconds", "state"])
    _check_in(tournament, row.player, by=by, at=row.arrived_at)
    return _end(Kind.LATENESS_ENDED, tournament, row, by=by, reason="")


@transaction.atomic
def change_lateness(
    lateness: Lateness, *, seconds: int, by: Actor, reason: str, is_waived: bool | None = None
) -> Lateness:
    """Correct when a player came, and at once whether it is forgiven, with a reason. [RULES 8.2]"""
    need_reason(reason)
    tournament, session, row = _lock_row(lateness)
    _check_open(tournament, session, row.player, by)
    if problems := seconds_problems(seconds):
        raise Refused(*problems)
    was = _said(row)
    row.seconds, row.state, row.reason = seconds, STATES.ARRIVED, reason
    row.is_waived = row.is_waived if is_waived is None else is_waived
    if _said(row) == was:
        return row
    row.save(update_fields=["seconds", "state", "reason", "is_waived"])
    return _end(Kind.LATENESS_CHANGED, tournament, row, by=by, reason=reason)


@transaction.atomic
def waive(lateness: Lateness, *, by: Actor, reason: str, is_waived: bool = True) -> Lateness:
    """Forgive a lateness, or take that back, with a reason. [RECORD 2]"""
    need_reason(reason)
    tournament, session, row = _lock_row(lateness)
    _check_open(tournament, session, row.player, by)
    was = _said(row)
    row.is_waived, row.reason = is_waived, reason
    if _said(row) == was:
        return row
    row.save(update_fields=["is_waived", "reason"])
    return _end(Kind.LATENESS_CHANGED, tournament, row, by=by, reason=reason)


@transaction.atomic
def strike(lateness: Lateness, *, by: Actor, reason: str) -> Lateness:
    """Say that a player was noted as late by mistake, with a reason; the row stays."""
    need_reason(reason)
    tournament, session, row = _lock_row(lateness)
    _check_open(tournament, session, row.player, by)
    was = _said(row)
    row.state, row.seconds, row.reason = STATES.MISTAKE, None, reason
    if _said(row) == was:
        return row
    row.save(update_fields=["state", "seconds", "reason"])
    return _end(Kind.LATENESS_CHANGED, tournament, row, by=by, reason=reason)


@transaction.atomic
def forgive(lateness: Lateness, *, by: Actor, ruling: str) -> Lateness:
    """Forgive a lateness by a ruling, in whatever state session and event are. [SBR 2.9.5] [RULES 8.53]"""
    tournament, _session, row = _lock_row(lateness)
    row.is_waived, row.reason = True, ruling
    row.save(update_fields=["is_waived", "reason"])
    return _end(Kind.LATENESS_CHANGED, tournament, row, by=by, reason=ruling)


def end_absences(session: Session, players: Sequence[Player], *, by: Actor) -> None:
    """Stop the minutes of players whose seats somebody else has taken or nobody takes any more."""
    for row in session.latenesses.filter(state=STATES.RUNNING, player__in=players).select_related("player"):
        row.state = STATES.ABSENT
        row.save(update_fields=["state"])
        _record(Kind.LATENESS_ENDED, session.tournament, row, by=by)


def _lock(session: Session) -> tuple[Tournament, Session]:
    """Lock in the one order; an arrival beyond the limit changes seats as well."""
    tournament = lock_tournament(session.tournament)
    session = lock_session(session)
    session.tournament = tournament
    lock_protocols(session)
    return tournament, session


def _lock_row(lateness: Lateness) -> tuple[Tournament, Session, Lateness]:
    tournament, session = _lock(lateness.session)
    row = Lateness.objects.select_related("player").get(pk=lateness.pk)
    row.session = session
    return tournament, session, row


def _check_open(tournament: Tournament, session: Session, player: Player, by: Actor) -> None:
    if tournament.is_finished:
        refuse("event_finished", gettext_noop("The event is finished; use a committee decision."))
    if session.state == Session.State.CLOSED and not by.has_role("chief_referee"):
        refuse("forbidden", gettext_noop("In a closed session only the chief referee can correct."))
    seat = seat_in(session, player)
    if seat is not None and seat.table.seats.filter(player_id__in=by.player_ids).exists():
        refuse("conflict_of_interest", gettext_noop("You play at this table; ask another referee."))


def _check_in(tournament: Tournament, player: Player, *, by: Actor, at: datetime) -> None:
    """Check in who came late, for the next sessions, too; not where nobody is checked in at all. [SBR 2.4.5]"""
    row = player.registration
    is_used = tournament.registrations.filter(checked_in_at__isnull=False).exists()
    if is_used and row.status == Registration.Status.ACTIVE and row.checked_in_at is None:
        check_in(row, by=by, now=at)


def _check_arrival(session: Session, row: Lateness, at: datetime | None) -> None:
    """Refuse an arrival outside the session; after the session its clock time must be told. [RULES 8.54]"""
    if at is None and session.ended_at is not None:
        refuse(
            "arrival_time_needed",
            gettext_noop("The session is over: write at what time %(name)s came."),
            field="at",
            name=str(row.player),
        )
    if at is not None and not is_within(session, at):
        refuse("arrival_outside", OUTSIDE, field="at", **span_of(session))


def _mark(tournament: Tournament, session: Session, player: Player, *, by: Actor) -> Lateness:
    seat = session.seats.filter(player=player, kept_for=None).first()
    if seat is None or not hasattr(player, "registration"):
        refuse(
            "player_not_found",
            gettext_noop("%(name)s has no seat in session %(n)s."),
            field="players",
            name=player.name,
            n=session.number,
        )
    _check_open(tournament, session, player, by)
    row = session.latenesses.filter(player=player).first()
    if row is not None and row.state != STATES.MISTAKE:
        return row
    if row is None:
        row = Lateness(session=session, player=player)
    row.state, row.seconds, row.reason, row.is_waived = STATES.RUNNING, None, "", False
    row.noted_at, row.noted_by_id, row.arrived_at = timezone.now(), by.id, None
    row.save()
    _record(Kind.LATENESS_NOTED, tournament, row, by=by)
    return row


def _said(row: Lateness) -> tuple[object, ...]:
    """Return what a decision about a lateness says, so that one that says nothing new is not recorded."""
    return row.state, row.seconds, row.is_waived, row.reason


def _end(kind: Kind, tournament: Tournament, row: Lateness, *, by: Actor, reason: str) -> Lateness:
    """Record the end of a lateness, keep the seat of a player who came too late, and update the accounts."""
    row.decided_at = timezone.now()
    row.save(update_fields=["decided_at"])
    _record(kind, tournament, row, by=by, reason=reason)
    rules = JudgedEvent(tournament).rules_of(row.session.number).lateness
    is_beyond = (
        row.state == STATES.ARRIVED and not row.is_waived and consequence(rules, row.seconds or 0).is_replaced
    )
    if is_beyond and row.session.seats.filter(player=row.player).exists():
        leave_empty(row.player, row.session, by=by, reason=_too_late(tournament, row))
    settle(tournament, by=by, reason=reason)
    return row


def _too_late(tournament: Tournament, row: Lateness) -> str:
    """Return why a seat is kept empty, as numbers and clause, the same in every language."""
    minutes, seconds = divmod(row.seconds or 0, 60)
    clause = SYSTEMS[tournament.system].lateness_clause
    return f"{minutes}:{seconds:02} [{clause}]"


def _record(kind: Kind, tournament: Tournament, row: Lateness, *, by: Actor, reason: str = "") -> None:
    history.record(
        kind,
        tournament=tournament,
        by=by,
        subject=f"lateness:{row.session.number}/{row.player_id}",
        data={"state": row.state, "seconds": row.seconds, "waived": row.is_waived},
        reason=reason,
    )
