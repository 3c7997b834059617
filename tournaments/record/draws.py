"""What the record asks of the package that draws seats, which registers itself here: the record may not import it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tournaments.models import Session, Tournament
from tournaments.record.actors import Actor


@dataclass(frozen=True)
class OpenDraw:
    """A draw that is not published: the sessions it seats, whether it is still computed, whether it replaces seats."""

    sessions: Sequence[int]
    is_running: bool
    is_redraw: bool


@dataclass(frozen=True)
class NextDraw:
    """What one press would draw: the sessions, and how, in the reader's words."""

    sessions: Sequence[int]
    how: str


class DrawSource(Protocol):
    """What the record asks of a package that draws seats."""

    def open_draw(self, tournament: Tournament) -> OpenDraw | None:
        """Return the draw that is being made or waits to be published."""

    def next_draw(self, tournament: Tournament) -> NextDraw | None:
        """Return what a press would draw, in the way of the last draw; none where somebody has to choose first."""

    def draw_next(self, tournament: Tournament, *, by: Actor) -> OpenDraw | None:
        """Draw it; a draft that is there already and still good is not drawn again."""

    def has_proof(self, session: Session) -> bool:
        """Return whether anybody can look up how a session was drawn: seats may have come with a file, too."""

    def may_take_back(self, session: Session) -> bool:
        """Return whether the publication of a session's seating can still be taken back."""


_known: list[DrawSource] = []


def register(source: DrawSource) -> None:
    """Let the record ask this package for open draws."""
    _known.append(source)


def open_draw(tournament: Tournament) -> OpenDraw | None:
    """Return the draw that is being made or waits to be looked at and published. [RULES 1.3]"""
    found = (source.open_draw(tournament) for source in _known)
    return next((draw for draw in found if draw), None)


def next_draw(tournament: Tournament) -> NextDraw | None:
    """Return what one press would draw, in the way of the last draw. [RULES 9.17]"""
    found = (source.next_draw(tournament) for source in _known)
    return next((draw for draw in found if draw), None)


def draw_next(tournament: Tournament, *, by: Actor) -> OpenDraw | None:
    """Draw the next session in the way of the last draw. [RULES 9.17]"""
    found = (source.draw_next(tournament, by=by) for source in _known)
    return next((draw for draw in found if draw), None)


def has_proof(session: Session) -> bool:
    """Return whether there is a page that shows how a session was drawn."""
    return any(source.has_proof(session) for source in _known)


def may_take_back(session: Session) -> bool:
    """Return whether the publication of a session's seating can be taken back: nothing depends on it. [RULES 9.11]"""
    return any(source.may_take_back(session) for source in _known)
