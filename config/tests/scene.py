"""Every address of the site, and a tournament in which each of them leads somewhere."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from penalties.lateness import operations as late
from penalties.tests import factories as judge
from seating.drafts import operations as draws
from tournaments.models import AbuseReport, Protocol, Tournament
from tournaments.privacy import operations as privacy
from tournaments.tables.operations import devices
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered
from tournaments.web.access import DEVICE, OPERATOR, SIGNED_IN, STAFF, link_of

OURS = {"tournaments", "seating", "penalties", "rehearsal"}


def patterns(resolver: URLResolver, namespaces: tuple[str, ...] = ()) -> Iterator[tuple[str, URLPattern]]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            inner = (*namespaces, entry.namespace) if entry.namespace else namespaces
            yield from patterns(entry, inner)
        else:
            yield ":".join([*namespaces, entry.name or str(entry.pattern)]), entry


def ours() -> list[tuple[str, URLPattern]]:
    return [(name, entry) for name, entry in patterns(get_resolver()) if name.partition(":")[0] in OURS]


@remembered
def set_scene() -> dict[str, Any]:
    """Write a running tournament with a recorded hand, a draft draw, a judged player and an admitted tablet."""
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
    assert request is not None
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
        "role": of.roles.earliest("pk").pk,
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


def address(name: str, scene: Mapping[str, Any]) -> str:
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


def client_of(role: str, scene: Mapping[str, Any]) -> tuple[Client, frozenset[str]]:
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
