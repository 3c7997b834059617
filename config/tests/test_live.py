"""Open streams are told the newest revision and nothing else, on a source that stands in for the database."""

import asyncio
import contextlib
import gzip
import json
import threading
from collections import Counter

import pytest
import uvicorn

from config.server import live as raw
from config.server.live import Channel, Hub, Snapshot
from config.server.process import Server
from config.tools.smoke.services import free_port
from tournaments.record import news as record_news


class Source:
    """Snapshots by hand, and a count of the questions."""

    def __init__(self, **revisions):
        self.public = dict(revisions)
        self.asked = Counter()

    def load(self, slug):
        self.asked["load"] += 1
        revision = self.public.get(slug)
        if revision is None:
            return None
        body = gzip.compress(json.dumps({"revision": revision}).encode()) if revision else None
        return Snapshot(revision, body)

    def revisions(self, slugs):
        self.asked["revisions"] += 1
        return {slug: self.public[slug] for slug in slugs if slug in self.public}


class Reader:
    """One browser at one address."""

    def __init__(self, hub, path, method="GET", **headers):
        self.gone = asyncio.Event()
        self.status, self.headers, self.text = 0, {}, b""
        self.pause = None
        scope = {
            "type": "http", "method": method, "path": path,
            "query_string": b"", "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
        }  # fmt: skip
        self.task = asyncio.ensure_future(hub(scope, self.receive, self.send))

    async def receive(self):
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message):
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], dict(message["headers"])
            return
        if self.pause:
            await self.pause.wait()
        self.text += message["body"]
        if not message.get("more_body"):
            self.gone.set()

    @property
    def revisions(self):
        """List what was told as news; a heartbeat says the same revision again and has no number."""
        lines = self.text.decode().splitlines()
        return [int(line.removeprefix("id: ")) for line in lines if line.startswith("id: ")]

    async def until(self, condition):
        async with asyncio.timeout(5):
            while not condition(self):
                await asyncio.sleep(0.005)
        return self

    async def leave(self):
        self.gone.set()
        await asyncio.wait_for(self.task, 5)


@contextlib.asynccontextmanager
async def running(source, **options):
    """Run a hub."""
    hub = Hub(source, **options)
    await hub.start()
    try:
        yield hub
    finally:
        await hub.stop()


def play(scene):
    """Run a scene in an event loop of its own."""
    asyncio.run(asyncio.wait_for(scene(), 20))


@pytest.fixture(autouse=True)
def embedded(settings, monkeypatch):
    """Publish within this process; look at the source often."""
    settings.EMBEDDED = True
    monkeypatch.setattr(raw, "LOOK", 0.05)


# The stream


def test_stream_begins_with_the_current_revision():
    async def scene():
        async with running(Source(spring=7)) as hub:
            reader = await Reader(hub, "/live/spring/events").until(lambda reader: reader.revisions)
            assert (reader.status, reader.revisions) == (200, [7])
            assert reader.text == b'retry: 3000\n\nid: 7\ndata: {"rev": 7, "spread": 0}\n\n'
            assert reader.headers[b"content-type"] == b"text/event-stream; charset=utf-8"
            assert reader.headers[b"x-accel-buffering"] == b"no"
            await reader.leave()

    play(scene)


def test_publication_from_another_thread_wakes_every_stream(monkeypatch):
    monkeypatch.setattr(raw, "LOOK", 60)

    async def scene():
        source = Source(spring=1, autumn=1)
        async with running(source) as hub:
            readers = [Reader(hub, "/live/spring/events") for _ in range(50)]
            other = await Reader(hub, "/live/autumn/events").until(lambda reader: reader.revisions)
            for reader in readers:
                await reader.until(lambda reader: reader.revisions == [1])
            source.public["spring"] = 2
            threading.Thread(target=record_news.publish, args=("spring", 2)).start()
            for reader in readers:
                await reader.until(lambda reader: reader.revisions == [1, 2])
            assert other.revisions == [1]
            assert source.asked["load"] == 3
            for reader in [*readers, other]:
                await reader.leave()

    play(scene)


def test_lost_publication_is_noticed_in_the_database():
    async def scene():
        source = Source(spring=1)
        async with running(source) as hub:
            reader = await Reader(hub, "/live/spring/events").until(lambda reader: reader.revisions)
            source.public["spring"] = 5
            await reader.until(lambda reader: reader.revisions == [1, 5])
            await reader.leave()

    play(scene)


def test_slow_reader_skips_to_the_newest():
    async def scene():
        source = Source(spring=1)
        async with running(source) as hub:
            reader = await Reader(hub, "/live/spring/events").until(lambda reader: reader.revisions)
            reader.pause = asyncio.Event()
            for revision in range(2, 10):
                source.public["spring"] = revision
                record_news.publish("spring", revision)
                await asyncio.sleep(0.02)
            reader.pause.set()
            await reader.until(lambda reader: reader.revisions[-1] == 9)
            assert reader.revisions == [1, 2, 9]
            await reader.leave()

    play(scene)


