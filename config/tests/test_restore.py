"""A restore is proved beside the old data before it takes its place: damaged files and sudden ends change nothing. [INTEGRITY 5]"""

import json
import os
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection, connections

from config.tests.test_backup import change, say, state
from config.tools import aside, backup, restoring
from tournaments.models import HistoryEntry, Tournament, User
from tournaments.privacy import operations as privacy
from tournaments.standings.operations.recompute import recompute_all
from tournaments.tests import factories

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("alone_in_the_database")]


@pytest.fixture
def played():
    tournament = factories.tournament()
    recompute_all(tournament)
    return tournament


@pytest.fixture
def file(played, tmp_path):
    """A backup; afterwards something else happened here."""
    path = tmp_path / "copy.zip"
    backup.save(path)
    factories.tournament()
    return path


def leftovers():
    """What lies beside the database of this site."""
    if connection.vendor == "sqlite":
        site = Path(connection.settings_dict["NAME"])
        return sorted(path.name for path in site.parent.glob(f"{site.name}.[ab][se]*"))
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database")
        names = [name for (name,) in cursor.fetchall()]
    own = connection.settings_dict["NAME"]
    return sorted(name for name in names if name.startswith((f"{own}_aside_", f"{own}_before_")))


@pytest.fixture(autouse=True)
def _nothing_is_left_beside_the_database():
    yield
    if connection.vendor == "sqlite":
        for name in leftovers():
            Path(connection.settings_dict["NAME"]).with_name(name).unlink()
    else:
        with connection.cursor() as cursor:
            for name in leftovers():
                cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


# Damaged archives


def rewritten(file, **parts):
    """Replace members of an archive; None takes one out."""
    with zipfile.ZipFile(file) as archive:
        known = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**known, **parts}.items():
            if content is not None:
                archive.writestr(name, content)


def data_of(file):
    """The name of the database in an archive."""
    return backup.DATA[connection.vendor]


def with_database(file, content):
    """Pack another database, with a manifest that knows its digest."""
    Path(f"{file}.data").write_bytes(content)
    change(file, digest=backup.file_digest(Path(f"{file}.data")))
    rewritten(file, **{data_of(file): content})


def flipped(file, where):
    body = bytearray(file.read_bytes())
    for at in range(int(len(body) * where), int(len(body) * where) + 40):
        body[at] ^= 0x5A
    file.write_bytes(body)


def flagged(file, bit=1, method=None):
    """Mark every member as encrypted, or as packed by an unknown method."""
    body = bytearray(file.read_bytes())
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = body.find(mark)
        while at >= 0:
            struct.pack_into("<H", body, at + flags, bit)
            if method is not None:
                struct.pack_into("<H", body, at + flags + 2, method)
            at = body.find(mark, at + 4)
    file.write_bytes(body)


def of_another_program(file):
    if connection.vendor == "sqlite":
        other = file.with_name("other.sqlite3")
        with closing(sqlite3.connect(other)) as opened:
            opened.execute("CREATE TABLE notes (words TEXT)")
        with_database(file, other.read_bytes())
        return
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE notes (words TEXT)")
    dump = file.with_name("other.dump")
    backup.run_postgresql("pg_dump", "--format=custom", "--table=notes", f"--file={dump}")
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE notes")
    with_database(file, dump.read_bytes())


