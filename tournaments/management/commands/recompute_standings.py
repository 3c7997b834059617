"""Work out standings anew."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from tournaments.management.named import take_tournament, tournaments_named
from tournaments.standings.operations.recompute import recompute_all


class Command(BaseCommand):
    """Drop the standings of one tournament or of all and work them out from the record."""

    help = "Works out the standings of one tournament, or of all, from the record."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the tournament."""
        take_tournament(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Recompute and say which revision was reached."""
        for tournament in tournaments_named(options["tournament"]):
            revision = recompute_all(tournament)
            reached = "another process is at it" if revision is None else f"revision {revision}"
            self.stdout.write(f"{tournament.slug}: {reached}.")
