"""Start the production shape and live through a piece of a tournament in it: `python -m config.tools.smoke`.

The organizer's part is done by operations; everything a tablet or a spectator does goes over HTTPS through the front
server. Processes are killed on the way, and nothing that was acknowledged may be lost or doubled.
"""

import contextlib
import http.cookiejar
import json
import os
import re
import ssl
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

from config.tools.smoke import containers, recovery, services
from config.tools.smoke.demands import expect, found_in, wait_for
from config.tools.smoke.topology import Topology, running

PROMISE = 2.0  # seconds from a recorded hand to the spectator
PASSWORD = "password"
NONE: Mapping[str, str] = {}


class Undelivered(Exception):
    """The front server had nobody to hand a request to; nobody knows whether it was carried out."""


class Browser:
    """Somebody on the internet: keeps cookies, trusts the front server's own authority."""

    def __init__(self, url: str) -> None:
        """Know the site's address."""
        self.url = url
        self.cookies = http.cookiejar.CookieJar()
        trusting = ssl.create_default_context()
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPSHandler(context=trusting), urllib.request.HTTPCookieProcessor(self.cookies)
        )

    def send(
        self, path: str, data: bytes | None = None, *, status: int = 200, headers: Mapping[str, str] = NONE
    ) -> tuple[bytes, Mapping[str, str]]:
        """Ask for an address; any other status than the expected is a failure."""
        request = urllib.request.Request(self.url + path, data, {"Referer": self.url, **headers})
        try:
            with self.opener.open(request, timeout=10) as answer:
                found, body, about = answer.status, answer.read(), answer.headers
        except urllib.error.HTTPError as error:
            found, body, about = error.code, error.read(), error.headers
        if found in {502, 503, 504} and found != status:
            raise Undelivered(path)
        expect(found == status, f"{path} answered {found} instead of {status}: {body[:300]!r}")
        return body, about

    def post_form(self, path: str, **fields: str) -> bytes:
        """Fill in a form as its page shows it, and send it."""
        from config.server.whole_form import FIELD, VALUE

        page, _ = self.send(path)
        token = found_in(page, rb'name="csrfmiddlewaretoken" value="([^"]+)"', f"{path} has no form")
        data = {"csrfmiddlewaretoken": token, **fields, FIELD: VALUE}
        return self.send(path, urllib.parse.urlencode(data).encode())[0]


class Stream:
    """A spectator's open stream, read in a thread."""

    def __init__(self, browser: Browser, slug: str) -> None:
        """Open it."""
        self.revisions: list[int] = []
        self.answer = browser.opener.open(f"{browser.url}/live/{slug}/events", timeout=60)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            for line in self.answer:
                if line.startswith(b"data: "):
                    self.revisions.append(json.loads(line[6:])["rev"])


class Journey:
    """A table in play, a tablet at it, a spectator before it."""

    def __init__(self, topology: Topology) -> None:
        """Set the scene by operations."""
        from tournaments.tables.operations import devices
        from tournaments.tests import factories

        self.topology = topology
        self.protocol = factories.protocol(number=8)
        self.facts = factories.east_from_south
        self.tournament = self.protocol.table.session.tournament
        organizer = factories.organizer_of(self.tournament)
        invitation = devices.invite_device(self.tournament, name="Smoke", tables=[], by=organizer)
        self.secret = invitation.secret
        self.slug = self.tournament.slug
        self.tablet, self.spectator = Browser(topology.url), Browser(topology.url)
        self.hands = 0

    def api(
        self, path: str, body: object, *, status: int = 200, headers: Mapping[str, str] = NONE
    ) -> dict[str, Any]:
        """Post JSON as the tablet does: what the front server could not deliver is sent again as it was."""
        data, address = json.dumps(body).encode(), f"/{self.slug}/api/{path}"
        headers = {"Content-Type": "application/json", **headers}
        for attempt in range(10):
            try:
                answer, _ = self.tablet.send(address, data, status=status, headers=headers)
                return dict(json.loads(answer))
            except Undelivered:
                time.sleep(0.2 * (attempt + 1))  # longer each time, as the tablet waits
        raise SystemExit(f"Smoke: {path} could not be delivered")

    def admit_tablet(self) -> None:
        """Turn the code into a credential."""
        admitted = self.api("admission/", {"secret": self.secret}, status=201)
        self.credential = admitted["credential"]

    def record(self, key: str = "") -> dict[str, Any]:
        """Record the next hand and return its receipt."""
        at = self.protocol.table
        answer = self.api(
            f"session-{at.session.number}/table-{at.number}/hands/",
            {"facts": self.facts(self.hands % 5), "seen": self.hands},
            headers={"Authorization": f"Device {self.credential}", "Idempotency-Key": key or uuid4().hex},
        )
        return dict(answer["receipt"])

    def standings(self) -> dict[str, Any]:
        """Fetch what spectators see."""
        body, about = self.spectator.send(f"/live/{self.slug}/standings.json")
        expect(about["ETag"].startswith('"r'), "the snapshot has no ETag")
        return dict(json.loads(body))

    def hand_reaches_spectator(self, stream: Stream, seconds: float, said: str) -> None:
        """Record a hand and wait until the open stream tells of it."""
        before, started = stream.revisions[-1], time.monotonic()
        self.record()
        self.hands += 1
        wait_for(lambda: stream.revisions[-1] > before, f"The spectator was not told ({said})", seconds)
        took = time.monotonic() - started
        expect(took < seconds, f"the spectator knew only after {took:.1f} s ({said})")
        shown = self.standings()["revision"]
        expect(shown >= stream.revisions[-1], "the snapshot is older than the news of it")
        tell(f"{said}: the spectator knew after {took:.2f} s")


