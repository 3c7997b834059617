"""Template helpers that know the record."""

import secrets
from typing import Any

from django import template

from tournaments.labels import LOOKS

register = template.Library()


@register.filter
def look(row: Any) -> str:
    """Give the look of a row's state or status: idle, wait, live, done, stop or alert."""
    return LOOKS.get(getattr(row, "state", None) or getattr(row, "status", ""), "idle")


@register.simple_tag
def new_key() -> str:
    """Make the key of one intent, so that a form sent twice counts once."""
    return secrets.token_hex(16)


@register.filter
def number_of(seat: Any) -> str:
    """Give the number under which the seat's player is registered; a substitute counts for nobody else."""
    for person in (seat.player, seat.kept_for):
        registration = getattr(person, "registration", None)
        if registration is not None:
            return str(registration.number)
    return ""
