"""The timetable as a calendar file that every calendar takes (RFC 5545)."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from uuid import NAMESPACE_URL, uuid5

from django.utils.translation import gettext as _

from tournaments.calendar import day_after, moved
from tournaments.models import Session, Tournament

TYPE = "text/calendar; charset=utf-8"
LONGEST_LINE = 75
PRODUCT = "-//Four Winds//Timetable//EN"


def timetable(tournament: Tournament, *, address: str) -> str:
    """Write the days of the event, and every session whose time is known, under names that never change."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:{PRODUCT}",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        f"X-WR-CALNAME:{escaped(tournament.name)}",
        f"X-WR-TIMEZONE:{tournament.time_zone}",
        *_days(tournament, address),
    ]
    for session in tournament.sessions.order_by("number"):
        session.tournament = tournament
        lines += _session(session, address)
    lines.append("END:VCALENDAR")
    return "".join(f"{folded(line)}\r\n" for line in lines)


def escaped(text: str) -> str:
    """Write a text so that its commas, semicolons and line breaks are not taken for the file's own."""
    for mark, written in (
        ("\\", "\\\\"),
        (";", "\\;"),
        (",", "\\,"),
        ("\r\n", "\\n"),
        ("\n", "\\n"),
        ("\r", "\\n"),
    ):
        text = text.replace(mark, written)
    return text


def folded(line: str) -> str:
    """Break a line after at most 75 octets, never within a character; a space begins what goes on."""
    parts, taken = [""], 0
    for character in line:
        size = len(character.encode())
        if taken + size > LONGEST_LINE:
            parts.append(" ")
            taken = 1
        parts[-1] += character
        taken += size
    return "\r\n".join(parts)


def _days(tournament: Tournament, address: str) -> Iterator[str]:
    """Write the event as a whole, by days of its own calendar; it ends on the day after its last one."""
    yield from _begin(tournament, "days")
    yield f"DTSTART;VALUE=DATE:{_day(tournament.first_day)}"
    if ends_on := day_after(tournament.last_day):
        yield f"DTEND;VALUE=DATE:{_day(ends_on)}"
    yield f"SUMMARY:{escaped(_called(tournament))}"
    yield "TRANSP:TRANSPARENT"
    yield from _end(tournament, address, tournament.get_system_display())


def _session(session: Session, address: str) -> Iterator[str]:
    """Write one session: from its start, once known, for its minutes, as instants that every zone understands."""
    starts_at = session.started_at or session.planned_at
    if starts_at is None:
        return
    tournament = session.tournament
    ends_at = session.ended_at or session.ends_at or moved(starts_at, minutes=session.minutes)
    local = starts_at.astimezone(tournament.zone).strftime("%H:%M")
    details = _("%(time)s on the clock of %(zone)s.") % {"time": local, "zone": tournament.time_zone}
    yield from _begin(tournament, f"session-{session.number}")
    yield f"DTSTART:{_instant(starts_at)}"
    if (until := max(ends_at, moved(starts_at, minutes=1))) > starts_at:
        yield f"DTEND:{_instant(until)}"
    yield f"SUMMARY:{escaped(f'{_called(tournament)}: {session}')}"
    yield from _end(tournament, address, details)


def _begin(tournament: Tournament, what: str) -> Iterator[str]:
    """Open an entry; its name holds on every address of the site, its number grows with every change."""
    newest = tournament.history.filter(protocol=None).order_by("-number").first()
    name = f"four-winds:{tournament.created_at.isoformat()}:{tournament.pk}:{what}"
    yield "BEGIN:VEVENT"
    yield f"UID:{uuid5(NAMESPACE_URL, name)}"
    yield f"DTSTAMP:{_instant(newest.at if newest else tournament.created_at)}"
    yield f"SEQUENCE:{tournament.entries}"
    if tournament.is_cancelled:
        yield "STATUS:CANCELLED"


def _called(tournament: Tournament) -> str:
    """Name an event; a cancelled one by that word first, for calendars that show nothing else of it."""
    return (
        _("Cancelled: %(name)s") % {"name": tournament.name} if tournament.is_cancelled else tournament.name
    )


def _end(tournament: Tournament, address: str, details: str) -> Iterator[str]:
    where = ", ".join(filter(None, (tournament.venue, tournament.city)))
    if where:
        yield f"LOCATION:{escaped(where)}"
    yield f"DESCRIPTION:{escaped(f'{details}{chr(10)}{address}')}"
    yield f"URL:{address}"
    yield "END:VEVENT"


def _day(day: date) -> str:
    return day.isoformat().replace("-", "")


def _instant(moment: datetime) -> str:
    written = moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds")
    return f"{written.replace('-', '').replace(':', '')}Z"
