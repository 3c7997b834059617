"""Removed in the middle of a session with no substitute: the hands so far stand, and the others go on. [RULES 8.55]"""

import json
from pathlib import Path
from random import Random

import jsonschema
import pytest

import scoring
from penalties.ladder.operations import penalties
from penalties.ladder.queries.penalties import JudgedEvent
from penalties.ladder.rules.offences import offences
from penalties.models import Penalty
from penalties.substitutes import operations as substitutes_operations
from penalties.tests import factories as judge
from scoring.standings.sessions import session_ledger
from tournaments.exchange.intake import import_record
from tournaments.exchange.record import export_record
from tournaments.models import Player, Protocol, Session
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import play
from tournaments.standings.operations.recompute import recompute
from tournaments.standings.operations.verification import verify
from tournaments.tables.operations import protocols
from tournaments.tables.operations.mirrors import check_hand
from tournaments.tables.operations.recording import Intent
from tournaments.tables.queries.events import event_of
from tournaments.tables.queries.mirrors import checks_of
from tournaments.tables.queries.protocol_rows import protocol_rows
from tournaments.tables.queries.sheets import sheet_of
from tournaments.tables.queries.state import protocol_state
from tournaments.tests import factories as make
from tournaments.tests.random_hands import random_facts

pytestmark = pytest.mark.django_db
REASON = "Removed, and nobody of the pool is free."
SCHEMA = json.loads((Path(scoring.__file__).parents[1] / "docs" / "record.schema.json").read_text("utf-8"))
GOES_ON = {"sbr": 4, "wmsg": 4, "red": 4, "siamese": 3}
TOO_FEW = {"mcr": 4, "riichi_ema": 4}


def scene(preset: str = "sbr", size: int = 4, **changes: object) -> tuple[Session, Protocol]:
    """A table in play."""
    protocol = make.protocol(preset, size, **changes)
    session = protocol.table.session
    return session, protocol


def deal(protocol: Protocol, hands: int, chance: Random) -> None:
    """Record possible hands, thrown for those who sit there."""
    for _ in range(hands):
        at = sheet_of(protocol).play().situation
        while True:
            try:
                make.record(protocol, random_facts(protocol.table.session.tournament.system, at, chance))
            except Refused:
                continue
            break


def refused(work) -> list[str]:
    with pytest.raises(Refused) as found:
        work()
    return [problem.code for problem in found.value.problems]


def remove(player: Player, session: Session) -> Penalty:
    rules = JudgedEvent(session.tournament).rules_of(session.number).penalties
    offered = {str(one.mode): one.code for one in offences(session.tournament.system, rules)}
    offence = offered.get("grave") or offered["decision"]
    said = {"effect": "removal", "kind": "decision", "reason": "Struck another player."}
    return judge.give(player, offence, session, **said)


def points(protocol: Protocol) -> dict[str, int]:
    return {seat.wind: seat.hand_points for seat in protocol.table.seats.all()}


def fresh(protocol: Protocol) -> Protocol:
    return Protocol.objects.select_related("table__session__tournament").get(pk=protocol.pk)


@pytest.mark.parametrize("preset", GOES_ON)
def test_the_others_go_on_and_no_hand_counts_in_the_seat_that_was_left(preset):
    """[RULES 8.55] [SBR 3.1.2] [RULES 8.33]"""
    chance = Random(preset)
    session, protocol = scene(preset, GOES_ON[preset])
    of = session.tournament
    deal(protocol, 3, chance)
    south = judge.seat(session, "S")
    before = points(protocol)
    kept = [row.payments for row in sheet_of(protocol).rows]

    remove(south, session)
    deal(protocol, 4, chance)

    protocol = fresh(protocol)
    rows = sheet_of(protocol).rows
    assert [row.payments for row in rows[:3]] == kept
    assert all("S" not in row.payments for row in rows[3:])
    assert points(protocol)["S"] == before["S"]
    assert "S" not in {row.dealer for row in rows[3:]}
    state = protocol_state(protocol)
    assert [seat.get("left_after") for seat in state["seats"] if seat["wind"] == "S"] == [3]
    with pytest.raises(Refused):
        make.record(
            protocol, {"events": [{"type": "win", "from": "E", "winners": [{"seat": "S", "fans": 8}]}]}
        )
    assert verify(of) == []


