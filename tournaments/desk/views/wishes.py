"""What an organizer asks of registrations: quotas by country and club, and questions of their own."""

from typing import Any

from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _

from tournaments.desk.forms.wishes import SORTS, QuestionForm, QuotasForm
from tournaments.models import Tournament
from tournaments.people.operations import wishes as operations
from tournaments.people.queries.answers import answered
from tournaments.people.queries.places import held_by
from tournaments.people.rules.questions import Question, read_questions
from tournaments.web.access import page
from tournaments.web.frame import do, done, followed, form_key, show, status_of, tried, tried_as_seen
from tournaments.web.requests import Request

BOTH = ("GET", "POST")
POST = ("POST",)


@page("change_tournament", methods=BOTH)
def quotas(request: Request, tournament: Tournament) -> HttpResponse:
    """Say how many places players of one country or club may take. [RULES 9.28]"""
    form = QuotasForm(request.POST or None, initial=QuotasForm.of(tournament))
    saved = tried_as_seen(
        request,
        form,
        tournament,
        QuotasForm.of,
        lambda: operations.set_quotas(tournament, form.said, by=request.actor),
    )
    if saved:
        return done(request, _("The quotas are saved."), "tournaments:quotas", tournament.slug)
    for field in form.fields.values():
        field.disabled = tournament.is_finished
    return show(
        request,
        "organizer/quotas",
        tournament,
        form=form,
        held=held_by(tournament),
        status=status_of(form),
        **followed(tournament),
    )


@page("change_tournament", methods=BOTH)
def questions(request: Request, tournament: Tournament) -> HttpResponse:
    """Show the questions that players are asked, and take another one."""
    form = QuestionForm(request.POST or None)

    def add() -> Tournament:
        return operations.add_question(tournament, by=request.actor, key=form_key(request), **form.said())

    if tried(form, add):
        return done(
            request, _("The question is asked from now on."), "tournaments:questions", tournament.slug
        )
    return _questions(request, tournament, form)


@page("change_tournament", methods=POST)
def question(request: Request, tournament: Tournament, code: str) -> HttpResponse:
    """Word a question otherwise."""
    form = QuestionForm(request.POST, question=_question(tournament, code))
    changed = tried_as_seen(
        request,
        form,
        tournament,
        lambda now: QuestionForm.of(_question(now, code)),
        lambda: operations.change_question(tournament, code, by=request.actor, **form.said()),
    )
    if changed:
        return done(request, _("Saved."), "tournaments:questions", tournament.slug)
    return _questions(request, tournament, QuestionForm(), changed=(code, form))


@page("change_tournament", methods=POST)
def ask(request: Request, tournament: Tournament, code: str) -> HttpResponse:
    """Ask a question no more, or again."""
    is_asked = request.POST.get("asked") == "1"
    return do(
        request,
        lambda: operations.ask_question(tournament, code, is_asked=is_asked, by=request.actor),
        _("The question is asked again.") if is_asked else _("The question is asked no more."),
        "tournaments:questions",
        tournament.slug,
    )


def _question(tournament: Tournament, code: str) -> Question:
    found = next((one for one in read_questions(tournament.questions) if one.code == code), None)
    if found is None:
        raise Http404
    return found


def _questions(
    request: Request,
    tournament: Tournament,
    form: QuestionForm,
    changed: tuple[str, QuestionForm] | None = None,
) -> HttpResponse:
    counts = answered(tournament)

    def line(one: Question) -> dict[str, Any]:
        own = changed[1] if changed and changed[0] == one.code else QuestionForm(question=one)
        return {
            "question": one,
            "form": own,
            "sort": dict(SORTS)[one.sort],
            "answers": counts.get(one.code, 0),
        }

    return show(
        request,
        "organizer/questions",
        tournament,
        form=form,
        lines=[line(one) for one in read_questions(tournament.questions)],
        status=status_of(changed[1] if changed else form),
    )
