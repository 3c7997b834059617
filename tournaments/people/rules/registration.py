"""Who may register, when, and who is on the list already."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from scoring.problems import Problem, gettext_noop
from tournaments.people.rules.names import search_key


@dataclass(frozen=True)
class Listed:
    """Somebody on the list, as far as doubles are concerned."""

    number: int
    name: str
    city: str = ""
    federation_ids: frozenset[str] = frozenset()


def window_problems(
    now: datetime, opens_at: datetime | None, closes_at: datetime | None, *, is_open: bool, closed_on: str
) -> list[Problem]:
    """Refuse before the window, after it, and once the tournament is in play. [RULES 1.2]"""
    if not is_open or (closes_at is not None and now >= closes_at):
        return [
            Problem(
                "registration_closed",
                gettext_noop("Registration closed on %(date)s. Contact the organizer.")
                if closed_on
                else gettext_noop("Registration is closed. Contact the organizer."),
                details={"date": closed_on} if closed_on else {},
            )
        ]
    if opens_at is not None and now < opens_at:
        return [Problem("registration_closed", gettext_noop("Registration has not opened yet."))]
    return []


def double_problems(
    name: str, city: str, listed: Iterable[Listed], *, federation_ids: Iterable[str] = ()
) -> list[Problem]:
    """Find the same person on the list: same name and city, a name that only looks different, the same number."""
    key, ids = search_key(name), frozenset(federation_ids)
    for other in listed:
        if ids & other.federation_ids:
            return [
                Problem(
                    "fed_id_taken",
                    gettext_noop(
                        "This federation number belongs to another player of the event; contact the organizer."
                    ),
                    field="ema_number",
                )
            ]
        if search_key(other.name) != key:
            continue
        exact = other.name == name and search_key(other.city) == search_key(city)
        sentence = (
            gettext_noop(
                "%(name)s is already registered (no. %(n)s). Tick “another person with this name” if that is so."
            )
            if exact
            else gettext_noop("Looks like %(name)s, no. %(n)s. Confirm that this is another person.")
        )
        code = "already_registered" if exact else "possible_duplicate"
        return [Problem(code, sentence, field="name", details={"name": other.name, "n": other.number})]
    return []


def is_full(active: int, limit: int | None) -> bool:
    """Return whether the maximum of participants is reached. [RIICHI reg. 2]"""
    return limit is not None and active >= limit
