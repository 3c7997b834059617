"""The final for those who are not in the hall: a page that moves by itself, an overlay for streams, a widget for other sites."""

from typing import Any

from django.conf import settings
from django.http import Http404, HttpResponse
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.models import Session, Table, Tournament
from tournaments.public.operations import allow_frames
from tournaments.public.queries.watch import reveal_of, watched
from tournaments.record.receipts import check_key
from tournaments.sessions.queries import current_session
from tournaments.standings.operations import freezing
from tournaments.standings.queries.frozen import last_closed, shown_standings
from tournaments.standings.queries.table import newest_revision, newest_snapshot, value_text
from tournaments.table_numbers import shown_number
from tournaments.web.access import page
from tournaments.web.addresses import shared
from tournaments.web.frame import do, live_addresses, may, show
from tournaments.web.labels import heading_of
from tournaments.web.paging import choice_of
from tournaments.web.requests import Request
from tournaments.web.strict import parse_whole

POST = ("POST",)
PARTS = ("standings", "table", "hand", "clock")
USUAL_ROWS, MOST_ROWS = 8, 24
ROWS_BESIDE = 12


@page("look", is_shared=True, keeps_freeze=True)
def watch(request: Request, tournament: Tournament) -> HttpResponse:
    """Show the session in play as it happens: tables with running totals, last hands, and the head of the standings."""
    session = current_session(tournament)
    return show(
        request,
        "public/watch",
        tournament,
        session=session,
        is_hidden=bool(session and tournament.hides_session(session.number)),
        watched=watched(tournament, session),
        rows=_rows(tournament, ROWS_BESIDE),
        criterion=heading_of(tournament.regulation["ranking"][0]),
        reveal=reveal_of(tournament) if tournament.is_revealing else None,
        revision=newest_revision(tournament),
        **live_addresses(tournament),
    )


def _rows(tournament: Tournament, most: int) -> list[dict[str, Any]]:
    """Return the first rows of the standings as strangers see them, each with the value that decides first."""
    first = tournament.regulation["ranking"][0]
    said = newest_snapshot(tournament)
    has_begun = any(face["state"] != Session.State.PLANNED for face in said.get("sessions", []))
    rows = said["rows"][:most] if has_begun else []
    return [{**row, "value": value_text(first, row["values"].get(first))} for row in rows]


@page("look", is_shared=True, keeps_freeze=True)
def overlay(request: Request, tournament: Tournament) -> HttpResponse:
    """Draw one part of a stream's picture on a transparent ground: standings, a table, the last hand, or the clock."""
    part = choice_of(request.GET, "part", PARTS) or "standings"
    session = current_session(tournament)
    table = _number(request, "table")
    seen = watched(tournament, session, table=table) if part in {"table", "hand"} else None
    with _spoken(request):
        return show(
            request,
            "public/overlay",
            tournament,
            part=part,
            session=session,
            is_open=bool(session and session.state == Session.State.OPEN),
            is_hidden=bool(session and tournament.hides_session(session.number)),
            table=seen.tables[0] if seen and seen.tables else None,
            moment=seen.moments[0] if seen and seen.moments else None,
            rows=_rows(tournament, _number(request, "rows") or USUAL_ROWS) if part == "standings" else [],
            reveal=reveal_of(tournament) if tournament.is_revealing else None,
            revision=newest_revision(tournament),
            **live_addresses(tournament),
        )


@page("look", is_shared=True, keeps_freeze=True)
def widget(request: Request, tournament: Tournament) -> HttpResponse:
    """Show the head of the standings in a frame of a site that the organizer has named; nobody else may frame any page."""
    with _spoken(request):
        response = show(
            request,
            "public/widget",
            tournament,
            rows=_rows(tournament, _number(request, "rows") or USUAL_ROWS),
            criterion=heading_of(tournament.regulation["ranking"][0]),
            revision=newest_revision(tournament),
            **live_addresses(tournament),
        )
    if tournament.frame_sites:
        response.xframe_options_exempt = True
        response._csp_replace = {"frame-ancestors": list(tournament.frame_sites)}  # type: ignore[attr-defined]
        response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def _number(request: Request, name: str) -> int | None:
    """Read a number of the address, of a table or of rows; none where it is left out."""
    text = request.GET.get(name, "")
    if not text:
        return None
    if (
        not text.isascii()
        or not text.isdigit()
        or len(text) > 4
        or not 1 <= int(text) <= (MOST_ROWS if name == "rows" else 9999)
    ):
        raise Http404
    return int(text)


