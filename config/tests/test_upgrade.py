"""A database is migrated by one process at a time, and a release older than its data refuses to touch it."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from config.tools import upgrade
from config.tools.smoke import services

SECRET = "0123456789abcdefghijABCDEFGHIJ-_0123456789-abcdefghijklmn-xyz"
NEWER = "9999_of_a_later_release"
SENTENCE = f"this one does not know tournaments.{NEWER}"


def told(**extra):
    """What a process of the site is told."""
    known = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
    common = {
        "DJANGO_SETTINGS_MODULE": "config.settings.production",
        "SECRET_KEY": SECRET,
        "ALLOWED_HOSTS": "localhost",
    }
    return known | common | extra


def start(*words, **environment):
    """Start a process of the site."""
    return subprocess.Popen(
        [sys.executable, *words], cwd=settings.BASE_DIR, env=told(**environment),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


def outcomes(processes):
    """Wait for processes; return how each ended and what it said."""
    said = [process.communicate(timeout=180)[0] for process in processes]
    return [(process.returncode, text[-4000:]) for process, text in zip(processes, said, strict=True)]


def test_three_migrations_at_once_of_an_empty_sqlite_file(tmp_path):
    together = [start("manage.py", "migrate", "--no-input", FOUR_WINDS_VAR=str(tmp_path)) for _ in range(3)]
    ended = outcomes(together)
    assert [code for code, _ in ended] == [0, 0, 0], ended
    with closing(sqlite3.connect(tmp_path / "four-winds.sqlite3")) as database:
        rows = database.execute("SELECT app, name FROM django_migrations").fetchall()
    assert len(rows) == len(set(rows)) > 20


@pytest.mark.postgres
def test_three_migrations_at_once_of_an_empty_postgresql():
    with services.postgresql() as url:
        together = [
            start("manage.py", "migrate", "--no-input", DATABASE_URL=f"{url}?pool=4") for _ in range(3)
        ]
        ended = outcomes(together)
    assert [code for code, _ in ended] == [0, 0, 0], ended


@pytest.fixture
def newer_data():
    """A database that a later release has brought up."""
    MigrationRecorder(connection).record_applied("tournaments", NEWER)


@pytest.mark.django_db
def test_migrations_of_this_release_are_known():
    assert upgrade.unknown_migrations() == []


@pytest.mark.django_db
def test_applications_that_are_gone_are_no_newer_release():
    MigrationRecorder(connection).record_applied("an_application_of_old", "0001_initial")
    assert upgrade.unknown_migrations() == []


@pytest.mark.django_db
def test_migrate_refuses_newer_data(newer_data):
    with pytest.raises(CommandError, match=SENTENCE):
        call_command("migrate", verbosity=0)


@pytest.mark.django_db
def test_not_ready_on_newer_data(client, newer_data):
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["checks"]["migrations"]) == (
        503,
        "the database is of a newer release",
    )


COMMANDS = {
    "server": ("-m", "config.server"),
    "serve": ("manage.py", "serve"),
    "migrate": ("manage.py", "migrate", "--no-input"),
    "worker": ("-m", "celery", "--app=config.celery", "worker", "--pool=solo"),
    "beat": ("-m", "celery", "--app=config.celery", "beat", "--schedule={folder}/beat", "--pidfile={folder}/pid"),
}  # fmt: skip


@pytest.fixture(scope="module")
def folder_of_newer_data(tmp_path_factory):
    """The folder of a site on SQLite that a later release has brought up."""
    folder = tmp_path_factory.mktemp("newer")
    assert outcomes([start("manage.py", "migrate", "--no-input", FOUR_WINDS_VAR=str(folder))])[0][0] == 0
    with closing(sqlite3.connect(folder / "four-winds.sqlite3")) as database:
        row = "INSERT INTO django_migrations (app, name, applied) VALUES ('tournaments', ?, '2030-01-01')"
        database.execute(row, [NEWER])
        database.commit()
    return folder


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_older_code_refuses_to_start_on_newer_data(words, folder_of_newer_data):
    """Each process of the site ends at once and says what to do."""
    folder = folder_of_newer_data
    environment = {"FOUR_WINDS_VAR": str(folder), "PORT": str(services.free_port())}
    if "celery" in words:
        environment["REDIS_URL"] = f"redis://127.0.0.1:{services.free_port()}/0"
    ((code, said),) = outcomes([start(*(word.format(folder=folder) for word in words), **environment)])
    assert code == 1, said
    assert SENTENCE in said
    assert "docs/OPERATE.md" in said
    assert "Traceback" not in said
