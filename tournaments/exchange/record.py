"""A whole tournament as one record, as docs/RECORD.md describes it."""

import unicodedata
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

from django.db.models import Max, Prefetch, Q

from scoring.record.computed import compute
from scoring.record.declared import FORMAT, NEVER_TOOK_PART
from scoring.record.form import VERSION
from scoring.record.readings import MARK, marked_hands, with_needed_readings, without_mark
from scoring.regulation import OPTIONAL
from scoring.systems import SYSTEMS
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
    TeamLine,
    Tournament,
)
from tournaments.models.play import WIND_ORDER
from tournaments.models.protocol import InForce
from tournaments.people.rules.names import tidy_slug
from tournaments.person_fields import IN_RECORD
from tournaments.record import history
from tournaments.sessions.queries import state_but_for_cancellation
from tournaments.tables.queries.sheets import sheet_of

TAKEN_BACK = "Taken back at the table at once"
LONGEST_NAME = 100
SHORTEST_REASON, LONGEST_REASON = 10, 5000
NO_FEDERATION = {"": ""}
"""How a player is kept whose record says that there is no federation number, instead of not speaking of any."""
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
    taken = set(tournament.players.values_list("code", flat=True))
    drawn = _drawn_and_gone(tournament)
    declared: Json = {
        "tournament": _tournament(tournament),
        "regulation": tournament.regulation,
        "players": [*map(_player, _named(tournament)), *_unnamed_officials(tournament)],
        "registrations": [
            _registration(row, drawn.get(row.player_id))
            for row in tournament.registrations.select_related("player").order_by("pk")
        ],
        "substitutes": [
            {"player": row.player.code, "assistant": row.is_assistant}
            for row in tournament.substitutes.select_related("player").order_by("pk")
        ],
        "officials": [
            {"player": _official(role, taken), "role": role.kind}
            for role in tournament.roles.select_related("player", "user").order_by("pk")
        ],
        "sessions": [_session(session, tournament) for session in _sessions(tournament)],
        "lateness": judged["lateness"],
        "penalties": [*judged["penalties"], *_team_penalties(tournament)],
        "adjustments": [
            _adjustment(row)
            for row in tournament.adjustments.filter(origin__in=OWN, reversed_at=None)
            .select_related("player", "session")
            .order_by("pk")
        ]
        + judged["adjustments"]
        + _team_adjustments(tournament),
        "appeals": judged["appeals"],
    }
    _waive_who_was_let_back(declared)
    composed: Json = _composed(declared)
    return composed


def _waive_who_was_let_back(declared: Json) -> None:
    """Beyond the last band a player is replaced; whom the desk let sit all the same was forgiven. [SBR 2.8.4.5]"""
    sessions = {session["number"]: session for session in declared["sessions"]}
    for late in declared["lateness"]:
        session = sessions[late["session"]]
        rules = {**declared["regulation"], **session.get("regulation", {})}["lateness"]
        sits = any(seat["player"] == late["player"] for table in session["tables"] for seat in table["seats"])
        if sits and rules and not any(_fits(band, late["seconds"]) for band in rules["bands"]):
            late["waived"] = True


def _fits(band: Json, seconds: int) -> bool:
    return bool(seconds < band["below"] if "below" in band else seconds <= band["up_to"])


def _composed(value: Any) -> Any:
    """Write every text in normal form NFC, as records have it. [RECORD 1]"""
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, dict):
        return {name: _composed(part) for name, part in value.items()}
    return [_composed(part) for part in value] if isinstance(value, list | tuple) else value


