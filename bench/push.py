"""Seats told by notification: how soon they come after the publication, and that none is lost where the site is killed meanwhile.

    python bench/push.py [--subscribers 500] [--kills 20] [--seed 1]

A push service of our own, with TLS, takes what the site sends, checks its signature and decrypts it with the key of the browser it
is for. The site is a process of its own that publishes and sends as the shipped one does, on SQLite. First one publication is timed
undisturbed: 99 % of the browsers must have it within five seconds, each once. Then sessions are published while the site is killed
again and again; each browser must have every seat. What a killed process had sent without noting it goes out again under the same
topic, by which a push service and the browser put it in the place of the first: those are counted. Exits 1 if anything is late,
lost, doubled in the undisturbed part, or not what was published.
"""

import argparse
import contextlib
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import world
from bench.hosts import percentile

SECONDS = 5.0
SLUG = "push"
SESSIONS = 11
CLAIM = 3
"""After so many seconds what a killed process had taken up is free again; the shipped site waits a minute."""
PATIENCE = 120.0


# The site


def serve(port: int, certificate: str) -> None:
    """Send in the thread that the site has for it, and publish the session whose number is read from the standard input."""
    import ssl
    from datetime import timedelta

    world.use()
    from tournaments import tasks
    from tournaments.people.operations import push, push_service
    from tournaments.record.refusal import Refused

    service: Any = push_service
    context = ssl.create_default_context(cafile=certificate)
    service.HTTPS, service.public_addresses = port, lambda host, port: ["127.0.0.1"]
    service._context = lambda: context
    push.CLAIM = timedelta(seconds=CLAIM)
    threading.Thread(target=tasks.run_push, args=[threading.Event()], daemon=True).start()
    print("ready", flush=True)
    for line in sys.stdin:
        with contextlib.suppress(Refused):  # it was published before the last kill
            publish(int(line))
        print(time.time(), flush=True)


def publish(number: int) -> None:
    """Publish seats of a session: everybody sits, by number."""
    from tournaments.models import Session, User
    from tournaments.record.actors import Actor, ActorKind
    from tournaments.sessions.operations import play

    session = Session.objects.select_related("tournament").get(tournament__slug=SLUG, number=number)
    people = list(session.tournament.players.order_by("registration__number"))
    tables = {place // 4 + 1: people[place : place + 4] for place in range(0, len(people), 4)}
    by = Actor(ActorKind.USER, User.objects.get(username="bench").pk, frozenset({"organizer", "signed_in"}))
    play.seat_players(session, play.Seating(tables, "random", seed="push", method=""), by=by)


class Site:
    """The process, which can be killed and begun again."""

    def __init__(self, port: int, certificate: Path) -> None:
        """Begin."""
        self.command = [sys.executable, __file__, "--serve", str(port), str(certificate)]
        self.begin()

    def begin(self) -> None:
        """Start the process and wait until it sends."""
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=world.ROOT
        )
        self.hear()

    def hear(self) -> str:
        """Return the next line it says; nothing where it was killed."""
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def ask(self, number: int) -> float:
        """Have a session published; return when that was done, 0 where the process was killed meanwhile."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(f"{number}\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return 0.0
        return float(self.hear() or 0)

    def kill(self) -> None:
        """Kill it as a machine without power would."""
        self.process.kill()
        self.process.wait()


# The browsers


def subscribe(count: int) -> dict[str, tuple[Any, int]]:
    """Let so many browsers follow the players in turn; return each by its address, with the number of its player."""
    from tournaments.models import Registration
    from tournaments.people.operations import push
    from tournaments.tests.push_end import Device

    rows = list(Registration.objects.select_related("tournament").order_by("number"))
    devices = {}
    for number in range(count):
        row, device = rows[number % len(rows)], Device(f"browser-{number}")
        push.subscribe(row, device.browser, push.Wishes(["seats"]), is_own=False)
        devices[f"/send/browser-{number}"] = device, row.number
    return devices


def judged(
    service: Any, devices: dict[str, tuple[Any, int]], sessions: range
) -> tuple[Counter[Any], list[str]]:
    """Read all that came; return how often each seat was told, and what was wrong."""
    from tournaments.tests.push_end import claims_of

    told: Counter[Any] = Counter()
    topics: dict[Any, set[str]] = {}
    wrong = []
    for path, headers, body in list(service.got):
        claims_of(headers["Authorization"])
        device, number = devices[path]
        said = device.read(body)
        session = next((one for one in sessions if f"ession {one}:" in said["title"] + said["body"]), 0)
        seat = f"able {(number - 1) // 4 + 1},"
        if not session or seat not in said["title"] + said["body"]:
            wrong.append(f"{path} was told {said}")
        told[path, session] += 1
        topics.setdefault((path, session), set()).add(headers["Topic"])
    wrong += [f"{key} came under {len(names)} topics" for key, names in topics.items() if len(names) > 1]
    wrong += [
        f"{path} never heard of session {one}" for path in devices for one in sessions if not told[path, one]
    ]
    return told, wrong


def wait_for(service: Any, count: int) -> None:
    """Wait until so many different messages have come, or patience ends."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if len({(path, headers["Topic"]) for path, headers, _ in list(service.got)}) >= count:
            return
        time.sleep(0.1)  # asked again until the end of its patience


