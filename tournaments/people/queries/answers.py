"""What players answered to the organizer's own questions, in words."""

from collections import Counter
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.models import Registration, Tournament
from tournaments.people.rules.questions import NO, YES, Question, Sort, read_questions


@dataclass(frozen=True)
class Answer:
    """A question and what a player answered, both as people read them."""

    label: str
    text: str


def in_words(question: Question, stored: str) -> str:
    """Return an answer as people read it."""
    if question.sort != Sort.YES_NO:
        return stored
    return {YES: _("Yes"), NO: _("No")}.get(stored, stored)


def answers_of(registration: Registration) -> list[Answer]:
    """List what a player was asked and answered; questions that are asked no more only if there is an answer."""
    found = read_questions(registration.tournament.questions)
    said = [(one, registration.answers.get(one.code, "")) for one in found]
    return [Answer(one.label, in_words(one, text)) for one, text in said if text or one.is_asked]


def questions_with_answers(tournament: Tournament) -> list[Question]:
    """List the questions that lists and files have a column for: those that are asked, and those with answers."""
    found = read_questions(tournament.questions)
    counts = answered(tournament) if found else {}
    return [one for one in found if one.is_asked or counts.get(one.code)]


def answered(tournament: Tournament) -> Counter[str]:
    """Count the answers to each question."""
    rows = tournament.registrations.exclude(answers={}).values_list("answers", flat=True)
    return Counter(code for answers in rows for code in answers)
