"""Who may not take part: removed from this event, or disqualified by another one until a later day."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from scoring.problems import Problem, gettext_noop
from tournaments.people.rules.names import alphabet_key, search_key


class Named(Protocol):
    """What carries a person's marks: a player, a registration form that was read, a row of an import."""

    @property
    def name(self) -> str: ...
    @property
    def city(self) -> str: ...
    @property
    def federation_ids(self) -> Mapping[str, str]: ...


@dataclass(frozen=True)
class Person:
    """What tells one person from another: the number of a federation, else name and city."""

    name: str
    city: str = ""
    federation_ids: frozenset[tuple[str, str]] = frozenset()
    folded: str = ""

    @classmethod
    def of(cls, somebody: Named) -> "Person":
        """Read the marks of a player, or of whoever wants to be one."""
        return cls.known_as(somebody.name, somebody.city, somebody.federation_ids)

    @classmethod
    def known_as(cls, name: str, city: str, federation_ids: Mapping[str, str]) -> "Person":
        """Read what is known of somebody."""
        return cls(search_key(name), search_key(city), frozenset(federation_ids.items()), alphabet_key(name))

    def is_same(self, other: "Person") -> bool:
        """Return whether two are one person, as far as this can be known."""
        by_name = bool(self.name) and (self.name, self.city) == (other.name, other.city)
        return by_name or bool(self.federation_ids & other.federation_ids)

    def may_be(self, other: "Person") -> bool:
        """Return whether two may be one person: by name in any alphabet, whatever city or number. [RULES 8.56]"""
        return self.is_same(other) or (bool(self.folded) and self.folded == other.folded)


@dataclass(frozen=True)
class Bar:
    """Somebody who may not play: by a decision at another event, until a day or until it is lifted, or here for the rest of it."""

    person: Person
    number: int
    event: str = ""
    until: date | None = None
    is_here: bool = False


def bar_against(person: Person, bars: Iterable[Bar], *, but: Collection[int] = ()) -> Bar | None:
    """Find what keeps somebody out; the longest bar tells the day. [SBR 2.8.5]"""
    found = [bar for bar in bars if bar.number not in but and bar.person.is_same(person)]
    return max(found, key=lambda bar: bar.until or date.max, default=None)


def question_about(person: Person, bars: Iterable[Bar], *, but: Collection[int] = ()) -> Bar | None:
    """Find whom somebody may be, for the desk to look at. [SBR 2.8.5] [RULES 8.56]"""
    found = [bar for bar in bars if bar.number not in but and bar.person.may_be(person)]
    return max(found, key=lambda bar: bar.until or date.max, default=None)


def bar_problems(
    name: str, bar: Bar | None, *, is_desk: bool, is_overridden: bool, until: str = ""
) -> list[Problem]:
    """Refuse whoever registers alone; the desk may decide otherwise, with a reason. [SBR 2.8.5] [RULES 1.8]"""
    if bar is None or (is_desk and is_overridden):
        return []
    if bar.is_here:
        sentence = REMOVED_DESK if is_desk else REMOVED_STRANGER
    elif bar.until:
        sentence = DESK if is_desk else STRANGER
    else:
        sentence = ENDLESS_DESK if is_desk else ENDLESS_STRANGER
    details = {"name": name, "until": until, "event": bar.event}
    return [Problem("disqualified", sentence, "name", "SBR 2.8.5", details)]


STRANGER = gettext_noop(
    "%(name)s is disqualified until %(until)s and cannot be registered here. Contact the organizer."
)
ENDLESS_STRANGER = gettext_noop(
    "%(name)s is disqualified until that is lifted and cannot be registered here. Contact the organizer."
)
ENDLESS_DESK = gettext_noop(
    "%(name)s is disqualified without an end by a decision at “%(event)s”. "
    "If it is another person, or is to play nevertheless, add this player alone and say why."
)
REMOVED_STRANGER = gettext_noop(
    "%(name)s was removed from this event and cannot be registered again. Contact the organizer."
)
DESK = gettext_noop(
    "%(name)s is disqualified until %(until)s by a decision at “%(event)s”. "
    "If it is another person, or is to play nevertheless, add this player alone and say why."
)
REMOVED_DESK = gettext_noop(
    "%(name)s was removed from this event. "
    "If it is another person, or is to play nevertheless, add this player alone and say why."
)
