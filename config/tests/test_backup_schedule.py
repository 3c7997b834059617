"""Backups by the clock: when they are due, what is kept, where they are copied, and that a drill is reported as it went."""

import json
import os
import stat
import subprocess
import sys
from contextlib import suppress
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.utils import timezone

from config.models import Report
from config.operator import backups, reports
from tournaments.tests import factories as make

NIGHT = time(3, 30)


@pytest.fixture
def plan(tmp_path):
    """Backups into one folder, copies into another."""
    folders = tmp_path / "backups", tmp_path / "elsewhere"
    for folder in folders:
        folder.mkdir()
    return backups.Plan(folders[0], NIGHT, timedelta(days=30), str(folders[1]))


@pytest.fixture
def good_drill(monkeypatch):
    """A drill that proves whatever it is given; those that were asked for."""
    asked = []
    monkeypatch.setattr(backups, "drill", lambda path: asked.append(path) or (path, {"entries": 1}))
    return asked


def at(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def report(text, *, is_good=True, good_at=""):
    return Report(name="backup", at=at(text), is_good=is_good, good_at=at(good_at or text))


# When


@pytest.mark.parametrize(
    ("now", "last", "due"),
    [
        ("2026-11-19 12:00", None, "2026-11-19 12:00"),
        ("2026-11-19 03:29", report("2026-11-18 03:30"), "2026-11-19 03:30"),
        ("2026-11-19 03:31", report("2026-11-18 03:30"), "2026-11-19 03:31"),
        ("2026-11-19 03:32", report("2026-11-19 03:31"), "2026-11-20 03:30"),
        ("2026-11-19 12:00", report("2026-11-16 03:30"), "2026-11-19 12:00"),
        ("2026-11-19 12:00", report("2026-11-19 09:00"), "2026-11-20 03:30"),
        (
            "2026-11-19 03:32",
            report("2026-11-19 03:31", is_good=False, good_at="2026-11-18 03:30"),
            "2026-11-19 03:46",
        ),
    ],
    ids=[
        "first-start",
        "before-its-hour",
        "at-its-hour",
        "done",
        "nights-missed",
        "made-by-day",
        "after-a-failure",
    ],
)
def test_backup_is_due_at_its_hour_or_when_one_was_missed(plan, now, last, due):
    assert backups.next_run(plan, at(now), last) == at(due)


@pytest.mark.parametrize(
    ("last", "is_due"),
    [
        (None, True),
        (report("2026-11-18 03:31"), False),
        (report("2026-11-12 03:31"), True),
        (report("2026-11-18 03:31", is_good=False), True),
    ],
    ids=["never", "yesterday", "a-week-ago", "failed"],
)
def test_drill_is_due_once_a_week_and_until_it_goes_well(last, is_due):
    assert backups.is_drill_due(at("2026-11-19 03:30"), last) is is_due


# What


@pytest.mark.django_db(transaction=True)
def test_backup_is_made_copied_and_proved(plan, good_drill):
    make.tournament()
    assert backups.run(plan)
    (path,) = backups.backups_in(plan.folder)
    (there,) = backups.backups_in(Path(plan.copy_to))
    assert path.read_bytes() == there.read_bytes()
    assert good_drill == [path]
    found = reports.latest()
    assert {name: each.is_good for name, each in found.items()} == {
        "backup": True,
        "copy": True,
        "drill": True,
    }
    assert found["copy"].facts["is_same_disk"] is True


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps rights of another kind")
@pytest.mark.django_db(transaction=True)
def test_copy_can_be_read_by_its_owner_alone_and_so_can_those_of_before(plan, good_drill):
    """It holds addresses and password hashes, as the backup does; copies were open to everybody."""
    earlier = Path(plan.copy_to) / "four-winds-20991231-033000.zip"
    earlier.touch(mode=0o644)
    assert backups.run(plan)
    modes = {stat.S_IMODE(path.stat().st_mode) for path in backups.backups_in(Path(plan.copy_to))}
    assert (len(backups.backups_in(Path(plan.copy_to))), modes) == (2, {0o600})


@pytest.mark.django_db(transaction=True)
def test_copy_that_fails_is_reported_and_the_backup_stays(plan, good_drill):
    Path(plan.copy_to).rmdir()
    assert not backups.run(plan)
    assert len(backups.backups_in(plan.folder)) == 1
    found = reports.latest()
    assert found["backup"].is_good
    assert "is the other machine or disk mounted?" in found["copy"].facts["error"]


@pytest.mark.django_db(transaction=True)
def test_backup_that_fails_is_reported_and_deletes_nothing(plan, good_drill, monkeypatch):
    (plan.folder / "four-winds-20200101-033000.zip").touch()
    monkeypatch.setattr(
        backups.backup, "save", lambda path: (_ for _ in ()).throw(OSError(28, "No space left"))
    )
    assert not backups.run(plan)
    assert [path.name for path in backups.backups_in(plan.folder)] == ["four-winds-20200101-033000.zip"]
    assert "No space left" in reports.latest()["backup"].facts["error"]
    assert good_drill == []


def test_old_backups_are_deleted_but_the_last_three_and_foreign_files_stay(tmp_path):
    now = timezone.now()
    for days in (0, 10, 29, 31, 60):
        (tmp_path / backups.NAME.format(now - timedelta(days=days))).touch()
    (tmp_path / "by-hand.zip").touch()
    backups.forget(tmp_path, timedelta(days=30))
    assert len(backups.backups_in(tmp_path)) == 3
    backups.forget(tmp_path, timedelta(days=1))
    assert len(backups.backups_in(tmp_path)) == 3
    assert (tmp_path / "by-hand.zip").exists()


def test_copy_by_a_program_that_is_missing_says_so(plan, monkeypatch):
    monkeypatch.setattr(backups.shutil, "which", lambda name: None)
    with pytest.raises(backups.Failed, match="the program rclone is not on this machine"):
        backups.copy(
            plan.folder / "x.zip", backups.Plan(plan.folder, NIGHT, timedelta(days=1), "remote:winds")
        )


def test_copy_by_rclone_copies_and_deletes_what_is_old(plan, tmp_path, monkeypatch):
    """A program of this name stands for rclone and writes down what it is asked for."""
    program = tmp_path / "rclone"
    program.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    file = plan.folder / "four-winds-20261119-033000.zip"
    file.touch()
    backups.copy(file, backups.Plan(plan.folder, NIGHT, timedelta(days=7), "remote:winds"))
    assert (tmp_path / "asked").read_text().splitlines() == [
        f"copyto {file} remote:winds/{file.name}",
        "delete --include four-winds-????????-??????.zip --min-age 7d remote:winds",
    ]


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [({"at": "night"}, "BACKUP_AT is “night”"), ({"keep_days": 0}, "BACKUP_KEEP_DAYS must be 1 or more")],
)
def test_schedule_that_cannot_be_is_refused(tmp_path, asked, sentence):
    with pytest.raises(CommandError, match=sentence):
        call_command("backup_schedule", tmp_path, **asked)


