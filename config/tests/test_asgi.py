"""Which process answers what, and that a server brings up and down what runs beside the requests."""

import asyncio

import pytest

from config import asgi


class Hub:
    """The live part, written down."""

    def __init__(self):
        self.seen = []

    async def __call__(self, scope, receive, send):
        await asgi.answer(send, 200, b"live")

    async def start(self):
        self.seen.append("start")

    async def stop(self):
        self.seen.append("stop")


async def pages(scope, receive, send):
    """Django, written down."""
    await asgi.answer(send, 200, b"page")


def ask(role, path, kind="http"):
    """Ask a process for an address."""
    site = asgi.Site(role, threads=1, hub=Hub())
    site.pages = pages
    sent = []

    async def receive():
        return {"type": "websocket.connect"}

    async def send(message):
        sent.append(message)

    asyncio.run(site({"type": kind, "path": path, "method": "GET", "headers": []}, receive, send))
    return sent[0].get("status"), sent[-1].get("body")


@pytest.mark.parametrize(
    ("role", "path", "answer"),
    [
        ("all", "/", (200, b"page")),
        ("all", "/live/spring/events", (200, b"live")),
        ("all", "/healthz", (200, b"alive\n")),
        ("all", "/readyz", (200, b"page")),
        ("web", "/", (200, b"page")),
        ("web", "/live/spring/events", (200, b"page")),
        ("web", "/healthz", (200, b"alive\n")),
        ("live", "/live/spring/events", (200, b"live")),
        ("live", "/", (404, b"")),
        ("live", "/accounts/login/", (404, b"")),
        ("live", "/readyz", (200, b"page")),
    ],
)
def test_role_decides_what_is_answered(role, path, answer):
    assert ask(role, path) == answer


def test_websockets_are_closed():
    assert ask("all", "/live/spring/events", kind="websocket") == (None, None)


def test_unknown_role_stops_the_start():
    with pytest.raises(SystemExit, match="it may be all, web or live"):
        asgi.Site("king", threads=1, hub=Hub())


@pytest.mark.parametrize(
    ("role", "is_embedded", "called"),
    [
        ("all", True, ["start_embedded", "start", "stop_embedded", "stop"]),
        ("all", False, ["start", "stop"]),
        ("web", False, ["start", "stop"]),
        ("live", False, ["start", "stop"]),
    ],
)
def test_server_starts_and_ends_what_runs_beside_the_requests(
    monkeypatch, settings, role, is_embedded, called
):
    settings.EMBEDDED = is_embedded
    hub = Hub()
    monkeypatch.setattr(asgi, "beside_the_pages", lambda: hub.seen.append("start_embedded"))
    monkeypatch.setattr(asgi, "end_beside_the_pages", lambda: hub.seen.append("stop_embedded"))
    monkeypatch.setattr(asgi, "spare_the_collector", lambda: None)
    site = asgi.Site(role, threads=1, hub=hub)
    messages = iter(["lifespan.startup", "lifespan.shutdown"])
    sent = []

    async def receive():
        return {"type": next(messages)}

    async def send(message):
        sent.append(message["type"])

    asyncio.run(site({"type": "lifespan"}, receive, send))
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
    assert sorted(hub.seen) == sorted(called)


def test_one_process_recomputes_resumes_draws_and_plays_the_demo(monkeypatch):
    begun = []
    monkeypatch.setattr("tournaments.tasks.start_embedded", lambda: begun.append("standings"))
    monkeypatch.setattr("seating.drafts.background.start_embedded", lambda: begun.append("draws"))
    monkeypatch.setattr("config.operator.chores.start_embedded", lambda: begun.append("chores"))
    monkeypatch.setattr("config.tools.demo.start", lambda: begun.append("demo"))
    asgi.beside_the_pages()
    assert begun == ["standings", "draws", "chores", "demo"]


def test_one_process_ends_what_it_began(monkeypatch):
    ended = []
    monkeypatch.setattr("tournaments.tasks.stop_embedded", lambda: ended.append("standings"))
    monkeypatch.setattr("config.operator.chores.stop_embedded", lambda: ended.append("chores"))
    monkeypatch.setattr("config.tools.demo.stop", lambda: ended.append("demo"))
    asgi.end_beside_the_pages()
    assert ended == ["demo", "chores", "standings"]
