"""Hands of many tablets at one moment: written as if each had come alone, and left to its own address where it is not plain."""

import json
import threading
from random import Random
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation
from django.utils.translation import gettext

from tournaments.models import Device, Hand, HistoryEntry, Protocol, Receipt, StandingsRevision
from tournaments.people.operations import registration
from tournaments.sessions.operations import play
from tournaments.standings.operations import adjustments
from tournaments.standings.operations.verification import verify
from tournaments.tables.operations import devices, entering, games, protocols, substitutes
from tournaments.tables.operations.recording import Intent
from tournaments.tables.queries.sheets import sheet_of
from tournaments.tables.queries.state import table_state
from tournaments.tables.views import tablet_batch
from tournaments.tables.views.tablet_batch import QueuedRequest, answer_batch
from tournaments.tests import factories as make
from tournaments.tests.test_tablet_api import EAST_FROM_SOUTH, Tablet, operations
from tournaments.tests.test_tablet_queue import SECONDS, mixed, send

pytestmark = pytest.mark.django_db
SYSTEMS = ("sbr", "wmsg", "mcr", "siamese", "red", "riichi_ema")


@pytest.fixture(autouse=True)
def _nothing_is_kept():
    cache.clear()
    games._cache.clear()


def hall(preset="sbr", tables=3):
    """One tablet at each table of a session in play."""
    size = 3 if preset == "siamese" else 4
    first = make.protocol(preset, tables * size)
    rows = Protocol.objects.filter(table__session=first.table.session).order_by("table__number")
    return [Tablet(row) for row in rows.select_related("table__session__tournament")]


def request(tablet, facts=EAST_FROM_SOUTH, *, seen=None, language="en", **changes):
    """What a tablet sends for one hand."""
    at = tablet.protocol.table
    said = {"facts": facts, "seen": tablet.seen() if seen is None else seen}
    parts = {
        "slug": tablet.tournament.slug,
        "table": (at.session.number, at.number),
        "credential": tablet.credential,
        "key": uuid4().hex,
        "language": language,
        "body": json.dumps(said).encode(),
    }
    return QueuedRequest(**{**parts, **changes})


def queue(tablet, items, *, brief=True, **changes):
    """What a tablet sends for several."""
    body = json.dumps({"schema": 1, "brief": brief, "operations": items}).encode()
    return request(tablet, table=None, key="", body=body, **changes)


def read(answer):
    return json.loads(answer)


def without_time(state):
    return {name: value for name, value in state.items() if name != "now"}


def shown(protocol):
    """The table as anybody reads it from the record."""
    return without_time(table_state(Protocol.objects.get(pk=protocol.pk).table))


# Written together


@pytest.mark.parametrize("preset", SYSTEMS)
def test_hands_of_many_tables_are_written_as_if_each_had_come_alone(preset):
    tablets = hall(preset)
    nobody_wins = {"events": []}
    if preset in {"sbr", "wmsg"}:
        nobody_wins = EAST_FROM_SOUTH
    if preset == "riichi_ema":
        nobody_wins = {"events": [], "end": {wind: {"state": "no_wait"} for wind in "ESWN"}}
    answers = answer_batch([request(tablet, nobody_wins) for tablet in tablets])
    for tablet, answer in zip(tablets, answers, strict=True):
        entry = HistoryEntry.objects.get(protocol=tablet.protocol)
        assert read(answer)["receipt"] == {"entry": 1, "digest": entry.digest, "version": 1}
        assert without_time(read(answer)["state"]) == shown(tablet.protocol)
    assert Hand.objects.count() == Receipt.objects.count() == len(tablets)
    assert verify(tablets[0].tournament) == []


def test_what_is_written_together_is_known_at_its_own_address():
    tablet = hall()[0]
    one = request(tablet)
    (answer,) = answer_batch([one])
    again = tablet.client.post(
        tablet.address("hands/"),
        one.body,
        content_type="application/json",
        headers={**tablet.headers, "Idempotency-Key": one.key},
    )
    assert again.json()["receipt"] == read(answer)["receipt"]
    assert without_time(again.json()["state"]) == without_time(read(answer)["state"])
    assert Hand.objects.count() == 1


