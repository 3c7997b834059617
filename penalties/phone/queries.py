"""What a referee's phone is told: tables with their players, offences with their prices, and what waits for a judge."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Count
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags
from django.utils.translation import gettext as _

from penalties.appeals.queries import all_appeals
from penalties.ladder.queries.dead_hand_marks import unmarked_dead_hands
from penalties.ladder.queries.outlook import Move, Outlook, outlooks
from penalties.ladder.queries.penalties import JudgedEvent, PenaltyRow, all_penalties, penalty_rows
from penalties.ladder.rules.offences import offences
from penalties.lateness import rules as lateness_rules
from penalties.lateness.queries import awaited_now
from penalties.models import Appeal, Lateness, Penalty, PrintRequest
from penalties.paper.queries import waiting_numbers
from penalties.phone import rules as phone_rules
from scoring.criteria import TOURNAMENT_POINTS
from scoring.regulation import Ladder, LadderScope, PenaltyRules, Regulation, Timing
from scoring.seats import Seat as SeatWind
from scoring.standings.sessions import (
    Charge,
    Event,
    SeatFact,
    SeatLedger,
    SessionFact,
    TableFact,
    session_ledger,
)
from scoring.systems.offences import OTHER, Offence
from tournaments.models import HistoryEntry, Protocol, Seat, Session, Table, Tournament, User
from tournaments.record.actors import Actor
from tournaments.record.history import Kind
from tournaments.sessions.queries import counted_tables
from tournaments.tables.queries.events import event_of
from tournaments.web.labels import heading_of

State = dict[str, Any]
MOST_GIVEN = 40
"""So many of the latest penalties are told; all of them stand at the desk."""


def phone_state(tournament: Tournament, by: Actor) -> State:
    """Return everything that the phone shows, so that it goes on without a connection."""
    rows = tournament.sessions.filter(state=Session.State.OPEN, published_at__isnull=False).order_by("number")
    judged, event = JudgedEvent(tournament), event_of(tournament, [])
    penalties = list(all_penalties(tournament))
    at_printer = waiting_numbers(tournament, PrintRequest.Kind.PENALTY)
    sessions = []
    for session in rows:
        session.tournament = tournament
        sessions.append(_session(session, judged, event, penalties, by))
    return {
        "at": timezone.now().isoformat(),
        "tournament": tournament.name,
        "is_finished": tournament.is_finished,
        "is_chief": by.has_role("chief_referee"),
        "me": User.objects.get(pk=by.id).title,
        "sessions": sessions,
        "waiting": waiting(tournament),
        "given": [_given(tournament, row, by, at_printer) for row in _latest(tournament, penalties)],
        "late": _came_late(tournament, judged),
    }


def _session(
    session: Session, judged: JudgedEvent, event: Event, penalties: Sequence[Penalty], by: Actor
) -> State:
    regulation = judged.rules_of(session.number)
    rules = regulation.penalties
    tables = list(counted_tables(session))
    late = dict(session.latenesses.values_list("player_id", "state"))
    steps = _steps(session, rules, penalties)
    ledger = _ledgers(session, event, tables)
    return {
        "number": session.number,
        "name": str(session),
        "timing": str(rules.timing),
        "ladders": [_ladder(one) for one in rules.ladders],
        "offences": [_offence(one, regulation, by) for one in _offered(session.tournament, rules)],
        "has_tp": TOURNAMENT_POINTS in judged.rules_of(None).ranking,
        "tables": [_table(table, ledger.get(table.number, {}), steps, late, rules, by) for table in tables],
    }


def _ladder(one: Ladder) -> State:
    return {
        "offences": list(one.offences),
        "mode": str(one.mode),
        "scope": str(one.scope),
        "steps": list(one.steps),
    }


def _offered(tournament: Tournament, rules: PenaltyRules) -> Sequence[Offence]:
    """List what a referee gives in passing, the most frequent first; an unnamed offence is written at the desk."""
    named = [one for one in offences(tournament.system, rules) if one.code != OTHER.code]
    counted = Penalty.objects.filter(
        tournament__system=tournament.system,
        tournament__is_demo=tournament.is_demo,
        state=Penalty.State.IN_FORCE,
    )
    given = dict(counted.order_by().values_list("offence").annotate(Count("pk")))
    return phone_rules.by_frequency(named, rules, given)


def _offence(one: Offence, regulation: Regulation, by: Actor) -> State:
    rules = regulation.penalties
    ladder = rules.ladder_of(one.code)
    return {
        "code": one.code,
        "name": _(one.name),
        "clause": one.clause,
        "mode": str(one.mode),
        "tap": str(phone_rules.tap(one, rules)),
        "ladder": rules.ladders.index(ladder) if ladder else None,
        "price": rules.fixed.get(one.code),
        "to": one.to,
        "prices": phone_rules.prices(
            one.code, rules, unit=regulation.points_unit, is_chief=by.has_role("chief_referee")
        ),
    }


def _steps(
    session: Session, rules: PenaltyRules, penalties: Sequence[Penalty]
) -> dict[int, dict[int, list[int]]]:
    """Return by player and ladder the hands of the offences that count there, as a new one would be counted. [SBR 2.8.2]"""
    found: dict[int, dict[int, list[int]]] = {}
    for row in penalties:
        climbed = rules.ladder_of(row.offence)
        if (
            climbed is None
            or not row.is_in_force
            or not (row.kind == Penalty.Kind.LADDER or row.is_on_ladder)
        ):
            continue
        if row.session_id == session.pk or climbed.scope is LadderScope.TOURNAMENT:
            ladder = rules.ladders.index(climbed)
            found.setdefault(row.player_id, {}).setdefault(ladder, []).append(row.hand or 0)
    return found


def _ledgers(
    session: Session, event: Event, tables: Sequence[Table]
) -> Mapping[int, Mapping[SeatWind, SeatLedger]]:
    """Work out how every table of a session stands, those included that have recorded nothing yet."""
    written = session.regulation or session.tournament.regulation
    facts = [
        TableFact(
            table.number,
            tuple(
                SeatFact(SeatWind(seat.wind), seat.player_id, seat.kept_for_id, seat.hand_points)
                for seat in _in_order(table)
            ),
        )
        for table in tables
        if hasattr(table, "protocol")
    ]
    rules = Regulation.from_json(written, system=session.tournament.system)
    alone = SessionFact(session.number, rules, facts)
    return session_ledger(replace(event, sessions=[alone]), alone).tables


def _in_order(table: Table) -> list[Seat]:
    winds = list(SeatWind)
    return sorted(table.seats.all(), key=lambda seat: winds.index(SeatWind(seat.wind)))


def _table(
    table: Table,
    ledger: Mapping[SeatWind, SeatLedger],
    steps: Mapping[int, Mapping[int, list[int]]],
    late: Mapping[int, str],
    rules: PenaltyRules,
    by: Actor,
) -> State:
    protocol = getattr(table, "protocol", None)
    seats = [seat for seat in _in_order(table) if seat.player is not None]
    return {
        "number": table.number,
        "hand": (getattr(table, "hand_count", 0) if protocol else 0) + 1,
        "has_hands": protocol is None or protocol.mode == Protocol.Mode.HANDS,
        "called": table.called_at is not None,
        "answered": table.answered_at is not None,
        "is_own": any(seat.player_id in by.player_ids for seat in seats),
        "seats": [_seat(seat, ledger.get(SeatWind(seat.wind)), steps, late, rules) for seat in seats],
    }


def _seat(
    seat: Seat,
    ledger: SeatLedger | None,
    steps: Mapping[int, Mapping[int, list[int]]],
    late: Mapping[int, str],
    rules: PenaltyRules,
) -> State:
    """Show who sits there: points as they are ranked by, which is before or after penalties. [RULES 8.36]"""
    pk = seat.player_id or 0
    has_late = late.get(pk, Lateness.State.MISTAKE)
    points = ranked = 0
    if ledger is not None:
        points = ledger.table_points
        ranked = points if rules.timing is Timing.BEFORE else ledger.hands
    return {
        "wind": seat.wind,
        "player": pk,
        "name": str(seat.player),
        "points": points,
        "ranked": ranked,
        "steps": steps.get(pk, {}),
        "late": "" if has_late == Lateness.State.MISTAKE or seat.kept_for_id else has_late,
    }


def foreseen(session: Session, player: int, prices: Sequence[int]) -> State:
    """Tell for each price what it would change in the standings for those at the player's table. [RULES 8.51]"""
    rules = JudgedEvent(session.tournament).rules_of(session.number).penalties
    seats = session.seats.select_related("table__protocol", "player").filter(player_id=player, kept_for=None)
    seat = seats.first()
    if seat is None or not prices:
        return {}
    seat.session = seat.table.session = session
    courses = [[Charge(player, session.number, -price, timing=rules.timing)] for price in prices]
    outlooks_of = zip(prices, outlooks(session.tournament, seat, player, courses), strict=True)
    return {str(price): _foreseen(one) for price, one in outlooks_of}


