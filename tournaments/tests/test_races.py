"""Several at once: locks hold on PostgreSQL, and without them the same tests would fail."""

import contextlib
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction

from seating.drafts import operations as draws
from seating.models import Draw
from tournaments.exchange.intake import import_record
from tournaments.models import Hand, HistoryEntry, Protocol, Receipt, Registration, Standing
from tournaments.people.operations import registration
from tournaments.record import locks, receipts
from tournaments.record.actors import ANYONE
from tournaments.record.refusal import Refused, Stale
from tournaments.sessions.operations import play
from tournaments.sessions.operations import tournaments as events
from tournaments.standings.operations import recompute
from tournaments.standings.operations.verification import verify
from tournaments.tables.operations import entering, games, protocols
from tournaments.tables.operations.entering import TableHands
from tournaments.tables.operations.recording import Intent
from tournaments.tests import factories as make
from tournaments.tests.random_records import random_record

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


def at_once(*works):
    """Run all works in threads of their own, released together; return results and exceptions in order."""
    gate = threading.Barrier(len(works))

    def run(work):
        try:
            gate.wait(10)
            return work()
        except Exception as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(run, works))


def test_a_hand_sent_twenty_times_at_once_under_one_key_is_one_hand():
    protocol = make.protocol()
    by = make.organizer_of(protocol.table.session.tournament)
    facts = make.east_from_south()
    intent = Intent(seen=0, key=uuid4().hex, body={"facts": facts})
    answers = at_once(*[lambda: entering.record_hand(protocol, facts, intent=intent, by=by)] * 20)
    assert answers == [answers[0]] * 20
    assert answers[0]["entry"] == 1
    assert [hand.number for hand in protocol.hands.all()] == [1]
    assert verify(protocol.table.session.tournament) == []


def two_tablets(protocol):
    """Two tablets record different hands for the same deal at once."""
    by = make.organizer_of(protocol.table.session.tournament)

    def record(fans):
        facts = make.east_from_south(fans)
        intent = Intent(seen=0, key=uuid4().hex, body={"facts": facts})
        return lambda: entering.record_hand(protocol, facts, intent=intent, by=by)

    return at_once(record(1), record(2))


def test_two_tablets_with_different_hands_leave_one_and_a_conflict_for_the_other():
    protocol = make.protocol()
    answers = two_tablets(protocol)
    conflicts = [answer for answer in answers if isinstance(answer, Stale)]
    receipts = [answer for answer in answers if isinstance(answer, dict)]
    assert (len(receipts), len(conflicts)) == (1, 1)
    [hand] = protocol.hands.all()
    since = conflicts[0].current["since"]
    assert [entry["data"]["facts"] for entry in since] == [hand.facts]
    assert conflicts[0].status == 409


def test_one_key_at_two_tables_at_once_is_good_for_one_of_them(monkeypatch):
    """Neither sees the other's receipt; the second to write its own is refused, and its hand is gone with it.

    Trying again, as it is asked to, it is told that the key was another hand's. [INTEGRITY 140]
    """
    first = make.protocol(number=8)
    second = Protocol.objects.exclude(pk=first.pk).select_related("table__session__tournament").get()
    by = make.organizer_of(first.table.session.tournament)
    key, facts, both, waited = uuid4().hex, make.east_from_south(), threading.Barrier(2), threading.local()
    known = receipts.known

    def together(*args, **named):
        found = known(*args, **named)
        if not hasattr(waited, "once"):
            waited.once = both.wait(10)
        return found

    monkeypatch.setattr(receipts, "known", together)

    def record(protocol):
        intent = Intent(seen=0, key=key, body={"table": protocol.table.number, "facts": facts})
        return lambda: entering.record_hand(protocol, facts, intent=intent, by=by)

    answers = at_once(record(first), record(second))
    refused = [answer for answer in answers if isinstance(answer, Refused)]
    assert [one.problems[0].code for one in refused] == ["in_progress"]
    assert sum(isinstance(answer, dict) for answer in answers) == 1
    assert [row.hands.count() for row in (first, second)] in ([1, 0], [0, 1])
    left = second if first.hands.exists() else first
    monkeypatch.undo()
    with pytest.raises(Refused) as again:
        record(left)()
    assert again.value.problems[0].code == "key_reused"
    assert not left.hands.exists()


