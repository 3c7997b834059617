"""A request is whole or it is nothing, and nobody starves anybody: real sockets against the running site."""

import json
import random
import socket
import struct
import time
from contextlib import ExitStack, contextmanager, suppress

import pytest
from django.conf import settings

from config.server import limits
from config.tests.raw_http import Visitor, answer_of
from conftest import wait_for
from tournaments.models import Registration
from tournaments.tests import factories as make

KEY = "a-list-of-one-evening"
NAMES = [f"Player {chr(65 + first)}{chr(97 + second)}" for first in range(15) for second in range(20)]


@pytest.fixture
def desk(site):
    """An organizer at the desk of a tournament, as bytes."""
    organizer = make.user()
    tournament = make.tournament(by=organizer)
    visitor = Visitor(site.port, user=organizer)
    visitor.slug = tournament.slug
    visitor.path = f"/{tournament.slug}/desk/people/paste/"
    visitor.fields = [("confirm", "1"), ("key", KEY), ("text", "\n".join(NAMES)), ("form_end", "1")]
    return visitor


@pytest.fixture
def stranger(site):
    """Somebody of whom nothing is known."""
    return Visitor(site.port)


@pytest.fixture
def quick(monkeypatch):
    """Limits of time that a test can wait for."""
    for name in ("HEAD_SECONDS", "IDLE_SECONDS", "UNREAD_SECONDS"):
        monkeypatch.setattr(limits, name, 1.0)


def is_ended(connection):
    """Whether the other side has ended the connection."""
    with suppress(ConnectionError):
        while connection.recv(65536):
            pass
    return True


# Whole or nothing


def test_whole_form_is_taken(desk):
    assert desk.send(*desk.form(desk.path, desk.fields))[0] == 302
    assert Registration.objects.count() == 300


def test_whole_form_in_chunks_is_taken(desk):
    _, body = desk.form(desk.path, desk.fields)
    parts = [body[at : at + 1000] for at in range(0, len(body), 1000)]
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts)
    assert desk.send(chunked(desk), chunks + b"0\r\n\r\n")[0] == 302
    assert Registration.objects.count() == 300


def chunked(desk, *lines):
    kind = "Content-Type: application/x-www-form-urlencoded"
    return desk.head("POST", desk.path, kind, "Transfer-Encoding: chunked", *lines)


@pytest.mark.parametrize("ending", ["half-closed", "closed", "reset"])
@pytest.mark.parametrize("seed", range(3))
def test_form_cut_at_a_random_byte_changes_nothing(desk, seed, ending):
    head, body = desk.form(desk.path, desk.fields)
    cut = random.Random(f"{seed}{ending}").randrange(len(body))
    with desk.connected() as connection:
        connection.sendall(head + body[:cut])
        time.sleep(0.2)  # whoever reads it as it comes has read it
        if ending == "half-closed":
            connection.shutdown(socket.SHUT_WR)
            assert is_ended(connection)
        elif ending == "reset":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    assert desk.get("/readyz")[0] == 200
    assert Registration.objects.count() == 0


def test_form_longer_than_it_says_changes_nothing(desk):
    head, body = desk.form(desk.path, desk.fields, length=1000)
    assert desk.send(head, body)[0] in {0, 400, 422}
    assert desk.send(head, body[:1000])[0] == 422
    assert Registration.objects.count() == 0


@pytest.mark.parametrize(
    ("lines", "body"),
    [
        pytest.param(["Transfer-Encoding: chunked", "Content-Length: 5"], b"0\r\n\r\n", id="both lengths"),
        pytest.param(["Content-Length: 5", "Content-Length: 9"], b"a=1&b=2&c", id="two lengths"),
        pytest.param(["Content-Length: -5"], b"a=1&b", id="less than nothing"),
        pytest.param(["Content-Length: 5, 5"], b"a=1&b", id="a list of lengths"),
        pytest.param(["Transfer-Encoding: gzip, chunked"], b"0\r\n\r\n", id="another coding"),
        pytest.param(["Transfer-Encoding: chunked"], b"5\r\na=1&b=2\r\n0\r\n\r\n", id="a chunk that lies"),
        pytest.param(["Transfer-Encoding: chunked"], b"g\r\na=1\r\n0\r\n\r\n", id="no number"),
        pytest.param(["Transfer-Encoding: chunked"], b"fffffffffffffffff\r\na=1", id="an endless chunk"),
    ],
)
def test_lying_request_is_refused_before_any_page_sees_it(desk, lines, body, caplog):
    kind = "Content-Type: application/x-www-form-urlencoded"
    assert desk.send(desk.head("POST", desk.path, kind, *lines), body)[0] == 400
    assert desk.get("/readyz")[0] == 200
    assert "/desk/people/paste/" not in caplog.text


