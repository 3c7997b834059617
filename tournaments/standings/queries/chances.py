"""Chances as pages show them: everybody's, one player's over the event, what is needed, and how right they were."""

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any

from django.db.models import Max
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from scoring.standings.chances.last_table import LastTable, last_table, need_at
from scoring.standings.chances.left import Goal
from scoring.standings.chances.needs import Need, need_of
from scoring.standings.chances.reach import last_session
from scoring.standings.stages import standings
from tournaments.models import Chances, Registration, Standing, Tournament
from tournaments.standings.queries.outlook import finished_with, outlook_of
from tournaments.standings.queries.revision_cache import kept, revision_key
from tournaments.standings.rules.chances import (
    Point,
    Tenth,
    calibration,
    chance_of,
    drawn,
    shares_of,
)
from tournaments.tables.queries.events import event_of
from tournaments.templatetags import looks

Said = dict[str, Any]
Row = dict[str, Any]

GOALS: dict[str, str | Promise] = {
    Goal.WIN: gettext_lazy("1st place"),
    Goal.PODIUM: gettext_lazy("Podium"),
    Goal.PRIZE: gettext_lazy("Prize"),
    Goal.CUT: gettext_lazy("Go on"),
    Goal.HALF: gettext_lazy("Top half"),
}
TO_REACH: dict[str, str | Promise] = {
    Goal.WIN: gettext_lazy("To be first"),
    Goal.PODIUM: gettext_lazy("To be on the podium"),
    Goal.PRIZE: gettext_lazy("To win a prize"),
    Goal.CUT: gettext_lazy("To go on"),
    Goal.HALF: gettext_lazy("To be in the top half"),
}
MOST_EVENTS = 100
"""So many of the newest finished events are counted for how right chances were."""


def newest_chances(tournament: Tournament) -> Chances | None:
    """Return the newest chances, whatever they have to say."""
    return tournament.chances.order_by("-revision").first()


def read(row: Chances | None) -> Said:
    """Read what is told; nothing where there is nothing to say."""
    if row is None or not row.body:
        return {}
    said: Said = json.loads(gzip.decompress(bytes(row.body)))
    return said


def goal_faces(said: Said) -> list[Row]:
    """Name the goals in their order, with the last place of each."""
    return [{"code": code, "label": GOALS[code], "place": place} for code, place in said["goals"].items()]


def chance_rows(said: Said, standing_rows: list[Row]) -> list[Row]:
    """List everybody with a chance, the likeliest first."""
    known = {row["number"]: row for row in standing_rows}
    rows = []
    for number, (reached, (low, high), (best, worst, is_exact)) in said["players"].items():
        face = known.get(int(number))
        if face is None:
            continue
        chances = [
            chance_of(times, said["finishes"], last=last, best=best, worst=worst)
            for times, last in zip(reached, said["goals"].values(), strict=True)
        ]
        rows.append(
            {
                "number": int(number),
                "name": face["name"],
                "country": face["country"],
                "place": face["place"],
                "shared": face["shared"],
                "chances": chances,
                "cells": list(zip(goal_faces(said), chances, strict=True)),
                "low": low,
                "high": high,
                "best": best,
                "worst": worst,
                "is_exact": bool(is_exact),
                "order": tuple(-times for times in reached),
            }
        )
    rows.sort(key=lambda row: (row["order"], row["low"] + row["high"], row["place"] or 0, row["number"]))
    return rows


def curve_of(tournament: Tournament, number: int) -> Row | None:
    """Return a player's chances over the event as a drawing and as a table; nothing before there are two moments."""
    points = []
    for row in tournament.chances.all():
        if shares := shares_of(read(row), number):
            label = (
                _("After session %(n)s") % {"n": row.session}
                if row.tenth == 10
                else _("Session %(n)s, %(part)s %%") % {"n": row.session, "part": row.tenth * 10}
            )
            points.append(Point(label, row.session + row.tenth / 10, shares))
    goals = list(points[-1].shares) if points else []
    lines = drawn(points, goals)
    if not lines:
        return None
    return {
        "lines": [{"line": line, "label": GOALS[line.goal]} for line in lines],
        "goals": [GOALS[goal] for goal in goals],
        "points": [
            {"label": point.label, "shares": [chance_text(point.shares.get(goal)) for goal in goals]}
            for point in points
        ],
    }


