"""How many tables a number of players makes, and what can be done about those who are too many or too few."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Headcount:
    """What a number of players comes to at the tables."""

    players: int
    tables: int
    over: int
    missing: int
    substitutes_suffice: bool
    short_table: int
    awarded: int
    short_points: str = ""


def headcount(
    players: int,
    *,
    table_size: int,
    smallest_table: int,
    substitutes: int,
    points: Mapping[str, Sequence[str]] | None = None,
) -> Headcount:
    """Count full tables and what is left: filled by substitutes, a short table, or without a game. [SBR 3.1.3]"""
    tables, over = divmod(players, table_size)
    missing = (table_size - over) % table_size
    plays_short = over >= smallest_table
    return Headcount(
        players=players,
        tables=tables,
        over=over,
        missing=missing,
        substitutes_suffice=0 < missing <= substitutes,
        short_table=over if over and plays_short else 0,
        awarded=over if over and not plays_short else 0,
        short_points=points_row(points, over) if plays_short else "",
    )


def points_row(points: Mapping[str, Sequence[str]] | None, size: int) -> str:
    """Return what the places at a table of a size bring, as 4/3/2; nothing where no such points are given."""
    return "/".join((points or {}).get(str(size), ()))