def test_a_tablet_that_waits_while_the_seating_is_withdrawn_is_told_so():
    of = make.tournament()
    make.players(of, 4)
    session = make.seated(of)
    protocol = Protocol.objects.select_related("table__session__tournament").get(table__session=session)
    by = make.organizer_of(of)
    facts, held = make.east_from_south(), threading.Event()

    def withdraw():
        with transaction.atomic():
            play.withdraw_seating(session, by=by, reason="The draw was read wrongly")
            held.set()
            time.sleep(0.5)

    def record():
        held.wait(10)
        intent = Intent(seen=0, key=uuid4().hex, body={"facts": facts})
        return entering.record_hand(protocol, facts, intent=intent, by=by)

    _, answer = at_once(withdraw, record)
    assert isinstance(answer, Refused), answer
    assert (answer.status, answer.problems[0].code) == (404, "not_found")


def test_without_the_lock_two_tablets_collide(monkeypatch):
    """The negative control: both read the same version, and only the database's own constraint stops the second."""
    protocol, opened = make.protocol(), games.locked_games
    read = threading.Barrier(2)

    def opened_by_both(*wanted):
        found = opened(*wanted)
        read.wait(10)
        return found

    monkeypatch.setattr(entering, "lock_unread", lambda row: None)
    monkeypatch.setattr(games, "locked_games", opened_by_both)
    answers = two_tablets(protocol)
    assert any(isinstance(answer, IntegrityError) for answer in answers)
    assert not any(isinstance(answer, Stale) for answer in answers)


def test_a_session_closing_while_a_hand_arrives_has_it_or_refuses_it():
    of = make.tournament()
    make.players(of, 4)
    session = make.in_play(of)
    protocol = Protocol.objects.select_related("table__session__tournament").get(table__session=session)
    make.record(protocol)
    make.settle(session)
    by = make.organizer_of(of)
    resume = make.intent(protocol)
    closed, resumed = at_once(
        lambda: play.close_session(session, by=by),
        lambda: protocols.resume_protocol(
            protocol, intent=resume, by=make.referee_of(of), reason="They go on playing"
        ),
    )
    outcomes = {type(closed).__name__, type(resumed).__name__}
    assert outcomes in ({"Session", "Refused"}, {"Refused", "dict"})
    assert verify(of) == []


def test_twenty_registrations_at_once_get_twenty_numbers():
    of = make.tournament()
    by = make.organizer_of(of)
    works = [
        partial(registration.register_player, of, registration.Details(name=f"Wren {'I' * number}"), by=by)
        for number in range(1, 21)
    ]
    answers = at_once(*works)
    assert sorted(row.number for row in answers) == list(range(1, 21))


def test_a_form_of_registration_sent_ten_times_at_once_registers_one():
    of = make.tournament()
    said, key = registration.Details(name="Grey Heron"), uuid4().hex
    answers = at_once(*[partial(registration.register_player, of, said, by=ANYONE, key=key)] * 10)
    assert [getattr(row, "pk", row) for row in answers] == [of.registrations.get().pk] * 10


def test_the_last_place_goes_to_one_and_the_waiting_list_to_the_other():
    of = make.tournament(max_players=1)
    by = make.organizer_of(of)
    answers = at_once(
        lambda: registration.register_player(of, registration.Details(name="Heron"), by=by),
        lambda: registration.register_player(of, registration.Details(name="Plover"), by=by),
    )
    assert sorted(row.status for row in answers) == [Registration.Status.ACTIVE, Registration.Status.WAITING]


def test_two_organizers_publishing_at_once_leave_one_seating():
    of = make.tournament()
    make.players(of, 8)
    by = make.organizer_of(of)
    session = of.sessions.get(number=1)
    session.tournament = of
    draw = draws.propose_random(of, session, by=by, seed="a")
    answers = at_once(lambda: draws.publish(draw, by=by), lambda: draws.publish(draw, by=by))
    assert sorted(type(answer).__name__ for answer in answers) == ["Draw", "Refused"]
    assert Protocol.objects.filter(table__session__tournament=of).count() == 2
    assert HistoryEntry.objects.filter(tournament=of, kind="seating_published").count() == 1


