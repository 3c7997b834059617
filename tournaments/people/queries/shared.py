"""People of two events at the same time: a player or an official who cannot be in both."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Max, Q, QuerySet

from tournaments.models import Player, Registration, Role, Table, Tournament
from tournaments.models.tournament import IN_LISTS
from tournaments.people.rules.barred import Person
from tournaments.people.rules.directory import marks
from tournaments.people.rules.names import search_key
from tournaments.table_numbers import shown_number

LIVE = (Tournament.State.DRAFT, Tournament.State.ANNOUNCED, Tournament.State.RUNNING)
MOST_EVENTS = 10


@dataclass(frozen=True)
class Shared:
    """Somebody who is in another event on the same days, as a player or as one who works there."""

    name: str
    event: str
    works: bool = False


@dataclass(frozen=True)
class Beside:
    """Another event of the same organizers in the same hall on the same days, and the numbers that its tables bear."""

    event: Tournament
    first: int
    last: int
    clashes: bool

    @property
    def free(self) -> int:
        """Return the first number after its tables."""
        return self.last + 1


def of_the_same_organizers(tournament: Tournament) -> QuerySet[Tournament]:
    """List the events on the same days that have an organizer in common with this one."""
    organizers = Role.objects.filter(tournament=tournament, kind=Role.Kind.ORGANIZER, user__isnull=False)
    own = Role.objects.filter(kind=Role.Kind.ORGANIZER, user__in=organizers.values("user"))
    return at_the_same_time(tournament).filter(pk__in=own.values("tournament"))


def in_the_same_hall(tournament: Tournament) -> list[Beside]:
    """List the events whose tables stand beside those of this one; two venues by name are two halls. [RULES 9.41]"""
    if tournament.rehearsal_of_id:
        return []
    others = list(of_the_same_organizers(tournament)[:MOST_EVENTS])
    others = [event for event in others if not _is_elsewhere(tournament, event)]
    if not others:
        return []
    (first, last), found = numbers_of(tournament), []
    for event in others:
        start, end = numbers_of(event)
        found.append(Beside(event, start, end, clashes=first <= end and start <= last))
    return found


def next_free(beside: list[Beside]) -> int:
    """Return the first number beyond all that tables of the other events bear."""
    return max((one.free for one in beside), default=1)


def numbers_of(tournament: Tournament) -> tuple[int, int]:
    """Return the first and the last number of its tables in the hall: as many as were seated, else as its players will take."""
    seated = Table.objects.filter(session__tournament=tournament, session__published_at__isnull=False)
    count = seated.aggregate(most=Max("number"))["most"] or 0
    players = tournament.registrations.filter(status=Registration.Status.ACTIVE).count()
    count = max(count, -(-players // tournament.regulation["table_size"]), 1)
    return shown_number(1, tournament), shown_number(count, tournament)


def _is_elsewhere(one: Tournament, other: Tournament) -> bool:
    """Return whether both say where they are and it is not the same place."""
    return any(
        here and there and here.casefold().strip() != there.casefold().strip()
        for here, there in ((one.city, other.city), (one.venue, other.venue))
    )


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
