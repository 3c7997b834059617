"""The scoring screen stands still: nothing moves beneath a finger, and nothing that is said lies over what is pressed."""

import pytest
from playwright.sync_api import expect

from config.tests.tablet_driver import Tablet
from config.tests.test_tablet_browser import SIZES, TABLET, protocol_of
from scoring.presets import PRESETS
from tournaments.tables.views import tablet_api
from tournaments.tests.arithmetic_vectors import HOUSE

pytestmark = [pytest.mark.browser, pytest.mark.once]

PLACES = """() => Object.fromEntries([...document.querySelectorAll('main [data-focus]')].map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [one.dataset.focus, [x, y, width, height].map(Math.round)];
}))"""
COVERED = """() => [...document.querySelectorAll('main [data-focus]')].filter((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  const top = document.elementFromPoint(x + width / 2, y + height / 2);
  const entry = document.querySelector('.scoring-entry');
  const frame = entry?.contains(one) ? entry.getBoundingClientRect() : { top: 0, bottom: innerHeight };
  const isSeen = y + height / 2 > frame.top && y + height / 2 < frame.bottom;
  const inStrip = one.closest('.events');
  return isSeen && !inStrip && top && !one.contains(top) && !top.contains(one);
}).map((one) => one.dataset.focus)"""
ORDINARY = {
    "sbr": ["seat-E", "seat-S", "fans-2", "seat-W", "wall", "fans-1", "fan-pure_straight"],
    "wmsg": ["seat-E", "seat-S", "fans-2", "seat-W", "wall", "fans-1"],
    "mcr": ["seat-E", "seat-S", "digit-2", "digit-4", "flower-more", "erase"],
    "siamese": ["seat-E", "wall", "digit-2", "digit-4", "seat-S", "wall", "digit-9"],
    "red": ["seat-E", "seat-S", "digit-1", "digit-4", "flower-more"],
    "riichi_ema": ["seat-E", "seat-S", "han-3", "fu-40", "riichi-E", "riichi-W", "han-more", "han-6", "yakuman", "share", "seat-W", "han-2", "fu-30"],
}  # fmt: skip


@pytest.fixture
def tablet(new_browser):
    def made(preset, *, size="wide", language="en", seats=4, **changes):
        width, height = SIZES[size]
        options = {**TABLET, "viewport": {"width": width, "height": height}, "locale": language}
        return Tablet(new_browser(**options).new_page(), protocol_of(preset, seats, **changes))

    return made


def moved(before, after):
    """What stands elsewhere, or has another size, than before; the chips of a hand grow with what they say."""
    return {
        name: (place, after[name])
        for name, place in before.items()
        if name in after and after[name] != place and not name.startswith(("event-", "remove-"))
    }


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("preset", ORDINARY)
def test_nothing_moves_between_the_taps_of_a_hand(tablet, preset, size):
    """Nor when the verdict of the server arrives."""
    one = tablet(preset, size=size, language="ru", seats=3 if preset == "siamese" else 4)
    page = one.page
    found = {}
    before = page.evaluate(PLACES)
    for tap in ORDINARY[preset]:
        if not page.locator(f'[data-focus="{tap}"]').count():
            continue
        one.tap(tap)
        now = page.evaluate(PLACES)
        if shifted := moved(before, now):
            found[tap] = shifted
        before = now
    page.wait_for_timeout(500)
    if shifted := moved(before, page.evaluate(PLACES)):
        found["verdict"] = shifted
    assert found == {}


@pytest.mark.parametrize("size", SIZES)
def test_a_refusal_lies_over_no_control_and_can_be_read_whole(tablet, size):
    one = tablet("siamese", size=size, language="ru", seats=3)
    one.enter({"events": [
        {"type": "win", "from": "S", "winners": [{"seat": "E", "fans": 20}]},
        {"type": "win", "from": "S", "winners": [{"seat": "E", "fans": 10}]},
    ]}, "SIAM")  # fmt: skip
    refusal = one.page.get_by_role("alert")
    expect(refusal).to_contain_text("SIAM 4")
    assert one.page.evaluate(COVERED) == []
    before = one.page.evaluate(PLACES)
    refusal.get_by_role("button").click()
    dialog = one.page.get_by_role("dialog")
    expect(dialog).to_contain_text("SIAM 4")
    one.page.keyboard.press("Escape")
    one.tap("digit-1")
    one.page.wait_for_timeout(500)
    assert moved(before, one.page.evaluate(PLACES)) == {}


@pytest.mark.parametrize("size", SIZES)
def test_what_is_said_after_saving_lies_over_no_control(tablet, size):
    one = tablet("mcr", size=size, language="ru")
    before = one.page.evaluate(PLACES)
    one.enter({"events": [{"type": "win", "from": "S", "winners": [{"seat": "E", "fans": 24}]}]}, "MCR")
    one.save()
    expect(one.page.locator(".scoring-message")).to_be_visible()
    assert one.page.evaluate(COVERED) == []
    assert moved(before, one.page.evaluate(PLACES)) == {}


