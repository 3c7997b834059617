"""Copy everything that was recorded into one file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.tools import backup


class Command(BaseCommand):
    """`manage.py backup FILE`, while the site runs."""

    help = "Copy the database into FILE; the site may go on running."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Read where to."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="write over a file of this name")

    def handle(self, *args: Any, file: Path, replace: bool, **options: Any) -> None:
        """Copy, and say what was copied."""
        if file.exists() and not replace:
            raise CommandError(f"{file} exists already. Choose another name, or add --replace.")
        if not file.resolve().parent.is_dir():
            raise CommandError(f"There is no folder {file.resolve().parent}.")
        try:
            manifest = backup.save(file.resolve())
        except backup.Unfit as reason:
            raise CommandError(str(reason)) from reason
        entries = sum(each["entries"] for each in manifest["tournaments"].values())
        self.stdout.write(
            f"{file}: {len(manifest['tournaments'])} tournaments, {entries} history entries,"
            f" {file.stat().st_size:,} bytes. A backup that was never restored does not exist: prove it by `restore_drill`."
        )
