"""Two tablets at one table: equal hands are one hand with two witnesses; what is not recorded is known and explained."""

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from tournaments.models import Hand, HistoryEntry
from tournaments.record import history
from tournaments.sessions.queries import counted_tables
from tournaments.standings.operations.verification import verify
from tournaments.tables.queries.rounds import with_rounds
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered
from tournaments.tests.test_tablet_api import EAST_FROM_SOUTH, Tablet

pytestmark = pytest.mark.django_db
REASON = "The table agreed on the other version"


@pytest.fixture(autouse=True)
def _no_tries_so_far():
    cache.clear()


@pytest.fixture
@remembered
def pair():
    protocol = make.protocol()
    return Tablet(protocol), Tablet(protocol)


def queued(tablet, *hands, seen=0):
    """Hands as a tablet queues them that knows of so many entries."""
    at = tablet.protocol.table
    place = {"session": at.session.number, "table": at.number, "operation": "hands"}
    return [
        {**place, "key": f"{tablet.device.pk}-{seen}-{place_in}-0123456789abcdef", "body": {"facts": facts, "seen": seen + place_in, "sure": True}}
        for place_in, facts in enumerate(hands)
    ]  # fmt: skip


def sent(tablet, queue):
    return tablet.to("batch/", {"schema": 1, "brief": True, "operations": queue}).json()["answers"]


def told(kind):
    return [history.read(row.content) for row in HistoryEntry.objects.filter(kind=kind).order_by("number")]


def test_the_same_hand_of_two_tablets_is_one_hand_with_two_witnesses(pair):
    """[RULES 1.5]"""
    blue, red = pair
    (first,) = sent(blue, queued(blue, EAST_FROM_SOUTH))
    (second,) = sent(red, queued(red, EAST_FROM_SOUTH))
    assert (second["status"], second["receipt"]) == (200, first["receipt"])
    assert [hand.number for hand in Hand.objects.all()] == [1]
    assert [(one["by"], one["subject"]) for one in told("hand_witnessed")] == [
        (f"device:{red.device.pk}", f"hand:{Hand.objects.get().pk}")
    ]
    assert list(verify(blue.tournament)) == []


def test_whole_queues_of_two_tablets_merge_and_go_on(pair):
    blue, red = pair
    hands = [make.east_from_south(fans) for fans in (0, 1, 2)]
    sent(blue, queued(blue, *hands))
    answers = sent(red, queued(red, *hands, make.east_from_south(3)))
    assert [one["status"] for one in answers] == [200] * 4
    assert [one["receipt"]["version"] for one in answers] == [1, 2, 3, 4]
    (last,) = sent(blue, queued(blue, make.east_from_south(3), seen=3))
    assert last["receipt"] == answers[3]["receipt"]
    assert Hand.objects.count() == 4
    assert list(verify(blue.tournament)) == []


def test_a_merged_hand_sent_again_under_its_key_gets_its_first_answer(pair):
    blue, red = pair
    sent(blue, queued(blue, EAST_FROM_SOUTH))
    queue = queued(red, EAST_FROM_SOUTH)
    first, again = sent(red, queue), sent(red, queue)
    assert [one["receipt"] for one in first] == [one["receipt"] for one in again]
    assert len(told("hand_witnessed")) == 1


def test_another_hand_in_the_same_place_is_shown_beside_the_first(pair):
    blue, red = pair
    sent(blue, queued(blue, EAST_FROM_SOUTH))
    (answer,) = sent(red, queued(red, make.east_from_south(4)))
    assert (answer["status"], answer["problem"]["code"]) == (409, "sequence")
    assert [one["data"]["number"] for one in answer["problem"]["current"]["since"]] == [1]
    assert Hand.objects.count() == 1


def test_a_hand_that_was_taken_back_meanwhile_merges_with_nothing(pair):
    blue, red = pair
    sent(blue, queued(blue, EAST_FROM_SOUTH))
    blue.post("undo/", {"number": 1})
    (answer,) = sent(red, queued(red, EAST_FROM_SOUTH))
    assert (answer["status"], answer["problem"]["code"]) == (409, "sequence")


