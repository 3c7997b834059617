"""The way to the push services: a request to an address that a stranger gave us, under limits of where, how long and how much."""

import contextlib
import http.client
import ipaddress
import socket
import ssl
import threading
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlsplit

from tournaments.people.operations.push_messages import HTTPS, is_endpoint

SECONDS = 5.0
MOST_SECONDS = 15.0
"""A service has so long for each piece that it sends, and so long for a whole answer: who drips keeps nobody waiting."""
MOST_BYTES = 2048
GONE = frozenset({404, 410})


class NotAllowed(Exception):
    """The address leads where nothing of ours may go."""


@dataclass(frozen=True)
class Answer:
    """What a push service said: the status, and after how many seconds it wants to be asked again."""

    status: int
    retry_after: int = 0

    @property
    def is_taken(self) -> bool:
        """Return whether the message is the service's now."""
        return 200 <= self.status < 300

    @property
    def is_gone(self) -> bool:
        """Return whether the browser is not there any more."""
        return self.status in GONE


def public_addresses(host: str, port: int) -> list[str]:
    """Return the addresses of a name; if any of them is not public, none may be used."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(str(row[4][0]) for row in found))
    for address in addresses:
        if not _is_public(address):
            raise NotAllowed(address)
    return addresses


def _is_public(address: str) -> bool:
    """Return whether an address is one of the open network, also where it is written within another one."""
    found = ipaddress.ip_address(address.partition("%")[0])
    inner = getattr(found, "ipv4_mapped", None) or getattr(found, "sixtofour", None)
    if inner is not None:
        return _is_public(str(inner))
    return found.is_global and not found.is_multicast


@cache
def _context() -> ssl.SSLContext:
    return ssl.create_default_context()


class _Connection(http.client.HTTPSConnection):
    """A connection to an address that was looked at, under the name that was asked for: no second look-up can lead elsewhere."""

    def __init__(self, host: str, port: int, address: str) -> None:
        super().__init__(host, port, timeout=SECONDS, context=_context())
        self.address = address

    def connect(self) -> None:
        plain = socket.create_connection((self.address, self.port), SECONDS)
        self.sock = _context().wrap_socket(plain, server_hostname=self.host, do_handshake_on_connect=False)
        self.sock.do_handshake()

    def give_up(self) -> None:
        """End whatever is being read or written; whoever waits for it is told at once."""
        with contextlib.suppress(OSError):
            if self.sock is not None:
                self.sock.shutdown(socket.SHUT_RDWR)


_of_this_thread = threading.local()


def send(endpoint: str, body: bytes, headers: dict[str, str]) -> Answer:
    """Send a message; nothing is followed elsewhere, and of an answer no more is read than its beginning.

    A thread keeps its connection to a service for as long as it lives, which is one batch.
    """
    if not is_endpoint(endpoint):
        raise NotAllowed(endpoint)
    parts = urlsplit(endpoint)
    host = parts.hostname or ""
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    kept: dict[str, _Connection] = _of_this_thread.__dict__.setdefault("kept", {})
    if host in kept:
        with contextlib.suppress(http.client.HTTPException, OSError):
            return _asked(kept, host, path, body, headers)
    kept[host] = _Connection(host, HTTPS, public_addresses(host, HTTPS)[0])
    return _asked(kept, host, path, body, headers)


def _asked(
    kept: dict[str, _Connection], host: str, path: str, body: bytes, headers: dict[str, str]
) -> Answer:
    """Send over the kept connection; one that failed, or whose answer goes on, is not kept."""
    connection = kept.pop(host)
    deadline = threading.Timer(MOST_SECONDS, connection.give_up)
    deadline.daemon = True
    deadline.start()
    try:
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        answer.read(MOST_BYTES)
        wait = answer.getheader("Retry-After", "")
        if answer.isclosed():
            kept[host] = connection
        return Answer(answer.status, int(wait) if wait.isdigit() and len(wait) < 6 else 0)
    finally:
        deadline.cancel()
        if host not in kept:
            connection.close()
