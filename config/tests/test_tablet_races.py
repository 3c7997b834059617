"""A tablet in bad company: a silent network, a second window, no memory, a wrong clock, a table changed beneath its hands."""

from contextlib import suppress

import pytest
from playwright.sync_api import Error, expect

from config.tests.tablet_driver import CLEARED, Tablet
from config.tests.test_tablet_browser import (
    TABLET,
    WITHOUT,
    hands_of,
    protocol_of,
    ready_offline,
    win,
)
from conftest import wait_for
from tournaments.sessions.operations import play, tournaments
from tournaments.tables.operations import protocols
from tournaments.tables.views import tablet_worker
from tournaments.tests import factories as make

pytestmark = pytest.mark.browser
WITHIN = 10_000
"""Everything is on the server so many milliseconds after the network is well again."""
BATCH = "**/api/batch/"


@pytest.fixture
def tablet(new_browser):
    """Return a tablet at a new table."""

    def made(preset="red", *, init="", **options):
        context = new_browser(**{**TABLET, **options})
        if init:
            context.add_init_script(init)
        return Tablet(context.new_page(), protocol_of(preset))

    return made


def values_of(protocol):
    return [row.facts["events"][0]["winners"][0]["fans"] for row in hands_of(protocol)]


def enter(one, *values, is_next=False):
    one.page.bring_to_front()
    for points in values:
        one.enter(win("ESW"[points % 3], points), "RED")
        one.save(is_next=is_next)


def arrived(one):
    """Return what the server has, after giving the browser a moment: requests that are routed wait for a call of it."""
    one.page.wait_for_timeout(50)
    return values_of(one.protocol)


def all_arrive(one, *values):
    expect(one.page.locator('[data-connection="online"][data-unsent="0"]')).to_be_visible(timeout=WITHIN)
    assert values_of(one.protocol) == list(values)
    assert one.page.get_by_role("dialog").count() == 0


# The network


def silent(route):
    """Take a request and never answer it."""


def dropped(route):
    route.abort()


def busy(route):
    body = '{"code": "writes_paused", "title": ""}'
    route.fulfill(
        status=503, content_type="application/problem+json", headers={"Retry-After": "2"}, body=body
    )


def portal(route):
    route.fulfill(status=200, content_type="text/html", body="<h1>Welcome to the hall's Wi-Fi</h1>")


def lost(route):
    """Let the request through and lose its answer."""
    with suppress(Error):
        route.fetch()
        route.abort()


@pytest.mark.once
@pytest.mark.parametrize("fault", [silent, dropped, busy, portal, lost])
def test_the_queue_is_empty_within_ten_seconds_of_the_last_fault(tablet, fault):
    """Although the browser never says that the network is back; however long it was bad, see tournaments/tests/scripts/outbox.test.mjs."""
    one = tablet()
    one.page.route("**/api/**", fault)
    enter(one, 11, 12, 13)
    expect(one.page.locator('[data-connection="offline"], [data-connection="busy"]')).to_be_visible(
        timeout=30_000
    )
    assert one.unsent() == 3
    one.page.unroute("**/api/**")
    all_arrive(one, 11, 12, 13)


@pytest.mark.once
def test_a_request_from_before_is_not_waited_for_once_the_network_is_back(tablet):
    one = tablet()
    one.page.route(BATCH, silent)
    enter(one, 11)
    one.page.unroute(BATCH)
    one.page.evaluate("dispatchEvent(new Event('online'))")
    expect(one.page.locator('[data-unsent="0"]')).to_be_visible(timeout=4_000)
    assert values_of(one.protocol) == [11]


HALF = """
const whole = window.fetch;
window.halves = 1;
window.fetch = async (address, given) => {
  const response = await whole(address, given);
  if (!String(address).endsWith("/batch/") || window.halves-- < 1) return response;
  const text = await response.text();
  const begun = new ReadableStream({
    start(to) {
      to.enqueue(new TextEncoder().encode(text.slice(0, 20)));
      given.signal.addEventListener("abort", () => to.error(new DOMException("", "AbortError")));
    },
  });
  return new Response(begun, { status: response.status, headers: response.headers });
};
"""


@pytest.mark.once
def test_half_an_answer_that_never_ends_holds_nothing_up(tablet):
    one = tablet(init=HALF)
    enter(one, 11)
    all_arrive(one, 11)


