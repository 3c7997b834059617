"""Hostile files sent to the running site: each is answered in time with its sentence, and nobody else notices.

    python bench/uploads.py [--uploads 62] [--at-once 2] [--pause 0] [--seed 1]

The site serves from one process on SQLite. Two people send bombs, lies and puzzles (`config/tests/hostile_files.py`) one after
another: tables to the page that imports players, pictures and documents with an appeal. Meanwhile a tablet enters a hand and a
spectator looks at a page four times a second; how long they wait is compared with the same without uploads. Exits 1 if a file was
answered otherwise, or not within five seconds. A machine that is too busy to read a file within four seconds says so: such
answers are counted apart.
"""

import argparse
import http.client
import re
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import hosts, life, world
from bench.hosts import percentile
from bench.kills import Tablet, hall_in_play

SECONDS = 5.0
PAUSE = 0.25
SLUG = life.SLUG
TABLES = (".csv", ".xlsx")
TOO_LONG = "Reading this file takes too long."
UPLOADS_OF_ONE = 20
"""An account that sends many files is slowed down, so they come from many."""


@dataclass
class Sender:
    """The organizer's browser."""

    port: int
    cookie: str = ""

    def send(self, method: str, path: str, body: bytes = b"", kind: str = "") -> tuple[int, str]:
        """Send a request; return status and text."""
        headers = {
            "Host": "localhost",
            "Accept-Language": "en",
            "Cookie": f"csrftoken={TOKEN}; {self.cookie}",
        }
        if kind:
            headers["Content-Type"] = kind
        server = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            server.request(method, path, body, headers)
            answer = server.getresponse()
            return answer.status, answer.read().decode(errors="replace")
        finally:
            server.close()

    def upload(self, path: str, name: str, content: bytes, file_field: str, **fields: str) -> tuple[int, str]:
        """Send a form with a file; return status and what a reader sees."""
        mark = uuid4().hex
        parts = [
            f'--{mark}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
            for key, value in {"csrfmiddlewaretoken": TOKEN, **fields}.items()
        ]
        parts.append(
            f'--{mark}\r\nContent-Disposition: form-data; name="{file_field}"; filename="{name}"\r\n\r\n'.encode()
            + content
            + b"\r\n"
        )
        parts.append(
            f'--{mark}\r\nContent-Disposition: form-data; name="form_end"\r\n\r\n1\r\n--{mark}--\r\n'.encode()
        )
        status, page = self.send("POST", path, b"".join(parts), f"multipart/form-data; boundary={mark}")
        return status, re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page)))


TOKEN = "t" * 32


