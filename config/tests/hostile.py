"""A world in which every free text is as bad as text can be, and what a page, a file or a feed may never make of it."""

import csv
import html
import io
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

from django.contrib.auth import get_user_model
from django.db import models

from config.tests.world import MODELS, Event, Words, World, make_world
from config.tools import translation
from tournaments.standings.operations import recompute

BREAKS_OUT = """</script></title></textarea>"'><pwn onpwn="1" onpwn='1'>&lt;"""
TURNED = "\u202egnp.exe\u202c"
LONG_NAME = (
    "Ёжиков-Щукинский Þorsteinn Łukasiewicz Žižkov Çağlar Ñúñez Ødegård Đặng Ōtsuka Αθανάσιος Ქართველი О’Нил"[
        :100
    ]
)
TEXT = f"=1+1 {BREAKS_OUT} {TURNED} %(pwn)s %s {{{{ pwn }}}} ${{pwn}}\nBEGIN:PWN\r\n+1 {LONG_NAME}"
CELL = f'=HYPERLINK("pwn:1","1") {BREAKS_OUT} {TURNED} %(pwn)s'
REASON = f"@1 {BREAKS_OUT} %(pwn)s {{{{ pwn }}}}"
OURS_TO_WRITE = {
    "slug", "system", "preset", "time_zone", "code", "search_key", "country", "digest", "previous", "content",
    "method", "key", "actor", "body_digest", "checkpoint", "secret", "secret_digest", "code_digest",
    "credential_digest", "inputs_digest", "content_type", "filed_actor", "seating_mode", "tournament_points",
    "kind", "offence", "to", "email", "phone", "appeal", "etag", "decided_by_text", "timing",
}  # fmt: skip
"""Columns that the site fills itself, or reads back: nobody types what they like into them."""


def make_hostile_world() -> World:
    """Make both events with bad words where forms take them, then write worse ones straight into the rows."""
    words = Words(
        event=LONG_NAME,
        city=CELL[:100],
        text=TEXT[:480],
        reason=REASON,
        club=CELL[:100],
        team=CELL[:97],
        name=f"{{bird}} {LONG_NAME}"[:100],
        account="pwn",
    )
    world = make_world(words)
    for event in (world.ours, world.theirs):
        spoil(event)
        recompute.recompute(event.tournament.pk, waits=True)
        event.refresh()
    users = get_user_model().objects
    for user in users.all():
        users.filter(pk=user.pk).update(
            first_name=CELL[:150], last_name=TEXT[:150], username=f"{user.pk} {BREAKS_OUT}"
        )
    return world


def spoil(event: Event) -> None:
    """Write a bad text into every column of the event's rows that people could fill, as long as it may be."""
    for model, path in MODELS:
        columns = [
            one for one in model._meta.concrete_fields if is_free(one) and model.__name__ not in DERIVED
        ]
        for row in model._default_manager.filter(**{path: event.tournament.pk}) if columns else ():
            values = {one.name: bad(one, row) for one in columns if getattr(row, one.name)}
            model._default_manager.filter(pk=row.pk).update(**values)


DERIVED = {"Standing", "Snapshot", "HistoryEntry", "Receipt"}


def is_free(one: Any) -> bool:
    """Return whether a column holds what somebody typed."""
    is_text = isinstance(one, models.CharField | models.TextField) and not isinstance(one, models.EmailField)
    is_long = (one.max_length or 5000) >= 10 if is_text else False
    return is_long and not one.choices and one.name not in OURS_TO_WRITE


def bad(column: Any, row: models.Model) -> str:
    """Return a text of the column's length that differs from row to row."""
    most = column.max_length or 5000
    start = f"={row.pk}+1 {BREAKS_OUT}{TURNED}%(pwn)s"
    return f"{start} {LONG_NAME * 2}"[:most] if most > 40 else f"={row.pk}<pwn>"[:most]


# What is made of it