def history_of(tournament: Tournament) -> Json:
    """Return the heads of all chains that have begun, and the seals of closed sessions."""
    protocols = Protocol.objects.filter(table__session__tournament=tournament).select_related(
        "table__session"
    )
    heads = history.heads(tournament)
    return {
        "tournament": {"entries": tournament.entries, "head": history.head(tournament)},
        "protocols": [
            {
                "session": protocol.table.session.number,
                "table": protocol.table.number,
                "entries": protocol.version,
                "head": heads.get(protocol.pk, history.GENESIS),
            }
            for protocol in protocols.filter(version__gt=0).order_by(
                "table__session__number", "table__number"
            )
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
    state = state_but_for_cancellation(tournament)
    return {
        "slug": tidy_slug(tournament.slug) or "event",
        "name": tournament.name[:LONGEST_NAME],
        "system": tournament.system,
        "preset": tournament.preset,
        "time_zone": tournament.time_zone,
        "first_day": tournament.first_day.isoformat(),
        "last_day": tournament.last_day.isoformat(),
        "state": Tournament.State.ANNOUNCED.value if state == Tournament.State.DRAFT else state.value,
        **_said(city=tournament.city, venue=tournament.venue[:LONGEST_NAME]),
    }


def _named(tournament: Tournament) -> Iterator[Player]:
    yield from tournament.players.select_related("team").order_by("pk")


def _player(player: Player) -> Json:
    return {
        "id": player.code,
        "name": player.name or None,
        **_said(**{one.name: one.text_of(player) for one in IN_RECORD}),
        **_federation_ids(player),
    }


def _federation_ids(player: Player) -> Json:
    if not player.federation_ids:
        return {}
    return {"federation_ids": {} if player.federation_ids == NO_FEDERATION else player.federation_ids}


def _unnamed_officials(tournament: Tournament) -> Iterator[Json]:
    """Name the officials who are no players by their accounts."""
    seen: set[int] = set()
    taken = set(tournament.players.values_list("code", flat=True))
    for role in tournament.roles.filter(player=None).select_related("user").order_by("pk"):
        if role.user is not None and role.user.pk not in seen:
            seen.add(role.user.pk)
            yield {"id": _official(role, taken), "name": role.title[:LONGEST_NAME]}


def _official(role: Role, taken: Collection[str]) -> str:
    """Return the id of an official: that of the player, or one made from the account that no player has."""
    if role.player:
        return role.player.code
    code = f"u{role.user_id}"
    while code in taken:
        code += "u"
    return code


def _drawn_and_gone(tournament: Tournament) -> dict[int, int]:
    """Find who cancelled but has a seat in a seating that stands, and the last session they were drawn for."""
    gone = tournament.registrations.filter(status__in=NEVER_TOOK_PART).exclude(
        player__in=tournament.substitutes.values("player")
    )
    numbers = (Max("player__seats__session__number"), Max("player__kept_seats__session__number"))
    rows = gone.annotate(sat=numbers[0], kept=numbers[1]).values_list("player_id", "sat", "kept")
    return {player: max(sat or 0, kept or 0) for player, sat, kept in rows if sat or kept}


def _registration(row: Registration, drawn: int | None) -> Json:
    """Write a registration; who was drawn took part, and whoever left then has withdrawn. [RECORD 2]"""
    return {
        "player": row.player.code,
        "number": row.number,
        "status": row.status if drawn is None else Registration.Status.WITHDRAWN.value,
        "checked_in": row.is_checked_in,
        **_said(
            first_session=row.first_session if row.first_session > 1 else None,
            last_session=row.last_session or drawn,
            lot=row.lot,
        ),
    }


def _sessions(tournament: Tournament) -> Iterator[Session]:
    """Yield the sessions that have been seated, with everything at their tables, and those between."""
    seats = Seat.objects.select_related("player", "kept_for").order_by(WIND_ORDER)
    hands = Hand.objects.order_by("number", "pk")
    tables = Table.objects.order_by("number").prefetch_related(
        Prefetch("seats", seats),
        Prefetch("protocol__hands", hands),
        Prefetch("protocol__final_results", FinalResult.objects.order_by("pk")),
    )
    seated = tournament.sessions.filter(Q(published_at__isnull=False) | ~Q(seed=""))
    last = seated.aggregate(last=Max("number"))["last"] or 0
    rows = tournament.sessions.filter(number__lte=last).order_by("number")
    yield from rows.prefetch_related(Prefetch("tables", tables.select_related("protocol")))


def _session(session: Session, tournament: Tournament) -> Json:
    usual = tournament.regulation
    own = session.regulation or usual
    stated = session.stated or ()
    left_out = {name: value for name, value in OPTIONAL.items() if name in usual and name not in own}
    changed = {
        name: value
        for name, value in {**own, **left_out}.items()
        if name in stated or value != usual.get(name, OPTIONAL.get(name))
    }
    return {
        "number": session.number,
        "state": session.state,
        "seating": {
            "mode": _mode(session, tournament),
            "seed": session.seed or "-",
            **_said(method=session.method),
        },
        "tables": [_table(table, own["smallest_table"]) for table in session.tables.all()],
        **_said(started_at=_instant(session.started_at), ended_at=_instant(session.ended_at)),
        **({"regulation": changed} if changed or session.stated is not None else {}),
    }


def _mode(session: Session, tournament: Tournament) -> str:
    """Return the mode of a session's draw; seated by hand, it counts as of the mode of its regulation."""
    known = {"fixed", "programmed", "swiss", "random"}
    return session.seating_mode if session.seating_mode in known else str(tournament.regulation["seating"])


def _instant(moment: datetime | None) -> str | None:
    return write_instant(moment) if moment else None


def _table(table: Table, smallest: int) -> Json:
    """Write a table; where too few sit to play there is nothing to record. [RECORD 2]"""
    seats = list(table.seats.all())
    has_protocol = hasattr(table, "protocol") and (
        sum(seat.player_id is not None for seat in seats) >= smallest or _is_begun(table.protocol)
    )
    return {
        "number": table.number,
        "seats": [_seat(seat) for seat in seats],
        "protocol": _protocol(table) if has_protocol else None,
    }


def _is_begun(protocol: Protocol) -> bool:
    rows: list[Hand | FinalResult] = [*protocol.hands.all(), *protocol.final_results.all()]
    return any(row.status == InForce.IN_FORCE for row in rows)


def _seat(seat: Seat) -> Json:
    return {
        "wind": seat.wind,
        "player": seat.player.code if seat.player else None,
        **({"for": seat.kept_for.code} if seat.kept_for else {}),
        **({"from_hand": seat.from_hand} if seat.from_hand > 1 else {}),
        **({} if seat.left_after is None else {"left_after": seat.left_after}),
    }


def _protocol(table: Table) -> Json:
    protocol = table.protocol
    is_final = any(row.status == InForce.IN_FORCE for row in protocol.final_results.all())
    body = _final(protocol) if is_final else _hands(protocol)
    return {
        "mode": Protocol.Mode.FINAL_RESULT.value if is_final else Protocol.Mode.HANDS.value,
        **body,
        "confirmed": _confirmed(list(table.seats.all())),
        **({"signed_off": True} if protocol.state == Protocol.State.SIGNED_OFF else {}),
    }


def _confirmed(seats: Sequence[Seat]) -> list[str]:
    """List the seats that confirmed, E S W N; a record that came in another order leaves in that order. [RECORD 1]"""
    moments = {seat.wind: seat.confirmed_at for seat in seats if seat.confirmed_at and seat.player_id}
    if moments and max(moments.values()) - min(moments.values()) < timedelta(microseconds=len(seats)):
        return sorted(moments, key=moments.__getitem__)
    return list(moments)


def _hands(protocol: Protocol) -> Json:
    rows = list(protocol.hands.all())
    return {
        "hands": _hands_in_force(protocol, [row.facts for row in rows if row.status == InForce.IN_FORCE]),
        "superseded": [
            {**without_mark(row.facts), **_how(row)}
            for row in sorted(rows, key=lambda row: row.pk)
            if row.status != InForce.IN_FORCE
        ],
    }


def _hands_in_force(protocol: Protocol, hands: list[Json]) -> list[Json]:
    """Mark the hands that only the first reading of the rulebooks can judge; that of others need not be said. [RULES 8.44]"""
    if not any(MARK in hand for hand in hands):
        return hands
    sheet = sheet_of(protocol)
    return marked_hands(hands, with_needed_readings(sheet.play(), sheet.rules))


def _final(protocol: Protocol) -> Json:
    rows = list(protocol.final_results.all())
    current = next(row for row in rows if row.status == InForce.IN_FORCE)
    return {
        "final": current.points,
        "left_on_table": current.left_on_table,
        **_mark_of_final(current),
        "superseded": [
            {"final": row.points, "left_on_table": row.left_on_table, **_how(row)}
            for row in rows
            if row.status != InForce.IN_FORCE
        ],
    }


def _mark_of_final(row: FinalResult) -> Json:
    """Mark what an earlier release left on a table without bets. [RULES 8.42]"""
    if not row.left_on_table or SYSTEMS[row.protocol.table.session.tournament.system].recorded.has_bets:
        return {}
    return {MARK: True}


def _how(row: Hand | FinalResult) -> Json:
    return {"how": row.status, "reason": _explained(row.reason)}


def _explained(reason: str) -> str:
    """Return the reason; at the table fewer words are enough than a record asks for. [RECORD 1]"""
    if SHORTEST_REASON <= len(reason) <= LONGEST_REASON:
        return reason
    return ": ".join(filter(None, (TAKEN_BACK, reason.strip())))[:LONGEST_REASON]


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


def _team_lines(tournament: Tournament, *, are_penalties: bool) -> Iterator[TeamLine]:
    rows = tournament.team_lines.filter(reversed_at=None).select_related("team", "session").order_by("pk")
    return (row for row in rows if bool(row.offence) == are_penalties)


def _team_penalties(tournament: Tournament) -> list[Json]:
    """Write what teams lost for offences. [RECORD 2]"""
    return [
        {
            "id": row.code,
            "session": row.session.number if row.session else None,
            "team": row.team.name,
            "offence": row.offence,
            "clause": row.clause,
            "kind": "decision",
            "effect": "tournament_points" if row.game_points is None else "game_points",
            "decided_by": row.decided_by,
            "points": str(-Fraction(row.tournament_points)) if row.game_points is None else -row.game_points,
        }
        for row in _team_lines(tournament, are_penalties=True)
    ]


def _team_adjustments(tournament: Tournament) -> list[Json]:
    """Write what teams were given or lost by a decision. [RECORD 2]"""
    return [
        {
            "id": row.code,
            "session": row.session.number if row.session else None,
            "team": row.team.name,
            "reason": row.reason,
            **_said(game_points=row.game_points, tournament_points=row.tournament_points, appeal=row.appeal),
        }
        for row in _team_lines(tournament, are_penalties=False)
    ]


def write_instant(moment: datetime) -> str:
    """Write an instant as records do. [RECORD 1]"""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def parse_instant(text: str) -> datetime:
    """Read an instant of a record."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
