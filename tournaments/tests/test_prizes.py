"""The prize list and the diplomas: who stands there and who does not, before and after the end, for whom, in both languages."""

import csv
import io
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation
from openpyxl import load_workbook

from scoring.standings.chances.left import Goal
from tournaments.models import Player, Role, Tournament
from tournaments.sessions.operations import tournaments as events
from tournaments.standings.operations import recompute
from tournaments.standings.queries.outlook import outlook_of
from tournaments.standings.queries.prizes import FOR_PLACE, IN_TABLE, prize_tables
from tournaments.standings.queries.table import GROUP_TABLES, newest_snapshot
from tournaments.standings.rules.prizes import MOST_PLACES, deciding, first_places, has_results
from tournaments.tests import factories as make
from tournaments.tests.test_standings_pages import address, event, session, teams, words

pytestmark = pytest.mark.django_db
BY_TEAM = {"by": "team", "mode": "sum", "best": None, "ranking": ["game_points", "first_places"]}
LONGEST = ("Прокофьев-Воскресенский " * 5)[:99] + "я"


@pytest.fixture
def desk():
    """A browser in which the organizer of an event is signed in."""

    def signed_in(of):
        client = Client(headers={"Accept-Language": "en"})
        client.force_login(of.created_by)
        return client

    return signed_in


def row(place, decided_by="", shared=False):
    return {"place": place, "decided_by": decided_by, "shared": shared}


def with_teams(*, size=4, count=2, **changes):
    of = make.tournament(group_tables=[BY_TEAM], sessions=1, **changes)
    teams(of, size=size, count=count)
    session(of)
    recompute.recompute(of.pk)
    return of


def closed(of):
    return events.close_tournament(Tournament.objects.get(pk=of.pk), by=make.organizer_of(of))


def diplomas_of(answer):
    return [(one["name"], str(one["place"])) for one in answer.context["diplomas"]]


# The rules


def test_all_who_share_the_last_place_stand_on_the_list():
    rows = [row(1), row(2), row(3, shared=True), row(3, shared=True), row(5)]
    assert first_places(rows, 3) == rows[:4]
    assert first_places(rows, 4) == rows[:4]


def test_who_has_no_place_never_stands_on_the_list():
    """[RULES 8.7]"""
    assert first_places([row(1), row(None)], MOST_PLACES) == [row(1)]


@pytest.mark.parametrize(
    ("rows", "places", "shown"),
    [
        ([row(1), row(2, "points")], 3, ["points"]),
        ([row(1), row(2, "best_game"), row(3, "points")], 3, ["points", "best_game"]),
        ([row(1), row(2, "points"), row(3, "lots")], 2, ["points", "best_game", "lots"]),
        ([row(1), row(2, "points"), row(3, "lots")], 1, ["points"]),
        ([row(1, shared=True), row(1, shared=True)], 3, ["points"]),
        ([], 3, ["points"]),
    ],
    ids=["first", "second", "the-next-below", "further-below", "shared", "nobody"],
)
def test_criteria_are_shown_down_to_the_last_that_decided(rows, places, shown):
    assert deciding(["points", "best_game", "lots"], rows, places) == shown


@pytest.mark.parametrize(
    ("places", "begun", "closed", "are_there"),
    [
        ([1, 1, 1], True, False, False),
        ([1, 2, 2], True, False, True),
        ([1, 2, 2], False, False, False),
        ([1, 1, 1], True, True, True),
        ([None], True, True, False),
        ([], False, False, False),
    ],
    ids=["not-a-hand", "a-hand", "a-penalty-before", "a-level-session", "all-removed", "nobody"],
)
def test_results_begin_with_what_parts_anybody(places, begun, closed, are_there):
    assert has_results([row(place) for place in places], begun=begun, closed=closed) is are_there


# The list


