"""Frozen standings: whatever is played after the freeze, strangers are told the same everywhere; then places are revealed one by one."""

import gzip
import json
import re
from uuid import uuid4

import pytest
from django.db import transaction
from django.urls import URLPattern, get_resolver, reverse

from scoring.problems import Problem
from tournaments.models import Protocol, Registration, Snapshot
from tournaments.people.queries.mails import copies
from tournaments.privacy.queries import player_data
from tournaments.public.operations import allow_frames
from tournaments.public.rules.frames import site_of
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import play
from tournaments.sessions.operations import tournaments as events
from tournaments.standings.operations import freezing, recompute
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered
from tournaments.web.access import link_of

pytestmark = pytest.mark.django_db
CHANGING = re.compile(
    r'data-revision="\d+"|"revision": ?\d+|[0-9a-f]{12,64}|nonce="[^"]*"|csrf[^>]*|'
    r"\d{8}T\d{6}Z?|\d{4}-\d\d-\d\d[T ]\d\d:\d\d[:.\d]*|\b\d\d:\d\d\b|LAST-MODIFIED[^\n]*|SEQUENCE[^\n]*|DTSTAMP[^\n]*"
)


def hand(of, number, winners, fans=2):
    """Play a session in which this seat wins at each table, and close it."""
    session = make.in_play(of, number)
    for at, protocol in enumerate(
        Protocol.objects.filter(table__session=session)
        .select_related("table__session__tournament")
        .order_by("table__number")
    ):
        winner = winners[at]
        loser = "S" if winner != "S" else "W"
        won = {"type": "win", "from": loser, "winners": [{"seat": winner, "fans": fans}]}
        waiting = {seat: {"state": "waiting", "max_base": 1} for seat in "ESWN" if seat != winner}
        make.record(protocol, {"events": [won], "end": waiting})
    make.settle(session)
    play.close_session(session, by=make.organizer_of(of))
    return session


@pytest.fixture
@remembered
def of(db):
    """An event of eight with a session played and a freeze after it."""
    of = make.tournament()
    make.players(of, 8)
    hand(of, 1, "EE")
    recompute.recompute(of.pk)
    freezing.freeze(of, by=make.organizer_of(of))
    recompute.recompute(of.pk)
    of.refresh_from_db()
    return of


def finish(of, winners="WN", fans=3):
    hand(of, 2, winners, fans)
    recompute.recompute(of.pk)


def public_addresses(of):
    """List every address of the event that strangers may read, filled in for the session after the freeze and the one before."""
    filled = {
        "session": ("1", "2"),
        "table": ("1",),
        "number": ("1", "5"),
        "other": ("2",),
        "sheet": ("standings", "hands", "results"),
        "form": ("csv",),
    }
    link = link_of(Registration.objects.get(tournament=of, number=5))
    for pattern, route in walk(get_resolver().url_patterns):
        access = getattr(pattern.callback, "access", None) or getattr(
            getattr(pattern.callback, "__wrapped__", None), "access", None
        )
        is_read = access is None or "GET" in access.methods
        if (
            access is None
            or access.capability not in {"look", "own_page"}
            or not is_read
            or "slug" not in route
        ):
            continue
        routes = [re.sub(r"<(?:\w+:)?slug>", of.slug, route, count=1).replace("<link>", link)]
        for name, values in filled.items():
            routes = [re.sub(rf"<(?:\w+:)?{name}>", value, one) for one in routes for value in values]
        yield from dict.fromkeys(f"/{one.lstrip('/')}" for one in routes if "<" not in one)


def walk(patterns, before=""):
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield pattern, route
        else:
            yield from walk(pattern.url_patterns, route)


def told(client, of):
    """Return what every public address says, without what changes with each request."""
    found = {}
    for address in sorted(set(public_addresses(of))):
        if "/history/" in address or "data" in address:
            continue  # digests of chains, and a player's own data on request
        answer = client.get(address, headers={"accept-language": "en"})
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        found[address] = answer.status_code, CHANGING.sub("", body.decode("utf-8", "replace"))
    body = Snapshot.objects.get(tournament=of).body
    found["snapshot"] = CHANGING.sub("", gzip.decompress(bytes(body)).decode())
    return found


def test_strangers_are_told_the_same_whatever_is_played_after_the_freeze(client, of):
    """[RULES 9.15]"""
    seen = []
    for winners, fans in (("WN", 3), ("NW", 1)):
        with transaction.atomic():
            point = transaction.savepoint()
            finish(of, winners, fans)
            seen.append(told(client, of))
            transaction.savepoint_rollback(point)
    one, other = seen
    assert len(one) > 40
    assert {address for address in one if one[address] != other[address]} == set()


def test_the_desk_reveals_before_it_closes(client, of):
    """While strangers see older standings the event is not offered to be closed; once all is shown it is. [RULES 9.15]"""
    client.force_login(of.created_by)
    assert f"/{of.slug}/desk/close/" not in desk_of(client, of).content.decode()  # not early either
    finish(of)
    page = desk_of(client, of)
    assert page.context["step"] == "reveal"
    assert f"/{of.slug}/desk/close/" not in page.content.decode()
    assert f"/{of.slug}/desk/broadcast/" in page.content.decode()
    of.refresh_from_db()
    freezing.show_again(of, by=make.organizer_of(of))
    page = desk_of(client, of)
    assert page.context["step"] == "close_event"
    assert f"/{of.slug}/desk/close/" in page.content.decode()


def desk_of(client, of):
    return client.get(reverse("tournaments:desk", args=[of.slug]))


