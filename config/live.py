"""Live standings as raw ASGI: thousands of open streams in one process, each told only the newest revision.

`GET /live/<tournament>/events` is a stream of revision numbers, `GET /live/<tournament>/standings.json` the snapshot of
the newest revision as bytes compressed once. Neither knows sessions, cookies or middleware, and only a tournament's
first request and each new revision ask the database.
"""

import asyncio
import contextlib
import gzip
import json
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Protocol

from tournaments import live

logger = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

HEARTBEAT = 20.0
LOOK = 3.0
REMEMBER_UNKNOWN = 2.0
FORGET_IDLE = 600.0
MOST_UNKNOWN = 1000
CROWD = 300
LONGEST_SPREAD_MS = 1500
RECONNECT_MS = 3000


@dataclass(frozen=True)
class Snapshot:
    """The public standings of one revision: compressed JSON, or None before the first computation."""

    revision: int
    body: bytes | None


class Source(Protocol):
    """Where snapshots come from; blocking, called in threads only."""

    def load(self, slug: str) -> Snapshot | None:
        """Give the newest snapshot; None if the tournament does not exist or is not public."""

    def revisions(self, slugs: Iterable[str]) -> Mapping[str, int]:
        """Give the newest revision of each tournament that is still public."""


class Database:
    """Snapshots as the database has them."""

    def load(self, slug: str) -> Snapshot | None:
        """Give the newest snapshot of a public tournament."""
        with _connection():
            row = self._public([slug]).values_list("snapshot__revision", "snapshot__body").first()
        if row is None:
            return None
        revision, body = row
        return Snapshot(revision or 0, bytes(body) if body else None)

    def revisions(self, slugs: Iterable[str]) -> Mapping[str, int]:
        """Give the newest revisions in one query."""
        with _connection():
            rows = list(self._public(slugs).values_list("slug", "snapshot__revision"))
        return {slug: revision or 0 for slug, revision in rows}

    @staticmethod
    def _public(slugs: Iterable[str]) -> Any:
        from tournaments.models import Tournament

        return Tournament.objects.filter(slug__in=list(slugs)).exclude(state="draft")


@contextlib.contextmanager
def _connection() -> Any:
    """Borrow this thread's database connection and drop it when it has grown old or broken."""
    from django.db import close_old_connections

    close_old_connections()
    try:
        yield
    finally:
        close_old_connections()


@dataclass
class Channel:
    """What one tournament's streams share: the newest snapshot and one event that wakes them all."""

    slug: str
    snapshot: Snapshot
    watchers: int = 0
    touched: float = field(default_factory=time.monotonic)
    is_closed: bool = False
    change: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def frame(self) -> bytes:
        """Write the newest revision as an event, with the time over which a crowd spreads its fetches."""
        crowd = LONGEST_SPREAD_MS if self.watchers > CROWD else 0
        data = json.dumps({"rev": self.snapshot.revision, "spread": crowd})
        return f"id: {self.snapshot.revision}\ndata: {data}\n\n".encode()

    @property
    def etag(self) -> bytes:
        """Name the snapshot by its revision."""
        return b'"r%d"' % self.snapshot.revision

    def show(self, snapshot: Snapshot) -> None:
        """Replace the snapshot by a newer one and wake every stream; an older one changes nothing."""
        if snapshot.revision > self.snapshot.revision:
            self.snapshot = snapshot
            self.wake()

    def close(self) -> None:
        """End every stream: the tournament is no longer public."""
        self.is_closed = True
        self.wake()

    def wake(self) -> None:
        """Wake every stream; those that see nothing new send a heartbeat."""
        self.change, old = asyncio.Event(), self.change
        old.set()