@pytest.mark.parametrize(
    "letters", ["=hex", "=undefined", "*=utf-8''hex", '="utf-16"', "=windows-1251", "=utf-8x"]
)
def test_other_letters_than_utf_8_are_refused_and_address_nothing(desk, letters):
    """What a header calls an alphabet need not be one: Python knows “hex” and cannot read a text with it."""
    kind = f"Content-Type: multipart/form-data; boundary=x; charset{letters}"
    head = desk.head("POST", f"{desk.path}?q=1", kind, "Content-Length: 5")
    assert desk.send(head, b"--x--")[0] == 400
    assert desk.send(desk.head("GET", "/archive/?q=%D0%BA", kind))[0] == 200


def test_letters_may_be_named(desk):
    _, body = desk.form(desk.path, desk.fields)
    kind = 'Content-Type: application/x-www-form-urlencoded; charset="UTF-8"'
    assert desk.send(desk.head("POST", desk.path, kind, f"Content-Length: {len(body)}"), body)[0] == 302


def test_trailer_is_nobodys_header(site, stranger):
    """What stands behind the body cannot admit anybody, nor say that the connection was secure."""
    fields, chunks = b"theme=dark&form_end=1", b"%x\r\n%s\r\n0\r\n%s\r\n"
    body = chunks % (len(fields), fields, b"Sec-Fetch-Site: cross-site\r\n")
    kind = "Content-Type: application/x-www-form-urlencoded"
    head = stranger.head("POST", "/theme/", kind, "Transfer-Encoding: chunked", "Trailer: Sec-Fetch-Site")
    assert stranger.send(head, body)[0] == 302


def test_header_with_an_underscore_is_not_another_one(stranger):
    kind = "Content-Type: application/x-www-form-urlencoded"
    head = stranger.head("POST", "/theme/", kind, "Sec_Fetch_Site: cross-site", "Content-Length: 21")
    assert stranger.send(head, b"theme=dark&form_end=1")[0] == 302


# Sizes


def test_api_says_that_a_request_is_too_large(desk):
    head = desk.head(
        "POST", f"/{desk.slug}/api/batch/", "Content-Type: application/json", f"Content-Length: {3_000_000}"
    )
    status, said = desk.send(head, b"x" * 3_000_000)
    problem = json.loads(said)
    assert (status, problem["status"], problem["code"]) == (413, 413, "too_large")
    assert problem["title"] == "The request is too large; at most 64 kB."


def test_page_says_that_a_form_is_too_large(desk):
    head = desk.head(
        "POST", f"/{desk.slug}/desk/settings/", "Accept-Language: ru", f"Content-Length: {limits.FORM + 1}",
        "Content-Type: application/x-www-form-urlencoded",
    )  # fmt: skip
    status, said = desk.send(head, b"x" * (limits.FORM + 1))
    assert (status, "Запрос слишком велик; можно не больше 256 кБ." in said.decode()) == (413, True)


