"""A database of the tests that is migrated once: later runs start from a copy, until a migration or a library changes.

Migrating takes ten seconds of a processor, more than most of what a single run tests. SQLite only: there the database is a file.
"""

import sqlite3
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from shutil import copyfile

from django.apps import apps
from django.conf import settings
from django.db import connection

BESIDE = ("", "-shm", "-wal", "-journal", ".migrate-lock")


def stored() -> Path | None:
    """Return where the migrated database of these migrations lies or would lie; None on a server."""
    if connection.vendor != "sqlite":
        return None
    found = sha256(f"{version('django')} {sqlite3.sqlite_version}".encode())
    for app in apps.get_app_configs():
        spec = find_spec(f"{app.name}.migrations") if find_spec(app.name) else None
        for folder in spec.submodule_search_locations or () if spec else ():
            for path in sorted(Path(folder).glob("*.py")):
                found.update(f"{app.name} {path.name}".encode() + path.read_bytes())
    return settings.VAR_DIR / f"migrated-{found.hexdigest()[:16]}.sqlite3"


def copied() -> bool:
    """Lay a copy where this run will look for its database; say whether there was one."""
    source = stored()
    if source is None or not source.exists():
        return False
    copyfile(source, settings.DATABASES["default"]["TEST"]["NAME"])
    return True


def kept() -> None:
    """Store what has been migrated just now, in one step: another run may look at the same time."""
    target = stored()
    if target is None or target.exists():
        return
    part = target.with_suffix(f".{Path(connection.settings_dict['NAME']).name}")
    part.unlink(missing_ok=True)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(part)])
    part.replace(target)
    for old in target.parent.glob("migrated-*.sqlite3"):
        if old != target:
            old.unlink(missing_ok=True)


def removed() -> None:
    """Take away the database of this run, with what SQLite laid beside it."""
    name = settings.DATABASES["default"]["TEST"].get("NAME")
    if connection.vendor == "sqlite" and name:
        for ending in BESIDE:
            Path(f"{name}{ending}").unlink(missing_ok=True)
