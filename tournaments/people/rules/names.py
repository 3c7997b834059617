"""What a name may be: people's real names in any script, and nothing that hides or misleads."""

import re
import unicodedata

from scoring.problems import Problem, gettext_noop

LONGEST = 100
ALLOWED = " '’ʼ-‐.·"
LOOK_ALIKE = ("LATIN", "CYRILLIC")


def tidy_name(raw: str) -> str:
    """Compose letters, trim the ends and join runs of spaces; nothing else is changed."""
    return " ".join(word for word in unicodedata.normalize("NFC", raw).split(" ") if word)


def tidy_slug(raw: str) -> str:
    """Write an address in small Latin letters and digits with single hyphens between them. [RECORD 2]"""
    return re.sub("[^a-z0-9]+", "-", raw.lower()).strip("-")


def search_key(name: str) -> str:
    """Return the form by which names are compared and found: without case, without ё, apostrophes alike."""
    folded = unicodedata.normalize("NFKD", name.casefold().replace("ё", "е").replace("’", "'"))
    return " ".join("".join(c for c in folded if not unicodedata.combining(c)).split())


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
