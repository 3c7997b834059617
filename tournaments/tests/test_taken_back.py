"""A press in a hurry costs two: what was pressed by mistake is taken back while nothing depends on it. [RULES 9.11] [RULES 9.12]"""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from penalties.tests import factories as judge
from seating.drafts import operations as draws
from seating.models import Draw
from tournaments.models import Device, Registration, Session, Tournament
from tournaments.people.operations import registration as people
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import play, undo
from tournaments.sessions.operations import tournaments as events
from tournaments.sessions.queries import before_close, before_start
from tournaments.standings.operations.verification import verify
from tournaments.tables.operations import substitutes
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db


def desk_of(of):
    client = Client()
    client.force_login(of.created_by)
    return client


def words(answer):
    return " ".join(strip_tags(answer.content.decode().replace("<", " <")).split())


def session_of(of, number=1):
    row = of.sessions.get(number=number)
    row.tournament = Tournament.objects.get(pk=of.pk)
    return row


def event(players=8, sessions=2):
    of = make.tournament(sessions=sessions)
    make.players(of, players)
    return of


# Start


def test_a_start_by_mistake_is_taken_back_and_nothing_is_left_of_it():
    of = event()
    before = make.seated(of)
    draws_kept = of.draws.count()
    play.start_session(session_of(of), by=make.organizer_of(of))
    undo.take_back_start(session_of(of), by=make.organizer_of(of))
    session = session_of(of)
    assert (session.state, session.started_at, session.regulation) == ("planned", None, None)
    assert (session.tournament.state, session.published_at) == ("announced", before.published_at)
    assert (of.draws.count(), verify(session.tournament)) == (draws_kept, [])
    play.start_session(session, by=make.organizer_of(of))
    assert verify(session_of(of).tournament) == []


def test_a_start_is_not_taken_back_once_a_hand_is_recorded():
    of = event()
    session = make.in_play(of)
    protocol = session.tables.get(number=2).protocol
    protocol.table.session = session
    make.record(protocol)
    with pytest.raises(Refused) as refused:
        undo.take_back_start(session_of(of), by=make.organizer_of(of))
    assert str(refused.value) == "Something is recorded at tables 2, so the session has begun."
    assert session_of(of).state == "open"


def test_a_start_is_not_taken_back_once_a_referee_has_decided():
    of = event()
    session = make.in_play(of)
    session.tournament = of
    judge.give(judge.seat(session, "E"), "wrong_draw", session)
    with pytest.raises(Refused) as refused:
        undo.take_back_start(session_of(of), by=make.organizer_of(of))
    assert refused.value.problems[0].code == "has_decisions"


def test_who_had_cancelled_before_the_start_has_cancelled_again():
    """[RULES 9.9]"""
    of = event()
    make.seated(of)
    row = of.registrations.get(number=3)
    people.withdraw(row, by=make.organizer_of(of))
    play.start_session(session_of(of), by=make.organizer_of(of))
    assert of.registrations.get(number=3).status == "withdrawn"
    undo.take_back_start(session_of(of), by=make.organizer_of(of))
    assert of.registrations.get(number=3).status == "cancelled"
    assert verify(session_of(of).tournament) == []


def test_the_page_takes_a_start_back_by_one_press_and_then_offers_it_no_more():
    of = event()
    make.in_play(of)
    desk = desk_of(of)
    assert "Started by mistake: take it back" in words(desk.get(f"/{of.slug}/desk/sessions/"))
    answer = desk.post(f"/{of.slug}/desk/sessions/1/start/take-back/", follow=True)
    assert "Session 1 has not begun; its clock is off." in words(answer)
    assert "Started by mistake" not in words(answer)


# Publication


def test_a_publication_is_taken_back_as_a_whole_and_the_draft_is_there_again():
    of = event()
    draw = draws.propose(
        of, list(of.sessions.order_by("number")), mode=Draw.Mode.FIXED, by=make.organizer_of(of)
    )
    draw = draws.run_draw(draw.pk)
    plan = draw.plan
    draws.publish(draw, by=make.organizer_of(of))
    desk = desk_of(of)
    assert "Published by mistake: take it back" in words(desk.get(f"/{of.slug}/desk/sessions/"))
    answer = desk.post(f"/{of.slug}/desk/draw/session-2/take-back/", follow=True)
    assert "The seating is a draft again; nobody sees it." in words(answer)
    draw.refresh_from_db()
    assert (draw.state, draw.plan, draw.published_at) == ("draft", plan, None)
    assert of.sessions.filter(published_at__isnull=False).count() == 0
    assert verify(of) == []
    draws.publish(draw, by=make.organizer_of(of))
    assert of.sessions.filter(published_at__isnull=False).count() == 2


