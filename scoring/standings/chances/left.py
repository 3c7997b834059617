"""What is left to play of a tournament, and which places people care about."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from scoring.regulation import Regulation
from scoring.standings.book import Player
from scoring.standings.sessions import Event, SeatFact


class Goal(StrEnum):
    """What a player may reach."""

    WIN = "win"
    PODIUM = "podium"
    PRIZE = "prize"
    CUT = "cut"
    HALF = "half"


class TableLeft(NamedTuple):
    """A table that is not over: who sits there with what so far, and which part of its game is still to play."""

    number: int
    seats: tuple[SeatFact, ...]
    part: float = 1.0


@dataclass(frozen=True)
class SessionLeft:
    """A session with games still to play; without tables nobody knows yet who meets whom."""

    number: int
    regulation: Regulation
    tables: tuple[TableLeft, ...] = ()

    def may_play(self, players: int) -> bool:
        """Return whether so many at a table make a game; fewer are left over. [RULES 8.33]"""
        return players >= max(2, self.regulation.smallest_table)


@dataclass(frozen=True)
class Outlook:
    """A tournament as far as it is over, and all that is left of it.

    `event` holds the tables that are over and nothing of those that are left. `plays` names who is still in it: nobody
    else is seated where seats are not known yet.
    """

    event: Event
    left: Sequence[SessionLeft]
    goals: Mapping[Goal, int]
    plays: frozenset[Player] = frozenset()


def goals_of(players: int, *, cut: int | None = None, prizes: int = 3) -> dict[Goal, int]:
    """Return the last place of each goal; goals that all would reach are left out, and prizes that are another goal already."""
    last = {Goal.WIN: 1, Goal.PODIUM: 3, Goal.PRIZE: 0 if prizes in {1, 3} else prizes}
    last |= {Goal.CUT: cut or 0, Goal.HALF: players // 2}
    return {goal: place for goal, place in last.items() if 0 < place < players}
