"""Two events on the same days: whoever is in both is named at the desk, and nobody else. [RULES 9.39]"""

import pytest
from django.test import Client
from django.utils.html import strip_tags

from tournaments.models import Tournament
from tournaments.people.operations import registration as people
from tournaments.people.queries.shared import shared_people
from tournaments.sessions.operations import tournaments as events
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db


def join(of, name, **said):
    return people.register_player(of, people.Details(name=name, **said), by=make.organizer_of(of))


def test_an_event_that_stands_on_no_list_is_not_named():
    """Whoever lists a name must not learn of an event whose address nobody gave them. [RULES 9.39]"""
    here, there = make.tournament(), make.tournament()
    for of in (here, there):
        join(of, "Wren", city="Riga")
    assert [one.event for one in shared_people(here)] == [there.name]
    for listing in ("hidden", "awaiting", "withheld"):
        Tournament.objects.filter(pk=there.pk).update(listing=listing)
        assert shared_people(here) == []


def test_players_and_officials_of_both_events_are_named_to_those_who_may_know():
    owner, judge = make.user(), make.user("judge54")
    here, there, strangers = make.tournament(by=owner), make.tournament(by=owner), make.tournament()
    hidden, later = make.tournament(announced=False), make.tournament(by=owner)
    Tournament.objects.filter(pk=later.pk).update(first_day="2026-06-01", last_day="2026-06-02")
    join(here, "Wren", city="Riga")
    join(here, "Anna Jay", federation_ids={"EMA": "04000001"})
    join(there, "Wren", city="Riga")
    join(strangers, "A. Jay", federation_ids={"EMA": "04000001"})
    join(strangers, "Wren", city="Perm")
    join(hidden, "Wren", city="Riga")
    join(later, "Wren", city="Riga")
    for of in (here, there, strangers):
        events.let_in(of, judge, "referee", by=make.organizer_of(of))
    told = [(one.name, one.event, one.works) for one in shared_people(here)]
    assert told == [
        ("Wren", there.name, False),
        ("Anna Jay", strangers.name, False),
        ("judge54", there.name, True),
    ]
    desk = Client(headers={"accept-language": "ru"})
    desk.force_login(owner)
    page = " ".join(strip_tags(desk.get(f"/{here.slug}/desk/").content.decode()).split())
    assert f"Wren в те же дни есть и в списке турнира «{there.name}»" in page
    assert f"judge54 в те же дни работает и на турнире «{there.name}»" in page
    people.withdraw(there.registrations.get(), by=make.organizer_of(there))
    assert ("Wren", there.name, False) not in [
        (one.name, one.event, one.works) for one in shared_people(here)
    ]
