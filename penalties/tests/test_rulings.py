"""What an upheld appeal did: told on its page, with ways to the hand or the penalty and back."""

import re
from copy import copy

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.html import strip_tags

from penalties.appeals import operations as appeals_operations
from penalties.appeals.operations import Grounds, Instead, Order
from penalties.appeals.queries import courses_of, precedents, precedents_of, ruling_rows
from penalties.lateness import operations as lateness
from penalties.models import Ruling
from penalties.tests import factories as judge
from penalties.web.frame import appeal_of
from scoring.criteria import GAME_POINTS
from scoring.standings.stages import account
from tournaments.models import Hand, Protocol
from tournaments.models.protocol import InForce
from tournaments.tables.queries.events import event_of
from tournaments.templatetags.looks import reason_words
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered
from tournaments.web.access import link_of

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
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


def shown(session, name, *args, language="en"):
    client = Client(headers={"accept-language": language})
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


# Before a ruling


def cells(page: str) -> dict[str, list[str]]:
    """What the table of rulings says of each player, course by course."""
    table = page.partition('id="courses"')[2].partition("</table>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)
    told = [
        [" ".join(strip_tags(one).split()) for one in re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL)]
        for row in rows
    ]
    return {row[0]: row[1:] for row in told}


def test_the_standings_under_each_ruling_are_shown_side_by_side(session):
    """Dismissed as now, upheld without the penalty, and with what is written in the form; nothing is ruled. [SBR 2.9.5]"""
    of = session.tournament
    appeal = judge.appeal(of.penalties.get(number=2))
    east = str(judge.seat(session, "E"))
    client = Client()
    client.force_login(make.staff(of, "chief_referee"))
    url = reverse("penalties:decide", args=[of.slug, appeal.number])
    told = cells(client.get(url).content.decode())
    assert told["Player"] == ["Dismissed", "Upheld"]
    assert told[east] == ["Place 1 4 TP +5 GP", "Place 1 4 TP +7 GP"]
    written = {
        "body": "chief_referee",
        "verdict": "",
        "instead": "game_points",
        "instead_points": "12",
        "look": "1",
    }
    answer = client.post(url, written)
    told = cells(answer.content.decode())
    assert answer.status_code == 200
    assert told["Player"][2] == "Upheld, with what is written below"
    assert told[east][2] == "Place 3 2 TP −5 GP"
    assert (of.appeals.get().is_open, of.penalties.count()) == (True, 2)


def test_upholding_is_what_the_column_showed(session):
    """[RULES 8.51] [SBR 2.9.5]"""
    of = session.tournament
    appeal = judge.appeal(of.penalties.get(number=2))
    (_, columns) = courses_of(appeal_of(of, appeal.number))
    uphold(appeal)
    (now,) = [row for row in account(event_of(of)).standings if row.player == appeal.player_id]
    (row,) = [row for row in columns if row.player.pk == appeal.player_id]
    assert row.cells[1][0] == now.place
    assert row.cells[1][1][1] == "+7 GP"


def test_a_hand_that_would_be_struck_is_named_in_the_standings_side_by_side(session):
    """Nothing is struck before it was shown; what was shown is what comes. [RULES 8.53] [SBR 2.9.5]"""
    appeal = against_hand(session, 2)
    client = Client()
    client.force_login(make.staff(session.tournament, "chief_referee"))
    url = reverse("penalties:decide", args=[session.tournament.slug, appeal.number])
    written = {"body": "chief_referee", "verdict": "upheld", "reasons": judge.LONG, "void_hand": "2"}
    told = cells(client.post(url, written).content.decode())
    assert told["Player"] == ["Dismissed", "Upheld, hand 2 struck"]
    uphold(appeal, void_hand=2)
    now = {one.player: one for one in account(event_of(session.tournament)).standings}
    east = judge.seat(session, "E")
    points = f"{int(now[east.pk].values[GAME_POINTS]):+d} GP".replace("-", "−")
    assert points in told[str(east)][1]
    assert told[str(east)][0] != told[str(east)][1]


