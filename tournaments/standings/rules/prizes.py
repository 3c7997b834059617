"""Who stands on the prize list, and which criteria put them there."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

MOST_PLACES = 10
"""There are names for so many places on a diploma."""

Row = Mapping[str, Any]


def first_places(rows: Iterable[Row], places: int) -> list[Row]:
    """Keep the first places, in their order: all who share the last of them, nobody who was removed. [RULES 8.7]"""
    return [row for row in rows if row["place"] is not None and row["place"] <= places]


def deciding(ranking: Sequence[str], rows: Sequence[Row], places: int) -> list[str]:
    """Keep the criteria down to the last that parted anybody on the list from the next; the first stands always."""
    ranked = [row for row in rows if row["place"] is not None]
    until = len(first_places(ranked, places)) + 1
    parted = [ranking.index(row["decided_by"]) for row in ranked[1:until] if row["decided_by"]]
    return list(ranking[: max(parted, default=0) + 1])


def has_results(rows: Iterable[Row], *, begun: bool, closed: bool) -> bool:
    """Return whether there are places to speak of: before the first result all share the first one."""
    places = [row["place"] for row in rows if row["place"] is not None]
    return bool(places) and (closed or (begun and max(places) > 1))
