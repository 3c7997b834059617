"""What a player lacks to the places above, and how far those below are behind."""

from collections.abc import Mapping
from typing import Any

from scoring.criteria import CRITERIA
from tournaments.models import Session, Tournament
from tournaments.standings.queries.table import distance_text
from tournaments.standings.rules.gaps import behind, places_ahead
from tournaments.web.labels import heading_of

Row = dict[str, Any]


def ahead_of(tournament: Tournament, said: Mapping[str, Any], number: int) -> list[Row]:
    """List the places worth reaching with what is missing to each; nothing for whoever leads, has no place, or once all is over."""
    rows = said["rows"]
    own = next((row for row in rows if row["number"] == number), None)
    if own is None or not own["place"] or tournament.is_finished:
        return []
    first = said["ranking"][0]
    found: list[Row] = []
    for place in places_ahead(own["place"], cut=_cut(tournament, said), prizes=tournament.prize_places):
        other = next((row for row in reversed(rows) if row["place"] and row["place"] <= place), None)
        if (
            other is None
            or other["number"] == number
            or any(step["number"] == other["number"] for step in found)
        ):
            continue
        gap = behind(
            own["values"].get(first),
            other["values"].get(first),
            less_is_better=CRITERIA[first].less_is_better,
        )
        if gap is None or other["stage"] != own["stage"]:
            continue
        found.append(
            {
                "place": other["place"],
                "number": other["number"],
                "name": other["name"],
                "gap": distance_text(gap) if gap > 0 else "",
                "criterion": heading_of(first),
                "is_cut": place == _cut(tournament, said),
            }
        )
    return found


def _cut(tournament: Tournament, said: Mapping[str, Any]) -> int | None:
    """Return how many go on to the next stage that has not begun."""
    begun = [face["number"] for face in said.get("sessions", []) if face["state"] != Session.State.PLANNED]
    last = max(begun, default=0)
    cuts = [
        stage["cut"]
        for stage in tournament.regulation["stages"]
        if stage["from_session"] > last and stage["cut"]
    ]
    return cuts[0] if cuts else None
