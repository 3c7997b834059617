"""Notifications: a player's followers, and the player, choose of what their browser shall tell them."""

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.models import PushSubscription, Registration, Tournament
from tournaments.people.operations import push
from tournaments.people.operations.push import Browser, Wishes
from tournaments.people.operations.push_messages import encoded, public_bytes
from tournaments.public.views.public import SHOWN
from tournaments.record.refusal import Refused, sentences
from tournaments.web import rates
from tournaments.web.access import link_of, page
from tournaments.web.callers import spend
from tournaments.web.frame import do, show
from tournaments.web.requests import Request
from tournaments.web.strict import parse_whole

BOTH = ("GET", "POST")
LAST_HOUR = 23
PLAIN = "text/plain; charset=utf-8"
Sort = PushSubscription.Sort


@page("look", methods=BOTH, keeps_freeze=True)
def notices(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Let anybody follow a player by notifications."""
    rows = Registration.objects.select_related("player")
    row = get_object_or_404(rows, tournament=tournament, number=number, status__in=SHOWN)
    row.tournament = tournament
    return _notices(request, row, is_own=False)


@page("own_page", methods=BOTH)
def own_notices(request: Request, tournament: Tournament, registration: Registration) -> HttpResponse:
    """Let a player choose notifications, those of appeals among them."""
    return _notices(request, registration, is_own=True)


def _notices(request: Request, registration: Registration, *, is_own: bool) -> HttpResponse:
    tournament = registration.tournament
    back: tuple[Any, ...]
    if is_own:
        back = ("tournaments:own_page", tournament.slug, link_of(registration))
    else:
        back = ("tournaments:player", tournament.slug, registration.number)
    if request.method == "POST":
        return _stored(request, registration, back, is_own=is_own)
    link: dict[str, Any] = {"link": link_of(registration)} if is_own else {}
    return show(
        request,
        "public/notices",
        tournament,
        registration=registration,
        is_own=is_own,
        back_url=reverse(back[0], args=back[1:]),
        sorts=[(sort.value, sort.label) for sort in Sort if is_own or sort != Sort.APPEAL],
        hours=range(LAST_HOUR + 1),
        site_key=encoded(public_bytes(push.site_key())),
        **link,
    )


def _stored(
    request: Request, registration: Registration, back: tuple[Any, ...], *, is_own: bool
) -> HttpResponse:
    browser = Browser(*(request.POST.get(name, "")[:1200] for name in ("endpoint", "p256dh", "auth")))
    is_off = request.POST.get("step") == "off"

    def work() -> None:
        spend(request, rates.NOTICES)
        if is_off:
            push.unsubscribe(registration, browser)
            return
        wishes = Wishes(
            request.POST.getlist("sorts"), _hour(request, "quiet_from"), _hour(request, "quiet_until")
        )
        push.subscribe(registration, browser, wishes, is_own=is_own)

    said = (
        _("This browser gets no more notifications of this player.") if is_off else _("Notifications are on.")
    )
    if request.headers.get("X-Part") == "push":
        return _told(work, said)
    return do(request, work, said, *back)


def _told(work: Callable[[], None], said: str) -> HttpResponse:
    """Do what the page's script asks and say what came of it: the browser keeps as switched on only what is."""
    try:
        work()
    except Refused as refused:
        return HttpResponse(" ".join(sentences(refused.problems)), status=422, content_type=PLAIN)
    return HttpResponse(said, content_type=PLAIN)


def _hour(request: Request, name: str) -> int | None:
    """Read an hour of the day; none where it is left out."""
    text = request.POST.get(name, "")
    return parse_whole(text, field=name, least=0, most=LAST_HOUR) if text else None
