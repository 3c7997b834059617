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