def _foreseen(one: Outlook) -> State:
    return {
        "others": one.others,
        "is_nothing": one.is_nothing,
        "moves": [
            {"player": move.player.pk, "now": move.now, "then": move.then, "total": _total(move)}
            for move in one.standings
        ],
    }


def _total(move: Move) -> list[str]:
    """Write the first total that the ranking counts, now and after."""
    return [
        strip_tags(text) for one in move.totals[:1] for text in (heading_of(str(one.criterion)), *one.texts)
    ]


def _latest(tournament: Tournament, penalties: Sequence[Penalty]) -> list[PenaltyRow]:
    return list(reversed(penalty_rows(tournament, penalties[-MOST_GIVEN:]))) if penalties else []


def _given(tournament: Tournament, row: PenaltyRow, by: Actor, at_printer: Collection[int]) -> State:
    """Show a penalty that was given: what it took, whether it counts, and whether the sender may revoke it."""
    one = row.penalty
    is_own = one.given_by_id == by.id
    return {
        "number": one.number,
        "player": str(one.player),
        "table": one.table.number if one.table else None,
        "session": one.session.number if one.session else None,
        "offence": _(row.name),
        "step": row.step,
        "steps": row.steps,
        "points": row.game_points,
        "what": row.what,
        "state": one.state,
        "state_name": one.get_state_display(),
        "by": one.given_by.title,
        "at": one.given_at.isoformat(),
        "may_revoke": one.state != Penalty.State.REVOKED and (is_own or by.has_role("chief_referee")),
        "is_printing": one.number in at_printer,
        "page": reverse("penalties:penalty", args=[tournament.slug, one.number]),
    }


