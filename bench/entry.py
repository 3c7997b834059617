"""Hands entered by many tablets at once: how many a second beside pgbench on the same hot row, and whether any is refused.

    python bench/entry.py [burst] [sqlite] [hall] [--seconds 10] [--tablets 20] [--tables 250] [--viewers 1000] [--road]

burst   twenty tablets write as fast as they are answered to the production shape on a durable PostgreSQL of its own;
        beside it pgbench: an upsert and the raise of one row that all share, by as many connections;
        and a view of three statements on the same servers: the most that Django writes a request at a time;
        then they come back from an outage, all at one moment, each with ten unsent hands; twenty times over
sqlite  the same tablets against one process on SQLite: 2,000 hands, none may be refused
hall    every table of a hall enters a hand a minute while viewers hold streams and fetch each revision: no error

With --road Django answers every hand by itself, without the lane in front of it.

Needs pgbench for the first and Redis for the first and last. The load runs on the same cores as the servers.
"""

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import bare, hosts, world
from bench.hosts import percentile
from config.tools.smoke import services

T = TypeVar("T")
HANDS_AT_A_TABLE = 16
UNSENT = 10
HALLS = 20
PATIENCE = 30.0
RECEIPT = re.compile(rb'"receipt": \{"entry": [0-9]+')
UPSERT = """
\\set n random(1, 100000)
BEGIN;
INSERT INTO bench_rows (n, times) VALUES (:n, 1) ON CONFLICT (n) DO UPDATE SET times = bench_rows.times + 1;
UPDATE bench_event SET wanted = wanted + 1 WHERE id = 1;
COMMIT;
"""


@dataclass
class Seen:
    """What the tablets saw: how long each answer took, and what was no receipt."""

    took_ms: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def say(self, seconds: float) -> str:
        """Put it into words."""
        p50, p99 = percentile(self.took_ms, 0.5), percentile(self.took_ms, 0.99)
        rate = len(self.took_ms) / seconds
        return f"{len(self.took_ms):,} hands, {rate:,.0f}/s, p50 {p50:.0f} ms, p99 {p99:.0f} ms, refused or failed: {len(self.wrong)}"


def facts(number: int) -> dict[str, Any]:
    """A hand as a table of four enters it: one win, the wall, three waiting."""
    return {
        "events": [{"type": "win", "from": "S", "winners": [{"seat": "E", "fans": number % 5}]}],
        "end": {wind: {"state": "waiting", "max_base": 1} for wind in "SWN"},
    }


class Tablet:
    """One tablet with one connection, which enters hand after hand at its tables."""

    def __init__(self, port: int, slug: str, credential: str, seen: Seen) -> None:
        """Know the server and the credential; the connection is made with the first request."""
        self.port, self.slug, self.credential, self.seen = port, slug, credential, seen
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def enter(self, table: int, number: int) -> None:
        """Enter one hand and note the answer."""
        address = f"/{self.slug}/api/session-1/table-{table}/hands/"
        await self.post(address, {"facts": facts(number), "seen": number})

    async def come_back(self, queue: list[dict[str, Any]]) -> None:
        """Send at once what was entered while there was no connection, as the tablet's outbox does."""
        await self.post(f"/{self.slug}/api/batch/", {"schema": 1, "brief": True, "operations": queue})

    async def post(self, address: str, body: dict[str, Any]) -> None:
        """Send a body and note how long each receipt took."""
        sent, hands = hosts.as_json(body), len(body.get("operations", "1"))
        head = (
            f"POST {address} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(sent)}\r\n"
            f"Authorization: Device {self.credential}\r\nIdempotency-Key: {uuid4().hex}\r\n"
            "Content-Type: application/json\r\nX-Forwarded-Proto: https\r\n\r\n"
        )
        began = time.perf_counter()
        try:
            status, said = await asyncio.wait_for(self._ask(head.encode() + sent), PATIENCE)
            if status != 200 or len(RECEIPT.findall(said)) != hands:
                self.seen.wrong.append(f"{status} {said[:200]!r}")
        except (OSError, EOFError, ValueError, TimeoutError) as error:
            self.seen.wrong.append(repr(error))
            self.close()
        self.seen.took_ms += [(time.perf_counter() - began) * 1000] * hands

    async def _ask(self, request: bytes) -> tuple[int, bytes]:
        """Send a request; return status and body of the answer."""
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = head.partition(b"content-length:")[2].partition(b"\r")[0]
        return int(head.split(b" ", 2)[1]), await reader.readexactly(int(length))

    def close(self) -> None:
        """End the connection."""
        if self.streams is not None:
            self.streams[1].close()
            self.streams = None


