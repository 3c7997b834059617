"""How a table may end: by the players' own results so far, and by how results spread in this event."""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations
from math import sqrt
from typing import NamedTuple

from scoring.standings.book import Player, Share
from scoring.standings.chances.left import Outlook, SessionLeft, TableLeft
from scoring.standings.sessions import SeatFact, SessionFact, TableFact, TableReader

Row = tuple[Player, int, Share]
SKILL = 0.05
"""Before an event says more itself, so much of the spread of single results is taken for strength."""
SAYS_AS_MUCH_AS = 20
"""The prior weighs as much as the results of so many players."""
LEAST_PART = 0.1
ROUGH = 0.3
"""Real results are few: each is varied by so much of the spread, so that others near it may happen, too."""


@dataclass(frozen=True)
class Form:
    """What the results so far tell: everybody's strength in GP a session, and how sure that is.

    `against_spread` is how many sessions of a player weigh as much as knowing nothing; `spread` the size of chance.
    """

    strength: Mapping[Player, float]
    games: Mapping[Player, int]
    spread: float
    against_spread: float
    results: Mapping[int, Sequence[Sequence[float]]]

    def of(self, player: Player | None) -> float:
        """Return the strength of a player; of whoever never played, none."""
        return self.strength.get(player, 0.0)

    def doubt(self, player: Player | None, sessions: int) -> float:
        """Return by what chance is larger because a strength is known by few results. [RULES 9.22]"""
        return sqrt(1 + sessions / (self.games.get(player, 0) + self.against_spread))

    def from_close_to_wide(self, size: int) -> list[Sequence[float]]:
        """Return the results of tables of a size in that order, sorted once for all tables to come."""
        if size not in self._ordered:
            known = self.results.get(size) or _of_other_size(self, size)
            self._ordered[size] = sorted(known, key=lambda values: sum([value * value for value in values]))
        return self._ordered[size]

    @cached_property
    def _ordered(self) -> dict[int, list[Sequence[float]]]:
        return {}


def form_of(outlook: Outlook) -> Form | None:
    """Work out the form from all tables that were played; nothing before there is any result."""
    played = list(_played(outlook))
    if not played:
        return None
    own: dict[Player, list[float]] = defaultdict(list)
    for players, points in played:
        for player, value in zip(players, points, strict=True):
            own[player].append(value)
    count = sum(map(len, own.values()))
    whole = sum(value * value for values in own.values() for value in values) / count
    share = _skill(own, whole)
    against = (1 - share) / share if share > 0 else 1e9
    strength = {player: sum(values) / (len(values) + against) for player, values in own.items()}
    results: dict[int, list[Sequence[float]]] = defaultdict(list)
    for players, points in played:
        rest = [value - strength[player] for player, value in zip(players, points, strict=True)]
        mean = sum(rest) / len(rest)
        results[len(rest)].append([value - mean for value in rest])
    spread = sqrt(max(whole * (1 - share), 1e-9))
    games = {player: len(values) for player, values in own.items()}
    return Form(strength, games, spread, against, results)


def _skill(own: Mapping[Player, Sequence[float]], whole: float) -> float:
    """Return which part of the spread of single results is strength: of means, less what chance makes of means."""
    several = [values for values in own.values() if len(values) > 1]
    if not several or not whole:
        return SKILL
    means = [sum(values) / len(values) for values in several]
    by_chance = sum(whole / len(values) for values in several) / len(several)
    found = (sum(mean * mean for mean in means) / len(means) - by_chance) / whole
    weight = len(several)
    return min(0.6, max(0.0, (found * weight + SKILL * SAYS_AS_MUCH_AS) / (weight + SAYS_AS_MUCH_AS)))


def _played(outlook: Outlook) -> Iterator[tuple[list[Player], list[float]]]:
    """List who sat together and by how much each was above the table's mean; of games in play what they promise."""
    for session in outlook.event.sessions:
        for table in session.tables:
            if table.is_played:
                yield from _above_mean(table.seats, 1.0)
    for left in outlook.left:
        for table_left in left.tables:
            if table_left.part < 1 - LEAST_PART:
                yield from _above_mean(table_left.seats, sqrt(1 - table_left.part))


def _above_mean(seats: Iterable[SeatFact], part: float) -> Iterator[tuple[list[Player], list[float]]]:
    sitting = [(seat.player, seat.points) for seat in seats if seat.player is not None]
    if len(sitting) > 1:
        mean = sum(points for _, points in sitting) / len(sitting)
        yield [player for player, _ in sitting], [(points - mean) / part for _, points in sitting]


class Outcome(NamedTuple):
    """One way for a table to end: what it brings everybody registered, and who sat there for themselves."""

    rows: tuple[Row, ...]
    seats: tuple[tuple[Player, Share], ...]


class Column(NamedTuple):
    """What every way for a table to end brings one player."""

    points: list[int]
    shares: list[Share]


