"""Give an event to an account, or list those that belong to nobody."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.models import Tournament, User
from tournaments.operator import operations, queries
from tournaments.record.actors import SYSTEM
from tournaments.record.refusal import Refused, sentences


class Command(BaseCommand):
    """Make an account an organizer of an event."""

    help = (
        "Makes an account an organizer of an event, as the operator's pages do. "
        "Without arguments it lists the events that nobody who can sign in organizes."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the event, the account and the reason."""
        parser.add_argument("tournament", nargs="?", help="address of the event")
        parser.add_argument("username", nargs="?", help="the account that shall organize it")
        parser.add_argument(
            "--reason", default="Given from the server's command line.", help="kept in the log"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """List, or give."""
        if options["tournament"] is None:
            self._list()
            return
        tournament, user = _tournament(options["tournament"]), _user(options["username"])
        try:
            operations.hand_over(tournament, user, by=SYSTEM, reason=options["reason"])
        except Refused as refused:
            raise CommandError(" ".join(sentences(refused.problems))) from refused
        self.stdout.write(f"{tournament.slug}: organized by {user.username}.")

    def _list(self) -> None:
        orphans = list(queries.events("orphans"))
        for tournament in orphans:
            self.stdout.write(f"{tournament.slug}: {tournament.name}, {tournament.get_state_display()}")
        if not orphans:
            self.stdout.write("Every event that is not over has somebody who organizes it.")


def _tournament(slug: str) -> Tournament:
    tournament = Tournament.objects.filter(slug=slug).first()
    if tournament is None:
        raise CommandError(f"There is no tournament “{slug}”.")
    return tournament


def _user(name: str | None) -> User:
    user = User.objects.filter(username__iexact=name or "").first()
    if user is None:
        raise CommandError(f"There is no user “{name or ''}”.")
    return user
