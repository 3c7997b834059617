"""Whoever reads writes nothing: pages stay up for the staff while the database takes no writes. [INTEGRITY 4]"""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tournaments.models import Protocol
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db
WRITES = ("INSERT", "UPDATE", "DELETE")
PAGES = (
    "",
    "players/",
    "standings/",
    "seating/",
    "session-1/table-1/",
    "player-1/",
    "hall/",
    "prizes/",
    "prizes/diplomas/",
    "desk/",
    "desk/tables/",
)


@pytest.fixture
@remembered
def of():
    made = make.tournament()
    make.players(made, 4)
    session = make.in_play(made)
    make.record(Protocol.objects.select_related("table__session__tournament").get(table__session=session))
    return made


@pytest.mark.parametrize("page", PAGES)
def test_page_of_the_staff_writes_nothing(of, page):
    client = Client()
    client.post("/accounts/login/", {"login": of.created_by.username, "password": "password"})
    with CaptureQueriesContext(connection) as queries:
        assert client.get(f"/{of.slug}/{page}").status_code == 200
    assert [query["sql"] for query in queries if query["sql"].startswith(WRITES)] == []


def test_devices_signed_in_are_listed_and_signed_out_at_once(of):
    """[INTEGRITY 3]"""
    here, there = Client(), Client()
    for client in (here, there):
        client.post("/accounts/login/", {"login": of.created_by.username, "password": "password"})
    assert len(here.get("/accounts/sessions/").context["sessions"]) == 2
    here.post("/accounts/sessions/")
    assert here.get(f"/{of.slug}/desk/").status_code == 200
    assert there.get(f"/{of.slug}/desk/").status_code == 302
