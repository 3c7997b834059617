"""Requests to recompute standings; when one is lost, a sweep makes up for it seconds later."""

import logging
import threading
import time
from collections.abc import Sequence

from django.conf import settings
from django.core.cache import cache

ASKED = "standings-asked:{}"
CHANCES_ASKED = "chances-asked:{}"
PUSH_ASKED = "push-asked"
ASKED_FOR = 5
"""While a message waits for a worker, further ones are not sent, but for no longer than this many seconds."""

AWAY_FOR = 5.0
"""For this many seconds Redis is not asked again after it did not answer: the sweep does without it."""
SLOW = 1.0

logger = logging.getLogger(__name__)
_away_until = 0.0
_moved = threading.Event()
_foreseeable = threading.Event()
_tournaments: set[int] = set()
_lock = threading.Lock()


def wake(tournament_id: int) -> None:
    """Request a recomputation: of the thread of this process, or of a worker when there are workers.

    While a message waits for a worker, no other is sent: the worker reads the wanted revision when it begins.
    """
    if settings.EMBEDDED:
        with _lock:
            _tournaments.add(tournament_id)
        _moved.set()
        return
    _ask("tournaments.tasks.recompute_standings", ASKED, tournament_id)


def ask_for_chances(tournament_id: int) -> None:
    """Request chances for the newest standings, as a recomputation is requested."""
    if not settings.CHANCES:
        return
    if settings.EMBEDDED:
        _foreseeable.set()
    else:
        _ask("tournaments.tasks.work_out_chances", CHANCES_ASKED, tournament_id)


def ask_for_push() -> None:
    """Have a worker send the notifications that were queued; what is lost here the sweep sees to."""
    _ask("tournaments.tasks.send_push", PUSH_ASKED)


def _ask(task: str, marker: str, *named: int) -> None:
    """Send a message to the workers, unless one is waiting."""
    if time.monotonic() < _away_until:
        return
    started = time.monotonic()
    try:
        if cache.add(marker.format(*named), 1, ASKED_FOR):
            _send(task, named, since=started)
    except Exception as error:
        _leave_alone(error)


def _send(task: str, named: Sequence[int], *, since: float) -> None:
    """Send the message, unless Redis has just been too slow to hold the marker."""
    from celery import current_app

    if time.monotonic() - since > SLOW:
        raise TimeoutError("Redis does not answer")
    current_app.send_task(task, list(named), retry=False)


def _leave_alone(error: Exception) -> None:
    """Stop asking Redis for a while, so that not every referee waits for its timeout; the sweep does the work."""
    global _away_until
    _away_until = time.monotonic() + AWAY_FOR
    logger.warning("No worker could be told that a tournament moved (%s); the sweep sees to it.", error)


def taken(tournament_id: int) -> None:
    """Let the next request be a message again: this worker begins now and may not see later changes."""
    cache.delete(ASKED.format(tournament_id))


def chances_taken(tournament_id: int) -> None:
    """Let the next request for chances be a message again."""
    cache.delete(CHANCES_ASKED.format(tournament_id))


def push_taken() -> None:
    """Let the next request for notifications be a message again."""
    cache.delete(PUSH_ASKED)


def wait_for_chances(seconds: float) -> None:
    """Wait until chances are requested or the time is over."""
    _foreseeable.wait(seconds)
    _foreseeable.clear()


def wait(seconds: float) -> set[int]:
    """Wait until a recomputation is requested or the time is over; return the tournaments it is requested for."""
    _moved.wait(seconds)
    with _lock:
        moved = set(_tournaments)
        _tournaments.clear()
        _moved.clear()
    return moved


def rouse() -> None:
    """End the waits of the threads, so that they can stop."""
    _moved.set()
    _foreseeable.set()