class Reader(HTMLParser):
    """Reads a page: what breaks out of its text, and the sentences that people see."""

    HIDDEN = frozenset({"script", "style", "code", "pre", "textarea", "option", "kbd", "samp"})
    SHOWN = frozenset({"title", "placeholder", "aria-label", "alt"})

    def __init__(self) -> None:
        """Begin with nothing found."""
        super().__init__(convert_charrefs=True)
        self.broken: list[str] = []
        self.said: list[str] = []
        self.inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look for what only the bad text could have made."""
        named = [name for name, _ in attrs]
        if tag == "pwn" or any("pwn" in name for name in named) or len(set(named)) != len(named):
            self.broken.append(self.get_starttag_text() or tag)
        for name, value in attrs:
            if name in {"href", "src", "action"} and (value or "").partition(":")[0] in {"pwn", "javascript"}:
                self.broken.append(f"{name}={value}")
            if name in self.SHOWN and value:
                self.said.append(value)
        if tag not in VOID:
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        """Keep what is shown."""
        if not self.HIDDEN & set(self.inside):
            self.said.append(data)


VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
)


def faults_of(response: Any, language: str) -> Iterator[str]:
    """Say what is wrong with an answer, by what kind it is."""
    if response.status_code >= 500:
        yield f"answered {response.status_code}"
        return
    kind = response.get("Content-Type", "").partition(";")[0]
    content = b"".join(response.streaming_content) if response.streaming else response.content
    if kind == "text/html":
        yield from faults_of_page(content.decode(), language)
    elif kind == "text/csv":
        yield from (f"formula {cell[:40]!r}" for cell in formulas(content.decode("utf-8-sig")))
    elif "spreadsheet" in kind:
        yield from faults_of_book(content)
    elif kind == "text/calendar":
        yield from (line for line in content.decode().splitlines() if line.startswith("BEGIN:PWN"))
    elif kind in {"application/json", "application/problem+json"}:
        response.json()
    elif kind == "image/svg+xml":
        yield from faults_of_page(content.decode(), "")


def faults_of_page(text: str, language: str) -> Iterator[str]:
    """Say what broke out, what was not filled in, and what is English on a Russian page."""
    reader = Reader()
    reader.feed(text)
    yield from (f"markup {tag[:80]}" for tag in reader.broken)
    said = [" ".join(html.unescape(part).split()) for part in reader.said]
    for part in said:
        if re.search(r"%\((?!pwn\b)\w+\)[sd]", part):
            yield f"not filled in: {part[:80]}"
        if language == "ru" and is_english(part):
            yield f"in English: {part[:80]}"


def formulas(text: str) -> Iterator[str]:
    """Find cells that a spreadsheet would work out."""
    delimiter = ";" if text.partition("\n")[0].count(";") > text.partition("\n")[0].count(",") else ","
    for row in csv.reader(io.StringIO(text), delimiter=delimiter):
        yield from (cell for cell in row if cell[:1] in "=+-@\t\r" and cell[:1] and not is_number(cell))


def is_number(cell: str) -> bool:
    """Return whether a cell is a number with its sign, or an empty mark."""
    return re.fullmatch(r"[-+−]?[0-9][0-9 .,/\u202f]*|[-−—]", cell) is not None


def faults_of_book(content: bytes) -> Iterator[str]:
    """Find formulas, and numbers made of text, in a workbook."""
    from openpyxl import load_workbook

    for sheet in load_workbook(io.BytesIO(content)).worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type == "f":
                    yield f"formula in {sheet.title} {cell.coordinate}"


# What is English


def is_english(part: str) -> bool:
    """Return whether a text is a sentence of the site's own that Russian has other words for."""
    words = re.findall(r"[A-Za-z]{2,}", part)
    if not words or "pwn" in part or re.search("[А-Яа-я]", part):
        return False
    return part in WHOLE or any(pattern.fullmatch(part) for pattern in PARTED)


def sentences() -> tuple[frozenset[str], list[re.Pattern[str]]]:
    """Return the English sentences that are said otherwise in Russian: whole ones, and those with names in them."""
    whole, parted = set(), []
    for name in ("pages", "scoring"):
        for message in translation.by_key(translation.stored(translation.domains()[name], "ru")).values():
            forms = message.id if isinstance(message.id, tuple) else (message.id,)
            said = message.string if isinstance(message.string, tuple) else (message.string,)
            for form in forms:
                flat = " ".join(re.sub(r"<[^>]*>", " ", form).split())
                if form in said or len(re.findall(r"[A-Za-z]{2,}", re.sub(r"%\(\w+\)s", "", flat))) < 1:
                    continue
                if "%" in flat:
                    pattern = re.sub(r"%\\\(\w+\\\)[sd]", ".+", re.escape(flat))
                    parted.append(re.compile(pattern))
                else:
                    whole.add(flat)
    return frozenset(whole), parted


WHOLE, PARTED = sentences()
