"""Appeals from the desk: taken on paper, heard, voted on, decided, printed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import uuid4

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from penalties.appeals import operations
from penalties.appeals import queries as appeals_queries
from penalties.appeals.forms import (
    AppealForm,
    HearingForm,
    PaperAppealForm,
    RulingForm,
    StatementForm,
    VoteForm,
)
from penalties.appeals.operations import Grounds, Instead, Order
from penalties.appeals.rules import appeals as rules
from penalties.ladder.queries import penalties
from penalties.models import Appeal, AppealFile, Penalty, Vote
from penalties.web.frame import appeal_of, attempted, file_of, people_of, player_of, sent, sent_files
from scoring.problems import gettext_noop
from scoring.systems import SYSTEMS
from tournaments.models import Player, Protocol, Seat, Tournament
from tournaments.record.receipts import check_key
from tournaments.record.refusal import Refused, refuse
from tournaments.tables.operations.protocols import preview_struck
from tournaments.web import rates
from tournaments.web.access import page
from tournaments.web.callers import spend
from tournaments.web.frame import do, done, may, show, status_of, tried_as_seen
from tournaments.web.requests import Request

BOTH = ("GET", "POST")
POST = ("POST",)


@page("see_judging")
def appeals(request: Request, tournament: Tournament) -> HttpResponse:
    """List the appeals with before whom each is."""
    sessions = [
        (session, appeals_queries.appeal_rules(session), appeals_queries.appeal_deadline(session))
        for session in appeals_queries.begun_sessions(tournament)
    ]
    return show(
        request,
        "penalties/appeals.html",
        tournament,
        rows=appeals_queries.all_appeals(tournament),
        sessions=sessions,
        now=timezone.now(),
        has_policy=appeals_queries.has_appeals(tournament),
        is_chief_final=appeals_queries.is_chief_final(tournament),
        may_take=may(request, "take_appeals") and any(policy for _session, policy, _until in sessions),
    )


@page("take_appeals", methods=BOTH)
def new(request: Request, tournament: Tournament) -> HttpResponse:
    """Take a written appeal of a player or a team leader. [SBR 2.9.2]"""
    decisions = appeals_queries.contestable(tournament)
    form = PaperAppealForm(
        sent(request),
        sent_files(request),
        people=people_of(tournament),
        against=against_choices(tournament, decisions),
        zone=tournament.time_zone,
        initial={
            "against": request.GET.get("against", ""),
            "player": request.GET.get("player", ""),
            "handed_in_at": timezone.now(),
        },
    )
    filed, status = attempted(form, lambda: file_from(request, tournament, form))
    if filed:
        sentence = _("Appeal no. %(n)s is filed.") % {"n": filed.number}
        return done(request, sentence, "penalties:appeal", tournament.slug, filed.number)
    return show(
        request,
        "penalties/new_appeal.html",
        tournament,
        status=status,
        form=form,
        sessions=decisions,
        has_deposit=any(appeals_queries.deposit_of(one.session) for one in decisions),
        has_policy=appeals_queries.has_appeals(tournament),
        is_chief_final=appeals_queries.is_chief_final(tournament),
        minutes=appeals_queries.minutes_to_appeal(tournament),
        key=request.POST.get("key") or uuid4().hex,
    )


def against_choices(
    tournament: Tournament, decisions: Sequence[appeals_queries.Contestable]
) -> list[tuple[str, str]]:
    """Name the decisions that can be appealed: penalties, latenesses, then the tables of sessions."""
    names = {row.penalty.pk: row.name for row in penalties.penalty_rows(tournament)}
    return [(one.code, decision_in_words(one, names)) for one in decisions]


def decision_in_words(one: appeals_queries.Contestable, names: Mapping[int, str]) -> str:
    """Name a decision in a choice."""
    if one.penalty is not None:
        where = one.penalty.session or _("The whole event")
        text = f"{where} · {_(names[one.penalty.pk])} · {one.penalty.player}"
        return _("Penalty %(n)s: %(text)s") % {"n": one.penalty.number, "text": text}
    if one.lateness is not None:
        minutes, seconds = divmod(one.lateness.seconds or 0, 60)
        text = f"{one.session} · {minutes}:{seconds:02} · {one.lateness.player}"
        return _("Lateness: %(text)s") % {"text": text}
    return f"{one.session} · {one.table}"


def file_from(
    request: Request, tournament: Tournament, form: AppealForm, *, speaker: Player | None = None
) -> Appeal:
    """File what a form says; a player who speaks for somebody else does it as the team's leader."""
    spend(request, rates.APPEAL)
    data = form.cleaned_data
    against = _against(tournament, data["against"])
    player = player_of(tournament, data["player"])
    leads = speaker is not None and speaker.pk != player.pk
    grounds = Grounds(
        session=against.session,
        player=player,
        text=data["text"],
        by=data.get("by") or (Appeal.By.TEAM_LEADER if leads else Appeal.By.PLAYER),
        penalty=against.penalty,
        lateness=against.lateness,
        table=against.table,
        hand=data["hand"] if against.table else None,
        files=data["attachments"],
        handed_in_at=data.get("handed_in_at"),
    )
    key = check_key(request.POST.get("key", ""))
    return operations.file_appeal(tournament, grounds, by=request.actor, key=key)


