"""Signing in: slowed by account and never for others at the address, by one door only, and leading nowhere but here. [INTEGRITY 3]"""

import re
import time

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.apps import apps
from django.core import mail
from django.core.cache import cache
from django.test import Client

from config import accounts
from tournaments.models import UsedLimit, User
from tournaments.record import limits
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db
DOOR = "/accounts/login/"
HALL, ELSEWHERE = "198.51.100.7", "203.0.113.9"
SLOWED, WRONG, IN = 429, 200, 302


def sign_in(name: str, password: str, to: str = "", browser: Client | None = None, at: str = HALL) -> int:
    data = {"login": name, "password": password}
    return (browser or Client()).post(f"{DOOR}{to}", data, REMOTE_ADDR=at)


def status(*asked, **how) -> int:
    return sign_in(*asked, **how).status_code


def guess(name: str, times: int, **how) -> list[int]:
    return [status(name, f"wrong {turn}", **how) for turn in range(times)]


def numbered() -> Client:
    """A browser that has opened the page, as every browser of a person has."""
    browser = Client()
    browser.get(DOOR)
    assert browser.cookies["known"]["httponly"]
    return browser


def machine(name: str, times: int, *, at: str = HALL) -> None:
    """Guess with a fresh browser each time."""
    for turn in range(times):
        status(name, f"wrong {turn}", browser=numbered(), at=at)


def own_browser(name: str) -> Client:
    own = Client()
    assert status(name, "password", browser=own) == IN
    own.post("/accounts/logout/")
    return own


def reset_link() -> str:
    return re.search(r"http://testserver(/\S+)", mail.outbox[-1].body).group(1)


def test_guessing_is_slowed_by_account_and_says_for_how_long():
    make.user("heron"), make.user("wren")
    assert guess("heron", 6) == [WRONG] * 5 + [SLOWED]
    slowed = sign_in("heron", "password")
    assert (slowed.status_code, int(slowed["Retry-After"]) in range(50, 61)) == (SLOWED, True)
    page = slowed.content.decode()
    assert f"wait {slowed['Retry-After']} s" in page
    assert 'value="heron"' in page
    assert status("wren", "password") == IN


def test_after_the_wait_there_is_one_more_try(monkeypatch):
    make.user("heron")
    guess("heron", 5)
    now = time.time()
    monkeypatch.setattr(limits, "time", lambda: now + 61)
    assert [status("heron", "wrong"), status("heron", "password")] == [WRONG, SLOWED]


def test_hundreds_of_other_names_make_nothing_forgotten():
    """A cache that held 300 entries forgot the account meanwhile."""
    make.user("heron")
    guess("heron", 5)
    for turn in range(400):
        limits.use(*accounts.limits_for(asked(ELSEWHERE), {"username": f"nobody {turn}"}))
    cache.clear()
    assert status("heron", "password") == SLOWED


def asked(address: str):
    from django.test import RequestFactory

    return RequestFactory().post(DOOR, REMOTE_ADDR=address)


def test_names_are_not_stored():
    guess("my secret password", 1)
    kept = "".join(UsedLimit.objects.values_list("key", flat=True))
    assert UsedLimit.objects.count() == 3
    assert re.fullmatch("[0-9a-f]{96}", kept)


def test_right_passwords_use_up_nothing():
    make.user("heron")
    assert [status("heron", "password") for _ in range(30)] == [IN] * 30


def test_unknown_names_are_slowed_like_known_ones():
    make.user("heron")
    assert guess("nobody", 7) == guess("heron", 7)


def test_a_stranger_at_the_hall_uses_up_no_try_of_a_known_browser():
    make.user("heron")
    own = own_browser("heron")
    machine("heron", 40)
    assert status("heron", "password", browser=own) == IN


def test_somebody_who_types_guesses_in_the_hall_leaves_a_new_tablet_alone():
    make.user("heron")
    assert guess("heron", 12, browser=numbered())[-1] == SLOWED
    assert guess("heron", 12)[-1] == SLOWED
    assert status("heron", "password", browser=numbered()) == IN


def test_a_machine_elsewhere_leaves_a_new_tablet_alone():
    make.user("heron")
    machine("heron", 60, at=ELSEWHERE)
    assert status("heron", "password", browser=numbered()) == IN


