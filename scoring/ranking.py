"""From results and adjustments to standings: exact, in whole numbers, with the reason for every broken tie."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain, groupby
from math import inf, lcm
from operator import itemgetter
from typing import NamedTuple

from scoring.regulation import Criterion, GroupMode, GroupTable

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

    `start` is what the player began the session with; `gives_points` tells no TP from none given. Nearly all rows
    share a few of these.
    """

    tournament_points: int
    place: int | None
    uma: int
    is_first: bool
    start: int
    gives_points: bool = True


class Book:
    """All that standings are made of, by the number of each entrant in the order of registration.

    `games` and `shares` hold a row a session, `sources` the number of the table it comes from, and `kinds` names, by
    entrant and row, what was not played; `tables` says at which tables an entrant sat, by the same numbers, and `seats`
    what those seats brought; `game_points` and `tournament_points` belong to no session. What a stage did not carry
    over is taken off there and, for the other sums, in `points_left` and `uma_left`. Everything is in whole numbers,
    GP that belong to no session in parts of `unit`, and a row makes no object: tens of thousands are made at a time.
    """

    def __init__(self, entrants: Sequence[Entrant], scale: int, unit: int = 1) -> None:
        """Open an empty account for everybody."""
        self.entrants, self.scale, self.unit = entrants, scale, unit
        self.sources: list[list[int]] = [[] for _ in entrants]
        self.kinds: dict[tuple[int, int], str] = {}
        self.points_left = [0] * len(entrants)
        self.uma_left = [0] * len(entrants)
        self.games: list[list[int]] = [[] for _ in entrants]
        self.shares: list[list[Share]] = [[] for _ in entrants]
        self.tables: list[list[int]] = [[] for _ in entrants]
        self.seats: list[list[Share]] = [[] for _ in entrants]
        self.game_points = [0] * len(entrants)
        self.tournament_points = [0] * len(entrants)


class Reason(NamedTuple):
    """Why a place is behind the one above: the criterion, the value above and the own one."""

    criterion: Criterion
    above: Value
    own: Value


class Standing(NamedTuple):
    """One row of the standings. No place for who was removed or disqualified; no reason for the first place.

    `stage` is the last one the player reached, counted from 1; 0 in a tournament without stages, or out of all.
    """

    player: Player
    place: int | None
    shared: bool
    reason: Reason | None
    values: Mapping[Criterion, Value]
    stage: int = 0

    @property
    def decided_by(self) -> Criterion | None:
        """Name the criterion that put this place behind the one above."""
        return self.reason.criterion if self.reason else None


class Scale(NamedTuple):
    """A criterion worked out for everybody: keys of which the smaller is better, and how a key reads for people.

    A key is infinite where there is no value; it then stands behind all others.
    """

    keys: Sequence[float]
    value: Callable[[int], Value]


LESS_IS_BETTER = frozenset(
    {Criterion.AVERAGE_PLACE, Criterion.PLACE_VARIANCE, Criterion.POINTS_SPREAD, Criterion.LOTS}
)
"""Criteria of which the smaller value is better. [RULES 1.7]"""


def rank(book: Book, ranking: Sequence[Criterion]) -> tuple[Standing, ...]:
    """Put everybody in order: by each criterion in turn, equals sharing a place. [RULES 1.7] [RULES 8.43]"""
    groups = [_Group([number for number, entrant in enumerate(book.entrants) if entrant.is_ranked])]
    scales: dict[Criterion, Scale] = {}
    for criterion in ranking:
        if criterion is Criterion.HEAD_TO_HEAD:
            scales[criterion] = _head_to_head(book, [group.members for group in groups])
        else:
            scales[criterion] = SCALES[criterion](book)
        groups = [part for group in groups for part in group.split(criterion, scales[criterion].keys)]
    return (*_ranked(book, groups, scales), *_unranked(book, scales))


