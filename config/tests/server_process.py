"""The server as a process of its own on the test's database, perhaps with a front server, for what a thread cannot show."""

import os
import secrets
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection

from config.tools.smoke import services

ROOT = Path(settings.BASE_DIR)


def database_url():
    """Name the database of this test."""
    told = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{told['NAME']}"
    who = told["USER"] + (f":{told['PASSWORD']}" if told["PASSWORD"] else "")
    return f"postgresql://{who}@{told['HOST'] or '127.0.0.1'}:{told['PORT'] or 5432}/{told['NAME']}"


@contextmanager
def serving(folder, *, descriptors=0, **more):
    """Run `python -m config.server`, perhaps with few descriptors; return its port and the path of its log."""
    port, log = services.free_port(), folder / "server.log"
    environment = {
        **{name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}},
        "DJANGO_SETTINGS_MODULE": "config.settings.development",
        "SECRET_KEY": settings.SECRET_KEY,
        "DATABASE_URL": database_url(),
        "FOUR_WINDS_VAR": str(folder),
        "PORT": str(port),
        **more,
    }
    command = [sys.executable, "-m", "config.server"]
    if descriptors:
        command = ["bash", "-c", f'ulimit -n {descriptors} && exec "$@"', "bash", *command]
    with (
        log.open("wb") as out,
        subprocess.Popen(command, cwd=ROOT, env=environment, stdout=out, stderr=out) as process,
    ):
        try:
            services.wait_until(lambda: services.answers(port), process, 60)
            yield port, log
        finally:
            services.end(process)


@contextmanager
def caddy(folder, port):
    """Run the shipped front server before a server, without certificates; return its port."""
    front, secure = services.free_port(), services.free_port()
    environment = {
        **os.environ,
        "SITE_ADDRESS": f"http://localhost:{front}",
        "HTTP_PORT": str(front),
        "HTTPS_PORT": str(secure),
        "WEB_UPSTREAMS": f"127.0.0.1:{port}",
        "LIVE_UPSTREAMS": f"127.0.0.1:{port}",
        "XDG_DATA_HOME": str(folder / secrets.token_hex(4)),
        "XDG_CONFIG_HOME": str(folder / secrets.token_hex(4)),
    }
    command = ["caddy", "run", "--config", str(ROOT / "deploy/Caddyfile"), "--adapter", "caddyfile"]
    with (
        (folder / "caddy.log").open("wb") as out,
        subprocess.Popen(command, env=environment, stdout=out, stderr=out) as process,
    ):
        try:
            services.wait_until(lambda: services.answers(front), process, 60)
            yield front
        finally:
            services.end(process)
