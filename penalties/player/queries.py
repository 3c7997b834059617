"""What a player sees of the judgements about them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from penalties.appeals.queries import (
    Contestable,
    all_appeals,
    appealable_sessions,
    contestable,
    deposit_of,
    has_appeals,
    is_chief_final,
)
from penalties.ladder.queries.penalties import (
    Effect,
    JudgedEvent,
    Standing,
    all_penalties,
    consequences,
    current_hand,
    ladder_standings,
    penalty_rows,
)
from penalties.lateness.rules import consequence, elapsed
from penalties.models import Appeal, Lateness
from tournaments.models import Player, Registration, Seat, Session, Tournament
from tournaments.privacy.queries import fields_of
from tournaments.web.access import link_of


def own_judging(tournament: Tournament, registration: Registration) -> dict[str, Any]:
    """Gather a player's penalties, latenesses and appeals, with what each did to the account."""
    player = registration.player
    penalties = list(all_penalties(tournament).filter(player=player))
    judged, did = JudgedEvent(tournament), consequences(tournament, penalties)
    latenesses = Lateness.objects.filter(player=player).exclude(state=Lateness.State.MISTAKE)
    return {
        "registration": registration,
        "link": link_of(registration),
        "rows": [
            (row, _own_effect(did.get(row.penalty.pk, []), player))
            for row in penalty_rows(tournament, penalties)
        ],
        "latenesses": [
            (row, judged.lateness_cost(row), judged.replaced(row))
            for row in latenesses.select_related("session", "player")
        ],
        "ladders": _ladders(tournament, player),
        "running": _running(tournament, player, judged),
        "appeals": all_appeals(tournament).filter(Q(player=player) | Q(filed_actor=f"player:{player.pk}")),
        "windows": windows(tournament, player, now=timezone.now()),
        "has_policy": has_appeals(tournament),
    }


@dataclass(frozen=True)
class Running:
    """A lateness that nobody has stopped: since when, what an arrival now costs, whether the player still plays."""

    session: Session
    since: datetime
    seconds: int
    points: int
    is_replaced: bool


def _ladders(tournament: Tournament, player: Player) -> list[Standing]:
    """List where the player stands on the ladders of the session in play. [SBR 2.8.2]"""
    seat = player.seats.filter(session__state=Session.State.OPEN).select_related("session", "table").first()
    if seat is None:
        return []
    seat.session.tournament = tournament
    return ladder_standings(seat, hand=current_hand(seat.table))


def _running(tournament: Tournament, player: Player, judged: JudgedEvent) -> Running | None:
    """Return the player's minutes that run now. [SBR 2.8.4.5] [RULES 8.54]"""
    row = (
        Lateness.objects.filter(player=player, state=Lateness.State.RUNNING).select_related("session").first()
    )
    if row is None or row.session.started_at is None:
        return None
    seconds = elapsed(row.session.started_at, timezone.now())
    now = consequence(judged.rules_of(row.session.number).lateness, seconds)
    return Running(row.session, row.session.started_at, seconds, now.points, now.is_replaced)


@dataclass(frozen=True)
class Window:
    """About what one may still appeal, until when, and at what deposit; without an end while the session is played."""

    name: str
    until: datetime | None
    deposit: Decimal


def windows(tournament: Tournament, player: Player, *, now: datetime) -> list[Window]:
    """List about what a player may still appeal: whole sessions, then decisions made known after their time. [RULES 8.53]"""
    sessions = [] if is_chief_final(tournament) else appealable_sessions(tournament, player, now=now)
    found = [Window(str(session), until, amount) for session, until, amount in sessions]
    whole = {session.number for session, *_rest in sessions}
    for one in own_decisions(tournament, [player], now=now):
        if one.session.number not in whole or (one.penalty and one.penalty.session_id is None):
            found.append(Window(_name_of(one), one.until, deposit_of(one.session)))
    return found


def _name_of(one: Contestable) -> str:
    if one.penalty is not None:
        return _("Penalty %(n)s") % {"n": one.penalty.number}
    return f"{one.session}, {_('lateness')}" if one.lateness else f"{one.session}, {one.table}"


def own_decisions(tournament: Tournament, players: Sequence[Player], *, now: datetime) -> list[Contestable]:
    """List the decisions about players, and the tables they played at, that may still be appealed. [RULES 8.53]"""
    people = [player.pk for player in players]
    seats = Seat.objects.filter(Q(player__in=people) | Q(kept_for__in=people), session__tournament=tournament)
    tables = set(seats.order_by().values_list("table_id", flat=True))

    def is_theirs(one: Contestable) -> bool:
        if one.penalty is not None:
            return one.penalty.player_id in people or one.penalty.table_id in tables
        if one.lateness is not None:
            return one.lateness.player_id in people
        return one.table is not None and one.table.pk in tables

    return [one for one in contestable(tournament) if one.is_open(now) and is_theirs(one)]


def judgements_about(player: Player) -> dict[str, Any]:
    """Return a player's penalties, latenesses and appeals, for that person to read."""
    mine = Q(player=player) | Q(filed_actor=f"player:{player.pk}")
    return {
        "penalties": [fields_of(row) for row in player.penalties.all()],
        "latenesses": [fields_of(row) for row in player.latenesses.all()],
        "appeals": [
            fields_of(row)
            | {
                "statements": [fields_of(one) for one in row.statements.all()],
                "files": [fields_of(one) for one in row.files.defer("content")],
            }
            for row in Appeal.objects.filter(mine)
        ],
    }


def _own_effect(effects: Sequence[Effect], player: Player) -> Effect | None:
    """Find what a penalty changed for the player's own place and points, if anything."""
    for one in effects:
        if player.pk in (one.seat.player_id, one.seat.kept_for_id) and one.is_changed:
            return one
    return None