class Hub:
    """All channels of this process, the tasks that keep them fresh, and the two addresses."""

    def __init__(
        self, source: Source, *, redis_url: str = "", redis_channel: str = "", most_streams: int = 20_000
    ) -> None:
        """Keep where snapshots and news come from; nothing runs before `start`."""
        self.source = source
        self.redis_url = redis_url
        self.redis_channel = redis_channel
        self.most_streams = most_streams
        self.streams = 0
        self.channels: dict[str, Channel] = {}
        self.unknown: dict[str, float] = {}
        self.opening: dict[str, asyncio.Task[Channel | None]] = {}
        self.tasks: set[asyncio.Task[Any]] = set()
        self.stop_listening: Callable[[], None] = lambda: None
        self.threads: ThreadPoolExecutor | None = None

    # Life

    async def start(self) -> None:
        """Listen for news in this process and through Redis, look at the database now and then, beat the heart."""
        loop = asyncio.get_running_loop()
        self.threads = ThreadPoolExecutor(max_workers=4, thread_name_prefix="live")
        self.stop_listening = live.listen(
            lambda slug, revision: _quietly(loop.call_soon_threadsafe, self.hear, slug, revision)
        )
        self._run(self._heartbeat())
        self._run(self._look())
        if self.redis_url:
            self._run(self._subscribe())

    async def stop(self) -> None:
        """End the streams and the tasks."""
        self.stop_listening()
        for channel in self.channels.values():
            channel.close()
        for task in tuple(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        if self.threads is not None:
            self.threads.shutdown(wait=False, cancel_futures=True)

    def hear(self, slug: str, revision: int) -> None:
        """Take the news that a tournament has this revision; fetch it if somebody may be looking."""
        self.unknown.pop(slug, None)
        channel = self.channels.get(slug)
        if channel is not None and revision > channel.snapshot.revision:
            self._run(self._refresh(channel))

    async def _heartbeat(self) -> None:
        """Wake every stream each 20 s, so that proxies keep it open and a dead one is noticed."""
        while True:
            await asyncio.sleep(HEARTBEAT)
            for channel in tuple(self.channels.values()):
                channel.wake()

    async def _look(self) -> None:
        """Compare all channels with the database every few seconds, in case the news of a revision was lost."""
        while True:
            await asyncio.sleep(LOOK)
            try:
                await self._compare()
            except Exception:
                logger.warning("The live part could not look at the database.", exc_info=True)

    async def _compare(self) -> None:
        now = time.monotonic()
        for slug in [slug for slug, since in self.unknown.items() if now - since > REMEMBER_UNKNOWN]:
            del self.unknown[slug]
        for channel in [each for each in self.channels.values() if not each.watchers]:
            if now - channel.touched > FORGET_IDLE:
                del self.channels[channel.slug]
        if not self.channels:
            return
        newest = await self._in_thread(self.source.revisions, tuple(self.channels))
        for channel in tuple(self.channels.values()):
            if channel.slug not in newest:
                self._close(channel)
            elif newest[channel.slug] > channel.snapshot.revision:
                await self._refresh(channel)

    async def _subscribe(self) -> None:
        """Hear the other processes' news through Redis; after a break connect again and compare at once."""
        from redis import asyncio as redis

        wait = 0.5
        while True:
            try:
                async with (
                    redis.Redis.from_url(self.redis_url, socket_connect_timeout=2) as client,
                    client.pubsub(ignore_subscribe_messages=True) as news,
                ):
                    await news.subscribe(self.redis_channel)
                    wait = 0.5
                    await self._compare()
                    async for message in news.listen():
                        if heard := live.unpacked(message["data"]):
                            self.hear(*heard)
            except Exception as error:
                logger.warning("The live part lost Redis (%s); it tries again in %.1f s.", error, wait)
            await asyncio.sleep(wait)
            wait = min(wait * 2, 10)

    async def _refresh(self, channel: Channel) -> None:
        """Load the newest snapshot of a channel and show it."""
        snapshot = await self._in_thread(self.source.load, channel.slug)
        if snapshot is None:
            self._close(channel)
        else:
            channel.show(snapshot)

    def _close(self, channel: Channel) -> None:
        self.channels.pop(channel.slug, None)
        channel.close()

    async def _in_thread(self, work: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self.threads, work, *arguments)

    def _run(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            logger.warning("A task of the live part failed.", exc_info=error)

    # Addresses

    async def channel(self, slug: str) -> Channel | None:
        """Give the channel of a public tournament; many who ask at once cause one query."""
        if channel := self.channels.get(slug):
            channel.touched = time.monotonic()
            return channel
        if slug in self.unknown and time.monotonic() - self.unknown[slug] < REMEMBER_UNKNOWN:
            return None
        if slug not in self.opening:
            self.opening[slug] = self._run(self._open(slug))
        return await asyncio.shield(self.opening[slug])

    async def _open(self, slug: str) -> Channel | None:
        try:
            snapshot = await self._in_thread(self.source.load, slug)
        finally:
            del self.opening[slug]
        if snapshot is not None:
            return self.channels.setdefault(slug, Channel(slug, snapshot))
        if len(self.unknown) < MOST_UNKNOWN:
            self.unknown[slug] = time.monotonic()
        return None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer `/live/<tournament>/events` and `/live/<tournament>/standings.json`; 404 for everything else."""
        if scope["method"] not in {"GET", "HEAD"}:
            await answer(send, 405, b"", (b"allow", b"GET, HEAD"))
            return
        slug, _, what = scope["path"].removeprefix("/live/").partition("/")
        pages = {"events": self.events, "standings.json": self.standings}
        channel = await self._channel_or_none(slug) if slug and what in pages else None
        if channel is None:
            await answer(send, 404, b"not found\n", (b"content-type", b"text/plain; charset=utf-8"))
            return
        await pages[what](channel, scope, receive, send)

    async def _channel_or_none(self, slug: str) -> Channel | None:
        return await self.channel(slug) if len(slug) <= 100 else None

    async def standings(self, channel: Channel, scope: Scope, receive: Receive, send: Send) -> None:
        """Give the newest snapshot, 304 to whoever has it, 204 before the first one exists."""
        headers = dict(scope["headers"])
        about = [(b"etag", channel.etag), (b"cache-control", b"no-cache"), (b"vary", b"Accept-Encoding")]
        body = channel.snapshot.body
        if matches(headers.get(b"if-none-match", b""), channel.etag):
            await answer(send, 304, None, *about)
        elif body is None:
            await answer(send, 204, None, *about)
        else:
            about.append((b"content-type", b"application/json"))
            if accepts_gzip(headers.get(b"accept-encoding", b"")):
                about.append((b"content-encoding", b"gzip"))
            else:
                body = gzip.decompress(body)
            await answer(send, 200, body, *about, is_head=scope["method"] == "HEAD")

    async def events(self, channel: Channel, scope: Scope, receive: Receive, send: Send) -> None:
        """Stream revisions: the current one first, then each newer one; a slow reader gets only the newest."""
        if self.streams >= self.most_streams:
            await answer(send, 503, b"", (b"retry-after", b"10"))
            return
        await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
        if scope["method"] == "HEAD":
            await send({"type": "http.response.body", "body": b""})
            return
        self.streams += 1
        channel.watchers += 1
        try:
            await until_disconnected(receive, self._stream(channel, send))
        finally:
            self.streams -= 1
            channel.watchers -= 1
            channel.touched = time.monotonic()

    async def _stream(self, channel: Channel, send: Send) -> None:
        await send(chunk(b"retry: %d\n\n" % RECONNECT_MS))
        seen = -1
        while not channel.is_closed:
            change, newest = channel.change, channel.snapshot.revision
            await send(chunk(channel.frame if newest != seen else b":\n\n"))
            seen = newest
            await change.wait()
        await send({"type": "http.response.body", "body": b"", "more_body": False})


STREAM_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache, no-transform"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


async def until_disconnected(receive: Receive, stream: Coroutine[Any, Any, None]) -> None:
    """Run a stream until its reader has gone; without this a server waits for its streams for ever."""
    task = asyncio.current_task()

    def end(_: asyncio.Task[None]) -> None:
        if task is not None:
            task.cancel()

    gone = asyncio.ensure_future(disconnected(receive))
    gone.add_done_callback(end)
    try:
        await stream
    except asyncio.CancelledError:
        if not gone.done():
            raise
    finally:
        gone.remove_done_callback(end)
        gone.cancel()


async def disconnected(receive: Receive) -> None:
    """Wait until the reader has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def answer(
    send: Send, status: int, body: bytes | None, *headers: tuple[bytes, bytes], is_head: bool = False
) -> None:
    """Send a whole answer; None for those that have no body by their nature."""
    length = [] if body is None else [(b"content-length", b"%d" % len(body))]
    about = [(b"x-content-type-options", b"nosniff"), *headers, *length]
    await send({"type": "http.response.start", "status": status, "headers": about})
    await send({"type": "http.response.body", "body": b"" if is_head else body or b""})


def chunk(text: bytes) -> Message:
    """Wrap a part of a stream."""
    return {"type": "http.response.body", "body": text, "more_body": True}


def matches(asked: bytes, etag: bytes) -> bool:
    """Whether an If-None-Match names this ETag, strongly or weakly, or everything."""
    tags = {tag.strip().removeprefix(b"W/") for tag in asked.split(b",")}
    return etag in tags or b"*" in tags


def accepts_gzip(asked: bytes) -> bool:
    """Whether an Accept-Encoding takes gzip."""
    for part in asked.lower().split(b","):
        coding, _, quality = part.partition(b";")
        if coding.strip() in {b"gzip", b"*"} and quality.replace(b" ", b"") not in {b"q=0", b"q=0.0"}:
            return True
    return False


def _quietly(call: Callable[..., Any], *arguments: Any) -> None:
    """Call into an event loop that may already have ended."""
    with contextlib.suppress(RuntimeError):
        call(*arguments)
