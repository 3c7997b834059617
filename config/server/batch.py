"""Hands of tablets, taken before Django: whatever arrives while others are being written is written together.

A hand alone costs Django sixteen questions to the database, twenty hands at one moment cost as many. One thread writes;
nobody waits for more hands to come. Only what is plain is answered here (`tournaments/tables/views/tablet_batch.py`);
everything else is led on to Django as it came, and is refused, or told the first answer again, there.
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
from django.urls import resolve
from django.utils.cache import add_never_cache_headers
from django.utils.module_loading import import_string

from config.operator import metrics
from config.server import logs
from config.server.live import Message, Receive, Scope, Send
from config.server.page_cache import LANGUAGE, Application, language_of
from tournaments.tables.views.tablet_batch import Letter, answer_together
from tournaments.web.strict import MAX_BYTES

logger = logging.getLogger(__name__)

ADDRESS = re.compile(
    r"/([-\w]{1,100})/api/(?:(batch)/|session-([0-9]{1,6})/table-([0-9]{1,6})/hands/)\Z", re.ASCII
)
MOST_LETTERS = 50
MOST_TOGETHER = 4 * MAX_BYTES
"""So many letters, and about so many bytes of them, are written in one transaction."""
MOMENT = 0.002
ALIKE = (
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "config.server.headers.Headers",
)
"""What puts the same headers on every answer."""


@dataclass
class Waiting:
    """A letter whose tablet waits, and where its answer is put."""

    letter: Letter
    answer: "asyncio.Future[bytes | None]"


@dataclass
class Asked:
    """What the headers of a request say."""

    said: dict[bytes, bytes] = field(default_factory=dict)

    def text(self, name: bytes) -> str:
        """Return a header as text; empty where there is none."""
        return self.said.get(name, b"").decode("latin-1")


class Together:
    """What stands in front of the pages for the hands of tablets."""

    def __init__(self, pages: Application) -> None:
        """Know who answers everything else; the thread begins with the first hand."""
        self.pages = pages
        self.waiting: list[Waiting] = []
        self.is_writing = False
        self.lock = threading.Lock()
        self.writer: ThreadPoolExecutor | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer hands of tablets, lead everything else on."""
        match = ADDRESS.match(scope["path"]) if scope["method"] == "POST" else None
        asked = _asked(scope) if match else None
        if match is None or asked is None:
            await self.pages(scope, receive, send)
            return
        began = time.perf_counter()
        message = await receive()
        body = message.get("body", b"")
        answer = await self._answer(_letter(match, asked, body)) if body else None
        if answer is None:
            await self.pages(scope, _again(message, receive), send)
        else:
            await _send(send, match, asked, answer, is_secure=_is_secure(scope, asked), began=began)

    def stop(self) -> None:
        """Let the thread end after what it is doing."""
        if self.writer is not None:
            with suppress(RuntimeError):  # a writer that never got a thread has no connection
                self.writer.submit(connections.close_all)
            self.writer.shutdown(wait=True)
            self.writer = None

    async def _answer(self, letter: Letter) -> bytes | None:
        """Lay the letter to the others and wait for its answer; wake the writer if it sleeps."""
        loop = asyncio.get_running_loop()
        one = Waiting(letter, loop.create_future())
        with self.lock:
            self.waiting.append(one)
            is_writing, self.is_writing = self.is_writing, True
        if not is_writing:
            try:
                if self.writer is None:
                    self.writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="hands")
                self.writer.submit(self._write, loop)
            except RuntimeError:  # no thread to be had: Django answers, and the next letter tries anew
                with self.lock:
                    waiting, self.waiting, self.is_writing = self.waiting, [], False
                _deliver(waiting, [None] * len(waiting))
        return await one.answer

    def _write(self, loop: asyncio.AbstractEventLoop) -> None:
        """Write what waits, as much as there is each time, until nothing does; no fault may end it earlier."""
        with suppress(Exception):
            close_old_connections()
        while together := self._taken():
            answers = _answered([one.letter for one in together])
            with suppress(RuntimeError):  # a server that has ended meanwhile waits for no answer
                loop.call_soon_threadsafe(_deliver, together, answers)
            if len(together) > 1:
                time.sleep(MOMENT)  # where many write, the next ones are on their way already
        with suppress(Exception):
            close_old_connections()

    def _taken(self) -> list[Waiting]:
        """Take the next letters; with none left the writer is over."""
        with self.lock:
            most = size = 0
            for one in self.waiting[:MOST_LETTERS]:
                size += len(one.letter.body)
                if most and size > MOST_TOGETHER:
                    break
                most += 1
            taken, self.waiting = self.waiting[:most], self.waiting[most:]
            self.is_writing = bool(taken)
            return taken


