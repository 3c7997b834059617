"""Why one player stands ahead of another: criterion by criterion, with the sessions that every number is made of."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from tournaments.models import Tournament
from tournaments.models.standing import results_of
from tournaments.standings.queries.table import mark_opened, value_text
from tournaments.web.labels import heading_of

Row = dict[str, Any]


def compared(tournament: Tournament, said: Mapping[str, Any], one: int, other: int) -> dict[str, Any]:
    """Set two rows of the standings beside each other; the one that stands higher comes first."""
    order = {row["number"]: at for at, row in enumerate(said["rows"])}
    pair = sorted((one, other), key=order.__getitem__)
    rows = [said["rows"][order[number]] for number in pair]
    stored = dict(
        tournament.standings.filter(player__registration__number__in=pair).values_list(
            "player__registration__number", "lines"
        )
    )
    results = [{line["session"]: line for line in results_of(stored.get(number, "[]"))} for number in pair]
    mark_opened(tournament, [line for lines in results for line in lines.values()])
    criteria = list(_criteria(rows, said["ranking"]))
    return {
        "rows": rows,
        "criteria": criteria,
        "decided": next((each for each in criteria if each["decides"]), None),
        "by_cut": _by_cut(rows),
        "sessions": [_session(number, results) for number in sorted({*results[0], *results[1]})],
        "totals": [_totals(each.values()) for each in results],
        "adjustments": [_adjustments(tournament, number) for number in pair],
        "has_points": bool(tournament.regulation["tournament_points"])
        and any(line["tournament_points"] is not None for each in results for line in each.values()),
    }


def _criteria(rows: list[Row], ranking: Iterable[str]) -> Iterable[dict[str, Any]]:
    """Go through the criteria in order: equal ones, the one that decides, and those that do not matter any more."""
    is_open = all(row["place"] is not None for row in rows) and not _by_cut(rows)
    for name in ranking:
        values = [row["values"].get(name) for row in rows]
        differs = values[0] != values[1]
        yield {
            "name": name,
            "label": heading_of(name),
            "values": [value_text(name, value) for value in values],
            "is_equal": is_open and not differs,
            "decides": is_open and differs,
            "is_past": not is_open,
        }
        is_open = is_open and not differs


def _by_cut(rows: list[Row]) -> bool:
    """Return whether one went on to a stage that the other did not reach. [RULES 9.7]"""
    return all(row["place"] is not None for row in rows) and rows[0]["stage"] != rows[1]["stage"]


def _session(number: int, results: list[dict[int, Row]]) -> dict[str, Any]:
    """Set the two results of a session beside each other; those who met at a table are marked."""
    pair = [each.get(number) for each in results]
    at = [row["table"] if row else None for row in pair]
    met = all(pair) and at[0] == at[1]
    return {"number": number, "pair": pair, "met": met}


def _totals(lines: Iterable[Row]) -> dict[str, Any]:
    """Add up what the sessions brought."""
    lines = list(lines)
    places = [Fraction(line["place"]) for line in lines if line["place"] is not None]
    return {
        "tournament_points": sum((Fraction(line["tournament_points"] or 0) for line in lines), Fraction(0)),
        "game_points": sum(line["game_points"] for line in lines),
        "average_place": sum(places, Fraction(0)) / len(places) if places else None,
        "first_places": sum(line["is_first"] for line in lines),
    }


def _adjustments(tournament: Tournament, number: int) -> list[Any]:
    """List the lines on a player's account that no hand produced and that still count."""
    return list(
        tournament.adjustments.filter(player__registration__number=number, reversed_at=None).select_related(
            "session"
        )
    )
