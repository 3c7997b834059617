"""Following in a real browser: stars, the page of those who are followed, a list from somebody else; fit for everybody."""

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from playwright.sync_api import expect

from config.tools.smoke import pages
from tournaments.models import Player, Protocol, PushSubscription
from tournaments.people.operations import push_messages
from tournaments.public.queries.following import MOST
from tournaments.standings.operations import recompute
from tournaments.tests import factories as make

pytestmark = pytest.mark.browser
FULL = """(most) => localStorage.setItem('four-winds/following',
  JSON.stringify(Array.from({ length: most }, (_, at) => ({ event: 'spring', number: String(at + 1), name: '' }))))"""
FULL_SAID = f"This device follows {MOST} people already, and keeps no more. Stop following somebody first."


@pytest.fixture
def protocol(site):
    made = make.protocol("sbr", 8)
    of = made.table.session.tournament
    Player.objects.filter(tournament=of, registration__number=1).update(federation_ids={"EMA": "11110001"})
    make.record(made)
    recompute.recompute(of.pk, waits=True)
    return Protocol.objects.select_related("table__session__tournament").get(pk=made.pk)


@pytest.mark.once
def test_stars_make_a_list_that_is_live_and_may_be_sent(new_browser, protocol):
    of = protocol.table.session.tournament
    east = protocol.table.seats.select_related("player__registration").get(wind="E").player
    number = east.registration.number
    context = new_browser()
    page = context.new_page()
    page.goto("/following/")
    expect(page.get_by_role("heading", name="You follow nobody yet")).to_be_visible()
    page.goto(f"/{of.slug}/player-{number}/")
    star = page.get_by_role("button", name="Follow")
    star.focus()
    page.keyboard.press("Enter")
    expect(star).to_have_attribute("aria-pressed", "true")
    page.goto(f"/{of.slug}/standings/")
    assert page.locator("tbody .star[aria-pressed=true]").count() == 1
    page.locator("tbody .star[aria-pressed=false]").first.click()
    page.goto("/following/")
    expect(page.locator(".followed > li")).to_have_count(2)
    expect(page.locator("[data-live-word]")).to_have_text("Live")
    sent = page.url
    before = page.locator(f"[data-mark='points-{of.slug}.{number}']").inner_text()
    make.record(protocol)
    expect(page.locator(f"[data-mark='points-{of.slug}.{number}']")).not_to_have_text(before)
    other = new_browser().new_page()
    other.goto(sent)
    expect(other.get_by_text("Somebody has sent you this list.")).to_be_visible()
    other.get_by_role("button", name="Follow all of them").click()
    other.goto("/following/")
    expect(other.locator(".star[aria-pressed=true]")).to_have_count(2)
    page.locator(".star").first.click()
    page.goto("/following/")
    expect(page.locator(".followed > li")).to_have_count(1)


@pytest.mark.once
def test_a_list_that_is_full_says_so_and_keeps_nobody_else(new_browser, protocol):
    page = new_browser(locale="en").new_page()
    slug = protocol.table.session.tournament.slug
    page.goto(f"/{slug}/player-1/")
    page.evaluate(FULL, MOST)
    page.reload()
    star = page.locator("[data-follow]").first
    star.click()
    expect(page.get_by_role("alert")).to_have_text(FULL_SAID)
    expect(star).to_have_attribute("aria-pressed", "false")
    page.mouse.click(5, 5)
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.once
def test_a_list_that_is_full_says_so_from_the_star_of_a_row(new_browser, protocol):
    """The stars of the standings said nothing: an empty box."""
    page = new_browser(locale="en").new_page()
    slug = protocol.table.session.tournament.slug
    page.goto(f"/{slug}/standings/")
    page.evaluate(FULL, MOST)
    page.reload()
    page.evaluate("document.querySelector('.standings .star').click()")
    expect(page.get_by_role("alert")).to_have_text(FULL_SAID)


@pytest.mark.once
def test_pages_of_persons_are_fit_for_everybody(new_browser, protocol):
    slug = protocol.table.session.tournament.slug
    addresses = (
        f"/following/?who={slug}.1,{slug}.2", "/following/", "/records/", f"/{slug}/player-1/", f"/{slug}/standings/",
        f"/{slug}/player-1/career/", f"/{slug}/player-1/against-2/", f"/{slug}/statistics/",
    )  # fmt: skip
    faults = []
    for options in (
        {"viewport": {"width": 320, "height": 640}, "locale": "ru"},
        {"viewport": {"width": 1440, "height": 900}, "color_scheme": "dark"},
        {"viewport": {"width": 390, "height": 844}, "forced_colors": "active"},
    ):
        page = new_browser(**options, reduced_motion="reduce").new_page()
        for address in addresses:
            page.goto(address)
            faults += [f"{address} {options}: {fault}" for fault in pages.faults_of(page)]
            for star in page.locator(".star:visible").all()[:1]:
                pressed = "(star) => getComputedStyle(star.querySelector('.icon')).fill"
                star.evaluate("(star) => star.setAttribute('aria-pressed', 'false')")
                off = star.evaluate(pressed)
                star.evaluate("(star) => star.setAttribute('aria-pressed', 'true')")
                assert star.evaluate(pressed) != off
    assert faults == []


SUBSCRIBED = """
Notification.requestPermission = async () => "granted";
const keys = {p256dh: new Uint8Array(%s).buffer, auth: new Uint8Array(16).buffer};
const subscription = {endpoint: "https://push.example.com/send/one", options: {}, getKey: (name) => keys[name]};
let subscribed = location.protocol === "http:" && localStorage.getItem("subscribed") === "1";
PushManager.prototype.getSubscription = async () => (subscribed ? subscription : null);
PushManager.prototype.subscribe = async () => (localStorage.setItem("subscribed", "1"), (subscribed = true), subscription);
subscription.unsubscribe = async () => true;
"""


@pytest.mark.once
def test_notifications_are_on_in_the_browser_once_the_site_says_so(new_browser, protocol):
    """An answer that is lost switches nothing on, and whoever presses again is told what came of it."""
    of = protocol.table.session.tournament
    key = ec.generate_private_key(push_messages.CURVE)
    context = new_browser()
    context.add_init_script(SUBSCRIBED % list(push_messages.public_bytes(key)))
    page = context.new_page()
    address = f"/{of.slug}/player-1/notices/"
    page.goto(address)
    off, said = page.get_by_role("button", name="Switch off"), page.locator("[data-push-said]")
    page.route(
        "**/notices/", lambda route: route.abort() if route.request.method == "POST" else route.continue_()
    )
    page.get_by_role("button", name="Switch on").click()
    expect(said).to_contain_text("No answer came from the site.")
    expect(off).to_be_hidden()
    page.reload()
    expect(off).to_be_hidden()
    page.unroute("**/notices/")
    page.get_by_role("button", name="Switch on").click()
    expect(said).to_have_text("Notifications are on.")
    assert PushSubscription.objects.count() == 1
    page.evaluate(FULL, MOST)
    page.reload()
    page.get_by_role("button", name="Switch on").click()
    full = f"This device follows {MOST} people already: this player is not put on the list."
    expect(said).to_have_text(f"Notifications are on. {full}")
    page.reload()
    off.click()
    expect(said).to_contain_text("no more notifications")
    expect(off).to_be_hidden()
    assert not PushSubscription.objects.exists()
