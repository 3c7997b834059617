"""What a tablet could not send for a while, sent at once: as if each write had come alone, and told in brief if asked."""

import json
from random import Random
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.protocol import check_next, play_on
from scoring.record.hands import read_hand
from tournaments.models import Hand, HistoryEntry, Protocol, Receipt
from tournaments.sessions.operations import play
from tournaments.standings.operations.verification import verify
from tournaments.tables.operations import protocols
from tournaments.tables.queries.sheets import sheet_of
from tournaments.tests import factories as make
from tournaments.tests.random_hands import random_facts
from tournaments.tests.remembered import remembered
from tournaments.tests.test_tablet_api import EAST_FROM_SOUTH, Tablet, operations

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_tries_so_far():
    cache.clear()


@pytest.fixture
@remembered
def tablet():
    return Tablet(make.protocol())


def nothing_stored():
    return not Hand.objects.exists() and not Receipt.objects.exists()


def test_twenty_queued_hands_arrive_in_order(tablet):
    queue = operations(tablet, *[make.east_from_south(index % 5) for index in range(20)])
    answers = tablet.to("batch/", {"schema": 1, "operations": queue}).json()["answers"]
    assert [one["status"] for one in answers] == [200] * 20
    assert [one["receipt"]["version"] for one in answers] == list(range(1, 21))
    again = tablet.to("batch/", {"schema": 1, "operations": queue}).json()["answers"]
    assert [one["receipt"] for one in again] == [one["receipt"] for one in answers]
    assert Hand.objects.count() == 20


def test_a_refused_hand_holds_up_those_behind_it_at_its_table(tablet):
    wrong = {"events": [{"type": "win", "winners": [{"seat": "E"}]}]}
    queue = operations(tablet, EAST_FROM_SOUTH, wrong, make.east_from_south(2))
    answers = tablet.to("batch/", {"schema": 1, "operations": queue}).json()["answers"]
    assert [one["status"] for one in answers] == [200, 422, 424]
    assert answers[2]["problem"]["code"] == "not_tried"
    assert Hand.objects.count() == 1


def test_a_hand_is_known_by_its_key_whichever_way_it_came(tablet):
    (one,) = operations(tablet, EAST_FROM_SOUTH)
    first = tablet.post("hands/", one["body"], key=one["key"]).json()
    (second,) = tablet.to("batch/", {"schema": 1, "operations": [one]}).json()["answers"]
    assert second["receipt"] == first["receipt"]


