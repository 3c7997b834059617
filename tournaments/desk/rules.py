"""What the organizer does next, from where the event stands."""

from dataclasses import dataclass
from enum import StrEnum


class Step(StrEnum):
    """The steps of an event, in the order in which they come."""

    ANNOUNCE = "announce"
    GATHER = "gather"
    CHECK_IN = "check_in"
    DRAW = "draw"
    WAIT_FOR_DRAW = "wait_for_draw"
    PUBLISH_DRAW = "publish_draw"
    START = "start"
    PLAY = "play"
    CLOSE_SESSION = "close_session"
    REVEAL = "reveal"
    CLOSE_EVENT = "close_event"
    LOOK_BACK = "look_back"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class Progress:
    """Where an event stands: its state, its people, the session that matters now, and what is still to come.

    `drawn` tells how far the draw of the next session is: nothing, "running", or "draft".
    """

    state: str
    players: int
    checked_in: int
    session: str | None
    tables: int
    settled: int
    unseated: int
    drawn: str = ""
    is_frozen: bool = False


def next_step(progress: Progress) -> Step:
    """Return the one step to do next; everything else stays possible beside it."""
    if progress.state == "draft":
        return Step.ANNOUNCE
    if progress.state == "cancelled":
        return Step.CANCELLED
    if progress.state == "closed":
        return Step.LOOK_BACK
    if progress.session == "planned":
        return Step.START
    if progress.session == "open":
        return Step.CLOSE_SESSION if progress.settled == progress.tables else Step.PLAY
    if progress.session == "closed":
        return _seating(progress) if progress.unseated else _ending(progress)
    return _before_the_first_session(progress)


def _ending(progress: Progress) -> Step:
    """Return the step after the last session: what is frozen is revealed before the event is closed. [RULES 9.15]"""
    return Step.REVEAL if progress.is_frozen else Step.CLOSE_EVENT


def _before_the_first_session(progress: Progress) -> Step:
    """Return the step before the first session: players first, then the check-in, then the draw."""
    if progress.players < 3:
        return Step.GATHER
    return _seating(progress) if progress.checked_in or progress.drawn else Step.CHECK_IN


def _seating(progress: Progress) -> Step:
    """Return the step before play: draw, or publish the draw that is made already."""
    return {"draft": Step.PUBLISH_DRAW, "running": Step.WAIT_FOR_DRAW}.get(progress.drawn, Step.DRAW)
