"""The referee's phone under a thumb: two taps for the most frequent offences of each system, one to take back, offline too."""

import re

import pytest
from playwright.sync_api import expect

from conftest import wait_for
from penalties.models import Penalty
from penalties.tests import factories as judge
from penalties.tests.test_browser import signed_in
from scoring.presets import PRESETS
from tournaments.tests import factories as make

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SENT = "() => window.dispatchEvent(new Event('pagehide'))"


class Thumb:
    """A referee's phone at a table; every tap is counted."""

    def __init__(self, page, of) -> None:
        self.page, self.of, self.taps = page, of, 0
        page.goto(f"/{of.slug}/referee/#session-1/table-1")
        page.locator(".phone-seats").wait_for()

    def tap(self, what: str) -> None:
        self.taps += 1
        self.page.locator(what).first.tap()

    def give(self, wind: str, number: int) -> None:
        """Tap a player and the offence that stands at this place of the list."""
        self.tap(f'[data-focus="seat-{wind}"]')
        self.tap(f".phone-offence:nth-child({number}) .phone-press")

    def sent(self, count: int) -> None:
        """Let the five seconds pass, and wait until the server has so many penalties."""
        self.page.evaluate(SENT)
        wait_for(lambda: self.of.penalties.count() == count, f"The server has {count} penalties", 30)


@pytest.mark.once
@pytest.mark.parametrize("preset", ["sbr", "wmsg", "mcr", "siamese", "red", "riichi_ema"])
def test_two_taps_for_the_most_frequent_offences_and_one_to_take_back(site, new_browser, preset):
    """[RULES 1.8] [SBR 2.8.2] [MCR offences 3]"""
    assert preset in PRESETS
    of = make.tournament(preset)
    make.players(of, 4)
    make.in_play(of)
    page = signed_in(lambda: new_browser(**PHONE), site, make.staff(of, "referee"))
    thumb = Thumb(page, of)

    # One tap takes it back, and nobody has heard of it.
    thumb.give("E", 1)
    thumb.tap('[data-focus="take-back"]')
    expect(page.locator('[data-focus="take-back"]')).to_have_count(0)
    thumb.taps = 0

    # Two with a connection, three without one: queued, named as not sent, and sent when it is back.
    thumb.give("E", 1)
    thumb.give("S", 2)
    thumb.sent(2)
    page.context.set_offline(True)
    winds = [seat.wind for seat in of.sessions.get(number=1).seats.in_order()]
    for number in (3, 4, 5):
        thumb.give(winds[number % len(winds)], number)
    assert thumb.taps == 10

    # Without a connection one tap takes one back as well; what has waited longer is taken back where it is named as not sent.
    thumb.give("E", 1)
    thumb.taps = 0
    thumb.tap('[data-focus="take-back"]')
    assert thumb.taps == 1
    thumb.give("E", 1)
    page.evaluate(SENT)
    expect(page.locator("[data-connection]")).to_contain_text("4")
    thumb.taps = 0
    thumb.tap('[data-focus="tab-given"]')
    thumb.tap('.phone-item.is-queued:last-child [data-focus^="back-"]')
    assert thumb.taps == 2
    expect(page.locator("[data-connection]")).to_contain_text("3")
    assert of.penalties.count() == 2
    page.context.set_offline(False)
    wait_for(lambda: of.penalties.count() == 5, "What was queued is sent", 30)
    assert of.penalties.filter(state=Penalty.State.IN_FORCE).values("offence").distinct().count() == 5


@pytest.mark.once
def test_a_long_name_of_the_event_makes_the_phone_no_wider(site, new_browser):
    of = make.tournament("sbr")
    type(of).objects.filter(pk=of.pk).update(name="Осенний кубок «Четырёх ветров» на призы Самары")
    make.players(of, 4)
    make.in_play(of)
    page = signed_in(lambda: new_browser(**PHONE), site, make.staff(of, "referee"))
    Thumb(page, of).tap('[data-focus="seat-E"]')
    page.locator(".phone-offence").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]


@pytest.mark.once
def test_a_long_press_offers_more_and_a_refusal_stays_until_it_is_decided(site, new_browser):
    """A step that moved meanwhile is told with its reason and given at the new step. [SBR 2.8.2] [RULES 1.8]"""
    of = make.tournament("sbr")
    make.players(of, 4)
    session = make.in_play(of)
    session.tournament = of
    page = signed_in(lambda: new_browser(**PHONE), site, make.staff(of, "chief_referee"))
    thumb = Thumb(page, of)

    thumb.tap('[data-focus="seat-E"]')
    press = page.locator(".phone-press").first
    press.dispatch_event("pointerdown")
    page.get_by_role("button", name="Removal from the event").wait_for()
    page.get_by_role("button", name="−8", exact=True).click()
    thumb.sent(1)
    assert (of.penalties.get().points, of.penalties.get().is_on_ladder) == (8, True)

    page.context.set_offline(True)
    thumb.give("S", 1)
    page.evaluate(SENT)
    judge.give(judge.seat(session, "S"), "phone", session)
    page.context.set_offline(False)
    page.get_by_text("Refused, needs your decision").click()
    expect(page.locator(".phone-reason")).to_contain_text("step 2")
    page.get_by_role("button", name="Give it at the new step").click()
    wait_for(lambda: of.penalties.count() == 3, "It is given at the new step", 30)


@pytest.mark.once
@pytest.mark.parametrize("preset", ["sbr", "mcr", "red"])
def test_the_four_are_shown_now_and_after_before_it_is_sent(site, new_browser, preset):
    """Place and points at the table and in the standings; without a connection those of the table. [RULES 8.51]"""
    of = make.tournament(preset)
    make.players(of, 4)
    session = make.in_play(of)
    for wind, points in (("E", 5), ("S", 1), ("W", -2), ("N", -4)):
        session.seats.filter(wind=wind).update(hand_points=points)
    page = signed_in(lambda: new_browser(**PHONE), site, make.staff(of, "chief_referee"))
    thumb = Thumb(page, of)

    def four_of_a_decision(wind: str) -> list[str]:
        """Give by a long press, read what is shown of the four, and take it back."""
        thumb.tap(f'[data-focus="seat-{wind}"]')
        page.locator(".phone-offence").first.wait_for()
        thumb.tap(".phone-offence:first-child .phone-more")
        page.locator("dialog .button", has_text=re.compile("^−(8|10)$")).first.click()
        page.locator(".phone-held .phone-four").wait_for()
        texts = page.locator(".phone-held .phone-four li").all_inner_texts()
        thumb.tap('[data-focus="take-back"]')
        return texts

    with page.expect_response("**/outlook/**"):
        thumb.tap('[data-focus="seat-E"]')
    thumb.tap('[data-focus="seat-E"]')
    east, south, *_others = four_of_a_decision("E")
    assert "+5 → " in east
    assert "place 1 → " in east
    assert "standings: place " in east
    assert "place 2 → 1" in south
    assert not of.penalties.exists()

    page.context.set_offline(True)
    _east, south, *_others = told = four_of_a_decision("S")
    assert "place 2 → 4" in south
    assert len(told) == 4
    assert "standings: place" not in south