@pytest.mark.parametrize("preset", TOO_FEW)
def test_where_three_may_not_play_the_game_ends_with_the_hands_that_it_has(preset):
    """[RULES 8.33] [RULES 8.55]"""
    chance = Random(preset)
    session, protocol = scene(preset)
    deal(protocol, 3, chance)
    before = points(protocol)

    remove(judge.seat(session, "W"), session)

    assert sheet_of(fresh(protocol)).play().situation.is_over
    facts = random_facts(session.tournament.system, sheet_of(protocol).play().hands[0].before, chance)
    assert refused(lambda: make.record(protocol, facts)) == ["game_over"]
    assert points(protocol) == before
    assert verify(session.tournament) == []


SOUTH_FROM_WEST = {
    "events": [{"type": "win", "from": "W", "winners": [{"seat": "S", "fans": 1}]}],
    "end": {wind: {"state": "waiting", "max_base": 1} for wind in "WN"},
}


def finish(session: Session, staying: str) -> None:
    """End table 1, let those confirm who stayed, and close the session."""
    protocol = Protocol.objects.select_related("table__session__tournament").get(table__session=session)
    by = make.organizer_of(session.tournament)
    protocols.end_protocol(protocol, intent=make.intent(protocol), by=by)
    for wind in staying:
        totals = points(protocol)
        protocols.confirm_seat(protocol, wind, totals=totals, intent=make.intent(protocol), by=by)
    assert fresh(protocol).state == Protocol.State.CONFIRMED
    play.close_session(session, by=by)


def ledger(session: Session) -> dict[str, tuple[int, int | None]]:
    event = event_of(session.tournament)
    table = session_ledger(event, event.sessions[0]).tables[1]
    return {str(wind): (one.hands, one.tournament_points) for wind, one in table.items()}


def test_the_seat_keeps_its_points_and_is_ranked_at_the_table():
    """A table of four brings 4, 3, 2 and 1, and only those who stayed confirm. [RULES 8.55] [SBR 2.7.5] [SBR 2.5.8.4]"""
    session, protocol = scene()
    make.record(protocol, make.east_from_south(2))
    remove(judge.seat(session, "E"), session)
    make.record(protocol, SOUTH_FROM_WEST)
    finish(session, "SWN")
    assert ledger(session) == {"E": (4, 4), "S": (-2, 1.5), "W": (-2, 1.5), "N": (0, 3)}
    recompute(session.tournament.pk)
    assert verify(session.tournament) == []


@pytest.mark.parametrize("preset", [*GOES_ON, *TOO_FEW])
def test_the_record_tells_who_left_and_comes_back_the_same(preset):
    """[RECORD 2] [RULES 8.55]"""
    chance = Random(preset)
    session, protocol = scene(preset, (GOES_ON | TOO_FEW)[preset])
    of = session.tournament
    deal(protocol, 2, chance)
    remove(judge.seat(session, "E"), session)
    if preset in GOES_ON:
        deal(protocol, 3, chance)
    finish(session, "SW" if preset == "siamese" else "SWN")
    recompute(of.pk)
    out = export_record(of)
    jsonschema.Draft202012Validator(SCHEMA).validate(out)
    (table,) = out["declared"]["sessions"][0]["tables"]
    assert [seat.get("left_after") for seat in table["seats"]][:2] == [2, None]
    taken = import_record(out, by=make.organizer_of(of), slug="copy").tournament
    recompute(taken.pk)
    again = export_record(taken)
    assert again["declared"]["sessions"] == out["declared"]["sessions"]
    assert again["computed"] == out["computed"]
    assert verify(taken) == []


