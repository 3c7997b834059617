"""What the environment may say, and what production refuses to start with."""

import contextlib
import json
import os
import re
import subprocess
import sys

import pytest
from django.conf import settings
from django.db import ConnectionHandler

from config.settings import environment

PRODUCTION = {
    "DJANGO_SETTINGS_MODULE": "config.settings.production",
    "SECRET_KEY": "0123456789abcdefghijABCDEFGHIJ-_0123456789-abcdefghijklmn-xyz",
    "ALLOWED_HOSTS": "example.org",
    "DATABASE_URL": "postgresql://site:s%2Fecret@db:5433/four%20winds?pool=8&sslmode=require",
    "REDIS_URL": "redis://cache:6379/0",
}


def ask(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a few lines of Python in a process of their own under the production settings."""
    clean = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
    wanted = {name: value for name, value in {**PRODUCTION, **environment}.items() if value}
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=settings.BASE_DIR, env={**clean, **wanted}, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


DEPLOY = """
import django, sys
from django.core.management import call_command
django.setup()
call_command("check", deploy=True, fail_level="INFO")
"""


def test_check_deploy_is_clean_in_production():
    done = ask(DEPLOY)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


def test_check_deploy_can_fail():
    done = ask(DEPLOY, HTTPS="0")
    assert done.returncode == 1
    assert "security.W008" in done.stderr


@pytest.mark.parametrize("name", ["SECRET_KEY", "ALLOWED_HOSTS"])
def test_production_refuses_to_start_without(name):
    done = ask("import django; django.setup()", **{name: ""})
    assert done.returncode == 1
    assert f"{name} is not set" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("HTTPS", "maybe", "HTTPS is “maybe”; write 1 or 0."),
        ("WEB_THREADS", "many", "WEB_THREADS is “many”; write a whole number."),
        ("FOUR_WINDS_ROLE", "king", "FOUR_WINDS_ROLE is “king”; it may be all, live, web."),
        (
            "DATABASE_URL",
            "mysql://x/y",
            "DATABASE_URL: “mysql” is not known; use postgresql:// or sqlite:///.",
        ),
    ],
)
def test_nonsense_in_the_environment_stops_the_start(name, value, sentence):
    done = ask("import django; django.setup()", **{name: value})
    assert (done.returncode, done.stderr.strip()) == (1, sentence)


@pytest.mark.parametrize(
    ("host", "backend"),
    [("", "config.tools.letters.Terminal"), ("mail.example.org", "config.operator.mail.Backend")],
    ids=["terminal", "mail host"],
)
def test_a_laptop_sends_letters_as_a_server_does(tmp_path, host, backend):
    done = ask(
        "from django.conf import settings; print(settings.EMAIL_BACKEND)",
        DJANGO_SETTINGS_MODULE="config.settings.development", FOUR_WINDS_VAR=str(tmp_path), EMAIL_HOST=host,
    )  # fmt: skip
    assert done.stdout.strip() == backend


def test_secret_may_lie_in_a_file(tmp_path, monkeypatch):
    (tmp_path / "key").write_text("from a file\n")
    monkeypatch.setenv("SOME_SECRET_FILE", str(tmp_path / "key"))
    assert environment.secret("SOME_SECRET") == "from a file"


def test_address_of_postgresql_is_read():
    known = environment.database(PRODUCTION["DATABASE_URL"])
    place = {name: known[name] for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT")}
    assert place == {
        "NAME": "four winds",
        "USER": "site",
        "PASSWORD": "s/ecret",
        "HOST": "db",
        "PORT": "5433",
    }
    assert known["CONN_MAX_AGE"] == 0
    assert known["OPTIONS"]["pool"] == {"min_size": 1, "max_size": 8, "timeout": 10}
    assert known["OPTIONS"]["sslmode"] == "require"


def test_address_of_a_socket_is_read():
    known = environment.database("postgresql:///winds?host=/run/postgresql")
    assert (known["HOST"], known["NAME"], known["CONN_MAX_AGE"]) == ("/run/postgresql", "winds", 60)


@pytest.mark.parametrize(
    ("url", "path"),
    [("sqlite:///var/x.sqlite3", "var/x.sqlite3"), ("sqlite:////srv/x.sqlite3", "/srv/x.sqlite3")],
    ids=["relative", "absolute"],
)
def test_address_of_sqlite_is_read(url, path):
    assert environment.database(url)["NAME"] == path


@pytest.mark.parametrize(
    ("pragma", "value"),
    [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("recursive_triggers", 1), ("busy_timeout", 20000)],
    ids=lambda value: str(value),
)  # fmt: skip
def test_sqlite_survives_power_cuts_and_refuses_replacement(pragma, value, tmp_path, django_db_blocker):
    connection = ConnectionHandler({"default": environment.sqlite(tmp_path / "winds.sqlite3")})["default"]
    with django_db_blocker.unblock(), contextlib.closing(connection), connection.cursor() as cursor:
        cursor.execute(f"PRAGMA {pragma}")
        assert cursor.fetchone() == (value,)


def test_requests_are_not_transactions():
    assert not settings.DATABASES["default"].get("ATOMIC_REQUESTS")


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/", "/nowhere/", "/accounts/login/", "/healthz", "/api/1/openapi.json"])
def test_content_policy_of_every_answer_allows_nothing_unsafe(client, address):
    """What a browser is told, not what the settings say: nothing but what is named, and forms to this site alone."""
    policy = dict(
        part.split(maxsplit=1) for part in client.get(address)["Content-Security-Policy"].split("; ")
    )
    assert "unsafe" not in str(policy)
    named = {name: policy.get(name) for name in ("default-src", "form-action", "frame-ancestors", "base-uri")}
    assert named == {
        "default-src": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
        "base-uri": "'self'",
    }


# Logs


LOGS = """
import django, json, logging
django.setup()
from django.test import Client
Client().get("/healthz", secure=True)
try:
    1 / 0
except ZeroDivisionError:
    logging.getLogger("x").exception("It broke: %s", "ё")
"""


def test_production_logs_are_json_with_tracebacks(tmp_path):
    done = ask(LOGS, DATABASE_URL="", REDIS_URL="", ALLOWED_HOSTS="testserver", STATIC_ROOT=str(tmp_path))
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert [(line["level"], line["message"], line["request"]) for line in lines] == [
        ("error", "It broke: ё", "-")
    ]
    assert "ZeroDivisionError" in lines[0]["error"]


def test_requests_are_numbered_and_logged_by_route(client, caplog):
    with caplog.at_level("INFO", "four_winds.access"):
        answer = client.get("/messages/ru.js", headers={"X-Request-ID": "front-12345678"})
    assert answer["X-Request-ID"] == "front-12345678"
    record = caplog.records[-1]
    assert (record.method, record.route, record.status) == ("GET", "/messages/<str:language>.js", 200)


def test_strange_request_numbers_are_replaced(client):
    answer = client.get("/robots.txt", headers={"X-Request-ID": 'x" level="none\n'})
    assert len(answer["X-Request-ID"]) == 32


# Packages


@pytest.mark.parametrize("name", ["requirements", "requirements-dev"])
def test_lock_holds_every_named_package(name):
    assert pins(f"{name}.txt") <= pins(f"{name}.lock")


def test_both_locks_agree():
    assert pins("requirements.lock") <= pins("requirements-dev.lock")


def pins(name: str) -> set[tuple[str, str]]:
    """Read the names and versions of a list of packages."""
    text = (settings.BASE_DIR / name).read_text()
    return set(re.findall(r"^([a-z0-9._-]+)(?:\[[a-z,]+\])?==([^\s;]+)", text, re.MULTILINE))


def test_postgresql_without_its_package_is_told_with_what_to_install(monkeypatch):
    monkeypatch.setattr(environment.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(SystemExit, match="psycopg is not installed here"):
        environment.database(PRODUCTION["DATABASE_URL"])
    assert environment.database("sqlite:////tmp/site.sqlite3")["ENGINE"] == "config.server.sqlite"
