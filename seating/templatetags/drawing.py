"""Template helpers that know draws."""

from collections.abc import Mapping
from typing import Any

from django import template

from seating.desk.forms import WINDS
from seating.drafts.queries import news_of
from seating.drafts.reports import translated
from tournaments.models import Session

register = template.Library()


@register.filter
def said(line: Any) -> str:
    """Say a sentence with its details in the reader's language, whether an object or plain values hold it."""
    is_plain = isinstance(line, Mapping)
    sentence: str = line["sentence"] if is_plain else line.sentence
    details: Mapping[str, object] = line["details"] if is_plain else line.details
    return translated(sentence, details)


@register.filter
def at(table: Mapping[Any, Any], key: Any) -> Any:
    """Look something up."""
    return table.get(key)


@register.simple_tag
def wind_choices() -> Any:
    """Return the winds of a locked seat, as they are chosen."""
    return WINDS


@register.simple_tag
def seating_news(session: Session) -> dict[str, Any]:
    """Tell what was changed after the seating became public, and whether winds are drawn with cards."""
    return news_of(session)
