"""What every package's tests share: services, the running site, browsers, and a word about what was not run."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CHROMIUM_NAMES = (
    "chromium",
    "chromium-browser",
    "chromium-headless-shell",
    "google-chrome",
    "google-chrome-stable",
)
CHROMIUM_OPTIONS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--disable-gpu",
    "--no-first-run",
)
BESIDE_THE_SITE = {"standings", "demo", "draw"}
WHY_NOT = {
    "browser": "no Chromium was found on this machine",
    "postgres": "DATABASE_URL names no PostgreSQL",
    "redis": "REDIS_URL is not set",
    "sqlite": "this run is on PostgreSQL",
}


# Which tests can run here, and what is said of the others


def pytest_configure(config: pytest.Config) -> None:
    """Know one marker more than pyproject.toml: what only a SQLite file can show."""
    config.addinivalue_line("markers", "sqlite: shows something of SQLite alone")
    sweep_old_databases()
    if os.environ.get("DJANGO_SETTINGS_MODULE") and not hasattr(config, "workerinput"):
        from config import translation

        translation.compile_all()


def sweep_old_databases() -> None:
    """Remove the database files of runs that were killed long ago."""
    folder = Path(os.environ.get("FOUR_WINDS_VAR") or Path(__file__).parent / "var")
    for path in folder.glob("test-*.sqlite3*"):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > 3600:
                path.unlink()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what this machine cannot run; REQUIRE_BROWSER=1 makes a missing browser a failure instead."""
    # Playwright leaves an event loop running in its process: whatever minds that comes before.
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)
    missing = missing_services()
    for item in items:
        for name in missing & {mark.name for mark in item.iter_markers()}:
            if name == "browser" and os.environ.get("REQUIRE_BROWSER") == "1":
                continue
            item.add_marker(pytest.mark.skip(reason=f"{name}: {WHY_NOT[name]}"))


def missing_services() -> set[str]:
    """Name the markers whose service is not there."""
    from django.conf import settings

    if not settings.configured and not os.environ.get("DJANGO_SETTINGS_MODULE"):
        return set()
    is_sqlite = "sqlite" in settings.DATABASES["default"]["ENGINE"]
    missing = {"postgres"} if is_sqlite else {"sqlite"}
    if not settings.REDIS_URL:
        missing.add("redis")
    if chromium_path() is None:
        missing.add("browser")
    return missing


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say on what the tests ran, and which were left out and why."""
    from django.conf import settings

    if settings.configured:
        engine = settings.DATABASES["default"]["ENGINE"].rpartition(".")[2]
        tasks = "a thread" if settings.EMBEDDED else "Celery and Redis"
        terminalreporter.write_line(f"Ran on {engine} with {tasks}.")
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", [])
        if isinstance(report.longrepr, tuple)
    )
    for reason, count in sorted(reasons.items()):
        terminalreporter.write_line(f"Not run: {count} × {reason}")


# The database


@pytest.fixture(autouse=True)
def _no_test_hands_its_language_on() -> Iterator[None]:
    """Forget the language of the last request: Django keeps it for its thread, which the next test has too."""
    from django.apps import apps
    from django.utils import translation

    yield
    if apps.ready:
        translation.deactivate()


@pytest.fixture(scope="session", autouse=True)
def _history_sleeps_while_tables_are_emptied() -> Iterator[None]:
    """Let a transactional test empty the tables afterwards: the triggers that refuse it are put back at once."""
    from django.apps import apps

    if not apps.ready:
        yield
        return
    from django.db.backends.base.operations import BaseDatabaseOperations

    from tournaments import guard

    empty = BaseDatabaseOperations.execute_sql_flush

    def empty_without_guard(self: Any, sql_list: Any) -> Any:
        guarded = guard.is_in_place(self.connection)
        guard.remove(self.connection)
        try:
            return empty(self, sql_list)
        finally:
            if guarded:
                guard.install(self.connection)

    BaseDatabaseOperations.execute_sql_flush = empty_without_guard  # type: ignore[method-assign]
    yield
    BaseDatabaseOperations.execute_sql_flush = empty  # type: ignore[method-assign]


@pytest.fixture(scope="session")
def celery_config() -> dict[str, Any]:
    """Give Celery's own fixtures the broker of the settings."""
    from django.conf import settings

    return {"broker_url": settings.CELERY_BROKER_URL}


@pytest.fixture
def redis_client() -> Iterator[Any]:
    """Connect to the Redis of this run, emptied before and after."""
    from django.conf import settings
    from redis import Redis

    with Redis.from_url(settings.REDIS_URL) as client:
        client.flushdb()
        yield client
        client.flushdb()


@pytest.fixture
def worker(transactional_db: None) -> Iterator[None]:
    """Run a Celery worker in a thread, with the real broker; nothing where one process does everything."""
    from django.conf import settings

    if settings.EMBEDDED:
        yield
        return
    from celery.contrib.testing.worker import start_worker
    from celery.worker import state

    from config.celery import app

    # What a worker that was too slow to end has left behind would keep this one from ever starting.
    state.should_stop = state.should_terminate = None
    with logging_as_it_was(), start_worker(app, perform_ping_check=False, shutdown_timeout=60):
        yield