def test_a_photo_stands_in_the_case_file_for_those_who_may_see_the_case(session):
    """[INTEGRITY 126] [INTEGRITY 129]"""
    appeal = against_hand(session, 1, files=[("table.png", judge.png())])
    address = reverse("penalties:appeal_file", args=[session.tournament.slug, appeal.number, 1])
    assert f'<img src="{address}"' in shown(session, "penalties:print_appeal", appeal.number)
    assert Client().get(address).status_code in {302, 403, 404}


def test_earlier_rulings_are_offered_by_their_clause_too(session):
    """[SBR 2.9.5]"""
    of = session.tournament
    row = of.penalties.get(number=1)
    uphold(judge.appeal(row))
    assert [one.clause for one in precedents(of, ["phone"], clauses=[row.clause])] == [row.clause]
    assert precedents(of, ["phone"]) == []


def test_of_an_appeal_that_went_on_the_last_ruling_is_the_precedent(session):
    """What the chief referee dismissed and the committee upheld afterwards is upheld. [SBR 2.9.5]"""
    of = session.tournament
    row = of.penalties.get(number=1)
    uphold(appeal := judge.appeal(row))
    last = appeal.rulings.get()
    Ruling.objects.create(
        appeal=appeal,
        by="chief_referee",
        verdict="dismissed",
        reasons=judge.LONG,
        at=last.at,
        signed_by=last.signed_by,
    )
    assert [one.verdict for one in precedents(of, [row.offence])] == ["Dismissed"]


def test_earlier_rulings_are_offered_where_the_same_offence_is_given_without_names(session):
    """[SBR 2.9.5]"""
    of = session.tournament
    uphold(judge.appeal(of.penalties.get(number=1)))
    make.players(other := make.tournament("sbr"), 4)
    later = make.in_play(other)
    client = Client()
    client.force_login(make.staff(other, "chief_referee"))
    page = client.get(reverse("penalties:give", args=[other.slug, 1, 1]) + "?seat=E").content.decode()
    text = " ".join(strip_tags(page.replace("<", " <")).split())
    assert "1 earlier ruling on such cases" in text
    assert f"Upheld {of.name}" in text
    assert judge.LONG not in text
    withheld = type(of).Listing.WITHHELD
    type(of).objects.filter(pk=of.pk).update(listing=withheld)
    page = client.get(reverse("penalties:give", args=[other.slug, 1, 1]) + "?seat=E").content.decode()
    assert later.number == 1
    assert "earlier ruling" not in page


def test_every_stage_says_what_comes_next_and_whose_it_is(session):
    """[SBR 2.9.2] [SBR 2.9.5] [RULES 8.53]"""
    of = session.tournament
    type(of).objects.filter(pk=of.pk).update(regulation={**of.regulation, "entry_fee": "10"})
    of.refresh_from_db()
    session.tournament = of
    for _ in range(2):
        make.staff(of, "committee")
    appeal = judge.appeal(of.penalties.get(number=2))
    page = lambda: shown(session, "penalties:appeal", appeal.number)  # noqa: E731
    assert "Next: the desk takes the deposit, or closes the appeal without it." in page()
    appeals_operations.take_deposit(appeal, by=make.organizer_of(of))
    assert "Next: the chief referee rules." in page()
    appeals_operations.classify(appeal, "other", by=make.chief_referee_of(of))
    assert "Next: the members of the committee vote" in page()
    appeals_operations.classify(appeal, "rules", by=make.chief_referee_of(of))
    uphold(appeal)
    assert "Next: the desk returns the deposit." in page()
    appeals_operations.return_deposit(appeal, by=make.organizer_of(of))
    assert "Next:" not in page()


