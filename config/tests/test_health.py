"""Whether the site says truly that it lives and that it can take a score."""

import pytest
from django.db import connection

from config import health


def test_alive_needs_no_database(client):
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"alive\n")


@pytest.mark.django_db
def test_ready_names_every_part(client, settings):
    parts = {"database", "migrations", "writable"} | (set() if settings.EMBEDDED else {"redis"})
    answer = client.get("/readyz")
    assert answer.json() == {"ready": True, "checks": dict.fromkeys(parts, "ok")}
    assert answer.status_code == 200


@pytest.mark.django_db
def test_ready_is_refused_while_migrations_wait(client):
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'sessions'")
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["checks"]["migrations"] == "migrations are waiting"


@pytest.mark.django_db
def test_ready_is_refused_when_a_part_fails_and_keeps_the_reason_to_itself(client, monkeypatch):
    def fail():
        raise OSError("the password is hunter2")

    monkeypatch.setattr(health, "database", fail)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["checks"]["database"] == "failed"
    assert b"hunter2" not in answer.content


@pytest.mark.sqlite
@pytest.mark.django_db
def test_ready_is_refused_on_a_full_disk(client, monkeypatch):
    monkeypatch.setattr(health.shutil, "disk_usage", lambda path: type("Usage", (), {"free": 1})())
    assert client.get("/readyz").json()["checks"]["writable"] == "the disk is almost full"


@pytest.mark.django_db
def test_ready_is_refused_when_redis_is_away(client, settings):
    settings.EMBEDDED = False
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["checks"]["redis"]) == (503, "failed")
