"""Requests that break, stall and lie on every writing address, while tablets write and spectators watch.

    python bench/gate.py [--requests 500] [--tablets 20] [--spectators 50] [--postgresql]

Each request is cut or stalled at a random byte, lies about its length or breaks off between two chunks; some have no end
of a head, some never read their answer. Afterwards every row of the database that is not of the hall in play is compared
with what it was before, and each hand of the hall with what its tablet was told. The enemy runs in a process of its own.
"""

import argparse
import asyncio
import hashlib
import multiprocessing
import os
import socket
import struct
import sys
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))


from bench import entry, hosts, world
from config.tools.smoke import services

TOKEN = "a" * 32
HALL = "hall"
PACE = 0.5
STALLED = 150
ROUNDS = 5_000
PRICED = 4
"""For how many seconds hands are entered to learn what one costs."""
DEAREST = 0.03
"""The share of a hand's time that the gate may take."""
WAYS = (
    "cut",
    "reset",
    "half-closed",
    "stalled",
    "short",
    "chunks cut",
    "chunks lie",
    "no end of a head",
    "unread",
)
FORM = {
    "reason": "Everybody at the table agreed about it",
    "confirm": "1",
    "name": "Heron Q",
    "text": "\n".join(f"Heron {first}{second}" for first in "ABCDEFGH" for second in "abcdefghij"),
    "consent": "1",
    "came": "1",
    "players": "1",
    "clock": "stop",
    "minutes": "5",
    "seen": "1",
    "first": "1",
    "second": "2",
    "login": "nobody",
    "password": "wrong",
    "username": "newcomer",
}
HAND = {
    "facts": entry.facts(3),
    "seen": 1,
    "reason": FORM["reason"],
    "players": [1],
    "credential": "",
    "secret": "x",
}


@dataclass(frozen=True)
class Target:
    """A writing address with the head and the body of a request to it."""

    name: str
    head: str
    body: bytes


# The scene


def targets(scene: Mapping[str, Any], cookies: str) -> Iterator[Target]:
    """Go through every address that takes a POST, ours and the libraries'."""
    from django.urls import get_resolver

    from config.tests import scene as table

    for name, pattern in table.patterns(get_resolver()):
        access = getattr(pattern.callback, "access", None)
        if access is not None and "POST" not in access.methods:
            continue
        if access is None and name.split(":")[0] in {"alive", "ready", "robots", "favicon", "messages"}:
            continue
        with suppress(Exception):  # an address of the admin site that needs a model's row
            path = table.address(name, scene)
            yield target(name, path, scene, cookies, is_api=access is not None and access.is_api)


def target(name: str, path: str, scene: Mapping[str, Any], cookies: str, *, is_api: bool) -> Target:
    """Write a request that would change something where it may: signed in as the organizer, or as the tablet."""
    who = f"Authorization: Device {scene['credential']}" if is_api else f"Cookie: {cookies}"
    kind = "application/json" if is_api else "application/x-www-form-urlencoded"
    fields = {"csrfmiddlewaretoken": TOKEN, **FORM, "key": uuid4().hex, "filler": "x" * 2000, "form_end": "1"}
    body = hosts.as_json({**HAND, "note": "x" * 500}) if is_api else urlencode(fields).encode()
    lines = (
        f"POST {path} HTTP/1.1", "Host: localhost", "Origin: http://localhost", who, f"Content-Type: {kind}",
        f"Idempotency-Key: {uuid4().hex}", f"X-CSRFToken: {TOKEN}",
    )  # fmt: skip
    return Target(name, "\r\n".join(lines) + "\r\n", body)


def signed_in(user: Any) -> str:
    """Return the cookies of a user's session."""
    from django.test import Client

    client = Client()
    client.force_login(user)
    return "; ".join([f"csrftoken={TOKEN}", *(f"{name}={row.value}" for name, row in client.cookies.items())])


# The database


