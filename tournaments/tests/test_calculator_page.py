"""The calculator as a page: a link is the whole question, and what a browser keeps is the same arithmetic."""

import io
import re
import zipfile
from html import unescape

import pytest
from django.urls import reverse
from django.utils.html import strip_tags
from playwright.sync_api import expect

from scoring.calculator import answer
from scoring.presets import PRESETS
from tournaments.tests import factories as make

HAND = "123m 456p 789s 55p 12s 3s"


def shown(client, rules, **link):
    return client.get(reverse("tournaments:calculator", args=[rules]), link).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("rules", PRESETS)
def test_a_page_for_the_rules_of_every_preset(client, rules):
    """[RULES 1.1]"""
    page = shown(client, rules)
    assert answer({"rules": [rules]})["hint"] in page
    assert 'data-tile="m1"' in page


@pytest.mark.django_db
def test_a_link_shows_fans_dropped_fans_and_waits(client):
    """[RULES 1.1]"""
    page = re.sub(r"\s+", " ", strip_tags(shown(client, "mcr", hand=HAND)))
    assert "The discarder pays 22, each other player 8." in page
    assert "Mixed Straight" in page
    assert "Two Terminal Chows: 123s + 789s: joined by “Mixed Straight” and “Mixed Double Chow”" in page
    assert "Every other player pays 24." in page  # the same tile from the wall


@pytest.mark.django_db
def test_what_was_typed_stays_with_the_reason_why_it_is_no_hand(client):
    """[RULES 1.5]"""
    page = shown(client, "riichi_ema", hand="9q <b>", how="haitei")
    assert "There is no tile “9q”." in page
    assert 'value="9q &lt;b&gt;"' in page
    assert 'value="haitei" checked' in page


@pytest.mark.django_db
@pytest.mark.parametrize("link", [{"dora": "9q"}, {"ura": "zz"}, {"players": "x" * 50}, {"flowers": "²"}])
def test_whatever_else_is_typed_wrong_is_answered(client, link):
    """[RULES 1.1]"""
    page = client.get(reverse("tournaments:calculator", args=["riichi_ema"]), {"hand": HAND, **link})
    assert page.status_code == 200
    assert 'id="calculation"' in page.content.decode()


@pytest.mark.django_db
def test_the_words_are_those_of_the_system(client):
    """[RULES 1.1]"""
    client.cookies["django_language"] = "ru"
    assert "Тайлы руки, выигрышный последним" in shown(client, "riichi_ema")
    assert "Плитки руки, выигрышная последней" in shown(client, "siamese")
    assert "Отсутствующая масть" in shown(client, "wmsg")


@pytest.mark.django_db
def test_addresses_that_are_none(client):
    """[RULES 1.1]"""
    assert client.get("/calculator/").url == reverse("tournaments:calculator", args=[next(iter(PRESETS))])
    assert client.get("/calculator/none/").status_code == 404


@pytest.mark.django_db
def test_only_the_page_of_nobody_in_particular_may_be_kept(client):
    """[INTEGRITY 4]"""
    address = reverse("tournaments:calculator", args=["mcr"])
    assert "X-Offline-Copy" in client.get(address).headers
    client.force_login(make.user())
    assert "X-Offline-Copy" not in client.get(address).headers


@pytest.mark.django_db
def test_the_worker_alone_may_compile_and_gets_the_whole_arithmetic(client):
    """[INTEGRITY 4]"""
    worker = client.get(reverse("tournaments:calculator_worker"))
    assert "'wasm-unsafe-eval'" in worker["Content-Security-Policy"]
    assert (
        "wasm" not in client.get(reverse("tournaments:calculator", args=["mcr"]))["Content-Security-Policy"]
    )
    packed = client.get(reverse("tournaments:calculator_package")).content
    names = zipfile.ZipFile(io.BytesIO(packed)).namelist()
    assert {"scoring/calculator.py", "scoring/locale/ru/LC_MESSAGES/mcr.po"} <= set(names)
    assert not [name for name in names if "tests" in name]


@pytest.mark.django_db
def test_a_clause_leads_to_its_example_and_the_example_to_the_calculator(client):
    """[MCR scoring 1e] [RULES 8.20]"""
    clauses = client.get(reverse("tournaments:rulebook", args=["MCR"])).content.decode()
    page = client.get(reverse("tournaments:examples", args=["MCR"])).content.decode()
    to = re.search(r'id="mcr-fan-35".*?#(example-\d+)"', clauses, re.DOTALL)[1]
    example = page[page.index(f'id="{to}"') :]
    link = unescape(re.search(r'href="(/calculator/mcr/[^"]*)"', example)[1])
    calculated = re.sub(r"\s+", " ", strip_tags(client.get(link).content.decode()))
    assert "Knitted Straight" in calculated
    assert re.search(r"\d+ Knitted Straight", calculated)
    assert client.get(reverse("tournaments:examples", args=["SIAM"])).status_code == 404


@pytest.mark.browser
@pytest.mark.once
def test_tiles_are_tapped_and_a_saved_calculator_answers_alike_without_a_network(site, new_browser):
    """[RULES 1.1]"""
    browser = new_browser(viewport={"width": 390, "height": 844}, service_workers="allow")
    page = browser.new_page()
    page.goto("/calculator/mcr/")
    for tile in ("m1", "m2", "m3", "p4", "p5", "p6", "s7", "s8", "s9", "p5", "p5", "s1", "s2", "s3"):
        page.click(f"[data-tile={tile}]")
    answered = page.locator("#calculation")
    expect(answered).to_contain_text("The discarder pays 22")
    online, link = answered.inner_text(), page.url
    page.get_by_role("button", name="Save for offline use").click()
    expect(page.get_by_text("Works without a network on this device.")).to_be_visible(timeout=90_000)
    browser.set_offline(True)
    page.goto(link)
    expect(answered).to_contain_text("The discarder pays 22", timeout=90_000)
    assert answered.inner_text() == online
