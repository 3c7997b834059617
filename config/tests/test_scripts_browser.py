"""Scripts of pages on a bad network, in a real browser: they ask no longer than they must, and take nobody else's page for ours."""

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.once]
PART = """<!doctype html><title>Probe</title><div id="part" data-live-fragment data-gives-way data-events="/live/probe/events"
  data-page="/probe/">Not yet</div><script type="module">
  import { refresh } from "/static/js/live.js"; window.again = () => refresh(document.getElementById("part"), 2);</script>"""
PORTAL = "<!doctype html><title>Guests of the hotel</title><p>Please sign in to the network.</p>"
THERE = """<!doctype html><title>Seating</title><div id="other" data-live-fragment data-events="/live/probe/events">Table 1</div>"""
LIST = """<!doctype html><title>List</title><form method="post" action="/put/" data-progress="/far/">
  <div data-progress-box hidden><progress max="100"></progress><span data-percent></span></div>
  <button name="confirm" value="1">Put on</button></form><script type="module" src="/static/js/import-progress.js"></script>"""


def test_what_is_not_there_yet_makes_way_for_a_page_of_the_event_and_for_no_other(new_browser, site):
    page = new_browser(service_workers="block").new_page()
    pages = [PART, PORTAL, PORTAL, THERE, THERE]
    asked = []
    page.route("**/live/**", lambda route: route.abort())

    def answer(route):
        asked.append(route.request.url)
        route.fulfill(body=pages[len(asked) - 1], content_type="text/html")

    page.route("**/probe/", answer)
    page.goto("/probe/")
    page.wait_for_function("() => Boolean(window.again)")
    for number in (2, 3):
        page.evaluate("again()")
        page.wait_for_timeout(800)
        assert (len(asked), page.title()) == (number, "Probe")
    page.evaluate("again()")
    expect(page.get_by_text("Table 1")).to_be_visible()
    assert len(asked) == 5


def test_nothing_is_asked_of_an_import_once_somebody_has_come_back_to_its_page(new_browser, site):
    page = new_browser(service_workers="block").new_page()
    asked = []
    page.route("**/list/", lambda route: route.fulfill(body=LIST, content_type="text/html"))
    page.route("**/put/", lambda route: route.fulfill(status=204))
    page.route("**/far/", lambda route: asked.append(1) or route.fulfill(json={"percent": 5}))
    page.goto("/list/")
    page.get_by_role("button").click()
    page.wait_for_timeout(1300)
    assert asked
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    page.wait_for_timeout(300)
    so_far = len(asked)
    page.wait_for_timeout(1300)
    assert len(asked) == so_far
    page.get_by_role("button").click()
    page.wait_for_timeout(1300)
    assert so_far < len(asked) <= so_far + 3


def test_a_list_of_the_device_that_nothing_can_read_leaves_the_page_as_it_is(new_browser, site):
    page = new_browser(service_workers="block").new_page()
    page.goto("/following/")
    page.evaluate(
        """localStorage.setItem("four-winds/following", JSON.stringify([{ event: "cup", number: "x" }]))"""
    )
    loaded = []
    page.on("framenavigated", lambda frame: loaded.append(frame.url))
    page.goto("/following/")
    page.wait_for_timeout(1500)
    assert len(loaded) <= 2
    expect(page.get_by_role("heading", name="You follow nobody yet")).to_be_visible()
