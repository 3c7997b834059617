"""The register of sanctions at the desk, and the list of an event's own for its federation."""

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from penalties.sanctions import queries
from tournaments.exchange.tables import Table, local
from tournaments.exchange.views.downloads import table_file
from tournaments.models import Tournament
from tournaments.templatetags.looks import reason_words
from tournaments.web.access import page
from tournaments.web.files import FileTable
from tournaments.web.frame import show
from tournaments.web.requests import Request


@page("manage_people")
def register(request: Request, tournament: Tournament) -> HttpResponse:
    """Show who was removed or disqualified at the site's events; the description is for those who work where it was decided."""
    people = queries.register(tournament, request.actor.id or 0)
    return show(request, "penalties/sanctions.html", tournament, people=people)


@page("manage_people")
def file(request: Request, tournament: Tournament, form: str) -> HttpResponse:
    """Return the event's own sanctions as a file, for the federation. [SBR 2.8.5]"""
    return table_file(request, tournament, LIST, form)


def sanctions(tournament: Tournament) -> FileTable:
    """Return the removals and disqualifications that stand, with clause, day and description."""
    columns = [
        _("Player"), _("City"), _("Country"), _("EMA number"), _("What follows"), _("Until"), _("Clause"), _("Time"),
        _("What happened"),
    ]  # fmt: skip
    rows = [
        (
            str(one.player),
            one.player.city,
            one.player.country,
            one.player.federation_ids.get("EMA", ""),
            one.get_effect_display(),
            one.until.isoformat() if one.until else None,
            one.clause,
            local(one.given_at, tournament),
            reason_words(one.reason),
        )
        for one in queries.in_force(tournament)
    ]
    return FileTable(columns, rows)


LIST = Table(
    "sanctions",
    gettext_lazy("Removals and disqualifications"),
    gettext_lazy("Those of this event that stand, for the federation"),
    sanctions,
)