def _spoken(request: Request) -> Any:
    """Speak the language that the address names: a streaming program and a frame have none of their own."""
    language = choice_of(request.GET, "lang", [code for code, _name in settings.LANGUAGES])
    return translation.override(language or translation.get_language())


# The desk


@page("run_sessions")
def desk(request: Request, tournament: Tournament) -> HttpResponse:
    """Freeze the standings and reveal them, and show the addresses of overlay and widget."""
    session = current_session(tournament)
    closed = last_closed(tournament)
    base = shared(request, tournament.get_absolute_url())
    rows = shown_standings(tournament, sees_all=True)
    placed = [row for row in rows if row.place is not None]
    hidden = tournament.places_hidden
    left = min(hidden or 0, len(placed))  # somebody may have lost the place since the reveal began
    return show(
        request,
        "organizer/broadcast",
        tournament,
        closed=closed,
        may_freeze=closed is not None and tournament.sessions.filter(number__gt=closed.number).exists(),
        playing=session if session and session.state == Session.State.OPEN else None,
        has_later=tournament.frozen_after is not None
        and tournament.sessions.filter(
            number__gt=tournament.frozen_after, state=Session.State.CLOSED
        ).exists(),
        placed=len(placed),
        begin_at=min(len(placed), 10),
        next_one=placed[left - 1] if left else None,
        next_hidden=left - 1 if left else None,
        back_hidden=hidden + 1 if hidden is not None and hidden < len(placed) else None,
        base=base,
        parts=_addresses(base, session),
        languages=settings.LANGUAGES,
        sites="\n".join(tournament.frame_sites),
        may_allow=may(request, "change_tournament"),
    )


def _addresses(base: str, session: Session | None) -> list[dict[str, Any]]:
    """List the parts of the overlay with their addresses; a table with a game has one of its own, and so has its last hand."""
    games = session.tables.filter(protocol__isnull=False) if session else Table.objects.none()
    numbers = list(games.order_by("number").values_list("number", flat=True))
    alone = [
        (_("Standings"), "?part=standings"),
        (_("Last hand of the session"), "?part=hand"),
        (_("Clock"), "?part=clock"),
    ]
    rows = [{"label": label, "url": f"{base}overlay/{query}"} for label, query in alone]
    for number in numbers:
        said = {"n": shown_number(number)}
        rows.append({"label": _("Table %(n)s") % said, "url": f"{base}overlay/?part=table&table={number}"})
        label = _("Last hand of table %(n)s") % said
        rows.append({"label": label, "url": f"{base}overlay/?part=hand&table={number}"})
    return rows


@page("run_sessions", methods=POST)
def freeze(request: Request, tournament: Tournament) -> HttpResponse:
    """Freeze the standings for strangers."""
    return do(
        request,
        lambda: freezing.freeze(tournament, by=request.actor),
        _("The standings are frozen. Only those who work here see the true ones."),
        "tournaments:broadcast_desk",
        tournament.slug,
    )


@page("run_sessions", methods=POST)
def show_again(request: Request, tournament: Tournament) -> HttpResponse:
    """Take the freeze back, or end the reveal."""
    return do(
        request,
        lambda: freezing.show_again(tournament, by=request.actor),
        _("Everybody sees the standings as they are."),
        "tournaments:broadcast_desk",
        tournament.slug,
    )


@page("run_sessions", methods=POST)
def reveal(request: Request, tournament: Tournament) -> HttpResponse:
    """Reveal the next place, all from a place on, or take a step back."""

    def work() -> Tournament:
        hidden = parse_whole(request.POST.get("hidden", ""), field="hidden", least=0, most=9999)
        key = check_key(request.POST.get("key", ""))
        return freezing.reveal(tournament, hidden=hidden, by=request.actor, key=key)

    return do(
        request,
        work,
        _("The screens follow within two seconds."),
        "tournaments:broadcast_desk",
        tournament.slug,
    )


@page("change_tournament", methods=POST)
def frames(request: Request, tournament: Tournament) -> HttpResponse:
    """Name the sites that may show the widget."""
    lines = request.POST.get("sites", "").split()
    return do(
        request,
        lambda: allow_frames(tournament, lines, by=request.actor),
        _("Saved."),
        "tournaments:broadcast_desk",
        tournament.slug,
    )
