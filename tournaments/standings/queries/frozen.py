"""What strangers see of the standings while they are frozen and being revealed. [RULES 9.15]"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from tournaments.models import FrozenStandings, Session, Standing, Tournament
from tournaments.models.standing import lines_until
from tournaments.standings.queries.snapshot import FACE, FIGURES
from tournaments.standings.queries.table import newest_snapshot

Said = Mapping[str, Any]
Row = Mapping[str, Any]


def last_closed(tournament: Tournament) -> Session | None:
    """Return the last session that is closed: after it the standings can be frozen."""
    return tournament.sessions.filter(state=Session.State.CLOSED).order_by("-number").first()


def frozen_at(tournament: Tournament) -> datetime | None:
    """Return when the standings were frozen."""
    rows = FrozenStandings.objects.filter(tournament=tournament)
    return rows.values_list("frozen_at", flat=True).first()


def without_faces(said: Said) -> dict[str, Any]:
    """Return standings as they are kept while frozen: places and values by the numbers of the players, nothing personal."""
    kept = ("number", *FIGURES)
    rows = [{**{name: row[name] for name in kept}, "values": row["values"]} for row in said["rows"]]
    return {"rows": rows, "groups": said["groups"]}


def public(tournament: Tournament, said: Said) -> dict[str, Any]:
    """Return the true standings of a frozen event as strangers may see them now: as they were, with the places revealed so far."""
    kept = FrozenStandings.objects.get(tournament=tournament).said
    columns = list(said["columns"])
    true = [dict(zip(columns, row, strict=True)) for row in said["rows"]]
    hidden = tournament.places_hidden
    revealed = [] if hidden is None else true[hidden:]
    faces = {row["number"]: row for row in true}
    shown = {row["number"] for row in revealed}
    waiting = [row for row in kept["rows"] if row["number"] in faces and row["number"] not in shown]
    rows = [_frozen(row, faces[row["number"]], columns, with_place=hidden is None) for row in waiting]
    return {
        **said,
        "provisional": False,
        "rows": [*rows, *([row[name] for name in columns] for row in revealed)],
        "groups": kept["groups"],
        "frozen": {"after": tournament.frozen_after, "hidden": hidden, "revealed": sorted(shown)},
    }


def _frozen(kept: Row, face: Row, columns: Iterable[str], *, with_place: bool) -> list[Any]:
    """Return a row as it was when the standings were frozen; once places are revealed, those left have none yet."""
    bare = {} if with_place else {"place": None, "shared": False, "decided_by": ""}
    known = {**{name: face[name] for name in FACE}, **kept, **kept["values"], **bare}
    return [known.get(name) for name in columns]


def shown_standings(tournament: Tournament, *, sees_all: bool = False) -> list[Standing]:
    """List the standings as strangers see them now, or the true ones, with players and what each session brought."""
    rows = tournament.standings.select_related("player__registration", "player__team")
    if sees_all or not tournament.is_frozen:
        return list(rows)
    stored = {row.player.registration.number: row for row in rows}
    said = newest_snapshot(tournament)
    revealed = set(said.get("frozen", {}).get("revealed", ()))
    found = []
    for at, row in enumerate(said["rows"], start=1):
        standing = stored.get(row["number"])
        if standing is not None:
            _show(standing, row, at=at)
            if row["number"] not in revealed:
                standing.lines = lines_until(standing.lines, tournament.frozen_after or 0)
            found.append(standing)
    return found


def shown_standing(tournament: Tournament, number: int, *, sees_all: bool = False) -> Standing | None:
    """Return a player's row of the standings as strangers see it now, or the true one."""
    if sees_all or not tournament.is_frozen:
        return tournament.standings.filter(player__registration__number=number).first()
    rows = shown_standings(tournament)
    return next((row for row in rows if row.player.registration.number == number), None)


def _show(standing: Standing, row: Row, *, at: int) -> None:
    """Put what is shown in the place of what is true."""
    standing.position, standing.place, standing.is_shared = at, row["place"], row["shared"]
    standing.decided_by, standing.stage, standing.values = row["decided_by"], row["stage"], row["values"]
