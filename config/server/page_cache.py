"""Public pages for strangers, drawn once and kept as bytes in front of Django: a hot final costs a few renderings a second.

Requests of people who are signed in, or have a message from their last form, go on to Django. Everybody else gets the same
bytes by address, language and theme. A page is drawn again as soon as the tournament has a newer revision, and every second
or two for changes without a revision; nobody gets one older than two seconds, or than drawing takes on a slow machine. What
is personal, such as the reader's own row, is added by the page's script. The views of these pages say so:
`@page("look", is_shared=True)`.
"""

import asyncio
import gzip
import hashlib
import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from time import monotonic

from django.conf import settings
from django.utils.translation import get_supported_language_variant
from django.utils.translation.trans_real import parse_accept_lang_header

from config.operator import metrics
from config.server.addresses import shared_pages
from config.server.live import Channel, Hub, Message, Receive, Scope, Send, accepts_gzip, matches

FRESH = 1.2
STALE = 2.0
LEVEL = 8
"""How hard a page is compressed: a large table is a tenth shorter than with 6, for five thousandths of a second once for everybody."""
MOST_PAGES = 128
LONGEST_QUERY = 500
PERSONAL = (f"{settings.SESSION_COOKIE_NAME}=".encode(), b"messages=")
LANGUAGE = re.compile(rf"(?:\A|;\s*){settings.LANGUAGE_COOKIE_NAME}=([a-zA-Z-]{{2,10}})(?:;|\Z)".encode())
THEME = re.compile(rb"(?:\A|;\s*)theme=(light|dark)(?:;|\Z)")
LEFT_OUT = frozenset(
    {b"content-length", b"x-request-id", b"vary", b"cache-control", b"date", b"server", b"etag"}
)
ALWAYS = [(b"vary", b"Accept-Encoding, Accept-Language, Cookie"), (b"cache-control", b"no-cache")]

Application = Callable[[Scope, Receive, Send], Awaitable[None]]
Key = tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class CachedPage:
    """A page as it goes out: headers, plain and packed, and compressed bytes; begun when, how long it took, of which revision.

    Without bytes it is not to be shared.
    """

    revision: int
    made_at: float
    took: float
    headers: list[tuple[bytes, bytes]]
    packed: list[tuple[bytes, bytes]]
    etag: bytes
    body: bytes | None


