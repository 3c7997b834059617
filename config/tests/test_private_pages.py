"""Pages that a private link opens: kept by nobody, told to nobody, and their forms work in a real browser."""

import pytest
from django.test import Client

from tournaments.models import Registration
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered
from tournaments.web.access import link_of


@pytest.fixture
@remembered
def own(db):
    """The registration of player number 1 of an announced tournament."""
    of = make.tournament()
    make.players(of, 4)
    return link_and_row(of)


def link_and_row(of) -> tuple[str, Registration]:
    row = of.registrations.get(number=1)
    row.tournament = of
    return f"/{of.slug}/me/{link_of(row)}/", row


def test_own_page_is_kept_and_listed_by_nobody(own):
    """[INTEGRITY 3]"""
    address, _ = own
    answer = Client().get(address)
    assert "no-store" in answer["Cache-Control"]
    assert answer["X-Robots-Tag"] == "noindex"
    assert answer["Referrer-Policy"] == "same-origin"


def test_page_with_a_players_e_mail_is_kept_by_nobody(own):
    _, row = own
    client = Client()
    client.force_login(row.tournament.created_by)
    answer = client.get(f"/{row.tournament.slug}/desk/people/1/")
    assert "no-store" in answer["Cache-Control"]


def test_public_page_may_be_kept(own):
    _, row = own
    assert "Cache-Control" not in Client().get(f"/{row.tournament.slug}/players/")


@pytest.mark.parametrize("token", ["é", "%00", "x" * 5000, "%F0%9F%80%80", ""])
def test_strange_link_leads_nowhere(own, token):
    """[INTEGRITY 143]"""
    _, row = own
    assert Client().get(f"/{row.tournament.slug}/me/1-{token}/").status_code == 404


@pytest.mark.browser
def test_player_withdraws_on_the_own_page(site, page):
    """A page without any referrer sends its forms from “null”, and those are refused."""
    of = make.tournament()
    make.players(of, 4)
    address, row = link_and_row(of)
    page.goto(address)
    page.get_by_text("Withdraw from the event").click()
    page.get_by_role("button", name="Withdraw", exact=True).click()
    page.get_by_text("You are off the list.").wait_for()
    assert Registration.objects.get(pk=row.pk).status == Registration.Status.CANCELLED
