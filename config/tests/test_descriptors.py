"""However many spectators come, there are descriptors left for tablets and the desk."""

import json
from contextlib import ExitStack
from uuid import uuid4

import pytest

from config.server import descriptors
from config.tests.raw_http import Visitor
from config.tests.server_process import serving
from tournaments.models import Hand
from tournaments.tables.operations import devices
from tournaments.tests import factories as make


@pytest.mark.parametrize(
    ("limit", "most", "divided"),
    [
        (256, 20_000, (192, 48, 96)),
        (1024, 20_000, (960, 240, 480)),
        (1024, 100, (960, 240, 100)),
        (65_536, 20_000, (65_472, 4096, 20_000)),
        (64, 20_000, (32, 8, 16)),
    ],
)
def test_descriptors_are_divided(limit, most, divided):
    budget = descriptors.divide(limit, most)
    assert (budget.connections, budget.reserve, budget.streams) == divided


@pytest.mark.django_db(transaction=True)
def test_crowd_does_not_shut_the_tablets_out(tmp_path):
    protocol = make.protocol()
    tournament = protocol.table.session.tournament
    organizer = make.organizer_of(tournament)
    secret = devices.invite_device(tournament, name="1", tables=[], by=organizer).secret
    with serving(tmp_path, descriptors=256) as (port, log), ExitStack() as stack:
        assert "256 descriptors: 192 connections, 48 of them kept" in log.read_text()
        crowd = Visitor(port)
        for _ in range(300):
            watching = stack.enter_context(crowd.connected())
            watching.sendall(crowd.head("GET", f"/live/{tournament.slug}/events"))
        for _ in range(300):
            stack.enter_context(crowd.connected())
        tablet = Visitor(port)
        credential = admit(tablet, tournament.slug, secret)
        for number in range(3):
            assert enter(tablet, tournament.slug, credential, protocol, number) == 200
        desk = Visitor(port, user=tournament.created_by)
        assert desk.get(f"/{tournament.slug}/desk/")[0] == 200
        statuses = {status for status, _ in [crowd.get("/readyz") for _ in range(5)]}
        assert statuses == {200}
    assert Hand.objects.count() == 3


def admit(tablet, slug, secret):
    """Turn a code into a credential."""
    body = json.dumps({"secret": secret}).encode()
    lines = ("Content-Type: application/json", f"Content-Length: {len(body)}", "Connection: close")
    status, said = tablet.send(tablet.head("POST", f"/{slug}/api/admission/", *lines), body)
    assert status == 201, said
    return json.loads(said)["credential"]


def enter(tablet, slug, credential, protocol, seen):
    """Enter a hand; return the status of the answer."""
    body = json.dumps({"facts": make.east_from_south(seen), "seen": seen}).encode()
    table = protocol.table
    lines = (
        f"Authorization: Device {credential}", f"Idempotency-Key: {uuid4().hex}",
        "Content-Type: application/json", f"Content-Length: {len(body)}",
    )  # fmt: skip
    path = f"/{slug}/api/session-{table.session.number}/table-{table.number}/hands/"
    return tablet.send(tablet.head("POST", path, *lines), body)[0]


@pytest.mark.django_db(transaction=True)
def test_streams_beyond_their_share_are_told_to_come_back(tmp_path):
    tournament = make.tournament()
    with serving(tmp_path, descriptors=256) as (port, _), ExitStack() as stack:
        crowd, statuses = Visitor(port), []
        for _ in range(120):
            watching = stack.enter_context(crowd.connected())
            watching.sendall(crowd.head("GET", f"/live/{tournament.slug}/events"))
            statuses.append(int(watching.recv(12).split()[1]))
        assert statuses == [200] * 96 + [503] * 24
