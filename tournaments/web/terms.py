"""Sentences of a page in the words of its event's system: riichi's pages say «раздача» where others say «сдача». [RULES 1.1]

`scoring.terms` holds which system is spoken. Django's own lookup is extended, so that templates, forms and lazy texts need
not know of it.
"""

from typing import Any

from django.utils.translation import trans_real

from scoring.terms import CONTEXT, GENERAL, speak, spoken
from tournaments.table_numbers import count_from


class SpokenTranslation(trans_real.DjangoTranslation):
    """The translations of a language, each in the words of the system that is spoken."""

    _catalog: Any

    def gettext(self, message: str) -> str:
        """Return a sentence's wording of its own, else the general one with the system's words in it."""
        terms = spoken()
        if terms is GENERAL:
            return str(super().gettext(message))
        for context in terms.contexts:
            if own := self._catalog.get(context + CONTEXT + message):
                return str(own)
        return terms.worded(super().gettext(message), self.to_language())

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the form for a number, in the same way."""
        terms = spoken()
        for context in terms.contexts:
            try:
                return str(self._catalog.plural(context + CONTEXT + msgid1, n))
            except KeyError:
                continue
        return terms.worded(super().ngettext(msgid1, msgid2, n), self.to_language())


def install() -> None:
    """Let Django look sentences up in this way, from the next language it reads on."""
    real: Any = trans_real
    real.DjangoTranslation = SpokenTranslation
    real._translations.clear()
    real._default = None


def hush() -> None:
    """Speak no system any more, and of no event's tables: what follows belongs to another page."""
    speak(GENERAL)
    count_from(1)
