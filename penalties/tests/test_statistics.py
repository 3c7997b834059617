"""Figures for the chief referee: penalties by session, and how long tables waited for a referee."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from penalties.ladder.operations import penalties
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


def test_penalties_are_counted_by_offence_table_and_referee_and_those_revoked_are_not():
    session = scene(seats=8)
    of, other = session.tournament, judge.judge(session.tournament, "referee")
    for code in ("late_claim", "late_claim", "touching"):
        judge.give(judge.seat(session, "E"), code, session)
    judge.give(judge.seat(session, "E", 2), "touching", session, by=other)
    gone = judge.give(judge.seat(session, "S", 2), "touching", session, by=other)
    penalties.revoke(gone, by=other, reason="Another player did it.")
    numbers = statistics(penalty_rows(of))
    assert [(row.penalty.offence, *rest) for row, *rest in numbers.by_offence] == [
        ("late_claim", 2, 2),
        ("touching", 2, 2),
    ]
    assert [(table.number, *rest) for table, *rest in numbers.by_table] == [(1, 3, 4), (2, 1, 0)]
    assert [rest for _name, *rest in numbers.by_referee] == [[3, 4], [1, 0]]


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
