"""Scratch PostgreSQL and Redis servers on free ports, thrown away afterwards; standard library only."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

POSTGRESQL_PLACES = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
)
REDIS_NAMES = ("redis-server", "valkey-server")
WITHOUT_CARE_FOR_POWER_CUTS = (
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "max_connections=200",
)


class Unavailable(Exception):
    """A server could not be started; the sentence says why."""


def free_port() -> int:
    """Find a port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_until(is_there: Callable[[], bool], process: "subprocess.Popen[bytes]", seconds: float = 30) -> None:
    """Wait for a server that was just started; an early end or a long silence is a failure."""
    end = time.monotonic() + seconds
    while not is_there():
        if process.poll() is not None or time.monotonic() > end:
            raise Unavailable(f"{Path(str(process.args[0])).name} did not start")  # type: ignore[index]
        time.sleep(0.05)  # a server that starts tells nobody


def answers(port: int) -> bool:
    """Whether somebody takes connections on a port of this machine."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def end(process: "subprocess.Popen[bytes]", with_signal: int = signal.SIGTERM, patience: float = 10) -> None:
    """End a process that we started: politely, then not."""
    if process.poll() is not None:
        return
    process.send_signal(with_signal)
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def postgresql_programs() -> Path | None:
    """Find the folder with initdb and postgres, the newest version first."""
    found = shutil.which("initdb")
    if found and shutil.which("postgres"):
        return Path(found).resolve().parent
    folders = [folder for place in POSTGRESQL_PLACES for folder in Path("/").glob(place.lstrip("/"))]
    fit = [folder for folder in folders if (folder / "initdb").exists() and (folder / "postgres").exists()]
    return max(fit, key=lambda folder: [int(part) for part in _digits(str(folder))], default=None)


def _digits(text: str) -> list[str]:
    return "".join(letter if letter.isdigit() else " " for letter in text).split()


def redis_program() -> str | None:
    """Find a Redis server."""
    return next(filter(None, map(shutil.which, REDIS_NAMES)), None)


def servant() -> str | None:
    """Name the user who runs PostgreSQL, which refuses to be run by root; None for ourselves."""
    if os.geteuid() != 0:
        return None
    known = {user.pw_name for user in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody") if name in known)


@contextmanager
def postgresql(*, is_durable: bool = False) -> Iterator[str]:
    """Run a scratch PostgreSQL and return its address; measurements want one that writes as a real one does."""
    programs = postgresql_programs()
    if programs is None:
        raise Unavailable("no PostgreSQL server programs were found")
    folder, user, port = Path(tempfile.mkdtemp(prefix="four-winds-pg-")), servant(), free_port()
    if user:
        shutil.chown(folder, user)
    try:
        create = [programs / "initdb", "-D", folder / "data", "-U", "four_winds", "-A", "trust", "-E", "UTF8"]
        made = subprocess.run(
            [*map(str, create), "--locale=C", "--no-sync"],
            user=user,
            cwd=folder,
            capture_output=True,
            check=False,
        )
        if made.returncode:
            raise Unavailable(f"initdb failed: {made.stderr.decode(errors='replace').strip()[-300:]}")
        options = ("max_connections=200",) if is_durable else WITHOUT_CARE_FOR_POWER_CUTS
        settings = [part for option in options for part in ("-c", option)]
        place = ["-D", str(folder / "data"), "-k", str(folder), "-h", "127.0.0.1", "-p", str(port)]
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen(
                [str(programs / "postgres"), *place, *settings],
                user=user, cwd=folder, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        try:
            wait_until(lambda: is_ready(programs, port), server)
            yield f"postgresql://four_winds@127.0.0.1:{port}/postgres"
        finally:
            end(server, signal.SIGINT)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def is_ready(programs: Path, port: int) -> bool:
    """Whether PostgreSQL has finished starting."""
    ask = [str(programs / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port)]
    return answers(port) and subprocess.run(ask, check=False).returncode == 0


@contextmanager
def redis(port: int = 0) -> Iterator[str]:
    """Run a scratch Redis and return its address."""
    program = redis_program()
    if program is None:
        raise Unavailable("no Redis server program was found")
    port = port or free_port()
    with tempfile.TemporaryDirectory(prefix="four-winds-redis-") as folder:
        options = {
            "port": port,
            "bind": "127.0.0.1",
            "save": "",
            "appendonly": "no",
            "dir": folder,
            "databases": 64,
        }
        words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        server = subprocess.Popen([program, *words], stdout=subprocess.DEVNULL, start_new_session=True)
        try:
            wait_until(lambda: answers(port), server)
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            end(server)
