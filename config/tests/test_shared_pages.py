"""Pages for strangers are drawn once a revision, language and theme; what is somebody's own is never kept."""

import asyncio
import gzip
import http.client
import re

import pytest
from django.db import connections
from django.test.utils import CaptureQueriesContext

from config.server import page_cache as shared
from config.server.addresses import addresses, shared_pages
from config.server.live import Channel, Snapshot
from config.server.page_cache import SharedPages
from conftest import wait_for
from tournaments.models import Snapshot as Stored
from tournaments.standings.operations import recompute
from tournaments.tests import factories as make


class Hub:
    """A hub that knows one tournament."""

    def __init__(self):
        self.channels = {"spring": Channel("spring", Snapshot(1, None))}

    async def channel(self, slug):
        return self.channels.get(slug)


class Django:
    """Draws the address, the language and the theme that it was asked for, and counts."""

    def __init__(self):
        self.drawn, self.own, self.status, self.extra = 0, 0, 200, []
        self.gate = None

    async def __call__(self, scope, receive, send):
        cookie = dict(scope["headers"]).get(b"cookie", b"")
        self.drawn += 1
        number = self.drawn
        self.own += b"sessionid" in cookie
        if self.gate:
            await self.gate.wait()
        body = b"%s?%s %s %d" % (scope["path"].encode(), scope["query_string"], cookie, number)
        headers = [(b"Content-Type", b"text/html"), (b"X-Request-ID", b"abc"), *self.extra]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})


class Answer:
    """What came back."""

    status, headers, body = 0, None, b""


async def ask(site, path="/spring/standings/", query=b"", method="GET", **headers):
    answer = Answer()
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": method, "path": path, "query_string": query, "headers": raw}

    async def send(message):
        if message["type"] == "http.response.start":
            answer.status, answer.headers = message["status"], dict(message["headers"])
        else:
            answer.body += message["body"]

    await site(scope, None, send)
    return answer


@pytest.fixture
def scene():
    django, hub = Django(), Hub()
    return SharedPages(django, hub), django, hub.channels["spring"]


def play(story):
    asyncio.run(asyncio.wait_for(story, 20))


def test_strangers_get_one_drawing(scene):
    site, django, _ = scene

    async def story():
        answers = [await ask(site) for _ in range(50)]
        assert (django.drawn, len({answer.body for answer in answers})) == (1, 1)
        assert answers[0].headers[b"vary"] == b"Accept-Encoding, Accept-Language, Cookie"
        assert b"x-request-id" not in answers[0].headers

    play(story())


def test_many_who_ask_at_once_wait_for_one_drawing(scene):
    site, django, _ = scene

    async def story():
        django.gate = asyncio.Event()
        asking = [asyncio.create_task(ask(site)) for _ in range(50)]
        await asyncio.sleep(0.01)
        django.gate.set()
        assert {(await each).status for each in asking} == {200}
        assert django.drawn == 1

    play(story())


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"cookie": "django_language=ru"}, id="chosen language"),
        pytest.param({"accept_language": "ru-RU,ru;q=0.9"}, id="language of the browser"),
        pytest.param({"cookie": "theme=dark"}, id="theme"),
        pytest.param({"query": b"why=1"}, id="query"),
        pytest.param({"host": "other.example"}, id="host"),
        pytest.param({"path": "/spring/seating/"}, id="address"),
    ],
)
def test_whatever_a_page_depends_on_has_a_drawing_of_its_own(scene, changes):
    site, django, _ = scene

    async def story():
        for _ in range(2):
            await ask(site)
            await ask(site, **changes)
        assert django.drawn == 2

    play(story())


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"cookie": "csrftoken=x"}, id="a form was seen"),
        pytest.param({"cookie": "theme=purple"}, id="no theme"),
        pytest.param({"accept_language": "fr"}, id="a language that is not spoken"),
        pytest.param({"user_agent": "other"}, id="another browser"),
    ],
)
def test_whatever_a_page_does_not_depend_on_shares_the_drawing(scene, changes):
    site, django, _ = scene

    async def story():
        await ask(site)
        await ask(site, **changes)
        assert django.drawn == 1

    play(story())


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"cookie": "theme=dark; sessionid=abc"}, id="signed in"),
        pytest.param({"cookie": "messages=abc"}, id="a message waits"),
        pytest.param({"authorization": "Device abc"}, id="a tablet"),
        pytest.param({"method": "POST"}, id="a form"),
        pytest.param({"path": "/spring/me/1-abc/"}, id="a private page"),
        pytest.param({"path": "/spring/desk/"}, id="the desk"),
        pytest.param({"path": "/autumn/standings/"}, id="not public"),
    ],
)
def test_what_is_somebodys_own_goes_to_django_each_time(scene, changes):
    site, django, _ = scene

    async def story():
        await ask(site)
        for _ in range(2):
            await ask(site, **changes)
        assert django.drawn == 3

    play(story())