def test_a_queued_body_may_come_as_text(tablet):
    (one,) = operations(tablet, EAST_FROM_SOUTH)
    as_text = {**one, "body": json.dumps(one["body"])}
    first = tablet.to("batch/", {"schema": 1, "operations": [as_text]}).json()["answers"]
    again = tablet.to("batch/", {"schema": 1, "operations": [one]}).json()["answers"]
    assert [answer["receipt"] for answer in again] == [answer["receipt"] for answer in first]
    twice = {**one, "key": uuid4().hex, "body": '{"seen": 1, "seen": 1}'}
    (refused,) = tablet.to("batch/", {"schema": 1, "operations": [twice]}).json()["answers"]
    assert refused["problem"]["code"] == "duplicate_key"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"schema": 99, "operations": []}, 426, "client_too_old"),
        ({"schema": 1, "operations": []}, 422, "list_length"),
        ({"schema": 1, "operations": [{}] * 51}, 422, "list_length"),
        ({"schema": 1}, 422, "required"),
    ],
    ids=["old page", "nothing", "fifty-one", "no list"],
)
def test_a_batch_of_the_wrong_form_is_refused_whole(tablet, body, status, code):
    answer = tablet.to("batch/", body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_what_is_wrong_with_one_of_a_batch_is_said_beside_it(tablet):
    (one,) = operations(tablet, EAST_FROM_SOUTH)
    broken = [{**one, "key": "short"}, {**one, "table": 99}, {**one, "operation": "correct"}, "nonsense"]
    for item, status in zip(broken, [400, 404, 403, 422], strict=True):
        (answer,) = tablet.to("batch/", {"schema": 1, "operations": [item]}).json()["answers"]
        assert answer["status"] == status
    assert nothing_stored()


# Told in brief

SECONDS = make.east_from_south(2)


def send(tablet, queue, *, brief=True):
    """Return the answers to a queue that is sent at once."""
    return tablet.to("batch/", {"schema": 1, "operations": queue, "brief": brief}).json()["answers"]


def hands_of(protocol):
    return [(hand.number, hand.facts, hand.payments) for hand in protocol.hands.order_by("id")]


def test_hands_in_a_row_are_told_with_the_table_only_once(tablet):
    queue = operations(tablet, *[make.east_from_south(index) for index in range(5)])
    answers = send(tablet, queue)
    assert [one["status"] for one in answers] == [200] * 5
    assert [one["receipt"]["entry"] for one in answers] == [1, 2, 3, 4, 5]
    assert ["state" in one for one in answers] == [False] * 4 + [True]
    assert (answers[-1]["state"]["version"], len(answers[-1]["state"]["hands"])) == (5, 5)
    assert [
        entry.digest for entry in HistoryEntry.objects.filter(protocol=tablet.protocol).order_by("number")
    ] == [one["receipt"]["digest"] for one in answers]
    assert verify(tablet.tournament) == []


def test_an_outage_of_any_length_asks_the_database_as_often_as_one_hand(tablet):
    counts = []
    for many in (2, 20):
        with CaptureQueriesContext(connection) as asked:
            send(
                tablet,
                operations(
                    tablet, *[make.east_from_south(index % 7) for index in range(many)], start=tablet.seen()
                ),
            )
        counts.append(len(asked))
    assert Hand.objects.count() == 22
    assert counts[0] == counts[1]


def test_sent_again_in_brief_nothing_is_written_and_the_receipts_are_the_first(tablet):
    queue = operations(tablet, *[make.east_from_south(index) for index in range(3)])
    first = send(tablet, queue)
    again = send(tablet, queue)
    assert [one["receipt"] for one in again] == [one["receipt"] for one in first]
    assert ["state" in one for one in again] == [False, False, True]
    assert Hand.objects.count() == 3


def test_a_queue_of_which_the_server_has_the_beginning_is_gone_on_with(tablet):
    queue = operations(tablet, *[make.east_from_south(index) for index in range(4)])
    first = send(tablet, queue[:2])
    answers = send(tablet, queue)
    assert [one["receipt"] for one in answers[:2]] == [one["receipt"] for one in first]
    assert [one["receipt"]["version"] for one in answers] == [1, 2, 3, 4]
    assert ["state" in one for one in answers] == [False, False, False, True]
    assert len(answers[-1]["state"]["hands"]) == 4


def test_what_stands_before_a_refused_hand_is_kept_and_told_with_the_table(tablet):
    wrong = {"events": [{"type": "win", "winners": [{"seat": "E"}]}]}
    queue = operations(tablet, EAST_FROM_SOUTH, SECONDS, wrong, make.east_from_south(3))
    answers = send(tablet, queue)
    assert [one["status"] for one in answers] == [200, 200, 422, 424]
    assert ["state" in one for one in answers] == [False, True, False, False]
    assert len(answers[1]["state"]["hands"]) == Hand.objects.count() == 2


@pytest.mark.parametrize(
    ("broken", "status", "code"),
    [
        ({"key": "short"}, 400, "key_invalid"),
        ({"body": {"seen": 1, "facts": {}, "is_staff": True}}, 422, "unknown_field"),
        ({"body": '{"seen": 1, "seen": 1}'}, 400, "duplicate_key"),
        ({"body": None}, 422, "object_type"),
    ],
    ids=["key", "field", "text", "nothing"],
)
def test_what_cannot_be_read_is_refused_where_it_stands(tablet, broken, status, code):
    first, second, third = operations(tablet, EAST_FROM_SOUTH, SECONDS, make.east_from_south(3))
    answers = send(tablet, [first, {**second, **broken}, third])
    assert [one["status"] for one in answers] == [200, status, 424]
    assert answers[1]["problem"]["code"] == code
    assert len(answers[0]["state"]["hands"]) == Hand.objects.count() == 1


def test_the_same_hand_twice_in_a_row_is_asked_about_unless_it_is_meant(tablet):
    queue = operations(tablet, EAST_FROM_SOUTH, EAST_FROM_SOUTH)
    answers = send(tablet, queue)
    assert [one["status"] for one in answers] == [200, 409]
    assert answers[1]["problem"]["code"] == "looks_doubled"
    queue[1]["body"]["sure"] = True
    queue[1]["key"] = uuid4().hex
    assert [one["status"] for one in send(tablet, queue)] == [200, 200]


def test_one_key_twice_in_a_queue_is_one_hand(tablet):
    queue = operations(tablet, EAST_FROM_SOUTH)
    answers = send(tablet, [queue[0], queue[0]])
    assert [one["status"] for one in answers] == [200, 200]
    assert answers[0]["receipt"] == answers[1]["receipt"]
    other = operations(tablet, SECONDS, start=1)[0] | {"key": queue[0]["key"]}
    assert [one["status"] for one in send(tablet, [queue[0], other])] == [200, 422]
    assert Hand.objects.count() == 1


def test_a_key_used_for_two_hands_of_one_queue_is_the_first_ones(tablet):
    first, second = operations(tablet, EAST_FROM_SOUTH, SECONDS)
    answers = send(tablet, [first, {**second, "key": first["key"]}])
    assert [one["status"] for one in answers] == [200, 422]
    assert answers[1]["problem"]["code"] == "key_reused"
    assert [hand.facts["events"][0]["winners"][0]["fans"] for hand in Hand.objects.all()] == [0]


def test_a_conflict_in_a_queue_tells_what_the_table_has_by_then(tablet):
    """The hands before it are stored, and what it is shown in the conflict has them."""
    queue = operations(tablet, EAST_FROM_SOUTH, SECONDS, make.east_from_south(3))
    queue[2]["body"]["seen"] = 1
    answers = send(tablet, queue)
    assert [one["status"] for one in answers] == [200, 200, 409]
    current = answers[2]["problem"]["current"]
    assert (current["version"], len(current["hands"]), len(current["since"])) == (2, 2, 1)


def test_hands_after_a_final_result_put_it_aside_once(tablet):
    by = make.organizer_of(tablet.tournament)
    points = {"E": 8, "S": -8, "W": 0, "N": 0}
    protocols.record_final_result(tablet.protocol, points, intent=make.intent(tablet.protocol), by=by)
    protocols.resume_protocol(tablet.protocol, intent=make.intent(tablet.protocol), by=by)
    answers = send(tablet, operations(tablet, EAST_FROM_SOUTH, SECONDS, start=tablet.seen()))
    assert [one["status"] for one in answers] == [200, 200]
    assert answers[1]["state"]["final"] is None
    assert {seat.wind: seat.hand_points for seat in tablet.protocol.table.seats.all()} == {
        "E": 5,
        "S": -5,
        "W": 0,
        "N": 0,
    }


def test_a_queue_for_a_closed_session_is_refused_whole_at_that_table(tablet):
    by = make.organizer_of(tablet.tournament)
    make.settle(tablet.protocol.table.session)
    play.close_session(tablet.protocol.table.session, by=by)
    answers = send(tablet, operations(tablet, EAST_FROM_SOUTH, SECONDS, start=tablet.seen()))
    assert [one["problem"]["code"] for one in answers] == ["round_closed", "not_tried"]


def made_up(protocol, chance, many):
    """Make up hands of which most may follow one upon the other."""
    sheet = sheet_of(protocol)
    game, unit, made = sheet.play(), sheet.regulation["points_unit"], []
    while len(made) < many:
        facts = random_facts(protocol.table.session.tournament.system, game.situation, chance)
        deal = read_hand({**facts, "number": game.situation.number})
        if not check_next(sheet.rules, game, deal, hands_limit=sheet.regulation["hands_limit"]):
            game = play_on(sheet.rules, game, deal, points_unit=unit)
            made.append(facts)
        elif chance.random() < 0.1 or game.situation.is_over:
            made.append(facts)
    return made


def mixed(tablet, chance):
    """A queue with everything in it: two tables, hands taken back, an end, keys twice, wrong sights of the table."""
    first = tablet.protocol
    second = Protocol.objects.exclude(pk=first.pk).get(table__session=first.table.session)
    queue, seen = [], {first.pk: 0, second.pk: 0}
    facts = {row.pk: iter(made_up(row, chance, 12)) for row in (first, second)}
    row = first
    for _ in range(20):
        row = chance.choice([row, row, row, first, second])
        body = {"seen": seen[row.pk] + (chance.random() < 0.03)}
        what = chance.choices(["hands", "undo", "end"], [30, 2, 1])[0]
        if what == "hands":
            body |= {"facts": next(facts[row.pk], EAST_FROM_SOUTH), "sure": chance.random() < 0.8}
        elif what == "undo":
            body |= {"number": seen[row.pk]}
        key = (
            chance.choice(queue)["key"]
            if queue and chance.random() < 0.03
            else f"{chance.getrandbits(128):032x}"
        )
        at = {"session": 1, "table": row.table.number}
        queue.append({"key": key, **at, "operation": what, "body": body})
        seen[row.pk] += 1
    return queue


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.once) for seed in (1, 2))])
@pytest.mark.parametrize("preset", ["sbr", "wmsg", "mcr", "siamese", "red", "riichi_ema"])
def test_a_queue_in_brief_does_what_its_writes_would_have_done_alone(preset, seed):
    """At two tournaments that are alike, one queue goes in brief, and the same one as it always did."""
    told, left = [], []
    for brief in (True, False):
        tablet = Tablet(make.protocol(preset, 6 if preset == "siamese" else 8))
        answers = send(tablet, mixed(tablet, Random(f"{preset} {seed}")), brief=brief)
        told.append(
            [
                (one["status"], one.get("problem", {}).get("code"), one.get("receipt", {}).get("version"))
                for one in answers
            ]
        )
        rows = Protocol.objects.filter(table__session__tournament=tablet.tournament).order_by("table__number")
        left.append(
            [
                (
                    row.state,
                    row.version,
                    hands_of(row),
                    [seat.hand_points for seat in row.table.seats.order_by("wind")],
                )
                for row in rows
            ]
        )
        assert verify(tablet.tournament) == []
        by_table = {}
        for one in answers:
            if one["status"] == 200 and "state" in one:
                by_table[one["state"]["table"]] = one["state"]
        for row in rows:
            shown = by_table.get(row.table.number)
            assert shown is None or shown["version"] == row.version
    assert told[0] == told[1]
    assert left[0] == left[1]
    assert any(status == 200 for status, *_ in told[0])
