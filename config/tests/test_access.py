"""Every address × method × role: who is let in is what the table of capabilities says, and nothing is without a row."""

import re
from typing import get_args

import pytest
from django.test import Client
from django.urls import URLPattern, get_resolver

from config.tests.scene import OURS, client_of, ours, patterns, set_scene
from tournaments.models import Device
from tournaments.record.actors import digest_of
from tournaments.tables.operations import devices
from tournaments.tests import factories as make
from tournaments.web.access import (
    ANYBODY,
    CAPABILITIES,
    DEVICE,
    PLAYER,
    ForAccounts,
)

OTHERS = {
    "account": "django-allauth: one's own account",
    "mfa": "django-allauth: one's own second factor",
    "usersessions": "django-allauth: one's own sessions",
}
OPEN = {
    "alive",
    "ready",
    "robots",
    "favicon",
    "messages",
    "set_language",
    "set_theme",
    "styleguide",
}
FOR_OPERATORS = {
    "metrics",
    "operator-health",
    "operator-test-mail",
}


def test_every_address_has_a_row():
    """A page without the decorator is open to everybody by accident; there is none."""
    without = [name for name, entry in ours() if not hasattr(entry.callback, "access")]
    assert without == []


def test_every_address_that_is_not_ours_is_known():
    unknown = []
    for name, entry in patterns(get_resolver()):
        first = re.split("[:_]", name)[0]
        if (
            first not in OURS
            and name not in OPEN | FOR_OPERATORS
            and first not in OTHERS
            and not is_library(entry)
        ):
            unknown.append(name)
    assert unknown == []


def is_library(entry: URLPattern) -> bool:
    module = getattr(entry.callback, "__module__", "")
    return module.startswith("allauth.")


NOT_FOR = {
    "change_tournament": "chief_referee referee scorer committee device player anyone signed_in operator",
    "grant_roles": "chief_referee referee scorer committee device player anyone signed_in operator",
    "close_tournament": "chief_referee referee scorer committee device player anyone signed_in operator",
    "manage_people": "referee scorer committee device player anyone signed_in operator",
    "check_in": "committee device player anyone signed_in operator",
    "draw": "referee scorer committee device player anyone signed_in operator",
    "run_sessions": "referee scorer committee device player anyone signed_in operator",
    "admit_devices": "referee scorer committee device player anyone signed_in operator",
    "correct_hands": "organizer scorer committee device player anyone signed_in operator",
    "judge": "organizer scorer committee device player anyone signed_in operator",
    "see_judging": "scorer device player anyone signed_in operator",
    "give_penalties": "organizer scorer device player anyone signed_in operator",
    "approve_penalties": "scorer device player anyone signed_in operator",
    "seat_substitutes": "scorer committee device player anyone signed_in operator",
    "adjust": "organizer referee scorer committee device player anyone signed_in operator",
    "take_appeals": "scorer device player anyone signed_in operator",
    "rule_appeals": "organizer referee scorer device player anyone signed_in operator",
    "record_hands": "committee player anyone signed_in operator",
    "see_tables": "committee player anyone signed_in operator",
    "see_desk": "device player anyone signed_in operator",
    "see_history": "scorer device player anyone signed_in operator",
    "create_tournament": "device player anyone operator",
    "own_account": "device player anyone operator",
    "operate_site": "organizer chief_referee referee scorer committee device player anyone signed_in",
    "own_page": "organizer chief_referee referee scorer committee device anyone signed_in operator",
}


def test_the_table_keeps_out_whom_it_kept_out():
    """A capability given to one role more is a decision: it changes this list as well. [INTEGRITY 3]"""
    every = {
        "organizer",
        "chief_referee",
        "referee",
        "scorer",
        "committee",
        "device",
        "player",
        "anyone",
        "signed_in",
        "operator",
    }
    kept_out = {
        name: " ".join(sorted(every - roles)) for name, roles in CAPABILITIES.items() if every - roles
    }
    assert kept_out == {name: " ".join(sorted(roles.split())) for name, roles in NOT_FOR.items()}


@pytest.mark.parametrize("capability", get_args(ForAccounts))
def test_a_view_that_is_typed_with_an_account_is_opened_to_nobody_without_one(capability):
    """Visitors, tablets and players by their links have no account; every other role is given to one."""
    assert CAPABILITIES[capability] & {ANYBODY, DEVICE, PLAYER} == set()


def test_every_capability_is_asked_somewhere():
    asked = {entry.callback.access.capability for _, entry in ours()}
    assert set(CAPABILITIES) - asked == set()


@pytest.fixture
def scene(db):
    """A tournament in which every address leads somewhere."""
    return set_scene()


def test_a_device_of_another_tournament_is_a_stranger(scene):
    other = make.tournament()
    make.players(other, 4)
    make.in_play(other)
    client, _ = client_of(DEVICE, scene)
    answer = client.get(f"/{other.slug}/api/session-1/table-1/")
    assert answer.status_code == 401


def test_a_device_is_kept_to_its_tables(scene):
    client, _ = client_of(DEVICE, scene)
    answer = client.get(f"/{scene['slug']}/api/session-1/table-2/")
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_table")


def test_a_revoked_device_is_told_so_at_its_next_request(scene):
    devices.revoke_device(Device.objects.get(pk=scene["device"]), by=make.organizer_of(scene["tournament"]))
    client, _ = client_of(DEVICE, scene)
    answer = client.get(f"/{scene['slug']}/api/session-1/table-1/")
    assert (answer.status_code, answer.json()["code"]) == (401, "device_revoked")


def test_a_draft_is_nobodys_business(scene):
    draft = make.tournament(announced=False)
    for client in (Client(), client_of("stranger", scene)[0], client_of("other_organizer", scene)[0]):
        assert client.get(f"/{draft.slug}/").status_code == 404
    own = Client()
    own.force_login(draft.created_by)
    assert own.get(f"/{draft.slug}/").status_code == 200


def test_a_players_link_opens_one_page_and_no_other_players(scene):
    link = scene["link"]
    assert Client().get(f"/{scene['slug']}/me/{link}/").status_code == 200
    number, _, token = link.partition("-")
    assert Client().get(f"/{scene['slug']}/me/2-{token}/").status_code == 404
    assert Client().get(f"/{scene['slug']}/me/{number}-{'0' * len(token)}/").status_code == 404


def test_credentials_are_kept_as_digests_only(scene):
    kept = Device.objects.get(pk=scene["device"]).credential_digest
    assert kept == digest_of(scene["credential"])
    assert scene["credential"] not in kept
