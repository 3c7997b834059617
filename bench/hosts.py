"""Servers for measurements: everything on this machine's own loopback, started and ended by the script itself."""

import json
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import world
from config.tools.smoke import services


def settings_for(home: Path, **more: str) -> dict[str, str]:
    """Give a production server its environment: plain HTTP, its own key, this database."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "HAND_BATCHES") if name in os.environ}
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


def on_core(core: int | None, command: list[str]) -> list[str]:
    """Bind a command to one core, if one is named."""
    return command if core is None else ["taskset", "-c", str(core), *command]


@contextmanager
def process(
    command: list[str], environment: Mapping[str, str], port: int = 0, *, is_asked: bool = False
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process until the measurement is over; wait until its port answers. One that is asked is given two pipes."""
    pipes = (subprocess.PIPE, subprocess.PIPE) if is_asked else (None, subprocess.DEVNULL)
    running = subprocess.Popen(
        command, cwd=world.ROOT, env=dict(environment), stdin=pipes[0], stdout=pipes[1]
    )
    try:
        if port:
            services.wait_until(lambda: services.answers(port), running)
        yield running
    finally:
        services.end(running)


@contextmanager
def site(home: Path, **more: str) -> Iterator[int]:
    """Run the whole site as `manage.py serve` does; return its port."""
    port = services.free_port()
    environment = settings_for(home, PORT=str(port), **more)
    manage(environment, "messages", "compile", "--verbosity=0")
    manage(environment, "collectstatic", "--no-input", "--verbosity=0")
    with process([sys.executable, "-m", "config.server"], environment, port):
        yield port


def needs(*programs: str) -> None:
    """End with a word if a program is not on this machine."""
    missing = [name for name in programs if not shutil.which(name) and not Path(f"/usr/sbin/{name}").exists()]
    if missing:
        sys.exit(f"Not measured: install {', '.join(missing)} first.")


def percentile(values: list[float], share: float) -> float:
    """Return the value that this share of all does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def as_json(value: object) -> bytes:
    """Write a body."""
    return json.dumps(value).encode()
