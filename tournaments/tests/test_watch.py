"""The final as a broadcast, and the story of an event: told from the hands alone, and no more of them than a freeze lets out."""

from xml.etree import ElementTree

import pytest
from django.urls import reverse
from django.utils import translation
from django.utils.html import strip_tags

from tournaments.models import Protocol, Seat, Table, Tournament
from tournaments.public.queries.story import story_of
from tournaments.public.queries.watch import watched
from tournaments.public.views import story
from tournaments.sessions.operations import play
from tournaments.standings.operations import freezing, recompute
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered
from tournaments.tests.test_frozen import hand

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"


def words(response):
    return " ".join(strip_tags(response.content.decode().replace("<", " <")).split())


def page(client, of, name, **query):
    return client.get(
        reverse(f"tournaments:{name}", args=[of.slug]), query, headers={"accept-language": "en"}
    )


def fresh(of):
    recompute.recompute(of.pk)
    return Tournament.objects.get(pk=of.pk)


def win(protocol, winner, fans):
    loser = "S" if winner != "S" else "W"
    waiting = {seat: {"state": "waiting", "max_base": 1} for seat in "ESWN" if seat != winner}
    won = {"type": "win", "from": loser, "winners": [{"seat": winner, "fans": fans}]}
    make.record(protocol, {"events": [won], "end": waiting})


@pytest.fixture
@remembered
def protocol(db):
    """A table where East led and West has taken the lead."""
    protocol = make.protocol("sbr", 4)
    win(protocol, "E", 0)
    win(protocol, "W", 3)
    recompute.recompute(protocol.table.session.tournament_id)
    return protocol


def test_last_hands_are_told_newest_first_with_who_took_the_lead(protocol):
    session = protocol.table.session
    seen = watched(session.tournament, session)
    west = session.seats.get(wind="W").player
    assert [(moment.hand, moment.new_leader) for moment in seen.moments] == [(2, west), (1, None)]
    assert seen.moments[0].winner == west
    assert [table.leader for table in seen.tables] == [session.seats.get(wind="W").pk]


def test_the_page_shows_hands_and_totals_by_itself(client, protocol):
    said = words(page(client, protocol.table.session.tournament, "watch"))
    assert "Table 1, hand 2" in said
    assert "leads table 1" in said


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ({"part": "standings", "rows": "3"}, "overlay-strip"),
        ({"part": "table", "table": "1"}, "overlay-seats"),
        ({"part": "hand", "table": "1"}, "overlay-moment"),
        ({"part": "clock"}, "data-clock"),
        ({"part": "table", "table": "1", "lang": "ru"}, "Стол 1"),
    ],
)
def test_each_part_of_the_overlay_has_an_address(client, protocol, query, told):
    answer = page(client, protocol.table.session.tournament, "overlay", **query)
    assert told in answer.content.decode()


def test_only_a_table_with_a_game_has_an_overlay(client, protocol):
    """Who has no game sits at a table of the record, and there is nothing to show of it."""
    of = protocol.table.session.tournament
    Table.objects.create(session=protocol.table.session, number=9)
    client.force_login(of.created_by)
    told = page(client, of, "broadcast_desk").content.decode()
    assert "table=1" in told
    assert "table=9" not in told


@pytest.mark.parametrize("query", [{"part": "weather"}, {"lang": "xx"}, {"rows": "1000"}, {"table": "one"}])
def test_an_address_of_the_overlay_that_names_nothing_is_refused(client, protocol, query):
    assert page(client, protocol.table.session.tournament, "overlay", **query).status_code in {404, 422}


@pytest.fixture
@remembered
def of(db):
    """An event of two sessions: East wins the first, West the second, by more."""
    of = make.tournament(sessions=3)
    make.players(of, 8)
    hand(of, 1, "EE", 0)
    hand(of, 2, "WN", 3)
    return fresh(of)


def test_each_session_has_a_chapter_made_of_its_numbers(of):
    with translation.override("en"):
        second, first = story_of(of)
    assert (first.number, second.number) == (1, 2)
    assert first.lines[0].startswith("In the lead: ")
    assert any(line.startswith("Best hand: ") for line in second.lines)
    assert any(line.startswith("Closest finish: table ") for line in second.lines)
    assert second.text.splitlines()[0] == f"{of.name}: session 2"


def test_a_record_of_the_site_is_told_when_nobody_had_more_before(of):
    with translation.override("en"):
        second, first = story_of(of)
    assert not any("a record of this site" in line for line in first.lines)
    assert any("a record of this site" in line for line in second.lines)


