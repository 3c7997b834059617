"""Every tag leads somewhere: to a numbered place of docs/, or to a rulebook that docs/RULES.md lists."""

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from django.conf import settings

ROOT: Path = settings.BASE_DIR
FOLDERS = (
    "bench", "config", "docs", "locale", "penalties", "scoring", "seating", "static", "templates", "tournaments",
)  # fmt: skip
LOOSE = ("README.md", "conftest.py", "manage.py", "run.py", "pyproject.toml")
TEXT = {".py", ".js", ".css", ".html", ".md"}
STRANGERS = {"vendor", "__pycache__"}

TAG = re.compile(r"\[([A-Z]{3,})(?: ([^\[\]\n]+))?\]")
CLAUSE = re.compile(r"""["']([A-Z]{3,}) (\d+\.\d[\d.]*)["']""")
PLACE = re.compile(r"^(?:#+ |- \*\*|\| )(\d+(?:\.\d+)*)(?=[ .*])", re.MULTILINE)
RULEBOOK = re.compile(r"^\| ([A-Z]{3,}) \|", re.MULTILINE)
NUMBERS = re.compile(r"(\d+(?:\.\d+)*)(?:[-–](\d+))?")
BETWEEN = re.compile(r"(?:[\s,]|\bcases?\b|\band\b)*")
LINK = re.compile(r"""(?:\]\(|src=")(?!https?:|#)([^)"#\s]+)""")
Places = Mapping[str, Collection[str]]


class Tag(NamedTuple):
    """A tag as it stands in a file: the page or rulebook, and where in it."""

    where: str
    name: str
    rest: str


def files() -> Iterator[Path]:
    """Go through the project's own texts."""
    yield from (ROOT / name for name in LOOSE if (ROOT / name).exists())
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in TEXT and not STRANGERS & set(path.relative_to(ROOT).parts):
                yield path


def tags(text: str, where: str = "") -> Iterator[Tag]:
    """Find the tags of a text, and the clauses that refusals carry; tests may plant wrong ones."""
    for number, line in enumerate(text.splitlines(), start=1):
        clauses = [] if "/tests/" in where else CLAUSE.findall(line)
        for name, rest in [*TAG.findall(line), *clauses]:
            yield Tag(f"{where}:{number}", name, rest)


def places() -> dict[str, set[str]]:
    """Read the numbered headings, items and table rows of every page of docs/."""
    pages = sorted((ROOT / "docs").glob("*.md"))
    return {page.stem: set(PLACE.findall(page.read_text(encoding="utf-8"))) for page in pages}


def rulebooks() -> set[str]:
    """Read which rulebooks may be cited, and which standards of the web."""
    pages = ((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("RULES.md", "LOOK.md"))
    return {name for page in pages for name in RULEBOOK.findall(page)}


def numbers(rest: str) -> Iterator[str]:
    """Yield every number that a tag names: “7.4, case 109”, “114, 115”, “112-117”."""
    for first, last in NUMBERS.findall(rest):
        yield from map(str, range(int(first), int(last) + 1)) if last and first.isdigit() else [first]


def resolves(tag: Tag, known: Places, books: Collection[str]) -> bool:
    """Return whether a tag leads somewhere; what is no tag at all leads nowhere lawfully."""
    if tag.name in books:
        return True
    if tag.name in known:
        is_plain = BETWEEN.fullmatch(NUMBERS.sub("", tag.rest)) is not None
        return is_plain and set(numbers(tag.rest)) <= set(known[tag.name])
    return not tag.rest[:1].isdigit()


def test_every_tag_leads_to_a_place_of_the_docs_or_to_a_rulebook():
    known, books = places(), rulebooks()
    found = [
        tag for path in files() for tag in tags(path.read_text(encoding="utf-8"), str(path.relative_to(ROOT)))
    ]
    assert {"SBR", "WMSG", "MCR", "SIAM", "RED", "RIICHI", "WCAG"} == books
    assert {"RULES", "INTEGRITY", "RECORD", "SBR", "RIICHI"} <= {tag.name for tag in found}
    assert [" ".join(tag) for tag in found if not resolves(tag, known, books)] == []


PLANTED = {
    "no-such-decision": ("RULES", "8.99"),
    "no-such-chapter": ("RULES", "12"),
    "no-such-case": ("INTEGRITY", "168"),
    "a-range-that-goes-too-far": ("INTEGRITY", "165-168"),
    "one-of-two": ("INTEGRITY", "114, 1150"),
    "no-such-section-of-the-record": ("RECORD", "9"),
    "a-page-without-numbers": ("HANDS", "3"),
    "a-page-that-is-not-here": ("STACK", "6.2"),
    "no-such-rulebook": ("ZUNG", "4.1"),
    "words-instead-of-a-number": ("RULES", "somewhere"),
}


@pytest.mark.parametrize(("name", "rest"), PLANTED.values(), ids=PLANTED)
def test_planted_tag_is_found(name, rest):
    (tag,) = tags(f'"""Promise something. [{name} {rest}]"""')
    assert not resolves(tag, places(), rulebooks())


def test_planted_clause_of_a_refusal_is_found():
    (tag,) = tags(f'Problem("code", SENTENCE, "field", "{PLANTED["no-such-decision"][0]} 8.99")')
    assert not resolves(tag, places(), rulebooks())


LAWFUL = {
    "a-heading": ("RULES", "1.7"),
    "a-decision": ("RULES", "8.43"),
    "a-case": ("INTEGRITY", "167"),
    "a-range-of-cases": ("INTEGRITY", "112-117"),
    "a-section-and-its-case": ("INTEGRITY", "7.4, case 109"),
    "a-clause-of-a-rulebook": ("SBR", "2.7.3.6 (10)"),
    "an-example": ("MCR", "fan 48, example"),
    "no-tag-at-all": ("NOTE", "to whom it concerns"),
}


@pytest.mark.parametrize(("name", "rest"), LAWFUL.values(), ids=LAWFUL)
def test_lawful_tag_is_left_alone(name, rest):
    (tag,) = tags(f"[{name} {rest}]")
    assert resolves(tag, places(), rulebooks())


def test_links_of_the_docs_lead_to_files():
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    assert [
        f"{page.name}: {target}"
        for page in pages
        if page.exists()
        for target in LINK.findall(page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ] == []
