"""The words of a rulebook, and which rulebook is spoken now.

A rulebook has words of its own: riichi's tiles are «тайлы» and its deals «раздачи». While a system is spoken (`speaking`),
every sentence stands in its words.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache

CONTEXT = "\x04"
"""What stands between a context and its sentence, as in compiled catalogues."""


@dataclass(frozen=True)
class Terms:
    """The words of a rulebook.

    `contexts` name it in the catalogues, where a whole sentence may have a wording of its own, the nearest first. `stems`
    are, for each language, beginnings of words that are exchanged in every other sentence; both words are declined alike.
    `forbidden` are patterns that nothing shown for the system may contain.
    """

    contexts: tuple[str, ...] = ()
    stems: Mapping[str, Mapping[str, str]] = field(default_factory=dict, hash=False)
    forbidden: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)

    def worded(self, text: str, language: str) -> str:
        """Return a translated sentence in the words of the rulebook."""
        stems = self.stems.get(language)
        return text if not stems or not text else _exchanged(self, text, language)


GENERAL = Terms()
"""The words of a page that belongs to no system."""
_spoken: ContextVar[Terms] = ContextVar("spoken", default=GENERAL)


def spoken() -> Terms:
    """Return the words in which sentences are said now."""
    return _spoken.get()


def speak(terms: Terms) -> None:
    """Say everything that follows in these words."""
    _spoken.set(terms)


@contextmanager
def speaking(terms: Terms) -> Iterator[None]:
    """Say everything within in these words."""
    before = _spoken.set(terms)
    try:
        yield
    finally:
        _spoken.reset(before)


@lru_cache(maxsize=10_000)
def _exchanged(terms: Terms, text: str, language: str) -> str:
    stems = terms.stems[language]
    beginnings = "|".join(map(re.escape, sorted(stems, key=len, reverse=True)))

    def exchange(found: re.Match[str]) -> str:
        own = stems[found[0].lower()]
        return own.capitalize() if found[0][0].isupper() else own

    return re.sub(rf"(?<!\()\b(?:{beginnings})", exchange, text, flags=re.IGNORECASE)
