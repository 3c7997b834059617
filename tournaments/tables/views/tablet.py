"""The tablet's pages: a shell that is the same for everybody, holds nobody's data, and works without a connection."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from tournaments.models import Session, Table, Tournament
from tournaments.tables.views import tablet_worker
from tournaments.tables.views.tablet_worker import app_version
from tournaments.web.access import page
from tournaments.web.requests import Request

worker = page("open_tablet")(tablet_worker.worker)


@page("open_tablet")
def shell(request: Request, tournament: Tournament) -> HttpResponse:
    """Return the shell: admission, the list of tables, and every table's screen."""
    return _shell(request, tournament)


@page("open_tablet")
def table_shell(request: Request, tournament: Tournament, session: Session, table: Table) -> HttpResponse:
    """Return the same shell at a table's own address."""
    return _shell(request, tournament)


def _shell(request: Request, tournament: Tournament) -> HttpResponse:
    """Render the shell. A header holds its version, so that the tablet can tell it from the login page of a network. [DESIGN 7]"""
    home = reverse("tournaments:tablet", args=[tournament.slug])
    version = app_version()
    context = {
        "home": home,
        "api": reverse("tournaments:api_tables", args=[tournament.slug]).removesuffix("tables/"),
        "worker": reverse("tournaments:tablet_worker"),
        "slug": tournament.slug,
        "system": tournament.system,
        "first_table": tournament.first_table,
        "version": version,
        "is_public": tournament.is_public,
    }
    response = render(request, "tournaments/tablet/shell.html", context)
    response["X-Tablet-Shell"] = version
    response["Cache-Control"] = "no-cache"
    return response
