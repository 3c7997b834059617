"""What standings may be ranked by: one object a criterion, asked for its value, its words and its place in a record.

A new criterion is one more object in `CRITERIA`: ranking, tables, forms, explanations and records take it from there.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from math import inf, lcm
from types import MappingProxyType

from scoring.problems import gettext_noop
from scoring.standings.book import Book, Scale, Share, Value

Groups = Sequence[Sequence[int]]
"""The numbers of the entrants who are equal by all criteria before this one."""


class Look(StrEnum):
    """How a value is shown to people."""

    POINTS = "points"
    SIGNED = "signed"
    WHOLE = "whole"


class Need(StrEnum):
    """What the regulation must give for a criterion to mean something."""

    NOTHING = ""
    TOURNAMENT_POINTS = "tournament_points"
    UMA = "uma"


def nothing_of_team(game_points: int, tournament_points: Fraction) -> int:
    """Leave a criterion alone that is no sum of points. [RULES 8.50]"""
    return 0


def _team_game_points(game_points: int, tournament_points: Fraction) -> int:
    return game_points


def _team_tournament_points(game_points: int, tournament_points: Fraction) -> Fraction:
    return tournament_points


def _team_thousands(game_points: int, tournament_points: Fraction) -> Fraction:
    return Fraction(game_points, 1000)


@dataclass(frozen=True, eq=False, kw_only=True)
class Criterion:
    """One criterion of the ranking. [RULES 1.7]

    `name` stands within sentences and `heading` above columns. `scale` works the values out for everybody, given who is
    equal so far. `is_exact` says that a record writes the value as a fraction also where it is whole, and `is_of_groups`
    whether teams and groups can be ranked by it.
    """

    code: str
    name: str
    heading: str
    scale: Callable[[Book, Groups], Scale]
    less_is_better: bool = False
    look: Look = Look.POINTS
    is_exact: bool = False
    is_of_groups: bool = True
    needs: Need = Need.NOTHING
    of_team: Callable[[int, Fraction], Fraction | int] = nothing_of_team
    """What GP and TP that a team has of its own add to its value. [RULES 9.13]"""
    adds: Callable[[int, Share, int], int] | None = None
    """What a session's GP and share add to a total at the book's scale; none where the criterion is no sum or mean."""
    is_mean: bool = False

    def __str__(self) -> str:
        """Return the code."""
        return self.code

    def __repr__(self) -> str:
        """Return the code, as it is read in a test that fails."""
        return f"<{self.code}>"

    def __reduce__(self) -> tuple[Callable[[str], "Criterion"], tuple[str]]:
        """Pickle by the code: there is one object for each criterion."""
        return criterion, (self.code,)


@lru_cache(maxsize=65536)
def _fraction(numerator: int, denominator: int) -> Fraction:
    return Fraction(numerator, denominator)


def _more(totals: list[int], value: Callable[[int], Value]) -> Scale:
    return Scale([-total for total in totals], value)


def total_tournament_points(book: Book) -> list[int]:
    """Add up everybody's TP, those of the whole tournament included, times the scale. [RULES 1.7] [RULES 8.50]"""
    return [
        extra + sum([share[0] for share in shares])
        for shares, extra in zip(book.shares, book.tournament_points, strict=True)
    ]


def _tournament_points(book: Book, groups: Groups) -> Scale:
    """Total TP; more is better. [RULES 1.7]"""
    totals, scale = total_tournament_points(book), book.scale
    return _more(totals, lambda number: _fraction(totals[number], scale))


def _game_points(book: Book, groups: Groups) -> Scale:
    """Total GP; more is better. [RULES 1.7] [RULES 8.31] [RULES 8.50]"""
    unit = book.unit
    totals = [extra + sum(games) * unit for games, extra in zip(book.games, book.game_points, strict=True)]
    return _parts(totals, unit)


def _points(book: Book, groups: Groups) -> Scale:
    """Sum of points: GP with the starting points added back; more is better. [RULES 8.31] [RULES 8.50] [RIICHI reg. 6.3]"""
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


