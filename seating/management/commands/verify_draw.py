"""Repeat published draws from what they were made from, and hold the seats against them."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from seating.drafts.operations import published_otherwise
from seating.drafts.working import is_repeated
from seating.models import Draw
from tournaments.management.named import take_tournament, tournaments_named
from tournaments.models import Tournament
from tournaments.standings.operations.verification import Fault, seating_faults


class Command(BaseCommand):
    """Draw again and compare; exit 1 when other tables come out, were published, or are sat at."""

    help = "Repeats the published draws of a tournament, or of all, and compares tables, winds and seats."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the tournament and the session."""
        take_tournament(parser)
        parser.add_argument("session", nargs="?", type=int, help="number of the session")

    def handle(self, *args: Any, **options: Any) -> None:
        """Say of each draw whether its tables came out and were published; a session that has none cannot be verified."""
        draws = published(options["tournament"], options["session"])
        if options["session"] and not draws:
            raise CommandError(f"No published draw seats session {options['session']}.")
        others = [draw for draw in draws if not self.compare(draw)]
        moved = [fault for one in {draw.tournament for draw in draws} for fault in self.seats(one)]
        if others or moved:
            sys.exit(1)

    def compare(self, draw: Draw) -> bool:
        """Draw again and say what came out."""
        is_same, otherwise = is_repeated(draw), published_otherwise(draw)
        sessions = ", ".join(map(str, draw.sessions))
        said = "the same tables" if is_same else "OTHER TABLES"
        if otherwise:
            said += f", OTHER SEATS PUBLISHED in session {', '.join(map(str, otherwise))}"
        by_hand = f", {len(draw.edits)} changes by hand" if draw.edits else ""
        self.stdout.write(f"{draw.tournament.slug}, session {sessions}: {said} ({draw.method}{by_hand}).")
        return is_same and not otherwise

    def seats(self, tournament: Tournament) -> list[Fault]:
        """Return where somebody sits otherwise than the history of the seating tells."""
        faults = seating_faults(tournament)
        for fault in faults:
            self.stdout.write(f"{tournament.slug}, {fault}.")
        return faults


def published(slug: str | None, session: int | None) -> list[Draw]:
    """List the published draws of a tournament or of all, those of one session if it is named."""
    draws = Draw.objects.filter(state=Draw.State.PUBLISHED, tournament__in=tournaments_named(slug))
    draws = draws.select_related("tournament").order_by("pk")
    return [draw for draw in draws if session is None or session in draw.sessions]