def test_many_addresses_together_are_slowed_too():
    make.user("heron")
    for place in range(61):
        guess("heron", 1, at=f"203.0.113.{place}")
    assert status("heron", "password", at="192.0.2.1") == SLOWED


def test_households_of_ipv6_are_one_address_each():
    make.user("heron")
    for place in range(5):
        guess("heron", 1, at=f"2001:db8:1:2::{place:x}")
    assert status("heron", "password", at="2001:db8:1:2:ffff::1") == SLOWED
    assert status("heron", "password", at="2001:db8:1:3::1") == IN


def test_a_machine_in_the_hall_cannot_keep_the_owner_from_the_link(client):
    User.objects.filter(pk=make.user("heron").pk).update(email="heron@example.org")
    machine("heron", 70)
    tablet = numbered()
    assert status("heron", "password", browser=tablet) == SLOWED
    tablet.post("/accounts/password/reset/", {"email": "heron@example.org"})
    form = tablet.get(reset_link())["Location"]
    new = {"password1": "seven winds of change", "password2": "seven winds of change"}
    assert tablet.post(form, new)["Location"] == "/"
    assert tablet.get("/new/").status_code == 200
    assert status("heron", new["password1"], browser=numbered()) == IN


def test_a_known_browser_is_slowed_as_well():
    make.user("heron")
    own = own_browser("heron")
    guess("heron", 5, browser=own)
    assert status("heron", "password", browser=own) == SLOWED


def test_knowing_one_owner_gives_no_tries_at_another():
    make.user("heron"), make.user("wren")
    own = own_browser("wren")
    assert guess("heron", 6, browser=own)[-1] == SLOWED


def test_name_and_e_mail_are_tries_at_one_account():
    User.objects.filter(pk=make.user("heron").pk).update(email="heron@example.org")
    guess("heron", 3), guess("heron@example.org", 2)
    assert status("heron", "password") == SLOWED
    assert status("HERON@example.org", "password") == SLOWED


def test_an_address_named_by_hundreds_of_accounts_is_tried_at_three():
    """Anybody may name anybody's address."""
    for number in range(5):
        User.objects.filter(pk=make.user(f"u{number}").pk).update(email="heron@example.org")
    assert [user.username for user in accounts.owners_of("heron@example.org")] == ["u0", "u1", "u2"]
    Client().post("/accounts/password/reset/", {"email": "heron@example.org"})
    assert len(mail.outbox) == 3


@pytest.mark.parametrize("cookie", ["", "x", "é", "abc:1", ":", "abc:1:sig", "0123456789abcdef:1:x:y"])
def test_a_forged_memory_is_no_memory(cookie):
    make.user("heron")
    guess("heron", 5)
    browser = Client()
    browser.cookies["known"] = cookie
    assert status("heron", "password", browser=browser) == SLOWED


def test_codes_of_the_second_factor_are_counted_in_the_database(monkeypatch):
    TOTP.activate(make.user("heron"), generate_totp_secret())
    browser = Client()
    sign_in("heron", "password", browser=browser)
    send = lambda: browser.post("/accounts/2fa/authenticate/", {"code": "000000"})  # noqa: E731
    for _ in range(5):
        send()
    cache.clear()
    assert "Too many failed" in send().content.decode()


def test_a_browser_without_a_number_is_given_one_by_the_tablets_page():
    of = make.tournament()
    browser = Client()
    browser.get(f"/{of.slug}/tablet/")
    assert len(browser.cookies["known"].value) > 16


def test_operators_sign_in_by_the_same_door():
    """There is no other: Django's own administration is not installed. [INTEGRITY 3]"""
    User.objects.filter(pk=make.user("boss").pk).update(is_staff=True, is_superuser=True)
    answer = Client().get("/operator/")
    assert answer.status_code == 302
    assert answer["Location"].startswith(DOOR)
    assert Client().get("/site-admin/").status_code == 404
    assert not apps.is_installed("django.contrib.admin")


@pytest.mark.parametrize(
    "address", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "/\\evil.example"]
)
def test_sign_in_leads_to_no_other_site(address):
    """[INTEGRITY 158]"""
    make.user("heron")
    answer = sign_in("heron", "password", f"?next={address}")
    assert answer["Location"] == "/"
