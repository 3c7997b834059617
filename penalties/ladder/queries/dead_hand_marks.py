"""Dead hands: which penalties wait for their mark in the protocol."""

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum

from django.db.models import Q

from penalties.ladder.queries.penalties import all_penalties
from penalties.models import Penalty
from tournaments.models import Protocol, Seat, Tournament
from tournaments.models.protocol import InForce
from tournaments.record.judges import DeadHand


class DeadMark(StrEnum):
    """How a dead hand given as a penalty stands in the protocol of its table."""

    MARKED = "marked"
    MISSING = "missing"
    AWAITED = "awaited"
    NOWHERE = "nowhere"


def dead_mark(row: Penalty) -> DeadMark:
    """Return whether the hand is marked as dead in its protocol, is not, or is not recorded yet. [SBR 2.8.3]"""
    protocol = getattr(row.table, "protocol", None)
    if row.effect != Penalty.Effect.DEAD_HAND or row.hand is None or protocol is None:
        return DeadMark.NOWHERE
    hand = protocol.hands.filter(number=row.hand, status=InForce.IN_FORCE).first()
    if hand is None:
        is_played = protocol.mode == Protocol.Mode.HANDS and not protocol.is_settled
        return DeadMark.AWAITED if is_played else DeadMark.NOWHERE
    dead = {event.get("seat") for event in hand.facts["events"] if event["type"] == "dead_hand"}
    return DeadMark.MARKED if _wind_of(row) in dead else DeadMark.MISSING


def _wind_of(row: Penalty) -> str:
    seats = row.table.seats.filter(Q(player=row.player_id) | Q(kept_for=row.player_id)) if row.table else []
    return next((seat.wind for seat in seats), "")


def unmarked_dead_hands(tournament: Tournament) -> list[Penalty]:
    """List the dead hands whose hand was recorded without them."""
    rows = all_penalties(tournament).filter(
        effect=Penalty.Effect.DEAD_HAND, state=Penalty.State.IN_FORCE, hand__isnull=False
    )
    rows = rows.select_related("session", "player", "given_by", "table__protocol")
    return [row for row in rows if dead_mark(row) is DeadMark.MISSING]


def dead_hands_at(tables: Collection[int]) -> dict[int, list[DeadHand]]:
    """List the dead hands in force at tables, for their tablets to mark; by table."""
    rows = Penalty.objects.filter(
        table__in=tables, effect=Penalty.Effect.DEAD_HAND, state=Penalty.State.IN_FORCE, hand__isnull=False
    )
    by_table: dict[int, list[Penalty]] = {}
    for row in rows.only("table_id", "hand", "player_id", "offence").order_by("number"):
        by_table.setdefault(row.table_id or 0, []).append(row)
    seats = Seat.objects.filter(table__in=by_table) if by_table else Seat.objects.none()
    winds = {(seat.table_id, who): seat.wind for seat in seats for who in (seat.player_id, seat.kept_for_id)}
    return {table: _with_winds(rows, winds) for table, rows in by_table.items()}


def _with_winds(rows: Sequence[Penalty], winds: Mapping[tuple[int, int | None], str]) -> list[DeadHand]:
    """Name the seats of those who sit at the table of their dead hand."""
    return [
        DeadHand(row.hand, winds[row.table_id, row.player_id], row.offence)
        for row in rows
        if row.hand and row.table_id and (row.table_id, row.player_id) in winds
    ]
