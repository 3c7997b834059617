"""A class has its rules in one file of `static/css`, and something wears it."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.management import call_command

from tournaments.web.styles import packed, parts_of_the_site, styles_of_the_site

ROOT: Path = settings.BASE_DIR
STYLES = ROOT / "static" / "css"
CODE = ("config", "penalties", "scoring", "seating", "tournaments")
STATES = ("is-", "has-", "are-")
"""Classes that tell the state of something: they say nothing of their own, but beside the class of what has the state."""

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
HEAD = re.compile(r"([^{};]+)\{")
COMMA = re.compile(r",(?![^()]*\))")
CLASS = re.compile(r"\.([A-Za-z][\w-]*)")
TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
TRANSLATED = re.compile(r"\{%\s*(?:translate|trans)\b")
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|`(?:\\.|[^`\\])*`')
WORD = re.compile(r"[\w-]+[{$%]?")


def selectors(text: str) -> Iterator[str]:
    """Yield every selector of a style sheet."""
    for head in HEAD.findall(COMMENT.sub("", text)):
        if not head.strip().startswith("@"):
            yield from COMMA.split(head.strip())


def home(selector: str) -> str | None:
    """Return the class that a selector begins with: its rule stands in the file of that class."""
    found = (name for name in CLASS.findall(selector) if not name.startswith(STATES))
    return next(found, None)


def homes(texts: dict[str, str]) -> dict[str, set[str]]:
    """Return the files in which each class begins a selector."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, text in texts.items():
        for selector in selectors(text):
            if begins := home(selector):
                found[begins].add(name)
    return found


def sheets() -> dict[str, str]:
    return {str(path.relative_to(STYLES)): path.read_text("utf-8") for path in STYLES.rglob("*.css")}


def worn_in_template(text: str) -> Iterator[str]:
    """Yield what the attributes name, and the strings that tags are given; `{` marks where a value is put in."""
    for tag in TAG.findall(text):
        if not TRANSLATED.match(tag):
            yield from STRING.findall(tag)
    yield from re.findall(r'class="([^"]*)"', TAG.sub(lambda tag: "{" if tag[0][1] == "{" else " ", text))


def worn_in_python(text: str) -> Iterator[str]:
    """Yield the strings of a module; one that ends in a dash may be followed by a value."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield f"{node.value}{{" if node.value.endswith("-") else node.value


@cache
def worn() -> set[str]:
    """Return the words that may be classes; those that end in `{`, `$` or `%` are the beginnings of some."""
    texts: list[str] = []
    for path in (ROOT / "templates").rglob("*.html"):
        texts += worn_in_template(path.read_text("utf-8"))
    for path in (ROOT / "static" / "js").rglob("*.js"):
        texts += STRING.findall(path.read_text("utf-8"))
    for folder in CODE:
        for path in (ROOT / folder).rglob("*.py"):
            if "tests" not in path.parts:
                texts += worn_in_python(path.read_text("utf-8"))
    return {word for text in texts for word in WORD.findall(text)}


def unworn(classes: set[str], words: set[str]) -> list[str]:
    """Return the classes that nothing wears: no word is one, nor a beginning with a number or another word after it."""
    stems = {word[:-1] for word in words if re.search(r"[\w]-[{$%]$", word)}
    names = {word.rstrip("{$%") for word in words}
    values = {name.lower() for name in names}

    def is_put_together(name: str) -> bool:
        ends = (name.removeprefix(stem).lower() for stem in stems if name.startswith(stem))
        return any(end.isdigit() or end in values for end in ends)

    return sorted(name for name in classes if name not in names and not is_put_together(name))


def classes_of(texts: dict[str, str]) -> set[str]:
    return {
        name for text in texts.values() for selector in selectors(text) for name in CLASS.findall(selector)
    }


def test_no_class_has_its_rules_in_two_files():
    assert {name: files for name, files in homes(sheets()).items() if len(files) > 1} == {}


def test_class_in_two_files_is_found():
    planted = sheets() | {"planted.css": "@media print { main > .wind.is-dealer, p { color: red } }"}
    found = {name: files for name, files in homes(planted).items() if len(files) > 1}
    assert found == {"wind": {"seats.css", "planted.css"}}


def test_something_wears_every_class():
    assert unworn(classes_of(sheets()), worn()) == []


def test_class_that_nothing_wears_is_found():
    planted = {"wind", "tile-large", "rows-12", "wind-of-nowhere", "tile-of-glass"}
    assert unworn(planted, worn()) == ["tile-of-glass", "wind-of-nowhere"]


def test_every_file_is_part_of_the_site_or_linked_by_a_page():
    linked = {
        name
        for path in (ROOT / "templates").rglob("*.html")
        for name in re.findall(r"\{% static 'css/([\w/-]+\.css)' %\}", path.read_text("utf-8"))
    }
    parts = {name.removeprefix("css/") for name in parts_of_the_site()}
    assert parts | linked == set(sheets())
    assert parts & linked == set()


def test_styles_of_the_site_are_joined_in_their_order():
    joined = styles_of_the_site()
    assert "@import" not in joined
    beginnings = [joined.index(packed(sheets()[name.removeprefix("css/")])) for name in parts_of_the_site()]
    assert beginnings == sorted(beginnings)


def test_comments_and_spaces_stay_with_those_who_read_the_files():
    text = (
        '/* Two\nlines. */\n.a::before {\n  content: "a, { b";\n}\n\n@media print {\n  .b { margin: 0 }\n}\n'
    )
    assert packed(text) == '.a::before{content:"a, { b"}@media print{.b{margin:0}}'


@pytest.fixture
def source(tmp_path, settings):
    """Make a folder of static files, and let it be collected under hashed names."""
    folder = tmp_path / "source"
    (folder / "css" / "rooms").mkdir(parents=True)
    settings.STATICFILES_DIRS = [folder]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATIC_ROOT = tmp_path / "collected"
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": "config.server.statics.HashedFiles"}}
    finders.get_finder.cache_clear()
    yield folder
    finders.get_finder.cache_clear()


def test_collected_styles_are_one_file_however_often_they_are_collected(source, settings):
    (source / "css" / "site.css").write_text('@import url("a.css");\n@import url("rooms/b.css");\n')
    (source / "css" / "a.css").write_text(".a {}\n")
    for text in (".b {}\n", ".c {}\n"):
        (source / "css" / "rooms" / "b.css").write_text(text)
        call_command("collectstatic", interactive=False, verbosity=0)
        assert (settings.STATIC_ROOT / "css" / "site.css").read_text() == f".a{{}}\n{packed(text)}"
    hashed = [path.read_text() for path in (settings.STATIC_ROOT / "css").glob("site.*.css")]
    assert sorted(hashed) == [".a{}\n.b{}", ".a{}\n.c{}"]


def test_space_that_says_something_is_kept():
    text = """.a :is(b, .c) > d,
.e { width: calc(1px + 2px); font: 600 1rem / 1.3 "A: b; c" ; }
@media (min-width: 60rem) and (print) { .f:not(.g) :hover { --h: 1px } }
"""
    assert packed(text) == (
        '.a :is(b,.c) > d,.e{width:calc(1px + 2px);font:600 1rem / 1.3 "A: b; c"}'
        "@media (min-width:60rem) and (print){.f:not(.g) :hover{--h:1px}}"
    )