def test_a_withdrawal_between_draft_and_publication_stops_it():
    of = make.tournament()
    rows = make.players(of, 8)
    by = make.organizer_of(of)
    session = of.sessions.get(number=1)
    session.tournament = of
    draw = draws.propose_random(of, session, by=by, seed="a")
    registration.withdraw(rows[0], by=by)
    with pytest.raises(Refused) as refused:
        draws.publish(draw, by=by)
    assert refused.value.problems[0].code == "stale_draw"
    assert Draw.objects.get(pk=draw.pk).state == Draw.State.DRAFT
    assert not of.sessions.get(number=1).is_published


def test_check_in_and_withdrawal_at_once_do_not_lock_each_other_out():
    of = make.tournament()
    row = make.players(of, 4)[0]
    by = make.organizer_of(of)
    for _ in range(10):
        answers = at_once(
            lambda: registration.check_in(row, by=by),
            lambda: registration.undo_check_in(row, by=by),
            lambda: registration.renew_link(row, by=by, key=uuid4().hex),
            lambda: play.change_clock(of.sessions.first(), by=by, key=uuid4().hex, minutes=1),
        )
        assert [answer for answer in answers[:3] if isinstance(answer, Exception)] == []
    assert verify(of) == []


def test_tables_recording_while_the_desk_works_never_wait_for_each_other_in_a_circle():
    of = make.tournament()
    make.players(of, 16)
    session = make.in_play(of)
    by = make.organizer_of(of)
    rows = list(Protocol.objects.filter(table__session=session).select_related("table__session__tournament"))

    def table(protocol):
        def work():
            for number in range(5):
                protocol.refresh_from_db(fields=["version"])
                facts = make.east_from_south(number % 3)
                intent = Intent(seen=protocol.version, key=uuid4().hex, body={"facts": facts})
                entering.record_hand(protocol, facts, intent=intent, by=by, is_sure=True)

        return work

    def desk():
        for minutes in (1, -1) * 5:
            play.change_clock(session, by=by, key=uuid4().hex, minutes=minutes)

    answers = at_once(*[table(protocol) for protocol in rows], desk, desk)
    assert [answer for answer in answers if answer is not None] == []
    assert verify(of) == []


def test_many_recomputations_at_once_end_with_the_newest_standings():
    protocol = make.protocol()
    of = protocol.table.session.tournament
    for fans in range(5):
        make.record(protocol, make.east_from_south(fans))
    at_once(*[lambda: recompute.recompute(of.pk)] * 8)
    assert recompute.recompute(of.pk) is not None
    assert recompute.behind() == []
    first = Standing.objects.get(tournament=of, position=1)
    assert first.values["game_points"] == sum((1, 2, 4, 8, 16))


def test_the_lock_order_is_the_one_place_that_locks():
    """Operations lock through `locks`, so that the order can be read in one file."""
    assert {name for name in dir(locks) if name.startswith("lock_")} == {
        "lock_free",
        "lock_protocol",
        "lock_protocols",
        "lock_registration",
        "lock_seating",
        "lock_session",
        "lock_tournament",
        "lock_unread",
    }


def test_of_two_who_take_one_address_at_once_the_later_is_refused():
    by = make.organizer_of(make.tournament())
    said = make.announcement()
    answers = at_once(*[lambda: events.create_tournament(said, preset="sbr", by=by)] * 2)
    (refused,) = [answer for answer in answers if isinstance(answer, Exception)]
    assert isinstance(refused, Refused)
    assert [problem.code for problem in refused.problems] == ["slug_taken"]


def test_of_two_imports_to_one_address_at_once_the_later_is_refused():
    by = make.organizer_of(make.tournament())
    record = random_record("sbr", 1)
    answers = at_once(*[lambda: import_record(record, by=by)] * 2)
    (refused,) = [answer for answer in answers if isinstance(answer, Exception)]
    assert isinstance(refused, Refused)
    assert [problem.code for problem in refused.problems] == ["slug_taken"]


def test_two_windows_that_send_one_queue_at_once_leave_every_hand_once():
    """Each finds the receipts of the other or writes them; nothing is refused and nothing doubled. [INTEGRITY 140]"""
    protocol = make.protocol()
    by = make.organizer_of(protocol.table.session.tournament)
    hands = [
        entering.SentHand(facts, Intent(seen=number, key=uuid4().hex, body={"facts": facts}))
        for number, facts in enumerate(make.east_from_south(number) for number in range(6))
    ]

    def send(queue):
        return lambda: entering.enter_hands(protocol, queue, by=by).answers

    answers = at_once(send(hands), send(hands), send(hands[:3]), send(hands))
    assert [len(given) for given in answers] == [6, 6, 3, 6]
    assert answers[0] == answers[1] == answers[3]
    assert answers[2] == answers[0][:3]
    assert [hand.number for hand in protocol.hands.all()] == [1, 2, 3, 4, 5, 6]
    assert verify(protocol.table.session.tournament) == []


