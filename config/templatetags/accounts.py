"""What the pages of the account ask of the site."""

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def sends_mail() -> bool:
    """Return whether the site can send letters."""
    return bool(settings.SENDS_MAIL)