def test_many_tables_ask_the_database_as_often_as_two():
    tablets, counts = hall(tables=8), []
    for many in (tablets[:2], tablets[2:]):
        with CaptureQueriesContext(connection) as asked:
            assert all(answer_batch([request(tablet, seen=0) for tablet in many]))
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_the_standings_are_asked_for_once():
    tablets = hall()
    before = StandingsRevision.objects.get(tournament=tablets[0].tournament).wanted
    answer_batch([request(tablet) for tablet in tablets])
    assert StandingsRevision.objects.get(tournament=tablets[0].tournament).wanted == before + 1


def test_queues_of_several_tables_are_answered_in_their_order():
    first, second, _ = hall()
    items = operations(first, EAST_FROM_SOUTH, SECONDS) + operations(second, SECONDS, EAST_FROM_SOUTH)
    (answer,) = answer_batch([queue(first, items)])
    told = read(answer)["answers"]
    assert [one["key"] for one in told] == [item["key"] for item in items]
    assert [one["receipt"]["version"] for one in told] == [1, 2, 1, 2]
    assert [one["status"] for one in told] == [200] * 4
    assert ["state" in one for one in told] == [False, True, False, True]
    assert without_time(told[3]["state"]) == shown(second.protocol)
    assert send(first, items)[3]["receipt"] == told[3]["receipt"]


def test_requests_to_several_events_are_answered_each_from_its_own():
    ours, theirs = hall(tables=1)[0], hall("mcr", tables=1)[0]
    answers = answer_batch([request(theirs, {"events": []}), request(ours), request(ours)])
    assert read(answers[0])["state"]["system"] == "MCR"
    assert read(answers[1])["state"]["system"] == "SBR"
    assert answers[2] is None


def test_each_is_told_in_its_own_language():
    russian, english, _ = hall()
    for tablet in (russian, english):
        player = tablet.protocol.table.seats.first().player
        make.nameless(player)
    answers = answer_batch([request(russian, language="ru"), request(english)])
    names = [{seat["player"] for seat in read(answer)["state"]["seats"]} for answer in answers]
    with translation.override("ru"):
        assert gettext("(erased)") in names[0]
    assert "(erased)" in names[1]
    assert "(erased)" not in names[0]


# Left to their own address


def wrong(tablet):
    """Letters that are refused at their own address, each for another reason."""
    key = {"key": uuid4().hex}
    return {
        "no win": request(tablet, {"events": [{"type": "win", "winners": [{"seat": "E"}]}]}),
        "behind": request(tablet, seen=0),
        "ahead": request(tablet, seen=9),
        "the same again": request(tablet),
        "no table": request(tablet, table=(1, 99)),
        "no session": request(tablet, table=(9, 1)),
        "no event": request(tablet, slug="nowhere"),
        "a stranger": request(tablet, credential="x" * 40),
        "nobody": request(tablet, credential=""),
        "no key": request(tablet, key=""),
        "no JSON": request(tablet, body=b"{"),
        "no object": request(tablet, body=b"[]"),
        "half a character": request(tablet, body=b'{"seen": 1, "facts": {"a": "\\ud800"}}'),
        "a field too many": request(tablet, body=b'{"seen": 1, "facts": {}, "is_staff": true}'),
        "an old page": request(tablet, table=None, body=b'{"schema": 99, "brief": true, "operations": []}'),
        "no queue": request(tablet, table=None, body=b'{"schema": 1, "brief": true, "operations": []}'),
        "nonsense in a queue": queue(tablet, ["nonsense"]),
        "a broken text": queue(tablet, [{**operations(tablet, SECONDS, start=1)[0], "body": "{"}]),
        "another operation": queue(
            tablet, [{**operations(tablet, SECONDS, start=1)[0], "operation": "undo", "body": {"number": 1}}]
        ),
        "at length": queue(tablet, operations(tablet, SECONDS, EAST_FROM_SOUTH, start=1), brief=False),
        "one key twice": queue(
            tablet, [{**one, **key} for one in operations(tablet, SECONDS, EAST_FROM_SOUTH, start=1)]
        ),
        "the second is refused": queue(tablet, operations(tablet, SECONDS, SECONDS, start=1)),
    }


