"""The gate: only whole requests pass.

Every body is read here, to its Content-Length or its last chunk, within a size for its address and a deadline, before any
other code sees the request and without a thread. The request of a connection that breaks, stalls or lies is dropped.
"""

import asyncio
import json
import re
from functools import cached_property, lru_cache
from time import monotonic

from django.template.loader import render_to_string
from django.utils import translation

from config.server import limits
from config.server.callers import Callers, Rank
from config.server.live import Message, Receive, Scope, Send, answer
from config.server.page_cache import LANGUAGE, Application, language_of
from config.server.workers import REFUSAL
from scoring.problems import Problem, gettext_noop
from tournaments.record.refusal import Refused, say
from tournaments.web.middleware import PROBLEM_JSON

CHUNKED = -1
OTHER_LETTERS = re.compile(rb'charset(?!="?utf-?8"?\s*(?:;|$))', re.IGNORECASE)
"""A kind of content in other letters than UTF-8. What is named there need not even be an alphabet: Python knows one called hex."""
SHARES = {Rank.TABLET: 1.0, Rank.DESK: 0.75, Rank.OWN_PAGE: 0.5, Rank.STRANGER: 0.25}
"""How full the memory for bodies may be while a caller of a rank may still add to it."""

BROKEN = Problem("malformed_request", gettext_noop("The request is not well formed. Nothing was saved."))
LATE = Problem(
    "request_timeout", gettext_noop("The request did not arrive in time. Nothing was saved; send it again.")
)
FULL = Problem(
    "uploads_full",
    gettext_noop(
        "Too much is being sent to this site at once. Nothing was saved; send it again in a moment."
    ),
)
PROBLEMS = {problem.code: problem for problem in (BROKEN, LATE, FULL)}
TOO_LARGE = gettext_noop("The request is too large; at most %(size)s kB.")


class Gone(Exception):
    """The sender left before the body was whole."""


class TooLarge(Exception):
    """The body is larger than its address takes."""


class Full(Exception):
    """The memory for bodies of callers of this rank is used up."""


class Reading:
    """A body that is being read: from whom, how much has come, the memory it holds and when its next part is due."""

    def __init__(self, scope: Scope, callers: Callers, declared: int) -> None:
        self.scope, self.callers = scope, callers
        self.deadline = asyncio.timeout(limits.IDLE_SECONDS)
        self.seconds = limits.FORM_SECONDS if 0 < declared <= limits.FORM else limits.UPLOAD_SECONDS
        self.began = monotonic()
        self.parts: list[bytes] = []
        self.size = self.held = 0
        self.is_more = True

    @cached_property
    def rank(self) -> Rank:
        """Return the rank of whoever sends it; asked only once bodies are many or large."""
        return self.callers.rank_of(self.scope)

    @cached_property
    def caller(self) -> object:
        """Return what tells its sender from others; asked only once there are as many bodies as one caller may send."""
        return self.callers.name_of(self.scope)

    def is_late(self) -> bool:
        """Return whether its time is over, or it came too slowly after its first pause."""
        took = monotonic() - self.began
        return took > min(self.seconds, limits.IDLE_SECONDS + self.size / limits.LEAST_RATE)

    async def wait_again(self) -> None:
        """Set the deadline of the next part, unless the time of the whole body is over."""
        await self.heed_deadline()
        if self.is_late():
            raise TimeoutError
        self.deadline.reschedule(asyncio.get_running_loop().time() + limits.IDLE_SECONDS)

    async def heed_deadline(self) -> None:
        """Raise here if the deadline passed just when a part came, and not at the next place that waits."""
        if self.deadline.expired():
            await asyncio.sleep(0)

    def drop(self) -> None:
        """Stop waiting for the body."""
        if not self.deadline.expired():
            self.deadline.reschedule(-1)


