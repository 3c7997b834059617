"""An organizer's directory: the people of the events that this account organizes, each once."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from tournaments.models import Player, SamePerson, Standing, Tournament, User
from tournaments.people.queries.events import events_run_by
from tournaments.people.rules.barred import Person
from tournaments.people.rules.directory import Pair, alike, groups
from tournaments.people.rules.names import alphabet_key


@dataclass(frozen=True)
class Known:
    """Somebody with all entries, the newest first."""

    entries: tuple[Player, ...]

    @property
    def newest(self) -> Player:
        """Return the newest entry, which tells most of today."""
        return self.entries[0]

    @property
    def names(self) -> list[str]:
        """List every way in which the name is written, such as in two alphabets."""
        return list(dict.fromkeys(entry.name for entry in self.entries))

    @property
    def numbers(self) -> dict[str, str]:
        """Return the numbers of federations, the newest entry's first."""
        found: dict[str, str] = {}
        for entry in self.entries:
            found = {**entry.federation_ids, **found}
        return found

    @property
    def may_be_remembered(self) -> bool:
        """Return whether the person let the organizer fill in these details again, when last registered."""
        return hasattr(self.newest, "registration") and self.newest.registration.may_be_remembered


def entries_of(user: User) -> QuerySet[Player]:
    """List the people of the events that an account organizes, the newest event first; who was erased is nobody any more."""
    rows = Player.objects.filter(tournament__in=events_run_by(user.pk).order_by(), erased_at=None)
    rows = rows.filter(tournament__rehearsal_of=None).exclude(name="")
    rows = rows.select_related("tournament", "registration", "team").defer("tournament__regulation")
    return rows.order_by("-tournament__first_day", "-pk")


def directory_of(user: User) -> list[Known]:
    """List everybody whom an organizer knows, by name."""
    entries = {row.pk: row for row in entries_of(user)}
    people = {key: Person.of(row) for key, row in entries.items()}
    joined = user.same_persons.filter(are_two=False).values_list("first", "second")
    known = [Known(tuple(entries[key] for key in keys)) for keys in groups(people, joined)]
    return sorted(known, key=lambda one: (one.newest.search_key, one.newest.pk))


def found_in(known: Iterable[Known], query: str) -> list[Known]:
    """Return who is called like this in any alphabet, or has this number of a federation."""
    wanted, number = alphabet_key(query).split(), query.strip()

    def fits(one: Known) -> bool:
        if number and number in one.numbers.values():
            return True
        said = {alphabet_key(name) for name in one.names}
        return any(all(word in name for word in wanted) for name in said)

    return [one for one in known if fits(one)] if number else list(known)


def known_as(known: Iterable[Known], player: int) -> Known | None:
    """Return the person of a directory to whom an entry belongs; none where the account does not organize its event."""
    return next((one for one in known if any(row.pk == player for row in one.entries)), None)


def remembered(user: User, query: str) -> list[Known]:
    """List who is called like this and agreed, when last registered, that the organizer fills in these details again."""
    return [one for one in found_in(directory_of(user), query) if one.may_be_remembered]


def doubles(user: User, known: Iterable[Known]) -> list[tuple[Known, Known]]:
    """List those who may be one person, each pair once; whom the organizer called two people is left out."""
    by_key = {one.newest.pk: one for one in known}
    leads = {entry.pk: key for key, one in by_key.items() for entry in one.entries}
    said = user.same_persons.filter(are_two=True).values_list("first", "second")
    two = {frozenset((leads[one], leads[other])) for one, other in said if one in leads and other in leads}
    pairs: list[Pair] = alike([(key, Person.of(one.newest)) for key, one in by_key.items()], two)
    return [(by_key[pair.first], by_key[pair.second]) for pair in pairs]


def places_of(known: Known) -> dict[int, int | None]:
    """Return the place that each entry had in the end; an event that is not finished has none yet."""
    rows = Standing.objects.filter(
        player__in=[row.pk for row in known.entries], tournament__state=Tournament.State.CLOSED
    )
    return dict(rows.values_list("player_id", "place"))


def merges_of(user: User, known: Known) -> list[SamePerson]:
    """List what the organizer joined in a person, to be taken back."""
    keys = [row.pk for row in known.entries]
    rows = user.same_persons.filter(first__in=keys, second__in=keys, are_two=False)
    return list(rows.select_related("first__tournament", "second__tournament"))


def namesakes_of(user: User, known: Known) -> list[SamePerson]:
    """List whom the organizer called another person than this one, to be taken back."""
    keys = [row.pk for row in known.entries]
    rows = user.same_persons.filter(Q(first__in=keys) | Q(second__in=keys), are_two=True)
    return list(rows.select_related("first__tournament", "second__tournament"))