def test_repeated_and_late_publications_say_nothing():
    async def scene():
        source = Source(spring=5)
        async with running(source) as hub:
            reader = await Reader(hub, "/live/spring/events").until(lambda reader: reader.revisions)
            for revision in (5, 4, 5):
                record_news.publish("spring", revision)
            await asyncio.sleep(0.2)
            assert reader.revisions == [5]
            await reader.leave()

    play(scene)


def test_silence_is_filled_with_heartbeats(monkeypatch):
    monkeypatch.setattr(raw, "HEARTBEAT", 0.02)

    async def scene():
        async with running(Source(spring=1)) as hub:
            reader = await Reader(hub, "/live/spring/events").until(
                lambda reader: reader.text.count(b'\n\ndata: {"rev": 1}\n\n') > 2
            )
            assert reader.revisions == [1]
            await reader.leave()

    play(scene)


def test_reader_who_leaves_is_forgotten():
    async def scene():
        async with running(Source(spring=1)) as hub:
            reader = await Reader(hub, "/live/spring/events").until(lambda reader: reader.revisions)
            assert (hub.streams, hub.channels["spring"].watchers) == (1, 1)
            await reader.leave()
            assert (hub.streams, hub.channels["spring"].watchers) == (0, 0)

    play(scene)


def test_channel_nobody_watches_is_dropped(monkeypatch):
    monkeypatch.setattr(raw, "FORGET_IDLE", 0.01)

    async def scene():
        async with running(Source(spring=1)) as hub:
            await Reader(hub, "/live/spring/standings.json").task
            async with asyncio.timeout(5):
                while hub.channels:
                    await asyncio.sleep(0.01)

    play(scene)


def test_tournament_that_is_no_longer_public_ends_its_streams():
    async def scene():
        source = Source(spring=1)
        async with running(source) as hub:
            reader = await Reader(hub, "/live/spring/events").until(lambda reader: reader.revisions)
            del source.public["spring"]
            await asyncio.wait_for(reader.task, 5)
            late = Reader(hub, "/live/spring/standings.json")
            await late.task
            assert late.status == 404

    play(scene)


def test_tournament_first_asked_for_during_a_look_keeps_its_stream():
    class Slow(Source):
        """Answers the question for revisions only when it is let go."""

        def __init__(self, **revisions):
            super().__init__(**revisions)
            self.asking, self.go_on = threading.Event(), threading.Event()

        def revisions(self, slugs):
            asked = tuple(slugs)
            self.asking.set()
            self.go_on.wait(5)
            return super().revisions(asked)

    async def scene():
        source = Slow(spring=1, autumn=1)
        async with running(source) as hub:
            await Reader(hub, "/live/spring/events").until(lambda reader: reader.revisions)
            await asyncio.to_thread(source.asking.wait, 5)
            late = await Reader(hub, "/live/autumn/events").until(lambda reader: reader.revisions)
            source.go_on.set()
            await asyncio.to_thread(lambda: None)
            source.public["autumn"] = 2
            await late.until(lambda reader: reader.revisions == [1, 2])
            assert not late.gone.is_set()

    play(scene)


def test_more_streams_than_allowed_are_sent_away():
    async def scene():
        async with running(Source(spring=1), most_streams=1) as hub:
            first = await Reader(hub, "/live/spring/events").until(lambda reader: reader.revisions)
            second = Reader(hub, "/live/spring/events")
            await second.task
            assert (second.status, second.headers[b"retry-after"]) == (503, b"10")
            await first.leave()

    play(scene)


def test_older_snapshot_does_not_replace_a_newer_one():
    async def scene():
        channel = Channel("spring", Snapshot(3, b"new"))
        for revision in (2, 3):
            channel.show(Snapshot(revision, b"late"))
        assert channel.snapshot == Snapshot(3, b"new")

    play(scene)


def test_crowd_is_told_to_spread_its_fetches():
    channel = Channel("spring", Snapshot(3, None))
    channel.readers = dict.fromkeys(raw.Reader(None) for _ in range(301))
    assert channel.frame == b'id: 3\ndata: {"rev": 3, "spread": 1500}\n\n'


def test_stop_ends_open_streams():
    async def scene():
        async with running(Source(spring=1)) as hub:
            reader = await Reader(hub, "/live/spring/events").until(lambda reader: reader.revisions)
        await asyncio.wait_for(reader.task, 5)

    play(scene)


