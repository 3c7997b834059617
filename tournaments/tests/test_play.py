"""Sessions: seated once, started once, timed, closed when every table is settled, sealed."""

from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.utils import timezone

from seating.drafts import operations as draws
from seating.models import Draw
from tournaments.models import Protocol, Seat, Session, Tournament
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import play
from tournaments.sessions.operations import tournaments as events
from tournaments.sessions.operations.play import Seating
from tournaments.tables.operations import entering, protocols, substitutes
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db


def refused_codes(work):
    with pytest.raises(Refused) as refused:
        work()
    return [problem.code for problem in refused.value.problems]


@pytest.fixture
@remembered
def of():
    made = make.tournament()
    make.players(made, 8)
    return made


def people(of):
    return [row.player for row in of.registrations.select_related("player")]


def session_of(of, number=1):
    session = of.sessions.get(number=number)
    session.tournament = of
    return session


def test_publishing_lays_out_tables_seats_and_empty_protocols(of):
    session = make.seated(of)
    assert [(t.number, t.seats.count(), t.protocol.version) for t in session.tables.all()] == [
        (1, 4, 0),
        (2, 4, 0),
    ]
    assert sorted(Seat.objects.filter(session=session).values_list("player", flat=True)) == sorted(
        player.pk for player in people(of)
    )


def test_the_same_seed_gives_the_same_seats():
    """[SBR 2.4.1] [RULES 1.3]"""
    seats = []
    for _ in range(2):
        made = make.tournament()
        make.players(made, 8)
        session = make.seated(made, seed="four winds")
        rows = Seat.objects.filter(session=session).in_order().select_related("player__registration", "table")
        seats.append([(row.table.number, row.wind, row.player.registration.number) for row in rows])
    assert seats[0] == seats[1]


def test_a_session_is_seated_once(of):
    make.seated(of)
    session = session_of(of)
    codes = refused_codes(lambda: draws.propose_random(of, session, by=make.organizer_of(of)))
    assert codes == ["round_exists"]


def test_a_wrong_seating_names_every_fault(of):
    """[INTEGRITY 7.3] 58, 59, 60, 67"""
    one, two, three, four, *_ = people(of)
    row = four.registration
    row.status = "withdrawn"
    row.save()
    seating = Seating(tables={0: [one, two, three, one], 1: [four]}, mode="manual")
    codes = refused_codes(lambda: play.seat_players(session_of(of), seating, by=make.organizer_of(of)))
    assert codes == ["table_number", "player_twice", "player_withdrawn"]


def test_a_published_seating_may_be_withdrawn_with_a_reason_until_the_start(of):
    session = make.seated(of)
    by = make.organizer_of(of)
    assert refused_codes(lambda: play.withdraw_seating(session, by=by, reason="")) == ["reason_required"]
    play.withdraw_seating(session, by=by, reason="Two players came late")
    assert not of.sessions.get(number=1).is_published
    session = make.in_play(of)
    assert refused_codes(lambda: play.withdraw_seating(session, by=by, reason="Once more, please")) == [
        "has_hands"
    ]


def test_two_players_swap_after_publication_with_a_reason(of):
    session = make.seated(of)
    one = session.seats.get(table__number=1, wind="E")
    other = session.seats.get(table__number=2, wind="N")
    play.swap_seats(one, other, by=make.organizer_of(of), reason="They are a family")
    assert session.seats.get(table__number=1, wind="E").player_id == other.player_id
    assert session.seats.get(table__number=2, wind="N").player_id == one.player_id


def test_nobody_swaps_at_a_table_that_has_begun(of):
    session = make.in_play(of)
    protocol = Protocol.objects.select_related("table__session__tournament").get(
        table__session=session, table__number=1
    )
    make.record(protocol)
    one = session.seats.get(table__number=1, wind="E")
    other = session.seats.get(table__number=2, wind="N")
    codes = refused_codes(
        lambda: play.swap_seats(one, other, by=make.organizer_of(of), reason="They came too late")
    )
    assert codes == ["table_started"]


