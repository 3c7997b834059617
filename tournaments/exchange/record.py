"""A whole tournament as one record, as docs/RECORD.md describes it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from django.db.models import Prefetch

from scoring.computed import compute
from tournaments.exchange import judging
from tournaments.models import (
    Adjustment,
    FinalResult,
    Hand,
    Player,
    Protocol,
    Registration,
    Role,
    Seat,
    Session,
    Table,
    Tournament,
)
from tournaments.models.play import WIND_ORDER
from tournaments.models.protocol import InForce
from tournaments.operations import history

FORMAT = "four-winds-record"
VERSION = 1
TAKEN_BACK = "Taken back at the table at once"
OWN = (Adjustment.Origin.DESK, Adjustment.Origin.APPEAL)
Json = dict[str, Any]


def export_record(tournament: Tournament) -> Json:
    """Write a tournament: what was declared, what follows from it, and the heads of its history."""
    declared = declared_of(tournament)
    return {
        "format": FORMAT,
        "version": VERSION,
        "declared": declared,
        "computed": compute(declared),
        "history": history_of(tournament),
    }


def declared_of(tournament: Tournament) -> Json:
    """Gather what people said; nothing that follows from it."""
    judged = judging.declared(tournament)
    return {
        "tournament": _tournament(tournament),
        "regulation": tournament.regulation,
        "players": [*map(_player, _named(tournament)), *_unnamed_officials(tournament)],
        "registrations": [
            _registration(row) for row in tournament.registrations.select_related("player").order_by("pk")
        ],
        "substitutes": [
            {"player": row.player.code, "assistant": row.is_assistant}
            for row in tournament.substitutes.select_related("player").order_by("pk")
        ],
        "officials": [
            {"player": _official(role), "role": role.kind}
            for role in tournament.roles.select_related("player", "user").order_by("pk")
        ],
        "sessions": [_session(session, tournament) for session in _sessions(tournament)],
        "lateness": judged["lateness"],
        "penalties": judged["penalties"],
        "adjustments": [
            _adjustment(row)
            for row in tournament.adjustments.filter(origin__in=OWN, reversed_at=None)
            .select_related("player", "session")
            .order_by("pk")
        ],
        "appeals": judged["appeals"],
    }


def history_of(tournament: Tournament) -> Json:
    """Give the heads of all chains and the seals of closed sessions."""
    protocols = Protocol.objects.filter(table__session__tournament=tournament).select_related(
        "table__session"
    )
    return {
        "tournament": {"entries": tournament.entries, "head": history.head(tournament)},
        "protocols": [
            {
                "session": protocol.table.session.number,
                "table": protocol.table.number,
                "entries": protocol.version,
                "head": history.head(tournament, protocol),
            }
            for protocol in protocols.order_by("table__session__number", "table__number")
        ],
        "checkpoints": [
            {"session": session.number, "digest": session.checkpoint}
            for session in tournament.sessions.exclude(checkpoint="").order_by("number")
        ],
    }


def _said(**values: Any) -> Json:
    """Keep what says something; empty values are not written."""
    return {name: value for name, value in values.items() if value not in (None, "", {})}


def _tournament(tournament: Tournament) -> Json:
    state = tournament.state
    return {
        "slug": tournament.slug,
        "name": tournament.name,
        "system": tournament.system,
        "preset": tournament.preset,
        "time_zone": tournament.time_zone,
        "first_day": tournament.first_day.isoformat(),
        "last_day": tournament.last_day.isoformat(),
        "state": Tournament.State.ANNOUNCED.value if state == Tournament.State.DRAFT else state,
        **_said(city=tournament.city, venue=tournament.venue),
    }


def _named(tournament: Tournament) -> Iterator[Player]:
    yield from tournament.players.select_related("team").order_by("pk")


def _player(player: Player) -> Json:
    return {
        "id": player.code,
        "name": player.name or None,
        **_said(
            country=player.country,
            region=player.region,
            city=player.city,
            club=player.club,
            team=player.team.name if player.team else "",
            group=player.group,
            federation_ids=player.federation_ids,
        ),
    }


def _unnamed_officials(tournament: Tournament) -> Iterator[Json]:
    """Officials with an account and no row among the players are named by their account."""
    seen: set[int] = set()
    for role in tournament.roles.filter(player=None).select_related("user").order_by("pk"):
        if role.user is not None and role.user.pk not in seen:
            seen.add(role.user.pk)
            yield {"id": _official(role), "name": role.user.title}


def _official(role: Role) -> str:
    return role.player.code if role.player else f"u{role.user_id}"


def _registration(row: Registration) -> Json:
    return {
        "player": row.player.code,
        "number": row.number,
        "status": row.status,
        "checked_in": row.is_checked_in,
        **_said(
            first_session=row.first_session if row.first_session > 1 else None,
            last_session=row.last_session,
            lot=row.lot,
        ),
    }


def _sessions(tournament: Tournament) -> Iterator[Session]:
    """Give the sessions that have been seated, with everything at their tables."""
    seats = Seat.objects.select_related("player", "kept_for").order_by(WIND_ORDER)
    hands = Hand.objects.order_by("number", "pk")
    tables = Table.objects.order_by("number").prefetch_related(
        Prefetch("seats", seats),
        Prefetch("protocol__hands", hands),
        Prefetch("protocol__final_results", FinalResult.objects.order_by("pk")),
    )
    rows = tournament.sessions.filter(published_at__isnull=False).order_by("number")
    yield from rows.prefetch_related(Prefetch("tables", tables.select_related("protocol")))


def _session(session: Session, tournament: Tournament) -> Json:
    own = session.regulation or tournament.regulation
    changed = {name: own[name] for name in own if own[name] != tournament.regulation[name]}
    return {
        "number": session.number,
        "state": session.state,
        "seating": {
            "mode": _mode(session, tournament),
            "seed": session.seed or "-",
            **_said(method=session.method),
        },
        "tables": [_table(table) for table in session.tables.all()],
        **_said(
            started_at=_instant(session.started_at),
            ended_at=_instant(session.ended_at),
            regulation=changed,
        ),
    }


def _mode(session: Session, tournament: Tournament) -> str:
    """A session seated by hand is one of the mode of its regulation."""
    known = {"fixed", "programmed", "swiss", "random"}
    return session.seating_mode if session.seating_mode in known else str(tournament.regulation["seating"])


def _instant(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if moment else None


def _table(table: Table) -> Json:
    return {
        "number": table.number,
        "seats": [_seat(seat) for seat in table.seats.all()],
        "protocol": _protocol(table) if hasattr(table, "protocol") else None,
    }


def _seat(seat: Seat) -> Json:
    return {
        "wind": seat.wind,
        "player": seat.player.code if seat.player else None,
        **({"for": seat.kept_for.code} if seat.kept_for else {}),
        **({"from_hand": seat.from_hand} if seat.from_hand > 1 else {}),
    }


def _protocol(table: Table) -> Json:
    protocol = table.protocol
    is_final = any(row.status == InForce.IN_FORCE for row in protocol.final_results.all())
    body = _final(protocol) if is_final else _hands(protocol)
    confirmed = [seat.wind for seat in table.seats.all() if seat.confirmed_at]
    return {
        "mode": Protocol.Mode.FINAL_RESULT.value if is_final else Protocol.Mode.HANDS.value,
        **body,
        "confirmed": confirmed,
        **({"signed_off": True} if protocol.state == Protocol.State.SIGNED_OFF else {}),
    }


def _hands(protocol: Protocol) -> Json:
    rows = list(protocol.hands.all())
    return {
        "hands": [row.facts for row in rows if row.status == InForce.IN_FORCE],
        "superseded": [
            {**row.facts, **_how(row)}
            for row in sorted(rows, key=lambda row: row.pk)
            if row.status != InForce.IN_FORCE
        ],
    }


def _final(protocol: Protocol) -> Json:
    rows = list(protocol.final_results.all())
    current = next(row for row in rows if row.status == InForce.IN_FORCE)
    return {
        "final": current.points,
        "left_on_table": current.left_on_table,
        "superseded": [
            {"final": row.points, "left_on_table": row.left_on_table, **_how(row)}
            for row in rows
            if row.status != InForce.IN_FORCE
        ],
    }


def _how(row: Hand | FinalResult) -> Json:
    return {"how": row.status, "reason": row.reason or TAKEN_BACK}


def _adjustment(row: Adjustment) -> Json:
    return {
        "id": row.code,
        "session": row.session.number if row.session else None,
        "player": row.player.code,
        "reason": row.reason,
        **_said(
            game_points=row.game_points,
            tournament_points=row.tournament_points,
            result=row.result,
            timing=row.timing,
            appeal=row.appeal,
        ),
    }


def parse_instant(text: str) -> datetime:
    """Read an instant of a record."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
