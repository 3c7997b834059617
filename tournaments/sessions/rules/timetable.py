"""When sessions begin: in order, and at local times that exist."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from scoring.problems import Problem, gettext_noop
from tournaments.calendar import moved


@dataclass(frozen=True)
class Slot:
    """A session, when it begins, and how long it lasts."""

    number: int
    starts_at: datetime | None
    minutes: int


def order_problems(slots: Sequence[Slot], zone: tzinfo) -> list[Problem]:
    """Refuse a session that would begin before an earlier one ends. [INTEGRITY 68]"""
    problems = []
    before: Slot | None = None
    ends_at: datetime | None = None
    for slot in sorted(slots, key=lambda slot: slot.number):
        if slot.starts_at is None:
            continue
        if before is not None and ends_at is not None and slot.starts_at < ends_at:
            sentence = gettext_noop("Session %(r)s would start before session %(q)s ends (%(time)s).")
            time = ends_at.astimezone(zone).strftime("%H:%M")
            details = {"r": slot.number, "q": before.number, "time": time}
            problems.append(Problem("time_order", sentence, f"session_{slot.number}", details=details))
        before, ends_at = slot, moved(slot.starts_at, minutes=slot.minutes)
    return problems


def clock_problems(local: datetime, zone: tzinfo, *, field: str = "") -> list[Problem]:
    """Refuse a local time that clocks skip, or show twice, on that day. [INTEGRITY 69]"""
    early, late = local.replace(tzinfo=zone, fold=0), local.replace(tzinfo=zone, fold=1)
    if early.utcoffset() == late.utcoffset():
        return []
    is_shown = early.astimezone(UTC).astimezone(zone).replace(tzinfo=None) == local
    sentence = (
        gettext_noop("At this date %(time)s occurs twice in %(zone)s; choose another time.")
        if is_shown
        else gettext_noop("At this date %(time)s does not exist in %(zone)s; choose another time.")
    )
    return [Problem("time_ambiguous", sentence, field, details={"time": f"{local:%H:%M}", "zone": str(zone)})]
