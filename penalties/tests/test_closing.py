"""Closing over an open appeal: the desk says so, and whoever closes gives a reason. [SBR 2.9]"""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from penalties.operations import appeals, penalties
from penalties.tests import factories as judge
from tournaments.models import HistoryEntry, Protocol, Session, Tournament
from tournaments.operations import history, play
from tournaments.operations.tournaments import close_tournament
from tournaments.refusal import Refused
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db
WHY = "The committee meets after dinner."


@pytest.fixture
def session():
    """A session of one, all tables settled, with an open appeal about it."""
    of = make.tournament("sbr", sessions=2)
    make.players(of, 4)
    row = make.in_play(of)
    row.tournament = of
    for protocol in Protocol.objects.filter(table__session=row).select_related("table__session__tournament"):
        make.record(protocol)
    judge.appeal(judge.give(judge.seat(row, "E"), "touching", row))
    make.settle(row)
    return row


def desk(session, name="desk"):
    client = Client()
    client.force_login(session.tournament.created_by)
    return client, reverse(f"tournaments:{name}", args=[session.tournament.slug])


def refused(work) -> list[str]:
    with pytest.raises(Refused) as found:
        work()
    return [problem.code for problem in found.value.problems]


def last_entry(kind):
    return history.read(HistoryEntry.objects.get(kind=kind).content)


def close(session, **said):
    return play.close_session(session, by=make.organizer_of(session.tournament), **said)


@pytest.mark.parametrize(("reason", "code"), [("", "appeals_open"), ("Well.", "reason_length")])
def test_a_session_is_not_closed_over_an_open_appeal_without_a_reason(session, reason, code):
    assert refused(lambda: close(session, reason=reason)) == [code]
    assert Session.objects.get(pk=session.pk).state == "open"


def test_the_reason_and_the_appeals_stand_in_the_history(session):
    close(session, reason=WHY)
    told = last_entry("session_closed")
    assert (told["reason"], told["data"]["open_appeals"]) == (WHY, [1])


def test_an_appeal_about_another_session_stops_nobody(session):
    of = session.tournament
    close(session, reason=WHY)
    later = make.in_play(of, 2)
    make.settle(later)
    assert close(later).state == "closed"


@pytest.mark.parametrize("end", ["upheld", "dismissed", "withdrawn"])
def test_a_decided_appeal_stops_nobody(session, end):
    of = session.tournament
    appeal = of.appeals.get()
    if end == "withdrawn":
        appeals.withdraw_appeal(appeal, by=judge.link_actor(appeal.player.registration))
    else:
        appeals.decide(appeal, end, judge.LONG, body="chief_referee", by=judge.judge(of))
    assert close(session).state == "closed"


def test_an_event_is_not_closed_over_an_open_appeal_without_a_reason(session):
    of = session.tournament
    close(session, reason=WHY)
    assert refused(lambda: close_tournament(of, by=make.organizer_of(of))) == ["appeals_open"]
    assert Tournament.objects.get(pk=of.pk).state == "running"
    assert close_tournament(of, by=make.organizer_of(of), reason=WHY).state == "closed"
    assert last_entry("tournament_closed")["data"] == {"open_appeals": [1]}


def test_a_ruling_after_the_end_still_takes_effect(session):
    """A closed session, and a closed event, wait for nobody but the appeal. [SBR 2.9.5]"""
    of = session.tournament
    judge.give(judge.seat(session, "E"), "touching", session)
    close(session, reason=WHY)
    close_tournament(of, by=make.organizer_of(of), reason=WHY)
    appeals.decide(of.appeals.get(), "upheld", judge.LONG, body="chief_referee", by=judge.judge(of))
    assert [row.game_points for row in of.adjustments.filter(reversed_at=None)] == []


def test_a_disqualification_is_not_approved_in_a_finished_event_but_by_the_committee(session):
    """[INTEGRITY 119]"""
    of = session.tournament
    row = judge.give(judge.seat(session, "S"), "unsporting", effect="disqualification", by=judge.judge(of))
    close(session, reason=WHY)
    close_tournament(of, by=make.organizer_of(of), reason=WHY)
    assert refused(lambda: penalties.approve(row, by=judge.judge(of, "referee"))) == ["event_finished"]
    assert penalties.approve(row, by=judge.judge(of, "committee")).state == "in_force"


@pytest.mark.parametrize("name", ["desk", "sessions"])
def test_the_desk_names_the_appeal_and_asks_for_the_reason(session, name):
    client, page = desk(session, name)
    shown = client.get(page).content.decode()
    assert reverse("penalties:appeal", args=[session.tournament.slug, 1]) in shown
    closing = reverse("tournaments:close_session", args=[session.tournament.slug, 1])
    form = shown.partition(f'action="{closing}"')[2].partition("</form>")[0]
    assert 'name="reason" required' in form
    client.post(closing, {"reason": ""})
    assert "Appeals not decided yet: 1." in client.get(page).content.decode()
    client.post(closing, {"reason": WHY})
    assert Session.objects.get(pk=session.pk).state == "closed"


def test_the_end_of_the_event_asks_for_the_reason_and_says_until_when_appeals_come(session):
    closed = close(session, reason=WHY)
    session.tournament.sessions.filter(number=2).delete()
    client, page = desk(session)
    shown = client.get(page).content.decode()
    of = session.tournament
    until = timezone.localtime(closed.ended_at + timedelta(minutes=30), of.zone)
    assert f"can still be filed until {until:%H:%M}." in shown
    closing = reverse("tournaments:close", args=[of.slug])
    assert 'name="reason" required' in shown.partition(f'action="{closing}"')[2].partition("</form>")[0]
    client.post(closing, {"reason": WHY})
    assert Tournament.objects.get(pk=of.pk).state == "closed"


def test_a_scorer_reads_of_the_appeal_and_is_led_nowhere(session):
    client, page = desk(session)
    client.force_login(make.staff(session.tournament, "scorer"))
    shown = client.get(page).content.decode()
    assert "appeal no. 1" in shown
    assert reverse("penalties:appeal", args=[session.tournament.slug, 1]) not in shown


def test_the_page_of_substitutes_says_that_nobody_was_replaced_once_the_session_is_closed(session):
    page = reverse("penalties:substitutes_session", args=[session.tournament.slug, session.number])
    client, _ = desk(session)
    before = client.get(page).content.decode()

    close(session, reason=WHY)

    assert "Nobody was replaced" not in before
    assert "Nobody was replaced" in client.get(page).content.decode()
