"""Every public page of the table of addresses in a browser: 320 px, forced colours, the keyboard, and what a screen reader is told."""

import re

import pytest
from django.conf import settings
from django.urls import resolve, reverse
from playwright.sync_api import expect

from config.tests.test_addresses import LINES, NOWHERE, place
from config.tests.world import make_world, undone
from config.tools.smoke import pages
from tournaments.people.operations import passwords
from tournaments.sessions.operations import invitations

PUBLIC = {"look", "register", "own_page"}
NO_PAGE = {
    "penalties:own_file": "a picture or a document that was filed",
    "tournaments:calculator_worker": "a script",
    "tournaments:calculator_package": "an archive of scripts",
    "tournaments:calculators": "leads to the first calculator",
    "tournaments:rulebooks": "leads to the first book",
    "tournaments:offline_worker": "a script",
    "tournaments:tablet_worker": "a script",
    "tournaments:event_picture": "a picture",
    "tournaments:player_picture": "a picture",
    "tournaments:own_code": "a picture",
    "tournaments:sitemap": "for search engines",
    "tournaments:public_api_index": "data",
    "tournaments:public_api_tournaments": "data",
    "tournaments:public_api_tournament": "data",
    "tournaments:public_api_players": "data",
    "tournaments:public_api_player": "data",
    "tournaments:public_api_sessions": "data",
    "tournaments:public_api_session": "data",
    "tournaments:public_api_table": "data",
    "tournaments:public_api_standings": "data",
    "tournaments:public_api_history": "data",
    "tournaments:public_api_openapi": "data",
    "tournaments:public_api_nowhere": "data",
    "tournaments:download_everything": "a file",
    "tournaments:download_record": "a file",
    "tournaments:download": "a file",
    "tournaments:prizes_file": "a file",
    "tournaments:own_export": "a file",
    "tournaments:timetable": "a calendar",
    "tournaments:story_feed": "a feed",
}
"""Public addresses behind which there is no page."""
BY_SECRET = {"tournaments:invitation", "tournaments:new_password"}
"""Pages behind a link that is shown once: no list can name them, so only the walks of this file open them."""
QUERIES = {
    "tournaments:explain": "?a=1&b=2",
    "tournaments:what_if": "?table=1",
    "tournaments:find": "?q=а",
    "tournaments:calculator": "?hand=111222333m44p555p",
}
IS_A_SCREEN = {"tournaments:hall", "tournaments:overlay", "tournaments:widget"}
"""Pictures for a wall, for a stream and for a frame of another page: no site around them, nothing to press but a frame's link."""


OF_A_STREAM = {"tournaments:overlay"}
"""Laid over a picture of 1920 px by a streaming program: no phone opens it."""


def public_pages():
    return [
        name
        for name, line in LINES.items()
        if "GET" in line.methods and line.capability in PUBLIC and name not in NO_PAGE
    ]


def public_addresses(event):
    """Return for each public page where there is something to see."""
    by = event.by("organizer")
    links = {
        "tournaments:invitation": invitations.invite(event.tournament, "referee", by=by)[1],
        "tournaments:new_password": passwords.allow_new_password(
            event.tournament, event.staff["scorer"], by=by
        ),
    }
    found = {}
    for name in public_pages():
        at = {"link": links[name]} if name in BY_SECRET else place(name, event)
        found[name] = reverse(name, kwargs=at) + QUERIES.get(name, "")
    return found


# The lists


@pytest.mark.django_db
def test_every_public_page_is_walked(world):
    """What is opened to strangers is on the list of the walks, or is no page, or has its reason here."""
    event = world.ours
    with undone():
        listed = [*pages.pages_of_the_site(), *pages.pages_of(event.tournament)]
        named = {resolve(row.path.partition("?")[0]).view_name for row in listed if row.status == 200}
    assert sorted(set(public_pages()) - named - BY_SECRET) == []
    assert sorted((NO_PAGE.keys() | BY_SECRET) & named) == [], "on the list now"


@pytest.mark.django_db
def test_what_is_said_to_be_no_page_is_none(world, client):
    for name in sorted(NO_PAGE.keys() - NOWHERE):
        answer = client.get(reverse(name, kwargs=place(name, world.ours)))
        is_page = answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/html")
        assert not is_page, name


# The walks

LOOKS = {
    "narrow": {"viewport": {"width": 320, "height": 640}, "locale": "ru"},
    "forced": {"viewport": {"width": 390, "height": 844}, "locale": "en", "forced_colors": "active"},
}


@pytest.fixture
def addresses(site):
    return public_addresses(make_world().ours)


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.once
@pytest.mark.parametrize("look", LOOKS)
def test_every_public_page_is_fit_at_320_px_and_in_forced_colours(new_browser, addresses, look):
    page = new_browser(**LOOKS[look], reduced_motion="reduce").new_page()
    faults = []
    for name, path in addresses.items():
        answer = page.goto(path)
        found = pages.faults_of(page, with_axe=look == "forced") if name not in OF_A_STREAM else []
        if answer.status != 200:
            found.append(f"It answers {answer.status}.")
        faults += [f"{name}: {fault}" for fault in found]
    assert faults == []


