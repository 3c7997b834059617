"""A referee's finger: enters the facts of a hand on the scoring screen by taps alone, and counts them."""

import time
from typing import Any

from playwright.sync_api import Page, expect

from tournaments.tables.operations import devices
from tournaments.tests import factories as make

Facts = dict[str, Any]
BOUNCE = 0.45
OFFENCES = {"false_win", "exposure", "dead_hand", "chombo"}


def invitation(tournament: Any, *, tables: tuple[int, ...] = (), name: str = "Blue") -> str:
    """The secret of a QR code for one tablet."""
    organizer = make.organizer_of(tournament)
    return devices.invite_device(tournament, name=name, tables=list(tables), by=organizer).secret


KEPT = """() => new Promise((resolve, reject) => {
  const opening = indexedDB.open("four-winds-tablet");
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const asked = opening.result.transaction("kept").objectStore("kept").getAll();
    asked.onsuccess = () => { opening.result.close(); resolve(JSON.stringify(asked.result)); };
  };
})"""
SAID = """(text) => {
  const said = (key) => (globalThis.gettext ? gettext(key) : key);
  const system = document.querySelector('[data-system]')?.dataset.system;
  const key = system ? system + '\\u0004' + text : '';
  return key && said(key) !== key ? said(key) : said(text);
}"""
CLEARED = "() => ![...document.querySelectorAll('.seat-change')].some((one) => one.textContent)"


