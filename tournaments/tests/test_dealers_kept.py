"""Dealers of later hands when an earlier one is corrected or voided: by the rules, or as they were played. [RULES 9.23]"""

import pytest

from tournaments.exchange.record import export_record
from tournaments.standings.operations.verification import verify
from tournaments.tables.operations import protocols
from tournaments.tests import factories as make
from tournaments.tests.naive import computed_of

pytestmark = pytest.mark.django_db


def won(seat, han, fu, other=None):
    """A hand of riichi that a seat wins, on a discard or a draw."""
    win = {"type": "win", "winners": [{"seat": seat, "han": han, "fu": fu}]}
    return {"number": 0, "events": [win | ({"from": other} if other else {})]}


def played(*hands):
    protocol = make.protocol("riichi_ema", protocol="hands")
    for facts in hands:
        make.record(protocol, facts)
    protocol.refresh_from_db()
    return protocol


def dealers(protocol):
    rows = protocol.hands.filter(status="in_force").order_by("number")
    return [(row.dealer, row.counters) for row in rows]


def told(protocol):
    return [row.facts.get("as_played") for row in protocol.hands.filter(status="in_force").order_by("number")]


def correct(protocol, facts, *, number=1, keep):
    by = make.referee_of(protocol.table.session.tournament)
    intent = make.intent(protocol, keep=keep)
    reason = "The winner was another"
    return protocols.correct_hand(
        protocol, facts, number=number, intent=intent, by=by, reason=reason, keep_dealers=keep
    )


def void(protocol, number, *, keep):
    by = make.chief_referee_of(protocol.table.session.tournament)
    intent = make.intent(protocol, keep=keep)
    return protocols.void_hand(
        protocol, number=number, intent=intent, by=by, reason="It was entered twice", keep_dealers=keep
    )


HANDS = (won("S", 1, 30, "E"), won("S", 2, 30), won("W", 1, 30, "N"))
AS_THEY_WERE = [("E", 0), ("S", 0), ("S", 1)]


def test_a_correction_goes_on_by_the_rules_or_with_the_dealers_as_they_were_played():
    protocol = played(*HANDS)
    assert dealers(protocol) == AS_THEY_WERE
    correct(protocol, won("E", 1, 30, "S"), keep=None)
    assert dealers(protocol) == [("E", 0), ("E", 1), ("S", 0)]
    correct(protocol, won("S", 1, 30, "E"), keep=None)
    correct(protocol, won("E", 1, 30, "S"), keep=True)
    assert dealers(protocol) == AS_THEY_WERE
    assert told(protocol) == [None, {"dealer": "S", "round": "E"}, None]
    assert verify(protocol.table.session.tournament) == []


def test_what_was_kept_is_said_only_while_it_is_needed_and_can_be_given_up():
    protocol = played(*HANDS)
    correct(protocol, won("E", 1, 30, "S"), keep=True)
    correct(protocol, won("E", 2, 30, "S"), keep=None)
    assert dealers(protocol) == AS_THEY_WERE
    correct(protocol, won("E", 1, 30, "S"), keep=False)
    assert (dealers(protocol), told(protocol)) == ([("E", 0), ("E", 1), ("S", 0)], [None] * 3)
    correct(protocol, won("S", 1, 30, "E"), keep=True)
    assert told(protocol) == [None, {"dealer": "E", "round": "E", "counters": 1}, None]
    assert verify(protocol.table.session.tournament) == []


def test_voiding_keeps_dealers_and_the_hand_comes_back_to_where_it_was():
    protocol = played(*HANDS)
    void(protocol, 1, keep=True)
    assert dealers(protocol) == [("S", 0), ("S", 1)]
    assert told(protocol) == [{"dealer": "S", "round": "E"}, None]
    struck = protocol.hands.get(status="voided")
    by = make.chief_referee_of(protocol.table.session.tournament)
    intent = make.intent(protocol)
    protocols.restore_hand(protocol, hand=struck.pk, intent=intent, by=by, reason="It was played after all")
    assert dealers(protocol) == AS_THEY_WERE
    assert verify(protocol.table.session.tournament) == []


def test_hands_after_the_end_of_the_game_stand_with_the_dealers_as_they_were():
    """East dealt twice; without its first win the game would have ended a hand sooner."""
    turns = [won(winner, 1, 30, "E" if winner != "E" else "S") for winner in "WNES" * 2]
    protocol = played(won("E", 1, 30, "S"), *turns)
    with pytest.raises(Exception, match="The game ended"):
        protocols.preview_correction(protocol, won("S", 1, 30, "E"), number=1, keep_dealers=False)
    before = dealers(protocol)
    correct(protocol, won("S", 1, 30, "E"), keep=True)
    assert dealers(protocol) == before


def test_a_record_says_who_dealt_and_a_second_reckoning_agrees():
    protocol = played(*HANDS)
    correct(protocol, won("E", 1, 30, "S"), keep=True)
    record = export_record(protocol.table.session.tournament)
    assert computed_of(record["declared"])["sessions"] == record["computed"]["sessions"]


def test_a_tablet_cannot_say_who_dealt():
    protocol = played()
    facts = won("E", 1, 30, "S") | {"as_played": {"dealer": "S", "round": "E"}}
    with pytest.raises(Exception, match="as_played"):
        make.record(protocol, facts)
