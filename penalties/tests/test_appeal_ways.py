"""Every appeal has a way to its end: what can be appealed, until when, before whom, and what a ruling may do. [RULES 8.53]"""

from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from re import search
from unittest import mock
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from penalties.appeals import operations as appeals_operations
from penalties.appeals.operations import Grounds, Instead, Order
from penalties.ladder.operations import penalties
from penalties.lateness import operations as lateness_operations
from penalties.models import Appeal
from penalties.tests import factories as judge
from penalties.web.needs import needs_of
from tournaments.exchange.intake import import_record
from tournaments.exchange.record import export_record
from tournaments.models import Protocol, Role, Session
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import play
from tournaments.sessions.operations.tournaments import close_tournament
from tournaments.tests import factories as make
from tournaments.web.access import link_of

pytestmark = pytest.mark.django_db
WHY = "A table was counted wrongly."


def scene(preset: str = "sbr", **changes: object) -> Session:
    """A closed session of two tables; East of the first has a warning and a penalty of 2."""
    of = make.tournament(preset, **changes)
    make.players(of, 8)
    session = make.in_play(of)
    session.tournament = of
    for _ in range(2):
        judge.give(judge.seat(session, "E"), "touching", session, by=make.referee_of(of))
    make.settle(session)
    closed = play.close_session(session, by=make.organizer_of(of))
    closed.tournament = of
    return closed


def refused(work) -> list[str]:
    with pytest.raises(Refused) as found:
        work()
    return [problem.code for problem in found.value.problems]


def decide(appeal, verdict="upheld", *, by, body="chief_referee", **said):
    return appeals_operations.decide(appeal, verdict, judge.LONG, body=body, by=by, **said)


def amounts(of):
    return [row.game_points for row in of.adjustments.filter(reversed_at=None)]


def signed_in(of, *roles):
    who, client = make.user(), Client()
    judge.judge(of, *roles, who=who)
    client.force_login(who)
    return client


def at(session, minutes, seconds=0):
    """The clock, so long after the session's end."""
    now = session.ended_at + timedelta(minutes=minutes, seconds=seconds)
    return mock.patch("django.utils.timezone.now", return_value=now)


# The matter


def test_the_appellant_does_not_choose_who_hears_the_appeal():
    """Only the committee's members cannot overrule on rules; an appellant cannot make a matter another. [SBR 2.9.3] [RULES 8.53]"""
    session = scene()
    of, player = session.tournament, judge.seat(session, "E")
    judge.judge(of, "committee")
    page = reverse("penalties:file_own", args=[of.slug, link_of(player.registration)])
    assert 'name="matter"' not in Client().get(page).content.decode()
    said = {
        "player": player.pk,
        "against": "penalty-2",
        "matter": "other",
        "text": judge.LONG,
        "key": "k" * 20,
    }
    assert Client().post(page, said).status_code == 302
    appeal = of.appeals.get()
    assert (appeal.matter, appeal.state) == ("rules", "chief_referee")


def test_the_chief_referee_settles_what_an_appeal_is_about_and_may_settle_it_anew():
    """[SBR 2.9.3] [SBR 2.9.4] [RULES 8.53]"""
    session = scene()
    of = session.tournament
    judge.judge(of, "committee")
    appeal = judge.appeal(of.penalties.get(number=2))
    chief, member = signed_in(of, "chief_referee"), signed_in(of, "committee")
    url = reverse("penalties:classify_appeal", args=[of.slug, 1])
    member.post(url, {"matter": "other"})
    appeal.refresh_from_db()
    assert (appeal.matter, appeal.state) == ("rules", "chief_referee")
    page = reverse("penalties:appeal", args=[of.slug, 1])
    assert "pass it to the committee" in chief.get(page).content.decode()
    assert url not in member.get(page).content.decode()
    for matter, state in (("other", "committee"), ("rules", "chief_referee")):
        chief.post(url, {"matter": matter})
        appeal.refresh_from_db()
        assert (appeal.matter, appeal.state) == (matter, state)


