"""What is compared is read at one moment, and whoever writes meanwhile waits for nobody."""

from functools import partial
from uuid import uuid4

import pytest

from tournaments.standings.operations import verification
from tournaments.standings.operations.verification import verify
from tournaments.tables.operations import entering
from tournaments.tables.operations.recording import Intent
from tournaments.tests import factories as make
from tournaments.tests.test_races import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_hand_that_comes_while_the_history_is_verified_is_no_fault(monkeypatch):
    """The daily look at an event in play must not say that its record is broken."""
    protocol, facts = make.protocol(), make.east_from_south()
    of = protocol.table.session.tournament
    intent = Intent(seen=0, key=uuid4().hex, body={"facts": facts})
    send = partial(entering.record_hand, protocol, facts, intent=intent, by=make.organizer_of(of))
    read, answers, calls = verification._entries, [], []

    def after_a_hand(rows):
        calls.append(rows)
        if len(calls) == 2:  # the protocol is read, its entries are not
            answers.extend(at_once(send))
        return read(rows)

    monkeypatch.setattr(verification, "_entries", after_a_hand)
    assert verify(of) == []
    assert [answer["entry"] for answer in answers] == [1]
    assert verify(of) == []