# With real processes


@pytest.fixture
def told(tmp_path):
    """What a process on a SQLite site of its own is told."""
    known = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
    var = tmp_path / "var"
    environment = {
        **known,
        "DJANGO_SETTINGS_MODULE": "config.settings.development",
        "FOUR_WINDS_VAR": str(var),
    }
    for words in (["migrate", "--verbosity=0"], ["demo_tournament", "--password", "demo-password-1"]):
        subprocess.run(
            [sys.executable, "manage.py", *words], cwd=settings.BASE_DIR, env=environment, check=True
        )
    return environment


def start(told, *words):
    return subprocess.Popen(
        [sys.executable, "manage.py", "backup_schedule", *words],
        cwd=settings.BASE_DIR, env=told, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


def test_schedule_backs_up_at_its_first_start_proves_it_and_ends_when_told(told, tmp_path):
    """The service of the compose file: a real backup, a real drill, an end within the time that an engine gives."""
    folder, pidfile = tmp_path / "backups", tmp_path / "pid"
    folder.mkdir()
    process = start(told, str(folder), f"--pidfile={pidfile}")
    result = Path(told["FOUR_WINDS_VAR"]) / "restore-drill.json"
    end = timezone.now() + timedelta(seconds=120)
    while not result.exists() and timezone.now() < end and process.poll() is None:
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.2)
    assert pidfile.read_text() == str(process.pid)
    process.terminate()
    said, _ = process.communicate(timeout=30)
    assert process.returncode == 0, said
    assert json.loads(result.read_text())["result"] == "proved", said
    assert len(backups.backups_in(folder)) == 1


def test_drill_of_a_damaged_backup_is_reported_as_failed(told, tmp_path):
    """A backup is damaged between its making and its drill: the command ends with 1 and says so."""
    folder = tmp_path / "backups"
    folder.mkdir()
    program = (
        "import django; django.setup()\n"
        "from pathlib import Path\n"
        "from config.tools import backup\n"
        "from django.core.management import call_command\n"
        "whole = backup.save\n"
        "def damaged(path):\n"
        "    manifest = whole(path)\n"
        "    content = bytearray(path.read_bytes()); content[len(content) // 2] ^= 255; path.write_bytes(content)\n"
        "    return manifest\n"
        "backup.save = damaged\n"
        f"call_command('backup_schedule', Path({str(folder)!r}), once=True)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=settings.BASE_DIR,
        env=told,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "Something failed" in done.stderr
