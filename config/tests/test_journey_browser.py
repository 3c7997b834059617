"""One event lived through from its announcement to the final table, by three people in three browsers at once."""

import re
import time

import pytest
from playwright.sync_api import Page, expect

from config.tests.tablet_driver import Tablet
from tournaments.models import Protocol, Tournament
from tournaments.standings.operations.verification import verify
from tournaments.tests import factories as make

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PASSWORD = "long-enough-for-a-hall"
FIRST = [
    {"type": "win", "from": "S", "winners": [{"seat": "E", "fans": 2}]},
    {"type": "win", "winners": [{"seat": "W", "fans": 0}]},
    {"type": "win", "from": "S", "winners": [{"seat": "N", "fans": 1}]},
]
WITH_A_KONG = [
    {"type": "kong", "seat": "S", "kind": "concealed"},
    {"type": "win", "from": "N", "winners": [{"seat": "S", "fans": 1}]},
]
WALL = {
    "E": {"state": "waiting", "max_base": 2},
    "W": {"state": "no_wait"},
    "N": {"state": "waiting", "max_base": 1},
}
WITHIN = 2.0
"""How soon a spectator sees a recorded hand, in seconds. [RULES 1.7]"""


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).first.click()


def sign_in(page: Page, username: str) -> None:
    page.goto("/accounts/login/")
    page.locator("input[name=login]").fill(username)
    page.locator("input[name=password]").fill(PASSWORD)
    press(page, "Sign in")


def test_an_event_from_announcement_to_final_table(new_browser, site):
    user = make.user("host")
    user.set_password(PASSWORD)
    user.save()
    desk = new_browser().new_page()
    spectator = new_browser(viewport={"width": 390, "height": 844}, has_touch=True).new_page()
    sign_in(desk, "host")

    announce(desk)
    register(desk, spectator)
    check_in(desk)
    expect(spectator.get_by_role("heading", name="Grey Heron")).to_be_visible()
    spectator.goto("/spring-cup/seating/")
    expect(spectator.get_by_role("heading", name="No seating yet")).to_be_visible()
    draw(desk, seed="four winds")
    expect(spectator.get_by_role("region", name="Table 1")).to_be_visible()

    tablet = admit_tablet(desk, new_browser)
    desk.goto("/spring-cup/desk/")
    press(desk, "Start session 1")
    spectator.goto("/spring-cup/standings/")
    play_first_session(tablet, spectator)
    correct_as_referee(desk, new_browser, tablet)
    confirm(tablet)

    desk.goto("/spring-cup/desk/")
    press(desk, "Close session 1 and draw session 2")
    check_first_standings(spectator)

    publish(desk)
    desk.goto("/spring-cup/desk/")
    press(desk, "Start session 2")
    second = Tablet(tablet.page, protocol(2), admit=False)
    second.enter({"events": FIRST}, "SBR")
    second.save()
    second.saved()
    confirm(second)
    desk.goto("/spring-cup/desk/")
    press(desk, "Close session 2")
    desk.goto("/spring-cup/desk/")
    press(desk, "Close the event")

    spectator.goto("/spring-cup/standings/")
    expect(spectator.get_by_text("Final", exact=True).first).to_be_visible()
    assert verify(Tournament.objects.get()) == []


def announce(desk: Page) -> None:
    """Create the event from the preset, shorten it to two sessions, and make it public."""
    desk.goto("/new/")
    desk.get_by_label("Name of the event").fill("Spring Cup")
    desk.locator("input[name=preset][value=sbr]").check(force=True)
    desk.get_by_label("First day").fill("2026-05-09")
    desk.get_by_label("City").fill("Samara")
    press(desk, "Create the event")
    desk.goto("/spring-cup/desk/regulation/")
    desk.get_by_label("Number of sessions").fill("2")
    press(desk, "Save the regulation")
    desk.goto("/spring-cup/desk/")
    press(desk, "Announce the event")


def register(desk: Page, spectator: Page) -> None:
    """One registers on a phone, one is typed at the desk, two are pasted."""
    spectator.goto("/spring-cup/")
    spectator.get_by_role("link", name="Register").first.click()
    spectator.get_by_label("Name", exact=True).fill("Grey Heron")
    spectator.locator("input[name=consent]").check(force=True)
    press(spectator, "Register")
    expect(spectator).to_have_url(re.compile(r"/spring-cup/me/1-[0-9a-f]+/$"))

    desk.goto("/spring-cup/desk/people/add/")
    desk.get_by_label("Name", exact=True).fill("Kingfisher")
    press(desk, "Put on the list")
    desk.goto("/spring-cup/desk/people/paste/")
    desk.locator("textarea[name=text]").fill("Golden Plover;Lund;SE\nСиняя Сойка;Самара;RU")
    press(desk, "Look through it")
    press(desk, "Put all on the list")
    assert Tournament.objects.get().registrations.count() == 4