def test_server_that_ends_closes_its_streams_as_they_should_be():
    """Cancelled by the server, a stream still ends with its last part: nothing to complain of in the logs."""

    async def scene():
        async with running(Source(spring=1)) as hub:
            reader = await Reader(hub, "/live/spring/events").until(lambda reader: reader.revisions)
            reader.task.cancel()
            await reader.task
            assert (reader.gone.is_set(), hub.streams) == (True, 0)

    play(scene)


def test_server_told_to_end_ends_its_streams_without_waiting_for_them(caplog):
    async def scene():
        async with running(Source(spring=1)) as hub:
            port = free_port()
            settings = uvicorn.Config(
                hub, port=port, lifespan="off", log_config=None, timeout_graceful_shutdown=5
            )
            server = Server(settings, hub)
            serving = asyncio.create_task(server.serve())
            while not server.started:
                await asyncio.sleep(0.005)
            heard, asking = await asyncio.open_connection("127.0.0.1", port)
            asking.write(b"GET /live/spring/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await heard.readuntil(b"id: 1")
            server.should_exit = True
            assert (await heard.read()).endswith(b"\r\n0\r\n\r\n")
            await serving
            asking.close()

    play(scene)
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


def test_ending_server_opens_no_more_streams():
    async def scene():
        async with running(Source(spring=1)) as hub:
            await hub.end_streams()
            late = Reader(hub, "/live/spring/events")
            await late.task
            assert late.status == 503

    play(scene)


def test_slow_reader_is_waited_for_without_holding_up_the_others():
    async def scene():
        source = Source(spring=1)
        async with running(source) as hub:
            slow = await Reader(hub, "/live/spring/events").until(lambda reader: reader.revisions)
            quick = await Reader(hub, "/live/spring/events").until(lambda reader: reader.revisions)
            slow.pause = asyncio.Event()
            source.public["spring"] = 2
            record_news.publish("spring", 2)
            await quick.until(lambda reader: reader.revisions == [1, 2])
            assert slow.revisions == [1]
            slow.pause.set()
            await slow.until(lambda reader: reader.revisions == [1, 2])
            for reader in (slow, quick):
                await reader.leave()

    play(scene)


# The snapshot


async def fetch(hub, path="/live/spring/standings.json", method="GET", **headers):
    """Fetch one address to its end."""
    reader = Reader(hub, path, method, **headers)
    await reader.task
    return reader


def test_snapshot_goes_out_as_it_lies():
    async def scene():
        async with running(Source(spring=7)) as hub:
            reader = await fetch(hub, accept_encoding="br, gzip;q=0.8")
            assert json.loads(gzip.decompress(reader.text)) == {"revision": 7}
            assert reader.headers[b"etag"] == b'"r7"'
            assert reader.headers[b"content-encoding"] == b"gzip"
            assert reader.headers[b"cache-control"] == b"no-cache"
            assert reader.headers[b"content-length"] == b"%d" % len(reader.text)

    play(scene)


@pytest.mark.parametrize("accepts", ["", "br", "gzip;q=0", "identity"])
def test_snapshot_is_unpacked_for_readers_without_gzip(accepts):
    async def scene():
        async with running(Source(spring=7)) as hub:
            reader = await fetch(hub, accept_encoding=accepts)
            assert reader.text == b'{"revision": 7}'
            assert b"content-encoding" not in reader.headers

    play(scene)


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ('"r7"', 304),
        ('W/"r7"', 304),
        ('"r1", "r7"', 304),
        ("*", 304),
        ('"r6"', 200),
        ("", 200),
        ('"r77"', 200),
    ],
)
def test_snapshot_is_sent_only_to_those_who_lack_it(asked, status):
    async def scene():
        async with running(Source(spring=7)) as hub:
            reader = await fetch(hub, if_none_match=asked)
            assert (reader.status, bool(reader.text)) == (status, status == 200)

    play(scene)


def test_snapshot_follows_a_publication_at_once():
    async def scene():
        source = Source(spring=1)
        async with running(source) as hub:
            await fetch(hub)
            stream = await Reader(hub, "/live/spring/events").until(lambda reader: reader.revisions)
            source.public["spring"] = 2
            record_news.publish("spring", 2)
            await stream.until(lambda reader: reader.revisions == [1, 2])
            assert (await fetch(hub)).text == b'{"revision": 2}'
            await stream.leave()

    play(scene)


def test_snapshot_before_the_first_computation_is_empty():
    async def scene():
        async with running(Source(spring=0)) as hub:
            reader = await fetch(hub)
            assert (reader.status, reader.text, reader.headers[b"etag"]) == (204, b"", b'"r0"')

    play(scene)