def test_shared_places_are_shown_as_in_the_standings(client):
    of = event(8, sessions=1)
    (table,) = prize_tables(of, 3)
    stored = [row for row in newest_snapshot(of)["rows"] if row["place"] <= 3]
    assert [(row["number"], row["place"], row["shared"]) for row in table["rows"]] == [
        (row["number"], row["place"], row["shared"]) for row in stored
    ]
    page = client.get(address("prizes", of)).content.decode()
    assert page.count('<td class="place">1=</td>') == 2
    assert page.count('<td class="place">3=</td>') == 4


def test_list_shows_names_with_country_and_team_and_the_value_that_decided(client):
    of = event(4, sessions=1)
    first = of.standings.get(position=1)
    Player.objects.filter(pk=first.player_id).update(name="Wren", country="FR", club="Birds")
    recompute.recompute_all(of)
    said = words(client.get(address("prizes", of), headers={"Accept-Language": "en"}))
    assert "_points" not in said
    assert "1 Wren Birds 4 " in said
    assert "France" in client.get(address("prizes", of)).content.decode()


@pytest.mark.parametrize("status", ["removed", "disqualified"])
def test_who_was_removed_is_on_no_list_and_gets_no_diploma(client, desk, status):
    """[RULES 8.7]"""
    of = with_teams()
    first = of.standings.get(position=1)
    of.registrations.filter(player=first.player).update(status=status)
    recompute.recompute_all(of)
    for page in (client.get(address("prizes", of)), desk(of).get(address("diplomas", of))):
        assert page.status_code == 200
        assert f">{first.player}<" not in page.content.decode()
        assert f"{first.player}," not in words(page)


def test_teams_stand_with_their_members(client):
    of = with_teams()
    players, table = prize_tables(of, 3)
    assert (players["by"], table["by"]) == ("players", "team")
    assert [row["label"] for row in table["rows"]] == [
        row["name"] for row in newest_snapshot(of)["groups"][0]["rows"]
    ]
    names = dict(of.registrations.values_list("player__name", "player__team__name"))
    for row in table["rows"]:
        assert {names[member] for member in row["members"]} == {row["label"]}
        assert ", ".join(row["members"]) in words(client.get(address("prizes", of)))


def test_table_in_which_nobody_stands_is_left_out(client):
    of = event(4, sessions=1, group_tables=[BY_TEAM])
    assert [table["by"] for table in prize_tables(of, 3)] == ["players"]
    assert "Teams" not in words(client.get(address("prizes", of), headers={"Accept-Language": "en"}))


@pytest.mark.parametrize("places", ["0", "11", "-1", "three", "1.5", "9" * 30])
@pytest.mark.parametrize("page", ["prizes", "diplomas"])
def test_number_of_places_out_of_bounds_is_refused(desk, places, page):
    """[INTEGRITY 145]"""
    of = make.tournament()
    answer = desk(of).get(address(page, of), {"places": places}, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["problems"][0]["field"]) == (422, "places")


@pytest.mark.parametrize(("places", "shown"), [("1", 2), ("2", 2), ("", 6), ("7", 8), ("10", 8)])
def test_list_is_as_long_as_asked_for(client, places, shown):
    of = event(8, sessions=1)
    page = client.get(address("prizes", of), {"places": places})
    assert [len(table["rows"]) for table in page.context["tables"]] == [shown]


def test_event_says_how_many_places_win_a_prize(client, desk):
    """The form asks for it; list, files, diplomas and chances begin with it."""
    of = event(8, sessions=1)
    organizer = desk(of)
    form = organizer.get(address("settings", of)).context["form"]
    sent = {name: form[name].value() for name in form.fields}
    sent = {name: value for name, value in sent.items() if value not in (None, False)}
    answer = organizer.post(address("settings", of), sent | {"prize_places": "5"})
    assert answer.status_code == 302, answer.context["form"].errors
    of.refresh_from_db()
    assert of.prize_places == 5
    assert client.get(address("prizes", of)).context["places"] == 5
    assert organizer.get(address("diplomas", of)).context["places"] == 5
    assert Goal.PRIZE in outlook_of(of)[0].goals
    answer = organizer.post(address("settings", of), sent | {"prize_places": ""})
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["prize_places"])
    of.refresh_from_db()
    assert of.prize_places == 5