def test_earlier_rulings_on_hands_and_latenesses_are_offered_with_the_clauses_they_cite(session):
    """What they did and which clauses they rest on, without names or words of people. [SBR 2.9.5]"""
    of = session.tournament
    first = against_hand(session, 1)
    by = judge.judge(of)
    reasons = f"{judge.LONG} [SBR 2.7.5] and RIICHI reg. 6.2, as Iris said."
    order = Order(void_hand=1, void_seen=Protocol.objects.get(table=first.table).version)
    appeals_operations.decide(first, "upheld", reasons, body="chief_referee", by=by, order=order)
    second = against_hand(session, 2, "W")
    (found,) = precedents_of(second)
    assert (found.offence, found.clause, found.took) == (
        "A recorded hand",
        "SBR 2.7.5, RIICHI reg. 6.2",
        "hand struck",
    )
    page = shown(session, "penalties:decide", second.number)
    assert "1 earlier ruling on such cases" in page
    assert "hand struck" in page
    assert "Iris" not in page

    session.tournament = of
    (late,) = lateness.mark_late(session, [judge.seat(session, "N")], by=by)
    lateness.change_lateness(late, seconds=300, by=by, reason="Came five minutes late.")
    late.refresh_from_db()
    grounds = Grounds(session=session, player=late.player, text=judge.LONG, lateness=late)
    link = judge.link_actor(late.player.registration)
    third = appeals_operations.file_appeal(of, grounds, by=link, key="appeal-of-north-against-lateness")
    assert precedents_of(third) == []
    appeals_operations.decide(third, "dismissed", judge.LONG, body="chief_referee", by=by)
    assert [(one.offence, one.clause, one.took) for one in precedents_of(copy_of(third))] == [
        ("A lateness", "SBR 2.8.4.5", "stands as it was")
    ]


def copy_of(appeal):
    """The same case as if it were another one."""
    other = copy(appeal)
    other.pk = 0
    return other


def test_the_case_file_replays_a_hand_in_tiles_where_they_were_told(session):
    """[SBR 2.9.5]"""
    appeal = against_hand(session, 1)
    address = ("penalties:appeal", appeal.number)
    assert "hand-tiles" not in shown(session, *address)
    hand = Hand.objects.get(protocol__table__session=session, number=1, status=InForce.IN_FORCE)
    meld = {"type": "pung", "tiles": ["s5", "s5", "s5"], "open": True}
    hand.facts["events"][0]["winners"][0]["tiles"] = {
        "concealed": ["m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "p2"],
        "melds": [meld],
        "winning_tile": "p2",
    }
    Hand.objects.filter(pk=hand.pk).update(facts=hand.facts)
    for name in ("penalties:appeal", "penalties:print_appeal"):
        page = shown(session, name, appeal.number)
        assert "hand-tiles" in page
        assert page.count("#tile-s5") == 3
        assert page.count("#tile-p2") == 2


def test_what_a_ruling_writes_as_its_reason_is_said_in_the_readers_language(session):
    """Its judge has read Russian, the reader reads English."""
    of = session.tournament
    with translation.override("ru"):
        row = uphold(judge.appeal(of.penalties.get(number=1)), instead=Instead("warning"))
    number = row.effect["instead"]
    given = of.penalties.get(number=number)
    assert given.reason == "Appeal no. 1"
    assert [one.reason for one in of.penalties.filter(number=1)] == [""]
    for reason in ("Appeal no. 1", "Апелляция № 1"):
        type(given).objects.filter(pk=given.pk).update(reason=reason)
        for name, *more in (("penalties:penalty", number), ("penalties:penalties",)):
            page = shown(session, name, *more)
            assert "Appeal no. 1" in page
            assert "Апелляция" not in page
            assert "Апелляция № 1" in shown(session, name, *more, language="ru")
    assert reason_words("Апелляция № 1, так сказал Иван") == "Апелляция № 1, так сказал Иван"


def test_what_a_ruling_did_is_said_in_the_readers_language_in_history_and_register(session):
    """A removal takes the place of a penalty, and an appeal lifts it again; judges read Russian, the reader English."""
    of = session.tournament
    with translation.override("ru"):
        row = uphold(judge.appeal(of.penalties.get(number=1)), instead=Instead("removal"))
        uphold(judge.appeal(of.penalties.get(number=row.effect["instead"])))
    pages = ("tournaments:history", "penalties:sanctions")
    for page in (shown(session, name) for name in pages):
        assert "Appeal no." in page
        assert "Апелляция" not in page
    assert "Штраф № 3: Апелляция № 1" in shown(session, "tournaments:history", language="ru")
    assert "Appeal no." not in shown(session, "penalties:sanctions", language="ru")
