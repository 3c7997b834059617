"""What is asked or sent in one event touches no row of another and shows none, whatever ids are filled in."""

import json
import re
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from config.tests.deeds import DEEDS, address_of, send
from config.tests.scene import ours, parts_of
from config.tests.test_addresses import LINES, NOWHERE, ROLES, client_of, place, was_let_in
from config.tests.test_addresses import PEOPLE as EVERYBODY
from config.tests.world import MARK, World, body_of, changed, rows_of, undone, writes
from tournaments.standings.operations import adjustments, recompute
from tournaments.tables.views.tablet_batch import QueuedRequest, answer_batch

pytestmark = pytest.mark.django_db

OF_AN_EVENT = [name for name in DEEDS if address_of(name) in LINES and "slug" in parts_of(address_of(name))]
PEOPLE = tuple(who for who in EVERYBODY if who != "operator")
"""The operator runs the whole site and is a stranger to no event."""
REFUSED = {302, 400, 401, 403, 404, 409, 410, 422}


@pytest.fixture(scope="module")
def before(world) -> dict[str, Any]:
    """The rows of both events as they are while nothing is done."""
    return {"ours": rows_of(world.ours), "theirs": rows_of(world.theirs)}


# What is sent here


@pytest.mark.parametrize("name", OF_AN_EVENT)
@pytest.mark.parametrize("here", ["ours", "theirs"])
def test_a_deed_leaves_the_other_event_as_it_was(world, before, name, here):
    """In both directions: a query without its filter finds the first row or the last."""
    there = "theirs" if here == "ours" else "ours"
    event, other = getattr(world, here), getattr(world, there)
    deed = DEEDS[name]
    with undone():
        deed.before(event)
        with writes() as written:
            response = send(event.client(deed.by), name, event, deed)
        assert response.status_code in {200, 201, 302}
        after = rows_of(other) if written else before[there]
        assert (written == []) is deed.makes_no_row
    event.refresh()
    assert changed(before[there], after) == []


# What is sent to the neighbour by those who work here


WORKING = ("organizer", "chief_referee", "referee 2", "scorer", "committee", "device")


@pytest.mark.parametrize("name", [name for name in OF_AN_EVENT if "/me/" not in name])
def test_a_role_here_is_none_at_the_neighbour(world, before, name):
    """The whole valid request, sent to the other event by everybody who works in ours: there is nothing there."""
    deed, line = DEEDS[name], LINES[address_of(name)]
    if ROLES[line.capability] & {"anyone", "player"}:
        return
    let_in = []
    with undone():
        deed.before(world.theirs)
        for who in WORKING:
            with writes() as written:
                response = send(world.ours.client(who), name, world.theirs, deed)
            if response.status_code not in ({401} if who == "device" and "api" in name else {404, 401, 302}):
                let_in.append((who, response.status_code))
            if was_let_in(response) or written:
                let_in.append((who, response.status_code, written))
    world.theirs.refresh()
    assert let_in == []


@pytest.mark.once
@pytest.mark.parametrize("who", PEOPLE)
def test_pages_of_the_neighbour_are_strangers_pages(world, who):
    """Every address that is read, with the neighbour's own numbers and ids."""
    client, held = client_of(world, who)
    if who == "neighbour's organizer":
        client = world.ours.client("organizer")
    held = frozenset({"anyone"} | (held & {"signed_in"}))
    wrong = []
    for name, line in LINES.items():
        if (
            "GET" not in line.methods
            or "slug" not in parts_of(name)
            or name in NOWHERE
            or line.capability == "own_page"
        ):
            continue
        response = client.get(reverse(name, kwargs=place(name, world.theirs)))
        may = bool(held & ROLES[line.capability])
        if was_let_in(response) != may and not (who == "device" and response.status_code == 401):
            wrong.append((name, response.status_code, "may" if may else "may not"))
    assert wrong == []


# Ids of the neighbour's rows in addresses and bodies of our own


