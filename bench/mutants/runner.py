"""A pytest plugin that runs the tests of many faults in one process: each fault is planted in a fork of it.

Everything is imported, and a database made, only once. A fault within a function is planted by giving the living function its new
code; one that is seen when its file is imported needs a process of its own, and is left to `bench/mutation.py`.
"""

import gc
import importlib
import json
import os
import shutil
import signal
import time
import types
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bench.mutants import python, templates
from bench.mutants.python import Mutant

PATIENCE = 120


@dataclass(frozen=True)
class Job:
    """A fault and the tests that could see it."""

    mutant: Mutant
    tests: list[str]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Know where the faults are listed and where the answers go."""
    parser.addoption("--mutants", help="a file with faults and their tests")
    parser.addoption("--answers", help="the file to which the answers are written")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Try every fault in its turn."""
    jobs = [
        Job(Mutant(**row["mutant"]), row["tests"])
        for row in json.loads(Path(session.config.getoption("--mutants")).read_text())
    ]
    items = {item.nodeid: item for item in session.items}
    import_all(job.mutant.path for job in jobs)
    make_database(session)
    with open(session.config.getoption("--answers"), "w") as answers:
        for job in jobs:
            chosen = [items[name] for name in job.tests if name in items]
            begun = time.monotonic()
            verdict = attempt(session, job.mutant, chosen)
            print(
                json.dumps({"verdict": verdict, "seconds": round(time.monotonic() - begun, 1)}),
                file=answers,
                flush=True,
            )
    return True


def import_all(paths: Iterable[str]) -> None:
    """Import what will be faulty: a function that is not yet there cannot be given new code."""
    for path in sorted(set(paths)):
        if path.endswith(".py"):
            importlib.import_module(path.removesuffix(".py").replace("/", "."))


def make_database(session: pytest.Session) -> None:
    """Run one test that needs a database, so that every fork finds one made."""
    from django.db import connections

    first = next((item for item in session.items if item.get_closest_marker("django_db")), None)
    if first is not None:
        first.config.hook.pytest_runtest_protocol(item=first, nextitem=first)
    connections.close_all()


def attempt(session: pytest.Session, mutant: Mutant, items: list[pytest.Item]) -> str:
    """Return what becomes of a fault: killed or alive, or that it can only be planted before anything is imported."""
    if not items:
        return "no tests"
    plant = planting(mutant, Path.cwd())
    if plant is None:
        return "at import"
    child = os.fork()
    if child == 0:
        os.setsid()
        status = 3
        try:
            silence()
            own_database()
            plant()
            status = 2
            status = run(session, items)
        finally:
            os._exit(status)
    return {0: "alive", 3: "at import"}.get(waited(child), "killed")


def planting(mutant: Mutant, home: Path) -> Any:
    """Return how to plant a fault in a living process, or None."""
    if mutant.path.endswith(".html"):
        return lambda: plant_template(mutant, home)
    if not mutant.path.endswith(".py"):
        return None
    path = home / mutant.path
    before = compile(path.read_text(encoding="utf-8"), str(path), "exec")
    after = compile(python.planted(mutant, home), str(path), "exec")
    # Both through the tree, or texts that are joined at once would differ.
    pairs = python.changed_codes(before, after)
    return (lambda: plant_codes(pairs)) if pairs else None


def plant_codes(pairs: python.Codes) -> None:
    """Replace the old code by the new one in every function that runs it."""
    gc.unfreeze()  # what the site's start has frozen is not listed
    for old, new in pairs:
        found = [
            one
            for one in gc.get_objects()
            if type(one) is types.FunctionType  # isinstance would wake what is lazy
            and one.__code__.co_qualname == old.co_qualname
            and one.__code__.co_firstlineno == old.co_firstlineno
            and one.__code__.co_filename == old.co_filename
        ]
        if not found:
            raise LookupError(old.co_qualname)
        for function in found:
            function.__code__ = new


def plant_template(mutant: Mutant, home: Path) -> None:
    """Let the loaders read the faulty text."""
    from django.template import Origin, engines
    from django.template.loaders.filesystem import Loader

    path, text, read = str(home / mutant.path), templates.planted(mutant, home), Loader.get_contents

    def contents(self: Loader, origin: Origin) -> str:
        return text if origin.name == path else read(self, origin)

    Loader.get_contents = contents  # type: ignore[method-assign]
    for engine in engines.all():
        for loader in getattr(getattr(engine, "engine", None), "template_loaders", []):
            loader.reset()


def silence() -> None:
    """Say nothing of tests that are meant to fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def own_database() -> None:
    """Give this fork a copy of the database."""
    from django.db import connection

    name = connection.settings_dict["NAME"]
    if Path(str(name)).exists():
        connection.settings_dict["NAME"] = f"{name}-{os.getpid()}"
        shutil.copy(name, connection.settings_dict["NAME"])


def run(session: pytest.Session, items: list[pytest.Item]) -> int:
    """Run tests until one fails."""
    session._setupstate.teardown_exact(items[0])
    failed = session.testsfailed
    for item, following in zip(items, [*items[1:], None], strict=True):
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=following or item)
        if session.testsfailed > failed:
            return 1
    return 0


def waited(child: int) -> int:
    """Wait for a fork, and end it where it does not end by itself."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            clean(child)
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    clean(child)
    return 1


def clean(child: int) -> None:
    """Remove the database of a fork."""
    from django.db import connection

    for suffix in ("", "-wal", "-shm"):
        Path(f"{connection.settings_dict['NAME']}-{child}{suffix}").unlink(missing_ok=True)
