"""Hands of tablets in front of Django: what is taken, what is led on as it came, and that the answers are Django's own."""

import asyncio
import http.client
import json
import threading
from uuid import uuid4

import pytest
from django.db import connections

from config.server import batch
from config.server.batch import MOST_REQUESTS, HandBatches
from config.server.callers import Callers
from config.server.gate import Gate
from config.server.workers import REFUSAL
from conftest import wait_for
from tournaments.models import Hand, HistoryEntry, Protocol
from tournaments.standings.operations.verification import verify
from tournaments.tests import factories as make
from tournaments.tests.test_tablet_api import EAST_FROM_SOUTH, Tablet, operations

ADDRESS = "/cup/api/session-1/table-2/hands/"
TABLETS = {
    "authorization": "Device secret",
    "content-type": "application/json",
    "host": "localhost",
    "idempotency-key": "k" * 20,
}


class Pages:
    """Django, written down: it says what it was given."""

    def __init__(self):
        self.bodies = []
        self.refused = []

    async def __call__(self, scope, receive, send):
        message, body = await receive(), b""
        if refusal := scope.get(REFUSAL):
            self.refused.append(refusal.problems[0].code)
        while message["type"] == "http.request":
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
            message = await receive()
        self.bodies.append(body)
        await send({"type": "http.response.start", "status": 299, "headers": []})
        await send({"type": "http.response.body", "body": b"page"})


@pytest.fixture
def pages():
    return Pages()


@pytest.fixture
def requests(monkeypatch):
    """What came to be written together, each time; everything is answered with its key."""
    rounds = []

    def answer(several):
        rounds.append(several)
        return [one.key.encode() for one in several]

    monkeypatch.setattr(batch, "answer_batch", answer)
    return rounds


async def send_one(site, *, path=ADDRESS, method="POST", parts=(b"{}",), headers=TABLETS, **scope):
    """Send a request in parts; return status, headers and body of the answer."""
    headers = headers.items() if isinstance(headers, dict) else headers
    last = len(parts) - 1
    messages = [
        {"type": "http.request", "body": part, "more_body": number < last}
        for number, part in enumerate(parts)
    ]
    left, sent = iter(messages), []

    async def receive():
        return next(left, {"type": "http.disconnect"})

    async def send(message):
        sent.append(message)

    length = ("content-length", str(sum(map(len, parts))))
    raw = [(name.encode(), value.encode()) for name, value in [*headers, length]]
    asked = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": raw, **scope}
    await site(asked, receive, send)
    return sent[0]["status"], dict(sent[0]["headers"]), sent[-1]["body"]


def ask(site, **request):
    """Send a request through the gate, as all come."""
    try:
        return asyncio.run(asyncio.wait_for(send_one(Gate(site, Callers()), **request), 10))
    finally:
        site.stop()


@pytest.mark.parametrize(
    ("path", "table"),
    [(ADDRESS, (1, 2)), ("/cup/api/batch/", None), ("/cup-1/api/session-12/table-250/hands/", (12, 250))],
)
def test_hands_are_taken(pages, requests, path, table):
    status, headers, body = ask(HandBatches(pages), path=path, parts=(b'{"a"', b": 1}"))
    ((request,),) = requests
    assert (status, body, pages.bodies) == (200, b"k" * 20, [])
    assert (request.table, request.credential, request.body) == (table, "secret", b'{"a": 1}')
    assert headers[b"content-length"] == b"20"


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"method": "GET"}, id="another method"),
        pytest.param({"path": "/cup/api/session-1/table-2/undo/"}, id="another write"),
        pytest.param({"path": "/cup/api/session-1/table-2/"}, id="the table"),
        pytest.param({"path": "/cup/api/session-1/table-2000000/hands/"}, id="no number"),
        pytest.param({"path": "/c%C3%BCp/api/batch/"}, id="no slug"),
        pytest.param({"query_string": b"a=1"}, id="a query"),
        pytest.param({"headers": {**TABLETS, "authorization": "Basic x"}}, id="another scheme"),
        pytest.param({"headers": {**TABLETS, "authorization": ""}}, id="no credential"),
        pytest.param({"headers": {**TABLETS, "content-type": "text/plain"}}, id="another kind"),
        pytest.param({"headers": {**TABLETS, "host": "evil.example"}}, id="another host"),
        pytest.param({"headers": {**TABLETS, "host": ""}}, id="no host"),
    ],
)
def test_everything_else_is_led_on_as_it_came(pages, requests, changes):
    assert ask(HandBatches(pages), parts=(b"{", b"}"), **changes)[0] == 299
    assert (pages.bodies, requests) == ([b"{}"], [])


