"""Draws while others draw, start or stumble: nothing is ever half-seated. [INTEGRITY 2]"""

import pytest

from seating.drafts import operations as draws
from seating.drafts.plans import Options
from seating.models import Draw
from tournaments.models import Protocol, Session
from tournaments.people.operations import registration
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import play
from tournaments.standings.operations.verification import verify
from tournaments.tests import factories as make
from tournaments.tests.test_races import at_once


def redrawn(of, *numbers):
    sessions = list(of.sessions.filter(number__in=numbers).order_by("number"))
    for session in sessions:
        session.tournament = of
    by = make.organizer_of(of)
    options = Options()
    return draws.propose(
        of, sessions, mode=Draw.Mode.RANDOM, seed="again", reason="Two have gone", options=options, by=by
    )


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_redraw_and_the_start_of_its_session_leave_one_of_both():
    of = make.tournament()
    make.players(of, 8)
    session = make.seated(of)
    session.tournament = of
    by = make.organizer_of(of)
    draw = redrawn(of, 1)
    answers = at_once(lambda: draws.publish(draw, by=by), lambda: play.start_session(session, by=by))
    row = Session.objects.get(pk=session.pk)
    assert row.is_published
    assert Protocol.objects.filter(table__session=row).count() == 2
    refused = [answer for answer in answers if isinstance(answer, Refused)]
    assert len(refused) == (row.seed != "again")
    assert verify(of) == []


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_redraws_published_at_once_leave_one_seating():
    of = make.tournament()
    make.players(of, 8)
    make.seated(of)
    by = make.organizer_of(of)
    draw = redrawn(of, 1)
    answers = at_once(lambda: draws.publish(draw, by=by), lambda: draws.publish(draw, by=by))
    assert sorted(type(answer).__name__ for answer in answers) == ["Draw", "Refused"]
    assert Protocol.objects.filter(table__session__tournament=of).count() == 2


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_withdrawal_and_the_publishing_of_a_draft_leave_no_half_seating():
    """Either the withdrawal came first and the draft is refused, or everybody of the draft is seated."""
    of = make.tournament()
    rows = make.players(of, 8)
    by = make.organizer_of(of)
    session = of.sessions.get(number=1)
    session.tournament = of
    draw = draws.propose_random(of, session, by=by, seed="again")
    answers = at_once(lambda: draws.publish(draw, by=by), lambda: registration.withdraw(rows[0], by=by))
    refused = [answer for answer in answers if isinstance(answer, Exception)]
    row = Session.objects.get(pk=session.pk)
    assert row.is_published == (not refused)
    assert row.seats.count() == (8 if row.is_published else 0)
    assert Protocol.objects.filter(table__session=row).count() == (2 if row.is_published else 0)
    assert verify(of) == []


@pytest.mark.django_db
def test_a_plan_that_stumbles_half_way_seats_nobody(monkeypatch):
    of = make.tournament()
    make.players(of, 8)
    by = make.organizer_of(of)
    sessions = list(of.sessions.order_by("number"))
    for session in sessions:
        session.tournament = of
    rounds = [{"tables": [[1, 2, 3, 4], [5, 6, 7, 8]], "off": []}] * 2
    draw = draws.propose_plan(of, sessions, rounds, by=by)
    seat = draws.seat_players

    def stumble(session, seating, *, by):
        if session.number == 2:
            raise RuntimeError("power cut")
        return seat(session, seating, by=by)

    monkeypatch.setattr(draws, "seat_players", stumble)
    with pytest.raises(RuntimeError):
        draws.publish(draw, by=by)
    assert not of.sessions.filter(published_at__isnull=False).exists()
    assert Draw.objects.get(pk=draw.pk).state == Draw.State.DRAFT
