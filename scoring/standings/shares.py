"""From game points to places, tournament points and uma at one table, ties shared exactly."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from typing import TypeVar

from scoring.problems import Problem, Refusal, gettext_noop
from scoring.regulation import PlaceRule, Regulation, TieRule

Who = TypeVar("Who", bound=Hashable)


@dataclass(frozen=True)
class AtTable:
    """What a seat's points brought at its table. No TP or uma where the regulation has none."""

    place: Fraction
    tournament_points: Fraction | None
    uma: Fraction | None


def tied(game_points: Mapping[Who, int]) -> list[list[Who]]:
    """Group the seats by equal points, most points first. [RULES 1.6]"""
    ranked = sorted(game_points, key=game_points.__getitem__, reverse=True)
    return [list(group) for _, group in groupby(ranked, key=game_points.__getitem__)]


@lru_cache(maxsize=4096)
def shares(sizes: tuple[int, ...], row: tuple[Fraction, ...], rule: TieRule) -> tuple[Fraction, ...]:
    """Return what each group of tied seats gets: an equal split of its places, or the best of them. [SBR 2.7.5]"""
    given, at = [], 0
    for size in sizes:
        of_places = row[at : at + size]
        given.append(max(of_places) if rule is TieRule.BEST else Fraction(sum(of_places), size))
        at += size
    return tuple(given)


@lru_cache(maxsize=64)
def places_of(sizes: tuple[int, ...], rule: PlaceRule) -> tuple[Fraction, ...]:
    """Return what place each group of tied seats takes: the average of its places, or the best. [RULES 8.4]"""
    ranks = tuple(Fraction(place) for place in range(1, sum(sizes) + 1))
    taken, at = [], 0
    for size in sizes:
        taken.append(ranks[at] if rule is PlaceRule.BEST else sum(ranks[at : at + size], Fraction()) / size)
        at += size
    return tuple(taken)


def points_row(regulation: Regulation, players: int) -> tuple[Fraction, ...] | None:
    """Return the TP by place for so many players, none where the regulation gives none. [SBR 2.7.5] [RULES 8.33]"""
    if regulation.tournament_points is None:
        return None
    if players not in regulation.tournament_points:
        raise Refusal(
            Problem(
                "points_table",
                NO_ROW,
                field="tournament_points",
                clause="RULES 8.33",
                details={"players": players},
            )
        )
    return regulation.tournament_points[players]


def at_table(game_points: Mapping[Who, int], regulation: Regulation) -> dict[Who, AtTable]:
    """Return place, TP and uma of every seat of a table. [RULES 1.6] [RULES 1.7]"""
    row = points_row(regulation, len(game_points))
    groups = tied(game_points)
    sizes = tuple(map(len, groups))
    taken = places_of(sizes, regulation.place_rule)
    given = shares(sizes, row, regulation.tie_rule) if row else None
    uma = shares(sizes, regulation.uma, regulation.tie_rule) if regulation.uma else None
    return {
        seat: AtTable(taken[rank], given[rank] if given else None, uma[rank] if uma else None)
        for rank, group in enumerate(groups)
        for seat in group
    }


NO_ROW = gettext_noop("The regulation gives no tournament points for a table of %(players)s.")
