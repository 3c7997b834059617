"""What judges print: slip, list of latenesses, file and receipt; the printer's page; penalties on the final protocol."""

from datetime import date
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from penalties.ladder.operations import penalties
from penalties.lateness import operations as lateness
from penalties.models import Penalty
from penalties.paper import operations
from penalties.tests import factories as judge
from penalties.tests.test_phone import phone, pressed, scene, send, state
from tournaments.record.refusal import Refused
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db


def read(answer) -> str:
    return unescape(" ".join(strip_tags(answer.content.decode().replace("<", " <")).split()))


def shown(client, name, *args) -> str:
    return read(client.get(reverse(f"penalties:{name}", args=args)))


def test_a_slip_says_what_was_decided_and_until_when_it_can_be_appealed():
    """[SBR 2.8.2] [SBR 2.9.2]"""
    session = scene()
    east = judge.seat(session, "E")
    for _ in range(3):
        judge.give(east, "late_claim", session)
    page = shown(phone(session), "penalty_slip", session.tournament.slug, 3)
    assert str(east) in page
    assert "Claim later than 3 seconds after the discard [SBR 2.8.2 (5)]" in page
    assert "Step 3 / 7" in page
    assert "Taken −2" in page
    assert "the time runs from the end of the session" in page


KINDS = Penalty.Effect
EFFECTS = [
    (
        {"points": 8, "effect": KINDS.GAME_POINTS, "to": "table"},
        ["Taken −24", "Received by: Each other player"],
    ),
    ({"points": 1, "effect": KINDS.TOURNAMENT_POINTS}, ["Tournament points", "Taken −1 TP"]),
    ({"effect": KINDS.WARNING}, ["What follows Warning"]),
    ({"effect": KINDS.DEAD_HAND, "hand": 1}, ["What follows Dead hand", "hand 1"]),
    ({"effect": KINDS.REMOVAL}, ["What follows Removal from the event"]),
    (
        {"effect": KINDS.DISQUALIFICATION, "until": date(2027, 3, 1)},
        ["Disqualification until 1 March 2027 · Awaiting a second approval"],
    ),
]


@pytest.mark.parametrize(("said", "words"), EFFECTS, ids=[said["effect"] for said, _ in EFFECTS])
def test_a_slip_tells_every_consequence_and_who_decided(said, words):
    """[RULES 1.8] [SBR 2.8.3] [SBR 2.8.5]"""
    session = scene()
    given = judge.give(
        judge.seat(session, "E"),
        "other",
        session,
        kind="decision",
        clause="SBR 2.8",
        reason="Shouted at the others.",
        **said,
    )
    page = shown(phone(session), "penalty_slip", session.tournament.slug, 1)
    for one in [*words, "Shouted at the others.", f"Decided by {given.given_by.title}, Chief referee"]:
        assert one in page
    assert ("Appeal the time runs" in page) == given.is_in_force
    assert ("What it did at the table" in page) == (said["effect"] == KINDS.GAME_POINTS)
    assert " -" not in shown(phone(session), "penalty", session.tournament.slug, 1)


def test_the_slip_of_a_revoked_penalty_says_by_whom_and_offers_no_appeal():
    session = scene()
    by = judge.judge(session.tournament)
    given = judge.give(judge.seat(session, "E"), "late_claim", session)
    penalties.revoke(given, by=by, reason="The claim was in time.")
    page = shown(phone(session), "penalty_slip", session.tournament.slug, 1)
    assert "The claim was in time." in page
    assert "the time runs" not in page


def test_a_slip_of_the_whole_event_and_of_riichi_says_whether_it_can_be_appealed():
    """A decision for the whole event is appealed with the session that began last; in riichi the chief referee is final. [RULES 8.53] [RIICHI reg. 5.4]"""
    session = scene()
    judge.give(
        judge.seat(session, "E"), "other", kind="decision", points=8, clause="SBR 2.8", reason=judge.LONG
    )
    assert "the time runs" in shown(phone(session), "penalty_slip", session.tournament.slug, 1)
    session = scene("riichi_festival")
    of = session.tournament
    for role, wind in (("referee", "E"), ("chief_referee", "S")):
        judge.give(
            judge.seat(session, wind),
            "other",
            session,
            by=judge.judge(of, role),
            kind="decision",
            points=8000,
            clause="RIICHI 5.5",
            reason=judge.LONG,
        )
    assert "the time runs" in shown(phone(session), "penalty_slip", of.slug, 1)
    assert "The chief referee's decisions are final here" in shown(phone(session), "penalty_slip", of.slug, 2)