def test_swapping_in_a_draft_is_kept_beside_the_draw(of):
    draw = draws.propose_random(of, session_of(of), by=make.organizer_of(of), seed="x")
    first, second = draw.plan["1"]["tables"][0][0], draw.plan["1"]["tables"][1][0]
    draws.swap_in_draft(draw, first, second, session=1, by=make.organizer_of(of), key=uuid4().hex)
    draw = Draw.objects.get(pk=draw.pk)
    assert (draw.plan["1"]["tables"][0][0], draw.plan["1"]["tables"][1][0]) == (second, first)
    assert [edit["swap"] for edit in draw.edits] == [[first, second]]


def test_every_proposal_is_kept(of):
    for seed in "abc":
        draws.propose_random(of, session_of(of), by=make.organizer_of(of), seed=seed)
    assert [(d.seed, d.state) for d in of.draws.order_by("pk")] == [
        ("a", "discarded"),
        ("b", "discarded"),
        ("c", "draft"),
    ]


def test_the_first_start_sets_the_tournament_in_play_and_copies_the_regulation(of):
    """[RULES 8.30]"""
    session = make.in_play(of)
    assert Tournament.objects.get(pk=of.pk).state == "running"
    assert session.regulation == of.regulation
    events.change_regulation(of, {"session_minutes": 45}, by=make.organizer_of(of))
    assert Session.objects.get(pk=session.pk).minutes == of.regulation["session_minutes"]


def test_a_change_that_alters_results_asks_for_a_reason_once_there_are_some(of):
    """[RULES 1.1]"""
    make.in_play(of)
    by = make.organizer_of(of)
    change = {"tie_rule": "best"}
    assert refused_codes(lambda: events.change_regulation(of, change, by=by)) == ["reason_required"]
    changed = events.change_regulation(of, change, by=by, reason="As announced", is_sure=True)
    assert changed.regulation["tie_rule"] == "best"


WITHOUT_THREE = {"4": ["4", "3", "2", "1"]}


def taken_in_without_three(of):
    of.regulation |= {"tournament_points": WITHOUT_THREE}
    Tournament.objects.filter(pk=of.pk).update(regulation=of.regulation)


def test_regulation_that_lets_in_a_table_without_points_is_refused_before_anybody_plays(of):
    """[SBR 2.7.5] [RULES 8.33]"""
    by = make.organizer_of(of)
    change = {"tournament_points": WITHOUT_THREE}
    assert refused_codes(lambda: events.change_regulation(of, change, by=by)) == ["points_table"]
    changed = events.change_regulation(of, {**change, "smallest_table": 4}, by=by)
    assert changed.regulation["tournament_points"] == WITHOUT_THREE


def test_regulation_from_a_record_may_lack_a_row_until_such_a_table_would_play():
    """[RULES 8.33]"""
    made = make.tournament()
    make.players(made, 7)
    taken_in_without_three(made)
    by = make.organizer_of(made)
    assert events.change_regulation(made, {"session_minutes": 70}, by=by).regulation["session_minutes"] == 70
    table = {1: people(made)[:4], 2: people(made)[4:]}
    session = play.seat_players(session_of(made), Seating(table, "fixed"), by=by)
    assert refused_codes(lambda: play.start_session(session, by=by)) == ["points_table"]
    assert Session.objects.get(pk=session.pk).state == Session.State.PLANNED


def test_seat_is_not_left_empty_where_three_would_get_no_points(of):
    """[RULES 8.33]"""
    taken_in_without_three(of)
    session = make.in_play(of)
    seat = session.seats.first()
    by = make.organizer_of(of)
    work = lambda: substitutes.leave_empty(seat.player, session, by=by, reason="Fell ill on the way.")  # noqa: E731
    assert refused_codes(work) == ["points_table"]
    assert Seat.objects.get(pk=seat.pk).player_id == seat.player_id