def statement_from(request: Request, appeal: Appeal, form: StatementForm) -> Any:
    """Add to an appeal what a form says."""
    spend(request, rates.APPEAL)
    return operations.add_statement(
        appeal,
        form.cleaned_data["text"],
        by=request.actor,
        key=check_key(request.POST.get("key", "")),
        files=form.cleaned_data["attachments"],
    )


def _against(tournament: Tournament, wanted: str) -> appeals_queries.Contestable:
    """Find the decision that a form names."""
    for one in appeals_queries.contestable(tournament):
        if one.code == wanted:
            return one
    _explain_gone(tournament, wanted)
    return refuse(
        "appeal_against",
        gettext_noop("Say which penalty or which table the appeal is against."),
        field="against",
    )


def _explain_gone(tournament: Tournament, wanted: str) -> None:
    """Say why a penalty that was chosen cannot be appealed any more: it was revoked meanwhile, or is final."""
    kind, _dash, number = wanted.partition("-")
    if kind != "penalty" or not (number.isascii() and number.isdigit() and len(number) < 6):
        return
    row = tournament.penalties.filter(number=number).first()
    if row is not None and row.state == Penalty.State.REVOKED:
        refuse("wrong_state", gettext_noop("This penalty has been revoked already."), field="against")
    if row is not None and appeals_queries.is_final_decision(tournament, row):
        refuse("no_appeals", rules.CHIEF_IS_FINAL, field="against")


