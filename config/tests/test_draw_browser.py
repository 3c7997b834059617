"""A fixed draw from the wish to the redraw, in a browser, with everything an organizer does on the way."""

import re

import pytest
from django.templatetags.static import static
from playwright.sync_api import Page, expect

from seating.models import Draw
from seating.rules.random_draw import commitment, random_draw
from tournaments.models import Tournament
from tournaments.people.operations import registration
from tournaments.sessions.operations import play
from tournaments.standings.operations.verification import verify
from tournaments.tests import factories as make

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LONGEST = 120_000
CLUBS = ("Heron Club", "Plover Club", "Siskin Club", "Wren Club", "Thrush Club")


@pytest.fixture
def event(site) -> Tournament:
    """An announced event of forty players from five clubs, eight sessions long."""
    of = make.tournament(by=make.user("host"), sessions=8)
    by = make.organizer_of(of)
    for index in range(40):
        name = f"{make.BIRDS[index % 16]} {'ABC'[index // 16]}"
        registration.register_player(of, registration.Details(name=name, club=CLUBS[index % 5]), by=by)
    return of


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).first.click()


def sign_in(page: Page) -> None:
    page.goto("/accounts/login/")
    page.locator("input[name=login]").fill("host")
    page.locator("input[name=password]").fill("password")
    press(page, "Sign in")


RERUN = """async ([module, asked]) => {
  const { commitment, drawTables } = await import(module);
  const answers = [];
  for (const [seed, numbers, size, short] of asked) {
    const { tables, off } = await drawTables(seed, numbers, size, short);
    answers.push([tables, off, commitment(seed)]);
  }
  return answers;
}"""


@pytest.mark.once
def test_browser_agrees_with_the_server_on_a_thousand_seeds(page):
    """The visitor's browser gets the same tables by its own arithmetic. [SEATING 13]"""
    asked = [
        (
            f"секрет {seed}:{seed * 7}",
            list(range(1 + seed % 3, 5 + seed % 3 + seed % 97)),
            4 - seed % 50 // 48,
            [number for number in range(1, seed % 60) if number % 3] * (seed % 4),
        )
        for seed in range(1000)
    ]
    page.goto("/")
    answers = page.evaluate(RERUN, [static("js/draw.js"), asked])
    assert len(answers) == len(asked)
    for (seed, numbers, size, short), (tables, off, digest) in zip(asked, answers, strict=True):
        draw = random_draw(seed, numbers, size, short)
        assert (tuple(map(tuple, tables)), tuple(off)) == (draw.tables, draw.off)
        assert digest == commitment(seed)


def test_forty_players_are_drawn_read_swapped_published_and_drawn_anew(new_browser, event):
    desk = new_browser().new_page()
    sign_in(desk)
    wish(desk, event)
    read_the_report(desk, event)
    swap_two(desk, event)
    publish(desk)
    stranger = new_browser(viewport={"width": 390, "height": 844}).new_page()
    check_as_a_stranger(stranger, event)
    two_withdraw(event)
    redraw_the_rest(desk, event)
    read_the_news(stranger, event)
    assert verify(event) == []


def wish(desk: Page, event: Tournament) -> None:
    """Choose the plan and the clubs, and see what it comes to before drawing; then watch the bar."""
    desk.goto(f"/{event.slug}/desk/draw/")
    desk.locator("input[name=mode][value=fixed]").check(force=True)
    desk.locator("input[name=keep_apart][value=club]").check(force=True)
    foreseen = desk.locator("#foreseen")
    expect(foreseen.get_by_text("Sessions 1 to 8 are drawn at once.")).to_be_visible()
    expect(foreseen.get_by_text("Players of one club never need to meet.")).to_be_visible()
    desk.get_by_label("Seed").fill("forty")
    desk.locator("main form .button", has_text="Draw").first.click()
    expect(desk.get_by_text("Until it is published nobody sees the draw.")).to_be_visible(timeout=LONGEST)


def read_the_report(desk: Page, event: Tournament) -> None:
    """Clubs apart and winds even in words; the matrix has a row for each player."""
    report = desk.locator(".draft-report")
    expect(report.get_by_text("Nobody meets a player of the same club.")).to_be_visible()
    expect(report.get_by_text("Everybody has every wind equally often")).to_be_visible()
    desk.get_by_role("link", name="Who meets whom").click()
    expect(desk.locator("table.matrix tbody tr")).to_have_count(40)
    desk.get_by_role("link", name="Player by player").click()
    expect(desk.locator("table.matrix tbody tr")).to_have_count(40)


