"""Which decisions are about one person, as far as that can be known."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from tournaments.people.rules.barred import Person

Row = TypeVar("Row")


def by_person(rows: Sequence[Row], person_of: Callable[[Row], Person]) -> list[list[Row]]:
    """Group decisions by person: the same name and city, or a number of a federation in common. [RULES 8.56]

    A decision that belongs to two groups joins them: who is known by name at one event and by number at another is one person.
    """
    groups: list[tuple[Person, list[Row]]] = []
    for row in rows:
        person = person_of(row)
        same = [group for group in groups if group[0].is_same(person)]
        groups = [group for group in groups if group not in same]
        ids = person.federation_ids.union(*(known.federation_ids for known, _rows in same))
        joined = [one for _known, found in same for one in found]
        groups.append((replace(person, federation_ids=ids), [*joined, row]))
    return [found for _person, found in groups]
