"""The standings in a real browser: changes are marked without moving anything, and nothing is asked while nobody looks."""

import pytest
from playwright.sync_api import expect

from tournaments.models import Protocol
from tournaments.sessions.operations import play
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
    page.evaluate("document.querySelectorAll('.standings tr').forEach((row) => row.cells[5].remove())")
    make.record(protocol)
    expect(page.locator("td.is-changed").first).to_be_attached()
    assert page.locator("th.name.is-changed").count() == 0
    assert page.locator("tbody tr:has(.is-changed)").count() == 2


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
    page.locator("tbody tr").first.click()
    page.get_by_role("link", name="Why this place").click()
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


# A phone between two sessions

IN_SIGHT = """() => [...document.querySelectorAll(".standings tbody tr[data-number]")].filter((row) => {
  const box = row.getBoundingClientRect();
  return box.top >= 0 && box.bottom <= window.innerHeight;
}).length"""


def finished(tournament, sessions):
    """Play every session of an event to its end."""
    for number in range(1, sessions + 1):
        session = make.in_play(tournament, number)
        session.tournament = tournament
        for protocol in Protocol.objects.filter(table__session=session).select_related(
            "table__session__tournament"
        ):
            make.record(protocol)
        make.settle(session)
        play.close_session(session, by=make.organizer_of(tournament))
    recompute.recompute(tournament.pk, waits=True)


@pytest.mark.once
@pytest.mark.parametrize("sessions", [1, 10])
def test_first_screen_of_a_phone_holds_eight_players_whatever_the_number_of_sessions(
    new_browser, site, sessions
):
    tournament = make.tournament("sbr", sessions=sessions)
    make.players(tournament, 16)
    finished(tournament, sessions)
    page = new_browser(viewport={"width": 390, "height": 844}).new_page()
    page.goto(f"/{tournament.slug}/player-3/")
    page.get_by_role("button", name="This is me").click()
    page.goto(f"/{tournament.slug}/standings/")
    expect(page.get_by_role("button", name="Around me")).to_be_visible()
    assert page.evaluate(IN_SIGHT) >= 8
    shown = "[...document.querySelectorAll('.standings thead th')].filter((th) => th.offsetWidth).map((th) => [...th.classList].sort().join(' '))"
    moves = ["move"] if sessions > 1 else []
    assert page.evaluate(shown) == [
        "orderable place", *moves, "name orderable", "number orderable total", "gap number", "is-newest number session"
    ]  # fmt: skip
    assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.once
def test_tap_unfolds_a_player_and_what_is_unfolded_stays_when_a_hand_is_played(new_browser, protocol):
    tournament = protocol.table.session.tournament
    page = new_browser(viewport={"width": 390, "height": 844}).new_page()
    page.goto(f"/{tournament.slug}/standings/")
    first = page.locator(".standings tbody tr[data-number]").first
    number = first.get_attribute("data-number")
    name = first.get_by_role("button")
    expect(name).to_have_attribute("aria-expanded", "false")
    name.focus()
    page.keyboard.press("Space")
    expect(page.locator(f"#unfolded-{number}").get_by_role("link", name="The player's page")).to_be_visible()
    make.record(protocol)
    expect(page.locator("td.is-changed").first).to_be_attached()
    expect(page.locator(f"#unfolded-{number}")).to_be_visible()
    page.locator(f"#n{number}").click()
    expect(page.locator(f"#unfolded-{number}")).to_have_count(0)


@pytest.mark.once
def test_own_row_stays_in_sight_and_around_me_leads_to_it(new_browser, protocol):
    tournament = protocol.table.session.tournament
    page = new_browser(viewport={"width": 390, "height": 500}).new_page()
    page.goto(f"/{tournament.slug}/standings/")
    last = page.locator(".standings tbody tr[data-number]").last.get_attribute("data-number")
    page.goto(f"/{tournament.slug}/player-{last}/")
    page.get_by_role("button", name="This is me").click()
    page.goto(f"/{tournament.slug}/standings/")
    expect(page.locator("tr.is-mine .name")).to_be_in_viewport()
    page.get_by_role("button", name="Around me").click()
    middle = "document.querySelector('tr.is-mine').getBoundingClientRect().top"
    assert 0 < page.evaluate(middle) < 500
    expect(page.locator("tr.is-mine").get_by_role("button")).to_be_focused()


def test_a_player_is_one_stop_of_the_keyboard_and_the_row_has_a_header(new_browser, protocol):
    """[WCAG 1.3.1]"""
    page = new_browser(viewport={"width": 1440, "height": 900}).new_page()
    page.goto(f"/{protocol.table.session.tournament.slug}/standings/")
    stops = page.locator(".standings tbody :is(a, button):not([tabindex='-1'])")
    assert stops.count() == page.locator(".standings tbody tr").count() == 24
    expect(page.get_by_role("table", name="Standings").get_by_role("rowheader")).to_have_count(24)
