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
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import world

sys.path.insert(0, str(world.ROOT))

from config.smoke import services

HEADERS = (
    "Accept: text/event-stream\r\nCache-Control: no-cache\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n"
    "Accept-Language: ru-RU,ru;q=0.9,en-US;q=0.8,en;q=0.7\r\nConnection: keep-alive\r\n"
    "User-Agent: Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 "
    "Mobile Safari/537.36\r\nReferer: http://localhost/spring/standings/\r\nSec-Fetch-Dest: empty\r\n"
    "Sec-Fetch-Mode: cors\r\nSec-Fetch-Site: same-origin\r\nCookie: django_language=ru; theme=dark\r\n"
)


WARM = 5


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
        """Read until something is so; give when each socket last heard of a newer revision."""
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
    """Give a process's memory in bytes."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise SystemExit("The server has ended.")


def serve(port: int, slug: str, core: int | None) -> subprocess.Popen[str]:
    """Start the site in a process of its own and wait until it answers."""
    command = [sys.executable, __file__, "--serve", slug, "--port", str(port)]
    if core is not None:
        command = ["taskset", "-c", str(core), *command]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    services.wait_until(lambda: services.answers(port), server)
    return server


def run_server(port: int, slug: str) -> None:
    """Be the site: one process for everything, and a thread that moves the record whenever a line comes in."""
    sys.path.insert(0, str(world.ROOT))
    import django

    django.setup()
    from config.server import run

    threading.Thread(target=play, args=[slug], daemon=True).start()
    run("127.0.0.1", port)


def play(slug: str) -> None:
    """Move two seats of a table and commit, as an entry does; say when it was committed."""
    from django.db import transaction
    from recompute import play_a_hand

    from tournaments.models import Tournament
    from tournaments.operations import history

    of = Tournament.objects.get(slug=slug)
    for _line in sys.stdin:
        with transaction.atomic():
            play_a_hand(of)
            history.ask_for_standings(of.pk)
        print(time.monotonic(), flush=True)


def tell(server: subprocess.Popen[str]) -> float:
    """Have a hand played; give when it was committed."""
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write("\n")
    server.stdin.flush()
    return float(server.stdout.readline())


def percentile(values: list[float], share: float) -> float:
    """Give the value below which that share lies."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def main() -> None:
    """Measure and print two lines."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--viewers", type=int, default=5000)
    options.add_argument("--news", type=int, default=20)
    options.add_argument("--players", type=int, default=500)
    options.add_argument("--port", type=int, default=8127)
    options.add_argument("--serve", help=argparse.SUPPRESS)
    options.add_argument(
        "--cpu", type=int, nargs=2, default=None, help="cores of the server and of the viewers"
    )
    chosen = options.parse_args()
    if chosen.serve:
        run_server(chosen.port, chosen.serve)
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, chosen.viewers + 500)), hard))
    home = world.begin()
    from tournaments.operations.standings import recompute_all

    of = world.big_event(chosen.players, 8)
    recompute_all(of)
    server = serve(chosen.port, of.slug, chosen.cpu[0] if chosen.cpu else None)
    if chosen.cpu:
        os.sched_setaffinity(0, {chosen.cpu[1]})
    try:
        viewers = Viewers(chosen.port, of.slug)
        viewers.connect(20)
        for _ in range(WARM):
            tell(server)
            time.sleep(0.5)  # longer than the rest between two recomputations: each hand is news of its own
        viewers.listen(lambda: min(viewers.seen.values()) > WARM, 30)
        before = rss(server.pid)
        viewers.connect(chosen.viewers)
        held = (rss(server.pid) - before) / (chosen.viewers - 20)
        told, last = [], []
        for _ in range(chosen.news):
            known = max(viewers.seen.values())
            committed = tell(server)
            heard = viewers.listen(lambda known=known: min(viewers.seen.values()) > known, 30)
            told += [at - committed for at in heard.values()]
            last.append(max(heard.values()) - committed)
            time.sleep(
                0.4
            )  # the same rest: what is timed is the way of the news, not the wait for the one before
        after = (rss(server.pid) - before) / (chosen.viewers - 20)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(20)
        world.end(home)
    print(world.machine())
    print(
        f"{chosen.viewers} viewers of {chosen.players} players, {chosen.news} times: from commit to a viewer told"
        f" p50 {percentile(told, 0.5) * 1000:.0f} ms, p99 {percentile(told, 0.99) * 1000:.0f} ms;"
        f" to the last, mean {sum(last) / len(last) * 1000:.0f} ms, worst {max(last) * 1000:.0f} ms"
    )
    print(f"memory: {held / 1024:.1f} KB a stream once open, {after / 1024:.1f} KB after the news")


if __name__ == "__main__":
    main()
