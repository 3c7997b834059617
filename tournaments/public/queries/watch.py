"""The final as a broadcast: the tables in play, the last hands with their tiles, who took the lead, and the reveal of the places."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scoring.systems import SYSTEMS
from tournaments.models import Hand, Player, Seat, Session, Standing, Table, Tournament
from tournaments.models.protocol import InForce
from tournaments.sessions.queries import seated_tables
from tournaments.standings.queries.figures import HandCard, hand_cards
from tournaments.standings.queries.table import value_text
from tournaments.standings.rules.figures import Dealt, Sitter, TableHands, wins_of
from tournaments.tables.queries.hand_words import what_happened
from tournaments.web.labels import heading_of

MOST_MOMENTS = 10
REVEALED_BEFORE = 6
WINDS = ("E", "S", "W", "N")


@dataclass(frozen=True)
class TableNow:
    """A table of the session with its running totals; `leader` has more than everybody else at it."""

    table: Table
    seats: Sequence[Seat]
    hands: int
    leader: int | None


@dataclass(frozen=True)
class Moment:
    """A hand as it happened: in words, as cards with tiles, what it moved most, and whether it changed who leads at the table."""

    table: int
    hand: int
    at: datetime
    said: str
    cards: Sequence[HandCard]
    winner: Player | None
    swing: int
    new_leader: Player | None


@dataclass(frozen=True)
class Watched:
    """What is shown of a session: its tables, and its last hands, newest first; nothing of a hand while a freeze hides it."""

    tables: Sequence[TableNow]
    moments: Sequence[Moment]


def watched(tournament: Tournament, session: Session | None, *, table: int | None = None) -> Watched:
    """Gather what happens in a session, or at one table of it; what a freeze hides is left out for everybody. [RULES 9.15]"""
    if session is None or session.state == Session.State.PLANNED:
        return Watched([], [])
    rows = [row for row in seated_tables(session) if hasattr(row, "protocol") and table in (None, row.number)]
    is_hidden = tournament.hides_session(session.number)
    hands = _hands(session, rows)
    tables = [_now(row, hands[row.protocol.pk], is_hidden=is_hidden) for row in rows]
    return Watched(tables, [] if is_hidden else _moments(tournament, session, rows, hands))


def _hands(session: Session, tables: Sequence[Table]) -> dict[int, list[Hand]]:
    """Read the hands in force of these tables, in order, by protocol."""
    found: dict[int, list[Hand]] = {row.protocol.pk: [] for row in tables}
    rows = Hand.objects.filter(protocol__in=found, status=InForce.IN_FORCE).order_by("protocol", "number")
    for hand in rows:
        found[hand.protocol_id].append(hand)
    return found


def _now(table: Table, hands: Sequence[Hand], *, is_hidden: bool) -> TableNow:
    seats = sorted(table.seats.all(), key=lambda seat: WINDS.index(seat.wind))
    totals = {seat.pk: seat.hand_points for seat in seats}
    return TableNow(table, seats, len(hands), None if is_hidden or not hands else _ahead(totals))


def _ahead(totals: Mapping[Any, int]) -> Any:
    """Return who has more than everybody else; nobody where two are equal."""
    first, *rest = sorted(totals, key=lambda one: -totals[one])
    return first if not rest or totals[first] > totals[rest[0]] else None


def _moments(
    tournament: Tournament, session: Session, tables: Sequence[Table], hands: Mapping[int, Sequence[Hand]]
) -> list[Moment]:
    """Tell of the last hands of all tables, newest first."""
    of = {row.protocol.pk: row for row in tables}
    newest = sorted((hand for rows in hands.values() for hand in rows), key=lambda hand: hand.recorded_at)
    return [
        _moment(tournament, session, of[hand.protocol_id], hand, hands[hand.protocol_id])
        for hand in reversed(newest[-MOST_MOMENTS:])
    ]


def _moment(
    tournament: Tournament, session: Session, table: Table, hand: Hand, hands: Sequence[Hand]
) -> Moment:
    seats = list(table.seats.all())
    sitters = {
        seat.wind: Sitter(seat.player_id, seat.kept_for_id, seat.from_hand, seat.left_after) for seat in seats
    }
    regulation = session.regulation or tournament.regulation
    dealt = Dealt(hand.number, hand.dealer, hand.facts, hand.payments)
    at = TableHands(session.number, table.number, sitters, [dealt])
    won = wins_of(SYSTEMS[tournament.system].worth, regulation["system_rules"], at, dealt)
    most = max(hand.payments, key=lambda wind: hand.payments[wind], default="")
    sat = {seat.wind: seat.sat_at(hand.number) for seat in seats}
    return Moment(
        table=table.number,
        hand=hand.number,
        at=hand.recorded_at,
        said=what_happened(hand, seats, system=tournament.system),
        cards=hand_cards(tournament, list(won)),
        winner=sat.get(most),
        swing=hand.payments.get(most, 0),
        new_leader=sat.get(_taken_lead(hands, hand) or ""),
    )


def _taken_lead(hands: Iterable[Hand], last: Hand) -> str | None:
    """Return the seat that a hand brought into the lead of its table; None where the leader stays, or it was the first hand."""
    totals = dict.fromkeys(last.payments, 0)
    before = None
    for hand in hands:
        before = _ahead(totals) if any(totals.values()) else None
        for wind, points in hand.payments.items():
            totals[wind] = totals.get(wind, 0) + points
        if hand.pk == last.pk:
            break
    after = _ahead(totals)
    return after if before is not None and after != before else None


@dataclass(frozen=True)
class Revealed:
    """A place that was revealed: whose, and with what."""

    standing: Standing
    value: str


@dataclass(frozen=True)
class Reveal:
    """How far the reveal is: the newest place, those before it, and how many are left."""

    newest: Revealed | None
    before: Sequence[Revealed]
    left: int
    criterion: str


def reveal_of(tournament: Tournament) -> Reveal:
    """Return how far the places are revealed. [RULES 9.15]"""
    left = tournament.places_hidden or 0
    criterion = tournament.regulation["ranking"][0]
    rows = (
        tournament.standings.exclude(place=None).select_related("player__registration").order_by("position")
    )
    shown = [
        Revealed(row, value_text(criterion, row.values.get(criterion)))
        for row in rows[left : left + REVEALED_BEFORE + 1]
    ]
    return Reveal(shown[0] if shown else None, shown[1:], left, heading_of(criterion))
