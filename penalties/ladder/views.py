"""Penalties from the desk: given in two taps, listed, counted, revoked; and adjustments by decision."""

from typing import Any
from uuid import uuid4

from django.http import HttpResponse
from django.utils.translation import gettext as _

from penalties.appeals import queries as appeals_queries
from penalties.ladder.forms import AdjustmentForm, PenaltyForm, TeamLineForm
from penalties.ladder.list_file import LIST
from penalties.ladder.operations import dead_hands
from penalties.ladder.operations import penalties as operations
from penalties.ladder.operations.penalties import Case
from penalties.ladder.queries import dead_hand_marks
from penalties.ladder.queries import penalties as queries_penalties
from penalties.ladder.queries import statistics as queries_statistics
from penalties.ladder.queries.outlook import Outlook, outlook_of, outlook_without
from penalties.ladder.rules.offences import offence, offences
from penalties.lateness.queries import awaited_now
from penalties.models import Lateness, Penalty
from penalties.web.frame import (
    attempted,
    may_give,
    open_sessions,
    penalty_of,
    people_of,
    player_of,
    seat_at,
    sent,
)
from scoring.problems import gettext_noop
from scoring.regulation import LadderScope, PenaltyRules
from scoring.systems.offences import Mode, Offence
from tournaments.exchange.views.downloads import table_file
from tournaments.models import Adjustment, Seat, Session, Table, Tournament
from tournaments.people.queries.barred import barred_here
from tournaments.record.receipts import check_key
from tournaments.record.refusal import refuse
from tournaments.sessions.queries import current_session, seats_of_the_gone
from tournaments.standings.operations import adjustments as accounts
from tournaments.standings.operations import team_lines
from tournaments.standings.operations.adjustments import Entry
from tournaments.standings.operations.team_lines import TeamEntry
from tournaments.table_numbers import shown_number
from tournaments.templatetags.looks import exact
from tournaments.web.access import page
from tournaments.web.frame import do, done, form_key, may, show
from tournaments.web.requests import Request

BOTH = ("GET", "POST")
POST = ("POST",)


@page("see_judging")
def judging(request: Request, tournament: Tournament) -> HttpResponse:
    """Show what waits for a judge: appeals, approvals, late players, seats of those who left."""
    session = current_session(tournament)
    latest = list(queries_penalties.all_penalties(tournament).order_by("-number")[:10])
    rows = queries_penalties.penalty_rows(tournament, latest)
    return show(
        request,
        "penalties/judging.html",
        tournament,
        session=session,
        late=awaited_now(tournament),
        proposed=queries_penalties.all_penalties(tournament).filter(state=Penalty.State.PROPOSED),
        rows=list(reversed(rows)),
        appeals=[row for row in appeals_queries.all_appeals(tournament) if row.is_open],
        barred=barred_here(tournament),
        may_answer_bars=may(request, "manage_people"),
        unmarked=dead_hand_marks.unmarked_dead_hands(tournament),
        gone=[(one, seats_of_the_gone(one)) for one in open_sessions(tournament)],
        may_judge=may(request, "judge"),
        may_give=may_give(request, tournament),
        may_seat=may(request, "seat_substitutes"),
        may_adjust=may(request, "adjust"),
        has_teams=tournament.teams.exists(),
        may_name=may(request, "grant_roles"),
    )


