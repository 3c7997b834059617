"""Sessions from the desk: the clock, the tables, corrections, the seal."""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

from django.contrib import messages
from django.db.models import Count, Q
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.desk.forms.tables import VoidForm
from tournaments.desk.views import gate
from tournaments.models import Protocol, Seat, Session, Table, Tournament
from tournaments.models.protocol import InForce
from tournaments.record import draws, judges
from tournaments.record.receipts import check_key
from tournaments.record.refusal import Refused, sentences
from tournaments.sessions.operations import play, undo
from tournaments.sessions.queries import before_close, before_start, counted_tables, current_session
from tournaments.standings.queries.table import newest_revision
from tournaments.table_numbers import shown_number
from tournaments.tables.operations import mirrors, protocols
from tournaments.tables.operations.recording import Intent
from tournaments.tables.queries.mirrors import disputes_in
from tournaments.tables.queries.protocol_rows import (
    objections_to,
    place_of_struck,
    protocol_rows,
    recent_entries,
)
from tournaments.tables.queries.rounds import with_rounds
from tournaments.web.access import CHIEF_REFEREE, page
from tournaments.web.forms import ReasonForm
from tournaments.web.frame import do, live_addresses, may, roles_of, show
from tournaments.web.requests import Request
from tournaments.web.strict import parse_whole

POST = ("POST",)
_Changes = list[tuple[Seat, int]]
SETTLED = (Protocol.State.CONFIRMED, Protocol.State.SIGNED_OFF)


@page("see_desk")
def sessions(request: Request, tournament: Tournament) -> HttpResponse:
    """List the sessions with what can be done about each."""
    playing = Count("tables__protocol")
    settled = Count("tables__protocol", filter=Q(tables__protocol__state__in=SETTLED))
    rows = list(tournament.sessions.annotate(playing=playing, settled=settled).order_by("number"))
    appeals = judges.open_appeals(tournament)
    for row in rows:
        row.tournament = tournament
    following = next((row for row in rows if not row.is_published), None)
    is_one_open = any(row.state == Session.State.OPEN for row in rows)
    return show(
        request,
        "organizer/sessions",
        tournament,
        rows=[
            (
                row,
                [one for one in appeals if one.session == row.number],
                _undo_of(row, rows),
                judges.awaited(row),
            )
            for row in rows
        ],
        following=following,
        is_one_open=is_one_open,
        may_run=may(request, "run_sessions") and not tournament.is_finished,
        may_draw=may(request, "draw") and not tournament.is_finished,
        may_see_judging=may(request, "see_judging"),
    )


def _undo_of(row: Session, rows: Sequence[Session]) -> str:
    """Name the address that takes back the last press about a session, while nothing depends on it. [RULES 9.11]"""
    if row.state == Session.State.OPEN:
        return "" if undo.start_hindrances(row) else "tournaments:take_back_start"
    if row.state == Session.State.CLOSED:
        is_last = not any(one.state == Session.State.OPEN for one in rows)
        return "tournaments:take_back_close" if is_last and not undo.close_hindrances(row) else ""
    return "seating:take_back" if row.is_published and draws.may_take_back(row) else ""


@page("run_sessions", methods=POST)
def start(request: Request, tournament: Tournament, session: Session) -> HttpResponse:
    """Give the start signal."""
    number = {"n": session.number}
    return gate.through(
        request,
        session,
        before_start(session) if session.state == Session.State.PLANNED else [],
        lambda knowing: play.start_session(session, by=request.actor, knowing=knowing),
        said=_("Session %(n)s is in play; its clock runs.") % number,
        to="tournaments:tables",
        words={
            "heading": _("Before session %(n)s starts") % number,
            "all_the_same": _("Start session %(n)s all the same") % number,
        },
    )


@page("run_sessions", methods=POST)
def clock(request: Request, tournament: Tournament, session: Session) -> HttpResponse:
    """Add or take minutes, stop the clock or let it run on."""

    def work() -> Any:
        minutes = parse_whole(request.POST.get("minutes", "0"), field="minutes", least=-240, most=240)
        run = {"stop": False, "run": True}.get(request.POST.get("clock", ""))
        key = check_key(request.POST.get("key", ""))
        return play.change_clock(session, by=request.actor, key=key, minutes=minutes, is_running=run)

    return do(request, work, _("The clock is set."), "tournaments:sessions", tournament.slug)


