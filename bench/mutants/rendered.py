"""A pytest plugin that notes which test renders which template, for coverage knows only lines of Python, and which fails."""

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

_seen: dict[str, set[str]] = defaultdict(set)
_current: list[str] = [""]
_failed: set[str] = set()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Know which test is running."""
    _current[0] = item.nodeid
    yield
    _current[0] = ""


def pytest_sessionstart(session: pytest.Session) -> None:
    """Listen to Django, which tells of every template that it renders in tests."""
    from django.test.signals import template_rendered

    template_rendered.connect(_note, weak=False)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note who fails without any fault."""
    if report.failed:
        _failed.add(report.nodeid)


def _note(template: Any, **_: Any) -> None:
    if template.name:
        _seen[template.name].add(_current[0])


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write what was seen, a file for each process."""
    folder = Path(os.environ["MUTANTS_RENDERED"])
    folder.mkdir(parents=True, exist_ok=True)
    content = {"seen": {name: sorted(tests) for name, tests in _seen.items()}, "failed": sorted(_failed)}
    (folder / f"{os.getpid()}.json").write_text(json.dumps(content))