DAMAGED = {
    "missing": (lambda file: file.unlink(), "is not a backup"),
    "a folder": (lambda file: (file.unlink(), file.mkdir()), "is not a backup"),
    "empty": (lambda file: file.write_bytes(b""), "is not a backup"),
    "text": (lambda file: file.write_bytes(b"SELECT 1;\n" * 999), "is not a backup"),
    "truncated at once": (lambda file: file.write_bytes(file.read_bytes()[:30]), "is not a backup"),
    "truncated in the middle": (
        lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]), "is not a backup",
    ),
    "truncated at the end": (lambda file: file.write_bytes(file.read_bytes()[:-1]), "is not a backup"),
    "bytes flipped in the manifest": (lambda file: flipped(file, 0.01), "is not a backup|is damaged"),
    "bytes flipped in the database": (lambda file: flipped(file, 0.6), "is damaged"),
    "encrypted": (flagged, "is not a backup"),
    "packed by an unknown method": (lambda file: flagged(file, 0, 97), "is not a backup"),
    "no manifest": (lambda file: rewritten(file, **{backup.MANIFEST: None}), "it holds no manifest"),
    "a manifest that is no JSON": (lambda file: rewritten(file, **{backup.MANIFEST: b"{"}), "is not a backup"),
    "a manifest of bytes": (lambda file: rewritten(file, **{backup.MANIFEST: b"\xff\xfe{"}), "is not a backup"),
    "a manifest that is a list": (lambda file: rewritten(file, **{backup.MANIFEST: b"[]"}), "has format None"),
    "a manifest that says too little": (
        lambda file: rewritten(file, **{backup.MANIFEST: b'{"format": 1}'}), "its manifest lacks engine",
    ),
    "no database": (lambda file: rewritten(file, **{data_of(file): None}), "it holds no database"),
    "a database that is not the packed one": (lambda file: change(file, digest="0" * 64), "not the one that was packed"),
    "another format": (lambda file: change(file, format=99), "has format 99"),
    "another engine": (lambda file: change(file, engine="oracle"), "is of oracle"),
    "a newer release": (lambda file: change(file, migrations=["tournaments.9999_later"]), "newer release"),
    "migrations that are not its own": (lambda file: change(file, migrations=[]), "its manifest describes"),
    "a database of text": (lambda file: with_database(file, b"SELECT 1;\n" * 999), "not a database|pg_restore failed"),
    "an empty database": (lambda file: with_database(file, b""), "its manifest describes|pg_restore failed"),
    "a database of another program": (of_another_program, "its manifest describes"),
    "half of a database": (
        lambda file: with_database(file, zipfile.ZipFile(file).read(data_of(file))[:-9999]),
        "malformed|damaged|pg_restore failed|not a database",
    ),
    "a tournament too many": (lambda file: change(file, tournaments={}), "does not name"),
    "a tournament that says nothing": (
        lambda file: change(file, tournaments={Tournament.objects.order_by("pk")[0].slug: {}}), "are not those",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_backup_is_a_sentence_and_changes_nothing(name, file):
    damage, sentence = DAMAGED[name]
    damage(file)
    before = state()
    with pytest.raises(CommandError, match=sentence) as caught:
        say("restore", file, replace=True)
    assert "Nothing was changed." in str(caught.value)
    assert state() == before
    assert leftovers() == []


CHANGED = {
    "content": (
        """UPDATE tournaments_historyentry SET content = replace(content, '"number":1', '"number":2')""",
        "is broken",
    ),
    "digest": ("UPDATE tournaments_historyentry SET digest = 'a' || substr(digest, 2)", "the history of"),
    "an entry less": ("DELETE FROM tournaments_historyentry", "the entries of"),
    "guards": ("SELECT 1", "is not guarded"),
}


@pytest.mark.sqlite
@pytest.mark.parametrize("name", CHANGED)
def test_a_backup_whose_record_was_changed_is_refused(name, file, tmp_path):
    words, sentence = CHANGED[name]
    copy = tmp_path / "copy.sqlite3"
    copy.write_bytes(zipfile.ZipFile(file).read(data_of(file)))
    with closing(sqlite3.connect(copy, isolation_level=None)) as opened:
        triggers = opened.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for trigger, _ in triggers:
            opened.execute(f"DROP TRIGGER {trigger}")
        opened.execute(words)
        for _, body in triggers if name != "guards" else ():
            opened.execute(body)
    with_database(file, copy.read_bytes())
    before = state()
    with pytest.raises(CommandError, match=sentence):
        say("restore", file, replace=True)
    assert state() == before


def environment(tmp_path):
    """What another process needs to find this test's database."""
    known = connection.settings_dict
    url = (
        f"sqlite:///{known['NAME']}"
        if connection.vendor == "sqlite"
        else f"postgresql://{known['USER']}@{known['HOST']}:{known['PORT']}/{known['NAME']}"
    )
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {
        **kept,
        "DATABASE_URL": url,
        "FOUR_WINDS_VAR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "config.settings.development",
    }


@pytest.mark.parametrize("command", ["restore", "restore_drill"])
def test_the_command_ends_with_one_and_without_a_traceback(command, file, tmp_path):
    flipped(file, 0.6)
    before = state()
    connections.close_all()
    options = ["--replace"] if command == "restore" else []
    done = subprocess.run(
        [sys.executable, "manage.py", command, str(file), *options],
        cwd=settings.BASE_DIR, env=environment(tmp_path), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "The backup is damaged" in done.stderr
    assert "Traceback" not in done.stderr + done.stdout
    assert state() == before


# Who stands in the way


def test_a_restore_beside_a_site_that_runs_says_so_or_ends_its_connections(file):
    """SQLite's file cannot change under a site; PostgreSQL's connections are ended, and the site opens new ones."""
    before = state()
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(connection.settings_dict["NAME"])) as other:
            other.execute("SELECT count(*) FROM tournaments_tournament").fetchone()
            other.execute("BEGIN")
            other.execute("SELECT count(*) FROM tournaments_tournament").fetchone()
            with pytest.raises(CommandError, match="Stop the site first"):
                say("restore", file, replace=True)
        assert state() == before
        assert list(file.parent.glob("before-restore-*")) == []
        return
    import psycopg

    known = {**connection.get_connection_params(), "cursor_factory": None}
    with closing(psycopg.connect(**known)) as other:
        say("restore", file, replace=True)
        with pytest.raises(psycopg.OperationalError):
            other.execute("SELECT 1")
    assert state() != before


@pytest.mark.postgres
def test_a_role_that_may_not_create_databases_is_told_what_it_needs(file):
    before = state()
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE modest LOGIN; GRANT pg_read_all_data TO modest")
    known, own = connection.settings_dict, connection.settings_dict["USER"]
    connection.close()
    known["USER"] = "modest"
    try:
        with pytest.raises(CommandError, match="ALTER ROLE … CREATEDB"):
            call_command("restore_drill", file)
    finally:
        connection.close()
        known["USER"] = own
        with connection.cursor() as cursor:
            cursor.execute("DROP OWNED BY modest; DROP ROLE modest")
    assert state() == before


@pytest.mark.postgres
def test_one_restore_at_a_time(file):
    with restoring.restored_aside(file), pytest.raises(CommandError, match="Another restore"):
        say("restore", file, replace=True)


@pytest.mark.sqlite
def test_a_site_whose_own_database_is_damaged_is_restored_and_the_damaged_file_kept(file, tmp_path):
    site = Path(connection.settings_dict["NAME"])
    connection.close()
    whole = site.read_bytes()
    try:
        site.write_bytes(b"lost" * 4096)
        assert "could not be copied" in say("restore", file, replace=True)
        (kept,) = site.parent.glob(f"{site.name}.before-*")
        assert kept.read_bytes() == b"lost" * 4096
        assert Tournament.objects.count() == 1
    finally:
        connection.close()
        if b"lost" in site.read_bytes()[:4]:
            site.write_bytes(whole)


def test_a_restore_into_an_empty_database_needs_no_word(file):
    before = restoring.inspect(file)["tournaments"]
    call_command("flush", interactive=False, verbosity=0)
    say("restore", file)
    assert backup.describe()["tournaments"] == before
    assert leftovers() == []


def test_accounts_are_not_replaced_without_a_word_either(file):
    call_command("flush", interactive=False, verbosity=0)
    User.objects.create_user("first", password="a person of this site")
    with pytest.raises(CommandError, match=r"There are accounts in this database\. Add --replace"):
        say("restore", file)
    assert User.objects.filter(username="first").exists()
    say("restore", file, replace=True)
    assert not User.objects.filter(username="first").exists()


def test_a_restore_names_the_pages_of_those_whose_erasure_it_undoes(tmp_path):
    """Their names are back, the log that told of it is not, and whoever was erased before the backup stays erased."""
    of, leaver = factories.tournament(), factories.user("leaver")
    long_gone, player = (row.player for row in factories.players(of, 2))
    by = factories.organizer_of(of)
    privacy.erase_player(long_gone, by=by, reason="Asked for it by letter")
    backup.save(tmp_path / "copy.zip")
    privacy.erase_player(player, by=by, reason="Asked for it by letter")
    privacy.delete_account(leaver, by=factories.actor(leaver))
    told = say("restore", tmp_path / "copy.zip", replace=True).splitlines()
    assert told[-3:] == [
        "Erased since that backup was made, and here again. Erase them again on these pages:",
        f"  /operator/persons/{player.pk}/  ({of.slug})",
        f"  /operator/accounts/{leaver.pk}/",
    ]
    assert "here again" not in say("restore", tmp_path / "copy.zip", replace=True)


# The drill


def test_a_drill_proves_a_backup_and_leaves_everything_as_it_is(file, settings, tmp_path, capsys):
    settings.VAR_DIR = tmp_path / "var"
    before, entries = state(), restoring.inspect(file)["tournaments"]
    said = json.loads(say("restore_drill", file))
    assert said == json.loads((tmp_path / "var/restore-drill.json").read_text())
    assert {**said, "date": "", "made_at": ""} == {
        "date": "", "archive": "copy.zip", "result": "proved", "made_at": "", "tournaments": 1,
        "entries": sum(each["entries"] for each in entries.values()),
    }  # fmt: skip
    assert state() == before
    assert leftovers() == []


def test_a_drill_that_fails_is_stored_as_well(file, settings, tmp_path):
    settings.VAR_DIR = tmp_path
    flipped(file, 0.6)
    with pytest.raises(CommandError):
        say("restore_drill", file)
    stored = json.loads((tmp_path / "restore-drill.json").read_text())
    assert stored["result"] == "failed"
    assert "is damaged" in stored["reason"]


def test_a_drill_tells_no_spectator_of_a_revision(file, monkeypatch, settings, tmp_path):
    settings.VAR_DIR = tmp_path
    told = []
    monkeypatch.setattr("tournaments.record.news.publish", lambda *what: told.append(what))
    monkeypatch.setattr("tournaments.record.history.wake", told.append)
    say("restore_drill", file)
    assert told == []


# Sudden ends

STEPS = (
    (shutil, "copyfile"),
    (os, "link"),
    (Path, "replace"),
    (aside, "_flush"),
    (aside, "run_postgresql"),
    (aside.PostgresqlAside, "_say"),
    (aside.PostgresqlAside, "_end_connections"),
    (restoring, "call_command"),
    (restoring, "prove"),
    (aside.SqliteAside, "drop_former"),
)
"""What a restore does; it is killed before and after each of these, as often as each is done."""


def killed_at(moment, file):
    """Restore in a child that is killed at its n-th moment; say whether it was."""
    connections.close_all()
    child = os.fork()
    if child == 0:
        _restore_until(moment, file)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


def _restore_until(moment, file):
    passed = 0

    def count():
        nonlocal passed
        passed += 1
        if passed == moment:
            os.kill(os.getpid(), signal.SIGKILL)

    def counted(function):
        def step(*arguments, **named):
            count()
            answer = function(*arguments, **named)
            count()
            return answer

        return step

    for owner, name in STEPS:
        setattr(owner, name, counted(getattr(owner, name)))
    try:
        say("restore", file, replace=True)
    except BaseException:
        os._exit(9)
    os._exit(0)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system forks no processes")
def test_a_restore_killed_at_any_step_leaves_the_old_database_or_the_new_one_whole(file):
    old = state()
    with restoring.restored_aside(file) as restored, restored.aside.in_use():
        new = state()
    assert old != new
    seen, moment = [], 1
    while killed_at(moment, file):
        found = state()
        assert found in (old, new), f"at step {moment}"
        say("verify_history")
        seen.append(found)
        if found == new:
            _put_back(old, file)
        moment += 1
    assert moment > 10
    assert old in seen
    assert new in seen
    assert state() == new
    assert HistoryEntry.objects.exists()
    assert [name for name in leftovers() if "_aside_" in name] == []


def _put_back(old, file):
    """What was replaced is whole under its own name, or copied beside the backup: put it back as a person would."""
    former = [name for name in leftovers() if "before" in name]
    if not former:
        say("restore", max(file.parent.glob("before-restore-*.zip")), replace=True)
    elif connection.vendor == "sqlite":
        site = Path(connection.settings_dict["NAME"])
        connection.close()
        site.with_name(former[-1]).replace(site)
    else:
        server, name = aside._server(), connection.settings_dict["NAME"]
        connection.close()
        server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
        server.execute(f'ALTER DATABASE "{former[-1]}" RENAME TO "{name}"')
        server.close()
    assert state() == old
