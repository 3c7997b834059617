"""The ends of the calendar: what would lie beyond them lies upon them, so that every record can be shown."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

FIRST, LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(microsecond=0, tzinfo=UTC)


class Zone(ZoneInfo):
    """A time zone in which even the first and the last hours of the calendar have a time: there, that of UTC."""

    def fromutc(self, moment: datetime, /) -> datetime:
        """Return the local time of an instant."""
        try:
            return super().fromutc(moment)
        except OverflowError:
            return moment


def moved(moment: datetime, *, minutes: int = 0, seconds: int = 0) -> datetime:
    """Return the instant so much later, or the first or last one of the calendar."""
    try:
        return moment + timedelta(minutes=minutes, seconds=seconds)
    except OverflowError:
        return (LAST if minutes * 60 + seconds > 0 else FIRST).astimezone(moment.tzinfo)


def day_after(day: date) -> date | None:
    """Return the next day, unless there is none."""
    return None if day == date.max else day + timedelta(days=1)
