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
from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

from config.server import headers
from tournaments.record import news as record_news

logger = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

HEARTBEAT = 2.0
LOOK = 3.0
REMEMBER_UNKNOWN = 2.0
FORGET_IDLE = 600.0
MOST_UNKNOWN = 1000
CROWD = 300
LONGEST_SPREAD_MS = 1500
RECONNECT_MS = 3000
BATCH = 500
MOST_FORMS = 16


@dataclass(frozen=True)
class Snapshot:
    """The public standings of one revision: compressed JSON, or None before the first computation; the event's own language."""

    revision: int
    body: bytes | None
    language: str = ""


class Source(Protocol):
    """Where snapshots come from; blocking, called in threads only."""

    def load(self, slug: str) -> Snapshot | None:
        """Return the newest snapshot; None if the tournament does not exist or is not public."""

    def revisions(self, slugs: Iterable[str]) -> Mapping[str, int]:
        """Return the newest revision of each tournament that is still public."""


class Database:
    """Snapshots as the database has them."""

    def load(self, slug: str) -> Snapshot | None:
        """Return the newest snapshot of a public tournament."""
        with _connection():
            row = self._public([slug]).values_list("snapshot__revision", "snapshot__body", "language").first()
        if row is None:
            return None
        revision, body, language = row
        return Snapshot(revision or 0, bytes(body) if body else None, language)

    def revisions(self, slugs: Iterable[str]) -> Mapping[str, int]:
        """Return the newest revisions in one query."""
        with _connection():
            rows = list(self._public(slugs).values_list("slug", "snapshot__revision"))
        return {slug: revision or 0 for slug, revision in rows}

    @staticmethod
    def _public(slugs: Iterable[str]) -> Any:
        from tournaments.models.tournament import OPEN_TO_STRANGERS, Tournament

        return Tournament.objects.filter(OPEN_TO_STRANGERS, slug__in=list(slugs))


@contextlib.contextmanager
def _connection() -> Any:
    """Borrow this thread's database connection and drop it when it has grown old or broken."""
    from django.db import close_old_connections

    close_old_connections()
    try:
        yield
    finally:
        close_old_connections()


class Reader:
    """One open stream: how to send to it, what it has seen, and what is still on its way to it."""

    __slots__ = ("busy", "seen", "send")

    def __init__(self, send: Send) -> None:
        """Begin with nothing seen."""
        self.send = send
        self.seen = -1
        self.busy: asyncio.Task[None] | None = None


