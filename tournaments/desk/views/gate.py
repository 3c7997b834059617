"""What is looked at before a session is started or closed: each concern with its remedy, then the press goes through."""

from collections.abc import Callable, Sequence
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext

from tournaments.models import Session
from tournaments.sessions.queries import Concern
from tournaments.web.frame import do, may, show
from tournaments.web.requests import Request

MOST_KNOWN = 20
Knowing = frozenset[str]


def through(
    request: Request,
    session: Session,
    concerns: Sequence[Concern],
    work: Callable[[Knowing], Any],
    *,
    said: str | Callable[[Any], str],
    to: str,
    words: dict[str, str],
) -> HttpResponse:
    """Do what the button asks once every concern was looked at; until then show them. [RULES 9.12]"""
    knowing = frozenset(request.POST.getlist("knowing")[:MOST_KNOWN])
    if all(concern.code in knowing for concern in concerns):
        return do(request, lambda: work(knowing), said, to, session.tournament.slug)
    return show(
        request,
        "organizer/gate",
        session.tournament,
        session=session,
        concerns=[(one, gettext(one.sentence) % one.details) for one in concerns],
        typed=request.POST.get("reason", ""),
        may_substitute=may(request, "seat_substitutes"),
        may_draw=may(request, "draw"),
        may_check_in=may(request, "check_in"),
        may_admit=may(request, "admit_devices"),
        status=409,
        **words,
    )
