"""Dead hands: which penalties wait for their mark in the protocol, and what the mark moves."""

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum

from django.db.models import Q

from penalties.ladder.queries.penalties import all_penalties
from penalties.ladder.rules.dead_hands import Facts, is_dead, with_mark, without_mark
from penalties.models import Penalty
from scoring.problems import Refusal
from scoring.record.hands import read_hand
from scoring.systems import SYSTEMS
from tournaments.models import Hand, Protocol, Seat, Table, Tournament
from tournaments.models.protocol import InForce
from tournaments.record.judges import DeadHand
from tournaments.tables.queries.sheets import sheet_of


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
    return DeadMark.MARKED if is_dead(hand.facts, wind_of(row)) else DeadMark.MISSING


def wind_of(row: Penalty) -> str:
    """Return the seat whose hand is dead."""
    return _wind_at(row.table, row.player_id) if row.table else ""


def _wind_at(table: Table, player: object) -> str:
    seats = table.seats.filter(Q(player=player) | Q(kept_for=player))
    return next((str(seat.wind) for seat in seats), "")


def hand_of(row: Penalty) -> tuple[Protocol, Hand]:
    """Return the recorded hand that a penalty declares dead, with its protocol."""
    protocol = Protocol.objects.select_related("table__session__tournament").get(table=row.table)
    return protocol, protocol.hands.get(number=row.hand or 0, status=InForce.IN_FORCE)


def unmarked(row: Penalty) -> tuple[Protocol, Hand, Facts] | None:
    """Return the hand as it is without the mark of a penalty; nothing where it has none, or another in force needs it. [RULES 1.8]"""
    if row.effect != Penalty.Effect.DEAD_HAND or dead_mark(row) is not DeadMark.MARKED:
        return None
    others = Penalty.objects.filter(
        table=row.table,
        hand=row.hand,
        player=row.player_id,
        effect=Penalty.Effect.DEAD_HAND,
        state=Penalty.State.IN_FORCE,
    )
    if others.exclude(pk=row.pk).exists():
        return None
    protocol, hand = hand_of(row)
    versions = [hand]
    while versions[-1].replaces is not None:
        versions.append(versions[-1].replaces)
    return protocol, hand, without_mark([one.facts for one in versions], wind_of(row))


def totals_without(row: Penalty) -> Mapping[str, int] | None:
    """Return the totals of a table by seat once a dead hand is none any more; nothing where that moves no hand. [RULES 8.51]"""
    found = unmarked(row)
    return _totals(*found) if found else None


def totals_with(table: Table, player: object, number: int, offence: str) -> Mapping[str, int] | None:
    """Return the totals of a table by seat with a recorded hand dead; nothing where it cannot be, or is so already. [RULES 8.51]"""
    protocol = Protocol.objects.select_related("table__session__tournament").filter(table=table).first()
    hand = protocol.hands.filter(number=number, status=InForce.IN_FORCE).first() if protocol else None
    wind = _wind_at(table, player)
    if protocol is None or hand is None or not wind or is_dead(hand.facts, wind):
        return None
    state = SYSTEMS[protocol.table.session.tournament.system].recorded.dead_hand_state
    ways = (_totals(protocol, hand, facts) for facts in with_mark(hand.facts, wind, offence, state=state))
    return next((totals for totals in ways if totals is not None), None)


def _totals(protocol: Protocol, hand: Hand, facts: Facts) -> Mapping[str, int] | None:
    """Return the totals with other facts of a hand; nothing where the rules refuse them, or points were counted at the end."""
    if protocol.final_results.filter(status=InForce.IN_FORCE).exists():
        return None
    sheet = sheet_of(protocol)
    try:
        deal = read_hand(facts)
        game = sheet.play([deal if one.number == hand.number else one for one in sheet.deals])
    except Refusal:
        return None
    return {str(seat): total for seat, total in game.totals.items()}


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
