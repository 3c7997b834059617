"""People over the events of the site: those whom somebody follows, one person's events, two beside each other, the records."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from tournaments.models import Registration, Tournament
from tournaments.public.queries.career import career_of, head_to_head
from tournaments.public.queries.following import followed_events, parse_keys
from tournaments.public.views.public import SHOWN
from tournaments.standings.queries.figures import average, tally_rows, wind_rows
from tournaments.standings.queries.records import site_records
from tournaments.standings.rules.figures import Part
from tournaments.templatetags.looks import number as number_text
from tournaments.web import rates
from tournaments.web.access import page
from tournaments.web.frame import live_addresses, show
from tournaments.web.requests import Request

MOST_LIVE = 4
"""A browser keeps few streams of one site open at once; events behind these stand still until the page is loaded again."""


@page("look", reading=rates.SEARCH)
def following(request: Request) -> HttpResponse:
    """Show the people whom the address names, live; without any, the page's script names those kept on the device."""
    keys = parse_keys(request.GET.get("who", ""))
    events = followed_events(keys)
    found = {one.key for event in events for one in event.people}
    live = [one for one in events if one.tournament.state == Tournament.State.RUNNING][:MOST_LIVE]
    return render(
        request,
        "tournaments/public/following.html",
        {
            "events": [
                {"of": event, "live": live_addresses(event.tournament) if event in live else None}
                for event in events
            ],
            "asked": ",".join(f"{slug}.{number}" for slug, number in keys),
            "gone": [key for slug, number in keys if (key := f"{slug}.{number}") not in found],
            "share_url": request.build_absolute_uri(),
        },
    )


@page("look", reading=rates.SEARCH, keeps_freeze=True)
def career(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Show a person over all events of the site where the same number of a federation says that it is one."""
    row = _person(tournament, number)
    found = career_of(row)
    return show(
        request,
        "public/career",
        tournament,
        registration=row,
        career=found,
        styles=[
            {"of": style, "rows": tally_rows(style.system, style.tally), "winds": wind_rows(style.tally)}
            for style in found.styles
        ],
    )


@page("look", reading=rates.SEARCH, keeps_freeze=True)
def versus(request: Request, tournament: Tournament, number: int, other: int) -> HttpResponse:
    """Show two players beside each other: every table at which they met, and what they did to each other."""
    one, two = _person(tournament, number), _person(tournament, other)
    if one == two:
        raise Http404
    found = head_to_head(one, two)
    return show(
        request,
        "public/versus",
        tournament,
        one=one,
        other=two,
        found=found,
        ahead=found.ahead,
        duels=[{"of": duel, "rows": _duel_rows(duel.one, duel.other)} for duel in found.duels],
    )


def _duel_rows(one: Part, other: Part) -> list[tuple[str, str, str]]:
    """List what two players did to each other: a label, and a figure of each."""
    return [
        (_("Hands at one table"), number_text(one.hands), number_text(other.hands)),
        (_("Wins by the other’s discard"), number_text(one.wins), number_text(other.wins)),
        (_("Average of these hands"), average(one.worth, one.wins), average(other.worth, other.wins)),
    ]


def _person(tournament: Tournament, number: int) -> Registration:
    """Find a player whom public pages show; an erased one has no page of this kind. [RULES 9.36]"""
    rows = Registration.objects.select_related("player")
    row: Any = get_object_or_404(
        rows, tournament=tournament, number=number, status__in=SHOWN, player__erased_at=None
    )
    row.tournament = tournament
    found: Registration = row
    return found


@page("look", reading=rates.SEARCH)
def records(request: Request) -> HttpResponse:
    """Show the records of the site, system by system."""
    return render(request, "tournaments/public/records.html", {"found": site_records()})
