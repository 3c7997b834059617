"""The pages of figures: right after every change, asked of the hands once for a revision, the same for all who look."""

import json
import re
from fractions import Fraction

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import strip_tags

from scoring.systems import SYSTEMS
from tournaments.models import Protocol, Tournament
from tournaments.sessions.operations import play
from tournaments.standings.operations import adjustments, recompute
from tournaments.standings.queries import revision_cache
from tournaments.standings.queries.as_of import courses_of
from tournaments.standings.queries.figures import average
from tournaments.standings.queries.statistics import event_figures
from tournaments.tables.operations import protocols
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db
PAGES = ("statistics", "session_hands", "player", "hall")


@pytest.fixture(autouse=True)
def _nothing_kept():
    cache.clear()
    revision_cache._near.clear()


def address(name, of):
    args = {"session_hands": [1], "player": [1]}.get(name, [])
    url = reverse(f"tournaments:{name}", args=[of.slug, *args])
    return f"{url}?show=hands" if name == "hall" else url


def words(response):
    return " ".join(strip_tags(response.content.decode().replace("<", " <")).split())


def protocol_at(of, session=1, table=1):
    return Protocol.objects.select_related("table__session__tournament").get(
        table__session__tournament=of, table__session__number=session, table__number=table
    )


@pytest.fixture
@remembered
def of():
    """A session in play with three hands at its table: East wins 0 and 3 fans from South, 1 from the wall."""
    made = make.tournament("sbr")
    make.players(made, 4)
    make.in_play(made)
    row = protocol_at(made)
    make.record(row)
    make.record(row, make.east_from_south(3))
    drawn = make.east_from_south(1)
    del drawn["events"][0]["from"]
    make.record(row, drawn)
    recompute.recompute(made.pk)
    return made


def closed(of, session=1):
    row = of.sessions.get(number=session)
    row.tournament = of
    make.settle(row)
    play.close_session(row, by=make.organizer_of(of))
    recompute.recompute(of.pk)


def test_figures_are_those_of_the_record(of):
    found = event_figures(of)
    assert (found.whole.hands, found.whole.wins, found.whole.self_draws, found.whole.worth) == (3, 3, 1, 4)
    assert [won.worth for won in found.sessions[1].best] == [3, 1, 0]
    east = protocol_at(of).table.seats.get(wind="E").player
    south = protocol_at(of).table.seats.get(wind="S").player
    assert found.whole.players[east.pk].wins == 3
    assert found.whole.players[south.pk].deals_in == 2


def test_undone_hand_counts_no_more_and_a_corrected_one_as_it_is_now(of):
    by, row = make.organizer_of(of), protocol_at(of)
    assert event_figures(of).whole.hands == 3
    protocols.undo_hand(row, number=3, intent=make.intent(row), by=by)
    protocols.correct_hand(
        row,
        make.east_from_south(5),
        number=1,
        intent=make.intent(row),
        by=make.referee_of(of),
        reason="The fans were counted wrongly.",
    )
    recompute.recompute(of.pk)
    found = event_figures(of).whole
    assert (found.hands, [won.worth for won in found.best]) == (2, [5, 3])


@pytest.mark.parametrize("page", PAGES)
def test_second_look_asks_nothing_of_the_hands(client, of, page):
    """[DESIGN 6]"""
    url = address(page, of)
    assert client.get(url).status_code == 200
    with CaptureQueriesContext(connection) as queries:
        assert client.get(url).status_code == 200
    assert [
        row["sql"]
        for row in queries
        if "tournaments_hand" in row["sql"].replace("tournaments_hallscreen", "")
    ] == []


def test_standings_ask_nothing_of_the_hands_even_at_first(client, of):
    """[DESIGN 6]"""
    with CaptureQueriesContext(connection) as queries:
        assert client.get(reverse("tournaments:standings", args=[of.slug])).status_code == 200
    assert [row["sql"] for row in queries if '"tournaments_hand"' in row["sql"]] == []


def test_new_hand_makes_nobody_read_the_sessions_before(of):
    closed(of)
    make.in_play(of, 2)
    recompute.recompute(of.pk)
    event_figures(of)
    make.record(protocol_at(of, 2))
    recompute.recompute(of.pk)
    with CaptureQueriesContext(connection) as queries:
        assert event_figures(Tournament.objects.get(pk=of.pk)).whole.hands == 4
    (read,) = [row["sql"] for row in queries if 'FROM "tournaments_hand"' in row["sql"]]
    second = of.sessions.get(number=2)
    assert f'"session_id" IN ({second.pk})' in read


def test_sessions_that_nobody_counted_yet_are_read_together():
    made = make.tournament("sbr", sessions=3)
    make.players(made, 4)
    counts = []
    for number in (1, 2, 3):
        make.in_play(made, number)
        make.record(protocol_at(made, number))
        closed(made, number)
        cache.clear()
        with CaptureQueriesContext(connection) as queries:
            found = event_figures(Tournament.objects.get(pk=made.pk))
        counts.append((found.whole.hands, len(queries)))
    assert counts == [(hands, counts[0][1]) for hands in (1, 2, 3)]


