"""The Celery application: the same recomputation as in one process, spread over workers."""

import os
from typing import Any

from celery import Celery
from celery.signals import beat_init, task_failure, worker_init, worker_process_init

from config.server import broker
from config.server.collector import spare_the_collector

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")

broker.use()
app = Celery("four_winds")
app.set_default()
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
@beat_init.connect
def stop_on_newer_data(**_: object) -> None:
    """Work with no data of a newer release."""
    from config.tools import upgrade

    upgrade.stop_on_newer_data()


@worker_process_init.connect
def start_lean(**_: object) -> None:
    """Begin a worker's process as the server begins its own."""
    from config.operator import metrics

    spare_the_collector()
    metrics.start()


@task_failure.connect
def count_failure(sender: Any = None, **_: object) -> None:
    """Count a job that ended with an error."""
    from config.operator import metrics

    metrics.add("job_failures_total", job=str(getattr(sender, "name", sender)))
