"""What search engines and messengers are told of an event: in a sentence, and as data."""

import json
from typing import Any

from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from tournaments.models import Tournament

NEVER_IN_SCRIPTS = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


def in_words(tournament: Tournament) -> str:
    """Say what is played, when and where."""
    said = [tournament.get_system_display(), days(tournament), tournament.city, tournament.venue]
    text = f"{tournament}: {', '.join(filter(None, said))}."
    return f"{_('The event is cancelled.')} {text}" if tournament.is_cancelled else text


def days(tournament: Tournament) -> str:
    """Write the days of an event in the reader's language."""
    first, last = tournament.first_day, tournament.last_day
    if first == last:
        return date_format(first, "j E Y")
    return (
        f"{date_format(first, 'j E' if first.year == last.year else 'j E Y')} – {date_format(last, 'j E Y')}"
    )


def event_data(tournament: Tournament, *, url: str, site: str, picture: str) -> SafeString:
    """Tell of an event in the vocabulary of schema.org; the browser runs nothing of it."""
    place = ", ".join(filter(None, (tournament.venue, tournament.city)))
    said: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "SportsEvent",
        "name": str(tournament),
        "description": in_words(tournament),
        "sport": "Mahjong",
        "startDate": tournament.first_day.isoformat(),
        "endDate": tournament.last_day.isoformat(),
        "eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode",
        "eventStatus": f"https://schema.org/Event{'Cancelled' if tournament.is_cancelled else 'Scheduled'}",
        "inLanguage": tournament.own_language,
        "url": url,
        "image": [picture],
        "organizer": {"@type": "Organization", "name": str(tournament), "url": site},
    }
    if place:
        address = tournament.city or place
        said["location"] = {"@type": "Place", "name": tournament.venue or tournament.city, "address": address}
    text = json.dumps(said, ensure_ascii=False).translate(NEVER_IN_SCRIPTS)
    return format_html('<script type="application/ld+json">{}</script>', mark_safe(text))  # noqa: S308 -- no sign of markup is left