def _answered(letters: list[Letter]) -> list[bytes | None]:
    """Write the letters; a fault of ours leaves all of them to Django."""
    try:
        answers = answer_together(letters)
        if len(answers) != len(letters):
            raise ValueError(f"{len(answers)} answers to {len(letters)} letters")
        metrics.add("hand_batches_total")
        metrics.add("batched_hands_total", len(letters))
        return answers
    except Exception:
        logger.exception("Hands that came together could not be written; each is tried alone.")
        return [None] * len(letters)
    finally:
        with suppress(Exception):
            _close_if_broken()


def _close_if_broken() -> None:
    """Drop a connection on which something went wrong; a good one is kept for the next letters."""
    for connection in connections.all(initialized_only=True):
        if connection.errors_occurred:
            connection.close_if_unusable_or_obsolete()


def _deliver(together: list[Waiting], answers: list[bytes | None]) -> None:
    for one, answer in zip(together, answers, strict=True):
        if not one.answer.done():
            one.answer.set_result(answer)


# Reading


def _asked(scope: Scope) -> Asked | None:
    """Read the headers; nothing where the request is not a tablet's, or not one that the site answers as it is."""
    asked = Asked()
    for name, value in scope["headers"]:
        if name in asked.said:
            return None
        asked.said[name] = value
    is_ours = (
        asked.said.get(b"authorization", b"").startswith(b"Device ")
        and asked.said.get(b"content-type") == b"application/json"
        and not scope["query_string"]
        and _is_our_host(asked.text(b"host"))
        and (_is_secure(scope, asked) or not settings.SECURE_SSL_REDIRECT)
    )
    return asked if is_ours else None


@lru_cache(maxsize=256)
def _is_our_host(host: str) -> bool:
    return validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS)


def _is_secure(scope: Scope, asked: Asked) -> bool:
    """Return whether the request came by HTTPS, as Django would: by the word of a front server that is believed."""
    if settings.SECURE_PROXY_SSL_HEADER:
        name, secure = settings.SECURE_PROXY_SSL_HEADER
        header = name.removeprefix("HTTP_").replace("_", "-").lower().encode()
        if header in asked.said:
            return asked.text(header).split(",", 1)[0].strip() == secure
    return scope.get("scheme") == "https"


def _again(message: Message, receive: Receive) -> Receive:
    """Return the whole request once more, and then what is still to come."""
    left = [message]

    async def received() -> Message:
        return left.pop() if left else await receive()

    return received


def _letter(match: re.Match[str], asked: Asked, body: bytes) -> Letter:
    slug, is_queue, session, table = match.groups()
    return Letter(
        slug=slug,
        place=None if is_queue else (int(session), int(table)),
        credential=asked.text(b"authorization").partition(" ")[2],
        key=asked.text(b"idempotency-key"),
        language=_language(asked),
        body=body,
    )


def _language(asked: Asked) -> str:
    chosen = _chosen(asked.said.get(b"cookie", b""))
    return language_of(chosen, asked.said.get(b"accept-language", b"")[:200]).decode()


def _chosen(cookie: bytes) -> bytes:
    found = LANGUAGE.search(cookie)
    return found[1] if found else b""


# Answering


async def _send(
    send: Send, match: re.Match[str], asked: Asked, answer: bytes, *, is_secure: bool, began: float
) -> None:
    """Send an answer with the headers that every answer has, and log the request as every request is logged."""
    number, language = logs.number_of(asked.text(b"x-request-id")), _language(asked)
    headers = [
        *_headers(is_secure),
        (b"content-language", language.encode()),
        (b"content-length", b"%d" % len(answer)),
        (b"x-request-id", number.encode()),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": answer})
    token = logs.current_request.set(number)
    took = round((time.perf_counter() - began) * 1000, 1)
    logs.tell(method="POST", route=_route(bool(match[2])), tournament=match[1], status=200, ms=took, user="")
    logs.current_request.reset(token)


@cache
def _route(is_queue: bool) -> str:
    """Name the address as Django does."""
    route = resolve("/x/api/batch/" if is_queue else "/x/api/session-1/table-1/hands/").route
    return f"/{route}"


@cache
def _headers(is_secure: bool) -> list[tuple[bytes, bytes]]:
    """Return the headers of any JSON answer: Django's middleware is asked for them once."""

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
