"""Without Redis people still sign in and tablets are still admitted. [INTEGRITY 2] [INTEGRITY 5]"""

import json

import pytest
from django.test import Client

from tournaments.tables.operations import devices
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db


@pytest.fixture
def away(settings):
    """A Redis that does not answer."""
    settings.CACHES = {
        "default": {
            "BACKEND": "config.server.caches.ForgivingCache",
            "LOCATION": "redis://127.0.0.1:1/0",
            "OPTIONS": {"socket_timeout": 1, "socket_connect_timeout": 1},
        }
    }


def test_organizers_sign_in_while_redis_is_away(away):
    make.user("heron")
    answer = Client().post("/accounts/login/", {"login": "heron", "password": "password"})
    assert answer.status_code == 302
    wrong = Client().post("/accounts/login/", {"login": "heron", "password": "wrong"})
    assert wrong.status_code == 200


def test_tablets_are_admitted_by_typed_code_while_redis_is_away(away):
    of = make.tournament()
    code = devices.invite_device(of, name="Tablet 1", tables=[], by=make.organizer_of(of)).code
    address = f"/{of.slug}/api/admission/"
    send = lambda text: Client().post(address, json.dumps({"code": text}), content_type="application/json")  # noqa: E731
    assert send("AAAA BBBB").status_code == 410
    assert send(code).status_code == 201


def test_statistics_are_counted_while_redis_is_away(away):
    protocol = make.protocol()
    make.record(protocol)
    of = protocol.table.session.tournament
    assert "hands" in Client().get(f"/{of.slug}/statistics/").content.decode()
