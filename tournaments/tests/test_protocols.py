"""The protocol of a table: what one tap writes, and what it refuses."""

import pytest

from tournaments.models import HistoryEntry, Standing
from tournaments.record.refusal import Refused, Stale
from tournaments.sessions.operations import play
from tournaments.standings.operations import recompute
from tournaments.tables.operations import entering, protocols
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db


def points(protocol):
    return {seat.wind: seat.hand_points for seat in protocol.table.seats.all()}


def test_recording_a_hand_pays_and_raises_the_version():
    protocol = make.protocol()
    make.record(protocol)
    protocol.refresh_from_db()
    assert protocol.version == 1
    assert points(protocol) == {"E": 1, "S": -1, "W": 0, "N": 0}


def test_sending_a_hand_twice_records_it_once():
    protocol = make.protocol()
    intent = make.intent(protocol, facts=make.east_from_south())
    by = make.organizer_of(protocol.table.session.tournament)
    first = entering.record_hand(protocol, make.east_from_south(), intent=intent, by=by)
    again = entering.record_hand(protocol, make.east_from_south(), intent=intent, by=by)
    assert again == first
    assert [hand.number for hand in protocol.hands.all()] == [1]


def test_a_tablet_that_was_behind_is_told_what_it_missed():
    protocol = make.protocol()
    behind = make.intent(protocol)
    make.record(protocol)
    by = make.organizer_of(protocol.table.session.tournament)
    with pytest.raises(Stale) as refused:
        entering.record_hand(protocol, make.east_from_south(2), intent=behind, by=by)
    assert refused.value.status == 409
    assert [entry["number"] for entry in refused.value.current["since"]] == [1]
    assert protocol.hands.count() == 1


def test_undoing_the_last_hand_gives_the_points_back():
    protocol = make.protocol()
    make.record(protocol)
    by = make.organizer_of(protocol.table.session.tournament)
    protocols.undo_hand(protocol, number=1, intent=make.intent(protocol), by=by)
    assert points(protocol) == {"E": 0, "S": 0, "W": 0, "N": 0}
    assert [hand.status for hand in protocol.hands.all()] == ["undone"]


def test_a_correction_keeps_the_old_hand_readable():
    protocol = make.protocol()
    make.record(protocol)
    make.record(protocol)
    protocols.correct_hand(
        protocol,
        make.east_from_south(3),
        number=1,
        intent=make.intent(protocol),
        by=make.referee_of(protocol.table.session.tournament),
        reason="The kong was missed",
    )
    assert points(protocol) == {"E": 9, "S": -9, "W": 0, "N": 0}
    assert sorted((hand.number, hand.status) for hand in protocol.hands.all()) == [
        (1, "corrected"),
        (1, "in_force"),
        (2, "in_force"),
    ]


def test_a_correction_needs_a_reason():
    protocol = make.protocol()
    make.record(protocol)
    with pytest.raises(Refused) as refused:
        protocols.correct_hand(
            protocol,
            make.east_from_south(3),
            number=1,
            intent=make.intent(protocol),
            by=make.referee_of(protocol.table.session.tournament),
            reason=" ",
        )
    assert refused.value.problems[0].code == "reason_required"


def test_a_session_closes_when_all_have_confirmed_and_ranks_its_players():
    protocol = make.protocol()
    make.record(protocol)
    session = protocol.table.session
    with pytest.raises(Refused) as refused:
        play.close_session(session, by=make.organizer_of(session.tournament))
    assert refused.value.problems[0].code == "games_open"
    make.settle(session)
    play.close_session(session, by=make.organizer_of(session.tournament))
    recompute.recompute(session.tournament_id)
    rows = Standing.objects.filter(tournament=session.tournament)
    assert [(row.place, row.values["tournament_points"]) for row in rows] == [
        (1, 4),
        (2, "5/2"),
        (2, "5/2"),
        (4, 1),
    ]


def test_every_change_is_in_the_history():
    protocol = make.protocol()
    make.record(protocol)
    make.settle(protocol.table.session)
    kinds = HistoryEntry.objects.filter(protocol=protocol).values_list("kind", flat=True)
    assert list(kinds) == ["hand_recorded", "protocol_ended", *["seat_confirmed"] * 4]
