"""A button pressed twice in haste does its work once, and the answer that is shown is that of the work."""

import time

import pytest
from django.test import Client

from seating.drafts import operations as draws
from seating.models import Draw
from tournaments.models import Tournament
from tournaments.people.operations import registration
from tournaments.tests import factories as make

pytestmark = pytest.mark.browser


def answer_slowly(monkeypatch, module, name):
    """Let the work be done at once and its answer stay out until the second press has come, 300 ms after the first."""
    at_once = getattr(module, name)

    def slowly(*args, **named):
        try:
            return at_once(*args, **named)
        finally:
            time.sleep(1)  # the second press comes in this second

    monkeypatch.setattr(module, name, slowly)


def test_player_who_presses_twice_gets_the_private_page(site, page, monkeypatch):
    answer_slowly(monkeypatch, registration, "register_player")
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


def test_a_seat_locked_by_a_key_that_is_pressed_twice_stays_locked(site, page, monkeypatch):
    answer_slowly(monkeypatch, draws, "pin")
    of = make.tournament()
    make.players(of, 8)
    client = Client()
    client.force_login(of.created_by)
    cookies = [{"name": name, "value": row.value, "url": site.url} for name, row in client.cookies.items()]
    page.context.add_cookies(cookies)
    draft = draws.propose_random(of, of.sessions.first(), by=make.organizer_of(of))
    page.goto(f"/{of.slug}/desk/draw/")
    seat = page.locator("[data-swap]").first
    seat.focus()
    page.keyboard.press("l")
    page.wait_for_timeout(200)
    page.keyboard.press("l")
    page.locator("[data-swap].is-pinned").wait_for()
    page.wait_for_timeout(1500)
    assert page.locator("[data-swap].is-pinned").count() == 1
    assert len(Draw.objects.get(pk=draft.pk).pins) == 1
