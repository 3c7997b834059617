"""No tap is lost: not when the page goes, nor while the device's memory is written, nor when the page is busy or a name was held before."""

import time

import pytest
from playwright.sync_api import expect

from config.tests.tablet_driver import Tablet
from config.tests.test_tablet_browser import SLOW_MEMORY, TABLET, hands_of, protocol_of, win
from conftest import wait_for
from tournaments.tests import factories as make

pytestmark = [pytest.mark.browser, pytest.mark.once]
GOES = """(name) => {
  document.querySelector(`[data-focus="${name}"]`).click();
  location.reload();
}"""
BUSY = """() => addEventListener("pointerdown", () => {
  const end = performance.now() + 900;
  while (performance.now() < end);
}, { once: true })"""


@pytest.fixture
def tablet(new_browser):
    def made(preset="mcr", *, of=None):
        return Tablet(new_browser(**TABLET).new_page(), of or protocol_of(preset))

    return made


def role(one, seat):
    return one.page.locator(f'[data-seat="{seat}"] .seat-role')


def middle(one, name):
    box = wait_for(one.page.locator(f'[data-focus="{name}"]').bounding_box, f"{name} did not stay")
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_tap_just_before_a_reload_is_kept(tablet):
    one = tablet()
    for tap in ("seat-E", "seat-S", "digit-2"):
        one.tap(tap)
    with one.page.expect_navigation():
        one.page.evaluate(GOES, "digit-4")
    one.page.locator(".scoring-header").wait_for()
    assert one.amounts() == {"E": 48, "S": -32, "W": -8, "N": -8}
    with one.page.expect_navigation():
        one.page.evaluate(GOES, "clear-entry")
    expect(one.page.locator('[data-focus="undo"]')).to_be_visible()
    assert not any(one.amounts().values())


def test_points_typed_just_before_a_reload_are_kept(tablet):
    one = tablet("riichi_festival")
    with one.page.expect_navigation():
        one.page.evaluate("""() => {
          const field = document.querySelector("#final-E");
          field.value = "41000";
          field.dispatchEvent(new Event("input"));
          location.reload();
        }""")
    expect(one.page.locator("#final-E")).to_have_value("41000")


def test_what_is_tapped_while_a_hand_is_written_belongs_to_the_next(tablet):
    one = tablet()
    one.enter(win("E", 24, "S"), "MCR")
    one.page.evaluate(SLOW_MEMORY)
    for tap in ("save", "seat-N", "save", "clear-entry", "wall", "digit-9"):
        one.tap(tap)
    expect(role(one, "N")).to_have_text("Wins")
    expect(one.page.locator('[data-focus="wall"]')).to_have_attribute("aria-pressed", "true")
    assert one.page.locator(".keypad-value output").inner_text() == "9"
    one.save()
    one.saved()
    assert [(row.facts["events"][0]["winners"], row.facts["events"][0].get("from")) for row in hands_of(one.protocol)] == [
        ([{"seat": "E", "fans": 24}], "S"), ([{"seat": "N", "fans": 9}], None),
    ]  # fmt: skip


@pytest.mark.parametrize("is_changed", [True, False])
def test_what_is_tapped_while_a_hand_is_taken_back_counts_for_what_stands_then(tablet, is_changed):
    one = tablet()
    one.enter(win("E", 24, "S"), "MCR")
    one.save()
    one.saved()
    one.page.evaluate(SLOW_MEMORY)
    one.tap("undo")
    one.press("Change it" if is_changed else "Take it back")
    one.tap("seat-N")
    expect(role(one, "N")).to_have_text("Discarded" if is_changed else "Wins")
    one.saved()
    expect(one.page.locator(".connection")).to_contain_text("Hand 1 not saved")
    expect(one.page.locator(".notice-warning")).to_have_count(0)
    if is_changed:
        assert one.amounts() == {"E": 48, "S": -8, "W": -8, "N": -32}


def test_a_tap_is_not_lost_when_news_arrives_beneath_the_finger(tablet):
    """However long the news takes: the page's clock stands, so that no name is held."""
    one = tablet()
    one.page.clock.install()
    one.page.clock.pause_at(time.time() + 60)
    make.record(one.protocol, win("W", 30))
    one.page.locator('[data-focus="seat-E"]').hover()
    one.page.mouse.down()
    one.page.evaluate("dispatchEvent(new Event('online'))")
    wait_for(lambda: "recorded_at" in one.kept(), "The news did not arrive", 20)
    assert one.totals()["W"] == 0
    one.page.mouse.up()
    one.page.clock.resume()
    expect(role(one, "E")).to_have_text("Wins")
    expect(one.page.locator('[data-seat="W"] .seat-total')).to_have_text("54")


def test_a_tap_on_a_busy_page_is_no_held_name(tablet):
    """The page hears of the lifted finger after the time of holding; by the finger's own time it was a tap."""
    one = tablet()
    one.page.evaluate(BUSY)
    x, y = middle(one, "seat-E")
    finger = one.page.context.new_cdp_session(one.page)
    now = time.time()
    for kind, at in (("mousePressed", now), ("mouseReleased", now + 0.06)):
        finger.send(
            "Input.dispatchMouseEvent",
            {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1, "timestamp": at},
        )
    expect(role(one, "E")).to_have_text("Wins")


def test_the_tap_after_a_held_name_counts(tablet):
    """No click follows a finger that was held for long, or that slid off the name."""
    one = tablet()
    make.record(one.protocol, win("W", 30))
    one.open()
    finger = one.page.context.new_cdp_session(one.page)
    x, y = middle(one, "seat-E")
    touch = {"touchPoints": [{"x": x, "y": y}]}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", **touch})
    expect(one.page.locator('[data-seat="W"] .seat-change')).not_to_have_text("")
    one.page.wait_for_timeout(400)
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(one.page.locator('[data-seat="W"] .seat-change')).to_have_text("")
    one.page.touchscreen.tap(*middle(one, "seat-S"))
    expect(role(one, "S")).to_have_text("Wins")
    expect(role(one, "E")).to_have_text("")