def of_two_players():
    """Two tables of two: at the first both win the same, at the second nobody has played a hand."""
    of = make.tournament("siamese", sessions=1, table_size=2)
    make.players(of, 4)
    session = make.in_play(of)
    first = Protocol.objects.select_related("table__session__tournament").get(
        table__session=session, table__number=1
    )
    wins = [{"type": "win", "winners": [{"seat": seat, "fans": 20}]} for seat in "ES"]
    make.record(first, {"events": wins})
    make.settle(session)
    play.close_session(session, by=make.organizer_of(of))
    Tournament.objects.filter(pk=of.pk).update(state=Tournament.State.CLOSED)
    return fresh(of)


def test_two_players_who_are_level_have_the_closest_finish_and_share_their_places(client):
    """Of two who are level each has nothing, as if nothing had been played."""
    of = of_two_players()
    with translation.override("en"):
        result, session = story_of(of)
    seats = Seat.objects.filter(session__tournament=of, table__number=1).order_by("pk")
    names = " and ".join(str(seat.player) for seat in seats.select_related("player"))
    assert [line for line in session.lines if "finish" in line] == [
        f"Closest finish: table 1, {names} level."
    ]
    assert not any("Best result" in line for line in session.lines)
    assert [line[:2] for line in result.lines if line.endswith("(the place is shared)")] == ["1."] * 4
    number = of.registrations.order_by("number")[0].number
    places = words(client.get(f"/{of.slug}/player-{number}/", headers={"accept-language": "en"}))
    assert "How often Sessions 1 0 1½ 1 2 0 Opponents" in places


def test_a_seat_of_two_players_names_both_and_has_no_best_result(of):
    """[RULES 8.35]"""
    seats = list(
        of.sessions.get(number=2).seats.filter(table__number=1).select_related("player").order_by("pk")
    )
    for seat, points in zip(seats, (30, 29, -9, -50), strict=True):
        Seat.objects.filter(pk=seat.pk).update(hand_points=points)
    with translation.override("en"):
        before = story_of(fresh(of))[0].lines
        assert any(line.startswith(f"Best result: {seats[0].player}, +30") for line in before)
        Seat.objects.filter(pk=seats[0].pk).update(kept_for=seats[3].player_id, from_hand=2)
        lines = story_of(fresh(of))[0].lines
    both = f"{seats[0].player} for {seats[3].player}"
    assert f"Closest finish: table 1, {both} ahead of {seats[1].player} by 1." in lines
    assert any(line.startswith(f"Best result: {seats[1].player}, +29") for line in lines)


def test_the_feed_has_an_entry_for_each_chapter_in_the_language_of_the_event(client, of):
    Tournament.objects.filter(pk=of.pk).update(language="ru")
    answer = page(client, of, "story_feed")
    feed = ElementTree.fromstring(answer.content)
    assert answer["Content-Type"].startswith("application/atom+xml")
    titles = [entry.findtext(f"{ATOM}title") for entry in feed.iter(f"{ATOM}entry")]
    assert titles == [f"{of.name}: сессия 2", f"{of.name}: сессия 1"]


def test_the_feed_is_sent_again_only_when_something_happened(client, of, django_assert_max_num_queries):
    address = reverse("tournaments:story_feed", args=[of.slug])
    told = client.get(address)
    with django_assert_max_num_queries(2):
        again = client.get(address, headers={"if-none-match": told["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", told["ETag"])
    make.in_play(of, 3)
    later = client.get(address, headers={"if-none-match": told["ETag"]})
    assert (later.status_code, later["ETag"] == told["ETag"]) == (200, False)


def test_a_freeze_ends_the_story_and_the_hands(client, of):
    freezing.freeze(of, by=make.organizer_of(of))
    session = make.in_play(of, 3)
    win(
        Protocol.objects.select_related("table__session__tournament").get(
            table__session=session, table__number=1
        ),
        "E",
        5,
    )
    frozen = fresh(of)
    assert [chapter.number for chapter in story_of(frozen)] == [2, 1]
    assert watched(frozen, session).moments == []
    assert "Last hands" not in words(page(client, frozen, "watch"))


def test_a_feed_is_xml_whatever_an_event_is_called():
    """(XML 1.0, 2.2)"""
    feed = ElementTree.Element("feed")
    story._add(feed, "title", "Cup\x0b\ufffe <&> 🀄 Кубок")
    assert ElementTree.fromstring(ElementTree.tostring(feed)).findtext("title") == "Cup <&> 🀄 Кубок"
