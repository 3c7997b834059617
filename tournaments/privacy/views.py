"""What becomes of personal data, for the person, for the organizer, and for everybody who asks."""

import json
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.contrib.auth import logout
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from tournaments.models import ErasureRequest, Player, Registration, Tournament, User
from tournaments.privacy import operations, queries
from tournaments.privacy.forms import DeleteAccountForm, EraseForm, OwnErasureForm, OwnNameForm
from tournaments.privacy.rules import ABOUT_PLAYERS, Why, erasure_problems, is_erased_at_once, kept_labels
from tournaments.record.refusal import sentences
from tournaments.sessions.operations.tournaments import delete_draft as delete_own_draft
from tournaments.web.access import link_of, page
from tournaments.web.forms import ReasonForm
from tournaments.web.frame import Context, do, done, show, status_of, tried
from tournaments.web.labels import GROUPED_BY
from tournaments.web.requests import AccountRequest, Request

BOTH = ("GET", "POST")
POST = ("POST",)


def _download(name: str, data: Any) -> HttpResponse:
    text = json.dumps(data, ensure_ascii=False, indent=2)
    response = HttpResponse(text, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.json"'
    return response


def in_words(reasons: Iterable[Why]) -> list[str]:
    """Return the reason why something is kept, in the reader's language."""
    return [_(why.value) for why in reasons]


def _outlook(player: Player) -> Context:
    """Return what erasing a player would empty and keep, and what stands in the way now."""
    situation = queries.situation_of(player)
    labels = kept_labels(queries.grouping_labels(player.tournament), has_played=situation.has_played)
    return {
        "player": player,
        "at_once": is_erased_at_once(situation),
        "mentions": queries.sealed_mentions(player),
        "kept_labels": [GROUPED_BY[name] for name in sorted(labels)],
        "obstacles": sentences(erasure_problems(str(player), situation)),
    }


@page("look")
def notice(request: Request) -> HttpResponse:
    """Tell everybody what this site stores about people, why, and how long."""
    return render(
        request,
        "tournaments/privacy/notice.html",
        {
            "operator_name": settings.OPERATOR_NAME,
            "operator_contact": settings.OPERATOR_CONTACT,
            "months": settings.CONTACTS_KEPT_MONTHS,
            "reasons": in_words(Why),
        },
    )


# A player's own data


@page("own_page", methods=BOTH)
def own_data(request: Request, tournament: Tournament, registration: Registration) -> HttpResponse:
    """Let a player take the own data, and ask to be erased."""
    player = _whole(registration.player, tournament)
    form = OwnErasureForm(request.POST if request.method == "POST" else None)
    link = link_of(registration)
    if form.is_valid():
        request_made = operations.request_erasure(registration, by=request.actor)
        if request_made is None:
            return done(request, _("Your data is erased."), "tournaments:event", tournament.slug)
        sentence = _("The organizer has your request and answers it here.")
        return done(request, sentence, "tournaments:own_data", tournament.slug, link)
    return show(
        request,
        "privacy/own_data",
        tournament,
        form=form,
        registration=registration,
        link=link,
        asked=player.erasure_requests.order_by("-id").first(),
        status=status_of(form),
        **_outlook(player),
    )


@page("own_page")
def own_export(request: Request, tournament: Tournament, registration: Registration) -> HttpResponse:
    """Send a player everything that is stored about them here."""
    player = _whole(registration.player, tournament)
    return _download(f"{tournament.slug}-{registration.number}", queries.player_data(player))


def _whole(player: Player, tournament: Tournament) -> Player:
    player.tournament = tournament
    return player


# The organizer's desk


@page("manage_people")
def requests(request: Request, tournament: Tournament) -> HttpResponse:
    """List the requests to be erased, the most urgent first."""
    return _requests(request, tournament, ReasonForm())


def _requests(request: Request, tournament: Tournament, form: ReasonForm, declined: int = 0) -> HttpResponse:
    rows = [(row, form if row.pk == declined else ReasonForm()) for row in queries.open_requests(tournament)]
    return show(
        request,
        "privacy/requests",
        tournament,
        rows=rows,
        today=queries.today(),
        status=status_of(form),
    )


@page("manage_people", methods=POST)
def decline(request: Request, tournament: Tournament, request_number: int) -> HttpResponse:
    """Decline a request with a reason that the player reads."""
    row = get_object_or_404(ErasureRequest, tournament=tournament, pk=request_number)
    form = ReasonForm(request.POST)

    def work() -> ErasureRequest:
        return operations.decline_request(row, by=request.actor, reason=form.cleaned_data["reason"])

    if tried(form, work) is None:
        return _requests(request, tournament, form, row.pk)
    sentence = _("Declined. The player reads your reason on the own page.")
    return done(request, sentence, "tournaments:erasure_requests", tournament.slug)


@page("manage_people", methods=BOTH)
def erase(request: Request, tournament: Tournament, person: int) -> HttpResponse:
    """Erase a player or a substitute, after saying what goes and what stays."""
    player = _whole(get_object_or_404(Player, tournament=tournament, pk=person, erased_at=None), tournament)
    form = EraseForm(request.POST or None, name=player.name)
    if tried(form, lambda: operations.erase_player(player, by=request.actor, reason="")):
        return done(request, _("The player's data is erased."), "tournaments:people", tournament.slug)
    return show(
        request,
        "privacy/erase",
        tournament,
        form=form,
        reasons=in_words(ABOUT_PLAYERS),
        status=status_of(form),
        **_outlook(player),
    )


@page("change_tournament", methods=POST)
def delete_draft(request: Request, tournament: Tournament) -> HttpResponse:
    """Delete the own draft in which nobody plays."""
    return do(
        request,
        lambda: delete_own_draft(tournament, by=request.actor),
        _("The draft is deleted."),
        "tournaments:home",
    )


# An account


@page("own_account")
def account(request: AccountRequest) -> HttpResponse:
    """Show what the account is, and the ways to take or delete its data."""
    return _account(request, _delete_form(request.user))


def _delete_form(user: User, data: Any = None) -> DeleteAccountForm:
    return DeleteAccountForm(data, user=user, has_events=bool(queries.owned_alone(user)))


def _account(request: Request, form: DeleteAccountForm, name_form: OwnNameForm | None = None) -> HttpResponse:
    user = form.user
    name_form = name_form or OwnNameForm(initial={"name": user.get_full_name()})
    events = Tournament.objects.filter(roles__user=user).distinct().order_by("-first_day", "-pk")
    return render(
        request,
        "tournaments/privacy/account.html",
        {
            "form": form,
            "name_form": name_form,
            "events": events,
            "owned": [row for row in queries.owned_alone(user) if row.players.exists() or row.is_public],
        },
        status=status_of(form if form.is_bound else name_form),
    )


@page("own_account", methods=POST)
def name_account(request: AccountRequest) -> HttpResponse:
    """Take the name under which the account's owner appears on pages and papers."""
    user, form = request.user, OwnNameForm(request.POST)
    if tried(form, lambda: operations.name_account(user, form.cleaned_data["name"])) is None:
        return _account(request, _delete_form(user), form)
    return done(request, _("Saved."), "tournaments:own_account")


@page("own_account")
def export_account(request: AccountRequest) -> HttpResponse:
    """Send the account's owner everything that is stored about it."""
    return _download("account", queries.account_data(request.user))


@page("own_account", methods=POST)
def delete_account(request: AccountRequest) -> HttpResponse:
    """Delete the account of whoever is signed in."""
    user = request.user
    form = _delete_form(user, request.POST)

    def work() -> User:
        leaves_events = form.cleaned_data.get("leaves_events", False)
        return operations.delete_account(user, by=request.actor, leaves_events=leaves_events)

    if tried(form, work) is None:
        return _account(request, form)
    logout(request)
    return done(request, _("Your account is deleted."), "tournaments:home")
