"""A protocol as the rules see it: its seats, its hands in force, and the game that follows from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.hands import Hand as Deal
from scoring.protocol import Game, play
from scoring.records import read_hand
from scoring.rulesets import ruleset
from scoring.rulesets.base import Ruleset
from scoring.seats import Seat as Place
from tournaments.models import Hand, Protocol, Seat, Table
from tournaments.models.protocol import InForce

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

    @property
    def places(self) -> tuple[Place, ...]:
        """Give the occupied seats, E S W N."""
        return tuple(Place(seat.wind) for seat in self.seats if seat.player_id is not None)

    def play(self, deals: Sequence[Deal] | None = None) -> Game:
        """Play the hands in force, or others in their place; impossible ones are refused."""
        return play(
            self.rules,
            self.places,
            self.deals if deals is None else deals,
            hands_limit=self.regulation["hands_limit"],
            points_unit=self.regulation["points_unit"],
        )


def _seats(table: Table) -> list[Seat]:
    """Read who sits at a table, E S W N; four rows are sorted here sooner than there. Few seats are another's."""
    seats = sorted(table.seats.select_related("player"), key=lambda seat: "ESWN".index(seat.wind))
    for seat in seats:
        seat.table = table
    return seats


def sheet_of(protocol: Protocol) -> Sheet:
    """Read a protocol with everything that its game depends on."""
    session = protocol.table.session
    tournament = session.tournament
    regulation = session.regulation or tournament.regulation
    rows = tuple(protocol.hands.filter(status=InForce.IN_FORCE).order_by("number"))
    return Sheet(
        protocol=protocol,
        regulation=regulation,
        rules=ruleset(tournament.system, regulation["system_rules"]),
        seats=tuple(_seats(protocol.table)),
        rows=rows,
        deals=tuple(read_hand(row.facts) for row in rows),
    )
