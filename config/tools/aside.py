"""A second database beside the one in use, for a restore: filled, looked at, and either thrown away or put in its place."""

import hashlib
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from django.db import connection

from config.tools.backup import Unfit, run_postgresql

DAY = 24 * 3600
TRIES = 20


class Aside(Protocol):
    """What both kinds of database can do."""

    def fill(self, data: Path) -> None:
        """Put the content of a backup into it."""

    def in_use(self) -> Any:
        """Let Django work with it instead of the site's database, for the length of a `with`."""

    def take_place(self) -> str:
        """Put it in the place of the site's database, and return the name under which that one is kept."""

    def drop_former(self) -> None:
        """Throw away the database whose place it took."""


@contextmanager
def beside_the_database() -> Iterator[Aside]:
    """Make an empty database beside the one in use; what has not taken its place is thrown away."""
    made = PostgresqlAside.made if connection.vendor == "postgresql" else SqliteAside.made
    with made() as aside:
        yield aside


def _stamp() -> str:
    return f"{datetime.now(UTC):%Y%m%d%H%M%S%f}"


@contextmanager
def _named(name: str) -> Iterator[None]:
    """Let Django's connection lead to a database of another name."""
    settings, own = connection.settings_dict, connection.settings_dict["NAME"]
    _disconnect()
    settings["NAME"] = name
    try:
        yield
    finally:
        _disconnect()
        settings["NAME"] = own


def _disconnect() -> None:
    connection.close()
    if connection.vendor == "postgresql":
        connection.close_pool()  # type: ignore[attr-defined]


# SQLite: another file in the same folder


class SqliteAside:
    """A file beside the site's file; taking its place is one renaming."""

    def __init__(self, path: Path) -> None:
        """Know both files, and the name for the one that is replaced."""
        self.path = path
        self.site = Path(str(connection.settings_dict["NAME"]))
        self.former = self.site.with_name(f"{self.site.name}.before-{_stamp()}")

    @classmethod
    @contextmanager
    def made(cls) -> Iterator["SqliteAside"]:
        """Name a file that is not there yet; afterwards it is gone, whatever happened."""
        site = Path(str(connection.settings_dict["NAME"]))
        _sweep(site)
        aside = cls(site.with_name(f"{site.name}.aside-{_stamp()}"))
        try:
            yield aside
        finally:
            for path in site.parent.glob(
                f"{aside.path.name}*"
            ):  # with what migrating leaves beside a database
                path.unlink(missing_ok=True)

    def fill(self, data: Path) -> None:
        """Copy the file, and have SQLite look through it."""
        shutil.copyfile(data, self.path)
        self.path.chmod(0o600)
        with closing(sqlite3.connect(self.path)) as opened:
            (answer,) = opened.execute("PRAGMA integrity_check").fetchone()
        if answer != "ok":
            raise Unfit(f"The backup is damaged: {answer.splitlines()[0]}. Nothing was changed.")

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Let Django work with this file."""
        with _named(str(self.path)):
            yield

    def take_place(self) -> str:
        """Bring both files to rest, keep the old one under a second name, and let the new one take its place."""
        with closing(sqlite3.connect(self.path)) as opened:
            opened.execute("PRAGMA journal_mode=DELETE")
        _flush(self.path)
        _disconnect()
        with closing(sqlite3.connect(self.site, timeout=10, isolation_level=None)) as old:
            _bring_to_rest(old)
            for number, path in enumerate(_files_of(self.site)):
                if path.exists():
                    _name_twice(path, _files_of(self.former)[number])
            for path in _files_of(self.site)[1:]:  # left only by a file that is no database any more
                path.unlink(missing_ok=True)
            self.path.replace(self.site)
        _flush(self.site.parent)
        return str(self.former)

    def drop_former(self) -> None:
        """Remove the replaced file."""
        for path in _files_of(self.former):
            path.unlink(missing_ok=True)


def _files_of(path: Path) -> list[Path]:
    """Name a database's file and what SQLite may leave beside it."""
    return [path, *(path.with_name(f"{path.name}{ending}") for ending in ("-wal", "-shm", "-journal"))]


def _bring_to_rest(old: sqlite3.Connection) -> None:
    """Merge everything into one file and let nobody else in; a file that is damaged is taken as it is."""
    try:
        old.execute("PRAGMA journal_mode=DELETE")
        old.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        raise Unfit(f"The database is in use ({error}). Stop the site first. Nothing was changed.") from error
    except sqlite3.DatabaseError:
        return


def _name_twice(path: Path, second: Path) -> None:
    """Give a file a second name; where the disk knows no such thing, copy it."""
    try:
        os.link(path, second)
    except OSError:
        shutil.copy2(path, second)
        _flush(second)


