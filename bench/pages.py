"""How many answers a second one core gives to spectators, beside bare cached bytes of the same server and a static file of nginx.

    python bench/pages.py [--players 500] [--sessions 8] [--seconds 4]

Needs nginx and wrk. One server at a time runs on one core, wrk on another; all of them send the same compressed standings.
"""

import argparse
import asyncio
import os
import sys
import urllib.request
from collections.abc import Mapping
from pathlib import Path

import hosts
import world
from hosts import Load, services

GZIP = {"Accept-Encoding": "gzip"}


def bare(path: str, port: int) -> None:
    """Serve a file's bytes as an ASGI application of five lines, under the server and the settings of the site."""
    import uvicorn

    body, tag = Path(path).read_bytes(), b'"r1"'
    about = [(b"content-type", b"application/json"), (b"content-encoding", b"gzip"), (b"etag", tag)]

    async def application(scope: dict, receive: object, send: object) -> None:  # type: ignore[type-arg]
        has = dict(scope["headers"]).get(b"if-none-match") == tag
        length = b"0" if has else str(len(body)).encode()
        headers = about if has else [*about, (b"content-length", length)]
        await send({"type": "http.response.start", "status": 304 if has else 200, "headers": headers})  # type: ignore[operator]
        await send({"type": "http.response.body", "body": b"" if has else body})  # type: ignore[operator]

    asyncio.run(
        uvicorn.Server(
            uvicorn.Config(
                application, port=port, log_config=None, access_log=False, lifespan="off", server_header=False
            )
        ).serve()
    )


def fetch(address: str, headers: Mapping[str, str]) -> tuple[bytes, str]:
    """Ask once, as wrk will; give the body and its tag."""
    with urllib.request.urlopen(urllib.request.Request(address, headers=dict(headers))) as answer:
        return answer.read(), answer.headers["ETag"] or ""


def both(name: str, address: str, seconds: float, base: dict[str, float]) -> dict[str, float]:
    """Measure an address with its body and as 304, and print both beside nginx."""
    body, tag = fetch(address, GZIP)
    whole = hosts.wrk(address, seconds=seconds, headers=GZIP)
    seen = hosts.wrk(address, seconds=seconds, headers={**GZIP, "If-None-Match": tag}) if tag else None
    rates = {"200": whole.per_second, "304": seen.per_second if seen else 0.0}
    line(name, "200", whole, base.get("200"), len(body))
    if seen:
        line(name, "304", seen, base.get("304"), 0)
    return rates


def line(name: str, status: str, load: Load, base: float | None, size: int) -> None:
    """Print one figure."""
    ratio = f"{load.per_second / base:5.2f} × nginx" if base else " 1.00 × nginx"
    about = f"{size / 1024:6.1f} KB" if size else " " * 9
    wrong = f"  {load.errors} ERRORS" if load.errors else ""
    print(
        f"{name:<42} {status} {about} {load.per_second:>9,.0f}/s {ratio}  p99 {load.p99_ms:6.1f} ms{wrong}",
        flush=True,
    )


def main() -> None:
    """Measure nginx, the bare server, and the site."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--players", type=int, default=500)
    options.add_argument("--sessions", type=int, default=8)
    options.add_argument("--seconds", type=float, default=4)
    options.add_argument("--bare", nargs=2, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.bare:
        bare(chosen.bare[0], int(chosen.bare[1]))
        return
    hosts.needs("nginx", "wrk")
    home = world.begin()
    from tournaments.models import Snapshot
    from tournaments.operations.standings import recompute_all

    of = world.big_event(chosen.players, chosen.sessions)
    recompute_all(of)
    files = home / "files"
    files.mkdir(mode=0o755)
    (files / "standings.json").write_bytes(bytes(Snapshot.objects.get().body))
    print(f"{world.machine()}; {chosen.players} players, {chosen.sessions} sessions; one core serves")
    with hosts.nginx(home, files) as port:
        base = both(
            "nginx, the snapshot as a static file",
            f"http://127.0.0.1:{port}/standings.json",
            chosen.seconds,
            {},
        )
    port = services.free_port()
    command = [sys.executable, __file__, "--bare", str(files / "standings.json"), str(port)]
    with hosts.process(hosts.on_core(0, command), os.environ, port):
        both("the same bytes, bare, same server", f"http://127.0.0.1:{port}/", chosen.seconds, base)
    with hosts.site(home) as port:
        root = f"http://127.0.0.1:{port}"
        both("standings.json", f"{root}/live/{of.slug}/standings.json", chosen.seconds, base)
        both("standings as a page", f"{root}/{of.slug}/standings/", chosen.seconds, base)
        both("event page", f"{root}/{of.slug}/", chosen.seconds, base)
        both("a player's page", f"{root}/{of.slug}/player-1/", chosen.seconds, base)
        both("sign-in page, drawn by Django every time", f"{root}/accounts/login/", chosen.seconds, base)
    world.end(home)


if __name__ == "__main__":
    main()
