"""The waiting list: nobody passes those who wait, it moves up by itself, and everybody knows their place. [RULES 1.2]"""

import pytest
from django.test import Client
from django.utils.html import strip_tags

from tournaments.models import Tournament
from tournaments.people.operations import registration as people
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
    """An event of four places, all taken, for which three more wait: numbers 5, 6 and 7."""
    of = make.tournament()
    make.players(of, 4)
    limit(of, 4)
    for name in ("Avocet", "Bittern", "Curlew"):
        join(of, name)
    return Tournament.objects.get(pk=of.pk)


def limit(of, most):
    events.change_regulation(of, {"max_players": most}, by=make.organizer_of(of))


def join(of, name):
    return people.register_player(Tournament.objects.get(pk=of.pk), people.Details(name=name), by=ANYONE)


def status(of):
    rows = of.registrations.order_by("number").values_list("number", "status")
    return {number: state for number, state in rows if number > 4}


def number(of, wanted):
    row = of.registrations.get(number=wanted)
    row.tournament = of
    return row


def desk_of(of):
    client = Client()
    client.force_login(of.created_by)
    return client


def words(answer):
    return " ".join(strip_tags(answer.content.decode().replace("<", " <")).split())


def test_a_place_that_is_freed_goes_to_the_first_who_waits_and_not_to_the_next_stranger(full):
    client = Client()
    client.post(f"/{full.slug}/me/{link_of(number(full, 2))}/withdraw/")
    assert status(full) == {5: "active", 6: "waiting", 7: "waiting"}
    join(full, "Dunlin")
    assert status(full) == {5: "active", 6: "waiting", 7: "waiting", 8: "waiting"}
    assert verify(full) == []


def test_a_stranger_waits_behind_the_others_even_if_a_place_is_free(full):
    """The desk may leave a place free for a while: it is not the next stranger's."""
    Tournament.objects.filter(pk=full.pk).update(regulation=full.regulation | {"max_players": 6})
    join(full, "Dunlin")
    assert status(full)[8] == "waiting"


def test_more_places_are_given_to_those_who_wait_in_their_order(full):
    limit(full, 6)
    assert status(full) == {5: "active", 6: "active", 7: "waiting"}


def test_who_waits_knows_the_place_and_who_moves_up_waits_no_more(full):
    own = f"/{full.slug}/me/{link_of(number(full, 6))}/"
    assert "Your place on the waiting list: 2." in words(Client().get(own))
    assert "Place on the waiting list: 2." in words(desk_of(full).get(f"/{full.slug}/desk/people/6/"))
    for leaving in (1, 2):
        people.withdraw(number(full, leaving), by=make.organizer_of(full))
    assert status(full) == {5: "active", 6: "active", 7: "waiting"}
    assert "Your place on the waiting list" not in words(Client().get(own))


def test_a_place_beyond_the_maximum_and_past_others_is_given_only_to_who_is_sure(full):
    desk = desk_of(full)
    asked = desk.post(f"/{full.slug}/desk/people/7/admit/")
    assert (asked.status_code, status(full)[7]) == (409, "waiting")
    assert "All 4 places are taken; this player would be number 5." in words(asked)
    assert "Others have waited longer: Avocet, Bittern." in words(asked)
    desk.post(f"/{full.slug}/desk/people/7/admit/", {"is_sure": "on"})
    assert status(full) == {5: "waiting", 6: "waiting", 7: "active"}


def test_the_operation_asks_as_the_page_does(full):
    with pytest.raises(Refused) as refused:
        people.admit(number(full, 7), by=make.organizer_of(full), is_sure=False)
    assert [problem.code for problem in refused.value.problems] == ["event_full", "others_wait"]


def test_who_moved_up_waits_again_when_the_withdrawal_is_taken_back(full):
    """[RULES 9.11]"""
    people.withdraw(number(full, 2), by=make.organizer_of(full))
    people.take_back_withdrawal(number(full, 2), by=make.organizer_of(full))
    assert status(full) == {5: "waiting", 6: "waiting", 7: "waiting"}
    assert number(full, 2).status == "active"
    assert verify(full) == []


def test_a_withdrawal_stands_once_who_moved_up_has_come(full):
    """[RULES 9.11]"""
    people.withdraw(number(full, 2), by=make.organizer_of(full))
    people.check_in(number(full, 5), by=make.organizer_of(full))
    with pytest.raises(Refused) as refused:
        people.take_back_withdrawal(number(full, 2), by=make.organizer_of(full))
    assert str(refused.value) == "The place has been taken since: all 4 places are."
    assert status(full)[5] == "active"


def test_nobody_moves_up_by_themselves_once_the_event_is_in_play(full):
    """Whoever waits is not in the hall; the desk admits them by hand."""
    make.in_play(full)
    running = Tournament.objects.get(pk=full.pk)
    people.withdraw(number(running, 2), by=make.organizer_of(full))
    assert status(full) == {5: "waiting", 6: "waiting", 7: "waiting"}
