"""Threads are given by rank, strangers never hold the last one, and callers prove their rank by what they are let into."""

import asyncio
import threading

import pytest

from config.server.callers import Callers, Rank
from config.server.workers import Workers, environ_of

TABLET = (b"authorization", b"Device secret")
STAFF = (b"cookie", b"theme=dark; sessionid=abc")


def scope_of(path="/", *headers, client="10.0.0.1"):
    """A request without a body."""
    return {
        "type": "http", "method": "GET", "path": path, "query_string": b"a=1", "headers": list(headers),
        "client": (client, 5000), "server": ("localhost", 80), "scheme": "http", "http_version": "1.1",
    }  # fmt: skip


# Callers


@pytest.mark.parametrize(
    ("path", "headers", "status", "rank"),
    [
        pytest.param("/cup/api/self/", [TABLET], 200, Rank.TABLET, id="a tablet"),
        pytest.param("/cup/api/self/", [TABLET], 401, Rank.STRANGER, id="no tablet"),
        pytest.param("/cup/desk/", [STAFF], 200, Rank.DESK, id="staff"),
        pytest.param("/cup/desk/", [STAFF], 302, Rank.STRANGER, id="no staff"),
        pytest.param("/cup/standings/", [STAFF], 200, Rank.STRANGER, id="only signed in"),
        pytest.param("/cup/me/7-abc/", [], 200, Rank.OWN_PAGE, id="a player"),
        pytest.param("/cup/me/7-abc/", [], 404, Rank.STRANGER, id="no player"),
        pytest.param("/cup/", [], 200, Rank.STRANGER, id="a stranger"),
    ],
)
def test_credential_counts_once_it_was_let_in(path, headers, status, rank):
    callers, scope = Callers(), scope_of(path, *headers)
    assert callers.rank_of(scope) is Rank.STRANGER
    callers.learn(scope, status)
    assert callers.rank_of(scope) is rank


def test_tablet_that_was_signed_off_is_a_stranger_again():
    callers, scope = Callers(), scope_of("/cup/api/self/", TABLET)
    callers.learn(scope, 200)
    callers.learn(scope, 401)
    assert callers.rank_of(scope) is Rank.STRANGER


def test_callers_forget_the_oldest(monkeypatch):
    monkeypatch.setattr("config.server.callers.MOST_KNOWN", 2)
    callers = Callers()
    scopes = [scope_of("/cup/api/self/", (b"authorization", b"Device %d" % n)) for n in range(3)]
    for scope in scopes:
        callers.learn(scope, 200)
    assert [callers.rank_of(scope) for scope in scopes] == [Rank.STRANGER, Rank.TABLET, Rank.TABLET]


# Workers


class Django:
    """An application that holds every thread until it is let go, and writes down whom it answered."""

    def __init__(self):
        self.going, self.answered, self.busy = threading.Event(), [], 0

    def __call__(self, environ, start_response):
        self.busy += 1
        assert self.going.wait(10)
        self.answered.append(environ["PATH_INFO"])
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [b"page"]


async def ask(workers, scope):
    """Ask for a page; return what was sent."""
    sent = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    await workers(scope, receive, send)
    return sent


def play(scene):
    asyncio.run(asyncio.wait_for(scene(), 20))


def test_threads_are_given_by_rank_and_one_is_never_a_strangers():
    async def scene():
        django, callers = Django(), Callers()
        callers.learn(scope_of("/cup/api/self/", TABLET), 200)
        callers.learn(scope_of("/cup/desk/", STAFF), 200)
        workers, granted = Workers(django, threads=3, callers=callers), []
        take = workers._take_thread

        async def taken(rank):
            await take(rank)
            granted.append(rank)

        workers._take_thread = taken
        strangers = [asyncio.ensure_future(ask(workers, scope_of(f"/{n}"))) for n in range(6)]
        while django.busy < 2:
            await asyncio.sleep(0.01)
        staff = [asyncio.ensure_future(ask(workers, scope_of("/desk", STAFF))) for _ in range(2)]
        tablet = asyncio.ensure_future(ask(workers, scope_of("/tablet", TABLET)))
        while django.busy < 3:
            await asyncio.sleep(0.01)
        assert (workers.free, [int(rank) for rank, _, _ in sorted(workers.waiting)]) == (
            0,
            [0, 1, 3, 3, 3, 3],
        )
        django.going.set()
        await asyncio.gather(*strangers, *staff, tablet)
        assert (workers.free, workers.waiting) == (3, [])
        first, then, last = granted[:3], granted[3:5], granted[5:]
        assert first == [Rank.STRANGER, Rank.STRANGER, Rank.DESK]
        assert then == [Rank.TABLET, Rank.DESK]
        assert last == [Rank.STRANGER] * 4

    play(scene)


def test_request_that_is_cancelled_while_it_waits_takes_no_thread():
    async def scene():
        django = Django()
        workers = Workers(django, threads=1, callers=Callers())
        first = asyncio.ensure_future(ask(workers, scope_of("/1")))
        second = asyncio.ensure_future(ask(workers, scope_of("/2")))
        await asyncio.sleep(0.01)
        second.cancel()
        django.going.set()
        await first
        assert (await ask(workers, scope_of("/3")))[-1]["body"] == b"page"
        assert (workers.free, django.answered) == (1, ["/1", "/3"])

    play(scene)


def test_fault_of_the_application_gives_the_thread_back():
    def broken(environ, start_response):
        raise RuntimeError("ours")

    async def scene():
        workers = Workers(broken, threads=1, callers=Callers())
        with pytest.raises(RuntimeError):
            await ask(workers, scope_of("/"))
        assert workers.free == 1

    play(scene)


def test_request_is_written_as_wsgi_wants_it():
    scope = scope_of(
        "/тур/", (b"content-type", b"text/plain"), (b"cookie", b"a=1"), (b"cookie", b"b=2"),
        (b"x_forwarded_proto", b"https"), (b"x-request-id", b"1"), (b"transfer-encoding", b"chunked"),
    )  # fmt: skip
    environ = environ_of({**scope, "method": "POST"}, b"body")
    assert environ["PATH_INFO"].encode("latin-1").decode() == "/тур/"
    assert (environ["QUERY_STRING"], environ["REMOTE_ADDR"]) == ("a=1", "10.0.0.1")
    assert (environ["CONTENT_TYPE"], environ["CONTENT_LENGTH"]) == ("text/plain", "4")
    assert environ["HTTP_COOKIE"] == "a=1; b=2"
    assert environ["HTTP_X_REQUEST_ID"] == "1"
    assert "HTTP_X_FORWARDED_PROTO" not in environ
    assert "CONTENT_TYPE" not in environ_of(scope, b"")  # it would name letters for an address
    assert "HTTP_TRANSFER_ENCODING" not in environ
    assert environ["wsgi.input"].read() == b"body"
