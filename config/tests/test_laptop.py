"""The site as `run.py` leaves it on somebody's laptop: real processes, their files, and what the terminal shows."""

import http.client
import http.cookiejar
import os
import re
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from django.conf import settings

from conftest import wait_for

ROOT = Path(settings.BASE_DIR)
DATABASE = "four-winds.sqlite3"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def environment(var, **more):
    """The environment in which run.py starts the site."""
    ours = ("DATABASE_URL", "REDIS_URL", "FOUR_WINDS_LAN", "ALLOWED_HOSTS", "EMAIL_HOST")
    return {
        **{name: value for name, value in os.environ.items() if name not in ours},
        "DJANGO_SETTINGS_MODULE": "config.settings.development",
        "FOUR_WINDS_VAR": str(var),
        "FOUR_WINDS_DEMO": "0",
        "LOG_LEVEL": "WARNING",
        "PYTHONUNBUFFERED": "1",
        **more,
    }


@contextmanager
def serving(var, **more):
    """Serve from a folder until the block ends, then end the site as Ctrl-C does."""
    port = free_port()
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    with (var.parent / "terminal").open("w+") as terminal:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment(var, **more), stdout=terminal, stderr=subprocess.STDOUT
        )
        try:
            wait_until_alive(process, port)
            yield port
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)


def wait_until_alive(process, port):
    end = time.monotonic() + 120
    while time.monotonic() < end and process.poll() is None:
        try:
            if ask(port, "/healthz")[0] == 200:
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("The site did not start.")


def ask(port, path, host="localhost", **headers):
    """One request; status and text."""
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    with closing(asked):
        asked.request("GET", path, headers={"Host": f"{host}:{port}", **headers})
        answer = asked.getresponse()
        return answer.status, answer.read().decode()


def said(var):
    return (var.parent / "terminal").read_text()


def count_in_file_alone(var, table, copied_to):
    """How many rows somebody finds who copies the database file and nothing beside it."""
    copy = Path(shutil.copy(var / DATABASE, copied_to))
    with closing(sqlite3.connect(copy)) as found:
        return found.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def send(port, path, **fields):
    """Send a form as a browser does, with the token of its page; status and the address it leads to."""
    jar = http.cookiejar.CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    page = opener.open(f"http://localhost:{port}{path}").read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page).group(1)
    body = urllib.parse.urlencode({"csrfmiddlewaretoken": token, **fields, "form_end": "1"}).encode()
    answer = opener.open(f"http://localhost:{port}{path}", body)
    return answer.status, answer.url


def make_account(var, name="organizer"):
    script = (
        f"from tournaments.models import User; User.objects.create_user({name!r}, password='four winds blow')"
    )
    subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", script],
        cwd=ROOT, env=environment(var), check=True, capture_output=True,
    )  # fmt: skip


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(scope="session")
def started_once(tmp_path_factory):
    """The folder of a site that was started and stopped, without the demo or with it; made when it is first asked for."""
    made = {}

    def folder(demo):
        if demo not in made:
            made[demo] = tmp_path_factory.mktemp("once") / "var"
            if demo == "1":
                shutil.copytree(folder("0"), made[demo])
            with serving(made[demo], FOUR_WINDS_DEMO=demo):
                pass
        return made[demo]

    return folder


@pytest.fixture
def var(started_once, tmp_path):
    """The folder of a site that has been started before, to go on with."""
    return shutil.copytree(started_once("0"), tmp_path / "var")


@pytest.fixture
def demo_var(started_once, tmp_path):
    """The same with the demo in it."""
    return shutil.copytree(started_once("1"), tmp_path / "var")