def test_the_clock_runs_stops_and_is_given_the_time_it_stood():
    of = make.tournament(session_minutes=60)
    make.players(of, 4)
    by = make.organizer_of(of)
    with time_machine.travel("2026-05-09T10:00:00Z", tick=False) as now:
        session = make.in_play(of)
        assert session.ends_at == timezone.now() + timedelta(minutes=60)
        now.shift(600)
        play.change_clock(session, by=by, key=uuid4().hex, is_running=False)
        now.shift(120)
        session = play.change_clock(session, by=by, key=uuid4().hex, is_running=True)
        assert session.ends_at == timezone.now() + timedelta(minutes=50)
        assert play.change_clock(
            session, by=by, key=uuid4().hex, minutes=5
        ).ends_at == timezone.now() + timedelta(minutes=55)


def test_only_one_session_is_in_play(of):
    make.in_play(of)
    second = make.seated(of, 2)
    assert refused_codes(lambda: play.start_session(second, by=make.organizer_of(of))) == ["games_open"]


def test_a_closed_session_is_sealed_and_reopened_only_with_a_reason(of):
    session = make.in_play(of)
    make.settle(session)
    by = make.organizer_of(of)
    closed = play.close_session(session, by=by)
    assert len(closed.checkpoint) == 64
    assert refused_codes(lambda: play.reopen_session(closed, by=by, reason="")) == ["reason_required"]
    assert play.reopen_session(closed, by=by, reason="Table 2 was wrong").state == "open"


def test_nothing_is_recorded_before_the_start_or_after_the_close(of):
    session = make.seated(of)
    protocol = Protocol.objects.select_related("table__session__tournament").get(
        table__session=session, table__number=1
    )
    by = make.organizer_of(of)
    record = lambda: entering.record_hand(  # noqa: E731
        protocol, make.east_from_south(), intent=make.intent(protocol), by=by
    )
    assert refused_codes(record) == ["not_started"]
    play.start_session(session, by=by)
    make.settle(session)
    play.close_session(session, by=by)
    assert refused_codes(record) == ["round_closed"]


def test_a_tournament_closes_when_its_sessions_are_closed(of):
    by = make.organizer_of(of)
    session = make.in_play(of)
    assert refused_codes(lambda: events.close_tournament(of, by=by)) == ["games_open"]
    make.settle(session)
    play.close_session(session, by=by)
    assert events.close_tournament(of, by=by).state == "closed"
    assert refused_codes(lambda: events.reopen_tournament(of, by=by, reason=" ")) == ["reason_required"]
    assert events.reopen_tournament(of, by=by, reason="An appeal was upheld").state == "running"


def test_players_who_are_too_many_sit_at_a_table_that_does_not_play():
    """[SBR 3.1.4]"""
    of = make.tournament()
    make.players(of, 6)
    session = make.seated(of)
    assert [(t.number, t.seats.count(), hasattr(t, "protocol")) for t in session.tables.all()] == [
        (1, 4, True),
        (2, 2, False),
    ]


def test_fewer_than_four_are_not_drawn():
    """[INTEGRITY 7.3] 56"""
    of = make.tournament()
    make.players(of, 3)
    codes = refused_codes(lambda: draws.propose_random(of, session_of(of), by=make.organizer_of(of)))
    assert codes == ["too_few_players"]


def test_a_referee_does_not_correct_the_table_at_which_they_play():
    """[INTEGRITY 3]"""
    protocol = make.protocol()
    make.record(protocol)
    seat = protocol.table.seats.first()
    referee = make.actor(make.user(), "referee")
    playing = type(referee)(referee.kind, referee.id, referee.roles, player_ids=frozenset({seat.player_id}))
    codes = refused_codes(
        lambda: protocols.void_hand(
            protocol, number=1, intent=make.intent(protocol), by=playing, reason="Never happened"
        )
    )
    assert codes == ["conflict_of_interest"]


