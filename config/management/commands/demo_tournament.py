"""Make the demo world, or remove it."""

import secrets
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

from config.tools import demo
from config.tools.demo import removal, world


class Command(BaseCommand):
    """Make events of all six systems in every state, and an organizer who can sign in; or delete them."""

    help = "Makes a demo world: events of all systems, in registration, in play and finished. --remove deletes it."

    def add_arguments(self, parser: CommandParser) -> None:
        """Say under which name and password the organizer signs in."""
        parser.add_argument("--if-empty", action="store_true", help="do nothing when there is any event")
        parser.add_argument("--organizer", default="demo", help="username of the demo organizer")
        parser.add_argument(
            "--password", help="password of the demo organizer; one is made up if it is left out"
        )
        parser.add_argument("--remove", action="store_true", help="delete the demo's events and accounts")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make it whole or not at all, or remove it."""
        if options["remove"]:
            self.remove()
            return
        password = options["password"] or secrets.token_hex(6)
        if options["if_empty"]:
            is_made = demo.make_if_empty(organizer=options["organizer"], password=password)
        else:
            is_made = self.make(options["organizer"], password)
        if is_made:
            self.stdout.write(f"The demo world is made. {options['organizer']} signs in with {password}")

    @transaction.atomic
    def make(self, organizer: str, password: str) -> bool:
        """Make the demo beside whatever there is."""
        world.make_world(organizer=organizer, password=password)
        return True

    def remove(self) -> None:
        """Delete the demo, and say what stays."""
        events, stay = removal.remove_all()
        self.stdout.write(f"Removed: {events} events of the demo, with their history, and its accounts.")
        if stay:
            self.stdout.write(f"These accounts stay, since they work at other events: {', '.join(stay)}")
