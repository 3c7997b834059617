"""What happens behind the pages goes on whatever one tournament does to it."""

import os
import subprocess
import sys
import threading

import pytest

from config.tools.smoke.services import free_port
from tournaments import tasks
from tournaments.models import StandingsRevision
from tournaments.record import wakeup
from tournaments.standings.operations import recompute as operations_recompute
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db


def test_one_broken_tournament_keeps_no_other_from_its_standings(monkeypatch):
    broken, sound = make.tournament(), make.tournament()
    stop = threading.Event()
    whole = operations_recompute.recompute

    def recompute(tournament_id):
        if tournament_id == broken.pk:
            raise ValueError("the record of this one cannot be read")
        whole(tournament_id)

    def wait(seconds):
        stop.set()
        return set()

    monkeypatch.setattr(operations_recompute, "recompute", recompute)
    monkeypatch.setattr(wakeup, "wait", wait)
    monkeypatch.setattr(tasks, "close_old_connections", lambda: None)
    monkeypatch.setattr(tasks, "PAUSE", 0)
    tasks.run_embedded(stop)
    revision = StandingsRevision.objects.get(pk=sound.pk)
    assert revision.done == revision.wanted > 0


class Burst:
    """Three seconds in which something moves all the time, by a clock of their own."""

    def __init__(self, monkeypatch):
        self.now, self.done = 0.0, 0
        monkeypatch.setattr(operations_recompute, "behind", lambda: [1] if self.now < 3 else [])
        monkeypatch.setattr(operations_recompute, "recompute", self.recompute)
        monkeypatch.setattr(wakeup, "wait", lambda seconds: {1})
        monkeypatch.setattr(tasks, "close_old_connections", lambda: None)
        monkeypatch.setattr(tasks.time, "sleep", self.wait)

    def recompute(self, tournament_id):
        self.done += 1
        return self.done

    def is_set(self):
        return self.now >= 3

    def wait(self, seconds):
        self.now += seconds


@pytest.mark.parametrize("way", ["thread", "worker"])
def test_burst_of_edits_costs_three_recomputations_a_second_at_most(monkeypatch, way):
    burst = Burst(monkeypatch)
    if way == "thread":
        tasks.run_embedded(burst)
    else:
        tasks.recompute_standings(1)
    assert 3 < burst.done <= 3 * 3 + 1


def a_quiet_tournament():
    """Make a tournament about which no message waits, under whatever number it has."""
    of = make.tournament().pk
    wakeup.taken(of)
    return of


@pytest.fixture
def messages(settings, monkeypatch):
    """Collect the recomputations that are asked of the workers of a site that has some."""
    settings.EMBEDDED = False
    sent = []

    def send(name, arguments, **_):
        if name == "tournaments.tasks.recompute_standings":
            sent.append(tuple(arguments))

    monkeypatch.setattr("celery.current_app.send_task", send)
    return sent


def test_a_burst_waits_for_the_worker_as_one_message(messages):
    one, other = a_quiet_tournament(), a_quiet_tournament()
    for wished in (one, one, other, one):
        wakeup.wake(wished)
    assert messages == [(one,), (other,)]


def test_what_is_wished_after_a_worker_began_is_told_to_it_again(messages, monkeypatch):
    of = a_quiet_tournament()
    wakeup.wake(of)

    def wished_meanwhile(tournament_id):
        wakeup.wake(tournament_id)
        return 1

    monkeypatch.setattr(operations_recompute, "recompute", wished_meanwhile)
    monkeypatch.setattr(operations_recompute, "behind", list)
    tasks.recompute_standings(of)
    assert messages == [(of,), (of,)]


@pytest.fixture
def away(settings, monkeypatch):
    """Count who asks a broker that is away, by a clock of their own."""
    settings.EMBEDDED = False
    clock, asked = Clock(), []

    def refuse(name, arguments, **said):
        asked.append(tuple(arguments))
        raise ConnectionError("nobody is there")

    monkeypatch.setattr("celery.current_app.send_task", refuse)
    monkeypatch.setattr(wakeup, "time", clock)
    monkeypatch.setattr(wakeup, "_away_until", 0.0)
    return clock, asked


def test_a_broker_that_is_away_holds_up_one_hand_in_five_seconds_and_fails_none(away):
    clock, asked = away
    one, other, third = a_quiet_tournament(), a_quiet_tournament(), a_quiet_tournament()
    wakeup.wake(one)
    wakeup.wake(other)
    clock.now += wakeup.AWAY_FOR
    wakeup.wake(third)
    tasks.wake_push()
    assert asked == [(one,), (third,)]


def test_a_broker_that_was_slow_to_keep_the_marker_is_not_waited_for_again(away, monkeypatch):
    clock, asked = away
    of = a_quiet_tournament()
    monkeypatch.setattr(wakeup.cache, "add", lambda *said: clock.sleep(3) or True)
    wakeup.wake(of)
    wakeup.wake(of)
    assert (asked, clock.now) == ([], 3)


@pytest.mark.slow
def test_nobody_waits_for_a_redis_that_is_not_there():
    """Kombu tries for six seconds by itself, and with it the referee would wait."""
    program = """
import time, django
django.setup()
from tournaments.record import wakeup
started = time.monotonic()
wakeup.wake(1)
print(time.monotonic() - started)
"""
    told = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings.development",
        "REDIS_URL": f"redis://127.0.0.1:{free_port()}/0",
    }
    done = subprocess.run(
        [sys.executable, "-c", program], env=told, capture_output=True, text=True, timeout=60, check=False
    )
    assert float(done.stdout) < 2, done.stderr


def test_a_lost_message_stands_for_others_no_longer_than_a_sweep():
    assert wakeup.ASKED_FOR <= tasks.SWEEP


def test_an_event_whose_hands_never_cease_leaves_the_worker_to_others_in_good_time(
    messages, monkeypatch, settings
):
    """A task that lasted longer than its limit was ended in the middle of its work, and said so as an error."""
    of, clock = a_quiet_tournament(), Clock()
    monkeypatch.setattr(operations_recompute, "behind", lambda: [of])
    monkeypatch.setattr(operations_recompute, "recompute", clock.recompute)
    monkeypatch.setattr(tasks, "time", clock)
    tasks.recompute_standings(of)
    assert clock.now < settings.CELERY_TASK_SOFT_TIME_LIMIT / 2
    assert clock.done / clock.now <= 3
    assert messages == [(of,)]


class Clock:
    """A clock that goes on by sleeping, and by work that takes a second and a half."""

    def __init__(self):
        self.now, self.done = 0.0, 0

    def monotonic(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds

    def recompute(self, tournament_id):
        self.now, self.done = self.now + 1.5, self.done + 1
        return self.done
