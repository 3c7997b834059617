"""What an upheld appeal did: told on its page, with ways to the hand or the penalty and back."""

import pytest
from django.test import Client
from django.urls import reverse

from penalties.appeals import operations as appeals_operations
from penalties.appeals.operations import Grounds, Order
from penalties.appeals.queries import ruling_rows
from penalties.tests import factories as judge
from tournaments.models import Hand, Protocol
from tournaments.models.protocol import InForce
from tournaments.tests import factories as make
from tournaments.web.access import link_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    """Three hands at the first table; East has won two of them off South, and has two penalties, 2 points in all."""
    of = make.tournament("sbr")
    make.players(of, 4)
    row = make.in_play(of)
    row.tournament = of
    protocol = Protocol.objects.select_related("table__session__tournament").get(table__session=row)
    for fans in (0, 2, 1):
        make.record(protocol, make.east_from_south(fans))
    for _ in range(2):
        judge.give(judge.seat(row, "E"), "touching", row)
    return row


def against_hand(session, hand, wind="S", **said):
    player = judge.seat(session, wind)
    grounds = Grounds(
        session=session, player=player, text=judge.LONG, table=session.tables.get(number=1), hand=hand, **said
    )
    by = judge.link_actor(player.registration)
    return appeals_operations.file_appeal(
        session.tournament, grounds, by=by, key=f"appeal-of-{wind}-{hand}-at-table"
    )


def uphold(appeal, **order):
    by = judge.judge(appeal.tournament)
    if "void_hand" in order:
        order["void_seen"] = Protocol.objects.get(table=appeal.table).version
    order = Order(**order) if order else None
    return appeals_operations.decide(appeal, "upheld", judge.LONG, body="chief_referee", by=by, order=order)


def moved(appeal):
    (row,) = ruling_rows(appeal)
    return {one.seat.wind: (one.before.table_points, one.after.table_points) for one in row.effects}


def shown(session, name, *args, link=None):
    client = Client()
    client.force_login(make.staff(session.tournament, "chief_referee"))
    return client.get(reverse(name, args=[session.tournament.slug, *args])).content.decode()


def test_a_revoked_penalty_is_named_with_what_it_gave_back(session):
    of = session.tournament
    appeal = judge.appeal(of.penalties.get(number=1))
    before = judge.seat(session, "E")
    uphold(appeal)
    points = session.seats.get(player=before).hand_points
    assert moved(appeal)["E"] == (points - 2, points)
    page = shown(session, "penalties:appeal", 1)
    assert "Penalty 1 (" in page
    assert "is revoked." in page
    assert reverse("penalties:penalty", args=[of.slug, 1]) in page
    assert reverse("penalties:appeal", args=[of.slug, 1]) in shown(session, "penalties:penalty", 1)


def test_a_struck_hand_is_named_with_the_table_before_and_after(session):
    appeal = against_hand(session, 2)
    uphold(appeal, void_hand=2)
    struck = Hand.objects.get(status=InForce.VOIDED)
    (row,) = ruling_rows(appeal)
    assert row.struck == {"number": 2, "hand": struck.pk}
    changes = moved(appeal)
    assert {wind: now - was for wind, (was, now) in changes.items() if was != now} == {"E": -4, "S": 4}
    table = reverse("tournaments:table_desk", args=[session.tournament.slug, 1, 1])
    page = shown(session, "penalties:appeal", 1)
    assert "Hand 2 is struck from the protocol" in page
    assert f'{table}#hand-2-{struck.pk}"' in page
    desk = shown(session, "tournaments:table_desk", 1, 1)
    assert f'id="hand-2-{struck.pk}"' in desk
    assert reverse("penalties:appeal", args=[session.tournament.slug, 1]) in desk


def test_the_author_reads_what_it_did_and_is_led_to_no_desk(session):
    of = session.tournament
    appeal = against_hand(session, 2)
    uphold(appeal, void_hand=2)
    link = link_of(appeal.player.registration)
    page = Client().get(reverse("penalties:own_appeal", args=[of.slug, link, 1])).content.decode()
    assert "Hand 2 is struck from the protocol" in page
    assert reverse("tournaments:protocol", args=[of.slug, 1, 1]) in page
    assert "/desk/" not in page.partition("<main")[2]


def test_ordered_points_stand_in_the_ruling_and_in_the_table(session):
    appeal = against_hand(session, 1)
    east, south = judge.seat(session, "E").pk, judge.seat(session, "S").pk
    uphold(appeal, points={east: -8, south: 8})
    changes = moved(appeal)
    assert {wind: now - was for wind, (was, now) in changes.items() if was != now} == {"E": -8, "S": 8}
    assert "by order of the ruling." in shown(session, "penalties:appeal", 1)


def test_a_dismissed_appeal_tells_of_no_effect(session):
    of = session.tournament
    appeal = judge.appeal(of.penalties.get(number=1))
    appeals_operations.decide(appeal, "dismissed", judge.LONG, body="chief_referee", by=judge.judge(of))
    assert ruling_rows(appeal)[0].ruling.effect == {}
    assert "What it did" not in shown(session, "penalties:appeal", 1)


def test_a_later_change_leaves_what_the_ruling_tells(session):
    """It tells how the table stood then; standings are worked out from the record alone."""
    appeal = judge.appeal(session.tournament.penalties.get(number=1))
    uphold(appeal)
    told = moved(appeal)
    judge.give(judge.seat(session, "E"), "touching", session)
    assert moved(appeal) == told


def test_appeals_follow_a_struck_hand(session):
    """The hand that takes the number of the struck one is not struck by the next ruling. [RULES 1.5]"""
    first, same, later = against_hand(session, 2), against_hand(session, 2, "W"), against_hand(session, 3)
    earlier = against_hand(session, 1)
    uphold(first, void_hand=2)
    hands = []
    for row in (first, same, later, earlier):
        row.refresh_from_db()
        hands.append(row.hand)
    assert hands == [2, None, 2, 1]
