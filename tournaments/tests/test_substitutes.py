"""Substitutes: two ledgers for one seat, from a hand on, for several sessions; who may not; and the way back."""

import pytest

from penalties.substitutes import operations as substitutes_operations
from penalties.tests import factories as judge
from scoring.standings.sessions import session_ledger
from tournaments.models import Protocol, Role, Session
from tournaments.people.operations import registration
from tournaments.people.rules.substitutes import (
    Candidate,
    SeatState,
    return_problems,
    substitution_problems,
)
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import play
from tournaments.sessions.queries import seats_of_the_gone
from tournaments.standings.operations.recompute import recompute
from tournaments.standings.operations.verification import verify
from tournaments.tables.operations.substitutes import enrol_substitute, fill_seat, leave_empty
from tournaments.tables.queries.events import event_of
from tournaments.tables.queries.protocol_rows import protocol_rows
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db
REASON = "Fell ill on the way."


def scene(number: int = 8, preset: str = "sbr") -> Session:
    of = make.tournament(preset)
    make.players(of, number)
    session = make.in_play(of)
    session.tournament = of
    return session


def table_of(session: Session, number: int = 1) -> Protocol:
    return Protocol.objects.select_related("table__session__tournament").get(
        table__session=session, table__number=number
    )


def results(session: Session) -> dict:
    event = event_of(session.tournament)
    return session_ledger(event, event.sessions[0]).results


def refused(work) -> list[str]:
    with pytest.raises(Refused) as found:
        work()
    return [problem.code for problem in found.value.problems]


def test_the_substitutes_game_counts_for_places_and_the_player_gets_the_fixed_result():
    """[SBR 2.8.4.5] [RULES 1.6] [RULES 8.6] [RULES 8.35]"""
    session = scene()
    of, by = session.tournament, make.organizer_of(session.tournament)
    east, mira = judge.seat(session, "E"), judge.substitute(of)
    make.record(table_of(session))
    substitutes_operations.seat_substitute(east, mira, [session], by=by, reason=REASON, from_hand=2)
    make.record(table_of(session))
    make.settle(session)
    play.close_session(session, by=by)
    found = results(session)
    assert (str(found[east.pk].kind), found[east.pk].game_points, found[east.pk].tournament_points) == (
        "fixed",
        0,
        0,
    )
    assert mira.player_id not in found
    others = [found[judge.seat(session, wind).pk].tournament_points for wind in "SWN"]
    assert sum(others) == 6
    assert verify(of) == []


def test_substitute_plays_from_the_hand_that_is_not_recorded_and_those_before_stay_the_players():
    session = scene()
    of, by = session.tournament, make.organizer_of(session.tournament)
    east, mira = judge.seat(session, "E"), judge.substitute(of)
    make.record(table_of(session))
    substitutes_operations.seat_substitute(east, mira, [session], by=by, reason=REASON)
    assert session.seats.get(kept_for=east).from_hand == 2
    make.record(table_of(session))
    told = [row.what for row in protocol_rows(table_of(session)).rows]
    assert [what.startswith(str(who)) for what, who in zip(told, (east, mira.player), strict=True)] == [
        True,
        True,
    ]


def test_players_page_says_that_the_result_is_fixed_and_who_sat_there(client):
    session = scene()
    of, by = session.tournament, make.organizer_of(session.tournament)
    east, mira = judge.seat(session, "E"), judge.substitute(of)
    substitutes_operations.seat_substitute(east, mira, [session], by=by, reason=REASON)
    make.record(table_of(session))
    make.settle(session)
    play.close_session(session, by=by)
    recompute(of.pk)
    page = client.get(f"/{of.slug}/player-{east.registration.number}/").content.decode()
    assert f"fixed result; substitute: {mira.player}<" in page


def test_player_whose_substitute_has_not_played_a_hand_comes_back():
    """[RULES 8.35]"""
    session = scene()
    of, by = session.tournament, make.organizer_of(session.tournament)
    east = judge.seat(session, "E")
    make.record(table_of(session))
    substitutes_operations.seat_substitute(east, judge.substitute(of), [session], by=by, reason=REASON)
    substitutes_operations.return_player(east, [session], by=by, reason=REASON)
    assert session.seats.get(player=east).kept_for is None


def test_penalties_of_the_player_replaced_stay_with_the_seat():
    """[RULES 8.35]"""
    session = scene()
    of, by = session.tournament, make.organizer_of(session.tournament)
    east = judge.seat(session, "E")
    for _ in range(7):
        judge.give(east, "touching", session)
    make.record(table_of(session))
    substitutes_operations.seat_substitute(
        east, judge.substitute(of), [session], by=by, reason=REASON, from_hand=2
    )
    event = event_of(of)
    ledger = session_ledger(event, event.sessions[0]).tables[1]
    points = {str(wind): row.table_points - row.hands for wind, row in ledger.items()}
    assert points == {"E": -48, "S": 0, "W": 0, "N": 0}
    assert results(session)[east.pk].game_points == 0


