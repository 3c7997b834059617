"""Locking in one order: tournament, session, table with its protocol, registration, and the revision last.

`no_key` leaves foreign keys insertable, so that a table's entry never waits for the desk and the desk for it.
SQLite has one writer at a time by IMMEDIATE transactions and ignores row locks.
"""

from collections.abc import Collection

from scoring.problems import gettext_noop
from tournaments.models import Protocol, Registration, Session, Tournament
from tournaments.record.queries import read_protocol
from tournaments.record.refusal import refuse


def lock_tournament(tournament: Tournament) -> Tournament:
    """Lock the tournament and read it afresh."""
    return Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)


def lock_session(session: Session) -> Session:
    """Lock the session and read it afresh."""
    return Session.objects.select_for_update(no_key=True).get(pk=session.pk)


def lock_protocol(protocol: Protocol) -> Protocol:
    """Lock the protocol and read it afresh, with its table and session as they are now.

    Two statements: a single one that had to wait would return the joined rows as they were before the wait.
    A protocol whose seating was withdrawn during the wait is gone.
    """
    lock_unread(protocol)
    return read_protocol(protocol)


def lock_unread(protocol: Protocol) -> None:
    """Lock the protocol, and read nothing."""
    locked = Protocol.objects.select_for_update(no_key=True).filter(pk=protocol.pk).values_list("pk").first()
    if locked is None:
        refuse("not_found", gettext_noop("This table is no more: its seating was withdrawn."))


def lock_free(slug: str, places: Collection[tuple[int, int]]) -> list[int]:
    """Lock those protocols of a tournament that nobody else has locked, without waiting for the others; name them.

    Their tables are named by the session's number and their own; of several sessions all tables of these numbers are locked.
    """
    rows = Protocol.objects.select_for_update(no_key=True, skip_locked=True, of=("self",)).filter(
        table__session__tournament__slug=slug,
        table__session__number__in={session for session, _ in places},
        table__number__in={table for _, table in places},
    )
    return list(rows.order_by().values_list("pk", flat=True))


def lock_protocols(session: Session) -> list[Protocol]:
    """Lock all protocols of the session, in the order of their tables."""
    return list(
        Protocol.objects.select_for_update(no_key=True, of=("self",))
        .filter(table__session=session)
        .select_related("table")
        .order_by("table__number")
    )


def lock_seating(session: Session) -> None:
    """Lock a session with its tables and protocols, before the first entry about any of several sessions."""
    lock_session(session)
    lock_protocols(session)
    list(session.tables.select_for_update(no_key=True).order_by("number").values_list("pk"))


def lock_registration(registration: Registration) -> Registration:
    """Lock the registration and read it afresh, with its player."""
    Registration.objects.select_for_update(no_key=True).values_list("pk").get(pk=registration.pk)
    return Registration.objects.select_related("player", "tournament").get(pk=registration.pk)