def test_before_the_first_hand_the_seat_is_empty_from_the_start():
    """[RULES 8.34] [RULES 8.55] [SBR 3.1.3]"""
    session, _ = scene()
    east = judge.seat(session, "E")
    given = remove(east, session)
    seat = session.seats.get(wind="E")
    assert (seat.player, seat.kept_for, seat.left_after) == (None, east, None)
    penalties.revoke(given, by=make.chief_referee_of(session.tournament), reason="It was his neighbour.")
    assert session.seats.get(wind="E").player == east


def test_before_the_first_hand_nothing_more_is_recorded_where_three_may_not_play():
    """The seat waits for a substitute, and the table is not taken away. [RULES 8.33] [RULES 8.55]"""
    session, protocol = scene("mcr")
    of = session.tournament
    east, mira = judge.seat(session, "E"), judge.substitute(of)
    remove(east, session)
    assert sheet_of(protocol).play().situation.is_over
    substitutes_operations.seat_substitute(east, mira, [session], by=make.organizer_of(of), reason=REASON)
    assert not sheet_of(fresh(protocol)).play().situation.is_over
    deal(protocol, 1, Random("mcr"))
    assert verify(of) == []


def test_a_revoked_removal_gives_the_seat_back_while_nobody_played_without_the_player():
    """[RULES 8.55]"""
    session, protocol = scene()
    of = session.tournament
    make.record(protocol)
    south = judge.seat(session, "S")
    given = remove(south, session)
    assert session.seats.get(wind="S").has_left
    penalties.revoke(given, by=make.chief_referee_of(of), reason="It was his neighbour.")
    assert not session.seats.get(wind="S").has_left
    make.record(protocol)
    assert "S" in sheet_of(fresh(protocol)).rows[1].payments
    assert verify(of) == []


def test_who_was_removed_takes_the_seat_again_only_when_that_is_revoked(client):
    """[RULES 8.55] [SBR 2.8.5]"""
    session, protocol = scene()
    of, west = session.tournament, judge.seat(session, "W")
    make.record(protocol)
    row = remove(west, session)
    chief = make.chief_referee_of(of)
    assert refused(
        lambda: substitutes_operations.return_player(
            west, [session], by=chief, reason="Says sorry, wants to play."
        )
    ) == ["is_out"]
    client.force_login(make.staff(of, "chief_referee"))
    page = " ".join(client.get(f"/{of.slug}/desk/substitutes/session-1/").content.decode().split())
    assert ("is out of the event" in page, "The player is back" in page) == (True, False)
    penalties.revoke(row, by=chief, reason="It was another player.")
    assert not judge.seat(session, "W").seats.get(session=session).has_left


def test_after_a_hand_of_three_a_revoked_removal_gives_the_next_session_only():
    session, protocol = scene()
    of, by = session.tournament, make.chief_referee_of(session.tournament)
    make.record(protocol)
    west = judge.seat(session, "W")
    given = remove(west, session)
    make.record(
        protocol, {**make.east_from_south(), "end": {w: {"state": "waiting", "max_base": 1} for w in "SN"}}
    )
    penalties.revoke(given, by=by, reason="It was his neighbour.")
    assert session.seats.get(wind="W").left_after == 1
    found = refused(lambda: substitutes_operations.return_player(west, [session], by=by, reason=REASON))
    assert found == ["table_started"]
    assert verify(of) == []


def three(fans: int = 0) -> dict:
    """A hand of East, South and North."""
    return {**make.east_from_south(fans), "end": {wind: {"state": "waiting", "max_base": 1} for wind in "SN"}}


def test_a_substitute_who_comes_later_plays_from_that_hand_on():
    """The hands between were played by three. [RULES 8.35] [RULES 8.55]"""
    session, protocol = scene()
    of, by = session.tournament, make.organizer_of(session.tournament)
    west, mira = judge.seat(session, "W"), judge.substitute(of)
    make.record(protocol)
    remove(west, session)
    make.record(protocol, three())
    seat = substitutes_operations.seat_substitute
    assert refused(lambda: seat(west, mira, [session], by=by, reason=REASON, from_hand=1)) == ["out_of_range"]
    seat(west, mira, [session], by=by, reason=REASON)
    make.record(protocol)
    sheet = sheet_of(fresh(protocol))
    assert ["W" in row.payments for row in sheet.rows] == [True, False, True]
    row = session.seats.select_related("player", "kept_for").get(wind="W")
    assert [row.sat_at(number) for number in (1, 2, 3)] == [west, None, mira.player]
    assert verify(of) == []


