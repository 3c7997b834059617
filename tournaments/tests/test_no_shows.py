"""Who never came is listed apart, unranked, and counted by nobody. [RULES 8.59]"""

import csv
from io import StringIO

import pytest
from django.test import Client
from django.utils.html import strip_tags

from scoring.record.computed import compute
from tournaments.exchange.record import export_record
from tournaments.models import Tournament
from tournaments.people.operations import registration as people
from tournaments.people.queries.events import visible_tournaments
from tournaments.sessions.operations import play
from tournaments.sessions.operations import tournaments as events
from tournaments.standings.operations import recompute
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
def played():
    """An event of eight who came and a ninth who never did, its one session played."""
    of = make.tournament(sessions=1)
    make.players(of, 9)
    people.check_in_all(of, list(of.registrations.exclude(number=9)), by=make.organizer_of(of))
    session = make.in_play(of)
    make.settle(session)
    play.close_session(session, by=make.organizer_of(of))
    recompute.recompute(of.pk, waits=True)
    return Tournament.objects.get(pk=of.pk)


def places(of):
    return dict(of.standings.values_list("player__registration__number", "place"))


def test_who_never_came_has_no_place_and_is_named_apart(played):
    assert (places(played)[9], sum(place is not None for place in places(played).values())) == (None, 8)
    page = strip_tags(Client().get(f"/{played.slug}/standings/").content.decode())
    assert "Has not come yet" in page
    events.close_tournament(played, by=make.organizer_of(played))
    recompute.recompute(played.pk, waits=True)
    assert "Did not come" in strip_tags(Client().get(f"/{played.slug}/standings/").content.decode())


def test_no_list_of_a_federation_and_no_count_has_them(played):
    events.close_tournament(played, by=make.organizer_of(played))
    recompute.recompute(played.pk, waits=True)
    name = str(played.registrations.get(number=9).player)
    listed = Client().get(f"/{played.slug}/downloads/ema.csv").content.decode("utf-8-sig")
    assert name not in listed
    assert sum(bool(row) for row in csv.reader(StringIO(listed))) >= 9
    assert visible_tournaments().get(pk=played.pk).player_count == 8
    assert Client().get("/api/1/tournaments/").json()["tournaments"][0]["players"] == 8


def test_the_record_says_the_same(played):
    """[RECORD 1]"""
    record = export_record(played)
    code = played.registrations.get(number=9).player.code
    rows = {row["player"]: row.get("place") for row in compute(record["declared"])["standings"]}
    assert rows[code] is None
    assert record["computed"] == compute(record["declared"])


def test_who_comes_after_all_is_ranked_from_then_on(played):
    people.check_in(played.registrations.get(number=9), by=make.organizer_of(played))
    recompute.recompute(played.pk, waits=True)
    assert places(played)[9] is not None


def test_before_the_first_session_nobody_is_missing():
    of = make.tournament()
    make.players(of, 8)
    recompute.recompute(of.pk, waits=True)
    assert set(places(of).values()) == {1}


def test_whoever_was_seated_without_a_check_in_has_come():
    """An event that keeps no list at the door: a seat is enough."""
    of = make.tournament(sessions=1)
    make.players(of, 8)
    make.in_play(of)
    recompute.recompute(of.pk, waits=True)
    assert None not in places(of).values()
