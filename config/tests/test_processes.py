"""A server of several processes starts and answers, as the compose file asks for it."""

import os
import re
import subprocess
import sys
import urllib.error
import urllib.request

import pytest
from django.conf import settings

from config.tools.smoke import services
from conftest import wait_for


@pytest.fixture
def environment(tmp_path):
    """What a production server is told; nothing listens at its Redis, which a server must survive."""
    return {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "config.settings.production",
        "SECRET_KEY": "0123456789abcdefghijABCDEFGHIJ-_0123456789-abcdefghijklmn-xyz",
        "ALLOWED_HOSTS": "localhost",
        "FOUR_WINDS_VAR": str(tmp_path),
        "REDIS_URL": f"redis://127.0.0.1:{services.free_port()}/0",
        "PORT": str(services.free_port()),
        "FOUR_WINDS_ROLE": "web",
        "WEB_PROCESSES": "2",
    }


def answer_of(port: str) -> bytes:
    """Return what /healthz answers, empty while nobody does."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
            return answer.read()
    except (OSError, urllib.error.URLError):
        return b""


STARTED = r"Started server process \[(\d+)\]"


def test_two_web_processes_start_and_answer(environment, tmp_path):
    """Each child loads the application by its name, before anybody has set Django up for it."""
    with (tmp_path / "log").open("wb") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "config.server"],
            cwd=settings.BASE_DIR, env=environment, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        services.wait_until(lambda: answer_of(environment["PORT"]) == b"alive\n", server, seconds=60)
        wait_for(
            lambda: len(re.findall(STARTED, (tmp_path / "log").read_text())) == 2,
            "One of the processes did not start",
            seconds=60,
        )
    finally:
        services.end(server)
    said = (tmp_path / "log").read_text()
    assert len(set(re.findall(STARTED, said))) == 2
    assert "Traceback" not in said