def test_a_substitute_in_a_seat_that_was_empty_from_the_start_has_no_part_in_the_hands_before(client):
    """[RULES 8.33] [RULES 8.55]"""
    session, protocol = scene("siamese", 3)
    player, mira = judge.seat(session, "W"), judge.substitute(session.tournament)
    by = make.organizer_of(session.tournament)
    substitutes_operations.leave_empty(player, session, by=by, reason=REASON)
    deal(fresh(protocol), 1, Random("empty"))
    substitutes_operations.seat_substitute(player, mira, [session], by=by, reason=REASON)
    seat = session.seats.get(wind="W")
    assert (seat.left_after, seat.from_hand, seat.is_empty_in(1), seat.is_empty_in(2)) == (0, 2, True, False)
    deal(fresh(protocol), 1, Random("taken"))
    assert verify(session.tournament) == []
    public = client.get(f"/{session.tournament.slug}/session-1/table-1/").content.decode()
    assert ("left the table after hand" in public, "plays for" in public) == (False, True)


def test_a_substitute_who_came_later_says_on_the_phone_whether_a_hand_is_right():
    """[RULES 8.55] [RULES 9.24]"""
    session, protocol = scene()
    west, mira = judge.seat(session, "W"), judge.substitute(session.tournament)
    by = make.organizer_of(session.tournament)
    make.record(protocol)
    remove(west, session)
    make.record(protocol, three())
    substitutes_operations.seat_substitute(west, mira, [session], by=by, reason=REASON)
    make.record(protocol)

    def word(number):
        hand = protocol.hands.get(number=number, status="in_force")
        intent = Intent(seen=0, key=f"{number}" * 20, body={"hand": hand.pk})
        return check_hand(protocol, hand.pk, "W", is_right=True, text="", intent=intent, by=by)

    assert refused(lambda: word(2)) == ["not_seated"]
    word(3)
    assert checks_of(protocol)["said"] == {"W": True}


def test_a_substitute_who_comes_at_once_leaves_no_gap():
    session, protocol = scene()
    of, by = session.tournament, make.organizer_of(session.tournament)
    west, mira = judge.seat(session, "W"), judge.substitute(of)
    make.record(protocol)
    remove(west, session)
    substitutes_operations.seat_substitute(west, mira, [session], by=by, reason=REASON)
    row = session.seats.get(wind="W")
    assert (row.left_after, row.from_hand, row.has_left) == (None, 2, False)
    assert verify(of) == []


def test_hands_that_were_recorded_after_it_are_worked_out_for_those_who_stayed():
    """The desk may name the last hand later; a hand in which the seat has a part is refused. [RULES 8.55]"""
    session, protocol = scene("red")
    of, by = session.tournament, make.organizer_of(session.tournament)
    won = {"type": "win", "winners": [{"seat": "E", "fans": 10}]}
    for event in ({**won, "from": "S"}, won, {**won, "from": "N"}):
        make.record(protocol, {"events": [event]})
    west, north = judge.seat(session, "W"), judge.seat(session, "N")
    leave = substitutes_operations.leave_empty
    assert refused(lambda: leave(north, session, by=by, reason=REASON, last_hand=1)) == ["wrong_players"]
    assert refused(lambda: leave(west, session, by=by, reason=REASON, last_hand=5)) == ["out_of_range"]
    assert points(protocol) == {"E": 50, "S": -20, "W": -10, "N": -20}
    leave(west, session, by=by, reason=REASON, last_hand=1)
    assert points(protocol) == {"E": 40, "S": -20, "W": 0, "N": -20}
    assert verify(of) == []