def test_a_hand_merges_although_the_table_has_ended_meanwhile(pair):
    blue, red = pair
    sent(blue, queued(blue, EAST_FROM_SOUTH))
    blue.post("end/", {})
    (answer,) = sent(red, queued(red, EAST_FROM_SOUTH))
    assert (answer["status"], answer["receipt"]["entry"]) == (200, 1)


def test_a_dropped_entry_leaves_its_reason_in_the_history(pair):
    """[INTEGRITY 5.1]"""
    blue, _ = pair
    before = blue.seen()
    entry = {"operation": "hands", "number": 3, "facts": EAST_FROM_SOUTH}
    answer = blue.post("drop/", {"entry": entry, "reason": REASON})
    assert answer.status_code == 200
    assert [(one["reason"], one["data"]["entry"]) for one in told("entry_dropped")] == [(REASON, entry)]
    assert blue.seen() == before


def test_an_entry_is_not_dropped_without_a_reason_or_a_hand_that_it_is_one_with(pair):
    blue, _ = pair
    entry = {"operation": "hands", "facts": EAST_FROM_SOUTH}
    assert blue.post("drop/", {"entry": entry}).json()["code"] == "reason_required"
    assert blue.post("drop/", {"entry": entry, "one_with": 1}).json()["code"] == "not_found"
    blue.post("hands/", {"facts": EAST_FROM_SOUTH})
    assert blue.post("drop/", {"entry": entry, "one_with": 1}).status_code == 200
    assert [one["subject"] for one in told("entry_dropped")] == [f"hand:{Hand.objects.get().pk}"]


def test_what_a_tablet_set_aside_is_seen_on_the_round_and_at_the_desk(pair, client):
    blue, _ = pair
    at = blue.protocol.table
    aside = [{"session": at.session.number, "table": at.number, "number": 3}]
    beat = {"unsent": 0, "clock": 0, "set_aside": aside}
    assert blue.to("beat/", beat).status_code == 200
    rounds = dict(with_rounds(at.session, counted_tables(at.session), now=timezone.now()))
    assert [(one.device.name, one.hand) for one in rounds[at].set_aside] == [("Blue", 3)]
    assert rounds[at].needs_a_look
    client.force_login(blue.tournament.created_by)
    page = client.get(reverse("tournaments:tablets", args=[blue.tournament.slug])).content.decode()
    assert f"not sent: session {at.session.number}, table {at.number}, hand 3" in " ".join(page.split())
    blue.to("beat/", {"unsent": 0, "clock": 0, "set_aside": []})
    rounds = dict(with_rounds(at.session, counted_tables(at.session), now=timezone.now()))
    assert rounds[at].set_aside == []


# What voiding moves


def test_voiding_shows_the_later_hands_that_it_moves_before_it_is_done(pair):
    """As a correction does. [RULES 1.5]"""
    blue, _ = pair
    for fans in (0, 1, 2):
        blue.post("hands/", {"facts": make.east_from_south(fans)})
    before = blue.seen()
    shown = blue.post("preview/", {"number": 1}).json()
    assert {wind: one["points"] for wind, one in shown["before"].items()} != {
        wind: one["points"] for wind, one in shown["after"].items()
    }
    assert shown["changed"] == []
    assert blue.seen() == before


def test_voiding_in_riichi_shows_what_other_dealers_and_counters_pay(db):
    """A hand that the dealer won is struck: the next ones had a counter, and the dealer stays a hand less. [RIICHI 3.4.2]"""
    blue = Tablet(make.protocol("riichi_ema"))
    win = {"type": "win", "winners": [{"seat": "E", "han": 2, "fu": 30}]}
    ron = {"type": "win", "from": "S", "winners": [{"seat": "E", "han": 2, "fu": 30}]}
    for event in (win, ron, ron):
        assert blue.post("hands/", {"facts": {"events": [event]}, "sure": True}).status_code == 200
    shown = blue.post("preview/", {"number": 1}).json()
    assert [(one["number"], one["before"]["payments"]["S"], one["after"]["payments"]["S"]) for one in shown["changed"]] == [
        (2, -3200, -2900),
        (3, -3500, -3200),
    ]  # fmt: skip


def test_a_preview_without_facts_or_number_is_refused(pair):
    blue, _ = pair
    assert blue.post("preview/", {}).json()["code"] == "required"
