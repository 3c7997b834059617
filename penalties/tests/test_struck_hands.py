"""A hand is struck only on demand, after its effect was shown, and can be put back. [RULES 8.53]"""

import re

import pytest
from django.test import Client
from django.urls import reverse

from penalties.appeals import operations as appeals_operations
from penalties.appeals.operations import Grounds, Order
from penalties.tests import factories as judge
from tournaments.models import Hand, Protocol
from tournaments.models.protocol import InForce
from tournaments.record.refusal import Refused
from tournaments.standings.operations.verification import verify
from tournaments.tables.operations import protocols
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db
REASON = "The referee has looked at the tiles again."


@pytest.fixture
@remembered
def session():
    """Three hands at the first table, won by East off South: 1, 4 and 2 points."""
    of = make.tournament("sbr")
    make.players(of, 4)
    row = make.in_play(of)
    row.tournament = of
    protocol = Protocol.objects.select_related("table__session__tournament").get(table__session=row)
    for fans in (0, 2, 1):
        make.record(protocol, make.east_from_south(fans))
    return row


def protocol_of(session):
    return Protocol.objects.select_related("table__session__tournament").get(table__session=session)


def against_hand(session, hand, wind="S"):
    player = judge.seat(session, wind)
    table = session.tables.get(number=1)
    grounds = Grounds(session=session, player=player, text=judge.LONG, table=table, hand=hand)
    by = judge.link_actor(player.registration)
    return appeals_operations.file_appeal(
        session.tournament, grounds, by=by, key=f"appeal-of-{wind}-{hand}-at-table"
    )


def points(session):
    return {seat.wind: seat.hand_points for seat in session.seats.all()}


def in_force(session):
    rows = protocol_of(session).hands.filter(status=InForce.IN_FORCE).order_by("number")
    return [(row.number, row.facts["number"], row.payments["E"]) for row in rows]


def chief(session):
    client = Client()
    client.force_login(make.staff(session.tournament, "chief_referee"))
    return client


def ruled(session, client, **more):
    said = {"body": "chief_referee", "verdict": "upheld", "reasons": judge.LONG, **more}
    return client.post(reverse("penalties:decide", args=[session.tournament.slug, 1]), said)


def test_upholding_an_appeal_against_a_hand_strikes_nothing_unless_asked(session):
    """Nothing destructive is filled in beforehand. [RULES 8.53]"""
    against_hand(session, 2)
    client, before = chief(session), in_force(session)
    page = client.get(reverse("penalties:decide", args=[session.tournament.slug, 1])).content.decode()
    (field,) = re.findall(r'<input[^>]*name="void_hand"[^>]*>', page)
    assert "value=" not in field
    assert ruled(session, client, void_hand="").status_code == 302
    assert (in_force(session), session.tournament.appeals.get().state) == (before, "upheld")


def test_who_asks_to_strike_a_hand_sees_what_it_moves_before_it_is_struck(session):
    """[RULES 8.53]"""
    against_hand(session, 2)
    client, before = chief(session), in_force(session)
    answer = ruled(session, client, void_hand="2")
    page = answer.content.decode()
    assert (answer.status_code, in_force(session)) == (422, before)
    assert "Hand 2 would be struck from the protocol." in page
    assert "1 later hand moves up one number." in page
    assert re.search(r"\+?7 →\s*<strong>3</strong>", page)
    seen = re.search(r'type="checkbox"[^>]*name="void_seen"[^>]*value="(\d+)"', page) or re.search(
        r'name="void_seen"[^>]*value="(\d+)"', page
    )
    assert seen is not None
    assert ruled(session, client, void_hand="2", void_seen=seen[1]).status_code == 302
    assert in_force(session) == [(1, 1, 1), (2, 2, 2)]


