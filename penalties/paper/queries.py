"""What stands on the judges' sheets."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from penalties.appeals.queries import appeal_deadline, deposit_of
from penalties.ladder.queries.penalties import (
    JudgedEvent,
    PenaltyRow,
    all_penalties,
    consequences,
    penalty_rows,
)
from penalties.models import Lateness, Penalty, PrintRequest
from tournaments.models import Session, Tournament


@dataclass(frozen=True)
class Slip:
    """A penalty on paper: what was decided, what it did at the table, and until when it can be appealed."""

    row: PenaltyRow
    effects: Sequence[Any]
    until: Any
    deposit: Any
    is_appealable: bool


def slip_of(tournament: Tournament, penalty: Penalty) -> Slip:
    """Gather what a player takes home of a penalty. [SBR 2.8.2] [SBR 2.9.2]"""
    session = penalty.session
    if session is not None:
        session.tournament = tournament
    until = appeal_deadline(session, penalty.given_at) if session else None
    return Slip(
        row=penalty_rows(tournament, [penalty])[0],
        effects=consequences(tournament, [penalty]).get(penalty.pk, []),
        until=until,
        deposit=deposit_of(session) if session else 0,
        is_appealable=tournament.regulation["appeals"] is not None and session is not None,
    )


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
    """List the sheets that wait for the printer, in the order asked for."""
    return list(tournament.print_requests.filter(printed_at=None).select_related("asked_by"))


def waiting_numbers(tournament: Tournament, kind: str) -> set[int]:
    """Return the numbers of those sheets of a kind that wait for the printer."""
    rows = tournament.print_requests.filter(kind=kind, printed_at=None)
    return set(rows.values_list("number", flat=True))
