"""What a plan is: rounds of tables with people in their seats, whoever made it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

Id = int | str
Label = int | str

LABELS = ("team", "club", "group", "region", "country")


@dataclass(frozen=True)
class Entrant:
    """Somebody to be seated, with what may keep people apart."""

    id: Id
    team: Label | None = None
    club: Label | None = None
    group: Label | None = None
    region: Label | None = None
    country: Label | None = None

    def label(self, kind: str) -> Label | None:
        """Return the label of one kind."""
        value: Label | None = getattr(self, kind)
        return value


@dataclass(frozen=True)
class Round:
    """One session: its tables in the order of their numbers, each East, South, West, North; None is an empty seat."""

    tables: tuple[tuple[Id | None, ...], ...]
    off: tuple[Id, ...] = ()

    def seated(self) -> Iterator[Id]:
        """List everybody who has a seat."""
        return (player for table in self.tables for player in table if player is not None)


@dataclass(frozen=True)
class Lock:
    """Somebody's fixed place in one round; table and round from 1, seat 0 is East."""

    round: int
    id: Id
    table: int | None = None
    seat: int | None = None


@dataclass(frozen=True)
class FixedRequest:
    """Everything a plan for several sessions depends on."""

    players: Sequence[Entrant]
    rounds_wanted: int
    table_size: int = 4
    existing: Sequence[Round] = ()
    locks: Sequence[Lock] = ()
    absent: Mapping[int, frozenset[Id]] = field(default_factory=dict)
    joined: Mapping[Id, int] = field(default_factory=dict)
    tables: int | None = None
    seed: str = "0"
    apart: Sequence[tuple[Id, Id]] = ()
    no_repeats: bool = False
    incomplete_tables: bool = True

    def present(self, number: int) -> list[Id]:
        """List who is there in a round, in the order of the players."""
        away = self.absent.get(number, frozenset())
        return [
            player.id
            for player in self.players
            if player.id not in away and self.joined.get(player.id, 1) <= number
        ]


@dataclass(frozen=True)
class Hall:
    """How many tables a round has, whether one of them lacks its fourth player, and how many have no game."""

    tables: int
    is_short: bool
    off: int


def hall(players: int, table_size: int, tables: int | None = None) -> Hall:
    """Fill as many tables as there are; three left over of four play on. [SBR 3.1.3] [SBR 3.1.4]"""
    most = players // table_size + (table_size == 4 and players % 4 == 3)
    used = most if tables is None else min(most, tables)
    seats = min(players, used * table_size)
    return Hall(used, seats < used * table_size, players - seats)


def meetings(rounds: Sequence[Round]) -> dict[frozenset[Id], int]:
    """Count how often each two sit at one table."""
    met: dict[frozenset[Id], int] = {}
    for a_round in rounds:
        for table in a_round.tables:
            for pair in combinations([player for player in table if player is not None], 2):
                key = frozenset(pair)
                met[key] = met.get(key, 0) + 1
    return met
