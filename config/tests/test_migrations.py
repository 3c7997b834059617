"""The migrations say what the models say, and lead back as well as forward."""

import io

import pytest
from django.core.management import call_command
from django.db import connection

OURS = ("tournaments", "seating", "penalties")


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