def tables_of_a_hall(tables):
    """The protocols of a session in play, with whoever may enter everywhere."""
    of = make.tournament()
    make.players(of, tables * 4)
    session = make.in_play(of)
    rows = Protocol.objects.filter(table__session=session).order_by("table__number")
    return list(rows.select_related("table__session__tournament")), make.organizer_of(of)


def sent_to(protocol, seen, facts, by, key=""):
    hand = entering.SentHand(
        facts, Intent(seen=seen, key=key or uuid4().hex, body={"facts": facts}), is_sure=True
    )
    return TableHands((1, protocol.table.number), [hand], by)


def test_tables_written_together_wait_for_no_table_that_somebody_else_holds():
    """The busy table is left to be waited for by its own tablet alone. [INTEGRITY 2]"""
    (busy, free), by = tables_of_a_hall(2)
    slug, facts = busy.table.session.tournament.slug, make.east_from_south()
    with transaction.atomic():
        locks.lock_protocol(busy)
        work = lambda: entering.enter_batch(slug, [sent_to(one, 0, facts, by) for one in (busy, free)])  # noqa: E731
        began = time.monotonic()
        ((left, entered),) = at_once(work)
        took = time.monotonic() - began
    assert left is None
    assert entered.answers[0]["entry"] == 1
    assert took < 5
    assert [row.protocol_id for row in Hand.objects.all()] == [free.pk]


def test_tables_written_together_alone_and_by_the_desk_at_once_are_written_once():
    """Two servers, each with all tables, single tablets and the desk: every key is one hand, no circle of waits."""
    rows, by = tables_of_a_hall(4)
    of = rows[0].table.session.tournament
    keys = {(row.pk, number): uuid4().hex for row in rows for number in range(6)}
    facts = [make.east_from_south(number) for number in range(6)]

    def together(order):
        def work():
            for _ in range(40):
                now = dict(
                    Protocol.objects.filter(pk__in=[row.pk for row in rows]).values_list("pk", "version")
                )
                batch = [
                    sent_to(row, now[row.pk], facts[now[row.pk]], by, keys[row.pk, now[row.pk]])
                    for row in order
                    if now[row.pk] < 6
                ]
                with contextlib.suppress(Refused):
                    entering.enter_batch(of.slug, batch)

        return work

    def alone(row):
        def work():
            for number in range(6):
                hand = sent_to(row, number, facts[number], by, keys[row.pk, number]).hands
                with contextlib.suppress(Stale):
                    entering.enter_hands(row, hand, by=by)

        return work

    def desk():
        for minutes in (1, -1) * 5:
            play.change_clock(rows[0].table.session, by=by, key=uuid4().hex, minutes=minutes)

    answers = at_once(together(rows), together(rows[::-1]), *[alone(row) for row in rows], desk)
    assert [answer for answer in answers if answer is not None] == []
    for row in rows:
        hands = row.hands.order_by("number")
        assert [hand.facts["events"][0]["winners"][0]["fans"] for hand in hands] == [0, 1, 2, 3, 4, 5]
    assert Receipt.objects.filter(tournament=of, key__in=keys.values()).count() == len(keys)
    assert verify(of) == []


def test_a_session_that_closes_while_a_hall_writes_has_every_hand_or_refuses_it():
    rows, by = tables_of_a_hall(3)
    session = rows[0].table.session
    make.settle(session)
    referee = make.referee_of(session.tournament)
    for row in rows[:2]:
        protocols.resume_protocol(row, intent=make.intent(row), by=referee, reason="Two tables play on.")
    versions = dict(Protocol.objects.filter(table__session=session).values_list("pk", "version"))
    facts = make.east_from_south()
    work = lambda: entering.enter_batch(  # noqa: E731
        session.tournament.slug, [sent_to(row, versions[row.pk], facts, by) for row in rows]
    )
    entered, closed = at_once(work, lambda: play.close_session(session, by=by))
    assert isinstance(closed, Refused)
    assert [one is not None for one in entered] == [True, True, False]
    assert verify(session.tournament) == []
