"""A ruling takes its table before the row that all tables share, as a hand does: they never wait for each other in a circle."""

import threading
from uuid import uuid4

import pytest

from penalties.appeals import operations as appeals_operations
from penalties.tests import factories as judge
from penalties.tests.test_dead_hands import after_a_kong, dead, scene
from tournaments.record import history
from tournaments.standings.operations.verification import verify
from tournaments.tables.operations import entering
from tournaments.tables.operations.entering import SentHand, TableHands
from tournaments.tables.operations.recording import Intent
from tournaments.tests import factories as make
from tournaments.tests.test_races import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


def test_a_ruling_on_a_dead_hand_and_a_hand_of_its_table_do_not_lock_each_other_out(monkeypatch):
    """The hand holds its table and is about to ask for standings when the committee rules."""
    session = scene()
    protocol = after_a_kong(session)
    appeal = judge.appeal(dead(session))
    of, by = session.tournament, make.organizer_of(session.tournament)
    chief, facts = judge.judge(of), make.east_from_south()
    protocol.refresh_from_db()
    holds, ruled = threading.Event(), threading.Event()
    ask, tell = history.ask_for_standings, appeals_operations._record

    def ask_late(tournament_id):
        if threading.current_thread().name == "hand":
            holds.set()
            ruled.wait(1)
        return ask(tournament_id)

    def tell_first(*args, **named):
        made = tell(*args, **named)
        ruled.set()
        return made

    monkeypatch.setattr(history, "ask_for_standings", ask_late)
    monkeypatch.setattr(appeals_operations, "_record", tell_first)

    def hand():
        threading.current_thread().name = "hand"
        tap = SentHand(facts, Intent(protocol.version, uuid4().hex, {"facts": facts}), is_sure=True)
        return entering.enter_batch(of.slug, [TableHands((1, protocol.table.number), [tap], by)])

    def desk():
        holds.wait(10)
        return appeals_operations.decide(appeal, "upheld", judge.LONG, body="chief_referee", by=chief)

    answers = at_once(hand, desk)
    assert [answer for answer in answers if isinstance(answer, Exception)] == []
    assert verify(of) == []