def test_after_a_clean_stop_the_database_file_alone_is_whole(tmp_path):
    var = tmp_path / "var"
    with serving(var):
        make_account(var)
    assert count_in_file_alone(var, "tournaments_user", tmp_path / "copy.sqlite3") == 1
    assert not (var / f"{DATABASE}-wal").exists() or (var / f"{DATABASE}-wal").stat().st_size == 0
    assert "Traceback" not in said(var)


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps files private by their folder")
def test_what_is_recorded_is_readable_by_its_owner_alone(tmp_path):
    var = tmp_path / "var"
    with serving(var):
        found = {path.name: mode(path) for path in var.iterdir() if path.is_file()}
    assert {f"{DATABASE}", f"{DATABASE}-wal", f"{DATABASE}-shm", "secret"} <= set(found)
    assert {name: oct(bits) for name, bits in found.items() if bits & 0o077} == {}
    assert mode(var) == 0o700


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps files private by their folder")
def test_what_an_earlier_start_left_open_is_closed(var):
    for path in [var, *var.iterdir()]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    with serving(var):
        found = {path.name: mode(path) for path in var.iterdir() if path.is_file()}
    assert {name: oct(bits) for name, bits in found.items() if bits & 0o077} == {}
    assert mode(var) == 0o700


@pytest.mark.parametrize("password", ["--password", "-a b 'c\" $d"])
def test_a_demo_whose_password_looks_like_an_option_is_made(var, password):
    (var / "demo-password").write_text(password)
    with serving(var, FOUR_WINDS_DEMO="1") as port:
        assert ask(port, "/")[0] == 200
    assert f"password  {password}" in said(var)


def test_a_foreign_host_name_is_refused_without_a_traceback_in_the_terminal(var):
    with serving(var) as port:
        assert ask(port, "/", host="laptop.example.org")[0] == 400
        assert ask(port, "/accounts/login/", host="laptop.example.org")[0] == 400
    assert "Traceback" not in said(var)
    assert "laptop.example.org" in said(var)
    assert said(var).count("laptop.example.org") == 1


def test_a_forgotten_password_is_set_by_the_link_on_the_terminal(var):
    with serving(var) as port:
        make_account(var, "referee")
        status, address = send(port, "/accounts/password/reset/", email="Referee")
        assert (status, address) == (200, f"http://localhost:{port}/accounts/password/reset/done/")
        found = wait_for(
            lambda: re.search(r"http://localhost:\d+(/accounts/password/reset/key/\S+)", said(var)),
            "The link was not printed",
        )
        link = found.group(1)
        assert ask(port, link)[0] == 302
        assert send(port, "/accounts/password/reset/", email="nobody\x1b[2Jhere")[0] == 200
    assert "\x1b" not in said(var)
    assert "Traceback" not in said(var)


def manage(var, *words, **more):
    done = subprocess.run(
        [sys.executable, "manage.py", *words], cwd=ROOT, env=environment(var, **more), check=True, capture_output=True, text=True
    )  # fmt: skip
    return done.stdout


def test_a_start_without_the_demo_removes_one_that_nobody_has_touched(demo_var):
    with serving(demo_var) as port:
        assert "Bamboo Grove" not in ask(port, "/")[1]
    assert "The demo of an earlier start was removed." in said(demo_var)


def test_a_start_that_says_nothing_of_the_demo_leaves_it_as_it_is(demo_var):
    """Whoever looks at a restored backup with `manage.py serve` finds in it what it held."""
    with serving(demo_var, FOUR_WINDS_DEMO="") as port:
        assert "Bamboo Grove" in ask(port, "/")[1]
    assert "demo" not in said(demo_var).lower()


def test_a_demo_in_which_somebody_worked_stays_until_it_is_removed_by_name(demo_var):
    work = (
        "from tournaments.models import *; from tournaments.record.actors import *; from tournaments.people.operations import registration;"
        "of = Tournament.objects.get(slug='spring-peonies'); by = Actor(ActorKind.USER, User.objects.get(username='demo').pk,"
        "frozenset({'organizer'})); registration.register_player(of, registration.Details(name='Guest'), by=by)"
    )
    manage(demo_var, "shell", "--no-imports", "-c", work)
    with serving(demo_var) as port:
        assert "Bamboo Grove" in ask(port, "/")[1]
    assert "somebody has worked in it" in said(demo_var)
    assert "run.py --remove-demo" in said(demo_var)
    assert "Removed: 6 events" in manage(demo_var, "demo_tournament", "--remove")
    with serving(demo_var) as port:
        assert "Bamboo Grove" not in ask(port, "/")[1]
