"""Pages in Russian hold no sentence that stayed English, and no page names a tile or a seat by its code."""

import re

import pytest
from django.urls import reverse

from config.tests.test_addresses import LINES, NOWHERE, place
from config.tests.test_terms import known

pytestmark = pytest.mark.django_db

TEXT = re.compile(r"<(script|style|svg|template)\b.*?</\1>|<[^>]+>", re.DOTALL)
TILE_CODE = re.compile(r"(?<![\w-])[mps][1-9](?![\w-])")
CODE = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
ENGLISH = re.compile(r"(?:\b[A-Za-z][a-z']+[,;:]? ){2,}[A-Za-z][a-z']+")
FOR_PROGRAMMERS = {"tournaments:public_api_docs", "tournaments:rulebook"}
"""Pages that name fields, functions and tests."""

WRITTEN_BY_PEOPLE = (
    "Cup of the Four Winds",
    "Samara Bamboo Cranes",
    "The referee counted the third claim twice",
    "The paper protocol says otherwise",
)
"""What the people of the event called things and wrote, in whatever language they like."""


def words_of(page):
    """Return what a reader sees of a page."""
    return " ".join(TEXT.sub(" ", page).split())


def in_russian(at):
    """Choose the Russian words where an address shows those of one language: English mails stay English."""
    return at | {"language": "ru"} if "language" in at else at


def english():
    """Return every marked sentence of three words or more that has no details."""
    sentences = {sentence for english, _russian in known() for _context, sentence in english}
    return [each for each in sentences if "%" not in each and len(each.split()) > 2 and each.isascii()]


def pages_in_russian(world, who, left_out):
    """The words of every page that somebody may look at, with the name of its address."""
    client = world.ours.client(who)
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "ru"
    for name, line in LINES.items():
        if name in left_out or "GET" not in line.methods:
            continue
        response = client.get(reverse(name, kwargs=in_russian(place(name, world.ours))))
        if response.status_code == 200 and "text/html" in response.get("Content-Type", ""):
            yield name, words_of(response.content.decode())


@pytest.mark.parametrize("who", ["anyone", "organizer", "chief_referee"])
def test_no_english_is_left_in_russian_pages_and_no_code_in_any(world, who):
    """[RULES 1.1]"""
    sentences, read, left = english(), 0, []
    for name, page in pages_in_russian(world, who, NOWHERE):
        read += 1
        left += [(name, each) for each in sentences if each in page]
        left += [(name, code) for code in TILE_CODE.findall(page)]
    assert read > 15
    assert left == []


def test_pages_of_everybody_hold_no_unmarked_english_and_no_code_of_ours(world):
    """Whatever nobody marked for translation, and whatever names a state by its code. [RULES 1.1]"""
    read, left = 0, []
    for name, page in pages_in_russian(world, "anyone", NOWHERE | FOR_PROGRAMMERS):
        read += 1
        for written in WRITTEN_BY_PEOPLE:
            page = page.replace(written, "…")
        left += [(name, each) for each in (*ENGLISH.findall(page), *CODE.findall(page))]
    assert read > 15
    assert left == []
