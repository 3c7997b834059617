"""Templates of an organizer: an event is saved as one, and others begin from it."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from tournaments.desk.forms.event import TournamentForm
from tournaments.models import EventTemplate, Tournament
from tournaments.operator.operations import create_from_template
from tournaments.operator.queries import creation_outlook
from tournaments.sessions.operations import templates as operations
from tournaments.web import rates
from tournaments.web.access import page
from tournaments.web.callers import spend
from tournaments.web.frame import do, done, form_key, status_of, tried
from tournaments.web.requests import AccountRequest, Request

BOTH = ("GET", "POST")
POST = ("POST",)


@page("change_tournament", methods=POST)
def save(request: Request, tournament: Tournament) -> HttpResponse:
    """Save what the event is like as a template of the reader's own."""
    assert request.user.is_authenticated
    owner, name = request.user, request.POST.get("name", "")
    return do(
        request,
        lambda: operations.save_template(tournament, name, owner=owner),
        _("The template is saved; “New event” offers it."),
        "tournaments:settings",
        tournament.slug,
    )


@page("create_tournament", methods=BOTH)
def begin(request: AccountRequest, template: int) -> HttpResponse:
    """Begin an event from a template: its name and days are asked, all else can be changed."""
    row = _own(request, template)
    known = {field: row.settings.get(field) for field in operations.SETTINGS}
    form = TournamentForm(request.POST or None, initial=known)
    made = tried(form, lambda: _create(request, form, row))
    if made:
        said = _("The event is created. Look through it and announce it.")
        return done(request, said, "tournaments:desk", made.slug)
    context = {"form": form, "template": row, "outlook": creation_outlook(request.user)}
    status = form.refusal_status or status_of(form)
    return render(request, "tournaments/organizer/from_template.html", context, status=status)


def _create(request: AccountRequest, form: TournamentForm, template: EventTemplate) -> Tournament:
    spend(request, rates.NEW_EVENT)
    return create_from_template(template, form.announcement(), by=request.actor, key=form_key(request))


@page("create_tournament", methods=POST)
def rename(request: AccountRequest, template: int) -> HttpResponse:
    """Call a template otherwise."""
    row, name = _own(request, template), request.POST.get("name", "")
    return _do(request, lambda: operations.rename_template(row, name), _("The template is renamed."))


@page("create_tournament", methods=POST)
def delete(request: AccountRequest, template: int) -> HttpResponse:
    """Delete a template."""
    row = _own(request, template)
    return _do(request, lambda: operations.delete_template(row), _("The template is deleted."))


def _do(request: AccountRequest, work: Any, sentence: str) -> HttpResponse:
    return do(request, work, sentence, "tournaments:new")


def _own(request: AccountRequest, template: int) -> EventTemplate:
    return get_object_or_404(EventTemplate, owner=request.user, pk=template)
