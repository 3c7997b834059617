"""What an event prints: everything on one page, then badges, cards for the tables, the timetable and the final tables."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.problems import gettext_noop
from tournaments.exchange import rules
from tournaments.models import Player, Registration, Tournament
from tournaments.record.moment import one_moment
from tournaments.record.refusal import refuse
from tournaments.sessions.queries import current_session, timetable_of
from tournaments.standings.queries.table import (
    gone_by_number,
    group_rows,
    newest_snapshot,
    results_by_number,
    value_text,
)
from tournaments.table_numbers import shown_number
from tournaments.web.access import page
from tournaments.web.addresses import shared
from tournaments.web.frame import may, show
from tournaments.web.labels import heading_of
from tournaments.web.paging import choice_of
from tournaments.web.qr import qr_svg
from tournaments.web.requests import Request

ACTIVE = Registration.Status.ACTIVE
PLAYERS, STAFF = "players", "staff"
A4, A5, TENT, A6 = "a4", "a5", "tent", "a6"
PAPERS = ((A4, "A4"), (A5, "A5"))
MOST_AT_ONCE = 120
MOST_CRITERIA, MANY_SESSIONS = 4, 6
OF_A_TABLE = {TENT: (150, 60), A5: (150, 60), A6: (90, 40)}


@page("see_desk")
def prints(request: Request, tournament: Tournament) -> HttpResponse:
    """Show everything that can be printed, with what each is for and what it waits for."""
    return show(
        request,
        "organizer/prints",
        tournament,
        players=tournament.registrations.filter(status=ACTIVE).count(),
        seated=tournament.sessions.filter(published_at__isnull=False).exists(),
        session=current_session(tournament),
        has_results=bool(newest_snapshot(tournament)["rows"]),
        may_manage=may(request, "manage_people"),
    )


@page("see_desk")
def badges(request: Request, tournament: Tournament) -> HttpResponse:
    """Print a badge for everybody who plays or works here: the name large, and a code of the public page."""
    sheet = rules.SHEETS[choice_of(request.GET, "sheet", rules.SHEETS) or "cards"]
    who = choice_of(request.GET, "who", (PLAYERS, STAFF)) or PLAYERS
    wanted = _numbers(request)
    people = _staff(request, tournament) if who == STAFF else _players(request, tournament, wanted)
    for one in people:
        one["letters"] = _letters(one["name"], sheet.width, sheet.height)
        one["qr"] = qr_svg(one["address"])
    return show(
        request,
        "paper/badges",
        tournament,
        sheet=sheet,
        who=who,
        numbers=request.GET.get("numbers", ""),
        forms=_sheet_names(),
        count=len(people),
        sheets=rules.sheets_of(people, sheet.count),
        left_out=_left_out(tournament, wanted) if who == PLAYERS else 0,
        most=MOST_AT_ONCE,
    )


def _sheet_names() -> list[tuple[str, str]]:
    return [
        ("cards", _("90 × 55 mm, ten on A4")),
        ("a7", _("A7, eight on A4")),
        ("a6", _("A6, four on A4")),
        ("pair", _("A6, two on A5")),
    ]


def _letters(text: str, width: float, height: float) -> str:
    """Return the class of the letters in which a text fits."""
    return f"letters-{rules.letters(text, width=width, height=height) * 10:.0f}"


def _numbers(request: Request) -> frozenset[int] | None:
    """Read which numbers are asked for, None for all; what cannot be read is refused."""
    text = request.GET.get("numbers", "").strip()
    if not text:
        return None
    found = rules.read_numbers(text)
    if found is None:
        sentence = gettext_noop("Write numbers like this: 3, 8–12.")
        refuse("number_range", sentence, field="numbers")
    return found


def _players(request: Request, tournament: Tournament, wanted: frozenset[int] | None) -> list[dict[str, Any]]:
    """Return a badge for every player on the list, or for those numbers, and for the substitutes where all are printed."""
    rows = tournament.registrations.filter(status=ACTIVE).select_related("player__team").order_by("number")
    if wanted is not None:
        rows = rows.filter(number__in=wanted)
    registered = [_badge(request, tournament, row.player, row.number) for row in rows[:MOST_AT_ONCE]]
    pool = tournament.substitutes.select_related("player__team") if wanted is None else ()
    room = MOST_AT_ONCE - len(registered)
    return registered + [_badge(request, tournament, row.player) for row in pool][:room]


def _badge(request: Request, tournament: Tournament, player: Player, number: int = 0) -> dict[str, Any]:
    slug = tournament.slug
    at = reverse("tournaments:player", args=[slug, number]) if number else tournament.get_absolute_url()
    return {
        "name": str(player),
        "number": number or None,
        "country": player.country,
        "of": " · ".join(filter(None, (str(player.team or ""), player.club or player.city))),
        "role": "" if number else _("Substitute"),
        "address": shared(request, at),
    }


def _left_out(tournament: Tournament, wanted: frozenset[int] | None) -> int:
    """Return how many badges do not fit into one print."""
    rows = tournament.registrations.filter(status=ACTIVE)
    count = rows.filter(number__in=wanted).count() if wanted is not None else rows.count()
    return max(0, count - MOST_AT_ONCE)


def _staff(request: Request, tournament: Tournament) -> list[dict[str, Any]]:
    """Return a badge for everybody who works here under a name, with all roles; players of the committee have theirs."""
    language = get_language() or "en"
    roles: dict[str, list[str]] = {}
    for row in tournament.roles.select_related("user", "player"):
        if name := row.printed(language):
            roles.setdefault(name, []).append(str(row.get_kind_display()))
    address = shared(request, tournament.get_absolute_url())
    return [
        {"name": name, "number": None, "country": "", "of": "", "role": ", ".join(kinds), "address": address}
        for name, kinds in roles.items()
    ]


@page("see_desk")
def table_cards(request: Request, tournament: Tournament) -> HttpResponse:
    """Print a card to stand on each table: its number, and a code that leads to its protocol in every session."""
    form = choice_of(request.GET, "form", (TENT, A5, A6)) or TENT
    wanted = _numbers(request)
    width, height = OF_A_TABLE[form]
    cards = [
        {"number": shown_number(number), "qr": qr_svg(shared(request, _of_table(tournament, number)))}
        for number in _table_numbers(tournament)
        if wanted is None or shown_number(number) in wanted
    ][:MOST_AT_ONCE]
    return show(
        request,
        "paper/table_cards",
        tournament,
        form=form,
        forms=[(TENT, _("A4, folded to stand")), (A5, "A5"), (A6, _("A6, four on A4"))],
        numbers=request.GET.get("numbers", ""),
        cards=cards,
        sheets=rules.sheets_of(cards, 4 if form == A6 else 1),
        letters=_letters(tournament.name, width, height / 4),
    )


def _of_table(tournament: Tournament, number: int) -> str:
    return reverse("tournaments:table_now", args=[tournament.slug, number])


def _table_numbers(tournament: Tournament) -> Iterable[int]:
    """Return the numbers of the tables: those that were seated, else as many as the players on the list take."""
    tables = tournament.sessions.filter(published_at__isnull=False).values_list("tables__number", flat=True)
    if numbers := sorted({number for number in tables if number}):
        return numbers
    players = tournament.registrations.filter(status=ACTIVE).count()
    return range(1, rules.tables_for(players, tournament.regulation["table_size"]) + 1)


@page("see_desk")
def timetable_sheet(request: Request, tournament: Tournament) -> HttpResponse:
    """Print the timetable for the wall, large enough to be read from two metres."""
    return show(
        request,
        "paper/timetable",
        tournament,
        paper=_paper(request),
        papers=PAPERS,
        lines=timetable_of(tournament),
        untimed=tournament.sessions.filter(planned_at=None, started_at=None).order_by("number"),
        may_plan=may(request, "run_sessions"),
    )


@page("see_desk")
@one_moment()
def final_tables(request: Request, tournament: Tournament) -> HttpResponse:
    """Print the standings with what every session brought, and each table of teams and groups."""
    said = newest_snapshot(tournament)
    ranking = [
        name
        for rank, name in enumerate(said.get("ranking", ()))
        if rank == 0 or any(row["values"].get(name) is not None for row in said["rows"])
    ][:MOST_CRITERIA]
    sessions = [face["number"] for face in said.get("sessions", ()) if face["state"] != "planned"]
    return show(
        request,
        "paper/final_tables",
        tournament,
        paper=_paper(request),
        papers=PAPERS,
        is_wide=len(sessions) > MANY_SESSIONS,
        criteria=[heading_of(name) for name in ranking],
        sessions=sessions,
        with_points=bool(tournament.regulation["tournament_points"]),
        rows=_rows(tournament, said, ranking, sessions) if said["rows"] else [],
        groups=[group_rows(said, at) for at, table in enumerate(said["groups"], start=1) if table["rows"]],
        is_closed=tournament.state == Tournament.State.CLOSED,
    )


def _rows(
    tournament: Tournament, said: dict[str, Any], ranking: list[str], sessions: list[int]
) -> list[dict[str, Any]]:
    results, gone = results_by_number(tournament, said), gone_by_number(tournament)
    found = []
    for row in said["rows"]:
        brought = {line["session"]: line for line in results.get(row["number"], ())}
        found.append(
            {
                **row,
                "gone": gone.get(row["number"]),
                "cells": [value_text(name, row["values"].get(name)) for name in ranking],
                "sessions": [brought.get(session) for session in sessions],
            }
        )
    return found


def _paper(request: Request) -> str:
    return choice_of(request.GET, "paper", (A4, A5)) or A4