@page("give_penalties", methods=BOTH)
def give(request: Request, tournament: Tournament, session: Session, table: Table) -> HttpResponse:
    """Give a penalty at a table: choose who, see what each offence costs and does, tap it. [SBR 2.8.2]"""
    seats = _seats(table)
    wind = request.POST.get("seat") or request.GET.get("seat", "")
    seat = next((one for one in seats if one.wind == wind and one.player_id), None)
    hand = queries_penalties.current_hand(table)
    form = _form(request, tournament, session, seats, seat, hand)
    is_look = "look" in request.POST
    if is_look:
        changes, status = attempted(form, lambda: _look(tournament, session, seats, form))
        given = None
    else:
        changes = None
        given, status = attempted(form, lambda: _give_at(request, tournament, session, seats, form))
    if given:
        return done(
            request, _confirmation(given), "penalties:give", tournament.slug, session.number, table.number
        )
    return show(
        request,
        "penalties/give.html",
        tournament,
        status=status,
        session=session,
        table=table,
        seats=seats,
        seat=seat,
        hand=hand,
        choice=queries_penalties.choice_of(seat, hand=hand) if seat else None,
        has_hands=queries_penalties.records_hands(table),
        changes=changes,
        precedents=_precedents(tournament, session, form) if seat else [],
        late=_lateness(seat) if seat else "",
        rows=queries_penalties.penalty_rows(tournament, list(table.penalties.all())),
        form=form,
        may_give=may_give(request, tournament),
        key=request.POST.get("key") or uuid4().hex,
    )


def _precedents(
    tournament: Tournament, session: Session, form: PenaltyForm
) -> list[appeals_queries.Precedent]:
    """List earlier rulings on the offence that is looked at, else on any that can be given here. [SBR 2.9.5]"""
    chosen = form.data.get("offence") if form.is_bound else None
    rules = queries_penalties.JudgedEvent(tournament).rules_of(session.number).penalties
    named = [one for one in offences(tournament.system, rules) if chosen in (None, "", one.code)]
    codes, clauses = [one.code for one in named], [one.clause for one in named]
    return appeals_queries.precedents(tournament, codes, clauses=clauses)


def _lateness(seat: Seat) -> str:
    """Return the state of a player's lateness in the session, or nothing."""
    if seat.player_id is None:
        return ""
    rows = Lateness.objects.filter(session_id=seat.session_id, player_id=seat.player_id)
    return rows.exclude(state=Lateness.State.MISTAKE).values_list("state", flat=True).first() or ""


def _seats(table: Table) -> list[Seat]:
    rows = list(table.seats.select_related("player", "kept_for", "table").in_order())
    for row in rows:
        row.session, row.table = table.session, table
    return rows


def _form(
    request: Request,
    tournament: Tournament,
    session: Session,
    seats: list[Seat],
    seat: Seat | None,
    hand: int,
) -> PenaltyForm:
    rules = queries_penalties.JudgedEvent(tournament).rules_of(session.number).penalties
    people = [(one.wind, f"{one.get_wind_display()}: {one.player}") for one in seats if one.player]
    receivers = [("", _("Nobody")), ("table", _("Each other player at the table")), *people]
    return PenaltyForm(
        sent(request),
        people=people,
        receivers=receivers,
        offences=offences(tournament.system, rules),
        initial={"seat": seat.wind if seat else "", "hand": hand},
    )


def _look(tournament: Tournament, session: Session, seats: list[Seat], form: PenaltyForm) -> Outlook:
    """Show what a penalty would change at the table and in the standings, as it would be given. [RULES 8.51]"""
    case = _case_at(session, seats, form.cleaned_data)
    wanted = operations.wanted_by(tournament, case)
    return outlook_of(tournament, seat_at(seats, form.cleaned_data["seat"]), wanted)


def _give_at(
    request: Request, tournament: Tournament, session: Session, seats: list[Seat], form: PenaltyForm
) -> Penalty:
    data = form.cleaned_data
    return _give(request, tournament, _case_at(session, seats, data), data)


def _case_at(session: Session, seats: list[Seat], data: dict[str, Any]) -> Case:
    to = data.get("to", "")
    receiver = seat_at(seats, to).player if to not in {"", "table"} else None
    seat = seat_at(seats, data["seat"])
    assert seat.player is not None
    return Case(
        player=seat.player,
        session=session,
        hand=data.get("hand"),
        to="player" if receiver else to,
        to_player=receiver,
        **_said(data),
    )


def _said(data: dict[str, Any]) -> dict[str, Any]:
    """Take what both forms say of an offence."""
    return {
        "offence": data["offence"],
        "effect": data["effect"] or Penalty.Effect.GAME_POINTS.value,
        "points": data["points"],
        "clause": data["clause"],
        "reason": data["reason"],
        "until": data["until"],
    }


