"""Bring back what a backup holds."""

from argparse import ArgumentParser
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from config import backup
from tournaments.models import Tournament


class Command(BaseCommand):
    """`manage.py restore FILE`, while nothing else writes."""

    help = "Replace the database by the copy in FILE, then prove history and standings. Stop the site before."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Read where from."""
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--replace", action="store_true", help="give up the tournaments that are here now"
        )

    def handle(self, *args: Any, file: Path, replace: bool, **options: Any) -> None:
        """Restore, and say what is there now."""
        try:
            backup.inspect(file)
            if self.holds_tournaments():
                self.keep_what_is_here(file, replace)
            manifest = backup.restore(file)
        except backup.Unfit as reason:
            raise CommandError(str(reason)) from reason
        slugs = ", ".join(sorted(manifest["tournaments"])) or "none"
        self.stdout.write(f"Restored the state of {manifest['made_at']}. Tournaments: {slugs}.")
        self.stdout.write("The history is whole; the standings, worked out anew, are those of the backup.")

    def holds_tournaments(self) -> bool:
        """Whether anything would be lost; a database without tables holds nothing."""
        return (
            Tournament._meta.db_table in connection.introspection.table_names()
            and Tournament.objects.exists()
        )

    def keep_what_is_here(self, file: Path, replace: bool) -> None:
        """Refuse to replace tournaments without a word; with it, copy them first, beside the file."""
        if not replace:
            raise CommandError("There are tournaments in this database. Add --replace to give them up.")
        name = f"before-restore-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}.zip"
        call_command("backup", str(file.resolve().parent / name), stdout=self.stdout)
