"""What a name may be: people's real names in any script, and nothing that hides or misleads."""

import re
import unicodedata
from collections.abc import Mapping

from scoring.problems import Problem, gettext_noop

LONGEST, LONGEST_STAFF = 100, 200
LONGEST_KEY = 200
"""What a database keeps of the form by which names are compared: one letter of some scripts is eighteen without its dress."""
ALLOWED = " '’ʼ-‐.·"
LOOK_ALIKE = ("LATIN", "CYRILLIC")
LATIN = dict(zip("абвгдежзийклмнопрстуфхцчшщъыьэюяієї", (
    *"abvgde", "zh", *"ziiklmnoprstuf", "h", "ts", "ch", "sh", "sch", "", "i", "", "e", "iu", "ia", "i", "e", "i",
), strict=True))  # fmt: skip
"""How Cyrillic letters are written in Latin ones, without the differences between usual ways to do it."""
ALIKE = (
    ("shch", "sch"), ("kh", "h"), ("tz", "ts"), ("ck", "k"), ("ph", "f"), ("x", "ks"), ("w", "v"), ("y", "i"), ("j", "i"),
    ("ii", "i"),
)  # fmt: skip


def tidy_name(raw: str) -> str:
    """Compose letters, trim the ends and join runs of spaces; nothing else is changed."""
    return " ".join(word for word in unicodedata.normalize("NFC", raw).split(" ") if word)


def tidy_slug(raw: str) -> str:
    """Write an address in small Latin letters and digits with single hyphens between them. [RECORD 2]"""
    return re.sub("[^a-z0-9]+", "-", raw.lower()).strip("-")


def search_key(name: str) -> str:
    """Return the form by which names are compared and found: without case, without ё, apostrophes alike."""
    folded = unicodedata.normalize("NFKD", name.casefold().replace("ё", "е").replace("’", "'"))
    return " ".join("".join(c for c in folded if not unicodedata.combining(c)).split())[:LONGEST_KEY].strip()


def alphabet_key(name: str) -> str:
    """Return the form by which one name is known in two alphabets and in any order of its words. [RULES 8.56]"""
    words = []
    for word in re.split(r"[^\w]+", search_key(name)):
        latin = "".join(LATIN.get(letter, letter) for letter in word)
        for said, alike in ALIKE:
            latin = latin.replace(said, alike)
        words.append(re.sub(r"(.)\1+", r"\1", latin))
    return " ".join(sorted(filter(None, words)))


def name_problems(name: str, *, field: str = "name") -> list[Problem]:
    """List what is wrong with a tidied name; empty when it may stand."""
    if not any(_is_visible(character) for character in name):
        return [Problem("name_required", gettext_noop("Enter the player's name."), field=field)]
    if len(name) > LONGEST:
        return [
            Problem(
                "name_too_long",
                gettext_noop("The name may have at most 100 characters; this one has %(n)s."),
                field=field,
                details={"n": len(name)},
            )
        ]
    return [*_hidden(name, field), *_strange(name, field), *_mixed(name, field)]


def length_problems(text: str, longest: int, *, field: str) -> list[Problem]:
    """Refuse a tidied text that is too long to be stored: some letters become several when they are composed."""
    if len(text) <= longest:
        return []
    sentence = gettext_noop("“%(text)s…”: at most %(n)s characters; here there are %(m)s.")
    return [
        Problem(
            "cell_too_long", sentence, field=field, details={"text": text[:20], "n": longest, "m": len(text)}
        )
    ]


def staff_name_problems(said: Mapping[str, str]) -> list[Problem]:
    """List what is wrong with the tidied names that papers have for somebody who works at an event."""
    return [
        problem
        for field, name in said.items()
        for problem in length_problems(name, LONGEST_STAFF, field=field)
    ]


def _is_visible(character: str) -> bool:
    return unicodedata.category(character)[0] not in "CZ"


def _hidden(name: str, field: str) -> list[Problem]:
    """Find control, direction and zero-width characters."""
    for position, character in enumerate(name, start=1):
        if unicodedata.category(character)[0] == "C" or unicodedata.category(character) in {"Zl", "Zp"}:
            sentence = gettext_noop(
                "The name contains an invisible control character at position %(p)s; remove it."
            )
            return [Problem("name_bad_char", sentence, field=field, details={"p": position})]
    return []


def _strange(name: str, field: str) -> list[Problem]:
    """Find visible characters that no name has."""
    for character in name:
        category = unicodedata.category(character)
        if category[0] not in "LMC" and character not in ALLOWED and category not in {"Zl", "Zp"}:
            sentence = gettext_noop("The name may contain letters, spaces, apostrophe, hyphen and dot only.")
            return [Problem("name_bad_char", sentence, field=field)]
    return []


def _mixed(name: str, field: str) -> list[Problem]:
    """Find words that mix Latin and Cyrillic letters, which look alike and sort apart."""
    for word in name.replace("-", " ").split():
        scripts = {
            script: [c for c in word if c.isalpha() and unicodedata.name(c, "").startswith(script)]
            for script in LOOK_ALIKE
        }
        if all(scripts.values()):
            fewer = min(scripts.values(), key=len)
            sentence = gettext_noop(
                "The name mixes Latin and Cyrillic letters (“%(chars)s”); type it in one alphabet."
            )
            return [Problem("name_mixed_script", sentence, field=field, details={"chars": "".join(fewer)})]
    return []