def rows(left_out: int) -> dict[str, dict[Any, str]]:
    """Return a digest of every row of every table, by table and key; those of one event are left out."""
    from django.apps import apps
    from django.db import connection

    found: dict[str, dict[Any, str]] = {}
    for model in apps.get_models(include_auto_created=True):
        name, key = connection.ops.quote_name(model._meta.db_table), model._meta.pk.column
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT * FROM {name}")
            place = [column[0] for column in cursor.description].index(key)
            of = (
                set(model._default_manager.filter(**at(model, left_out)).values_list("pk", flat=True))
                if at(model, 0)
                else set()
            )
            found[name] = {row[place]: digest(row) for row in cursor if row[place] not in of}
    return found


def digest(row: Iterable[Any]) -> str:
    """Return a digest of a row's bytes."""
    return hashlib.sha256(
        repr([bytes(cell) if isinstance(cell, memoryview) else cell for cell in row]).encode()
    ).hexdigest()


def at(model: Any, event: int) -> dict[str, int]:
    """Say by which way a row belongs to an event; nothing where it belongs to none."""
    from tournaments.models import Tournament

    if model is Tournament:
        return {"pk": event}
    ways: deque[tuple[str, Any]] = deque([("", model)])
    seen = {model}
    while ways:
        before, of = ways.popleft()
        for field in of._meta.concrete_fields:
            if field.related_model is Tournament:
                return {f"{before}{field.name}": event}
            if field.is_relation and field.related_model not in seen:
                seen.add(field.related_model)
                ways.append((f"{before}{field.name}__", field.related_model))
    return {}


def differences(before: dict[str, dict[Any, str]], after: dict[str, dict[Any, str]]) -> list[str]:
    """Name every row that is new, gone or different."""
    return [
        f"{table} {key}"
        for table in before
        for key in before[table].keys() | after[table].keys()
        if before[table].get(key) != after[table].get(key)
    ]


# The enemy


