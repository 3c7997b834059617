"""The draft of a draw: looked at from all sides, changed by hand, compared, published."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from seating.drafts import operations, reports
from seating.drafts.queries import left_over, people_of, planned_tables, published_draw
from seating.drafts.working import reasons_of
from seating.models import Draw
from seating.rules.plan import Id
from tournaments.models import Session, Tournament
from tournaments.record.receipts import check_key
from tournaments.record.refusal import Refused, refuse, sentences
from tournaments.web.access import page
from tournaments.web.frame import do, show
from tournaments.web.requests import Request
from tournaments.web.strict import parse_whole

POST = ("POST",)
SHOWS = ("tables", "meetings", "players")


def draft_page(request: Request, tournament: Tournament, draft: Draw) -> HttpResponse:
    """Show a draft: its report, and one session's tables, who meets whom, or everybody's way."""
    draft.tournament = tournament
    people = people_of(tournament)
    session = _session_of(draft, request.GET.get("session", ""))
    shown = request.GET.get("show", "tables")
    shown = shown if shown in SHOWS else "tables"
    figures = reports.figures(draft.quality, people, reports.left_to_lots(draft))
    context: dict[str, Any] = {
        "draft": draft,
        "session": session,
        "shown": shown,
        "figures": figures,
        "flaws": reports.flaws(draft, people, figures),
        "as_lots_fell": any(figure.is_by_lot and not figure.is_good for figure in figures),
        "mailed": _mailed(draft, people),
        "is_stale": operations.is_stale(draft),
        "people": _seated(draft, session, people),
        "pinned": [(people[pin[1]], pin) for pin in draft.pins if pin[1] in people],
        "earlier": tournament.draws.exclude(pk=draft.pk).exclude(state=Draw.State.RUNNING)[:20],
    }
    if shown == "tables":
        context["tables"] = planned_tables(draft, session, people)
        context["off"] = left_over(draft, session, people)
        if draft.mode == Draw.Mode.SWISS:
            context["reasons"] = dict(enumerate(_reasons(draft), start=1))
    elif shown == "meetings":
        context["matrix"] = reports.matrix(draft, people)
    else:
        context["paths"] = reports.paths(draft, people)
    return show(request, "seating/draft.html", tournament, **context)


def _mailed(draft: Draw, people: Any) -> int:
    """Count those who get a mail with their seat when the draft is published."""
    if not draft.tournament.mails_players:
        return 0
    seated = {who for plan in draft.plan.values() for table in plan["tables"] for who in table}
    return sum(1 for who, person in people.items() if who in seated and person.player.email)


def _session_of(draft: Draw, text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else draft.sessions[0]
    return number if number in draft.sessions else int(draft.sessions[0])


def _seated(draft: Draw, session: int, people: Any) -> list[Any]:
    plan = draft.plan[str(session)]
    here = {who for seats in plan["tables"] for who in seats} | set(plan["off"])
    return sorted(
        (person for who, person in people.items() if who in here), key=lambda p: p.player.search_key
    )


def _reasons(draft: Draw) -> list[list[str]]:
    said = reasons_of(draft)
    return [[reports.translated(line["sentence"], line["details"]) for line in lines] for lines in said]


def _changed(
    request: Request, tournament: Tournament, work: Callable[[], Any], sentence: str
) -> HttpResponse:
    """Do what a tap asks, and come back to the same session."""
    try:
        work()
    except Refused as refused:
        for said in sentences(refused.problems):
            messages.error(request, said)
    else:
        messages.success(request, sentence)
    session = request.POST.get("session", "")
    query = f"?{urlencode({'session': session})}" if session.isdigit() else ""
    return redirect(reverse("seating:draw", args=[tournament.slug]) + query)


def _who(request: Request, name: str) -> Id:
    """Read by which number or sign somebody sits in the plan."""
    text = request.POST.get(name, "").strip()
    if text[:1] == "s" and text[1:].isascii() and text[1:].isdigit() and len(text) < 12:
        return text
    return parse_whole(text, field=name, least=1, most=999_999)


def _session(request: Request, row: Draw) -> int:
    text = request.POST.get("session", "")
    session = parse_whole(text, field="session") if text else int(row.sessions[0])
    if session not in row.sessions:
        refuse("not_found", "This draw has no such session.")
    return session


def _key(request: Request) -> str:
    """Read the key made for this form, by which a tap sent twice counts once."""
    return check_key(request.POST.get("key", ""))


@page("draw", methods=POST)
def swap(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Let two players of the draft change places."""
    row = get_object_or_404(tournament.draws, pk=number)

    def work() -> None:
        first, second = _who(request, "first"), _who(request, "second")
        session, key = _session(request, row), _key(request)
        operations.swap_in_draft(row, first, second, session=session, by=request.actor, key=key)

    return _changed(request, tournament, work, _("The two have changed places."))


