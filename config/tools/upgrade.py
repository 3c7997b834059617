"""The database and this release: brought up by one process at a time, and never used by a release older than its data."""

import logging
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

from django.db import DatabaseError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from config.server.sqlite.private import make_private

logger = logging.getLogger(__name__)

LOCK_NUMBER = 0x4657_4D49_4752
LOCK_SUFFIX = ".migrate-lock"
PATIENCE = 600.0
LOOK_EVERY = 0.2
WHAT_TO_DO = (
    "Start the release that made them, or a later one; or restore a backup from before the upgrade with this one."
    " See “Back to an earlier release” in docs/OPERATE.md."
)


class NewerData(Exception):
    """The database was brought up by a newer release than this one; the sentence says what to do."""


class Busy(Exception):
    """Another process has been migrating for longer than anybody waits."""


def unknown_migrations(database: BaseDatabaseWrapper = connection) -> list[str]:
    """List the applied migrations that this release does not have, of the applications that it has."""
    applied = MigrationRecorder(database).applied_migrations()
    if not applied:
        return []
    on_disk = MigrationLoader(None).disk_migrations or {}
    known = set(on_disk) | {each for migration in on_disk.values() for each in migration.replaces}
    apps = {app for app, _ in known}
    return sorted(f"{app}.{name}" for app, name in applied if app in apps and (app, name) not in known)


def refuse_newer_data(database: BaseDatabaseWrapper = connection) -> None:
    """Raise NewerData if the database has migrations of a newer release."""
    if newer := unknown_migrations(database):
        raise NewerData(
            f"The database was made by a newer release of Four Winds: this one does not know {', '.join(newer)}."
            f" {WHAT_TO_DO}"
        )


def stop_on_newer_data() -> None:
    """End this process before it serves data of a newer release; a database that is away is waited for elsewhere."""
    try:
        refuse_newer_data()
    except NewerData as reason:
        raise SystemExit(str(reason)) from reason
    except DatabaseError:
        logger.warning("The database could not be asked which release it is of.", exc_info=True)
    finally:
        connection.close()


@contextmanager
def alone(database: BaseDatabaseWrapper) -> Iterator[None]:
    """Let one process at a time migrate this database; the others wait and then find nothing left to do."""
    if database.vendor == "postgresql":
        with _advisory_lock(database):
            yield
    elif database.vendor == "sqlite" and (path := _file_of(database)):
        with _file_lock(path):
            yield
    else:
        yield


@contextmanager
def _advisory_lock(database: BaseDatabaseWrapper) -> Iterator[None]:
    """Hold an advisory lock of the session; asked for again and again, since waiting would meet `lock_timeout`."""
    end = time.monotonic() + PATIENCE
    while not _ask(database, "SELECT pg_try_advisory_lock(%s)"):
        if time.monotonic() > end:
            raise Busy(f"Another process has been migrating this database for {PATIENCE:.0f} s.")
        time.sleep(LOOK_EVERY)  # whoever holds the lock tells nobody when it lets go
    try:
        yield
    finally:
        if not database.needs_rollback and database.is_usable():
            _ask(database, "SELECT pg_advisory_unlock(%s)")


def _ask(database: BaseDatabaseWrapper, question: str) -> bool:
    with database.cursor() as cursor:
        cursor.execute(question, [LOCK_NUMBER])
        (answer,) = cursor.fetchone()
    return bool(answer)


def _file_of(database: BaseDatabaseWrapper) -> str:
    """Return the path of a SQLite database, empty for one in memory."""
    name = str(database.settings_dict["NAME"])
    return "" if ":memory:" in name or name.startswith("file:") else name


@contextmanager
def _file_lock(path: str) -> Iterator[None]:
    """Hold a lock that ends with its process: SQLite's own, on an empty database beside ours, on every system."""
    make_private(path + LOCK_SUFFIX)
    with closing(sqlite3.connect(path + LOCK_SUFFIX, timeout=PATIENCE, isolation_level=None)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise Busy(f"Another process is migrating this database: {error}.") from error
        yield
