"""How many times a second the site gives the standings, beside a bare answer of the same server and nginx with a file.

    python bench/pages.py [--players 500] [--seconds 5] [--cpu 0 1]

One process, as `manage.py serve` runs it; the load comes from `wrk`. While the pages are measured a hand is played every two
seconds, so that every figure holds for a hot final. Bare: the server's own `/healthz`, a constant from its raw routes.
"""

import argparse
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import hosts, world
from bench.live import site, tell
from config.tools.smoke import services

PACKED = "Accept-Encoding: gzip"
NGINX = """daemon off; worker_processes 1; pid {home}/pid; error_log {home}/error;
events {{ worker_connections 2000; }}
http {{ access_log off; client_body_temp_path {home}; proxy_temp_path {home}; fastcgi_temp_path {home};
uwsgi_temp_path {home}; scgi_temp_path {home};
server {{ listen 127.0.0.1:{port}; root {home}; etag on; gzip_static on; }} }}
"""


def spent(process: int) -> float:
    """Return the processor time that a process has used, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Load:
    """How long each address is loaded, and from which core."""

    seconds: int
    core: int | None

    def row(self, name: str, url: str, *headers: str, of: int) -> None:
        """Load one address and print requests a second, those of the server's own core, and what was refused."""
        before = spent(of)
        said = self.wrk(url, headers)
        used = spent(of) - before
        rate = float(found(r"Requests/sec:\s+([\d.]+)", said))
        own = int(found(r"(\d+) requests in", said)) / used
        slowest, bad = found(r"99%\s+(\S+)", said), found(r"Non-2xx or 3xx responses: (\d+)", said)
        refused = f"  ({bad} refused)" if bad else ""
        print(f"{name:44}{rate:8,.0f} /s, {own:8,.0f} a second of one core,  p99 {slowest:>8}{refused}")

    def wrk(self, url: str, headers: tuple[str, ...]) -> str:
        """Run wrk and return what it says."""
        command = ["wrk", "-t1", "-c50", f"-d{self.seconds}s", "--latency"]
        command += [part for header in headers for part in ("-H", header)]
        command = hosts.on_core(self.core, [*command, url])
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def found(pattern: str, text: str) -> str:
    """Return what a pattern finds; nothing if it finds nothing."""
    match = re.search(pattern, text)
    return match[1] if match else ""


@contextmanager
def hands_played(server: Any) -> Iterator[None]:
    """Have a hand played every two seconds meanwhile; the last one is recomputed at the end."""
    stop = threading.Event()

    def play() -> None:
        while not stop.wait(2):
            tell(server)

    playing = threading.Thread(target=play, daemon=True)
    playing.start()
    try:
        yield
    finally:
        stop.set()
        playing.join()
    time.sleep(1)  # the last hand is recomputed by then, and the tag stays what it is


def load_site(load: Load, server: Any, address: str, event: str, snapshot: bytes) -> None:
    """Load the bare answer, the pages and the snapshot of an event."""
    load.row("bare answer of the same server", f"{address}/healthz", of=server.pid)
    live = f"{address}/live/{event}/standings.json"
    with hands_played(server):
        for path in ("standings/", "standings/?why=1", ""):
            page = f"{address}/{event}/{path}"
            load.row(f"HTML /{path} ({size(page) / 1024:.0f} KB)", page, PACKED, of=server.pid)
        load.row(f"snapshot ({len(snapshot) / 1024:.0f} KB)", live, PACKED, of=server.pid)
    load.row("snapshot, 304", live, PACKED, known(live), of=server.pid)


def size(page: str) -> int:
    """Return the compressed size of a page."""
    request = urllib.request.Request(page, headers={"Accept-Encoding": "gzip"})
    return len(urllib.request.urlopen(request, timeout=30).read())


def known(url: str) -> str:
    """Return the header of whoever has this answer already."""
    return f"If-None-Match: {urllib.request.urlopen(url, timeout=30).headers['ETag']}"


def load_nginx(load: Load, port: int, snapshot: bytes) -> None:
    """Load nginx with the snapshot as a file."""
    file = f"http://127.0.0.1:{port}/standings.json"
    with tempfile.TemporaryDirectory() as home, nginx(Path(home), port, snapshot) as worker:
        load.row("nginx, the snapshot as a file", file, PACKED, of=worker)
        load.row("nginx, 304", file, known(file), of=worker)


@contextmanager
def nginx(home: Path, port: int, body: bytes) -> Iterator[int]:
    """Serve the snapshot as a static file, compressed beforehand; return the process that answers."""
    (home / "standings.json").write_bytes(gzip.decompress(body))
    (home / "standings.json.gz").write_bytes(body)
    (home / "conf").write_text(NGINX.format(home=home, port=port))
    master = subprocess.Popen(["nginx", "-c", str(home / "conf"), "-p", str(home)])
    try:
        services.wait_until(lambda: services.answers(port), master)
        yield int(Path(f"/proc/{master.pid}/task/{master.pid}/children").read_text().split()[0])
    finally:
        services.end(master)


def options() -> argparse.Namespace:
    """Read the options."""
    known = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    known.add_argument("--players", type=int, default=500)
    known.add_argument("--seconds", type=int, default=5)
    known.add_argument("--port", type=int, default=8128)
    known.add_argument("--cpu", type=int, nargs=2, default=None, help="cores of the server and of wrk")
    return known.parse_args()


def main() -> None:
    """Measure each address and print a line."""
    chosen = options()
    hosts.needs("wrk")
    core, own_core = chosen.cpu or (None, None)
    load = Load(chosen.seconds, own_core)
    home = world.begin()
    try:
        from tournaments.models import Snapshot

        of = world.ranked_event(chosen.players, 8)
        snapshot = bytes(Snapshot.objects.get(tournament=of).body)
        print(world.machine())
        with site(chosen.port, of.slug, core) as server:
            load_site(load, server, f"http://127.0.0.1:{chosen.port}", of.slug, snapshot)
            if shutil.which("nginx"):
                load_nginx(load, chosen.port + 1, snapshot)
    finally:
        world.end(home)


if __name__ == "__main__":
    main()
