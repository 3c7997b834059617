"""The fee: who has paid is noted by one tap, taken back by another, and asked about before the start. [RULES 1.2]"""

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from tournaments.exchange.tables import contacts
from tournaments.models import HistoryEntry, Tournament
from tournaments.people.operations import registration as people
from tournaments.sessions.operations import play
from tournaments.sessions.queries import before_start
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered
from tournaments.web.access import link_of

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
def event():
    """An event of four players with a fee, whom nobody has asked for it yet."""
    of = make.tournament(entry_fee="20")
    make.players(of, 4)
    return Tournament.objects.get(pk=of.pk)


def number(of, wanted):
    return of.registrations.select_related("tournament", "player").get(number=wanted)


def desk_of(of):
    client = Client()
    client.force_login(of.created_by)
    return client


def words(answer):
    return " ".join(strip_tags(answer.content.decode().replace("<", " <")).split())


def paid(of):
    return list(of.registrations.exclude(paid_at=None).values_list("number", flat=True))


def test_a_tap_notes_the_fee_and_another_takes_it_back_and_the_history_says_who(event):
    desk = desk_of(event)
    for value, then in (("1", [2]), ("1", [2]), ("0", [])):
        desk.post(f"/{event.slug}/desk/check-in/2/paid/", {"paid": value, "at": "people"})
        assert paid(event) == then
    kinds = [entry.kind for entry in HistoryEntry.objects.filter(tournament=event, kind__startswith="fee_")]
    assert kinds == ["fee_paid", "fee_payment_undone"]
    assert "Payment of the fee taken back" in words(desk.get(f"/{event.slug}/desk/history/"))


def test_the_lists_show_who_has_not_paid(event):
    people.note_payment(number(event, 2), by=make.organizer_of(event))
    desk = desk_of(event)
    rows = desk.get(f"/{event.slug}/desk/people/", {"status": "unpaid"}).context["table"].rows
    assert [row.record.number for row in rows] == [1, 3, 4]
    door = desk.get(f"/{event.slug}/desk/check-in/", {"show": "unpaid"})
    assert sorted(row.number for row in door.context["rows"]) == [1, 3, 4]
    assert "Fee not paid 3" in words(door)


def test_without_a_fee_nobody_is_asked_for_it():
    of = make.tournament()
    make.players(of, 4)
    desk = desk_of(of)
    assert "Fee not paid" not in words(desk.get(f"/{of.slug}/desk/people/"))
    assert "Not paid" not in words(desk.get(f"/{of.slug}/desk/check-in/"))
    assert [one.code for one in before_start(make.seated(of))] == []


def test_before_the_start_the_desk_names_who_has_not_paid_and_notes_it_by_one_press(event):
    """[RULES 9.12]"""
    people.note_payments(event, [number(event, 1), number(event, 2)], by=make.organizer_of(event))
    session = make.seated(event)
    asked = desk_of(event).post(f"/{event.slug}/desk/sessions/1/start/")
    assert asked.status_code == 409
    [unpaid] = [one for one, _said in asked.context["concerns"] if one.code == "unpaid"]
    assert sorted(seat.player.registration.number for seat in unpaid.seats) == [3, 4]
    desk_of(event).post(f"/{event.slug}/desk/check-in/paid/", {"number": ["3", "4"]})
    assert paid(event) == [1, 2, 3, 4]
    assert before_start(session) == []


def test_who_notes_no_payments_is_asked_before_the_first_session_alone(event):
    make.in_play(event)
    make.settle(event.sessions.get(number=1))
    play.close_session(event.sessions.get(number=1), by=make.organizer_of(event))
    assert [one.code for one in before_start(make.seated(event, 2))] == []


def test_many_marks_by_one_press_are_taken_back_by_one(event):
    """[RULES 9.11]"""
    desk = desk_of(event)
    desk.post(f"/{event.slug}/desk/check-in/all/")
    desk.post(f"/{event.slug}/desk/check-in/paid/", {"number": ["1", "2"]})
    people.undo_check_in(number(event, 4), by=make.organizer_of(event))
    people.check_in(number(event, 4), by=make.organizer_of(event))
    door = desk.get(f"/{event.slug}/desk/check-in/")
    assert "3 players were checked in by one press" in words(door)
    assert "2 payments were noted by one press" in words(door)
    for address, shown in (("all", "together"), ("paid", "paid_together")):
        at = door.context[shown]["at"].isoformat()
        desk.post(f"/{event.slug}/desk/check-in/{address}/take-back/", {"moment": at})
    assert list(event.registrations.exclude(checked_in_at=None).values_list("number", flat=True)) == [4]
    assert paid(event) == []


@pytest.mark.parametrize("moment", ["", "yesterday", "2026-02-30T10:00", "2026-02-10T10:00"])
def test_a_moment_that_is_none_takes_nothing_back(event, moment):
    people.note_payment(number(event, 1), by=make.organizer_of(event), now=timezone.now())
    answer = desk_of(event).post(
        f"/{event.slug}/desk/check-in/paid/take-back/", {"moment": moment}, follow=True
    )
    assert "There is nothing to take back any more." in words(answer)
    assert paid(event) == [1]


def test_the_player_sees_whether_the_fee_is_noted_and_strangers_do_not(event):
    own = f"/{event.slug}/me/{link_of(number(event, 2))}/"
    assert "Entry fee: 20 · Not paid" in words(Client().get(own))
    people.note_payment(number(event, 2), by=make.organizer_of(event))
    assert "Entry fee: 20 · Paid" in words(Client().get(own))
    assert "Paid" not in words(Client().get(f"/{event.slug}/player-2/"))


def test_the_list_of_contacts_has_it(event):
    people.note_payment(number(event, 2), by=make.organizer_of(event))
    sheet = contacts(event)
    column = sheet.columns.index("Fee paid")
    assert [bool(row[column]) for row in sheet.rows] == [False, True, False, False]
