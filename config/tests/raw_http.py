"""Requests as bytes on a socket, so that a test can cut them, stall them and lie in them."""

import socket
from contextlib import contextmanager, suppress
from urllib.parse import urlencode

TOKEN = "a" * 32


class Visitor:
    """Somebody with cookies, and the bytes of what they send."""

    def __init__(self, port: int, *, user=None) -> None:
        """Sign in beside the network, where there is somebody to sign in."""
        self.port = port
        self.cookies = f"csrftoken={TOKEN}"
        if user is not None:
            from django.test import Client

            client = Client()
            client.force_login(user)
            self.cookies += "".join(f"; {name}={row.value}" for name, row in client.cookies.items())

    def head(self, method: str, path: str, *lines: str) -> bytes:
        """Write the head of a request."""
        origin = f"http://localhost:{self.port}"
        said = (f"Host: localhost:{self.port}", f"Origin: {origin}", f"Cookie: {self.cookies}", *lines)
        return "\r\n".join((f"{method} {path} HTTP/1.1", *said, "", "")).encode()

    def form(self, path: str, fields, *, length: int | None = None) -> tuple[bytes, bytes]:
        """Write a form as a browser sends it; its length may be a lie."""
        body = urlencode([("csrfmiddlewaretoken", TOKEN), *fields]).encode()
        kind = "Content-Type: application/x-www-form-urlencoded"
        return self.head(
            "POST", path, kind, f"Content-Length: {len(body) if length is None else length}"
        ), body

    @contextmanager
    def connected(self):
        """Open a connection."""
        with socket.create_connection(("127.0.0.1", self.port), 10) as connection:
            yield connection

    def send(self, *parts: bytes) -> tuple[int, bytes]:
        """Send a request and return status and body of the answer; 0 where there is none."""
        with self.connected() as connection:
            for part in parts:
                connection.sendall(part)
            return answer_of(connection)

    def get(self, path: str) -> tuple[int, bytes]:
        """Fetch a page."""
        return self.send(self.head("GET", path, "Connection: close"))


def answer_of(connection: socket.socket) -> tuple[int, bytes]:
    """Read one answer to its end; 0 where the connection ends without one."""
    received = b""
    with suppress(ConnectionError):
        while b"\r\n\r\n" not in received:
            part = connection.recv(65536)
            if not part:
                return 0, received
            received += part
        head, _, body = received.partition(b"\r\n\r\n")
        while not is_whole(head.lower(), body) and (part := connection.recv(65536)):
            body += part
        return int(head.split(b" ", 2)[1]), body
    return 0, received


def is_whole(head: bytes, body: bytes) -> bool:
    """Whether the body has arrived as its head says."""
    if b"transfer-encoding: chunked" in head:
        return body.endswith(b"0\r\n\r\n")
    length = head.partition(b"content-length:")[2].partition(b"\r")[0]
    return not length or len(body) >= int(length)
