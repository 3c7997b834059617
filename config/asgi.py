"""One entry point in every mode: raw live routes in front, everything else to Django's WSGI handler.

FOUR_WINDS_ROLE says what this process serves: `all` (one process does everything), `web` (pages), `live` (streams).
"""

import os
import threading
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")
# A child of a server with several processes imports this module first of all, and what follows needs Django set up.
django.setup()

from django.conf import settings
from django.urls import get_resolver

from config.operator import metrics
from config.server import descriptors
from config.server.batch import HandBatches
from config.server.callers import Callers
from config.server.collector import spare_the_collector
from config.server.connections import Connections
from config.server.gate import Gate
from config.server.live import Database, Hub, Message, Receive, Scope, Send, answer
from config.server.page_cache import SharedPages
from config.server.sqlite import checkpoints
from config.server.workers import READING, Workers
from config.wsgi import application as pages

handler: Any = pages
ROLES = {"all", "web", "live"}
BESIDE = {"standings", "demo"}
WRITING = 5.0
"""For how many seconds the end waits for a thread that writes."""


class Site:
    """The whole site as one ASGI application."""

    def __init__(
        self, role: str, *, threads: int, hub: Hub, budget: descriptors.Budget = descriptors.PLENTY
    ) -> None:
        """Choose what is served; nothing runs before the server says so."""
        if role not in ROLES:
            raise SystemExit(f"FOUR_WINDS_ROLE is “{role}”; it may be all, web or live.")
        self.role = role
        self.hub = hub
        self.budget = budget
        self.callers = Callers()
        self.connections = Connections(self.callers, budget)
        self.pages: Any = Workers(handler, threads=threads, callers=self.callers)
        self.shared = SharedPages(self.draw, hub)
        self.batches = HandBatches(self.draw)
        self.gate = Gate(self.batches if settings.HAND_BATCHES else self.draw, self.callers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lead a connection to the part that answers it."""
        if scope["type"] == "lifespan":
            await self.lifespan(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1000})
        elif scope["path"] == "/healthz":
            await answer(send, 200, b"alive\n", (b"content-type", b"text/plain; charset=utf-8"))
        elif self.role != "web" and scope["path"].startswith("/live/"):
            await self.hub(scope, receive, send)
        elif self.role == "live" and scope["path"] != "/readyz":
            await answer(send, 404, b"")
        elif scope["method"] in READING:
            await (self.shared if settings.SHARED_PAGES else self.draw)(scope, receive, send)
        else:
            await self.gate(scope, receive, send)

    async def draw(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have Django answer."""
        await self.pages(scope, receive, send)

    async def lifespan(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Start the live part and the embedded tasks with the server, and end them with it."""
        while True:
            message: Message = await receive()
            if message["type"] == "lifespan.startup":
                await self.start()
                scope.get("state", {})["connections"] = self.connections
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                await self.stop()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def start(self) -> None:
        """Begin what runs beside the requests."""
        descriptors.tell(self.budget)
        await self.hub.start()
        self.connections.start()
        metrics.watch("live_streams", lambda: self.hub.streams)
        metrics.watch("hands_waiting", lambda: len(self.batches.waiting))
        metrics.start()
        if settings.EMBEDDED and self.role != "live":
            beside_the_pages()
        get_resolver().url_patterns  # noqa: B018 -- everything is loaded before the first request
        spare_the_collector()

    async def stop(self) -> None:
        """End it in the opposite order."""
        if settings.EMBEDDED and self.role != "live":
            end_beside_the_pages()
        self.batches.stop()
        await self.connections.stop()
        await self.hub.stop()
        if settings.EMBEDDED and self.role != "live":
            checkpoints.stop()


def beside_the_pages() -> None:
    """Start what one process does besides answering: recomputing, resuming lost draws, playing the demo, checkpoints."""
    from config.operator import chores
    from config.tools import demo
    from seating.drafts import background
    from tournaments import tasks

    tasks.start_embedded()
    background.start_embedded()
    chores.start_embedded()
    demo.start()
    checkpoints.start()


def end_beside_the_pages() -> None:
    """End it, and wait for what is just being written."""
    from config.operator import chores
    from config.tools import demo
    from tournaments import tasks

    demo.stop()
    chores.stop_embedded()
    tasks.stop_embedded()
    for thread in threading.enumerate():
        if thread.name in BESIDE:
            thread.join(WRITING)


def site() -> Site:
    """Build the application from the settings."""
    budget = descriptors.divide(descriptors.raise_limit(), settings.LIVE_MOST_STREAMS)
    hub = Hub(
        Database(),
        redis_url=settings.REDIS_URL,
        redis_channel=settings.LIVE_CHANNEL,
        most_streams=budget.streams,
    )
    return Site(settings.ROLE, threads=settings.WEB_THREADS, hub=hub, budget=budget)


application = site()
