"""Quotas: how many places of an event players of one country, or of one club, may take."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring.problems import Problem, gettext_noop
from tournaments.people.rules.names import search_key

BY = ("country", "club")
"""What a quota counts by."""
MOST_PLACES = 2000
MOST_EXCEPTIONS, LONGEST_GROUP, LONGEST_NUMBER = 300, 100, 9


def group_of(by: str, value: str) -> str:
    """Return what tells the players of one country or club from others; nothing for who says none."""
    return value.strip().upper() if by == "country" else search_key(value)


@dataclass(frozen=True)
class Quota:
    """The most places for each group, and for groups that have a number of their own."""

    most: int | None = None
    own: Mapping[str, int] = field(default_factory=dict)

    def of(self, by: str, value: str) -> int | None:
        """Return how many places the group of a player may take; none where nobody said so. [RULES 9.28]"""
        group = group_of(by, value)
        if not group:
            return None
        known = {group_of(by, name): number for name, number in self.own.items()}
        return known.get(group, self.most)

    def __bool__(self) -> bool:
        """Return whether anything is said."""
        return self.most is not None or bool(self.own)


def read_quotas(stored: Mapping[str, Any]) -> dict[str, Quota]:
    """Return the quotas of an event by what they count."""
    return {by: Quota(stored[by].get("most"), dict(stored[by].get("own", {}))) for by in BY if stored.get(by)}


def told_quotas(quotas: Mapping[str, Quota]) -> dict[str, Any]:
    """Return quotas as they are stored; what says nothing is left out."""
    return {by: {"most": one.most, "own": dict(one.own)} for by, one in quotas.items() if one}


def quota_problem(by: str, name: str, limit: int) -> Problem:
    """Say that no place is left for players of a country or a club. [RULES 9.28]"""
    details = {"name": name, "limit": limit}
    return Problem("quota_full", COUNTRY_FULL if by == "country" else CLUB_FULL, by, details=details)


@dataclass(frozen=True)
class Exceptions:
    """Lines of exceptions as they were read, and the lines that were not understood."""

    own: Mapping[str, int]
    wrong: Collection[str] = ()


def read_exceptions(by: str, text: str, countries: Mapping[str, str]) -> Exceptions:
    """Read lines such as “Russia 20”: a name and how many places its players may take.

    A country is given by anything it is called: `countries` leads from there, in lower case, to its code. A group that is named
    twice with two numbers is not understood, nor is a club with a name that no player can write.
    """
    own: dict[str, int] = {}
    groups: dict[str, int] = {}
    wrong: list[str] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        name, _space, number = line.replace("\t", " ").rpartition(" ")
        name = name.strip(" :–—=-")
        said = countries.get(name.casefold(), "") if by == "country" else name
        group, is_number = group_of(by, said), number.isdecimal() and number.isascii()
        most = int(number) if is_number and len(number) <= LONGEST_NUMBER else MOST_PLACES + 1
        is_read = bool(group) and len(said) <= LONGEST_GROUP and most <= MOST_PLACES
        if not is_read or groups.get(group, most) != most:
            wrong.append(line[:LONGEST_GROUP])
        elif group not in groups:
            own[said] = groups[group] = most
    return Exceptions(own, tuple(wrong))


COUNTRY_FULL = gettext_noop("All %(limit)s places for players of this country are taken: %(name)s.")
CLUB_FULL = gettext_noop("All %(limit)s places for players of this club are taken: %(name)s.")
