"""Keep the files of a database readable by their owner alone, also those that an earlier start left open to others."""

import os
from pathlib import Path

BESIDE = ("", "-wal", "-shm", "-journal", ".migrate-lock")
"""The endings of what lies beside a database: what SQLite itself keeps there, and the lock of an upgrade."""


def make_private(path: str | Path) -> None:
    """Create a file that nobody else can read, or take the rights of others away; owners of others' files are left alone."""
    if os.name == "nt":
        return
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        close_to_others(path)


def close_to_others(path: str | Path) -> None:
    """Take every right of group and others away from a file or folder of ours."""
    if os.name == "nt":
        return
    found = os.stat(path)
    if found.st_mode & 0o077 and found.st_uid == os.geteuid():
        os.chmod(path, found.st_mode & 0o7700)


def make_database_private(path: str | Path) -> None:
    """Create a database file for its owner alone, and close it and what lies beside it to others."""
    make_private(path)
    for ending in BESIDE[1:]:
        if os.path.exists(f"{path}{ending}"):
            close_to_others(f"{path}{ending}")
