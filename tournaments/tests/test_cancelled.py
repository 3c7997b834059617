"""An event that does not take place: everybody is told why, nothing is deleted, and it can be taken back. [RULES 1.2]"""

import json

import pytest
from django.test import Client
from django.utils.html import strip_tags

from tournaments.models import HistoryEntry, Tournament
from tournaments.people.operations import registration as people
from tournaments.record.actors import ANYONE
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import play
from tournaments.sessions.operations import tournaments as events
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered
from tournaments.web.access import link_of

pytestmark = pytest.mark.django_db

WHY = "The hall was flooded last night."


@pytest.fixture
@remembered
def cancelled():
    """An event of four players that was cancelled before it began."""
    of = make.tournament()
    make.players(of, 4)
    return events.cancel_tournament(of, by=make.organizer_of(of), reason=WHY)


def words(answer):
    return " ".join(strip_tags(answer.content.decode().replace("<", " <")).split())


@pytest.mark.parametrize(
    "page",
    ["", "regulation/", "players/", "player-2/", "seating/", "standings/", "find/", "downloads/", "hall/"],
)
def test_every_public_page_says_it_once_and_why(cancelled, page):
    said = words(Client().get(f"/{cancelled.slug}/{page}"))
    assert said.count(WHY) == 1
    assert "The event is cancelled." in said


def test_a_players_own_page_and_the_desk_say_it(cancelled):
    own = Client().get(f"/{cancelled.slug}/me/{link_of(cancelled.registrations.get(number=1))}/")
    assert words(own).count(WHY) == 1
    desk = Client()
    desk.force_login(cancelled.created_by)
    for page in ("", "people/", "sessions/"):
        assert WHY in words(desk.get(f"/{cancelled.slug}/desk/{page}"))


def test_nobody_registers_and_nothing_is_entered(cancelled):
    event = words(Client().get(f"/{cancelled.slug}/"))
    assert "Register" not in event.split()
    of = Tournament.objects.get(pk=cancelled.pk)
    with pytest.raises(Refused) as refused:
        people.register_player(of, people.Details(name="Avocet"), by=ANYONE)
    assert [problem.code for problem in refused.value.problems] == ["event_cancelled"]
    with pytest.raises(Refused) as refused:
        people.check_in(of.registrations.get(number=1), by=make.organizer_of(of))
    assert [problem.code for problem in refused.value.problems] == ["event_cancelled"]
    assert of.registrations.count() == 4


def test_lists_calendars_programs_and_search_engines_are_told(cancelled):
    Tournament.objects.filter(pk=cancelled.pk).update(first_day="2999-05-09", last_day="2999-05-10")
    home = Client().get("/")
    assert [name for name, rows in home.context["groups"] if cancelled in rows] == ["Cancelled"]
    calendar = Client().get(f"/{cancelled.slug}/timetable.ics").content.decode()
    assert "STATUS:CANCELLED" in calendar
    assert f"SUMMARY:Cancelled: {cancelled.name}" in calendar
    answer = Client().get(f"/api/1/tournaments/{cancelled.slug}/").json()
    assert json.dumps(answer).count(WHY) == 1
    assert "EventCancelled" in Client().get(f"/{cancelled.slug}/").content.decode()


def test_a_cancelled_event_of_the_past_is_in_no_list(cancelled):
    Tournament.objects.filter(pk=cancelled.pk).update(first_day="2020-05-09", last_day="2020-05-10")
    assert cancelled.name not in words(Client().get("/"))
    assert cancelled.name not in words(Client().get("/archive/"))


@pytest.mark.parametrize(("is_begun", "state"), [(False, "announced"), (True, "running")])
def test_it_can_be_taken_back_and_stands_where_it_stood(is_begun, state):
    """[RULES 9.11]"""
    of = make.tournament()
    make.players(of, 4)
    if is_begun:
        make.settle(make.in_play(of))
        play.close_session(of.sessions.get(number=1), by=make.organizer_of(of))
    desk = Client()
    desk.force_login(of.created_by)
    desk.post(f"/{of.slug}/desk/cancel/", {"reason": WHY})
    assert "The event takes place after all" in words(desk.get(f"/{of.slug}/desk/"))
    desk.post(f"/{of.slug}/desk/cancel/take-back/")
    of.refresh_from_db()
    assert (of.state, of.cancelled_at, of.cancel_reason) == (state, None, "")
    kinds = HistoryEntry.objects.filter(tournament=of, kind__contains="cancel").values_list("kind", flat=True)
    assert list(kinds) == ["tournament_cancelled", "cancellation_taken_back"]


def test_it_takes_a_reason_an_event_that_was_announced_and_no_session_in_play():
    of = make.tournament()
    by = make.organizer_of(of)
    for reason in ("", "short", "long " * 300):
        with pytest.raises(Refused):
            events.cancel_tournament(of, by=by, reason=reason)
    make.players(of, 4)
    make.in_play(of)
    with pytest.raises(Refused) as refused:
        events.cancel_tournament(of, by=by, reason=WHY)
    assert [problem.code for problem in refused.value.problems] == ["games_open"]
    draft = make.tournament(announced=False)
    with pytest.raises(Refused) as refused:
        events.cancel_tournament(draft, by=make.organizer_of(draft), reason=WHY)
    draft.refresh_from_db()
    assert (draft.state, draft.cancel_reason) == ("draft", "")