WRONG = (
    "no win", "behind", "ahead", "the same again", "no table", "no session", "no event", "a stranger", "nobody",
    "no key", "no JSON", "no object", "half a character", "a field too many", "an old page", "no queue",
    "nonsense in a queue", "a broken text", "another operation", "at length", "one key twice",
    "the second is refused",
)  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not_plain_is_left_and_holds_up_nobody(name):
    one, other, _ = hall()
    one.post("hands/", {"facts": EAST_FROM_SOUTH})
    stored = Hand.objects.count(), Receipt.objects.count()
    answers = answer_batch([wrong(one)[name], request(other)])
    assert answers[0] is None
    assert read(answers[1])["receipt"]["version"] == 1
    assert (Hand.objects.count(), Receipt.objects.count()) == (stored[0] + 1, stored[1] + 1)
    assert verify(one.tournament) == []


def test_wrong_requests_alone_write_nothing():
    tablet = hall(tables=1)[0]
    tablet.post("hands/", {"facts": EAST_FROM_SOUTH})
    requests = wrong(tablet)
    assert set(requests) == set(WRONG)
    assert answer_batch(list(requests.values())) == [None] * len(requests)
    assert Hand.objects.count() == 1


def end(tablet, by):
    protocols.end_protocol(tablet.protocol, intent=make.intent(tablet.protocol), by=by)


def close(tablet, by):
    make.settle(tablet.protocol.table.session)
    play.close_session(tablet.protocol.table.session, by=by)


def revoke(tablet, by):
    devices.revoke_device(tablet.device, by=by)


def bind(tablet, by):
    Device.objects.filter(pk=tablet.device.pk).update(tables=[77])


@pytest.mark.parametrize("change", [end, close, revoke, bind])
def test_a_table_that_is_over_or_a_tablet_that_may_not_is_left(change):
    tablet = hall()[0]
    change(tablet, make.organizer_of(tablet.tournament))
    assert answer_batch([request(tablet)]) == [None]
    assert not Hand.objects.exists()


def test_of_two_requests_about_one_table_the_second_is_left():
    tablet = hall()[0]
    answers = answer_batch([request(tablet, seen=0), request(tablet, SECONDS, seen=1)])
    assert [answer is None for answer in answers] == [False, True]
    assert Hand.objects.count() == 1


def test_one_key_at_two_tables_is_the_first_ones():
    first, second, _ = hall()
    key = uuid4().hex
    answers = answer_batch([request(first, key=key), request(second, key=key)])
    assert [answer is None for answer in answers] == [False, True]


def test_a_queue_that_is_good_at_one_table_only_is_answered_at_its_own_address():
    """What was written of it is known there by its key."""
    first, second, _ = hall()
    items = operations(first, EAST_FROM_SOUTH) + operations(second, EAST_FROM_SOUTH, start=5)
    assert answer_batch([queue(first, items)]) == [None]
    assert [one["status"] for one in send(first, items)] == [200, 409]
    assert Hand.objects.count() == 1


def test_a_fault_of_ours_leaves_everything_unwritten(monkeypatch, caplog):
    def fail(*_):
        raise RuntimeError("ours")

    tablets = hall()
    monkeypatch.setattr(entering, "insert", fail)
    assert answer_batch([request(tablet) for tablet in tablets]) == [None] * 3
    assert "each is tried alone" in caplog.text
    assert not Hand.objects.exists()


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.once) for seed in (1, 2, 3))])
@pytest.mark.parametrize("preset", SYSTEMS)
def test_whatever_tablets_send_comes_out_as_at_their_own_addresses(
    preset, seed, django_capture_on_commit_callbacks
):
    """At two events that are alike: requests together first and what is left alone, and everything alone."""
    told, left = [], []
    for is_together in (True, False):
        games._cache.clear()
        tablet = Tablet(make.protocol(preset, 6 if preset == "siamese" else 8))
        items, statuses = mixed(tablet, Random(f"{preset} {seed}")), []
        chance = Random(seed)
        while items:
            several, items = items[: (many := chance.choice([1, 1, 2, 3]))], items[many:]
            with django_capture_on_commit_callbacks(execute=True):
                answer = answer_batch([queue(tablet, several)])[0] if is_together else None
                given = read(answer)["answers"] if answer else send(tablet, several)
            statuses += [(one["status"], one.get("receipt", {}).get("version")) for one in given]
        told.append(statuses)
        rows = Protocol.objects.filter(table__session__tournament=tablet.tournament).order_by("table__number")
        left.append(
            [
                (
                    row.state,
                    row.version,
                    [(hand.number, hand.facts, hand.payments) for hand in row.hands.order_by("id")],
                )
                for row in rows
            ]
        )
        assert verify(tablet.tournament) == []
    assert told[0] == told[1]
    assert left[0] == left[1]


