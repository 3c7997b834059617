"""Tables with fewer players than seats: whether they play, where the gap stands, and what there is to do about it."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

Player = TypeVar("Player", bound=Hashable)


class Outcome(StrEnum):
    """Whether a table plays, plays short, or does not play."""

    FULL = "full"
    SHORT = "short"
    NOT_PLAYED = "not_played"


class Gap(StrEnum):
    """Where the empty seat of an incomplete table is."""

    AT_ITS_TABLE = "at_its_table"
    LAST_TABLE = "last_table"
    NORTH = "north"


class Remedy(StrEnum):
    """What can be done about players who do not fill a table."""

    SUBSTITUTES = "substitutes"
    SHORT_TABLE = "short_table"
    AWARDED = "awarded"


@dataclass(frozen=True)
class Proposal:
    """One remedy: how many seats are filled or played with, and where the gap goes."""

    remedy: Remedy
    people: int
    gap: Gap | None = None


def outcome(present: int, *, table_size: int, smallest_table: int) -> Outcome:
    """Return whether a table with so many players plays, plays short, or does not play. [SBR 3.1.3] [RULES 8.33] [RULES 8.34]"""
    if present >= table_size:
        return Outcome.FULL
    return Outcome.SHORT if present >= smallest_table else Outcome.NOT_PLAYED


def gap(seating: str) -> Gap:
    """Return where the empty seat is: at its table of a fixed schedule, at the last table, or North. [SBR 3.1.3] [RULES 1.3]"""
    places = {"fixed": Gap.AT_ITS_TABLE, "programmed": Gap.LAST_TABLE, "swiss": Gap.LAST_TABLE}
    return places.get(seating, Gap.NORTH)


def proposals(
    over: int, *, table_size: int, smallest_table: int, substitutes: int, seating: str
) -> tuple[Proposal, ...]:
    """List what can be done about players left over, the best first: substitutes before anything else. [SBR 3.1.2]"""
    if over % table_size == 0:
        return ()
    missing = table_size - over
    found = []
    if missing <= substitutes:
        found.append(Proposal(Remedy.SUBSTITUTES, missing))
    elif over < smallest_table <= over + substitutes:
        found.append(Proposal(Remedy.SUBSTITUTES, substitutes, gap(seating)))
    remedy = Remedy.SHORT_TABLE if over >= smallest_table else Remedy.AWARDED
    return (*found, Proposal(remedy, over, gap(seating)))


def more_than_once(times: Mapping[Player, int], players: Iterable[Player]) -> list[Player]:
    """List those who would be at an incomplete table a second time. [SBR 3.1.4] [RULES 8.33]"""
    return [player for player in players if times.get(player, 0) > 0]
