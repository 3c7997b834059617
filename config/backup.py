"""A copy of everything that was recorded, in one file, and the way back from it.

The file is a ZIP of the database (a SQLite file, or a dump made by pg_dump) and of a manifest, which says what the copy
must contain: the heads of the history and a digest of each tournament's standings. A restore is finished when the
restored history is whole and its standings, worked out anew, are the ones of the manifest. [INTEGRITY 5]
"""

import hashlib
import json
import os
import sqlite3
import subprocess
import tempfile
import zipfile
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from tournaments.models import HistoryEntry, Standing, StandingsRevision, Tournament
from tournaments.operations.standings import recompute_all

FORMAT = 1
MANIFEST = "manifest.json"
DATA = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
LOCK_PATIENCE = "-c lock_timeout=30s"


class Unfit(Exception):
    """A backup that cannot be made or restored; the sentence says why."""


# Out


def save(path: Path) -> dict[str, Any]:
    """Copy the database into a file while the site runs; the file appears whole or not at all."""
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".backup-") as folder:
        data = Path(folder) / DATA[connection.vendor]
        facts = {"sqlite": _copy_sqlite, "postgresql": _dump_postgresql}[connection.vendor](data)
        manifest = {
            "format": FORMAT,
            "engine": connection.vendor,
            "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "digest": _file_digest(data),
            **facts,
        }
        packed = Path(folder) / "packed.zip"
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(MANIFEST, json.dumps(manifest, indent=2, ensure_ascii=False))
            archive.write(data, data.name)
        with packed.open("rb") as file:
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
        _postgresql("pg_dump", *options)
        return describe()


def describe() -> dict[str, Any]:
    """Say what a database holds: its migrations, and per tournament the history's heads and the standings."""
    return {
        "migrations": sorted(".".join(each) for each in MigrationRecorder(connection).applied_migrations()),
        "tournaments": {each.slug: _describe_tournament(each) for each in Tournament.objects.all()},
    }


def _describe_tournament(tournament: Tournament) -> dict[str, Any]:
    entries = HistoryEntry.objects.filter(tournament=tournament).order_by("id")
    revision = StandingsRevision.objects.filter(pk=tournament.pk).first()
    return {
        "entries": entries.count(),
        "history": _digest(list(entries.values_list("digest", flat=True))),
        "standings": standings_digest(tournament),
        "is_current": revision is not None and revision.done >= revision.wanted,
    }


def standings_digest(tournament: Tournament) -> str:
    """Say by one number what the standings are, whichever revision they have."""
    columns = ("position", "player_id", "place", "is_shared", "decided_by", "stage", "values", "lines")
    rows = Standing.objects.filter(tournament=tournament).order_by("position")
    return _digest(list(rows.values_list(*columns)))


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# Back


def restore(path: Path) -> dict[str, Any]:
    """Replace the database by the copy, bring it up to this release, and prove that nothing is missing."""
    manifest = inspect(path)
    with tempfile.TemporaryDirectory(prefix="restore-") as folder:
        data = _unpack(path, manifest, Path(folder))
        {"sqlite": _refill_sqlite, "postgresql": _refill_postgresql}[connection.vendor](data)
    call_command("migrate", verbosity=0, interactive=False)
    prove(manifest)
    return manifest


def inspect(path: Path) -> dict[str, Any]:
    """Read the manifest; refuse what this site cannot restore."""
    try:
        with zipfile.ZipFile(path) as archive:
            manifest: dict[str, Any] = json.loads(archive.read(MANIFEST))
    except (OSError, zipfile.BadZipFile, KeyError, ValueError) as error:
        raise Unfit(f"{path} is not a backup of Four Winds ({error}).") from error
    if manifest.get("format") != FORMAT:
        raise Unfit(f"The backup has format {manifest.get('format')}; this release reads format {FORMAT}.")
    if manifest["engine"] != connection.vendor:
        raise Unfit(f"The backup is of {manifest['engine']}, but this site runs on {connection.vendor}.")
    known = {".".join(key) for key in MigrationLoader(None).disk_migrations or ()}
    if newer := sorted(set(manifest["migrations"]) - known):
        raise Unfit(f"The backup is of a newer release than this one; it knows {', '.join(newer)}.")
    return manifest


def _unpack(path: Path, manifest: Mapping[str, Any], folder: Path) -> Path:
    name = DATA[manifest["engine"]]
    with zipfile.ZipFile(path) as archive:
        data = Path(archive.extract(name, folder))
    if _file_digest(data) != manifest["digest"]:
        raise Unfit(
            "The backup is damaged: its database is not the one that was packed. Nothing was changed."
        )
    return data


def _refill_sqlite(data: Path) -> None:
    """Write every page of the copy over the database."""
    with closing(sqlite3.connect(data)) as source:
        (answer,) = source.execute("PRAGMA integrity_check").fetchone()
        if answer != "ok":
            raise Unfit(f"The backup is damaged: {answer}. Nothing was changed.")
        connection.ensure_connection()
        source.backup(connection.connection)
    connection.close()


def _refill_postgresql(data: Path) -> None:
    """Replay the dump in one transaction: wholly or not at all."""
    connection.close()
    _postgresql(
        "pg_restore", "--clean", "--if-exists", "--no-owner", "--no-privileges", "--single-transaction",
        "--exit-on-error", f"--dbname={connection.settings_dict['NAME']}", str(data),
    )  # fmt: skip


def prove(manifest: Mapping[str, Any]) -> None:
    """Check the restored history link by link, and that standings worked out anew are those of the backup."""
    for slug, wanted in manifest["tournaments"].items():
        tournament = Tournament.objects.filter(slug=slug).first()
        if tournament is None:
            raise Unfit(f"The tournament {slug} is missing after the restore.")
        found = _describe_tournament(tournament)
        for what in ("entries", "history", "standings"):
            if found[what] != wanted[what]:
                raise Unfit(f"After the restore the {what} of {slug} are not those of the backup.")
        if wanted["is_current"]:
            recompute_all(tournament)
            if standings_digest(tournament) != wanted["standings"]:
                raise Unfit(f"The standings of {slug}, worked out anew, are not those of the backup.")
    try:
        call_command("verify_history", verbosity=0)
    except (SystemExit, CommandError) as error:
        if getattr(error, "code", 1):
            raise Unfit("The restored history is broken; `manage.py verify_history` says where.") from error


def _postgresql(program: str, *options: str) -> None:
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
