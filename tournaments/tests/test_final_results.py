"""Final results: they stand above the hands, also when a committee orders them and after the session is closed."""

import pytest

from tournaments.models import FinalResult, Protocol, Seat
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import play
from tournaments.standings.operations.verification import verify
from tournaments.tables.operations import protocols
from tournaments.tables.queries.sheets import sheet_of
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db
REASON = "Counted anew by the referee"


def points_of(protocol):
    return {seat.wind: seat.hand_points for seat in protocol.table.seats.all()}


def counted(protocol, east, *, reason=""):
    """Record a final result in which East has so many points more than at the start, and South so many fewer."""
    start = protocol.table.session.regulation["start_points"]
    final = {"E": start + east, "S": start - east, "W": start, "N": start}
    by = make.chief_referee_of(protocol.table.session.tournament)
    protocols.record_final_result(protocol, final, intent=make.intent(protocol), by=by, reason=reason)


def confirmed_by_all(protocol):
    by = make.organizer_of(protocol.table.session.tournament)
    totals = points_of(protocol)
    for wind in totals:
        protocols.confirm_seat(protocol, wind, totals=totals, intent=make.intent(protocol), by=by)


def closed(protocol):
    by = make.organizer_of(protocol.table.session.tournament)
    play.close_session(protocol.table.session, by=by)
    protocol.table.session.refresh_from_db()


def test_final_result_corrected_in_a_closed_session_leaves_the_protocol_settled():
    """[INTEGRITY 3]"""
    protocol = make.protocol("riichi_ema", protocol="final_result")
    counted(protocol, 1000)
    confirmed_by_all(protocol)
    closed(protocol)
    for east in (2000, 3000):
        counted(protocol, east, reason=REASON)
        protocol.refresh_from_db()
        assert protocol.state == Protocol.State.SIGNED_OFF
    assert points_of(protocol) == {"E": 3000, "S": -3000, "W": 0, "N": 0}


def test_final_result_in_play_waits_for_the_players():
    protocol = make.protocol("riichi_ema", protocol="final_result")
    counted(protocol, 1000)
    protocol.refresh_from_db()
    assert protocol.state == Protocol.State.ENDED


@pytest.fixture
@remembered
def ordered():
    """A table recorded hand by hand for which a final result was ordered."""
    protocol = make.protocol()
    make.record(protocol)
    make.record(protocol, make.east_from_south(1))
    make.settle(protocol.table.session)
    protocol.refresh_from_db()
    counted(protocol, 40, reason=REASON)
    return protocol


def test_final_result_stands_above_the_hands(ordered):
    assert points_of(ordered) == {"E": 40, "S": -40, "W": 0, "N": 0}
    assert verify(ordered.table.session.tournament) == []


@pytest.mark.parametrize("change", ["correct", "void"])
def test_hand_changed_later_leaves_a_final_result_in_force(ordered, change):
    by = make.chief_referee_of(ordered.table.session.tournament)
    how = {"intent": make.intent(ordered), "by": by, "reason": REASON}
    if change == "correct":
        protocols.correct_hand(ordered, make.east_from_south(3), number=1, **how)
    else:
        protocols.void_hand(ordered, number=1, **how)
    assert points_of(ordered) == {"E": 40, "S": -40, "W": 0, "N": 0}
    assert verify(ordered.table.session.tournament) == []


def test_table_that_plays_on_is_counted_by_its_hands_again(ordered):
    by = make.referee_of(ordered.table.session.tournament)
    protocols.resume_protocol(ordered, intent=make.intent(ordered), by=by, reason=REASON)
    make.record(ordered)
    assert [row.status for row in ordered.final_results.all()] == ["undone"]
    assert points_of(ordered) == {"E": 4, "S": -4, "W": 0, "N": 0}
    assert verify(ordered.table.session.tournament) == []


def forge_points(protocol):
    FinalResult.objects.filter(protocol=protocol).update(points={"E": 90, "S": -90, "W": 0, "N": 0})


def forge_total(protocol):
    Seat.objects.filter(table=protocol.table, wind="E").update(hand_points=900)


def forge_status(protocol):
    FinalResult.objects.filter(protocol=protocol).update(status="undone")


@pytest.mark.parametrize("forge", [forge_points, forge_total, forge_status])
def test_forged_final_result_is_found(forge):
    protocol = make.protocol("riichi_ema", protocol="final_result")
    counted(protocol, 1000)
    assert verify(protocol.table.session.tournament) == []
    forge(protocol)
    assert f"protocol:{protocol.pk}" in [fault.chain for fault in verify(protocol.table.session.tournament)]


def test_total_without_any_hand_is_found():
    protocol = make.protocol()
    forge_total(protocol)
    assert [fault.chain for fault in verify(protocol.table.session.tournament)] == [f"protocol:{protocol.pk}"]


def test_nothing_is_left_on_a_table_without_riichi_bets():
    """The missing points are nobody's: a referee's adjustment says who bears them. [RULES 8.42]"""
    protocol = make.protocol("mcr", protocol="final_result")
    by = make.chief_referee_of(protocol.table.session.tournament)
    final = {"E": 60, "S": 0, "W": -40, "N": -60}
    for left in (40, 0):
        with pytest.raises(Refused):
            protocols.record_final_result(
                protocol, final, left_on_table=left, intent=make.intent(protocol), by=by
            )
    assert not FinalResult.objects.exists()


def test_what_an_earlier_release_left_on_a_table_is_computed_as_then():
    """It went to the leader. [RULES 8.42]"""
    protocol = make.protocol("mcr", protocol="final_result")
    by = make.chief_referee_of(protocol.table.session.tournament)
    protocols.record_final_result(
        protocol, {"E": 60, "S": 40, "W": -40, "N": -60}, intent=make.intent(protocol), by=by
    )
    FinalResult.objects.update(points={"E": 60, "S": 0, "W": -40, "N": -60}, left_on_table=40)
    protocol.refresh_from_db()
    sheet = sheet_of(protocol)
    assert protocols.counted_totals(sheet, sheet.play()) == {"E": 100, "S": 0, "W": -40, "N": -60}