def test_a_publication_stands_once_a_session_of_it_is_started_or_a_seat_is_changed():
    of = event()
    draw = draws.propose_random(of, session_of(of), by=make.organizer_of(of))
    draws.publish(draw, by=make.organizer_of(of))
    missing = session_of(of).seats.first().player
    substitutes.leave_empty(missing, session_of(of), by=make.organizer_of(of), reason="Not in the hall.")
    with pytest.raises(Refused) as refused:
        draws.take_back(Draw.objects.get(pk=draw.pk), by=make.organizer_of(of))
    assert "were changed since" in str(refused.value)
    play.start_session(session_of(of), by=make.organizer_of(of))
    with pytest.raises(Refused) as refused:
        draws.take_back(Draw.objects.get(pk=draw.pk), by=make.organizer_of(of))
    assert str(refused.value) == "Session 1 has begun since, so its seating stands."


# Closing


def closed(of):
    session = make.in_play(of)
    make.settle(session)
    return play.close_session(session, by=make.organizer_of(of))


def test_a_closing_by_mistake_is_taken_back_without_a_reason_until_the_next_session_is_seated():
    of = event()
    closed(of)
    desk = desk_of(of)
    assert "Closed by mistake: take it back" in words(desk.get(f"/{of.slug}/desk/sessions/"))
    desk.post(f"/{of.slug}/desk/sessions/1/close/take-back/")
    assert (session_of(of).state, verify(of)) == ("open", [])
    play.close_session(session_of(of), by=make.organizer_of(of))
    make.seated(of, 2)
    assert "Closed by mistake" not in words(desk.get(f"/{of.slug}/desk/sessions/"))
    with pytest.raises(Refused) as refused:
        undo.take_back_close(session_of(of), by=make.organizer_of(of))
    assert refused.value.problems[0].code == "round_exists"


# Withdrawal and check-in


def test_a_withdrawal_is_taken_back_with_place_and_check_in():
    of = event()
    row = of.registrations.get(number=3)
    came = people.check_in(row, by=make.organizer_of(of)).checked_in_at
    desk = desk_of(of)
    desk.post(f"/{of.slug}/desk/people/3/withdraw/")
    assert of.registrations.get(number=3).status == "cancelled"
    assert "was taken off the list" in words(desk.get(f"/{of.slug}/desk/people/"))
    answer = desk.post(f"/{of.slug}/desk/people/3/withdraw/take-back/", follow=True)
    assert "has the same place as before." in words(answer)
    row.refresh_from_db()
    assert (row.status, row.checked_in_at, row.withdrawn_at) == ("active", came, None)
    assert verify(of) == []


def test_who_waited_waits_again():
    of = event(4)
    full = {"max_players": 4}
    events.change_regulation(of, full, by=make.organizer_of(of))
    late = people.register_player(
        Tournament.objects.get(pk=of.pk), people.Details(name="Avocet"), by=make.organizer_of(of)
    )
    people.withdraw(late, by=make.organizer_of(of))
    people.take_back_withdrawal(late, by=make.organizer_of(of))
    assert Registration.objects.get(pk=late.pk).status == "waiting"


def test_everybody_is_checked_in_by_one_press():
    of = event()
    desk = desk_of(of)
    people.check_in(of.registrations.get(number=1), by=make.organizer_of(of))
    said = words(desk.get(f"/{of.slug}/desk/check-in/"))
    assert "Everybody who is not checked in yet is checked in" in said
    answer = desk.post(f"/{of.slug}/desk/check-in/all/", follow=True)
    assert "7 players are checked in." in words(answer)
    assert of.registrations.filter(checked_in_at=None).count() == 0


# The gate


def test_a_session_out_of_order_asks_before_it_starts():
    of = event()
    make.seated(of, 1)
    make.seated(of, 2)
    desk = desk_of(of)
    asked = desk.post(f"/{of.slug}/desk/sessions/2/start/")
    assert (asked.status_code, session_of(of, 2).state) == (409, "planned")
    assert "Session 1 has not been played yet." in words(asked)
    assert "Start session 1" in words(asked)
    assert "Start session 2 all the same" in words(asked)
    desk.post(f"/{of.slug}/desk/sessions/2/start/", {"knowing": "out_of_order"})
    assert session_of(of, 2).state == "open"


