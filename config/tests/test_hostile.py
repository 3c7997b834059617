"""Whatever people type, every page, print, file and feed shows it as text, in both languages, to every role."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import reverse

from config.tests.deeds import DEEDS, WITHOUT_SLUG, send
from config.tests.hostile import REASON, TEXT, faults_of, make_hostile_world
from config.tests.scene import parts_of
from config.tests.test_addresses import LINES, NOWHERE, ROLES, place
from config.tests.world import Event, World, undone
from tournaments.exchange import tables
from tournaments.web import files

pytestmark = pytest.mark.django_db

LANGUAGES = ("en", "ru")
READERS = ("anyone", "organizer", "chief_referee", "referee", "scorer", "committee", "operator")
OTHERS_READ_THE_SAME = {"referee", "scorer", "committee"}
WALKS = [
    (who, language)
    for who in READERS
    for language in LANGUAGES
    if language == "ru" or who not in OTHERS_READ_THE_SAME
]


@pytest.fixture(scope="module")
def hostile(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """The hostile world, made once for this module."""
    with django_db_blocker.unblock(), undone():
        yield make_hostile_world()


def addresses(event: Event, *, is_public: bool) -> list[str]:
    """List every address of the event that is read, with every number, sheet and form that there is."""
    found = []
    for name, line in LINES.items():
        is_open = bool(ROLES[line.capability] & {"anyone", "player"})
        if "GET" in line.methods and name not in NOWHERE and (is_public or not is_open):
            found += [reverse(name, kwargs=at) for at in fillings(name, parts_of(name), event)]
    return found


def fillings(name: str, parts: set[str], event: Event) -> list[dict[str, Any]]:
    """Return the ways to fill an address in; rows of every kind, and of tables those that are told apart."""
    ways: list[dict[str, Any]] = [{}]
    for part in sorted(parts):
        ways = [way | {part: value} for way in ways for value in values_of(name, part, event)]
    return ways


def values_of(name: str, part: str, event: Event) -> list[Any]:
    """Return what can stand in a part of an address."""
    if part == "number":
        return numbers(name, event)
    if part == "link" and name == "tournaments:invitation":
        return [event.invitation]
    if part == "link" and name not in WITHOUT_SLUG:
        return [event.link(event.player_at(1, 1, "E").number), event.link(9)]
    several = {
        "session": [1, 2, 3],
        "table": [1, 2],
        "language": list(LANGUAGES),
        "sheet": list(tables.PUBLIC),
        "form": list(files.TYPES),
    }
    return several.get(part) or [place(name, event)[part]]


def numbers(name: str, event: Event) -> list[int]:
    """Return the numbers of the rows that an address shows."""
    if name.startswith("seating:"):
        return [event.drafts["draft"]]
    if "penalt" in name.partition(":")[2] or "revoke" in name:
        return [1, 3, 5]
    if "file" in name:
        return [1]
    if "appeal" in name or name.endswith(("decide", "receipt")):
        return [1, 2, 3, 4]
    if "lateness" in name:
        return [event.player_at(2, 2, "S").number]
    return [1] if "correct" in name else [1, 9]


@pytest.mark.once
@pytest.mark.parametrize(("who", "language"), WALKS)
def test_every_page_and_file_shows_text_as_text(hostile, who, language):
    """No markup, no formula, no calendar entry, no hole in a sentence, no English on a Russian page, no 5xx.

    What is open to everybody is read as a stranger without an account and as the organizer; staff read the desk. Every page
    is read in both languages by somebody: those whose pages others read too do so in Russian alone.
    """
    client = hostile.ours.client(who)
    wrong = []
    for url in addresses(hostile.ours, is_public=who in {"anyone", "organizer"}):
        response = client.get(url, headers={"Accept-Language": language})
        told = "" if url == NAMES_FIELDS or is_of_another(url, language) else language
        wrong += [f"{url}: {fault}" for fault in faults_of(response, told)]
    assert not wrong, "\n".join(wrong)


MAIL = re.compile(r"/people/mails/\w+/(?P<language>[a-z]+)/$")
NAMES_FIELDS = "/api/docs/"
"""The page of the API names fields in the API's own words."""


def is_of_another(url: str, language: str) -> bool:
    """Return whether a page shows the words of mails in another language than its own."""
    found = MAIL.search(url)
    return found is not None and found["language"] != language


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", DEEDS)
def test_what_was_typed_comes_back_as_text(hostile, name, language):
    """Every form and body with a bad text in every field that takes text, a long one and a short: refused or taken, and shown."""
    event, deed, wrong = hostile.ours, DEEDS[name], []
    client = event.client(deed.by)
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    with undone():
        deed.before(event)
        body = deed.body(event)
        bad = TEXT if language == "en" or deed.is_json else REASON
        typed = {part: bad if is_text(part, value) else value for part, value in body.items()}
        if typed != body:
            response = send(client, name, event, deed, body=typed)
            wrong += faults_of(response, language)
            if response.status_code == 302:
                wrong += faults_of(client.get(response["Location"]), language)
    event.refresh()
    assert not wrong, "\n".join(wrong)


TYPED = {
    "reason",
    "text",
    "name",
    "city",
    "message",
    "seed",
    "place",
    "reasons",
    "username",
    "override",
    "clause",
    "region",
    "club",
}


def is_text(part: str, value: Any) -> bool:
    """Return whether a field takes what people like to type."""
    return part in TYPED and isinstance(value, str)
