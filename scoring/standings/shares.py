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
    """Return what each seat gets, by groups of tied seats: an equal split of their places, the best of them, or the own one.

    Where seats part those who are tied, they stand in the order from the first dealer on. [SBR 2.7.5] [RULES 9.30]
    """
    given: list[Fraction] = []
    for size in sizes:
        of_places = row[len(given) : len(given) + size]
        if rule is TieRule.SEAT_ORDER:
            given += of_places
        else:
            given += [max(of_places) if rule is TieRule.BEST else Fraction(sum(of_places), size)] * size
    return tuple(given)


@lru_cache(maxsize=64)
def places_of(sizes: tuple[int, ...], rule: PlaceRule) -> tuple[Fraction, ...]:
    """Return what place each seat takes: of tied seats the average of their places, the best, or the own one. [RULES 8.4] [RULES 9.30]"""
    if rule is not PlaceRule.AVERAGE:
        return tuple(map(Fraction, ranks_of(sizes, rule)))
    ranks = ranks_of(sizes, PlaceRule.BEST)
    by_seat = (size for size in sizes for _ in range(size))
    return tuple(rank + Fraction(size - 1, 2) for rank, size in zip(ranks, by_seat, strict=True))


@lru_cache(maxsize=64)
def ranks_of(sizes: tuple[int, ...], rule: PlaceRule) -> tuple[int, ...]:
    """Count those ahead of each seat, itself included: tied seats have one rank unless the order of seats parts them."""
    if rule is PlaceRule.SEAT_ORDER:
        return tuple(range(1, sum(sizes) + 1))
    return tuple(1 + sum(sizes[:group]) for group, size in enumerate(sizes) for _ in range(size))


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
    """Return place, TP and uma of every seat of a table, told in the order of seats. [RULES 1.6] [RULES 1.7]"""
    row = points_row(regulation, len(game_points))
    groups = tied(game_points)
    sizes = tuple(map(len, groups))
    taken = places_of(sizes, regulation.place_rule)
    given = shares(sizes, row, regulation.tie_rule) if row else None
    row_of_uma = regulation.uma_of(len(game_points))
    uma = shares(sizes, row_of_uma, regulation.tie_rule) if row_of_uma else None
    ranked = (seat for group in groups for seat in group)
    return {
        seat: AtTable(taken[rank], given[rank] if given else None, uma[rank] if uma else None)
        for rank, seat in enumerate(ranked)
    }


NO_ROW = gettext_noop("The regulation gives no tournament points for a table of %(players)s.")