def check_in(desk: Page) -> None:
    """Everybody comes; a tap each."""
    desk.goto("/spring-cup/desk/check-in/")
    for name in ("Grey Heron", "Kingfisher", "Golden Plover", "Синяя Сойка"):
        row = desk.get_by_role("button", name=name)
        row.click()
        expect(desk.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")


def draw(desk: Page, *, seed: str) -> None:
    """Draw at random from a seed that was called out, look, publish."""
    desk.goto("/spring-cup/desk/draw/")
    desk.get_by_label("Seed").fill(seed)
    desk.locator("main form .button", has_text="Draw").first.click()
    publish(desk)


def publish(desk: Page) -> None:
    """Look at the draft and publish it."""
    expect(desk.get_by_text("Until it is published nobody sees the draw.")).to_be_visible()
    press(desk, "Publish the draw")
    expect(desk.get_by_text("The seating is public.")).to_be_visible()


def protocol(session: int) -> Protocol:
    rows = Protocol.objects.select_related("table__session__tournament")
    return rows.get(table__session__number=session)


def admit_tablet(desk: Page, new_browser) -> Tablet:
    """The organizer shows a code; the tablet opens its address and finds its table."""
    desk.goto("/spring-cup/desk/tablets/")
    desk.get_by_label("Name of the tablet").fill("Tablet 1")
    press(desk, "Make a code")
    address = desk.get_by_role("link", name="Use this device").get_attribute("href")
    page = new_browser(viewport={"width": 1180, "height": 820}, has_touch=True).new_page()
    page.goto(address)
    page.get_by_role("heading", name="Spring Cup").wait_for()
    return Tablet(page, protocol(1), admit=False)


def play_first_session(tablet: Tablet, spectator: Page) -> None:
    """Three winners in a hand, seen by the spectator without reloading; a kong and the wall; the last one taken back."""
    tablet.page.reload()
    tablet.enter({"events": FIRST}, "SBR")
    tablet.save()
    tablet.saved()
    saved_at = time.monotonic()
    expect(spectator.locator(".session-points", has_text="−8").first).to_be_visible(timeout=30_000)
    seen_after = time.monotonic() - saved_at
    assert tablet.totals() == {"E": 4, "S": -8, "W": 4, "N": 0}
    tablet.enter({"events": WITH_A_KONG, "end": WALL}, "SBR")
    tablet.save()
    tablet.saved()
    tablet.enter({"events": FIRST}, "SBR")
    tablet.save()
    tablet.saved()
    tablet.tap("undo")
    tablet.agree()
    expect(tablet.page.get_by_text("Hand 3", exact=True)).to_be_visible()
    tablet.saved()
    assert seen_after < WITHIN


def correct_as_referee(desk: Page, new_browser, tablet: Tablet) -> None:
    """A referee corrects the first hand with a reason; the old value stays readable."""
    of = Tournament.objects.get()
    referee = make.staff(of, "referee")
    referee.set_password(PASSWORD)
    referee.save()
    page = new_browser(viewport={"width": 1180, "height": 820}, has_touch=True).new_page()
    sign_in(page, referee.username)
    screen = Tablet(page, protocol(1), admit=False)
    screen.tap("more")
    press(page, "Hands of this table")
    press(page, "Correct hand 1")
    screen.tap("event-0")
    screen.tap("fans-3")
    screen.tap("save")
    page.get_by_role("dialog").get_by_label("Why is it corrected?").fill("The kong was missed")
    screen.agree()
    expect(page.get_by_text("Hand 1 is corrected.").first).to_be_visible()
    screen.saved()
    hands = protocol(1).hands.filter(number=1).values_list("status", flat=True)
    assert sorted(hands) == ["corrected", "in_force"]
    tablet.open()


def confirm(tablet: Tablet) -> None:
    """The table ends its session and all four confirm."""
    tablet.tap("more")
    tablet.page.get_by_role("button", name="End of the session").click()
    tablet.agree()
    for wind in "ESWN":
        tablet.tap(f"confirm-{wind}")
    expect(tablet.page.get_by_role("heading", name="All have confirmed")).to_be_visible()
    tablet.saved()


def check_first_standings(spectator: Page) -> None:
    """The points for the places are on the spectator's page, without a reload."""
    points = {seat.wind: seat.hand_points for seat in protocol(1).table.seats.all()}
    expect(spectator.get_by_text("Provisional")).to_have_count(0, timeout=30_000)
    assert sum(points.values()) == 0
    of = Tournament.objects.get()
    places = list(of.standings.order_by("position").values_list("place", flat=True))
    assert places[0] == 1