def swap_two(desk: Page, event: Tournament) -> None:
    """Two players of session 3 change places by two taps; the report follows; one more change is taken back."""
    desk.goto(f"/{event.slug}/desk/draw/?session=3")
    seats = desk.locator("[data-swap]")
    one, other = seats.nth(0).get_attribute("data-swap"), seats.nth(6).get_attribute("data-swap")
    seats.nth(0).click()
    expect(desk.locator("[data-swap-bar]")).to_be_visible()
    seats.nth(6).click()
    expect(desk.get_by_text("1 change by hand")).to_be_visible()
    expect(desk.locator("[data-swap]").nth(0)).to_have_attribute("data-swap", other)
    expect(desk.locator("#draft")).to_have_attribute("data-session", "3")
    expect(desk.locator(".draft-report .is-changed").first).to_be_visible()
    desk.locator("[data-swap]").nth(1).drag_to(desk.locator("[data-swap]").nth(9))
    expect(desk.get_by_text("2 changes by hand")).to_be_visible()
    press(desk, "Undo the last change")
    expect(desk.get_by_text("1 change by hand")).to_be_visible()
    tables = Draw.objects.get(state="draft").plan["3"]["tables"]
    assert (str(tables[0][0]), str(tables[1][2])) == (other, one)
    lock_from_the_keyboard(desk)


def lock_from_the_keyboard(desk: Page) -> None:
    """L locks the seat that has the focus, and unlocks it; the focus stays, and Esc lets go of who was taken."""
    seat = desk.locator("[data-swap]").nth(2)
    seat.focus()
    desk.keyboard.press("l")
    expect(desk.locator("[data-swap].is-pinned")).to_have_count(1)
    expect(seat).to_be_focused()
    desk.keyboard.press("l")
    expect(desk.locator("[data-swap].is-pinned")).to_have_count(0)
    expect(seat).to_be_focused()
    desk.keyboard.press("Enter")
    expect(seat).to_have_attribute("aria-pressed", "true")
    desk.keyboard.press("Escape")
    expect(seat).to_have_attribute("aria-pressed", "false")


def publish(desk: Page) -> None:
    press(desk, "Publish the draw")
    expect(desk.get_by_text("The seating is public.")).to_be_visible()


def check_as_a_stranger(page: Page, event: Tournament) -> None:
    """Anybody measures the published plan with the browser's own arithmetic."""
    page.goto(f"/{event.slug}/session-3/draw/")
    press(page, "Check this draw here")
    result = page.locator("[data-check-result]")
    expect(result.get_by_text("Everybody has exactly one place in every session.")).to_be_visible()
    expect(result.locator(".verdict-good")).to_have_count(4)
    expect(result.locator(".verdict-bad")).to_have_count(0)
    expect(page.get_by_text("After the draw 1 change was made by hand:")).to_be_visible()


def two_withdraw(event: Tournament) -> None:
    """The first session is begun; then two go home."""
    by = make.organizer_of(event)
    session = event.sessions.get(number=1)
    session.tournament = event
    play.start_session(session, by=by)
    for number in (7, 8):
        registration.withdraw(event.registrations.get(number=number), by=by, reason="Went home ill")


def redraw_the_rest(desk: Page, event: Tournament) -> None:
    """The desk says who has gone; the remaining sessions are drawn anew and the first stands."""
    first = sorted(event.sessions.get(number=1).seats.values_list("pk", flat=True))
    desk.goto(f"/{event.slug}/desk/draw/")
    expect(desk.get_by_text("Gone, but still seated:")).to_be_visible()
    desk.get_by_role("link", name="Redraw the remaining sessions").first.click()
    expect(desk.locator("input[name=keep_apart][value=club]")).to_be_checked()
    desk.get_by_label("Reason").fill("Two went home ill")
    desk.locator("main form .button-big", has_text="Draw").first.click()
    expect(desk.get_by_text("Until it is published nobody sees the draw.")).to_be_visible(timeout=LONGEST)
    expect(desk.get_by_role("heading", name=re.compile("sessions 2 to 8"))).to_be_visible()
    publish(desk)
    assert sorted(event.sessions.get(number=1).seats.values_list("pk", flat=True)) == first
    for session in event.sessions.filter(number__gte=2):
        numbers = session.seats.values_list("player__registration__number", flat=True)
        assert sorted(numbers) == [number for number in range(1, 41) if number not in (7, 8)]


def read_the_news(page: Page, event: Tournament) -> None:
    """The public page says what changed and why."""
    page.goto(f"/{event.slug}/session-2/")
    expect(page.get_by_text("the session was drawn anew")).to_be_visible()
    expect(page.get_by_text("Reason: Two went home ill")).to_be_visible()
