"""Write a tournament as one file."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.exchange.record import export_record
from tournaments.models import Tournament


class Command(BaseCommand):
    """Print the record of a tournament, or write it to a file."""

    help = "Writes a tournament as one record (docs/RECORD.md), in UTF-8."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the tournament and, if wanted, the file."""
        parser.add_argument("tournament", help="address of the tournament")
        parser.add_argument(
            "--output", "-o", default="-", help="the file to write; printed when left out or -"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write it."""
        tournament = Tournament.objects.filter(slug=options["tournament"]).first()
        if tournament is None:
            raise CommandError(f"There is no tournament “{options['tournament']}”.")
        text = json.dumps(export_record(tournament), ensure_ascii=False, indent=1) + "\n"
        if options["output"] in (None, "-"):
            self._print(text)
            return
        try:
            Path(options["output"]).write_bytes(text.encode())
        except OSError as error:
            raise CommandError(f"“{options['output']}” cannot be written: {error.strerror}.") from error

    def _print(self, text: str) -> None:
        """Print in UTF-8, whatever the terminal's language."""
        stream = self.stdout._out
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8")
        self.stdout.write(text, ending="")