class Channel:
    """What one tournament's streams share: the newest snapshot, and a frame that is written once for all of them.

    A stream is a row in `readers` and a coroutine that waits for its reader to go, nothing else: no task, no timer and
    no future of its own, so that thousands fit into one process.
    """

    def __init__(self, slug: str, snapshot: Snapshot) -> None:
        """Show the snapshot; nobody reads yet."""
        self.slug, self.snapshot = slug, snapshot
        self.readers: dict[Reader, None] = {}
        self.touched = time.monotonic()
        self.is_closed = False
        self.answers: dict[Any, Any] = {}
        self._telling: asyncio.Task[None] | None = None
        self._again = False

    @property
    def watchers(self) -> int:
        """Count the open streams."""
        return len(self.readers)

    @property
    def frame(self) -> bytes:
        """Write the newest revision as an event, with the time over which a crowd spreads its fetches."""
        crowd = LONGEST_SPREAD_MS if self.watchers > CROWD else 0
        data = json.dumps({"rev": self.snapshot.revision, "spread": crowd})
        return f"id: {self.snapshot.revision}\ndata: {data}\n\n".encode()

    @property
    def heartbeat(self) -> bytes:
        """Say the newest revision again: the page sees by it that it is still connected, and that nothing is newer."""
        return b'data: {"rev": %d}\n\n' % self.snapshot.revision

    @property
    def etag(self) -> bytes:
        """Name the snapshot by its revision."""
        return b'"r%d"' % self.snapshot.revision

    def answer(self, asked: bytes, accepted: bytes) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        """Return status, headers and bytes for whoever has a revision already and takes what coding; each made once."""
        if self.answers.get("of") is not self.snapshot:
            self.answers = {"of": self.snapshot}
        body = self.snapshot.body
        if asked and matches(asked, self.etag):
            status = 304
        else:
            status = 204 if body is None else 200
        form = status if status != 200 else accepted[:100]
        found: tuple[int, list[tuple[bytes, bytes]], bytes] | None = self.answers.get(form)
        if found is None:
            found = (status, *self._answer(status, accepted))
            if len(self.answers) < MOST_FORMS:
                self.answers[form] = found
        return found

    def _answer(self, status: int, accepted: bytes) -> tuple[list[tuple[bytes, bytes]], bytes]:
        about = [
            *headers.RAW,
            (b"etag", self.etag),
            (b"cache-control", b"no-cache"),
            (b"vary", b"Accept-Encoding"),
        ]
        body = self.snapshot.body
        if status != 200 or body is None:
            return about, b""
        about.append((b"content-type", b"application/json"))
        if accepts_gzip(accepted):
            about.append((b"content-encoding", b"gzip"))
        else:
            body = gzip.decompress(body)
        return [*about, (b"content-length", b"%d" % len(body))], body

    def show(self, snapshot: Snapshot) -> None:
        """Replace the snapshot by a newer one and tell every stream; an older one changes nothing."""
        if snapshot.revision > self.snapshot.revision:
            self.snapshot = snapshot
            self.wake()

    def close(self) -> None:
        """End every stream: the tournament is no longer public."""
        self.is_closed = True
        self.wake()

    def catch_up(self, reader: Reader) -> None:
        """Send a reader what was published while it was being written to."""
        if self.is_closed or reader.seen < self.snapshot.revision:
            self._tell(reader, self.snapshot.revision, chunk(self.frame), chunk(self.heartbeat))

    async def finish_writes(self) -> None:
        """Wait until everybody has been written to."""
        if self._telling is not None:
            await self._telling

    def wake(self) -> None:
        """Write to every stream; those that have seen the newest revision get a heartbeat."""
        self._again = True
        if self._telling is None:
            self._telling = asyncio.create_task(self._tell_all())

    async def _tell_all(self) -> None:
        """Write to the streams in batches, so that the server can do other work in between."""
        try:
            while self._again:
                self._again = False
                told = self.snapshot.revision, chunk(self.frame), chunk(self.heartbeat)
                for count, reader in enumerate(tuple(self.readers), start=1):
                    self._tell(reader, *told)
                    if count % BATCH == 0:
                        await asyncio.sleep(0)
        finally:
            self._telling = None

    def _tell(self, reader: Reader, revision: int, frame: Message, heartbeat: Message) -> None:
        """Write to one stream; a slow one is passed over and gets the newest when it can take more."""
        if reader.busy is not None or reader not in self.readers:
            return
        if self.is_closed:
            message: Message = {"type": "http.response.body", "body": b"", "more_body": False}
        else:
            message = heartbeat if reader.seen >= revision else frame
        reader.seen = max(reader.seen, revision)
        with contextlib.suppress(Exception):
            rest = unsent(reader.send(message))
            if rest is not None:
                reader.busy = asyncio.create_task(self._catch_up(reader, rest))

    async def _catch_up(self, reader: Reader, rest: Awaitable[None]) -> None:
        """Wait until a slow stream has taken what was written to it, then give it the newest."""
        try:
            await rest
        except Exception:
            self.readers.pop(reader, None)
        finally:
            reader.busy = None
        self.catch_up(reader)


def unsent(sending: Awaitable[None]) -> Awaitable[None] | None:
    """Send without waiting; return None, or the rest that must be waited for."""
    steps = sending.__await__()
    try:
        waiting = next(steps)
    except StopIteration:
        return None
    return _Rest(steps, waiting)


