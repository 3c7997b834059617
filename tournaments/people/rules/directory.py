"""One person in several events: entries that are the same by number or by name and city, or that an organizer joined."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tournaments.people.rules.barred import Person


@dataclass(frozen=True)
class Pair:
    """Two entries that may be one person: what speaks for it."""

    first: int
    second: int


def groups(people: Mapping[int, Person], joined: Iterable[tuple[int, int]] = ()) -> list[list[int]]:
    """Return the entries of each person: the same number of a federation, the same name and city, or joined. [RULES 9.38]"""
    leads = {key: key for key in people}

    def leader(key: int) -> int:
        while leads[key] != key:
            key = leads[key]
        return key

    def join(one: int, other: int) -> None:
        first, second = sorted((leader(one), leader(other)))
        leads[second] = first

    seen: dict[object, int] = {}
    for key, person in people.items():
        for mark in marks(person):
            join(key, seen.setdefault(mark, key))
    for one, other in joined:
        if one in people and other in people:
            join(one, other)
    found: dict[int, list[int]] = {}
    for key in people:
        found.setdefault(leader(key), []).append(key)
    return list(found.values())


def marks(person: Person) -> list[object]:
    """Return what makes two entries one person without asking anybody."""
    by_name: list[object] = [("name", person.name, person.city)] if person.name else []
    return [*by_name, *(("number", *number) for number in sorted(person.federation_ids))]


def alike(persons: Sequence[tuple[int, Person]], two: Collection[frozenset[int]] = ()) -> list[Pair]:
    """List the entries that may be one person by their names in any alphabet; an organizer decides. [RULES 9.38]

    Each is put beside the first of that name from whom it was not told apart: `two` holds those that are two people.
    """
    before: dict[str, list[int]] = {}
    found = []
    for key, person in persons:
        named = before.setdefault(person.folded, [])
        other = next((one for one in named if frozenset((one, key)) not in two), None)
        if person.folded and other is not None:
            found.append(Pair(other, key))
        named.append(key)
    return found
