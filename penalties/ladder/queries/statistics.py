"""Figures for the chief referee: penalties by offence, table, referee and session, and how long calls waited."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from statistics import median
from typing import Any

from penalties.ladder.queries.penalties import PenaltyRow
from tournaments.models import RefereeCall, Session, Table, Tournament

Counted = list[tuple[Any, int, int]]
"""What is counted, how many penalties, and how many game points they took."""


@dataclass(frozen=True)
class Statistics:
    """How many penalties in force there are by offence, by table, by referee and by session; most first, sessions in order."""

    by_offence: Counted
    by_table: Counted
    by_referee: Counted
    by_session: Counted


def statistics(rows: Sequence[PenaltyRow]) -> Statistics:
    """Count penalties in force and the game points they took."""
    in_force = [row for row in rows if row.penalty.is_in_force]
    at_tables = [row for row in in_force if row.penalty.table]
    sessions = sorted(in_force, key=lambda row: row.penalty.session.number if row.penalty.session else 0)
    return Statistics(
        by_offence=_most_first(_counted(in_force, lambda row: row.penalty.offence, lambda row: row)),
        by_table=_most_first(
            _counted(
                at_tables,
                lambda row: row.penalty.table and row.penalty.table.number,
                lambda row: row.penalty.table,
            )
        ),
        by_referee=_most_first(
            _counted(in_force, lambda row: row.penalty.given_by_id, lambda row: row.penalty.given_by.title)
        ),
        by_session=_counted(sessions, lambda row: row.penalty.session_id, lambda row: row.penalty.session),
    )


def _counted(
    rows: Sequence[PenaltyRow], key: Callable[[PenaltyRow], Any], face: Callable[[PenaltyRow], Any]
) -> Counted:
    groups: dict[Any, list[PenaltyRow]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return [(face(group[0]), len(group), -sum(row.game_points for row in group)) for group in groups.values()]


def _most_first(counted: Counted) -> Counted:
    return sorted(counted, key=lambda one: -one[1])


@dataclass(frozen=True)
class Waits:
    """The calls of a session: how many, in seconds the usual wait and the longest, and at which table that was."""

    session: Session
    calls: int
    usual: int
    longest: int
    table: Table


def waits_of_calls(tournament: Tournament) -> list[Waits]:
    """Work out how long tables waited until somebody was on the way or the call was over; a call that still waits is left out."""
    rows = RefereeCall.objects.filter(table__session__tournament=tournament).select_related("table__session")
    by_session: dict[int, list[tuple[timedelta, Table]]] = {}
    for row in rows.order_by("table__session__number", "id"):
        heard = row.answered_at or row.ended_at
        if heard is not None:
            waited = heard - row.called_at
            by_session.setdefault(row.table.session_id, []).append((waited, row.table))
    return [_waits(found) for found in by_session.values()]


def _waits(found: Sequence[tuple[timedelta, Table]]) -> Waits:
    longest, table = max(found, key=lambda one: one[0])
    usual = median(waited.total_seconds() for waited, _table in found)
    return Waits(table.session, len(found), round(usual), round(longest.total_seconds()), table)
