"""Work out standings anew."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.models import Tournament
from tournaments.operations.standings import recompute_all


class Command(BaseCommand):
    """Drop the standings of one tournament or of all and work them out from the record."""

    help = "Works out the standings of one tournament, or of all, from the record."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the tournament."""
        parser.add_argument("tournament", nargs="?", help="address of the tournament; all when left out")

    def handle(self, *args: Any, **options: Any) -> None:
        """Recompute and say which revision was reached."""
        tournaments = Tournament.objects.order_by("pk")
        if options["tournament"]:
            tournaments = tournaments.filter(slug=options["tournament"])
            if not tournaments:
                raise CommandError(f"There is no tournament “{options['tournament']}”.")
        for tournament in tournaments:
            revision = recompute_all(tournament)
            reached = "another process is at it" if revision is None else f"revision {revision}"
            self.stdout.write(f"{tournament.slug}: {reached}.")
