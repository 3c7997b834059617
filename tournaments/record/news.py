"""Telling the spectators' pages that a tournament has a newer revision.

An operation or task calls `publish`; who listens is not its concern. In one process the listeners are called at once;
with Redis the word goes through it to every process that keeps streams open. A lost word does no harm: those
processes look at the database by themselves every few seconds.
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
    """Say that the tournament's snapshot has this revision; never fails, since the score is already saved."""
    tell(slug, revision)
    if settings.EMBEDDED:
        return
    try:
        _redis().publish(settings.LIVE_CHANNEL, packed(slug, revision))
    except Exception:
        logger.warning(
            "Redis did not take the news of %s; pages will notice by themselves.", slug, exc_info=True
        )


def tell(slug: str, revision: int) -> None:
    """Call every listener of this process; one that fails does not keep the news from the others."""
    for listener in tuple(_listeners):
        try:
            listener(slug, revision)
        except Exception:
            logger.exception("A listener failed on the news of %s.", slug)


def listen(listener: Listener) -> Callable[[], None]:
    """Have the listener called from now on, from any thread; the answer ends it."""
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
