"""Help: the guides in both languages with their pictures, and the short help of the desk's pages, which leads into them."""

import re

import pytest
from django.conf import settings
from django.urls import NoReverseMatch, reverse

from tournaments.public.views.guides import GUIDES, PICTURES
from tournaments.templatetags.help import HINTS

LANGUAGES = ["en", "ru"]


def guide(client, name, language):
    return client.get(f"/help/guide-{name}/", headers={"Accept-Language": language}).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GUIDES)
def test_every_guide_is_there_with_its_pictures(client, name, language):
    page = guide(client, name, language)
    shown = re.findall(r'src="/static/(img/help/[^"]*)"', page)
    assert shown
    for picture in shown:
        assert f"img/help/{language}/" in picture
        assert (settings.BASE_DIR / "static" / picture).stat().st_size > 5000
    assert guide(client, name, "en").count("<section") == page.count("<section")


@pytest.mark.django_db
def test_every_picture_is_shown_somewhere(client):
    shown = {
        name for one in GUIDES for name in re.findall(r"img/help/en/(\w+)\.webp", guide(client, one, "en"))
    }
    assert shown == set(PICTURES)


@pytest.mark.django_db
def test_short_help_belongs_to_a_page_and_leads_to_a_part_of_a_guide_that_exists(client):
    for name, hint in HINTS.items():
        try:
            reverse(name, args=["cup"])
        except NoReverseMatch:
            pytest.fail(f"{name} is no page of an event.")
        assert f'<section id="{hint.section}">' in guide(client, hint.guide, "en"), name


@pytest.mark.django_db
def test_a_guide_that_does_not_exist_is_missing(client):
    assert client.get("/help/").status_code == 200
    assert client.get("/help/guide-player/").status_code == 404