@page("draw", methods=POST)
def pin(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Lock a seat of the draft, or unlock it."""
    row = get_object_or_404(tournament.draws, pk=number)

    def work() -> None:
        session, key = _session(request, row), _key(request)
        operations.pin(row, _who(request, "who"), session=session, by=request.actor, key=key)

    return _changed(request, tournament, work, _("Noted. Locked seats stay when the draw is made anew."))


@page("draw", methods=POST)
def undo(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Take back the last change made by hand."""
    row = get_object_or_404(tournament.draws, pk=number)
    return _changed(
        request,
        tournament,
        lambda: operations.undo_edit(row, by=request.actor, key=_key(request)),
        _("The change is taken back."),
    )


@page("draw", methods=POST)
def discard(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Set the draft aside."""
    row = get_object_or_404(tournament.draws, pk=number)
    return do(
        request,
        lambda: operations.discard(row, by=request.actor),
        _("The draw is set aside."),
        "seating:draw",
        tournament.slug,
    )


@page("draw", methods=POST)
def take_up(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Make an earlier proposal the draft again."""
    row = get_object_or_404(tournament.draws, pk=number)
    return do(
        request,
        lambda: operations.take_up(row, by=request.actor),
        _("The earlier proposal is the draft again."),
        "seating:draw",
        tournament.slug,
    )


@page("draw", methods=POST)
def publish(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Make the draft the seating."""
    row = get_object_or_404(tournament.draws, pk=number)
    row.tournament = tournament
    try:
        operations.publish(row, by=request.actor)
    except Refused as refused:
        for said in sentences(refused.problems):
            messages.error(request, said)
        return redirect("seating:draw", tournament.slug)
    messages.success(request, _("The seating is public."))
    return redirect("tournaments:sessions", tournament.slug)


@page("draw", methods=POST)
def take_back(request: Request, tournament: Tournament, session: Session) -> HttpResponse:
    """Make the draw by which a session was seated the draft again."""
    row = published_draw(session)
    if row is None:
        raise Http404
    row.tournament = tournament
    return do(
        request,
        lambda: operations.take_back(row, by=request.actor),
        _("The seating is a draft again; nobody sees it."),
        "tournaments:sessions",
        tournament.slug,
    )


@page("draw")
def compare(request: Request, tournament: Tournament) -> HttpResponse:
    """Put two proposals side by side."""
    rows = list(tournament.draws.exclude(plan={})[:40])
    one = _chosen(rows, request.GET.get("one", ""), 0)
    other = _chosen(rows, request.GET.get("other", ""), 1)
    context: dict[str, Any] = {"rows": rows, "one": one, "other": other}
    if one is not None and other is not None:
        one.tournament = other.tournament = tournament
        people = people_of(tournament)
        common = [number for number in one.sessions if number in other.sessions]
        session = _session_of(one, request.GET.get("session", ""))
        session = session if session in common or not common else common[0]
        context |= {
            "lines": reports.compared(one, other, people),
            "common": common,
            "session": session,
            "sides": [planned_tables(row, session, people) for row in (one, other)] if common else [],
        }
    return show(request, "seating/compare.html", tournament, **context)


def _chosen(rows: list[Draw], text: str, place: int) -> Draw | None:
    found = next((row for row in rows if str(row.pk) == text), None)
    return found or (rows[place] if place < len(rows) else None)