def test_in_order_and_with_everybody_there_nothing_is_asked():
    of = event()
    make.seated(of, 1)
    people.check_in_all(of, list(of.registrations.all()), by=make.organizer_of(of))
    assert desk_of(of).post(f"/{of.slug}/desk/sessions/1/start/").status_code == 302
    assert session_of(of).state == "open"


def test_who_has_left_and_who_has_not_come_are_named_before_the_start_with_their_remedies():
    of = event()
    make.seated(of)
    people.check_in_all(of, list(of.registrations.exclude(number=5)), by=make.organizer_of(of))
    people.withdraw(of.registrations.get(number=3), by=make.organizer_of(of))
    assert [one.code for one in before_start(session_of(of))] == ["gone", "absent"]
    desk = desk_of(of)
    asked = desk.post(f"/{of.slug}/desk/sessions/1/start/")
    gone, absent = (str(of.registrations.get(number=number).player) for number in (3, 5))
    assert f"Seated, though no longer in the event: {gone}." in words(asked)
    assert f"Seated, but not checked in: {absent}." in words(asked)
    assert "Leave the seat empty" in words(asked)
    player = of.registrations.get(number=3).player_id
    reason = f"{gone} has left the event."
    assert reason in asked.content.decode()
    desk.post(f"/{of.slug}/desk/substitutes/session-1/empty/", {"player": player, "reason": reason})
    desk.post(f"/{of.slug}/desk/check-in/all/", {"number": "5"})
    assert before_start(session_of(of)) == []
    assert desk.post(f"/{of.slug}/desk/sessions/1/start/").status_code == 302


def test_a_concern_that_came_up_after_the_page_was_shown_keeps_the_session_from_starting():
    of = event()
    make.seated(of)
    people.withdraw(of.registrations.get(number=3), by=make.organizer_of(of))
    with pytest.raises(Refused) as refused:
        play.start_session(session_of(of), by=make.organizer_of(of), knowing={"absent"})
    assert refused.value.problems[0].code == "look_first"
    assert session_of(of).state == "planned"


def test_a_table_that_is_not_full_is_named_while_a_substitute_is_free():
    """[SBR 3.1.2]"""
    of = event(7)
    make.seated_short(of)
    assert before_start(session_of(of)) == []
    people.name_substitute(of, people.Details(name="Reserve Ruff"), by=make.organizer_of(of))
    (concern,) = before_start(session_of(of))
    assert (concern.code, concern.details["free"]) == ("left_over", 1)
    assert "Substitutes who sit nowhere: 1." in words(desk_of(of).post(f"/{of.slug}/desk/sessions/1/start/"))


def test_before_a_session_is_closed_unsent_tablets_and_those_who_were_gone_are_named():
    of = event()
    session = make.in_play(of)
    make.settle(session)
    Device.objects.create(tournament=of, name="Table 2", credential_digest="d", unsent=3)
    row = of.registrations.get(number=3)
    people.withdraw(row, by=make.organizer_of(of))
    Registration.objects.filter(pk=row.pk).update(withdrawn_at=session.started_at - timedelta(minutes=5))
    assert [one.code for one in before_close(session_of(of))] == ["gone", "unsent"]
    desk = desk_of(of)
    asked = desk.post(f"/{of.slug}/desk/sessions/1/close/")
    assert (asked.status_code, session_of(of).state) == (409, "open")
    assert "Entries not sent yet are on these tablets: Table 2." in words(asked)
    assert f"Left before the session began, and would be scored as playing: {row.player}." in words(asked)
    answer = desk.post(f"/{of.slug}/desk/sessions/1/close/", {"knowing": ["gone", "unsent"]})
    assert (answer.status_code, session_of(of).state) == (302, "closed")


def test_whoever_left_after_the_session_began_is_no_concern():
    of = event()
    session = make.in_play(of)
    make.settle(session)
    people.withdraw(of.registrations.get(number=3), by=make.organizer_of(of))
    assert of.registrations.get(number=3).withdrawn_at <= timezone.now()
    assert before_close(session_of(of)) == []
    assert Session.objects.filter(tournament=of).count() == 2
