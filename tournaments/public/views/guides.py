"""Help to read before an event or to print: a guide for organizers, a page for referees, a page for scorers."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from tournaments.web.access import page
from tournaments.web.requests import Request

GUIDES: dict[str, str | Promise] = {
    "organizer": _("Guide for organizers"),
    "referee": _("Guide for referees"),
    "scorer": _("Guide for scorers"),
}
PICTURES = ("desk", "door", "draw", "hall", "penalty", "standings", "tablet")
"""What `python -m config.tools.guide_pictures` takes, in each language, into `static/img/help/`."""


@page("look")
def guides(request: Request) -> HttpResponse:
    """List the guides."""
    return render(request, "tournaments/help/guides.html")


@page("look")
def guide(request: Request, guide: str) -> HttpResponse:
    """Show one guide, with pictures in the reader's language."""
    if guide not in GUIDES:
        raise Http404
    folder = f"img/help/{get_language() or 'en'}"
    pictures = {name: f"{folder}/{name}.webp" for name in PICTURES}
    return render(request, f"tournaments/help/{guide}.html", {"title": GUIDES[guide], "pictures": pictures})
