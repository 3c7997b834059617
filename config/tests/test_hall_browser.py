"""The screen of the hall in a browser: it follows the desk, goes on without a connection, and comes back by itself."""

import math
import re

import pytest
from playwright.sync_api import expect

from config.tools.smoke import pages
from tournaments.models import Protocol, Tournament
from tournaments.public.operations import Steering, steer_hall
from tournaments.standings.operations import recompute
from tournaments.tests import factories as make

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def of(site):
    """A session in play at two tables, and nothing on the screens but seating and clock."""
    by = make.user("heron")
    made = make.tournament("sbr", by=by)
    make.players(made, 8)
    make.in_play(made)
    make.record(
        Protocol.objects.select_related("table__session__tournament").get(
            table__session__tournament=made, table__number=1
        )
    )
    steer_hall(made, Steering(parts=["seating", "clock"], seconds=120), by=make.organizer_of(made))
    recompute.recompute(made.pk, waits=True)
    return made


@pytest.fixture
def desk(new_browser, site, of):
    """The organizer's browser at the page that steers."""
    context = new_browser()
    pages.sign_in(context, site.url, "heron")
    page = context.new_page()
    page.goto(f"/{of.slug}/desk/hall/")
    return page


@pytest.fixture
def screen(new_browser, of):
    """A screen in the hall that nobody touches."""
    page = new_browser(viewport={"width": 1180, "height": 820}).new_page()
    page.goto(f"/{of.slug}/hall/")
    return page


def test_screen_follows_the_desk(screen, desk):
    expect(screen.locator("[data-part]:visible")).to_have_attribute("data-part", "clock")
    expect(screen.locator(".clock:visible")).to_have_count(1)
    desk.get_by_role("button", name="Page forward").click()
    expect(screen.locator("[data-part]:visible")).to_have_attribute("data-part", "names")
    expect(screen.locator(".hall-bar .clock")).to_be_visible()
    desk.get_by_label("Message to the hall").fill("Tea is served.")
    desk.get_by_label("Best hands").check()
    desk.get_by_role("button", name="Show it").click()
    expect(screen.get_by_text("Tea is served.")).to_be_visible()
    expect(screen.locator("[data-part=hands]")).to_have_count(1)
    desk.get_by_role("button", name="Remove").click()
    expect(screen.get_by_text("Tea is served.")).to_have_count(0)


@pytest.mark.once
def test_screen_turns_by_itself_unless_it_is_held(screen, of):
    by = make.organizer_of(of)
    steer_hall(of, Steering(seconds=5), by=by)
    first = screen.locator("[data-part]:visible").get_attribute("data-part")
    other = {"clock": "names", "names": "seating", "seating": "clock"}[first]
    expect(screen.locator("[data-part]:visible")).to_have_attribute("data-part", other, timeout=9000)
    steer_hall(of, Steering(is_held=True), by=by)
    expect(screen.locator("#hall-parts[data-held]")).to_have_count(1)
    held = screen.locator("[data-part]:visible").get_attribute("data-part")
    screen.wait_for_timeout(6000)
    assert screen.locator("[data-part]:visible").get_attribute("data-part") == held


@pytest.mark.once
def test_screen_goes_on_without_a_connection_and_catches_up(screen, of):
    expect(screen.locator("[data-face]")).to_have_text(re.compile(r"\d\d:\d\d$"))
    screen.context.set_offline(True)
    steer_hall(of, Steering(message="Tea is served."), by=make.organizer_of(of))
    screen.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(screen.get_by_text("No connection")).to_be_visible(timeout=30_000)
    before = screen.locator(".hall-bar .clock").text_content()
    expect(screen.locator(".hall-bar .clock")).not_to_have_text(before)
    screen.context.set_offline(False)
    expect(screen.get_by_text("Tea is served.")).to_be_visible(timeout=30_000)
    expect(screen.get_by_text("No connection")).to_be_hidden()


