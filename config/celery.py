"""The Celery application: the same recomputation as in one process, spread over workers."""

import os

from celery import Celery
from celery.signals import worker_process_init

from config import broker
from config.collector import spare_the_collector

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")

broker.use()
app = Celery("four_winds")
app.set_default()
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_process_init.connect  # type: ignore[untyped-decorator]
def start_lean(**_: object) -> None:
    """Begin a worker's process as the server begins its own."""
    spare_the_collector()
