"""The frame of a tournament's pages: header, tabs, and what a form or a button answers."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, TypedDict

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.models import Tournament
from tournaments.record.locks import lock_tournament
from tournaments.record.receipts import check_key
from tournaments.record.refusal import Refused, sentences
from tournaments.web.access import CAPABILITIES, MOST_GIVEN_BACK, STAFF
from tournaments.web.forms import RefusableForm, SeenForm
from tournaments.web.requests import Request
from tournaments.web.sharing import in_words

Context = dict[str, Any]
PLAYED = frozenset({Tournament.State.RUNNING, Tournament.State.CLOSED})


def show(
    request: Request, template: str, tournament: Tournament, *, status: int = 200, **context: Any
) -> HttpResponse:
    """Show a page of the tournament, its times in its own zone."""
    with timezone.override(tournament.zone):
        response = render(
            request,
            template if template.endswith(".html") else f"tournaments/{template}.html",
            {
                "tournament": tournament,
                "event_tabs": event_tabs(tournament),
                "desk_tabs": desk_tabs(request, tournament),
                "is_staff_here": bool(roles_of(request) & STAFF),
                "origin": request.build_absolute_uri("/")[:-1],
                "canonical": request.build_absolute_uri(request.path),
                "in_words": in_words(tournament),
                **context,
            },
            status=status,
        )
    if not request.user.is_authenticated and status == HTTPStatus.OK and "link" not in context:
        response["X-Offline-Copy"] = "allowed"
    return response


def event_tabs(tournament: Tournament) -> list[Context]:
    """Name the public pages of the tournament."""
    slug = [tournament.slug]
    tabs = [
        {"url": reverse("tournaments:event", args=slug), "text": _("Event")},
        {"url": reverse("tournaments:seating", args=slug), "text": _("Seating")},
        {"url": reverse("tournaments:standings", args=slug), "text": _("Standings")},
        {"url": reverse("tournaments:find", args=slug), "text": _("Find me")},
        {"url": reverse("tournaments:players", args=slug), "text": _("Players")},
    ]
    if tournament.state == Tournament.State.RUNNING:
        tabs.insert(3, {"url": reverse("tournaments:chances", args=slug), "text": _("Chances")})
    if tournament.state in PLAYED:
        tabs.insert(-1, {"url": reverse("tournaments:statistics", args=slug), "text": _("Statistics")})
    return tabs


def desk_tabs(request: Request, tournament: Tournament) -> list[Context]:
    """Name the desk's pages that this person may open."""
    slug, roles = [tournament.slug], roles_of(request)
    pages = (
        ("see_desk", "tournaments:desk", _("Desk")),
        ("manage_people", "tournaments:people", _("People")),
        ("check_in", "tournaments:check_in", _("Check-in")),
        ("draw", "seating:draw", _("Draw")),
        ("see_desk", "tournaments:sessions", _("Sessions")),
        ("see_tables", "tournaments:tables", _("Tables")),
        ("run_sessions", "tournaments:hall_desk", _("Screen")),
        ("see_judging", "penalties:judging", _("Judging")),
        ("admit_devices", "tournaments:tablets", _("Tablets")),
        ("change_tournament", "tournaments:settings", _("Settings")),
        ("see_history", "tournaments:history", _("History")),
    )
    return [
        {"url": reverse(name, args=slug), "text": text, "leads_here": _lies_below(request, name, slug)}
        for capability, name, text in pages
        if roles & CAPABILITIES[capability] & STAFF
    ]


def _lies_below(request: Request, name: str, slug: list[str]) -> bool:
    """Return whether the page is one of those that a tab leads to; the judges' pages lie side by side."""
    if name == "penalties:judging":
        return request.resolver_match is not None and request.resolver_match.namespace == "penalties"
    return name != "tournaments:desk" and request.path.startswith(reverse(name, args=slug))


def roles_of(request: Request) -> frozenset[str]:
    """Return the roles that the sender has here."""
    return request.actor.roles


def may(request: Request, capability: str) -> bool:
    """Return whether the sender may do something here, for showing or hiding what leads there."""
    return bool(roles_of(request) & CAPABILITIES[capability])


class LiveAddresses(TypedDict):
    """Where a page hears of news and asks for the newest revision."""

    events_url: str
    snapshot_url: str


def live_addresses(tournament: Tournament) -> LiveAddresses:
    """Return the addresses of a page's live stream and of the newest snapshot."""
    return {
        "events_url": f"/live/{tournament.slug}/events",
        "snapshot_url": f"/live/{tournament.slug}/standings.json",
    }


def followed(tournament: Tournament) -> dict[str, Any]:
    """Return what a page with a form needs to say that somebody else has changed what it shows; a draft has no news."""
    return {"follows": live_addresses(tournament)} if tournament.is_public else {}


def form_key(request: HttpRequest) -> str:
    """Return the key of a form, so that what is sent again counts once; a form of an older page has none. [INTEGRITY 2]"""
    key = request.POST.get("key", "")
    return check_key(key) if key else ""


def done(request: Request, sentence: str, to: str, *args: Any) -> HttpResponse:
    """Show what was done and redirect."""
    messages.success(request, sentence)
    return redirect(to, *args)


def do(
    request: Request, work: Callable[[], Any], sentence: str | Callable[[Any], str], to: str, *args: Any
) -> HttpResponse:
    """Do what a button asks; a refusal is shown on the page of the button, with the reason that was typed.

    Where the sentence depends on what came of it, a function makes it.
    """
    try:
        result = work()
    except Refused as refused:
        for said in sentences(refused.problems):
            messages.error(request, said)
        if typed := request.POST.get("reason", "").strip()[:MOST_GIVEN_BACK]:
            messages.info(request, _("You had written: %(text)s") % {"text": typed})
        return redirect(to, *args)
    return done(request, sentence if isinstance(sentence, str) else sentence(result), to, *args)


def tried(form: RefusableForm, work: Callable[[], Any]) -> Any:
    """Do what a valid form asks and return the result; on a refusal show it beside its field and return None."""
    if not form.is_valid():
        return None
    try:
        return work()
    except Refused as refused:
        form.add_refusal(refused)
        return None


def tried_as_seen(
    request: Request,
    form: SeenForm,
    tournament: Tournament,
    stored: Callable[[Tournament], Mapping[str, Any]],
    work: Callable[[], Any],
) -> Any:
    """Do what a valid form asks while what is stored is what its page showed; else show both versions and do nothing."""
    if not form.is_valid():
        return None
    with transaction.atomic():
        now = lock_tournament(tournament)
        if form.is_stale(request.POST.get("seen", ""), stored(now)):
            return None
        return tried(form, work)


def status_of(form: RefusableForm) -> int:
    """Return 422 for a form with mistakes, 409 for one that is stale, else 200; the middleware answers limits with 429."""
    if form.refusal_status == HTTPStatus.CONFLICT:
        return HTTPStatus.CONFLICT
    return 422 if form.is_bound and form.errors else 200
