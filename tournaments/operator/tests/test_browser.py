"""A day of an operator in a browser, by what can be read on the pages: a spammer, an orphan, a person."""

import json

import pytest
from django.test import Client

from config.tools.smoke import pages
from tournaments.models import AbuseReport, OperatorEntry, Player, Role, Tournament, User
from tournaments.operator import operations
from tournaments.people.operations import registration as people
from tournaments.people.operations.registration import Details
from tournaments.tests import factories as make

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WHY = "Advertising, not an event"


def signed_in(new_browser, site, who: User, **options):
    """Open a browser in which somebody is signed in."""
    client = Client()
    client.force_login(who)
    context = new_browser(**options)
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": site.url}])
    return context.new_page()


def act(page, title: str, button: str, **said: str) -> None:
    """Open an act, fill in its fields by their labels, and press its button."""
    page.get_by_text(title, exact=True).first.click()
    form = page.locator("form").filter(has=page.get_by_role("button", name=button, exact=True))
    for label, text in said.items():
        form.get_by_label(label).fill(text)
    form.get_by_role("button", name=button, exact=True).click()


def registered(of: Tournament, name: str, **said: str) -> Player:
    row = people.register_player(of, Details(name=name, **said), by=make.organizer_of(of))
    return Player.objects.get(pk=row.player_id)


def test_a_spammer_an_orphan_and_a_person(site, new_browser):
    boss, spammer, heir = make.operator(), make.user("cheaptiles"), make.user("heir")
    spam = make.tournament(by=spammer)
    orphan, other = make.tournament(), make.tournament()
    Role.objects.filter(tournament=orphan).delete()
    mira = [registered(of, "Mira Zimorodok", city="Almaty") for of in (orphan, other)]
    egret = registered(other, "Egret", email="egret@example.org")

    # A visitor reports the page.
    visitor = new_browser().new_page()
    visitor.goto(f"/{spam.slug}/")
    visitor.get_by_role("link", name="Report this page").click()
    visitor.get_by_label("Advertising, or not an event at all").check()
    visitor.get_by_label("In your words").fill("This is a shop and nothing else.")
    visitor.get_by_role("button", name="Send the report").click()
    visitor.get_by_text("The site's operator will look at it").wait_for()

    # The operator finds the report from the account menu, blocks the account and closes its pages.
    page = signed_in(new_browser, site, boss)
    page.goto("/")
    page.locator("summary").filter(has_text=boss.username).click()
    page.get_by_role("link", name="Running the site").click()
    page.locator("main").get_by_role("link", name="Reports of abuse").click()
    page.get_by_text("This is a shop and nothing else.").wait_for()
    page.get_by_role("link", name=spam.name).click()
    page.get_by_role("link", name="cheaptiles").first.click()
    page.get_by_text("Block", exact=True).click()
    page.get_by_label("are closed to strangers").check()
    form = page.locator("form").filter(has=page.get_by_role("button", name="Block the account"))
    form.get_by_label("Reason").fill(WHY)
    form.get_by_role("button", name="Block the account").click()
    page.get_by_text("The account is blocked and signed out everywhere.").wait_for()
    assert visitor.goto(f"/{spam.slug}/").status == 404
    page.get_by_role("link", name="Reports").click()
    act(page, "Close it", "Close the report", Reason="The account is blocked")
    page.get_by_text("The report is closed.").wait_for()

    # An event without an organizer is given to somebody.
    page.get_by_role("link", name="Overview").click()
    page.get_by_role("link", name="Events without an organizer").click()
    page.get_by_role("link", name=orphan.name).click()
    page.get_by_text("Nobody who can sign in organizes this event").wait_for()
    act(
        page,
        "Hand it over",
        "Hand it over",
        **{"User name of the new organizer": "heir", "Reason": "The organizer has left us"},
    )
    page.get_by_text("The event has a new organizer.").wait_for()
    assert signed_in(new_browser, site, heir).goto(f"/{orphan.slug}/desk/").status == 200

    # A person is erased in both events, and another's data is exported.
    page.get_by_role("link", name="Persons").click()
    page.get_by_role("searchbox").fill("zimorodok")
    page.get_by_role("button", name="Find").click()
    page.get_by_role("link", name="Mira Zimorodok").first.click()
    for box in page.get_by_role("checkbox").all():
        box.check()
    page.get_by_label("Type the person's name").fill("Mira Zimorodok")
    page.get_by_label("Reason").fill("Asked for it by letter")
    page.get_by_role("button", name="Erase the person for good").click()
    page.get_by_text("The person is erased in 2 events.").wait_for()
    assert [Player.objects.get(pk=row.pk).name for row in mira] == ["", ""]
    page.get_by_role("searchbox").fill("egret")
    page.get_by_role("button", name="Find").click()
    page.get_by_role("link", name="Egret").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    data = json.loads(download.value.path().read_text())
    assert (data["player"]["name"], data["player"]["email"]) == ("Egret", egret.email)

    # Everything is told in the log.
    page.get_by_role("link", name="Log", exact=True).click()
    for words in (WHY, "The organizer has left us", "Asked for it by letter", "Person's data exported"):
        page.get_by_role("list").get_by_text(words).first.wait_for()
    assert OperatorEntry.objects.count() == 7


@pytest.mark.parametrize(
    ("size", "theme", "language"),
    [("phone", "dark", "ru"), ("laptop", "light", "en")],
    ids=["phone", "laptop"],
)
def test_the_operators_pages_are_fit_for_everybody(site, new_browser, size, theme, language):
    """They fit, and axe finds nothing. [WCAG]"""
    boss, of = make.operator(), make.tournament(by=make.user("heron"))
    player = registered(of, "Mira Zimorodok", city="Almaty", email="mira@example.org")
    AbuseReport.objects.create(tournament=of, kind="spam", text="This is a shop and nothing else.")
    operations.set_listing(of, "hidden", by=make.actor(boss, "operator"), reason=WHY)
    look = {"size": size, "theme": theme, "language": language}
    page = signed_in(new_browser, site, boss, **pages.context_options(look))
    faults = []
    for path in (
        "", "accounts/", f"accounts/{of.created_by_id}/", "events/", f"events/{of.pk}/", "reports/",
        "persons/?q=mira", f"persons/{player.pk}/", "log/",
    ):  # fmt: skip
        page.goto(f"/operator/{path}")
        for act_of_page in page.locator("details.disclosure").all():
            act_of_page.evaluate("element => element.open = true")
        faults += [f"{path}: {fault}" for fault in pages.faults_of(page)]
    assert faults == []


def test_an_account_is_deleted_by_its_owner(site, new_browser):
    user = make.user("leaver")
    page = signed_in(new_browser, site, user)
    page.goto("/")
    page.locator("summary").filter(has_text="leaver").click()
    page.get_by_role("link", name="Your data").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download my data").click()
    assert json.loads(download.value.path().read_text())["account"]["username"] == "leaver"
    page.get_by_text("Delete my account").click()
    page.get_by_label("Your password").fill("password")
    page.get_by_role("button", name="Delete for good").click()
    page.get_by_text("Your account is deleted.").wait_for()
    assert not User.objects.filter(username="leaver").exists()
