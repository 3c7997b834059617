"""The state of a table as JSON, for tablets and conflicts: its hands, its clock, and what holds there."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext

from scoring.description import AT_END, AT_WARNING
from scoring.protocol import Game
from scoring.regulation import LastHand
from scoring.systems.base import Situation
from tournaments.models import (
    Hand,
    HistoryEntry,
    Protocol,
    Seat,
    Session,
    Table,
)
from tournaments.models.protocol import InForce
from tournaments.record import history
from tournaments.record.history import Kind
from tournaments.record.queries import read_protocol, words_of_objections
from tournaments.sessions.rules.last_hand import HANDS_AFTER
from tournaments.tables.queries.events import taken_before_places
from tournaments.tables.queries.sheets import Sheet, sheet_of

State = dict[str, Any]
GRACE = timedelta(minutes=2)
"""For so long the last hand is taken back without a reason."""


def protocol_state(protocol: Protocol) -> State:
    """Return everything that a tablet shows of a table, read anew."""
    sheet = sheet_of(read_protocol(protocol))
    return sheet_state(sheet, sheet.play())


def sheet_state(sheet: Sheet, game: Game) -> State:
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


def situation_state(situation: Situation, sheet: Sheet) -> State:
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


def hand_state(hand: Hand) -> State:
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


def entries_since(protocol: Protocol, seen: int) -> list[State]:
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


def _seat_state(seat: Seat) -> State:
    return {
        "wind": seat.wind,
        "player": str(seat.player) if seat.player else None,
        "kept_for": str(seat.kept_for) if seat.kept_for else None,
        "points": seat.hand_points,
        "confirmed": seat.confirmed_at is not None,
        **_vacancy_state(seat),
    }


def _vacancy_state(seat: Seat) -> State:
    """Return from when to when the seat is empty, where its player left in the middle of the game. [RULES 8.55]"""
    if seat.left_after is None:
        return {}
    return {"left_after": seat.left_after, "taken_from": seat.from_hand if seat.is_taken_again else None}


def _final_state(protocol: Protocol) -> Mapping[str, Any] | None:
    if not protocol.has_final:  # type: ignore[attr-defined]
        return None
    final = protocol.final_results.get(status=InForce.IN_FORCE)
    return {"points": final.points, "left_on_table": final.left_on_table}


# What a tablet shows


def table_state(table: Table) -> State:
    """Return everything that the scoring screen shows, newly read."""
    sheet = sheet_of(read_protocol(table.protocol))
    return shown_states([(sheet, sheet.play())])[0]


def shown_states(games: Sequence[tuple[Sheet, Game]]) -> list[State]:
    """Return everything that the scoring screen shows, of sheets that have just been read or written."""
    return [_shown_state(sheet, game) for sheet, game in games]


def _shown_state(sheet: Sheet, game: Game) -> State:
    protocol, session = sheet.protocol, sheet.protocol.table.session
    regulation, number = sheet.regulation, game.situation.number
    return {
        **sheet_state(sheet, game),
        "tournament_name": session.tournament.name,
        "hands_limit": regulation["hands_limit"],
        "asks_pin": session.tournament.asks_pin,
        "clock": clock_state(session),
        "objections": objections_to(protocol),
        "dead_hands": [
            {"hand": one.hand, "seat": one.seat, "offence": one.offence}
            for one in sheet.dead
            if one.hand == number
        ],
        "taken": taken_before_places(protocol.table) if protocol.has_adjustment else {},  # type: ignore[attr-defined]
        "place_rule": regulation["place_rule"],
        "grace": int(GRACE.total_seconds()),
        "now": timezone.now().isoformat(),
    }


def objections_to(protocol: Protocol) -> list[State]:
    """List what players objected to, in their own words."""
    if not protocol.has_objection:  # type: ignore[attr-defined]
        return []
    rows = list(protocol.history.filter(kind=Kind.OBJECTION_NOTED).order_by("number"))
    words, told = words_of_objections(rows), [(row.pk, history.read(row.content)) for row in rows]
    return [{"wind": one["data"]["wind"], "text": words[pk], "at": one["at"]} for pk, one in told]


def regulation_of(session: Session) -> State:
    """Return the regulation in force for a session: its own copy once it has started. [RULES 8.30]"""
    regulation: State = session.regulation or session.tournament.regulation
    return regulation


def clock_state(session: Session) -> State:
    """Return the session's clock, by which the tablet counts down."""
    regulation = regulation_of(session)
    last_hand = LastHand(regulation["last_hand"])
    return {
        "signal_at": _written(session.signal_at),
        "hands_after": HANDS_AFTER,
        "is_one_more": last_hand is LastHand.ONE_MORE,
        "said": {"warning": gettext(AT_WARNING[last_hand]), "over": gettext(AT_END[last_hand])},
        "started_at": _written(session.started_at),
        "ends_at": _written(session.ends_at),
        "paused_at": _written(session.paused_at),
        "warning_minutes": regulation["warning_minutes"],
    }


def _written(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