@dataclass(slots=True)
class _Group:
    """Entrants equal so far, and what put them behind the group above: its first member and the criterion."""

    members: list[int]
    behind: int | None = None
    criterion: Criterion | None = None

    def split(self, criterion: Criterion, keys: Sequence[float]) -> Iterator["_Group"]:
        """Split the group by a criterion; a stable sort keeps equals in the order of registration."""
        if len(self.members) < 2:
            yield self
            return
        behind, decided_by = self.behind, self.criterion
        for _, equals in groupby(sorted(self.members, key=keys.__getitem__), key=keys.__getitem__):
            part = _Group(list(equals), behind, decided_by)
            yield part
            behind, decided_by = part.members[0], criterion


def _ranked(book: Book, groups: Sequence[_Group], scales: Mapping[Criterion, Scale]) -> Iterator[Standing]:
    """Number the places: those who are equal share one, and the next ones are skipped. [RULES 1.7]"""
    place = 1
    for group in groups:
        reason = None
        if group.criterion is not None and group.behind is not None:
            value = scales[group.criterion].value
            reason = Reason(group.criterion, value(group.behind), value(group.members[0]))
        shared = len(group.members) > 1
        for number in group.members:
            values = {criterion: scale.value(number) for criterion, scale in scales.items()}
            yield Standing(book.entrants[number].player, place, shared, reason, values)
        place += len(group.members)


def _unranked(book: Book, scales: Mapping[Criterion, Scale]) -> Iterator[Standing]:
    """Show who was removed or disqualified at the end, without a place. [RULES 8.7]"""
    for number, entrant in enumerate(book.entrants):
        if not entrant.is_ranked:
            values = {criterion: scale.value(number) for criterion, scale in scales.items()}
            yield Standing(entrant.player, None, False, None, values)


def compare(one: Standing, other: Standing) -> Reason | None:
    """Say by which criterion, and which values, one row stands before or behind another; none when equal."""
    for criterion, value in one.values.items():
        if other.values[criterion] != value:
            return Reason(criterion, value, other.values[criterion])
    return None


# Criteria


@lru_cache(maxsize=65536)
def _fraction(numerator: int, denominator: int) -> Fraction:
    return Fraction(numerator, denominator)


def _more(totals: list[int], value: Callable[[int], Value]) -> Scale:
    return Scale([-total for total in totals], value)


def total_tournament_points(book: Book) -> list[int]:
    """Add up everybody's TP, those of the whole tournament included, times the scale. [RULES 1.7] [RULES 9.2]"""
    return [
        extra + sum([share[0] for share in shares])
        for shares, extra in zip(book.shares, book.tournament_points, strict=True)
    ]


def _tournament_points(book: Book) -> Scale:
    """Total TP; more is better. [RULES 1.7]"""
    totals, scale = total_tournament_points(book), book.scale
    return _more(totals, lambda number: _fraction(totals[number], scale))


def _game_points(book: Book) -> Scale:
    """Total GP; more is better. [RULES 1.7] [RULES 8.31] [RULES 9.2]"""
    unit = book.unit
    totals = [extra + sum(games) * unit for games, extra in zip(book.games, book.game_points, strict=True)]
    return _parts(totals, unit)


def _points(book: Book) -> Scale:
    """Sum of points: GP with the starting points added back; more is better. [RULES 8.31] [RIICHI reg. 6.3]"""
    unit = book.unit
    totals = [
        (sum(games) + sum([share[4] for share in shares])) * unit - left
        for games, shares, left in zip(book.games, book.shares, book.points_left, strict=True)
    ]
    return _parts(totals, unit)


def _parts(totals: list[int], unit: int) -> Scale:
    """Read totals counted in parts of a unit; whole numbers where it is one."""
    if unit == 1:
        return _more(totals, totals.__getitem__)
    return _more(totals, lambda number: _fraction(totals[number], unit))


