"""What happens and goes wrong at a table, done and mended as a person would: with a connection and without one, on one of eighteen screens.

The numbers are those of what was once seen to fail at real tables, or was asked for there. `bench/screens.py` takes each of them through all screens.
"""

import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Error, expect

from config.tests.screens import Screen, screens_for
from config.tests.tablet_driver import CLEARED, Tablet
from config.tests.test_tablet_browser import hands_of, protocol_of, ready_offline, sign_in
from config.tests.test_tablet_layout_browser import COVERED
from config.tests.test_tablet_taps_browser import ORDINARY
from conftest import wait_for
from scoring.presets import PRESETS
from scoring.record.hands import read_hand
from scoring.seats import Seat
from scoring.systems import ruleset
from tournaments.tables.queries.mirrors import checks_of
from tournaments.tests import factories as make
from tournaments.tests.test_dealers_kept import HANDS
from tournaments.web.access import table_code_of

pytestmark = [pytest.mark.browser, pytest.mark.once]

STEADY = """() => Object.fromEntries([...document.querySelectorAll(
  '.scoring-seats [data-focus], .segments [data-focus], .scoring-actions [data-focus], .connection'
)].map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [one.dataset.focus, [x, y, width, height].map(Math.round)];
}))"""
SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => list.getEntries().filter((entry) => !entry.hadRecentInput).forEach((entry) => entry.sources.forEach(({ node }) => {
  const element = node?.nodeType === 1 ? node : node?.parentElement;
  if (element?.closest('.scoring-screen') && !element.closest('.events')) window.shifts.push(element.className || element.tagName);
}))).observe({ type: 'layout-shift' });
"""
CUT_OFF = """() => {
  const box = document.querySelector('dialog[open]');
  return box.scrollWidth > box.clientWidth + 1 ? [box.scrollWidth, box.clientWidth] : [];
}"""


def win(winner: str, fans: int, loser: str | None = None) -> dict[str, Any]:
    """Return a win as a tablet writes it."""
    return {"type": "win", **({"from": loser} if loser else {}), "winners": [{"seat": winner, "fans": fans}]}


class Steady(Tablet):
    """A tablet that looks at each tap whether something has moved that is there all the time: under the tap, and since the one before it."""

    def __init__(self, *given: Any, **how: Any) -> None:
        """Open the table, and look from then on."""
        self.moved: dict[str, Any] = {}
        self.stood: dict[str, Any] = {}
        super().__init__(*given, **how)

    def open(self) -> None:
        """Show the table; nothing of it stood anywhere before."""
        super().open()
        self.stood = {}

    def tap(self, what: str) -> None:
        """Tap, and note what moved."""
        before = self.page.evaluate(STEADY)
        self.compare(self.stood, before, f"before {what}")
        super().tap(what)
        self.stood = self.page.evaluate(STEADY)
        self.compare(before, self.stood, what)

    def compare(self, before: dict[str, Any], after: dict[str, Any], when: str) -> None:
        """Note what stands elsewhere, as long as a hand is being entered."""
        if "save" in before and "save" in after:
            moved = {name: after[name] for name, place in before.items() if after.get(name, place) != place}
            self.moved |= {f"{when} moves {name}": (before[name], place) for name, place in moved.items()}

    def still(self) -> None:
        """Fail if anything has moved under a tap or between two."""
        shifts = self.page.evaluate("(window.shifts ?? []).splice(0)")
        assert (self.moved, shifts) == ({}, [])


class Walk:
    """One way through the screen: the tablets that take part, and whether they have a connection meanwhile.

    Browsers are kept from one screen to the next: what they have loaded once they need not load again.
    """

    def __init__(self, new_browser: Any, address: str, *, is_online: bool) -> None:
        """Remember how tablets are opened."""
        self.new_browser, self.address, self.is_online = new_browser, address, is_online
        self.browsers: list[Any] = []
        self.tablets: list[Steady] = []
        self.pages: list[Any] = []

    def begin(self, screen: Screen) -> None:
        """Go on to a screen with nothing opened."""
        self.screen = screen
        self.tablets = []
        self.pages = []

    def page(self) -> Any:
        """Open a page in a browser of its own, with the language and theme of the screen."""
        if len(self.browsers) == len(self.pages):
            self.browsers.append(self.new_browser(**self.screen.options))
        browser = self.browsers[len(self.pages)]
        browser.set_offline(False)
        browser.clear_cookies()
        wanted = {"django_language": self.screen.language, "theme": self.screen.theme}
        browser.add_cookies(
            [{"name": name, "value": value, "url": self.address} for name, value in wanted.items()]
        )
        page = browser.new_page()
        page.set_viewport_size(self.screen.options["viewport"])
        page.add_init_script(SHIFTS)
        self.pages.append(page)
        return page

    def tablet(
        self, preset: str = "sbr", seats: int = 4, *, of: Any = None, is_referee: bool = False, **changes: Any
    ) -> Steady:
        """Open a tablet at a table."""
        protocol = of or protocol_of(preset, seats, **changes)
        page = self.page()
        if is_referee:
            sign_in(page.context, make.staff(protocol.table.session.tournament, "referee"), self.address)
        one = Steady(page, protocol, admit=not is_referee, name=f"Tablet {len(self.pages)}")
        assert page.evaluate("document.documentElement.lang") == self.screen.language
        assert page.evaluate("document.documentElement.dataset.theme") == self.screen.theme
        self.tablets.append(one)
        return one

    def alone(self, *given: Any, **how: Any) -> Steady:
        """Open a tablet that has no connection from now on, if this walk has none."""
        one = self.tablet(*given, **how)
        if not self.is_online:
            self.part(one)
        return one

    def part(self, one: Steady) -> None:
        """Take the connection away when the tablet knows what it needs."""
        ready_offline(one)
        one.page.wait_for_load_state("networkidle")
        one.page.context.set_offline(True)

    def meet(self, one: Steady) -> None:
        """Give the connection back, and wait until everything is on the server."""
        one.page.context.set_offline(False)
        one.saved()

    def look_back(self) -> None:
        """Fail if anything has moved."""
        for one in self.tablets:
            one.still()

    def leave(self) -> None:
        """Close the pages."""
        for page in self.pages:
            page.context.set_offline(False)
            page.close()


def paid(preset: str, *events: dict[str, Any], seats: str = "ESWN") -> dict[str, int]:
    """Return what the engine makes of the events of a first hand."""
    law = ruleset(PRESETS[preset].system, PRESETS[preset].regulation.to_json()["system_rules"])
    at = law.start(tuple(map(Seat, seats)))
    found = law.payments(read_hand({"number": 1, "events": list(events)}), at).by_seat
    return {seat: found.get(Seat(seat), 0) for seat in seats}


def pressed(one: Tablet, name: str) -> str | None:
    """Whether a choice is pressed."""
    return one.page.locator(f'[data-focus="{name}"]').get_attribute("aria-pressed")


def seen(one: Tablet, name: str) -> bool:
    """Whether something that is there, now or in a moment, lies wholly on the screen as it is scrolled."""
    there = one.page.locator(f'[data-focus="{name}"]')
    there.wait_for()
    box = wait_for(there.bounding_box, f"{name} did not stay on the screen")
    size = one.page.viewport_size
    return bool(box and size and box["x"] >= 0 and box["y"] >= 0 and box["x"] + box["width"] <= size["width"] and box["y"] + box["height"] <= size["height"])  # fmt: skip


# 1


def line_of_events(walk: Walk) -> None:
    """Each chip is changed, moved, put in between, and kongs are told at the end; the amounts follow at once."""
    one = walk.alone("sbr")
    one.enter({"events": [win("E", 2, "S"), win("W", 1)]}, "SBR")
    one.tap("event-0")
    one.seat("N")
    assert one.amounts() == paid("sbr", win("E", 2, "N"), win("W", 1))
    one.seat("E")
    one.seat("S")
    assert one.amounts() == paid("sbr", win("S", 2, "N"), win("W", 1))
    one.tap("fans-3")
    assert one.amounts() == paid("sbr", win("S", 3, "N"), win("W", 1))
    one.tap("later-0")
    assert one.amounts() == paid("sbr", win("W", 1), win("S", 3, "N"))
    one.tap("earlier-1")
    one.tap("event-0")
    one.tap("event-1")
    for tap in ("before-1", "mode-kong", "seat-N", "kong-concealed"):
        one.tap(tap)
    kong = {"type": "kong", "seat": "N", "kind": "concealed"}
    assert one.amounts() == paid("sbr", win("S", 3, "N"), kong, win("W", 1))
    for tap in ("mode-kong", "when-0", "seat-E", "kong-open", "seat-W"):
        one.tap(tap)
    late = {"type": "kong", "seat": "E", "kind": "open", "from": "W"}
    assert one.amounts() == paid("sbr", late, win("S", 3, "N"), kong, win("W", 1))
    one.tap("remove-0")
    assert one.amounts() == paid("sbr", win("S", 3, "N"), kong, win("W", 1))
    for tap in ("mode-over", "base-E-1", "state-N-no_wait"):
        one.tap(tap)
    one.save()
    for tap in ("seat-E", "seat-S", "fans-1", "seat-W", "seat-S", "fans-2", "same-tile"):
        one.tap(tap)
    expect(one.page.locator(".event-edit")).to_have_count(1)
    for tap in ("mode-over", "state-S-no_wait", "state-N-no_wait"):
        one.tap(tap)
    one.save()
    walk.meet(one)
    first, second = hands_of(one.protocol)
    assert first.facts["events"] == [win("S", 3, "N"), kong, win("W", 1)]
    (shared,) = second.facts["events"]
    assert [winner["seat"] for winner in shared["winners"]] == ["W", "E"]
    assert second.dealer == "S"


# 2 and 3


def same_hand_twice(walk: Walk) -> None:
    """Equal hands entered apart are one, without a question; of different ones both are shown and a referee is called."""
    one = walk.tablet("mcr")
    other = walk.tablet(of=one.protocol)
    if not walk.is_online:
        walk.part(other)
    hand = {"events": [win("E", 24, "S")]}
    other.enter(hand, "MCR")
    if not walk.is_online:
        other.save()
    one.enter(hand, "MCR")
    one.save()
    one.saved()
    if walk.is_online:
        other.tap("save")
        other.page.wait_for_function(CLEARED)
    walk.meet(other)
    assert len(hands_of(one.protocol)) == 1
    expect(other.page.locator("dialog")).to_have_count(0)
    expect(other.page.locator('[data-seat="E"] .seat-total')).to_have_text("48")
    if not walk.is_online:
        walk.part(other)
    other.enter({"events": [win("W", 31, "N")]}, "MCR")
    if not walk.is_online:
        other.save()
    one.enter({"events": [win("W", 30, "N")]}, "MCR")
    one.save()
    one.saved()
    if walk.is_online:
        other.tap("save")
    other.page.context.set_offline(False)
    dialog = other.page.locator("dialog[open]")
    expect(dialog.locator(".versions")).to_contain_text("31", timeout=30_000)
    expect(dialog.locator(".versions")).to_contain_text("30")
    assert other.page.evaluate(CUT_OFF) == []
    call = other.words("Call the referee")
    expect(dialog.locator(".actions .button").first).to_have_text(call)
    other.press("Call the referee")
    wait_for(lambda: called(one), "The referee was not called", 20)
    other.tap("connection")
    other.press("It is one hand, and theirs is right")
    other.press("The other version is right")
    other.press("Drop it")
    other.saved()
    assert [hand.facts["events"][0]["winners"][0]["fans"] for hand in hands_of(one.protocol)] == [24, 30]


def called(one: Tablet) -> bool:
    """Whether the table calls the referee."""
    one.protocol.table.refresh_from_db()
    return one.protocol.table.called_at is not None


def set_aside(walk: Walk) -> None:
    """A hand that was set aside is told as not sent, everywhere, until somebody decides."""
    one = walk.alone("mcr")
    one.enter({"events": [win("E", 24, "S")]}, "MCR")
    if not walk.is_online:
        one.save()
    make.record(one.protocol, {"events": [win("W", 30, "N")]})
    if walk.is_online:
        one.tap("save")
    one.page.context.set_offline(False)
    one.page.locator("dialog[open]").wait_for(timeout=30_000)
    one.press("Set it aside for now")
    header = one.page.locator(".connection")
    expect(header).to_contain_text(one.words("Not sent: %(count)s", count=1))
    device = one.tournament.devices.get()
    one.page.evaluate("dispatchEvent(new Event('online'))")
    wait_for(lambda: (device.refresh_from_db(), device.set_aside)[1], "The desk does not know it", 20)
    if not walk.is_online:
        walk.part(one)
        one.page.evaluate("dispatchEvent(new Event('online'))")
    one.page.goto(one.home)
    one.page.locator(".tablet-table").wait_for()
    expect(one.page.locator(".tablet-notice")).to_have_count(1)
    one.open()
    expect(header).to_contain_text(one.words("Not sent: %(count)s", count=1))
    one.tap("connection")
    one.press("Decide")
    one.press("Record it as hand %(number)s", number=2)
    walk.meet(one)
    expect(one.page.locator('[data-aside="0"]')).to_be_visible()
    assert len(hands_of(one.protocol)) == 2


# 4


def unsaved_hand(walk: Walk) -> None:
    """What is entered and not saved is said, and asked about before the table is left or ended."""
    one = walk.alone("mcr")
    one.enter({"events": [win("E", 24, "S")]}, "MCR")
    header = one.page.locator(".connection")
    expect(header).to_contain_text(one.words("Hand %(number)s not saved", number=1))
    expect(header).to_contain_text("" if walk.is_online else one.words("No connection"))
    one.tap("more")
    one.press("All tables")
    expect(one.page.locator("dialog h2")).to_have_text(one.words("Hand %(number)s is not saved", number=1))
    one.press("Go back")
    one.tap("connection")
    expect(one.page.locator("dialog")).to_contain_text(
        one.words("Hand %(number)s is entered and not saved.", number=1)
    )
    one.press("Close")
    one.tap("more")
    one.press("End of the session")
    one.press("Save hand %(number)s", number=1)
    one.press("End of the session")
    one.page.locator(".confirm-grid").wait_for()
    walk.meet(one)
    one.protocol.refresh_from_db()
    assert (one.protocol.state, len(hands_of(one.protocol))) == ("ended", 1)


# 5


def voiding_shows_what_it_moves(walk: Walk) -> None:
    """Before and after, with the later hands; the dealers may stay as they were. Without a connection nothing is done."""
    protocol = protocol_of("riichi_ema")
    for facts in HANDS:
        make.record(protocol, facts)
    one = walk.alone(of=protocol, is_referee=True)
    dialog = one.page.locator("dialog[open]")
    for what in ("Void", "Correct"):
        one.tap("more")
        one.press("Hands of this table")
        dialog.get_by_role("button", name=one.words(f"{what} hand %(number)s", number=1), exact=True).click()
        if what == "Correct":
            for tap in ("seat-S", "seat-E", "seat-S", "han-1", "fu-30", "save"):
                one.tap(tap)
        if not walk.is_online:
            expect(one.page.locator(".scoring-message")).to_contain_text(
                one.words("A correction needs a connection.")
            )
            continue
        by_rules = dialog.locator(".ripple ~ div, .ripple + div").inner_text()
        assert dialog.locator(".ripple .is-new").count() > 0
        dialog.locator("#keep-dealers").check()
        assert dialog.locator(".ripple ~ div, .ripple + div").inner_text() != by_rules
        assert one.page.evaluate(CUT_OFF) == []
        if what == "Void":
            one.press("Go back")
            continue
        one.press("Wrong winner or discarder")
        one.press("Correct it")
        walk.meet(one)
        rows = hands_of(protocol)
        assert [(row.dealer, row.counters) for row in rows] == [("E", 0), ("S", 0), ("S", 1)]
        assert rows[1].facts["as_played"] == {"dealer": "S", "round": "E"}
    assert len(hands_of(protocol)) == 3
    if walk.is_online:
        one.tap("more")
        one.press("Hands of this table")
        one.press("Void hand %(number)s", number=3)
        one.press("Entered by mistake")
        one.press("Void the hand")
        expect(one.page.locator(".scoring-message")).to_contain_text(
            one.words("Hand %(number)s is void.", number=3)
        )
        walk.meet(one)
        assert len(hands_of(protocol)) == 2


# 6 and 7


def refusal_hides_nothing(walk: Walk) -> None:
    """It stands where the prompt stood, is read whole by a tap, can be closed, and goes when the hand is mended."""
    one = walk.alone("siamese", 3)
    one.enter({"events": [win("E", 20, "S"), win("E", 10, "S")]}, "SIAM")
    refusal = one.page.get_by_role("alert")
    expect(refusal).to_contain_text("SIAM 4")
    assert one.page.evaluate(COVERED) == []
    one.tap("refusal")
    expect(one.page.locator("dialog[open]")).to_contain_text("SIAM 4")
    one.press("Close")
    for tap in ("clear", "digit-3", "digit-0"):
        one.tap(tap)
    expect(refusal).to_have_count(0)
    one.save()
    walk.meet(one)
    assert len(hands_of(one.protocol)) == 1


def legality_on_the_device(walk: Walk) -> None:
    """What cannot be is refused at once, while the server answers nothing; and it is mended."""
    one = walk.tablet("riichi_ema")
    one.page.wait_for_load_state("networkidle")
    held: list[Any] = []
    one.page.route("**/preview/", lambda route: held.append(route))
    if not walk.is_online:
        one.page.context.set_offline(True)
    refusal, save = one.page.get_by_role("alert"), one.page.locator('[data-focus="save"]')
    for wrong, right in [
        (["seat-E", "seat-S", "han-1", "fu-25"], "fu-30"),
        (["clear-entry", "riichi-N", "mode-over", "none-waiting", "state-N-no_wait"], "state-N-waiting"),
    ]:
        for tap in wrong:
            one.tap(tap)
        expect(refusal).to_be_visible(timeout=1_000)
        expect(save).to_be_disabled()
        one.tap(right)
        expect(refusal).to_have_count(0, timeout=1_000)
        expect(save).to_be_enabled()
    one.save()
    for route in held:
        with suppress(Error):
            route.abort()
    one.page.unroute("**/preview/")
    walk.meet(one)
    assert len(hands_of(one.protocol)) == 1


# 8


def nothing_moves(walk: Walk) -> None:
    """Nor when the kind of what happened is changed, a verdict comes or a message goes."""
    for preset, taps in ORDINARY.items():
        one = walk.alone(preset, 3 if preset == "siamese" else 4)
        modes = one.page.locator(".segments [data-focus]").all()
        for mode in [mode.get_attribute("data-focus") for mode in modes] * 2:
            one.tap(mode)
        one.tap("mode-win")
        one.seat("E")
        one.seat("S")
        for tap in taps:
            one.tap(tap)
        one.page.wait_for_timeout(300)
        one.tap("clear-entry")
        expect(one.page.locator(".scoring-message")).to_be_visible()
        one.tap("bring-back")
        assert one.page.evaluate(COVERED) == []


# 9


def theme_and_language(walk: Walk) -> None:
    """Both are chosen on the tablet, and what is entered stays; another language needs a connection."""
    one = walk.alone("mcr")
    one.enter({"events": [win("E", 24, "S")]}, "MCR")
    size = one.page.evaluate("parseFloat(getComputedStyle(document.querySelector('.seat-total')).fontSize)")
    assert size >= (20 if walk.screen.size == "phone" else 28)
    one.tap("more")
    dialog = one.page.locator("dialog[open]")
    for theme in ("dark", "sun", "light"):
        dialog.locator(f'[data-theme="{theme}"]').click()
        assert one.page.evaluate("document.documentElement.dataset.theme") == theme
    other = "en" if walk.screen.language == "ru" else "ru"
    language = dialog.locator(f'[data-language="{other}"]')
    if walk.is_online:
        with one.page.expect_navigation():
            language.click()
        one.page.locator(".scoring-header").wait_for()
        assert one.page.evaluate("document.documentElement.lang") == other
    else:
        language.click()
        expect(dialog.locator(".looks-said")).to_have_text(
            one.words("The other language comes from the server: press again when there is a connection.")
        )
        one.press("Close")
    assert one.amounts()["E"] == 48
    one.save()
    one.page.goto(one.home)
    one.page.locator(".tablet-table").wait_for()
    expect(one.page.locator("button[data-theme]")).to_have_count(4)
    expect(one.page.locator("button[data-language]").first).to_be_visible()
    one.open()
    walk.meet(one)
    assert len(hands_of(one.protocol)) == 1


# 10


def riichi_as_it_is_played(walk: Walk) -> None:
    """Hands have the names everybody uses, a chombo raises none, who bet is waiting, and the points are those that people count, the bet that was left with them."""
    one = walk.alone("riichi_ema")
    title = one.page.locator(".scoring-hand")
    first = f"{one.words('East')} 1"
    expect(title).to_contain_text(first)
    unseen = [seat for seat in "ESWN" if not seen(one, f"riichi-{seat}")]
    assert unseen == [], [one.page.locator(f'[data-focus="riichi-{seat}"]').bounding_box() for seat in unseen]
    for tap in ("mode-more", "other-chombo", "seat-W"):
        one.tap(tap)
    one.save()
    expect(title).to_contain_text(first)
    for tap in ("riichi-E", "mode-over", "none-waiting"):
        one.tap(tap)
    assert [pressed(one, f"state-{seat}-waiting") for seat in "ESWN"] == ["true", "false", "false", "false"]
    one.tap("all-waiting")
    assert [pressed(one, f"state-{seat}-waiting") for seat in "ESWN"] == ["true"] * 4
    one.tap("none-waiting")
    one.save()
    expect(title).to_contain_text(first)
    one.tap("more")
    one.press("End of the session")
    one.press("End of the session")
    points = one.page.locator(".confirm-seat strong")
    expect(points).to_have_text(["37\u202f000", "31\u202f000", "21\u202f000", "31\u202f000"])
    walk.meet(one)
    chombo, wall = hands_of(one.protocol)
    assert (chombo.facts["events"][0]["type"], wall.facts["riichi"]) == ("chombo", ["E"])


# 11


def small_things(walk: Walk) -> None:
    """Idle taps are told, an entry is cleared and brought back, chips are in sight, and a hand below the minimum is offered as false."""
    one = walk.alone("mcr")
    message = one.page.locator(".scoring-message")
    one.tap("mode-over")
    one.seat("E")
    expect(message).to_have_class("scoring-message notice notice-warning")
    one.tap("mode-win")
    for tap in ("seat-E", "seat-S", "digit-7", "short-win"):
        one.tap(tap)
    chip = one.page.locator(".event")
    expect(chip).to_have_count(1)
    box = one.page.locator(".event-remove").last.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 43.9
    one.tap("clear-entry")
    one.tap("bring-back")
    expect(chip).to_be_visible()
    one.enter({"events": [win("N", 12, "W")]}, "MCR")
    assert one.amounts()["N"] == 12 + 24 + 10
    no_value_to_take(one)
    one.save()
    walk.meet(one)
    assert [event["type"] for event in hands_of(one.protocol)[0].facts["events"]] == ["false_win", "win"]
    many = walk.alone("sbr")
    for seat in "ESW":
        for tap in ("mode-kong", f"seat-{seat}", "kong-concealed"):
            many.tap(tap)
        assert seen(many, f"event-{'ESW'.index(seat)}")
    final = walk.alone("riichi_festival")
    for seat, points in {"E": "2000", "S": "60000", "W": "31000", "N": "31000"}.items():
        final.page.locator(f"#final-{seat}").fill(points)
    final.tap("sign-E")
    final.tap("save-final")
    final.page.locator(".confirm-grid").wait_for()
    walk.meet(final)
    final.protocol.refresh_from_db()
    assert final.protocol.state == "ended"
    seats_mended(walk)


def no_value_to_take(one: Tablet) -> None:
    """Tiles that are no win have no value: the press that would take it says so, whole or not."""
    one.tap("tiles")
    for tiles in ("123m 456p", "(123m) (234s) (678p) 345m 99s"):
        one.page.locator("#tiles-text").fill(tiles)
        one.press("Take this value")
        expect(one.page.locator(".tiles-refusal")).to_be_visible()
    one.press("Go back")


def seats_mended(walk: Walk) -> None:
    """What was mended is said."""
    referee = walk.alone("mcr", is_referee=True)
    referee.tap("more")
    referee.press("Wrong seats")
    for place, other in enumerate("SE"):
        referee.page.locator("dialog[open] select").nth(place).select_option(other)
    referee.page.locator("#reason").fill("Both sat at the wrong place.")
    referee.agree()
    expect(referee.page.locator(".scoring-message")).to_contain_text(referee.words("The seats are repaired."))
    walk.meet(referee)


# 12


def kongs_fill_the_fans(walk: Walk) -> None:
    """Declared kongs are counted in the win and in the least value of a waiting hand; a dead hand waits for nothing."""
    one = walk.alone("sbr")
    for tap in (
        "mode-kong",
        "seat-E",
        "kong-concealed",
        "mode-more",
        "other-dead_hand",
        "seat-S",
        "mode-win",
        "seat-W",
        "wall",
    ):
        one.tap(tap)
    expect(one.page.locator('[data-focus="fan-kong"]')).to_be_disabled()
    one.tap("fans-0")
    one.tap("mode-over")
    expect(one.page.locator('[data-focus="base-E-1"]')).to_be_disabled()
    expect(one.page.locator('[data-focus="base-S-1"]')).to_be_disabled()
    for tap in ("base-E-2", "state-S-no_wait", "base-N-1"):
        one.tap(tap)
    one.save()
    for tap in ("mode-kong", "seat-E", "kong-concealed", "seat-E", "wall"):
        one.tap(tap)
    expect(one.page.locator('[data-focus="fans-0"]')).to_be_disabled()
    assert pressed(one, "fan-kong") == "true"
    one.tap("fan-pure_suit")
    for tap in ("mode-over", "state-S-no_wait", "state-W-no_wait", "state-N-no_wait"):
        one.tap(tap)
    one.save()
    walk.meet(one)
    first, second = hands_of(one.protocol)
    assert first.facts["end"] == {"E": {"state": "waiting", "max_base": 2}, "S": {"state": "no_wait"}, "N": {"state": "waiting", "max_base": 1}}  # fmt: skip
    assert second.facts["events"][1]["winners"][0] == {
        "seat": "E",
        "fans": 3,
        "fan_list": {"kong": 1, "pure_suit": 1},
    }


# 13 and 14


BOARD = """() => Object.fromEntries([...document.querySelectorAll('.board-seat')].map((one) => {
  const { x, y } = one.getBoundingClientRect();
  return [one.dataset.seat, [x, y]];
}))"""


def table_as_it_stands(walk: Walk) -> None:
    """Players sit at the edges as they do, arrows carry the money, and a name that is held shows the differences and enters nothing."""
    one = walk.alone("mcr")
    one.enter({"events": [win("E", 24, "S")]}, "MCR")
    one.save()
    one.tap("more")
    one.press("The table as it stands")
    at = one.page.evaluate(BOARD)
    assert at["N"][0] < at["E"][0] < at["S"][0]
    assert at["W"][1] < at["S"][1] < at["E"][1]
    assert all(seen(one, f"board-{seat}") for seat in "ESWN")
    expect(one.page.locator(".board-line")).to_have_count(3)
    one.page.locator('[data-focus="board-E"]').click()
    expect(one.page.locator('[data-focus="board-S"] .board-change')).to_have_text("\u221280")
    assert one.page.evaluate(CUT_OFF) == []
    one.press("Close")
    one.page.locator('[data-focus="seat-E"]').hover()
    one.page.mouse.down()
    expect(one.page.locator('[data-seat="S"] .seat-change')).to_have_text("\u221280")
    one.page.mouse.up()
    expect(one.page.locator('[data-seat="S"] .seat-change')).to_have_text("")
    expect(one.page.locator('[data-focus="undo"]')).to_be_visible()
    walk.meet(one)


def players_agree_on_their_phones(walk: Walk) -> None:
    """One tap on a phone fills a dot, another disputes; the scorer hears of it when there is a connection."""
    one = walk.tablet("mcr")
    one.enter({"events": [win("E", 24, "S")]}, "MCR")
    one.save()
    one.saved()
    if not walk.is_online:
        walk.part(one)
    table = one.protocol.table
    phone = walk.page()
    for seat, word in (("S", "right"), ("W", "wrong")):
        place = [one.tournament.slug, table.session.number, table.number, table_code_of(table), seat]
        phone.goto(reverse("tournaments:seat_phone", args=place))
        if word == "wrong":
            phone.locator("details:has(button[value=wrong]) summary").click()
        phone.locator(f"button[value={word}]").click()
        wait_for(lambda seat=seat: seat in checks_of(one.protocol)["said"], "The word was not kept", 20)
    one.page.context.set_offline(False)
    one.page.evaluate("dispatchEvent(new Event('online'))")
    expect(one.page.locator('[data-seat="S"] .seat-check')).to_have_class("seat-check is-right")
    expect(one.page.locator('[data-seat="W"] .seat-check')).to_have_class("seat-check is-wrong")
    one.tap("dispute")
    expect(one.page.locator("dialog h2")).to_contain_text("1")
    assert one.page.evaluate(CUT_OFF) == []
    one.press("Go back")
    walk.meet(one)


SLIPS: dict[str, Callable[[Walk], None]] = {
    "1": line_of_events,
    "2": same_hand_twice,
    "3": set_aside,
    "4": unsaved_hand,
    "5": voiding_shows_what_it_moves,
    "6": refusal_hides_nothing,
    "7": legality_on_the_device,
    "8": nothing_moves,
    "9": theme_and_language,
    "10": riichi_as_it_is_played,
    "11": small_things,
    "12": kongs_fill_the_fans,
    "13": table_as_it_stands,
    "14": players_agree_on_their_phones,
}


@pytest.mark.parametrize("number", SLIPS)
@pytest.mark.parametrize("is_online", [True, False], ids=["online", "offline"])
def test_a_slip_is_mended_where_it_was_made(new_browser, site, number, is_online):
    screens = screens_for(f"slip {number} {is_online}")
    failed = {}
    walk = Walk(new_browser, site.url, is_online=is_online)
    for screen in screens:
        walk.begin(screen)
        began = time.monotonic()
        try:
            SLIPS[number](walk)
            walk.look_back()
            print(
                f"{number} {'online' if is_online else 'offline'} {'-'.join(screen)}: {time.monotonic() - began:.1f} s",
                flush=True,
            )
        except Exception:
            if len(screens) == 1:
                raise
            failed["-".join(screen)] = traceback.format_exc(limit=-3)
            print(
                f"{number} {'online' if is_online else 'offline'} {'-'.join(screen)}: failed\n{failed['-'.join(screen)]}",
                flush=True,
            )
        finally:
            walk.leave()
    assert not failed, "\n".join(f"{screen}\n{why}" for screen, why in failed.items())
