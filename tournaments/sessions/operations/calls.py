"""Calls for a referee: noted when a table calls, when somebody is on the way, and when the call is over."""

from django.utils import timezone

from tournaments.models import RefereeCall, Session, Table


def note_call(table: Table) -> None:
    """Note that a table calls; while it does, a second tap is the same call."""
    RefereeCall.objects.get_or_create(table=table, ended_at=None, defaults={"called_at": timezone.now()})


def note_answer(table: Table) -> None:
    """Note that somebody is on the way."""
    table.calls.filter(ended_at=None, answered_at=None).update(answered_at=timezone.now())


def note_end(table: Table) -> None:
    """Note that the call is over."""
    table.calls.filter(ended_at=None).update(ended_at=timezone.now())


def end_calls(session: Session) -> None:
    """Put out every call of a session whose tables are no longer played."""
    session.tables.update(called_at=None, answered_at=None)
    RefereeCall.objects.filter(table__session=session, ended_at=None).update(ended_at=timezone.now())