def _give(request: Request, tournament: Tournament, case: Case, data: dict[str, Any]) -> Penalty:
    key = check_key(request.POST.get("key", ""))
    return operations.give(
        tournament,
        case,
        by=request.actor,
        key=key,
        is_sure=data["is_sure"],
        shown_step=data.get("shown_step"),
    )


def _confirmation(given: Penalty) -> str:
    """Say in one sentence what was given and what it costs."""
    row = queries_penalties.penalty_rows(given.tournament, [given])[0]
    details = {"name": given.player, "offence": _(row.name), "step": row.step, "points": -row.game_points}
    if given.state == Penalty.State.PROPOSED:
        return _("%(name)s: %(offence)s. A second person must approve the disqualification.") % details
    if left := operations.seat_left(given):
        details |= {"table": shown_number(left.table.number), "hand": (left.left_after or 0) + 1}
        return (
            _(
                "%(name)s: %(offence)s. From hand %(hand)s on nobody plays in that seat at table %(table)s; the hands so far stand."
            )
            % details
        )
    if row.step:
        return _("%(name)s: %(offence)s. Step %(step)s; taken: %(points)s.") % details
    if row.game_points:
        return _("%(name)s: %(offence)s. Taken: %(points)s.") % details
    if row.tournament_points:
        return _("%(name)s: %(offence)s. Taken: %(points)s TP.") % {
            **details,
            "points": exact(-row.tournament_points),
        }
    if row.offence and row.offence.mode is Mode.IN_HAND:
        return _("%(name)s: %(offence)s. Noted.") % details
    return _("%(name)s: %(offence)s. %(what)s.") % {**details, "what": row.what}


def _offered_without_table(
    tournament: Tournament, rules: PenaltyRules, *, is_session_named: bool
) -> list[Offence]:
    """List the offences that can be given outside a table: those counted within a session only once one has begun. [SBR 2.8.2]"""
    found = offences(tournament.system, rules)
    if is_session_named:
        return found
    within = {
        code
        for climbed in rules.ladders
        if climbed.scope is not LadderScope.TOURNAMENT
        for code in climbed.offences
    }
    return [one for one in found if one.code not in within]


@page("give_penalties", methods=BOTH)
def give_any(request: Request, tournament: Tournament) -> HttpResponse:
    """Give a penalty that belongs to no table: before play, between sessions, or for the whole event."""
    rules = queries_penalties.JudgedEvent(tournament).rules_of(None).penalties
    begun = appeals_queries.begun_sessions(tournament)
    form = PenaltyForm(
        sent(request),
        people=people_of(tournament),
        offences=_offered_without_table(tournament, rules, is_session_named=bool(begun)),
        sessions=[(str(one.number), str(one)) for one in begun],
    )

    def case() -> Case:
        data = form.cleaned_data
        named = next((one for one in begun if str(one.number) == data.get("session")), None)
        player = player_of(tournament, data["seat"], field="seat")
        return Case(player=player, session=named, hand=data.get("hand"), **_said(data))

    given = changes = None
    if "look" in request.POST:
        changes, status = attempted(form, lambda: _look_outside(tournament, case()))
    else:
        given, status = attempted(form, lambda: _give(request, tournament, case(), form.cleaned_data))
    if given:
        return done(request, _confirmation(given), "penalties:penalties", tournament.slug)
    return show(
        request,
        "penalties/give_any.html",
        tournament,
        status=status,
        form=form,
        changes=changes,
        may_give=may_give(request, tournament),
        key=request.POST.get("key") or uuid4().hex,
    )


def _look_outside(tournament: Tournament, case: Case) -> Outlook:
    """Show what a penalty outside a table would change. [RULES 8.51]"""
    seat = appeals_queries.seat_in(case.session, case.player) if case.session else None
    plays = seat is not None and hasattr(seat.table, "protocol")
    if seat is not None and case.session is not None:
        case.session.tournament = tournament
        seat.table.session = case.session
    return outlook_of(tournament, seat if plays else None, operations.wanted_by(tournament, case))


