"""Reads of sessions and their tables."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from django.db.models import Count, Prefetch, Q, QuerySet

from scoring.problems import gettext_noop
from tournaments.calendar import moved
from tournaments.models import Device, Registration, Seat, Session, Table, Tournament
from tournaments.models.protocol import InForce
from tournaments.people.queries.events import GONE


def state_but_for_cancellation(tournament: Tournament) -> Tournament.State:
    """Return in which state an event would be had nobody cancelled it."""
    if tournament.state != Tournament.State.CANCELLED:
        return Tournament.State(tournament.state)
    has_begun = tournament.sessions.filter(started_at__isnull=False).exists()
    return Tournament.State.RUNNING if has_begun else Tournament.State.ANNOUNCED


@dataclass(frozen=True)
class TimetableLine:
    """What happens, from when until when, on which day of the event's own time zone."""

    at: datetime
    until: datetime | None
    title: str
    day: date
    number: int
    is_planned: bool
    pause: int | None
    """The minutes since what comes before it on its day: a break."""


def timetable_of(tournament: Tournament) -> list[TimetableLine]:
    """Return what has a time, in its order: sessions as they began or are planned, and the breaks between them."""
    found: list[TimetableLine] = []
    for session in tournament.sessions.order_by("number"):
        session.tournament = tournament
        if at := session.started_at or session.planned_at:
            until = session.ends_at or moved(at, minutes=session.minutes)
            day = at.astimezone(tournament.zone).date()
            before = found[-1].until if found and found[-1].day == day else None
            pause = int((at - before).total_seconds() // 60) if before else None
            is_planned = session.state == Session.State.PLANNED
            found.append(TimetableLine(at, until, str(session), day, session.number, is_planned, pause))
    return found


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
    seats = Seat.objects.select_related("player__registration", "kept_for__registration").in_order()
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


def absent_seats(session: Session) -> list[Seat]:
    """List the seats of players who are not checked in; none where nobody is checked in at all. [SBR 2.4.5]"""
    if not session.tournament.registrations.filter(checked_in_at__isnull=False).exists():
        return []
    rows = session.seats.filter(
        kept_for=None,
        player__registration__status=Registration.Status.ACTIVE,
        player__registration__checked_in_at=None,
    )
    return list(rows.select_related("table", "player__registration").in_order())


@dataclass(frozen=True)
class Concern:
    """Something to look at before a session is started or closed: what it is, whom it concerns, and what could be done."""

    code: str
    sentence: str
    details: Mapping[str, object] = field(default_factory=dict)
    seats: Sequence[Seat] = ()
    session: Session | None = None


def before_start(session: Session) -> list[Concern]:
    """List what should be looked at before a session is started. [RULES 9.12]"""
    return [
        *_out_of_order(session),
        *_gone(session),
        *_absent(session),
        *_unpaid(session),
        *_left_over(session),
    ]


def before_close(session: Session) -> list[Concern]:
    """List what should be looked at before a session is closed, besides what keeps it open. [RULES 9.12]"""
    return [*_scored_though_gone(session), *_unsent(session)]


def _out_of_order(session: Session) -> Iterator[Concern]:
    """Warn if an earlier session has not been played."""
    rows = session.tournament.sessions.filter(number__lt=session.number, state=Session.State.PLANNED)
    earlier = rows.order_by("number").first()
    if earlier is not None:
        sentence = gettext_noop("Session %(n)s has not been played yet.")
        yield Concern("out_of_order", sentence, {"n": earlier.number}, session=earlier)


def _gone(session: Session) -> Iterator[Concern]:
    """Warn if somebody sits here who has left the event, and would be scored as playing. [RULES 8.7] [RULES 9.9]"""
    out = (*GONE, Registration.Status.CANCELLED)
    rows = session.seats.filter(kept_for=None, player__registration__status__in=out)
    if seats := list(rows.select_related("table", "player__registration").in_order()):
        sentence = gettext_noop("Seated, though no longer in the event: %(names)s.")
        yield Concern("gone", sentence, {"names": _names(seats)}, seats)


def _absent(session: Session) -> Iterator[Concern]:
    """Warn if somebody sits here who was not checked in, though others were. [SBR 2.4.5]"""
    if seats := absent_seats(session):
        sentence = gettext_noop("Seated, but not checked in: %(names)s.")
        yield Concern("absent", sentence, {"names": _names(seats)}, seats)


def _unpaid(session: Session) -> Iterator[Concern]:
    """Somebody sits here who has not paid the fee; asked once, or as long as payments are noted at all. [RULES 1.2]"""
    tournament = session.tournament
    if not tournament.has_fee:
        return
    is_noted = tournament.registrations.filter(paid_at__isnull=False).exists()
    if not is_noted and tournament.sessions.filter(started_at__isnull=False).exists():
        return
    rows = session.seats.filter(
        kept_for=None,
        player__registration__status=Registration.Status.ACTIVE,
        player__registration__paid_at=None,
    )
    if seats := list(rows.select_related("table", "player__registration").in_order()):
        sentence = gettext_noop("The fee is not noted as paid: %(names)s.")
        yield Concern("unpaid", sentence, {"names": _names(seats)}, seats)


def _left_over(session: Session) -> Iterator[Concern]:
    """Warn if a table is not full while substitutes sit nowhere: they come before anything else. [SBR 3.1.2]"""
    sitting = session.seats.filter(player__isnull=False).values("player")
    free = session.tournament.substitutes.exclude(player__in=sitting).count()
    size = session.tournament.regulation["table_size"]
    occupied = Count("seats", filter=Q(seats__player__isnull=False))
    tables = session.tables.annotate(occupied=occupied).filter(occupied__lt=size).order_by("number")
    if free and (numbers := list(tables.values_list("number", flat=True))):
        sentence = gettext_noop(
            "Tables that are not full: %(tables)s. Substitutes who sit nowhere: %(free)s."
        )
        yield Concern("left_over", sentence, {"tables": ", ".join(map(str, numbers)), "free": free})


def _scored_though_gone(session: Session) -> Iterator[Concern]:
    """Warn if somebody left before this session began and has its result all the same. [RULES 8.7]"""
    rows = session.seats.filter(
        kept_for=None,
        player__registration__status__in=GONE,
        player__registration__withdrawn_at__lt=session.started_at,
        table__protocol__isnull=False,
    )
    if seats := list(rows.select_related("table", "player__registration").in_order()):
        sentence = gettext_noop("Left before the session began, and would be scored as playing: %(names)s.")
        yield Concern("gone", sentence, {"names": _names(seats)}, seats)


def _unsent(session: Session) -> Iterator[Concern]:
    """Warn if a tablet holds entries that have not come in."""
    rows = Device.objects.filter(tournament=session.tournament, revoked_at=None, unsent__gt=0)
    if names := list(rows.order_by("name").values_list("name", flat=True)):
        sentence = gettext_noop("Entries not sent yet are on these tablets: %(names)s.")
        yield Concern("unsent", sentence, {"names": ", ".join(names)})


def _names(seats: Sequence[Seat]) -> str:
    return ", ".join(str(seat.player) for seat in seats)
