"""Two events in one hall: their tables bear different numbers, and one screen shows both. [RULES 9.41]"""

import pytest
from django.test import Client
from django.utils import translation
from django.utils.html import strip_tags

from tournaments.desk.forms.event import InviteForm
from tournaments.models import Mail, Registration, Tournament
from tournaments.people.queries.mails import values_of
from tournaments.people.queries.shared import in_the_same_hall, next_free
from tournaments.table_numbers import counting_from
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall():
    """Two events of one organizer on the same days: eight players here, twelve there."""
    owner = make.user("heron")
    here, there = make.tournament(by=owner), make.tournament(by=owner)
    make.players(here, 8)
    make.players(there, 12)
    client = Client(headers={"accept-language": "en"})
    client.force_login(owner)
    return here, there, client


def read(client, address):
    return " ".join(strip_tags(client.get(address).content.decode()).split())


def test_settings_name_the_numbers_of_the_other_event_and_the_next_free_one(hall):
    here, there, client = hall
    told = f"{there.name} is on the same days and its tables bear the numbers 1 to 3."
    page = read(client, f"/{here.slug}/desk/settings/")
    assert told in page
    assert "Tables of both events bear the same numbers" in page
    assert "The next free number is 4." in page
    Tournament.objects.filter(pk=here.pk).update(first_table=4)
    page = read(client, f"/{here.slug}/desk/settings/")
    assert told in page
    assert "Tables of both events bear the same numbers" not in page


def test_the_desk_names_a_clash_until_there_is_none(hall):
    here, there, client = hall
    clash = f"Tables of {there.name} in the same hall bear the same numbers; the next free one is 4."
    assert clash in read(client, f"/{here.slug}/desk/")
    Tournament.objects.filter(pk=here.pk).update(first_table=4)
    assert clash not in read(client, f"/{here.slug}/desk/")


def test_another_town_another_organizer_or_other_days_are_another_hall(hall):
    here, there, _client = hall
    strangers = make.tournament()
    make.players(strangers, 8)
    [beside] = in_the_same_hall(here)
    assert (beside.event, beside.first, beside.last, beside.clashes) == (there, 1, 3, True)
    assert [next_free([beside]), next_free([])] == [4, 1]
    Tournament.objects.filter(pk=here.pk).update(venue="The old mill")
    Tournament.objects.filter(pk=there.pk).update(venue="The new mill")
    here.refresh_from_db()
    assert in_the_same_hall(here) == []


def test_the_number_is_set_with_the_settings_and_shown_at_once(hall):
    here, _there, client = hall
    make.in_play(here)
    seating = f"/{here.slug}/session-1/"
    assert "Table 1" in read(client, f"/{here.slug}/session-1/table-1/")
    form = client.get(f"/{here.slug}/desk/settings/").context["form"]
    values = {name: form[name].value() for name in form.fields if form[name].value() not in (None, False)}
    sent = {**values, "first_table": "13", "whole-form": ""}
    answer = client.post(f"/{here.slug}/desk/settings/", {**sent, **_seen(client, here)})
    assert answer.status_code == 302, strip_tags(answer.content.decode())
    assert "Table 13" in client.get(seating).content.decode()
    assert "table 13" in read(client, f"/{here.slug}/session-1/table-1/")


def _seen(client, of):
    page = client.get(f"/{of.slug}/desk/settings/").context
    return {"seen": page["form"].seen} if hasattr(page["form"], "seen") else {}


def test_a_mail_says_the_number_in_the_hall(hall):
    here, _there, _client = hall
    here.first_table = 13
    row = Registration.objects.filter(tournament=here).select_related("player").first()
    facts = {"session": 1, "table": 2, "wind": "E"}
    mail = Mail(tournament=here, registration=row, kind=Mail.Kind.SEATS, language="en", facts=facts)
    assert values_of(mail)["table"] == "14"


def test_tablets_are_admitted_for_tables_by_their_numbers_in_the_hall():
    with counting_from(13), translation.override("en"):
        form = InviteForm({"name": "Tablet 7", "tables": "13-14, 16"})
        assert form.is_valid()
        assert form.cleaned_data["tables"] == [1, 2, 4]
        form = InviteForm({"name": "Tablet 7", "tables": "12"})
        assert not form.is_valid()
        assert form.errors["tables"] == ["The tables of this event begin with number 13."]


def test_one_screen_names_both_events_and_the_desk_has_its_address(hall):
    here, there, client = hall
    page = client.get(f"/{here.slug}/hall/?with={there.slug}").content.decode()
    assert f'data-beside="/{there.slug}/hall/"' in page
    assert f'data-beside-events="/live/{there.slug}/events"' in page
    assert "data-beside" not in client.get(f"/{here.slug}/hall/").content.decode()
    for nowhere in ("nowhere", here.slug):
        assert client.get(f"/{here.slug}/hall/?with={nowhere}").status_code == 404
    assert f"/{here.slug}/hall/?with={there.slug}" in client.get(f"/{here.slug}/desk/hall/").content.decode()
    Tournament.objects.filter(pk=there.pk).update(listing=Tournament.Listing.WITHHELD)
    assert client.get(f"/{here.slug}/hall/?with={there.slug}").status_code == 404