def test_what_was_shown_of_a_strike_holds_only_while_the_protocol_is_as_it_was(session):
    """[RULES 8.53]"""
    against_hand(session, 2)
    protocol = protocol_of(session)
    order = Order(void_hand=2, void_seen=protocol.version)
    make.record(protocol, make.east_from_south(0))
    appeal, by = session.tournament.appeals.get(), judge.judge(session.tournament)
    with pytest.raises(Refused) as refused:
        appeals_operations.decide(appeal, "upheld", judge.LONG, body="chief_referee", by=by, order=order)
    assert [problem.code for problem in refused.value.problems] == ["strike_unseen"]
    assert len(in_force(session)) == 4


def test_a_struck_hand_is_put_back_where_it_was(session):
    """The record is as if it had never been struck, and the history tells both. [RULES 8.53]"""
    before, totals = in_force(session), points(session)
    protocol = protocol_of(session)
    by = make.chief_referee_of(session.tournament)
    protocols.void_hand(protocol, number=2, intent=make.intent(protocol), by=by, reason=REASON)
    assert points(session)["E"] == 3
    struck = Hand.objects.get(status=InForce.VOIDED)
    protocol = protocol_of(session)
    protocols.restore_hand(protocol, hand=struck.pk, intent=make.intent(protocol), by=by, reason=REASON)
    assert (in_force(session), points(session)) == (before, totals)
    kinds = list(protocol.history.order_by("number").values_list("kind", flat=True))
    assert kinds[-2:] == ["hand_voided", "hand_restored"]
    assert verify(session.tournament) == []


def test_hands_struck_one_after_another_come_back_in_their_places(session):
    before = in_force(session)
    by = make.chief_referee_of(session.tournament)
    for number in (3, 1):
        protocol = protocol_of(session)
        protocols.void_hand(protocol, number=number, intent=make.intent(protocol), by=by, reason=REASON)
    for struck in Hand.objects.filter(status=InForce.VOIDED).order_by("-number"):
        protocol = protocol_of(session)
        protocols.restore_hand(protocol, hand=struck.pk, intent=make.intent(protocol), by=by, reason=REASON)
    assert in_force(session) == before
    assert verify(session.tournament) == []


def test_penalties_and_appeals_about_a_struck_hand_come_back_with_it(session):
    """[RULES 1.5] [RULES 8.53]"""
    of = session.tournament
    for hand in (1, 2, 3):
        judge.give(judge.seat(session, "E"), "touching", session, hand=hand)
    on_it, later = against_hand(session, 2), against_hand(session, 3)
    protocol, by = protocol_of(session), make.chief_referee_of(of)
    protocols.void_hand(protocol, number=2, intent=make.intent(protocol), by=by, reason=REASON)
    struck = Hand.objects.get(status=InForce.VOIDED)
    assert list(of.penalties.values_list("hand", flat=True)) == [1, 2, 2]
    protocol = protocol_of(session)
    protocols.restore_hand(protocol, hand=struck.pk, intent=make.intent(protocol), by=by, reason=REASON)
    on_it.refresh_from_db()
    later.refresh_from_db()
    assert list(of.penalties.values_list("hand", flat=True)) == [1, 2, 3]
    assert (on_it.hand, later.hand) == (2, 3)


def test_the_table_page_leads_back_from_a_struck_hand(session):
    """The button by the struck hand, what putting it back moves, a reason; afterwards the button is gone."""
    of, client, before = session.tournament, chief(session), in_force(session)
    protocol, by = protocol_of(session), make.chief_referee_of(of)
    protocols.void_hand(protocol, number=2, intent=make.intent(protocol), by=by, reason=REASON)
    struck = Hand.objects.get(status=InForce.VOIDED)
    url = reverse("tournaments:restore_hand", args=[of.slug, 1, 1, struck.pk])
    desk = reverse("tournaments:table_desk", args=[of.slug, 1, 1])
    assert url in client.get(desk).content.decode()
    page = client.get(url).content.decode()
    assert re.search(r"3 → <strong>7</strong>", page)
    fields = {name: re.search(rf'name="{name}" value="([^"]+)"', page)[1] for name in ("key", "seen")}
    assert client.post(url, {**fields, "reason": ""}).status_code == 422
    assert client.post(url, {**fields, "reason": REASON}).status_code == 302
    assert in_force(session) == before
    assert url not in client.get(desk).content.decode()
