"""Whether the site says truly that it lives and that it can take a score."""

import os
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from django.db import connection

from config.server import health, healthcheck
from config.tools.smoke.services import free_port


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


# The container's own question


class Site(BaseHTTPRequestHandler):
    """A site that is as well as its server's `status` says, and only under its own name."""

    def do_GET(self):
        """Answer /readyz."""
        is_known = (self.path, self.headers["Host"]) == ("/readyz", "tournaments.example.org")
        self.send_response(self.server.status if is_known else 400)
        self.end_headers()

    def log_message(self, *words):
        """Say nothing."""


@pytest.fixture
def site(monkeypatch):
    """The server whose health is asked for, where everything else goes through a proxy that is not there."""
    with HTTPServer(("127.0.0.1", 0), Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("PORT", str(server.server_port))
        monkeypatch.setenv("ALLOWED_HOSTS", "tournaments.example.org,other.example.org")
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
        yield server
        server.shutdown()


@pytest.mark.parametrize(("status", "is_well"), [(200, True), (503, False)])
def test_container_is_as_well_as_its_server_says(site, status, is_well):
    site.status = status
    assert healthcheck.server_is_ready() is is_well


def test_container_without_a_server_is_not_well(monkeypatch):
    monkeypatch.setenv("PORT", str(free_port()))
    assert not healthcheck.server_is_ready()


def test_process_lives_while_its_number_is_anybodys(tmp_path):
    file = tmp_path / "worker.pid"
    assert not healthcheck.process_lives(file)
    file.write_text(f"{os.getpid()}\n")
    assert healthcheck.process_lives(file)
