"""What an organizer asks of registrations: quotas by country and club, and questions of their own."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.db import transaction

from scoring.problems import gettext_noop
from tournaments.models import Tournament
from tournaments.people.operations.registration import move_up
from tournaments.people.rules.names import tidy_name
from tournaments.people.rules.questions import (
    MOST_QUESTIONS,
    Question,
    next_code,
    question_problems,
    read_questions,
    told_questions,
)
from tournaments.people.rules.quotas import MOST_EXCEPTIONS, Quota, told_quotas
from tournaments.record import history, receipts
from tournaments.record.actors import Actor
from tournaments.record.history import Kind
from tournaments.record.locks import lock_tournament
from tournaments.record.refusal import Refused, refuse, refuse_finished


@transaction.atomic
def set_quotas(tournament: Tournament, quotas: Mapping[str, Quota], *, by: Actor) -> Tournament:
    """Say how many places players of one country or club may take; who has a place keeps it. [RULES 9.28]"""
    tournament = lock_tournament(tournament)
    refuse_finished(tournament)
    wanted = told_quotas(quotas)
    if any(len(one.own) > MOST_EXCEPTIONS for one in quotas.values()):
        refuse("too_many_lines", gettext_noop("At most %(n)s exceptions."), n=MOST_EXCEPTIONS)
    if wanted == tournament.quotas:
        return tournament
    before, tournament.quotas = tournament.quotas, wanted
    tournament.save(update_fields=["quotas"])
    data = {"fields": ["quotas"], "quotas": [before, wanted]}
    history.record(Kind.TOURNAMENT_CHANGED, tournament=tournament, by=by, data=data)
    move_up(tournament, by=by)
    return tournament


@transaction.atomic
def add_question(
    tournament: Tournament,
    *,
    sort: str,
    label: str,
    by: Actor,
    options: Sequence[str] = (),
    is_required: bool = False,
    key: str = "",
) -> Tournament:
    """Ask one more question at the registration. Sent again under the same key, it asks no second one. [INTEGRITY 2]"""
    tournament = lock_tournament(tournament)
    body = {"sort": sort, "label": label, "options": list(options), "is_required": is_required}
    if key and receipts.answered(tournament, key, by=by, body=body) is not None:
        return tournament
    refuse_finished(tournament)
    known = read_questions(tournament.questions)
    if len(known) >= MOST_QUESTIONS:
        refuse("too_many_questions", gettext_noop("At most %(n)s questions."), n=MOST_QUESTIONS)
    if problems := question_problems(sort, label, options):
        raise Refused(*problems)
    asked = Question(next_code(known), sort, tidy_name(label), tuple(options), is_required)
    tournament = _store(tournament, [*known, asked], by=by)
    if key:
        receipts.store(tournament, key, by=by, body=body, answer={"question": asked.code})
    return tournament


@transaction.atomic
def change_question(
    tournament: Tournament,
    code: str,
    *,
    label: str,
    by: Actor,
    options: Sequence[str] = (),
    is_required: bool = False,
) -> Tournament:
    """Word a question otherwise; answers that were given stay as they were given."""
    tournament = lock_tournament(tournament)
    refuse_finished(tournament)
    old = _question(tournament, code)
    if problems := question_problems(old.sort, label, options):
        raise Refused(*problems)
    new = replace(old, label=tidy_name(label), options=tuple(options), is_required=is_required)
    return _exchange(tournament, new, by=by)


@transaction.atomic
def ask_question(tournament: Tournament, code: str, *, is_asked: bool, by: Actor) -> Tournament:
    """Ask a question no more, or again; the answers that were given stay with the organizer."""
    tournament = lock_tournament(tournament)
    refuse_finished(tournament)
    return _exchange(tournament, replace(_question(tournament, code), is_asked=is_asked), by=by)


def take_wishes(source: Tournament, tournament: Tournament) -> None:
    """Ask of registrations to one event what another one asks; questions that are asked no more stay behind."""
    asked = [one for one in read_questions(source.questions) if one.is_asked]
    tournament.quotas, tournament.questions = source.quotas, told_questions(asked)
    tournament.save(update_fields=["quotas", "questions"])


def _question(tournament: Tournament, code: str) -> Question:
    found = next((one for one in read_questions(tournament.questions) if one.code == code), None)
    if found is None:
        refuse("not_found", gettext_noop("There is no such question."))
    return found


def _exchange(tournament: Tournament, new: Question, *, by: Actor) -> Tournament:
    known = read_questions(tournament.questions)
    return _store(tournament, [new if one.code == new.code else one for one in known], by=by)


def _store(tournament: Tournament, questions: Sequence[Question], *, by: Actor) -> Tournament:
    """Store the questions where they differ; the history says what answers were given to before, and what is asked now."""
    wanted = told_questions(questions)
    if wanted != tournament.questions:
        before, tournament.questions = tournament.questions, wanted
        tournament.save(update_fields=["questions"])
        data = {"fields": ["questions"], "questions": [before, wanted]}
        history.record(Kind.TOURNAMENT_CHANGED, tournament=tournament, by=by, data=data)
    return tournament