# Games as they were written a moment ago


def enter(tablet, facts, commit):
    """Enter a hand that must be taken, and let its game be kept."""
    with commit(execute=True):
        (answer,) = answer_batch([request(tablet, facts)])
    return read(answer)["state"]


def test_the_next_hand_reads_none_before_it(django_capture_on_commit_callbacks):
    tablet = hall()[0]
    enter(tablet, EAST_FROM_SOUTH, django_capture_on_commit_callbacks)
    with CaptureQueriesContext(connection) as asked:
        state = enter(tablet, SECONDS, django_capture_on_commit_callbacks)
    read_from = [query["sql"] for query in asked if query["sql"].startswith("SELECT")]
    read_again = ('FROM "tournaments_hand"', "tournaments_seat", "penalties_penalty")
    assert not [sql for sql in read_from if any(name in sql for name in read_again)]
    assert [hand["number"] for hand in state["hands"]] == [1, 2]
    assert without_time(state) == shown(tablet.protocol)


def at(tablet, wind):
    """Who sits there."""
    return tablet.protocol.table.seats.get(wind=wind).player


def undo(tablet, by):
    protocols.undo_hand(tablet.protocol, number=1, intent=make.intent(tablet.protocol), by=by)


def correct(tablet, by):
    protocols.correct_hand(
        tablet.protocol,
        make.east_from_south(3),
        number=1,
        intent=make.intent(tablet.protocol),
        by=make.referee_of(tablet.tournament),
        reason="Three fans were counted as none.",
    )


def void(tablet, by):
    protocols.void_hand(
        tablet.protocol,
        number=1,
        intent=make.intent(tablet.protocol),
        by=make.referee_of(tablet.tournament),
        reason="The wall was not whole.",
    )


def finish(tablet, by):
    protocols.record_final_result(
        tablet.protocol,
        {"E": 8, "S": -8, "W": 0, "N": 0},
        intent=make.intent(tablet.protocol),
        by=by,
        reason="One hand was played on paper.",
    )
    protocols.resume_protocol(tablet.protocol, intent=make.intent(tablet.protocol), by=by)


def complain(tablet, by):
    protocols.note_objection(
        tablet.protocol,
        "S",
        text="That was not my discard at all.",
        intent=make.intent(tablet.protocol),
        by=by,
    )


def call(tablet, by):
    play.call_referee(tablet.protocol.table, by=by, is_called=True)


def swap(tablet, by):
    protocols.repair_seats(
        tablet.protocol,
        {"E": "S", "S": "E"},
        intent=make.intent(tablet.protocol),
        by=make.referee_of(tablet.tournament),
        reason="They had taken each other's seats.",
    )


def replace(tablet, by):
    details = registration.Details(name="Heron Z")
    person = registration.name_substitute(tablet.tournament, details, by=by)
    session = tablet.protocol.table.session
    substitutes.seat_substitute(at(tablet, "W"), person, [session], by=by, reason="The player had to leave.")


def rename(tablet, by):
    details = registration.Details(name="Plover Renamed")
    registration.change_player(at(tablet, "N").registration, details, by=by)


def pause(tablet, by):
    play.change_clock(tablet.protocol.table.session, by=by, key=uuid4().hex, is_running=False)


def adjust(tablet, by):
    entry = adjustments.Entry(
        player=at(tablet, "E"),
        session=tablet.protocol.table.session,
        game_points=-8,
        reason="Decided by the committee.",
    )
    adjustments.post(tablet.tournament, entry, by=by)


CHANGES = (undo, correct, void, finish, complain, call, swap, replace, rename, pause, adjust)


