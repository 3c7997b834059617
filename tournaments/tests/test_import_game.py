"""A game that was played elsewhere becomes a protocol: seen first, then all of its hands or none."""

import json
import zlib
from uuid import uuid4

import pytest
from django.urls import reverse

from scoring.tests.test_replay import START, a_game, a_round, win
from tournaments.models import Hand, HistoryEntry
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db

RON = a_round(
    0,
    0,
    0,
    START,
    ["和了", *win([0, 3900, -3900, 0], 1, 2, "30符3飜3900点", "立直(1飜)", "断幺九(1飜)", "ドラ(1飜)")],
)
NEXT = a_round(1, 0, 0, [25000, 28900, 21100, 25000], ["流局", [-1000, 3000, -1000, -1000]], ((), (), (), ()))
GAME = json.dumps(a_game(RON, NEXT)).encode()


@pytest.fixture
@remembered
def protocol():
    return make.protocol("riichi_ema", 4)


@pytest.fixture
def desk(client, protocol):
    client.force_login(make.staff(protocol.table.session.tournament, "organizer"))
    return client


def address(protocol):
    session = protocol.table.session
    return reverse(
        "tournaments:import_game", args=[session.tournament.slug, session.number, protocol.table.number]
    )


def sent(desk, protocol, log, **more):
    protocol.refresh_from_db()
    body = {"text": log.decode(), "key": str(uuid4()), "seen": protocol.version, **more}
    return desk.post(address(protocol), body)


def test_a_log_is_shown_beside_the_seats_and_nothing_is_written(desk, protocol):
    """[RULES 1.5]"""
    page = sent(desk, protocol, GAME).content.decode()
    assert "2 hands, paid as this event pays." in page
    for name in ("Ann", "Bob", "Cid", "Dee"):
        assert name in page
    assert Hand.objects.count() == 0


def test_a_confirmed_log_is_the_protocol_with_the_points_that_it_moved(desk, protocol):
    """[RIICHI 4.1] [RULES 1.5]"""
    key = "a-key_that_is_no_uuid"
    for _ in range(2):  # pressed twice
        assert sent(desk, protocol, GAME, sure="1", key=key, seen=0).status_code == 302
    assert [hand.payments for hand in Hand.objects.order_by("number")] == [
        {"E": 0, "S": 3900, "W": -3900, "N": 0},
        {"E": -1000, "S": 3000, "W": -1000, "N": -1000},
    ]
    assert HistoryEntry.objects.filter(kind="hand_recorded").count() == 2


def test_a_game_paid_by_other_rules_is_no_protocol_and_says_which_round(desk, protocol):
    """[RIICHI 4.1]"""
    other = a_round(
        0,
        0,
        0,
        START,
        ["和了", *win([0, 4000, -4000, 0], 1, 2, "30符3飜3900点", "立直(1飜)", "断幺九(1飜)", "ドラ(1飜)")],
    )
    page = sent(desk, protocol, json.dumps(a_game(other)).encode(), sure="1").content.decode()
    assert "East 1 was paid otherwise than this event pays." in page
    assert Hand.objects.count() == 0


def test_a_round_in_the_middle_that_cannot_follow_keeps_the_whole_game_out(desk, protocol):
    """[RIICHI 3.4.11]"""
    later = a_round(3, 0, 0, START, NEXT[-1])
    page = sent(desk, protocol, json.dumps(a_game(RON, later)).encode(), sure="1").content.decode()
    assert "does not lead to East 4" in page
    assert Hand.objects.count() == 0


def test_a_log_is_for_an_empty_protocol(desk, protocol):
    """[RULES 1.5]"""
    sent(desk, protocol, GAME, sure="1")
    answer = sent(desk, protocol, GAME, sure="1")
    assert answer.status_code == 422
    assert "This table has entries already" in answer.content.decode()
    assert Hand.objects.count() == 2


def test_hands_of_a_record_are_taken_in_every_system_all_or_none(client):
    """[RECORD 3]"""
    protocol = make.protocol("sbr", 4)
    client.force_login(make.staff(protocol.table.session.tournament, "organizer"))
    good, bad = make.east_from_south(2), {"events": [{"type": "win"}]}
    assert sent(client, protocol, json.dumps({"hands": [good, bad]}).encode(), sure="1").status_code == 422
    assert Hand.objects.count() == 0
    assert sent(client, protocol, json.dumps({"hands": [good]}).encode(), sure="1").status_code == 302
    assert Hand.objects.count() == 1


@pytest.mark.parametrize(
    "raw", [b"", b"hello", b"{", b'{"hands": 3}', b'{"hands": []}', b"<!DOCTYPE x><mjloggm/>"]
)
def test_what_is_no_game_is_refused_in_words(desk, protocol, raw):
    """[INTEGRITY 4]"""
    answer = sent(desk, protocol, raw)
    assert answer.status_code == 422
    assert answer.context["form"].errors


def test_a_packed_file_that_grows_beyond_the_limit_is_refused(desk, protocol):
    """[INTEGRITY 4]"""
    from django.core.files.uploadedfile import SimpleUploadedFile

    packer = zlib.compressobj(wbits=31)
    bomb = packer.compress(b" " * 50_000_000) + packer.flush()
    body = {"file": SimpleUploadedFile("game.gz", bomb), "key": str(uuid4()), "seen": 0}
    answer = desk.post(address(protocol), body)
    assert answer.status_code == 422
    assert "too large" in answer.content.decode()