@contextmanager
def logging_as_it_was() -> Iterator[None]:
    """Undo what a worker does to the logging of its process."""
    root = logging.getLogger()
    level, handlers = root.level, root.handlers[:]
    try:
        yield
    finally:
        root.setLevel(level)
        root.handlers[:] = handlers


# The running site


class Site:
    """The real ASGI application under uvicorn in a thread of this process, on a free port."""

    def __init__(self) -> None:
        """Choose a port; nothing runs before `start`."""
        import uvicorn

        from config import asgi

        self.socket = socket.socket()
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.url = f"http://localhost:{self.port}"
        self.app = asgi.site()
        config = uvicorn.Config(self.app, log_config=None, access_log=False, timeout_graceful_shutdown=1)
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self._run, name="site", daemon=True)

    def _run(self) -> None:
        asyncio.run(self.server.serve(sockets=[self.socket]))

    def start(self) -> None:
        """Serve, and return when the first request would be answered."""
        self.thread.start()
        wait_for(lambda: self.server.started, "The site did not start")

    def stop(self) -> None:
        """End the server with its streams and threads."""
        self.server.should_exit = True
        self.thread.join(10)
        self.socket.close()
        self.app.pages.executor.shutdown(wait=True)
        for thread in threading.enumerate():
            if thread.name in BESIDE_THE_SITE:
                thread.join(10)


def wait_for(condition: Callable[[], Any], sentence: str, seconds: float = 10) -> Any:
    """Ask again until the answer is true; fail with the sentence when time is up.

    In browser tests this stands for Playwright's `wait_for_function`, which our content policy rightly refuses.
    """
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if answer := condition():
            return answer
        time.sleep(0.02)
    raise AssertionError(f"{sentence} within {seconds:.0f} s.")


@pytest.fixture
def site(transactional_db: None, worker: None) -> Iterator[Site]:
    """Serve the whole site, live streams and recomputation included."""
    running = Site()
    running.start()
    yield running
    running.stop()
    close_strangers_connections()


def close_strangers_connections() -> None:
    """End what ended threads left open on PostgreSQL, so that the test database can be dropped."""
    from django.db import connection

    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'idle'"
            )


# Browsers


def chromium_path() -> str | None:
    """Find a Chromium: CHROMIUM names one, else the usual names on the path, else Playwright's own."""
    named = os.environ.get("CHROMIUM")
    found = named or next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    return found or playwrights_own()


def playwrights_own() -> str | None:
    """Find the browser that `playwright install chromium` put on this machine."""
    homes = [
        os.environ.get("PLAYWRIGHT_BROWSERS_PATH"),
        Path.home() / ".cache/ms-playwright",
        Path.home() / "Library/Caches/ms-playwright",
        Path.home() / "AppData/Local/ms-playwright",
    ]
    names = ("chrome", "headless_shell", "Chromium", "chrome.exe", "headless_shell.exe")
    for home in filter(None, homes):
        for path in sorted(Path(home).glob("chromium*/**/*"), reverse=True):
            if path.name in names and path.is_file() and os.access(path, os.X_OK):
                return str(path)
    return None


@contextmanager
def blocking_calls_allowed() -> Iterator[None]:
    """Let the ORM be used beside Playwright, whose own event loop runs in the same thread."""
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    try:
        yield
    finally:
        os.environ.pop("DJANGO_ALLOW_ASYNC_UNSAFE")
        if before is not None:
            os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = before


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Start Chromium once for all browser tests."""
    from playwright.sync_api import sync_playwright

    path = chromium_path()
    if path is None:
        pytest.fail("REQUIRE_BROWSER is set, but no Chromium was found on this machine.")
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    options = [*CHROMIUM_OPTIONS, *(["--no-sandbox"] if is_root else [])]
    with blocking_calls_allowed(), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=options)
        yield browser
        browser.close()


NewBrowser = Any


@pytest.fixture
def new_browser(chromium: Browser, site: Site) -> Iterator[Callable[..., BrowserContext]]:
    """Open as many separate browsers as a test has people; their script errors and refused scripts fail it."""
    opened: list[BrowserContext] = []
    complaints: list[str] = []

    def open_one(**options: Any) -> BrowserContext:
        options = {
            "base_url": site.url,
            "locale": "en",
            "viewport": {"width": 1280, "height": 900},
            **options,
        }
        context = chromium.new_context(**options)
        context.set_default_timeout(10_000)
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        context.on("console", lambda line: complaints.append(line.text) if is_complaint(line) else None)
        opened.append(context)
        return context

    open_one.complaints = complaints  # type: ignore[attr-defined]
    with blocking_calls_allowed():
        yield open_one
        for context in opened:
            context.close()
    assert not complaints, "The browser complained:\n" + "\n".join(complaints)


def is_complaint(line: Any) -> bool:
    """Whether a console line tells of a fault: a script error or something the content policy refused."""
    return line.type == "error" and ("Content Security Policy" in line.text or "Uncaught" in line.text)


@pytest.fixture
def page(new_browser: Callable[..., BrowserContext]) -> Page:
    """Open one page in one browser."""
    return new_browser().new_page()