@pytest.mark.parametrize("size", SIZES)
def test_a_new_version_is_offered_between_two_hands_and_covers_nothing(tablet, monkeypatch, size):
    one = tablet("red", size=size, language="ru")
    before = one.page.evaluate(PLACES)
    monkeypatch.setattr(tablet_api, "app_version", lambda: "0123456789ab")
    one.page.evaluate("dispatchEvent(new Event('online'))")
    offer = one.page.locator('.prompt-row [data-focus="reload"]')
    offer.wait_for()
    assert one.page.evaluate(COVERED) == []
    assert moved(before, one.page.evaluate(PLACES)) == {}
    one.seat("E")
    expect(offer).to_have_count(0)
    expect(one.page.locator("#prompt")).to_be_visible()
    one.tap("more")
    with one.page.expect_navigation():
        one.press("Start the new version of this screen")


# Chips of a line are dragged; kongs are told at the end


TWO_WINS = {"events": [
    {"type": "win", "from": "S", "winners": [{"seat": "E", "fans": 2}]},
    {"type": "win", "winners": [{"seat": "W", "fans": 1}]},
]}  # fmt: skip
CHIPS = ".event-edit"


def middle(page, place):
    box = page.locator(CHIPS).nth(place).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def dragged_by_mouse(page, start, end):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=5)
    page.mouse.up()


def dragged_by_finger(page, start, end):
    finger = page.context.new_cdp_session(page)
    for kind, points, wait in [
        ("touchStart", [start], 350), ("touchMove", [((start[0] + end[0]) / 2, start[1])], 30), ("touchMove", [end], 30), ("touchEnd", [], 200),
    ]:  # fmt: skip
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})  # fmt: skip
        page.wait_for_timeout(wait)


@pytest.mark.parametrize(("size", "is_online"), [("wide", True), ("tall", False)])
def test_a_chip_is_dragged_to_its_place_and_the_amounts_follow(tablet, size, is_online):
    one = tablet("sbr", size=size, language="en" if is_online else "ru")
    one.page.wait_for_load_state("networkidle")
    one.page.context.set_offline(not is_online)
    one.enter(TWO_WINS, "SBR")
    names = one.page.locator(CHIPS).all_inner_texts()
    before = one.amounts()
    for drag in (dragged_by_mouse, dragged_by_finger):
        first, last = middle(one.page, 0), middle(one.page, 1)
        drag(one.page, first, (last[0] + 60, last[1]))
        expect(one.page.locator(CHIPS)).to_have_text(names[::-1])
        assert one.amounts() != before
        first, last = middle(one.page, 0), middle(one.page, 1)
        drag(one.page, last, (first[0] - 60, first[1]))
        expect(one.page.locator(CHIPS)).to_have_text(names)
        assert one.amounts() == before
    one.tap("event-0")
    expect(one.page.locator('[data-focus="later-0"]')).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_kongs_told_at_the_end_have_room(tablet, size):
    one = tablet("sbr", size=size, language="ru")
    one.enter(TWO_WINS, "SBR")
    for tap in ("mode-kong", "when-1", "seat-W", "kong-concealed"):
        one.tap(tap)
    expect(one.page.locator(CHIPS)).to_have_count(3)
    assert misfits_of(one.page) == []
    assert one.page.evaluate(COVERED) == []


def misfits_of(page):
    """What of the ways to say when is cut off or too small for a finger."""
    return page.evaluate("""() => [...document.querySelectorAll('[data-focus^="when-"]')].filter((one) => {
      const { width, height, right } = one.getBoundingClientRect();
      return width < 43.9 || height < 43.9 || right > innerWidth || one.scrollWidth > one.clientWidth + 1;
    }).map((one) => one.textContent)""")


# What is heard and reached by keys comes in the order of the eye


ORDER = """() => [...document.querySelectorAll('.scoring-header, .scoring-seats, .scoring-entry, .scoring-actions')].map((one) => {
  const { x, y } = one.getBoundingClientRect();
  return [Math.round(y), Math.round(x)];
})"""


def test_parts_of_the_screen_come_in_the_order_of_the_eye(tablet):
    """Also when the device is turned while a hand is being entered; the keyboard's place is kept."""
    one = tablet("mcr", size="phone")
    one.seat("E")
    one.page.locator('[data-focus="seat-S"]').focus()
    for size in ("phone", "wide", "tall", "phone"):
        width, height = SIZES[size]
        one.page.set_viewport_size({"width": width, "height": height})
        one.page.wait_for_timeout(100)
        places = one.page.evaluate(ORDER)
        assert places == sorted(places), size
        expect(one.page.locator('[data-focus="seat-S"]')).to_be_focused()
        expect(one.page.locator('[data-seat="E"]')).to_have_class("seat-panel is-winner")


# What a hand is near to