@pytest.mark.parametrize(
    ("status", "extra"), [(404, []), (302, []), (200, [(b"Set-Cookie", b"csrftoken=1")])]
)
def test_answers_that_are_not_for_everybody_are_not_kept(scene, status, extra):
    site, django, _ = scene
    django.status, django.extra = status, extra

    async def story():
        first, second = await ask(site), await ask(site)
        assert (first.status, first.body != second.body) == (status, True)

    play(story())


def test_newer_revision_is_drawn_at_once_and_nobody_waits_for_it(scene):
    site, django, channel = scene

    async def story():
        before = await ask(site)
        channel.snapshot = Snapshot(2, None)
        assert (await ask(site)).body == before.body
        await asyncio.sleep(0.05)
        assert (await ask(site)).body != before.body
        assert django.drawn == 2

    play(story())


def test_page_of_two_seconds_ago_is_not_given_for_a_newer_revision(scene, monkeypatch):
    site, _, channel = scene
    now = [100.0]
    monkeypatch.setattr(shared, "monotonic", lambda: now[0])

    async def story():
        before = await ask(site)
        channel.snapshot = Snapshot(2, None)
        now[0] += 2.1
        assert (await ask(site)).body != before.body

    play(story())


def test_slow_machine_does_not_draw_all_the_time(scene, monkeypatch):
    """Where drawing takes five seconds, a page serves longer than it took."""
    site, django, _ = scene
    now = [100.0]
    monkeypatch.setattr(shared, "monotonic", lambda: now[0])

    async def story():
        django.gate = asyncio.Event()
        first = asyncio.create_task(ask(site))
        await asyncio.sleep(0.01)
        now[0] += 5
        django.gate.set()
        await first
        for _ in range(3):
            await ask(site)
        assert django.drawn == 1

    play(story())


def test_page_drawn_while_a_revision_came_is_not_taken_for_it(scene):
    site, django, channel = scene

    async def story():
        django.gate = asyncio.Event()
        early = asyncio.create_task(ask(site))
        await asyncio.sleep(0.01)
        channel.snapshot = Snapshot(2, None)
        late = asyncio.create_task(ask(site))
        await asyncio.sleep(0.01)
        django.gate.set()
        assert (await early).body != (await late).body
        assert (await ask(site)).body == (await late).body

    play(story())


def test_page_begun_earlier_and_ready_later_does_not_take_the_place_of_the_newer(scene):
    site, django, channel = scene

    async def story():
        slow = django.gate = asyncio.Event()
        early = asyncio.create_task(ask(site))
        while not django.drawn:
            await asyncio.sleep(0)
        channel.snapshot, django.gate = Snapshot(2, None), None
        late = await ask(site)
        slow.set()
        assert (await early).body != late.body
        assert (await ask(site)).body == late.body

    play(story())


def test_old_page_is_drawn_anew_and_none_older_than_two_seconds_goes_out(scene, monkeypatch):
    site, django, _ = scene
    now = [100.0]
    monkeypatch.setattr(shared, "monotonic", lambda: now[0])

    async def story():
        first = await ask(site)
        now[0] += 1.5
        assert (await ask(site)).body == first.body
        await asyncio.sleep(0.05)
        assert django.drawn == 2
        now[0] += 2.5
        await ask(site)
        assert django.drawn == 3

    play(story())


def test_page_goes_out_compressed_plain_or_not_at_all(scene):
    site, _, _ = scene

    async def story():
        packed = await ask(site, accept_encoding="gzip")
        plain = await ask(site)
        assert gzip.decompress(packed.body) == plain.body
        again = await ask(site, if_none_match=plain.headers[b"etag"].decode())
        assert (again.status, again.body) == (304, b"")
        assert (await ask(site, method="HEAD")).body == b""

    play(story())


def test_no_more_pages_are_kept_than_fit(scene, monkeypatch):
    site, _, channel = scene
    monkeypatch.setattr(shared, "MOST_PAGES", 3)

    async def story():
        for number in range(9):
            await ask(site, query=b"q=%d" % number)
        assert len(site.kept[channel]) == 3

    play(story())


