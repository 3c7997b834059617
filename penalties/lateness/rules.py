"""What minutes of lateness bring: the consequence now, the thresholds ahead, and who can no longer play."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from scoring.problems import Problem, gettext_noop
from scoring.regulation import LatenessBand, LatenessRules

LONGEST = 24 * 60 * 60


@dataclass(frozen=True)
class Consequence:
    """What an arrival so many seconds after the start costs, or that the player is replaced."""

    seconds: int
    points: int = 0
    is_replaced: bool = False


@dataclass(frozen=True)
class Threshold:
    """From which second on the next consequence holds."""

    seconds: int
    points: int
    is_replaced: bool


def elapsed(start: datetime, now: datetime) -> int:
    """Count whole seconds between two instants; clocks that are put forward or back change nothing. [RULES 8.2]"""
    return max(0, (now - start) // timedelta(seconds=1))


def consequence(rules: LatenessRules | None, seconds: int) -> Consequence:
    """Return what an arrival so late brings. [SBR 2.8.4.5] [RIICHI 5.7] [RULES 8.2] [RULES 8.5] [RULES 8.37]"""
    if rules is None:
        return Consequence(seconds)
    band = rules.band(seconds)
    if band is None:
        return Consequence(seconds, is_replaced=True)
    return Consequence(seconds, band.cost(seconds))


def thresholds(rules: LatenessRules | None) -> list[Threshold]:
    """List from when on each band holds, and when the player is replaced; per minute, every minute is one."""
    return list(_thresholds(rules)) if rules else []


def _thresholds(rules: LatenessRules) -> Iterator[Threshold]:
    begins = 0
    for band in rules.bands:
        end = _end(band)
        if band.points is not None:
            yield Threshold(begins, band.points, is_replaced=False)
        else:
            for second in range(begins or 1, end + 1, 60):
                yield Threshold(second, band.cost(second), is_replaced=False)
        begins = end + 1
    yield Threshold(begins, 0, is_replaced=True)


def _end(band: LatenessBand) -> int:
    """Return the last second that still falls into the band."""
    return band.below - 1 if band.below is not None else band.up_to or 0


def return_problems(
    rules: LatenessRules | None, seconds: int | None, *, name: str, session: int
) -> list[Problem]:
    """Return why a late player may not take their seat again: beyond the last band the session is lost.

    Whoever was replaced while still awaited has an arrival to be noted first. [SBR 2.8.4.5] [RIICHI 5.7] [RULES 9.9]
    """
    if rules is None:
        return []
    if seconds is None:
        return [Problem("arrival_needed", ARRIVAL, clause="SBR 2.8.4.5", details={"name": name})]
    if consequence(rules, seconds).is_replaced:
        return [
            Problem("came_too_late", TOO_LATE, clause="SBR 2.8.4.5", details={"name": name, "n": session})
        ]
    return []


def seconds_problems(seconds: int) -> list[Problem]:
    """Return why so many seconds are refused: a lateness lies between nothing and a day."""
    if 0 <= seconds <= LONGEST:
        return []
    return [Problem("out_of_range", SECONDS, "minutes", "SBR 2.8.4.5")]


ARRIVAL = gettext_noop("Note first when %(name)s came: under “Lateness”, press “Here now”.")
TOO_LATE = gettext_noop(
    "%(name)s came too late for session %(n)s, so its result is fixed. To let the player sit all the same, "
    "forgive the lateness first."
)
SECONDS = gettext_noop("Write minutes and seconds after the start, such as 12:30.")
OUTSIDE = gettext_noop("Write a time from %(start)s to %(end)s.")
