"""Two organizers at once: whoever sends a form that is no longer what is stored sees both versions first."""

import re

import pytest
from django.test import Client
from django.utils.html import strip_tags

from tournaments.desk.forms.event import TournamentForm
from tournaments.models import Tournament
from tournaments.people.operations import registration as people
from tournaments.tests import factories as make
from tournaments.tests.test_regulation_form import sent

pytestmark = pytest.mark.django_db


def words(answer):
    return " ".join(strip_tags(answer.content.decode().replace("<", " <")).split())


def seen(answer):
    return re.search(r'name="seen" value="(\w+)"', answer.content.decode())[1]


def typed(of, **changes):
    values = {name: value for name, value in TournamentForm.of(of).items() if value not in (None, False)}
    return values | changes


@pytest.mark.parametrize(
    ("language", "both"),
    [
        ("en", "stored now “Town hall”, yours “Library”"),
        ("ru", "сейчас сохранено «Town hall», у вас «Library»"),
    ],
)
def test_settings_that_another_organizer_has_changed_are_shown_beside_ones_own(language, both):
    of = make.tournament()
    desk = Client(headers={"accept-language": language})
    desk.force_login(of.created_by)
    address = f"/{of.slug}/desk/settings/"
    old = seen(desk.get(address))
    desk.post(address, typed(of, venue="Town hall", seen=old))
    answer = desk.post(address, typed(of, venue="Library", seen=old))
    assert answer.status_code == 409
    assert both in words(answer)
    assert "Town hall" in words(answer)
    assert Tournament.objects.get(pk=of.pk).venue == "Town hall"
    assert desk.post(address, typed(of, venue="Library", seen=seen(answer))).status_code == 302
    assert Tournament.objects.get(pk=of.pk).venue == "Library"
    same = desk.post(address, typed(of, venue="Library", seen=old))
    assert same.status_code == 302, "what is stored already is no conflict"


def test_regulation_quotas_and_a_players_card_are_guarded_in_the_same_way():
    of = make.tournament()
    row = make.players(of, 1)[0]
    desk = Client(headers={"accept-language": "en"})
    desk.force_login(of.created_by)
    card, quotas = f"/{of.slug}/desk/people/1/", f"/{of.slug}/desk/settings/quotas/"
    regulation = f"/{of.slug}/desk/regulation/"
    old = {address: seen(desk.get(address)) for address in (card, quotas, regulation)}
    row.tournament = Tournament.objects.get(pk=of.pk)
    people.change_player(row, people.Details(name=row.player.name, city="Riga"), by=make.organizer_of(of))
    answer = desk.post(card, {"name": row.player.name, "city": "Tartu", "seen": old[card]})
    assert (answer.status_code, "Riga" in words(answer)) == (409, True)
    desk.post(quotas, {"club_most": "4", "seen": old[quotas]})
    assert desk.post(quotas, {"club_most": "5", "seen": old[quotas]}).status_code == 409
    said = sent(Tournament.objects.get(pk=of.pk))
    assert desk.post(regulation, said | {"max_players": "40", "seen": old[regulation]}).status_code == 302
    answer = desk.post(regulation, said | {"max_players": "44", "seen": old[regulation]})
    assert (answer.status_code, Tournament.objects.get(pk=of.pk).regulation["max_players"]) == (409, 40)
