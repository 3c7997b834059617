"""Whom the site trusts with a place on its home page, how many events an account may make, and what an operator may do."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from scoring.problems import Problem, gettext_noop


class Policy(StrEnum):
    """Who may make events: every account, or those that the operator has approved."""

    OPEN = "open"
    APPROVAL = "approval"


@dataclass(frozen=True)
class Organizer:
    """What the site knows of an account: run by an operator, approved by one, or seen to hold an event that was played."""

    is_operator: bool = False
    is_approved: bool = False
    has_held_an_event: bool = False

    @property
    def is_trusted(self) -> bool:
        """Return whether an operator, or an event that was really played, speaks for the account."""
        return self.is_operator or self.is_approved or self.has_held_an_event


@dataclass(frozen=True)
class Limits:
    """How many events one account may make in 24 hours, and how many drafts it may have at a time."""

    a_day: int
    drafts: int


def creation_problems(
    organizer: Organizer, policy: str, limits: Limits, *, made_today: int, drafts: int, has_operator: bool
) -> list[Problem]:
    """Return why an account may not make an event now. Operators have no limits; without one nobody waits for approval."""
    if organizer.is_operator:
        return []
    if policy == Policy.APPROVAL and has_operator and not organizer.is_trusted:
        return [Problem("approval_needed", APPROVAL_NEEDED)]
    if made_today >= limits.a_day:
        return [Problem("slow_down", TOO_MANY_A_DAY, details={"n": limits.a_day})]
    if drafts >= limits.drafts:
        return [Problem("too_many_drafts", TOO_MANY_DRAFTS, details={"n": drafts})]
    return []


def waits_for_operator(organizer: Organizer, *, has_operator: bool) -> bool:
    """Return whether a new event stays off the lists until the operator has seen it.

    Time alone earns no place there, nor do players whom anybody can invent. A site without an operator lists at once,
    since nobody could.
    """
    return has_operator and not organizer.is_trusted


MOVES: Mapping[str, frozenset[str]] = {
    "listed": frozenset({"hidden", "withheld", "archived"}),
    "awaiting": frozenset({"listed", "hidden", "withheld", "archived"}),
    "hidden": frozenset({"listed", "withheld", "archived"}),
    "withheld": frozenset({"listed", "hidden", "archived"}),
    "archived": frozenset({"listed", "hidden", "withheld"}),
    "deleted": frozenset(),
}
"""To which listing an operator may take an event from each."""


def listing_problems(before: str, after: str, *, is_running: bool) -> list[Problem]:
    """Return why an event cannot be listed otherwise; nobody archives one that is being played."""
    if after not in MOVES[before]:
        return [Problem("wrong_state", CANNOT_MOVE)]
    if after == "archived" and is_running:
        return [Problem("wrong_state", IN_PLAY)]
    return []


APPROVAL_NEEDED = gettext_noop(
    "On this site the operator approves organizers first. Your account waits for it; the operator sees it in a list."
)
TOO_MANY_A_DAY = gettext_noop(
    "This account has made %(n)s events in 24 hours, which is as many as it may. Nothing was lost; try again tomorrow."
)
TOO_MANY_DRAFTS = gettext_noop(
    "This account has %(n)s drafts, which is as many as it may. Announce or delete one of them first."
)
CANNOT_MOVE = gettext_noop("The event is listed so already, or was deleted. Reload the page.")
IN_PLAY = gettext_noop("The event is in play. Archive it when it is over.")
