"""What stands on the judges' sheets."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from penalties.appeals.queries import Contestable, contest_of, deposit_of, is_final_decision, seat_in
from penalties.ladder.queries.dead_hand_marks import DeadMark, dead_mark
from penalties.ladder.queries.penalties import (
    Effect,
    JudgedEvent,
    PenaltyRow,
    all_penalties,
    changes_at_table,
    effects,
    penalty_rows,
)
from penalties.models import Lateness, Penalty, PrintRequest
from scoring.standings.sessions import Charge
from scoring.systems import SYSTEMS
from tournaments.models import Session, Tournament


@dataclass(frozen=True)
class Slip:
    """A penalty on paper: what was decided, what it did at the table, and until when it can be appealed."""

    row: PenaltyRow
    effects: Sequence[Effect]
    mark: DeadMark
    is_final: bool
    contest: Contestable | None
    deposit: Decimal


@dataclass(frozen=True)
class LateSlip:
    """A lateness on paper: how late, what it took, what that did at the table, and until when it can be appealed."""

    row: Lateness
    cost: int
    is_replaced: bool
    effects: Sequence[Effect]
    clause: str
    contest: Contestable | None
    deposit: Decimal


def slip_of(tournament: Tournament, penalty: Penalty) -> Slip:
    """Gather what a player takes home of a penalty. [SBR 2.8.2] [SBR 2.9.2]"""
    if penalty.session is not None:
        penalty.session.tournament = tournament
    contest, row = contest_of(tournament, penalty), penalty_rows(tournament, [penalty])[0]
    return Slip(
        row=row,
        effects=[] if row.is_warning else changes_at_table(tournament, penalty),
        mark=dead_mark(penalty) if penalty.is_in_force else DeadMark.NOWHERE,
        is_final=penalty.is_in_force and is_final_decision(tournament, penalty),
        contest=contest,
        deposit=deposit_of(contest.session) if contest else Decimal(0),
    )


def late_slip_of(row: Lateness) -> LateSlip:
    """Gather what a player takes home of a lateness. [SBR 2.8.4.5] [SBR 2.9.2]"""
    tournament = row.session.tournament
    judged, contest = JudgedEvent(tournament), contest_of(tournament, row)
    cost = judged.lateness_cost(row)
    return LateSlip(
        row=row,
        cost=cost,
        is_replaced=judged.replaced(row),
        effects=_without_lateness(row, cost, judged) if cost else [],
        clause=SYSTEMS[tournament.system].lateness_clause
        if judged.rules_of(row.session.number).lateness
        else "",
        contest=contest,
        deposit=deposit_of(contest.session) if contest else Decimal(0),
    )


def _without_lateness(row: Lateness, cost: int, judged: JudgedEvent) -> list[Effect]:
    """Compare the table as it would stand without a lateness with how it stands."""
    seat = seat_in(row.session, row.player)
    if seat is None:
        return []
    seat.table.session = row.session
    timing = judged.rules_of(row.session.number).penalties.timing
    undone = effects(seat.table, [Charge(row.player_id, row.session.number, cost, timing=timing)])
    return [Effect(one.seat, one.after, one.before) for one in undone]


def lateness_list(session: Session) -> list[tuple[Lateness, int, bool]]:
    """List who was late in a session, with what it took and whether somebody else played. [SBR 2.8.4.5]"""
    judged = JudgedEvent(session.tournament)
    rows = session.latenesses.exclude(state=Lateness.State.MISTAKE).select_related("player", "session")
    return [(row, judged.lateness_cost(row), judged.replaced(row)) for row in rows.order_by("id")]


def penalties_in_force(tournament: Tournament) -> list[PenaltyRow]:
    """List the penalties that count, for the final protocol."""
    rows = list(all_penalties(tournament).filter(state=Penalty.State.IN_FORCE))
    return penalty_rows(tournament, rows) if rows else []


def waiting_prints(tournament: Tournament) -> list[PrintRequest]:
    """List the sheets that wait for the printer, in the order asked for; a lateness that was noted by mistake has none any more."""
    rows = list(tournament.print_requests.filter(printed_at=None).select_related("asked_by"))
    named = late_names(tournament, rows)
    return [row for row in rows if row.kind != PrintRequest.Kind.LATE_SLIP or row.number in named]


def late_names(tournament: Tournament, rows: Iterable[PrintRequest]) -> dict[int, str]:
    """Name the players whose slips of a lateness are asked for."""
    late = [row.number for row in rows if row.kind == PrintRequest.Kind.LATE_SLIP]
    found = Lateness.objects.filter(pk__in=late, session__tournament=tournament).select_related("player")
    return {one.pk: str(one.player) for one in found.exclude(state=Lateness.State.MISTAKE)}


def waiting_numbers(tournament: Tournament, kind: str) -> set[int]:
    """Return the numbers of those sheets of a kind that wait for the printer."""
    rows = tournament.print_requests.filter(kind=kind, printed_at=None)
    return set(rows.values_list("number", flat=True))