def test_voiding_a_hand_moves_the_later_ones_up():
    protocol = make.protocol()
    for fans in (0, 1, 2):
        make.record(protocol, make.east_from_south(fans))
    protocols.void_hand(
        protocol,
        number=2,
        intent=make.intent(protocol),
        by=make.referee_of(protocol.table.session.tournament),
        reason="It was not played",
    )
    in_force = protocol.hands.filter(status="in_force")
    assert [(hand.number, hand.facts["number"], hand.east) for hand in in_force] == [(1, 1, 1), (2, 2, 4)]


def test_a_confirmation_of_an_older_result_is_refused():
    protocol = make.protocol()
    make.record(protocol)
    by = make.organizer_of(protocol.table.session.tournament)
    protocols.end_protocol(protocol, intent=make.intent(protocol), by=by)
    stale = dict.fromkeys("ESWN", 0)
    confirm = lambda totals, wind="E": protocols.confirm_seat(  # noqa: E731
        protocol, wind, totals=totals, intent=make.intent(protocol), by=by
    )
    assert refused_codes(lambda: confirm(stale)) == ["totals_changed"]
    totals = {seat.wind: seat.hand_points for seat in protocol.table.seats.all()}
    confirm(totals)
    assert refused_codes(lambda: confirm(totals)) == ["already_confirmed"]
    assert refused_codes(lambda: confirm(totals, "X")) == ["not_seated"]


def test_a_correction_asks_the_players_to_confirm_again():
    protocol = make.protocol()
    make.record(protocol)
    session = protocol.table.session
    make.settle(session)
    protocol.refresh_from_db()
    assert protocol.state == "confirmed"
    protocols.correct_hand(
        protocol,
        make.east_from_south(1),
        number=1,
        intent=make.intent(protocol),
        by=make.referee_of(session.tournament),
        reason="One fan was missed",
    )
    protocol.refresh_from_db()
    assert protocol.state == "ended"
    assert protocol.table.seats.filter(confirmed_at__isnull=False).count() == 0


def test_an_identical_hand_within_seconds_is_asked_about():
    """[INTEGRITY 7.4] 98"""
    protocol = make.protocol()
    by = make.organizer_of(protocol.table.session.tournament)
    record = lambda is_sure=False: entering.record_hand(  # noqa: E731
        protocol, make.east_from_south(), intent=make.intent(protocol), by=by, is_sure=is_sure
    )
    record()
    assert refused_codes(record) == ["looks_doubled"]
    record(is_sure=True)
    assert protocol.hands.count() == 2


def test_undo_is_silent_for_a_moment_and_asks_for_a_reason_later():
    protocol = make.protocol()
    make.record(protocol)
    by = make.organizer_of(protocol.table.session.tournament)
    undo = lambda reason="": protocols.undo_hand(  # noqa: E731
        protocol, number=1, intent=make.intent(protocol), by=by, reason=reason
    )
    with time_machine.travel(timezone.now() + timedelta(minutes=10)):
        assert refused_codes(undo) == ["reason_required"]
        undo("Typed at the wrong table")
    assert protocol.hands.filter(status="in_force").count() == 0


def test_a_session_is_not_reopened_beside_one_in_play(of):
    """One session is in play at a time, whichever way it came there; nothing is written."""
    by = make.organizer_of(of)
    first = make.in_play(of)
    make.settle(first)
    play.close_session(first, by=by)
    second = make.in_play(of, 2)
    entries = of.history.count()

    def reopen():
        return play.reopen_session(session_of(of), by=by, reason="A protocol was mistyped")

    assert refused_codes(reopen) == ["games_open"]
    assert list(of.sessions.values_list("state", flat=True)) == ["closed", "open"]
    assert of.history.count() == entries
    make.settle(second)
    play.close_session(session_of(of, 2), by=by)
    assert reopen().state == Session.State.OPEN
