"""The words of notifications, and whether they are still true."""

from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from tournaments.models import PushNotice, PushSubscription, Seat, Session, Standing, StandingsRevision
from tournaments.templatetags.looks import plus, wind_name
from tournaments.web.access import link_of

Sort = PushSubscription.Sort


def payload(notice: PushNotice) -> dict[str, str]:
    """Return what the device shows, in the language of the subscription and the event's own time."""
    subscription = notice.subscription
    registration, tournament = subscription.registration, subscription.tournament
    with translation.override(subscription.language), timezone.override(tournament.zone):
        title, body = _said(notice)
    if subscription.is_own:
        url = reverse("tournaments:own_page", args=[tournament.slug, link_of(registration)])
    else:
        url = reverse("tournaments:player", args=[tournament.slug, registration.number])
    return {
        "title": title,
        "body": body,
        "url": url,
        "tag": f"{tournament.pk}-{registration.pk}-{notice.key}",
    }


def _said(notice: PushNotice) -> tuple[str, str]:
    facts: dict[str, Any] = notice.facts
    name, event = notice.subscription.registration.player, notice.subscription.tournament.name
    who = f"{name} · {event}"
    if notice.sort == Sort.SEATS:
        told = {"session": facts["session"], "table": facts["table"], "seat": wind_name(facts["wind"])}
        return _("Session %(session)s: table %(table)s, %(seat)s") % told, who
    if notice.sort == Sort.STARTS:
        told = {"session": facts["session"], "at": _time(facts["starts_at"]), "table": facts["table"]}
        return _("Session %(session)s starts at %(at)s at table %(table)s") % told, who
    if notice.sort == Sort.RESULT:
        told = {"session": facts["session"], "table": facts["table"], "points": plus(facts["points"])}
        return _("Session %(session)s, table %(table)s: %(points)s") % told, who
    if notice.sort == Sort.PLACE:
        place = place_of(notice)
        return _("Place %(place)s after session %(session)s") % {
            "place": place,
            "session": facts["session"],
        }, who
    return _("The appeal is decided"), who


def _time(text: str) -> str:
    return timezone.localtime(datetime.fromisoformat(text)).strftime("%H:%M")


def place_of(notice: PushNotice) -> int | None:
    """Return the place that the player has now."""
    rows = Standing.objects.filter(player=notice.subscription.registration.player_id)
    return rows.values_list("place", flat=True).first()


def is_ready(notice: PushNotice) -> bool:
    """Return whether what a notification tells is known: a place waits for the standings to be worked out."""
    if notice.sort != Sort.PLACE:
        return True
    row = StandingsRevision.objects.filter(pk=notice.subscription.tournament_id).first()
    return row is None or row.done >= row.wanted


def is_still_true(notice: PushNotice) -> bool:
    """Return whether what a notification tells still holds, and may be told: a freeze hides results. [RULES 9.15]"""
    subscription = notice.subscription
    tournament, facts = subscription.tournament, notice.facts
    if tournament.is_cancelled or not tournament.is_public or subscription.registration.player.erased_at:
        return False
    if notice.sort in {Sort.SEATS, Sort.STARTS}:
        seats = Seat.objects.filter(
            player=subscription.registration.player_id,
            session__tournament=tournament,
            session__number=facts["session"],
            session__state=Session.State.PLANNED,
            session__published_at__isnull=False,
        )
        return seats.filter(table__number=facts["table"], wind=facts["wind"]).exists()
    if notice.sort == Sort.RESULT:
        return not tournament.hides_session(facts["session"])
    if notice.sort == Sort.PLACE:
        return not tournament.is_frozen and place_of(notice) is not None
    return True
