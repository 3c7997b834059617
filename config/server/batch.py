"""Batches of hands, written in front of Django: hands that arrive while others are being written go into one batch.

A single hand costs Django sixteen queries; here a batch of twenty costs as many. One thread writes, and it never waits for
more hands. Only what needs no decision is answered here (`tournaments/tables/views/tablet_batch.py`); every other request is
passed on to Django unchanged, which refuses it or repeats the first answer.
"""

import asyncio
import logging
import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from django.conf import settings
from django.db import close_old_connections, connections
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.request import split_domain_port, validate_host
from django.utils.cache import add_never_cache_headers
from django.utils.module_loading import import_string

from config.operator import metrics
from config.server import addresses, logs
from config.server.live import Message, Receive, Scope, Send
from config.server.page_cache import LANGUAGE, Application, language_of
from tournaments.tables.views.tablet_batch import QueuedRequest, answer_batch
from tournaments.web.strict import MAX_BYTES

logger = logging.getLogger(__name__)

QUEUE, HAND = "tournaments:api_batch", "tournaments:api_hands"
"""The addresses that take hands: a tablet's queue after an outage, and a hand."""
MOST_REQUESTS = 50
MOST_BYTES_OF_BATCH = 4 * MAX_BYTES
"""The most requests, and about the most bytes of them, that are written in one transaction."""
MOMENT = 0.002
ALIKE = (
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "config.server.headers.Headers",
)
"""Middleware that sets the same headers on every answer."""


@dataclass
class Waiting:
    """A queued request, and the future that gets its answer."""

    request: QueuedRequest
    answer: "asyncio.Future[bytes | None]"


@dataclass
class Headers:
    """The headers of a request."""

    values: dict[bytes, bytes] = field(default_factory=dict)

    def text(self, name: bytes) -> str:
        """Return a header as text; empty where there is none."""
        return self.values.get(name, b"").decode("latin-1")


