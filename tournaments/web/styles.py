"""The styles of every page: files by component and by room, listed by one file in the order in which they apply."""

import re
from pathlib import Path

from django.contrib.staticfiles import finders

SITE = "css/site.css"
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
STRING = re.compile(r"""("[^"]*"|'[^']*')""")
SPACES = (
    (re.compile(r"\s+"), " "),
    (re.compile(r" ?([{};,]) ?"), r"\1"),
    (re.compile(r": "), ":"),
    (re.compile(r";}"), "}"),
)
IMPORT = re.compile(r'^@import url\("([\w/-]+\.css)"\);$', re.MULTILINE)


def parts_of_the_site() -> list[str]:
    """Name the files that the styles of the site are put together from."""
    return [f"css/{name}" for name in IMPORT.findall(_text(SITE))]


def styles_of_the_site() -> str:
    """Return the styles of the site as one text, so that a page asks for one file."""
    return "\n".join(packed(_text(name)) for name in parts_of_the_site())


def packed(text: str) -> str:
    """Leave out of a file what only its readers need: a fifth of what a phone on a slow network waits for."""
    parts = STRING.split(COMMENT.sub("", text))
    return "".join(part if at % 2 else _without_spaces(part) for at, part in enumerate(parts)).strip()


def _without_spaces(text: str) -> str:
    """Leave out the spaces around signs; one before a colon or a bracket belongs to its selector or condition."""
    for pattern, instead in SPACES:
        text = pattern.sub(instead, text)
    return text


def _text(name: str) -> str:
    return Path(str(finders.find(name))).read_text(encoding="utf-8")
