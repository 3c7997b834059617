"""Celery's share of running the site: the daily chores."""

from celery import shared_task

from config.operator import chores


@shared_task(name="config.tasks.do_chores", soft_time_limit=1800, time_limit=1860, acks_late=False)
def do_chores() -> None:
    """Do what is due once a day; asked hourly, so that a lost message costs an hour and is not sent again meanwhile."""
    if chores.is_due():
        chores.do_all()
