"""Bring back what a backup holds."""

from argparse import ArgumentParser
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.cache import cache
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection

from config.tools import backup, restoring
from config.tools.restoring import Erased, Restored
from tournaments.models import Tournament, User


class Command(BaseCommand):
    """`manage.py restore FILE`, while nothing else writes."""

    help = (
        "Restore the copy in FILE beside the database, prove its history and standings, and only then let it take the"
        " database's place. Stop the site before."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Read where from."""
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--replace", action="store_true", help="give up the tournaments and accounts that are here now"
        )

    def handle(self, *args: Any, file: Path, replace: bool, **options: Any) -> None:
        """Restore, and say what is there now."""
        try:
            self.restore(file, replace)
        except backup.Unfit as reason:
            raise CommandError(str(reason)) from reason

    def restore(self, file: Path, replace: bool) -> None:
        """Prove the backup beside what is here, keep a copy of what is here, and put the backup in its place."""
        restoring.inspect(file)
        held = self.what_is_held()
        is_empty = held is None
        if held and not replace:
            raise CommandError(f"There are {held} in this database. Add --replace to give them up.")
        erased = Erased() if is_empty else restoring.erased_here()
        with restoring.restored_aside(file) as restored:
            copy = None if is_empty else copy_of_what_is_here(file)
            former = take_place(restored, copy)
            if copy:
                self.stdout.write(f"What was here before is kept in {copy}.")
            if copy or is_empty:
                restored.aside.drop_former()
            else:
                self.stdout.write(
                    f"What was here before could not be copied; it is kept as it was, as {former}."
                )
        with suppress(Exception):  # nothing of it is a score, and a cache that is away holds nothing
            cache.clear()
        self.tell(restored)
        self.tell_erased(restoring.here_again(erased))

    def tell(self, restored: Restored) -> None:
        """Say what is there now."""
        slugs = ", ".join(restored.tournaments) or "none"
        self.stdout.write(f"Restored the state of {restored.manifest['made_at']}. Tournaments: {slugs}.")
        self.stdout.write("The history is whole; the standings, worked out anew, are those of the backup.")

    def tell_erased(self, again: Erased) -> None:
        """Name the pages of those who were erased after the backup was made, since their names are back."""
        if again.pages:
            self.stdout.write(
                "Erased since that backup was made, and here again. Erase them again on these pages:"
            )
            for page in again.pages:
                self.stdout.write(f"  {page}")

    def what_is_held(self) -> str | None:
        """Say what would be lost: nothing in a database without tables, and who knows what in a damaged one."""
        try:
            tables = connection.introspection.table_names()
            for model, name in ((Tournament, "tournaments"), (User, "accounts")):
                if model._meta.db_table in tables and model.objects.exists():
                    return name
        except DatabaseError:
            return "tables that cannot be read"
        return None


def copy_of_what_is_here(file: Path) -> Path | None:
    """Copy what will be replaced, beside the file; None where that was not possible."""
    path = file.resolve().parent / f"before-restore-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}.zip"
    try:
        backup.save(path)
    except (DatabaseError, backup.Unfit, OSError):
        return None
    return path


def take_place(restored: Restored, copy: Path | None) -> str:
    """Put the restored database in the place of the site's; where that is refused, nothing was replaced and the copy goes."""
    try:
        return restored.aside.take_place()
    except backup.Unfit:
        if copy:
            copy.unlink()
        raise
