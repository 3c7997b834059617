"""Notices to the spectators' pages that a tournament has a newer revision.

An operation or task calls `publish` and need not know who listens. In one process the listeners are called at once;
with several, a message goes through Redis to every process that keeps streams open. A lost message does no harm: those
processes look at the database every few seconds anyway.
"""

import json
import logging
from collections.abc import Callable
from functools import cache
from typing import Any

from django.conf import settings

logger = logging.getLogger(__name__)

Listener = Callable[[str, int], None]
_listeners: list[Listener] = []


def publish(slug: str, revision: int) -> None:
    """Notify everybody that the tournament's snapshot has this revision; never fails: the score is already saved."""
    notify_listeners(slug, revision)
    if settings.EMBEDDED:
        return
    try:
        _redis().publish(settings.LIVE_CHANNEL, packed(slug, revision))
    except Exception:
        logger.warning(
            "Redis did not take the news of %s; pages will notice by themselves.", slug, exc_info=True
        )


def notify_listeners(slug: str, revision: int) -> None:
    """Call every listener of this process; one that fails does not stop the others."""
    for listener in tuple(_listeners):
        try:
            listener(slug, revision)
        except Exception:
            logger.exception("A listener failed on the news of %s.", slug)


def listen(listener: Listener) -> Callable[[], None]:
    """Call the listener from now on, from any thread; return the function that ends this."""
    _listeners.append(listener)

    def stop() -> None:
        if listener in _listeners:
            _listeners.remove(listener)

    return stop


def packed(slug: str, revision: int) -> str:
    """Write the news as a message."""
    return json.dumps({"slug": slug, "revision": revision})


def unpacked(message: str | bytes) -> tuple[str, int] | None:
    """Read the news from a message; None if it is not one of ours."""
    try:
        news = json.loads(message)
        return str(news["slug"]), int(news["revision"])
    except (ValueError, TypeError, KeyError):
        return None


@cache
def _redis() -> Any:
    """Connect to Redis once per process, with timeouts that a referee does not notice."""
    from redis import Redis

    return Redis.from_url(settings.REDIS_URL, socket_timeout=3, socket_connect_timeout=2)
