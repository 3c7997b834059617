"""The choice of theme, the style page, and the pages that say no."""

import pytest
from django.test import RequestFactory, override_settings
from django.utils.translation import override

from config import views

urlpatterns: list[object] = []
ask = RequestFactory()


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_theme_is_kept_in_a_cookie(theme):
    response = views.set_theme(ask.post("/", {"theme": theme, "next": "/spring/"}))
    assert (response.cookies["theme"].value, response["Location"]) == (theme, "/spring/")


def test_unknown_theme_changes_nothing():
    assert not views.set_theme(ask.post("/", {"theme": "mauve"})).cookies


@pytest.mark.parametrize("address", ["https://evil.example/", "//evil.example", "", "javascript:alert(1)"])
def test_theme_leads_to_no_stranger(address):
    """[INTEGRITY 7.7, case 158]"""
    assert views.set_theme(ask.post("/", {"theme": "dark", "next": address}))["Location"] == "/"


def test_theme_is_not_changed_by_a_link():
    assert views.set_theme(ask.get("/")).status_code == 405


@pytest.mark.urls(__name__)
@pytest.mark.parametrize(
    ("view", "status"),
    [
        (views.bad_request, 400),
        (views.forbidden, 403),
        (views.csrf_failure, 403),
        (views.page_not_found, 404),
        (views.server_error, 500),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_page_that_says_no_has_its_status(view, status):
    assert view(ask.get("/")).status_code == status


def test_bad_request_echoes_nothing():
    """[INTEGRITY 7.7, case 155]"""
    request = ask.get("/<evil>", headers={"host": "evil.example"})
    assert b"evil" not in views.bad_request(request).content


@pytest.mark.urls(__name__)
def test_form_out_of_date_says_that_nothing_was_saved():
    """[INTEGRITY 7.7, case 154]"""
    with override("en"):
        page = views.csrf_failure(ask.post("/desk/")).content.decode()
    assert "The page is out of date; reload it. Nothing was saved." in page
    assert 'href="/desk/"' in page


@pytest.mark.urls(__name__)
@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("screen", ["", "tablet", "hall", "hall-clock", "sheet", "no-such-screen"])
def test_style_page_shows_every_screen(screen, language):
    with override(language), override_settings(STYLEGUIDE=True):
        assert views.styleguide(ask.get("/", {"show": screen})).status_code == 200
