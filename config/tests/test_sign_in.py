"""Signing in: slowed by account and never by address, by one door only, and leading nowhere but here. [INTEGRITY 3]"""

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


def sign_in(name: str, password: str, to: str = ""):
    return Client().post(f"{DOOR}{to}", {"login": name, "password": password})


def test_sign_in_is_slowed_by_account_and_not_by_address():
    make.user("heron"), make.user("wren")
    for turn in range(6):
        sign_in("heron", f"wrong {turn}")
    assert sign_in("heron", "password").status_code == 200
    assert sign_in("wren", "password").status_code == 302


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
