"""What a live page says of itself is true within five seconds, whatever happens between it and the site."""

import pytest
from playwright.sync_api import expect

from config.tests.road import Road, State
from conftest import wait_for
from tournaments.models import Protocol
from tournaments.standings.operations import recompute
from tournaments.tests import factories as make

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FIVE_SECONDS = 5000
PAGES = (
    "", "standings/", "standings/explain/?a=1", "seating/", "session-1/", "session-1/table-1/", "session-1/hands/", "statistics/", "player-1/", "hall/",
    "watch/", "overlay/", "widget/", "story/",
)  # fmt: skip


@pytest.fixture
def protocol(site):
    """A table in play, with a hand on its protocol."""
    made = make.protocol("sbr", 8)
    make.record(made)
    recompute.recompute(made.table.session.tournament_id, waits=True)
    return Protocol.objects.select_related("table__session__tournament").get(pk=made.pk)


@pytest.fixture
def road(site):
    """The only way from the browsers to the site."""
    made = Road(site.port)
    made.open()
    yield made
    made.close()


@pytest.fixture
def live_pages(new_browser, road, protocol):
    """Every live page of the event, each in a browser of its own."""
    opened = []
    for path in PAGES:
        page = new_browser().new_page()
        page.goto(f"{road.url}/{protocol.table.session.tournament.slug}/{path}")
        opened.append(page)
    for page in opened:
        expect(word(page)).to_have_text("Live")
    return opened


def word(page):
    """Find what the page says of its connection."""
    return page.locator("[data-live-word]")


def age(page):
    """Find how old the page says that it is."""
    return page.locator("[data-live-age]")


@pytest.mark.once
@pytest.mark.parametrize("state", [State.FROZEN, State.CUT], ids=["frozen", "cut"])
def test_pages_tell_their_age_without_a_server_and_are_live_again_when_it_is_back(
    live_pages, road, protocol, state
):
    """[DESIGN 6]"""
    road.become(state)
    for page in live_pages:
        expect(word(page)).to_have_text("No connection", timeout=FIVE_SECONDS)
    for page in live_pages:
        expect(age(page)).to_contain_text("seconds ago")
    make.record(protocol)
    recompute.recompute(protocol.table.session.tournament_id, waits=True)
    live_pages[0].wait_for_timeout(5000)
    for page in live_pages:
        assert word(page).inner_text() == "No connection"
    road.become(State.OPEN)
    for page in live_pages:
        expect(word(page)).to_have_text("Live", timeout=FIVE_SECONDS)
        expect(age(page)).to_be_empty()


@pytest.mark.once
@pytest.mark.parametrize("state", [State.NO_STREAM, State.HELD_BACK], ids=["no-stream", "held-back"])
def test_pages_that_no_stream_reaches_say_that_they_ask_and_keep_up(live_pages, road, protocol, state):
    """[DESIGN 6]"""
    standings = live_pages[PAGES.index("standings/")]
    road.become(state)
    for page in live_pages:
        expect(word(page)).to_have_text("Updated every few seconds", timeout=FIVE_SECONDS)
    before = standings.locator("#live-standings").inner_text()
    make.record(protocol)
    recompute.recompute(protocol.table.session.tournament_id, waits=True)
    expect(standings.locator("#live-standings")).not_to_have_text(before, timeout=30_000)
    expect(word(standings)).to_have_text("Updated every few seconds")


@pytest.mark.once
def test_standings_seat_and_timetable_survive_without_a_network_and_tell_their_age(
    new_browser, road, protocol
):
    """[DESIGN 6]"""
    event = f"{road.url}/{protocol.table.session.tournament.slug}/"
    page = new_browser().new_page()
    page.goto(f"{event}player-1/")
    page.get_by_role("button", name="This is me").click()
    page.goto(f"{event}standings/")
    kept = "async () => (await (await caches.open('four-winds-public-1')).keys()).map((one) => new URL(one.url).pathname)"
    wanted = {
        f"/{protocol.table.session.tournament.slug}/{path}"
        for path in ("", "standings/", "seating/", "player-1/")
    }
    wait_for(lambda: wanted <= set(page.evaluate(kept)), "The pages were not kept", seconds=20)
    road.become(State.CUT)
    for path in ("standings/", "seating/", "player-1/", ""):
        page.goto(f"{event}{path}")
        expect(page.locator("[data-kept-copy]")).to_contain_text("seconds ago")
    page.goto(f"{event}standings/")
    expect(page.locator(".standings tbody tr")).to_have_count(8)
    road.become(State.OPEN)
    expect(word(page)).to_have_text("Live", timeout=FIVE_SECONDS)
    expect(page.locator("[data-kept-copy]")).to_be_hidden()
