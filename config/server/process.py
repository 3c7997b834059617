"""Start the server of this process: `python -m config.server` in production, `manage.py serve` on one machine."""

import contextlib
import os
import socket
import sys
from typing import TYPE_CHECKING, Any

import uvicorn
from django.conf import settings

if TYPE_CHECKING:
    from config.server.live import Hub

STARTUP_FAILURE = 3
OPTIONS: dict[str, Any] = {
    "http": "config.server.connections:Connection",
    "ws": "none",
    "lifespan": "on",
    "log_config": None,
    "access_log": False,
    "server_header": False,
    "timeout_graceful_shutdown": 2,
}
"""How every server of this site is set up, those of the tests included."""


class Server(uvicorn.Server):
    """A server that ends its open streams as soon as it is told to end, instead of waiting for them and complaining."""

    def __init__(self, config: uvicorn.Config, hub: "Hub") -> None:
        """Know who holds the streams."""
        super().__init__(config)
        self.hub = hub

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let nobody in, end the streams, then everything else."""
        for server in self.servers:
            server.close()
        await self.hub.end_streams()
        await super().shutdown(sockets)


def run(host: str, port: int, processes: int = 1) -> None:
    """Serve until a signal comes; what is open then is given two seconds. Addresses are not logged: some are secrets."""
    if processes > 1 and settings.EMBEDDED:
        raise SystemExit(
            "WEB_PROCESSES is more than 1, but without REDIS_URL one process must do everything."
        )
    options = {**OPTIONS, "host": host, "port": port}
    if processes > 1:
        uvicorn.run("config.asgi:application", workers=processes, **options)
    else:
        run_one(options)


def run_one(options: dict[str, Any]) -> None:
    """Serve from this very process."""
    from config.asgi import application

    server = Server(uvicorn.Config(application, **options), application.hub)
    with contextlib.suppress(KeyboardInterrupt):
        server.run()
    if not server.started:
        sys.exit(STARTUP_FAILURE)


def main() -> None:
    """Read the settings and serve."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")
    import django

    sys.path.insert(0, str(settings.BASE_DIR))
    django.setup()
    from config.tools import upgrade

    upgrade.stop_on_newer_data()
    run(settings.HOST, settings.PORT, settings.WEB_PROCESSES)