def test_a_header_given_twice_is_djangos_to_judge(pages, requests):
    twice = [*TABLETS.items(), ("host", "evil.example")]
    assert ask(HandBatches(pages), headers=twice)[0] == 299
    assert (pages.bodies, requests) == ([b"{}"], [])


def test_a_body_that_is_too_long_is_djangos_to_refuse(pages, requests):
    parts = (b"x" * 40_000, b"y" * 40_000, b"z")
    assert ask(HandBatches(pages), parts=parts)[0] == 299
    assert (pages.bodies, requests) == ([b""], [])
    assert pages.refused == ["too_large"]


def test_what_is_left_unwritten_is_led_on_with_its_body(pages, monkeypatch):
    monkeypatch.setattr(batch, "answer_batch", lambda several: [None] * len(several))
    assert ask(HandBatches(pages), parts=(b"{", b"", b"}"))[0] == 299
    assert pages.bodies == [b"{}"]


def test_a_fault_leads_everything_on(pages, monkeypatch, caplog):
    def fail(_):
        raise RuntimeError("ours")

    monkeypatch.setattr(batch, "answer_batch", fail)
    assert ask(HandBatches(pages))[0] == 299
    assert "each is tried alone" in caplog.text


def test_insecure_requests_are_djangos_where_https_is_asked_for(pages, requests, settings):
    settings.SECURE_SSL_REDIRECT = True
    assert ask(HandBatches(pages))[0] == 299
    assert ask(HandBatches(pages), scheme="https")[0] == 200


def test_the_word_of_the_front_server_counts_where_it_is_believed(pages, requests, settings):
    settings.SECURE_SSL_REDIRECT = True
    told = {**TABLETS, "x-forwarded-proto": "https"}
    assert ask(HandBatches(pages), headers=told)[0] == 299
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    assert ask(HandBatches(pages), headers=told)[0] == 200
    for other in ("http", ""):
        assert ask(HandBatches(pages), headers={**told, "x-forwarded-proto": other}, scheme="https")[0] == 299


def test_what_arrives_while_others_are_written_is_written_together(pages, monkeypatch):
    gate, rounds = threading.Event(), []

    def answer(several):
        rounds.append([one.key for one in several])
        gate.wait(10)
        return [one.key.encode() for one in several]

    monkeypatch.setattr(batch, "answer_batch", answer)
    site = HandBatches(pages)
    many = MOST_REQUESTS + 10

    async def story():
        first = asyncio.create_task(send_one(site))
        while not rounds:
            await asyncio.sleep(0.001)
        keys = [f"{number:020}" for number in range(many)]
        others = [
            asyncio.create_task(send_one(site, headers={**TABLETS, "idempotency-key": key})) for key in keys
        ]
        while len(site.waiting) < many:
            await asyncio.sleep(0.001)
        gate.set()
        answers = [await each for each in [first, *others]]
        assert [body.decode() for _, _, body in answers] == ["k" * 20, *keys]
        assert [len(several) for several in rounds] == [1, MOST_REQUESTS, 10]

    asyncio.run(asyncio.wait_for(story(), 20))
    site.stop()


