"""A freed place is offered until a deadline: accepted, declined, or passed on to the next in line. [RULES 1.2]"""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from tournaments import tasks
from tournaments.models import HistoryEntry, Registration, Tournament
from tournaments.people.operations import registration as people
from tournaments.people.operations import wishes
from tournaments.people.rules.quotas import Quota
from tournaments.record.actors import ANYONE
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import tournaments as events
from tournaments.standings.operations.verification import verify
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered
from tournaments.web.access import link_of

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
def full():
    """An event of four places, all taken, that begins in ten days; numbers 5, 6 and 7 wait and have 24 hours to accept."""
    of = make.tournament(max_players=4)
    day = timezone.now().date() + timedelta(days=10)
    Tournament.objects.filter(pk=of.pk).update(first_day=day, last_day=day, offer_hours=24)
    of.refresh_from_db()
    make.players(of, 4)
    for name in ("Avocet", "Bittern", "Curlew"):
        join(of, name)
    return Tournament.objects.get(pk=of.pk)


def join(of, name):
    return people.register_player(Tournament.objects.get(pk=of.pk), people.Details(name=name), by=ANYONE)


def number(of, wanted):
    row = of.registrations.select_related("player").get(number=wanted)
    row.tournament = Tournament.objects.get(pk=of.pk)
    return row


def leave(of, wanted):
    people.withdraw(number(of, wanted), by=make.organizer_of(of))


def standing(of):
    """Say of everybody from number 5 on whether they are in, are offered a place, wait, or let an offer lapse."""
    said = {}
    for row in of.registrations.filter(number__gt=4).order_by("number"):
        offer = "offered" if row.offered_until else "lapsed" if row.passed_over_at else row.status
        said[row.number] = offer if row.status == "waiting" else row.status
    return said


def late(of):
    """Let the time of every open offer pass, and do what is done every few seconds."""
    rows = Registration.objects.filter(tournament=of, offered_until__isnull=False)
    rows.update(offered_until=timezone.now() - timedelta(minutes=1))
    tasks.lapse_offers()


def words(answer):
    return " ".join(strip_tags(answer.content.decode().replace("<", " <")).split())


def test_a_freed_place_is_offered_to_the_first_and_held_for_them(full):
    leave(full, 2)
    assert standing(full) == {5: "offered", 6: "waiting", 7: "waiting"}
    until = number(full, 5).offered_until - timezone.now()
    assert timedelta(hours=23) < until <= timedelta(hours=24)
    join(full, "Dunlin")
    assert standing(full)[8] == "waiting"
    assert people.admission_questions(number(full, 6))[0].code == "event_full"
    assert verify(full) == []


def test_the_player_accepts_or_declines_on_the_own_page(full):
    leave(full, 2)
    own = f"/{full.slug}/me/{link_of(number(full, 5))}/"
    assert "A place is free for you. Accept it until" in words(Client().get(own))
    Client().post(f"{own}accept/")
    assert standing(full) == {5: "active", 6: "waiting", 7: "waiting"}
    assert "A place is free for you" not in words(Client().get(own))
    leave(full, 3)
    Client().post(f"/{full.slug}/me/{link_of(number(full, 6))}/withdraw/")
    assert standing(full) == {5: "active", 6: "cancelled", 7: "offered"}
    assert verify(full) == []


def test_an_offer_that_lapses_goes_to_the_next_and_its_owner_is_not_asked_again(full):
    leave(full, 2)
    late(full)
    assert standing(full) == {5: "lapsed", 6: "offered", 7: "waiting"}
    late(full)
    late(full)
    assert standing(full) == {5: "lapsed", 6: "lapsed", 7: "lapsed"}
    tasks.lapse_offers()
    assert standing(full) == {5: "lapsed", 6: "lapsed", 7: "lapsed"}
    kinds = HistoryEntry.objects.filter(tournament=full, kind__in=["place_offered", "offer_lapsed"])
    assert (
        list(kinds.order_by("number").values_list("kind", flat=True)) == ["place_offered", "offer_lapsed"] * 3
    )
    assert join(full, "Dunlin").status == "active"
    assert verify(full) == []


def test_who_was_late_can_take_a_place_that_is_still_free_and_no_other(full):
    leave(full, 2)
    late(full)
    with pytest.raises(Refused) as refused:
        people.accept_place(number(full, 5), by=ANYONE)
    assert [problem.code for problem in refused.value.problems] == ["offer_lapsed"]
    late(full)
    late(full)
    people.accept_place(number(full, 5), by=ANYONE)
    with pytest.raises(Refused):
        people.accept_place(number(full, 6), by=ANYONE)
    assert standing(full) == {5: "active", 6: "lapsed", 7: "lapsed"}


def test_nobody_accepts_what_was_not_offered(full):
    with pytest.raises(Refused) as refused:
        people.accept_place(number(full, 5), by=ANYONE)
    assert [problem.code for problem in refused.value.problems] == ["not_offered"]


