"""Draws worked out by a worker; one that was lost is begun again by the sweep."""

from celery import shared_task

from seating.drafts import operations
from seating.drafts.background import start_drawing


@shared_task(name="seating.tasks.run_draw", soft_time_limit=300, time_limit=330)
def run_draw(draw_id: int) -> None:
    """Work out a draw that was begun."""
    operations.run_draw(draw_id)


@shared_task(name="seating.tasks.repeat_draw", soft_time_limit=300, time_limit=330)
def repeat_draw(draw_id: int) -> None:
    """Work a published draw out once more."""
    operations.repeat(draw_id)


@shared_task(name="seating.tasks.sweep")
def sweep() -> None:
    """Begin again what a lost worker left behind."""
    for draw_id in operations.left_behind():
        start_drawing(draw_id)
