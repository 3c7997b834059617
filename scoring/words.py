"""Sentences of this package in the reader's language, without a framework: Russian from the catalogue beside it."""

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from scoring.codes import named
from scoring.problems import Problem
from scoring.terms import CONTEXT, spoken

CATALOGUES = Path(__file__).parent / "locale"
LANGUAGES = ("en", "ru")


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Read the translations of one language from all its .po files; English has none, its texts are the master."""
    entries: dict[str, str] = {}
    for path in sorted((CATALOGUES / language / "LC_MESSAGES").glob("*.po")):
        entries |= _entries(path.read_text(encoding="utf-8"))
    return entries


def translate(sentence: str, language: str, context: str = "") -> str:
    """Return the sentence in the language and the words of the system that is spoken, or as it is when the catalogue lacks it."""
    terms, known = spoken(), catalogue(language)
    wanted = context + CONTEXT + sentence if context else sentence
    for own in terms.contexts:
        if text := known.get(own + CONTEXT + wanted):
            return text
    return terms.worded(known.get(wanted) or sentence, language)


def counted(value: int, language: str) -> str:
    """Write a whole number as readers of the language do: 8,000 in English; in Russian thousands part from 10 000 on."""
    sign = "−" if value < 0 else ""
    if language != "ru":
        return f"{sign}{abs(value):,}"
    return sign + (f"{abs(value):,}".replace(",", "\u202f") if abs(value) >= 10_000 else str(abs(value)))


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
    return told % {name: _in_words(name, detail, language) for name, detail in details.items()}


def _in_words(name: str, detail: object, language: str) -> object:
    """Return a detail in the language: codes of the record by their names, what was written as it was written."""
    if isinstance(detail, int) and not isinstance(detail, bool):
        return counted(detail, language)
    if not isinstance(detail, str) or name in AS_WRITTEN:
        return detail
    return named(name, detail, lambda sentence, context: translate(sentence, language, context))


def _entries(text: str) -> dict[str, str]:
    """Read msgid and msgstr pairs, those of a context under it; this package has no plural forms."""
    entries: dict[str, str] = {}
    parts: dict[str, str] = {}
    current = ""
    for line in [*text.splitlines(), ""]:
        line = line.strip()
        if line.startswith(("msgctxt ", "msgid ", "msgstr ")):
            before = current
            current, _, line = line.partition(" ")
            if before == "msgstr":
                _keep(entries, parts)
                parts = {}
        if line.startswith('"'):
            parts[current] = parts.get(current, "") + ast.literal_eval(line)
    _keep(entries, parts)
    return entries


def _keep(entries: dict[str, str], parts: Mapping[str, str]) -> None:
    if parts.get("msgid"):
        context = parts["msgctxt"] + CONTEXT if "msgctxt" in parts else ""
        entries[context + parts["msgid"]] = parts.get("msgstr", "")