def write_at_once(
    ports: Sequence[int],
    of: Any,
    credentials: Sequence[str],
    tablets: int,
    *,
    seconds: float = 0,
    hands: int = 0,
) -> tuple[Seen, float]:
    """Let the tablets write as fast as they are answered, for a time or until each has entered its share."""
    seen = Seen()

    async def one(place: int) -> None:
        until = time.monotonic() + seconds if seconds else float("inf")
        left = hands // tablets if hands else sys.maxsize
        for table in range(place + 1, len(credentials) + 1, tablets):
            tablet = Tablet(ports[place % len(ports)], of.slug, credentials[table - 1], seen)
            for number in range(HANDS_AT_A_TABLE):
                if time.monotonic() > until or left == 0:
                    break
                await tablet.enter(table, number)
                left -= 1
            tablet.close()

    return seen, all_at_once(tablets, one)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end, on uvloop where it is installed."""
    try:
        import uvloop
    except ImportError:
        return asyncio.run(work)
    return uvloop.run(work)


def all_at_once(many: int, one: Callable[[int], Awaitable[None]]) -> float:
    """Let each of many do its part, all beginning at one moment; return how long the last one took."""

    async def everybody() -> float:
        began = time.monotonic()
        await asyncio.gather(*[one(place) for place in range(many)])
        return time.monotonic() - began

    return run(everybody())


# PostgreSQL


def pgbench(database_url: str, connections: int, seconds: float) -> float:
    """Return how many transactions a second the database alone makes of an upsert and the raise of one shared row."""
    import psycopg

    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("CREATE TABLE bench_rows (n integer PRIMARY KEY, times integer NOT NULL)")
        connection.execute("CREATE TABLE bench_event (id integer PRIMARY KEY, wanted integer NOT NULL)")
        connection.execute("INSERT INTO bench_event VALUES (1, 0)")
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write(UPSERT)
        script.flush()
        command = [
            "pgbench",
            "-n",
            "-M",
            "prepared",
            "-c",
            str(connections),
            "-j",
            "2",
            "-T",
            f"{seconds:.0f}",
        ]
        done = subprocess.run(
            [*command, "-f", script.name, database_url], capture_output=True, text=True, check=True
        )
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("tps")]
    return float(line.split()[2])


@contextmanager
def production(home: Path, processes: int) -> Iterator[tuple[list[int], int, str]]:
    """Run PostgreSQL as it writes in earnest, Redis, web processes, the live part, a worker; return the ports."""
    with ExitStack() as stack:
        database = stack.enter_context(services.postgresql(is_durable=True))
        redis = stack.enter_context(services.redis())
        more = {"DATABASE_URL": f"{database}?pool=12", "REDIS_URL": redis, "BEHIND_PROXY": "1"}
        environment = hosts.settings_for(home, **more)
        hosts.manage(environment, "messages", "compile", "--verbosity=0")
        hosts.manage(environment, "collectstatic", "--no-input", "--verbosity=0")
        hosts.manage(environment, "migrate", "--no-input", "--verbosity=0")
        ports = []
        for role in (*["web"] * processes, "live"):
            ports.append(services.free_port())
            told = {**environment, "PORT": str(ports[-1]), "FOUR_WINDS_ROLE": role}
            stack.enter_context(hosts.process([sys.executable, "-m", "config.server"], told, ports[-1]))
        worker = [
            sys.executable,
            "-m",
            "celery",
            "--app=config.celery",
            "worker",
            "--concurrency=1",
            "--loglevel=error",
        ]
        stack.enter_context(hosts.process(worker, environment))
        os.environ.update(environment)
        yield ports[:-1], ports[-1], database


def burst(chosen: argparse.Namespace) -> None:
    """Measure the production shape beside pgbench."""
    hosts.needs("pgbench", "redis-server")
    home = Path(tempfile.mkdtemp(prefix="four-winds-bench-"))
    with production(home, 2) as (ports, _, database):
        world.use()
        of, credentials = world.hall_in_play(chosen.tables)
        write_at_once(ports, *world.hall_in_play(20, slug="warm"), 20, seconds=2)
        alone = pgbench(database, chosen.tablets, chosen.seconds / 2)
        with Recomputations(of) as recomputed:
            seen, took = write_at_once(ports, of, credentials, chosen.tablets, seconds=chosen.seconds)
        back, took_back = outage(ports, chosen)
        least = barely(database, chosen)
        alone = max(alone, _again(database, chosen))
        rate, rate_back = len(seen.took_ms) / took, len(back.took_ms) / took_back
        print(f"burst: {chosen.tablets} tablets on PostgreSQL, two web processes, beside")
        print(f"       pgbench with the same hot row: {alone:,.0f} transactions/s")
        print(f"       a Django view of three statements with the same hot row: {least:,.0f}/s")
        print(f"       each hand on its own: {seen.say(took)}")
        print(f"       = {rate / alone:.2f} × pgbench, {rate / least:.2f} × the view of three statements")
        print(f"       recomputed {recomputed.count / took:.1f} times a second meanwhile")
        print(f"       back from an outage, each with {UNSENT} unsent hands: {back.say(took_back)}")
        print(
            f"       = {rate_back / alone:.2f} × pgbench, {rate_back / least:.2f} × the view of three statements"
        )
        complain(seen)
        complain(back)
    world.end(home)


def outage(ports: Sequence[int], chosen: argparse.Namespace) -> tuple[Seen, float]:
    """Let all tablets of a hall come back at one moment with all their unsent hands, in one hall after the other."""
    from tournaments.standings.operations.recompute import recompute_all

    seen, took = Seen(), 0.0
    for hall in range(HALLS):
        of, credentials = world.hall_in_play(chosen.tablets, slug=f"outage-{hall}")
        recompute_all(of)
        tablets = [
            Tablet(ports[place % len(ports)], of.slug, credential, seen)
            for place, credential in enumerate(credentials)
        ]
        queues = [unsent(place + 1) for place in range(chosen.tablets)]

        async def one(place: int) -> None:
            await tablets[place].come_back(queues[place])  # noqa: B023 -- done before the next hall
            tablets[place].close()  # noqa: B023

        took += all_at_once(chosen.tablets, one)
    return seen, took


def unsent(table: int) -> list[dict[str, Any]]:
    """Return the hands of a table as a tablet keeps them until it has a connection."""
    return [
        {
            "key": uuid4().hex,
            "session": 1,
            "table": table,
            "operation": "hands",
            "body": json.dumps({"facts": facts(number), "seen": number}),
        }
        for number in range(UNSENT)
    ]


def _again(database: str, chosen: argparse.Namespace) -> float:
    """Measure pgbench once more afterwards: the better of both counts against us."""
    import psycopg

    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("DROP TABLE bench_rows, bench_event")
    return pgbench(database, chosen.tablets, chosen.seconds / 2)


def barely(database: str, chosen: argparse.Namespace) -> float:
    """Measure the view that writes the least, on as many processes of the same server; return how often a second."""
    import psycopg

    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("CREATE TABLE bare_rows (id bigserial PRIMARY KEY, times integer NOT NULL)")
    told = {**os.environ, "FOUR_WINDS_ROLE": "web", "DJANGO_SETTINGS_MODULE": "bench.bare.settings"}
    told["PYTHONPATH"] = str(world.ROOT)
    seen, ports = Seen(), [services.free_port() for _ in range(2)]
    with ExitStack() as stack:
        for port in ports:
            serving = [sys.executable, "-m", "config.server"]
            stack.enter_context(hosts.process(serving, {**told, "PORT": str(port)}, port))

        async def one(place: int) -> None:
            tablet = Tablet(ports[place % len(ports)], "", "", seen)
            until = time.monotonic() + chosen.seconds / 2
            while time.monotonic() < until:
                await tablet.post(f"/{bare.ADDRESS}", {"facts": facts(1)})
            tablet.close()

        took = all_at_once(chosen.tablets, one)
    complain(seen)
    return len(seen.took_ms) / took


class Recomputations:
    """Counts how often the standings of an event were worked out, by looking at their revision."""

    def __init__(self, of: Any) -> None:
        """Look in a thread of its own."""
        self.pk, self.count, self.is_over = of.pk, 0, False
        self.thread = threading.Thread(target=self._look)

    def __enter__(self) -> "Recomputations":
        """Begin."""
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End."""
        self.is_over = True
        self.thread.join()

    def _look(self) -> None:
        from django.db import connections

        from tournaments.models import StandingsRevision

        before = None
        while not self.is_over:
            done = StandingsRevision.objects.values_list("done", flat=True).get(pk=self.pk)
            self.count += before is not None and done != before
            before = done
            time.sleep(0.02)  # a recomputation comes each third of a second at most: none is missed
        connections.close_all()


