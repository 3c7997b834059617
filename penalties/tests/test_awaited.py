"""A lateness runs until somebody stops it, and no session ends over one. [RULES 8.54]"""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from penalties.lateness import operations as lateness_operations
from penalties.models import Lateness
from penalties.tests import factories as judge
from tournaments.models import Protocol, Session
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import play
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
def session():
    """A session that began an hour ago; its table has one hand, and East is marked as late."""
    of = make.tournament("sbr")
    make.players(of, 4)
    row = make.in_play(of)
    Session.objects.filter(pk=row.pk).update(
        started_at=timezone.now().replace(microsecond=0) - timedelta(hours=1)
    )
    row = Session.objects.select_related("tournament").get(pk=row.pk)
    lateness_operations.mark_late(row, [judge.seat(row, "E")], by=make.referee_of(row.tournament))
    make.record(Protocol.objects.select_related("table__session__tournament").get(table__session=row))
    return row


def refused(work):
    with pytest.raises(Refused) as found:
        work()
    return [problem.code for problem in found.value.problems]


def referee(session):
    client = Client()
    client.force_login(make.staff(session.tournament, "chief_referee"))
    return client


def close(session):
    return play.close_session(session, by=make.organizer_of(session.tournament))


def amounts(session):
    return [row.game_points for row in session.tournament.adjustments.filter(reversed_at=None)]


def test_a_session_is_not_closed_while_somebody_is_awaited(session):
    """A lateness that nobody stopped would cost nothing, unseen. [RULES 8.54] [SBR 2.8.4.5]"""
    make.settle(session)
    assert refused(lambda: close(session)) == ["lateness_runs"]
    row = session.latenesses.get()
    at = session.started_at + timedelta(minutes=5)
    lateness_operations.note_arrival(row, by=make.referee_of(session.tournament), at=at)
    close(session)
    assert amounts(session) == [-8]


def test_the_desk_says_who_is_awaited_and_offers_no_closing(session):
    """[RULES 8.54]"""
    make.settle(session)
    client = Client()
    client.force_login(session.tournament.created_by)
    page = client.get(reverse("tournaments:sessions", args=[session.tournament.slug])).content.decode()
    assert f"Still awaited: {judge.seat(session, 'E')}." in page
    assert reverse("tournaments:close_session", args=[session.tournament.slug, 1]) not in page


def test_an_arrival_is_noted_by_its_clock_time(session):
    """What it costs is counted to that time, not to the moment of noting it. [RULES 8.54] [SBR 2.8.4.5]"""
    of = session.tournament
    number = judge.seat(session, "E").registration.number
    url = reverse("penalties:arrived", args=[of.slug, 1, number])
    came = timezone.localtime(session.started_at, of.zone) + timedelta(minutes=12)
    referee(session).post(url, {"at": f"{came:%H:%M:%S}"})
    row = session.latenesses.get()
    assert (row.state, row.seconds, amounts(session)) == ("arrived", 720, [-16])


def test_a_time_outside_the_session_is_refused(session):
    """[RULES 8.54]"""
    of, row = session.tournament, session.latenesses.get()
    by, early = make.referee_of(of), session.started_at - timedelta(minutes=1)
    assert refused(lambda: lateness_operations.note_arrival(row, by=by, at=early)) == ["arrival_outside"]
    url = reverse("penalties:arrived", args=[of.slug, 1, row.player.registration.number])
    later = timezone.localtime(timezone.now(), of.zone) + timedelta(minutes=2)
    answer = referee(session).post(url, {"at": f"{later:%H:%M}"}, follow=True)
    assert "Write a time from" in answer.content.decode()
    assert Lateness.objects.get(pk=row.pk).state == "running"


def test_here_now_after_the_session_asks_for_the_time(session):
    """The whole session is not counted as lateness. [RULES 8.54]"""
    Session.objects.filter(pk=session.pk).update(state="closed", ended_at=timezone.now())
    row, by = session.latenesses.get(), make.chief_referee_of(session.tournament)
    assert refused(lambda: lateness_operations.note_arrival(row, by=by)) == ["arrival_time_needed"]
    page = referee(session).get(reverse("penalties:judging", args=[session.tournament.slug])).content.decode()
    assert ("Here now" in page, 'name="at"' in page) == (False, True)


def test_after_the_first_hand_the_judges_are_asked_who_has_come(session):
    """[RULES 8.54]"""
    for name, args in (("penalties:judging", []), ("penalties:lateness_clock", [1])):
        page = referee(session).get(reverse(name, args=[session.tournament.slug, *args])).content.decode()
        assert "The table recorded its first hand at" in page
