"""The last hand of a table on its players' phones: is it right? By the private link, or by the code that the tablet shows. [RULES 9.24]"""

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _

from scoring.problems import gettext_noop
from tournaments.models import Protocol, Registration, Seat, Session, Table, Tournament
from tournaments.public.views.player import own_seat
from tournaments.record.receipts import check_key
from tournaments.record.refusal import refuse
from tournaments.standings.queries.table import newest_revision
from tournaments.tables.operations import mirrors
from tournaments.tables.operations.recording import Intent
from tournaments.tables.queries.mirrors import mirror_of
from tournaments.web import rates
from tournaments.web.access import is_table_code, link_of, page
from tournaments.web.callers import spend
from tournaments.web.frame import do, live_addresses, show
from tournaments.web.requests import Request
from tournaments.web.strict import parse_whole

BOTH = ("GET", "POST")
POST = ("POST",)
LONGEST = 300


@page("own_page", methods=POST)
def check_own_hand(request: Request, tournament: Tournament, registration: Registration) -> HttpResponse:
    """Note what a player says of the last hand on the own page."""

    def work() -> Any:
        seat = own_seat(tournament, registration)
        return _checked(request, seat.table.protocol, seat.wind)

    return do(request, work, _said(request), "tournaments:own_page", tournament.slug, link_of(registration))


@page("look")
def table_phone(
    request: Request, tournament: Tournament, session: Session, table: Table, code: str
) -> HttpResponse:
    """Ask who holds the phone that has read the code of a table."""
    _opened(table, code)
    return show(
        request,
        "public/table_phone",
        tournament,
        session=session,
        table=table,
        code=code,
        seats=[seat for seat in _seats(table) if seat.player_id and not seat.has_left],
    )


@page("look", methods=BOTH)
def seat_phone(
    request: Request, tournament: Tournament, session: Session, table: Table, code: str, wind: str
) -> HttpResponse:
    """Show the last hand to whoever sits at a seat, and note what is said of it."""
    protocol = _opened(table, code)
    seats = _seats(table)
    seat = next((seat for seat in seats if seat.wind == wind and seat.player_id and not seat.has_left), None)
    if seat is None:
        raise Http404
    if request.method == "POST":
        work: Callable[[], Any] = lambda: _checked(request, protocol, wind)  # noqa: E731 – as above
        here = (tournament.slug, session.number, table.number, code, wind)
        return do(request, work, _said(request), "tournaments:seat_phone", *here)
    return show(
        request,
        "public/seat_phone",
        tournament,
        session=session,
        table=table,
        seat=seat,
        code=code,
        mirror=mirror_of(protocol, seat, seats),
        revision=newest_revision(tournament),
        **live_addresses(tournament),
    )


def _opened(table: Table, code: str) -> Protocol:
    """Return the protocol of a table whose code is right; 404 else."""
    if not is_table_code(table, code) or not hasattr(table, "protocol"):
        raise Http404
    table.protocol.table = table
    return table.protocol


def _seats(table: Table) -> list[Seat]:
    return list(table.seats.select_related("player", "kept_for").in_order())


def _checked(request: Request, protocol: Protocol, wind: str) -> Any:
    """Note the word that was sent: one of two buttons, and what is wrong in a few words."""
    spend(request, rates.HAND_CHECK)
    hand = parse_whole(request.POST.get("hand", ""), field="hand", least=1, most=10**15)
    is_right, text = request.POST.get("word") == "right", request.POST.get("text", "").strip()
    if len(text) > LONGEST:
        refuse("text_length", gettext_noop("At most %(most)s characters."), most=LONGEST)
    key = check_key(request.POST.get("key", ""))
    body = {"operation": "check", "hand": hand, "wind": wind, "right": is_right, "text": text}
    intent = Intent(seen=0, key=key, body=body)
    return mirrors.check_hand(
        protocol, hand, wind, is_right=is_right, text=text, intent=intent, by=request.actor
    )


def _said(request: Request) -> str:
    if request.POST.get("word") == "right":
        return _("Noted: the hand is right.")
    return _("Noted. The scorer and the referee see at once that you find this hand wrong.")
