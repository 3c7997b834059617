"""The walks of the design through the running code: a hand, a penalty, a lateness, a draw, from request to revision.

What is followed is the stack of rooms. A call leads into a room or deeper, along the arrows of the design; a call that
returns leads back to where it came from and enters nothing. A call against the arrows would be a return to a room that
was left, and is wrong unless the upper room handed that very function in (`walks.HANDED_IN`). [DESIGN 2]
"""

import asyncio
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.conf import settings as configured
from django.core.cache import cache
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone

from config.asgi import Site
from config.server.live import Database, Hub
from config.server.whole_form import FIELD, VALUE
from config.tests import walks
from config.tests.walks import Walk, documented, profiled, upward, written
from seating.models import Draw
from tournaments import tasks
from tournaments.models import Session, Tournament
from tournaments.tests import factories as make
from tournaments.tests.test_tablet_api import Tablet

pytestmark = pytest.mark.django_db(transaction=True)
DESIGN = walks.ROOT / "docs" / "DESIGN.md"
LONG = 60.0
MOST = {"A hand, in a batch": 20}
"""How many modules the walk that is taken most often may enter."""


class Request:
    """One request, as the server hands it to the site."""

    def __init__(self, path: str, body: bytes, headers: dict[str, str]) -> None:
        self.path, self.body = path, body
        given = {**headers, "host": "localhost", "content-length": str(len(body))}
        self.headers = [(name.lower().encode(), text.encode()) for name, text in given.items()]

    async def sent_to(self, site: Site) -> int:
        """Send it; return the status of the answer."""
        statuses: list[int] = []
        left = [{"type": "http.request", "body": self.body, "more_body": False}]

        async def receive() -> dict[str, Any]:
            if not left:
                await asyncio.sleep(LONG)
            return left.pop()

        async def send(message: Any) -> None:
            statuses.extend([message["status"]] if "status" in message else [])

        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": self.path,
            "raw_path": self.path.encode(),
            "query_string": b"",
            "headers": self.headers,
            "client": ("127.0.0.1", 1),
            "server": ("localhost", 80),
        }
        await site(scope, receive, send)
        return statuses[0]


async def watch(site: Site, slug: str, revisions: "asyncio.Queue[int]") -> None:
    """Read the stream of revisions as a spectator's page does."""

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(LONG)
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        for line in message.get("body", b"").decode().splitlines():
            if line.startswith("id: "):
                revisions.put_nowait(int(line.removeprefix("id: ")))

    scope = {"type": "http", "method": "GET", "path": f"/live/{slug}/events", "headers": []}
    await site.hub(scope, receive, send)


def followed(
    tournament: Tournament, requests: list[Callable[[], Request]], *, status: int, is_pushed: bool = True
) -> Walk:
    """Send requests, each after the revision of the one before it; record the walk of the last one.

    The standings are worked out once the answer is there, so that the order of modules does not hang on two threads.
    """

    async def story(walk: Walk) -> None:
        site = Site("all", threads=1, hub=Hub(Database()))
        await site.hub.start()
        revisions: asyncio.Queue[int] = asyncio.Queue()
        reading = asyncio.create_task(watch(site, tournament.slug, revisions))
        loop = asyncio.get_running_loop()
        try:
            await revisions.get()
            for number, request in enumerate(requests, start=1):
                made = await loop.run_in_executor(site.hub.threads, request)
                walk.is_recording = number == len(requests)
                assert await made.sent_to(site) == status
                if is_pushed:
                    await loop.run_in_executor(site.hub.threads, tasks.recompute_standings, tournament.pk)
                    await revisions.get()
                walk.is_recording = False
        finally:
            reading.cancel()
            site.batches.stop()
            await site.hub.stop()

    with profiled() as walk:
        asyncio.run(asyncio.wait_for(story(walk), LONG))
    return walk