def test_a_hand_whose_answer_was_lost_is_not_counted_twice(tablet):
    """The server has it, the tablet does not know: the next hand is still the one after it."""
    one = tablet()
    one.page.route(BATCH, lost)
    enter(one, 11)
    wait_for(lambda: arrived(one) == [11], "The server did not get the hand")
    one.open()
    expect(one.page.get_by_text("Hand 2", exact=True)).to_be_visible()
    assert one.unsent() == 1
    enter(one, 12)
    one.page.unroute(BATCH)
    all_arrive(one, 11, 12)


# Taking back, and deciding


def test_a_hand_sent_while_its_taking_back_was_being_asked_is_taken_back_on_the_server(tablet):
    one = tablet()
    one.page.route(BATCH, silent)
    enter(one, 11, 12)
    one.tap("undo")
    one.page.unroute(BATCH)
    one.page.evaluate("dispatchEvent(new Event('online'))")
    one.saved()
    one.agree()
    expect(one.page.get_by_text("Hand 2 is taken back.").first).to_be_visible()
    one.saved()
    assert [hand.status for hand in one.protocol.hands.order_by("number")] == ["in_force", "undone"]
    assert one.totals() == {"E": 0, "S": 0, "W": 11, "N": -11}


def test_a_refused_hand_is_changed_in_its_place_before_those_behind_it(tablet):
    one = tablet()
    one.page.context.set_offline(True)
    enter(one, 11, 12)
    make.record(one.protocol, win("W", 30))
    one.page.context.set_offline(False)
    dialog = one.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Look at mine again").click(timeout=WITHIN)
    one.tap("clear")
    for digit in "44":
        one.tap(f"digit-{digit}")
    one.tap("save")
    one.page.wait_for_function(CLEARED)
    # The hand behind it may be the one that nobody here had seen, too.
    dialog.get_by_role("button", name="Record mine after it").click(timeout=WITHIN)
    all_arrive(one, 30, 44, 12)


def test_a_hand_taken_back_elsewhere_is_told_before_the_next_one_counts(tablet):
    one = tablet()
    enter(one, 11)
    one.saved()
    one.page.context.set_offline(True)
    enter(one, 12)
    by = make.organizer_of(one.tournament)
    protocols.undo_hand(one.protocol, number=1, intent=make.intent(one.protocol), by=by)
    one.page.context.set_offline(False)
    dialog = one.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Hand 1 was taken back.", timeout=WITHIN)
    dialog.get_by_role("button", name="Record mine after it").click()
    all_arrive(one, 12)


def test_a_queue_for_a_closed_session_is_kept_and_found_again(tablet):
    one = tablet()
    one.page.context.set_offline(True)
    enter(one, 11)
    session = one.protocol.table.session
    make.settle(session)
    play.close_session(session, by=make.organizer_of(one.tournament))
    one.page.context.set_offline(False)
    dialog = one.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Decide later").click(timeout=WITHIN)
    one.page.goto(one.home)
    one.page.get_by_role("link", name="Needs a decision").click()
    dialog.get_by_role("button", name="Set it aside for now").click()
    expect(one.page.locator('[data-unsent="0"]')).to_be_visible()
    one.tap("connection")
    expect(dialog).to_contain_text("Not sent: somebody must decide")
    assert values_of(one.protocol) == []


def test_a_queue_for_a_closed_event_stays_on_the_tablet(tablet):
    one = tablet()
    one.page.context.set_offline(True)
    enter(one, 11)
    make.settle(one.protocol.table.session)
    by = make.organizer_of(one.tournament)
    for session in one.tournament.sessions.order_by("number"):
        if session.state == "open":
            play.close_session(session, by=by)
        else:
            session.delete()
    tournaments.close_tournament(one.tournament, by=by)
    one.page.context.set_offline(False)
    dialog = one.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Decide later").click(timeout=WITHIN)
    assert one.unsent() == 1
    one.tap("more")
    dialog.get_by_role("button", name="Entries of this device").click()
    one.page.get_by_role("button", name="Show as text and QR").click()
    assert '"fans":11' in one.page.get_by_role("textbox", name="Unsent entries as text").input_value()


# Two windows


def test_what_one_window_sends_the_other_shows_at_once(tablet):
    one = tablet()
    twin = Tablet(one.page.context.new_page(), one.protocol, admit=False)
    enter(one, 11)
    one.saved()
    expect(twin.page.get_by_text("Hand 2", exact=True)).to_be_visible(timeout=3_000)
    enter(twin, 12, is_next=True)
    all_arrive(twin, 11, 12)


