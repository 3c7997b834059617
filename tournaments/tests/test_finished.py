"""A finished tournament stays as it was until somebody reopens it with a reason."""

import pytest

from tournaments.operations import play, registration
from tournaments.operations import tournaments as events
from tournaments.refusal import Refused
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db


def refused_codes(work):
    with pytest.raises(Refused) as refused:
        work()
    return [problem.code for problem in refused.value.problems]


@pytest.fixture
def finished():
    """A tournament closed after its first session; the second is seated and was not played."""
    of = make.tournament()
    make.players(of, 6)
    session = make.in_play(of)
    make.settle(session)
    by = make.organizer_of(of)
    play.close_session(session, by=by)
    make.seated(of, 2)
    return events.close_tournament(of, by=by)


def test_no_session_of_a_finished_tournament_starts(finished):
    by = make.organizer_of(finished)
    second = finished.sessions.get(number=2)
    assert refused_codes(lambda: play.start_session(second, by=by)) == ["event_finished"]
    events.reopen_tournament(finished, by=by, reason="The last session is played after all")
    assert play.start_session(second, by=by).state == "open"


def test_nobody_leaves_or_enters_a_finished_tournament(finished):
    by = make.organizer_of(finished)
    row = finished.registrations.get(number=1)
    assert refused_codes(lambda: registration.withdraw(row, by=by)) == ["event_finished"]
    finished.registrations.filter(pk=row.pk).update(status="withdrawn")
    assert refused_codes(lambda: registration.admit(row, by=by)) == ["event_finished"]


def test_nobody_swaps_seats_in_a_closed_session(finished):
    first = finished.sessions.get(number=1)
    idle = first.tables.get(protocol=None)
    one, other = idle.seats.all()[:2]
    by = make.organizer_of(finished)
    assert refused_codes(lambda: play.swap_seats(one, other, by=by, reason="Too late for that")) == [
        "round_closed"
    ]