@dataclass(eq=False)
class Watcher(threading.Thread):
    """A tablet and a spectator, four times a second, and how long each of them waited."""

    port: int
    tablet: Tablet
    waited_ms: dict[str, list[float]] = field(default_factory=lambda: {"a hand": [], "a page": []})
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Get ready to run beside the uploads."""
        super().__init__(daemon=True)
        self.over = threading.Event()
        self.hands = 0

    def run(self) -> None:
        """Enter hands and look at pages until told to stop."""
        while not self.over.wait(PAUSE):
            self.timed("a hand", self.enter)
            self.timed("a page", self.look)

    def timed(self, what: str, work: Any) -> None:
        """Note how long something took."""
        began = time.perf_counter()
        if not work():
            self.wrong.append(what)
        self.waited_ms[what].append((time.perf_counter() - began) * 1000)

    def enter(self) -> bool:
        """Enter a hand at the next table that has room for one."""
        self.tablet.table, number = self.hands // 16 + 1, self.hands % 16
        self.tablet.credential = f"tablet-{self.tablet.table:04d}-{'x' * 20}"
        self.hands += 1
        return self.tablet.enter(number, f"uploads-{self.hands:06d}-{'k' * 8}")

    def look(self) -> bool:
        """Look at a page that is drawn for this request alone."""
        status, _ = Sender(self.port).send("GET", f"/{SLUG}/?{uuid4().hex}")
        return status == 200

    def summary(self) -> str:
        """Say how long people waited."""
        return "; ".join(
            f"{what}: p50 {percentile(waited, 0.5):.0f} ms, p99 {percentile(waited, 0.99):.0f} ms"
            for what, waited in self.waited_ms.items()
        )


@contextmanager
def watched(port: int, tablet: Tablet) -> Iterator[Watcher]:
    """Watch how long others wait."""
    watcher = Watcher(port, tablet)
    watcher.start()
    try:
        yield watcher
    finally:
        watcher.over.set()
        watcher.join()


@dataclass
class Uploads:
    """What was sent, how long each answer took, and which was wrong."""

    senders: Sequence[Sender]
    pages: Mapping[str, str]
    took: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    slow: int = 0

    def send(self, number: int, name: str, kind: Any, content: bytes) -> None:
        """Send a file and compare the answer with what its kind is to be answered."""
        began, sender = time.perf_counter(), self.senders[number % len(self.senders)]
        if kind.name.endswith(TABLES):
            status, text = sender.upload(self.pages["import"], kind.name, content, "file")
        else:
            said = {
                "player": "1",
                "against": "table-1-1",
                "matter": "rules",
                "text": life.LONG,
                "key": uuid4().hex,
            }
            status, text = sender.upload(self.pages["appeal"], kind.name, content, "attachments", **said)
        took = time.perf_counter() - began
        self.took.append(took)
        is_slow = (status, TOO_LONG) == (422, text[text.find(TOO_LONG) :][: len(TOO_LONG)])
        self.slow += is_slow
        if took > SECONDS or not (is_slow or (status == kind.answer[0] and kind.answer[1] in text)):
            self.wrong.append(f"{name}: {status} after {took:.1f} s: {text[-200:]!r}")


def make_all(folder: Path, count: int, seed: int) -> list[tuple[str, Any, Path]]:
    """Write so many files, kind after kind, before anything is measured."""
    from config.tests import hostile_files

    kinds = [*hostile_files.TABLES.items(), *hostile_files.FILES.items()]
    made = []
    for number in range(count):
        name, kind = kinds[number % len(kinds)]
        path = folder / f"upload-{number}"
        path.write_bytes(kind.make(Random(seed * 1_000_000 + number)))
        made.append((name, kind, path))
    return made


def send_all(uploads: Uploads, files: Sequence[tuple[str, Any, Path]], at_once: int, pause: float) -> None:
    """Send the files by some people at once, each of whom waits a little after an answer."""
    left, lock = iter(range(len(files))), threading.Lock()

    def work() -> None:
        while (number := _next(left, lock)) is not None:
            name, kind, path = files[number]
            uploads.send(number, name, kind, path.read_bytes())
            time.sleep(pause)  # people choose the next file before they send it

    people = [threading.Thread(target=work) for _ in range(at_once)]
    for one in people:
        one.start()
    for one in people:
        one.join()


def _next(left: Iterator[int], lock: threading.Lock) -> int | None:
    with lock:
        return next(left, None)


def event_to_fill() -> str:
    """Make an event whose list is still open; return its address."""
    from tournaments.sessions.operations import tournaments as events

    event = life.Event()
    days = event.of.first_day, event.of.last_day
    said = events.Announcement("Another event", "uploads", *days, time_zone="UTC", city="Oslo")
    return str(events.create_tournament(said, preset="sbr", by=event.by).slug)


def cookie_of(number: int) -> str:
    """Make another organizer of both events, and sign in."""
    from django.conf import settings
    from django.test import Client

    from tournaments.models import Role, Tournament, User

    user = User.objects.create(username=f"organizer-{number}")
    kinds = ("organizer", "chief_referee")
    Role.objects.bulk_create(
        Role(tournament=of, user=user, kind=kind) for of in Tournament.objects.all() for kind in kinds
    )
    client = Client()
    client.force_login(user, backend=settings.AUTHENTICATION_BACKENDS[-1])
    return f"sessionid={client.cookies[settings.SESSION_COOKIE_NAME].value}"


def main() -> None:
    """Measure without uploads, then with them."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--uploads", type=int, default=62)
    options.add_argument("--at-once", type=int, default=2)
    options.add_argument("--pause", type=float, default=0.0, help="seconds a sender waits after an answer")
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    print(world.machine(), flush=True)
    home = world.begin()
    _, credentials = hall_in_play(100)
    from django.urls import reverse

    pages = {
        "import": reverse("tournaments:import_players", args=[event_to_fill()]),
        "appeal": reverse("penalties:new_appeal", args=[SLUG]),
    }
    cookies = [cookie_of(number) for number in range(chosen.uploads // UPLOADS_OF_ONE + 1)]
    files = make_all(home, chosen.uploads, chosen.seed)
    with hosts.site(home, SECRET_KEY=world_secret()) as port:
        tablet = Tablet([port], SLUG, 1, credentials[0], Random(chosen.seed))
        uploads = Uploads([Sender(port, cookie) for cookie in cookies], pages)
        with watched(port, tablet) as watcher:
            time.sleep(30)
        print(f"undisturbed: {watcher.summary()}", flush=True)
        began, hands = time.monotonic(), watcher.hands
        with watched(port, tablet) as watcher:
            watcher.hands = hands
            send_all(uploads, files, chosen.at_once, chosen.pause)
        took = time.monotonic() - began
    world.end(home)
    print(f"with uploads: {watcher.summary()}")
    print(
        f"{len(uploads.took)} hostile uploads in {took:.0f} s: answered within p50 {percentile(uploads.took, 0.5):.2f} s,"
        f" at most {max(uploads.took):.2f} s; given up after four seconds: {uploads.slow}; answered otherwise: {len(uploads.wrong)};"
        f" others refused: {len(watcher.wrong)}"
    )
    for line in uploads.wrong[:20]:
        print(f"       {line}")
    sys.exit(1 if uploads.wrong or watcher.wrong else 0)


def world_secret() -> str:
    """Return the key with which this process has signed the session."""
    from django.conf import settings

    return str(settings.SECRET_KEY)


if __name__ == "__main__":
    main()
