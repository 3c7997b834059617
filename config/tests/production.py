"""The site as it is shipped: production settings, its own process, its whole log in a file, and Caddy in front."""

import http.client
import json
import os
import re
import secrets
import socket
import ssl
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

from django.conf import settings

from config.server.whole_form import FIELD, VALUE
from config.tools.smoke import services

HOST = "tournaments.example.org"
PASSWORD = "seven winds of change"
WORLD = """
from tournaments.web.access import link_of
from tournaments.models import Tournament, Registration, User
import json
made = {}
for of in Tournament.objects.all():
    row = Registration.objects.filter(tournament=of).order_by("number").first()
    made[of.state] = {"slug": of.slug, "link": link_of(row) if row else ""}
print("MADE" + json.dumps(made))
"""


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def __getitem__(self, name: str) -> str:
        """Return a header, all of its lines in one."""
        return ", ".join(value for key, value in self.headers if key.lower() == name.lower())

    @property
    def cookies(self) -> list[str]:
        return [value for key, value in self.headers if key.lower() == "set-cookie"]

    @property
    def text(self) -> str:
        return self.body.decode(errors="replace")


@dataclass
class Browser:
    """Somebody who keeps cookies and comes through a front server that speaks HTTPS."""

    site: "Production"
    cookies: dict[str, str] = field(default_factory=dict)

    def ask(self, path: str, *, method: str = "GET", body: bytes = b"", **headers: str) -> Answer:
        """Ask for an address; cookies come along and are kept."""
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = self.site.ask(path, method=method, body=body, **headers)
        for line in answer.cookies:
            for name, morsel in SimpleCookie(line).items():
                self.cookies[name] = morsel.value
        return answer

    def send(self, path: str, form: Mapping[str, str], **headers: str) -> Answer:
        """Send a form with the token of the page before."""
        from urllib.parse import urlencode

        token = self.cookies.get("__Host-csrftoken", "")
        said = {"csrfmiddlewaretoken": token, **form, FIELD: VALUE}
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Referer": f"https://{HOST}/",
            **headers,
        }
        return self.ask(path, method="POST", body=urlencode(said).encode(), **headers)

    def sign_in(self, name: str = "demo") -> "Browser":
        """Sign in."""
        self.ask("/accounts/login/")
        answer = self.send("/accounts/login/", {"login": name, "password": PASSWORD})
        assert answer.status == 302, answer.text[-2000:]
        return self


