"""Telling whoever recomputes that a tournament moved; a lost message costs seconds, never a result."""

import threading

from django.conf import settings

_moved = threading.Event()
_tournaments: set[int] = set()
_lock = threading.Lock()


def wake(tournament_id: int) -> None:
    """Ask for fresh standings: the thread of this process, or a worker when there are workers."""
    if settings.EMBEDDED:
        with _lock:
            _tournaments.add(tournament_id)
        _moved.set()
        return
    from celery import current_app

    current_app.send_task("tournaments.tasks.recompute_standings", [tournament_id], retry=False)


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
