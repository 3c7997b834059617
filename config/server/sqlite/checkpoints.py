"""Move what was written from SQLite's write-ahead log into the database file, so that a copied file is not empty.

SQLite does so by itself only every thousand pages; a small event may lie in `-wal` for as long as the site runs.
"""

import logging
import sqlite3
import threading
from contextlib import closing

from django.conf import settings

logger = logging.getLogger(__name__)

EVERY = 120.0
PATIENCE = 5.0
_stop = threading.Event()


def checkpoint(path: str, *, patience: float = 0.0) -> bool:
    """Write the log into the database file and empty it; return whether nothing was left in the log.

    The first step holds up nobody. The second one takes the writers' lock for the pages that came meanwhile, and
    gives up after `patience` seconds if somebody reads or writes.
    """
    with closing(sqlite3.connect(path, timeout=patience)) as connection:
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        (is_busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not is_busy


def database_path() -> str:
    """Return the path of the site's SQLite database; nothing if it runs on another one."""
    described = settings.DATABASES["default"]
    return str(described["NAME"]) if described["ENGINE"] == "config.server.sqlite" else ""


def run(path: str, stop: threading.Event, every: float = EVERY) -> None:
    """Empty the log every few minutes; whatever is in the way is tried again."""
    while not stop.wait(every):
        try_checkpoint(path)


def try_checkpoint(path: str, *, patience: float = 0.0) -> None:
    """Empty the log; log a failure, because the record is safe in the log as well."""
    try:
        checkpoint(path, patience=patience)
    except sqlite3.Error as error:
        logger.warning("The database could not be checkpointed: %s", error)


def start() -> None:
    """Start the thread that empties the log, if the site runs on a SQLite file."""
    if path := database_path():
        _stop.clear()
        threading.Thread(target=run, args=[path, _stop], name="checkpoints", daemon=True).start()


def stop() -> None:
    """End the thread, and empty the log for the last time."""
    _stop.set()
    if path := database_path():
        try_checkpoint(path, patience=PATIENCE)