class SharedPages:
    """What stands in front of the pages."""

    def __init__(self, pages: Application, hub: Hub) -> None:
        """Know who draws pages and who knows the newest revision."""
        self.pages, self.hub = pages, hub
        self.kept: dict[Channel, OrderedDict[Key, CachedPage]] = {}
        self.drawing: dict[tuple[Channel, Key], asyncio.Task[CachedPage]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer from the cache where the page may be shared, else pass the request on to Django."""
        page = await self._shared(scope)
        if page is None or page.body is None:
            await self.pages(scope, receive, send)
        else:
            await _send(page, scope, send)

    async def _shared(self, scope: Scope) -> CachedPage | None:
        """Return the page for a stranger's request; None if the request or the address is personal."""
        match = shared_pages().match(scope["path"])
        if (
            match is None
            or scope["method"] not in {"GET", "HEAD"}
            or len(scope["query_string"]) > LONGEST_QUERY
        ):
            return None
        if _is_personal(scope):
            return None
        channel = await self.hub.channel(match["slug"])
        if channel is None:
            return None
        return await self._page(channel, _key(scope, channel.snapshot.language), scope)

    async def _page(self, channel: Channel, key: Key, scope: Scope) -> CachedPage:
        """Return the cached page; if it is of an older revision or too old, one request has it drawn for all.

        Meanwhile the others get the old one, unless it is older than they may be given: nobody waits in a hot final.
        """
        kept = self._kept(channel)
        page = kept.get(key)
        if page is None:
            return await asyncio.shield(self._draw(channel, key, scope))
        kept.move_to_end(key)
        age = monotonic() - page.made_at
        if page.revision == channel.snapshot.revision and age < FRESH + page.took:
            return page
        drawing = self._draw(channel, key, scope)
        return page if age < STALE + 2 * page.took else await asyncio.shield(drawing)

    def _kept(self, channel: Channel) -> OrderedDict[Key, CachedPage]:
        """Return the pages kept of a tournament; those of tournaments nobody asks for any more are forgotten."""
        if channel not in self.kept:
            for gone in [other for other in self.kept if self.hub.channels.get(other.slug) is not other]:
                del self.kept[gone]
            self.kept[channel] = OrderedDict()
        return self.kept[channel]

    def _draw(self, channel: Channel, key: Key, scope: Scope) -> asyncio.Task[CachedPage]:
        """Have the page drawn, or wait with those who asked before."""
        drawing = self.drawing.get((channel, key))
        if drawing is None or drawing.get_name() != str(channel.snapshot.revision):
            drawing = asyncio.create_task(
                self._drawn(channel, key, _stranger(scope, key)), name=str(channel.snapshot.revision)
            )
            self.drawing[channel, key] = drawing
        return drawing

    async def _drawn(self, channel: Channel, key: Key, scope: Scope) -> CachedPage:
        began, revision = monotonic(), channel.snapshot.revision
        try:
            status, headers, body = await _fetch(self.pages, scope)
            is_shared = status == 200 and all(name != b"set-cookie" for name, _ in headers)
            kept = self._kept(channel)
            old, shared = kept.get(key), body if is_shared else None
            page = await asyncio.to_thread(_packed, revision, began, headers, shared, old)
            newest = kept.get(key)
            if (
                newest is None or newest.made_at <= began
            ):  # one that was begun later may have been ready sooner
                kept[key] = page
            while len(kept) > MOST_PAGES:
                kept.popitem(last=False)
            return page
        finally:
            if self.drawing.get((channel, key)) is asyncio.current_task():
                del self.drawing[channel, key]


def _is_personal(scope: Scope) -> bool:
    """Return whether the request is somebody's own."""
    return any(
        name == b"authorization" or (name == b"cookie" and any(sign in value for sign in PERSONAL))
        for name, value in scope["headers"]
    )


def _key(scope: Scope, of_the_event: str) -> Key:
    """Return the key of a page: everything it depends on."""
    host = proto = accepted = cookie = b""
    for name, value in scope["headers"]:
        if name == b"host":
            host = value
        elif name == b"x-forwarded-proto":
            proto = value
        elif name == b"accept-language":
            accepted = value
        elif name == b"cookie":
            cookie += b"; " + value if cookie else value
    theme = THEME.search(cookie) if cookie else None
    chosen = LANGUAGE.search(cookie) if cookie else None
    language = language_of(chosen[1] if chosen else b"", accepted[:200], of_the_event)
    path: str = scope["path"]
    return (host, proto, path.encode(), scope["query_string"], language, theme[1] if theme else b"")


@lru_cache(maxsize=1024)
def language_of(chosen: bytes, accepted: bytes, of_the_event: str = "") -> bytes:
    """Choose the language: by the visitor's choice, else by what the browser accepts, else the event's own."""
    wanted = [chosen.decode()] if chosen else []
    wanted += [code for code, _ in parse_accept_lang_header(accepted.decode("latin-1"))]
    for code in filter(None, [*wanted, of_the_event, settings.LANGUAGE_CODE]):
        try:
            return get_supported_language_variant(code).encode()
        except LookupError:
            continue
    return str(settings.LANGUAGE_CODE).encode()


def _stranger(scope: Scope, key: Key) -> Scope:
    """Build a request that holds nothing but address, language and theme."""
    host, proto, _, _, language, theme = key
    cookie = (
        settings.LANGUAGE_COOKIE_NAME.encode() + b"=" + language + (b"; theme=" + theme if theme else b"")
    )
    headers = [(b"host", host), (b"cookie", cookie), (b"accept-language", language)]
    if proto:
        headers.append((b"x-forwarded-proto", proto))
    return {**scope, "method": "GET", "headers": headers}


async def _fetch(pages: Application, scope: Scope) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    """Have Django draw a page, and take the whole answer."""
    status = 500
    headers: list[tuple[bytes, bytes]] = []
    parts: list[bytes] = []
    over = asyncio.Event()

    async def receive() -> Message:
        if not over.is_set():
            over.set()
            return {"type": "http.request", "body": b"", "more_body": False}
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Message) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
            headers.extend((name.lower(), value) for name, value in message["headers"])
        else:
            parts.append(message.get("body", b""))

    await pages(scope, receive, send)
    return status, headers, b"".join(parts)


def _packed(
    revision: int,
    began: float,
    headers: list[tuple[bytes, bytes]],
    body: bytes | None,
    old: CachedPage | None,
) -> CachedPage:
    """Compress a page once for everybody, or take the bytes of the one before if nothing has changed."""
    took = monotonic() - began
    if body is None:
        return CachedPage(revision, began, took, [], [], b"", None)
    kept = [(name, value) for name, value in headers if name not in LEFT_OUT]
    etag = b'"' + hashlib.blake2b(body, digest_size=12).hexdigest().encode() + b'"'
    if old is not None and old.etag == etag:
        return replace(old, revision=revision, made_at=began, took=took)
    about = [*kept, *ALWAYS, (b"etag", etag)]
    packed = gzip.compress(body, LEVEL, mtime=0)
    length = (b"content-length", b"%d" % len(packed))
    return CachedPage(
        revision, began, took, about, [*about, (b"content-encoding", b"gzip"), length], etag, packed
    )


async def _send(page: CachedPage, scope: Scope, send: Send) -> None:
    """Send a page, or 304 to whoever has it."""
    metrics.add("shared_pages_total")
    asked = accepted = b""
    for name, value in scope["headers"]:
        if name == b"if-none-match":
            asked = value
        elif name == b"accept-encoding":
            accepted = value
    status, about, body = 200, page.headers, page.body or b""
    if asked and matches(asked, page.etag):
        status, body = 304, b""
    elif accepts_gzip(accepted):
        about = page.packed
    else:
        body = gzip.decompress(body)
        about = [*about, (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": about})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})
