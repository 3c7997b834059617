"""A player's own page, opened by the private link that came with the registration."""

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.problems import gettext_noop
from tournaments.models import Protocol, Registration, Seat, Session, Tournament
from tournaments.people.forms import OwnForm
from tournaments.people.operations import registration as operations
from tournaments.people.queries.answers import answers_of
from tournaments.people.queries.mails import copies
from tournaments.people.queries.places import quota_sentence
from tournaments.public.views.public import player_context
from tournaments.record.receipts import check_key
from tournaments.record.refusal import refuse
from tournaments.tables.operations import protocols
from tournaments.tables.operations.recording import Intent
from tournaments.tables.queries.mirrors import Mirror, mirror_of
from tournaments.web import rates
from tournaments.web.access import CAPABILITIES, actor_of, link_of, page, pin_of
from tournaments.web.addresses import shared
from tournaments.web.callers import spend
from tournaments.web.frame import do, done, show, status_of, tried, tried_as_seen
from tournaments.web.qr import qr_bytes, qr_svg
from tournaments.web.requests import Request
from tournaments.web.strict import parse_whole

BOTH = ("GET", "POST")
POST = ("POST",)


@page("own_page")
def own_page(request: Request, tournament: Tournament, registration: Registration) -> HttpResponse:
    """Show where to sit, what was played, and the code for the door."""
    address = _address(request, registration)
    public = reverse("tournaments:player", args=[tournament.slug, registration.number])
    shown = player_context(tournament, registration)
    return show(
        request,
        "player/own_page",
        tournament,
        **shown,
        result=_result_to_confirm(shown["seat"], shown["seats"], registration),
        mirror=_mirror(shown["seat"], shown["seats"], registration),
        link=link_of(registration),
        own_url=address,
        share_url=shared(request, public),
        qr=qr_svg(address),
        place=operations.waiting_place(registration),
        offers_places=operations.offers_places(tournament),
        waits_for=quota_sentence(registration),
        answers=answers_of(registration),
        mails=copies(registration),
        pin=pin_of(registration.player) if tournament.asks_pin else "",
        may_change=tournament.state == Tournament.State.ANNOUNCED,
        may_check_in=_may_check_in(request, registration),
    )


def _result_to_confirm(
    seat: Seat | None, seats: list[Seat], registration: Registration
) -> dict[str, Any] | None:
    """Return the result of the player's table once it has ended, and whether the player has confirmed it."""
    protocol = getattr(seat.table, "protocol", None) if seat else None
    if seat is None or protocol is None or protocol.state == Protocol.State.OPEN:
        return None
    if seat.player_id != registration.player_id or seat.has_left or seat.session.state != Session.State.OPEN:
        return None
    return {
        "seats": [other for other in seats if other.player_id],
        "is_confirmed": seat.confirmed_at is not None,
        "is_settled": protocol.is_settled,
        "protocol": protocol,
    }


def _mirror(seat: Seat | None, seats: list[Seat], registration: Registration) -> Mirror | None:
    """Return the last hand of the table where the player sits and plays."""
    protocol = getattr(seat.table, "protocol", None) if seat else None
    if seat is None or protocol is None or seat.player_id != registration.player_id or seat.has_left:
        return None
    seat.table.session = seat.session
    protocol.table = seat.table
    return mirror_of(protocol, seat, seats)


def _may_check_in(request: Request, registration: Registration) -> bool:
    """Return whether the reader works at the door: staff who scan a player's code come to this page."""
    roles = actor_of(request, registration.tournament).roles
    return bool(roles & CAPABILITIES["check_in"]) and registration.status == Registration.Status.ACTIVE


@page("own_page", methods=BOTH)
def change(request: Request, tournament: Tournament, registration: Registration) -> HttpResponse:
    """Let the player mend what was typed."""
    form = OwnForm(request.POST or None, tournament=tournament, initial=OwnForm.of(registration))
    changed = tried(form, lambda: _change(request, tournament, registration, form))
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


def _change(request: Request, tournament: Tournament, registration: Registration, form: OwnForm) -> Any:
    """Count the attempt, and store what was typed unless somebody else has changed what the player saw."""
    spend(request, rates.OWN_CHANGE)
    return tried_as_seen(
        request,
        form,
        tournament,
        lambda now: OwnForm.of(now.registrations.select_related("player__team").get(pk=registration.pk)),
        lambda: operations.change_player(
            registration,
            form.details(registration.player),
            by=request.actor,
            is_another=form.cleaned_data.get("is_another", False),
        ),
    )


@page("own_page", methods=POST)
def withdraw(request: Request, tournament: Tournament, registration: Registration) -> HttpResponse:
    """Let the player withdraw before the event starts."""
    return do(
        request,
        lambda: operations.withdraw(registration, by=request.actor),
        _("You are off the list. The organizer sees it at once."),
        "tournaments:own_page",
        tournament.slug,
        link_of(registration),
    )


@page("own_page", methods=POST)
def accept(request: Request, tournament: Tournament, registration: Registration) -> HttpResponse:
    """Let a player who waited take the place that is offered."""
    return do(
        request,
        lambda: operations.accept_place(registration, by=request.actor),
        _("The place is yours."),
        "tournaments:own_page",
        tournament.slug,
        link_of(registration),
    )


@page("own_page", methods=POST)
def confirm(request: Request, tournament: Tournament, registration: Registration) -> HttpResponse:
    """Let a player confirm the result of their own table, as they saw it. [SBR 2.5.8.4]"""

    def work() -> Any:
        seat = own_seat(tournament, registration)
        totals = {
            wind: parse_whole(
                request.POST.get(f"points-{wind}", ""), field="points", least=-(10**9), most=10**9
            )
            for wind in seat.table.seats.filter(player__isnull=False).values_list("wind", flat=True)
        }
        key = check_key(request.POST.get("key", ""))
        body = {"operation": "confirm", "seat": seat.pk, "totals": totals}
        intent = Intent(seen=seat.table.protocol.version, key=key, body=body)
        return protocols.confirm_seat(
            seat.table.protocol, seat.wind, totals=totals, intent=intent, by=request.actor
        )

    link = link_of(registration)
    return do(request, work, _("Confirmed."), "tournaments:own_page", tournament.slug, link)


def own_seat(tournament: Tournament, registration: Registration) -> Seat:
    """Find where the player sits in the session in play; whoever has a substitute there confirms nothing."""
    seat = (
        Seat.objects.filter(
            player=registration.player, session__tournament=tournament, session__state=Session.State.OPEN
        )
        .select_related("table__protocol__table__session__tournament")
        .filter(table__protocol__isnull=False)
        .first()
    )
    if seat is None:
        refuse("not_seated", gettext_noop("You have no game in play now."))
    return seat


@page("own_page")
def code(request: Request, tournament: Tournament, registration: Registration) -> HttpResponse:
    """Return the QR code of the page, for the door."""
    return HttpResponse(qr_bytes(_address(request, registration)), content_type="image/svg+xml")


def _address(request: Request, registration: Registration) -> str:
    own = reverse("tournaments:own_page", args=[registration.tournament.slug, link_of(registration)])
    return shared(request, own)