class Production:
    """A server of its own, and what a front server would add to each request."""

    def __init__(self, folder: Path, **more: str) -> None:
        """Choose a port and say what the process is told."""
        self.folder, self.port = folder, services.free_port()
        self.log = folder / "log"
        self.made: dict[str, dict[str, str]] = {}
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        self.environment = {
            **kept,
            "DJANGO_SETTINGS_MODULE": "config.settings.production",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "ALLOWED_HOSTS": f"{HOST},localhost",
            "CSRF_TRUSTED_ORIGINS": f"https://{HOST}",
            "BEHIND_PROXY": "1",
            "FOUR_WINDS_VAR": str(folder),
            "STATIC_ROOT": str(folder / "static"),
            "PORT": str(self.port),
            "LOG_LEVEL": "DEBUG",
            "PYTHONDONTWRITEBYTECODE": "1",
            **more,
        }

    def manage(self, *arguments: str) -> str:
        """Run a command of manage.py to its end."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=settings.BASE_DIR, env=self.environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    def prepare(self) -> None:
        """Make everything that is there before the first request, the demo's events included."""
        self.manage("collectstatic", "--no-input", "--verbosity=0")
        self.manage("migrate", "--no-input", "--verbosity=0")
        self.manage("demo_tournament", "--password", PASSWORD)
        self.made = json.loads(re.search("^MADE(.*)$", self.manage("shell", "-c", WORLD), re.M)[1])

    def start(self, stack: ExitStack) -> None:
        """Serve until the stack ends."""
        log = stack.enter_context(self.log.open("ab"))
        running = subprocess.Popen(
            [sys.executable, "-m", "config.server"],
            cwd=settings.BASE_DIR, env=self.environment, stdout=log, stderr=log,
        )  # fmt: skip
        stack.callback(services.end, running)
        services.wait_until(lambda: services.answers(self.port), running, 60)

    def link(self, state: str = "running") -> str:
        """Return a player's private address."""
        return f"/{self.made[state]['slug']}/me/{self.made[state]['link']}/"

    def page(self, path: str = "", state: str = "running") -> str:
        """Return an address of an event."""
        return f"/{self.made[state]['slug']}/{path}"

    def ask(self, path: str, *, method: str = "GET", body: bytes = b"", **headers: str) -> Answer:
        """Ask as a front server does that was asked by HTTPS."""
        said = {"Host": HOST, "X-Forwarded-Proto": "https", **headers}
        said = {name.replace("_", "-"): value for name, value in said.items()}
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as asked:
            asked.request(method, path, body or None, said)
            return whole(asked.getresponse(), is_stream=path.endswith("/events"))

    def raw(self, text: bytes) -> bytes:
        """Send bytes as they are, and take what comes back."""
        with closing(socket.create_connection(("127.0.0.1", self.port), timeout=20)) as wire:
            wire.sendall(text)
            wire.shutdown(socket.SHUT_WR)
            parts = []
            while part := wire.recv(65536):
                parts.append(part)
            return b"".join(parts)


def whole(response: Any, *, is_stream: bool = False) -> Answer:
    """Take a whole answer; of a stream that never ends only what it says at the beginning."""
    body = b"" if is_stream and response.status == 200 else response.read()
    return Answer(response.status, response.getheaders(), body)


class Front:
    """Caddy under the shipped configuration, with a certificate of its own authority."""

    def __init__(self, folder: Path, upstream: int, *, without: str = "") -> None:
        """Choose ports; a test may take a part of the configuration away."""
        self.folder, self.upstream = folder, upstream
        self.config = folder / "Caddyfile"
        shipped = (settings.BASE_DIR / "deploy/Caddyfile").read_text()
        assert without in shipped
        self.config.write_text(shipped.replace(without, ""))
        self.ports = {"HTTP_PORT": services.free_port(), "HTTPS_PORT": services.free_port()}
        self.log = folder / "front.log"

    def start(self, stack: ExitStack) -> None:
        """Serve until the stack ends."""
        log = stack.enter_context(self.log.open("ab"))
        upstream = f"127.0.0.1:{self.upstream}"
        running = subprocess.Popen(
            ["caddy", "run", "--config", str(self.config), "--adapter", "caddyfile"],
            env={"PATH": os.environ["PATH"], "HOME": str(self.folder), "SITE_ADDRESS": f"localhost:{self.ports['HTTPS_PORT']}",
                 "WEB_UPSTREAMS": upstream, "LIVE_UPSTREAMS": upstream, "XDG_DATA_HOME": str(self.folder)}
            | {name: str(port) for name, port in self.ports.items()},
            stdout=log, stderr=log,
        )  # fmt: skip
        stack.callback(services.end, running)
        services.wait_until(self.is_ready, running)

    def is_ready(self) -> bool:
        """Return whether it has made its certificate, too."""
        try:
            return bool(self.ask("/healthz").status)
        except OSError:
            return False

    def ask(self, path: str, *, method: str = "GET", body: bytes = b"", **headers: str) -> Answer:
        """Ask by HTTPS; the certificate is Caddy's own and not what is tested."""
        context = ssl._create_unverified_context()
        port = self.ports["HTTPS_PORT"]
        with closing(http.client.HTTPSConnection("localhost", port, timeout=60, context=context)) as asked:
            asked.request(method, path, body or None, headers)
            return whole(asked.getresponse(), is_stream=path.endswith("/events"))