@pytest.mark.parametrize(
    ("language", "provisional", "final", "empty"),
    [
        ("en", "The event is not finished; nothing here is final.", "The event is over.", "No results yet"),
        ("ru", "Турнир не завершён; окончательного здесь ничего нет.", "Турнир завершён.", "Результатов пока нет"),
    ],
)  # fmt: skip
def test_list_is_empty_then_provisional_then_final(client, language, provisional, final, empty):
    headers = {"Accept-Language": language}
    of = make.tournament(sessions=1)
    make.players(of, 4)
    recompute.recompute(of.pk)
    before = words(client.get(address("prizes", of), headers=headers))
    assert (provisional in before, empty in before) == (True, True)
    session(of)
    recompute.recompute(of.pk)
    during = words(client.get(address("prizes", of), headers=headers))
    assert (provisional in during, empty in during, final in during) == (True, False, False)
    closed(of)
    after = words(client.get(address("prizes", of), headers=headers))
    assert (provisional in after, final in after) == (False, True)


def test_session_without_a_hand_has_no_prizes(client):
    of = make.tournament()
    make.players(of, 4)
    make.in_play(of)
    recompute.recompute(of.pk)
    assert prize_tables(of, 3) == []
    assert "No results yet" in words(client.get(address("prizes", of), headers={"Accept-Language": "en"}))


@pytest.mark.parametrize("page", ["prizes", "diplomas"])
def test_lists_ask_as_much_for_twelve_players_as_for_four(desk, page):
    counts = []
    for size in (2, 6):
        of = with_teams(size=size)
        client = desk(of)
        client.get(address(page, of))
        with CaptureQueriesContext(connection) as asked:
            answer = client.get(address(page, of), {"places": 10})
        assert answer.status_code == 200
        counts.append(len(asked))
    assert counts[0] == counts[1]


# As a file


@pytest.mark.parametrize(("query", "places"), [({}, {1, 3}), ({"places": 7}, {1, 3, 7})])
def test_file_holds_what_the_page_shows(client, query, places):
    of = event(8, sessions=1)
    answer = client.get(address("prizes_file", of, "csv"), query, headers={"Accept-Language": "en"})
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))
    (table,) = prize_tables(of, max(places))
    assert [row["Name"] for row in rows] == [row["label"] for row in table["rows"]]
    assert {int(row["Place"]) for row in rows} == places
    assert {row["Shared"] for row in rows} == {"yes"}
    assert rows[0]["TP"] == "4"


def test_file_of_teams_names_their_members(client):
    of = with_teams()
    book = load_workbook(io.BytesIO(client.get(address("prizes_file", of, "xlsx")).content))
    head, *rows = ([cell.value for cell in row] for row in book.active.iter_rows())
    members = {row[4]: row[head.index("Members")] for row in rows if row[0] == "Teams"}
    assert members == {row["label"]: ", ".join(row["members"]) for row in prize_tables(of, 3)[1]["rows"]}


def test_there_is_no_other_file(client):
    assert client.get(address("prizes_file", make.tournament(), "pdf")).status_code == 404


# Diplomas


def test_who_shares_a_place_gets_a_diploma_with_that_place(desk):
    of = event(8, sessions=1)
    found = diplomas_of(desk(of).get(address("diplomas", of)))
    stored = [row for row in newest_snapshot(of)["rows"] if row["place"] <= 3]
    words_of = {1: "for 1st place", 3: "for 3rd place"}
    assert found == [(row["name"], words_of[row["place"]]) for row in stored]


def test_diploma_of_a_team_names_its_members(desk):
    of = with_teams()
    answer = desk(of).get(address("diplomas", of), {"table": "1"})
    table = prize_tables(of, 3)[1]
    assert [(one["name"], one["members"]) for one in answer.context["diplomas"]] == [
        (row["label"], row["members"]) for row in table["rows"]
    ]
    said = words(answer)
    first = table["rows"][0]
    assert f"is awarded to the team {first['label']} {' '.join(first['members'])} for 1st place" in said