def _average_place(book: Book) -> Scale:
    """Mean of the places a player has; less is better, none stands last. [RULES 8.42] [RIICHI reg. 6.3]"""
    places = _all_places(book)
    common = lcm(*(len(mine) for mine in places if mine))
    keys = [sum(mine) * (common // len(mine)) if mine else inf for mine in places]

    def value(number: int) -> Value:
        mine = places[number]
        return _fraction(sum(mine), 2 * len(mine)) if mine else None

    return Scale(keys, value)


def _place_variance(book: Book) -> Scale:
    """Mean of the squared distances of places from their mean; less is better. [RULES 8.42] [RIICHI reg. 6.3]"""
    places = _all_places(book)
    common = lcm(*(len(mine) for mine in places if mine))
    squares = [
        len(mine) * sum([place * place for place in mine]) - sum(mine) ** 2 if mine else 0 for mine in places
    ]
    keys = [
        square * (common // len(mine)) ** 2 if mine else inf
        for square, mine in zip(squares, places, strict=True)
    ]

    def value(number: int) -> Value:
        mine = places[number]
        return _fraction(squares[number], 4 * len(mine) ** 2) if mine else None

    return Scale(keys, value)


def _all_places(book: Book) -> list[list[int]]:
    return [[share[1] for share in shares if share[1] is not None] for shares in book.shares]


def _points_spread(book: Book) -> Scale:
    """Best session's GP less the worst's; less is better. [RULES 8.42] [RIICHI reg. 6.3.4]"""
    spreads = [max(games) - min(games) if games else inf for games in book.games]
    return Scale(spreads, lambda number: _known(spreads[number]))


def _best_game(book: Book) -> Scale:
    """Most GP in one session; more is better. [RULES 1.7]"""
    keys = [-max(games) if games else inf for games in book.games]
    return Scale(keys, lambda number: None if keys[number] == inf else -int(keys[number]))


def _first_places(book: Book) -> Scale:
    """Played sessions in which nobody at the table had more, alone or shared; more is better. [RULES 8.43]"""
    totals = [sum([share[3] for share in shares]) for shares in book.shares]
    return _more(totals, totals.__getitem__)


def _opponents_points(book: Book) -> Scale:
    """Total TP of every registered opponent, once per meeting; more is better. [RULES 8.43]"""
    own = total_tournament_points(book)
    together: dict[int, int] = defaultdict(int)
    for number, tables in enumerate(book.tables):
        for table in tables:
            together[table] += own[number]
    totals = [
        sum([together[table] for table in tables]) - len(tables) * own[number]
        for number, tables in enumerate(book.tables)
    ]
    scale = book.scale
    return _more(totals, lambda number: _fraction(totals[number], scale))


def _uma_score(book: Book) -> Scale:
    """GP in thousands with the uma of each session; more is better. [RULES 1.7]"""
    scale = book.scale
    totals = [
        sum(games) * scale + sum([share[2] for share in shares]) * 1000 - left
        for games, shares, left in zip(book.games, book.shares, book.uma_left, strict=True)
    ]
    return _more(totals, lambda number: _fraction(totals[number], scale * 1000))


def _lots(book: Book) -> Scale:
    """The lot drawn; the lowest is best, none stands last. [RULES 1.7]"""
    lots = [inf if entrant.lot is None else entrant.lot for entrant in book.entrants]
    return Scale(lots, lambda number: _known(lots[number]))


def _known(key: float) -> int | None:
    return None if key == inf else int(key)


SCALES: Mapping[Criterion, Callable[[Book], Scale]] = {
    Criterion.TOURNAMENT_POINTS: _tournament_points,
    Criterion.GAME_POINTS: _game_points,
    Criterion.POINTS: _points,
    Criterion.AVERAGE_PLACE: _average_place,
    Criterion.PLACE_VARIANCE: _place_variance,
    Criterion.POINTS_SPREAD: _points_spread,
    Criterion.BEST_GAME: _best_game,
    Criterion.FIRST_PLACES: _first_places,
    Criterion.OPPONENTS_POINTS: _opponents_points,
    Criterion.UMA_SCORE: _uma_score,
    Criterion.LOTS: _lots,
}
"""How each criterion is worked out; head-to-head also asks who is equal so far."""


def _head_to_head(book: Book, groups: Sequence[Sequence[int]]) -> Scale:
    """TP from tables where another of those equal so far sat, compared once; more is better. [RULES 8.43]"""
    totals: dict[int, int] = {}
    for group in groups:
        if len(group) > 1:
            sat = Counter(chain.from_iterable(book.tables[number] for number in group))
            for number in group:
                rows = zip(book.tables[number], book.seats[number], strict=True)
                totals[number] = sum([share[0] for table, share in rows if sat[table] > 1])
    keys = [-totals.get(number, 0) for number in range(len(book.entrants))]
    scale = book.scale
    return Scale(keys, lambda number: _fraction(totals[number], scale) if number in totals else None)


# Teams and groups


class GroupStanding(NamedTuple):
    """One row of a group table: its ranked members in the order of the standings."""

    name: str
    place: int
    shared: bool
    reason: Reason | None
    members: tuple[Player, ...]
    values: Mapping[Criterion, Value]

    @property
    def decided_by(self) -> Criterion | None:
        """Name the criterion that put this place behind the one above."""
        return self.reason.criterion if self.reason else None


def rank_groups(
    standings: Sequence[Standing], group_of: Mapping[Player, str], table: GroupTable
) -> tuple[GroupStanding, ...]:
    """Rank teams or groups by their ranked members' values. [SBR 2.4.3] [RULES 8.43]"""
    members: dict[str, list[Standing]] = {}
    for standing in standings:
        if standing.place is not None and standing.player in group_of:
            members.setdefault(group_of[standing.player], []).append(standing)
    names = sorted(members)
    values = [
        {criterion: _of_group(members[name], criterion, table) for criterion in table.ranking}
        for name in names
    ]
    groups = [_Group(list(range(len(names))))] if names else []
    for criterion in table.ranking:
        keys = [_better_first(criterion, mine[criterion]) for mine in values]
        groups = [part for group in groups for part in group.split(criterion, keys)]
    return tuple(_group_rows(groups, names, values, members))


def _of_group(members: Sequence[Standing], criterion: Criterion, table: GroupTable) -> Fraction | None:
    """Add or average what the members have. [RECORD 4] [RULES 9.4]

    Who has no value brings nothing to it; where less is better, that would be best, and they are not counted.
    """
    counted = members[: table.best] if table.mode is GroupMode.BEST else members
    known = [value for member in counted if (value := member.values[criterion]) is not None]
    if criterion in LESS_IS_BETTER and not known:
        return None
    number = len(known) if criterion in LESS_IS_BETTER else len(counted)
    return Fraction(sum(known)) / (number if table.mode is GroupMode.AVERAGE else 1)


def _better_first(criterion: Criterion, value: Value) -> float:
    """Give a key of which the smaller is better; Fractions compare exactly with whole numbers and infinity."""
    if value is None:
        return inf
    return value if criterion in LESS_IS_BETTER else -value  # type: ignore[return-value]


def _group_rows(
    groups: Sequence[_Group],
    names: Sequence[str],
    values: Sequence[Mapping[Criterion, Value]],
    members: Mapping[str, Sequence[Standing]],
) -> Iterator[GroupStanding]:
    place = 1
    for group in groups:
        reason = None
        if group.criterion is not None and group.behind is not None:
            own = values[group.members[0]][group.criterion]
            reason = Reason(group.criterion, values[group.behind][group.criterion], own)
        for number in group.members:
            players = tuple(map(itemgetter(0), members[names[number]]))
            shared = len(group.members) > 1
            yield GroupStanding(names[number], place, shared, reason, players, values[number])
        place += len(group.members)
