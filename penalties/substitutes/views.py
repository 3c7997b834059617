"""Substitutes from the desk: the pool, seats taken and given back, incomplete tables."""

from collections.abc import Callable
from typing import Any

from django.db.models import Count
from django.http import HttpResponse
from django.utils.translation import gettext as _

from penalties.substitutes import operations
from penalties.substitutes import queries as substitutes_queries
from penalties.substitutes.forms import PoolForm, SubstitutionForm
from penalties.web.frame import WINDS, attempted, open_sessions, player_of, sent, sessions_named
from scoring.problems import gettext_noop
from tournaments.models import Protocol, Role, Seat, Session, Substitute, Tournament
from tournaments.people.operations.registration import Details
from tournaments.record.receipts import check_key
from tournaments.record.refusal import refuse, sentences
from tournaments.sessions.queries import current_session, seats_of_the_gone
from tournaments.sessions.rules import incomplete
from tournaments.tables.operations.substitutes import enrol_substitute, hindrances
from tournaments.web.access import page
from tournaments.web.frame import do, done, may, show
from tournaments.web.requests import Request
from tournaments.web.strict import parse_whole

BOTH = ("GET", "POST")
POST = ("POST",)


@page("seat_substitutes", methods=BOTH)
def pool(request: Request, tournament: Tournament) -> HttpResponse:
    """Show the pool and where each plays; put somebody into it. [RIICHI reg. 5.5]"""
    roles = list(tournament.roles.filter(user__isnull=False, player=None).select_related("user"))
    staff = [(str(role.pk), f"{role.user.title}: {role.get_kind_display()}") for role in roles if role.user]
    form = PoolForm(sent(request), staff=staff)

    def work() -> Substitute:
        data = form.cleaned_data
        return enrol_substitute(
            tournament,
            Details(name=data["name"], city=data["city"]),
            by=request.actor,
            is_assistant=data["is_assistant"],
            role=_role(roles, data["role"]),
            override=data["override"],
            key=check_key(request.POST["key"]) if "key" in request.POST else "",
        )

    named, status = attempted(form, work)
    if named:
        sentence = _("%(name)s is in the pool.") % {"name": named.player}
        return done(request, sentence, "penalties:substitutes", tournament.slug)
    rows = tournament.substitutes.select_related("player").annotate(played=Count("player__seats"))
    return show(
        request,
        "penalties/substitutes.html",
        tournament,
        status=status,
        rows=rows,
        may_erase=may(request, "manage_people"),
        form=form,
        sessions=[] if tournament.is_finished else open_sessions(tournament),
        session=current_session(tournament),
    )


def _role(roles: list[Role], wanted: str) -> Role | None:
    if not wanted:
        return None
    found = next((role for role in roles if str(role.pk) == wanted), None)
    if found is None:
        refuse("unknown_role", gettext_noop("Choose somebody of the list."), field="role")
    return found


@page("seat_substitutes", methods=BOTH)
def session(request: Request, tournament: Tournament, session: Session) -> HttpResponse:
    """Seat substitutes in a session, and see its incomplete tables with what can be done about them."""
    seats = list(session.seats.select_related("table__protocol", "player", "kept_for").in_order())
    later = [one for one in open_sessions(tournament) if one.number >= session.number]
    free = substitutes_queries.free_substitutes(session)
    form = SubstitutionForm(
        sent(request),
        seats=seats,
        pool=[(str(one.pk), _named(one)) for one in free],
        sessions=later,
        asks_hand=_records_hands(session),
        initial={"player": request.GET.get("player", ""), "sessions": [str(session.number)]},
    )
    seated, status = attempted(form, lambda: _seat(request, tournament, form.cleaned_data))
    if seated:
        return done(
            request,
            _("The substitute is seated; the player's result is fixed."),
            "penalties:substitutes_session",
            tournament.slug,
            session.number,
        )
    return show(
        request,
        "penalties/substitutes_session.html",
        tournament,
        status=status,
        session=session,
        form=form,
        free=free,
        replaced=[(seat, sentences(hindrances(seat))) for seat in seats if seat.kept_for or seat.has_left],
        sitting=[seat for seat in seats if seat.player_id and not seat.has_left],
        carried=substitutes_queries.carried_over(session),
        gone=seats_of_the_gone(session),
        tables=_incomplete(tournament, session, seats, len(free)),
        can_change=session.state != Session.State.CLOSED
        and session.is_published
        and (form.is_bound or not tournament.is_finished),
    )


def _records_hands(session: Session) -> bool:
    """Return whether the tables of a session record their hands, and not the final points alone."""
    regulation = session.regulation or session.tournament.regulation
    return bool(regulation["protocol"] != Protocol.Mode.FINAL_RESULT)


