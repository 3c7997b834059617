"""Telling whoever recomputes that a tournament moved; a lost message costs seconds, never a result."""

import threading

from django.conf import settings
from django.core.cache import cache

ASKED = "standings-asked:{}"
ASKED_FOR = 5
"""For how many seconds at most a message that no worker has taken stands for those that would follow it."""

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
    if not cache.add(ASKED.format(tournament_id), 1, ASKED_FOR):
        return
    from celery import current_app

    current_app.send_task("tournaments.tasks.recompute_standings", [tournament_id], retry=False)


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