def test_long_requests_are_written_in_several_rounds(pages, requests, monkeypatch):
    monkeypatch.setattr(batch, "MOST_BYTES_OF_BATCH", 100)
    site = HandBatches(pages)
    site.waiting = [batch.Waiting(request(size), None) for size in (150, 60, 30, 20)]
    assert [[len(one.request.body) for one in site._next_batch()] for _ in range(4)] == [
        [150],
        [60, 30],
        [20],
        [],
    ]
    assert not site.is_writing


def request(size):
    return batch.QueuedRequest("cup", (1, 1), "secret", "k" * 20, "en", b"x" * size)


def test_a_tablet_that_has_gone_holds_up_nobody(pages, requests):
    site = HandBatches(pages)

    async def story():
        gone = asyncio.create_task(send_one(site))
        await asyncio.sleep(0)
        gone.cancel()
        status, *_ = await send_one(site)
        assert status == 200

    asyncio.run(asyncio.wait_for(story(), 10))
    site.stop()


# The whole site


def post(site, tablet, path, body, key=""):
    """Send as a tablet does; return status, headers and body."""
    connection = http.client.HTTPConnection("localhost", site.port, timeout=30)
    headers = {**tablet.headers, "Idempotency-Key": key, "Content-Type": "application/json"}
    connection.request("POST", path, json.dumps(body), {name: text for name, text in headers.items() if text})
    answer = connection.getresponse()
    told = answer.status, {name.lower(): text for name, text in answer.getheaders()}, answer.read()
    connection.close()
    return told


def hall(tables):
    """A tablet at each table of a session in play."""
    first = make.protocol("sbr", tables * 4)
    rows = Protocol.objects.filter(table__session=first.table.session).order_by("table__number")
    return [Tablet(row) for row in rows.select_related("table__session__tournament")]


DIFFERENT = {"date", "expires", "x-request-id", "content-length"}


@pytest.mark.django_db(transaction=True)
def test_the_answer_has_every_header_that_djangos_has(site, monkeypatch):
    (tablet,), key = hall(1), uuid4().hex
    body, path = {"facts": EAST_FROM_SOUTH, "seen": 0}, tablet.address("hands/")
    first = post(site, tablet, path, body, key)
    monkeypatch.setattr(batch, "answer_batch", lambda several: [None] * len(several))
    again = post(site, tablet, path, body, key)
    assert first[0] == again[0] == 200
    assert json.loads(first[2])["receipt"] == json.loads(again[2])["receipt"]
    assert set(first[1]) == set(again[1])
    kept = {name: sorted(text.split("; ")) for name, text in first[1].items() if name not in DIFFERENT}
    assert kept == {
        name: sorted(text.split("; ")) for name, text in again[1].items() if name not in DIFFERENT
    }
    assert first[1]["x-request-id"] != again[1]["x-request-id"]


@pytest.mark.django_db(transaction=True)
def test_a_hall_that_writes_at_once_is_written_in_few_rounds(site, monkeypatch):
    tablets, rounds = hall(6), []
    answer = batch.answer_batch
    monkeypatch.setattr(batch, "answer_batch", lambda several: rounds.append(len(several)) or answer(several))
    gate, answers = threading.Barrier(6), []

    def play(tablet):
        for number in range(5):
            gate.wait(20)
            body = {"facts": make.east_from_south(number), "seen": number}
            answers.append(post(site, tablet, tablet.address("hands/"), body, uuid4().hex)[0])

    threads = [threading.Thread(target=play, args=(tablet,)) for tablet in tablets]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert answers == [200] * 30
    assert sum(rounds) == 30
    assert len(rounds) < 30
    assert Hand.objects.count() == 30
    assert verify(tablets[0].tournament) == []


