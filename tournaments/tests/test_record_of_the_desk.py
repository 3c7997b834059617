"""Whatever the desk and the tables let people say, the record of it is a valid one. [RECORD]"""

import json
from datetime import timedelta
from pathlib import Path

import jsonschema
import pytest

import scoring
from penalties.ladder.operations import penalties
from penalties.lateness import operations as lateness_operations
from penalties.substitutes import operations as substitutes_operations
from penalties.tests import factories as judge
from tournaments.exchange.intake import import_record
from tournaments.exchange.record import export_record
from tournaments.models import Protocol, Standing, Tournament
from tournaments.people.operations import registration
from tournaments.sessions.operations import play
from tournaments.standings.operations import recompute
from tournaments.tables.operations import protocols, substitutes
from tournaments.tests import factories as make
from tournaments.tests.random_records import moved

pytestmark = pytest.mark.django_db

SCHEMA = json.loads((Path(scoring.__file__).parents[1] / "docs" / "record.schema.json").read_text("utf-8"))
VALID = jsonschema.Draft202012Validator(SCHEMA)


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("", "Taken back at the table at once"),
        ("oops", "Taken back at the table at once: oops"),
        ("   ", "Taken back at the table at once"),
        ("Wrong seat chosen", "Wrong seat chosen"),
    ],
)
def test_a_hand_taken_back_in_few_words_can_be_told(said, written):
    """The table may be brief; a record asks for ten letters. [RECORD 2]"""
    protocol = make.protocol()
    make.record(protocol)
    by = make.organizer_of(protocol.table.session.tournament)
    protocols.undo_hand(protocol, number=1, intent=make.intent(protocol), by=by, reason=said)
    out = export_record(protocol.table.session.tournament)
    VALID.validate(out)
    (hand,) = out["declared"]["sessions"][0]["tables"][0]["protocol"]["superseded"]
    assert (hand["how"], hand["reason"]) == ("undone", written)


def test_a_final_result_replaced_in_few_words_can_be_told():
    """[RECORD 2]"""
    protocol = make.protocol("riichi_ema", protocol="final_result")
    by = make.organizer_of(protocol.table.session.tournament)
    for south in (30000, 29000):
        points = {"E": 60000 - south, "S": south, "W": 30000, "N": 30000}
        protocols.record_final_result(protocol, points, intent=make.intent(protocol), by=by, reason="typo")
    out = export_record(protocol.table.session.tournament)
    VALID.validate(out)
    (old,) = out["declared"]["sessions"][0]["tables"][0]["protocol"]["superseded"]
    assert old["reason"] == "Taken back at the table at once: typo"


@pytest.mark.parametrize(
    ("typed", "name", "slug"),
    [
        pytest.param("Spring_Cup", "Spring", "spring-cup", id="typed with capitals"),
        pytest.param("", "Кубок_весны", "kubok-vesny", id="an underscore in the name"),
        pytest.param("", f"{'x' * 49} and a word", "x" * 49, id="a long name cut at a space"),
    ],
)
def test_an_event_has_an_address_that_its_record_may_have(client, typed, name, slug):
    """[RECORD 2]"""
    client.force_login(make.user())
    form = {"name": name, "preset": "sbr", "slug": typed, "first_day": "2026-05-09", "time_zone": "UTC"}
    client.post("/new/", form)
    out = export_record(Tournament.objects.get(slug=slug))
    VALID.validate(out)
    assert out["declared"]["tournament"]["slug"] == slug


def test_an_address_of_another_form_is_told_in_the_form_of_records():
    """[RECORD 2]"""
    of = make.tournament()
    Tournament.objects.filter(pk=of.pk).update(slug="Old_Cup--7")
    out = export_record(Tournament.objects.get(pk=of.pk))
    VALID.validate(out)
    assert out["declared"]["tournament"]["slug"] == "old-cup-7"


def put_another_in_the_seat(player, session, by):
    substitute = substitutes.enrol_substitute(session.tournament, registration.Details(name="Rook"), by=by)
    substitutes.seat_substitute(player, substitute, [session], by=by, reason="Cancelled this morning")


def leave_the_seat_empty(player, session, by):
    substitutes.leave_empty(player, session, by=by, reason="Cancelled this morning")


def do_nothing(player, session, by):
    """The desk has not noticed yet."""


