"""Take in a tournament from one file."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.actors import Actor, ActorKind
from tournaments.exchange.intake import import_record
from tournaments.models import User
from tournaments.operations.standings import recompute
from tournaments.refusal import Refused, sentences
from tournaments.strict import load_json

LARGEST = 64 * 1024 * 1024


class Command(BaseCommand):
    """Read a record; the whole file or nothing."""

    help = "Takes in a tournament from a record (docs/RECORD.md): the whole file or nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the file, and who answers for the tournament here."""
        parser.add_argument("file", help="the record; - for standard input")
        parser.add_argument("--organizer", help="username of who imports it; the first user when left out")

    def handle(self, *args: Any, **options: Any) -> None:
        """Import, recompute, and say where the file's numbers differ."""
        body = sys.stdin.buffer.read() if options["file"] == "-" else Path(options["file"]).read_bytes()
        users = User.objects.order_by("pk")
        user = users.filter(username=options["organizer"]).first() if options["organizer"] else users.first()
        if user is None and options["organizer"]:
            raise CommandError(f"There is no user “{options['organizer']}”.")
        if user is None:
            user = User.objects.create_user("archive")
        try:
            data = load_json(body, limit=LARGEST, most_items=10_000_000, depth=30)
            taken = import_record(data, by=Actor(ActorKind.USER, user.pk, frozenset({"organizer"})))
        except Refused as refused:
            for problem, said in zip(refused.problems, sentences(refused.problems), strict=True):
                where = f"{problem.field}: " if problem.field else ""
                clause = f" [{problem.clause}]" if problem.clause else ""
                self.stderr.write(f"{where}{said}{clause}")
            sys.exit(1)
        recompute(taken.tournament.pk, waits=True)
        for difference in taken.differences:
            self.stdout.write(difference)
        self.stdout.write(f"{taken.tournament.slug}: taken in.")
