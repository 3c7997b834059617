"""What judgements add to a record. Their application lies above this one and makes itself known here."""

from collections.abc import Mapping
from typing import Any, Protocol

from tournaments.models import Tournament
from tournaments.record.actors import Actor

Declared = Mapping[str, Any]
PARTS = ("lateness", "penalties", "adjustments", "appeals")


class Judging(Protocol):
    """Whoever keeps penalties, lateness and appeals."""

    def declared(self, tournament: Tournament) -> Mapping[str, list[dict[str, Any]]]:
        """Return the lists as a record declares them, with adjustments that stand for what no penalty of a record says."""

    def take(self, tournament: Tournament, declared: Declared, *, by: Actor) -> None:
        """Store the three lists of a record, in the transaction of its import."""


_known: list[Judging] = []


def register(judging: Judging) -> None:
    """Let records hold what this judging keeps."""
    _known.append(judging)


def declared(tournament: Tournament) -> dict[str, list[dict[str, Any]]]:
    """Gather what has been judged."""
    parts: dict[str, list[dict[str, Any]]] = {part: [] for part in PARTS}
    for judging in _known:
        for part, rows in judging.declared(tournament).items():
            parts[part] += rows
    return parts


def take(tournament: Tournament, data: Declared, *, by: Actor) -> None:
    """Hand what a record declares to whoever keeps it."""
    for judging in _known:
        judging.take(tournament, data, by=by)