def _came_late(tournament: Tournament, judged: JudgedEvent) -> list[State]:
    """Show who came late in the sessions in play, the latest first: how late, what it took, and whether its slip is asked for."""
    at_printer = waiting_numbers(tournament, PrintRequest.Kind.LATE_SLIP)
    rows = Lateness.objects.filter(
        session__tournament=tournament, session__state=Session.State.OPEN, state=Lateness.State.ARRIVED
    ).select_related("player", "session")
    return [
        {
            "number": row.pk,
            "player": str(row.player),
            "session": row.session.number,
            "seconds": row.seconds,
            "cost": judged.lateness_cost(row),
            "is_waived": row.is_waived,
            "is_printing": row.pk in at_printer,
        }
        for row in rows.order_by("-arrived_at", "-pk")[:MOST_GIVEN]
    ]


# What waits


def waiting(tournament: Tournament) -> list[State]:
    """List what waits for a judge, nearest first: by the moment at which it is due, or since when it has waited."""
    found = [
        *_calls(tournament),
        *_late(tournament),
        *_disputes(tournament),
        *_appeals(tournament),
        *_unmarked(tournament),
        *_proposed(tournament),
    ]
    return sorted(found, key=lambda one: str(one["due"]))


def _calls(tournament: Tournament) -> Iterator[State]:
    rows = Table.objects.filter(
        session__tournament=tournament, session__state=Session.State.OPEN, called_at__isnull=False
    )
    for table in rows.select_related("session"):
        assert table.called_at is not None
        yield {
            "kind": "answered" if table.answered_at else "call",
            "due": _moment(table.called_at),
            "since": _moment(table.called_at),
            "session": table.session.number,
            "table": table.number,
            "text": _("A referee is on the way") if table.answered_at else _("Calls a referee"),
        }