def test_who_has_a_conflict_of_interest_does_not_settle_what_the_appeal_is_about():
    """[SBR 2.9.3] [SBR 2.9.5] [RULES 9.40]"""
    session = scene()
    of = session.tournament
    judge.judge(of, "committee")
    appeal = judge.appeal(of.penalties.get(number=2))
    who = make.user()
    chief, client = judge.judge(of, who=who), Client()
    client.force_login(who)
    page = reverse("penalties:appeal", args=[of.slug, 1])
    url = reverse("penalties:classify_appeal", args=[of.slug, 1])
    assert url in client.get(page).content.decode()
    appeals_operations.declare_conflict(appeal, by=chief)
    assert url not in client.get(page).content.decode()
    client.post(url, {"matter": "other"})
    assert of.appeals.get().matter == "rules"
    assert refused(lambda: appeals_operations.classify(appeal, "other", by=chief)) == ["conflict_of_interest"]
    appeals_operations.declare_conflict(appeal, by=chief, is_free=True)
    client.post(url, {"matter": "other"})
    assert of.appeals.get().matter == "other"


# Before whom


def test_nothing_is_ruled_before_the_deposit_came_and_the_page_says_so():
    """[SBR 2.9.2] [RULES 8.53]"""
    session = scene(entry_fee="10")
    of = session.tournament
    appeal = judge.appeal(of.penalties.get(number=2))
    chief = signed_in(of, "chief_referee")
    url = reverse("penalties:decide", args=[of.slug, 1])
    page = chief.get(url).content.decode()
    assert "The deposit has not come yet" in page
    assert 'name="reasons"' not in page
    said = {"body": "chief_referee", "verdict": "dismissed", "reasons": judge.LONG}
    answer = chief.post(url, said)
    assert answer.status_code == 409
    assert judge.LONG in answer.content.decode()
    assert of.appeals.get().state == "chief_referee"
    appeals_operations.take_deposit(appeal, by=make.organizer_of(of))
    page = chief.get(url).content.decode()
    assert "The deposit has not come yet" not in page
    assert 'name="reasons"' in page
    assert chief.post(url, said).status_code == 302


def test_a_member_is_told_how_many_votes_a_ruling_of_the_committee_needs():
    """[SBR 2.9.5] [RULES 9.40]"""
    session = scene()
    of = session.tournament
    member, client = judge.judge(of, "committee"), signed_in(of, "committee")
    appeal = judge.appeal(of.penalties.get(number=2), matter="other")
    url = reverse("penalties:decide", args=[of.slug, 1])
    page = " ".join(client.get(url).content.decode().split())
    assert "The committee has not voted so that it could rule. 2 of 2 members must agree." in page
    assert 'name="reasons"' not in page
    appeals_operations.vote(appeal, "dismissed", by=member)
    vote = reverse("penalties:vote", args=[of.slug, 1])
    assert client.post(vote, {"verdict": "dismissed"}).status_code == 302
    assert 'name="reasons"' in client.get(url).content.decode()


def test_without_a_named_committee_the_chief_referee_decides_all():
    """The regulation knows a committee, and nobody was named: the appeal is not stuck. [SBR 2.9.5] [RULES 8.53]"""
    session = scene()
    of = session.tournament
    appeal = judge.appeal(of.penalties.get(number=2), matter="other")
    assert appeal.state == "chief_referee"
    decide(appeal, by=judge.judge(of))
    assert amounts(of) == []


def test_when_every_member_is_a_party_the_chief_referee_decides():
    """[SBR 2.9.5] [RULES 8.53]"""
    session = scene()
    of = session.tournament
    member = judge.judge(of, "committee")
    appeal = judge.appeal(of.penalties.get(number=2), matter="other")
    assert appeal.state == "committee"
    Role.objects.filter(user_id=member.id).update(player=judge.seat(session, "N"))
    own = replace(member, player_ids=frozenset({judge.seat(session, "N").pk}))
    assert refused(lambda: appeals_operations.vote(appeal, "dismissed", by=own)) == ["wrong_state"]
    chief = signed_in(of, "chief_referee")
    page = chief.get(reverse("penalties:appeal", args=[of.slug, 1])).content.decode()
    assert "the chief referee decides it" in page
    said = {"body": "chief_referee", "verdict": "upheld", "reasons": judge.LONG}
    assert chief.post(reverse("penalties:decide", args=[of.slug, 1]), said).status_code == 302
    assert amounts(of) == []