class Gate:
    """What stands in front of everything that reads a request."""

    def __init__(self, site: Application, callers: Callers) -> None:
        self.site, self.callers = site, callers
        self.readings: dict[Reading, None] = {}
        self.held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on once its body is whole."""
        declared = declared_length(scope)
        if declared is None or has_other_letters(scope):
            await _turn_away(scope, send, BROKEN)
        elif declared == 0:
            await self.site(scope, receive, send)
        else:
            await self._lead_on_whole(declared, scope, receive, send)

    async def _lead_on_whole(self, declared: int, scope: Scope, receive: Receive, send: Send) -> None:
        most = limits.API if 0 < declared <= limits.API else limits.size_of(scope["path"])
        reading = Reading(scope, self.callers, declared)
        try:
            body = await self._read_or_refuse(reading, declared, most, scope, receive, send)
            if body is not None:
                await self.site(scope, _handed_over(body, receive), send)
        finally:
            self.held -= reading.held

    async def _read_or_refuse(
        self, reading: Reading, declared: int, most: int, scope: Scope, receive: Receive, send: Send
    ) -> bytes | None:
        """Return the whole body; None if it broke off, or was refused and answered."""
        try:
            return await self._read(reading, declared, most, receive)
        except Gone:
            return None
        except TimeoutError:
            await _turn_away(scope, send, LATE)
        except TooLarge:
            await _discard_rest(reading, scope, receive)
            await self.site(_refused(scope, most), _handed_over(b"", receive), _closing(send))
        except Full:
            await _discard_rest(reading, scope, receive)
            await _turn_away(scope, send, FULL)
        return None

    async def _read(self, reading: Reading, declared: int, most: int, receive: Receive) -> bytes:
        """Return the whole body, of which nobody else sees a part."""
        if declared > most:
            raise TooLarge
        self._make_room(reading)
        self.readings[reading] = None
        try:
            async with reading.deadline:
                await self._take_part(reading, most, receive)
                while reading.is_more:
                    await reading.wait_again()
                    await self._take_part(reading, most, receive)
                await reading.heed_deadline()
        finally:
            self.readings.pop(reading, None)
        return reading.parts[0] if len(reading.parts) == 1 else b"".join(reading.parts)

    async def _take_part(self, reading: Reading, most: int, receive: Receive) -> None:
        """Take the next part of a body."""
        message = await receive()
        if message["type"] != "http.request":
            raise Gone
        part: bytes = message.get("body", b"")
        reading.is_more = message.get("more_body", False)
        reading.parts.append(part)
        reading.size += len(part)
        if reading.size > most:
            raise TooLarge
        if reading.size > limits.ALWAYS_HELD:
            self._hold(reading, reading.size - limits.ALWAYS_HELD - reading.held)

    def _hold(self, reading: Reading, more: int) -> None:
        if self.held + more > SHARES[reading.rank] * limits.MOST_HELD:
            raise Full
        self.held += more
        reading.held += more

    def _make_room(self, reading: Reading) -> None:
        """Drop the oldest body of a caller that sends too many at once; if all do together, of the last rank."""
        if len(self.readings) < min(limits.MOST_BODIES_OF_ONE, limits.MOST_BODIES):
            return
        of_caller = [other for other in self.readings if other.caller == reading.caller]
        if len(of_caller) >= limits.MOST_BODIES_OF_ONE:
            self._drop(of_caller[0])
        elif len(self.readings) >= limits.MOST_BODIES:
            self._drop(max(self.readings, key=lambda other: other.rank))

    def _drop(self, reading: Reading) -> None:
        self.readings.pop(reading, None)
        reading.drop()


def declared_length(scope: Scope) -> int | None:
    """Return the length that a request declares, CHUNKED where it declares none, None where it contradicts itself."""
    length = coding = b""
    for name, value in scope["headers"]:
        if name == b"content-length":
            if length and length != value:
                return None
            length = value
        elif name == b"transfer-encoding":
            coding += value
    if coding:
        return CHUNKED if coding.lower() == b"chunked" and not length else None
    if not length:
        return 0
    return int(length) if length.isdigit() and len(length) <= 18 else None


def has_other_letters(scope: Scope) -> bool:
    """Return whether a request says that its text is not in UTF-8."""
    return any(name == b"content-type" and OTHER_LETTERS.search(value) for name, value in scope["headers"])


def _handed_over(body: bytes, receive: Receive) -> Receive:
    """Return the whole body as one message, and afterwards only that the sender has left."""
    whole: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def received() -> Message:
        return whole.pop() if whole else await receive()

    return received


async def _discard_rest(reading: Reading, scope: Scope, receive: Receive) -> None:
    """Read and drop the rest of a body, since some senders read no answer before; do not ask for what was not sent yet."""
    if any(name == b"expect" for name, _ in scope["headers"]):
        return
    reading.parts.clear()
    size, is_more = reading.size, reading.is_more
    try:
        async with asyncio.timeout(limits.IDLE_SECONDS):
            while is_more and size <= 2 * limits.LARGEST:
                message = await receive()
                size += len(message.get("body", b""))
                is_more = message.get("more_body", False)
    except TimeoutError:
        return


def _refused(scope: Scope, most: int) -> Scope:
    """Return the request without its body, marked so that Django writes the refusal as the address answers."""
    refusal = Refused(Problem("too_large", TOO_LARGE, details={"size": most // 1024}))
    return {**scope, REFUSAL: refusal}


def _closing(send: Send) -> Send:
    """Send an answer after which the connection ends, since the request may not have."""

    async def closing(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], (b"connection", b"close")]
        await send(message)

    return closing


async def _turn_away(scope: Scope, send: Send, problem: Problem) -> None:
    """Refuse a request without Django, in the sender's language, and end the connection."""
    cookie = b"; ".join(value for name, value in scope["headers"] if name == b"cookie")
    accepted = b",".join(value for name, value in scope["headers"] if name == b"accept-language")
    chosen = LANGUAGE.search(cookie)
    language = language_of(chosen[1] if chosen else b"", accepted[:200]).decode()
    status, kind, body = _words(problem.code, language, "/api/" in scope["path"])
    about = [(b"content-type", kind), (b"content-language", language.encode()), (b"connection", b"close")]
    if status == 503:
        about.append((b"retry-after", b"5"))
    await answer(send, status, body, *about, is_head=scope["method"] == "HEAD")


@lru_cache(maxsize=32)
def _words(code: str, language: str, is_api: bool) -> tuple[int, bytes, bytes]:
    """Return status, kind and bytes of the answer that says why a request is turned away."""
    refused = Refused(PROBLEMS[code])
    with translation.override(language):
        if is_api:
            said = json.dumps(refused.as_json(), ensure_ascii=False)
            return refused.status, PROBLEM_JSON.encode(), said.encode()
        page = render_to_string(
            "unsent.html", {"status": refused.status, "sentence": say(refused.problems[0])}
        )
        return refused.status, b"text/html; charset=utf-8", page.encode()
