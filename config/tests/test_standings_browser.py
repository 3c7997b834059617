"""The standings in a real browser: changes are marked without moving anything, and nothing is asked while nobody looks."""

import pytest
from playwright.sync_api import expect

from tournaments.models import Protocol
from tournaments.standings.operations import recompute
from tournaments.tests import factories as make

pytestmark = pytest.mark.browser

SHIFTS = """() => {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({ type: "layout-shift", buffered: false });
}"""
LOOK = """(seen) => {
  Object.defineProperty(document, "visibilityState", { value: seen, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def protocol(site):
    made = make.protocol("sbr", 24)
    make.record(made)
    recompute.recompute(made.table.session.tournament_id, waits=True)
    return Protocol.objects.select_related("table__session__tournament").get(pk=made.pk)


@pytest.mark.once
@pytest.mark.parametrize("width", [390, 1440])
def test_changed_numbers_are_marked_and_nothing_moves(new_browser, protocol, width):
    tournament = protocol.table.session.tournament
    page = new_browser(viewport={"width": width, "height": 844}).new_page()
    page.goto(f"/{tournament.slug}/standings/")
    expect(page.get_by_text("Live", exact=True)).to_be_visible()
    page.mouse.wheel(0, 300)
    page.wait_for_timeout(300)
    page.evaluate(SHIFTS)
    at = page.evaluate("scrollY")
    make.record(protocol)
    expect(page.locator("td.is-changed").first).to_be_attached()
    page.wait_for_timeout(200)
    assert (page.evaluate("scrollY"), page.evaluate("window.shifted")) == (at, 0)
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.standings thead th')).position") == "sticky"
    )


@pytest.mark.once
@pytest.mark.parametrize("width", [390, 1440])
def test_names_are_not_marked_and_a_new_column_marks_nothing_else(new_browser, protocol, width):
    tournament = protocol.table.session.tournament
    page = new_browser(viewport={"width": width, "height": 844}).new_page()
    page.goto(f"/{tournament.slug}/standings/")
    expect(page.get_by_text("Live", exact=True)).to_be_visible()
    # As if the column of first places came with this hand: what stands beside it has not changed.
    page.evaluate("document.querySelectorAll('.standings tr').forEach((row) => row.cells[4].remove())")
    make.record(protocol)
    expect(page.locator("td.is-changed").first).to_be_attached()
    assert page.locator("td.name.is-changed").count() == 0
    assert page.locator("tbody tr:has(.is-changed)").count() == 2
    assert page.locator(".results-line > span.is-changed").count() == 2


def test_page_nobody_looks_at_asks_nothing_and_catches_up_when_seen(new_browser, protocol):
    tournament = protocol.table.session.tournament
    page = new_browser().new_page()
    page.goto(f"/{tournament.slug}/standings/")
    expect(page.get_by_text("Live", exact=True)).to_be_visible()
    before = (
        page.locator("#live-standings .total").first.inner_text(),
        page.locator(".standings").inner_text(),
    )
    page.evaluate(LOOK, "hidden")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    make.record(protocol)
    page.wait_for_timeout(1200)
    assert asked == []
    page.evaluate(LOOK, "visible")
    expect(page.locator("td.is-changed").first).to_be_attached()
    assert page.locator(".standings").inner_text() != before[1]


@pytest.mark.once
def test_explained_place_of_the_longest_name_fits_a_phone(new_browser, protocol):
    tournament = protocol.table.session.tournament
    longest = "Преображенский-Вознесенский-Рождественский Александр-Константин " + "Воскресенский" * 2
    tournament.players.filter(registration__number=2).update(name=longest)
    make.record(protocol)
    recompute.recompute(tournament.pk, waits=True)
    page = new_browser(viewport={"width": 390, "height": 844}).new_page()
    page.goto(f"/{tournament.slug}/standings/explain/?a=1&b=2")
    expect(page.get_by_role("link", name=longest)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    marks = "[...document.querySelectorAll('.explained thead a')].map((a) => getComputedStyle(a, '::before').content)"
    assert set(page.evaluate(marks)) == {"none"}


def test_place_is_explained_down_to_the_hand(new_browser, protocol):
    tournament = protocol.table.session.tournament
    page = new_browser(viewport={"width": 390, "height": 844}).new_page()
    page.goto(f"/{tournament.slug}/standings/")
    page.locator("tbody td.place a").first.click()
    expect(page.get_by_role("heading", name="Why this place")).to_be_visible()
    expect(page.get_by_text("stands ahead of")).to_be_visible()
    page.locator("#sessions tbody a").first.click()
    expect(page.locator("#hand-1")).to_be_visible()


@pytest.mark.once
def test_language_is_switched_on_a_page_that_everybody_shares(new_browser, protocol):
    page = new_browser().new_page()
    page.goto(f"/{protocol.table.session.tournament.slug}/standings/")
    page.get_by_role("button", name="Русский").click()
    expect(page.locator("html")).to_have_attribute("lang", "ru")
