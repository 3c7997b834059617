"""An event that is held again: what of the regulation goes along, and when its sessions begin."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta, tzinfo
from typing import Any

from scoring.presets import PRESETS
from scoring.regulation import Regulation
from tournaments.sessions.rules.timetable import clock_problems

OF_ANY_SYSTEM = ("sessions", "max_players", "entry_fee", "team_size", "keep_apart")
"""What an organizer decides whatever is played; all else a rulebook says, so another system brings its own."""


def taken_along(regulation: Mapping[str, Any], *, was: str, preset: str) -> dict[str, Any]:
    """Return the values that go along from an event of one preset to one of another. [RULES 1.1]"""
    if was == preset:
        return dict(regulation)
    return {name: regulation[name] for name in OF_ANY_SYSTEM}


def regulation_again(regulation: Mapping[str, Any], *, was: str, preset: str) -> Regulation:
    """Return the regulation of the new event before it exists, so that what differs can be said. [RULES 1.1]"""
    shipped = PRESETS[preset]
    changes = taken_along(regulation, was=was, preset=preset)
    return Regulation.from_json({**shipped.regulation.to_json(), **changes}, system=shipped.system)


def moved_starts(
    starts: Mapping[int, datetime], *, was: date, now: date, zone: tzinfo
) -> dict[int, datetime]:
    """Return the local starts of sessions, as many days later as the event begins; what no clock shows then is left open."""
    days = timedelta(days=(now - was).days)
    moved = {number: start.replace(tzinfo=None) + days for number, start in starts.items()}
    return {number: start for number, start in moved.items() if not clock_problems(start, zone)}