def test_pages_of_a_large_table_ask_as_much_as_those_of_a_small_one(client):
    counts = []
    for players in (4, 16):
        made = make.tournament("sbr")
        make.players(made, players)
        make.in_play(made)
        for table in range(1, players // 4 + 1):
            make.record(protocol_at(made, 1, table))
        recompute.recompute(made.pk)
        winner = protocol_at(made).table.seats.get(wind="E").player.registration.number
        own = reverse("tournaments:player", args=[made.slug, winner])
        for url in [own, *(address(page, made) for page in PAGES if page != "player")]:
            client.get(url)
            with CaptureQueriesContext(connection) as queries:
                client.get(url)
            counts.append(len(queries))
    assert counts[: len(PAGES)] == counts[len(PAGES) :]


def test_statistics_lead_to_the_hand(client, of):
    page = client.get(address("statistics", of)).content.decode()
    assert f'href="/{of.slug}/session-1/table-1/#hand-2"' in page


def test_best_hands_name_fans_and_where_they_were_played(client):
    of = make.tournament("mcr")
    make.players(of, 4)
    make.in_play(of)
    facts = {
        "events": [
            {
                "type": "win",
                "from": "S",
                "winners": [{"seat": "E", "fans": 8, "flowers": 2, "fan_list": {"39": 1}}],
            }
        ]
    }
    name = SYSTEMS["MCR"].tiles.fans["39"]
    make.record(protocol_at(of), facts)
    recompute.recompute(of.pk)
    said = words(client.get(address("session_hands", of)))
    assert "10 points" in said
    assert name in said
    assert "Session 1, table 1, hand 1" in said


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_fan_of_every_system_has_a_name(language):
    assert all(name for system in SYSTEMS.values() for name in system.tiles.fans.values())
    assert {len(SYSTEMS[code].tiles.fans) for code in ("MCR", "SIAM")} == {81}


@pytest.mark.parametrize(
    ("total", "count", "written"),
    [(7, 5, "1.4"), (8, 8, "1.0"), (0, 3, "0.0"), (39, 1, "39.0"), (2999, 2, "1500"), (0, 0, "–")],
)
def test_average_has_one_decimal_so_that_a_column_stands_under_its_point(total, count, written):
    assert average(total, count) == written


def test_event_without_hands_says_what_to_expect(client):
    of = make.tournament()
    assert "Nothing to count yet" in words(client.get(address("statistics", of)))


def test_session_that_has_not_begun_has_no_best_hands(client, of):
    assert client.get(f"/{of.slug}/session-2/hands/").status_code == 404


def test_player_page_tells_figures_opponents_and_best_hand(client, of):
    number = protocol_at(of).table.seats.get(wind="E").player.registration.number
    said = words(client.get(reverse("tournaments:player", args=[of.slug, number])))
    assert "Wins 3 100 %" in said
    assert "From the wall 1 33 %" in said
    assert "3 opponents" in said
    assert "Best hand 3 fans" in said


def test_opponents_count_who_was_ahead_once_the_session_is_closed(client, of):
    number = protocol_at(of).table.seats.get(wind="E").player.registration.number
    url = reverse("tournaments:player", args=[of.slug, number])
    assert words(client.get(url)).count("0 : 0") == 5  # who was ahead, and discards of two
    closed(of)
    assert words(client.get(url)).count("1 : 0") == 3


# Places over the sessions


@pytest.fixture
@remembered
def two_sessions(of):
    """Two closed sessions; East of the first one won both of its own tables, whoever that was."""
    closed(of)
    make.in_play(of, 2)
    make.record(protocol_at(of, 2))
    closed(of, 2)
    return Tournament.objects.get(pk=of.pk)


def test_last_point_of_a_course_is_the_place_in_the_standings(two_sessions):
    known = courses_of(two_sessions)
    assert known.sessions == (1, 2)
    places = {
        row.player.registration.number: row.place
        for row in two_sessions.standings.select_related("player__registration")
    }
    assert {number: course[-1] for number, course in known.places.items()} == places


def test_first_point_is_the_place_after_the_first_session(of):
    closed(of)
    after_one = {
        row.player.registration.number: row.place
        for row in of.standings.select_related("player__registration")
    }
    make.in_play(of, 2)
    make.record(protocol_at(of, 2))
    closed(of, 2)
    known = courses_of(Tournament.objects.get(pk=of.pk))
    assert {number: course[0] for number, course in known.places.items()} == after_one


def test_plot_is_whole_without_script_and_says_the_same_as_its_table(client, two_sessions):
    page = client.get(address("statistics", two_sessions)).content.decode()
    assert page.count('<svg class="plot-') == 2
    assert "Places after each session" in page
    assert "style=" not in page[page.index('<figure class="plot">') :]


def test_plot_writes_its_numbers_alike_in_every_language(two_sessions):
    client = Client(headers={"accept-language": "ru"})
    page = client.get(address("statistics", two_sessions)).content.decode()
    drawing = page.partition('<svg class="plot-narrow')[2].partition("</svg>")[0]
    numbers = re.findall(r' (?:x|y|x1|x2|y1|y2|cx|cy|points|d|width|height|viewBox)="([^"]*)"', drawing)
    assert len(numbers) > 20
    assert [number for number in numbers if not re.fullmatch(r"[-A-Za-z0-9. ]*", number)] == []


def test_correction_in_a_closed_session_moves_the_course(two_sessions):
    before = courses_of(two_sessions)
    row = protocol_at(two_sessions)
    last = next(number for number, course in before.places.items() if course[0] == 4)
    player = two_sessions.registrations.get(number=last).player
    entry = adjustments.Entry(
        player=player,
        session=row.table.session,
        reason="Miscounted at the table.",
        tournament_points=Fraction(100),
    )
    adjustments.post(two_sessions, entry, by=make.chief_referee_of(two_sessions))
    recompute.recompute(two_sessions.pk)
    after = courses_of(Tournament.objects.get(pk=two_sessions.pk))
    assert after.places[last][0] == 1


def test_said_snapshot_is_json_of_the_same_revision(of):
    """The figures are named by a revision that everybody can see."""
    assert revision_cache.revision_key(of).split("-")[:2] == [str(of.pk), json.dumps(of.snapshot.revision)]