@page("run_sessions", methods=POST)
def close(request: Request, tournament: Tournament, session: Session) -> HttpResponse:
    """Close a session whose tables are all settled."""
    number, reason = {"n": session.number}, request.POST.get("reason", "")
    return gate.through(
        request,
        session,
        before_close(session) if session.state == Session.State.OPEN else [],
        lambda knowing: play.close_session(session, by=request.actor, reason=reason, knowing=knowing),
        said=_("Session %(n)s is closed; its results are final.") % number,
        to="tournaments:sessions",
        words={
            "heading": _("Before session %(n)s is closed") % number,
            "all_the_same": _("Close session %(n)s all the same") % number,
        },
    )


@page("run_sessions", methods=POST)
def go_on(request: Request, tournament: Tournament, session: Session) -> HttpResponse:
    """Close a session if it is in play, and draw the next one in the way of the last draw. [RULES 9.17]"""
    number, reason = {"n": session.number}, request.POST.get("reason", "")

    def work(knowing: Collection[str]) -> str:
        said = ""
        if session.state != Session.State.CLOSED:
            play.close_session(session, by=request.actor, reason=reason, knowing=knowing)
            said = _("Session %(n)s is closed; its results are final.") % number
        return f"{said} {_drawn_next(request, tournament)}".strip()

    return gate.through(
        request,
        session,
        before_close(session) if session.state == Session.State.OPEN else [],
        work,
        said=str,
        to="seating:draw",
        words={
            "heading": _("Before session %(n)s is closed") % number,
            "all_the_same": _("Close session %(n)s all the same and draw the next one") % number,
        },
    )


def _drawn_next(request: Request, tournament: Tournament) -> str:
    """Draw the next session and return what to say; a draw that is refused leaves the choice to its page."""
    try:
        made = draws.draw_next(tournament, by=request.actor) if may(request, "draw") else None
    except Refused as refused:
        for sentence in sentences(refused.problems):
            messages.error(request, sentence)
        return _("The next session is not drawn yet: choose here how it shall be.")
    if made is None:
        return _("The next session is not drawn yet: choose here how it shall be.")
    if made.is_running:
        return _("The draw is being made.")
    return _("Drawn. Nobody sees it yet.")


@page("run_sessions", methods=POST)
def reopen(request: Request, tournament: Tournament, session: Session) -> HttpResponse:
    """Open a closed session again, with a reason."""
    return do(
        request,
        lambda: play.reopen_session(session, by=request.actor, reason=request.POST.get("reason", "")),
        _("Session %(n)s is open again.") % {"n": session.number},
        "tournaments:sessions",
        tournament.slug,
    )


@page("run_sessions", methods=POST)
def withdraw(request: Request, tournament: Tournament, session: Session) -> HttpResponse:
    """Take back the seating of a session that has not begun, with a reason."""
    return do(
        request,
        lambda: play.withdraw_seating(session, by=request.actor, reason=request.POST.get("reason", "")),
        _("The seating of session %(n)s is withdrawn.") % {"n": session.number},
        "tournaments:sessions",
        tournament.slug,
    )


@page("see_tables")
def tables(request: Request, tournament: Tournament) -> HttpResponse:
    """Show all tables of the session at a glance: calls, silence, tablets, what is not confirmed."""
    session = current_session(tournament)
    found = with_rounds(session, counted_tables(session), now=timezone.now()) if session else []
    rows = [(row, its) for row, its in found if hasattr(row, "protocol")]
    unsettled = [(row, its) for row, its in rows if not row.protocol.is_settled]
    needing = [(row, its) for row, its in rows if its.needs_a_look]
    shown = {"open": unsettled, "look": needing}
    chosen = request.GET.get("show", "all")
    return show(
        request,
        "organizer/tables",
        tournament,
        session=session,
        tables=shown.get(chosen, rows),
        shown=chosen if chosen in shown else "all",
        needing=len(needing),
        may_judge=may(request, "judge"),
        may_record=may(request, "record_hands"),
        total=len(rows),
        resting=[seat for row, _round in found if not hasattr(row, "protocol") for seat in row.seats.all()],
        unsettled=len(unsettled),
        called=[row for row, _round in rows if row.waits_for_referee],
        revision=newest_revision(tournament),
        **live_addresses(tournament),
    )


