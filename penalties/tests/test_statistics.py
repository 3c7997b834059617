"""Figures for the chief referee: penalties by session, and how long tables waited for a referee."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from penalties.ladder.queries.penalties import penalty_rows
from penalties.ladder.queries.statistics import statistics, waits_of_calls
from penalties.tests import factories as judge
from penalties.tests.test_phone import phone, scene
from tournaments.models import RefereeCall
from tournaments.sessions.operations import play
from tournaments.sessions.operations.calls import end_calls

pytestmark = pytest.mark.django_db


def called(table, by, *, minutes: int, is_answered: bool) -> None:
    """A call that waited so long, then was answered or simply put out."""
    play.call_referee(table, by=by)
    RefereeCall.objects.filter(table=table, ended_at=None).update(
        called_at=timezone.now() - timedelta(minutes=minutes)
    )
    if is_answered:
        play.answer_call(table)
    play.call_referee(table, by=by, is_called=False)


def test_penalties_are_counted_by_session():
    session = scene()
    for code in ("late_claim", "late_claim", "touching"):
        judge.give(judge.seat(session, "E"), code, session)
    numbers = statistics(penalty_rows(session.tournament))
    assert numbers.by_session == [(session, 3, 4)]


def test_calls_wait_until_somebody_is_on_the_way():
    """A second tap is the same call; one that still waits is not counted yet."""
    session = scene(seats=8)
    one, two = session.tables.order_by("number")
    by = judge.judge(session.tournament)
    called(one, by, minutes=2, is_answered=True)
    called(two, by, minutes=6, is_answered=False)
    play.call_referee(one, by=by)
    play.call_referee(one, by=by)
    (waits,) = waits_of_calls(session.tournament)
    assert (waits.calls, waits.usual // 60, waits.longest // 60, waits.table) == (2, 4, 6, two)
    assert RefereeCall.objects.filter(table=one).count() == 2
    page = phone(session).get(reverse("penalties:statistics", args=[session.tournament.slug]))
    assert "6:0" in page.content.decode()


def test_a_call_ends_with_its_session():
    session = scene()
    by = judge.judge(session.tournament)
    play.call_referee(session.tables.get(), by=by)
    end_calls(session)
    assert not RefereeCall.objects.filter(ended_at=None).exists()
