"""Standings: worked out anew from the record, never patched; safe to run twice, late or at once."""

import gzip
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction
from django.db.models import F

from scoring.regulation import Regulation
from scoring.standings.sessions import Event
from scoring.standings.stages import Account, account
from tournaments.models import Session, Snapshot, Standing, StandingsRevision, Tournament
from tournaments.record import news, signals
from tournaments.standings.queries.frozen import public
from tournaments.standings.queries.snapshot import _text, lines_of, said_of
from tournaments.tables.queries.events import event_of, sessions_that_count

ADVISORY = 0x4657
STORED = ("position", "place", "is_shared", "decided_by", "stage", "values", "lines")
COMPRESSION = 6


def recompute(tournament_id: int, *, waits: bool = False) -> int | None:
    """Bring the standings up to what is wanted; return the revision reached, or None when another is at it.

    Who must read right standings next waits for the other instead.
    """
    with _alone(tournament_id, waits=waits) as is_alone:
        return _bring_up(tournament_id) if is_alone else None


def recompute_all(tournament: Tournament) -> int | None:
    """Work the standings out again whatever is stored, for the command of that name; wait for whoever is at it."""
    StandingsRevision.objects.filter(pk=tournament.pk).update(wanted=F("wanted") + 1)
    return recompute(tournament.pk, waits=True)


def _bring_up(tournament_id: int) -> int | None:
    """Work the standings out if more is wanted than is done; return the revision reached."""
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
    if tournament.is_frozen:
        said = public(tournament, said)
    text = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
    body = gzip.compress(text.encode(), COMPRESSION, mtime=0)
    with transaction.atomic():
        moved = StandingsRevision.objects.filter(pk=tournament.pk, done__lt=wanted).update(done=wanted)
        if not moved:
            return
        _replace(tournament, rows)
        Snapshot.objects.update_or_create(tournament=tournament, defaults={"revision": wanted, "body": body})
        transaction.on_commit(lambda: news.publish(tournament.slug, wanted), robust=True)


def _rows(worked_out: Account, regulation: Regulation) -> dict[int, tuple[Any, ...]]:
    """Return what is stored of every player, in the order of the fields stored."""
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


# The snapshot


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