def foreign(world: World, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return every way to put something of the neighbour's into a deed of ours: one part of it at a time."""
    deed = DEEDS[name]
    at, body = deed.at(world.ours), deed.body(world.ours)
    their_at, their_body = deed.at(world.theirs), deed.body(world.theirs)
    for part, value in their_at.items():
        if at[part] != value:
            yield f"in the address {part}", {"at": {**at, part: value}}
    for part, value in their_body.items() if address_of(name) not in WITHOUT_IDS else ():
        if part not in NO_IDS and body.get(part) != value:
            yield f"in the body {part}", {"body": {**body, part: value}}
    if deed.beyond_at:
        yield f"in the address {deed.beyond_at}", {"at": {**at, **deed.beyond_at}}
    if deed.beyond:
        yield f"in the body {deed.beyond}", {"body": {**body, **deed.beyond}}


WITHOUT_IDS = {"tournaments:edit_regulation": "the number of sessions is a number, not a row"}
NO_IDS = {"key", "seen", "csrfmiddlewaretoken", "operations"}


@pytest.mark.parametrize("name", OF_AN_EVENT)
def test_an_id_of_the_neighbour_names_nothing_here(world, before, name):
    """Refused, with 404 where it stands in the address, and no row of either event changes."""
    event, deed, wrong = world.ours, DEEDS[name], []
    with undone():
        deed.before(world.theirs)
        deed.before(event)
        for way, other in foreign(world, name):
            with writes() as written:
                response = send(event.client(deed.by), name, event, deed, **other)
            is_address = way.startswith("in the address")
            allowed = {404} if is_address and name not in SAID_ON_THE_PAGE else REFUSED
            if response.status_code not in allowed or written:
                wrong.append((way, response.status_code, written[:3]))
    event.refresh()
    world.theirs.refresh()
    assert wrong == []


SAID_ON_THE_PAGE = {
    "penalties:reverse": "there is no such line by decision",
    "penalties:reverse_team": "there is no such line by decision",
    "penalties:arrived": "this player is not marked as late",
    "penalties:strike_lateness": "this player is not marked as late",
}


def test_a_link_of_the_neighbour_opens_nothing_here(world):
    """Nor one's own with the number of another player of the same name there."""
    for number in range(1, 11):
        link = world.theirs.link(number)
        names = [name for name, _ in ours() if parts_of(name) == {"slug", "link"}]
        for name in names:
            assert Client().get(reverse(name, args=[world.ours.slug, link])).status_code in {404, 405}, name


def test_a_tablet_of_the_neighbour_writes_nothing_through_the_queue(world, before):
    """Fifty hands at once go another way than one: that way asks whose tablet it is as well. [INTEGRITY 3]"""
    name = "tournaments:api_batch"
    for brief in (True, False):
        body = DEEDS[name].body(world.ours) | {"brief": brief}
        with undone():
            response = send(world.theirs.client("device"), name, world.ours, DEEDS[name], body=body)
            assert response.status_code == 401
            assert changed(before["ours"], rows_of(world.ours)) == []


def test_the_queue_finds_no_table_of_the_neighbour(world):
    """Each entry is answered for itself; that the tablet was heard of is all that is written."""
    name = "tournaments:api_batch"
    (entry,) = DEEDS[name].body(world.ours)["operations"]
    body = {"schema": 1, "operations": [{**entry, "table": 3}], "brief": True}
    with undone(), writes() as written:
        response = send(world.ours.client("device"), name, world.ours, DEEDS[name], body=body)
    (answer,) = response.json()["answers"]
    assert (answer["status"], answer["problem"]["code"], written) == (404, "not_found", [])


@pytest.mark.parametrize("whose", ["theirs", "ours"])
def test_the_lane_for_hands_asks_whose_tablet_it_is(world, whose):
    """What stands in front of Django writes for tablets of its own event alone, and leaves all others to Django."""
    name = "tournaments:api_hands"
    body = json.dumps(DEEDS[name].body(world.ours)).encode()
    letter = QueuedRequest(
        slug=world.ours.slug,
        table=(2, 1),
        credential=getattr(world, whose).credential,
        key=uuid4().hex,
        language="en",
        body=body,
    )
    with undone(), writes() as written:
        (answer,) = answer_batch([letter])
    assert (answer is not None, written != []) == ((True, True) if whose == "ours" else (False, False))


# What is shown


POINTS = re.compile(rb"(?<![0-9a-f.])7(?:,|&nbsp;|\xc2\xa0|\xe2\x80\xaf)?747(?![0-9a-f])")
"""7747 as pages and files write it, and not the same digits within a digest or a fraction of a second."""


TELLS_ALL = {
    "tournaments:public_api_history": "the history keeps both the line and its opposite",
    "tournaments:own_export": "a player is given everything that is stored about them",
}


def test_a_line_that_was_reversed_is_shown_to_nobody_but_the_desk(world):
    """It counts no more: no page, file or answer for the public and no player's own page tells of it. [RULES 1.8]"""
    event, shown = world.ours, []
    entry = adjustments.Entry(
        player=event.player_at(1, 1, "E").player,
        session=event.session(1),
        game_points=7747,
        timing="after",
        reason="Zanzibar Zanzibar",
    )
    with undone():
        by = event.by("chief_referee")
        adjustments.reverse(adjustments.post(event.tournament, entry, by=by), by=by, reason="Zanzibar again")
        recompute.recompute(event.tournament.pk, waits=True)
        for name, line in LINES.items():
            is_public = line.capability in {"look", "own_page", "see_tables", "open_tablet"}
            if "GET" in line.methods and is_public and name not in (*NOWHERE, *TELLS_ALL):
                at = place(name, event)
                if name.endswith(("player", "explain")):
                    at["number"] = event.player_at(1, 1, "E").number
                url = reverse(name, kwargs={part: at[part] for part in parts_of(name)})
                content = body_of(event.client("device").get(url, {"player": at.get("number", 1)}))
                if MARK.encode() in content or POINTS.search(content):
                    shown.append(name)
    event.refresh()
    assert shown == []


WITH_A_KEY = [name for name in OF_AN_EVENT if DEEDS[name].is_json and not DEEDS[name].makes_no_row]


@pytest.mark.parametrize("name", [*WITH_A_KEY, "tournaments:renew_link", "penalties:give", "seating:swap"])
def test_a_key_used_at_the_neighbour_is_new_here(world, name):
    """Tablets make keys without asking each other: the same in two events are two submissions. [INTEGRITY 2]"""
    deed, key, told = DEEDS[name], uuid4().hex, []
    with undone():
        for event in (world.theirs, world.ours):
            deed.before(event)
            body = deed.body(event)
            body |= {"key": key} if "key" in body else {}
            with writes() as written:
                response = send(event.client(deed.by), name, event, deed, body=body, key=key)
            told.append((response.status_code in {200, 201, 302}, written != []))
    for event in (world.theirs, world.ours):
        event.refresh()
    assert told == [(True, True), (True, True)]
