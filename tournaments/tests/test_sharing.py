"""What links to an event tell of it: titles, descriptions, pictures and data, in the language of the reader or of the event."""

import json
import re
import struct
from xml.etree import ElementTree

import pytest
from django.urls import reverse

from config.server.page_cache import language_of
from tournaments.models import Session, Tournament
from tournaments.public.rules.picture import fonts, picture, wrapped
from tournaments.standings.operations import recompute
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
def of():
    """An event in Russian with a hand played."""
    protocol = make.protocol("sbr", 4)
    make.record(protocol)
    made = protocol.table.session.tournament
    Tournament.objects.filter(pk=made.pk).update(language="ru", city="Казань", venue="Дом учёных")
    recompute.recompute(made.pk)
    return Tournament.objects.get(pk=made.pk)


def page(client, of, name="event", *args, **headers):
    return client.get(reverse(f"tournaments:{name}", args=[of.slug, *args]), headers=headers).content.decode()


def meta(text, name):
    return re.search(rf'<meta (?:name|property)="{name}"\s+content="([^"]*)"', text)[1]


def test_whoever_says_no_language_is_told_of_the_event_in_its_own(client, of):
    assert '<html lang="ru"' in page(client, of)
    assert "Казань, Дом учёных." in meta(page(client, of), "description")
    assert '<html lang="en"' in page(client, of, accept_language="en")
    assert language_of(b"", b"", "ru") == b"ru"
    assert language_of(b"", b"en", "ru") == b"en"
    assert language_of(b"", b"", "") == b"en"


def test_every_page_says_its_address_and_a_players_page_says_the_place(client, of):
    number = of.standings.exclude(place=None).get(position=1).player.registration.number
    text = page(client, of, "player", number, accept_language="en")
    url = f"http://testserver{reverse('tournaments:player', args=[of.slug, number])}"
    assert f'<link rel="canonical" href="{url}">' in text
    assert meta(text, "og:url") == url
    assert meta(text, "og:image") == f"{url}picture.png"
    assert "place 1 of 4" in meta(text, "description")
    standings = page(client, of, "standings", accept_language="en")
    assert meta(standings, "description").startswith("1. ")


def test_event_is_told_as_data(client, of):
    said = json.loads(re.search(r'<script type="application/ld\+json">(.*?)</script>', page(client, of))[1])
    assert (said["@type"], said["name"], said["inLanguage"]) == ("SportsEvent", of.name, "ru")
    assert said["location"] == {"@type": "Place", "name": "Дом учёных", "address": "Казань"}
    assert (said["startDate"], said["endDate"]) == (of.first_day.isoformat(), of.last_day.isoformat())


def test_data_of_an_event_end_no_script(client, of):
    Tournament.objects.filter(pk=of.pk).update(name="</script><b>")
    text = page(client, of)
    assert text.count("</script><b>") == 0
    assert json.loads(re.search(r'ld\+json">(.*?)</script>', text)[1])["name"] == "</script><b>"


@pytest.mark.parametrize("name", ["event_picture", "player_picture"])
def test_picture_is_a_png_of_the_usual_size(client, of, name):
    args = [of.slug] if name == "event_picture" else [of.slug, 1]
    answer = client.get(reverse(f"tournaments:{name}", args=args))
    assert answer["Content-Type"] == "image/png"
    assert answer.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", answer.content[16:24]) == (1200, 630)


def test_picture_speaks_the_language_of_the_event(client, of):
    address = reverse("tournaments:event_picture", args=[of.slug])
    russian = client.get(address, headers={"accept-language": "en"}).content
    Tournament.objects.filter(pk=of.pk).update(language="en")
    assert client.get(address, headers={"accept-language": "ru"}).content != russian


def test_title_of_any_length_and_script_fits_the_picture():
    heading, _small = fonts()
    for text in ("слово " * 40, "Д" * 100, "李小龍 محمد", ""):
        lines = wrapped(text, heading, 1000, 3)
        assert len(lines) <= 3
        assert all(heading.width(line) <= 1000 for line in lines)
        assert picture(text)


def test_sitemap_names_the_pages_of_listed_events_only(client, of):
    hidden = make.tournament("sbr", by=make.user("crane"))
    Tournament.objects.filter(pk=hidden.pk).update(listing=Tournament.Listing.HIDDEN, slug="hidden")
    found = ElementTree.fromstring(client.get(reverse("tournaments:sitemap")).content)
    places = [place.text for place in found.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")]
    assert f"http://testserver/{of.slug}/standings/" in places
    assert not [place for place in places if "hidden" in place]
    assert "Sitemap: http://testserver/sitemap.xml" in client.get("/robots.txt").content.decode()


def test_how_it_was_drawn_is_offered_only_where_there_is_a_draw(client, of):
    """Seats of an imported event have a seed, and no draw of this site."""
    Session.objects.filter(tournament=of, number=1).update(seed="imported")
    of.draws.all().delete()
    assert "seating:proof" not in page(client, of, "seating")
    assert "/session-1/draw/" not in page(client, of, "seating")
