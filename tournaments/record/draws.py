"""Whoever draws the seats lies above this record and makes itself known here, to be asked what waits to be published."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tournaments.models import Tournament


@dataclass(frozen=True)
class OpenDraw:
    """A draw that nobody sees yet: the sessions it seats, whether it is still being made, whether it replaces seats."""

    sessions: Sequence[int]
    is_running: bool
    is_redraw: bool


class Drawers(Protocol):
    """What the record asks of those who draw."""

    def open_draw(self, tournament: Tournament) -> OpenDraw | None:
        """Return the draw that is being made or waits to be published."""


_known: list[Drawers] = []


def register(drawers: Drawers) -> None:
    """Let the record ask these drawers."""
    _known.append(drawers)


def open_draw(tournament: Tournament) -> OpenDraw | None:
    """Return the draw that is being made or waits to be looked at and published. [RULES 1.3]"""
    drawn = (drawers.open_draw(tournament) for drawers in _known)
    return next((draw for draw in drawn if draw), None)
