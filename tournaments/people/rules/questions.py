"""Questions of the organizer's own: what is asked at the registration besides what every event asks."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from scoring.problems import Problem, gettext_noop
from tournaments.people.rules.names import tidy_name

MOST_QUESTIONS, MOST_OPTIONS = 20, 30
LONGEST_LABEL, LONGEST_OPTION, LONGEST_ANSWER = 200, 100, 500
FIELD = "answer_"
"""What the names of fields begin with that hold answers; the rest is the code of the question."""


class Sort(StrEnum):
    """How a question is answered."""

    TEXT = "text"
    CHOICE = "choice"
    YES_NO = "yes_no"


YES, NO = "yes", "no"


@dataclass(frozen=True)
class Question:
    """One question under a code that never changes; one that is asked no more keeps its answers."""

    code: str
    sort: str
    label: str
    options: tuple[str, ...] = ()
    is_required: bool = False
    is_asked: bool = True


def read_questions(stored: Sequence[Mapping[str, Any]]) -> list[Question]:
    """Return the questions of an event in their order."""
    return [Question(**{**one, "options": tuple(one["options"])}) for one in stored]


def told_questions(questions: Sequence[Question]) -> list[dict[str, Any]]:
    """Return questions as they are stored."""
    return [{**asdict(one), "options": list(one.options)} for one in questions]


def question_problems(sort: str, label: str, options: Sequence[str]) -> list[Problem]:
    """Refuse a question without words, and a choice of fewer than two things."""
    if not tidy_name(label):
        return [Problem("question_empty", gettext_noop("Write the question."), "label")]
    if sort != Sort.CHOICE:
        return []
    if len(options) < 2:
        return [
            Problem("too_few_options", gettext_noop("Write at least two answers to choose from."), "options")
        ]
    if len(options) > MOST_OPTIONS or any(len(one) > LONGEST_OPTION for one in options):
        details = {"most": MOST_OPTIONS, "longest": LONGEST_OPTION}
        return [Problem("too_many_options", TOO_MANY_OPTIONS, "options", details=details)]
    return []


def read_options(text: str) -> tuple[str, ...]:
    """Read what may be chosen, one a line, each once."""
    return tuple(dict.fromkeys(filter(None, map(tidy_name, text.splitlines()))))


def next_code(questions: Sequence[Question]) -> str:
    """Return a code that no question had."""
    return f"q{1 + max((int(one.code[1:]) for one in questions), default=0)}"


TOO_MANY_OPTIONS = gettext_noop(
    "At most %(most)s answers to choose from, each of at most %(longest)s characters."
)
