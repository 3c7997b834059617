"""Every address × method × role: who is let in is what the table of capabilities says, and nothing is without a row."""

import re
from collections.abc import Iterator
from typing import get_args

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from penalties.lateness import operations as late
from penalties.tests import factories as judge
from tournaments.models import AbuseReport, Device, Protocol, Tournament
from tournaments.privacy import operations as privacy
from tournaments.tables.operations import devices
from tournaments.tests import factories as make
from tournaments.web.access import (
    ANYBODY,
    CAPABILITIES,
    DEVICE,
    OPERATOR,
    PLAYER,
    SIGNED_IN,
    STAFF,
    ForAccounts,
    digest_of,
    link_of,
)

OURS = {"tournaments", "seating", "penalties"}
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


def patterns(resolver: URLResolver, namespaces: tuple[str, ...] = ()) -> Iterator[tuple[str, URLPattern]]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            inner = (*namespaces, entry.namespace) if entry.namespace else namespaces
            yield from patterns(entry, inner)
        else:
            yield ":".join([*namespaces, entry.name or str(entry.pattern)]), entry


def ours() -> list[tuple[str, URLPattern]]:
    return [(name, entry) for name, entry in patterns(get_resolver()) if name.partition(":")[0] in OURS]


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


def set_scene() -> dict:
    """Write a running tournament with a recorded hand, a draft draw, a judged player and an admitted tablet."""
    from seating.drafts import operations as draws

    of = make.tournament("sbr")
    make.players(of, 8)
    session = make.in_play(of)
    protocol = Protocol.objects.select_related("table__session__tournament").get(
        table__session=session, table__number=1
    )
    make.record(protocol)
    following = of.sessions.get(number=2)
    following.tournament = of
    draft = draws.propose_random(of, following, by=make.organizer_of(of), seed="scene")
    invitation = devices.invite_device(of, name="Tablet", tables=[1], by=make.organizer_of(of))
    device, credential = devices.admit_device(of, secret=invitation.secret)
    judged(of)
    of.refresh_from_db()
    first = of.registrations.get(number=1)
    request = privacy.request_erasure(first, by=make.organizer_of(of))
    report = AbuseReport.objects.create(tournament=of, kind="spam", text="Buy our tiles")
    return {
        "tournament": of,
        "file": 1,
        "sheet": "standings",
        "form": "csv",
        "slug": of.slug,
        "session": 1,
        "table": 1,
        "number": 1,
        "draw": draft.pk,
        "link": link_of(of.registrations.get(number=1)),
        "device": device.pk,
        "credential": credential,
        "role": of.roles.first().pk,
        "account": make.user().pk,
        "event": of.pk,
        "report": report.pk,
        "person": first.player_id,
        "request_number": request.pk,
    }


def judged(of: Tournament) -> None:
    """A penalty, a lateness and an appeal with a file, all of player number 1."""
    player = of.registrations.get(number=1).player
    player.tournament = of
    session = of.sessions.get(number=1)
    session.tournament = of
    penalty = judge.give(player, "touching", session)
    late.mark_late(session, [player], by=make.referee_of(of))
    judge.appeal(penalty, files=[("photo.png", judge.png())])


def address(name: str, scene: dict) -> str:
    """Fill the parts of an address with what the scene has."""
    values = {part: scene.get(part, "anything") for part in parts_of(name)}
    if name.startswith("seating:") and "number" in values:
        values["number"] = scene["draw"]
    return reverse(name, kwargs=values)


def parts_of(name: str) -> set[str]:
    """Find the parts that an address has, by the resolver's own account of it."""
    *namespaces, last = name.split(":")
    resolver = get_resolver()
    before: set[str] = set()
    for namespace in namespaces:
        _, resolver = resolver.namespace_dict[namespace]
    return before | set(resolver.reverse_dict.getlist(last)[0][0][0][1])


def client_of(role: str, scene: dict) -> tuple[Client, frozenset[str]]:
    """A browser in the role, and what the role holds in the tournament."""
    of: Tournament = scene["tournament"]
    client = Client()
    if role in STAFF:
        client.force_login(make.staff(of, role))
        return client, frozenset({role, SIGNED_IN, "anyone"})
    if role == "other_organizer":
        client.force_login(make.tournament().created_by)
        return client, frozenset({SIGNED_IN, "anyone"})
    if role == "stranger":
        client.force_login(make.user())
        return client, frozenset({SIGNED_IN, "anyone"})
    if role == OPERATOR:
        client.force_login(make.operator())
        return client, frozenset({OPERATOR, SIGNED_IN, "anyone"})
    if role == DEVICE:
        client.defaults["HTTP_AUTHORIZATION"] = f"Device {scene['credential']}"
        return client, frozenset({DEVICE, "anyone"})
    return client, frozenset({"anyone"})


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
