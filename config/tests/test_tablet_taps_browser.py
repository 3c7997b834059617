"""A hand costs few taps, a slip fewer, and nothing on the screen moves meanwhile: counted and measured in each system, on every size."""

import pytest

from config.tests.screens import SIZES, looks_for
from config.tests.tablet_driver import Tablet
from config.tests.test_tablet_browser import protocol_of
from config.tests.test_tablet_layout_browser import COVERED, PLACES, moved
from scoring.presets import PRESETS

pytestmark = [pytest.mark.browser, pytest.mark.once]

ORDINARY = {
    "sbr": ["fans-2"],
    "wmsg": ["fans-2"],
    "mcr": ["digit-2", "digit-4"],
    "siamese": ["digit-2", "digit-4"],
    "red": ["digit-2", "digit-4"],
    "riichi_ema": ["han-3", "fu-40"],
}
"""The taps that tell the value of an ordinary win."""
TRIPLE = {"events": [
    {"type": "win", "from": "S", "winners": [{"seat": "E", "fans": 2}, {"seat": "W", "fans": 1}, {"seat": "N", "fans": 3}]},
]}  # fmt: skip
WALL = {"events": [], "end": {
    "E": {"state": "waiting", "max_base": 2}, "S": {"state": "pig_active"}, "W": {"state": "no_wait"}, "N": {"state": "no_wait"},
}}  # fmt: skip
BETS = {"riichi": ["E", "W", "N"], "events": [
    {"type": "win", "from": "S", "winners": [{"seat": "E", "han": 3, "fu": 40}, {"seat": "W", "han": 2, "fu": 30}]},
]}  # fmt: skip
FALSE_FIRST = {"events": [
    {"type": "false_win", "seat": "W", "kind": "wrong_claim"},
    {"type": "win", "from": "S", "winners": [{"seat": "E", "fans": 24}]},
]}  # fmt: skip
THREE_WINS = {"events": [
    {"type": "win", "from": "S", "winners": [{"seat": "E", "fans": 20}]},
    {"type": "win", "winners": [{"seat": "W", "fans": 12}]},
    {"type": "win", "from": "S", "winners": [{"seat": "E", "fans": 40}]},
]}  # fmt: skip
RED_FALSE_FIRST = {"events": [
    {"type": "false_win", "seat": "W"},
    {"type": "win", "from": "S", "winners": [{"seat": "E", "fans": 144}]},
]}  # fmt: skip
LONG = {
    "sbr": [(TRIPLE, ["event-0", "fans-1"], ["event-0", "fans-3"]), (WALL, ["base-E-4"], ["base-E-8"])],
    "wmsg": [(TRIPLE, ["event-0", "fans-1"], ["event-0", "fans-3"])],
    "riichi_ema": [(BETS, ["riichi-N"], ["riichi-N"])],
    "mcr": [
        (FALSE_FIRST, ["seat-E", "seat-N"], ["seat-N", "seat-E"]),
        (FALSE_FIRST, ["seat-N"], ["erase", "digit-8"]),
    ],
    "siamese": [
        (THREE_WINS, ["event-1", "clear", "digit-1", "digit-4"], ["event-0", "seat-W"]),
        (THREE_WINS, ["event-0", "wall"], ["event-2", "wall"]),
    ],
    "red": [(RED_FALSE_FIRST, ["seat-E", "seat-N"], ["erase", "digit-5"])],
}
"""Hands of many taps, and the taps that mend a slip in them: before they are saved, and in the hand that was taken back."""
SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => entry.sources.forEach(({ node }) => {
    const element = node?.nodeType === 1 ? node : node?.parentElement;
    if (element && !element.closest('.events')) window.shifts.push(element.className || element.tagName);
  }))).observe({ type: 'layout-shift' });
}"""


def standing(page, before, found, what):
    """Note what moved since the last look; return how everything stands now."""
    now = page.evaluate(PLACES)
    shifts = page.evaluate("window.shifts.splice(0)")
    if shifted := [*moved(before, now), *shifts]:
        found[what] = shifted
    return now


def out_of_reach(places, height, names):
    """List what lies in the upper third of a phone, where the thumb of the hand that holds it does not come."""
    return [name for name in names if places[name][1] + places[name][3] / 2 < height / 3]


def cleared(one):
    """Clear what is entered."""
    one.tap("clear-entry")
    if one.page.locator("dialog[open]").count():
        one.agree()


@pytest.mark.parametrize("preset", ORDINARY)
def test_a_hand_costs_few_taps_and_nothing_moves_between_them(new_browser, preset):
    for screen in looks_for(f"taps {preset}"):
        context = new_browser(**screen.options)
        context.add_init_script(screen.script)
        one = Tablet(context.new_page(), protocol_of(preset, 3 if preset == "siamese" else 4))
        found = {}
        for size in SIZES:
            found |= moved_at(one, preset, size)
        for facts, mending, again in LONG.get(preset, []):
            mended(one, preset, facts, mending, again)
        assert found == {}, screen
        context.close()


def moved_at(one, preset, size):
    """Enter an ordinary hand in a window of this size; return what moved meanwhile."""
    width, height = SIZES[size]
    page = one.page
    found: dict[str, list[str]] = {}
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_timeout(200)
    page.evaluate(SHIFTS)
    before = page.evaluate(PLACES)
    one.taps = 0
    if size == "phone":
        assert out_of_reach(before, height, ["seat-E", "seat-S", *ORDINARY[preset], "save"]) == []
    for tap in ["seat-E", "seat-S", *ORDINARY[preset]]:
        one.tap(tap)
        before = standing(page, before, found, f"{size} {tap}")
    page.wait_for_timeout(500)
    standing(page, before, found, f"{size} verdict")
    assert page.evaluate(COVERED) == []
    assert one.taps + 1 - len(ORDINARY[preset]) <= 3, "winner, discarder, save"
    slip_in_a_short_hand(one)
    cleared(one)
    return found


def slip_in_a_short_hand(one):
    """Another winner costs two taps, and one for the chip where a hand is a line of them; nothing else is entered anew."""
    before = one.amounts()
    one.taps = 0
    chips = one.page.locator(".event-edit").count()
    for tap in [*(["event-0"] if chips else []), "seat-E", "seat-W"]:
        one.tap(tap)
    assert one.taps == 2 + chips
    assert one.amounts()["W"] > max(0, before["W"])


def mended(one, preset, facts, mending, again):
    """A slip costs at most half of the taps of the hand while it is entered, and half of taking it back and typing it anew once it is saved."""
    one.taps = 0
    one.enter(facts, PRESETS[preset].system)
    entered, one.taps = one.taps, 0
    for tap in mending:
        one.tap(tap)
    assert one.taps * 2 <= entered
    one.save()
    one.saved()
    one.taps = 0
    one.tap("undo")
    one.press("Change it")
    for tap in again:
        one.tap(tap)
    one.save()
    assert one.taps * 2 <= len(["undo", "take it back", "save"]) + entered
    one.saved()
