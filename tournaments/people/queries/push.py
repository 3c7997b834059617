"""The words of notifications, and whether they are still true."""

from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from tournaments.models import PushNotice, PushSubscription, Seat, Session, Standing, StandingsRevision
from tournaments.table_numbers import shown_number
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
        told = {
            "session": facts["session"],
            "table": shown_number(facts["table"], notice.subscription.tournament),
            "seat": wind_name(facts["wind"]),
        }
        return _("Session %(session)s: table %(table)s, %(seat)s") % told, who
    if notice.sort == Sort.STARTS:
        told = {
            "session": facts["session"],
            "at": _time(facts["starts_at"]),
            "table": shown_number(facts["table"], notice.subscription.tournament),
        }
        return _("Session %(session)s starts at %(at)s at table %(table)s") % told, who
    if notice.sort == Sort.RESULT:
        seat = _seat(notice)
        points = plus(seat.hand_points) if seat else "–"
        told = {
            "session": facts["session"],
            "table": shown_number(facts["table"], notice.subscription.tournament),
            "points": points,
        }
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
        return _is_seated_so(notice)
    if notice.sort == Sort.RESULT:
        protocol = getattr(getattr(_seat(notice), "table", None), "protocol", None)
        return protocol is not None and protocol.is_settled and not tournament.hides_session(facts["session"])
    if notice.sort == Sort.PLACE:
        return not tournament.is_frozen and _is_last(notice) and place_of(notice) is not None
    return True


def _seat(notice: PushNotice) -> Seat | None:
    """Return where the player sits at the table that a notification names."""
    rows = Seat.objects.filter(
        player=notice.subscription.registration.player_id,
        session__tournament=notice.subscription.tournament_id,
        session__number=notice.facts["session"],
        table__number=notice.facts["table"],
    )
    return rows.select_related("session", "table__protocol").first()


def _is_seated_so(notice: PushNotice) -> bool:
    """Return whether the seat is still the player's, in a session that is still to begin, and when that was said, then."""
    seat, facts = _seat(notice), notice.facts
    if seat is None or seat.wind != facts["wind"] or not seat.session.is_published:
        return False
    at, session = facts.get("starts_at"), seat.session
    is_then = not at or session.planned_at == datetime.fromisoformat(at)
    return is_then and session.state == Session.State.PLANNED


def _is_last(notice: PushNotice) -> bool:
    """Return whether a session is closed and none has begun after it: else the place now is not the one after it."""
    sessions = Session.objects.filter(tournament=notice.subscription.tournament_id)
    session = sessions.filter(number=notice.facts["session"], state=Session.State.CLOSED)
    later = sessions.filter(number__gt=notice.facts["session"]).exclude(state=Session.State.PLANNED)
    return session.exists() and not later.exists()