def _named(substitute: Substitute) -> str:
    assistant = _("assistant")
    return f"{substitute} ({assistant})" if substitute.is_assistant else str(substitute)


def _seat(request: Request, tournament: Tournament, data: dict[str, Any]) -> Any:
    return operations.seat_substitute(
        player_of(tournament, data["player"]),
        _substitute(tournament, data["substitute"]),
        sessions_named(tournament, data["sessions"]),
        by=request.actor,
        reason=data["reason"],
        from_hand=data.get("from_hand"),
    )


def _substitute(tournament: Tournament, wanted: str) -> Substitute:
    found = None
    if wanted.isascii() and wanted.isdigit() and len(wanted) < 15:
        found = tournament.substitutes.select_related("player").filter(pk=int(wanted)).first()
    if found is None:
        refuse("player_not_found", gettext_noop("Choose somebody of the pool."), field="substitute")
    return found


def _incomplete(
    tournament: Tournament, session: Session, seats: list[Seat], substitutes: int
) -> list[dict[str, Any]]:
    """Gather the tables that are not full, with what becomes of each and what can be done. [SBR 3.1] [RULES 8.34]"""
    regulation = session.regulation or tournament.regulation
    size, smallest = regulation["table_size"], regulation["smallest_table"]
    times = substitutes_queries.times_at_incomplete_tables(tournament, before=session.number)
    tables: dict[int, list[Seat]] = {}
    for seat in seats:
        tables.setdefault(seat.table.number, []).append(seat)
    found = []
    for number, row in tables.items():
        present = [seat.player for seat in row if seat.player]
        if len(present) == size:
            continue
        again = incomplete.more_than_once(times, [player.pk for player in present])
        found.append(
            {
                "number": number,
                "seats": row,
                "present": len(present),
                "outcome": incomplete.outcome(len(present), table_size=size, smallest_table=smallest),
                "free_winds": [wind for wind in WINDS[:size] if wind not in {seat.wind for seat in row}],
                "again": [player for player in present if player.pk in again],
                "points": (regulation["tournament_points"] or {}).get(str(len(present)), []),
                "awarded": regulation["awarded_result"]["tournament_points"]
                if regulation["tournament_points"]
                else None,
                "proposals": incomplete.proposals(
                    len(present),
                    table_size=size,
                    smallest_table=smallest,
                    substitutes=substitutes,
                    seating=session.seating_mode,
                ),
            }
        )
    return found


@page("seat_substitutes", methods=POST)
def empty(request: Request, tournament: Tournament, session: Session) -> HttpResponse:
    """Keep a missing player's seat empty."""
    return _do(
        request,
        tournament,
        session,
        lambda: operations.leave_empty(
            player_of(tournament, request.POST.get("player", "")),
            session,
            by=request.actor,
            reason=request.POST.get("reason", ""),
            last_hand=_last_hand(request.POST.get("last_hand", "")),
        ),
        lambda seat: (
            _("The seat is kept empty; its player gets the fixed result.")
            if seat.left_after is None
            else _("The seat is empty after hand %(n)s; the hands so far stand.") % {"n": seat.left_after}
        ),
    )


def _last_hand(said: str) -> int | None:
    """Read the last hand that was played in a seat; left empty it is the last one recorded."""
    if not said.strip():
        return None
    return parse_whole(said.strip(), field="last_hand", least=0, most=999)


@page("seat_substitutes", methods=POST)
def give_back(request: Request, tournament: Tournament, session: Session) -> HttpResponse:
    """Give a seat back to its player."""
    return _do(
        request,
        tournament,
        session,
        lambda: operations.return_player(
            player_of(tournament, request.POST.get("player", "")),
            [session],
            by=request.actor,
            reason=request.POST.get("reason", ""),
        ),
        _("The player is back."),
    )


@page("seat_substitutes", methods=POST)
def fill(request: Request, tournament: Tournament, session: Session) -> HttpResponse:
    """Fill a seat that the draw gave to nobody."""

    def work() -> Seat:
        number = request.POST.get("table", "")
        is_number = number.isascii() and number.isdigit() and len(number) < 6
        table = session.tables.filter(number=int(number)).first() if is_number else None
        if table is None:
            refuse("table_number", gettext_noop("There is no such table."), field="table")
        table.session = session
        return operations.fill_seat(
            table,
            request.POST.get("wind", ""),
            _substitute(tournament, request.POST.get("substitute", "")),
            by=request.actor,
            reason=request.POST.get("reason", ""),
        )

    return _do(request, tournament, session, work, _("The table is complete."))


def _do(
    request: Request,
    tournament: Tournament,
    session: Session,
    work: Callable[[], Any],
    sentence: str | Callable[[Any], str],
) -> HttpResponse:
    return do(request, work, sentence, "penalties:substitutes_session", tournament.slug, session.number)
