"""What a player sees by private link: own penalties and what each did, own appeals, and filing one."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any
from uuid import uuid4

from django.http import Http404, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from penalties.appeals import operations
from penalties.appeals import queries as appeals_queries
from penalties.appeals.forms import OwnAppealForm, StatementForm
from penalties.appeals.views import against_choices, appeal_context, file_from, send_file, statement_from
from penalties.models import Appeal
from penalties.player import queries as player_queries
from penalties.web.frame import appeal_of, attempted, file_of, sent, sent_files
from tournaments.models import Registration, Tournament
from tournaments.web.access import link_of, page
from tournaments.web.frame import do, done, show
from tournaments.web.requests import Request

BOTH = ("GET", "POST")
POST = ("POST",)


@page("own_page")
def own(request: Request, tournament: Tournament, registration: Registration) -> HttpResponse:
    """Show a player their penalties with clause and step, what each did, and their appeals."""
    return show(
        request, "penalties/own.html", tournament, **player_queries.own_judging(tournament, registration)
    )


@page("own_page", methods=BOTH)
def new(request: Request, tournament: Tournament, registration: Registration) -> HttpResponse:
    """Let a player, or a team leader, file an appeal while there is time. [SBR 2.9.2]"""
    windows = player_queries.windows(tournament, registration.player, now=timezone.now())
    people = _people(registration)
    form = OwnAppealForm(
        sent(request),
        sent_files(request),
        people=people,
        against=_against(tournament, registration),
        initial={"player": str(registration.player_id), "against": request.GET.get("against", "")},
    )
    filed, status = attempted(form, lambda: file_from(request, tournament, form, speaker=registration.player))
    link = link_of(registration)
    if filed:
        sentence = _("Appeal no. %(n)s is filed.") % {"n": filed.number}
        return done(request, sentence, "penalties:own_appeal", tournament.slug, link, filed.number)
    return show(
        request,
        "penalties/own_new.html",
        tournament,
        status=status,
        registration=registration,
        link=link,
        form=form,
        windows=windows,
        deposit=_same([one.deposit for one in windows]),
        has_policy=appeals_queries.has_appeals(tournament),
        is_chief_final=appeals_queries.is_chief_final(tournament),
        minutes=appeals_queries.minutes_to_appeal(tournament),
        key=request.POST.get("key") or uuid4().hex,
    )


def _same(amounts: list[Decimal]) -> Decimal | None:
    """Return the deposit where it is the same about every session."""
    return amounts[0] if len(set(amounts)) == 1 else None


def _people(registration: Registration) -> list[tuple[str, str]]:
    """List for whom one may speak: oneself, and as leader the members of one's team."""
    own = registration.player
    found = [(str(own.pk), str(own))]
    if own.team and operations.may_lead(own):
        mates = own.team.players.exclude(pk=own.pk).filter(registration__isnull=False)
        found += [
            (str(mate.pk), _("%(player)s, and I am the team leader") % {"player": mate}) for mate in mates
        ]
    return found


def _against(tournament: Tournament, registration: Registration) -> list[tuple[str, str]]:
    """Name what may still be appealed for oneself and, as captain, for the team. [RULES 8.53]"""
    players = [registration.player]
    if registration.player.team:
        players = list(registration.player.team.players.all())
    return against_choices(tournament, player_queries.own_decisions(tournament, players, now=timezone.now()))


@page("own_page", methods=BOTH)
def appeal(request: Request, tournament: Tournament, registration: Registration, number: int) -> HttpResponse:
    """Show a player their appeal, and let them add to it while it is open."""
    row = _own(tournament, registration, number)
    form = StatementForm(sent(request), sent_files(request))
    added, status = attempted(form, lambda: statement_from(request, row, form))
    link = link_of(registration)
    if added:
        return done(request, _("Added."), "penalties:own_appeal", tournament.slug, link, number)
    return show(
        request,
        "penalties/own_appeal.html",
        tournament,
        status=status,
        registration=registration,
        link=link,
        form=form,
        **appeal_context(row),
    )


@page("own_page", methods=POST)
def withdraw(
    request: Request, tournament: Tournament, registration: Registration, number: int
) -> HttpResponse:
    """Let a player take their appeal back."""
    row = _own(tournament, registration, number)
    return _do(
        request,
        registration,
        row,
        lambda: operations.withdraw_appeal(row, by=request.actor),
        _("The appeal is withdrawn."),
    )


@page("own_page", methods=POST)
def further(
    request: Request, tournament: Tournament, registration: Registration, number: int
) -> HttpResponse:
    """Let a player turn to the committee. [SBR 2.9.3]"""
    row = _own(tournament, registration, number)
    return _do(
        request,
        registration,
        row,
        lambda: operations.take_further(row, by=request.actor),
        _("The appeal is before the committee."),
    )


@page("own_page")
def file(
    request: Request, tournament: Tournament, registration: Registration, number: int, file: int
) -> HttpResponse:
    """Send a player a file of their own appeal."""
    return send_file(file_of(_own(tournament, registration, number), file))


def _own(tournament: Tournament, registration: Registration, number: int) -> Appeal:
    """Find an appeal of the player, or one that the player filed for the team; others' are nobody's business."""
    row = appeal_of(tournament, number)
    if row.player_id != registration.player_id and row.filed_actor != f"player:{registration.player_id}":
        raise Http404
    return row


def _do(
    request: Request, registration: Registration, row: Appeal, work: Callable[[], Any], sentence: str
) -> HttpResponse:
    slug = row.tournament.slug
    return do(request, work, sentence, "penalties:own_appeal", slug, link_of(registration), row.number)
