"""The way back from a backup: restored beside the database that is in use, proved there, and only then put in its place.

Until the last step nothing of the site is touched, and the last step is one: a file takes the place of another, or two databases
are renamed in one transaction. Whoever is killed on the way leaves the old database whole under its own name. [INTEGRITY 5]
"""

import json
import sqlite3
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.urls import reverse

from config.tools.aside import Aside, beside_the_database
from config.tools.backup import (
    DATA,
    FORMAT,
    MANIFEST,
    Unfit,
    describe_tournament,
    file_digest,
    standings_digest,
)
from tournaments.models import Player, Tournament, User
from tournaments.record import triggers
from tournaments.standings.operations.recompute import recompute_all

UNREADABLE = (
    OSError, zipfile.BadZipFile, zlib.error, KeyError, ValueError, TypeError, EOFError, RuntimeError, NotImplementedError,
)  # fmt: skip
TYPES = {"format": int, "engine": str, "made_at": str, "digest": str, "migrations": list, "tournaments": dict}
UNCHANGED = "Nothing was changed."


@dataclass(frozen=True)
class Restored:
    """A backup that stands beside the database in use, proved; `aside` can take its place."""

    manifest: Mapping[str, Any]
    aside: Aside

    @property
    def tournaments(self) -> list[str]:
        """Return the addresses of what was restored."""
        return sorted(self.manifest["tournaments"])

    @property
    def entries(self) -> int:
        """Return how many entries of the history were checked."""
        return sum(each["entries"] for each in self.manifest["tournaments"].values())


@dataclass(frozen=True)
class Erased:
    """Who is erased in a database: players by number and address of their event, accounts by number."""

    players: frozenset[tuple[int, str]] = frozenset()
    accounts: frozenset[int] = frozenset()

    @property
    def pages(self) -> list[str]:
        """Return the operator's pages on which they are erased."""
        return [
            *(
                f"{reverse('tournaments:operator_person', args=[pk])}  ({slug})"
                for pk, slug in sorted(self.players)
            ),
            *(reverse("tournaments:operator_account", args=[pk]) for pk in sorted(self.accounts)),
        ]


def erased_here() -> Erased:
    """Return who is erased in the database in use; nobody in one that cannot be asked."""
    try:
        return Erased(
            frozenset(Player.objects.exclude(erased_at=None).values_list("pk", "tournament__slug")),
            frozenset(User.objects.exclude(erased_at=None).values_list("pk", flat=True)),
        )
    except DatabaseError:
        return Erased()


def here_again(erased: Erased) -> Erased:
    """Return those of the erased whose names a restore has brought back."""
    players = Player.objects.filter(erased_at=None).values_list("pk", "tournament__slug")
    accounts = User.objects.filter(erased_at=None).values_list("pk", flat=True)
    return Erased(erased.players & frozenset(players), erased.accounts & frozenset(accounts))


@contextmanager
def restored_aside(path: Path) -> Iterator[Restored]:
    """Restore a backup beside the database in use, prove it, and throw it away unless it took the place of that one."""
    manifest = inspect(path)
    with tempfile.TemporaryDirectory(prefix="restore-") as folder, _in_sentences():
        data = _unpack(path, manifest, Path(folder))
        with beside_the_database() as aside:
            aside.fill(data)
            with aside.in_use():
                _check_migrations(manifest)
                call_command("migrate", verbosity=0, interactive=False)
                prove(manifest)
            yield Restored(manifest, aside)