# Until when


@pytest.mark.parametrize(("minutes", "seconds", "status"), [(29, 59, 302), (30, 0, 302), (31, 0, 409)])
def test_a_paper_counts_from_when_it_was_handed_in(minutes, seconds, status):
    """Handed in at 29:59 and typed at 40:00, it is in time; thirty minutes sharp as well. [SBR 2.9.2] [RULES 8.53]"""
    session = scene()
    of, player = session.tournament, judge.seat(session, "E")
    Session.objects.filter(pk=session.pk).update(ended_at=session.ended_at.replace(second=0, microsecond=0))
    session.refresh_from_db()
    handed = timezone.localtime(session.ended_at + timedelta(minutes=minutes, seconds=seconds), of.zone)
    said = {
        "player": player.pk,
        "by": "player",
        "against": "penalty-2",
        "text": judge.LONG,
        "handed_in_at": f"{handed:%Y-%m-%dT%H:%M}",
        "key": "k" * 20,
    }
    client = signed_in(of, "organizer")
    of.penalties.update(given_at=session.ended_at - timedelta(minutes=10))
    with at(session, 40):
        answer = client.post(reverse("penalties:new_appeal", args=[of.slug]), said)
    assert answer.status_code == status


def test_reopening_a_session_opens_no_appeals_against_what_was_decided_before():
    """[RULES 8.53]"""
    session = scene()
    of, by = session.tournament, make.organizer_of(session.tournament)
    first = session.ended_at
    type(of.penalties.first()).objects.update(given_at=first - timedelta(minutes=10))
    play.reopen_session(session, by=by, reason=WHY)
    session = Session.objects.select_related("tournament").get(pk=session.pk)
    later = timezone.now() + timedelta(minutes=32)
    with mock.patch("django.utils.timezone.now", return_value=later):
        old = of.penalties.get(number=2)
        assert refused(lambda: judge.appeal(old)) == ["appeal_late"]
        new = judge.give(judge.seat(session, "W"), "touching", session)
        assert judge.appeal(new).state == "chief_referee"


def test_a_decision_made_known_long_after_the_session_has_its_own_time():
    """The player's page says until when. [SBR 2.9.2] [RULES 8.53]"""
    session = scene()
    of, chief = session.tournament, judge.judge(session.tournament)
    with at(session, 45):
        row = judge.give(judge.seat(session, "W"), "touching", session, by=chief)
    player = judge.seat(session, "W")
    own = reverse("penalties:own", args=[of.slug, link_of(player.registration)])
    with at(session, 60):
        until = timezone.localtime(session.ended_at + timedelta(minutes=75), of.zone)
        assert f"Penalty {row.number}: until {until:%H:%M}" in Client().get(own).content.decode()
    with at(session, 75):
        assert judge.appeal(of.penalties.get(pk=row.pk)).state == "chief_referee"
    with at(session, 75, 1):
        other = Appeal.objects.all()
        other.update(state="withdrawn")
        assert refused(lambda: judge.appeal(of.penalties.get(pk=row.pk))) == ["appeal_late"]


# What can be appealed


def test_a_lateness_can_be_appealed_and_is_forgiven_if_that_is_upheld():
    """[SBR 2.8.4.5] [RULES 8.53]"""
    of = make.tournament("sbr")
    make.players(of, 8)
    session = make.in_play(of)
    session.tournament = of
    player, by = judge.seat(session, "S"), make.referee_of(of)
    (row,) = lateness_operations.mark_late(session, [player], by=by)
    lateness_operations.note_arrival(row, by=by)
    assert amounts(of) == [-8]
    page = reverse("penalties:file_own", args=[of.slug, link_of(player.registration)])
    code = f"lateness-1-{player.registration.number}"
    assert f'value="{code}"' in Client().get(page).content.decode()
    said = {"player": player.pk, "against": code, "text": judge.LONG, "key": "k" * 20}
    assert Client().post(page, said).status_code == 302
    chief = signed_in(of, "chief_referee")
    ruling = {"body": "chief_referee", "verdict": "upheld", "reasons": judge.LONG}
    assert chief.post(reverse("penalties:decide", args=[of.slug, 1]), ruling).status_code == 302
    assert amounts(of) == []
    told = chief.get(reverse("penalties:appeal", args=[of.slug, 1])).content.decode()
    assert "The lateness is forgiven" in told


