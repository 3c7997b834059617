"""People read the number that a table bears in the hall, and never the one within the event, wherever they read it."""

import re
import zipfile
from io import BytesIO

import pytest
from django.db.models import F
from django.urls import reverse

from config.tests.test_addresses import LINES, NOWHERE, place
from tournaments.models import Table, Tournament
from tournaments.standings.operations.recompute import recompute
from tournaments.table_numbers import counting_from, number_within, shown_number

pytestmark = pytest.mark.django_db

MOVED, FIRST = 770, 3001
"""Within the event tables are called 771 and so on, as no other number on any page is, but in addresses; in the hall 3771."""
WITHIN, IN_THE_HALL = re.compile(r"(?<![\w=-])77[1-9](?![\w-])"), re.compile(r"(?<!\d)377[1-9](?!\d)")
UNSEEN = re.compile(r"<(script|style|svg|template)\b.*?</\1>", re.DOTALL)
SAID = re.compile(r"\b(?:aria-label|title|alt|placeholder|content)=\"([^\"]*)\"")
TAG = re.compile(r"<[^>]+>")


@pytest.fixture
def hall(world):
    """An event whose tables are 771 and so on within it, and 3771 in the hall; with the places that its addresses name."""
    of = world.ours.tournament
    places = {name: place(name, world.ours) for name in LINES if name not in NOWHERE}
    Table.objects.filter(session__tournament=of).update(number=F("number") + MOVED)
    Tournament.objects.filter(pk=of.pk).update(first_table=FIRST)
    recompute(of.pk)
    return world.ours, places


def seen(response):
    """Return what a person reads of an answer: a page with what is read aloud, a file, a workbook."""
    kind = response.get("Content-Type", "")
    body = b"".join(response.streaming_content) if response.streaming else response.content
    if "spreadsheet" in kind:
        book = zipfile.ZipFile(BytesIO(body))
        cells = b" ".join(book.read(name) for name in book.namelist() if "sheets/" in name)
        return TAG.sub(" ", cells.decode())
    if "json" in kind or not kind.startswith(("text/", "application/atom")):
        return ""
    text = UNSEEN.sub(" ", body.decode())
    return " ".join([*SAID.findall(text), " ".join(TAG.sub(" ", text).split())])


@pytest.mark.parametrize("who", ["anyone", "organizer", "chief_referee"])
def test_no_page_and_no_file_calls_a_table_by_its_number_within_the_event(hall, who):
    """[RULES 9.41]"""
    event, places = hall
    client, left, shows = event.client(who), [], set()
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    for name, line in LINES.items():
        if name in NOWHERE or "GET" not in line.methods:
            continue
        at = places[name]
        at = {**at, "table": int(at["table"]) + MOVED} if "table" in at else at
        response = client.get(reverse(name, kwargs=at))
        if response.status_code != 200:
            continue
        text = seen(response)
        left += [
            (name, text[max(0, found.start() - 40) : found.end() + 20]) for found in WITHIN.finditer(text)
        ]
        shows |= {name} if IN_THE_HALL.search(text) else set()
    assert left == []
    assert len(shows) > 8


def test_numbers_go_there_and_back():
    """[RULES 9.41]"""
    with counting_from(13):
        assert [shown_number(1), number_within(13), number_within(12)] == [13, 1, 0]
    assert shown_number(1) == 1
    assert shown_number(2, Tournament(first_table=101)) == 102
