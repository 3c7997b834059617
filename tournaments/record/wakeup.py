"""Telling whoever recomputes that a tournament moved; a lost message costs seconds, never a result."""

import logging
import threading
import time

from django.conf import settings
from django.core.cache import cache

ASKED = "standings-asked:{}"
ASKED_FOR = 5
"""For how many seconds at most a message that no worker has taken stands for those that would follow it."""

AWAY_FOR = 5.0
"""For how many seconds Redis is left alone after it did not answer: the sweep does without it."""
SLOW = 1.0

logger = logging.getLogger(__name__)
_away_until = 0.0
_moved = threading.Event()
_tournaments: set[int] = set()
_lock = threading.Lock()


def wake(tournament_id: int) -> None:
    """Ask for fresh standings: the thread of this process, or a worker when there are workers.

    While a message waits for a worker, one more would tell it nothing: it reads what is wanted when it begins.
    """
    if settings.EMBEDDED:
        with _lock:
            _tournaments.add(tournament_id)
        _moved.set()
        return
    if time.monotonic() < _away_until:
        return
    started = time.monotonic()
    try:
        if cache.add(ASKED.format(tournament_id), 1, ASKED_FOR):
            _send(tournament_id, since=started)
    except Exception as error:
        _leave_alone(error)


def _send(tournament_id: int, *, since: float) -> None:
    """Send the message, unless Redis has just been too slow to hold the marker."""
    from celery import current_app

    if time.monotonic() - since > SLOW:
        raise TimeoutError("Redis does not answer")
    current_app.send_task("tournaments.tasks.recompute_standings", [tournament_id], retry=False)


def _leave_alone(error: Exception) -> None:
    """Ask nothing of Redis for a while, so that not every referee waits for it; nothing is lost by that."""
    global _away_until
    _away_until = time.monotonic() + AWAY_FOR
    logger.warning("No worker could be told that a tournament moved (%s); the sweep sees to it.", error)


def taken(tournament_id: int) -> None:
    """Let the next wish be a message again: a worker begins, and what is wished from now on it may not read."""
    cache.delete(ASKED.format(tournament_id))


def wait(seconds: float) -> set[int]:
    """Sleep until something moved or the time is over; give the tournaments that moved."""
    _moved.wait(seconds)
    with _lock:
        moved = set(_tournaments)
        _tournaments.clear()
        _moved.clear()
    return moved


def rouse() -> None:
    """End the sleep of whoever waits, so that it can stop."""
    _moved.set()
