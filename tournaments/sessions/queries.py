"""Reads of sessions and their tables."""

from django.db.models import Count, Prefetch, Q, QuerySet

from tournaments.models import Seat, Session, Table, Tournament
from tournaments.models.protocol import InForce
from tournaments.people.queries.events import GONE


def current_session(tournament: Tournament) -> Session | None:
    """Return the session in play, else the next one seated, else the last one played."""
    sessions = list(tournament.sessions.order_by("number"))
    for state in (Session.State.OPEN, Session.State.PLANNED):
        for session in sessions:
            if session.state == state and session.is_published:
                session.tournament = tournament
                return session
    closed = [session for session in sessions if session.state == Session.State.CLOSED]
    return closed[-1] if closed else None


def seated_tables(session: Session) -> QuerySet[Table]:
    """List the tables of a session with everybody at them."""
    seats = Seat.objects.select_related("player__registration", "kept_for__registration").order_by("id")
    return (
        session.tables.select_related("protocol")
        .prefetch_related(Prefetch("seats", seats))
        .order_by("number")
    )


def counted_tables(session: Session) -> QuerySet[Table]:
    """List the tables of a session with how many hands and confirmations each has."""
    hands = Count("protocol__hands", filter=Q(protocol__hands__status=InForce.IN_FORCE), distinct=True)
    confirmed = Count("seats", filter=Q(seats__confirmed_at__isnull=False), distinct=True)
    return seated_tables(session).annotate(hand_count=hands, confirmed_count=confirmed)


def seats_of_the_gone(session: Session) -> list[Seat]:
    """List the seats of players who are out of the tournament and whom nobody replaces yet. [RULES 8.7]"""
    gone = session.seats.filter(kept_for=None, player__registration__status__in=GONE)
    return list(gone.select_related("table__protocol", "player").in_order())