def chance_text(share: float | None) -> str:
    """Write a share, or a dash where there was none."""
    return "–" if share is None else chance_of(round(share * 10**6), 10**6, last=1, best=1, worst=2).text


# What is needed


def needs_of(tournament: Tournament, who: int, rows: list[Row]) -> list[Row]:
    """List in sentences what a player needs for each goal in the last session; nothing before it is seated."""
    found = kept(f"last-session-{revision_key(tournament)}", lambda: _last_session(tournament))
    if found is None:
        return []
    last, goals = found
    by_player = dict(tournament.registrations.values_list("player_id", "number"))
    player = next((pk for pk, own in by_player.items() if own == who), None)
    names = {row["number"]: row["name"] for row in rows}
    sentences = []
    for goal, place in goals.items():
        need = (need_at if isinstance(last, LastTable) else need_of)(last, player, place)
        if need is not None:
            named = [*(one.player for one in need.rivals), *(one.player for one in need.leads)]
            of_player = {one: names.get(by_player.get(int(str(one)), 0), "") for one in named}
            sentences.append({"goal": TO_REACH[goal], "said": in_words(need, of_player)})
    return sentences


def _last_session(tournament: Tournament) -> Any:
    outlook, _moment = outlook_of(tournament)
    last = last_session(outlook) or last_table(outlook)
    return None if last is None else (last, dict(outlook.goals))


def in_words(need: Need, names: Mapping[Any, str]) -> str:
    """Say what a need is, promising nothing that is not proved. [RULES 9.22]"""
    if need.is_certain:
        return _("certain already, whatever happens.")
    if need.is_out:
        return _("no longer possible.")
    if need.is_alone:
        return _at_the_last_table(need, names)
    parts = []
    if need.enough:
        parts.append(_enough(need.enough))
    if need.rivals:
        parts.append(_while(need, names))
    elif need.points is not None:
        details = {"result": _own_place(need)}
        parts.append(_("%(result)s at your table is enough, whatever happens elsewhere.") % details)
    elif need.hope and need.hope > (need.enough or 0):
        parts.append(_hope(need.hope))
    return " ".join(parts)


def _enough(place: int) -> str:
    if place == 1:
        return _("first at your table is enough, whatever happens elsewhere.")
    return _("place %(n)s or better at your table is enough, whatever happens elsewhere.") % {"n": place}


def _hope(place: int) -> str:
    if place == 1:
        return _("it takes first place at your table, and the right results elsewhere.")
    return _("with place %(n)s or better at your table it depends on the others.") % {"n": place}


def _own_place(need: Need) -> str:
    """Name the place at the own table that does it under a condition, with the points it must bring."""
    place = (need.enough or 0) + 1
    if need.points is None:
        return pgettext("what is enough", "Place %(n)s") % {"n": place}
    return _("Place %(n)s with %(points)s or more") % {"n": place, "points": looks.plus(need.points)}


def _at_the_last_table(need: Need, names: Mapping[Any, str]) -> str:
    """Say with what result first place at the only table that is left is enough."""
    if need.points is None and not need.leads:
        return _enough(1)
    details = {"result": _own_place(need)}
    if not need.leads:
        return _("%(result)s at your table is enough, whatever happens elsewhere.") % details
    details["leads"] = "; ".join(f"{names[one.player]}: {looks.number(one.points)}" for one in need.leads)
    return (
        _("%(result)s at your table is enough if it is ahead there by at least so many points – %(leads)s.")
        % details
    )


