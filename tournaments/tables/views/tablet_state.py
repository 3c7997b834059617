"""What a tablet is shown beside the state of its table: which tables there are, who the tablet is, and what a hand would change."""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.utils import timezone

from scoring.problems import Problem
from scoring.protocol import Game, PlayedHand
from scoring.regulation import Regulation
from scoring.standings.shares import at_table
from scoring.systems.base import PaymentLine
from tournaments.models import Device, Protocol, Session, Table
from tournaments.record.actors import Actor, ActorKind
from tournaments.record.refusal import say
from tournaments.sessions.queries import counted_tables
from tournaments.tables.operations import devices
from tournaments.tables.queries.events import taken_before_places
from tournaments.tables.queries.sheets import Sheet, sheet_of
from tournaments.tables.queries.state import State, situation_state
from tournaments.web.access import CAPABILITIES

SHOWN = ("record_hands", "correct_hands", "judge", "see_tables")
HEARD_LATELY = timedelta(seconds=60)
CLOCK_OFFSET = timedelta(minutes=2)
"""A tablet's clock that is off by more than this is called wrong; no score depends on it."""


def tables_of(session: Session, by: Actor) -> list[State]:
    """List the tables that the sender may open, with their players and states."""
    return [
        {
            "session": session.number,
            "table": table.number,
            "state": table.protocol.state,
            "session_state": session.state,
            "hands": table.hand_count,  # type: ignore[attr-defined]
            "confirmed": table.confirmed_count,  # type: ignore[attr-defined]
            "called": table.called_at is not None,
            "answered": table.answered_at is not None,
            "names": [str(seat.player) for seat in _in_order(table) if seat.player],
        }
        for table in counted_tables(session)
        if by.may_enter(table.number) and hasattr(table, "protocol")
    ]


def _in_order(table: Table) -> list[Any]:
    return sorted(table.seats.all(), key=lambda seat: "ESWN".index(seat.wind))


def self_state(by: Actor) -> State:
    """Return who the sender is here and what it may do."""
    device = Device.objects.get(pk=by.id) if by.kind == ActorKind.DEVICE else None
    return {
        "kind": str(by.kind),
        "device": devices.device_state(device) if device else None,
        "may": [name for name in SHOWN if by.roles & CAPABILITIES[name]],
        "time": timezone.now().isoformat(),
    }


def others_at(table: Table, by: Actor) -> list[str]:
    """List the other tablets that were at this table a moment ago."""
    lately = timezone.now() - HEARD_LATELY
    rows = table.session.tournament.devices.filter(
        at_table=table.number, seen_at__gte=lately, revoked_at=None
    )
    return [row.name for row in rows.exclude(pk=by.id if by.kind == ActorKind.DEVICE else 0)]


def is_clock_wrong(milliseconds: int) -> bool:
    """Return whether a tablet's clock is off by more than is worth mentioning. [INTEGRITY 110]"""
    return abs(milliseconds / 1000 - timezone.now().timestamp()) > CLOCK_OFFSET.total_seconds()


# What a hand would change


def preview_state(protocol: Protocol, played: PlayedHand) -> State:
    """Return who pays whom, why, and the totals after it."""
    sheet = sheet_of(protocol)
    payments = _by_wind(played.payments.by_seat)
    return {
        "number": played.hand.number,
        "version": protocol.version,
        "payments": payments,
        "unpaid": played.payments.unpaid,
        "lines": [line_state(line) for line in played.payments.lines],
        "totals": {seat.wind: seat.hand_points + payments.get(seat.wind, 0) for seat in sheet.seats},
        "next": situation_state(played.after, sheet),
    }


def line_state(line: PaymentLine) -> State:
    """Return one reason why points move, in the reader's language."""
    problem = Problem("line", line.sentence, clause=line.clause, details=line.details)
    return {"sentence": say(problem), "payments": _by_wind(line.payments), "clause": line.clause}


def ripple_state(protocol: Protocol, games: tuple[Game, Game], number: int) -> State:
    """Compare the table as it is with the table as it would be with a corrected hand. [RULES 1.5]"""
    before, after = games
    corrected = after.hands[number - 1]
    return _compared(protocol, games, zip(before.hands, after.hands, strict=True), number) | {
        "payments": _by_wind(corrected.payments.by_seat),
        "unpaid": corrected.payments.unpaid,
        "lines": [line_state(line) for line in corrected.payments.lines],
    }


def void_state(protocol: Protocol, games: tuple[Game, Game], number: int) -> State:
    """Compare the table as it is with the table as it would be without a hand. [RULES 1.5]"""
    before, after = games
    kept = [played for played in before.hands if played.hand.number != number]
    return _compared(protocol, games, zip(kept, after.hands, strict=True), number)


def _compared(
    protocol: Protocol, games: tuple[Game, Game], pairs: Iterable[tuple[PlayedHand, PlayedHand]], number: int
) -> State:
    """Compare two games: totals, places, points, and which of their hands pay otherwise or have another dealer."""
    sheet = sheet_of(protocol)
    before, after = games
    return {
        "number": number,
        "version": protocol.version,
        "totals": _by_wind(after.totals),
        "before": standing_state(before, sheet),
        "after": standing_state(after, sheet),
        "changed": [
            {"number": old.hand.number, "before": hand_brief(old), "after": hand_brief(new)}
            for old, new in pairs
            if hand_brief(old) != hand_brief(new)
        ],
        "reopens": protocol.is_settled or any(seat.confirmed_at for seat in sheet.seats),
    }


def standing_state(game: Game, sheet: Sheet) -> State:
    """Return points, place and TP of every seat at its table, with what counts before the places beside the hands."""
    table = sheet.protocol.table
    regulation = Regulation.from_json(sheet.regulation, system=table.session.tournament.system)
    taken = taken_before_places(table)
    points = {seat: total + taken.get(str(seat), 0) for seat, total in game.totals.items()}
    earned = at_table(points, regulation)
    return {
        str(seat): {
            "points": points[seat],
            "place": str(result.place),
            "tournament_points": _text(result.tournament_points),
            "uma": _text(result.uma),
        }
        for seat, result in earned.items()
    }


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def hand_brief(played: PlayedHand) -> State:
    """Return what can change about a hand when an earlier one is corrected."""
    return {
        "dealer": str(played.before.dealer),
        "round": str(played.before.round_wind),
        "counters": played.before.counters,
        "payments": _by_wind(played.payments.by_seat),
    }


def _by_wind(points: Mapping[Any, int]) -> dict[str, int]:
    return {str(seat): amount for seat, amount in points.items()}
