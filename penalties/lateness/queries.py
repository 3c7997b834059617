"""Who is late, and for how long."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from penalties.ladder.queries.penalties import JudgedEvent
from penalties.lateness import rules as lateness_rules
from penalties.models import Lateness
from tournaments.models import Hand, Seat, Session, Tournament
from tournaments.models.protocol import InForce


@dataclass(frozen=True)
class Late:
    """A player who was late, with what it comes to now."""

    row: Lateness
    seat: Seat | None
    seconds: int
    now: lateness_rules.Consequence
    is_replaced: bool
    cost: int
    first_hand_at: datetime | None = None


def late_players(session: Session, *, now: datetime | None = None) -> list[Late]:
    """List who is or was late in a session; the minutes of those not here yet run. [SBR 2.8.4.5]"""
    judged = JudgedEvent(session.tournament)
    rows = session.latenesses.select_related("player", "session").order_by("id")
    seats = {seat.kept_for_id or seat.player_id: seat for seat in _seats(session)}
    found = []
    for row in rows:
        seconds = row.seconds
        if seconds is None:
            seconds = (
                lateness_rules.elapsed(session.started_at, now or timezone.now()) if session.started_at else 0
            )
        found.append(
            Late(
                row=row,
                seat=seats.get(row.player_id),
                seconds=seconds,
                now=lateness_rules.consequence(judged.rules_of(session.number).lateness, seconds),
                is_replaced=judged.replaced(row),
                cost=judged.lateness_cost(row),
                first_hand_at=_first_hand(seat) if (seat := seats.get(row.player_id)) else None,
            )
        )
    return found


def awaited_now(tournament: Tournament) -> list[Late]:
    """List everybody whose minutes run anywhere in the event, the first session first. [RULES 8.54]"""
    rows = tournament.sessions.filter(latenesses__state=Lateness.State.RUNNING).distinct().order_by("number")
    found = []
    for session in rows:
        session.tournament = tournament
        found += [one for one in late_players(session) if one.row.state == Lateness.State.RUNNING]
    return found


def is_within(session: Session, at: datetime) -> bool:
    """Return whether a moment lies within a session, which may still be in play."""
    starts, ends = session.started_at, session.ended_at
    return starts is not None and starts <= at and (ends is None or at <= ends)


def span_of(session: Session) -> dict[str, str]:
    """Write the clock times between which somebody can have come."""
    zone = session.tournament.zone
    times = (session.started_at or timezone.now(), session.ended_at or timezone.now())
    start, end = (f"{timezone.localtime(at, zone):%H:%M}" for at in times)
    return {"start": start, "end": end}


def _first_hand(seat: Seat) -> datetime | None:
    """Return when the table's first hand was recorded: by then somebody knows who of the awaited had come."""
    rows = Hand.objects.filter(protocol__table=seat.table_id, status=InForce.IN_FORCE)
    return rows.order_by("recorded_at").values_list("recorded_at", flat=True).first()


def _seats(session: Session) -> list[Seat]:
    return list(session.seats.select_related("table__protocol", "player", "kept_for").in_order())
