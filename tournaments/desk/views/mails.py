"""Mails to players from the desk: how many went out, what failed and why, and how each kind reads."""

from django.conf import settings
from django.http import HttpResponse
from django.utils.translation import get_language, ngettext

from tournaments.models import Mail, Tournament
from tournaments.people.operations import mails as operations
from tournaments.people.queries import mails as queries
from tournaments.web.access import page
from tournaments.web.frame import do, show
from tournaments.web.paging import choice_of
from tournaments.web.requests import Request

MOST_SHOWN = 50


@page("manage_people")
def mails(request: Request, tournament: Tournament) -> HttpResponse:
    """Show the queue by state, the failures with their reasons, and a sample of each kind in either language."""
    languages = dict(settings.LANGUAGES)
    language = choice_of(request.GET, "language", languages) or get_language() or tournament.own_language
    rows = tournament.mails.select_related("registration__player")
    return show(
        request,
        "organizer/mails",
        tournament,
        counts=[(label, queries.counts(tournament)[state]) for state, label in Mail.State.choices],
        failed=list(rows.filter(state=Mail.State.FAILED)[:MOST_SHOWN]),
        tried=list(rows.filter(state=Mail.State.WAITING, attempts__gt=0)[:MOST_SHOWN]),
        samples=[(label, *queries.sample(tournament, kind, language)) for kind, label in Mail.Kind.choices],
        languages=languages.items(),
        language=language,
        sends_mail=operations.sends_mail(),
    )


@page("manage_people", methods=("POST",))
def send_again(request: Request, tournament: Tournament) -> HttpResponse:
    """Try every mail that failed once more."""
    number = tournament.mails.filter(state=Mail.State.FAILED).count()
    said = ngettext("%(n)s mail is tried again.", "%(n)s mails are tried again.", number) % {"n": number}
    return do(request, lambda: operations.send_again(tournament), said, "tournaments:mails", tournament.slug)