def test_corrections_and_voids_of_earlier_hands_keep_the_count_of_those_who_sat():
    """[RULES 8.55] [RULES 8.53]"""
    session, protocol = scene()
    of, referee = session.tournament, make.chief_referee_of(session.tournament)
    for fans in (0, 1):
        make.record(protocol, make.east_from_south(fans))
    west = judge.seat(session, "W")
    remove(west, session)
    make.record(protocol, three(2))
    told = {"by": referee, "reason": REASON}
    facts = {
        "events": [{"type": "win", "from": "W", "winners": [{"seat": "E", "fans": 3}]}],
        "end": {wind: {"state": "waiting", "max_base": 1} for wind in "SWN"},
    }
    protocols.correct_hand(protocol, facts, number=2, intent=make.intent(protocol), **told)
    assert points(protocol) == {"E": 1 + 8 + 4, "S": -5, "W": -8, "N": 0}
    bad = refused(
        lambda: protocols.correct_hand(protocol, facts, number=3, intent=make.intent(protocol), **told)
    )
    assert bad
    protocols.void_hand(protocol, number=1, intent=make.intent(protocol), **told)
    assert session.seats.get(wind="W").left_after == 1
    assert points(protocol) == {"E": 12, "S": -4, "W": -8, "N": 0}
    assert verify(of) == []
    struck = protocol.hands.get(status="voided")
    protocols.restore_hand(protocol, hand=struck.pk, intent=make.intent(protocol), **told)
    assert session.seats.get(wind="W").left_after == 2
    assert points(protocol) == {"E": 13, "S": -5, "W": -8, "N": 0}
    protocols.void_hand(protocol, number=3, intent=make.intent(protocol), **told)
    assert session.seats.get(wind="W").left_after == 2
    struck = protocol.hands.filter(status="voided", replaced_by=None).get()
    protocols.restore_hand(protocol, hand=struck.pk, intent=make.intent(protocol), **told)
    assert session.seats.get(wind="W").left_after == 2
    assert points(protocol) == {"E": 13, "S": -5, "W": -8, "N": 0}
    assert verify(of) == []


def test_the_table_takes_back_no_hand_of_somebody_who_has_left():
    """[RULES 8.55]"""
    session, protocol = scene()
    by = make.organizer_of(session.tournament)
    make.record(protocol)
    remove(judge.seat(session, "W"), session)
    undo = protocols.undo_hand
    assert refused(lambda: undo(protocol, number=1, intent=make.intent(protocol), by=by)) == ["forbidden"]
    make.record(protocol, three())
    undo(protocol, number=2, intent=make.intent(protocol), by=by)
    assert len(sheet_of(protocol).rows) == 1


def test_where_points_are_counted_at_the_end_those_of_everybody_are_counted():
    """[RIICHI reg. 6.2] [RULES 8.55]"""
    session, protocol = scene("riichi_ema", protocol="final_result")
    by = make.organizer_of(session.tournament)
    east = judge.seat(session, "E")
    remove(east, session)
    assert session.seats.get(wind="E").left_after is None
    leave = substitutes_operations.leave_empty
    assert refused(lambda: leave(east, session, by=by, reason=REASON, last_hand=2)) == ["wrong_state"]
    final = {"E": 20000, "S": 40000, "W": 30000, "N": 30000}
    protocols.record_final_result(protocol, final, intent=make.intent(protocol), by=by)
    assert points(protocol)["E"] == -10000


def test_pages_say_who_left_and_after_which_hand(client):
    """[RULES 8.55]"""
    session, protocol = scene()
    of = session.tournament
    make.record(protocol)
    west = judge.seat(session, "W")
    remove(west, session)
    make.record(protocol, three())
    page = client.get(f"/{of.slug}/session-1/table-1/").content.decode()
    assert f"{west} left the table after hand 1" in " ".join(page.split())
    assert [row.what for row in protocol_rows(fresh(protocol)).rows][1].count("None") == 0
    client.force_login(make.staff(of, "chief_referee"))
    clock = client.get(f"/{of.slug}/desk/lateness/session-1/").content.decode()
    assert f'value="{west.pk}"' not in clock
    judging = client.get(f"/{of.slug}/desk/judging/").content.decode()
    assert f"{west} left table 1 after hand 1; nobody plays in that seat." in " ".join(judging.split())
