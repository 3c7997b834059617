"""Reads of appeals: until when, about what, and what a ruling changed."""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.db.models import Q, QuerySet

from penalties.appeals.rules.appeals import deadline, deposit, is_in_time
from penalties.ladder.queries.penalties import Effect, effects
from penalties.models import Appeal, Ruling
from scoring.regulation import AppealRules, Regulation
from scoring.standings.sessions import SeatLedger
from tournaments.models import Hand, Player, Protocol, Seat, Session, Table, Tournament
from tournaments.models.protocol import InForce


def appeal_rules(session: Session) -> AppealRules | None:
    """Return the policy by which decisions in a session may be appealed. [RULES 8.37]"""
    written = session.regulation or session.tournament.regulation
    return Regulation.from_json(written, system=session.tournament.system).appeals


def appeal_deadline(session: Session) -> datetime | None:
    """Return the last moment for an appeal; none while the session is played. [SBR 2.9.2]"""
    return deadline(appeal_rules(session), session.ended_at)


def seat_in(session: Session, player: Player) -> Seat | None:
    """Find where a player sat or whose seat was kept for whom."""
    seats = session.seats.select_related("table", "player", "kept_for")
    return seats.filter(Q(player=player) | Q(kept_for=player)).first()


def deposit_of(session: Session) -> Decimal:
    """Return what an appeal about a session costs to file: so many fees of this event. [SBR 2.9.2]"""
    policy = appeal_rules(session)
    return deposit(policy, Decimal(session.tournament.regulation["entry_fee"])) if policy else Decimal(0)


def appealable_sessions(
    tournament: Tournament, player: Player, *, now: datetime
) -> list[tuple[Session, datetime | None, Decimal]]:
    """List the sessions about which a player may still appeal, each with its deadline and deposit."""
    sits = Seat.objects.filter(Q(player=player) | Q(kept_for=player)).values("session")
    return [
        (session, appeal_deadline(session), deposit_of(session))
        for session in reversed(begun_sessions(tournament, pk__in=sits))
        if is_appealable(session, now=now)
    ]


def begun_sessions(tournament: Tournament, **only: Any) -> list[Session]:
    """List the sessions that have begun: only about these can there be an appeal."""
    rows = list(tournament.sessions.filter(started_at__isnull=False, **only).order_by("number"))
    for session in rows:
        session.tournament = tournament
    return rows


def is_appealable(session: Session, *, now: datetime) -> bool:
    """Return whether an appeal about a session that has begun may still be filed. [SBR 2.9.2] [RULES 8.37]"""
    rules = appeal_rules(session)
    return rules is not None and is_in_time(rules, session.ended_at, now)


def standing_at(table: Table) -> list[dict[str, Any]]:
    """Write down how a table stands now, with what judges took and gave, so that it can be compared later."""
    return [
        {
            "wind": one.seat.wind,
            "player": one.seat.player_id,
            "points": one.before.table_points,
            "place": str(one.before.place),
            "tournament_points": _written(one.before.tournament_points),
        }
        for one in effects(table, [])
        if one.before is not None
    ]


@dataclass(frozen=True)
class Strike:
    """What striking a hand would move: the seats before and after, and how many later hands get another number."""

    number: int
    effects: list[Effect]
    later: int


def strike_of(protocol: Protocol, number: int, totals: Mapping[str, int]) -> Strike:
    """Compare a table as it stands with how it would stand with these totals. [RULES 8.53]"""
    hands = protocol.hands.filter(status=InForce.IN_FORCE, number__gt=number).count()
    table = protocol.table
    before = effects(table, [])
    seats = [replace_points(one.seat, totals.get(one.seat.wind, 0)) for one in before]
    after = effects(table, [], seats=seats)
    return Strike(
        number,
        [Effect(was.seat, was.before, then.before) for was, then in zip(before, after, strict=True)],
        hands,
    )


def replace_points(seat: Seat, points: int) -> Seat:
    """Return a copy of a seat with other points of its hands; nothing is written."""
    other = copy(seat)
    other.hand_points = points
    return other


def _written(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


@dataclass(frozen=True)
class Sitting:
    """Who sat where at the time of a ruling."""

    wind: str
    player: Player | None


@dataclass(frozen=True)
class Change:
    """A seat before and after a ruling, as it was told then."""

    seat: Sitting
    before: SeatLedger
    after: SeatLedger

    @property
    def is_changed(self) -> bool:
        """Return whether anything is different."""
        return self.before != self.after


@dataclass(frozen=True)
class RulingRow:
    """A ruling with what it did: the hand it struck, the final points it replaced, the table before and after."""

    ruling: Ruling
    struck: dict[str, int] | None
    is_final: bool
    effects: list[Change]
    is_restored: bool = False

    @property
    def is_changed(self) -> bool:
        """Return whether anything at the table became different."""
        return any(one.is_changed for one in self.effects)


def ruling_rows(appeal: Appeal) -> list[RulingRow]:
    """Show the rulings on an appeal in the order given, each with what it did. [SBR 2.9.5]"""
    rows = list(appeal.rulings.select_related("signed_by"))
    seated = {one["player"] for row in rows for one in row.effect.get("before", ())}
    names = Player.objects.in_bulk([pk for pk in seated if pk])
    struck = [row.effect["struck"]["hand"] for row in rows if "struck" in row.effect]
    back = set(Hand.objects.filter(replaces__in=struck).values_list("replaces_id", flat=True))
    return [
        RulingRow(
            ruling=row,
            struck=row.effect.get("struck"),
            is_final="final" in row.effect,
            effects=[
                Change(Sitting(was["wind"], names.get(was["player"])), _read(was), _read(now))
                for was, now in zip(row.effect.get("before", ()), row.effect.get("after", ()), strict=True)
            ],
            is_restored="struck" in row.effect and row.effect["struck"]["hand"] in back,
        )
        for row in rows
    ]


def _read(said: Mapping[str, Any]) -> SeatLedger:
    points = said["tournament_points"]
    return SeatLedger(
        hands=0,
        table_points=said["points"],
        place=Fraction(said["place"]),
        tournament_points=None if points is None else Fraction(points),
        uma=None,
    )


def appeals_at(table: Table) -> list[Appeal]:
    """List the appeals about a table or about a penalty given at it."""
    rows = Appeal.objects.filter(Q(table=table) | Q(penalty__table=table))
    return list(rows.select_related("player", "penalty").order_by("number"))


def all_appeals(tournament: Tournament) -> QuerySet[Appeal]:
    """List the appeals in the order filed."""
    return tournament.appeals.select_related("player", "session", "penalty", "table").order_by("number")


def filer(appeal: Appeal) -> Player | None:
    """Find who filed an appeal by private link; nobody where the desk took a paper."""
    kind, _, number = appeal.filed_actor.partition(":")
    if kind != "player" or not number.isdigit():
        return None
    return appeal.tournament.players.filter(pk=number).first()