def test_a_players_own_pages_tell_no_place_before_it_is_revealed(client, of):
    """Neither the copy of a mail that waits until then, nor the file of one's own data. [RULES 9.15]"""
    type(of).objects.filter(pk=of.pk).update(mails_players=True)
    of.players.update(email="player@example.org")
    row = Registration.objects.select_related("player__tournament", "tournament").get(tournament=of, number=5)
    before = player_data(row.player)["standing"][0]
    finish(of, "NW")
    events.close_tournament(type(of).objects.get(pk=of.pk), by=make.organizer_of(of))
    row = Registration.objects.select_related("player__tournament", "tournament").get(tournament=of, number=5)
    assert row.mails.filter(kind="results").exists()
    assert [one["mail"].kind for one in copies(row)] == ["seats"]
    told = player_data(row.player)["standing"][0]
    assert {name: told[name] for name in ("place", "values", "lines")} == {
        name: before[name] for name in ("place", "values", "lines")
    }
    true = row.player.standings.get()
    assert (told["place"], told["values"]) != (true.place, true.values)


def test_the_desk_goes_on_when_somebody_loses_the_place_during_the_reveal(client, of):
    """[RULES 9.15]"""
    finish(of)
    freezing.reveal(of, hidden=8, by=make.organizer_of(of))
    of.standings.filter(place__gte=6).update(place=None)
    client.force_login(of.created_by)
    page = client.get(reverse("tournaments:broadcast_desk", args=[of.slug]))
    assert page.status_code == 200
    assert page.context["next_hidden"] == of.standings.exclude(place=None).count() - 1


def test_those_who_work_there_see_the_true_standings(client, of):
    finish(of)
    url = reverse("tournaments:standings", args=[of.slug])
    public = client.get(url).content.decode()
    client.force_login(of.created_by)
    true = client.get(url).content.decode()
    assert ">S2<" not in public.replace("\n", "")
    assert "do not show this page" in " ".join(true.split())


def rows(of):
    said = json.loads(gzip.decompress(bytes(Snapshot.objects.get(tournament=of).body)))
    names = said["columns"]
    return [dict(zip(names, row, strict=True)) for row in said["rows"]]


def test_places_are_revealed_from_the_last_one_up_and_can_be_hidden_again(of):
    finish(of)
    by = make.organizer_of(of)
    true = list(of.standings.values_list("player__registration__number", "place"))
    for hidden in (6, 5, 6, 3, 0):
        freezing.reveal(of, hidden=hidden, by=by, key=uuid4().hex)
        recompute.recompute(of.pk)
        shown = [(row["number"], row["place"]) for row in rows(of)]
        assert shown[hidden:] == true[hidden:]
        assert {number for number, _ in shown} == {number for number, _ in true}
        assert all(place is None for _, place in shown[:hidden])
    of.refresh_from_db()
    assert not of.is_frozen
    assert of.is_revealing


def test_nothing_is_revealed_while_the_session_is_in_play(of):
    make.in_play(of, 2)
    with pytest.raises(Refused):
        freezing.reveal(of, hidden=5, by=make.organizer_of(of))


def test_a_reveal_sent_twice_skips_no_place_and_leaves_one_entry(of):
    finish(of)
    by, key = make.organizer_of(of), uuid4().hex
    for _turn in range(2):
        freezing.reveal(of, hidden=6, by=by, key=key)
    assert of.history.filter(kind="places_revealed").count() == 1


def test_a_freeze_taken_back_shows_everything_again(client, of):
    finish(of)
    freezing.show_again(of, by=make.organizer_of(of))
    recompute.recompute(of.pk)
    assert [(row["number"], row["place"]) for row in rows(of)] == list(
        of.standings.values_list("player__registration__number", "place")
    )
    assert client.get(reverse("tournaments:statistics", args=[of.slug])).status_code == 200


def test_there_is_nothing_to_freeze_before_a_session_is_closed_or_after_all_are(db):
    of = make.tournament()
    make.players(of, 4)
    with pytest.raises(Refused) as refused:
        freezing.freeze(of, by=make.organizer_of(of))
    assert isinstance(refused.value.problems[0], Problem)


@pytest.mark.parametrize(
    ("text", "site"),
    [
        ("https://club.example", "https://club.example"),
        ("https://Club.Example:8443/", "https://club.example:8443"),
        ("https://клуб.рф", "https://xn--90a2ah.xn--p1ai"),
        ("http://club.example", None),
        ("https://*.example", None),
        ("https://club.example/page", None),
        ("https://club.example; script-src *", None),
        ("https://localhost", None),
        ("javascript:alert(1)", None),
    ],
)
def test_a_site_is_an_origin_with_a_name(text, site):
    found = site_of(text)
    assert (
        found == site
        if site is None or site.isascii() is False or "xn--" not in site
        else found.startswith("https://xn--")
    )


def test_only_the_widget_may_be_framed_and_only_by_the_sites_that_are_named(client, of):
    widget = reverse("tournaments:widget", args=[of.slug])
    assert "frame-ancestors 'none'" in client.get(widget)["Content-Security-Policy"]
    allow_frames(of, ["https://club.example"], by=make.organizer_of(of))
    answer = client.get(widget)
    assert "frame-ancestors https://club.example;" in answer["Content-Security-Policy"] + ";"
    assert "X-Frame-Options" not in answer
    other = client.get(reverse("tournaments:standings", args=[of.slug]))
    assert "frame-ancestors 'none'" in other["Content-Security-Policy"]
    assert other["X-Frame-Options"] == "DENY"
    with pytest.raises(Refused):
        allow_frames(of, ["http://club.example"], by=make.organizer_of(of))
