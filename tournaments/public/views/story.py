"""The story of an event: a page, text to copy, and an Atom feed."""

import re
from typing import Any, cast
from xml.etree import ElementTree

from django.http import HttpResponse
from django.urls import reverse
from django.utils import translation
from django.utils.cache import get_conditional_response

from tournaments.models import Tournament
from tournaments.public.queries.story import story_of
from tournaments.standings.queries.table import newest_revision, state_tag
from tournaments.web import rates
from tournaments.web.access import page
from tournaments.web.frame import live_addresses, show
from tournaments.web.requests import Request

TYPE = "application/atom+xml"
ATOM = "http://www.w3.org/2005/Atom"
NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Signs that no XML may hold, not even written as numbers: with one of them no reader takes the feed. (XML 1.0, 2.2)"""


@page("look", is_shared=True, keeps_freeze=True)
def story(request: Request, tournament: Tournament) -> HttpResponse:
    """Tell what happened, session by session, the newest first."""
    return show(
        request,
        "public/story",
        tournament,
        chapters=story_of(tournament),
        revision=newest_revision(tournament),
        **live_addresses(tournament),
    )


@page("look", reading=rates.PROGRAM, keeps_freeze=True)
def feed(request: Request, tournament: Tournament) -> HttpResponse:
    """Return the story as an Atom feed, in the event's own language: readers of feeds say none. (RFC 4287)

    They ask again and again; where nothing happened since, they are told so without the story being worked out.
    """
    tag = state_tag(tournament, request.build_absolute_uri())
    answer: Any = get_conditional_response(request, etag=tag)
    if answer is None:
        address = request.build_absolute_uri(reverse("tournaments:story", args=[tournament.slug]))
        with translation.override(tournament.own_language):
            answer = HttpResponse(_atom(tournament, address), content_type=f"{TYPE}; charset=utf-8")
    answer["ETag"] = tag
    answer["Cache-Control"] = "public, no-cache"
    return cast(HttpResponse, answer)


def _atom(tournament: Tournament, address: str) -> bytes:
    chapters = story_of(tournament)
    updated = max((chapter.at for chapter in chapters), default=tournament.created_at)
    root = ElementTree.Element("feed", {"xmlns": ATOM, "xml:lang": tournament.own_language})
    _add(root, "title", tournament.name)
    _add(root, "id", address)
    _add(root, "updated", updated.isoformat())
    author = ElementTree.SubElement(root, "author")
    _add(author, "name", tournament.name)
    ElementTree.SubElement(root, "link", {"href": address})
    ElementTree.SubElement(root, "link", {"rel": "self", "href": f"{address}feed.atom"})
    for chapter in chapters:
        entry = ElementTree.SubElement(root, "entry")
        own = f"{address}#session-{chapter.number}"
        _add(entry, "title", chapter.title)
        _add(entry, "id", own)
        _add(entry, "updated", chapter.at.isoformat())
        ElementTree.SubElement(entry, "link", {"href": own})
        _add(entry, "content", "\n".join(chapter.lines))
    written: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return written


def _add(parent: ElementTree.Element, name: str, text: str) -> None:
    ElementTree.SubElement(parent, name).text = NOT_IN_XML.sub("", text)
