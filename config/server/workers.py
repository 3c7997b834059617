"""The threads in which Django answers: a slow network holds none of them, and requests that wait are served by rank.

A request comes whole from the gate and an answer is taken whole from Django, so a thread is busy only while Django is.
"""

import asyncio
import heapq
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from io import BytesIO
from itertools import count
from typing import Any

from config.server.callers import Callers, Rank
from config.server.live import Receive, Scope, Send

Environ = dict[str, Any]
Answer = tuple[int, list[tuple[bytes, bytes]], bytes]
READING = frozenset({"GET", "HEAD"})
"""Requests that bring no body; one that does is answered all the same, and its body is read by nobody."""
REFUSAL = "four_winds.refusal"
"""Where a request that the gate refuses carries the refusal for which Django has only to write the page."""


class Workers:
    """A WSGI application in a few threads, one of which strangers never hold."""

    def __init__(
        self, application: Callable[..., Iterable[bytes]], *, threads: int, callers: Callers
    ) -> None:
        self.application = application
        self.callers = callers
        self.executor = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="WSGI")
        self.free = threads
        self.reserved = 1 if threads > 1 else 0
        self.waiting: list[tuple[Rank, int, asyncio.Future[None]]] = []
        self.numbers = count()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request whose whole body is the first message, unless its sender has left."""
        body = b""
        if scope["method"] not in READING:
            message = await receive()
            if message["type"] != "http.request":
                return
            body = message.get("body", b"")
        environ = environ_of(scope, body)
        await self._take_thread(self.callers.rank_of(scope))
        try:
            call = copy_context().run
            loop = asyncio.get_running_loop()
            status, headers, page = await loop.run_in_executor(self.executor, call, self._answer, environ)
        finally:
            self._leave_thread()
        self.callers.learn(scope, status)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": page})

    async def _take_thread(self, rank: Rank) -> None:
        """Wait for a thread behind those of the same rank and before those of a later one."""
        if self.free > self._kept_from(rank) and not self.waiting:
            self.free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self.waiting, (rank, next(self.numbers), turn))
        self._call_next()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave_thread()
            raise

    def _leave_thread(self) -> None:
        self.free += 1
        self._call_next()

    def _call_next(self) -> None:
        """Give free threads to the requests that have waited longest in the first rank."""
        while self.waiting and self.free > self._kept_from(self.waiting[0][0]):
            turn = heapq.heappop(self.waiting)[2]
            if not turn.done():
                self.free -= 1
                turn.set_result(None)

    def _kept_from(self, rank: Rank) -> int:
        return self.reserved if rank is Rank.STRANGER else 0

    def _answer(self, environ: Environ) -> Answer:
        """Have the application answer, and take the whole answer."""
        started: list[tuple[str, list[tuple[str, str]]]] = []

        def start_response(status: str, headers: list[tuple[str, str]], exc_info: object = None) -> None:
            started.append((status, headers))

        parts = self.application(environ, start_response)
        try:
            body = b"".join(parts)
        finally:
            getattr(parts, "close", lambda: None)()
        status, headers = started[-1]
        raw = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        return int(status.split(" ", 1)[0]), raw, body


def environ_of(scope: Scope, body: bytes) -> Environ:
    """Write a request as WSGI wants it; a header with an underscore in its name could pass for another one."""
    server, client = scope.get("server") or ("localhost", 80), scope.get("client") or ("", 0)
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope.get('http_version', '1.1')}",
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1] or 0),
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    left_out = LEFT_OUT | ABOUT_A_BODY if scope["method"] in READING else LEFT_OUT
    for name, value in scope["headers"]:
        if b"_" not in name and name not in left_out:
            key, text = _key_of(name), value.decode("latin-1")
            between = "; " if name == b"cookie" else ","
            environ[key] = f"{environ[key]}{between}{text}" if key in environ else text
    if body:
        environ["CONTENT_LENGTH"] = str(len(body))
    if refusal := scope.get(REFUSAL):
        environ[REFUSAL] = refusal
    return environ


LEFT_OUT = frozenset({b"content-length", b"transfer-encoding"})
ABOUT_A_BODY = frozenset({b"content-type"})
"""Says nothing where no body is read, but could name letters in which Django would read the address."""


def _key_of(name: bytes) -> str:
    key = name.decode("latin-1").upper().replace("-", "_")
    return key if key == "CONTENT_TYPE" else f"HTTP_{key}"
