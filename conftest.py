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
from random import Random
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CHROMIUM_NAMES = (
    "chromium-headless-shell",  # the same engine without the window around it: the tests take two thirds of the time
    "chromium",
    "chromium-browser",
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
PATIENCE = {"to see": 15_000, "to press": 30_000}
"""Milliseconds until a browser test gives something up: what takes longer on a busy machine is late, not wrong. Where a
time is the promise itself, the test names it."""
DATABASE_FIXTURES = {
    "db",
    "transactional_db",
    "django_db_setup",
    "django_db_reset_sequences",
    "django_db_serialized_rollback",
}
DATABASE_FIXTURES |= {"live_server", "redis_client", "worker", "site"}
WITH_COMMITS = {"transactional_db", "live_server", "site", "worker", "django_capture_on_commit_callbacks"}
DATABASE_MARKERS = ("django_db", "postgres", "redis")
BESIDE_THE_SITE = {"standings", "mails", "push", "chances", "demo", "draw", "chores"}
WHY_NOT = {
    "browser": "no Chromium was found on this machine",
    "node": "no Node was found on this machine",
    "postgres": "DATABASE_URL names no PostgreSQL",
    "redis": "REDIS_URL is not set",
    "sqlite": "this run is on PostgreSQL",
}


# Which tests can run here, in which order, and what is said of the others


def pytest_addoption(parser: pytest.Parser) -> None:
    """Know the two options of our own."""
    group = parser.getgroup("four winds")
    group.addoption(
        "--only-database",
        action="store_true",
        help="leave out what another database cannot change: tests that use none, and those marked `once`",
    )
    group.addoption(
        "--shuffle",
        type=int,
        metavar="SEED",
        help="the order of the tests; 0 is the order of the files, without it every run has one of its own",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Know the markers that pyproject.toml does not, and choose the order of this run for all its processes."""
    config.addinivalue_line("markers", "sqlite: shows something of SQLite alone")
    config.addinivalue_line(
        "markers", "once: shows what no database changes, such as layout; a second one is not asked"
    )
    if hasattr(config, "workerinput"):
        config.option.shuffle = config.workerinput["shuffle"]
    elif config.option.shuffle is None:
        config.option.shuffle = Random().randrange(1, 1_000_000)
    sweep_old_databases()
    if os.environ.get("DJANGO_SETTINGS_MODULE") and not hasattr(config, "workerinput"):
        from config.tools import translation

        translation.compile_all()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell each process of this run the order."""
    node.workerinput["shuffle"] = node.config.option.shuffle


def pytest_report_header(config: pytest.Config) -> str:
    """Return how to have this order again."""
    return f"order: --shuffle={config.option.shuffle}"


def sweep_old_databases() -> None:
    """Remove the database files of runs that were killed long ago."""
    folder = Path(os.environ.get("FOUR_WINDS_VAR") or Path(__file__).parent / "var")
    for path in folder.glob("test-*.sqlite3*"):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > 3600:
                path.unlink()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Choose, order and skip."""
    if config.option.only_database:
        leave_out(config, items)
    if config.option.shuffle:
        shuffle(items, config.option.shuffle)
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()) and not has(item, "browser"):
            raise pytest.UsageError(f"{item.nodeid} opens a browser: mark it with pytest.mark.browser.")
    # Playwright leaves an event loop running in its process: whatever minds that comes before. Among the others the
    # slow ones come first, so that no process is left with one of them when the rest is done.
    items.sort(key=lambda item: (has(item, "browser"), not has(item, "slow")))
    skip_what_is_missing(items)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Keep the garbage collector from walking all tests and modules again and again: they stay until the end."""
    from config.server.collector import spare_the_collector

    spare_the_collector()


def has(item: pytest.Item, marker: str) -> bool:
    """Whether a test bears a marker."""
    return item.get_closest_marker(marker) is not None


def uses_database(item: pytest.Item) -> bool:
    """Whether a test can notice which database or broker there is: by its fixtures, its markers or its class."""
    from django.test import SimpleTestCase

    fixtures = set(getattr(item, "fixturenames", ()))
    is_unittest = issubclass(getattr(item, "cls", None) or object, SimpleTestCase)
    return (
        bool(fixtures & DATABASE_FIXTURES) or any(has(item, name) for name in DATABASE_MARKERS) or is_unittest
    )


def leave_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Take out what another database cannot change; it is counted, and said at the end."""
    kept: list[pytest.Item] = []
    without: list[pytest.Item] = []
    once: list[pytest.Item] = []
    for item in items:
        group = without if not uses_database(item) else once if has(item, "once") else kept
        group.append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=without + once)
    config.stash[LEFT_OUT] = {"use no database": len(without), "show what no database changes": len(once)}


LEFT_OUT = pytest.StashKey[dict[str, int]]()


def shuffle(items: list[pytest.Item], seed: int) -> None:
    """Put the files, and the tests within each, in an order that the seed repeats."""
    chance = Random(seed)
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    order = list(files.values())
    chance.shuffle(order)
    for tests in order:
        chance.shuffle(tests)
    items[:] = [item for tests in order for item in tests]


def skip_what_is_missing(items: list[pytest.Item]) -> None:
    """Skip what this machine cannot run; REQUIRE_BROWSER=1 and REQUIRE_NODE=1 make it a failure instead."""
    missing = missing_services()
    for item in items:
        for name in missing & {mark.name for mark in item.iter_markers()}:
            if os.environ.get(f"REQUIRE_{name.upper()}") == "1":
                continue
            item.add_marker(pytest.mark.skip(reason=f"{name}: {WHY_NOT[name]}"))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the process that writes the summary what this one has left out."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["left_out"] = session.config.stash.get(LEFT_OUT, {})


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Hear what a process has left out: all of them have collected the same tests."""
    node.config.stash[LEFT_OUT] = getattr(node, "workeroutput", {}).get("left_out", {})


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
    if shutil.which("node") is None:
        missing.add("node")
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
    for reason, count in terminalreporter.config.stash.get(LEFT_OUT, {}).items():
        terminalreporter.write_line(f"Left to the first run: {count} tests that {reason}.")


# The database


@pytest.fixture(autouse=True)
def _no_test_hands_its_language_on() -> Iterator[None]:
    """Forget the language of the last request: Django keeps it for its thread, which the next test has too."""
    from django.apps import apps
    from django.utils import translation

    yield
    if apps.ready:
        translation.deactivate()


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_modify_db_settings: None) -> Iterator[bool]:
    """Start from a database that an earlier run has migrated, and leave nothing of this run behind."""
    from config.tests import migrated

    yield migrated.copied()
    migrated.removed()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """Store what was migrated for the runs to come."""
    from config.tests import migrated

    with django_db_blocker.unblock():
        migrated.kept()


@pytest.fixture(scope="session", autouse=True)
def _letters_are_sent_at_once() -> Iterator[None]:
    """Send letters within the request: another thread would not see what a test has not committed."""
    from django.apps import apps

    with pytest.MonkeyPatch.context() as patch:
        if apps.ready:
            from config.server import mail

            patch.setattr(mail, "later", mail.sent)
        yield


@pytest.fixture(autouse=True)
def _scenes_are_remembered(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let factories write again what they have made for another test, where a test is undone as a whole."""
    marker = request.node.get_closest_marker("django_db")
    fixtures = set(request.fixturenames)
    is_transactional = bool(marker and marker.kwargs.get("transaction")) or bool(fixtures & WITH_COMMITS)
    if is_transactional or not (marker or "db" in fixtures):
        yield
        return
    from tournaments.tests.remembered import scenes

    with scenes(monkeypatch):
        yield


@pytest.fixture(autouse=True)
def _no_test_uses_up_what_another_may_read() -> None:
    """Forget what was counted in this process."""
    from django.apps import apps

    if apps.ready:
        from tournaments.record import limits

        limits.READING.whole_at.clear()


@pytest.fixture(scope="session", autouse=True)
def _tables_are_emptied_quickly() -> Iterator[None]:
    """Empty after a transactional test what it has filled: the triggers that refuse it are put back at once."""
    from django.apps import apps

    if not apps.ready:
        yield
        return
    from django.core.management import sql
    from django.core.management.commands import flush
    from django.db.backends.base.operations import BaseDatabaseOperations

    from tournaments.record import triggers

    whole, announce = sql.sql_flush, sql.emit_post_migrate_signal
    empty = BaseDatabaseOperations.execute_sql_flush

    def rows_of_tables(style: Any, connection: Any, **how: Any) -> list[str]:
        """Delete the rows there are: to truncate a table makes new files for it and each of its indexes."""
        if any(how.values()):
            return whole(style, connection, **how)
        return [f"DELETE FROM {connection.ops.quote_name(table)}" for table in filled(connection)]

    def announce_what_is_gone(*said: Any, **more: Any) -> None:
        if not has_what_django_adds():
            announce(*said, **more)

    def empty_without_guard(self: Any, sql_list: Any) -> Any:
        guarded = triggers.is_in_place(self.connection)
        triggers.remove(self.connection)
        try:
            return empty(self, sql_list)
        finally:
            if guarded:
                triggers.install(self.connection)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flush, "sql_flush", rows_of_tables)
        patch.setattr(flush, "emit_post_migrate_signal", announce_what_is_gone)
        patch.setattr(BaseDatabaseOperations, "execute_sql_flush", empty_without_guard)
        yield


ADDED_BY_DJANGO = {"django_content_type", "auth_permission"}


def filled(connection: Any) -> list[str]:
    """Return the tables that hold rows of a test, all asked at once."""
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    names = sorted(set(tables) - ADDED_BY_DJANGO)
    asked = ", ".join(f"EXISTS (SELECT 1 FROM {connection.ops.quote_name(name)})" for name in names)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {asked}")
        return [name for name, has_rows in zip(names, cursor.fetchone(), strict=True) if has_rows]


def has_what_django_adds() -> bool:
    """Whether every model has its content type and permissions, which Django adds to an empty database."""
    from django.apps import apps
    from django.contrib.auth.models import Permission
    from django.contrib.contenttypes.models import ContentType

    known = [model._meta for model in apps.get_models()]
    wanted = sum(len(one.default_permissions) + len(one.permissions) for one in known)
    return ContentType.objects.count() >= len(known) and Permission.objects.count() >= wanted


@pytest.fixture(scope="session", autouse=True)
def _test_client_sends_whole_forms() -> Iterator[None]:
    """Let Django's test client end its forms as our pages do; what it sends as raw bytes goes as it is."""
    from django.test.client import MULTIPART_CONTENT, RequestFactory

    from config.server.whole_form import FIELD, VALUE

    factory: Any = RequestFactory
    encode = factory._encode_data

    def encode_whole(self: Any, data: Any, content_type: str) -> Any:
        is_form = content_type is MULTIPART_CONTENT and isinstance(data, dict)
        return encode(self, {**data, FIELD: VALUE} if is_form else data, content_type)

    factory._encode_data = encode_whole
    yield
    factory._encode_data = encode


@pytest.fixture(scope="session", autouse=True)
def _test_client_keeps_the_pages_own_context() -> Iterator[None]:
    """Let a response's `context` and `templates` be those of whole pages and forms.

    Django copies the context of every template that one of them extends or includes as well, which is the same context
    again and takes a tenth of the time of all tests.
    """
    from django.test import client as module

    client: Any = module
    store = client.store_rendered_templates

    def store_whole(kept: Any, signal: Any, sender: Any, template: Any, context: Any, **said: Any) -> None:
        if context.template is template:
            store(kept, signal, sender, template, context, **said)

    client.store_rendered_templates = store_whole
    yield
    client.store_rendered_templates = store


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
def worker(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run a Celery worker in a thread, with the real broker; nothing where one process does everything."""
    from django.conf import settings

    if settings.EMBEDDED:
        yield
        return
    from celery.contrib.testing.worker import start_worker
    from celery.worker import state

    from config.celery import app
    from config.server import broker

    # What a worker that was too slow to end has left behind would keep this one from ever starting.
    state.should_stop = state.should_terminate = None
    # A worker ends when its question for the next job has been answered, which takes a second while there is none.
    monkeypatch.setattr(broker.Transport, "brpop_timeout", 0.1)
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
        from config.server.process import OPTIONS

        self.socket = socket.socket()
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.url = f"http://localhost:{self.port}"
        self.app = asgi.site()
        config = uvicorn.Config(self.app, **{**OPTIONS, "timeout_graceful_shutdown": 1})
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self._run, name="site", daemon=True)

    def _run(self) -> None:
        asyncio.run(self.server.serve(sockets=[self.socket]))

    def start(self) -> None:
        """Serve, and return when the first request would be answered."""
        self.thread.start()
        wait_for(lambda: self.server.started, "The site did not start", seconds=60)

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
        Path.home() / ".cache/ms-playwright",
        Path.home() / "Library/Caches/ms-playwright",
        Path.home() / "AppData/Local/ms-playwright",
    ]
    if named := os.environ.get("PLAYWRIGHT_BROWSERS_PATH"):
        homes.insert(0, Path(named))
    names = ("chrome", "headless_shell", "Chromium", "chrome.exe", "headless_shell.exe")
    for home in homes:
        for path in sorted(home.glob("chromium*/**/*"), reverse=True):
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
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE["to see"])

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
        context.set_default_timeout(PATIENCE["to press"])
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


CONNECTIONS: WeakSet[Any] = WeakSet()


@pytest.fixture(scope="session", autouse=True)
def _connections_are_known() -> Iterator[None]:
    """Note every connection to a database that any thread of this process makes."""
    from django.apps import apps

    if not apps.ready:
        yield
        return
    from django.db.backends.base.base import BaseDatabaseWrapper

    make = BaseDatabaseWrapper.__init__

    def make_known(self: Any, *settings: Any, **more: Any) -> None:
        make(self, *settings, **more)
        CONNECTIONS.add(self)

    BaseDatabaseWrapper.__init__ = make_known  # type: ignore[method-assign]
    yield
    BaseDatabaseWrapper.__init__ = make  # type: ignore[method-assign]


@pytest.fixture
def alone_in_the_database() -> None:
    """Close what threads of earlier tests in this process have left open: a restore wants the database to itself."""
    from django.db import connections

    for other in list(CONNECTIONS):
        if other is not connections["default"]:
            other.inc_thread_sharing()
            other.close()
            other.dec_thread_sharing()
