"""A copy of everything that was recorded, in one file; `config/tools/restoring.py` is the way back from it.

The file is a ZIP of the database (a SQLite file, or a dump made by pg_dump) and of a manifest, which says what the copy
must contain: the heads of the history and a digest of each tournament's standings. [INTEGRITY 5]
"""

import hashlib
import json
import os
import sqlite3
import subprocess
import tempfile
import zipfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder

from tournaments.models import HistoryEntry, Standing, StandingsRevision, Tournament

FORMAT = 1
MANIFEST = "manifest.json"
DATA = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
LOCK_PATIENCE = "-c lock_timeout=30s"


class Unfit(Exception):
    """A backup that cannot be made or restored; the sentence says why."""


def save(path: Path) -> dict[str, Any]:
    """Copy the database into a file while the site runs; the file appears whole or not at all."""
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".backup-") as folder:
        data = Path(folder) / DATA[connection.vendor]
        facts = {"sqlite": _copy_sqlite, "postgresql": _dump_postgresql}[connection.vendor](data)
        manifest = {
            "format": FORMAT,
            "engine": connection.vendor,
            "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "digest": file_digest(data),
            **facts,
        }
        packed = Path(folder) / "packed.zip"
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(MANIFEST, json.dumps(manifest, indent=2, ensure_ascii=False))
            archive.write(data, data.name)
        with packed.open("r+b") as file:  # Windows flushes only what was opened for writing
            os.fsync(file.fileno())
        packed.chmod(0o600)
        packed.replace(path)
    return manifest


def _copy_sqlite(data: Path) -> dict[str, Any]:
    """Copy a SQLite database in one step, and describe it; writers wait for these milliseconds."""
    with (
        transaction.atomic(),
        closing(sqlite3.connect(connection.settings_dict["NAME"])) as source,
        closing(sqlite3.connect(data)) as target,
    ):
        source.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")
        return describe()


def _dump_postgresql(data: Path) -> dict[str, Any]:
    """Dump a PostgreSQL database, and describe exactly the state that was dumped."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        (snapshot,) = cursor.fetchone()
        options = [
            "--format=custom",
            "--no-owner",
            "--no-privileges",
            f"--snapshot={snapshot}",
            f"--file={data}",
        ]
        run_postgresql("pg_dump", *options)
        return describe()


def describe() -> dict[str, Any]:
    """Return what a database holds: its migrations, and per tournament the history's heads and the standings."""
    return {
        "migrations": sorted(".".join(each) for each in MigrationRecorder(connection).applied_migrations()),
        "tournaments": {each.slug: describe_tournament(each) for each in Tournament.objects.all()},
    }


def describe_tournament(tournament: Tournament) -> dict[str, Any]:
    entries = HistoryEntry.objects.filter(tournament=tournament).order_by("id")
    revision = StandingsRevision.objects.filter(pk=tournament.pk).first()
    return {
        "entries": entries.count(),
        "history": _digest(list(entries.values_list("digest", flat=True))),
        "standings": standings_digest(tournament),
        "is_current": revision is not None and revision.done >= revision.wanted,
    }


def standings_digest(tournament: Tournament) -> str:
    """Return a digest of the standings that does not depend on their revision."""
    columns = ("position", "player_id", "place", "is_shared", "decided_by", "stage", "values", "lines")
    rows = Standing.objects.filter(tournament=tournament).order_by("position")
    return _digest(list(rows.values_list(*columns)))


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def run_postgresql(program: str, *options: str) -> None:
    """Run one of PostgreSQL's own programs on our database; the password travels in the environment."""
    known = connection.settings_dict
    places = {"--host": known["HOST"], "--port": known["PORT"], "--username": known["USER"]}
    words = [f"{name}={value}" for name, value in places.items() if value]
    if program == "pg_dump":
        words.append(f"--dbname={known['NAME']}")
    environment = {**os.environ, "PGOPTIONS": LOCK_PATIENCE}
    if known["PASSWORD"]:
        environment["PGPASSWORD"] = known["PASSWORD"]
    try:
        done = subprocess.run(  # noqa: S603 -- a fixed program and our own settings
            [program, *words, *options], env=environment, capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        raise Unfit(f"{program} is not on this machine; install PostgreSQL's client programs.") from error
    if done.returncode:
        raise Unfit(f"{program} failed: {done.stderr.strip()[-500:]}")