def test_a_ruling_on_a_lateness_offers_to_strike_no_hand():
    """[SBR 2.9.5] [RULES 8.53]"""
    of = make.tournament("sbr")
    make.players(of, 8)
    session = make.in_play(of)
    session.tournament = of
    player, by = judge.seat(session, "S"), make.referee_of(of)
    (row,) = lateness_operations.mark_late(session, [player], by=by)
    row = lateness_operations.note_arrival(row, by=by)
    grounds = Grounds(session=session, player=player, text=judge.LONG, lateness=row)
    appeals_operations.file_appeal(of, grounds, by=judge.link_actor(player.registration), key="k" * 20)
    page = signed_in(of, "chief_referee").get(reverse("penalties:decide", args=[of.slug, 1])).content.decode()
    assert 'name="reasons"' in page
    assert 'name="void_hand"' not in page


def test_a_decision_for_the_whole_event_can_be_appealed():
    """[RULES 8.53]"""
    session = scene()
    of, player = session.tournament, judge.seat(session, "E")
    row = judge.give(player, "phone", effect="tournament_points", points=Fraction(1), by=judge.judge(of))
    page = reverse("penalties:file_own", args=[of.slug, link_of(player.registration)])
    assert f'value="penalty-{row.number}"' in Client().get(page).content.decode()
    said = {"player": player.pk, "against": f"penalty-{row.number}", "text": judge.LONG, "key": "k" * 20}
    assert Client().post(page, said).status_code == 302
    decide(of.appeals.get(), by=judge.judge(of))
    assert of.penalties.get(pk=row.pk).state == "revoked"


def test_in_riichi_an_assistants_decision_goes_to_the_chief_referee_without_a_deposit():
    """[RIICHI reg. 5.4] [RULES 8.53]"""
    of = make.tournament("riichi_ema", entry_fee="10")
    make.players(of, 4)
    session = make.in_play(of)
    session.tournament = of
    player = judge.seat(session, "E")
    by_chief = judge.give(player, "disturbance", session, points=8000, by=judge.judge(of))
    by_assistant = judge.give(player, "grave_disturbance", session, points=12000, by=make.referee_of(of))
    assert refused(lambda: judge.appeal(by_chief)) == ["no_appeals"]
    appeal = judge.appeal(by_assistant)
    assert (appeal.state, appeal.deposit) == ("chief_referee", 0)
    decide(appeal, by=judge.judge(of))
    assert amounts(of) == [-8000]
    make.settle(session)
    record = export_record(of)
    assert record["declared"]["appeals"] == []
    record["declared"]["tournament"]["slug"] = "the-same-again"
    assert import_record(record, by=make.actor(make.user(), "organizer")).differences == ()


def test_in_sport_mahjong_a_count_that_all_have_confirmed_is_not_disputed():
    """[MCR scoring 1d] [RULES 8.53]"""
    of = make.tournament("mcr")
    make.players(of, 4)
    session = make.in_play(of)
    session.tournament = of
    table, player = session.tables.get(number=1), judge.seat(session, "E")
    by = judge.link_actor(player.registration)

    def file(**said):
        grounds = Grounds(session=session, player=player, text=judge.LONG, table=table, **said)
        return appeals_operations.file_appeal(of, grounds, by=by, key=uuid4().hex)

    Protocol.objects.filter(table=table).update(state="confirmed")
    assert refused(lambda: file(hand=1)) == ["no_appeals"]
    assert file().state == "chief_referee"


# What a ruling may do


