"""How long until the last of many viewers is told of a hand, and what an open stream holds in memory.

    python bench/live.py [--viewers 5000] [--news 20] [--cpu 0 1]

The whole site in one process, as `manage.py serve` runs it, on a database of its own; viewers are sockets of this process,
each a browser's request with its headers. A hand is recorded, committed and recomputed; the clock runs from the commit
until the revision has arrived at a viewer. Memory is what the server's process gained, by viewer.
"""

import argparse
import os
import resource
import selectors
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import hosts, world
from bench.hosts import percentile

HEADERS = (
    "Accept: text/event-stream\r\nCache-Control: no-cache\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n"
    "Accept-Language: ru-RU,ru;q=0.9,en-US;q=0.8,en;q=0.7\r\nConnection: keep-alive\r\n"
    "User-Agent: Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 "
    "Mobile Safari/537.36\r\nReferer: http://localhost/spring/standings/\r\nSec-Fetch-Dest: empty\r\n"
    "Sec-Fetch-Mode: cors\r\nSec-Fetch-Site: same-origin\r\nCookie: django_language=ru; theme=dark\r\n"
)

FEW = 20
WARM = 5
PATIENCE = 30


class Viewers:
    """Open streams, and when each was told which revision."""

    def __init__(self, port: int, slug: str) -> None:
        """Know where to connect."""
        self.port, self.slug = port, slug
        self.waits = selectors.DefaultSelector()
        self.seen: dict[socket.socket, int] = {}

    def connect(self, count: int) -> None:
        """Open that many streams, a hundred at a time."""
        request = f"GET /live/{self.slug}/events HTTP/1.1\r\nHost: localhost\r\n{HEADERS}\r\n".encode()
        while len(self.seen) < count:
            for _ in range(min(100, count - len(self.seen))):
                one = socket.create_connection(("127.0.0.1", self.port))
                one.sendall(request)
                one.setblocking(False)
                self.waits.register(one, selectors.EVENT_READ)
                self.seen[one] = -1
            self.listen(lambda: min(self.seen.values()) >= 0, 30)

    def listen(self, over: Any, seconds: float) -> dict[socket.socket, float]:
        """Read until something is so; return when each socket last heard of a newer revision."""
        heard = {}
        end = time.monotonic() + seconds
        while not over():
            if time.monotonic() > end:
                raise SystemExit("Not every viewer was told in time.")
            for key, _ in self.waits.select(0.05):
                one: Any = key.fileobj
                revision = newest(one.recv(65536))
                if revision is not None and revision > self.seen[one]:
                    self.seen[one] = revision
                    heard[one] = time.monotonic()
        return heard


def newest(text: bytes) -> int | None:
    """Find the last revision in what a stream said."""
    at = text.rfind(b"id: ")
    return int(text[at + 4 :].split(b"\n", 1)[0]) if at >= 0 else None


