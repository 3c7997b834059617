"""Servers and load for measurements: everything on this machine's own loopback, started and ended by the script itself."""

import json
import os
import re
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import world

sys.path.insert(0, str(world.ROOT))

from config.smoke import services

NGINX = """
daemon off; worker_processes 1; pid {home}/nginx.pid; error_log {home}/error.log;
events {{ worker_connections 1024; }}
http {{
  access_log off; default_type application/json; sendfile on; keepalive_requests 1000000;
  client_body_temp_path {home}; proxy_temp_path {home}; fastcgi_temp_path {home};
  uwsgi_temp_path {home}; scgi_temp_path {home};
  server {{ listen 127.0.0.1:{port}; root {root}; }}
}}
"""


def on_core(core: int, command: list[str]) -> list[str]:
    """Keep a process on one core, so that server and load do not share one; where that cannot be said, let it be."""
    if shutil.which("taskset") and (os.cpu_count() or 1) > 1:
        return ["taskset", "-c", str(core), *command]
    return command


def settings_for(home: Path, **more: str) -> dict[str, str]:
    """Give a production server its environment: plain HTTP, its own key, this database."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return {
        **kept,
        "DJANGO_SETTINGS_MODULE": "config.settings.production",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "ALLOWED_HOSTS": "localhost,127.0.0.1",
        "HTTPS": "0",
        "LOG_LEVEL": "ERROR",
        "FOUR_WINDS_VAR": str(home),
        "STATIC_ROOT": str(home / "static"),
        **more,
    }


def manage(environment: Mapping[str, str], *arguments: str) -> None:
    """Run a command of manage.py to its end."""
    subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=world.ROOT, env=dict(environment), check=True
    )


@contextmanager
def process(
    command: list[str], environment: Mapping[str, str], port: int = 0
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process until the measurement is over; wait until its port answers."""
    running = subprocess.Popen(command, cwd=world.ROOT, env=dict(environment), stdout=subprocess.DEVNULL)
    try:
        if port:
            services.wait_until(lambda: services.answers(port), running)
        yield running
    finally:
        services.end(running)


@contextmanager
def site(home: Path, core: int | None = 0, **more: str) -> Iterator[int]:
    """Run the whole site as `manage.py serve` does; give its port."""
    port = services.free_port()
    environment = settings_for(home, PORT=str(port), **more)
    manage(environment, "messages", "compile", "--verbosity=0")
    manage(environment, "collectstatic", "--no-input", "--verbosity=0")
    command = [sys.executable, "-m", "config.server"]
    with process(command if core is None else on_core(core, command), environment, port):
        yield port


@contextmanager
def nginx(home: Path, root: Path, core: int = 0) -> Iterator[int]:
    """Run nginx with one worker over a folder of files; give its port."""
    port = services.free_port()
    (home / "nginx.conf").write_text(NGINX.format(home=home, root=root, port=port), encoding="utf-8")
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    command = [program, "-p", str(home), "-c", str(home / "nginx.conf"), "-g", f"user {_owner(root)};"]
    with process(on_core(core, command), os.environ, port):
        yield port


def _owner(folder: Path) -> str:
    return folder.owner()


@dataclass(frozen=True)
class Load:
    """What wrk saw."""

    per_second: float
    p99_ms: float
    errors: int


def wrk(
    address: str,
    *,
    seconds: float,
    connections: int = 50,
    core: int = 1,
    headers: Mapping[str, str] | None = None,
) -> Load:
    """Ask for an address as fast as it answers, from one thread on another core."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds:.0f}s", "--latency"]
    for name, value in (headers or {}).items():
        command += ["-H", f"{name}: {value}"]
    said = subprocess.run(
        on_core(core, [*command, address]), capture_output=True, text=True, check=True
    ).stdout
    errors = re.search(r"Non-2xx or 3xx responses: (\d+)", said)
    socket_errors = [int(number) for number in re.findall(r"(?:connect|read|write|timeout) (\d+)", said)]
    return Load(
        per_second=float(re.search(r"Requests/sec:\s+([\d.]+)", said)[1]),  # type: ignore[index]
        p99_ms=_milliseconds(re.search(r"99%\s+([\d.]+)(us|ms|s)", said)),
        errors=int(errors[1]) if errors else sum(socket_errors),
    )


def _milliseconds(found: re.Match[str] | None) -> float:
    if found is None:
        return 0.0
    return float(found[1]) * {"us": 0.001, "ms": 1.0, "s": 1000.0}[found[2]]


def needs(*programs: str) -> None:
    """End with a word if a program is not on this machine."""
    missing = [name for name in programs if not shutil.which(name) and not Path(f"/usr/sbin/{name}").exists()]
    if missing:
        sys.exit(f"Not measured: install {', '.join(missing)} first.")


def percentile(values: list[float], share: float) -> float:
    """Give the value that this share of all does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def as_json(value: object) -> bytes:
    """Write a body."""
    return json.dumps(value).encode()
