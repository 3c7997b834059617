"""Start the server of this process: `python -m config.server` in production, `manage.py serve` on one machine."""

import os
import sys

from django.conf import settings


def run(host: str, port: int, processes: int = 1) -> None:
    """Serve until a signal comes; open streams are given two seconds. Addresses are not logged: some are secrets."""
    import uvicorn

    if processes > 1 and settings.EMBEDDED:
        raise SystemExit(
            "WEB_PROCESSES is more than 1, but without REDIS_URL one process must do everything."
        )
    uvicorn.run(
        "config.asgi:application",
        host=host,
        port=port,
        workers=processes,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=2,
    )


def main() -> None:
    """Read the settings and serve."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")
    import django

    sys.path.insert(0, str(settings.BASE_DIR))
    django.setup()
    run(settings.HOST, settings.PORT, settings.WEB_PROCESSES)


if __name__ == "__main__":
    main()
