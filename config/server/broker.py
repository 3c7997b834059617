"""Redis as the workers' broker: a connection that is lost in the middle of a task is taken up again."""

from typing import Any

from kombu.transport import TRANSPORT_ALIASES, redis
from redis.exceptions import ConnectionError as Lost


class Channel(redis.Channel):
    """A channel that says what has happened when its connection is gone.

    A worker hands unfinished messages back when it has lost Redis. Kombu fails there over a connection that is none, in a
    way that nobody expects, and the worker ends; what counts as a lost connection makes it connect again.
    """

    def _connparams(self, asynchronous: bool = False) -> Any:
        if self.connection.client is None:
            raise Lost("The connection to Redis is closed.")
        return super()._connparams(asynchronous=asynchronous)  # type: ignore[no-untyped-call]


class Transport(redis.Transport):
    """Redis with these channels."""

    Channel = Channel


def use() -> None:
    """Let every address that begins with redis:// mean this."""
    for scheme in ("redis", "rediss"):
        TRANSPORT_ALIASES[scheme] = f"{__name__}:Transport"
