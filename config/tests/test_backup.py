"""What was backed up comes back whole, and a copy that is not whole is refused."""

import json
import os
import zipfile
from io import StringIO

import pytest
from django.core.management import CommandError, call_command, get_commands

from config.tools import backup
from tournaments.models import HistoryEntry, Player, Tournament
from tournaments.standings.operations.recompute import recompute_all
from tournaments.tests import factories

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("alone_in_the_database")]


@pytest.fixture
def played():
    """A tournament with something in its history, standings worked out."""
    tournament = factories.tournament()
    recompute_all(tournament)
    return tournament


@pytest.fixture
def file(tmp_path):
    """Where the backup goes."""
    return tmp_path / "copy.zip"


def say(*arguments, **options):
    """Run a command and return what it says."""
    said = StringIO()
    call_command(*map(str, arguments), stdout=said, **options)
    return said.getvalue()


def state():
    """Everything that must come back."""
    facts = backup.describe()["tournaments"]
    return facts, list(HistoryEntry.objects.order_by("id").values_list("digest", "content"))


def test_restore_brings_back_what_was_backed_up(played, file):
    before = state()
    assert "1 tournaments" in say("backup", file)
    factories.tournament()
    said = say("restore", file, replace=True)
    assert f"Tournaments: {played.slug}." in said
    assert state() == before


@pytest.mark.skipif(os.name == "nt", reason="Windows refuses it by itself")
def test_a_backup_flushes_only_what_it_may_write_to(played, file, monkeypatch):
    """Windows refuses to flush a file that was opened for reading."""
    import fcntl

    flush = os.fsync

    def flush_as_windows_does(descriptor):
        if fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
            raise OSError(9, "Bad file descriptor")
        flush(descriptor)

    monkeypatch.setattr(os, "fsync", flush_as_windows_does)
    say("backup", file)
    assert zipfile.is_zipfile(file)


def test_history_is_guarded_after_a_restore(played, file):
    from django.db import DatabaseError

    say("backup", file)
    say("restore", file, replace=True)
    with pytest.raises(DatabaseError, match="append-only"):
        HistoryEntry.objects.update(content="{}")


def test_restore_keeps_a_copy_of_what_it_replaces(played, file):
    say("backup", file)
    other = factories.tournament()
    say("restore", file, replace=True)
    assert not Tournament.objects.filter(slug=other.slug).exists()
    (kept,) = file.parent.glob("before-restore-*.zip")
    say("restore", kept, replace=True)
    assert Tournament.objects.filter(slug=other.slug).exists()


def test_restore_does_not_replace_tournaments_without_a_word(played, file):
    say("backup", file)
    factories.tournament()
    before = state()
    with pytest.raises(CommandError, match="Add --replace"):
        say("restore", file)
    assert state() == before


def test_backup_does_not_write_over_a_file_without_a_word(played, file):
    file.write_text("precious")
    with pytest.raises(CommandError, match="exists already"):
        say("backup", file)
    assert file.read_text() == "precious"


def test_backup_is_readable_by_its_owner_only(played, file):
    say("backup", file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in file.parent.iterdir() if path.name.startswith(".")] == []


def change(file, **changes):
    """Change a backup's manifest."""
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    manifest = {**json.loads(parts[backup.MANIFEST]), **changes}
    parts[backup.MANIFEST] = json.dumps(manifest).encode()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"format": 99}, "format 99"),
        ({"engine": "oracle"}, "is of oracle"),
        ({"migrations": ["tournaments.9999_later"]}, "newer release"),
        ({"digest": "0" * 64}, "damaged"),
    ],
    ids=["format", "engine", "newer", "damaged"],
)
def test_unfit_backup_is_refused_and_changes_nothing(played, file, changes, sentence):
    say("backup", file)
    change(file, **changes)
    before = state()
    with pytest.raises(CommandError, match=sentence):
        say("restore", file, replace=True)
    assert state() == before


@pytest.mark.parametrize("content", [b"", b"PK", b"not a backup"])
def test_foreign_file_is_refused(played, file, content):
    file.write_bytes(content)
    with pytest.raises(CommandError, match="is not a backup"):
        say("restore", file, replace=True)


@pytest.mark.parametrize("what", ["entries", "history", "standings"])
def test_restore_that_differs_from_its_manifest_is_told(played, file, what):
    manifest = backup.save(file)
    manifest["tournaments"][played.slug][what] = "other"
    change(file, tournaments=manifest["tournaments"])
    with pytest.raises(CommandError, match=f"the {what} of {played.slug} are not those of the backup"):
        say("restore", file, replace=True)


def test_restore_that_lacks_a_tournament_is_told(played, file):
    manifest = backup.save(file)
    change(file, tournaments={**manifest["tournaments"], "lost": {}})
    with pytest.raises(CommandError, match="lost is missing"):
        say("restore", file, replace=True)


def test_names_come_back_letter_by_letter(played, file):
    player = Player.objects.first()
    names = list(Player.objects.order_by("pk").values_list("pk", flat=True))
    say("backup", file)
    Player.objects.all().delete()
    say("restore", file, replace=True)
    assert list(Player.objects.order_by("pk").values_list("pk", flat=True)) == names
    assert player is None or str(Player.objects.get(pk=player.pk)) == str(player)


def test_verify_history_ends_every_restore():
    assert "verify_history" in get_commands()
