"""The tournaments that a command is given by address: one, or all."""

from django.core.management.base import CommandError, CommandParser
from django.db.models import QuerySet

from tournaments.models import Tournament


def take_tournament(parser: CommandParser) -> None:
    """Let a command be given the address of a tournament, or none."""
    parser.add_argument("tournament", nargs="?", help="address of the tournament; all when left out")


def tournaments_named(slug: str | None) -> QuerySet[Tournament]:
    """Return the tournament of this address, or all without one; an address that leads nowhere is refused."""
    tournaments = Tournament.objects.order_by("pk")
    if not slug:
        return tournaments
    found = tournaments.filter(slug=slug)
    if not found:
        raise CommandError(f"There is no tournament “{slug}”.")
    return found
