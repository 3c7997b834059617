"""The page of the rehearsal, and the turns that its pages ask for while one of them is open."""

import random
from typing import Any

from django import forms
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.rehearsal import operations, rules
from tournaments.models import Registration, Tournament
from tournaments.web.access import page
from tournaments.web.forms import RefusableForm
from tournaments.web.frame import do, done, show, status_of, tried
from tournaments.web.requests import Request


class PaceForm(RefusableForm):
    """How a rehearsal is played."""

    speed = forms.TypedChoiceField(
        label=gettext_lazy("Speed"),
        coerce=int,
        choices=[(speed, f"×{speed}") for speed in rules.SPEEDS],
        initial=20,
        widget=forms.RadioSelect(attrs={"class": "chips"}),
        help_text=gettext_lazy("At ×60 an hour of play takes a minute."),
    )
    own = forms.IntegerField(
        label=gettext_lazy("Tables that you play yourselves"),
        min_value=0,
        max_value=30,
        initial=1,
        help_text=gettext_lazy(
            "Counted from the first table. Admit a tablet and enter the hands there; all others play by themselves."
        ),
    )
    is_alone = forms.BooleanField(
        label=gettext_lazy("It also draws, starts and closes by itself"),
        required=False,
        help_text=gettext_lazy("Otherwise you press these buttons yourself, as at the event."),
    )


class RehearsalForm(PaceForm):
    """How many play, besides."""

    players = forms.IntegerField(
        label=gettext_lazy("Invented players"), min_value=rules.FEWEST_PLAYERS, max_value=rules.MOST_PLAYERS
    )
    field_order = ("players", "speed", "own", "is_alone")


@page("change_tournament", methods=("GET", "POST"))
def rehearsal(request: Request, tournament: Tournament) -> HttpResponse:
    """Begin a rehearsal of an event, or show how the one there is goes on. [RULES 9.26]"""
    if tournament.rehearsal_of_id is not None:
        return _pace(request, tournament)
    there = tournament.rehearsals.first()
    active = tournament.registrations.filter(status=Registration.Status.ACTIVE).count()
    most = tournament.regulation["max_players"]
    form = RehearsalForm(request.POST or None, initial={"players": rules.players_for(active, most)})
    begun = tried(form, lambda: operations.begin(tournament, by=request.actor, **form.cleaned_data))
    if begun:
        return done(
            request,
            _("The rehearsal has begun: check in and draw, or watch."),
            "tournaments:desk",
            begun.slug,
        )
    context: dict[str, Any] = {"form": form, "there": there, "status": status_of(form)}
    return show(request, "rehearsal/rehearsal.html", tournament, **context)


def _pace(request: Request, tournament: Tournament) -> HttpResponse:
    pace = tournament.pace or {}
    form = PaceForm(request.POST or None, initial=pace)
    changed = tried(form, lambda: operations.change_pace(tournament, **form.cleaned_data) or True)
    if changed:
        return done(request, _("Saved."), "rehearsal:rehearsal", tournament.slug)
    return show(request, "rehearsal/rehearsal.html", tournament, form=form, status=status_of(form))


@page("change_tournament", methods=("POST",))
def turn(request: Request, tournament: Tournament) -> HttpResponse:
    """Play a rehearsal on by what has become due; pages ask for it every two seconds while they are open."""
    is_script = "application/json" in request.headers.get("Accept", "")
    if not is_script:
        return do(
            request,
            lambda: operations.turn(tournament, random.Random()),
            _("Played on."),
            "tournaments:desk",
            tournament.slug,
        )
    operations.turn(tournament, random.Random())
    return JsonResponse({"again": True})


@page("change_tournament", methods=("POST",))
def wipe(request: Request, tournament: Tournament) -> HttpResponse:
    """Wipe a rehearsal with everything in it, and lead back to the event it was of."""
    source = tournament.rehearsal_of
    if source is None:
        return redirect("tournaments:desk", tournament.slug)
    return do(
        request,
        lambda: operations.wipe(tournament),
        _("The rehearsal is wiped. Nothing of it is left."),
        "tournaments:desk",
        source.slug,
    )