class _Rest:
    """The rest of a send that had to wait; continues where it stopped."""

    def __init__(self, steps: Generator[Any, Any, None], waiting: Any) -> None:
        """Keep the steps and what the last one waits for."""
        self.steps, self.waiting = steps, waiting

    def __await__(self) -> Generator[Any, Any, None]:
        """Wait for it within whichever task asks, then go on."""
        yield self.waiting
        yield from self.steps


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
        self.is_ending = False
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
        self.stop_listening = record_news.listen(
            lambda slug, revision: _quietly(loop.call_soon_threadsafe, self.hear, slug, revision)
        )
        self._run(self._heartbeat())
        self._run(self._look())
        if self.redis_url:
            self._run(self._subscribe())

    async def stop(self) -> None:
        """End the streams and the tasks."""
        self.stop_listening()
        await self.end_streams()
        for task in tuple(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        if self.threads is not None:
            self.threads.shutdown(wait=False, cancel_futures=True)

    async def end_streams(self) -> None:
        """End every open stream and open no more; their readers come back when the server does."""
        self.is_ending = True
        for channel in tuple(self.channels.values()):
            channel.close()
            await channel.finish_writes()

    def hear(self, slug: str, revision: int) -> None:
        """Take the news that a tournament has this revision; fetch it if somebody may be looking."""
        self.unknown.pop(slug, None)
        channel = self.channels.get(slug)
        if channel is not None and revision > channel.snapshot.revision:
            self._run(self._refresh(channel))

    async def _heartbeat(self) -> None:
        """Write to every stream every two seconds; a page that gets nothing for four says that it is no longer live."""
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
        """Ask for the revisions of all channels at once; one opened meanwhile was not asked for and is left alone."""
        self._forget()
        asked = dict(self.channels)
        if not asked:
            return
        newest = await self._in_thread(self.source.revisions, tuple(asked))
        for slug, channel in asked.items():
            if slug not in newest:
                self._close(channel)
            elif newest[slug] > channel.snapshot.revision:
                await self._refresh(channel)

    def _forget(self) -> None:
        """Drop channels that nobody watches, and addresses that lead nowhere, some time after they were asked for."""
        now = time.monotonic()
        for slug in [slug for slug, since in self.unknown.items() if now - since > REMEMBER_UNKNOWN]:
            del self.unknown[slug]
        for channel in [each for each in self.channels.values() if not each.watchers]:
            if now - channel.touched > FORGET_IDLE:
                del self.channels[channel.slug]

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
                        if heard := record_news.unpacked(message["data"]):
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
        """End a channel's streams; one that was opened in its place stays."""
        if self.channels.get(channel.slug) is channel:
            del self.channels[channel.slug]
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
        """Return the channel of a public tournament; many who ask at once cause one query."""
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
        is_known = bool(slug) and len(slug) <= 100 and what in {"events", "standings.json"}
        channel = await self.channel(slug) if is_known else None
        if channel is None:
            await answer(send, 404, b"not found\n", (b"content-type", b"text/plain; charset=utf-8"))
        elif what == "events":
            await self.events(channel, scope, receive, send)
        else:
            await self.standings(channel, scope, send)

    async def standings(self, channel: Channel, scope: Scope, send: Send) -> None:
        """Send the newest snapshot, 304 to whoever has it, 204 before the first one exists."""
        asked = accepted = b""
        for name, value in scope["headers"]:
            if name == b"if-none-match":
                asked = value
            elif name == b"accept-encoding":
                accepted = value
        status, about, body = channel.answer(asked, accepted)
        await send({"type": "http.response.start", "status": status, "headers": about})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})

    async def events(self, channel: Channel, scope: Scope, receive: Receive, send: Send) -> None:
        """Stream revisions: the current one first, then each newer one; a slow reader gets only the newest."""
        if self.is_ending or self.streams >= self.most_streams:
            await answer(send, 503, b"", (b"retry-after", b"10"), (b"connection", b"close"))
            return
        await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
        if scope["method"] == "HEAD":
            await send({"type": "http.response.body", "body": b""})
            return
        scope[
            "headers"
        ].clear()  # a browser sends kilobytes of them, and the server would keep them with the stream
        reader = Reader(send)
        reader.seen = channel.snapshot.revision
        await send(chunk(b"retry: %d\n\n%s" % (RECONNECT_MS, channel.frame)))
        self.streams += 1
        channel.readers[reader] = None
        channel.catch_up(reader)
        try:
            while (await receive())["type"] != "http.disconnect":
                pass
        except asyncio.CancelledError:  # the server ends, and would complain of a stream left open
            with contextlib.suppress(Exception):
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self.streams -= 1
            channel.readers.pop(reader, None)
            channel.touched = time.monotonic()
            if reader.busy is not None:
                reader.busy.cancel()


STREAM_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache, no-transform"),
    (b"x-accel-buffering", b"no"),
    *headers.RAW,
]


async def answer(
    send: Send, status: int, body: bytes | None, *more: tuple[bytes, bytes], is_head: bool = False
) -> None:
    """Send a whole answer; None for those that have no body by their nature."""
    length = [] if body is None else [(b"content-length", b"%d" % len(body))]
    about = [*headers.raw(kind_of(more)), *more, *length]
    await send({"type": "http.response.start", "status": status, "headers": about})
    await send({"type": "http.response.body", "body": b"" if is_head else body or b""})


def kind_of(about: tuple[tuple[bytes, bytes], ...]) -> bytes:
    """Return what an answer says it is."""
    return next((value for name, value in about if name == b"content-type"), b"")


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
    """Schedule a call in an event loop that may already have ended."""
    with contextlib.suppress(RuntimeError):
        call(*arguments)