class Ways:
    """The ways for a table to end, seen from its players: nearly all that is asked of them is asked of one.

    `numbers` names them, some of them twice where few ways shall count as more.
    """

    def __init__(
        self, count: int, columns: Mapping[Player, Column], outcomes: Sequence[Outcome] = ()
    ) -> None:
        """Note what they bring; where points are not all there is to a table, whole outcomes are kept besides."""
        self.count, self.columns, self._outcomes = count, columns, outcomes
        self.numbers: Sequence[int] = range(count)

    @classmethod
    def of_outcomes(cls, outcomes: Sequence[Outcome]) -> "Ways":
        """Turn whole outcomes round."""
        columns: dict[Player, Column] = {}
        for outcome in outcomes:
            for player, points, share in outcome.rows:
                column = columns.setdefault(player, Column([], []))
                column.points.append(points)
                column.shares.append(share)
        return cls(len(outcomes), columns, outcomes)

    def outcome(self, number: int) -> Outcome:
        """Return one of them."""
        if self._outcomes:
            return self._outcomes[number]
        rows = tuple(
            (player, column.points[number], column.shares[number]) for player, column in self.columns.items()
        )
        return Outcome(rows, tuple((player, share) for player, _, share in rows))


class Outcomes:
    """Makes the ways in which tables of a session may end."""

    def __init__(self, outlook: Outlook, session: SessionLeft, form: Form, scale: int, chance: random.Random):
        """Prepare to read tables of the session under its own regulation."""
        self.form, self.chance = form, chance
        self.session = session
        self.unit = session.regulation.points_unit
        self.sessions = sum(1 for other in outlook.left if other.number >= session.number)
        fact = SessionFact(session.number, session.regulation, ())
        self.reader = TableReader(outlook.event, fact, scale)

    def of(self, table: TableLeft, count: int) -> Ways:
        """Return so many ways for a table to end, each seat's chance drawn evenly among the seats."""
        sitting = [seat for seat in table.seats if seat.player is not None]
        fact = TableFact(table.number, table.seats, self.session.may_play(len(sitting)))
        if not fact.is_played:
            return Ways.of_outcomes([self._outcome(fact)])
        if not self.reader.is_plain(fact):
            return Ways.of_outcomes(
                [
                    self._outcome(fact._replace(seats=_with_points(table.seats, points)))
                    for points in self._points(sitting, table.part, count)
                ]
            )
        players: list[Player] = [seat.player for seat in sitting if seat.player is not None]
        return self._plain(players, list(self._points(sitting, table.part, count)))

    def _outcome(self, fact: TableFact) -> Outcome:
        return Outcome(tuple(self.reader.results(fact)), tuple(self.reader.seats(fact)))

    def _plain(self, players: Sequence[Player], ways: Sequence[Sequence[int]]) -> Ways:
        """Read ways in which points are all there is to the table: who has which rank tells the shares."""
        shares: list[list[Share]] = [[] for _ in players]
        seats = range(len(players))
        without_ties = self.reader.shares([-seat for seat in seats])
        for way in ways:
            order = sorted(seats, key=way.__getitem__, reverse=True)
            of = without_ties
            if len(set(way)) < len(way):
                of = self.reader.shares([way[at] for at in order])
            for at, share in zip(order, of, strict=True):
                shares[at].append(share)
        points = list(zip(*ways, strict=True))
        first = sorted(seats, key=ways[0].__getitem__, reverse=True)
        return Ways(len(ways), {players[at]: Column(list(points[at]), shares[at]) for at in first})

    def _points(self, sitting: Sequence[SeatFact], part: float, count: int) -> Iterator[Sequence[int]]:
        """Add to what everybody has what strength promises and chance may bring; every order of it once."""
        form, unit, size = self.form, self.unit, len(sitting)
        strengths = [form.of(seat.player) for seat in sitting]
        mean = sum(strengths) / size
        expected = [seat.points + part * (own - mean) for seat, own in zip(sitting, strengths, strict=True)]
        width = [sqrt(part) * form.doubt(seat.player, self.sessions) for seat in sitting]
        orders = _orders(size)
        for vector in self._vectors(size, max(1, count // len(orders))):
            may_have = [
                [unit * round((middle + value * wide) / unit) for value in vector]
                for middle, wide in zip(expected, width, strict=True)
            ]
            for order in orders:
                yield [own[at] for own, at in zip(may_have, order, strict=True)]

    def _vectors(self, size: int, count: int) -> Iterator[list[float]]:
        """Draw real results of a table, from close ones to wide ones in turn, each varied a little."""
        form, chance = self.form, self.chance
        ordered = form.from_close_to_wide(size)
        shrink = 1 / sqrt(1 + ROUGH * ROUGH)
        for at in range(count):
            real = ordered[int((at + chance.random()) * len(ordered) / count)]
            varied = [(value + chance.gauss(0, ROUGH * form.spread)) * shrink for value in real]
            mean = sum(varied) / size
            yield [value - mean for value in varied]


@lru_cache(maxsize=8)
def _orders(size: int) -> tuple[tuple[int, ...], ...]:
    return tuple(permutations(range(size)))


def _of_other_size(form: Form, size: int) -> list[list[float]]:
    """Take results of tables of another size as if some had not sat there or others had."""
    every = [value for rows in form.results.values() for row in rows for value in row]
    return [[every[(at + step) % len(every)] for step in range(size)] for at in range(0, len(every), size)]


def _with_points(seats: Sequence[SeatFact], points: Sequence[int]) -> tuple[SeatFact, ...]:
    given = iter(points)
    return tuple(seat if seat.player is None else seat._replace(points=next(given)) for seat in seats)