class HandBatches:
    """The application in front of the pages that takes the hands of tablets."""

    def __init__(self, pages: Application) -> None:
        """Take the application for all other requests; the thread starts with the first hand."""
        self.pages = pages
        self.waiting: list[Waiting] = []
        self.is_writing = False
        self.lock = threading.Lock()
        self.writer: ThreadPoolExecutor | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer hands of tablets, and pass every other request on."""
        match = _match(scope["path"]) if scope["method"] == "POST" else None
        headers = _read_headers(scope) if match else None
        if match is None or headers is None:
            await self.pages(scope, receive, send)
            return
        began = time.perf_counter()
        message = await receive()
        body = message.get("body", b"")
        answer = await self._answer(_request(match, headers, body)) if body else None
        if answer is None:
            await self.pages(scope, _again(message, receive), send)
        else:
            await _send(send, match, headers, answer, is_secure=_is_secure(scope, headers), began=began)

    def stop(self) -> None:
        """End the thread after the batch that it is writing."""
        if self.writer is not None:
            with suppress(RuntimeError):  # a writer that never got a thread has no connection
                self.writer.submit(connections.close_all)
            self.writer.shutdown(wait=True)
            self.writer = None

    async def _answer(self, request: QueuedRequest) -> bytes | None:
        """Queue the request and wait for the batch that answers it; start the writer if it is idle."""
        loop = asyncio.get_running_loop()
        one = Waiting(request, loop.create_future())
        with self.lock:
            self.waiting.append(one)
            is_writing, self.is_writing = self.is_writing, True
        if not is_writing:
            try:
                if self.writer is None:
                    self.writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="hands")
                self.writer.submit(self._write, loop)
            except RuntimeError:  # no thread can be started: Django answers, and the next request tries again
                with self.lock:
                    waiting, self.waiting, self.is_writing = self.waiting, [], False
                _resolve_futures(waiting, [None] * len(waiting))
        return await one.answer

    def _write(self, loop: asyncio.AbstractEventLoop) -> None:
        """Write batches until no request is queued; no fault may end this earlier."""
        with suppress(Exception):
            close_old_connections()
        while batch := self._next_batch():
            answers = _write_batch([one.request for one in batch])
            with suppress(RuntimeError):  # the server has ended meanwhile
                loop.call_soon_threadsafe(_resolve_futures, batch, answers)
            if len(batch) > 1:
                time.sleep(MOMENT)  # when many tablets write, the next hands are about to arrive
        with suppress(Exception):
            close_old_connections()

    def _next_batch(self) -> list[Waiting]:
        """Take the next batch off the queue; when there is none, the writer is done."""
        with self.lock:
            most = size = 0
            for one in self.waiting[:MOST_REQUESTS]:
                size += len(one.request.body)
                if most and size > MOST_BYTES_OF_BATCH:
                    break
                most += 1
            taken, self.waiting = self.waiting[:most], self.waiting[most:]
            self.is_writing = bool(taken)
            return taken


def _write_batch(requests: list[QueuedRequest]) -> list[bytes | None]:
    """Write a batch; on a fault of ours all its requests are left to Django."""
    try:
        answers = answer_batch(requests)
        if len(answers) != len(requests):
            raise ValueError(f"{len(answers)} answers to {len(requests)} requests")
        metrics.add("hand_batches_total")
        metrics.add("batched_hands_total", len(requests))
        return answers
    except Exception:
        logger.exception("Hands that came together could not be written; each is tried alone.")
        return [None] * len(requests)
    finally:
        with suppress(Exception):
            _close_if_broken()


def _close_if_broken() -> None:
    """Close a connection on which an error occurred; a good one is kept for the next batch."""
    for connection in connections.all(initialized_only=True):
        if connection.errors_occurred:
            connection.close_if_unusable_or_obsolete()


def _resolve_futures(batch: list[Waiting], answers: list[bytes | None]) -> None:
    for one, answer in zip(batch, answers, strict=True):
        if not one.answer.done():
            one.answer.set_result(answer)


# Reading


def _match(path: str) -> re.Match[str] | None:
    """Match an address that takes hands."""
    return addresses.matching(HAND).match(path) or addresses.matching(QUEUE).match(path)


def _read_headers(scope: Scope) -> Headers | None:
    """Read the headers; None unless the request comes from a tablet and the site answers it without a redirect."""
    headers = Headers()
    for name, value in scope["headers"]:
        if name in headers.values:
            return None
        headers.values[name] = value
    is_ours = (
        headers.values.get(b"authorization", b"").startswith(b"Device ")
        and headers.values.get(b"content-type") == b"application/json"
        and not scope["query_string"]
        and _is_our_host(headers.text(b"host"))
        and (_is_secure(scope, headers) or not settings.SECURE_SSL_REDIRECT)
    )
    return headers if is_ours else None


@lru_cache(maxsize=256)
def _is_our_host(host: str) -> bool:
    return validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS)


def _is_secure(scope: Scope, headers: Headers) -> bool:
    """Return whether the request came by HTTPS, as Django decides it: by the header of a trusted front server."""
    if settings.SECURE_PROXY_SSL_HEADER:
        name, secure = settings.SECURE_PROXY_SSL_HEADER
        header = name.removeprefix("HTTP_").replace("_", "-").lower().encode()
        if header in headers.values:
            return headers.text(header).split(",", 1)[0].strip() == secure
    return scope.get("scheme") == "https"


def _again(message: Message, receive: Receive) -> Receive:
    """Return a receive function that yields the message again, and then what is still to come."""
    left = [message]

    async def received() -> Message:
        return left.pop() if left else await receive()

    return received


def _request(match: re.Match[str], headers: Headers, body: bytes) -> QueuedRequest:
    named = match.groupdict()
    return QueuedRequest(
        slug=named["slug"],
        table=(int(named["session"]), int(named["table"])) if "table" in named else None,
        credential=headers.text(b"authorization").partition(" ")[2],
        key=headers.text(b"idempotency-key"),
        language=_language(headers),
        body=body,
    )


def _language(headers: Headers) -> str:
    chosen = _chosen(headers.values.get(b"cookie", b""))
    return language_of(chosen, headers.values.get(b"accept-language", b"")[:200]).decode()


def _chosen(cookie: bytes) -> bytes:
    found = LANGUAGE.search(cookie)
    return found[1] if found else b""


# Answering


async def _send(
    send: Send, match: re.Match[str], headers: Headers, answer: bytes, *, is_secure: bool, began: float
) -> None:
    """Send an answer with the headers that every answer has, and log the request as every request is logged."""
    number, language = logs.number_of(headers.text(b"x-request-id")), _language(headers)
    written = [
        *_headers(is_secure),
        (b"content-language", language.encode()),
        (b"content-length", b"%d" % len(answer)),
        (b"x-request-id", number.encode()),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": written})
    await send({"type": "http.response.body", "body": answer})
    token = logs.current_request.set(number)
    took = round((time.perf_counter() - began) * 1000, 1)
    route = addresses.named(HAND if "table" in match.groupdict() else QUEUE).route
    logs.tell(method="POST", route=f"/{route}", tournament=match["slug"], status=200, ms=took, user="")
    logs.current_request.reset(token)


@cache
def _headers(is_secure: bool) -> list[tuple[bytes, bytes]]:
    """Return the headers of every JSON answer; Django's middleware is run for them once."""

    def answer(_: HttpRequest) -> HttpResponse:
        response = JsonResponse({})
        add_never_cache_headers(response)
        return response

    request = HttpRequest()
    request._get_scheme = lambda: "https" if is_secure else "http"  # type: ignore[attr-defined]
    passed: Callable[[HttpRequest], Any] = answer
    for name in ALIKE:
        if name in settings.MIDDLEWARE:
            passed = import_string(name)(passed)
    response = passed(request)
    headers = [(name.lower().encode(), value.encode()) for name, value in response.items()]
    return [*headers, (b"vary", b"Accept-Language")]