def tell(sentence: str) -> None:
    """Say what was seen."""
    print(f"  {sentence}", flush=True)


def front_page_and_headers(topology: Topology) -> None:
    """HTTPS only, strict headers, hashed static files that may be kept for ever."""
    visitor = Browser(topology.url)
    page, about = visitor.send("/")
    expect(
        about["Strict-Transport-Security"] == "max-age=31536000",
        "HSTS is not what the example of .env asks for",
    )
    expect("unsafe" not in about["Content-Security-Policy"], "the content policy is weak")
    sheet = found_in(
        page, rb'href="(/static/[^"]+\.[0-9a-f]{12}\.css)"', "the page has no hashed style sheet"
    )
    _, static = visitor.send(sheet, headers={"Accept-Encoding": "gzip"})
    expect("immutable" in static["Cache-Control"], "static files are not kept")
    _, live = visitor.send("/live/nothing/events", status=404)
    expect(live["Strict-Transport-Security"] == "max-age=31536000", "HSTS of the live part is another")
    tell("pages, headers and static files are as they should be")


def sign_in(topology: Topology) -> None:
    """A session made by one web process is known to the others; cookies are strict."""
    from tournaments.tests import factories

    tournament = factories.tournament()
    organizer = Browser(topology.url)
    name = tournament.created_by.username
    organizer.post_form("/accounts/login/", login=name, password=PASSWORD)
    for _ in range(4):
        organizer.send(f"/{tournament.slug}/desk/")
    names = {cookie.name for cookie in organizer.cookies if cookie.secure}
    expect({"__Host-sessionid", "__Host-csrftoken"} <= names, f"the cookies are {names}")
    tell("the organizer is signed in on every web process")


def one_hand_twenty_times(journey: Journey) -> None:
    """The same tap sent twenty times at once is one hand with one receipt."""
    key = uuid4().hex
    with ThreadPoolExecutor(20) as pool:
        receipts = list(pool.map(lambda _: journey.record(key), range(20)))
    journey.hands += 1
    expect(all(receipt == receipts[0] for receipt in receipts), f"the receipts differ: {receipts}")
    tell("one hand sent twenty times in parallel is one hand")


def faults(journey: Journey, stream: Stream) -> None:
    """Kill one process after the other; scores are taken and shown all the same."""
    topology = journey.topology
    topology.kill_one_child("web")
    journey.hand_reaches_spectator(stream, PROMISE * 3, "one of the web processes killed")
    topology.kill("web")
    topology.start("web")
    topology.wait("web")
    journey.hand_reaches_spectator(stream, PROMISE * 3, "all web processes killed and started again")
    topology.kill("worker")
    before = stream.revisions[-1]
    journey.record()
    journey.hands += 1
    topology.start("worker")
    took = wait_for(lambda: stream.revisions[-1] > before, "A new worker did not catch up", 30)
    tell(f"worker killed and started again: the spectator knew after {took:.2f} s")
    topology.kill("live")
    journey.record()
    journey.hands += 1
    topology.start("live")
    topology.wait("live")
    again = Stream(journey.spectator, journey.slug)
    wait_for(lambda: again.revisions, "The live process did not come back", 20)
    journey.hand_reaches_spectator(again, PROMISE * 3, "live process killed and started again")