@page("see_desk")
def table(request: Request, tournament: Tournament, session: Session, table: Table) -> HttpResponse:
    """Show one table to the staff: hands in force and not, its history, what may be done."""
    protocol = get_object_or_404(Protocol.objects.select_related("table__session__tournament"), table=table)
    return show(
        request,
        "organizer/table",
        tournament,
        session=session,
        table=table,
        protocol=protocol,
        sheet=protocol_rows(protocol, with_retired=True),
        entries=recent_entries(protocol),
        objections=objections_to(protocol),
        disputes=disputes_in(session)[table.number],
        may_correct=may(request, "correct_hands") and not tournament.is_finished,
        may_void=_may_void(request, tournament, session),
        may_record=may(request, "record_hands"),
        may_see_judging=may(request, "see_judging"),
        unconfirmed=[
            seat
            for seat in protocol.table.seats.select_related("player")
            if not (seat.confirmed_at or seat.has_left)
        ],
        form=ReasonForm(),
    )


def _may_void(request: Request, tournament: Tournament, session: Session) -> bool:
    """Return whether a hand may be taken out here; in a closed session only by the chief referee."""
    if session.state == Session.State.CLOSED and CHIEF_REFEREE not in roles_of(request):
        return False
    return may(request, "correct_hands") and not tournament.is_finished


@page("correct_hands", methods=("GET", "POST"))
def correct(
    request: Request, tournament: Tournament, session: Session, table: Table, number: int
) -> HttpResponse:
    """Void a hand with a reason; correcting its value is done on the tablet screen, with a preview."""
    protocol = get_object_or_404(Protocol.objects.select_related("table__session__tournament"), table=table)
    hand = protocol.hands.filter(number=number, status=InForce.IN_FORCE).first()
    ruled, kept = _changes_by_dealers(protocol, number)
    form = VoidForm(request.POST or None, has_choice=kept != ruled)
    if form.is_valid():
        said = form.cleaned_data
        intent = _intent(request, protocol, {"void": number, **said})
        try:
            protocols.void_hand(protocol, number=number, intent=intent, by=request.actor, **said)
        except Refused as refused:
            form.add_refusal(refused)
        else:  # a second press finds the hand gone and the key known
            done = _("Hand %(n)s is void; the totals are worked out without it.") % {"n": number}
            return _at_table(request, session, table, lambda: None, done)
    if hand is None:
        raise Http404
    return show(
        request,
        "organizer/correct",
        tournament,
        session=session,
        table=table,
        protocol=protocol,
        hand=hand,
        form=form,
        sheet=protocol_rows(protocol),
        changes=ruled,
        kept=kept if kept != ruled else [],
        status=422 if form.is_bound else 200,
    )


@page("correct_hands", methods=("GET", "POST"))
def restore(
    request: Request, tournament: Tournament, session: Session, table: Table, hand: int
) -> HttpResponse:
    """Put a voided hand back where it was, with a reason, and show before what that changes. [RULES 8.53]"""
    protocol = get_object_or_404(Protocol.objects.select_related("table__session__tournament"), table=table)
    struck = get_object_or_404(protocol.hands if hand < 10**15 else protocol.hands.none(), pk=hand)
    if request.method == "GET" and struck.status != InForce.VOIDED:
        return redirect("tournaments:table_desk", tournament.slug, session.number, table.number)
    form = ReasonForm(request.POST or None)
    if form.is_valid():
        intent = _intent(request, protocol, {"restore": hand, "reason": form.cleaned_data["reason"]})
        try:
            protocols.restore_hand(
                protocol, hand=hand, intent=intent, by=request.actor, reason=form.cleaned_data["reason"]
            )
        except Refused as refused:
            form.add_refusal(refused)
        else:
            said = _("The hand is back; the totals are worked out with it.")
            return _at_table(request, session, table, lambda: None, said)
    return show(
        request,
        "organizer/restore",
        tournament,
        session=session,
        table=table,
        protocol=protocol,
        hand=struck,
        number=place_of_struck(struck),
        form=form,
        changes=_changes(protocol, lambda: protocols.preview_restored(protocol, hand=hand)),
        status=422 if form.is_bound else 200,
    )