def test_body_without_a_length_is_measured_as_it_comes(desk):
    chunk = b"8000\r\n" + b"x" * 0x8000 + b"\r\n"
    status, _ = desk.send(chunked(desk), chunk * (limits.LIST // 0x8000 + 1) + b"0\r\n\r\n")
    assert status == 413


def test_sender_who_asks_first_is_told_before_sending(desk):
    head = desk.head("POST", f"/{desk.slug}/api/batch/", "Expect: 100-continue", "Content-Length: 3000000")
    assert desk.send(head)[0] == 413


def test_head_has_a_size(stranger):
    assert stranger.send(stranger.head("GET", "/", *[f"X-{n}: 1" for n in range(150)]))[0] == 431
    assert stranger.send(stranger.head("GET", "/", "X-Long: " + "x" * 40_000))[0] == 431
    with stranger.connected() as connection, suppress(ConnectionError):
        connection.sendall(b"GET / HTTP/1.1\r\nX: ")
        for _ in range(1000):
            connection.sendall(b"x" * 10_000)
        pytest.fail("A head without an end was read on.")


def test_head_in_pieces_behind_a_large_body_is_read(desk):
    """The end of a body is not taken for the beginning of a head."""
    head, body = desk.form(desk.path, [("filler", "x" * 200_000), *desk.fields[1:]])
    with desk.connected() as connection:
        for _ in range(3):
            connection.sendall(head)
            for at in range(0, len(body), 70_000):
                connection.sendall(body[at : at + 70_000])
                time.sleep(0.02)
            assert answer_of(connection)[0] == 200
            following = desk.head("GET", "/readyz")
            for at in range(0, len(following), 50):
                connection.sendall(following[at : at + 50])
                time.sleep(0.01)
            assert answer_of(connection)[0] == 200


@pytest.mark.parametrize("before", [b"0\r\nX-Long: ", b"0\r\nX", b"5;x=", b"5\r\na=1&b\r\n0\r\nX-Long: "])
def test_what_stands_beside_or_behind_a_body_has_a_size(desk, before):
    """Each part of such a line is put behind those before it, so one without an end took the whole processor."""
    with desk.connected() as connection, suppress(ConnectionError):
        connection.sendall(chunked(desk) + before)
        for _ in range(300):
            connection.sendall(b"x" * 10_000)
            time.sleep(0.001)  # in several lots, as the network brings them
        pytest.fail("A line without an end was read on.")
    assert desk.get("/readyz")[0] == 200


def test_requests_that_wait_on_one_connection_are_counted(desk, site):
    """A request of thirty bytes costs two thousand while it waits for those before it."""
    with desk.connected() as connection:
        connection.sendall(desk.head("GET", "/readyz") * limits.MOST_PIPELINED)
        received = b""
        while received.count(b"HTTP/1.1 200 OK") < limits.MOST_PIPELINED:
            received += connection.recv(65536)
    received = b""
    with desk.connected() as connection, suppress(ConnectionError):
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 5000)
        while part := connection.recv(65536):
            received += part
    assert received.count(b"HTTP/1.1 ") <= limits.MOST_PIPELINED
    assert desk.get("/readyz")[0] == 200


# Nobody starves anybody


@pytest.mark.parametrize("many", [4, 40])
def test_stalled_uploads_do_not_stop_the_site(desk, stranger, many):
    head, body = stranger.form("/cup/register/", [("name", "A" * 1000)])
    with ExitStack() as stack:
        for _ in range(many):
            stack.enter_context(stranger.connected()).sendall(head + body[:100])
        assert desk.get("/readyz")[0] == 200
        assert desk.get(desk.path)[0] == 200
        assert desk.send(*desk.form(desk.path, desk.fields))[0] == 302


def test_stalled_upload_is_told_and_ended(stranger, quick):
    head, body = stranger.form("/cup/register/", [("name", "A" * 1000)])
    with stranger.connected() as connection:
        connection.sendall(head + body[:100])
        status, said = answer_of(connection)
        assert (status, "did not arrive in time" in said.decode()) == (408, True)
        assert is_ended(connection)


def test_upload_that_drips_is_ended(stranger, quick):
    head, body = stranger.form("/cup/register/", [("name", "A" * 1000)])
    with stranger.connected() as connection, suppress(ConnectionError):
        connection.sendall(head)
        for at in range(300):
            connection.sendall(body[at : at + 1])
            time.sleep(0.1)
        pytest.fail("A body that drips was waited for.")


def test_slow_head_is_ended(stranger, quick):
    with ExitStack() as stack:
        silent = stack.enter_context(stranger.connected())
        slow = stack.enter_context(stranger.connected())
        slow.sendall(b"GET / HTTP/1.1\r\nHost: loc")
        kept = stack.enter_context(stranger.connected())
        kept.sendall(stranger.head("GET", "/readyz"))
        assert answer_of(kept)[0] == 200
        kept.sendall(b"G")
        for connection in (silent, slow, kept):
            assert is_ended(connection)


def test_slow_readers_do_not_stop_the_site_and_are_ended(desk, site, quick):
    """They ask for a page again and again and read none of it; what waits for them is bounded and given up."""
    sheet = desk.head("GET", largest_static_file())
    with ExitStack() as stack:
        for _ in range(10):
            connection = stack.enter_context(slow_reader(site.port))
            connection.setblocking(False)
            with suppress(BlockingIOError):
                for _ in range(limits.MOST_PIPELINED):
                    connection.sendall(sheet)
        wait_for(lambda: any(one.unread for one in site.app.connections.open), "Nothing was left unread")
        assert desk.get(desk.path)[0] == 200
        wait_for(
            lambda: not [one for one in tuple(site.app.connections.open) if one.unread], "None was ended", 30
        )


def test_answers_that_nobody_reads_hold_bounded_memory(desk, site, monkeypatch):
    monkeypatch.setattr(limits, "UNREAD_SECONDS", 1000)
    with slow_reader(site.port) as connection:
        connection.setblocking(False)
        with suppress(BlockingIOError):
            for _ in range(limits.MOST_PIPELINED):
                connection.sendall(desk.head("GET", largest_static_file()))
        wait_for(lambda: any(one.unread for one in tuple(site.app.connections.open)), "Nothing was unread")
        monkeypatch.setattr(limits, "MOST_UNREAD", 10_000)
        wait_for(lambda: not site.app.connections.open, "What nobody reads is held on", 20)


def test_reader_who_takes_a_while_is_waited_for(desk, site, quick):
    with slow_reader(site.port) as connection:
        connection.sendall(desk.head("GET", largest_static_file()) * 60)
        received, began = 0, time.monotonic()
        while time.monotonic() < began + 4:
            received += len(connection.recv(4000))
            time.sleep(0.05)
        assert received > 100_000


@contextmanager
def slow_reader(port):
    """Open a connection that takes little at a time."""
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(30)
        connection.connect(("127.0.0.1", port))
        yield connection


def largest_static_file():
    """Find what fills a connection soonest."""
    folder = settings.BASE_DIR / "static"
    path = max((path for path in folder.rglob("*") if path.is_file()), key=lambda path: path.stat().st_size)
    return f"/static/{path.relative_to(folder)}"


def test_uploads_of_strangers_leave_room_for_the_desk(desk, stranger, monkeypatch, site):
    monkeypatch.setattr(limits, "MOST_HELD", 1_000_000)
    path = f"/{desk.slug}/me/1-{'a' * 40}/appeal/"
    head = stranger.head("POST", path, "Content-Type: application/octet-stream", "Content-Length: 2000000")
    with ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(stranger.connected()).sendall(head + b"x" * 150_000)
        wait_for(lambda: site.app.gate.held > 150_000, "Nothing is held")
        status, said = stranger.send(head, b"x" * 2_000_000)
        assert (status, "Too much is being sent" in said.decode()) == (503, True)
        assert desk.get(desk.path)[0] == 200
        fields = [*desk.fields[:-1], ("filler", "x" * 300_000), *desk.fields[-1:]]
        assert desk.send(*desk.form(desk.path, fields))[0] in {200, 302, 422}
    wait_for(lambda: site.app.gate.held == 0, "Memory was not given back")


def test_many_dropped_at_one_moment_do_no_harm(stranger, monkeypatch):
    """A body that is dropped already is not dropped again, and the newcomers are read."""
    monkeypatch.setattr(limits, "MOST_BODIES", 3)
    head, body = stranger.form("/cup/register/", [("name", "A" * 1000)])
    with ExitStack() as stack:
        waiting = [stack.enter_context(stranger.connected()) for _ in range(20)]
        for connection in waiting:
            connection.sendall(head + body[:100])
        statuses = []
        for connection in waiting:
            with suppress(ConnectionError):
                connection.sendall(body[100:])
            statuses.append(answer_of(connection)[0])
        assert set(statuses) <= {0, 408, 422}
        assert statuses.count(422) >= 3


def test_oldest_of_too_many_bodies_makes_room(stranger, monkeypatch):
    monkeypatch.setattr(limits, "MOST_BODIES_OF_ONE", 5)
    head, body = stranger.form("/cup/register/", [("name", "A" * 1000)])
    with ExitStack() as stack:
        waiting = [stack.enter_context(stranger.connected()) for _ in range(6)]
        for connection in waiting:
            connection.sendall(head + body[:100])
            time.sleep(0.05)
        assert answer_of(waiting[0])[0] == 408
        waiting[5].sendall(body[100:])
        assert answer_of(waiting[5])[0] == 422
