"""Template helpers that know the record."""

import secrets
from typing import Any

from django import template
from django.utils.translation import get_language, gettext

from scoring.description import AT_END, AT_WARNING, describe_stages
from scoring.regulation import LastHand
from tournaments.models import Session, Tournament
from tournaments.web.labels import LOOKS

register = template.Library()


@register.filter
def look(row: Any) -> str:
    """Return the look of a row's state or status: idle, wait, live, done, stop or alert."""
    word: str = getattr(row, "state", "") or getattr(row, "status", "")
    return LOOKS.get(word, "idle")


@register.simple_tag
def new_key() -> str:
    """Make the key of one intent, so that a form sent twice counts once."""
    return secrets.token_hex(16)


@register.filter
def stages_begun(tournament: Tournament) -> list[str]:
    """Tell of the stages that have begun: what was carried over, and how many play on. [RULES 9.7]"""
    rules = tournament.regulation_value
    if not rules.stages:
        return []
    begun = tournament.sessions.filter(started_at__isnull=False).order_by("number")
    until = begun.values_list("number", flat=True).last() or 0
    return describe_stages(rules, get_language() or "en", until=until)


@register.filter
def number_of(seat: Any) -> str:
    """Return the number under which the seat's player is registered; a substitute counts for nobody else."""
    for person in (seat.player, seat.kept_for):
        registration = getattr(person, "registration", None)
        if registration is not None:
            return str(registration.number)
    return ""


@register.filter
def called_out(session: Session, stage: str) -> str:
    """Return what is called out in a session at its warning, or at its end ("over"). [RULES 1.4]"""
    regulation = session.regulation or session.tournament.regulation
    sentences = AT_END if stage == "over" else AT_WARNING
    return gettext(sentences[LastHand(regulation["last_hand"])])