@pytest.mark.django_db(transaction=True)
def test_queues_are_taken_too_and_refusals_come_from_their_address(site):
    first, second = hall(2)
    items = operations(first, EAST_FROM_SOUTH, make.east_from_south(2))
    path = f"/{first.tournament.slug}/api/batch/"
    status, _, body = post(site, first, path, {"schema": 1, "brief": True, "operations": items})
    assert (status, [one["status"] for one in json.loads(body)["answers"]]) == (200, [200, 200])
    status, _, body = post(
        site, second, second.address("hands/"), {"facts": EAST_FROM_SOUTH, "seen": 7}, uuid4().hex
    )
    assert (status, json.loads(body)["code"]) == (409, "sequence_gap")


@pytest.mark.django_db(transaction=True)
def test_each_request_is_logged_by_its_route(site, caplog):
    (tablet,) = hall(1)
    with caplog.at_level("INFO", logger="four_winds.access"):
        post(site, tablet, tablet.address("hands/"), {"facts": EAST_FROM_SOUTH, "seen": 0}, uuid4().hex)
        wait_for(lambda: "POST" in caplog.text, "The request was not logged")
    (line,) = [record for record in caplog.records if record.name == "four_winds.access"]
    assert (line.route, line.status, line.tournament) == (
        "/<slug:slug>/api/session-<session>/table-<table>/hands/",
        200,
        tablet.tournament.slug,
    )
    assert tablet.credential not in caplog.text


@pytest.mark.django_db(transaction=True)
def test_games_are_kept_between_requests(site):
    """What the first hand left in memory spares the second one its reading, and is right."""
    (tablet,) = hall(1)
    for number in range(4):
        body = {"facts": make.east_from_south(number), "seen": number}
        status, _, said = post(site, tablet, tablet.address("hands/"), body, uuid4().hex)
        assert (status, len(json.loads(said)["state"]["hands"])) == (200, number + 1)
    state = json.loads(said)["state"]
    assert [seat["points"] for seat in state["seats"]] == [
        seat.hand_points
        for seat in sorted(tablet.protocol.table.seats.all(), key=lambda one: "ESWN".index(one.wind))
    ]
    assert HistoryEntry.objects.filter(protocol=tablet.protocol).count() == 4


def test_no_fault_stops_the_writer_for_good(pages, requests, monkeypatch):
    def fail():
        raise RuntimeError("the database is away")

    monkeypatch.setattr(batch, "close_old_connections", fail)
    monkeypatch.setattr(batch, "_close_if_broken", fail)
    site = HandBatches(pages)

    async def story():
        assert [(await send_one(site))[0] for _ in range(3)] == [200, 200, 200]

    asyncio.run(asyncio.wait_for(story(), 10))
    site.stop()


def test_where_no_thread_is_to_be_had_django_answers_and_the_next_request_tries_again(
    pages, requests, monkeypatch
):
    class Threads(batch.ThreadPoolExecutor):
        are_left = False

        def submit(self, *work):
            if not Threads.are_left:
                raise RuntimeError("can't start new thread")
            return super().submit(*work)

    monkeypatch.setattr(batch, "ThreadPoolExecutor", Threads)
    site = HandBatches(pages)

    async def story():
        assert (await send_one(site))[0] == 299
        Threads.are_left = True
        assert (await send_one(site))[0] == 200

    asyncio.run(asyncio.wait_for(story(), 10))
    site.stop()


def test_answers_that_do_not_fit_the_requests_are_none(pages, monkeypatch):
    monkeypatch.setattr(batch, "answer_batch", lambda several: [b"one", b"too many"])
    assert ask(HandBatches(pages))[0] == 299


@pytest.mark.django_db(transaction=True)
def test_after_a_lost_connection_hands_are_written_again(site):
    """What could not be written together is answered by Django; the next round has a new connection."""
    (tablet,) = hall(1)
    for number in range(3):
        body = {"facts": make.east_from_south(number), "seen": number}
        assert post(site, tablet, tablet.address("hands/"), body, uuid4().hex)[0] == 200
        site.app.batches.writer.submit(break_connection).result(10)
    assert Hand.objects.count() == 3


def break_connection():
    """Let the writer's own connection be one that its server has ended."""
    connections["default"].ensure_connection()
    connections["default"].connection.close()
