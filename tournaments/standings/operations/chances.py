"""Chances: worked out after the standings and apart from them, one at a time, and kept for the curve of the event."""

import gzip
import json
import logging
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import F, Max, OuterRef, Q, Subquery

from scoring.standings.chances.apart import told_of
from scoring.standings.chances.finishes import simulate
from scoring.standings.chances.left import Outlook
from scoring.standings.chances.reach import reaches
from tournaments.models import Chances, Registration, Snapshot, Tournament
from tournaments.standings.queries.outlook import Moment, outlook_of

logger = logging.getLogger(__name__)
ROOT = Path(__file__).resolve().parents[3]
JOB = "scoring.standings.chances.apart:main"
START = (
    f"import sys; sys.path.insert(0, {str(ROOT)!r}); "
    f"from {JOB.partition(':')[0]} import {JOB.partition(':')[2]} as work; work()"
)
COMMAND = [sys.executable, "-I", "-S", "-c", START]
SECONDS = 60
COMPRESSION = 6


def behind() -> list[int]:
    """List the events in play whose chances are of an earlier revision than their standings."""
    newest = (
        Chances.objects.filter(tournament=OuterRef("tournament"))
        .order_by()
        .values("tournament")
        .annotate(newest=Max("revision"))
        .values("newest")
    )
    rows = Snapshot.objects.filter(tournament__state=Tournament.State.RUNNING).annotate(has=Subquery(newest))
    return list(rows.filter(Q(has=None) | Q(has__lt=F("revision"))).values_list("pk", flat=True))


def bring_up(tournament_id: int, *, apart: bool | None = None) -> bool:
    """Work the chances out for the newest standings; return whether there was anything to do.

    On a site without workers a process of its own does the sums: in a thread they would slow every page and every hand.
    """
    tournament = Tournament.objects.get(pk=tournament_id)
    revision = Snapshot.objects.filter(pk=tournament_id).values_list("revision", flat=True).first()
    has = tournament.chances.aggregate(newest=Max("revision"))["newest"]
    if revision is None or (has is not None and has >= revision):
        return False
    outlook, moment = outlook_of(tournament)
    seed = f"{tournament.slug}/{revision}"
    try:
        said = worked_out(outlook, seed, apart=settings.EMBEDDED if apart is None else apart)
    except subprocess.TimeoutExpired:
        logger.warning(
            "The chances of tournament %s took longer than %s s; they wait for the next result.",
            tournament_id,
            SECONDS,
        )
        said = {}
    except Exception:
        # What failed would fail again every few seconds: there is nothing to say until the standings move.
        _write(tournament, revision, moment, {})
        raise
    _write(tournament, revision, moment, said)
    return True


def worked_out(outlook: Outlook, seed: str, *, apart: bool) -> dict[str, Any]:
    """Return what is told of the chances, by player; nothing where there is nothing to say."""
    if not apart:
        return told(outlook, seed)
    child = subprocess.run(  # noqa: S603 -- our own interpreter and our own words
        COMMAND,
        input=pickle.dumps((outlook, seed)),
        stdout=subprocess.PIPE,
        timeout=SECONDS,
        check=True,
        env={name: os.environ[name] for name in ("SYSTEMROOT", "LD_LIBRARY_PATH") if name in os.environ},
    )
    found: dict[str, Any] = json.loads(child.stdout)
    return found


def told(outlook: Outlook, seed: str) -> dict[str, Any]:
    """Simulate, prove, and tell both."""
    return told_of(simulate(outlook, seed=seed), reaches(outlook), outlook)


def _write(tournament: Tournament, revision: int, moment: Moment, said: dict[str, Any]) -> None:
    """Replace what is kept of this tenth of the session, where pages find it."""
    body = b""
    if said:
        numbers = dict(Registration.objects.filter(tournament=tournament).values_list("player_id", "number"))
        said["players"] = {numbers[int(player)]: row for player, row in said["players"].items()}
        text = json.dumps(said, separators=(",", ":"))
        body = gzip.compress(text.encode(), COMPRESSION, mtime=0)
    Chances.objects.update_or_create(
        tournament=tournament,
        session=moment.session,
        tenth=moment.tenth,
        defaults={"revision": revision, "body": body},
    )
