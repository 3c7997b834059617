"""The words of mails, in the player's language; what the desk and a person see of them."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Count
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation

from tournaments.models import Mail, Registration, Tournament
from tournaments.web.access import link_of


def site_origin() -> str:
    """Return the address by which players find the site, for links in mails."""
    if settings.CSRF_TRUSTED_ORIGINS:
        return str(settings.CSRF_TRUSTED_ORIGINS[0])
    return f"http://{settings.LAN_ADDRESSES[0] if settings.LAN_ADDRESSES else 'localhost'}:8000"


def written(mail: Mail) -> tuple[str, str]:
    """Return subject and body of a mail, in its language and with times of the event's own zone."""
    tournament, row = mail.tournament, mail.registration
    own = reverse("tournaments:own_page", args=[tournament.slug, link_of(row)])
    facts = {name: _read(value) for name, value in mail.facts.items()}
    context = {
        "tournament": tournament,
        "registration": row,
        "own_page": f"{site_origin()}{own}",
        "event_page": f"{site_origin()}{tournament.get_absolute_url()}",
        **facts,
    }
    with translation.override(mail.language), timezone.override(tournament.zone):
        text = render_to_string(f"tournaments/mail/{mail.kind}.txt", context)
    subject, _line, body = text.strip().partition("\n")
    return " ".join(subject.split()), f"{body.strip()}\n"


def _read(value: Any) -> Any:
    """Return an instant where a fact is one."""
    if isinstance(value, str) and len(value) > len("2026-01-01T00:00") and value[10:11] == "T":
        try:
            return datetime.fromisoformat(value)
        except ValueError:
            return value
    return value


def sample(tournament: Tournament, kind: str, language: str) -> tuple[str, str]:
    """Return a mail as somebody would get it now, for the desk to look at before any is sent."""
    now = timezone.now()
    row = tournament.registrations.select_related("player").order_by("number").first() or Registration(
        number=1
    )
    row.tournament = tournament
    facts = {
        Mail.Kind.PLACE_OFFERED: {"until": now.isoformat()},
        Mail.Kind.CANCELLED: {"reason": "…"},
        Mail.Kind.SEATS: {"session": 1, "table": 1, "wind": "E", "starts_at": now.isoformat()},
    }.get(Mail.Kind(kind), {})
    return written(Mail(tournament=tournament, registration=row, kind=kind, language=language, facts=facts))


def counts(tournament: Tournament) -> dict[str, int]:
    """Count an event's mails by state."""
    rows = tournament.mails.values_list("state").annotate(n=Count("pk")).order_by()
    return {state: dict(rows).get(state, 0) for state in Mail.State.values}


def copies(registration: Registration) -> list[dict[str, Any]]:
    """Return what was or will be sent to a person, the newest first, each as it reads."""
    rows = registration.mails.select_related("tournament", "registration__player").order_by("-pk")
    return [{"mail": mail, "subject": said[0], "body": said[1]} for mail in rows if (said := written(mail))]
