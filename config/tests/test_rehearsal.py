"""A rehearsal: an event's own regulation with invented players, played on by the page that is open, on no list, wiped with one press."""

import random
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.apps import apps
from django.test import Client

from config.rehearsal import operations, rules
from config.tools import demo
from tournaments.models import HistoryEntry, Mail, Protocol, Session, Tournament
from tournaments.people.queries.events import visible_tournaments
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import play
from tournaments.tests import factories as make

START = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)


# The rules


def test_time_in_which_no_page_was_open_does_not_pass():
    assert rules.gone_by(100.0, 102.5) == 2.5
    assert rules.gone_by(100.0, 5000.0) == rules.LONGEST_GAP
    assert rules.gone_by(100.0, 99.0) == 0


def test_the_clock_is_moved_by_whole_minutes_and_owes_the_rest():
    assert rules.minutes_to_take(59.0) == (0, 59.0)
    assert rules.minutes_to_take(130.0) == (2, 10.0)


@pytest.mark.parametrize(("share", "due"), [(0, 0), (0.46, 50), (0.92, 100), (1.5, 100)])
def test_tables_have_played_everything_shortly_before_the_end(share, due):
    assert rules.steps_due(share, all_steps=100, done=0) == due
    assert rules.steps_due(share, all_steps=100, done=100) == 0


@pytest.mark.parametrize(
    ("registered", "most", "players"), [(28, None, 28), (0, None, 16), (3, 8, 8), (500, None, 120)]
)
def test_as_many_play_as_are_registered_or_a_usual_number(registered, most, players):
    assert rules.players_for(registered, most) == players


# The rehearsal


def begun(of, **changes):
    said = {"players": 8, "speed": 60, "own": 0, "is_alone": True, **changes}
    return operations.begin(of, by=make.organizer_of(of), **said)


def rows_of_all():
    """Count the rows of every model that belongs to events."""
    models = [
        model
        for app in ("tournaments", "seating", "penalties")
        for model in apps.get_app_config(app).get_models()
    ]
    return {model.__name__: model._base_manager.count() for model in models}


def play_on(rehearsal, clock, *, seconds, every=2):
    dice = random.Random(1)
    for _ in range(0, seconds, every):
        clock.shift(timedelta(seconds=every))
        operations.turn(rehearsal, dice)


@pytest.mark.django_db
def test_a_rehearsal_is_on_no_list_and_has_the_regulation_of_the_event(client):
    of = make.tournament(session_minutes=50)
    made = begun(of)
    assert made.regulation == of.regulation
    assert made.registrations.filter(checked_in_at__isnull=False).count() == 8
    assert made not in visible_tournaments(of.created_by_id)
    client.force_login(of.created_by)
    for page in ("/", "/archive/", "/api/1/tournaments/", "/sitemap.xml"):
        assert made.slug not in client.get(page).content.decode(), page
    assert not Mail.objects.exists()
    assert not demo.is_there()


@pytest.mark.django_db
def test_at_sixty_times_the_speed_an_hour_takes_a_minute_and_the_next_session_follows():
    with time_machine.travel(START, tick=False) as clock:
        made = begun(make.tournament(session_minutes=60, sessions=2))
        play_on(made, clock, seconds=30)
        assert made.sessions.get(number=1).state == Session.State.OPEN
        started = made.sessions.get(number=1).started_at
        play_on(made, clock, seconds=80)
        first = made.sessions.get(number=1)
        assert first.state == Session.State.CLOSED
        assert timedelta(seconds=50) < first.ended_at - started < timedelta(seconds=75)
        play_on(made, clock, seconds=140)
        assert Tournament.objects.get(pk=made.pk).state == Tournament.State.CLOSED


@pytest.mark.django_db
def test_own_tables_and_buttons_are_left_to_people():
    with time_machine.travel(START, tick=False) as clock:
        made = begun(make.tournament(session_minutes=60), own=1, is_alone=False)
        play_on(made, clock, seconds=40)
        assert not made.sessions.filter(published_at__isnull=False).exists()
        session = play.start_session(make.seated(made), by=make.organizer_of(made))
        play_on(made, clock, seconds=80)
        hands = {
            row.table.number: row.hands.count() for row in Protocol.objects.filter(table__session=session)
        }
        assert hands[1] == 0
        assert hands[2] > 0
        assert made.sessions.get(number=1).state == Session.State.OPEN


@pytest.mark.django_db
def test_one_press_wipes_it_and_nothing_else():
    of = make.tournament()
    make.players(of, 4)
    before, entries = rows_of_all(), list(HistoryEntry.objects.values_list("digest", flat=True))
    with time_machine.travel(START, tick=False) as clock:
        made = begun(of)
        play_on(made, clock, seconds=60)
        client = Client()
        client.force_login(of.created_by)
        page = client.get(f"/{made.slug}/desk/")
        assert "nothing here is real" in page.content.decode()
        assert "taken off the lists" not in page.content.decode()
        operations.wipe(made)
    after = rows_of_all()
    assert {name: count for name, count in after.items() if count != before[name]} == {}
    assert list(HistoryEntry.objects.values_list("digest", flat=True)) == entries
    begun(of)


@pytest.mark.django_db
def test_an_event_is_never_wiped_and_rehearsed_once_at_a_time():
    of = make.tournament()
    made = begun(of)
    for work in (lambda: operations.wipe(of), lambda: begun(of), lambda: begun(made)):
        with pytest.raises(Refused):
            work()
    assert Tournament.objects.filter(pk__in=[of.pk, made.pk]).count() == 2