def rss(process: int) -> int:
    """Return a process's memory in bytes."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise SystemExit("The server has ended.")


@contextmanager
def site(port: int, slug: str, core: int | None) -> Iterator[subprocess.Popen[bytes]]:
    """Run the whole site in a process of its own, which plays a hand whenever it is told to."""
    command = [sys.executable, __file__, "--serve", slug, "--port", str(port)]
    with hosts.process(hosts.on_core(core, command), os.environ, port, is_asked=True) as server:
        yield server


def run_server(port: int, slug: str) -> None:
    """Be the site: one process for everything, and a thread that moves the record whenever a line comes in."""
    world.use()
    from config.server.process import run

    threading.Thread(target=play, args=[slug], daemon=True).start()
    run("127.0.0.1", port)


def play(slug: str) -> None:
    """Move two seats of a table and commit, as an entry does; say when it was committed."""
    from django.db import transaction

    from bench.recompute import play_a_hand
    from tournaments.models import Tournament
    from tournaments.record import history

    of = Tournament.objects.get(slug=slug)
    for _line in sys.stdin:
        with transaction.atomic():
            play_a_hand(of)
            history.ask_for_standings(of.pk)
        print(time.monotonic(), flush=True)


def tell(server: subprocess.Popen[bytes]) -> float:
    """Have a hand played; return when it was committed."""
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write(b"\n")
    server.stdin.flush()
    return float(server.stdout.readline())


@dataclass
class Figures:
    """How long the news took to each viewer and to the last of each time, and the server's memory at three moments."""

    told: list[float] = field(default_factory=list)
    last: list[float] = field(default_factory=list)
    few: int = 0
    opened: int = 0
    after: int = 0

    def say(self, viewers: int, players: int) -> str:
        """Put them into two lines."""
        times = (percentile(self.told, 0.5), percentile(self.told, 0.99), fmean(self.last), max(self.last))
        p50, p99, usual, worst = (f"{seconds * 1000:.0f} ms" for seconds in times)
        held, kept = ((then - self.few) / (viewers - FEW) / 1024 for then in (self.opened, self.after))
        return (
            f"{viewers} viewers of {players} players, {len(self.last)} times: from commit to a viewer told"
            f" p50 {p50}, p99 {p99}; to the last, mean {usual}, worst {worst}\n"
            f"memory: {held:.1f} KB a stream once open, {kept:.1f} KB after the news"
        )


def measure(server: subprocess.Popen[bytes], viewers: Viewers, count: int, news: int) -> Figures:
    """Open the streams, play the hands, and note when each viewer was told."""
    figures = Figures()
    warm_up(server, viewers)
    figures.few = rss(server.pid)
    viewers.connect(count)
    figures.opened = rss(server.pid)
    for _ in range(news):
        spread_word(server, viewers, figures)
        time.sleep(0.4)  # the rest of `warm_up`: what is timed is the news, not the wait for the one before
    figures.after = rss(server.pid)
    return figures


def warm_up(server: subprocess.Popen[bytes], viewers: Viewers) -> None:
    """Have a few viewers told of a few hands, so that the server's own memory is what it will be."""
    viewers.connect(FEW)
    for _ in range(WARM):
        tell(server)
        time.sleep(0.5)  # longer than the rest between two recomputations: each hand is news of its own
    viewers.listen(lambda: min(viewers.seen.values()) > WARM, PATIENCE)


def spread_word(server: subprocess.Popen[bytes], viewers: Viewers, figures: Figures) -> None:
    """Play one hand and wait until every viewer has heard of it."""
    known = max(viewers.seen.values())
    committed = tell(server)
    heard = viewers.listen(lambda: min(viewers.seen.values()) > known, PATIENCE)
    figures.told += [at - committed for at in heard.values()]
    figures.last.append(max(heard.values()) - committed)


def options() -> argparse.Namespace:
    """Read the options."""
    known = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    known.add_argument("--viewers", type=int, default=5000)
    known.add_argument("--news", type=int, default=20)
    known.add_argument("--players", type=int, default=500)
    known.add_argument("--port", type=int, default=8127)
    known.add_argument("--serve", help=argparse.SUPPRESS)
    known.add_argument(
        "--cpu", type=int, nargs=2, default=None, help="cores of the server and of the viewers"
    )
    return known.parse_args()


def allow_sockets(count: int) -> None:
    """Let this process, and the server after it, hold so many sockets."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, count)), hard))


def main() -> None:
    """Measure and print two lines."""
    chosen = options()
    if chosen.serve:
        run_server(chosen.port, chosen.serve)
        return
    allow_sockets(chosen.viewers + 500)
    home = world.begin()
    try:
        of = world.ranked_event(chosen.players, 8)
        with site(chosen.port, of.slug, chosen.cpu[0] if chosen.cpu else None) as server:
            if chosen.cpu:
                os.sched_setaffinity(0, {chosen.cpu[1]})
            figures = measure(server, Viewers(chosen.port, of.slug), chosen.viewers, chosen.news)
    finally:
        world.end(home)
    print(world.machine())
    print(figures.say(chosen.viewers, chosen.players))


if __name__ == "__main__":
    main()
