"""What happens behind the pages goes on whatever one tournament does to it."""

import threading

import pytest

from tournaments import tasks, wakening
from tournaments.models import StandingsRevision
from tournaments.operations import standings
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db


def test_one_broken_tournament_keeps_no_other_from_its_standings(monkeypatch):
    broken, sound = make.tournament(), make.tournament()
    stop = threading.Event()
    whole = standings.recompute

    def recompute(tournament_id):
        if tournament_id == broken.pk:
            raise ValueError("the record of this one cannot be read")
        whole(tournament_id)

    def wait(seconds):
        stop.set()
        return set()

    monkeypatch.setattr(standings, "recompute", recompute)
    monkeypatch.setattr(wakening, "wait", wait)
    monkeypatch.setattr(tasks, "close_old_connections", lambda: None)
    monkeypatch.setattr(tasks, "PAUSE", 0)
    tasks.run_embedded(stop)
    revision = StandingsRevision.objects.get(pk=sound.pk)
    assert revision.done == revision.wanted > 0


class Burst:
    """Three seconds in which something moves all the time, by a clock of their own."""

    def __init__(self, monkeypatch):
        self.now, self.done = 0.0, 0
        monkeypatch.setattr(standings, "behind", lambda: [1] if self.now < 3 else [])
        monkeypatch.setattr(standings, "recompute", self.recompute)
        monkeypatch.setattr(wakening, "wait", lambda seconds: {1})
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
    wakening.taken(of)
    return of


@pytest.fixture
def messages(settings, monkeypatch):
    """Collect what is sent to the workers of a site that has some."""
    settings.EMBEDDED = False
    sent = []
    monkeypatch.setattr(
        "celery.current_app.send_task", lambda name, arguments, **_: sent.append(tuple(arguments))
    )
    return sent


def test_a_burst_waits_for_the_worker_as_one_message(messages):
    one, other = a_quiet_tournament(), a_quiet_tournament()
    for wished in (one, one, other, one):
        wakening.wake(wished)
    assert messages == [(one,), (other,)]


def test_what_is_wished_after_a_worker_began_is_told_to_it_again(messages, monkeypatch):
    of = a_quiet_tournament()
    wakening.wake(of)

    def wished_meanwhile(tournament_id):
        wakening.wake(tournament_id)
        return 1

    monkeypatch.setattr(standings, "recompute", wished_meanwhile)
    monkeypatch.setattr(standings, "behind", list)
    tasks.recompute_standings(of)
    assert messages == [(of,), (of,)]


def test_a_lost_message_stands_for_others_no_longer_than_a_sweep():
    assert wakening.ASKED_FOR <= tasks.SWEEP


def test_an_event_whose_hands_never_cease_leaves_the_worker_to_others_in_good_time(
    messages, monkeypatch, settings
):
    """A task that lasted longer than its limit was ended in the middle of its work, and said so as an error."""
    of, clock = a_quiet_tournament(), Clock()
    monkeypatch.setattr(standings, "behind", lambda: [of])
    monkeypatch.setattr(standings, "recompute", clock.recompute)
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