def test_a_substitute_plays_several_sessions_and_the_player_returns_for_the_last():
    """[RIICHI 5.8] [RULES 8.35]"""
    of = make.tournament("sbr", sessions=3)
    make.players(of, 8)
    sessions = []
    for number in (1, 2, 3):
        session = make.seated(of, number)
        session.tournament = of
        sessions.append(session)
    by, mira = make.organizer_of(of), judge.substitute(of)
    player = judge.seat(sessions[0], "E")
    seated = substitutes_operations.seat_substitute(player, mira, sessions, by=by, reason=REASON)
    assert [seat.kept_for for seat in seated] == [player] * 3
    substitutes_operations.return_player(player, sessions[2:], by=by, reason="Well again, the doctor says.")
    assert [session.seats.filter(player=player).exists() for session in sessions] == [False, False, True]
    assert verify(of) == []


def test_several_substitutes_for_one_player():
    """[RULES 8.35]"""
    session = scene()
    of, by = session.tournament, make.organizer_of(session.tournament)
    east = judge.seat(session, "E")
    first, second = judge.substitute(of, "Mira"), judge.substitute(of, "Lada")
    substitutes_operations.seat_substitute(east, first, [session], by=by, reason=REASON)
    substitutes_operations.seat_substitute(
        east, second, [session], by=by, reason="Mira is needed at the desk."
    )
    seat = session.seats.get(kept_for=east)
    assert seat.player == second.player


def test_a_player_does_not_come_back_once_the_substitute_has_played():
    """[RULES 8.35]"""
    session = scene()
    of, by = session.tournament, make.organizer_of(session.tournament)
    east = judge.seat(session, "E")
    substitutes_operations.seat_substitute(east, judge.substitute(of), [session], by=by, reason=REASON)
    make.record(table_of(session))
    found = refused(
        lambda: substitutes_operations.return_player(east, [session], by=by, reason="Here after all.")
    )
    assert found == ["table_started"]


def test_the_chief_referee_does_not_play():
    """[RIICHI reg. 5.5]"""
    session = scene()
    of, by = session.tournament, make.organizer_of(session.tournament)
    mira = judge.substitute(of)
    Role.objects.create(tournament=of, kind="chief_referee", player=mira.player)
    east = judge.seat(session, "E")
    found = refused(
        lambda: substitutes_operations.seat_substitute(east, mira, [session], by=by, reason=REASON)
    )
    assert found == ["conflict_of_interest"]
    chief = of.roles.create(kind="chief_referee", user=make.user())
    found = refused(lambda: enrol_substitute(of, registration.Details(name="Zoya"), by=by, role=chief))
    assert found == ["conflict_of_interest"]


@pytest.mark.parametrize("allowed", [True, False])
def test_assistants_substitute_where_the_regulation_lets_them(allowed):
    """[RIICHI reg. 5.6]"""
    problems = substitution_problems(
        Candidate("Lada", is_assistant=True), SeatState("Wren", 1, 1), 1, assistants_substitute=allowed
    )
    assert [problem.code for problem in problems] == ([] if allowed else ["assistant_plays"])


def test_an_assistant_who_plays_does_not_judge_that_table():
    """[INTEGRITY 118]"""
    session = scene()
    of, by = session.tournament, make.organizer_of(session.tournament)
    role = of.roles.create(kind="referee", user=make.user())
    lada = enrol_substitute(of, registration.Details(name="Lada"), by=by, role=role)
    role.refresh_from_db()
    assert (lada.is_assistant, role.player) == (True, lada.player)


BAD = {
    "seated-already": (Candidate("Mira", table=3), SeatState("Wren", 1, 1), 1, ["player_twice"]),
    "hand-to-come": (Candidate("Mira"), SeatState("Wren", 1, 1, hands=2), 4, ["out_of_range"]),
    "hand-zero": (Candidate("Mira"), SeatState("Wren", 1, 1), 0, ["out_of_range"]),
    "closed": (Candidate("Mira"), SeatState("Wren", 1, 1, is_session_over=True), 1, ["round_closed"]),
    "confirmed": (Candidate("Mira"), SeatState("Wren", 1, 1, is_settled=True), 1, ["game_signed"]),
}


@pytest.mark.parametrize(("candidate", "place", "hand", "expected"), BAD.values(), ids=BAD)
def test_a_seat_is_not_taken_anyhow(candidate, place, hand, expected):
    """[RULES 1.3]"""
    problems = substitution_problems(candidate, place, hand, assistants_substitute=True)
    assert [problem.code for problem in problems] == expected


def test_nobody_returns_who_was_not_away():
    assert [problem.code for problem in return_problems(SeatState("Wren", 1, 1))] == ["wrong_state"]


