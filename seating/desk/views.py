"""The desk of the draw: wishes and what follows from them, drawing, plans from elsewhere, what has changed since."""

from typing import Any

from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from seating.desk.foresight import Foreseen, foresee
from seating.desk.forms import DrawForm, PlanForm, ReasonForm, remembered_wishes, wishes_of
from seating.drafts import operations
from seating.drafts.pasted import names_of, read_sent_plan
from seating.drafts.plans import Options
from seating.drafts.queries import changed_since, open_sessions, published_draw
from seating.drafts.views import draft_page
from seating.models import Draw
from tournaments.models import Session, Tournament
from tournaments.record.refusal import Refused
from tournaments.web.access import page
from tournaments.web.frame import do, done, show, tried
from tournaments.web.requests import Request

POST = ("POST",)


@page("draw", methods=("GET", "POST"))
def draw(request: Request, tournament: Tournament) -> HttpResponse:
    """Show the draft, the draw that is being made, or what a draw would come to; draw when asked."""
    running = tournament.draws.filter(state=Draw.State.RUNNING).first()
    if running is not None and request.method == "GET":
        return show(request, "seating/running.html", tournament, draw=running)
    draft = tournament.draws.filter(state=Draw.State.DRAFT).first()
    is_shown = request.method == "GET" and "anew" not in request.GET and not tournament.is_finished
    if draft is not None and is_shown:
        return draft_page(request, tournament, draft)
    if draft is not None and draft.inputs.get("replaces"):
        return redirect("seating:redraw", tournament.slug)
    return _wishes(request, tournament, open_sessions(tournament), before=draft)


@page("draw", methods=("GET", "POST"))
def redraw(request: Request, tournament: Tournament) -> HttpResponse:
    """Draw those sessions anew that are seated and have not begun, with a reason; the others stand."""
    draft = tournament.draws.filter(state=Draw.State.DRAFT).first()
    before = draft if draft is not None and draft.inputs.get("replaces") else None
    return _wishes(request, tournament, operations.replaceable(tournament), is_redraw=True, before=before)


def _wishes(
    request: Request,
    tournament: Tournament,
    sessions: list[Session],
    *,
    is_redraw: bool = False,
    before: Draw | None = None,
) -> HttpResponse:
    """Show the wishes and their consequences; draw when they are sent."""
    form = _form(request, tournament, sessions, is_redraw=is_redraw, before=before)
    commitment = tournament.commitments.filter(draw=None).first()
    if sessions and request.method == "POST" and "look" not in request.POST:
        made = tried(form, lambda: _propose(request, form, before, commitment))
        if made:
            return done(request, _said_of(made), "seating:draw", tournament.slug)
    chosen = _chosen(form, sessions)
    last = tournament.draws.first()
    return show(
        request,
        "seating/draw.html",
        tournament,
        form=form,
        sessions=sessions,
        chosen=chosen,
        is_redraw=is_redraw,
        before=before,
        commitment=commitment,
        failed=last if last is not None and last.state == Draw.State.FAILED else None,
        foreseen=_foreseen(form, chosen, before) if sessions else [],
        earlier=tournament.draws.exclude(state=Draw.State.RUNNING)[:20],
        changed=changed_since(tournament, operations.replaceable(tournament)),
        can_redraw=bool(operations.replaceable(tournament)),
        is_seated=tournament.sessions.filter(published_at__isnull=False).exists(),
        repair=ReasonForm(),
        status=form.answer,
    )


def _form(
    request: Request,
    tournament: Tournament,
    sessions: list[Session],
    *,
    is_redraw: bool,
    before: Draw | None,
    data: Any = None,
) -> DrawForm:
    like = before or (published_draw(sessions[0]) if is_redraw and sessions else None)
    wishes = wishes_of(like) if like is not None and like.mode != Draw.Mode.MANUAL else None
    if wishes is not None and before is None:
        wishes["reason"] = ""
    return DrawForm(
        data if data is not None else request.POST or None,
        tournament=tournament,
        sessions=sessions,
        is_redraw=is_redraw,
        is_promised=tournament.commitments.filter(draw=None).exists(),
        initial=wishes or remembered_wishes(tournament, is_redraw=is_redraw),
    )


def _chosen(form: DrawForm, sessions: list[Session]) -> list[Session]:
    """Return the sessions that this mode draws: all that are left when fixed, else the next one."""
    mode = form["mode"].value()
    return sessions if mode == Draw.Mode.FIXED or not sessions else sessions[:1]