@page("see_judging")
def appeal(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Show an appeal: text, files, votes, rulings, deposit, and what can be done now."""
    return _shown(request, appeal_of(tournament, number))


def _shown(request: Request, row: Appeal, *, status: int = 200, **forms: Any) -> HttpResponse:
    """Show an appeal with forms that may have come back with mistakes."""
    tournament = row.tournament
    return show(
        request,
        "penalties/appeal.html",
        tournament,
        status=status,
        **{
            **appeal_context(row),
            "add_form": StatementForm(),
            "hearing_form": HearingForm(initial=_hearing(row)),
            "vote_form": VoteForm(verdicts=_verdicts(row)),
            **forms,
        },
        may_take=may(request, "take_appeals"),
        may_rule=may(request, "rule_appeals"),
        may_classify=_may_classify(request, row),
        no_member_free=row.state == Appeal.State.COMMITTEE and not operations.members(row),
        is_passed_on=row.state != Appeal.State.COMMITTEE and operations.body_of(row) == rules.Body.COMMITTEE,
        nobody_free=row.is_open and not operations.members(row) and not operations.chiefs(row),
        may_name=may(request, "grant_roles"),
        **_who_rules(request, row),
        has_declared=any(one.user_id == request.actor.id for one in row.conflicts.all()),
        votes=Vote.objects.filter(appeal=row, turn=row.rulings.count() + 1).select_related("member"),
    )


def _may_classify(request: Request, row: Appeal) -> bool:
    """Return whether the reader settles what the appeal is about: only where a committee could hear the rest."""
    policy = appeals_queries.appeal_rules(row.session)
    is_chief = request.actor.has_role("chief_referee") and not operations.is_party(row, request.actor)
    return bool(policy and policy.committee and is_chief and row.is_open and not row.rulings.exists())


def next_step(row: Appeal, *, may_further: bool) -> str:
    """Say what comes next in an appeal and whose it is; nothing once it is at its end. [SBR 2.9] [RULES 8.53]"""
    states = Appeal.State
    if row.is_open and row.deposit and row.deposit_paid_at is None:
        return _("Next: the desk takes the deposit, or closes the appeal without it.")
    if row.is_open and not operations.members(row) and not operations.chiefs(row):
        return _(
            "Next: the organizer names a chief referee or a member of the committee who is free of the case."
        )
    if row.is_open and operations.body_of(row) == rules.Body.COMMITTEE:
        return _("Next: the members of the committee vote, and one of them enters the ruling.")
    if row.state == states.RECOMMENDED:
        return _("Next: the chief referee decides on what the committee recommends.")
    if row.is_open:
        return _("Next: the chief referee rules.")
    if row.state in {states.UPHELD, states.WITHDRAWN} and row.deposit_paid_at and not row.deposit_returned_at:
        return _("Next: the desk returns the deposit.")
    if may_further:
        return _("Decided; the player may still take it to the committee.")
    return ""


def appeal_context(row: Appeal) -> dict[str, Any]:
    """Gather what everybody who may see an appeal sees of it."""
    policy = appeals_queries.appeal_rules(row.session)
    penalty = penalties.penalty_rows(row.tournament, [row.penalty])[0] if row.penalty else None
    last = row.rulings.last()
    may_further = (
        policy is not None
        and last is not None
        and row.state == Appeal.State.DISMISSED
        and not row.rulings.filter(by="committee").exists()
        and rules.may_go_further(
            policy,
            rules.Matter(row.matter),
            rules.Body(last.by),
            rules.Verdict(last.verdict),
            members=len(operations.members(row)),
        )
        and rules.is_in_time(policy, last.at, timezone.now())
    )
    return {
        "appeal": row,
        "filed_by": appeals_queries.filer(row),
        "penalty_row": penalty,
        "statements": row.statements.all(),
        "hand_told": appeals_queries.hand_told(row),
        "conflicts": row.conflicts.select_related("user"),
        "files": row.files.defer("content"),
        "rulings": appeals_queries.ruling_rows(row),
        "lines": [line.adjustment for line in row.lines.select_related("adjustment__player")],
        "may_further": may_further,
        "has_committee": policy is not None and policy.committee,
        "next_step": next_step(row, may_further=may_further),
        "further_until": rules.deadline(policy, last.at) if may_further and last else None,
        "deadline": appeals_queries.appeal_deadline(row.session),
    }


def _body(request: Request, row: Appeal) -> str:
    """Return in which office the reader hears the appeal now."""
    lies = str(operations.body_of(row))
    if lies == rules.Body.COMMITTEE and request.actor.id not in operations.members(row):
        return ""
    return lies if row.is_open and request.actor.has_role(lies) else ""


def _carried(request: Request, row: Appeal) -> list[str]:
    """List how the reader may rule now: in a committee only as it has voted, and nothing before the deposit came."""
    body = _body(request, row)
    return operations.verdicts_for(row, request.actor, body) if body else []


def _verdicts(row: Appeal) -> list[str]:
    """List how the body before which the appeal lies may rule. [SBR 2.9.5]"""
    policy = appeals_queries.appeal_rules(row.session)
    body = operations.body_of(row)
    matter = rules.Matter(row.matter)
    return [
        str(verdict)
        for verdict in rules.Verdict
        if policy
        and not rules.ruling_problems(
            policy,
            body=body,
            matter=matter,
            verdict=verdict,
            is_party=False,
            votes=1,
            members=1,
            has_chief=bool(operations.chiefs(row)),
        )
    ]


def _hearing(row: Appeal) -> dict[str, Any]:
    at = timezone.localtime(row.hearing_at, row.tournament.zone) if row.hearing_at else None
    return {"at": at.replace(tzinfo=None) if at else None, "place": row.hearing_place, "heard": row.heard}


@page("take_appeals", methods=POST)
def add(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Add words and files to an open appeal."""
    row = appeal_of(tournament, number)
    form = StatementForm(request.POST, request.FILES)
    added, status = attempted(form, lambda: statement_from(request, row, form))
    if added:
        return done(request, _("Added."), "penalties:appeal", tournament.slug, number)
    return _shown(request, row, status=status, add_form=form)


@page("take_appeals", methods=POST)
def deposit(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Note that the deposit was paid."""
    row = appeal_of(tournament, number)
    return _do(
        request, row, lambda: operations.take_deposit(row, by=request.actor), _("The deposit is noted.")
    )


@page("take_appeals", methods=POST)
def not_accepted(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Close an appeal whose deposit did not come. [SBR 2.9.2] [RULES 8.53]"""
    row = appeal_of(tournament, number)
    return _do(
        request,
        row,
        lambda: operations.close_unpaid(row, by=request.actor),
        _("The appeal is not accepted: no deposit."),
    )


@page("rule_appeals", methods=POST)
def classify(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Settle what an appeal is about, and with that who hears it. [SBR 2.9.3] [RULES 8.53]"""
    row = appeal_of(tournament, number)
    matter = request.POST.get("matter", "")
    return _do(
        request,
        row,
        lambda: operations.classify(row, matter, by=request.actor),
        _("It is settled what the appeal is about."),
    )


@page("take_appeals", methods=POST)
def give_back(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Note that the deposit went back."""
    row = appeal_of(tournament, number)
    return _do(
        request, row, lambda: operations.return_deposit(row, by=request.actor), _("The deposit is returned.")
    )


@page("take_appeals", methods=POST)
def hearing(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Set when and where the appeal is heard."""
    row = appeal_of(tournament, number)
    form = HearingForm(request.POST, initial=_hearing(row), zone=tournament.time_zone)
    heard = tried_as_seen(
        request,
        form,
        tournament,
        lambda _now: _hearing(appeal_of(tournament, number)),
        lambda: operations.set_hearing(
            row,
            at=form.cleaned_data["at"],
            place=form.cleaned_data["place"],
            heard=form.cleaned_data["heard"],
            by=request.actor,
        ),
    )
    if heard:
        return done(request, _("The hearing is set."), "penalties:appeal", tournament.slug, number)
    return _shown(request, appeal_of(tournament, number), status=status_of(form), hearing_form=form)


@page("rule_appeals", methods=POST)
def conflict(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Declare a conflict of interest in a case that one could decide, or take that back. [SBR 2.9.5] [RULES 9.40]"""
    row = appeal_of(tournament, number)
    is_free = request.POST.get("is_free") == "1"
    sentence = _("You decide this case again.") if is_free else _("Your conflict of interest is noted.")
    return _do(
        request,
        row,
        lambda: operations.declare_conflict(row, by=request.actor, is_free=is_free),
        sentence,
    )


@page("rule_appeals", methods=POST)
def vote(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Cast a committee member's vote."""
    row = appeal_of(tournament, number)
    verdict = request.POST.get("verdict", "")
    return _do(
        request, row, lambda: operations.vote(row, verdict, by=request.actor), _("Your vote is noted.")
    )


@page("rule_appeals", methods=BOTH)
def decide(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Rule on an appeal, with reasons and, against a table, with what it orders. [SBR 2.9.5]"""
    row = appeal_of(tournament, number)
    seats, is_final = _seats(row)
    form = RulingForm(
        sent(request),
        seats=seats,
        is_final=is_final,
        has_bets=SYSTEMS[tournament.system].recorded.has_bets,
        may_correct=row.lateness is None and (request.method == "POST" or not tournament.is_finished),
        is_about_penalty=row.penalty is not None,
        verdicts=_carried(request, row) or _verdicts(row),
        initial={"body": _body(request, row)},
    )
    instead = None
    if "look" in request.POST:
        ruled, status = None, 200
        instead = _written_instead(row, form)
    else:
        ruled, status = attempted(form, lambda: _decide(request, row, form))
    if ruled:
        return done(request, _("The ruling stands."), "penalties:appeal", tournament.slug, number)
    strike = _strike_asked(row, form)
    if strike is not None:
        instead = replace(instead or appeals_queries.Replacement(), strike=strike)
    courses, course_rows = appeals_queries.courses_of(row, instead)
    return show(
        request,
        "penalties/decide.html",
        tournament,
        status=status,
        form=form,
        **_who_rules(request, row),
        strike=strike,
        courses=courses,
        course_rows=course_rows,
        is_all_the_same=not any(is_changed for row in course_rows for *_told, is_changed in row.cells),
        precedents=appeals_queries.precedents_of(row),
        **appeal_context(row),
    )


def _who_rules(request: Request, row: Appeal) -> dict[str, Any]:
    """Say in which office the reader rules, if so, and what a ruling waits for."""
    members = len(operations.members(row))
    return {
        "is_party": operations.is_party(row, request.actor),
        "body": _body(request, row),
        "may_rule_now": bool(_carried(request, row)),
        "members": members,
        "quorum": rules.quorum(members),
    }


def _written_instead(row: Appeal, form: RulingForm) -> appeals_queries.Replacement:
    """Read what the form would put in the place of the decision, to show the standings with it; nothing is ruled."""
    form.is_valid()
    data = form.cleaned_data
    form.show_without_faults()
    return appeals_queries.Replacement(
        data.get("instead", "") if row.penalty else "", data.get("instead_points"), form.points()
    )


def _strike_asked(row: Appeal, form: RulingForm) -> appeals_queries.Strike | None:
    """Return what striking the wanted hand would move, where that was asked for and not yet seen. [RULES 8.53]"""
    number, protocol = form.hand_to_strike(), None
    if number is not None:
        protocols = Protocol.objects.select_related("table__session__tournament")
        protocol = protocols.filter(table=row.table).first()
    if number is None or protocol is None:
        return None
    try:
        totals = preview_struck(protocol, number=number)
    except Refused:
        return None
    form.ask_to_strike(protocol.version)
    return appeals_queries.strike_of(protocol, number, totals)


def _seats(row: Appeal) -> tuple[list[Seat], bool]:
    """List the seats for which an upheld appeal against a table may order points."""
    if row.table is None:
        return [], False
    seats = list(row.table.seats.select_related("player", "kept_for").in_order())
    protocol = Protocol.objects.filter(table=row.table).first()
    return seats, protocol is not None and protocol.mode == Protocol.Mode.FINAL_RESULT


def _decide(request: Request, row: Appeal, form: RulingForm) -> Any:
    data = form.cleaned_data
    is_upheld = data["verdict"] == "upheld"
    order = Order(
        void_hand=data.get("void_hand") if is_upheld else None,
        void_seen=data.get("void_seen"),
        final=form.final(),
        left_on_table=data.get("left_on_table") or 0,
        points=form.points(),
        names_penalty=bool(data.get("names_penalty")),
        instead=Instead(data["instead"], data["instead_points"]) if data.get("instead") else None,
    )
    return operations.decide(
        row, data["verdict"], data["reasons"], body=data["body"], by=request.actor, order=order
    )


@page("take_appeals", methods=POST)
def withdraw(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Take an appeal back for its author."""
    row = appeal_of(tournament, number)
    return _do(
        request, row, lambda: operations.withdraw_appeal(row, by=request.actor), _("The appeal is withdrawn.")
    )


@page("take_appeals", methods=POST)
def further(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Turn to the committee for an author who was not satisfied. [SBR 2.9.3]"""
    row = appeal_of(tournament, number)
    return _do(
        request,
        row,
        lambda: operations.take_further(row, by=request.actor),
        _("The appeal is before the committee."),
    )


@page("see_judging")
def printed(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Print an appeal with its rulings."""
    return show(
        request,
        "penalties/print_appeal.html",
        tournament,
        **appeal_context(appeal_of(tournament, number)),
    )


@page("see_judging")
def receipt(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Print the receipt for the deposit, and for its return. [SBR 2.9.2]"""
    row = appeal_of(tournament, number)
    return show(
        request,
        "penalties/receipt.html",
        tournament,
        appeal=row,
        taken_by=row.deposit_taken_by,
        returned_by=row.deposit_returned_by,
    )


@page("see_judging")
def file(request: Request, tournament: Tournament, number: int, file: int) -> HttpResponse:
    """Return a file of an appeal."""
    return send_file(file_of(appeal_of(tournament, number), file))


def send_file(row: AppealFile) -> HttpResponse:
    """Send a file to be saved, never to be shown as a page of this site."""
    answer = HttpResponse(bytes(row.content), content_type=row.content_type)
    ending = {"image/jpeg": "jpg", "image/png": "png"}.get(row.content_type, "pdf")
    name = f"appeal-{row.appeal.number}-{row.number}.{ending}"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["X-Content-Type-Options"] = "nosniff"
    answer["Cache-Control"] = "private, no-store"
    return answer


def _do(request: Request, row: Appeal, work: Callable[[], Any], sentence: str) -> HttpResponse:
    return do(request, work, sentence, "penalties:appeal", row.tournament.slug, row.number)