IN_DIALOG = """() => Object.fromEntries([...document.querySelectorAll('dialog[open] button, dialog[open] input')].map((one, place) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [`${place} ${one.dataset.tile ?? one.textContent}`, [x, y, width, height].map(Math.round)];
}))"""


@pytest.mark.parametrize("size", SIZES)
def test_what_is_told_of_tiles_is_seen_without_scrolling_and_moves_nothing(tablet, size):
    """What a hand is near to, and what it is worth when it is whole."""
    one = tablet("mcr", size=size, language="ru")
    page = one.page
    for tap in ("seat-E", "wall", "tiles"):
        one.tap(tap)
    held = []
    for address, written, told in [
        ("near", "(123m) 456m 99s 78m 4p5p", ".tiles-near li"),
        ("evaluate", "(123m) 456m 99s 78m 456p 9m", ".tiles-totals"),
    ]:
        page.route(f"**/{address}/", lambda route: held.append(route))
        with page.expect_request(f"**/{address}/"):
            page.locator("#tiles-text").fill(written)
        page.wait_for_timeout(100)
        before = page.evaluate(IN_DIALOG)
        held.pop().continue_()
        lines = page.locator(told)
        lines.first.wait_for()
        assert moved(before, page.evaluate(IN_DIALOG)) == {}
        bar, line = page.locator(".tiles-result").bounding_box(), lines.last.bounding_box()
        assert bar["y"] <= line["y"]
        assert line["y"] + line["height"] <= min(bar["y"] + bar["height"], SIZES[size][1]) + 1


# House rules


OUTSIDE = """() => [...document.querySelectorAll('.scoring-entry [data-focus]')].filter((one) => {
  const { width, height, left, right } = one.getBoundingClientRect();
  const words = [...one.querySelectorAll('span')].some((word) => word.scrollWidth > word.clientWidth + 1);
  return width < 43.9 || height < 43.9 || left < 0 || right > innerWidth || words;
}).map((one) => one.dataset.focus)"""


@pytest.mark.parametrize("language", ["en", "ru"])
def test_house_rules_of_riichi_have_room_at_every_size(tablet, language):
    rules = PRESETS["riichi_ema"].regulation.system_rules | HOUSE
    one = tablet("riichi_ema", language=language, system_rules=rules)
    for taps in (["seat-E", "wall", "yakuman", "times-2"], ["mode-over"], ["abort-four_riichi"]):
        for tap in taps:
            one.tap(tap)
        for size, (width, height) in SIZES.items():
            one.page.set_viewport_size({"width": width, "height": height})
            one.page.wait_for_timeout(100)
            assert (size, one.page.evaluate(OUTSIDE), one.page.evaluate(COVERED)) == (size, [], [])
    one.save()
    one.saved()
    assert [hand.facts["abort"] for hand in one.protocol.hands.all()] == ["four_riichi"]


# How it looks is chosen on the tablet


def test_theme_and_language_are_chosen_on_every_page_of_the_tablet(tablet):
    one = tablet("mcr")
    page = one.page
    one.enter({"events": [{"type": "win", "from": "S", "winners": [{"seat": "E", "fans": 24}]}]}, "MCR")
    one.tap("more")
    page.get_by_role("button", name="In the sun: black on white").click()
    assert page.evaluate("getComputedStyle(document.querySelector('.scoring-screen')).backgroundColor") == "rgb(255, 255, 255)"  # fmt: skip
    assert page.evaluate("getComputedStyle(document.querySelector('.seat-total')).color") == "rgb(0, 0, 0)"
    page.get_by_role("button", name="Русский").click()
    expect(page.locator(".connection")).to_have_text("Сдача 1 не сохранена")
    assert one.amounts()["E"] == 48
    assert page.evaluate("document.documentElement.dataset.theme") == "sun"
    page.goto(one.home)
    expect(page.get_by_role("button", name="English")).to_be_visible()


def test_a_language_that_cannot_be_fetched_is_told_and_nothing_is_lost(tablet):
    one = tablet("mcr")
    page = one.page
    one.enter({"events": [{"type": "win", "from": "S", "winners": [{"seat": "E", "fans": 24}]}]}, "MCR")
    one.tap("more")
    page.context.set_offline(True)
    page.get_by_role("button", name="Русский").click()
    expect(page.locator(".looks-said")).to_contain_text("press again when there is a connection")
    assert one.amounts()["E"] == 48
    page.context.set_offline(False)
    page.get_by_role("button", name="Русский").click()
    expect(page.locator(".connection")).to_have_text("Сдача 1 не сохранена")
    assert one.amounts()["E"] == 48


@pytest.mark.parametrize(("size", "least"), [("wide", 28), ("tall", 28), ("phone", 20)])
def test_totals_are_read_from_a_distance(tablet, size, least):
    one = tablet("mcr", size=size)
    assert one.page.evaluate("parseFloat(getComputedStyle(document.querySelector('.seat-total')).fontSize)") >= least  # fmt: skip