@page("see_judging")
def penalties(request: Request, tournament: Tournament) -> HttpResponse:
    """List all penalties, for the desk and for the federation's report."""
    return show(
        request,
        "penalties/penalties.html",
        tournament,
        rows=queries_penalties.penalty_rows(tournament),
        may_judge=may(request, "judge"),
    )


@page("see_judging")
def penalties_file(request: Request, tournament: Tournament, form: str) -> HttpResponse:
    """Return the list of penalties as a file, in every form that the site writes. [INTEGRITY 4]"""
    return table_file(request, tournament, LIST, form)


@page("see_judging")
def statistics(request: Request, tournament: Tournament) -> HttpResponse:
    """Count penalties by offence, table, referee and session, and tell how long calls waited."""
    return show(
        request,
        "penalties/statistics.html",
        tournament,
        numbers=queries_statistics.statistics(queries_penalties.penalty_rows(tournament)),
        waits=queries_statistics.waits_of_calls(tournament),
    )


@page("see_judging")
def penalty(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Show one penalty: clause, step, whom it cost what, who decided, and how it was undone."""
    one = penalty_of(tournament, number)
    lines = one.lines.select_related("adjustment__player", "adjustment__session")
    is_ruled, may_revoke = operations.is_for_a_ruling(one), may_give(request, tournament)
    return show(
        request,
        "penalties/penalty.html",
        tournament,
        row=queries_penalties.penalty_rows(tournament, [one])[0],
        lines=[line.adjustment for line in lines],
        appeals=one.appeals.all(),
        is_ruled=is_ruled,
        may_judge=may(request, "judge"),
        may_revoke=may_revoke,
        revoked=outlook_without(one) if one.is_in_force and may_revoke and not is_ruled else None,
        may_approve=_may_approve(request, one),
        dead_mark=dead_hand_marks.dead_mark(one),
        effects=queries_penalties.changes_at_table(tournament, one),
    )


def _may_approve(request: Request, one: Penalty) -> bool:
    """Return whether the reader is a second person for a disqualification, or the only one there is. [SBR 2.8.5]"""
    tournament, by = one.tournament, request.actor
    if not may(request, "approve_penalties") or (
        tournament.is_finished and not may_give(request, tournament)
    ):
        return False
    return one.given_by_id != by.id or not operations.has_second(tournament, by)


@page("give_penalties", methods=POST)
def revoke(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Undo a penalty, with a reason."""
    one = penalty_of(tournament, number)
    return do(
        request,
        lambda: operations.revoke(one, by=request.actor, reason=request.POST.get("reason", "")),
        _("The penalty is revoked; its ladder is worked out anew."),
        "penalties:penalty",
        tournament.slug,
        number,
    )


@page("judge", methods=POST)
def mark(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Mark a dead hand in the hand that was recorded without it."""
    one = penalty_of(tournament, number)
    return do(
        request,
        lambda: dead_hands.mark(one, by=request.actor),
        _("The hand is marked as dead; its payments are worked out anew."),
        "penalties:penalty",
        tournament.slug,
        number,
    )


@page("approve_penalties", methods=POST)
def approve(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Approve a disqualification as the second person."""
    one = penalty_of(tournament, number)
    return do(
        request,
        lambda: operations.approve(one, by=request.actor),
        _("The disqualification is in force."),
        "penalties:penalty",
        tournament.slug,
        number,
    )


@page("adjust", methods=BOTH)
def adjustments(request: Request, tournament: Tournament) -> HttpResponse:
    """Post a line by decision, and see all lines on all accounts."""
    sessions = [(str(one.number), str(one)) for one in tournament.sessions.order_by("number")]
    form = AdjustmentForm(sent(request), people=people_of(tournament), sessions=sessions)
    posted, status = attempted(
        form,
        lambda: accounts.post(
            tournament, _entry(tournament, form.cleaned_data), by=request.actor, key=form_key(request)
        ),
    )
    if posted:
        return done(request, _("The line is posted."), "penalties:adjustments", tournament.slug)
    rows = tournament.adjustments.select_related("player", "session").order_by("id")
    return show(request, "penalties/adjustments.html", tournament, status=status, form=form, rows=list(rows))


def _entry(tournament: Tournament, data: dict[str, Any]) -> Entry:
    number = data["session"]
    session = tournament.sessions.filter(number=int(number)).first() if number.isdigit() else None
    rules = queries_penalties.JudgedEvent(tournament).rules_of(session.number if session else None)
    return Entry(
        player=player_of(tournament, data["player"]),
        session=session,
        game_points=data["game_points"],
        tournament_points=data["tournament_points"],
        result=rules.fixed_result if data["gives_fixed"] else None,
        timing=data["timing"],
        reason=data["reason"],
    )


@page("adjust", methods=POST)
def reverse(request: Request, tournament: Tournament, code: str) -> HttpResponse:
    """Post the opposite of a line by decision, with a reason."""

    def work() -> Any:
        row = tournament.adjustments.filter(code=code, origin=Adjustment.Origin.DESK).first()
        if row is None:
            refuse("not_found", gettext_noop("There is no such line by decision."))
        row.tournament = tournament
        return accounts.reverse(row, by=request.actor, reason=request.POST.get("reason", ""))

    return do(request, work, _("The line is reversed."), "penalties:adjustments", tournament.slug)


@page("adjust", methods=BOTH)
def teams(request: Request, tournament: Tournament) -> HttpResponse:
    """Take points from a team or give it some, and see all that teams have of their own. [RULES 9.13]"""
    rules = queries_penalties.JudgedEvent(tournament).rules_of(None).penalties
    form = TeamLineForm(
        sent(request),
        teams=[(str(row.pk), row.name) for row in tournament.teams.order_by("name")],
        offences=offences(tournament.system, rules),
        sessions=[(str(one.number), str(one)) for one in tournament.sessions.order_by("number")],
    )
    posted, status = attempted(
        form,
        lambda: team_lines.post(
            tournament,
            _team_entry(tournament, rules, form.cleaned_data),
            by=request.actor,
            key=form_key(request),
        ),
    )
    if posted:
        return done(request, _("The line is posted."), "penalties:teams", tournament.slug)
    rows = list(tournament.team_lines.select_related("team", "session").order_by("id"))
    named = {one.code: one.name for one in offences(tournament.system, rules)}
    return show(
        request,
        "penalties/teams.html",
        tournament,
        status=status,
        form=form,
        rows=[(row, named.get(row.offence, row.offence)) for row in rows],
        has_teams=tournament.teams.exists(),
    )


def _team_entry(tournament: Tournament, rules: PenaltyRules, data: dict[str, Any]) -> TeamEntry:
    pk, number = data["team"], data["session"]
    team = tournament.teams.filter(pk=int(pk)).first() if pk.isdecimal() else None
    if team is None:
        refuse("no_team", team_lines.NO_TEAM, field="team")
    named = offence(tournament.system, rules, data["offence"]) if data["offence"] else None
    if data["offence"] and named is None:
        refuse("not_found", NO_OFFENCE, field="offence")
    return TeamEntry(
        team=team,
        game_points=data["game_points"],
        tournament_points=data["tournament_points"],
        offence=data["offence"],
        clause=(data["clause"].strip() or named.clause or TEAM_CLAUSE) if named else "",
        session=tournament.sessions.filter(number=int(number)).first() if number.isdecimal() else None,
        reason=data["reason"],
    )


TEAM_CLAUSE = "RULES 9.13"
"""Stands where an offence has no clause of its own."""
NO_OFFENCE = gettext_noop("There is no such offence.")


@page("adjust", methods=POST)
def reverse_team(request: Request, tournament: Tournament, code: str) -> HttpResponse:
    """Take a line of a team back, with a reason."""

    def work() -> Any:
        row = tournament.team_lines.filter(code=code).first()
        if row is None:
            refuse("not_found", gettext_noop("There is no such line by decision."))
        row.tournament = tournament
        return team_lines.reverse(row, by=request.actor, reason=request.POST.get("reason", ""))

    return do(request, work, _("The line is reversed."), "penalties:teams", tournament.slug)
