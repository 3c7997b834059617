"""What a tablet is shown: the state of the table, the clock, who the tablet is, and what a hand would change."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext

from scoring.description import AT_END, AT_WARNING
from scoring.problems import Problem
from scoring.protocol import Game, PlayedHand
from scoring.regulation import LastHand, Regulation
from scoring.standings.shares import at_table
from scoring.systems.base import PaymentLine
from tournaments.models import Device, Protocol, Session, Table
from tournaments.record import history, judges
from tournaments.record.actors import Actor, ActorKind
from tournaments.record.history import Kind
from tournaments.record.judges import DeadHand
from tournaments.record.queries import read_protocol
from tournaments.record.refusal import say
from tournaments.sessions.queries import counted_tables
from tournaments.sessions.rules.last_hand import HANDS_AFTER, signal_at
from tournaments.tables.operations import devices
from tournaments.tables.operations.protocols import GRACE
from tournaments.tables.queries.events import taken_before_places
from tournaments.tables.queries.sheets import Sheet, sheet_of
from tournaments.tables.queries.state import sheet_state, situation_state
from tournaments.web.access import CAPABILITIES

State = dict[str, Any]
SHOWN = ("record_hands", "correct_hands", "judge", "see_tables")
HEARD_LATELY = timedelta(seconds=60)
CLOCK_OFFSET = timedelta(minutes=2)
"""A tablet's clock that is off by more than this is called wrong; no score depends on it."""


def table_state(table: Table) -> State:
    """Return everything that the scoring screen shows, newly read."""
    sheet = sheet_of(read_protocol(table.protocol))
    return shown_states([(sheet, sheet.play())])[0]


def shown_states(games: Sequence[tuple[Sheet, Game]]) -> list[State]:
    """Return everything that the scoring screen shows, of sheets that have just been read or written."""
    tables = [sheet.protocol.table_id for sheet, _ in games]
    dead = judges.dead_hands(*tables)
    return [_shown_state(sheet, game, dead[sheet.protocol.table_id]) for sheet, game in games]


def _shown_state(sheet: Sheet, game: Game, dead: Sequence[DeadHand]) -> State:
    protocol, session = sheet.protocol, sheet.protocol.table.session
    regulation = sheet.regulation
    return {
        **sheet_state(sheet, game),
        "tournament_name": session.tournament.name,
        "hands_limit": regulation["hands_limit"],
        "asks_pin": session.tournament.asks_pin,
        "clock": clock_state(session),
        "objections": objections_to(protocol),
        "dead_hands": [{"hand": one.hand, "seat": one.seat, "offence": one.offence} for one in dead],
        "taken": taken_before_places(protocol.table) if protocol.has_adjustment else {},  # type: ignore[attr-defined]
        "place_rule": regulation["place_rule"],
        "grace": int(GRACE.total_seconds()),
        "now": timezone.now().isoformat(),
    }


def objections_to(protocol: Protocol) -> list[State]:
    """List what players objected to, in their own words."""
    if not protocol.has_objection:  # type: ignore[attr-defined]
        return []
    rows = protocol.history.filter(kind=Kind.OBJECTION_NOTED).order_by("number")
    told = [history.read(row.content) for row in rows]
    return [{"wind": one["data"]["wind"], "text": one["reason"], "at": one["at"]} for one in told]


def regulation_of(session: Session) -> State:
    """Return the regulation in force for a session: its own copy once it has started. [RULES 8.30]"""
    regulation: State = session.regulation or session.tournament.regulation
    return regulation


def clock_state(session: Session) -> State:
    """Return the session's clock, by which the tablet counts down."""
    regulation = regulation_of(session)
    last_hand = LastHand(regulation["last_hand"])
    minutes = regulation["warning_minutes"]
    signal = signal_at(last_hand, session.ends_at, warning_minutes=minutes) if session.ends_at else None
    return {
        "signal_at": _written(signal),
        "hands_after": HANDS_AFTER,
        "is_one_more": last_hand is LastHand.ONE_MORE,
        "said": {"warning": gettext(AT_WARNING[last_hand]), "over": gettext(AT_END[last_hand])},
        "started_at": _written(session.started_at),
        "ends_at": _written(session.ends_at),
        "paused_at": _written(session.paused_at),
        "warning_minutes": minutes,
    }


def _written(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


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