FOCUSED = """async () => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  const isSeen = (box) => box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  for (let frame = 0; frame < 60 && !isSeen(one.getBoundingClientRect()); frame += 1) await new Promise(requestAnimationFrame);
  window.visited ??= [];
  const at = window.visited.indexOf(one);
  if (at < 0) window.visited.push(one);
  const style = getComputedStyle(one);
  const ring = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none";
  return { again: at >= 0, ring, seen: isSeen(one.getBoundingClientRect()), what: one.outerHTML.slice(0, 90) };
}"""
TO_REACH = """() => [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")].filter((one) =>
  !one.disabled && one.tabIndex >= 0 && one.type !== "hidden" && one.checkVisibility({ visibilityProperty: true }) && !one.closest("[inert]")
  && !(one.type === "radio" && !one.checked && document.querySelector(`input[name="${one.name}"]:checked, input[name="${one.name}"]`) !== one)
  && !window.visited.includes(one)).map((one) => one.outerHTML.slice(0, 90))"""
MOST_STOPS = 150
LONG = {"tournaments:rulebook", "tournaments:examples"}
"""Lists of clauses, each of which leads somewhere: the skip link and the search field stand before them."""


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.once
def test_every_public_page_is_walked_by_keyboard(new_browser, addresses):
    """Tab goes to everything that can be pressed, shows where it is, and gets caught nowhere."""
    page = new_browser(viewport={"width": 1180, "height": 820}, reduced_motion="reduce").new_page()
    faults = []
    for name, path in addresses.items():
        page.goto(path)
        page.evaluate("window.visited = []")
        for stop in range(MOST_STOPS):
            page.keyboard.press("Tab")
            at = page.evaluate(FOCUSED)
            if at is None and stop:  # past the end: a page that begins in its field goes on from the top
                continue
            if at is None or at["again"]:
                faults += [f"{name}: not reached: {one}" for one in page.evaluate(TO_REACH)]
                break
            faults += [f"{name}: {what}: {at['what']}" for what in ("ring", "seen") if not at[what]]
        else:
            faults += [] if name in LONG else [f"{name}: more than {MOST_STOPS} stops"]
    assert faults == []


NAMELESS = re.compile(
    r"- (link|button|textbox|combobox|checkbox|searchbox|table|img|region)\s*(?:\[[^\]]*\])*:?$"
)


ROW = re.compile(r"^\| `([\w:]+)` \| (.+) \|$", re.MULTILINE)
NAMED = re.compile(r"\b(h[1-6]|navigation|table|region|group|radiogroup) “([^”]+)”")


def written_walk():
    """Return for each page of docs/ACCESSIBILITY.md the parts that it names, as expressions for the lines of a tree."""
    found = {}
    for name, text in ROW.findall((settings.BASE_DIR / "docs" / "ACCESSIBILITY.md").read_text("utf-8")):
        found[name] = [(f"{role} “{said}”", _line_of(role, said)) for role, said in NAMED.findall(text)]
    return found


def _line_of(role, said):
    name = ".*".join(re.escape(part) for part in said.split("…"))
    if role[1:].isdigit():
        return re.compile(rf'- \W?heading "{name}" \[level={role[1:]}\]')
    return re.compile(rf'- \W?{role} "{name}"')


def not_heard(parts, tree):
    """Return the first of the parts that does not come behind those before it."""
    lines = iter(tree)
    return next((said for said, line in parts if not any(line.search(one) for one in lines)), None)


def test_the_written_walk_has_a_row_for_every_public_page():
    assert sorted(written_walk()) == sorted(public_pages())


def test_what_a_tree_does_not_say_is_found():
    tree = ['- heading "Session 2" [level=1]', "- 'region \"Now: Session 2\"':", '- table "Places":']
    parts = [("h1", _line_of("h1", "Session …")), ("region", _line_of("region", "Now: …"))]
    assert not_heard(parts, tree) is None
    assert not_heard(parts[::-1], tree) == "h1"
    assert not_heard([("table", _line_of("table", "Players"))], tree) == "table"


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.once
@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_public_page_tells_a_screen_reader_what_is_where(new_browser, addresses, language):
    """The tree of each page: one main part with one first heading, a name for everything that one goes to, and what is written of it."""
    walk = written_walk()
    page = new_browser(locale=language, reduced_motion="reduce").new_page()
    faults = []
    for name, path in addresses.items():
        page.goto(path)
        tree = page.locator("body").aria_snapshot().splitlines()
        faults += [f"{name}: no name: {line.strip()}" for line in tree if NAMELESS.match(line.strip())]
        if language == "en" and (lacking := not_heard(walk[name], tree)):
            faults.append(f"{name}: docs/ACCESSIBILITY.md names {lacking}")
        if name in IS_A_SCREEN:
            continue
        mains = [line for line in tree if re.match(r"\s*- main\b", line)]
        first = [line for line in tree if "[level=1]" in line]
        if len(mains) != 1 or len(first) != 1:
            faults.append(f"{name}: {len(mains)} main parts, {len(first)} first headings: {first}")
    assert faults == []


@pytest.mark.browser
@pytest.mark.once
def test_results_that_come_by_script_are_read_out(new_browser, addresses):
    """A part that takes another one's place is not: what is said goes into a part that stays."""
    page = new_browser(locale="en").new_page()
    page.goto(addresses["tournaments:calculator"])
    page.evaluate("document.getElementById('calculation').stays = true")
    before = page.locator("#calculation").inner_text()
    page.locator("[name=hand]").fill("111222333m55566p")
    expect(page.locator("#calculation")).not_to_have_text(before, use_inner_text=True)
    assert page.evaluate("document.getElementById('calculation').stays === true")
    assert page.locator("#calculation").get_attribute("aria-live") == "polite"
    page.goto(addresses["tournaments:what_if"])
    page.get_by_role("button", name=re.compile("^More for")).first.click()
    expect(page.get_by_role("status").filter(has_text="worked out again")).to_be_attached()
    assert page.locator("#then").get_attribute("aria-live") is None, "the whole table would be read out"
