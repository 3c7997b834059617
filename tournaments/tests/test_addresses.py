"""Codes and links for other devices carry an address that they can open, or say that there is none."""

import pytest
from django.test import Client

from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db
WARNING = "This address opens only on this computer"


@pytest.fixture
@remembered
def of():
    return make.tournament()


def tablets(of, host):
    client = Client(headers={"host": host, "accept-language": "en"})
    client.force_login(of.created_by)
    return client.post(f"/{of.slug}/desk/tablets/", {"name": "Tablet", "tables": ""}).content.decode()


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000"])
def test_a_code_that_only_this_computer_could_open_says_so(of, host):
    page = tablets(of, host)
    assert f"http://{host}/{of.slug}/tablet/" in page
    assert WARNING in page
    assert "python3 run.py --lan" in page


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000"])
def test_a_site_in_a_network_puts_its_address_there_into_the_code(of, host, settings):
    settings.LAN_ADDRESSES = ["192.168.7.5", "10.0.0.2"]
    page = tablets(of, host)
    assert f"http://192.168.7.5:8000/{of.slug}/tablet/" in page
    assert host not in page
    assert WARNING not in page


def test_a_site_under_a_name_of_its_own_keeps_it(of, settings):
    settings.LAN_ADDRESSES = ["192.168.7.5"]
    page = tablets(of, "testserver")
    assert f"http://testserver/{of.slug}/tablet/" in page
    assert WARNING not in page