def _late(tournament: Tournament) -> Iterator[State]:
    """List who is awaited, due when the next price begins. [SBR 2.8.4.5]"""
    judged = JudgedEvent(tournament)
    for one in awaited_now(tournament):
        session = one.row.session
        if session.started_at is None:
            continue
        rules = judged.rules_of(session.number).lateness
        ahead = [at for at in lateness_rules.thresholds(rules) if at.seconds > one.seconds]
        due = session.started_at + timedelta(seconds=ahead[0].seconds) if ahead else session.started_at
        yield {
            "kind": "late",
            "due": _moment(due),
            "since": _moment(session.started_at),
            "session": session.number,
            "table": one.seat.table.number if one.seat else None,
            "player": one.row.player_id,
            "text": str(one.row.player),
            "bands": [
                {"seconds": at.seconds, "points": at.points, "is_replaced": at.is_replaced}
                for at in lateness_rules.thresholds(rules)
            ],
            "page": reverse("penalties:lateness_clock", args=[tournament.slug, session.number]),
        }


def _disputes(tournament: Tournament) -> Iterator[State]:
    """List the tables where a player objects to the result and nobody has settled it. [SBR 2.5.8.4]"""
    open_states = (Protocol.State.OPEN, Protocol.State.ENDED)
    rows = HistoryEntry.objects.filter(
        protocol__table__session__tournament=tournament,
        protocol__table__session__state=Session.State.OPEN,
        protocol__state__in=open_states,
        kind=Kind.OBJECTION_NOTED,
    )
    latest: dict[int, HistoryEntry] = {}
    for row in rows.select_related("protocol__table__session").order_by("number"):
        latest[row.protocol_id or 0] = row
    for row in latest.values():
        assert row.protocol is not None
        table = row.protocol.table
        yield {
            "kind": "dispute",
            "due": _moment(row.at),
            "since": _moment(row.at),
            "session": table.session.number,
            "table": table.number,
            "text": _("A player objects to the result"),
            "page": reverse(
                "tournaments:table_desk", args=[tournament.slug, table.session.number, table.number]
            ),
        }


def _appeals(tournament: Tournament) -> Iterator[State]:
    """List the open appeals, due at their hearing, else since they were filed. [SBR 2.9]"""
    for row in all_appeals(tournament).filter(state__in=Appeal.OPEN):
        yield {
            "kind": "appeal",
            "due": _moment(row.hearing_at or row.filed_at),
            "since": _moment(row.filed_at),
            "session": row.session.number,
            "table": row.table.number if row.table else None,
            "hearing": _moment(row.hearing_at) if row.hearing_at else None,
            "text": f"{row} · {row.player} · {row.get_state_display()}",
            "page": reverse("penalties:appeal", args=[tournament.slug, row.number]),
        }


def _unmarked(tournament: Tournament) -> Iterable[State]:
    for row in unmarked_dead_hands(tournament):
        yield _about(tournament, row, "dead_hand", _("Dead hand without its mark: %(name)s"))


def _proposed(tournament: Tournament) -> Iterable[State]:
    for row in all_penalties(tournament).filter(state=Penalty.State.PROPOSED):
        yield _about(tournament, row, "proposed", _("Awaits a second approval: %(name)s"))


def _about(tournament: Tournament, row: Penalty, kind: str, text: str) -> State:
    return {
        "kind": kind,
        "due": _moment(row.given_at),
        "since": _moment(row.given_at),
        "session": row.session.number if row.session else None,
        "table": row.table.number if row.table else None,
        "text": text % {"name": row.player},
        "page": reverse("penalties:penalty", args=[tournament.slug, row.number]),
    }


def _moment(at: datetime) -> str:
    """Write a moment so that texts sort as the moments do."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds")
