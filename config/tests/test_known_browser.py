"""Registering for the next event from the same device: the form is filled in from one's own page, if one presses. [RULES 9.38]"""

import pytest
from playwright.sync_api import expect

from config.tools.smoke import pages
from tournaments.models import Registration
from tournaments.people.operations import registration
from tournaments.tests import factories as make
from tournaments.web.access import link_of

pytestmark = pytest.mark.browser
SAID = {"name": "Хорнет Тилль", "city": "Рига", "country": "LV", "club": "Kites", "email": "h@example.org"}


@pytest.mark.once
@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_next_event_is_filled_in_from_the_own_page_of_the_last(new_browser, site, language):
    first, second = make.tournament(), make.tournament()
    details = registration.Details(**SAID, federation_ids={"EMA": "11110001"})
    row = registration.register_player(first, details, by=make.organizer_of(first))
    page = new_browser(viewport={"width": 390, "height": 844}, locale=language).new_page()
    page.goto(f"/{second.slug}/register/")
    expect(page.locator("[data-known]")).to_be_hidden()
    page.goto(f"/{first.slug}/me/{link_of(row)}/")
    page.goto(f"/{second.slug}/register/")
    assert page.locator("[name=name]").input_value() == ""
    page.get_by_role("button", name=SAID["name"]).click()
    expect(page.locator("[data-known-said]")).to_be_visible()
    seen = {name: page.locator(f"main [name={name}]").input_value() for name in [*SAID, "ema_number"]}
    assert seen == {**SAID, "ema_number": "11110001"}
    assert not page.locator("[name=consent]").is_checked()
    assert pages.faults_of(page) == []


@pytest.mark.once
def test_two_people_of_one_device_are_not_mixed_and_each_is_filled_in_as_last(new_browser, site):
    first, second, third = (make.tournament() for _ in range(3))
    wren = {"name": "Wren", "city": "Tartu"}
    links = []
    for of, said in ((second, {**SAID, "city": "Perm"}), (first, SAID), (first, wren)):
        row = registration.register_player(of, registration.Details(**said), by=make.organizer_of(of))
        links.append(f"/{of.slug}/me/{link_of(row)}/")
    Registration.objects.filter(tournament=second).update(created_at="2027-03-01T10:00Z")
    page = new_browser(locale="en").new_page()
    for link in links[:2]:
        page.goto(link)
    page.evaluate(
        "(me) => localStorage.setItem('four-winds/me/another', JSON.stringify(me))",
        {"number": "2", "name": "Wren", "url": links[2]},
    )
    page.goto(f"/{third.slug}/register/")
    page.locator("[name=comment]").fill("I come late")
    page.get_by_role("button", name=SAID["name"]).click()
    expect(page.locator("[name=city]")).to_have_value("Perm")
    page.get_by_role("button", name="Wren").click()
    expect(page.locator("[name=city]")).to_have_value("Tartu")
    seen = {name: page.locator(f"main [name={name}]").input_value() for name in [*SAID, "comment"]}
    assert seen == {**dict.fromkeys(SAID, ""), **wren, "comment": "I come late"}


@pytest.mark.once
def test_details_that_were_erased_are_not_filled_in(new_browser, site):
    first, second = make.tournament(), make.tournament()
    row = registration.register_player(first, registration.Details(**SAID), by=make.organizer_of(first))
    page = new_browser(locale="en").new_page()
    page.goto(f"/{first.slug}/me/{link_of(row)}/")
    Registration.objects.filter(pk=row.pk).update(link_version=row.link_version + 1)
    page.goto(f"/{second.slug}/register/")
    page.get_by_role("button", name=SAID["name"]).click()
    expect(page.get_by_text("The earlier details cannot be read now")).to_be_visible()
    assert page.locator("[name=name]").input_value() == ""