def _changes_by_dealers(protocol: Protocol, number: int) -> tuple[_Changes, _Changes]:
    """Return the totals without a hand: with later hands dealt as the rules go on, and as they were played. [RULES 9.23]"""
    ruled, kept = (
        _changes(protocol, partial(protocols.preview_struck, protocol, number=number, keep_dealers=keep))
        for keep in (False, True)
    )
    return ruled, kept


def _changes(protocol: Protocol, preview: Callable[[], dict[str, int]]) -> _Changes:
    """Return each seat with the total that it would have; nothing where the rules do not allow it."""
    try:
        then = preview()
    except Refused:
        return []
    seats = protocol.table.seats.select_related("player", "kept_for").in_order()
    return [(seat, then.get(seat.wind, 0)) for seat in seats]


@page("correct_hands", methods=POST)
def settle_dispute(
    request: Request, tournament: Tournament, session: Session, table: Table, hand: int, wind: str
) -> HttpResponse:
    """Let a hand stand that a player disputes, with a reason. [RULES 9.24]"""
    protocol = get_object_or_404(Protocol.objects.select_related("table__session__tournament"), table=table)
    get_object_or_404(protocol.hands, pk=hand)

    def work() -> Any:
        reason = request.POST.get("reason", "")
        intent = _intent(request, protocol, {"settle": hand, "wind": wind, "reason": reason})
        return mirrors.settle_dispute(protocol, hand, wind, reason=reason, intent=intent, by=request.actor)

    return _at_table(request, session, table, work, _("The hand stands as it was recorded."))


@page("record_hands", methods=POST)
def answer_call(request: Request, tournament: Tournament, session: Session, table: Table) -> HttpResponse:
    """Tell a table that calls for a referee that somebody is on the way."""
    said = _("Table %(n)s is told that somebody is on the way.") % {"n": shown_number(table.number)}
    if request.POST.get("back") == "desk":
        return do(request, lambda: play.answer_call(table), said, "tournaments:desk", tournament.slug)
    return _at_table(request, session, table, lambda: play.answer_call(table), said)


@page("record_hands", methods=POST)
def end_call(request: Request, tournament: Tournament, session: Session, table: Table) -> HttpResponse:
    """Put out a table's call for a referee, as the tablet can; pressed twice it stays out."""
    said = _("The call of table %(n)s is over.") % {"n": shown_number(table.number)}
    work = partial(play.call_referee, table, by=request.actor, is_called=False)
    return _at_table(request, session, table, work, said)


def _at_table(
    request: Request, session: Session, table: Table, work: Callable[[], object], said: str
) -> HttpResponse:
    """Do one thing about a table and come back to its page."""
    place = session.tournament.slug, session.number, table.number
    return do(request, work, said, "tournaments:table_desk", *place)


@page("judge", methods=POST)
def sign_off(request: Request, tournament: Tournament, session: Session, table: Table) -> HttpResponse:
    """Let a protocol stand without the missing confirmations, with a reason."""
    protocol = get_object_or_404(Protocol.objects.select_related("table__session__tournament"), table=table)
    reason = request.POST.get("reason", "")

    def work() -> Any:
        intent = _intent(request, protocol, {"sign_off": reason})
        return protocols.sign_off(protocol, intent=intent, by=request.actor, reason=reason)

    return _at_table(request, session, table, work, _("The protocol stands."))


def _intent(request: Request, protocol: Protocol, body: dict[str, Any]) -> Intent:
    """Read the number of entries that the page had shown and the key made for this form."""
    seen = parse_whole(request.POST.get("seen", ""), field="seen", least=0, most=10**6)
    return Intent(seen=seen, key=check_key(request.POST.get("key", "")), body=body)
