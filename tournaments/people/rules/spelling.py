"""How a name sounds whatever alphabet it is written in, so that “petr” and “pyotr” find Пётр."""

import re
from functools import lru_cache

from tournaments.people.rules.names import search_key

LETTERS = {
    "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ж": "zh", "з": "z", "и": "i", "й": "i", "к": "k", "л": "l", "м": "m", "н": "n",
    "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "у": "u", "ф": "f", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ы": "y",
    "ь": "", "э": "e", "ю": "yu", "я": "ya", "і": "i", "ї": "yi", "є": "ye", "ґ": "g", "ў": "u", "'": "",
}  # fmt: skip
ALIKE = (
    (r"shch|sch", "sh"), (r"tch", "ch"), (r"kh", "h"), (r"ts|tz|c(?!h)", "c"), (r"x", "ks"), (r"w", "v"), (r"ph", "f"), (r"[yj]", "i"),
    (r"ie", "e"), (r"(.)\1+", r"\1"),
)  # fmt: skip


@lru_cache(maxsize=8192)
def sounds(text: str) -> frozenset[str]:
    """Return the ways to write a text in Latin letters, folded so that the usual transliterations are one; ё is e or yo."""
    return frozenset(_folded(text.casefold().replace("ё", way)) for way in ("e", "yo"))


def _folded(text: str) -> str:
    latin = "".join(LETTERS.get(letter, letter) for letter in search_key(text))
    for pattern, letters in ALIKE:
        latin = re.sub(pattern, letters, latin)
    return latin


def answers(query: str, name: str) -> bool:
    """Return whether a part of a name is looked for: as it is written, or as it sounds in the other alphabet."""
    if search_key(query) in search_key(name):
        return True
    written = sounds(name)
    return any(way and any(way in said for said in written) for way in sounds(query))