def test_three_play_on_where_a_seat_stays_empty():
    """[SBR 3.1.3] [RULES 8.33]"""
    session = scene()
    of, by = session.tournament, make.organizer_of(session.tournament)
    north = judge.seat(session, "N")
    substitutes_operations.leave_empty(north, session, by=by, reason=REASON)
    three = make.east_from_south()
    three["end"] = {wind: {"state": "waiting", "max_base": 1} for wind in "SW"}
    make.record(table_of(session), three)
    ledger = session_ledger(event_of(of), event_of(of).sessions[0])
    assert [row.tournament_points for row in ledger.tables[1].values()] == [4, 2, 3]
    assert str(ledger.results[north.pk].kind) == "fixed"
    assert verify(of) == []


def test_two_left_at_a_table_do_not_play_and_are_awarded():
    """[SBR 3.1.4] [RULES 8.34]"""
    session = scene()
    of, by = session.tournament, make.organizer_of(session.tournament)
    for wind in "WN":
        leave_empty(judge.seat(session, wind), session, by=by, reason=REASON)
    assert not Protocol.objects.filter(table__session=session, table__number=1).exists()
    found = results(session)
    kinds = {seat.wind: str(found[seat.kept_for_id or seat.player_id].kind) for seat in first_table(session)}
    assert kinds == {"E": "awarded", "S": "awarded", "W": "fixed", "N": "fixed"}
    assert verify(of) == []


def first_table(session: Session):
    return session.seats.filter(table__number=1)


def test_a_table_gets_its_protocol_back_with_a_substitute():
    """[SBR 3.1.1]"""
    session = scene()
    of, by = session.tournament, make.organizer_of(session.tournament)
    west, north = judge.seat(session, "W"), judge.seat(session, "N")
    for player in (west, north):
        leave_empty(player, session, by=by, reason=REASON)
    substitutes_operations.seat_substitute(
        west, judge.substitute(of), [session], by=by, reason="A substitute has come."
    )
    assert Protocol.objects.filter(table__session=session, table__number=1).exists()
    assert verify(of) == []


def test_a_begun_table_keeps_its_players():
    """[RULES 8.34]"""
    session = scene()
    by = make.organizer_of(session.tournament)
    make.record(table_of(session))
    east = judge.seat(session, "E")
    assert refused(lambda: leave_empty(east, session, by=by, reason=REASON)) == ["table_started"]


def test_a_substitute_completes_a_table_of_three():
    """[SBR 3.1.1] [RULES 8.34]"""
    session = scene(7)
    of, by = session.tournament, make.organizer_of(session.tournament)
    short = next(table for table in session.tables.all() if table.seats.count() == 3)
    short.session = session
    mira = judge.substitute(of)
    seat = fill_seat(short, "N", mira, by=by, reason="To make the table complete.")
    assert (seat.player, seat.kept_for) == (mira.player, None)
    event = event_of(of)
    assert mira.player_id not in session_ledger(event, event.sessions[0]).results
    assert verify(of) == []
    lada = judge.substitute(of, "Lada")
    substitutes_operations.seat_substitute(
        mira.player, lada, [session], by=by, reason="Mira had to leave early."
    )
    seat.refresh_from_db()
    assert (seat.player, seat.kept_for) == (lada.player, None)
    assert verify(of) == []


def test_a_withdrawn_players_seat_asks_for_somebody():
    """[RULES 8.7]"""
    of = make.tournament("sbr")
    make.players(of, 8)
    session = make.in_play(of)
    second = make.seated(of, 2)
    second.tournament = session.tournament = of
    player = judge.seat(second, "E")
    of.refresh_from_db()
    registration.withdraw(player.registration, by=make.organizer_of(of), reason="Called away.")
    assert [seat.player for seat in seats_of_the_gone(second)] == [player]


@pytest.mark.parametrize(("protocol", "asks"), [("hands", True), ("final_result", False)])
def test_the_page_asks_for_hands_only_where_hands_are_recorded(client, protocol, asks):
    """Where only final points are written down nobody can say after which hand somebody came or left."""
    session = scene(8)
    of = session.tournament
    session.regulation = {**of.regulation, "protocol": protocol}
    session.save(update_fields=["regulation"])
    enrol_substitute(of, registration.Details(name="Ruff"), by=make.organizer_of(of))
    client.force_login(of.created_by)
    address = f"/{of.slug}/desk/substitutes/session-{session.number}/"
    page = client.get(address)
    fields = page.content.decode()
    assert ('name="from_hand"' in fields) == asks
    assert ('name="last_hand"' in fields) == asks
    player = session.seats.first().player_id
    substitute = of.substitutes.get().pk
    said = {"player": player, "substitute": substitute, "sessions": ["1"], "reason": REASON}
    answer = client.post(address, said, follow=True, headers={"accept-language": "en"})
    told = answer.content.decode()
    assert session.seats.filter(kept_for=player).exists(), told
    assert ("plays from hand" in " ".join(told.split())) == asks