def test_diplomas_are_of_the_tables_asked_for(desk):
    of = with_teams()
    client = desk(of)
    everything, players = prize_tables(of, 1), prize_tables(of, 1)[:1]
    for query, tables in (
        ({}, everything),
        ({"table": ["players", "1"]}, everything),
        ({"table": "players"}, players),
    ):
        answer = client.get(address("diplomas", of), {"places": 1, **query})
        assert [name for name, _ in diplomas_of(answer)] == [
            row["label"] for table in tables for row in table["rows"]
        ]


@pytest.mark.parametrize("table", ["2", "team", "0", "-1"])
def test_table_that_is_not_there_is_refused(desk, table):
    """[INTEGRITY 146]"""
    of = with_teams()
    answer = desk(of).get(address("diplomas", of), {"table": table}, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (422, "filter_unknown")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Diploma is awarded to {name} for 1st place in the individual standings Chief referee"),
        ("ru", "Диплом награждается {name} за 1-е место в личном зачёте Главный судья"),
    ],
)
def test_diploma_speaks_the_language_of_the_page(desk, language, said):
    of = event(4, sessions=1)
    Player.objects.filter(pk=of.standings.get(position=1).player_id).update(name=LONGEST)
    recompute.recompute_all(of)
    answer = desk(of).get(address("diplomas", of), headers={"Accept-Language": language})
    assert said.format(name=LONGEST) in words(answer)
    assert "Samara, 9 – 10" in words(answer)


def test_diploma_names_who_signs_and_leaves_room_for_who_is_not_named(desk):
    of = event(4, sessions=1)
    assert desk(of).get(address("diplomas", of)).context["signatures"] == [
        {"office": "Chief referee", "name": ""},
        {"office": "Organizer", "name": ""},
    ]
    referee = make.staff(of, "chief_referee")
    Role.objects.filter(tournament=of, user=referee).update(name="Grey Heron")
    assert desk(of).get(address("diplomas", of)).context["signatures"][0]["name"] == "Grey Heron"


def test_desk_without_results_is_told_what_will_be_printed(desk):
    of = make.tournament()
    page = words(desk(of).get(address("diplomas", of)))
    assert "Diplomas are printed for everybody on the prize list." in page


def test_every_place_and_table_is_worded_in_both_languages():
    assert len(FOR_PLACE) == MOST_PLACES
    assert set(IN_TABLE) == {"players", *GROUP_TABLES}
    with translation.override("ru"):
        assert [str(text) for text in FOR_PLACE] == [f"за {n}-е место" for n in range(1, MOST_PLACES + 1)]


def test_diplomas_are_for_the_desk(client):
    of = event(4, sessions=1)
    assert client.get(address("diplomas", of)).status_code == 302
    client.force_login(make.user())
    assert client.get(address("diplomas", of)).status_code == 404
    client.force_login(make.staff(of, "scorer"))
    assert client.get(address("diplomas", of)).status_code == 200


# The ways there


def test_list_and_diplomas_are_found_from_the_pages_of_a_finished_event(client, desk):
    of = closed(with_teams())
    way = f'href="{address("prizes", of)}'
    for page in (address("event", of), address("final_protocol", of), address("downloads", of), "/archive/"):
        assert way in client.get(page).content.decode(), page
    assert address("diplomas", of) not in client.get(address("prizes", of)).content.decode()
    said = desk(of).get(address("desk", of)).content.decode()
    assert (way in said, address("diplomas", of) in said) == (True, True)
    assert address("diplomas", of) in desk(of).get(address("prizes", of)).content.decode()


def test_desk_shows_the_list_before_it_closes_the_event(desk):
    of = with_teams()
    page = desk(of).get(address("desk", of)).content.decode()
    closing = page[page.index('class="next"') : page.index("</section>", page.index('class="next"'))]
    assert address("close", of) in closing
    assert address("prizes", of) in closing


def test_every_diploma_begins_a_page():
    style = (Path(settings.BASE_DIR) / "static" / "css" / "rooms" / "prizes.css").read_text("utf-8")
    printed = style[style.index("@media print") :]
    assert "page: diploma;" in printed
    assert "break-after: page;" in printed
