"""Make the demo world."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

from config import demo
from tournaments.models import Tournament, User


class Command(BaseCommand):
    """Make one event in registration, one in play, one finished, and an organizer who can sign in."""

    help = "Makes a demo world: one event open for registration, one in play, one finished."

    def add_arguments(self, parser: CommandParser) -> None:
        """Say under which name and password the organizer signs in."""
        parser.add_argument("--if-empty", action="store_true", help="do nothing when there is any event")
        parser.add_argument("--organizer", default="demo", help="username of the demo organizer")
        parser.add_argument("--password", required=True, help="password of the demo organizer")

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        """Make it whole or not at all."""
        if options["if_empty"] and (Tournament.objects.exists() or User.objects.exists()):
            return
        demo.make_world(organizer=options["organizer"], password=options["password"])
        self.stdout.write("The demo world is made.")
