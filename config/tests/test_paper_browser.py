"""Protocols on paper: a sheet a table, each on one page of A4, whatever the system and the language; diplomas likewise."""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from config.tests.test_tablet_browser import protocol_of, sign_in
from scoring.presets import PRESETS
from tournaments.models import Player, Protocol, Role, Team
from tournaments.standings.operations import recompute
from tournaments.tests import factories as make
from tournaments.tests.arithmetic_vectors import HOUSE, NEAREST
from tournaments.web.access import pin_of

pytestmark = [pytest.mark.browser, pytest.mark.once]
SYSTEMS = [("sbr", 4), ("sbr", 3), ("wmsg", 4), ("mcr", 4), ("siamese", 3), ("red", 4), ("red", 2), ("riichi_ema", 4), ("riichi_festival", 4)]  # fmt: skip


def pages_of(page, name):
    """Count the pages on which the page would be printed; KEEP names a folder to look at them."""
    data = page.pdf(prefer_css_page_size=True, print_background=False)
    if folder := os.environ.get("KEEP"):
        (Path(folder) / f"{name}.pdf").write_bytes(data)
    return len(re.findall(rb"/Type\s*/Page\b", data))


def longest_name(protocol):
    """Give the player at East the longest name that the software takes."""
    player = protocol.table.seats.get(wind="E").player
    Player.objects.filter(pk=player.pk).update(name="Прокофьев-Воскресенский " * 4)


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(("preset", "seats"), SYSTEMS)
def test_a_blank_protocol_fits_one_page(new_browser, site, preset, seats, language):
    protocol = protocol_of(preset, seats)
    longest_name(protocol)
    context = new_browser(locale=language)
    sign_in(context, make.staff(protocol.table.session.tournament, "referee"), site.url)
    page = context.new_page()
    page.goto(f"/{protocol.table.session.tournament.slug}/desk/sessions/1/sheets/table-1/")
    expect(page.locator(".paper .qr svg")).to_be_visible()
    for seat in protocol.table.seats.select_related("player"):
        expect(page.locator(".paper")).to_contain_text(seat.player.name.strip())
    assert pages_of(page, f"blank-{preset}-{seats}-{language}") == 1


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_blank_protocol_with_all_house_rules_of_riichi_fits_one_page(new_browser, site, language):
    protocol = protocol_of(
        "riichi_ema", system_rules=PRESETS["riichi_ema"].regulation.system_rules | HOUSE | NEAREST
    )
    context = new_browser(locale=language)
    sign_in(context, make.staff(protocol.table.session.tournament, "referee"), site.url)
    page = context.new_page()
    page.goto(f"/{protocol.table.session.tournament.slug}/desk/sessions/1/sheets/table-1/")
    expect(page.locator(".paper-reminder li")).to_have_count(7)
    assert pages_of(page, f"blank-house-{language}") == 1


def test_blank_protocols_of_a_session_are_a_page_a_table(new_browser, site):
    of = make.tournament("sbr")
    make.players(of, 12)
    make.seated(of)
    context = new_browser()
    sign_in(context, make.staff(of, "scorer"), site.url)
    page = context.new_page()
    page.goto(f"/{of.slug}/desk/sessions/1/sheets/")
    expect(page.locator(".paper")).to_have_count(3)
    assert pages_of(page, "session") == 3


def test_a_filled_protocol_of_two_pages_has_its_result_after_the_last_hand_alone(new_browser, site):
    """A footer of the table would be printed on every page, and the first one would look finished."""
    protocol = protocol_of("sbr", 4)
    for _ in range(20):
        make.record(protocol)
    page = new_browser().new_page()
    page.goto(f"/{protocol.table.session.tournament.slug}/session-1/table-1/print/")
    page.emulate_media(media="print")
    foot = page.locator(".paper-filled tfoot")
    assert foot.evaluate("one => getComputedStyle(one).display") == "table-row-group"
    expect(page.locator(".paper-lines")).to_have_count(20)
    assert pages_of(page, "filled") > 1


def test_players_cards_carry_the_code_and_the_pin(new_browser, site):
    of = make.tournament("sbr")
    rows = make.players(of, 12)
    type(of).objects.filter(pk=of.pk).update(asks_pin=True)
    context = new_browser()
    sign_in(context, of.created_by, site.url)
    page = context.new_page()
    page.goto(f"/{of.slug}/desk/people/cards/")
    cards = page.locator(".paper-card")
    expect(cards).to_have_count(12)
    for card, row in zip(cards.all(), rows, strict=True):
        expect(card).to_contain_text(row.player.name)
        expect(card.locator(".paper-pin")).to_have_text(pin_of(row.player))
        expect(card.locator(".qr svg")).to_be_visible()
    assert pages_of(page, "cards") == 2


