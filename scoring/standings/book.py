"""What standings are made of: one account for each entrant, in whole numbers, and criteria worked out from them."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

Player = Hashable
Value = Fraction | int | None


@dataclass(frozen=True, slots=True)
class Entrant:
    """A registered player, as the standings know one: ranked or not, and the lot drawn where lots decide."""

    player: Player
    is_ranked: bool = True
    lot: int | None = None


class Share(NamedTuple):
    """What a session brought beside its GP, in whole numbers: TP and uma times the book's scale, the place twice.

    `rank` counts who had more at the table, from 1 on, and is 0 where nothing was played; `start` is what the player began
    the session with; `gives_points` tells no TP from none given. Nearly all rows share a few of these.
    """

    tournament_points: int
    place: int | None
    uma: int
    rank: int
    start: int
    gives_points: bool = True


class Book:
    """All that standings are made of, by the number of each entrant in the order of registration.

    `games` and `shares` hold a row a session, `sources` the number of the table it comes from, and `kinds` names, by
    entrant and row, what was not played; `tables` says at which tables an entrant sat, by the same numbers, and `seats`
    what those seats brought; `game_points` and `tournament_points` belong to no session. What a stage did not carry
    over is taken off there. `stage_begins` is the first session of the stage that is played, and `sessions` tells of each
    source which session it comes from. Sum of points and score with uma are less by `points_left` and `uma_left`, which are
    negative where points were given for the whole event. Everything is in whole numbers,
    GP that belong to no session in parts of `unit`, and a row makes no object: tens of thousands are made at a time.
    """

    def __init__(self, entrants: Sequence[Entrant], scale: int, unit: int = 1) -> None:
        """Open an empty account for everybody."""
        self.entrants, self.scale, self.unit = entrants, scale, unit
        self.sources: list[list[int]] = [[] for _ in entrants]
        self.sessions: list[int] = []
        self.stage_begins = 0
        self.kinds: dict[tuple[int, int], str] = {}
        self.points_left = [0] * len(entrants)
        self.uma_left = [0] * len(entrants)
        self.games: list[list[int]] = [[] for _ in entrants]
        self.shares: list[list[Share]] = [[] for _ in entrants]
        self.tables: list[list[int]] = [[] for _ in entrants]
        self.seats: list[list[Share]] = [[] for _ in entrants]
        self.game_points = [0] * len(entrants)
        self.tournament_points = [0] * len(entrants)


class Scale(NamedTuple):
    """A criterion worked out for everybody: keys of which the smaller is better, and how a key reads for people.

    A key is infinite where there is no value; it then stands behind all others.
    """

    keys: Sequence[float]
    value: Callable[[int], Value]