def _average_place(book: Book, groups: Groups) -> Scale:
    """Mean of the places a player has; less is better, none stands last. [RULES 8.42] [RIICHI reg. 6.3]"""
    places = _all_places(book)
    common = lcm(*(len(mine) for mine in places if mine))
    keys = [sum(mine) * (common // len(mine)) if mine else inf for mine in places]

    def value(number: int) -> Value:
        mine = places[number]
        return _fraction(sum(mine), 2 * len(mine)) if mine else None

    return Scale(keys, value)


def _place_variance(book: Book, groups: Groups) -> Scale:
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


def _points_spread(book: Book, groups: Groups) -> Scale:
    """Best session's GP less the worst's; less is better. [RULES 8.42] [RIICHI reg. 6.3.4]"""
    spreads = [max(games) - min(games) if games else inf for games in book.games]
    return Scale(spreads, lambda number: _known(spreads[number]))


def _best_game(book: Book, groups: Groups) -> Scale:
    """Most GP in one session; more is better. [RULES 1.7]"""
    keys = [-max(games) if games else inf for games in book.games]
    return Scale(keys, lambda number: None if keys[number] == inf else -int(keys[number]))


def _first_places(book: Book, groups: Groups) -> Scale:
    """Played sessions in which nobody at the table had more, alone or shared; more is better. [RULES 8.43]"""
    return _times(book, 1)


def _second_places(book: Book, groups: Groups) -> Scale:
    """Played sessions in which one at the table had more; more is better. [RULES 9.32]"""
    return _times(book, 2)


def _third_places(book: Book, groups: Groups) -> Scale:
    """Played sessions in which two at the table had more; more is better. [RULES 9.32]"""
    return _times(book, 3)


def _times(book: Book, rank: int) -> Scale:
    """Count how often a rank was reached, alone or shared."""
    totals = [[share[3] for share in shares].count(rank) for shares in book.shares]
    return _more(totals, totals.__getitem__)


def _of_stage(book: Book, adds: Callable[[int, Share], int]) -> list[int]:
    """Add up what the sessions of the stage that is played brought, and nothing else. [RULES 9.32]"""
    begins, sessions = book.stage_begins, book.sessions
    return [
        sum(
            adds(points, share)
            for points, share, source in zip(games, shares, sources, strict=True)
            if sessions[source] >= begins
        )
        for games, shares, sources in zip(book.games, book.shares, book.sources, strict=True)
    ]


def _stage_tournament_points(book: Book, groups: Groups) -> Scale:
    """TP of the sessions of the current stage; more is better. [RULES 9.32]"""
    totals, scale = _of_stage(book, lambda points, share: share.tournament_points), book.scale
    return _more(totals, lambda number: _fraction(totals[number], scale))


def _stage_game_points(book: Book, groups: Groups) -> Scale:
    """GP of the sessions of the current stage; more is better. [RULES 9.32]"""
    totals = _of_stage(book, lambda points, share: points)
    return _more(totals, totals.__getitem__)


def _stage_points(book: Book, groups: Groups) -> Scale:
    """Sum of points of the sessions of the current stage; more is better. [RULES 9.32]"""
    totals = _of_stage(book, lambda points, share: points + share.start)
    return _more(totals, totals.__getitem__)


def _stage_uma_score(book: Book, groups: Groups) -> Scale:
    """GP in thousands with the uma of the sessions of the current stage; more is better. [RULES 9.32]"""
    scale = book.scale
    totals = _of_stage(book, lambda points, share: points * scale + share.uma * 1000)
    return _more(totals, lambda number: _fraction(totals[number], scale * 1000))


def _opponents_points(book: Book, groups: Groups) -> Scale:
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


def _uma_score(book: Book, groups: Groups) -> Scale:
    """GP in thousands with the uma of each session; more is better. [RULES 1.7] [RULES 8.50]"""
    scale = book.scale
    totals = [
        sum(games) * scale + sum([share[2] for share in shares]) * 1000 - left
        for games, shares, left in zip(book.games, book.shares, book.uma_left, strict=True)
    ]
    return _more(totals, lambda number: _fraction(totals[number], scale * 1000))


def _lots(book: Book, groups: Groups) -> Scale:
    """The lot drawn; the lowest is best, none stands last. [RULES 1.7]"""
    lots = [inf if entrant.lot is None else entrant.lot for entrant in book.entrants]
    return Scale(lots, lambda number: _known(lots[number]))


def _known(key: float) -> int | None:
    return None if key == inf else int(key)


def _head_to_head(book: Book, groups: Groups) -> Scale:
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


TOURNAMENT_POINTS = Criterion(
    code="tournament_points",
    of_team=_team_tournament_points,
    name=gettext_noop("tournament points"),
    heading=gettext_noop("TP"),
    scale=_tournament_points,
    is_exact=True,
    needs=Need.TOURNAMENT_POINTS,
    adds=lambda points, share, scale: share.tournament_points,
)
GAME_POINTS = Criterion(
    code="game_points",
    of_team=_team_game_points,
    name=gettext_noop("game points"),
    heading=gettext_noop("GP"),
    scale=_game_points,
    look=Look.SIGNED,
    adds=lambda points, share, scale: points,
)
POINTS = Criterion(
    code="points",
    of_team=_team_game_points,
    name=gettext_noop("sum of points"),
    heading=gettext_noop("Points"),
    scale=_points,
    look=Look.WHOLE,
    adds=lambda points, share, scale: points + share.start,
)
AVERAGE_PLACE = Criterion(
    code="average_place",
    name=gettext_noop("average place"),
    heading=gettext_noop("Average place"),
    scale=_average_place,
    less_is_better=True,
    is_exact=True,
    adds=lambda points, share, scale: share.place or 0,
    is_mean=True,
)
PLACE_VARIANCE = Criterion(
    code="place_variance",
    name=gettext_noop("variance of places"),
    heading=gettext_noop("Variance of places"),
    scale=_place_variance,
    less_is_better=True,
    is_exact=True,
)
POINTS_SPREAD = Criterion(
    code="points_spread",
    name=gettext_noop("spread between best and worst game"),
    heading=gettext_noop("Spread"),
    scale=_points_spread,
    less_is_better=True,
    look=Look.WHOLE,
)
FIRST_PLACES = Criterion(
    code="first_places",
    name=gettext_noop("first places"),
    heading=gettext_noop("First places"),
    scale=_first_places,
    adds=lambda points, share, scale: int(share.rank == 1),
)
SECOND_PLACES = Criterion(
    code="second_places",
    name=gettext_noop("second places"),
    heading=gettext_noop("Second places"),
    scale=_second_places,
    adds=lambda points, share, scale: int(share.rank == 2),
)
THIRD_PLACES = Criterion(
    code="third_places",
    name=gettext_noop("third places"),
    heading=gettext_noop("Third places"),
    scale=_third_places,
    adds=lambda points, share, scale: int(share.rank == 3),
)
HEAD_TO_HEAD = Criterion(
    code="head_to_head",
    name=gettext_noop("head-to-head"),
    heading=gettext_noop("Head-to-head"),
    scale=_head_to_head,
    is_exact=True,
    is_of_groups=False,
    needs=Need.TOURNAMENT_POINTS,
)
BEST_GAME = Criterion(
    code="best_game",
    name=gettext_noop("best game"),
    heading=gettext_noop("Best game"),
    scale=_best_game,
    look=Look.WHOLE,
)
OPPONENTS_POINTS = Criterion(
    code="opponents_points",
    name=gettext_noop("opponents' tournament points"),
    heading=gettext_noop("Opponents' TP"),
    scale=_opponents_points,
    is_exact=True,
    needs=Need.TOURNAMENT_POINTS,
)
UMA_SCORE = Criterion(
    code="uma_score",
    of_team=_team_thousands,
    name=gettext_noop("score with uma"),
    heading=gettext_noop("Score with uma"),
    scale=_uma_score,
    is_exact=True,
    needs=Need.UMA,
    adds=lambda points, share, scale: points * scale + share.uma * 1000,
)
STAGE_TOURNAMENT_POINTS = Criterion(
    code="stage_tournament_points",
    name=gettext_noop("tournament points of the current stage alone"),
    heading=gettext_noop("TP of the stage"),
    scale=_stage_tournament_points,
    is_exact=True,
    needs=Need.TOURNAMENT_POINTS,
)
STAGE_GAME_POINTS = Criterion(
    code="stage_game_points",
    name=gettext_noop("game points of the current stage alone"),
    heading=gettext_noop("GP of the stage"),
    scale=_stage_game_points,
    look=Look.SIGNED,
)
STAGE_POINTS = Criterion(
    code="stage_points",
    name=gettext_noop("sum of points of the current stage alone"),
    heading=gettext_noop("Points of the stage"),
    scale=_stage_points,
    look=Look.WHOLE,
)
STAGE_UMA_SCORE = Criterion(
    code="stage_uma_score",
    name=gettext_noop("score with uma of the current stage alone"),
    heading=gettext_noop("Score with uma of the stage"),
    scale=_stage_uma_score,
    is_exact=True,
    needs=Need.UMA,
)
LOTS = Criterion(
    code="lots",
    name=gettext_noop("drawing of lots"),
    heading=gettext_noop("Lot"),
    scale=_lots,
    less_is_better=True,
    is_of_groups=False,
)

_all: dict[str, Criterion] = {
    one.code: one
    for one in (
        TOURNAMENT_POINTS,
        GAME_POINTS,
        POINTS,
        AVERAGE_PLACE,
        PLACE_VARIANCE,
        POINTS_SPREAD,
        FIRST_PLACES,
        SECOND_PLACES,
        THIRD_PLACES,
        HEAD_TO_HEAD,
        BEST_GAME,
        OPPONENTS_POINTS,
        UMA_SCORE,
        STAGE_TOURNAMENT_POINTS,
        STAGE_GAME_POINTS,
        STAGE_POINTS,
        STAGE_UMA_SCORE,
        LOTS,
    )
}
CRITERIA: Mapping[str, Criterion] = MappingProxyType(_all)
"""Every criterion by its code, in the order in which people choose from them. [RULES 1.7]"""


def register(added: Criterion) -> None:
    """Make a criterion known beside the shipped ones; to be called before the site starts, for forms list them then."""
    if added.code in _all:
        raise ValueError(f"There is a criterion {added.code} already.")
    _all[added.code] = added


def criterion(code: str) -> Criterion:
    """Return a criterion by its code."""
    return CRITERIA[code]