def _flush(path: Path) -> None:
    """Have a file or a folder written to the disk."""
    with suppress(PermissionError):  # Windows opens no folders
        number = os.open(path, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _sweep(site: Path) -> None:
    """Remove what restores that were killed long ago have left."""
    for path in site.parent.glob(f"{site.name}.aside-*"):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > DAY:
                path.unlink()


# PostgreSQL: another database of the same server


class PostgresqlAside:
    """A database of the same server; taking the place of the site's is two renamings in one transaction."""

    def __init__(self, server: Any) -> None:
        """Choose the names; `server` is a connection to neither of the databases."""
        self.server = server
        self.site = str(connection.settings_dict["NAME"])
        stamp = _stamp()
        self.name, self.former = (
            _with_ending(self.site, f"_aside_{stamp}"),
            _with_ending(self.site, f"_before_{stamp}"),
        )

    @classmethod
    @contextmanager
    def made(cls) -> Iterator["PostgresqlAside"]:
        """Create a database like the site's own, one restore at a time; throw it away if it is still there afterwards."""
        with closing(_server()) as server:
            aside = cls(server)
            aside._lock()
            aside._sweep()
            aside._create()
            try:
                yield aside
            finally:
                aside._drop(aside.name)

    def fill(self, data: Path) -> None:
        """Replay the dump."""
        options = ("--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error")
        try:
            run_postgresql("pg_restore", *options, f"--dbname={self.name}", str(data))
        except Unfit as reason:
            raise Unfit(f"The backup could not be restored: {reason} Nothing was changed.") from reason

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Let Django work with this database."""
        with _named(self.name):
            yield

    def take_place(self) -> str:
        """End the connections of both databases and rename them; between two tries somebody may have come back."""
        from psycopg.errors import InsufficientPrivilege, ObjectInUse

        _disconnect()
        for _ in range(TRIES):
            self._end_connections()
            try:
                with self.server.transaction():
                    self._say("ALTER DATABASE {} RENAME TO {}", self.site, self.former)
                    self._say("ALTER DATABASE {} RENAME TO {}", self.name, self.site)
                return self.former
            except ObjectInUse:
                continue
            except InsufficientPrivilege as error:
                raise Unfit(f"{error.diag.message_primary}. {ASK_FOR_RIGHTS}") from error
        raise Unfit("The database is in use. Stop the site first. Nothing was changed.")

    def drop_former(self) -> None:
        """Drop the replaced database."""
        self._drop(self.former)

    def _create(self) -> None:
        """Create a database with the encoding, the order of letters and the settings of the site's own."""
        from psycopg.errors import InsufficientPrivilege

        row = self.server.execute(
            "SELECT pg_encoding_to_char(encoding), datcollate, datctype FROM pg_database WHERE datname = %s",
            [self.site],
        ).fetchone()
        words = "CREATE DATABASE {} TEMPLATE template0 ENCODING {} LC_COLLATE {} LC_CTYPE {}"
        try:
            self._say(words, self.name, *map(_literal, row))
        except InsufficientPrivilege as error:
            raise Unfit(ASK_FOR_RIGHTS) from error

    def _lock(self) -> None:
        """Refuse a second restore at the same time."""
        key = int.from_bytes(hashlib.sha256(self.site.encode()).digest()[:7])
        (is_ours,) = self.server.execute("SELECT pg_try_advisory_lock(%s)", [key]).fetchone()
        if not is_ours:
            raise Unfit("Another restore of this database is running. Nothing was changed.")

    def _sweep(self) -> None:
        """Drop what restores that were killed have left."""
        like = f"{_with_ending(self.site, '_aside_')}%".replace("_", r"\_")
        rows = self.server.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [like]).fetchall()
        for (name,) in rows:
            self._drop(name)

    def _drop(self, name: str) -> None:
        self._say("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)

    def _end_connections(self) -> None:
        self.server.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = ANY(%s) AND pid <> pg_backend_pid() AND usename = current_user",
            [[self.site, self.name]],
        )

    def _say(self, words: str, *names: Any) -> None:
        """Execute a statement that takes no parameters, with names quoted."""
        from psycopg.sql import SQL, Identifier

        parts = [Identifier(name) if isinstance(name, str) else name for name in names]
        self.server.execute(SQL(words).format(*parts))


ASK_FOR_RIGHTS = (
    "A backup is restored beside the database in use, and the role of DATABASE_URL may not create databases."
    " Let an administrator of the server run ALTER ROLE … CREATEDB, then try again. Nothing was changed."
)


def _literal(text: str) -> Any:
    from psycopg.sql import Literal

    return Literal(text)


def _with_ending(name: str, ending: str) -> str:
    """Name a database after another, within the length that PostgreSQL keeps."""
    return name.encode()[: 63 - 29].decode(errors="ignore") + ending


def _server() -> Any:
    """Connect to a database of the server that is not the site's."""
    import psycopg

    known = connection.get_connection_params()
    told = {key: value for key, value in known.items() if key not in {"cursor_factory", "context"}}
    for name in ("postgres", "template1"):
        if name == connection.settings_dict["NAME"]:
            continue
        try:
            return psycopg.connect(**{**told, "dbname": name}, autocommit=True)
        except psycopg.OperationalError as error:
            reason = str(error).strip().splitlines()[-1]
    raise Unfit(f"The server of the database cannot be reached: {reason}. Nothing was changed.")
