"""When sessions shall begin: by the clock of the place, in order, on the event's page and in its calendar."""

from datetime import UTC, datetime

import pytest
from django.test import Client

from tournaments.models import HistoryEntry, Tournament
from tournaments.sessions.operations import timetable
from tournaments.sessions.queries import timetable_of
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
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


# The line: a session is moved, and the rest of its day with it


def shift(of, session, minutes, key="k" * 32):
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(of.created_by)
    body = {"minutes": str(minutes), "key": key}
    return client.post(f"/{of.slug}/desk/sessions/{session}/shift/", body, follow=True)


def test_moving_a_session_moves_the_rest_of_its_day_and_no_other_day():
    of = make.tournament(session_minutes=90, sessions=3)
    clock = {1: "2026-05-09T10:00", 2: "2026-05-09T12:00", 3: "2026-05-10T10:00"}
    times = {number: datetime.fromisoformat(text) for number, text in clock.items()}
    timetable.plan_sessions(of, times, by=make.organizer_of(of))
    said = shift(of, 1, 25).content.decode()
    assert "Session 1 10:25, Session 2 12:25" in said
    assert planned(of) == [
        datetime(2026, 5, 9, 6, 25, tzinfo=UTC), datetime(2026, 5, 9, 8, 25, tzinfo=UTC), datetime(2026, 5, 10, 6, tzinfo=UTC),
    ]  # fmt: skip
    shift(of, 2, -5, key="l" * 32)
    assert planned(of)[:2] == [
        datetime(2026, 5, 9, 6, 25, tzinfo=UTC),
        datetime(2026, 5, 9, 8, 20, tzinfo=UTC),
    ]


def test_a_press_that_is_sent_twice_moves_once(of):
    plan(of, "2026-05-09T10:00", "2026-05-09T12:00")
    for _ in range(2):
        shift(of, 1, 15)
    assert planned(of)[0] == datetime(2026, 5, 9, 6, 15, tzinfo=UTC)


def test_what_would_overlap_or_has_no_time_is_not_moved(of):
    plan(of, "2026-05-09T10:00", "2026-05-09T11:30")
    assert "would start before session 1 ends" in shift(of, 2, -5).content.decode()
    assert "has a time and has not begun" in shift(make.tournament(), 1, 5).content.decode()
    assert planned(of)[1] == datetime(2026, 5, 9, 7, 30, tzinfo=UTC)


def test_the_line_shows_the_breaks_of_a_day(of):
    plan(of, "2026-05-09T10:00", "2026-05-09T12:00")
    lines = timetable_of(of)
    assert [line.pause for line in lines] == [None, 30]
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(of.created_by)
    for page in ("sessions/timetable", "prints/timetable"):
        assert "break of 30 minutes" in client.get(f"/{of.slug}/desk/{page}/").content.decode()


def test_sessions_that_overlap_have_no_break_and_what_has_not_begun_says_so(of):
    """A session can begin while the clock of the one before it still runs: its protocols came early."""
    plan(of, "2026-05-09T10:00", "2026-05-09T12:00")
    of.sessions.filter(number=2).update(planned_at=datetime(2026, 5, 9, 7, tzinfo=UTC))
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(of.created_by)
    for page, is_told in (("sessions/timetable", True), ("prints/timetable", False)):
        text = client.get(f"/{of.slug}/desk/{page}/").content.decode()
        assert "break of" not in text
        assert ("begins before the end of the one above" in text) is is_told
    of.sessions.update(state="open", started_at=datetime(2026, 5, 9, 7, tzinfo=UTC))
    assert "begins before" not in client.get(f"/{of.slug}/desk/sessions/timetable/").content.decode()
