"""The prize list: the first places of the standings and of every table of teams or groups, as spectators see them."""

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.models import Session, Tournament
from tournaments.person_fields import GROUPINGS
from tournaments.standings.queries.table import (
    GROUP_TABLES,
    broken_ties,
    gone_by_number,
    group_label,
    group_reason,
    newest_snapshot,
    value_text,
)
from tournaments.standings.rules.prizes import deciding, first_places, has_results
from tournaments.web.labels import heading_of

PLAYERS = "players"
Said = dict[str, Any]

FOR_PLACE: tuple[str | Promise, ...] = (
    _("for 1st place"),
    _("for 2nd place"),
    _("for 3rd place"),
    _("for 4th place"),
    _("for 5th place"),
    _("for 6th place"),
    _("for 7th place"),
    _("for 8th place"),
    _("for 9th place"),
    _("for 10th place"),
)
IN_TABLE: dict[str, str | Promise] = {
    PLAYERS: _("in the individual standings"),
    **{name: _(one.in_table) for name, one in GROUPINGS.items()},
}


def faces(tournament: Tournament) -> dict[str, str]:
    """Return the tables that have prizes, by their names in addresses."""
    return _faces(newest_snapshot(tournament))


def _faces(said: Said) -> dict[str, str]:
    groups = {str(at): str(GROUP_TABLES[table["by"]]) for at, table in enumerate(said["groups"], start=1)}
    return {PLAYERS: str(_("Individual standings")), **groups}


def prize_tables(tournament: Tournament, places: int) -> list[dict[str, Any]]:
    """Return the first places of every table that has anybody; nothing before the first result."""
    said = newest_snapshot(tournament)
    states = {face["state"] for face in said.get("sessions", ())}
    begun, closed = bool(states - {Session.State.PLANNED}), Session.State.CLOSED in states
    if not has_results(said["rows"], begun=begun, closed=closed):
        return []
    names = _faces(said)
    tables = [_of_players(tournament, said, places)]
    tables += [_of_groups(said, at, places) for at in range(len(said["groups"]))]
    return [{**table, "label": names[table["at"]]} for table in tables if table["rows"]]


def _of_players(tournament: Tournament, said: Said, places: int) -> dict[str, Any]:
    rows = first_places(said["rows"], places)
    ranking = deciding(said["ranking"], said["rows"], places)
    reasons = broken_ties({**said, "rows": said["rows"][: len(rows) + 1]})
    gone = gone_by_number(tournament)
    return {
        "at": PLAYERS,
        "by": PLAYERS,
        "ranking": ranking,
        "criteria": [heading_of(name) for name in ranking],
        "rows": [
            {
                **row,
                "label": row["name"],
                "said": " · ".join(filter(None, (row["team"] or row["club"], gone.get(row["number"])))),
                "members": [],
                "cells": [value_text(name, row["values"].get(name)) for name in ranking],
                "reason": reasons.get(row["number"]),
            }
            for row in rows
        ],
    }


def _of_groups(said: Said, at: int, places: int) -> dict[str, Any]:
    table = said["groups"][at]
    rows = first_places(table["rows"], places)
    ranking = list(rows[0]["values"]) if rows else []
    shown = deciding(ranking, table["rows"], places)
    names = {row["number"]: row["name"] for row in said["rows"]} if rows else {}
    return {
        "at": str(at + 1),
        "by": table["by"],
        "ranking": shown,
        "criteria": [heading_of(name) for name in shown],
        "rows": [
            {
                **row,
                "label": group_label(table, row),
                "members": [names[number] for number in row["members"]],
                "cells": [value_text(name, row["values"][name]) for name in shown],
                "reason": group_reason(table, place, ranking),
            }
            for place, row in enumerate(rows)
        ],
    }