@pytest.fixture(autouse=True)
def _one_process(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the site be one process that is not disturbed by the clock, with everything imported."""
    settings.EMBEDDED = True
    monkeypatch.setattr("config.server.live.LOOK", LONG)
    monkeypatch.setattr("config.server.live.HEARTBEAT", LONG)
    cache.clear()
    get_resolver().url_patterns  # noqa: B018 -- views are imported before anything is recorded


# The walks


def hand(*, content_type: str = "application/json") -> Walk:
    """Three hands of one table; the last one is recorded, when the game is in memory."""
    tablet = Tablet(make.protocol("sbr", 8))

    def request(number: int) -> Request:
        body = json.dumps({"facts": make.east_from_south(number), "seen": number}).encode()
        key = {"Idempotency-Key": uuid4().hex, "Content-Type": content_type}
        return Request(tablet.address("hands/"), body, {**tablet.headers, **key})

    return followed(
        tablet.tournament, [lambda number=number: request(number) for number in range(3)], status=200
    )


def hand_alone() -> Walk:
    """A hand that the lane does not take, since its type is written in another way."""
    return hand(content_type="application/json; charset=utf-8")


def form(user: Any, name: str, at: list[Any], **fields: Any) -> Request:
    """Build a page's form as the browser of somebody signed in sends it."""
    client, token = Client(), "x" * 32
    client.force_login(user)
    cookies = {
        configured.CSRF_COOKIE_NAME: token,
        configured.SESSION_COOKIE_NAME: client.cookies[configured.SESSION_COOKIE_NAME].value,
    }
    sent = {"csrfmiddlewaretoken": token, **fields, FIELD: VALUE}
    headers = {
        "cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
        "content-type": "application/x-www-form-urlencoded",
    }
    return Request(reverse(name, args=at), urlencode(sent, doseq=True).encode(), headers)


def judged() -> tuple[Tournament, Any, Any]:
    """An event in play, its session, and a referee."""
    tournament = make.tournament()
    make.players(tournament, 8)
    session = make.in_play(tournament)
    return tournament, session, make.staff(tournament, "referee")


def penalty() -> Walk:
    """Two penalties at a table; the second one is recorded."""
    tournament, _, referee = judged()

    def request(wind: str) -> Request:
        fields = {
            "seat": wind,
            "offence": "phone",
            "points": "8",
            "reason": "It rang twice.",
            "key": uuid4().hex,
        }
        return form(referee, "penalties:give", [tournament.slug, 1, 1], **fields)

    return followed(tournament, [lambda wind=wind: request(wind) for wind in "ES"], status=302)


def lateness() -> Walk:
    """Two arrivals of players who were marked late; the second one is recorded."""
    tournament, session, referee = judged()
    Session.objects.filter(pk=session.pk).update(started_at=timezone.now() - timedelta(minutes=12))
    late = [session.seats.get(wind=wind, table__number=1).player for wind in "ES"]
    client = Client()
    client.force_login(referee)
    clock = reverse("penalties:lateness_clock", args=[tournament.slug, 1])
    client.post(clock, {"players": [player.pk for player in late]})

    def request(player: Any) -> Request:
        number = tournament.registrations.get(player=player).number
        return form(referee, "penalties:arrived", [tournament.slug, 1, number])

    return followed(tournament, [lambda player=player: request(player) for player in late], status=302)


def drawn() -> tuple[Tournament, Request]:
    """An event of eight players, and the request that draws its first session."""
    tournament = make.tournament()
    make.players(tournament, 8)
    request = form(tournament.created_by, "seating:draw", [tournament.slug], seed="42", mode="random")
    return tournament, request


def draw() -> Walk:
    """A draft; it changes no standings."""
    tournament, request = drawn()
    return followed(tournament, [lambda: request], status=302, is_pushed=False)


def publication() -> Walk:
    """The publication of a draft."""
    tournament, request = drawn()
    followed(tournament, [lambda: request], status=302, is_pushed=False)
    draft = Draw.objects.get(tournament=tournament, state="draft")
    publish = form(tournament.created_by, "seating:publish", [tournament.slug, draft.pk])
    return followed(tournament, [lambda: publish], status=302)


WALKS: dict[str, Callable[[], Walk]] = {
    "A hand, in a batch": hand,
    "A hand, by Django": hand_alone,
    "A penalty": penalty,
    "A lateness": lateness,
    "A draw": draw,
    "Its publication": publication,
}


@pytest.mark.parametrize("name", WALKS)
def test_the_walk_is_the_one_of_the_document_and_goes_down(name: str) -> None:
    """[DESIGN 2]"""
    WALKS[name]()  # whatever is kept for the process is in memory then, in whichever order tests run
    walk = WALKS[name]()
    shown = documented(DESIGN.read_text(encoding="utf-8")).get(name, "")
    assert upward(walk) == []
    assert len(walk.main) <= MOST.get(name, len(walk.main))
    assert written(name, walk) == shown, f"docs/DESIGN.md should say:\n\n{written(name, walk)}"


@pytest.mark.parametrize(
    ("caller", "callee", "goes"),
    [
        ("tournaments.tables.views.tablet_api", "tournaments.tables.operations.entering", "down"),
        ("tournaments.tables.operations.entering", "tournaments.record.history", "down"),
        ("penalties.ladder.operations.lines", "tournaments.standings.operations.adjustments", "down"),
        ("tournaments.record.history", "tournaments.tables.operations.entering", "up"),
        ("tournaments.record.judges", "penalties.lateness.operations", "up"),
        ("tournaments.tables.queries.sheets", "tournaments.tables.operations.games", "up"),
        ("seating.drafts.operations", "penalties.judges", "up"),
        ("scoring.protocol", "tournaments.record.history", "up"),
        ("tournaments.web.access", "tournaments.tables.operations.entering", "up"),
        ("tournaments.web.access", "tournaments.tables.views.tablet_api", "down"),
    ],
)
@pytest.mark.django_db(databases=[])
def test_a_call_against_the_arrows_is_named(caller: str, callee: str, goes: str) -> None:
    walk = Walk(calls={(caller, callee): "function"})
    assert upward(walk) == ([f"{caller} calls {callee}: function"] if goes == "up" else [])