def test_a_late_player_takes_home_what_it_cost_and_did():
    """[SBR 2.8.4.5] [SBR 2.9.2]"""
    session = scene()
    by = judge.judge(session.tournament)
    (late,) = lateness.mark_late(session, [judge.seat(session, "S")], by=by)
    lateness.note_arrival(late, by=by)
    number = late.player.registration.number
    page = shown(phone(session), "lateness_slip", session.tournament.slug, 1, number)
    for words in (str(late.player), "What follows −8", "SBR 2.8.4.5", "0 → −8", "Appeal the time runs"):
        assert words in page
    lateness.waive(late, by=by, reason="The bus of the organizer was late.")
    page = shown(phone(session), "lateness_slip", session.tournament.slug, 1, number)
    assert "waived" in page
    assert "the time runs" not in page


def test_the_slip_of_a_lateness_waits_for_the_desks_printer():
    """From a referee's phone or the desk, once; noted by mistake it is not printed. [SBR 2.8.4.5]"""
    session = scene()
    of, by = session.tournament, judge.judge(session.tournament)
    (late,) = lateness.mark_late(session, [judge.seat(session, "S")], by=by)
    lateness.note_arrival(late, by=by)
    client = phone(session)
    (told,) = state(client, session)["late"]
    assert (told["player"], told["cost"], told["is_printing"]) == (str(late.player), 8, False)
    press = pressed("print", {"kind": "late", "number": told["number"]}, about=0)
    for _ in range(2):
        (answer,) = send(client, session, press)
        assert answer["status"] == 200
    (told,) = state(client, session)["late"]
    assert told["is_printing"]
    assert f"Slip of a lateness {late.player}" in shown(client, "printer", of.slug)
    assert "What follows −8" in shown(client, "waiting_sheets", of.slug)
    lateness.strike(late, by=by, reason="Sat at another table.")
    assert "Nothing waits for the printer" in shown(client, "printer", of.slug)
    assert "What follows" not in shown(client, "waiting_sheets", of.slug)


def test_the_list_of_latenesses_says_what_each_took():
    session = scene()
    by = judge.judge(session.tournament)
    (late,) = lateness.mark_late(session, [judge.seat(session, "S")], by=by)
    lateness.note_arrival(late, by=by)
    client = phone(session)
    page = shown(client, "print_lateness", session.tournament.slug, 1)
    assert "−8" in page
    lateness.strike(late, by=by, reason="The clock had started early.")
    assert "Nobody was late in this session." in shown(client, "print_lateness", session.tournament.slug, 1)


def test_what_a_phone_asks_for_waits_once_and_is_ticked_off_as_it_was_shown():
    """A sheet that is asked for while the others are printed goes on waiting."""
    session = scene()
    of = session.tournament
    for wind in "ES":
        judge.give(judge.seat(session, wind), "late_claim", session)
    client = phone(session)
    for number in (1, 1, 2):
        send(client, session, pressed("print", {"kind": "penalty", "number": number}, about=0))
    assert [(row.kind, row.number) for row in of.print_requests.all()] == [("penalty", 1), ("penalty", 2)]
    assert [row["is_printing"] for row in state(client, session)["given"]] == [True, True]
    assert "Penalty slip 2" in shown(client, "printer", of.slug)
    sheets = client.get(reverse("penalties:waiting_sheets", args=[of.slug])).content.decode()
    assert sheets.count('<section class="sheet"') == 2
    first = of.print_requests.get(number=1)
    operations.tick_off(of, [first.pk])
    assert [row.number for row in of.print_requests.filter(printed_at=None)] == [2]


def test_every_kind_of_sheet_is_shown_together():
    session = scene()
    of = session.tournament
    client = Client()
    client.force_login(make.staff(of, "chief_referee"))
    given = judge.give(judge.seat(session, "E"), "late_claim", session)
    judge.appeal(given)
    by = judge.judge(of)
    (late,) = lateness.mark_late(session, [judge.seat(session, "S")], by=by)
    for kind in operations.KINDS:
        operations.ask_for_print(of, kind, late.pk if kind == "late" else 1, by=by)
    page = shown(client, "waiting_sheets", of.slug)
    for words in (
        "Penalty slip",
        "List of latenesses",
        "Slip of a lateness",
        "Appeal no. 1",
        "Deposit for an appeal",
    ):
        assert words in page


def test_what_is_not_there_cannot_be_asked_for():
    session = scene()
    by = judge.judge(session.tournament)
    with pytest.raises(Refused):
        operations.ask_for_print(session.tournament, "penalty", 9, by=by)


def test_the_final_protocol_lists_the_penalties_that_count():
    """A revoked one is not on it, a warning is. [RULES 1.8]"""
    session = scene()
    by = judge.judge(session.tournament)
    judge.give(judge.seat(session, "E"), "late_claim", session)
    gone = judge.give(judge.seat(session, "S"), "touching", session, by=by)
    penalties.revoke(gone, by=by, reason="The player did not touch the wall.")
    page = read(Client().get(reverse("tournaments:final_protocol", args=[session.tournament.slug])))
    assert "Claim later than 3 seconds" in page
    assert "Tile of the wall touched" not in page
