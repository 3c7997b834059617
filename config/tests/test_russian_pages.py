"""Pages in Russian hold no word that stayed English, and no page in either language names anything by a code of ours."""

import re
from functools import cache
from html import unescape

import pytest
from django.urls import reverse

from config.tests.test_addresses import LINES, NOWHERE, place
from config.tests.test_terms import known

pytestmark = pytest.mark.django_db

UNSEEN = re.compile(
    r'<(script|style|svg|template)\b.*?</\1>|<select\b[^>]*name="time_zone".*?</select>', re.DOTALL
)
"""What is not text, and the zones of time, which bear their names of everywhere."""

TAG = re.compile(r"<[^>]+>")
SAID_BY_TAGS = re.compile(r'\b(?:title|alt|placeholder|aria-label|aria-description)="([^"]*)"')
TILE_CODE = re.compile(r"(?<![\w-])[mps][1-9](?![\w-])")
CODE = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
UNFILLED = re.compile(r"%\(\w*\)?s?|<\w+[ .]|\bFraction\(|\[object ")
LATIN = re.compile(r"[A-Za-z][A-Za-z'’]*")
NO_WORDS = re.compile(
    r"https?://\S*|\S+@\S+|\b[0-9a-f]{8,}\b|\{[^}]*\}|[&?]\w+=\w*|\bs-\w+|\b[A-Z]\w+/[A-Z]\w+\b|\b\w+\.(?:png|json)\b"
)
"""Addresses, hashes, names that texts are filled in for, zones of time, and the accounts and files of the scene."""

FOR_PROGRAMMERS = {"tournaments:public_api_docs", "tournaments:rulebook"}
"""Pages that name fields, functions and tests: of them whole sentences are asked alone."""

WRITTEN_BY_PEOPLE = (
    "Cup of the Four Winds",
    "Samara",
    "Bamboo",
    "Cranes",
    "Heron",
    "Kingfisher",
    "Rooks",
    "The referee counted the third claim twice",
    "The paper protocol says otherwise",
    "proposal",
    "world",
    "«dice»",
)
"""What the people of the event called things and wrote, in whatever language they like."""

LATIN_IN_RUSSIAN = frozenset({
    "English", "Eng", "lish", "API", "CSV", "XLSX", "PDF", "PNG", "JPEG", "JSON", "Atom", "SHA", "QR", "JavaScript", "iPhone", "iPad", "iOS",
    "Wi", "Fi", "EMA", "A", "Enter", "Esc", "L", "seed", "four", "winds", "audit", "SBR", "WMSG", "MCR", "SIAM", "RED", "RIICHI",
})  # fmt: skip
"""Words that Russian readers know in Latin letters: files, devices, keys, methods of a draw, short names of rulebooks."""

ALSO = {
    "tournaments:calculator": {"m", "p", "s", "z", "added", "delayed"},
    "tournaments:broadcast_desk": {"en", "ru"},
    "penalties:adjustments": {"d"},
}
"""What is typed in the notation of hands, and what stands behind an address."""


@cache
def marked_sentences():
    """Return every marked sentence of three words or more that has no details."""
    sentences = {sentence for english, _russian in known() for _context, sentence in english}
    return [each for each in sentences if "%" not in each and len(each.split()) > 2 and each.isascii()]


def words_of(page):
    """Return what a reader sees of a page."""
    return " ".join(TAG.sub(" ", UNSEEN.sub(" ", page)).split())


def said_by(page):
    """Return what a reader sees or hears of a page, also what stands in fields and beside pictures, without what people wrote."""
    seen = UNSEEN.sub(" ", page)
    text = " ".join([words_of(page), *SAID_BY_TAGS.findall(seen)])
    text = NO_WORDS.sub(" … ", unescape(text))
    for written in WRITTEN_BY_PEOPLE:
        text = text.replace(written, "…")
    return text


def codes_in(page, name=""):
    """List whatever of a page is a code of ours, or a sentence that was not filled in."""
    said = said_by(page)
    if name in FOR_PROGRAMMERS:
        return TILE_CODE.findall(said)
    return [*TILE_CODE.findall(said), *CODE.findall(said), *UNFILLED.findall(said)]


def english_in(page, name=""):
    """List the words of a page in Russian that stayed English, marked for translation or not, and single ones too."""
    if name in FOR_PROGRAMMERS:
        seen = words_of(page)
        return [each for each in marked_sentences() if each in seen]
    known_here = LATIN_IN_RUSSIAN | ALSO.get(name, set())
    return [word for word in LATIN.findall(said_by(page)) if word not in known_here]


def in_russian(at):
    """Choose the Russian words where an address shows those of one language: English mails stay English."""
    return at | {"language": "ru"} if "language" in at else at


def pages(world, who, language):
    """Yield every page that somebody may look at, with the name of its address."""
    client = world.ours.client(who)
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    for name, line in LINES.items():
        if name in NOWHERE or "GET" not in line.methods:
            continue
        at = place(name, world.ours)
        response = client.get(reverse(name, kwargs=in_russian(at) if language == "ru" else at))
        if response.status_code == 200 and "text/html" in response.get("Content-Type", ""):
            yield name, response.content.decode()


@pytest.mark.parametrize(
    ("who", "least"),
    [
        ("anyone", 50),
        ("organizer", 110),
        ("chief_referee", 110),
        ("referee", 85),
        ("scorer", 65),
        ("committee", 80),
    ],
)
def test_no_english_is_left_in_russian_pages_and_no_code(world, who, least):
    """[RULES 1.1]"""
    read, left = 0, []
    for name, page in pages(world, who, "ru"):
        read += 1
        left += [(name, each) for each in (*english_in(page, name), *codes_in(page, name))]
    assert read >= least
    assert left == []


@pytest.mark.parametrize(("who", "least"), [("anyone", 50), ("organizer", 110), ("chief_referee", 110)])
def test_no_code_stands_in_english_pages(world, who, least):
    """[RULES 1.1]"""
    read, left = 0, []
    for name, page in pages(world, who, "en"):
        read += 1
        left += [(name, each) for each in codes_in(page, name)]
    assert read >= least
    assert left == []


@pytest.mark.parametrize(
    ("page", "english", "codes"),
    [
        ("<h2>Стиль: Sichuan (SBR)</h2>", ["Sichuan"], []),
        ("<p>Ничего нет. <b>Nothing here</b></p>", ["Nothing", "here"], []),
        ('<img alt="Won">', ["Won"], []),
        ('<input placeholder="Имя" title="Write a name">', ["Write", "a", "name"], []),
        ("<td>m2</td><td>pig_active</td>", ["m", "pig", "active"], ["m2", "pig_active"]),
        ("<p>Стол None</p>", ["None"], []),
        ("<p>Итог Fraction(7, 2) &lt;Seat.EAST: 0&gt;</p>", ["Fraction", "Seat", "EAST"], ["Fraction(", "<Seat."]),
        ("<p>Ещё %(count)s сдач</p>", ["count", "s"], ["%(count)s"]),
        ("<small>RU</small>", ["RU"], []),
        ("<p>PDF и CSV; https://example.org/a_b?part=hand; {event_page}</p><script>let a_b = None</script>", [], []),
        ('<div data-state="pig_active" class="is_open">Активный «поросёнок»</div>', [], []),
    ],
)  # fmt: skip
def test_what_stayed_english_and_codes_are_found(page, english, codes):
    """The two walks above can fail: a system's name, single words, what stands beside pictures and in fields, codes, gaps. [RULES 1.1]"""
    assert english_in(page) == english
    assert codes_in(page) == codes
