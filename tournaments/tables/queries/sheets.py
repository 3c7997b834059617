"""A protocol as the rules see it: its seats, its hands in force, and the game that follows from them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.hands import Hand as Deal
from scoring.protocol import Game, Vacancy, play
from scoring.record.hands import read_hand
from scoring.seats import Seat as SeatWind
from scoring.systems import ruleset
from scoring.systems.base import Ruleset
from tournaments.models import Hand, Protocol, Seat
from tournaments.models.protocol import InForce
from tournaments.record import judges
from tournaments.record.judges import DeadHand

COLUMNS = {"E": "east", "S": "south", "W": "west", "N": "north"}


@dataclass(frozen=True)
class Sheet:
    """One table's protocol, read once: rows of the database beside the values of the rulebook."""

    protocol: Protocol
    regulation: Mapping[str, Any]
    rules: Ruleset
    seats: tuple[Seat, ...]
    rows: tuple[Hand, ...]
    deals: tuple[Deal, ...]
    dead: tuple[DeadHand, ...]

    @property
    def places(self) -> tuple[SeatWind, ...]:
        """Return the occupied seats, E S W N."""
        return tuple(SeatWind(seat.wind) for seat in self.seats if seat.player_id is not None)

    @property
    def vacancies(self) -> tuple[Vacancy, ...]:
        """Return the seats whose players left in the middle of the session. [RULES 8.55]"""
        return tuple(
            Vacancy(SeatWind(seat.wind), seat.left_after, seat.from_hand if seat.is_taken_again else None)
            for seat in self.seats
            if seat.left_after is not None
        )

    def play(self, deals: Sequence[Deal] | None = None) -> Game:
        """Play the hands in force, or others instead of them; refuse impossible ones."""
        return play(
            self.rules,
            self.places,
            self.deals if deals is None else deals,
            hands_limit=self.regulation["hands_limit"],
            points_unit=self.regulation["points_unit"],
            vacancies=self.vacancies,
            smallest=self.regulation["smallest_table"],
        )


def sheet_of(protocol: Protocol) -> Sheet:
    """Read a protocol with everything that its game depends on."""
    return sheets_of([protocol])[protocol.pk]


def sheets_of(protocols: Sequence[Protocol]) -> dict[int, Sheet]:
    """Read several protocols in the same way, with one query per kind of row."""
    if not protocols:
        return {}
    seats, hands = _seats(protocols), _hands(protocols)
    dead = judges.dead_hands(*[protocol.table_id for protocol in protocols])
    return {
        protocol.pk: _sheet(protocol, seats[protocol.table_id], hands[protocol.pk], dead[protocol.table_id])
        for protocol in protocols
    }


def _sheet(
    protocol: Protocol, seats: Sequence[Seat], rows: Sequence[Hand], dead: Sequence[DeadHand]
) -> Sheet:
    session = protocol.table.session
    regulation = session.regulation or session.tournament.regulation
    for seat in seats:
        seat.table = protocol.table
    return Sheet(
        protocol=protocol,
        regulation=regulation,
        rules=ruleset(session.tournament.system, regulation["system_rules"]),
        seats=tuple(sorted(seats, key=lambda seat: "ESWN".index(seat.wind))),
        rows=tuple(rows),
        deals=tuple(read_hand(row.facts) for row in rows),
        dead=tuple(dead),
    )


def _seats(protocols: Sequence[Protocol]) -> Mapping[int, list[Seat]]:
    """Read the seats of the tables; sorting four rows is faster here than in the database."""
    seats = defaultdict(list)
    tables = [protocol.table_id for protocol in protocols]
    for seat in Seat.objects.filter(table__in=tables).select_related("player"):
        seats[seat.table_id].append(seat)
    return seats


def _hands(protocols: Sequence[Protocol]) -> Mapping[int, list[Hand]]:
    """Read the hands in force."""
    hands = defaultdict(list)
    for hand in Hand.objects.filter(protocol__in=protocols, status=InForce.IN_FORCE).order_by("number"):
        hands[hand.protocol_id].append(hand)
    return hands
