"""The words of mails, in the player's language; what the desk and a person see of them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Count
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format

from tournaments.models import Mail, MailText, Player, Registration, Tournament
from tournaments.models.play import Wind
from tournaments.people.queries.places import quota_sentence
from tournaments.people.rules.mail_texts import filled, words_of
from tournaments.table_numbers import shown_number
from tournaments.web.access import link_of

KINDS = Mail.Kind


def site_origin() -> str:
    """Return the address by which players find the site, for links in mails."""
    if settings.CSRF_TRUSTED_ORIGINS:
        return str(settings.CSRF_TRUSTED_ORIGINS[0])
    return f"http://{settings.LAN_ADDRESSES[0] if settings.LAN_ADDRESSES else 'localhost'}:8000"


def values_of(mail: Mail) -> dict[str, str]:
    """Return what a mail tells, in words of the active language and times of the active zone."""
    tournament, row, facts = mail.tournament, mail.registration, mail.facts
    own = reverse("tournaments:own_page", args=[tournament.slug, link_of(row)])
    standing = (
        tournament.standings.filter(player=row.player_id).first() if mail.kind == KINDS.RESULTS else None
    )
    told = {
        "name": str(row.player),
        "event": tournament.name,
        "page": f"{site_origin()}{own}",
        "event_page": f"{site_origin()}{tournament.get_absolute_url()}",
        "number": row.number,
        "until": _moment(facts.get("until")),
        "start": _moment(facts.get("starts_at")),
        "session": facts.get("session"),
        "table": shown_number(facts["table"], tournament) if facts.get("table") else None,
        "seat": str(Wind(facts["wind"]).label) if facts.get("wind") else "",
        "reason": facts.get("reason"),
        "amount": facts.get("amount"),
        "place": standing.place if standing else facts.get("place"),
        "players": tournament.standings.exclude(place=None).count() or facts.get("players"),
    }
    return {word: "" if value is None else str(value) for word, value in told.items()}


def _moment(written: str | None) -> str:
    """Return an instant as people write it; nothing where it is not known."""
    return date_format(timezone.localtime(datetime.fromisoformat(written)), "j E, H:i") if written else ""


def written(mail: Mail) -> tuple[str, str]:
    """Return subject and body of a mail, in its language and with times of the event's own zone."""
    with translation.override(mail.language), timezone.override(mail.tournament.zone):
        values = values_of(mail)
        if mail.text is not None:
            subject, body = filled(mail.text.subject, values), filled(mail.text.body, values)
        else:
            mail.registration.tournament = mail.tournament
            values["why"] = quota_sentence(mail.registration)
            subject, body = _shipped(mail.kind, values, is_waiting=_waits(mail.registration))
    return " ".join(subject.split()), f"{body.strip()}\n"


def shipped(kind: str, language: str) -> tuple[str, str]:
    """Return the shipped words of a kind with the words in braces that stand for what it tells."""
    with translation.override(language):
        subject, body = _shipped(kind, {word: f"{{{word}}}" for word in words_of(kind)}, is_waiting=False)
    return " ".join(subject.split()), body.strip()


def _shipped(kind: str, values: Mapping[str, str], *, is_waiting: bool) -> tuple[str, str]:
    text = render_to_string(f"tournaments/mail/{kind}.txt", {**values, "is_waiting": is_waiting})
    subject, _line, body = text.strip().partition("\n")
    return subject, body


def _waits(row: Registration) -> bool:
    return row.status == Registration.Status.WAITING


def own_texts(tournament: Tournament) -> dict[tuple[str, str], MailText]:
    """Return the texts that the organizer wrote for new mails, by kind and language."""
    return {(row.kind, row.language): row for row in tournament.mail_texts.filter(is_current=True)}


def sample(tournament: Tournament, kind: str, language: str, text: MailText | None = None) -> tuple[str, str]:
    """Return a mail as somebody would get it now, for the desk to look at before any is sent; by the words that are tried, if any."""
    now = timezone.now().isoformat()
    row = tournament.registrations.select_related("player").order_by("number").first()
    row = row or Registration(number=1, player=Player(tournament=tournament, name="…"))
    row.tournament = tournament
    seat = {"session": 1, "table": 1, "wind": "E", "starts_at": now}
    facts = {
        KINDS.PLACE_OFFERED: {"until": now},
        KINDS.CANCELLED: {"reason": "…"},
        KINDS.SEATS: seat,
        KINDS.SEAT_CHANGED: {**seat, "reason": "…"},
        KINDS.RESULTS: {"place": 1, "players": 1},
        KINDS.RECEIPT: {"amount": fee_of(tournament)},
    }.get(KINDS(kind), {})
    text = text or own_texts(tournament).get((kind, language))
    mail = Mail(tournament=tournament, registration=row, kind=kind, language=language, facts=facts, text=text)
    return written(mail)


def fee_of(tournament: Tournament) -> str:
    """Return what a player pays, with its currency."""
    return f"{tournament.regulation['entry_fee']} {tournament.currency}".strip()


def counts(tournament: Tournament) -> dict[str, int]:
    """Count an event's mails by state."""
    rows = tournament.mails.values_list("state").annotate(n=Count("pk")).order_by()
    return {state: dict(rows).get(state, 0) for state in Mail.State.values}


def copies(registration: Registration) -> list[dict[str, Any]]:
    """Return what was or will be sent to a person, the newest first, each as it reads; a place that a freeze hides is not told.

    [RULES 9.15]
    """
    rows = registration.mails.select_related("tournament", "registration__player", "text").order_by("-pk")
    if registration.tournament.is_frozen:
        rows = rows.exclude(kind=KINDS.RESULTS)
    return [{"mail": mail, "subject": said[0], "body": said[1]} for mail in rows if (said := written(mail))]
