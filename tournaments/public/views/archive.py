"""The archive: every finished event, found by year, system, place and name."""

from typing import Any

from django.db.models import Prefetch, QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.translation import gettext

from scoring.systems import SYSTEMS
from tournaments.models import Session, Standing, Tournament
from tournaments.models.tournament import IN_LISTS
from tournaments.people.queries.events import finished_tournaments
from tournaments.people.rules.names import search_key
from tournaments.web import rates
from tournaments.web.access import page
from tournaments.web.paging import Page, choice_of, page_of, words_of
from tournaments.web.requests import Request

ON_A_PAGE = 24
MOST_IN_SITEMAP = 5000
PAGES_OF_AN_EVENT = ("event", "standings", "players", "seating")


@page("look", reading=rates.SEARCH)
def archive(request: Request) -> HttpResponse:
    """List the finished events that answer the filter, the latest first."""
    every = finished_tournaments()
    choices = _choices(every)
    asked = {name: choice_of(request.GET, name, values) for name, values in choices.items()}
    query = words_of(request.GET)
    found = _matching(_filtered(every, asked), query)
    part = page_of(request.GET, found.count(), size=ON_A_PAGE)
    return render(
        request,
        "tournaments/public/archive.html",
        {
            "rows": _rows(found, part),
            "part": part,
            "total": part.total,
            "query": query,
            "is_filtered": bool(query) or any(asked.values()),
            "kept": _without_page(request),
            "filters": [
                {"name": name, "values": list(values.items()), "chosen": asked[name]}
                for name, values in choices.items()
                if len(values) > 1 or asked[name]
            ],
        },
    )


def _choices(rows: QuerySet[Tournament]) -> dict[str, dict[str, Any]]:
    """List the years, systems and places that the archive has."""
    bare = rows.order_by()
    years = [str(day.year) for day in bare.dates("first_day", "year", order="DESC")]
    systems = set(bare.values_list("system", flat=True))
    cities = {city for city in bare.values_list("city", flat=True).distinct() if city}
    return {
        "year": {year: year for year in years},
        "system": {code: gettext(one.name) for code, one in SYSTEMS.items() if code in systems},
        "place": {city: city for city in sorted(cities, key=search_key)},
    }


@page("look")
def sitemap(request: Request) -> HttpResponse:
    """Name the pages that search engines may show: the site's own, and those of every event that strangers find in its lists."""
    paths = [reverse("tournaments:home"), reverse("tournaments:archive")]
    for slug in Tournament.objects.filter(IN_LISTS).values_list("slug", flat=True)[:MOST_IN_SITEMAP]:
        paths += [reverse(f"tournaments:{name}", args=[slug]) for name in PAGES_OF_AN_EVENT]
    addresses = format_html_join(
        "", "<url><loc>{}</loc></url>", ((request.build_absolute_uri(path),) for path in paths)
    )
    text = f'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{addresses}</urlset>'
    return HttpResponse(text, content_type="application/xml; charset=utf-8")


def _filtered(rows: QuerySet[Tournament], asked: dict[str, str]) -> QuerySet[Tournament]:
    """Keep the events of a year, of a system, in a city."""
    fields = {"year": "first_day__year", "system": "system", "place": "city"}
    return rows.filter(**{fields[name]: value for name, value in asked.items() if value})


def _matching(rows: QuerySet[Tournament], query: str) -> QuerySet[Tournament]:
    """Keep the events with all the words in name, city or venue, whatever their case: SQLite folds ASCII only."""
    words = search_key(query).split()
    if not words:
        return rows
    texts = rows.order_by().values_list("pk", "name", "city", "venue")
    wanted = [pk for pk, *parts in texts if all(word in search_key(" ".join(parts)) for word in words)]
    return rows.filter(pk__in=wanted)


def _rows(rows: QuerySet[Tournament], part: Page) -> list[dict[str, Any]]:
    """Fetch the winners and the last sessions of all events of a page at once."""
    winners = Standing.objects.filter(place=1).select_related("player__registration").order_by("position")
    played = Session.objects.filter(state=Session.State.CLOSED).order_by("number")
    fetched = rows.prefetch_related(
        Prefetch("standings", winners.defer("values", "lines"), to_attr="firsts"),
        Prefetch("sessions", played, to_attr="played"),
    )
    return [
        {
            "tournament": row,
            "firsts": [] if row.is_frozen else [standing.player for standing in row.firsts],
            "winners": "" if row.is_frozen else ", ".join(str(standing.player) for standing in row.firsts),
            "first_session": row.played[0].number if row.played else None,
        }
        for row in fetched[part.of]
    ]


def _without_page(request: Request) -> str:
    kept = request.GET.copy()
    kept.pop("page", None)
    return kept.urlencode()
