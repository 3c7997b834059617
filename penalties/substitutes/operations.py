"""Substitutions as the judges make them: seats change below, minutes stop and accounts follow here."""

from collections.abc import Sequence

from django.db import transaction

from penalties.ladder.operations.lines import settle
from penalties.lateness.operations import end_absences
from tournaments.models import Player, Seat, Session, Substitute, Table, Tournament
from tournaments.record.actors import Actor
from tournaments.record.locks import lock_tournament
from tournaments.tables.operations import substitutes


@transaction.atomic
def seat_substitute(
    player: Player,
    substitute: Substitute,
    sessions: Sequence[Session],
    *,
    by: Actor,
    reason: str,
    from_hand: int | None = None,
) -> list[Seat]:
    """Let a substitute play; whoever was being waited for is waited for no longer. [SBR 2.8.4.5] [RIICHI 5.7]"""
    seats = substitutes.seat_substitute(
        player, substitute, sessions, by=by, reason=reason, from_hand=from_hand
    )
    return _follow(player, seats, by=by, reason=reason)


@transaction.atomic
def leave_empty(
    player: Player, session: Session, *, by: Actor, reason: str, last_hand: int | None = None
) -> Seat:
    """Keep a seat empty: from the start, or after the last hand that its player played. [SBR 3.1.3] [RULES 8.34] [RULES 8.55]"""
    seat = substitutes.vacate(player, session, by=by, reason=reason, last_hand=last_hand)
    return _follow(player, [seat], by=by, reason=reason)[0]


@transaction.atomic
def return_player(player: Player, sessions: Sequence[Session], *, by: Actor, reason: str) -> list[Seat]:
    """Give a seat back to its player. [RULES 8.35]"""
    seats = substitutes.return_player(player, sessions, by=by, reason=reason)
    settle(_tournament(player), by=by, reason=reason)
    return seats


@transaction.atomic
def fill_seat(table: Table, wind: str, substitute: Substitute, *, by: Actor, reason: str) -> Seat:
    """Fill a seat that the draw gave to nobody. [SBR 3.1.1]"""
    seat = substitutes.fill_seat(table, wind, substitute, by=by, reason=reason)
    settle(_tournament(substitute.player), by=by, reason=reason)
    return seat


def _follow(player: Player, seats: list[Seat], *, by: Actor, reason: str) -> list[Seat]:
    for seat in seats:
        end_absences(seat.session, [player], by=by)
    settle(_tournament(player), by=by, reason=reason)
    return seats


def _tournament(player: Player) -> Tournament:
    return lock_tournament(player.tournament)