@pytest.mark.once
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_screen_with_a_message_fits_and_reads_well(new_browser, of, theme):
    """Nothing scrolls, and axe finds nothing. [WCAG 1.4.3]"""
    page = new_browser(color_scheme=theme).new_page()
    wrong = []
    for parts in (["seating"], ["clock"], ["standings"], ["hands"], []):
        steer_hall(of, Steering(parts=parts, message="Tea is served. " * 13), by=make.organizer_of(of))
        for size, (width, height) in pages.SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.goto(f"/{of.slug}/hall/")
            if page.evaluate("document.documentElement.scrollHeight > window.innerHeight"):
                wrong.append(f"{parts} {size}: higher than its window")
            wrong += [
                f"{parts} {size}: {fault}" for fault in pages.faults_of(page, with_axe=size == "laptop")
            ]
    assert wrong == []


PICTURE_WIDTH, DISTANCE, CAPITAL = 2.0, 15.0, 0.7
LETTERS = ".hall-who, .hall-table li > span:last-child, .hall-standings tbody .name"


@pytest.mark.once
def test_names_are_read_from_fifteen_metres_and_turning_the_pages_moves_nothing(new_browser, site):
    """On a picture two metres wide a capital letter is sixteen minutes of arc high, the least that ISO 9241-303 asks for."""
    made = make.tournament("sbr", by=make.user("crane"))
    make.players(made, 96)
    make.in_play(made)
    recompute.recompute(made.pk, waits=True)
    steer_hall(made, Steering(parts=["seating", "standings"], is_held=True), by=make.organizer_of(made))
    page = new_browser(viewport={"width": 1920, "height": 1080}).new_page()
    page.add_init_script(
        "window.shifted = 0; new PerformanceObserver((list) => { for (const one of list.getEntries()) window.shifted += one.value; })"
        ".observe({ type: 'layout-shift', buffered: true });"
    )
    page.goto(f"/{made.slug}/hall/")
    expect(page.locator("[data-page-mark]")).to_have_text(re.compile(r"\w – \w · 1 / 6"))
    assert page.locator("[data-part]").evaluate_all("(all) => all.map((one) => one.dataset.part)") == [
        *["names"] * 6, *["seating"] * 6, *["standings"] * 12
    ]  # fmt: skip
    for _ in range(24):
        page.keyboard.press("ArrowRight")
    sizes = page.locator(LETTERS).evaluate_all(
        "(all) => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    )
    angle = math.degrees(math.atan(min(sizes) * CAPITAL * PICTURE_WIDTH / 1920 / DISTANCE)) * 60
    assert len(sizes) == 96 * 3
    assert angle >= 16, (min(sizes), page.evaluate("[innerWidth, innerHeight, devicePixelRatio]"))
    clipped = "(all) => all.filter((one) => one.offsetParent && one.scrollHeight > one.clientHeight).length"
    assert page.locator(LETTERS).evaluate_all(clipped) == 0
    assert page.evaluate("window.shifted") < 0.01


@pytest.mark.once
def test_one_screen_shows_two_events_in_turn_with_their_own_numbers(new_browser, of):
    """[RULES 9.41]"""
    other = make.tournament("sbr", by=of.created_by)
    make.players(other, 8)
    make.in_play(other)
    Tournament.objects.filter(pk=other.pk).update(first_table=13, name="Harbour Open")
    for event in (of, other):
        steer_hall(event, Steering(parts=["seating"], seconds=5), by=make.organizer_of(event))
    page = new_browser(viewport={"width": 1180, "height": 820}).new_page()
    page.goto(f"/{of.slug}/hall/?with={other.slug}")
    heading, tables = page.locator(".hall-bar h1"), page.locator("[data-part=seating]:visible h2")
    expect(heading).to_have_text(of.name)
    expect(heading).to_have_text("Harbour Open", timeout=30_000)
    expect(tables.first).to_have_text("13", timeout=30_000)
    expect(heading).to_have_text(of.name, timeout=30_000)
    expect(page.locator("#hall-parts")).to_have_count(1)
