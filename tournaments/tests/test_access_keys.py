"""A site's key is changed: what was made with the earlier one stays good until that one is taken out. [docs/OPERATE.md, Secrets]"""

import pytest
from django.test import Client

from tournaments.tests import factories as make
from tournaments.web import access

pytestmark = pytest.mark.django_db
NEW = "another-key-of-this-site-0123456789-abcdefghij"


def test_links_pins_and_codes_of_an_earlier_key_are_accepted_while_it_is_named(settings):
    of = make.tournament()
    row, *_ = make.players(of, 4)
    table = make.in_play(of).tables.first()
    address = f"/{of.slug}/me/{access.link_of(row)}/"
    pin, code = access.pin_of(row.player), access.table_code_of(table)

    def accepted() -> tuple[bool, bool, bool]:
        opened = Client().get(address).status_code == 200
        return opened, access.is_pin_of(row.player, pin), access.is_table_code(table, code)

    assert accepted() == (True, True, True)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = NEW, [settings.SECRET_KEY]
    assert accepted() == (True, True, True)
    assert access.link_of(row) not in address
    settings.SECRET_KEY_FALLBACKS = []
    assert accepted() == (False, False, False)
