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
import signal
import subprocess
import tempfile
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

import world
from live import serve, services, tell

NGINX = """daemon off; worker_processes 1; pid {home}/pid; error_log {home}/error;
events {{ worker_connections 2000; }}
http {{ access_log off; client_body_temp_path {home}; proxy_temp_path {home}; fastcgi_temp_path {home};
uwsgi_temp_path {home}; scgi_temp_path {home};
server {{ listen 127.0.0.1:{port}; root {home}; etag on; gzip_static on; }} }}
"""


def spent(process: int) -> float:
    """Give the processor time that a process has used, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wrk(url: str, seconds: int, core: int | None, *headers: str, of: int) -> str:
    """Load one address; give requests a second, requests a second of the server's own core, and what was refused."""
    before = spent(of)
    command = ["wrk", "-t1", "-c50", f"-d{seconds}s", "--latency"]
    command += [part for header in headers for part in ("-H", header)]
    if core is not None:
        command = ["taskset", "-c", str(core), *command]
    said = subprocess.run([*command, url], capture_output=True, text=True, check=True).stdout
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", said)[1])  # type: ignore[index]
    used = spent(of) - before
    requests = int(re.search(r"(\d+) requests in", said)[1])  # type: ignore[index]
    slowest = re.search(r"99%\s+(\S+)", said)[1]  # type: ignore[index]
    bad = re.search(r"Non-2xx or 3xx responses: (\d+)", said)
    return f"{rate:8,.0f} /s, {requests / used:8,.0f} a second of one core,  p99 {slowest:>8}" + (
        f"  ({bad[1]} refused)" if bad else ""
    )


def keep_playing(server: Any, stop: threading.Event) -> None:
    """Play a hand every two seconds."""
    while not stop.wait(2):
        tell(server)


def nginx(home: Path, port: int, body: bytes) -> subprocess.Popen[bytes]:
    """Serve the snapshot as a static file, compressed beforehand."""
    (home / "standings.json").write_bytes(gzip.decompress(body))
    (home / "standings.json.gz").write_bytes(body)
    (home / "conf").write_text(NGINX.format(home=home, port=port))
    started = subprocess.Popen(["nginx", "-c", str(home / "conf"), "-p", str(home)])
    services.wait_until(lambda: services.answers(port), started)
    return started


def front_worker(master: int) -> int:
    """Find the process of nginx that answers."""
    return int(Path(f"/proc/{master}/task/{master}/children").read_text().split()[0])


def main() -> None:
    """Measure each address and print a line."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--players", type=int, default=500)
    options.add_argument("--seconds", type=int, default=5)
    options.add_argument("--port", type=int, default=8128)
    options.add_argument("--cpu", type=int, nargs=2, default=None, help="cores of the server and of wrk")
    chosen = options.parse_args()
    if not shutil.which("wrk"):
        raise SystemExit("wrk is needed: apt-get install wrk")
    home = world.begin()
    from tournaments.models import Snapshot
    from tournaments.operations.standings import recompute_all

    of = world.big_event(chosen.players, 8)
    recompute_all(of)
    snapshot = bytes(Snapshot.objects.get(tournament=of).body)
    core, wrk_core = chosen.cpu or (None, None)
    server = serve(chosen.port, of.slug, core)
    site, stop = f"http://127.0.0.1:{chosen.port}", threading.Event()
    playing = threading.Thread(target=keep_playing, args=[server, stop], daemon=True)
    packed = "Accept-Encoding: gzip"
    print(world.machine())
    try:
        print(
            f"{'bare answer of the same server':44}{wrk(f'{site}/healthz', chosen.seconds, wrk_core, of=server.pid)}"
        )
        playing.start()
        for path in ("standings/", "standings/?why=1", ""):
            page = f"{site}/{of.slug}/{path}"
            request = urllib.request.Request(page, headers={"Accept-Encoding": "gzip"})
            size = len(urllib.request.urlopen(request, timeout=30).read())
            name = f"HTML /{path} ({size / 1024:.0f} KB)"
            print(f"{name:44}{wrk(page, chosen.seconds, wrk_core, packed, of=server.pid)}")
        live = f"{site}/live/{of.slug}/standings.json"
        name = f"snapshot ({len(snapshot) / 1024:.0f} KB)"
        print(f"{name:44}{wrk(live, chosen.seconds, wrk_core, packed, of=server.pid)}")
        stop.set()
        playing.join()
        time.sleep(1)  # the last hand is recomputed by then, and the tag stays what it is
        etag = urllib.request.urlopen(live, timeout=30).headers["ETag"]
        given = wrk(live, chosen.seconds, wrk_core, packed, f"If-None-Match: {etag}", of=server.pid)
        print(f"{'snapshot, 304':44}{given}")
        if shutil.which("nginx"):
            with tempfile.TemporaryDirectory() as temporary:
                front = nginx(Path(temporary), chosen.port + 1, snapshot)
                static = f"http://127.0.0.1:{chosen.port + 1}/standings.json"
                worker = front_worker(front.pid)
                given = wrk(static, chosen.seconds, wrk_core, packed, of=worker)
                print(f"{'nginx, the snapshot as a file':44}{given}")
                tag = urllib.request.urlopen(static, timeout=30).headers["ETag"]
                given = wrk(static, chosen.seconds, wrk_core, f"If-None-Match: {tag}", of=worker)
                print(f"{'nginx, 304':44}{given}")
                front.terminate()
                front.wait()
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(20)
        world.end(home)


if __name__ == "__main__":
    main()
