"""Every page in a real browser: fit for a phone and a desk, in both languages and themes, and for those without script."""

import re

import pytest
from playwright.sync_api import expect

from config.tools.smoke import pages
from seating.drafts import operations as draws
from tournaments.models import Protocol, Role, Tournament
from tournaments.people.operations import registration
from tournaments.sessions.operations import play
from tournaments.sessions.operations import tournaments as events
from tournaments.standings.operations import recompute
from tournaments.tables.operations import protocols
from tournaments.tests import factories as make
from tournaments.web.access import link_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LONG_NAME = (
    "Александра-Виктория Константинопольская-Преображенская из Нижнего Новгорода и Великого Устюга Младшая"
)
SAMPLED = re.compile(
    r"(standings|seating|statistics|hands|archive|protocol|player|own|players|desk|check-in|draw|tables|sessions|settings|regulation|hall.*)$"
)


@pytest.fixture
def world(site):
    """A draft, an event in registration, one in play with a long name and hands, and one that is over."""
    by = make.user("heron")
    made = {
        "draft": make.tournament(by=by, announced=False),
        "announced": make.tournament("riichi_ema", by=by),
        "running": make.tournament("wmsg", by=by, sessions=3),
        "closed": make.tournament(by=by, sessions=1),
    }
    for tournament in made.values():
        for kind in ("chief_referee", "referee"):
            Role.objects.create(tournament=tournament, user=by, kind=kind)
    make.players(made["announced"], 8)
    _play(made["running"], 21)
    _play(made["closed"], 4)
    session = made["closed"].sessions.get()
    session.tournament = made["closed"]
    make.settle(session)
    play.close_session(session, by=make.organizer_of(made["closed"]))
    events.close_tournament(
        Tournament.objects.get(pk=made["closed"].pk), by=make.organizer_of(made["closed"])
    )
    for tournament in made.values():
        recompute.recompute(tournament.pk, waits=True)
        tournament.refresh_from_db()
    return made


def _play(tournament, number):
    """Seat the players, one of them with a name of a hundred letters, and record two hands at the first table."""
    by = make.organizer_of(tournament)
    details = registration.Details(
        name=LONG_NAME[:100], country="RU", city="Нижний Новгород", club="Три ветра"
    )
    registration.check_in(registration.register_player(tournament, details, by=by), by=by)
    for row in make.players(tournament, number - 1):
        registration.check_in(row, by=by)
    make.in_play(tournament)
    row = Protocol.objects.select_related("table__session__tournament").get(
        table__session__tournament=tournament, table__number=1
    )
    for _ in range(2):
        make.record(row)


def walk(new_browser, site, addresses, *, size, theme, language, with_axe, script=True):
    """Open every address as a visitor or as the organizer; list what is wrong with each."""
    faults = []
    look = {"size": size, "theme": theme, "language": language}
    for needs_sign_in in (False, True):
        context = new_browser(**pages.context_options(look), java_script_enabled=script)
        if needs_sign_in:
            pages.sign_in(context, site.url, "heron")
        page = context.new_page()
        said = []
        page.on(
            "console", lambda line, said=said: said.append(line.text) if pages.is_complaint(line) else None
        )
        for address in addresses:
            if address.needs_sign_in != needs_sign_in:
                continue
            said.clear()
            answer = page.goto(address.path)
            if script and address.shows:
                page.locator(address.shows).first.wait_for()
            found = [*said, *(pages.faults_of(page, with_axe=with_axe) if script else [])]
            if answer.status != address.status:
                found.append(f"It answers {answer.status}.")
            faults += [f"{address.name}: {fault}" for fault in found]
        context.close()
    return faults


def every_page(world):
    return [*pages.pages_of_the_site(), *(row for event in world.values() for row in pages.pages_of(event))]


def every_kind_of_page(world):
    """Each page once, of the event in which there is most to see."""
    found = {row.name: row for row in pages.pages_of_the_site()}
    for state in ("running", "closed", "announced", "draft"):
        for row in pages.pages_of(world[state]):
            found.setdefault(row.name.split("-", 2)[-1], row)
    return list(found.values())


