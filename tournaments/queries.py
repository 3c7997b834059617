"""Reads that more than one page needs."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from threading import get_ident
from typing import Any

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet

from scoring.protocol import Game
from scoring.systems.base import Situation
from tournaments.models import (
    Adjustment,
    FinalResult,
    Hand,
    HistoryEntry,
    Protocol,
    Registration,
    Seat,
    Session,
    Table,
    Tournament,
)
from tournaments.models.protocol import InForce
from tournaments.models.tournament import IN_LISTS
from tournaments.rules.checkin import Headcount, headcount
from tournaments.sheets import Sheet, sheet_of

OBJECTION_NOTED = "objection_noted"
TAKING_PART = Q(registrations__status=Registration.Status.ACTIVE) | Q(
    registrations__status=Registration.Status.WITHDRAWN, state=Tournament.State.CLOSED
)
GONE = (Registration.Status.WITHDRAWN, Registration.Status.REMOVED, Registration.Status.DISQUALIFIED)


def visible_tournaments(user_id: int | None = None) -> QuerySet[Tournament]:
    """List what the operator lets stand in lists, and every event at which the user works, the latest first.

    The order is named here: a count drops the one of the model. Of a finished event whoever left it has taken part, too.
    """
    seen = IN_LISTS
    if user_id:
        seen |= Q(roles__user_id=user_id)
    taking_part = Count("registrations", filter=TAKING_PART, distinct=True)
    rows = Tournament.objects.filter(seen).annotate(player_count=taking_part).distinct()
    return rows.order_by("-first_day", "-id")


def finished_tournaments() -> QuerySet[Tournament]:
    """List the archive, the latest first, with how many took part."""
    return visible_tournaments().filter(state=Tournament.State.CLOSED)


def current_session(tournament: Tournament) -> Session | None:
    """Give the session in play, else the next one seated, else the last one played."""
    sessions = list(tournament.sessions.order_by("number"))
    for state in (Session.State.OPEN, Session.State.PLANNED):
        for session in sessions:
            if session.state == state and session.is_published:
                session.tournament = tournament
                return session
    closed = [session for session in sessions if session.state == Session.State.CLOSED]
    return closed[-1] if closed else None


def headcount_of(tournament: Tournament) -> Headcount:
    """Count the tables that those who are here make; while nobody is checked in, those on the list."""
    active = tournament.registrations.filter(status=Registration.Status.ACTIVE)
    regulation = tournament.regulation
    return headcount(
        active.filter(checked_in_at__isnull=False).count() or active.count(),
        table_size=regulation["table_size"],
        smallest_table=regulation["smallest_table"],
        substitutes=tournament.substitutes.count(),
    )


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


def protocol_state(protocol: Protocol) -> dict[str, Any]:
    """Give everything that a tablet shows of a table, as it stands now."""
    sheet = sheet_of(whole(protocol))
    return sheet_state(sheet, sheet.play())


def whole(protocol: Protocol) -> Protocol:
    """Read a protocol with its table, session and tournament as they are now, and what there is beside its hands."""
    found: Protocol = _whole(get_ident()).select_related("table__session__tournament").get(pk=protocol.pk)
    return found


def wholes(protocol_ids: Sequence[int]) -> list[Protocol]:
    """Read several protocols in this way; their sessions once for all tables."""
    protocols = list(_whole(get_ident()).filter(pk__in=protocol_ids)) if protocol_ids else []
    needed = {protocol.table.session_id for protocol in protocols}
    sessions = Session.objects.select_related("tournament").in_bulk(needed)
    for protocol in protocols:
        protocol.table.session = sessions[protocol.table.session_id]
    return protocols


@lru_cache(maxsize=64)
def _whole(_thread: int) -> QuerySet[Protocol]:
    """Make the question once for each thread: putting it together costs as much as asking it."""
    of_it = {"protocol": OuterRef("pk")}
    moved = Adjustment.objects.filter(
        session=OuterRef("table__session"), reversed_at=None, result__isnull=True
    )
    return Protocol.objects.select_related("table").annotate(
        has_final=Exists(FinalResult.objects.filter(**of_it, status=InForce.IN_FORCE)),
        has_objection=Exists(HistoryEntry.objects.filter(**of_it, kind=OBJECTION_NOTED)),
        has_adjustment=Exists(moved),
    )


def sheet_state(sheet: Sheet, game: Game) -> dict[str, Any]:
    """Give everything that a tablet shows of a protocol as it was read, with the game that its hands make."""
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
    """Say what stands on the table before the next hand."""
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
    """Give one recorded hand: facts, payments and what stood on the table."""
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
            "data": json.loads(row.content)["data"],
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
    }


def _final_state(protocol: Protocol) -> Mapping[str, Any] | None:
    if not protocol.has_final:  # type: ignore[attr-defined]
        return None
    final = protocol.final_results.get(status=InForce.IN_FORCE)
    return {"points": final.points, "left_on_table": final.left_on_table}
