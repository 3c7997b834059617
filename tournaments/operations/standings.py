"""Standings: worked out anew from the record, never patched; safe to run twice, late or at once."""

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from django.db import connection, transaction
from django.db.models import F

from scoring.ranking import Standing as Ranked
from scoring.ranking import Value
from scoring.results import Event, results_of, standings
from tournaments import live
from tournaments.events import event_of, sessions_that_count
from tournaments.models import Session, Snapshot, Standing, StandingsRevision, Tournament

ADVISORY = 0x4657


def recompute(tournament_id: int, *, waits: bool = False) -> int | None:
    """Bring the standings up to what is wanted; give the revision reached, or None when another is at it.

    Who must read right standings next waits for the other instead.
    """
    with _alone(tournament_id, waits=waits) as is_alone:
        return _bring_up(tournament_id) if is_alone else None


def recompute_all(tournament: Tournament) -> int | None:
    """Drop the standings and work them out again, for the command of that name; wait for whoever is at it."""
    StandingsRevision.objects.filter(pk=tournament.pk).update(wanted=F("wanted") + 1)
    return recompute(tournament.pk, waits=True)


def _bring_up(tournament_id: int) -> int | None:
    """Work the standings out if more is wanted than is done; give the revision reached."""
    revision = StandingsRevision.objects.filter(pk=tournament_id).first()
    if revision is None:
        return None
    if revision.done >= revision.wanted:
        return revision.done
    tournament = Tournament.objects.get(pk=tournament_id)
    event, provisional = event_of(tournament), sessions_that_count(tournament)
    _write(tournament, revision.wanted, event, provisional)
    return revision.wanted


def behind() -> list[int]:
    """List the tournaments whose standings are behind their record; the sweep asks."""
    return list(StandingsRevision.objects.filter(done__lt=F("wanted")).values_list("pk", flat=True))


def _write(tournament: Tournament, wanted: int, event: Event, sessions: Sequence[Session]) -> None:
    """Replace the rows, unless a later revision has been written meanwhile."""
    ranked = standings(event)
    results = _results(event)
    rows = [
        Standing(
            tournament=tournament,
            player_id=int(str(row.player)),
            position=position,
            place=row.place,
            is_shared=row.shared,
            decided_by=str(row.decided_by or ""),
            values={str(criterion): _text(value) for criterion, value in row.values.items()},
            results=results.get(int(str(row.player)), []),
        )
        for position, row in enumerate(ranked, start=1)
    ]
    body = _snapshot(tournament, wanted, ranked, results, sessions)
    with transaction.atomic():
        moved = StandingsRevision.objects.filter(pk=tournament.pk, done__lt=wanted).update(done=wanted)
        if not moved:
            return
        Standing.objects.filter(tournament=tournament).delete()
        Standing.objects.bulk_create(rows)
        Snapshot.objects.update_or_create(tournament=tournament, defaults={"revision": wanted, "body": body})
        transaction.on_commit(lambda: live.publish(tournament.slug, wanted), robust=True)


def _results(event: Event) -> dict[int, list[dict[str, Any]]]:
    """Give every player's results session by session, each with the table that it came from."""
    return {
        int(str(player)): [
            {
                "session": line.session,
                "table": line.table,
                "kind": str(line.result.kind),
                "game_points": line.result.game_points,
                "tournament_points": _text(line.result.tournament_points),
                "place": _text(line.result.place),
            }
            for line in lines
        ]
        for player, lines in results_of(event).items()
    }


def _snapshot(
    tournament: Tournament,
    revision: int,
    ranked: Sequence[Ranked],
    results: Mapping[int, Sequence[Mapping[str, Any]]],
    sessions: Sequence[Session],
) -> bytes:
    """Pack what spectators see into one compressed answer."""
    people = {
        row.player_id: row
        for row in tournament.registrations.select_related("player__team").order_by("number")
    }
    rows = []
    for row in ranked:
        registration = people[int(str(row.player))]
        player = registration.player
        rows.append(
            {
                "number": registration.number,
                "place": row.place,
                "shared": row.shared,
                "name": str(player),
                "country": player.country,
                "club": player.club,
                "team": str(player.team or ""),
                "values": {str(criterion): _text(value) for criterion, value in row.values.items()},
                "results": list(results.get(player.pk, [])),
            }
        )
    said = {
        "revision": revision,
        "state": tournament.state,
        "provisional": any(session.state == Session.State.OPEN for session in sessions),
        "ranking": tournament.regulation["ranking"],
        "sessions": [session_face(session) for session in tournament.sessions.all()],
        "rows": rows,
    }
    return gzip.compress(json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode(), mtime=0)


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