def test_a_ruling_may_put_a_smaller_penalty_in_the_place_of_the_one_appealed_against():
    """[SBR 2.9.5] [RULES 8.53]"""
    session = scene()
    of = session.tournament
    row = judge.give(judge.seat(session, "S"), "phone", session, points=24, by=judge.judge(of))
    appeal = judge.appeal(row)
    chief = signed_in(of, "chief_referee")
    said = {"body": "chief_referee", "verdict": "upheld", "reasons": judge.LONG}
    sent = {**said, "instead": "game_points", "instead_points": "8"}
    assert chief.post(reverse("penalties:decide", args=[of.slug, 1]), sent).status_code == 302
    new = of.penalties.last()
    assert (new.offence, new.points, new.state, new.session) == ("phone", 8, "in_force", session)
    assert (of.penalties.get(pk=row.pk).state, sorted(amounts(of))) == ("revoked", [-8, -2])
    told = chief.get(reverse("penalties:appeal", args=[of.slug, appeal.number])).content.decode()
    assert f"Penalty {new.number} takes its place." in " ".join(told.split())


def test_what_a_ruling_puts_in_place_is_the_committees_after_the_event_as_well():
    """[SBR 2.9.5] [INTEGRITY 119]"""
    session = scene()
    of = session.tournament
    member = judge.judge(of, "committee")
    row = judge.give(judge.seat(session, "S"), "phone", session, points=24, by=judge.judge(of))
    appeal = judge.appeal(row, matter="other")
    close_tournament(of, by=make.organizer_of(of), reason=WHY)
    appeals_operations.vote(appeal, "upheld", by=member)
    decide(appeal, by=member, body="committee", order=Order(instead=Instead("warning")))
    new = of.penalties.last()
    assert (new.effect, new.decided_by, amounts(of)) == ("warning", "committee", [-2])


def test_only_a_penalty_is_replaced_and_only_by_an_upheld_appeal():
    session = scene()
    of, chief = session.tournament, judge.judge(session.tournament)
    appeal = judge.appeal(of.penalties.get(number=2))
    order = Order(instead=Instead("warning"))
    assert refused(lambda: decide(appeal, "dismissed", by=chief, order=order)) == ["order_unexpected"]
    table = session.tables.get(number=1)
    grounds = Grounds(session=session, player=judge.seat(session, "S"), text=judge.LONG, table=table)
    other = appeals_operations.file_appeal(of, grounds, by=chief, key=uuid4().hex)
    assert refused(lambda: decide(other, by=chief, order=order)) == ["order_unexpected"]


# The deposit


def test_an_appeal_whose_deposit_does_not_come_is_closed_and_opened_again_when_it_does():
    """[SBR 2.9.2] [RULES 8.53]"""
    session = scene(entry_fee="10")
    of = session.tournament
    appeal = judge.appeal(of.penalties.get(number=2))
    client = signed_in(of, "organizer")
    page = reverse("penalties:appeal", args=[of.slug, 1])
    close = reverse("penalties:not_accept", args=[of.slug, 1])
    assert close in client.get(page).content.decode()
    client.post(close)
    appeal.refresh_from_db()
    assert (appeal.state, appeal.is_open) == ("not_accepted", False)
    assert "Not accepted: no deposit" in client.get(page).content.decode()
    assert export_record(of)["declared"]["appeals"] == []
    close_tournament(of, by=make.organizer_of(of))
    client.post(reverse("penalties:take_deposit", args=[of.slug, 1]))
    appeal.refresh_from_db()
    assert (appeal.state, appeal.ended_at) == ("chief_referee", None)


def test_a_penalty_whose_appeal_was_not_accepted_can_be_revoked_and_one_with_an_open_appeal_cannot():
    """Nobody rules on an appeal without its deposit, so the judges can still take their decision back. [SBR 2.9.2] [RULES 1.8]"""
    session = scene(entry_fee="10")
    of, by = session.tournament, judge.judge(session.tournament)
    row = of.penalties.get(number=2)
    appeal = judge.appeal(row)
    client, page = signed_in(of, "chief_referee"), reverse("penalties:penalty", args=[of.slug, 2])
    revoke, decide = (
        reverse(f"penalties:{one}", args=[of.slug, n]) for one, n in (("revoke", 2), ("decide", 1))
    )
    shown = client.get(page).content.decode()
    assert (revoke in shown, "only a ruling can undo it" in shown) == (False, True)
    assert refused(lambda: penalties.revoke(row, by=by, reason=judge.LONG)) == ["wrong_state"]
    assert "The deposit has not come yet" in client.get(decide).content.decode()
    appeals_operations.close_unpaid(appeal, by=by)
    assert "The deposit has not come yet" not in client.get(decide).content.decode()
    assert 'name="reasons"' not in client.get(decide).content.decode()
    assert revoke in client.get(page).content.decode()
    assert penalties.revoke(row, by=by, reason=judge.LONG).state == "revoked"


