"""Long draws go on behind the page: by a worker, or in a thread where there are no workers."""

import logging
import threading
from collections.abc import Callable

from django.conf import settings
from django.db import DatabaseError, close_old_connections

logger = logging.getLogger(__name__)


def start_drawing(draw_id: int) -> None:
    """Start a draw in a worker or, without workers, in a thread."""
    _start("run_draw", draw_id)


def start_repeating(draw_id: int) -> None:
    """Have a published draw worked out once more, so that everybody can see that it repeats."""
    _start("repeat_draw", draw_id)


def start_embedded() -> None:
    """Begin the draws again that were running when a site without workers was stopped."""
    if settings.EMBEDDED:
        threading.Thread(target=_resume, name="draw", daemon=True).start()


def _start(task: str, draw_id: int) -> None:
    if settings.EMBEDDED:
        threading.Thread(target=_here, args=[task, draw_id], name="draw", daemon=True).start()
        return
    from celery import current_app

    current_app.send_task(f"seating.tasks.{task}", [draw_id], retry=False)


def _here(task: str, draw_id: int) -> None:
    from seating.drafts import operations

    works: dict[str, Callable[[int], object]] = {
        "run_draw": operations.run_draw,
        "repeat_draw": operations.repeat,
    }
    try:
        works[task](draw_id)
    except Exception:
        logger.exception("A draw could not be worked out.")
    finally:
        close_old_connections()


def _resume() -> None:
    from seating.drafts import operations

    try:
        waiting = operations.left_behind(at_all=True)
    except DatabaseError:
        logger.exception("Draws that were cut off could not be looked for.")
        waiting = []
    finally:
        close_old_connections()
    for draw_id in waiting:
        _here("run_draw", draw_id)
