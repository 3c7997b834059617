"""The same through the shipped front server: it passes a broken request on as it came."""

import random
import shutil
import socket
import time
from contextlib import ExitStack

import pytest

from config.tests.raw_http import Visitor
from config.tests.server_process import caddy, serving
from tournaments.models import Registration
from tournaments.tests import factories as make

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(shutil.which("caddy") is None, reason="no Caddy was found on this machine"),
]
KEY = "a-list-of-one-evening"
NAMES = [f"Player {chr(65 + first)}{chr(97 + second)}" for first in range(15) for second in range(20)]


@pytest.fixture
def desk(tmp_path):
    """An organizer at the desk, behind the front server."""
    organizer = make.user()
    tournament = make.tournament(by=organizer)
    with serving(tmp_path) as (port, _), caddy(tmp_path, port) as front:
        visitor = Visitor(front, user=organizer)
        visitor.path = f"/{tournament.slug}/desk/people/paste/"
        visitor.fields = [("confirm", "1"), ("key", KEY), ("text", "\n".join(NAMES)), ("form_end", "1")]
        yield visitor


def test_form_is_taken_whole_or_not_at_all_through_the_front_server(desk):
    head, body = desk.form(desk.path, desk.fields)
    for seed in range(12):
        with desk.connected() as connection:
            connection.sendall(head + body[: random.Random(seed).randrange(len(body))])
            time.sleep(0.2)  # whoever reads it as it comes has read it
            if seed % 2:
                connection.shutdown(socket.SHUT_WR)
                connection.recv(65536)
    chunked = desk.head(
        "POST", desk.path, "Content-Type: application/x-www-form-urlencoded", "Transfer-Encoding: chunked"
    )
    with desk.connected() as connection:
        connection.sendall(chunked + b"%x\r\n%s\r\nzz\r\n" % (len(body) // 2, body[: len(body) // 2]))
        connection.recv(65536)
    assert desk.get("/readyz")[0] == 200
    assert Registration.objects.count() == 0
    assert desk.send(head, body)[0] == 302
    assert Registration.objects.count() == 300


def test_a_broken_request_shuts_nobody_else_out(desk):
    """Chunks that lie fail between the front server and the site, which must not be taken for a site that is away."""
    stranger = Visitor(desk.port)
    kind = "Content-Type: application/x-www-form-urlencoded"
    head = stranger.head("POST", "/theme/", kind, "Transfer-Encoding: chunked")
    for number, lie in enumerate((b"0x5\r\nabcde\r\n0\r\n\r\n", b"5\r\nabcde\r\nzz\r\n", b"-1\r\n\r\n")):
        assert stranger.send(head + lie)[0] in {0, 400, 502}
        said = [("confirm", "1"), ("key", f"{KEY}-{number}"), ("text", f"Player {'ABC'[number]}")]
        form = desk.form(desk.path, [*said, ("form_end", "1")])
        assert desk.send(*form)[0] == 302
    assert Registration.objects.count() == 3


def test_stalled_uploads_do_not_stop_the_site_behind_the_front_server(desk):
    stranger = Visitor(desk.port)
    head, body = stranger.form("/cup/register/", [("name", "A" * 1000)])
    with ExitStack() as stack:
        for _ in range(40):
            stack.enter_context(stranger.connected()).sendall(head + body[:100])
        assert desk.get("/readyz")[0] == 200
        assert desk.send(*desk.form(desk.path, desk.fields))[0] == 302
