"""Repeat published draws from what they were made from."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from seating.models import Draw
from seating.working import is_repeated


class Command(BaseCommand):
    """Draw again and compare; exit 1 when other tables come out."""

    help = "Repeats the published draws of a tournament, or of all, and compares the tables."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the tournament and the session."""
        parser.add_argument("tournament", nargs="?", help="address of the tournament; all when left out")
        parser.add_argument("session", nargs="?", type=int, help="number of the session")

    def handle(self, *args: Any, **options: Any) -> None:
        """Say of each draw whether the same tables came out."""
        draws = Draw.objects.filter(state=Draw.State.PUBLISHED).select_related("tournament").order_by("pk")
        if options["tournament"]:
            draws = draws.filter(tournament__slug=options["tournament"])
        is_right = True
        for draw in draws:
            if options["session"] and options["session"] not in draw.sessions:
                continue
            is_same = is_repeated(draw)
            is_right = is_right and is_same
            sessions = ", ".join(map(str, draw.sessions))
            said = "the same tables" if is_same else "OTHER TABLES"
            by_hand = f", {len(draw.edits)} changes by hand" if draw.edits else ""
            self.stdout.write(f"{draw.tournament.slug}, session {sessions}: {said} ({draw.method}{by_hand}).")
        if not is_right:
            sys.exit(1)
