"""What the judges' pages share."""

from collections.abc import Callable
from typing import Any, TypeVar

from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.http import Http404, QueryDict
from django.utils.datastructures import MultiValueDict

from penalties.ladder.queries.penalties import may_decide_afterwards
from penalties.models import Appeal, AppealFile, Penalty
from scoring.problems import gettext_noop
from tournaments.models import Player, Registration, Seat, Session, Tournament
from tournaments.models.play import Wind
from tournaments.record.refusal import Refused, refuse
from tournaments.web.forms import RefusableForm
from tournaments.web.requests import Request

Numbered = TypeVar("Numbered", Penalty, Appeal)


def attempted(form: RefusableForm, work: Callable[[], Any]) -> tuple[Any, int]:
    """Do what a form asks; return what came of it and the status to answer with."""
    if not form.is_bound:
        return None, 200
    if not form.is_valid():
        return None, 422
    try:
        return work(), 200
    except Refused as refused:
        form.add_refusal(refused)
        return None, refused.status


def sent(request: Request) -> QueryDict | None:
    """Return what a form sent, also when it sent nothing; none while the page is only read."""
    return request.POST if request.method == "POST" else None


def sent_files(request: Request) -> "MultiValueDict[str, UploadedFile[Any]] | None":
    """Return the files that a form sent; none while the page is only read."""
    return request.FILES if request.method == "POST" else None


def may_give(request: Request, tournament: Tournament) -> bool:
    """Return whether the sender gives penalties now: referees in play, the committee once it is finished. [INTEGRITY 119]"""
    if tournament.is_finished:
        return may_decide_afterwards(tournament, request.actor)
    return request.actor.has_role("referee", "chief_referee")


def penalty_of(tournament: Tournament, number: int) -> Penalty:
    """Find a penalty by its number."""
    rows = Penalty.objects.select_related("session", "table", "player", "given_by", "revoked_by")
    return _of(rows, tournament, number)


def appeal_of(tournament: Tournament, number: int) -> Appeal:
    """Find an appeal by its number."""
    rows = Appeal.objects.select_related(
        "session", "table", "player", "penalty__session", "penalty__player", "lateness__player"
    )
    found = _of(rows, tournament, number)
    found.session.tournament = tournament
    return found


def _of(rows: QuerySet[Numbered], tournament: Tournament, number: int) -> Numbered:
    found = rows.filter(tournament=tournament, number=number).first() if number < 10**6 else None
    if found is None:
        raise Http404
    found.tournament = tournament
    return found


def file_of(appeal: Appeal, number: int) -> AppealFile:
    """Find a file of an appeal."""
    found = appeal.files.filter(number=number).first() if number < 10 else None
    if found is None:
        raise Http404
    return found


def player_of(tournament: Tournament, code: str, *, field: str = "player") -> Player:
    """Find the person that a form names. [INTEGRITY 112]"""
    found = None
    if code.isascii() and code.isdigit() and len(code) < 15:
        found = tournament.players.select_related("registration").filter(pk=int(code)).first()
    if found is None:
        refuse("player_not_found", gettext_noop("No such player in this event."), field=field)
    found.tournament = tournament
    return found


def seat_at(seats: list[Seat], wind: str) -> Seat:
    """Find the seat that a form names by its wind."""
    found = next((seat for seat in seats if seat.wind == wind and seat.player_id), None)
    if found is None:
        refuse("player_not_found", gettext_noop("No such player in this event."), field="seat")
    return found


def people_of(tournament: Tournament) -> list[tuple[str, str]]:
    """List everybody who takes part, for a choice."""
    rows = tournament.registrations.exclude(
        status__in=(Registration.Status.CANCELLED, Registration.Status.WAITING)
    ).select_related("player")
    return [(str(row.player_id), f"{row.number}. {row.player}") for row in rows]


def open_sessions(tournament: Tournament) -> list[Session]:
    """List the sessions whose seats can still change."""
    rows = tournament.sessions.filter(published_at__isnull=False).exclude(state=Session.State.CLOSED)
    return list(rows.order_by("number"))


def sessions_named(tournament: Tournament, numbers: list[str]) -> list[Session]:
    """Find the sessions that a form names."""
    wanted = {int(number) for number in numbers if number.isascii() and number.isdigit() and len(number) < 7}
    return list(tournament.sessions.filter(number__in=wanted).order_by("number"))


WINDS = tuple(Wind.values)
