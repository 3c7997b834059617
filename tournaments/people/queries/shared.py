"""People of two events at the same time: a player or an official who cannot be in both."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from tournaments.models import Player, Registration, Role, Tournament
from tournaments.models.tournament import IN_LISTS
from tournaments.people.rules.barred import Person
from tournaments.people.rules.directory import marks
from tournaments.people.rules.names import search_key

LIVE = (Tournament.State.DRAFT, Tournament.State.ANNOUNCED, Tournament.State.RUNNING)
MOST_EVENTS = 10


@dataclass(frozen=True)
class Shared:
    """Somebody who is in another event on the same days, as a player or as one who works there."""

    name: str
    event: str
    works: bool = False


def at_the_same_time(tournament: Tournament) -> QuerySet[Tournament]:
    """List the events on the same days that stand on the site's lists, or that have an organizer in common with this one."""
    organizers = Role.objects.filter(tournament=tournament, kind=Role.Kind.ORGANIZER, user__isnull=False)
    own = Role.objects.filter(kind=Role.Kind.ORGANIZER, user__in=organizers.values("user"))
    days = Q(first_day__lte=tournament.last_day, last_day__gte=tournament.first_day)
    rows = Tournament.objects.filter(days, IN_LISTS | Q(pk__in=own.values("tournament")))
    rows = rows.filter(state__in=LIVE, rehearsal_of=None, is_demo=tournament.is_demo)
    return rows.exclude(pk=tournament.pk).exclude(listing=Tournament.Listing.DELETED).order_by("pk")


def shared_people(tournament: Tournament) -> list[Shared]:
    """List who is in this event and in another one at the same time; of officials only those whom the organizers know. [RULES 9.39]"""
    others = list(at_the_same_time(tournament)[:MOST_EVENTS])
    if not others or tournament.rehearsal_of_id:
        return []
    return [*_players(tournament, others), *_staff(tournament, others)]


def _players(tournament: Tournament, others: list[Tournament]) -> Iterator[Shared]:
    """Find players of this event among those of the others, by federation number or by name and city."""
    own = {mark: row for row in _on_the_list([tournament]) for mark in _marks_of(row)}
    names = {other.pk: other.name for other in others}
    told = set()
    for row in _on_the_list(others):
        here = next((own[mark] for mark in _marks_of(row) if mark in own), None)
        if here is not None and (here.pk, row.tournament_id) not in told:
            told.add((here.pk, row.tournament_id))
            yield Shared(here.name, names[row.tournament_id])


def _marks_of(row: Player) -> list[object]:
    """Return a player's marks; the name in other alphabets is none of them, and it is what costs time in a list of thousands."""
    return marks(Person(row.search_key, search_key(row.city), frozenset(row.federation_ids.items())))


def _staff(tournament: Tournament, others: list[Tournament]) -> Iterator[Shared]:
    """Find who works here and also works or plays at another event of the same organizers; who organizes both is no news."""
    here = tournament.roles.filter(user__isnull=False)
    organizers = set(here.filter(kind=Role.Kind.ORGANIZER).values_list("user", flat=True))
    theirs = Role.objects.filter(tournament__in=others, user__in=here.values("user"))
    known = Role.objects.filter(tournament__in=others, kind=Role.Kind.ORGANIZER, user__in=organizers)
    rows = theirs.filter(tournament__in=known.values("tournament")).exclude(user__in=organizers)
    seen = set()
    for row in rows.select_related("user", "tournament").order_by("pk"):
        if (row.user_id, row.tournament_id) not in seen:
            seen.add((row.user_id, row.tournament_id))
            yield Shared(row.title, row.tournament.name, works=True)


def _on_the_list(events: list[Tournament]) -> QuerySet[Player]:
    rows = Player.objects.filter(tournament__in=events, registration__status=Registration.Status.ACTIVE)
    return rows.only("name", "search_key", "city", "federation_ids", "tournament_id").order_by("pk")