class Enemy:
    """Sends broken requests, many at a time, and keeps the latest stalled ones open."""

    def __init__(self, port: int, aims: list[Target], requests: int, seed: int, at_once: int) -> None:
        """Know where to send what."""
        self.port, self.aims, self.left, self.dice = port, aims, requests, Random(seed)
        self.at_once = at_once
        self.stalled: deque[asyncio.StreamWriter] = deque()
        self.answers: Counter[str] = Counter()

    async def attack(self) -> None:
        """Send everything."""
        await asyncio.gather(*[self.one_after_another() for _ in range(self.at_once)])
        for writer in self.stalled:
            writer.close()

    async def one_after_another(self) -> None:
        """Send one broken request after the other; each address has its turn in each way."""
        while self.left > 0:
            self.left -= 1
            aim = self.aims[self.left % len(self.aims)]
            way = WAYS[(self.left // len(self.aims) + self.left) % len(WAYS)]
            with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
                await asyncio.wait_for(self.send(aim, way), 30)

    async def send(self, aim: Target, way: str) -> None:
        """Send one request as it should not be sent."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2048)
        writer.write(self.written(aim, way))
        await asyncio.sleep(0.02)  # whoever reads it as it comes has read it
        if way in {"stalled", "no end of a head", "unread"}:
            self.keep(writer)
            return
        if way == "reset":
            writer.get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
            )
        elif way == "half-closed":
            writer.write_eof()
            await reader.read()
        elif way in {"short", "chunks lie"}:
            self.answers[(await reader.readline())[9:12].decode() or "ended"] += 1
        writer.close()

    def keep(self, writer: asyncio.StreamWriter) -> None:
        """Leave a connection open until there are too many of them."""
        self.stalled.append(writer)
        if len(self.stalled) > STALLED:
            self.stalled.popleft().close()

    def written(self, aim: Target, way: str) -> bytes:
        """Write the request as far as it goes."""
        head, body = aim.head.encode(), aim.body
        cut = self.dice.randrange(len(body) - 40)
        if way == "no end of a head":
            return head[: self.dice.randrange(4, len(head) - 2)]
        if way == "unread":
            return b"GET /static/css/base.css HTTP/1.1\r\nHost: localhost\r\n\r\n" * 40
        if way == "short":
            return head + b"Content-Length: %d\r\nConnection: close\r\n\r\n" % cut + body[:cut]
        if way.startswith("chunks"):
            size = b"%x" % (cut + 1) if way == "chunks cut" else b"zz"
            return head + b"Transfer-Encoding: chunked\r\n\r\n" + size + b"\r\n" + body[:cut]
        return head + b"Content-Length: %d\r\n\r\n" % len(body) + body[:cut]


def attack(port: int, aims: list[Target], requests: int, seed: int, at_once: int, said: Any) -> None:
    """Be the enemy, in a process of its own."""
    enemy = Enemy(port, aims, requests, seed, at_once)
    began = time.monotonic()
    entry.run(enemy.attack())
    said.put((time.monotonic() - began, dict(enemy.answers)))


# The hall


class Hall:
    """Tablets that enter a hand now and then, and spectators who fetch the standings, until the enemy is done."""

    def __init__(self, port: int, of: Any, credentials: list[str], chosen: argparse.Namespace) -> None:
        """Know the server and how many there are."""
        self.port, self.of, self.credentials, self.chosen = port, of, credentials, chosen
        self.seen = entry.Seen()
        self.viewers = entry.Viewers(port, of.slug, chosen.spectators)
        self.is_over = False

    async def play(self, until: float, enemy: Any = None) -> None:
        """Play until that time, and as long as the enemy is there."""
        watching = [asyncio.create_task(self.viewers.one(place)) for place in range(self.chosen.spectators)]
        tables = [asyncio.create_task(self.enter(place)) for place in range(self.chosen.tablets)]
        while time.monotonic() < until or (enemy is not None and enemy.is_alive()):
            await asyncio.sleep(0.1)
        self.is_over = True
        await asyncio.gather(*tables)
        for one in watching:
            one.cancel()

    async def enter(self, place: int) -> None:
        """Enter hands at one table after the other."""
        for table in range(place + 1, len(self.credentials) + 1, self.chosen.tablets):
            tablet = entry.Tablet(self.port, self.of.slug, self.credentials[table - 1], self.seen)
            for number in range(entry.HANDS_AT_A_TABLE):
                if self.is_over:
                    return
                await tablet.enter(table, number)
                await asyncio.sleep(PACE)
            tablet.close()


# What it costs


def tell_price(port: int, chosen: argparse.Namespace) -> bool:
    """Say what share of a hand's time the gate takes, and whether that is as little as it may be. What is read does not pass it."""
    seen, took = entry.write_at_once(
        [port], *world.hall_in_play(60, slug="price"), chosen.tablets, seconds=PRICED
    )
    hand = took / len(seen.took_ms)
    bare, through = entry.run(own_time())
    share = (through - bare) / hand
    print(f"gate: {(through - bare) * 1e6:.1f} µs a request that writes = {share:.1%} of a hand"
          f" ({hand * 1e6:.0f} µs, twenty tablets that never rest, one process)")  # fmt: skip
    return share <= DEAREST


async def own_time() -> tuple[float, float]:
    """Return the seconds that a hand's request takes to the next part of the site, without and with the gate between."""
    from config.server.callers import Callers
    from config.server.gate import Gate

    body = hosts.as_json({**HAND, "note": "x" * 500})
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    scope = {"type": "http", "method": "POST", "path": "/x/api/v1/tables/1/hands/", "client": ("127.0.0.1", 1),
             "headers": [*headers, (b"authorization", b"Device x"), (b"cookie", b"sessionid=" + b"a" * 32)]}  # fmt: skip

    async def site(scope: Any, receive: Any, send: Any) -> None:
        await receive()

    async def timed(app: Any) -> float:
        began = time.process_time()
        for _ in range(ROUNDS):
            parts = [{"type": "http.request", "body": body, "more_body": False}]

            async def receive(parts: list[Any] = parts) -> Any:
                return parts.pop()

            await app(scope, receive, None)
        return (time.process_time() - began) / ROUNDS

    gate = Gate(site, Callers())
    both = [(await timed(site), await timed(gate)) for _ in range(5)]
    return min(both)[0], min(through for _, through in both)


def wait_for_standings() -> None:
    """Wait until every event's standings and chances are worked out: whatever changes from then on, the enemy has changed."""
    from django.db.models import F

    from tournaments.models import StandingsRevision
    from tournaments.standings.operations import chances

    while StandingsRevision.objects.filter(done__lt=F("wanted")).exists() or chances.behind():
        time.sleep(0.1)  # asked again, as long as it takes
    time.sleep(1)  # the snapshot is written last, and nothing tells of it from outside


def measure(port: int, scene: Mapping[str, Any], chosen: argparse.Namespace) -> bool:
    """Attack, play and compare; return whether everything held."""
    from django.db import connections

    from tournaments.models import Hand

    of, credentials = world.hall_in_play(chosen.tables, slug=HALL)
    aims = list(targets(scene, signed_in(scene["tournament"].created_by)))
    own = multiprocessing.get_context("spawn")
    entry.write_at_once([port], *world.hall_in_play(20, slug="warm"), chosen.tablets, seconds=2)
    is_cheap = tell_price(port, chosen)
    alone = Hall(port, *world.hall_in_play(chosen.tables, slug="alone"), chosen)
    entry.run(alone.play(time.monotonic() + chosen.alone))
    wait_for_standings()
    before = rows(of.pk)
    connections.close_all()
    said = own.Queue()
    enemy = own.Process(target=attack, args=(port, aims, chosen.requests, chosen.seed, chosen.at_once, said))
    enemy.start()
    hall = Hall(port, of, credentials, chosen)
    entry.run(hall.play(0, enemy))
    took, answers = said.get()
    changed = differences(before, rows(of.pk))
    hands = Hand.objects.filter(protocol__table__session__tournament=of).count()
    print(
        f"gate: {chosen.requests:,} broken requests on {len(aims)} writing addresses in {took:.0f} s; answers {answers}"
    )
    print(f"      rows compared: {sum(map(len, before.values())):,}; changed: {len(changed)} {changed[:10]}")
    print(f"      the tablets before: {alone.seen.say(chosen.alone)}")
    print(f"      the tablets meanwhile: {hall.seen.say(took)}; hands recorded: {hands:,}")
    print(f"      {chosen.spectators} spectators: told {hall.viewers.told:,} times, fetched {hall.viewers.fetched:,},"
          f" failed {len(hall.viewers.wrong)} {hall.viewers.wrong[:3]}")  # fmt: skip
    p99 = hosts.percentile(hall.seen.took_ms, 0.99)
    is_exact = not changed and not hall.seen.wrong and hands == len(hall.seen.took_ms)
    return is_cheap and is_exact and not hall.viewers.wrong and p99 <= chosen.most_ms


def options() -> argparse.Namespace:
    """Read the options."""
    known = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    known.add_argument("--requests", type=int, default=500)
    known.add_argument("--tablets", type=int, default=20)
    known.add_argument("--tables", type=int, default=300)
    known.add_argument("--alone", type=float, default=10, help="seconds without the enemy, to compare with")
    known.add_argument("--at-once", type=int, default=10, help="how many requests the enemy sends at a time")
    known.add_argument("--spectators", type=int, default=50)
    known.add_argument("--seed", type=int, default=1)
    known.add_argument("--most-ms", type=float, default=250, help="what 99 of 100 hands may take")
    known.add_argument("--postgresql", action="store_true", help="on a scratch PostgreSQL instead of SQLite")
    return known.parse_args()


def main() -> None:
    """Set the scene, serve it and attack."""
    chosen = options()
    with ExitStack() as stack:
        if chosen.postgresql:
            os.environ["DATABASE_URL"] = stack.enter_context(services.postgresql(is_durable=True))
        home = world.begin()
        stack.callback(world.end, home)
        from config.tests.scene import set_scene

        scene = set_scene()
        more = {name: os.environ[name] for name in ("DATABASE_URL", "SECRET_KEY") if name in os.environ}
        print(world.machine())
        port = stack.enter_context(hosts.site(home, **more))
        held = measure(port, scene, chosen)
    sys.exit(0 if held else "The gate did not hold.")


if __name__ == "__main__":
    main()
