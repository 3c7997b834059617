"""When sessions shall begin: by the clock of the place, in order, on the event's page and in its calendar."""

from datetime import UTC, datetime

import pytest
from django.test import Client

from tournaments.models import HistoryEntry, Tournament
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db


@pytest.fixture
def of():
    return make.tournament(session_minutes=90)


def plan(of, first="", second=""):
    client = Client()
    client.force_login(of.created_by)
    return client.post(
        f"/{of.slug}/desk/sessions/timetable/", {"session_1": first, "session_2": second}, follow=True
    )


def planned(of):
    return list(of.sessions.order_by("number").values_list("planned_at", flat=True))


def test_times_are_those_of_the_place(of):
    assert plan(of, "2026-05-09T10:00", "2026-05-09T11:30").status_code == 200
    assert planned(of) == [datetime(2026, 5, 9, 6, tzinfo=UTC), datetime(2026, 5, 9, 7, 30, tzinfo=UTC)]
    page = Client().get(f"/{of.slug}/").content.decode()
    assert "10:00" in page
    assert "DTSTART:20260509T060000Z" in Client().get(f"/{of.slug}/timetable.ics").content.decode()


def test_an_empty_time_takes_the_plan_away(of):
    plan(of, "2026-05-09T10:00")
    plan(of)
    assert planned(of) == [None, None]


def test_saving_what_is_saved_leaves_no_entry(of):
    plan(of, "2026-05-09T10:00")
    entries = HistoryEntry.objects.count()
    plan(of, "2026-05-09T10:00")
    assert HistoryEntry.objects.count() == entries


def test_a_session_begins_after_the_one_before_has_ended(of):
    """[INTEGRITY 68]"""
    answer = plan(of, "2026-05-09T10:00", "2026-05-09T11:29")
    assert answer.status_code == 422
    assert "Session 2 would start before session 1 ends (11:30)." in answer.content.decode()
    assert 'value="2026-05-09T11:29"' in answer.content.decode()
    assert planned(of) == [None, None]


@pytest.mark.parametrize(
    ("time", "words"), [("2026-03-29T02:30", "does not exist"), ("2026-10-25T02:30", "occurs twice")]
)
def test_a_time_that_clocks_skip_or_repeat_is_refused(of, time, words):
    """[INTEGRITY 69]"""
    Tournament.objects.filter(pk=of.pk).update(time_zone="Europe/Berlin")
    answer = plan(of, time)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert planned(of) == [None, None]


def test_a_session_that_has_begun_keeps_its_time(of):
    make.players(of, 4)
    make.in_play(of)
    plan(of, "2026-05-09T10:00", "2037-05-10T10:00")
    assert planned(of) == [None, datetime(2037, 5, 10, 6, tzinfo=UTC)]
