"""Sentences of this package in the reader's language, without a framework: Russian from the catalogue beside it."""

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from scoring.problems import Problem

CATALOGUES = Path(__file__).parent / "locale"
LANGUAGES = ("en", "ru")


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Read the translations of one language from all its .po files; English has none, its texts are the master."""
    entries: dict[str, str] = {}
    for path in sorted((CATALOGUES / language / "LC_MESSAGES").glob("*.po")):
        entries |= _entries(path.read_text(encoding="utf-8"))
    return entries


def translate(sentence: str, language: str) -> str:
    """Return the sentence in the language, or as it is when the catalogue lacks it."""
    return catalogue(language).get(sentence) or sentence


AS_WRITTEN = frozenset({"field", "value", "options"})
"""Details that repeat somebody's input, letter by letter."""


def say(problem: Problem, language: str = "en") -> str:
    """Return the problem's sentence with its details in the language."""
    return fill(problem.sentence, problem.details, language)


def fill(sentence: str, details: Mapping[str, object], language: str = "en") -> str:
    """Return a sentence with its details in the language; names of things are translated too, what was written is not."""
    told = translate(sentence, language)
    if not details:
        return told
    return told % {
        name: translate(detail, language) if isinstance(detail, str) and name not in AS_WRITTEN else detail
        for name, detail in details.items()
    }


def _entries(text: str) -> dict[str, str]:
    """Read msgid and msgstr pairs; this package has no plural forms and no contexts."""
    entries: dict[str, str] = {}
    parts: dict[str, str] = {}
    current = ""
    for line in [*text.splitlines(), ""]:
        line = line.strip()
        if line.startswith(("msgid ", "msgstr ")):
            current, _, line = line.partition(" ")
            if current == "msgid":
                _keep(entries, parts)
                parts = {}
        if line.startswith('"'):
            parts[current] = parts.get(current, "") + ast.literal_eval(line)
    _keep(entries, parts)
    return entries


def _keep(entries: dict[str, str], parts: Mapping[str, str]) -> None:
    if parts.get("msgid"):
        entries[parts["msgid"]] = parts.get("msgstr", "")