def test_a_paid_appeal_is_not_closed_for_want_of_a_deposit():
    session = scene(entry_fee="10")
    of, by = session.tournament, make.organizer_of(session.tournament)
    appeal = judge.appeal(of.penalties.get(number=2))
    appeals_operations.take_deposit(appeal, by=by)
    assert refused(lambda: appeals_operations.close_unpaid(appeal, by=by)) == ["wrong_state"]


def test_a_withdrawn_appeal_takes_no_deposit():
    """The desk's page was loaded before the player withdrew. [RULES 9.40]"""
    session = scene(entry_fee="10")
    of, by = session.tournament, make.organizer_of(session.tournament)
    appeal = judge.appeal(of.penalties.get(number=2))
    appeals_operations.withdraw_appeal(appeal, by=judge.link_actor(appeal.player.registration))
    assert refused(lambda: appeals_operations.take_deposit(appeal, by=by)) == ["already_decided"]
    appeal.refresh_from_db()
    assert appeal.deposit_paid_at is None


@pytest.mark.parametrize("preset", ["sbr", "riichi_ema"])
def test_before_anything_was_played_pages_say_how_long_an_appeal_is_possible(preset):
    """Also where the regulation has no appeals and the chief referee is final. [RIICHI reg. 5.4] [RULES 8.53]"""
    of = make.tournament(preset)
    first = make.players(of, 4)[0]
    referee = Client()
    referee.force_login(make.staff(of, "referee"))
    pages = (
        referee.get(reverse("penalties:new_appeal", args=[of.slug])),
        Client().get(reverse("penalties:file_own", args=[of.slug, link_of(first)])),
    )
    assert [page.status_code for page in pages] == [200, 200]
    assert all("for 30 minutes after its end" in " ".join(page.content.decode().split()) for page in pages)


# The hearing


def test_two_who_write_of_one_hearing_see_both_versions():
    """Who moves the time on a page of before does not wipe out who was heard. [INTEGRITY 2]"""
    session = scene()
    of = session.tournament
    appeal = judge.appeal(of.penalties.get(number=2))
    client, page = signed_in(of, "organizer"), reverse("penalties:appeal", args=[of.slug, 1])
    hearing = reverse("penalties:set_hearing", args=[of.slug, 1])

    def seen():
        return search(r'name="seen" value="(\w+)"', client.get(page).content.decode())[1]

    before, said = seen(), {"at": "2026-11-20T18:00", "place": "Room 2"}
    assert client.post(hearing, {**said, "heard": "East and the referee", "seen": before}).status_code == 302
    moved = {**said, "at": "2026-11-20T18:30", "seen": before}
    answer = client.post(hearing, moved)
    text = answer.content.decode()
    assert (answer.status_code, "Both versions" in text, "East and the referee" in text) == (409, True, True)
    appeal.refresh_from_db()
    assert appeal.heard == "East and the referee"
    assert client.post(hearing, {**moved, "heard": "East alone", "seen": seen()}).status_code == 302
    appeal.refresh_from_db()
    assert appeal.heard == "East alone"


def test_an_advice_that_no_chief_referee_may_follow_waits_for_the_committee():
    """The desk names who has to act. [RULES 9.18] [RULES 9.40]"""
    session = scene()
    of = session.tournament
    appeal = judge.appeal(of.penalties.get(number=2))
    make.staff(of, "committee")
    chief = judge.judge(of)
    Appeal.objects.filter(pk=appeal.pk).update(state="recommended")
    (need,) = [one for one in needs_of(of) if one.code == "appeal"]
    assert "the chief referee decides" in need.sentence
    appeals_operations.declare_conflict(appeal, by=chief)
    (need,) = [one for one in needs_of(of) if one.code == "appeal"]
    assert "waits for the committee" in need.sentence
