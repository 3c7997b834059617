"""A button pressed twice in haste does its work once, and the answer that is shown is that of the work."""

import time

import pytest

from tournaments.models import Tournament
from tournaments.operations import registration
from tournaments.tests import factories as make

pytestmark = pytest.mark.browser


def test_player_who_presses_twice_gets_the_private_page(site, page, monkeypatch):
    at_once = registration.register_player

    def slowly(*args, **named):
        try:
            return at_once(*args, **named)
        finally:
            time.sleep(1)  # the answer is still out when the second press comes, 300 ms after the first

    monkeypatch.setattr(registration, "register_player", slowly)
    of = make.tournament()
    page.goto(f"/{of.slug}/register/")
    page.locator("input[name=name]").fill("Grey Heron")
    page.get_by_label("My name, country, city and club").check()
    page.locator("main form button").evaluate(
        "button => { button.click(); setTimeout(() => button.click(), 300); }"
    )
    page.get_by_text("You are registered.").wait_for()
    assert of.registrations.count() == 1


def test_form_refused_once_may_be_sent_again(site, page):
    of = make.tournament()
    page.goto(f"/{of.slug}/register/")
    page.locator("input[name=name]").fill("Grey Heron")
    page.locator("main form button").click()
    page.get_by_label("My name, country, city and club").check()
    page.locator("main form button").click()
    page.get_by_text("You are registered.").wait_for()
    page.go_back()
    assert Tournament.objects.get(pk=of.pk).registrations.count() == 1