def undisturbed(site: Site, service: Any, devices: dict[str, tuple[Any, int]]) -> list[str]:
    """Time one publication."""
    published = site.ask(1)
    wait_for(service, len(devices))
    time.sleep(1)  # what is sent twice would come now
    waits = sorted(moment - published for moment in service.moments)
    told, wrong = judged(service, devices, range(1, 2))
    late = percentile(waits, 0.99)
    print(
        f"{len(devices)} browsers, told {sum(told.values())} times; after the publication p50 {percentile(waits, 0.5):.2f} s,"
        f" p99 {late:.2f} s, the last {waits[-1]:.2f} s; wrong: {len(wrong)}",
        flush=True,
    )
    doubled = [f"{key} came {times} times" for key, times in told.items() if times > 1]
    return [*wrong, *doubled, *([f"p99 {late:.2f} s"] if late > SECONDS else [])]


def killed(
    site: Site, service: Any, devices: dict[str, tuple[Any, int]], kills: int, dice: Random
) -> list[str]:
    """Publish session after session while the site is killed so often."""
    done = 0
    for number in range(2, SESSIONS + 1):
        for _ in range(-(-kills // (SESSIONS - 1))):
            timer = threading.Timer(dice.uniform(0.02, 4.0), site.kill)
            timer.start()
            site.ask(number)
            timer.join()
            done += 1
            site.begin()
        site.ask(number)
    wait_for(service, SESSIONS * len(devices))
    told, wrong = judged(service, devices, range(1, SESSIONS + 1))
    again = sum(times - 1 for times in told.values())
    print(
        f"{SESSIONS - 1} publications, {done} kills: {len(told)} of {SESSIONS * len(devices)} seats told, {again} again under"
        f" the same topic; wrong or lost: {len(wrong)}"
    )
    return wrong


def main() -> None:
    """Time, then kill."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--subscribers", type=int, default=500)
    options.add_argument("--players", type=int, default=100)
    options.add_argument("--kills", type=int, default=20)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--serve", nargs=2, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.serve:
        serve(int(chosen.serve[0]), chosen.serve[1])
        return
    home = world.begin()
    from tournaments.models import Session
    from tournaments.tests.push_end import Service

    of = world.running_event(SLUG, chosen.players, SESSIONS)
    world.registered(of, chosen.players)
    Session.objects.bulk_create(Session(tournament=of, number=n) for n in range(1, SESSIONS + 1))
    devices = subscribe(chosen.subscribers)
    with tempfile.TemporaryDirectory() as folder:
        service = Service(Path(folder))
        site = Site(service.server.server_port, Path(folder) / "cert.pem")
        wrong = undisturbed(site, service, devices)
        wrong += killed(site, service, devices, chosen.kills, Random(chosen.seed)) if chosen.kills else []
        site.kill()
        service.server.shutdown()
    world.end(home)
    for line in wrong[:20]:
        print(f"       {line}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
