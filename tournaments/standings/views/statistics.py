"""What the hands tell: an event's figures, its best hands and those of each session, and the places over time."""

from typing import Any

from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _

from tournaments.models import Session, Tournament
from tournaments.standings.queries.figures import (
    average,
    figure_rows,
    frequent_fans,
    hand_cards,
    leaders_course,
    share,
)
from tournaments.standings.queries.records import event_records
from tournaments.standings.queries.revision_cache import kept, revision_key
from tournaments.standings.queries.statistics import event_figures, people_of
from tournaments.standings.queries.table import newest_snapshot
from tournaments.standings.rules.figures import Tally
from tournaments.web.access import page
from tournaments.web.frame import live_addresses, show
from tournaments.web.labels import worth_in_words
from tournaments.web.requests import Request

BEST_OF_THE_EVENT = 10
SORTS = ("wins", "self_draws", "deals_in", "average", "best")


@page("look", is_shared=True)
def statistics(request: Request, tournament: Tournament) -> HttpResponse:
    """Show the figures of the whole event, session by session and player by player."""
    found = event_figures(tournament)
    said = newest_snapshot(tournament)
    sort = request.GET.get("sort", "wins")
    sort = sort if sort in SORTS else "wins"
    streak = found.whole.streak
    return show(
        request,
        "public/statistics",
        tournament,
        figures=found.whole,
        rows=figure_rows(tournament, found.whole),
        streak=streak if streak and streak.length > 1 else None,
        streak_player=people_of([streak.player]).get(streak.player or 0) if streak else None,
        sessions=_sessions(tournament, found.sessions),
        records=kept(f"records-{revision_key(tournament)}", lambda: event_records(tournament)),
        fans=frequent_fans(tournament.system, found.whole),
        hands=hand_cards(tournament, found.whole.best[:BEST_OF_THE_EVENT]),
        players=_players(tournament, found.whole.players, sort),
        sort=sort,
        course=leaders_course(tournament, said),
        has_results=any(face["state"] == Session.State.CLOSED for face in said.get("sessions", [])),
        revision=said["revision"],
        **live_addresses(tournament),
    )


def _sessions(tournament: Tournament, sessions: dict[int, Any]) -> list[dict[str, Any]]:
    """List the figures of each session, with its best hand."""
    return [
        {
            "number": number,
            "hands": figures.hands,
            "no_win": share(figures.no_win, figures.hands),
            "average": average(figures.worth, figures.wins),
            "self_draws": share(figures.self_draws, figures.wins),
            "best": worth_in_words(tournament.system, figures.best[0].worth) if figures.best else "–",
        }
        for number, figures in sessions.items()
    ]


def _players(tournament: Tournament, tallies: dict[int, Tally], sort: str) -> list[dict[str, Any]]:
    """List the registered players by what was asked for; the best first, in deals in the fewest."""
    people = people_of(tallies)
    rows = []
    for player, tally in tallies.items():
        registration = getattr(people.get(player), "registration", None)
        if registration is None:
            continue
        rows.append(
            {
                "number": registration.number,
                "name": str(people[player]),
                "country": people[player].country,
                "tally": tally,
                "win_share": share(tally.wins, tally.hands),
                "self_draw_share": share(tally.self_draws, tally.wins),
                "deal_in_share": share(tally.deals_in, tally.hands),
                "average": average(tally.worth, tally.wins),
                "best": tally.best.worth if tally.best else None,
            }
        )
    rows.sort(key=lambda row: (*_key(row["tally"], sort), people_key(row)))
    return rows


def people_key(row: dict[str, Any]) -> int:
    """Sort those who are equal by their number."""
    return int(row["number"])


def _key(tally: Tally, sort: str) -> tuple[float, ...]:
    """Sort shares by what they are shares of, so that a long event and a late arrival compare."""
    hands, wins = tally.hands or 1, tally.wins or 1
    return {
        "wins": (-tally.wins, tally.hands),
        "self_draws": (-tally.self_draws, tally.hands),
        "deals_in": (tally.deals_in / hands, -tally.hands),
        "average": (-tally.worth / wins, -tally.wins),
        "best": (-(tally.best.worth if tally.best else -1), -((tally.best.gained or 0) if tally.best else 0)),
    }[sort]


@page("look", is_shared=True)
def session_hands(request: Request, tournament: Tournament, session: Session) -> HttpResponse:
    """Show the best hands of a session and its figures."""
    if not session.is_published or session.state == Session.State.PLANNED:
        raise Http404
    found = event_figures(tournament).sessions
    figures = found.get(session.number)
    played = tournament.sessions.exclude(state=Session.State.PLANNED).order_by("number")
    return show(
        request,
        "public/session_hands",
        tournament,
        session=session,
        sessions=played,
        rows=figure_rows(tournament, figures) if figures else [],
        hands=hand_cards(tournament, figures.best) if figures else [],
        title=_("Best hands"),
        revision=newest_snapshot(tournament)["revision"],
        **live_addresses(tournament),
    )
