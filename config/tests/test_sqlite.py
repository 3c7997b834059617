"""Transactions on SQLite take turns within a process, and a turn never stays with anybody."""

import threading

import pytest
from django.db import OperationalError, transaction
from django.db.backends.sqlite3 import base as sqlite3
from django.db.utils import ConnectionHandler

from config.server.sqlite import base
from config.settings.environment import sqlite


@pytest.fixture
def connections(tmp_path, django_db_blocker):
    """Open a database of our own, anew in each thread."""
    described = sqlite(tmp_path / "turns.sqlite3")
    described["OPTIONS"]["timeout"] = 0.3
    handler = ConnectionHandler({"default": described})
    with django_db_blocker.unblock():
        handler["default"].cursor().execute("CREATE TABLE rows (told text)")
        yield handler
        handler.close_all()


def turn_of(connections):
    return base._turns[str(connections["default"].settings_dict["NAME"])]


def atomic(connections, monkeypatch):
    """Return `transaction.atomic` for these connections."""
    monkeypatch.setattr(transaction, "get_connection", lambda using=None: connections["default"])
    return transaction.atomic()


def test_a_turn_ends_with_the_transaction(connections, monkeypatch):
    with atomic(connections, monkeypatch):
        assert turn_of(connections).locked()
        with transaction.atomic():
            connections["default"].cursor().execute("INSERT INTO rows VALUES ('kept')")
        assert turn_of(connections).locked()
    assert not turn_of(connections).locked()
    with transaction.atomic():
        connections["default"].cursor().execute("INSERT INTO rows VALUES ('lost')")
        transaction.set_rollback(True)
    assert not turn_of(connections).locked()
    with connections["default"].cursor() as cursor:
        assert cursor.execute("SELECT told FROM rows").fetchall() == [("kept",)]


def test_a_turn_ends_with_a_connection_that_breaks_in_it(connections, monkeypatch):
    with atomic(connections, monkeypatch):
        connections["default"].close()
        assert not turn_of(connections).locked()
    assert not turn_of(connections).locked()


def test_who_cannot_begin_keeps_no_turn(connections, monkeypatch, tmp_path):
    other = ConnectionHandler({"default": sqlite(tmp_path / "turns.sqlite3")})
    other["default"].cursor().execute("BEGIN IMMEDIATE")  # as another process would
    with pytest.raises(OperationalError, match="locked"), atomic(connections, monkeypatch):
        pass
    assert not turn_of(connections).locked()
    other["default"].cursor().execute("ROLLBACK")
    other.close_all()
    with transaction.atomic():
        assert turn_of(connections).locked()


def test_who_waits_for_a_turn_leaves_sqlite_alone(connections, monkeypatch):
    connections["default"].settings_dict["OPTIONS"]["timeout"] = 20
    monkeypatch.setattr(transaction, "get_connection", lambda using=None: connections["default"])
    told = []
    begin = sqlite3.DatabaseWrapper._start_transaction_under_autocommit

    def ask(wrapper):
        told.append("asks")
        begin(wrapper)

    monkeypatch.setattr(sqlite3.DatabaseWrapper, "_start_transaction_under_autocommit", ask)

    def write():
        with transaction.atomic():
            told.append("other")
        connections["default"].close()

    with transaction.atomic():
        other = threading.Thread(target=write)
        other.start()
        other.join(0.2)  # it would ask at once, if it did not wait
        told.append("first")
    other.join()
    assert told == ["asks", "first", "asks", "other"]


def test_who_waited_in_vain_hears_that_it_is_locked(connections, monkeypatch):
    monkeypatch.setattr(transaction, "get_connection", lambda using=None: connections["default"])
    heard = []

    def write():
        try:
            with transaction.atomic():
                heard.append("began")
        except OperationalError as error:
            heard.append(str(error))
        connections["default"].close()

    with transaction.atomic():
        other = threading.Thread(target=write)
        other.start()
        other.join()
        assert turn_of(connections).locked()
    assert heard == ["database is locked"]
