"""The migrations say what the models say, and lead back as well as forward."""

import ast
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from tournaments.record import triggers

OURS = ("tournaments", "seating", "penalties")
WITH_MIGRATIONS = (*OURS, "config")
LIVE = {
    ("tournaments/migrations/0006_steer_the_screens_of_the_hall.py", "tournaments.models.hall"),
}
"""The default of a field is a function, and Django holds the very function of the model against the migration's."""


def ours_in(source: Path) -> Iterator[str]:
    """Go through the modules of the project that a migration imports."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        yield from (name for name in names if name.partition(".")[0] in {*WITH_MIGRATIONS, "scoring"})


def test_migrations_import_no_code_that_may_change():
    """A migration of today is carried out by every later release: what it needs is written out beside it."""
    sources = [
        source for app in WITH_MIGRATIONS for source in (settings.BASE_DIR / app / "migrations").glob("*.py")
    ]
    assert len(sources) > 20
    found = {
        (source.relative_to(settings.BASE_DIR).as_posix(), name)
        for source in sources
        for name in ours_in(source)
        if ".migrations._" not in name
    }
    assert found == LIVE


def test_an_import_of_live_code_would_be_found(tmp_path):
    planted = tmp_path / "0099_planted.py"
    planted.write_text("from django.db import migrations\nfrom tournaments.record import triggers\n")
    assert list(ours_in(planted)) == ["tournaments.record"]


@pytest.mark.django_db(transaction=True)
def test_the_triggers_of_the_migrations_are_those_of_the_code():
    migrated = defined_triggers()
    assert len(migrated) >= 4
    triggers.remove(connection)
    assert defined_triggers() == []
    triggers.install(connection)
    assert defined_triggers() == migrated


def defined_triggers() -> list[tuple[str, str]]:
    """Return the triggers of the database by name, with what they do."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name")
        else:
            cursor.execute(
                "SELECT tgname, pg_get_triggerdef(oid) || pg_get_functiondef(tgfoid) FROM pg_trigger"
                " WHERE NOT tgisinternal ORDER BY tgname"
            )
        return [(name, " ".join(body.split())) for name, body in cursor.fetchall()]


@pytest.mark.django_db
def test_no_migration_is_missing():
    said = io.StringIO()
    try:
        call_command("makemigrations", check=True, dry_run=True, stdout=said)
    except SystemExit:
        pytest.fail(f"Models and migrations differ:\n{said.getvalue()}")


@pytest.mark.django_db
def test_missing_migration_would_be_noticed(monkeypatch):
    from tournaments.models import Tournament

    field = Tournament._meta.get_field("name")
    monkeypatch.setattr(field, "max_length", field.max_length + 1)
    with pytest.raises(SystemExit):
        call_command("makemigrations", check=True, dry_run=True, stdout=io.StringIO())


@pytest.mark.django_db(transaction=True)
def test_migrations_lead_back_and_forward_again():
    before = tables()
    try:
        for app in reversed(OURS):
            call_command("migrate", app, "zero", verbosity=0)
        assert not [table for table in tables() if table.startswith(OURS)]
    finally:
        call_command("migrate", verbosity=0)
    assert tables() == before


def tables() -> list[str]:
    """Return the names of all tables."""
    return sorted(connection.introspection.table_names())
