"""Redis as the workers' broker: after a connection is lost in the middle of a task, the worker connects again."""

from typing import Any

from kombu.transport import TRANSPORT_ALIASES, redis
from redis.exceptions import ConnectionError as Lost


class Channel(redis.Channel):
    """A channel that raises the right error when its connection is gone.

    A worker that has lost Redis returns its unfinished messages. Kombu then fails with an error that Celery does not
    know, and the worker ends; raised as a lost connection, the error makes it connect again.
    """

    def _connparams(self, asynchronous: bool = False) -> Any:
        if self.connection.client is None:
            raise Lost("The connection to Redis is closed.")
        return super()._connparams(asynchronous=asynchronous)  # type: ignore[no-untyped-call]


class Transport(redis.Transport):
    """Redis with these channels."""

    Channel = Channel


def use() -> None:
    """Use this transport for every address that begins with redis://."""
    for scheme in ("redis", "rediss"):
        TRANSPORT_ALIASES[scheme] = f"{__name__}:Transport"