def _while(need: Need, names: Mapping[Any, str]) -> str:
    """Say what rivals may do where the next place after the one that is enough shall do."""
    limits = "; ".join(
        _("%(name)s: place %(n)s or below") % {"name": names[rival.player], "n": rival.no_better_than}
        for rival in need.rivals
    )
    allowed = need.allowed
    details = {"place": _own_place(need), "rivals": limits, "n": allowed}
    if not allowed:
        return _("%(place)s at your table is enough as long as at their tables – %(rivals)s.") % details
    return (
        ngettext(
            "%(place)s at your table is enough as long as all but %(n)s of these keep to it – %(rivals)s.",
            "%(place)s at your table is enough as long as all but %(n)s of these keep to it – %(rivals)s.",
            allowed,
        )
        % details
    )


# What if


def tables_left(tournament: Tournament) -> list[Row]:
    """List the tables of the next session with games to play, whose results somebody may imagine."""
    outlook, _moment = outlook_of(tournament)
    if not outlook.left or not outlook.left[0].tables:
        return []
    registered = {
        row.player_id: row
        for row in Registration.objects.filter(tournament=tournament).select_related("player")
    }
    left = outlook.left[0]
    return [
        {
            "session": left.number,
            "number": table.number,
            "seats": [
                {
                    "wind": str(seat.seat),
                    "player": seat.player,
                    "number": registered[seat.player].number if seat.player in registered else None,
                    "name": str(registered[seat.player].player) if seat.player in registered else "",
                    "points": seat.points,
                }
                for seat in table.seats
            ],
        }
        for table in left.tables
    ]


def standings_if(tournament: Tournament, results: Mapping[tuple[int, int], list[int]]) -> list[Row]:
    """Rank the event as it would be with imagined results, beside the places now. [RULES 9.22]"""
    outlook, _moment = outlook_of(tournament)
    event = event_of(tournament)
    now = {row.player: row.place for row in standings(event)}
    numbers = {
        row.player_id: row
        for row in Registration.objects.filter(tournament=tournament).select_related("player")
    }
    rows = []
    for row in standings(finished_with(replace(event), outlook, results)):
        face = numbers.get(int(str(row.player)))
        if row.place is None or face is None:
            continue
        before = now.get(row.player)
        rows.append(
            {
                "place": row.place,
                "shared": row.shared,
                "number": face.number,
                "name": str(face.player),
                "value": row.values[event.regulation.ranking[0]],
                "before": before,
                "moved": (before - row.place) if before else 0,
            }
        )
    return rows


# How right they were


def calibrated(tournament: Tournament, *, alone: bool) -> tuple[int, list[Tenth]]:
    """Return of how many finished events, and tenth by tenth what was given and what came true: of this one alone, or of all.

    Invented players of demos and rehearsals tell nothing of real ones.
    """
    finished = Tournament.objects.filter(state=Tournament.State.CLOSED, chances__isnull=False)
    finished = finished.filter(pk=tournament.pk) if alone else finished.filter(is_demo=tournament.is_demo)
    events = list(finished.annotate(n=Max("chances__revision")).order_by("-last_day", "-pk")[:MOST_EVENTS])
    key = "-".join(f"{event.pk}.{event.n}" for event in events)
    found: tuple[int, list[Tenth]] = kept(
        f"calibration-{sha256(key.encode()).hexdigest()}",
        lambda: (len(events), calibration(case for event in events for case in _cases(event))),
    )
    return found


def _cases(tournament: Tournament) -> Iterator[tuple[float, bool]]:
    """List what everybody was given at each moment of a finished event, and whether it came true."""
    places = dict(
        Standing.objects.filter(tournament=tournament, place__isnull=False).values_list(
            "player__registration__number", "place"
        )
    )
    for row in tournament.chances.all():
        said = read(row)
        for goal, last in said.get("goals", {}).items():
            if goal == Goal.CUT:
                continue
            for number, place in places.items():
                if (share := shares_of(said, number).get(goal)) is not None:
                    yield share, place <= last