@pytest.mark.parametrize("see_to_it", [put_another_in_the_seat, leave_the_seat_empty, do_nothing])
def test_who_cancels_after_the_draw_has_a_seat_and_stops_neither_standings_nor_record(see_to_it):
    """[RECORD 2] [RULES 8.7]"""
    of = make.tournament()
    row, by = make.players(of, 8)[0], make.organizer_of(of)
    session = make.seated(of)
    assert registration.withdraw(row, by=by).status == "cancelled"
    row.player.tournament = session.tournament = of
    see_to_it(row.player, session, by)
    VALID.validate(export_record(of))
    session = play.start_session(session, by=by)
    full = Protocol.objects.filter(table__session=session).exclude(table__seats__player=None)
    for protocol in full.select_related("table__session__tournament"):
        make.record(protocol)
    recompute.recompute_all(of)
    row.refresh_from_db()
    assert (row.status, row.last_session) == ("withdrawn", 1)
    assert Standing.objects.filter(tournament=of, player=row.player).exists()
    out = export_record(Tournament.objects.get(pk=of.pk))
    VALID.validate(out)
    assert {
        "player": "p1",
        "number": 1,
        "status": "withdrawn",
        "checked_in": False,
        "last_session": 1,
    } in out["declared"]["registrations"]
    again = moved(out, "elsewhere")
    assert export_record(import_record(again, by=by).tournament)["declared"] == again["declared"]


@pytest.mark.parametrize(("seconds", "is_waived"), [(900, False), (901, True)])
def test_who_came_too_late_and_was_let_back_is_told_as_forgiven(seconds, is_waived):
    """A record knows nobody who sits beyond the last band. [SBR 2.8.4.5] [RECORD 2]"""
    of = make.tournament()
    row, by = make.players(of, 4)[0], make.organizer_of(of)
    session = make.in_play(of)
    row.player.tournament = of
    (late,) = lateness_operations.mark_late(session, [row.player], by=make.referee_of(of))
    lateness_operations.note_arrival(
        late, by=make.referee_of(of), at=session.started_at + timedelta(seconds=seconds)
    )
    if is_waived:
        lateness_operations.waive(late, by=make.referee_of(of), reason="The bus broke down")
        substitutes.return_player(row.player, [session], by=by, reason="The bus broke down")
    out = export_record(Tournament.objects.get(pk=of.pk))
    VALID.validate(out)
    waived = {"waived": True, "reason": "The bus broke down"} if is_waived else {}
    assert out["declared"]["lateness"] == [{"session": 1, "player": "p1", "seconds": seconds} | waived]
    assert out["computed"]["lateness"][0]["game_points"] == (0 if is_waived else -16)


def placed(of):
    """Everybody's place, TP and GP by name, as the standings have them."""
    recompute.recompute(of.pk)
    return {
        str(row.player): (row.place, row.values["tournament_points"], row.values["game_points"])
        for row in of.standings.select_related("player")
    }


@pytest.mark.parametrize("revoked", [False, True], ids=["in force", "one revoked after the substitution"])
def test_penalties_from_before_a_substitution_stay_with_the_seat_at_the_desk_and_in_the_record(revoked):
    """The seat has one result, and penalties of the player replaced stay with it. [RECORD 2] [RULES 8.35]"""
    of = make.tournament(sessions=1)
    make.players(of, 4)
    session = make.in_play(of)
    session.tournament, by = of, make.organizer_of(of)
    east, south = (judge.seat(session, wind) for wind in "ES")
    *_, last = [judge.give(east, "touching", session, hand=1) for _ in range(7)]
    protocol = Protocol.objects.select_related("table__session__tournament").get(table__session=session)
    make.record(protocol, make.east_from_south(fans=1))
    plays = judge.substitute(of)
    substitutes_operations.seat_substitute(
        east, plays, [session], by=by, reason="Fell ill in the first hand."
    )
    plays.player.tournament = of
    judge.give(plays.player, "touching", session, hand=2)
    judge.give(plays.player, "touching", session, hand=2)
    if revoked:
        penalties.revoke(last, by=make.chief_referee_of(of), reason="The claim was a good one.")
    make.settle(session)
    play.close_session(type(session).objects.get(pk=session.pk), by=by)

    out = json.loads(json.dumps(export_record(Tournament.objects.get(pk=of.pk))))
    (table,) = out["computed"]["sessions"][0]["tables"]
    seat, taken = table["seats"]["E"], (24 if revoked else 48) + 2
    assert seat["table_points"] == seat["hands"] - taken
    assert (seat["place"], seat["tournament_points"]) == ("4", "1")
    at_the_desk = placed(of)
    assert at_the_desk[str(east)][1:] == (0, 0)
    assert at_the_desk[str(south)][1] == 2

    taken_in = import_record(moved(out, "elsewhere"), by=make.actor(make.user(), "organizer"))
    assert not taken_in.differences
    assert placed(taken_in.tournament) == at_the_desk
    assert json.loads(json.dumps(export_record(taken_in.tournament)))["computed"] == out["computed"]
