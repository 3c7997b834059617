"""Lines on an account: what would move nothing is refused, not swallowed."""

import pytest

from scoring.presets import AWARDED
from tournaments.people.operations import registration
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import play
from tournaments.standings.operations import adjustments
from tournaments.standings.operations.adjustments import Entry
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("said", [{"game_points": -10}, {"result": AWARDED}], ids=["game_points", "result"])
def test_a_line_about_a_session_in_which_the_player_has_no_seat_is_refused(said):
    """[RECORD 4]"""
    of = make.tournament()
    make.players(of, 4)
    session = make.in_play(of)
    by = make.organizer_of(of)
    late = registration.register_player(of, registration.Details(name="Lapwing Late"), by=by)
    entry = Entry(player=late.player, session=session, reason="Came to the second session only.", **said)
    with pytest.raises(Refused) as refused:
        adjustments.post(of, entry, by=make.chief_referee_of(of))
    assert [problem.code for problem in refused.value.problems] == ["not_seated"]
    assert not of.adjustments.exists()


def test_a_line_about_a_session_not_seated_yet_is_posted():
    of = make.tournament()
    (first, *_) = make.players(of, 4)
    entry = Entry(
        player=first.player, session=of.sessions.get(number=2), game_points=5, reason="Owed by the desk."
    )
    adjustments.post(of, entry, by=make.chief_referee_of(of))
    assert [row.game_points for row in of.adjustments.all()] == [5]


def test_a_session_is_not_closed_over_a_line_that_would_be_lost():
    """The line was posted before the draw, which left the player out. [RULES 8.50]"""
    of = make.tournament()
    make.players(of, 4)
    by = make.organizer_of(of)
    late = registration.register_player(of, registration.Details(name="Lapwing Late"), by=by)
    line = adjustments.post(
        of,
        Entry(
            player=late.player, session=of.sessions.get(number=1), game_points=5, reason="Owed by the desk."
        ),
        by=make.chief_referee_of(of),
    )
    registration.withdraw(late, by=by, reason="Ill on the day.")
    session = make.in_play(of)
    make.settle(session)
    with pytest.raises(Refused) as refused:
        play.close_session(session, by=by)
    assert [problem.code for problem in refused.value.problems] == ["not_seated"]
    adjustments.reverse(line, by=by, reason="It is for the whole event.")
    assert play.close_session(session, by=by).state == "closed"
