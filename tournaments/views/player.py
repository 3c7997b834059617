"""A player's own page, opened by the private link that came with the registration."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.access import CAPABILITIES, actor_of, link_of, page, pin_of
from tournaments.forms import OwnForm
from tournaments.models import Registration, Tournament
from tournaments.operations import registration as operations
from tournaments.views.frame import do, done, show, status_of, tried
from tournaments.views.public import player_context
from tournaments.views.qr import qr_bytes, qr_svg

BOTH = ("GET", "POST")
POST = ("POST",)


@page("own_page")
def own_page(request: HttpRequest, tournament: Tournament, registration: Registration) -> HttpResponse:
    """Show where to sit, what was played, and the code for the door."""
    address = _address(request, registration)
    public = reverse("tournaments:player", args=[tournament.slug, registration.number])
    return show(
        request,
        "player/own_page",
        tournament,
        **player_context(tournament, registration),
        link=link_of(registration),
        own_url=address,
        share_url=request.build_absolute_uri(public),
        qr=qr_svg(address),
        pin=pin_of(registration.player) if tournament.asks_pin else "",
        may_change=tournament.state == Tournament.State.ANNOUNCED,
        may_check_in=_may_check_in(request, registration),
    )


def _may_check_in(request: HttpRequest, registration: Registration) -> bool:
    """Say whether the reader works at the door: staff who scan a player's code come to this page."""
    roles = actor_of(request, registration.tournament).roles
    return bool(roles & CAPABILITIES["check_in"]) and registration.status == Registration.Status.ACTIVE


@page("own_page", methods=BOTH)
def change(request: HttpRequest, tournament: Tournament, registration: Registration) -> HttpResponse:
    """Let the player mend what was typed."""
    form = OwnForm(request.POST or None, tournament=tournament, initial=OwnForm.of(registration))
    changed = tried(
        form,
        lambda: operations.change_player(
            registration,
            form.details(registration.player),
            by=request.actor,
            is_another=form.cleaned_data.get("is_another", False),
        ),
    )
    link = link_of(registration)
    if changed:
        return done(request, _("Saved."), "tournaments:own_page", tournament.slug, link)
    return show(
        request,
        "player/change",
        tournament,
        form=form,
        registration=registration,
        link=link,
        status=status_of(form),
    )


@page("own_page", methods=POST)
def withdraw(request: HttpRequest, tournament: Tournament, registration: Registration) -> HttpResponse:
    """Let the player withdraw before the event starts."""
    return do(
        request,
        lambda: operations.withdraw(registration, by=request.actor),
        _("You are off the list. The organizer sees it at once."),
        "tournaments:own_page",
        tournament.slug,
        link_of(registration),
    )


@page("own_page")
def code(request: HttpRequest, tournament: Tournament, registration: Registration) -> HttpResponse:
    """Give the QR code of the page, for the door."""
    return HttpResponse(qr_bytes(_address(request, registration)), content_type="image/svg+xml")


def _address(request: HttpRequest, registration: Registration) -> str:
    own = reverse("tournaments:own_page", args=[registration.tournament.slug, link_of(registration)])
    return request.build_absolute_uri(own)
