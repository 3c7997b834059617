"""The standings: live, as of any session, by teams and groups, and why a place is what it is."""

from typing import Any

from django.http import Http404, HttpResponse

from tournaments.models import Session, Tournament
from tournaments.standings.queries.explanation import compared
from tournaments.standings.queries.table import (
    filter_choices,
    group_faces,
    group_rows,
    is_filtered,
    newest_snapshot,
    standings_after,
    standings_html,
    true_snapshot,
)
from tournaments.web.access import page, sees_frozen
from tournaments.web.frame import live_addresses, show
from tournaments.web.paging import check_order
from tournaments.web.requests import Request


@page("look", is_shared=True, keeps_freeze=True)
def standings(request: Request, tournament: Tournament) -> HttpResponse:
    """Show the standings, live; every number leads to where it came from."""
    check_order(request.GET, ("place", "name", *tournament.regulation["ranking"]))
    sees_all = sees_frozen(request.actor)
    newest = true_snapshot(tournament) if sees_all else newest_snapshot(tournament)
    closed = [
        face["number"]
        for face in newest.get("sessions", [])
        if face["state"] == Session.State.CLOSED
        and (sees_all or not tournament.hides_session(face["number"]))
    ]
    after = _chosen(request, "after", closed)
    said = newest if after is None else standings_after(tournament, after)
    tables = group_faces(said)
    at = _chosen(request, "table", [table["at"] for table in tables])
    has_begun = any(face["state"] != Session.State.PLANNED for face in said.get("sessions", []))
    return show(
        request,
        "public/standings",
        tournament,
        rows=said["rows"] if has_begun else [],
        standings="" if at else standings_html(request, tournament, said),
        tables=tables if has_begun else [],
        groups=group_rows(said, at) if at and has_begun else None,
        at=at,
        after=after,
        closed=closed,
        revision=newest["revision"],
        is_provisional=said.get("provisional", False),
        is_frozen=tournament.is_frozen and not sees_all,
        sees_true=tournament.is_frozen and sees_all,
        choices=filter_choices(request, said["rows"]),
        is_filtered=is_filtered(request),
        why_url=_toggled(request, "why"),
        **live_addresses(tournament),
    )


@page("look", is_shared=True)
def explain(request: Request, tournament: Tournament) -> HttpResponse:
    """Show why one player is ahead of another, criterion by criterion, down to sessions and protocols."""
    said = true_snapshot(tournament)
    rows = said["rows"]
    numbers = [row["number"] for row in rows]
    one = _chosen(request, "a", numbers)
    other = _chosen(request, "b", numbers)
    if one is not None and (other is None or other == one):
        other = _neighbour(numbers, one)
    return show(
        request,
        "public/explain",
        tournament,
        rows=rows,
        one=one,
        other=other,
        compared=compared(tournament, said, one, other) if one and other else None,
        revision=said["revision"],
        is_provisional=said.get("provisional", False),
        **live_addresses(tournament),
    )


def _neighbour(numbers: list[int], one: int) -> int | None:
    """Return whoever stands right above, or below the leader."""
    at = numbers.index(one)
    if len(numbers) < 2:
        return None
    return numbers[at - 1] if at else numbers[1]


def _chosen(request: Request, name: str, known: list[Any]) -> int | None:
    """Read a number of the address; what is not among those known names nothing."""
    text = request.GET.get(name, "")
    if not text:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 6 or int(text) not in known:
        raise Http404
    return int(text)


def _toggled(request: Request, name: str) -> str:
    """Return this address with a choice turned over."""
    query = request.GET.copy()
    if query.pop(name, None) is None:
        query[name] = "1"
    text = query.urlencode()
    return f"{request.path}?{text}" if text else request.path