@pytest.mark.parametrize("change", CHANGES)
def test_what_others_change_is_in_the_next_answer(change, django_capture_on_commit_callbacks):
    tablet = hall()[0]
    enter(tablet, EAST_FROM_SOUTH, django_capture_on_commit_callbacks)
    before = shown(tablet.protocol)
    change(tablet, make.organizer_of(tablet.tournament))
    assert shown(tablet.protocol) != before
    state = enter(tablet, SECONDS, django_capture_on_commit_callbacks)
    assert without_time(state) == shown(tablet.protocol)
    assert verify(tablet.tournament) == []


def test_a_hand_that_was_not_stored_leaves_no_game(monkeypatch, django_capture_on_commit_callbacks):
    tablet = hall()[0]
    enter(tablet, EAST_FROM_SOUTH, django_capture_on_commit_callbacks)

    def fail(*_):
        raise RuntimeError("ours")

    with monkeypatch.context() as patched:
        patched.setattr(entering.receipts, "store_all", fail)
        assert answer_batch([request(tablet, SECONDS)]) == [None]
    state = enter(tablet, make.east_from_south(3), django_capture_on_commit_callbacks)
    assert without_time(state) == shown(tablet.protocol)
    assert [hand["facts"]["events"][0]["winners"][0]["fans"] for hand in state["hands"]] == [0, 3]


def test_no_more_games_are_kept_than_there_is_room_for(monkeypatch, django_capture_on_commit_callbacks):
    monkeypatch.setattr(games, "MOST", 2)
    for tablet in hall():
        enter(tablet, EAST_FROM_SOUTH, django_capture_on_commit_callbacks)
    assert len(games._cache) == 2


def test_a_kept_game_is_played_out_like_one_that_is_read(django_capture_on_commit_callbacks):
    tablet = hall()[0]
    for number in range(9):
        enter(tablet, make.east_from_south(number % 7), django_capture_on_commit_callbacks)
    (kept_sheet, kept_game), sheet = next(iter(games._cache.values())), sheet_of(tablet.protocol)
    assert kept_game == sheet_of(Protocol.objects.get(pk=tablet.protocol.pk)).play()
    assert [row.pk for row in kept_sheet.rows] == [row.pk for row in sheet.rows]
    assert all(row.recorded_at <= timezone.now() for row in kept_sheet.rows)


@pytest.mark.django_db(transaction=True)
def test_a_hand_that_is_still_being_told_is_not_touched_by_the_next_one(monkeypatch):
    """Who writes while the answer is put together has rows of its own; what was told is what was written. [INTEGRITY 94]"""
    tablet = hall()[0]
    by, told = make.organizer_of(tablet.tournament), tablet_batch.shown_states

    def another():
        row = Protocol.objects.select_related("table__session__tournament").get(pk=tablet.protocol.pk)
        intent = Intent(1, uuid4().hex, {"facts": SECONDS})
        entering.record_hand(row, SECONDS, intent=intent, by=by)
        connections.close_all()

    def told_late(written):
        thread = threading.Thread(target=another)
        thread.start()
        thread.join(20)
        return told(written)

    with monkeypatch.context() as patched:
        patched.setattr(tablet_batch, "shown_states", told_late)
        (answer,) = answer_batch([request(tablet, seen=0)])
    state = read(answer)["state"]
    assert (state["version"], len(state["hands"])) == (1, 1)
    assert [seat["points"] for seat in state["seats"]] == [1, -1, 0, 0]
    assert answer_batch([request(tablet, make.east_from_south(3), seen=state["version"])]) == [None]
    assert Hand.objects.count() == 2


@pytest.mark.parametrize("broken", ["_sent_hand", "check_next"])
def test_a_request_that_fails_by_our_fault_fails_alone(broken, monkeypatch, caplog):
    one, other, _ = hall()
    module = tablet_batch if broken == "_sent_hand" else entering
    real, calls = getattr(module, broken), []

    def stumble(*args, **named):
        calls.append(args)
        if len(calls) == 1:
            raise ZeroDivisionError
        return real(*args, **named)

    monkeypatch.setattr(module, broken, stumble)
    answers = answer_batch([request(one), request(other)])
    assert [answer is None for answer in answers] == [True, False]
    assert "it is tried alone" in caplog.text
