"""Hold the record against its history."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from tournaments.management.named import take_tournament, tournaments_named
from tournaments.models import Tournament
from tournaments.standings.operations.verification import knows_digest, verify


class Command(BaseCommand):
    """Check the chain of every tournament, or of one; print the first bad entry; exit 0 or 1."""

    help = "Checks the history of all tournaments or of one, and that the record is as it tells."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the tournament, and a digest from a printed sheet if there is one to look for."""
        take_tournament(parser)
        parser.add_argument("--digest", help="a digest from a page or a sheet, whole or its beginning")

    def handle(self, *args: Any, **options: Any) -> None:
        """Say what was checked and what was found."""
        is_whole = True
        for tournament in tournaments_named(options["tournament"]):
            is_whole = self._check(tournament, options["digest"]) and is_whole
        if not is_whole:
            sys.exit(1)

    def _check(self, tournament: Tournament, digest: str | None) -> bool:
        faults = verify(tournament)
        for fault in faults:
            self.stderr.write(f"{tournament.slug}: {fault}")
        if digest and not knows_digest(tournament, digest):
            self.stderr.write(f"{tournament.slug}: the digest {digest} is not in the record")
            return False
        if not faults:
            count = tournament.history.count()
            self.stdout.write(f"{tournament.slug}: {count} entries, every one as it was written.")
        return not faults