def test_an_offer_is_taken_back_with_the_withdrawal_that_made_it(full):
    """[RULES 9.11]"""
    leave(full, 2)
    people.take_back_withdrawal(number(full, 2), by=make.organizer_of(full))
    assert standing(full) == {5: "waiting", 6: "waiting", 7: "waiting"}
    assert number(full, 2).status == "active"
    assert verify(full) == []


def test_who_comes_back_to_the_waiting_list_takes_nobodys_offer(full):
    """[RULES 9.11]"""
    leave(full, 2)
    leave(full, 7)
    people.take_back_withdrawal(number(full, 7), by=make.organizer_of(full))
    assert standing(full) == {5: "offered", 6: "waiting", 7: "waiting"}


def test_who_comes_while_others_think_about_their_offers_has_a_place_that_is_free(full):
    """Places that are offered are held; nobody waits for the answer where there are more. [RULES 1.2]"""
    events.change_regulation(full, {"max_players": 20}, by=make.organizer_of(full))
    assert standing(full) == {5: "offered", 6: "offered", 7: "offered"}
    assert join(full, "Dunlin").status == "active"


def test_an_offer_within_a_quota_is_taken_back_where_the_event_has_other_places(full):
    """[RULES 9.11] [RULES 9.28]"""
    by = make.organizer_of(full)
    of = events.change_regulation(full, {"max_players": 20}, by=by)
    of = wishes.set_quotas(of, {"country": Quota(1)}, by=by)
    for name in ("Dunlin", "Egret"):
        people.register_player(of, people.Details(name=name, country="LV"), by=by)
    leave(of, 8)
    assert number(of, 9).offered_until is not None
    people.take_back_withdrawal(number(of, 8), by=by)
    assert (number(of, 8).status, number(of, 9).status, number(of, 9).offered_until) == (
        "active",
        "waiting",
        None,
    )
    assert verify(of) == []


def test_more_places_are_offered_in_the_order_of_the_line(full):
    events.change_regulation(full, {"max_players": 6}, by=make.organizer_of(full))
    assert standing(full) == {5: "offered", 6: "offered", 7: "waiting"}


@pytest.mark.parametrize(("hours", "days"), [(None, 10), (24, 0)])
def test_without_hours_or_on_the_day_itself_whoever_waits_moves_up_at_once(full, hours, days):
    day = timezone.now().date() + timedelta(days=days)
    Tournament.objects.filter(pk=full.pk).update(offer_hours=hours, first_day=day, last_day=day)
    leave(full, 2)
    assert standing(full) == {5: "active", 6: "waiting", 7: "waiting"}


def test_no_offer_outlasts_the_beginning_of_the_event(full):
    Tournament.objects.filter(pk=full.pk).update(offer_hours=720)
    leave(full, 2)
    begins = number(full, 5).offered_until.astimezone(full.zone)
    assert (begins.date(), begins.hour) == (full.first_day, 0)


def test_the_desk_sees_offers_and_may_give_the_place_itself(full):
    leave(full, 2)
    desk = Client()
    desk.force_login(full.created_by)
    assert "Place offered until" in words(desk.get(f"/{full.slug}/desk/people/"))
    people.admit(number(full, 5), by=make.organizer_of(full), is_sure=False)
    assert standing(full) == {5: "active", 6: "waiting", 7: "waiting"}


def test_a_new_event_has_two_days_to_accept_unless_its_organizer_says_otherwise():
    desk = Client()
    desk.force_login(make.user())
    assert desk.get("/new/").context["form"]["offer_hours"].value() == 48


def taken_off(of, wanted):
    """What the desk reads after it took somebody off the list."""
    desk = Client()
    desk.force_login(of.created_by)
    return words(desk.post(f"/{of.slug}/desk/people/{wanted}/withdraw/", follow=True))


def test_the_desk_reads_who_has_the_place_of_whoever_it_took_off_the_list(full):
    """[RULES 1.2]"""
    said = taken_off(full, 2)
    assert f"{number(full, 2).player} was taken off the list. The place is offered to Avocet." in said
    Tournament.objects.filter(pk=full.pk).update(offer_hours=None)
    assert "was taken off the list. Bittern moves up from the waiting list." in taken_off(full, 3)
    assert "moves up from the waiting list" not in taken_off(full, 7)


def test_on_the_last_days_who_waits_reads_that_a_place_is_given_at_once(full):
    """The hours to accept are not told where nobody is asked to accept. [RULES 1.2]"""
    own = f"/{full.slug}/me/{link_of(number(full, 5))}/"
    assert "who has 24 hours to accept it on this page" in words(Client().get(own))
    today = timezone.now().date()
    Tournament.objects.filter(pk=full.pk).update(first_day=today, last_day=today)
    assert "the place goes to the first who waits; this page tells you" in words(Client().get(own))


def test_what_follows_is_said_before_a_player_is_taken_off_the_list(full):
    desk = Client()
    desk.force_login(full.created_by)
    assert "The place goes to the first on the waiting list" in words(
        desk.get(f"/{full.slug}/desk/people/2/")
    )
    make.in_play(full)
    assert "Who leaves gets no more seats" in words(desk.get(f"/{full.slug}/desk/people/2/"))
    assert "What was played stays, and no more seats are drawn." in taken_off(full, 3)