def test_a_filled_protocol_is_printed_with_its_digest(new_browser):
    protocol = protocol_of("sbr")
    for fans in (0, 1, 2, 3) * 2:
        make.record(protocol, make.east_from_south(fans))
    make.settle(protocol.table.session)
    page = new_browser().new_page()
    page.goto(f"/{protocol.table.session.tournament.slug}/session-1/table-1/print/")
    expect(page.locator(".digest")).to_contain_text(protocol.history.order_by("-number").first().digest)
    expect(page.locator("tbody tr")).to_have_count(8)
    assert pages_of(page, "filled") == 1


@pytest.mark.parametrize("language", ["en", "ru"])
def test_diplomas_are_a_page_each_however_long_the_names(new_browser, site, language):
    best = {"by": "team", "mode": "sum", "best": None, "ranking": ["game_points"]}
    of = make.tournament(sessions=1, group_tables=[best])
    team = Team.objects.create(tournament=of, name=("Четыре благородных " * 6)[:99] + "х")
    for row in make.players(of, 12):
        name = f"{row.number} " + "Прокофьев-Воскресенский " * 4
        Player.objects.filter(pk=row.player_id).update(name=name[:99] + "й", team=team)
    type(of).objects.filter(pk=of.pk).update(name="Международный турнир по спортивному маджонгу " * 2)
    session = make.in_play(of)
    for protocol in Protocol.objects.filter(table__session=session).select_related(
        "table__session__tournament"
    ):
        make.record(protocol)
    recompute.recompute_all(of)
    context = new_browser(locale=language)
    sign_in(context, make.staff(of, "chief_referee"), site.url)
    page = context.new_page()
    page.goto(f"/{of.slug}/prizes/diplomas/")
    count = page.locator(".diploma").count()
    assert count == 3 + 1
    assert pages_of(page, f"diplomas-{language}") == count
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 1123, "height": 794})
    beyond = page.locator(".diploma-frame").evaluate_all(
        "all => all.map((one) => one.parentElement.scrollHeight - one.parentElement.clientHeight)"
    )
    assert beyond == [0] * count


PRINTS = [
    ("badges/?sheet=cards", 2, ".name-badge"), ("badges/?sheet=a7", 2, ".name-badge"), ("badges/?sheet=a6", 3, ".name-badge"),
    ("badges/?sheet=pair", 6, ".name-badge"), ("badges/?who=staff", 1, ".name-badge"), ("table-cards/?form=tent", 3, ".stand-card"),
    ("table-cards/?form=a5", 3, ".stand-card"), ("table-cards/?form=a6", 1, ".stand-card"), ("timetable/", 1, ".sheet"),
    ("timetable/?paper=a5", 1, ".sheet"), ("standings/", 3, ".sheet"), ("standings/?paper=a5", 4, ".sheet"),
]  # fmt: skip


@pytest.mark.parametrize("language", ["en", "ru"])
def test_what_an_event_prints_keeps_to_its_sheets_however_long_the_names(new_browser, site, language):
    """Nothing of a badge or a card is cut off, nothing leaves its sheet, and every print has as many pages as it says."""
    of = _with_the_longest_names()
    context = new_browser(locale=language)
    sign_in(context, of.created_by, site.url)
    page = context.new_page()
    for address, pages, box in PRINTS:
        page.goto(f"/{of.slug}/desk/prints/{address}")
        cut = page.locator(box).evaluate_all(
            "all => all.filter(one => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1).length"
        )
        assert (address, cut) == (address, 0)
        name = re.sub(r"\W+", "-", address).strip("-")
        assert (address, pages_of(page, f"{name}-{language}")) == (address, pages)


def _with_the_longest_names():
    best = {"by": "team", "mode": "sum", "best": None, "ranking": ["game_points"]}
    of = make.tournament(sessions=1, group_tables=[best])
    team = Team.objects.create(tournament=of, name=("Четыре благородных " * 6)[:99] + "х")
    for row in make.players(of, 12):
        name = f"{row.number} " + ("Прокофьев-Воскресенский " * 4 if row.number % 3 else "Siskin")
        Player.objects.filter(pk=row.player_id).update(
            name=name[:100].strip(), team=team, country="RU", club=("Общество любителей маджонга " * 4)[:100]
        )
    Role.objects.create(tournament=of, user=make.user(), kind="referee", name="Прокофьев-Воскресенский " * 4)
    type(of).objects.filter(pk=of.pk).update(name="Международный турнир по спортивному маджонгу " * 2)
    session = make.in_play(of)
    for protocol in Protocol.objects.filter(table__session=session).select_related(
        "table__session__tournament"
    ):
        make.record(protocol)
    recompute.recompute_all(of)
    return of


@pytest.mark.parametrize("language", ["en", "ru"])
def test_guides_of_referees_and_scorers_are_one_page(new_browser, site, language):
    page = new_browser(locale=language).new_page()
    for guide, pages in (("referee", 1), ("scorer", 1), ("organizer", 4)):
        page.goto(f"/help/guide-{guide}/")
        load = "all => Promise.all(all.map((one) => { one.loading = 'eager'; return one.decode(); }))"
        page.locator(".guide img").evaluate_all(load)
        assert pages_of(page, f"guide-{guide}-{language}") <= pages, guide