def record_is_whole(journey: Journey) -> None:
    """Every acknowledged hand is there once, and the history is unbroken."""
    from tournaments.models import Hand

    there = Hand.objects.filter(protocol=journey.protocol).count()
    expect(there == journey.hands, f"{there} hands instead of {journey.hands}")
    journey.topology.manage("verify_history", "--verbosity=0")
    journey.topology.manage("backup", "/backups/smoke.zip")
    journey.topology.manage("restore", "/backups/smoke.zip", "--replace")
    tell(f"{there} hands, the history is whole, the backup was restored")


def every_part_stays_within_its_memory(topology: Topology) -> None:
    """What the compose file allows is at least twice what each part has taken."""
    for name, (taken, allowed) in topology.memory().items():
        expect(0 < taken * 2 < allowed, f"{name} has taken {taken:,} bytes of {allowed:,}")
    told = ", ".join(f"{name} {taken // 2**20}" for name, (taken, _) in topology.memory().items())
    tell(f"memory in MB: {told}")


def metrics_name_every_process(topology: Topology) -> None:
    """Whichever web process answers, it answers for all; without the token there is no such page."""
    visitor = Browser(topology.url)
    visitor.send("/metrics", status=404)
    token = (topology.host.project / "secrets/metrics_token").read_text()
    wanted = {"web": int(topology.services["web"].environment["WEB_PROCESSES"]), "live": 1, "worker": 2}

    def missing() -> dict[str, int]:
        text, _ = visitor.send("/metrics", headers={"Authorization": f"Bearer {token}"})
        names = re.findall(r'^four_winds_up\{process="([a-z]+)-', text.decode(), re.MULTILINE)
        return {part: count for part, count in wanted.items() if names.count(part) < count}

    wait_for(lambda: not missing(), "Not every process was in the metrics", 30)
    tell("the metrics name every process, and nobody reads them without the token")


def backup_is_proved(topology: Topology) -> None:
    """The service has made a backup at its first start, and restored it beside the site."""
    from config.operator import reports

    def is_proved() -> bool:
        drill = reports.latest().get(reports.Name.DRILL)
        expect(drill is None or drill.is_good, f"the drill failed: {drill and drill.facts}")
        return drill is not None

    wait_for(is_proved, "The first backup was not proved", 120)
    tell("the first backup was made, restored beside the site and proved")


def journey_through(topology: Topology) -> None:
    """Live through all of it."""
    front_page_and_headers(topology)
    sign_in(topology)
    metrics_name_every_process(topology)
    backup_is_proved(topology)
    journey = Journey(topology)
    journey.admit_tablet()
    wait_for(lambda: journey.standings().get("revision"), "There was no snapshot", 15)
    stream = Stream(journey.spectator, journey.slug)
    wait_for(lambda: stream.revisions, "The stream did not begin", 5)
    journey.hand_reaches_spectator(stream, PROMISE, "hand recorded")
    one_hand_twenty_times(journey)
    faults(journey, stream)
    recovery.recover(journey, tell)
    every_part_stays_within_its_memory(topology)
    record_is_whole(journey)


def main() -> None:
    """Start, live, stop; on failure show the logs."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="four-winds-smoke-", dir="/var/tmp") as folder:
        try:
            with running(Path(folder)) as topology:
                print(
                    f"The production shape is up after {time.monotonic() - started:.0f} s: {topology.url}",
                    flush=True,
                )
                for sentence in containers.limits():
                    tell(f"not shown on this machine: {sentence}")
                os.environ.update(topology.environment)
                import django

                django.setup()
                try:
                    journey_through(topology)
                finally:
                    from django.db import connections

                    connections.close_all()
        except services.Unavailable as reason:
            print(f"Not run: the production shape, because {reason}.")
            sys.exit(1 if os.environ.get("REQUIRE_SERVICES") == "1" else 0)
    print(f"The production shape works; {time.monotonic() - started:.0f} s.")


if __name__ == "__main__":
    main()
