"""Clauses as they are cited on pages: each opens the reader of its rulebook."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tournaments.web.rulebooks import address_of

register = template.Library()


@register.simple_tag
def clause(tags: str) -> SafeString:
    """Cite one clause or several, each a link to where it is read; what no book has is written as it is."""
    each = [tag for tag in (tags or "").split(", ") if tag]
    return SafeString(" ".join(_cited(tag) for tag in each))


def _cited(tag: str) -> SafeString:
    if address := address_of(tag):
        return format_html('<a class="cited" href="{}">[{}]</a>', address, tag)
    return format_html("[{}]", tag)
