"""The texts of mails that an organizer writes: words in braces stand for what each mail tells."""

import re
from collections.abc import Iterator, Mapping

from scoring.problems import Problem, gettext_noop

PLACE = re.compile(r"\{([^{}\n]*)\}")
COMMON = ("name", "event", "page", "event_page")
OF_KIND: Mapping[str, tuple[str, ...]] = {
    "registered": ("number",),
    "place_offered": ("until",),
    "place_given": (),
    "cancelled": ("reason",),
    "takes_place": (),
    "seats": ("session", "table", "seat", "start"),
    "seat_changed": ("session", "table", "seat", "start", "reason"),
    "results": ("place", "players"),
    "receipt": ("amount",),
}
"""What a text may name besides what every mail knows."""
NEEDED: Mapping[str, tuple[str, ...]] = {
    "registered": ("page",),
    "place_offered": ("page", "until"),
    "cancelled": ("reason",),
    "seats": ("session", "table"),
    "seat_changed": ("session", "table"),
    "results": ("place",),
    "receipt": ("amount",),
}
"""Without which a mail would not tell what it is for."""
LONGEST_SUBJECT, LONGEST_BODY = 200, 5000


def words_of(kind: str) -> tuple[str, ...]:
    """Return the words that a text of a kind may put in braces."""
    return (*COMMON, *OF_KIND[kind])


def text_problems(kind: str, subject: str, body: str) -> Iterator[Problem]:
    """Return what is wrong with a text: nothing written, too much, a word that is not known, or one that is missing."""
    if not subject.strip():
        yield Problem("text_missing", gettext_noop("Write a subject."), "subject")
    if not body.strip():
        yield Problem("text_missing", gettext_noop("Write a text."), "body")
    if len(subject) > LONGEST_SUBJECT or len(body) > LONGEST_BODY:
        yield Problem(
            "too_long", TOO_LONG, "body", details={"subject": LONGEST_SUBJECT, "body": LONGEST_BODY}
        )
    known = words_of(kind)
    for field, text in (("subject", subject), ("body", body)):
        for word in dict.fromkeys(PLACE.findall(text)):
            if word not in known:
                details = {"word": f"{{{word}}}", "words": ", ".join(f"{{{one}}}" for one in known)}
                yield Problem("word_unknown", UNKNOWN_WORD, field, details=details)
    said = {*PLACE.findall(subject), *PLACE.findall(body)}
    for word in NEEDED.get(kind, ()):
        if body.strip() and word not in said:
            yield Problem("word_missing", MISSING_WORD, "body", details={"word": f"{{{word}}}"})


def filled(text: str, values: Mapping[str, str]) -> str:
    """Put values in place of the words in braces; a line that names what is not known is left out."""
    lines = text.replace("\r\n", "\n").split("\n")
    told = [line for line in lines if all(values.get(word, "") for word in PLACE.findall(line))]
    return PLACE.sub(lambda found: values[found[1]], "\n".join(told))


TOO_LONG = gettext_noop("A subject has at most %(subject)s characters, a text %(body)s.")
UNKNOWN_WORD = gettext_noop("%(word)s is not known here; there are %(words)s.")
MISSING_WORD = gettext_noop("%(word)s must be in the text: without it the mail does not say what it is for.")
