"""A protocol as people read it: hand by hand, who paid whom, and what no longer counts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring.protocol import BET, share_left_over
from scoring.seats import Seat as Wind
from scoring.systems import ruleset
from tournaments.models import Adjustment, Hand, HistoryEntry, Player, Protocol, Seat, Standing
from tournaments.models.protocol import InForce
from tournaments.record import history
from tournaments.record.history import Kind
from tournaments.record.queries import words_of_objections
from tournaments.tables.queries.hand_words import MovedPoints, moved_points, stood_before, what_happened
from tournaments.web.history_entries import described


@dataclass(frozen=True)
class HandRow:
    """One line of the protocol."""

    hand: Hand
    what: str
    changes: list[tuple[str, int | None, int]]
    before: list[str] = field(default_factory=list)
    lines: list[MovedPoints] = field(default_factory=list)

    @property
    def is_in_force(self) -> bool:
        """Return whether it counts."""
        return bool(self.hand.status == InForce.IN_FORCE)

    @property
    def is_struck(self) -> bool:
        """Return whether it was voided and may be put back."""
        return bool(self.hand.status == InForce.VOIDED and not self.hand.replaced_by.exists())


@dataclass(frozen=True)
class ProtocolSheet:
    """The whole protocol: seats, lines and totals, or the final result."""

    seats: list[Seat]
    rows: list[HandRow]
    final: Any
    left_over: list[int] = field(default_factory=list)
    """What each seat gets of the bets that nobody won; empty where there are none."""

    @property
    def is_empty(self) -> bool:
        """Return whether nothing has been recorded."""
        return not self.rows and self.final is None


def protocol_rows(protocol: Protocol, *, with_retired: bool = False) -> ProtocolSheet:
    """Return the lines of a protocol; hands out of force are for the staff and the history only."""
    seats = list(
        protocol.table.seats.select_related("player__registration", "kept_for__registration").in_order()
    )
    system = protocol.table.session.tournament.system
    hands = protocol.hands.order_by("number", "id")
    if not with_retired:
        hands = hands.filter(status=InForce.IN_FORCE)
    session = protocol.table.session
    regulation = session.regulation or session.tournament.regulation
    rules = ruleset(system, regulation["system_rules"])
    running = {seat.wind: 0 for seat in seats}
    rows, bets = [], 0
    for hand in hands:
        payments, lines, before = hand.payments, [], []
        if hand.status == InForce.IN_FORCE:
            running = {wind: total + payments.get(wind, 0) for wind, total in running.items()}
            lines = moved_points(hand, bets, rules, seats)
            before = stood_before(hand, bets, system=system)
            bets = hand.bets_left
        changes = [(wind, payments.get(wind), running[wind]) for wind in running]
        rows.append(HandRow(hand, what_happened(hand, seats, system=system), changes, before, lines))
    final = protocol.final_results.filter(status=InForce.IN_FORCE).first()
    return ProtocolSheet(
        seats, rows, final, _left_over(seats, running, bets, final, regulation["points_unit"])
    )


def _left_over(seats: list[Seat], running: Mapping[str, int], bets: int, final: Any, unit: int) -> list[int]:
    """Share out what lies on the table at the end; in a game that goes on it still waits for a winner. [RULES 8.42]"""
    points, left = running, bets * BET
    if final is not None:
        points, left = final.points, final.left_on_table
    shares = (
        share_left_over({Wind(wind): each for wind, each in points.items()}, left, unit) if points else {}
    )
    return [shares.get(Wind(seat.wind), 0) for seat in seats] if shares else []


def place_of_struck(hand: Hand) -> int:
    """Return the number that a voided hand has when it is put back: its own, moved by what was struck or put back since."""
    protocol = hand.protocol
    place, is_struck = hand.number, False
    kinds = (Kind.HAND_VOIDED, Kind.HAND_RESTORED)
    for entry in protocol.history.filter(kind__in=kinds).order_by("number"):
        content = history.read(entry.content)
        number = content["data"]["number"]
        if not is_struck:
            is_struck = entry.kind == Kind.HAND_VOIDED and content["subject"] == f"hand:{hand.pk}"
        elif entry.kind == Kind.HAND_VOIDED:
            place -= number < place
        else:
            place += number <= place
    return min(place, protocol.hands.filter(status=InForce.IN_FORCE).count() + 1)


@dataclass(frozen=True)
class Account:
    """How the points of a table's hands become results: what no hand brought, then what each seat has in the standings.

    Each adjustment has a row of cells, one for every seat; a result is nothing where a seat has no standing.
    """

    adjustments: list[Adjustment]
    cells: list[list[int | None]]
    results: list[dict[str, Any] | None]
    is_moved: bool

    @property
    def is_ranked(self) -> bool:
        """Return whether anybody here has a result yet."""
        return any(self.results)

    @property
    def has_uma(self) -> bool:
        """Return whether places bring uma besides."""
        return any(result and result["uma"] is not None for result in self.results)


def account_of(protocol: Protocol, seats: list[Seat]) -> Account:
    """Return how the totals of a table become its players' results in the standings."""
    session = protocol.table.session
    people = [(seat.player_id, seat.kept_for_id) for seat in seats]
    posted = session.adjustments.filter(reversed_at=None, player__in={one for pair in people for one in pair})
    adjustments = list(posted.select_related("tournament", "player"))
    owners = [kept or own for own, kept in people]
    standings = Standing.objects.filter(tournament=session.tournament, player__in=owners)
    brought = {
        row.player_id: next((one for one in row.results if one["session"] == session.number), None)
        for row in standings
    }
    results = [brought.get(owner) if owner else None for owner in owners]
    pairs = zip(seats, results, strict=True)
    return Account(
        adjustments,
        [[row.game_points if row.player_id in pair else None for pair in people] for row in adjustments],
        results,
        is_moved=any(result and result["game_points"] != seat.hand_points for seat, result in pairs),
    )


def objections_to(protocol: Protocol) -> list[dict[str, Any]]:
    """List what players objected to, newest first, each with who said it."""
    rows = list(protocol.history.filter(kind=Kind.OBJECTION_NOTED).order_by("-number"))
    words, told = words_of_objections(rows), [(row, history.read(row.content)["data"]) for row in rows]
    names = Player.objects.in_bulk([data["player"] for _row, data in told])
    return [{"at": row.at, "player": names.get(data["player"]), "text": words[row.pk]} for row, data in told]


def recent_entries(protocol: Protocol) -> list[dict[str, Any]]:
    """List the history of a protocol, newest first."""
    rows = HistoryEntry.objects.filter(protocol=protocol).select_related("protocol__table__session")
    return described(protocol.table.session.tournament, rows.order_by("-number")[:100])
