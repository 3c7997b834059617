"""What an audit of papers found: table by table, hand by hand, and what it says of the tables that were not drawn. [RULES 9.25]"""

from dataclasses import dataclass
from typing import Any

from scoring.regulation import Regulation
from scoring.seats import Seat as Wind
from scoring.standings.shares import at_table
from tournaments.models import Hand, PaperAudit, PaperSheet, Protocol, Seat, Tournament
from tournaments.models.protocol import InForce
from tournaments.tables.rules.audit import Difference, Place, differences, most_wrong


@dataclass(frozen=True)
class Change:
    """What one seat would have if the paper of a hand were right."""

    seat: Seat
    by: int
    points: tuple[int, int]
    place: tuple[str, str]
    tournament_points: tuple[str, str]


@dataclass(frozen=True)
class FoundDifference:
    """A hand on which paper and record differ, and what the paper would change."""

    difference: Difference
    cells: list[tuple[Seat, int | None, int | None]]
    changes: list[Change]


@dataclass(frozen=True)
class ComparedSheet:
    """A table of the sample: how many hands were compared, and those that differ; nothing before the paper is typed."""

    sheet: PaperSheet
    hands: int
    found: list[FoundDifference]

    @property
    def is_typed(self) -> bool:
        """Return whether there is something to compare."""
        return self.sheet.hands is not None


@dataclass(frozen=True)
class Report:
    """What the sample tells."""

    sheets: list[ComparedSheet]
    tables: int

    @property
    def typed(self) -> list[ComparedSheet]:
        """Return the tables that were compared."""
        return [one for one in self.sheets if one.is_typed]

    @property
    def hands(self) -> int:
        """Return how many hands were compared."""
        return sum(one.hands for one in self.typed)

    @property
    def differing(self) -> int:
        """Return how many of them differ."""
        return sum(len(one.found) for one in self.typed)

    @property
    def wrong(self) -> int:
        """Return how many tables differ in some hand."""
        return sum(bool(one.found) for one in self.typed)

    @property
    def is_complete(self) -> bool:
        """Return whether every paper is typed: only then is the sample what chance drew."""
        return len(self.typed) == len(self.sheets)

    @property
    def most_wrong(self) -> int:
        """Return how many of all tables differ at most, with 95 % confidence."""
        return most_wrong(self.tables, len(self.sheets), self.wrong)


def recorded_tables(tournament: Tournament) -> dict[Place, Protocol]:
    """Return the tables that have ended with recorded hands."""
    rows = Protocol.objects.filter(
        table__session__tournament=tournament, mode=Protocol.Mode.HANDS, hands__status=InForce.IN_FORCE
    ).exclude(state=Protocol.State.OPEN)
    found = (
        rows.select_related("table__session").distinct().order_by("table__session__number", "table__number")
    )
    return {(row.table.session.number, row.table.number): row for row in found}


def report_of(audit: PaperAudit) -> Report:
    """Compare every typed paper with the record as it stands now."""
    sheets = audit.sheets.select_related("protocol__table__session__tournament").order_by(
        "protocol__table__session__number", "protocol__table__number"
    )
    return Report([_compared(sheet) for sheet in sheets], audit.tables)


def _compared(sheet: PaperSheet) -> ComparedSheet:
    if sheet.hands is None:
        return ComparedSheet(sheet, 0, [])
    rows = list(sheet.protocol.hands.filter(status=InForce.IN_FORCE).order_by("number"))
    seats = list(sheet.protocol.table.seats.select_related("player", "kept_for").in_order())
    seats = [seat for seat in seats if seat.player_id]
    found = [_told(one, sheet.protocol, seats) for one in differences(_payments(rows, seats), sheet.hands)]
    return ComparedSheet(sheet, max(len(rows), len(sheet.hands)), found)


def _payments(rows: list[Hand], seats: list[Seat]) -> list[dict[str, int]]:
    """Return what each hand moved; a seat that was empty moved nothing."""
    return [{seat.wind: row.payments.get(seat.wind, 0) for seat in seats} for row in rows]


def _told(difference: Difference, protocol: Protocol, seats: list[Seat]) -> FoundDifference:
    moved = difference.changes()
    session = protocol.table.session
    stored = session.regulation or session.tournament.regulation
    regulation = Regulation.from_json(stored, system=session.tournament.system)
    now = {Wind(seat.wind): seat.hand_points for seat in seats}
    then = {wind: points + moved.get(str(wind), 0) for wind, points in now.items()}
    before, after = at_table(now, regulation), at_table(then, regulation)
    cells = [
        (seat, (difference.recorded or {}).get(seat.wind), (difference.paper or {}).get(seat.wind))
        for seat in seats
    ]
    changes = [
        Change(
            seat,
            moved.get(seat.wind, 0),
            (now[wind], then[wind]),
            (str(before[wind].place), str(after[wind].place)),
            (_text(before[wind].tournament_points), _text(after[wind].tournament_points)),
        )
        for seat in seats
        for wind in [Wind(seat.wind)]
        if now[wind] != then[wind] or before[wind] != after[wind]
    ]
    return FoundDifference(difference, cells, changes)


def _text(value: Any) -> str:
    return "" if value is None else str(value)
