"""The pictures that messengers show beside a link to an event or to a player, in the event's own language."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.models import Registration, Tournament
from tournaments.people.queries.events import GONE
from tournaments.public.rules.picture import picture
from tournaments.standings.queries.frozen import shown_standing
from tournaments.standings.queries.table import value_plain
from tournaments.web.access import page
from tournaments.web.labels import heading_of
from tournaments.web.requests import Request
from tournaments.web.sharing import days

MINUTES_KEPT = 10
SHOWN = (Registration.Status.ACTIVE, Registration.Status.WAITING, *GONE)


@page("look", keeps_freeze=True)
def event_picture(request: Request, tournament: Tournament) -> HttpResponse:
    """Draw what is played, when and where."""
    with translation.override(tournament.own_language):
        place = ", ".join(filter(None, (tournament.city, tournament.venue)))
        return _answered(
            picture(
                str(tournament),
                tournament.get_system_display(),
                days(tournament),
                place,
                foot=f"{_('Four Winds')} · {tournament.get_state_display()}",
            )
        )


@page("look", keeps_freeze=True)
def player_picture(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Draw who it is, the place and what it is made of."""
    rows = Registration.objects.select_related("player")
    row = get_object_or_404(rows, tournament=tournament, number=number, status__in=SHOWN)
    with translation.override(tournament.own_language):
        return _answered(
            picture(str(row.player), *_standing(tournament, row), str(tournament), foot=_("Four Winds"))
        )


def _standing(tournament: Tournament, row: Registration) -> list[str]:
    """Say the place and the first value of the ranking."""
    standing = shown_standing(tournament, row.number)
    if standing is None or standing.place is None or not standing.results:
        return []
    count = tournament.standings.exclude(place=None).count()
    first = tournament.regulation["ranking"][0]
    place = _("Place %(place)s of %(n)s") % {"place": standing.place, "n": count}
    return [f"{place} · {heading_of(first)} {value_plain(first, standing.values.get(first))}"]


def _answered(png: bytes) -> HttpResponse:
    response = HttpResponse(png, content_type="image/png")
    response["Cache-Control"] = f"public, max-age={60 * MINUTES_KEPT}"
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response