def inspect(path: Path) -> dict[str, Any]:
    """Read the manifest; refuse what this site cannot restore."""
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = json.loads(archive.read(MANIFEST))
    except UNREADABLE as error:
        raise Unfit(f"{path} is not a backup of Four Winds ({_reason(error)}). {UNCHANGED}") from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        told = manifest.get("format") if isinstance(manifest, dict) else None
        raise Unfit(f"The backup has format {told}; this release reads format {FORMAT}. {UNCHANGED}")
    if wrong := [name for name, kind in TYPES.items() if not isinstance(manifest.get(name), kind)]:
        raise Unfit(f"The backup is damaged: its manifest lacks {', '.join(wrong)}. {UNCHANGED}")
    if manifest["engine"] != connection.vendor:
        raise Unfit(
            f"The backup is of {manifest['engine']}, but this site runs on {connection.vendor}. {UNCHANGED}"
        )
    known = {".".join(key) for key in MigrationLoader(None).disk_migrations or ()}
    if newer := sorted(set(map(str, manifest["migrations"])) - known):
        raise Unfit(
            f"The backup is of a newer release than this one; it knows {', '.join(newer)}. {UNCHANGED}"
        )
    return manifest


def _reason(error: Exception) -> str:
    """Say in a few words why a file cannot be read."""
    if isinstance(error, KeyError):
        return "it holds no manifest"
    return str(error) or type(error).__name__


def _unpack(path: Path, manifest: Mapping[str, Any], folder: Path) -> Path:
    """Unpack the database and compare it with what was packed."""
    try:
        with zipfile.ZipFile(path) as archive:
            data = Path(archive.extract(DATA[manifest["engine"]], folder))
    except KeyError as error:
        raise Unfit(f"The backup is damaged: it holds no database. {UNCHANGED}") from error
    except UNREADABLE as error:
        raise Unfit(f"The backup is damaged: {_reason(error)}. {UNCHANGED}") from error
    if file_digest(data) != manifest["digest"]:
        raise Unfit(f"The backup is damaged: its database is not the one that was packed. {UNCHANGED}")
    return data


@contextmanager
def _in_sentences() -> Iterator[None]:
    """Turn what a database or a disk says into a sentence."""
    try:
        yield
    except (DatabaseError, sqlite3.Error) as error:
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise Unfit(f"The backup could not be restored: {first}. {UNCHANGED}") from error
    except OSError as error:
        raise Unfit(f"The backup could not be restored: {error}. {UNCHANGED}") from error


def _check_migrations(manifest: Mapping[str, Any]) -> None:
    """Refuse a database of another program, or of another moment than the manifest."""
    found = sorted(".".join(each) for each in MigrationRecorder(connection).applied_migrations())
    if found != sorted(manifest["migrations"]):
        raise Unfit(f"The backup is damaged: its database is not the one its manifest describes. {UNCHANGED}")


def prove(manifest: Mapping[str, Any]) -> None:
    """Check the history link by link and its guards, and that standings worked out anew are those of the backup."""
    for slug, wanted in manifest["tournaments"].items():
        tournament = Tournament.objects.filter(slug=slug).first()
        if tournament is None:
            raise Unfit(f"The tournament {slug} is missing after the restore. {UNCHANGED}")
        found = describe_tournament(tournament)
        for what in ("entries", "history", "standings"):
            if found[what] != wanted.get(what):
                raise Unfit(
                    f"After the restore the {what} of {slug} are not those of the backup. {UNCHANGED}"
                )
        if wanted.get("is_current") and _recomputed(tournament) != wanted["standings"]:
            raise Unfit(f"The standings of {slug}, worked out anew, are not those of the backup. {UNCHANGED}")
    if Tournament.objects.count() != len(manifest["tournaments"]):
        raise Unfit(f"The backup holds tournaments that its manifest does not name. {UNCHANGED}")
    if not triggers.is_in_place(connection):
        raise Unfit(f"The history of the backup is not guarded against changes. {UNCHANGED}")
    try:
        call_command("verify_history", stdout=StringIO(), stderr=StringIO())
    except (SystemExit, CommandError) as error:
        raise Unfit(f"The history of the backup is broken. {UNCHANGED}") from error


def _recomputed(tournament: Tournament) -> str:
    """Work the standings out anew and return their digest; nothing of it is kept, and nobody is told."""
    with transaction.atomic():
        recompute_all(tournament)
        digest = standings_digest(tournament)
        transaction.set_rollback(True)
    return digest