@pytest.mark.once
def test_every_page_is_fit_for_everybody(new_browser, site, world):
    """No page, in any state of an event, is wider than its window, complains in the console or breaks a rule that axe knows."""
    look = {"size": "phone", "theme": "light", "language": "ru"}
    assert walk(new_browser, site, every_page(world), **look, with_axe=True) == []


@pytest.mark.once
def test_every_kind_of_page_is_fit_in_the_other_look_too(new_browser, site, world):
    look = {"size": "laptop", "theme": "dark", "language": "en"}
    assert walk(new_browser, site, every_kind_of_page(world), **look, with_axe=True) == []


@pytest.mark.once
@pytest.mark.parametrize(
    ("size", "theme", "language"),
    [("upright", "dark", "ru"), ("tablet", "light", "en")],
    ids=["upright", "across"],
)
def test_pages_of_tables_and_plans_fit_a_tablet(new_browser, site, world, size, theme, language):
    look = {"size": size, "theme": theme, "language": language}
    addresses = [row for row in every_page(world) if SAMPLED.search(row.name)]
    assert walk(new_browser, site, addresses, **look, with_axe=False) == []


@pytest.mark.once
def test_public_pages_need_no_script(new_browser, site, world):
    look = {"size": "phone", "theme": "light", "language": "en"}
    addresses = [row for row in every_page(world) if not row.needs_sign_in]
    assert walk(new_browser, site, addresses, **look, with_axe=False, script=False) == []
    page = new_browser(java_script_enabled=False).new_page()
    slug = world["running"].slug
    page.goto(f"/{slug}/standings/?q=Сойка")
    expect(page.get_by_role("link", name="Сойка", exact=True)).to_be_visible()
    page.goto(f"/{slug}/seating/")
    page.get_by_role("link", name="By name").click()
    expect(page.get_by_role("link", name="Сойка", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Print")).to_have_count(0)


# What script adds


@pytest.fixture
def desk(new_browser, site, world):
    """The organizer's browser."""
    context = new_browser()
    pages.sign_in(context, site.url, "heron")
    return context.new_page()


def test_tap_at_the_door_is_shown_at_once_and_stays(desk, world):
    desk.goto(f"/{world['announced'].slug}/desk/check-in/")
    desk.get_by_label("Name or number").fill("сой")
    row = desk.locator(".door-row:visible")
    expect(row).to_have_count(1)
    row.click()
    expect(row).to_have_attribute("aria-pressed", "true")
    expect(desk.locator("#door-counts")).to_contain_text("1 / 8")
    assert desk.url.endswith("/check-in/")
    desk.reload()
    expect(desk.locator(".door-row[aria-pressed=true]")).to_have_count(1)


@pytest.mark.once
def test_door_works_without_script(new_browser, site, world):
    context = new_browser(java_script_enabled=False)
    pages.sign_in(context, site.url, "heron")
    page = context.new_page()
    page.goto(f"/{world['announced'].slug}/desk/check-in/")
    page.get_by_role("button", name="Сойка").click()
    expect(page.locator(".door-row[aria-pressed=true]")).to_have_count(1)


def test_two_players_of_a_draft_are_swapped_by_two_taps(desk, world):
    event = world["announced"]
    session = event.sessions.get(number=1)
    session.tournament = event
    draws.propose_random(event, session, by=make.organizer_of(event), seed="four winds")
    desk.goto(f"/{event.slug}/desk/draw/")
    seats = desk.locator("[data-swap]")
    before = [seats.nth(at).get_attribute("data-swap") for at in range(3)]
    seats.nth(0).click()
    expect(seats.nth(0)).to_have_attribute("aria-pressed", "true")
    seats.nth(2).click()
    expect(desk.get_by_text("1 change by hand")).to_be_visible()
    after = [seats.nth(at).get_attribute("data-swap") for at in range(3)]
    assert after == [before[2], before[1], before[0]]


@pytest.mark.once
def test_this_is_me_pins_own_row_and_seat_until_taken_back(new_browser, world):
    page = new_browser(viewport={"width": 390, "height": 600}).new_page()
    slug = world["running"].slug
    last = world["running"].standings.order_by("-position").first().player
    number = last.registration.number
    page.goto(f"/{slug}/player-{number}/")
    page.get_by_role("button", name="This is me").click()
    page.goto(f"/{slug}/standings/")
    expect(page.locator(f"#n{number} .name")).to_be_in_viewport()
    expect(page.get_by_role("complementary", name="My page")).to_contain_text(last.name)
    page.goto(f"/{slug}/seating/")
    expect(page.locator(".is-me")).to_have_count(1)
    page.get_by_role("button", name="Not me").click()
    expect(page.locator(".is-me")).to_have_count(0)


def test_new_hand_is_marked_where_it_changes_a_number(new_browser, world):
    page = new_browser().new_page()
    tournament = world["running"]
    page.goto(f"/{tournament.slug}/session-1/table-1/")
    expect(page.get_by_text("Live")).to_be_visible()
    protocol = Protocol.objects.select_related("table__session__tournament").get(
        table__session__tournament=tournament, table__number=1
    )
    make.record(protocol)
    recompute.recompute(tournament.pk, waits=True)
    expect(page.locator("#hand-3")).to_be_visible()
    expect(page.locator("#hand-3")).to_have_class(re.compile("is-changed"))
    assert page.locator("#hand-1 .is-changed").count() == 0


@pytest.mark.once
def test_code_of_a_tablet_counts_down(desk, world):
    desk.goto(f"/{world['running'].slug}/desk/tablets/")
    desk.get_by_role("button", name="Make a code").click()
    left = desk.locator("[data-code-left]")
    expect(left).to_have_text(re.compile(r"^04:5\d$"))
    before = left.text_content()
    expect(left).not_to_have_text(before)


def test_voided_hand_vanishes_from_the_spectators_page(new_browser, world):
    page = new_browser().new_page()
    tournament = world["running"]
    page.goto(f"/{tournament.slug}/session-1/table-1/")
    expect(page.locator("#hand-2")).to_be_visible()
    expect(page.get_by_text("Live")).to_be_visible()
    protocol = Protocol.objects.select_related("table__session__tournament").get(
        table__session__tournament=tournament, table__number=1
    )
    protocols.void_hand(
        protocol,
        number=2,
        intent=make.intent(protocol),
        by=make.referee_of(tournament),
        reason="It belongs to table 3.",
    )
    recompute.recompute(tournament.pk, waits=True)
    expect(page.locator("#hand-2")).to_have_count(0)
    expect(page.get_by_text("the history keeps both values")).to_be_visible()


@pytest.mark.once
def test_own_page_is_at_hand_once_it_was_opened(new_browser, world):
    page = new_browser().new_page()
    row = world["running"].registrations.get(number=2)
    row.tournament = world["running"]
    page.goto(f"/{world['running'].slug}/me/{link_of(row)}/")
    page.goto(f"/{world['running'].slug}/")
    page.get_by_role("complementary", name="My page").get_by_role("link", name=row.player.name).click()
    expect(page.get_by_text("This page is yours alone")).to_be_visible()


@pytest.mark.once
@pytest.mark.parametrize("width", [840, 1180, 1440])
def test_a_long_name_leaves_room_for_the_words_beside_it(new_browser, site, width):
    """Words of a list of people are broken between letters only where one alone is wider than its column."""
    of = make.tournament()
    by = make.organizer_of(of)
    for details in (
        registration.Details(name=LONG_NAME[:100], team="Драконы"),
        registration.Details(name="Анна Ким", country="HK", city="Гонконг", club="Дракон"),
    ):
        registration.register_player(of, details, by=by)
    context = new_browser(viewport={"width": width, "height": 900})
    pages.sign_in(context, site.url, of.created_by.username)
    page = context.new_page()
    page.goto(f"/{of.slug}/desk/people/")
    for word in ("Драконы", "Гонконг", "Дракон"):
        cell = page.get_by_role("cell", name=word, exact=True)
        lines = cell.evaluate(
            "(cell) => { const all = document.createRange(); all.selectNodeContents(cell);"
            " return all.getClientRects().length }"
        )
        assert lines == 1, word
    assert page.get_by_role("cell", name="—", exact=True).count() == 4
