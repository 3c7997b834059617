"""One entry point in every mode: raw live routes in front, everything else to Django's WSGI handler.

FOUR_WINDS_ROLE says what this process serves: `all` (one process does everything), `web` (pages), `live` (streams).
"""

import os
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")

from a2wsgi import WSGIMiddleware
from django.conf import settings
from django.urls import get_resolver

from config.collector import spare_the_collector
from config.live import Database, Hub, Message, Receive, Scope, Send, answer
from config.pages import SharedPages
from config.together import Together
from config.wsgi import application as pages

handler: Any = pages
ROLES = {"all", "web", "live"}


class Site:
    """The whole site as one ASGI application."""

    def __init__(self, role: str, *, threads: int, hub: Hub) -> None:
        """Choose what is served; nothing runs before the server says so."""
        if role not in ROLES:
            raise SystemExit(f"FOUR_WINDS_ROLE is “{role}”; it may be all, web or live.")
        self.role = role
        self.hub = hub
        self.pages: Any = WSGIMiddleware(handler, workers=threads)
        self.shared = SharedPages(lambda *call: self.pages(*call), hub)
        self.together = Together(self.shared)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lead a connection to the part that answers it."""
        if scope["type"] == "lifespan":
            await self.lifespan(receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1000})
        elif scope["path"] == "/healthz":
            await answer(send, 200, b"alive\n", (b"content-type", b"text/plain; charset=utf-8"))
        elif self.role != "web" and scope["path"].startswith("/live/"):
            await self.hub(scope, receive, send)
        elif self.role == "live" and scope["path"] != "/readyz":
            await answer(send, 404, b"")
        else:
            await self.together(scope, receive, send)

    async def lifespan(self, receive: Receive, send: Send) -> None:
        """Start the live part and the embedded tasks with the server, and end them with it."""
        while True:
            message: Message = await receive()
            if message["type"] == "lifespan.startup":
                await self.start()
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                await self.stop()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def start(self) -> None:
        """Begin what runs beside the requests."""
        await self.hub.start()
        if settings.EMBEDDED and self.role != "live":
            beside_the_pages()
        get_resolver().url_patterns  # noqa: B018 -- everything is loaded before the first request
        spare_the_collector()

    async def stop(self) -> None:
        """End it in the opposite order."""
        if settings.EMBEDDED and self.role != "live":
            end_beside_the_pages()
        self.together.stop()
        await self.hub.stop()


def beside_the_pages() -> None:
    """Start what one process does besides answering: recomputing, resuming lost draws, and playing the demo."""
    from config import demo
    from seating import background
    from tournaments import tasks

    tasks.start_embedded()
    background.start_embedded()
    demo.start()


def end_beside_the_pages() -> None:
    """End it."""
    from config import demo
    from tournaments import tasks

    demo.stop()
    tasks.stop_embedded()


def site() -> Site:
    """Build the application from the settings."""
    hub = Hub(
        Database(),
        redis_url=settings.REDIS_URL,
        redis_channel=settings.LIVE_CHANNEL,
        most_streams=settings.LIVE_MOST_STREAMS,
    )
    return Site(settings.ROLE, threads=settings.WEB_THREADS, hub=hub)


application = site()