def _propose(request: Request, form: DrawForm, before: Draw | None, commitment: Any) -> Draw:
    chosen = _chosen(form, form.sessions)
    form.sessions = chosen
    return operations.propose(
        form.tournament,
        chosen,
        mode=form.cleaned_data["mode"],
        by=request.actor,
        seed=form.cleaned_data["seed"],
        options=form.options(before.pins if before is not None else ()),
        reason=form.cleaned_data.get("reason", ""),
        commitment=commitment,
    )


def _said_of(made: Draw) -> str:
    if made.state == Draw.State.RUNNING:
        return _("The draw is being made.")
    return _("Drawn. Nobody sees it yet.")


def _foreseen(form: DrawForm, chosen: list[Session], before: Draw | None) -> list[Foreseen]:
    """Return what the wishes lead to as they are; wishes that cannot be read have messages of their own."""
    if form.is_bound and form.errors:
        form.cleaned_data = getattr(form, "cleaned_data", {})
    form_sessions, form.sessions = form.sessions, chosen
    try:
        options: Options = form.options(before.pins if before is not None else ())
        return foresee(form.tournament, chosen, str(form["mode"].value()), options)
    finally:
        form.sessions = form_sessions


@page("draw")
def foreseen(request: Request, tournament: Tournament) -> HttpResponse:
    """Return the consequences of the wishes as they stand in the form."""
    is_redraw = "redraw" in request.GET
    sessions = operations.replaceable(tournament) if is_redraw else open_sessions(tournament)
    draft = tournament.draws.filter(state=Draw.State.DRAFT).first()
    form = _form(request, tournament, sessions, is_redraw=is_redraw, before=draft, data=request.GET)
    form.is_valid()
    chosen = _chosen(form, sessions)
    lines = _foreseen(form, chosen, draft) if sessions and form["mode"].value() else []
    return show(request, "seating/_foreseen.html", tournament, foreseen=lines, chosen=chosen)


@page("draw", methods=POST)
def commit(request: Request, tournament: Tournament) -> HttpResponse:
    """Publish the digest of a secret before the draw."""
    return do(
        request,
        lambda: operations.commit(tournament, by=request.actor),
        _("The commitment is public. Now let the players call out digits."),
        "seating:draw",
        tournament.slug,
    )


@page("draw", methods=("GET", "POST"))
def paste(request: Request, tournament: Tournament) -> HttpResponse:
    """Take a plan from elsewhere; every fault is named."""
    sessions = open_sessions(tournament)
    is_redraw = not sessions
    sessions = sessions or operations.replaceable(tournament)
    form = PlanForm(request.POST or None, request.FILES or None, is_redraw=is_redraw)
    if form.is_valid() and sessions:
        made = tried(form, lambda: _take_in(request, tournament, sessions, form))
        if made:
            return done(request, _("The plan is read. Nobody sees it yet."), "seating:draw", tournament.slug)
    return show(request, "seating/paste.html", tournament, form=form, sessions=sessions, status=form.answer)


def _take_in(request: Request, tournament: Tournament, sessions: list[Session], form: PlanForm) -> Draw:
    data = form.cleaned_data
    rounds, problems = read_sent_plan(data["text"], names_of(tournament))
    if problems:
        raise Refused(*problems)
    return operations.propose_plan(
        tournament,
        sessions[: max(1, len(rounds))],
        rounds,
        by=request.actor,
        seed=data["seed"],
        reason=data.get("reason", ""),
        options=Options(is_dealt=data["is_dealt"], with_absent=True, leftover="regulation"),
    )


@page("draw", methods=POST)
def repair(request: Request, tournament: Tournament) -> HttpResponse:
    """Make a draft of the published tables with gaps for who is gone and seats for who came."""
    return do(
        request,
        lambda: operations.propose_repair(
            tournament, by=request.actor, reason=request.POST.get("reason", "")
        ),
        _("The tables are kept as far as possible. Look at them, then publish."),
        "seating:draw",
        tournament.slug,
    )


@page("draw")
def progress(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Show how far a draw is."""
    row = get_object_or_404(tournament.draws, pk=number)
    return JsonResponse({"state": row.state, "percent": row.progress})


@page("draw", methods=POST)
def cancel(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Abandon a running draw."""
    row = get_object_or_404(tournament.draws, pk=number)
    return do(
        request,
        lambda: operations.cancel(row, by=request.actor),
        _("The draw is given up; nothing of it remains."),
        "seating:draw",
        tournament.slug,
    )
