"""Back up by the clock, for as long as the site runs."""

import os
import signal
import threading
from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, close_old_connections
from django.utils import timezone

from config.operator import backups, reports

LOOK_EVERY = 60.0


class Command(BaseCommand):
    """`manage.py backup_schedule FOLDER`: the service `backup` of the compose file."""

    help = "Every night copy the database into FOLDER and elsewhere, delete old copies, and weekly try a restore."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Read where to; everything else has its setting."""
        parser.add_argument("folder", type=Path)
        parser.add_argument("--at", default=settings.BACKUP_AT, help="hour and minute in UTC, such as 03:30")
        parser.add_argument("--keep-days", type=int, default=settings.BACKUP_KEEP_DAYS)
        parser.add_argument(
            "--copy-to", default=settings.BACKUP_COPY_TO, help="a folder, or remote:folder of rclone"
        )
        parser.add_argument("--once", action="store_true", help="do it now, and end")
        parser.add_argument("--pidfile", type=Path, help="where to write the number of this process")

    def handle(self, *args: Any, folder: Path, once: bool, pidfile: Path | None, **options: Any) -> None:
        """Check what is asked for, then do it once or for ever."""
        try:
            plan = backups.plan(
                folder, at=options["at"], keep_days=options["keep_days"], copy_to=options["copy_to"]
            )
        except backups.Failed as reason:
            raise CommandError(str(reason)) from reason
        if scratch := os.environ.get("TMPDIR"):
            with suppress(OSError):
                Path(scratch).mkdir(parents=True, exist_ok=True)
        if once:
            if not backups.run(plan):
                raise CommandError("Something failed; the log and /operator/health/ say what.")
            return
        if pidfile:
            pidfile.write_text(str(os.getpid()))
        self.go_on(plan)

    def go_on(self, plan: backups.Plan) -> None:
        """Look at the clock once a minute until a signal comes."""
        is_over = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: is_over.set())
        while not is_over.is_set():
            try:
                last = reports.latest().get(reports.Name.BACKUP)
                if backups.next_run(plan, timezone.now(), last) <= timezone.now():
                    backups.run(plan)
            except DatabaseError as error:
                self.stderr.write(f"The database could not be asked: {error}")
            finally:
                close_old_connections()
            is_over.wait(LOOK_EVERY)
