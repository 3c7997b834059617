"""The standings as they are shown, worked out and told in one value."""

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from scoring.regulation import Regulation
from scoring.standings.book import Value
from scoring.standings.groups import TEAM, GroupStanding, TeamPoints, rank_groups
from scoring.standings.ranking import Standing as Ranked
from scoring.standings.stages import Account
from scoring.systems import SYSTEMS
from scoring.systems.offences import OTHER
from tournaments.models import Player, Session, Tournament
from tournaments.person_fields import IN_STANDINGS

FACE = ("number", *(one.name for one in IN_STANDINGS))
COLUMNS = ("number", *(f"player__{one.lookup}" for one in IN_STANDINGS))
FIGURES = ("place", "shared", "decided_by", "stage")


def lines_of(worked_out: Account, *, with_uma: bool) -> dict[int, str]:
    """Write every player's sessions as `Standing.lines` keeps them: the row of a session is a list of a few numbers."""
    book = worked_out.book
    heads = [f"[{session},{table}" for session, table in worked_out.sources]
    tails: dict[tuple[int, str], str] = {}
    written = {}
    for number, entrant in enumerate(book.entrants):
        parts = []
        rows = zip(book.sources[number], book.games[number], book.shares[number], strict=True)
        for at, (source, points, share) in enumerate(rows):
            kind = book.kinds.get((number, at), "") if book.kinds else ""
            tail = tails.get((id(share), kind))
            if tail is None:
                tail = tails[id(share), kind] = _tail(share, kind, book.scale, with_uma=with_uma)
            parts.append(f"{heads[source]},{points},{tail}")
        written[int(str(entrant.player))] = f"[{','.join(parts)}]"
    return written


def _tail(share: Any, kind: str, scale: int, *, with_uma: bool) -> str:
    """Write what a session brought beside its GP; what most rows have in common is left out at the end."""
    said: list[Any] = [
        _text(Fraction(share.tournament_points, scale)) if share.gives_points else None,
        None if share.place is None else _text(Fraction(share.place, 2)),
        int(share.rank == 1),
    ]
    if with_uma or kind:
        said += [_text(Fraction(share.uma, scale)) if with_uma else None]
    if kind:
        said += [kind]
    return json.dumps(said, separators=(",", ":"))[1:]


def said_of(
    tournament: Tournament,
    revision: int,
    ranked: Sequence[Ranked],
    regulation: Regulation,
    sessions: Sequence[Session],
) -> dict[str, Any]:
    """Return what spectators see: the names of the table's columns, then a list for each row."""
    people = _people(tournament)
    return {
        "revision": revision,
        "state": tournament.state,
        "provisional": any(session.state == Session.State.OPEN for session in sessions),
        "ranking": tournament.regulation["ranking"],
        "sessions": [session_face(session) for session in tournament.sessions.all()],
        "columns": [*FACE, *FIGURES, *map(str, regulation.ranking)],
        "rows": [
            [
                *people[int(str(row.player))],
                row.place,
                row.shared,
                str(row.decided_by or ""),
                row.stage,
                *map(_text, row.values.values()),
            ]
            for row in ranked
        ],
        "groups": group_tables(ranked, people, regulation, lines_of_teams(tournament)),
    }


def _people(tournament: Tournament) -> dict[int, tuple[Any, ...]]:
    """Read what the table shows of everybody."""
    erased = str(Player())
    return {
        player: (number, name or erased, *(said or "" for said in rest))
        for player, number, name, *rest in tournament.registrations.values_list("player_id", *COLUMNS)
    }


TeamLines = Mapping[str, Sequence[Mapping[str, Any]]]
"""What every team has of its own, by its name."""


def lines_of_teams(tournament: Tournament) -> TeamLines:
    """List the points that were taken from teams or given to them, as the public sees them. [RULES 9.13]"""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for line in tournament.team_lines.filter(reversed_at=None).select_related("team"):
        told = {
            "game_points": line.game_points,
            "tournament_points": line.tournament_points,
            "offence": _name_of_offence(tournament.system, line.offence),
            "clause": line.clause,
            "reason": line.reason,
        }
        found.setdefault(line.team.name, []).append(told)
    return found


def _name_of_offence(system: str, code: str) -> str:
    """Return the master text of an offence; one that only the regulation knows is called by its code."""
    known = {one.code: one.name for one in (*SYSTEMS[system].offences, OTHER)}
    return known.get(code, code.replace("_", " ").capitalize())


def group_tables(
    ranked: Sequence[Ranked],
    people: Mapping[int, tuple[Any, ...]],
    regulation: Regulation,
    lines: TeamLines | None = None,
) -> list[dict[str, Any]]:
    """Rank teams and groups by every classification of the regulation. [SBR 2.4.3] [RULES 8.43] [RULES 9.13]"""
    found, of_teams = [], lines or {}
    for table in regulation.group_tables:
        at = FACE.index(str(table.by))
        group_of = {
            row.player: people[int(str(row.player))][at] for row in ranked if people[int(str(row.player))][at]
        }
        told = of_teams if str(table.by) == TEAM else {}
        own = {name: _added_up(rows) for name, rows in told.items()}
        rows = [
            _group(row, people) | ({"lines": list(told[row.name])} if row.name in told else {})
            for row in rank_groups(ranked, group_of, table, own)
        ]
        found.append({"by": str(table.by), "mode": str(table.mode), "best": table.best, "rows": rows})
    return found


def _added_up(lines: Sequence[Mapping[str, Any]]) -> TeamPoints:
    return TeamPoints(
        sum(line["game_points"] or 0 for line in lines),
        sum((Fraction(line["tournament_points"] or 0) for line in lines), Fraction(0)),
    )


def _group(row: GroupStanding, people: Mapping[int, tuple[Any, ...]]) -> dict[str, Any]:
    return {
        "name": row.name,
        "place": row.place,
        "shared": row.shared,
        "decided_by": str(row.decided_by or ""),
        "members": [people[int(str(player))][0] for player in row.members],
        "values": {str(criterion): _text(value) for criterion, value in row.values.items()},
    }


def session_face(session: Session) -> dict[str, Any]:
    """Return what the public knows of a session: its state and its clock."""
    ends_at = session.ends_at if session.state == Session.State.OPEN else None
    return {
        "number": session.number,
        "state": session.state,
        "seated": session.is_published,
        "started_at": session.started_at.isoformat() if session.started_at else None,
        "ends_at": ends_at.isoformat() if ends_at else None,
        "paused_at": session.paused_at.isoformat() if session.paused_at else None,
        "checkpoint": session.checkpoint[:12],
    }


def _text(value: Value) -> int | str | None:
    """Write whole numbers as numbers and fractions as exact text."""
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else str(value)
    return value
