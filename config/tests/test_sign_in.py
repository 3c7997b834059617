"""Signing in: slowed by account and never for others at the address, by one door only, and leading nowhere but here. [INTEGRITY 3]"""

import pytest
from django.contrib import admin
from django.core.cache import cache
from django.test import Client

from tournaments.models import User
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db
DOOR = "/accounts/login/"


@pytest.fixture(autouse=True)
def forgotten():
    cache.clear()
    yield
    cache.clear()


def sign_in(name: str, password: str, to: str = "", browser: Client | None = None, at: str = "192.0.2.1"):
    data = {"login": name, "password": password}
    return (browser or Client()).post(f"{DOOR}{to}", data, REMOTE_ADDR=at)


def guess(name: str, times: int, **how: str) -> None:
    for turn in range(times):
        sign_in(name, f"wrong {turn}", **how)


def test_sign_in_is_slowed_by_account_and_not_by_address():
    make.user("heron"), make.user("wren")
    guess("heron", 6)
    assert sign_in("heron", "password").status_code == 200
    assert sign_in("wren", "password").status_code == 302


def test_a_stranger_at_the_same_address_does_not_keep_the_owner_out_of_a_known_browser():
    make.user("heron")
    own = Client()
    assert sign_in("heron", "password", browser=own).status_code == 302
    own.post("/accounts/logout/")
    guess("heron", 40)
    assert sign_in("heron", "password", browser=own).status_code == 302


def test_a_stranger_elsewhere_does_not_keep_the_owner_out_of_a_new_tablet():
    make.user("heron")
    guess("heron", 40, at="203.0.113.9")
    assert sign_in("heron", "password", at="198.51.100.7").status_code == 302


def test_many_addresses_together_are_slowed_too():
    make.user("heron")
    for place in range(30):
        guess("heron", 1, at=f"203.0.113.{place}")
    assert sign_in("heron", "password", at="198.51.100.7").status_code == 200


def test_a_known_browser_is_slowed_as_well():
    make.user("heron")
    own = Client()
    sign_in("heron", "password", browser=own)
    own.post("/accounts/logout/")
    for turn in range(5):
        sign_in("heron", f"wrong {turn}", browser=own)
    assert sign_in("heron", "password", browser=own).status_code == 200


def test_knowing_one_owner_gives_no_tries_at_another():
    make.user("heron"), make.user("wren")
    own = Client()
    sign_in("wren", "password", browser=own)
    own.post("/accounts/logout/")
    guess("heron", 5)
    assert sign_in("heron", "password", browser=own).status_code == 200


def test_name_and_e_mail_are_tries_at_one_account():
    User.objects.filter(pk=make.user("heron").pk).update(email="heron@example.org")
    guess("heron", 3), guess("heron@example.org", 2)
    assert sign_in("heron", "password").status_code == 200


@pytest.mark.parametrize("cookie", ["", "x", "é", "abc:1", ":", "abc:1:sig"])
def test_a_forged_memory_is_no_memory(cookie):
    make.user("heron")
    guess("heron", 5)
    browser = Client()
    browser.cookies["known"] = cookie
    assert sign_in("heron", "password", browser=browser).status_code == 200


def test_administrators_sign_in_by_the_same_door():
    User.objects.filter(pk=make.user("boss").pk).update(is_staff=True, is_superuser=True)
    answer = Client().post("/site-admin/login/", {"username": "boss", "password": "password"})
    assert answer.status_code == 302
    assert answer["Location"].startswith(DOOR)


def test_administrators_change_no_score():
    """Nothing of the record is registered there. [INTEGRITY 3]"""
    ours = {"tournaments", "seating", "penalties"}
    assert [model for model in admin.site._registry if model._meta.app_label in ours] == []


@pytest.mark.parametrize(
    "address", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "/\\evil.example"]
)
def test_sign_in_leads_to_no_other_site(address):
    """[INTEGRITY 158]"""
    make.user("heron")
    answer = sign_in("heron", "password", f"?next={address}")
    assert answer["Location"] == "/"