class Tablet:
    """One admitted tablet showing one table."""

    def __init__(self, page: Page, protocol: Any, *, name: str = "Blue", admit: bool = True) -> None:
        """Scan the code and open the table."""
        self.page = page
        self.protocol = protocol
        self.tournament = protocol.table.session.tournament
        self.home = f"/{self.tournament.slug}/tablet/"
        self.address = f"{self.home}session-{protocol.table.session.number}/table-{protocol.table.number}/"
        self.taps = 0
        self.tapped = "", 0.0
        if admit:
            page.goto(f"{self.home}#{invitation(self.tournament, name=name)}")
            page.get_by_role("heading", name=self.tournament.name).wait_for()
        self.open()

    def open(self) -> None:
        """Show the table."""
        self.page.goto(self.address)
        self.page.locator(".scoring-header").wait_for()

    def tap(self, what: str) -> None:
        """Tap what carries this name in the screen's own order."""
        self.taps += 1
        self.page.locator(f'[data-focus="{what}"]').click()

    def seat(self, seat: str) -> None:
        """Tap a player; two taps on one name are further apart than those of a finger that bounces."""
        last, when = self.tapped
        if last == seat:
            time.sleep(max(0.0, when + BOUNCE - time.monotonic()))
        self.tap(f"seat-{seat}")
        self.tapped = seat, time.monotonic()

    def save(self, *, is_next: bool = False) -> None:
        """Save the hand, and see the screen ready for the next one; `is_next` where another tablet has just entered one."""
        self.tap("save")
        if is_next:
            self.page.get_by_role("button", name="It is the next hand: record it").click()
        self.page.wait_for_function(CLEARED)

    def saved(self) -> None:
        """Wait until the screen says that everything is on the server; it counts an entry from its tap on."""
        expect(self.page.locator('[data-connection="online"][data-unsent="0"]')).to_be_visible(timeout=30_000)

    def unsent(self) -> int:
        """Count what the screen says is in the queue."""
        return int(self.page.locator("[data-unsent]").get_attribute("data-unsent") or 0)

    def kept(self) -> str:
        """Read everything that the device keeps, as text."""
        return str(self.page.evaluate(KEPT))

    def amounts(self) -> dict[str, int]:
        """Read the signed numbers beside the players."""
        panels = self.page.locator(".seat-panel").all()
        return {
            panel.get_attribute("data-seat") or "": number(panel.locator(".seat-change").inner_text())
            for panel in panels
        }

    def totals(self) -> dict[str, int]:
        """Read the running totals beside the players."""
        panels = self.page.locator(".seat-panel").all()
        return {
            panel.get_attribute("data-seat") or "": number(panel.locator(".seat-total").inner_text())
            for panel in panels
        }

    def agree(self) -> None:
        """Press the first button of the open dialog."""
        self.page.locator("dialog[open] .actions .button").first.click()

    def words(self, text: str, **details: object) -> str:
        """Return what the page says for a sentence of the scripts, in its own language."""
        said = str(self.page.evaluate(SAID, text))
        return said % details if details else said

    def press(self, text: str, **details: object) -> None:
        """Press the button of the open dialog that says this in the page's language."""
        self.taps += 1
        dialog = self.page.locator("dialog[open]")
        dialog.get_by_role("button", name=self.words(text, **details), exact=True).click()

    # Whole hands

    def enter(self, facts: Facts, system: str) -> None:
        """Enter a hand event by event."""
        for seat in facts.get("riichi", []):
            self.tap(f"riichi-{seat}")
        for event in facts["events"]:
            if event["type"] == "win":
                self.win(event, system)
            elif event["type"] == "kong":
                self.kong(event)
            else:
                self.offence(event)
        if not self.is_over(facts, system):
            self.tap("mode-over")
        for seat, check in self.shown_checks(facts):
            base = check.get("max_base")
            self.tap(f"base-{seat}-{base}" if base else f"state-{seat}-{check['state']}")

    def is_over(self, facts: Facts, system: str) -> bool:
        """Return whether the hand ended by itself, without a word about the wall."""
        winners = [
            winner["seat"]
            for event in facts["events"]
            if event["type"] == "win"
            for winner in event["winners"]
        ]
        if system in {"SBR", "WMSG"}:
            at_table = self.page.locator(".seat-panel").count()
            pigs = any(check["state"].startswith("pig") for check in facts.get("end", {}).values())
            return len(winners) >= at_table - 1 and not pigs
        if system == "SIAM":
            return len(set(winners)) < len(winners)
        return bool(winners) or any(event["type"] == "chombo" for event in facts["events"])

    def shown_checks(self, facts: Facts) -> list[tuple[str, Facts]]:
        """Return the checks that the screen asks for."""
        return [
            (seat, check)
            for seat, check in facts.get("end", {}).items()
            if self.page.locator(f'[data-focus="state-{seat}-no_wait"]').count()
        ]

    def win(self, event: Facts, system: str) -> None:
        """Enter a win: who, from whom, how it came, what it was worth."""
        first, *others = event["winners"]
        self.seat(first["seat"])
        if event.get("from"):
            self.seat(event["from"])
        else:
            self.tap("wall")
        for name in ("replacement_win", "discard_after_kong", "robbing_kong", "last_tile"):
            if event.get(name):
                self.tap(f"came-{name}")
        self.value(first, system)
        for winner in others:
            self.tap("share")
            self.seat(winner["seat"])
            self.value(winner, system)

    def value(self, winner: Facts, system: str) -> None:
        """Enter what a hand is worth."""
        if system in {"SBR", "WMSG"}:
            self.tap(f"fans-{min(winner['fans'], 6)}")
            for _ in range(winner["fans"] - 6):
                self.tap("fans-6")
        elif system == "RIICHI":
            self.han(winner)
        else:
            for digit in str(winner["fans"]):
                self.tap(f"digit-{digit}")
            for _ in range(winner.get("flowers", 0)):
                self.tap("flower-more")

    def han(self, winner: Facts) -> None:
        """Enter han and fu, or a limit."""
        if winner.get("limit"):
            self.tap(winner["limit"])
        else:
            if winner["han"] > 4:
                self.tap("han-more")
            self.tap(f"han-{winner['han']}")
            if "fu" in winner:
                self.tap(f"fu-{winner['fu']}")
        if winner.get("liable"):
            self.tap(f"liable-{winner['liable']}")

    def kong(self, event: Facts) -> None:
        """Enter a kong; a robbed one comes with the win that robs it."""
        if event.get("robbed"):
            return
        self.tap("mode-kong")
        self.seat(event["seat"])
        self.tap(f"kong-{event['kind']}")
        if event.get("from"):
            self.seat(event["from"])

    def offence(self, event: Facts) -> None:
        """Enter what is neither win nor kong."""
        self.tap("mode-more")
        self.tap(f"other-{event['type']}")
        self.seat(event["seat"])
        if event.get("discard_after_kong"):
            self.tap("discard_after_kong")
        elif event.get("from"):
            self.tap(f"false-from-{event['from']}")
        if event.get("kind"):
            self.tap(f"kind-{event['kind']}")


def number(text: str) -> int:
    """Read a number as the screen writes it."""
    return int(text.replace("\u2212", "-").replace("\u202f", "").replace("+", "") or 0)
