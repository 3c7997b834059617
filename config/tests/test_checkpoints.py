"""What was written reaches the database file while the site runs, and nobody waits for it."""

import shutil
import sqlite3
import threading
import time
from contextlib import closing

import pytest

from config.server.sqlite import checkpoints
from config.settings.environment import sqlite


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "log.sqlite3")


@pytest.fixture
def writer(path):
    """A connection as the site opens them, with one row in the log."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(sqlite(path)["OPTIONS"]["init_command"])
        connection.executescript("CREATE TABLE rows (told text); INSERT INTO rows VALUES ('kept')")
        yield connection


def rows_in_file_alone(path, tmp_path):
    with closing(sqlite3.connect(shutil.copy(path, tmp_path / "copy.sqlite3"))) as copy:
        return copy.execute("SELECT told FROM rows").fetchall()


def test_a_copy_of_the_file_alone_is_whole_after_a_checkpoint(path, writer, tmp_path):
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        rows_in_file_alone(path, tmp_path)
    assert checkpoints.checkpoint(path)
    assert rows_in_file_alone(path, tmp_path) == [("kept",)]
    assert (tmp_path / "log.sqlite3-wal").stat().st_size == 0


def test_a_reader_is_not_waited_for_and_disturbs_nothing(path, writer, tmp_path):
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM rows").fetchall()
        writer.execute("INSERT INTO rows VALUES ('later')")
        started = time.monotonic()
        assert not checkpoints.checkpoint(path)
        assert time.monotonic() - started < 2
        assert reader.execute("SELECT told FROM rows").fetchall() == [("kept",)]
        reader.execute("ROLLBACK")
    assert checkpoints.checkpoint(path)
    assert rows_in_file_alone(path, tmp_path) == [("kept",), ("later",)]


def test_a_writer_in_the_middle_of_its_transaction_is_left_alone(path, writer):
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("INSERT INTO rows VALUES ('half')")
    assert not checkpoints.checkpoint(path)
    writer.execute("COMMIT")
    assert writer.execute("SELECT told FROM rows").fetchall() == [("kept",), ("half",)]


def test_the_log_is_emptied_again_and_again_until_the_end(path, writer, tmp_path):
    emptied = threading.Semaphore(0)

    class Twice(threading.Event):
        def wait(self, timeout=None):
            emptied.release()
            return super().wait(0.01)

    stop = Twice()
    thread = threading.Thread(target=checkpoints.run, args=[path, stop])
    thread.start()
    for _ in range(3):
        emptied.acquire()
    stop.set()
    thread.join(10)
    assert rows_in_file_alone(path, tmp_path) == [("kept",)]


def test_a_checkpoint_that_fails_is_logged_and_ends_nothing(tmp_path, caplog):
    checkpoints.try_checkpoint(str(tmp_path / "no" / "folder.sqlite3"))
    assert "could not be checkpointed" in caplog.text


def test_another_database_has_no_checkpoints(settings, monkeypatch):
    monkeypatch.setitem(settings.DATABASES["default"], "ENGINE", "django.db.backends.postgresql")
    assert checkpoints.database_path() == ""
