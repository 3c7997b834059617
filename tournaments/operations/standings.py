"""Standings: worked out anew from the record, never patched; safe to run twice, late or at once."""

import gzip
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from django.db import connection, transaction
from django.db.models import F

from scoring.regulation import Regulation
from scoring.standings.book import Value
from scoring.standings.groups import GroupStanding, rank_groups
from scoring.standings.ranking import Standing as Ranked
from scoring.standings.sessions import Event
from scoring.standings.stages import Account, account
from tournaments import live, signals
from tournaments.events import event_of, sessions_that_count
from tournaments.models import Player, Session, Snapshot, Standing, StandingsRevision, Tournament

ADVISORY = 0x4657
FACE = ("number", "name", "country", "region", "city", "club", "team", "group")
FIGURES = ("place", "shared", "decided_by", "stage")
STORED = ("position", "place", "is_shared", "decided_by", "stage", "values", "lines")
COMPRESSION = 6


def recompute(tournament_id: int, *, waits: bool = False) -> int | None:
    """Bring the standings up to what is wanted; give the revision reached, or None when another is at it.

    Who must read right standings next waits for the other instead.
    """
    with _alone(tournament_id, waits=waits) as is_alone:
        return _bring_up(tournament_id) if is_alone else None


def recompute_all(tournament: Tournament) -> int | None:
    """Work the standings out again whatever is stored, for the command of that name; wait for whoever is at it."""
    StandingsRevision.objects.filter(pk=tournament.pk).update(wanted=F("wanted") + 1)
    return recompute(tournament.pk, waits=True)


def _bring_up(tournament_id: int) -> int | None:
    """Work the standings out if more is wanted than is done; give the revision reached."""
    revision = StandingsRevision.objects.filter(pk=tournament_id).first()
    if revision is None:
        return None
    if revision.done >= revision.wanted:
        return revision.done
    started = time.perf_counter()
    tournament = Tournament.objects.get(pk=tournament_id)
    sessions = sessions_that_count(tournament)
    _write(tournament, revision.wanted, event_of(tournament, sessions), sessions)
    signals.recomputed.send(None, seconds=time.perf_counter() - started)
    return revision.wanted


def behind() -> list[int]:
    """List the tournaments whose standings are behind their record; the sweep asks."""
    return list(StandingsRevision.objects.filter(done__lt=F("wanted")).values_list("pk", flat=True))


def _write(tournament: Tournament, wanted: int, event: Event, sessions: Sequence[Session]) -> None:
    """Replace the rows that differ, unless a later revision has been written meanwhile."""
    worked_out = account(event)
    rows = _rows(worked_out, event.regulation)
    said = said_of(tournament, wanted, worked_out.standings, event.regulation, sessions)
    text = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
    body = gzip.compress(text.encode(), COMPRESSION, mtime=0)
    with transaction.atomic():
        moved = StandingsRevision.objects.filter(pk=tournament.pk, done__lt=wanted).update(done=wanted)
        if not moved:
            return
        _replace(tournament, rows)
        Snapshot.objects.update_or_create(tournament=tournament, defaults={"revision": wanted, "body": body})
        transaction.on_commit(lambda: live.publish(tournament.slug, wanted), robust=True)


def _rows(worked_out: Account, regulation: Regulation) -> dict[int, tuple[Any, ...]]:
    """Give what is stored of every player, in the order of the fields stored."""
    lines = lines_of(worked_out, with_uma=regulation.uma is not None)
    return {
        int(str(row.player)): (
            position,
            row.place,
            row.shared,
            str(row.decided_by or ""),
            row.stage,
            {str(criterion): _text(value) for criterion, value in row.values.items()},
            lines[int(str(row.player))],
        )
        for position, row in enumerate(worked_out.standings, start=1)
    }


def _replace(tournament: Tournament, rows: Mapping[int, tuple[Any, ...]]) -> None:
    """Write the rows that are new or differ, and drop those of nobody: a hand moves few of a thousand."""
    stored = Standing.objects.filter(tournament=tournament)
    old = {player: tuple(row) for player, *row in stored.values_list("player_id", *STORED)}
    if gone := old.keys() - rows.keys():
        stored.filter(player__in=gone).delete()
    Standing.objects.bulk_create(
        [
            Standing(tournament_id=tournament.pk, player_id=player, **dict(zip(STORED, row, strict=True)))
            for player, row in rows.items()
            if old.get(player) != row
        ],
        update_conflicts=True,
        unique_fields=["tournament", "player"],
        update_fields=STORED,
    )


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
        int(share.is_first),
    ]
    if with_uma or kind:
        said += [_text(Fraction(share.uma, scale)) if with_uma else None]
    if kind:
        said += [kind]
    return json.dumps(said, separators=(",", ":"))[1:]


# The snapshot


def said_of(
    tournament: Tournament,
    revision: int,
    ranked: Sequence[Ranked],
    regulation: Regulation,
    sessions: Sequence[Session],
) -> dict[str, Any]:
    """Say what spectators see: the names of the table's columns, then a list for each row."""
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
        "groups": group_tables(ranked, people, regulation),
    }


def _people(tournament: Tournament) -> dict[int, tuple[Any, ...]]:
    """Read what the table shows of everybody."""
    columns = ("number", *(f"player__{name}" for name in FACE[1:6]), "player__team__name", "player__group")
    erased = str(Player())
    return {
        player: (number, name or erased, *rest[:-2], rest[-2] or "", rest[-1])
        for player, number, name, *rest in tournament.registrations.values_list("player_id", *columns)
    }


def group_tables(
    ranked: Sequence[Ranked], people: Mapping[int, tuple[Any, ...]], regulation: Regulation
) -> list[dict[str, Any]]:
    """Rank teams and groups by every classification of the regulation. [SBR 2.4.3] [RULES 8.43]"""
    found = []
    for table in regulation.group_tables:
        at = FACE.index(str(table.by))
        group_of = {
            row.player: people[int(str(row.player))][at] for row in ranked if people[int(str(row.player))][at]
        }
        rows = [_group(row, people) for row in rank_groups(ranked, group_of, table)]
        found.append({"by": str(table.by), "mode": str(table.mode), "best": table.best, "rows": rows})
    return found


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
    """Give what the public knows of a session: its state and its clock."""
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


@contextmanager
def _alone(tournament_id: int, *, waits: bool = False) -> Iterator[bool]:
    """Let one recomputation of a tournament run at a time; who comes second waits or leaves: the first looks again."""
    if connection.vendor != "postgresql":
        yield True
        return
    with connection.cursor() as cursor:
        if waits:
            cursor.execute("SELECT pg_advisory_lock(%s, %s)", [ADVISORY, tournament_id])
            is_held = True
        else:
            cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [ADVISORY, tournament_id])
            (is_held,) = cursor.fetchone()
    try:
        yield is_held
    finally:
        if is_held:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [ADVISORY, tournament_id])