def test_head_has_no_body():
    async def scene():
        async with running(Source(spring=7)) as hub:
            reader = await fetch(hub, method="HEAD")
            assert (reader.status, reader.text, reader.headers[b"content-length"]) == (200, b"", b"15")
            stream = await fetch(hub, "/live/spring/events", method="HEAD")
            assert (stream.status, stream.text) == (200, b"")

    play(scene)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/live/unknown/events", 404),
        ("GET", "/live/unknown/standings.json", 404),
        ("GET", "/live/spring/", 404),
        ("GET", "/live/spring/other", 404),
        ("GET", "/live//events", 404),
        ("GET", "/live/" + "x" * 200 + "/events", 404),
        ("POST", "/live/spring/events", 405),
    ],
)
def test_other_addresses_are_refused(method, path, status):
    async def scene():
        async with running(Source(spring=7)) as hub:
            assert (await fetch(hub, path[:300], method)).status == status

    play(scene)


def test_many_first_readers_cause_one_question():
    async def scene():
        source = Source(spring=7)
        async with running(source) as hub:
            readers = await asyncio.gather(*(fetch(hub) for _ in range(100)))
            assert {reader.status for reader in readers} == {200}
            assert source.asked["load"] == 1
            for _ in range(100):
                await fetch(hub, "/live/unknown/events")
            assert source.asked["load"] == 2

    play(scene)


def test_source_that_fails_for_a_while_leaves_the_streams_open(monkeypatch):
    async def scene():
        source = Source(spring=1)
        async with running(source) as hub:
            reader = await Reader(hub, "/live/spring/events").until(lambda reader: reader.revisions)
            with monkeypatch.context() as patch:
                patch.setattr(source, "revisions", lambda slugs: 1 / 0)
                await asyncio.sleep(0.2)
            source.public["spring"] = 2
            await reader.until(lambda reader: reader.revisions == [1, 2])
            await reader.leave()

    play(scene)


# The news


def test_listener_that_fails_does_not_keep_the_news_from_others():
    heard = []
    stops = [
        record_news.listen(lambda slug, revision: 1 / 0),
        record_news.listen(lambda *news: heard.append(news)),
    ]
    record_news.publish("spring", 3)
    for stop in stops:
        stop()
    record_news.publish("spring", 4)
    assert heard == [("spring", 3)]


def test_dead_redis_does_not_fail_a_publication(settings, monkeypatch, caplog):
    settings.EMBEDDED = False
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    record_news._redis.cache_clear()
    heard = []
    stop = record_news.listen(lambda *news: heard.append(news))
    record_news.publish("spring", 3)
    stop()
    record_news._redis.cache_clear()
    assert heard == [("spring", 3)]
    assert "Redis did not take the news of spring" in caplog.text


@pytest.mark.parametrize("message", [b"", b"{}", b"[]", b"null", b'{"slug": "a", "revision": "x"}', b"\xff"])
def test_foreign_messages_are_ignored(message):
    assert record_news.unpacked(message) is None


def test_news_survive_packing():
    assert record_news.unpacked(record_news.packed("весна", 12)) == ("весна", 12)


@pytest.mark.redis
def test_news_reach_other_processes_through_redis(settings, monkeypatch, redis_client):
    monkeypatch.setattr(raw, "LOOK", 60)
    settings.EMBEDDED = False
    record_news._redis.cache_clear()

    async def scene():
        source = Source(spring=1)
        options = {"redis_url": settings.REDIS_URL, "redis_channel": settings.LIVE_CHANNEL}
        async with running(source, **options) as hub:
            hub.stop_listening()
            reader = await Reader(hub, "/live/spring/events").until(lambda reader: reader.revisions)
            async with asyncio.timeout(5):
                while not redis_client.pubsub_numsub(settings.LIVE_CHANNEL)[0][1]:
                    await asyncio.sleep(0.02)
            source.public["spring"] = 2
            await asyncio.to_thread(record_news.publish, "spring", 2)
            await reader.until(lambda reader: reader.revisions == [1, 2])
            await reader.leave()

    play(scene)


@pytest.mark.redis
def test_broken_redis_connection_is_taken_up_again(settings, monkeypatch, redis_client):
    monkeypatch.setattr(raw, "LOOK", 60)

    async def scene():
        source = Source(spring=1)
        options = {"redis_url": settings.REDIS_URL, "redis_channel": settings.LIVE_CHANNEL}
        async with running(source, **options) as hub:
            reader = await Reader(hub, "/live/spring/events").until(lambda reader: reader.revisions)
            async with asyncio.timeout(5):
                while not redis_client.pubsub_numsub(settings.LIVE_CHANNEL)[0][1]:
                    await asyncio.sleep(0.02)
            source.public["spring"] = 2
            redis_client.client_kill_filter(_type="pubsub")
            await reader.until(lambda reader: reader.revisions == [1, 2])
            await reader.leave()

    play(scene)
