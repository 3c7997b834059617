"""The state of a protocol as JSON, for tablets and conflicts."""

from collections.abc import Mapping
from typing import Any

from scoring.protocol import Game
from scoring.systems.base import Situation
from tournaments.models import (
    Hand,
    HistoryEntry,
    Protocol,
    Seat,
)
from tournaments.models.protocol import InForce
from tournaments.record import history
from tournaments.record.queries import read_protocol
from tournaments.tables.queries.sheets import Sheet, sheet_of


def protocol_state(protocol: Protocol) -> dict[str, Any]:
    """Return everything that a tablet shows of a table, read anew."""
    sheet = sheet_of(read_protocol(protocol))
    return sheet_state(sheet, sheet.play())


def sheet_state(sheet: Sheet, game: Game) -> dict[str, Any]:
    """Return everything that a tablet shows of a protocol that was read, and of its game."""
    protocol = sheet.protocol
    session = protocol.table.session
    return {
        "tournament": session.tournament.slug,
        "system": session.tournament.system,
        "session": session.number,
        "session_state": session.state,
        "table": protocol.table.number,
        "mode": protocol.mode,
        "state": protocol.state,
        "version": protocol.version,
        "rules": sheet.regulation["system_rules"],
        "start_points": sheet.regulation["start_points"],
        "points_unit": sheet.regulation["points_unit"],
        "called": protocol.table.called_at is not None,
        "answered": protocol.table.answered_at is not None,
        "seats": [_seat_state(seat) for seat in sheet.seats],
        "hands": [hand_state(row) for row in sheet.rows],
        "next": situation_state(game.situation, sheet),
        "final": _final_state(protocol),
    }


def situation_state(situation: Situation, sheet: Sheet) -> dict[str, Any]:
    """Return the situation before the next hand: dealer, round, counters and bets."""
    limit = sheet.regulation["hands_limit"]
    return {
        "number": situation.number,
        "dealer": str(situation.dealer),
        "round": str(situation.round_wind),
        "counters": situation.counters,
        "bets": situation.bets,
        "is_over": situation.is_over or (limit is not None and situation.number > limit),
    }


def hand_state(hand: Hand) -> dict[str, Any]:
    """Return one recorded hand: facts, payments and what stood on the table."""
    return {
        "number": hand.number,
        "facts": hand.facts,
        "dealer": hand.dealer,
        "round": hand.round_wind,
        "counters": hand.counters,
        "payments": hand.payments,
        "recorded_at": hand.recorded_at.isoformat(),
    }


def entries_since(protocol: Protocol, seen: int) -> list[dict[str, Any]]:
    """List the entries that a writer has not seen: what, when, and which hand."""
    rows = HistoryEntry.objects.filter(protocol=protocol, number__gt=seen).order_by("number")
    return [
        {
            "number": row.number,
            "kind": row.kind,
            "at": row.at.isoformat(),
            "data": history.read(row.content)["data"],
        }
        for row in rows
    ]


def _seat_state(seat: Seat) -> dict[str, Any]:
    return {
        "wind": seat.wind,
        "player": str(seat.player) if seat.player else None,
        "kept_for": str(seat.kept_for) if seat.kept_for else None,
        "points": seat.hand_points,
        "confirmed": seat.confirmed_at is not None,
        **_vacancy_state(seat),
    }


def _vacancy_state(seat: Seat) -> dict[str, Any]:
    """Return from when to when the seat is empty, where its player left in the middle of the game. [RULES 8.55]"""
    if seat.left_after is None:
        return {}
    return {"left_after": seat.left_after, "taken_from": seat.from_hand if seat.is_taken_again else None}


def _final_state(protocol: Protocol) -> Mapping[str, Any] | None:
    if not protocol.has_final:  # type: ignore[attr-defined]
        return None
    final = protocol.final_results.get(status=InForce.IN_FORCE)
    return {"points": final.points, "left_on_table": final.left_on_table}
