"""Clauses as they are cited on pages."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def clause(tag: str) -> SafeString | str:
    """Cite a clause; nothing where none is known."""
    return format_html('<span class="small">[{}]</span>', tag) if tag else ""