@pytest.mark.once
def test_two_windows_without_connection_queue_one_after_the_other(tablet):
    one = tablet()
    twin = Tablet(one.page.context.new_page(), one.protocol, admit=False)
    ready_offline(one)
    one.page.context.set_offline(True)
    enter(one, 11)
    enter(twin, 12)
    enter(one, 13)
    one.page.context.set_offline(False)
    all_arrive(one, 11, 12, 13)


# The device


FULL = """() => {
  for (const name of ["add", "put"]) {
    IDBObjectStore.prototype[name] = () => { throw new DOMException("full", "QuotaExceededError"); };
  }
}"""
NO_MEMORY = "Object.defineProperty(window, 'indexedDB', { value: undefined });"


@pytest.mark.once
def test_a_full_memory_stops_nothing_and_is_told(tablet):
    one = tablet()
    one.page.evaluate(FULL)
    one.page.context.set_offline(True)
    enter(one, 11, 12)
    assert one.unsent() == 2
    expect(one.page.get_by_text("leave this page open until everything is sent")).to_be_visible()
    one.page.context.set_offline(False)
    all_arrive(one, 11, 12)
    expect(one.page.get_by_text("leave this page open until everything is sent")).to_be_hidden()


@pytest.mark.once
def test_what_was_kept_before_the_memory_was_full_goes_out_first(tablet):
    one = tablet()
    one.page.context.set_offline(True)
    enter(one, 11)
    one.page.evaluate(FULL)
    enter(one, 12)
    one.page.context.set_offline(False)
    all_arrive(one, 11, 12)


@pytest.mark.once
def test_without_any_memory_an_open_page_works_and_says_so(tablet):
    one = tablet(init=NO_MEMORY)
    expect(one.page.get_by_text("leave this page open until everything is sent")).to_be_visible()
    one.page.context.set_offline(True)
    enter(one, 11, 12)
    one.page.context.set_offline(False)
    all_arrive(one, 11, 12)


HOURS_AHEAD = """
localStorage.setItem(
  Object.keys(localStorage).find((name) => name.startsWith("four-winds-lease:")) ?? `four-winds-lease:outbox-${location.pathname.split("/")[1]}`,
  JSON.stringify({ holder: "another", until: Date.now() + 5 * 3600 * 1000 }),
);
"""


@pytest.mark.once
def test_a_lease_from_a_wrong_clock_holds_nobody_up(tablet):
    """Over plain http, where a lease stands for a lock, and the clock has been set right since."""
    one = tablet(init=WITHOUT)
    one.page.evaluate(HOURS_AHEAD)
    enter(one, 11)
    all_arrive(one, 11)


@pytest.mark.once
def test_the_time_left_is_right_without_a_connection_although_the_clock_is_wrong(tablet):
    one = tablet(init="const now = Date.now; Date.now = () => now() + 5 * 3600 * 1000;")
    expect(one.page.get_by_text("The clock of this tablet is wrong.")).to_be_visible()
    before = one.page.locator(".clock").inner_text()
    ready_offline(one)
    one.page.context.set_offline(True)
    one.open()
    assert not before.startswith("−")
    assert one.page.locator(".clock").inner_text().partition(":")[0] == before.partition(":")[0]


@pytest.mark.once
def test_a_newer_page_is_shown_but_only_a_whole_version_is_kept(tablet, monkeypatch):
    """The page of a release whose files the tablet does not keep yet must not be what it starts with in a dead spot."""
    one = tablet()
    ready_offline(one)
    old = one.page.locator("main").get_attribute("data-version")
    monkeypatch.setattr(tablet_worker, "_version", lambda: "0123456789ab")
    one.open()
    assert one.page.locator("main").get_attribute("data-version") == "0123456789ab"
    one.page.context.set_offline(True)
    one.open()
    assert one.page.locator("main").get_attribute("data-version") == old


# What is typed


@pytest.mark.once
def test_a_half_entered_hand_survives_a_reload_although_the_table_moved_on(tablet):
    one = tablet("mcr")
    one.seat("E")
    one.seat("S")
    text = "A penalty of the first session is missing"
    by = make.organizer_of(one.tournament)
    protocols.note_objection(one.protocol, "W", text=text, intent=make.intent(one.protocol), by=by)
    one.open()
    expect(one.page.locator('[data-seat="E"]')).to_have_class("seat-panel is-winner")


@pytest.mark.once
def test_final_points_survive_a_reload(tablet):
    one = tablet("riichi_festival")
    one.page.locator("#final-E").fill("41000")
    wait_for(lambda: "41000" in one.kept(), "What was typed was not kept")
    one.open()
    expect(one.page.locator("#final-E")).to_have_value("41000")