def sqlite(chosen: argparse.Namespace) -> None:
    """Measure one process on SQLite, where there is one writer at a time."""
    home = world.begin()
    of, credentials = world.hall_in_play(200)
    with hosts.site(home) as port, Recomputations(of) as recomputed:
        seen, took = write_at_once([port], of, credentials, chosen.tablets, hands=2000)
    print(f"sqlite: {chosen.tablets} tablets on one process: {seen.say(took)}")
    print(f"        recomputed {recomputed.count / took:.1f} times a second meanwhile")
    complain(seen)
    world.end(home)


# A hall and its viewers


class Viewers:
    """Phones with an open stream each, which fetch the snapshot at each new revision."""

    def __init__(self, port: int, slug: str, number: int) -> None:
        """Know the address."""
        self.port, self.slug, self.number = port, slug, number
        self.told = self.fetched = 0
        self.wrong: list[str] = []

    async def one(self, place: int) -> None:
        """Hold a stream; at each revision fetch the snapshot over another connection."""
        try:
            await asyncio.sleep(place / self.number * 3)
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            writer.write(f"GET /live/{self.slug}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            async for line in reader:
                if line.startswith(b"HTTP/") and b" 200 " not in line:
                    self.wrong.append(line.decode())
                if line.startswith(b"data: ") and (news := json.loads(line[6:])).get("spread") is not None:
                    self.told += 1
                    await asyncio.sleep(news["spread"] / 1000 * (place % 97) / 97)
                    await self.fetch()
            self.wrong.append(f"viewer {place}: the stream ended")
        except Exception as error:  # a viewer that falls silent would look like one that is never told
            self.wrong.append(f"viewer: {error!r}")

    async def fetch(self) -> None:
        """Fetch the snapshot."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        path = f"/live/{self.slug}/standings.json"
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        if head.split(b" ", 2)[1] not in {b"200", b"204"}:
            self.wrong.append(head.decode(errors="replace"))
        length = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        await reader.readexactly(int(length[0].split(b":")[1]) if length else 0)
        self.fetched += 1
        writer.close()

    async def watch(self, stop: threading.Event) -> None:
        """Watch until the hall has finished."""
        tasks = [asyncio.create_task(self.one(place)) for place in range(self.number)]
        while not stop.is_set():
            await asyncio.sleep(0.1)
        for task in tasks:
            task.cancel()


def hall(chosen: argparse.Namespace) -> None:
    """Measure a hall: every table enters a hand each minute, everybody watches."""
    hosts.needs("redis-server")
    home, seen, stop = Path(tempfile.mkdtemp(prefix="four-winds-bench-")), Seen(), threading.Event()
    with production(home, 1) as (ports, live, _):
        world.use()
        of, credentials = world.hall_in_play(chosen.tables)
        viewers = Viewers(live, of.slug, chosen.viewers)
        watching = threading.Thread(target=lambda: asyncio.run(viewers.watch(stop)))
        watching.start()
        time.sleep(5)  # the streams open over three seconds, as a crowd comes
        took = all_at_once(
            chosen.tables, lambda place: _table(ports[0], of, credentials, place + 1, chosen, seen)
        )
        time.sleep(3)  # the last news and the fetches that are spread over a second and a half
        stop.set()
        watching.join()
    seen.wrong += viewers.wrong
    print(
        f"hall: {chosen.tables} tables, a hand each in {chosen.every:.0f} s, {chosen.viewers:,} viewers: {seen.say(took)}"
    )
    print(f"      viewers were told {viewers.told:,} times and fetched {viewers.fetched:,} snapshots")
    complain(seen)
    world.end(home)


async def _table(
    port: int, of: Any, credentials: Sequence[str], table: int, chosen: argparse.Namespace, seen: Seen
) -> None:
    """Enter one hand in each span of time, every table at its own moment of it."""
    began = time.monotonic()
    for number in range(max(1, round(chosen.hall_seconds / chosen.every))):
        moment = began + (number + table / chosen.tables) * chosen.every
        await asyncio.sleep(max(0, moment - time.monotonic()))  # the table plays its hand until then
        # A connection of its own each time: one left open for a minute is closed by now.
        tablet = Tablet(port, of.slug, credentials[table - 1], seen)
        await tablet.enter(table, number)
        tablet.close()


def complain(seen: Seen) -> None:
    """Show the first of what went wrong."""
    for line, times in Counter(seen.wrong).most_common(3):
        print(f"       {times} × {line}")


def main() -> None:
    """Run what was asked for, each in a process of its own: every one lays out its own database."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("what", nargs="*", choices=[*WORKS, []], default=[])
    options.add_argument("--seconds", type=float, default=10)
    options.add_argument("--tablets", type=int, default=20)
    options.add_argument("--tables", type=int, default=250)
    options.add_argument("--viewers", type=int, default=1000)
    options.add_argument("--every", type=float, default=60, help="seconds between two hands of a table")
    options.add_argument("--hall-seconds", type=float, default=120)
    options.add_argument("--road", action="store_true", help="let Django answer every hand by itself")
    chosen = options.parse_args()
    if chosen.road:
        os.environ["HAND_BATCHES"] = "0"
    if len(chosen.what) == 1:
        WORKS[chosen.what[0]](chosen)
        return
    print(world.machine(), flush=True)
    for name in chosen.what or WORKS:
        given = [argument for argument in sys.argv[1:] if argument not in WORKS]
        subprocess.run([sys.executable, __file__, name, *given], check=True)


WORKS = {"burst": burst, "sqlite": sqlite, "hall": hall}

if __name__ == "__main__":
    main()
