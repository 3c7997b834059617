"""A scene that is written again is the scene that was made: the same rows, the same answers, and nothing of another test's."""

from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from tournaments.models import Protocol, Tournament, User
from tournaments.tests import factories as make
from tournaments.tests import remembered
from tournaments.tests.remembered import Node, scenes

pytestmark = pytest.mark.django_db


def scene_of_all() -> tuple[Any, ...]:
    """Call every factory that is remembered, each after the other."""
    of = make.tournament("sbr")
    rows = make.players(of, 8)
    session = make.in_play(of)
    referee = make.chief_referee_of(of)
    protocol = Protocol.objects.select_related("table__session__tournament").filter(table__session=session)
    said = make.record(protocol.first())
    make.settle(session)
    return of, rows, session, referee, said, make.user(), make.operator(), make.staff(of, "scorer")


def everything() -> dict[str, list[Any]]:
    """Return every row of the applications."""
    models = [one for one in apps.get_models() if one._meta.app_label != "contenttypes"]
    return {one.__name__: list(one._base_manager.order_by("pk").values()) for one in models}


def undone_twice(work: Any, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Do the work twice in the same empty database, as two tests would."""
    from config.tests.world import undone

    found = []
    for _ in range(2):
        with scenes(monkeypatch), undone():
            found.append((work(), everything()))
    return found


@pytest.fixture
def _forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    remembered._root.following.clear()
    connection.cursor().close()


@pytest.mark.usefixtures("_forgotten")
def test_what_is_written_again_is_what_was_made(monkeypatch):
    calls = []
    make_now = remembered._make
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(remembered, "_make", lambda *args: calls.append(args) or make_now(*args))
        (first, rows), (second, rows_again) = undone_twice(scene_of_all, monkeypatch)
    assert len(calls) == 9  # once for each factory: the second time nothing was made
    assert rows == rows_again
    assert len(rows["HistoryEntry"]) > 20
    for one, other in zip(first, second, strict=True):
        assert one == other
    assert [one.tournament.pk for one in second[1]] == [second[0].pk] * 8


@pytest.mark.usefixtures("_forgotten")
def test_what_a_test_writes_itself_is_never_remembered(monkeypatch):
    """After a write of its own everything is made; and a row that is there already keeps scenes from being written."""

    def renamed() -> str:
        of = make.tournament("sbr")
        Tournament.objects.filter(pk=of.pk).update(name="Own")
        return make.players(of, 4)[0].tournament.name + Tournament.objects.get(pk=of.pk).name

    (first, rows), (second, rows_again) = undone_twice(renamed, monkeypatch)
    assert first.endswith("Own")
    assert second.endswith("Own")
    assert rows["HistoryEntry"][-1] != rows_again["HistoryEntry"][-1]
    assert rows["HistoryEntry"][0] == rows_again["HistoryEntry"][0]
    User.objects.create(username="already")
    (_, rows), (_, rows_again) = undone_twice(lambda: make.tournament("sbr"), monkeypatch)
    assert rows["Tournament"][0]["created_at"] != rows_again["Tournament"][0]["created_at"]


@pytest.mark.usefixtures("_forgotten")
def test_a_scene_is_made_anew_where_something_is_replaced(monkeypatch):
    def made_at() -> Any:
        return make.tournament("sbr").created_at

    (first, _), (second, _) = undone_twice(made_at, monkeypatch)
    assert first == second
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(make, "BIRDS", make.BIRDS)
        (third, _), (fourth, _) = undone_twice(made_at, patch)
    assert len({second, third, fourth}) == 3
    monkeypatch.setattr(remembered, "SECONDS", -1.0)
    (fifth, _), (sixth, _) = undone_twice(made_at, pytest.MonkeyPatch())
    assert len({first, fifth, sixth}) == 3


@pytest.mark.postgres
def test_scenes_are_forgotten_once_keys_are_counted_from_the_beginning_again(monkeypatch):
    """Else the next rows would have the keys of remembered ones."""
    monkeypatch.setattr(remembered, "_root", Node())
    with scenes(pytest.MonkeyPatch()):
        make.user()
    assert remembered._root.following
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM tournaments_user")
        cursor.execute("ALTER SEQUENCE tournaments_user_id_seq RESTART")
        remembered._forget_if_counted_anew(cursor)
    assert not remembered._root.following


def test_the_root_of_all_scenes_is_an_empty_database():
    assert Node().rows == {}
    assert remembered._root.rows == {}