@pytest.mark.parametrize(
    ("path", "is_shared"),
    [
        ("/spring/", True),
        ("/spring/session-3/table-7/", True),
        ("/spring/player-12/", True),
        ("/spring/prizes/", True),
        ("/spring/prizes/diplomas/", False),
        ("/spring/register/", False),
        ("/spring/find/", False),
        ("/spring/me/1-x/", False),
        ("/accounts/", False),
        ("/new/", False),
        ("/spring/standings", False),
    ],
)
def test_only_pages_without_forms_of_ones_own_are_shared(path, is_shared):
    assert bool(shared_pages().match(path)) == is_shared


SHARED = """
 players/ player-<int:number>/ prizes/ regulation/ seating/ session-<session>/ session-<session>/hands/
session-<session>/table-<table>/ standings/ standings/explain/ statistics/ watch/ overlay/ widget/ story/
"""


def test_shared_are_those_that_say_so_and_nothing_but_numbers_varies_in_them():
    routes = {address.route.removeprefix("<slug:slug>/") for address in addresses() if address.is_shared}
    assert routes == {"", *SHARED.split()}
    arguments = {name for route in routes for name in re.findall(r"<(?:\w+:)?(\w+)>", route)}
    assert arguments == {"number", "session", "table"}


# On the real site


def fetch(site, path, **headers):
    connection = http.client.HTTPConnection("localhost", site.port, timeout=10)
    connection.request("GET", path, headers={"Accept-Language": "en", **headers})
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer, body


def test_site_shows_strangers_the_newest_standings_without_a_token(site):
    protocol = make.protocol()
    of = protocol.table.session.tournament
    make.record(protocol)
    recompute.recompute(of.pk)
    wait_for(lambda: Stored.objects.get(tournament=of).revision, "No snapshot")
    address = f"/{of.slug}/standings/"
    answer, before = fetch(site, address)
    assert "Set-Cookie" not in answer.headers
    assert "csrfmiddlewaretoken" not in before
    make.record(protocol)
    wait_for(lambda: "+2" in fetch(site, address)[1], "The second hand did not show", 20)
    assert fetch(site, address, Cookie="django_language=ru")[1].count('lang="ru"') == 1


def test_every_shared_page_is_what_django_answers_by_itself(site, settings):
    """Each switch in front of Django changes how fast an answer is there, and nothing of the answer."""
    protocol = make.protocol()
    of = protocol.table.session.tournament
    make.record(protocol)
    recompute.recompute(of.pk)
    wait_for(lambda: Stored.objects.get(tournament=of).revision, "No snapshot")
    named = {"<int:number>": "1", "<session>": "1", "<table>": "1"}
    for address in addresses():
        if not address.is_shared:
            continue
        path = address.route.replace("<slug:slug>", of.slug)
        for argument, value in named.items():
            path = path.replace(argument, value)
        for language in ("en", "ru"):
            seen = []
            for is_on in (True, False):
                settings.SHARED_PAGES = is_on
                answer, body = fetch(site, f"/{path}", **{"Accept-Language": language})
                seen.append(
                    (
                        answer.status,
                        body,
                        answer.getheader("Content-Type"),
                        answer.getheader("Content-Language"),
                    )
                )
            assert seen[0][0] == 200, path
            assert seen[0] == seen[1], path


def test_language_and_theme_are_switched_without_a_token_but_not_by_other_sites(client):
    client.handler.enforce_csrf_checks = True
    assert client.post("/theme/", {"theme": "dark"}).cookies["theme"].value == "dark"
    assert client.post("/i18n/setlang/", {"language": "ru"}).cookies["django_language"].value == "ru"
    refused = client.post("/theme/", {"theme": "dark"}, headers={"Sec-Fetch-Site": "cross-site"})
    assert refused.status_code == 403


PUBLIC = ("", "standings/", "standings/?why=1", "standings/explain/?a=1&b=2", "standings/?after=1")


@pytest.mark.django_db
@pytest.mark.parametrize("path", PUBLIC)
def test_view_of_the_standings_asks_nothing_of_the_hands(client, path):
    """[DESIGN 6]"""
    from tournaments.sessions.operations import play

    of = make.tournament()
    make.players(of, 4)
    session = make.in_play(of)
    for protocol in session.tables.get().protocol.__class__.objects.filter(table__session=session):
        make.record(protocol)
    make.settle(session)
    play.close_session(session, by=make.organizer_of(of))
    recompute.recompute(of.pk)
    with CaptureQueriesContext(connections["default"]) as asked:
        assert client.get(f"/{of.slug}/{path}").status_code == 200
    assert [query["sql"] for query in asked if "tournaments_hand" in query["sql"]] == []
