"""Every number of the standings leads to where it came from: reasons, any session's standings, teams, stages."""

import gzip
import json
import re
from itertools import pairwise

import pytest
from django.db import connection
from django.template.loader import render_to_string
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import strip_tags

from scoring.presets import PRESETS
from scoring.regulation import OPTIONAL
from seating.drafts import operations as draws
from seating.drafts.operations import Options
from tournaments.models import Protocol, Snapshot, Standing, Tournament
from tournaments.people.operations import registration
from tournaments.sessions.operations import play
from tournaments.sessions.operations import tournaments as tournament_operations
from tournaments.standings.operations import recompute
from tournaments.standings.queries.table import group_rows, newest_snapshot
from tournaments.tests import factories as make
from tournaments.tests.markup import tight

pytestmark = pytest.mark.django_db
LEFT_OVER = Options(leftover="regulation", with_absent=True)


def address(name, of, *args):
    return reverse(f"tournaments:{name}", args=[of.slug, *args])


def words(response):
    return " ".join(strip_tags(response.content.decode().replace("<", " <")).split())


def names(response):
    return re.findall(r'<span class="who"><a href="[^"]+">([^<]+)</a>', response.content.decode())


def session(of, number=1, *, fans=2):
    """Play a session of one hand at every table and close it."""
    played = make.in_play(of, number)
    for protocol in Protocol.objects.filter(table__session=played).select_related(
        "table__session__tournament"
    ):
        make.record(protocol, make.east_from_south(fans))
    make.settle(played)
    play.close_session(played, by=make.organizer_of(of))
    return played


def event(number=8, sessions=1, **changes):
    of = make.tournament(**changes)
    make.players(of, number)
    for played in range(1, sessions + 1):
        session(of, played)
    recompute.recompute(of.pk)
    return of


def numbers(of):
    return list(Standing.objects.filter(tournament=of).values_list("player__registration__number", flat=True))


def test_snapshot_from_before_a_field_of_people_was_known_is_served(client):
    """Finished events keep the snapshot that they have; a field that came later has no values in it."""
    of = event(4)
    stored = Snapshot.objects.get(tournament=of)
    said = json.loads(gzip.decompress(bytes(stored.body)))
    at = said["columns"].index("group")
    older = said | {
        "columns": [name for name in said["columns"] if name != "group"],
        "rows": [[*row[:at], *row[at + 1 :]] for row in said["rows"]],
    }
    stored.body = gzip.compress(json.dumps(older).encode())
    stored.save()
    assert client.get(address("standings", of)).status_code == 200
    assert names(client.get(address("standings", of), {"group": ""})) == names(
        client.get(address("standings", of))
    )
    assert [row["group"] for row in newest_snapshot(of)["rows"]] == [""] * 4


# Reasons


def test_broken_ties_say_what_parted_equals_when_asked(client):
    of = event(4, 2)
    rows = newest_snapshot(of)["rows"]
    parted = [row for row in rows if row["decided_by"] not in ("", "tournament_points")]
    plain = words(client.get(address("standings", of)))
    asked = words(client.get(address("standings", of), {"why": "1"}))
    assert plain.count("Ahead of") == 0
    assert asked.count("Ahead of") == len(parted)


def test_reason_names_the_criterion_with_both_values(client):
    of = make.tournament(ranking=["game_points", "best_game", "lots"])
    make.players(of, 4)
    session(of)
    of.registrations.update(lot=1)
    first = of.registrations.get(number=1)
    of.registrations.exclude(pk=first.pk).update(lot=2)
    recompute.recompute_all(of)
    rows = newest_snapshot(of)["rows"]
    said = words(client.get(address("standings", of), {"why": "1"}))
    behind = [(above, row) for above, row in pairwise(rows) if row["decided_by"] == "lots"]
    assert [f"Ahead of {row['name']}: Lot 1 : 2" in said for above, row in behind] == [True] * len(behind)


def test_two_players_are_compared_criterion_by_criterion_down_to_protocols(client):
    of = event(8, 2)
    first, last = numbers(of)[0], numbers(of)[-1]
    page = client.get(address("explain", of), {"a": last, "b": first})
    compared = page.context["compared"]
    assert [row["number"] for row in compared["rows"]] == [first, last]
    assert [each["decides"] for each in compared["criteria"]] == [True, False, False, False]
    assert [each["is_past"] for each in compared["criteria"]] == [False, True, True, True]
    text = page.content.decode()
    for line in (line for row in compared["sessions"] for line in row["pair"]):
        assert f'href="{address("protocol", of, line["session"], line["table"])}"' in text
    stored = Standing.objects.get(tournament=of, player__registration__number=first)
    assert compared["totals"][0]["tournament_points"] == stored.values["tournament_points"]
    assert compared["totals"][0]["game_points"] == stored.values["game_points"]


def test_one_player_is_explained_beside_the_next_one_above(client):
    of = event(8)
    order = numbers(of)
    page = client.get(address("explain", of), {"a": order[3]})
    assert {row["number"] for row in page.context["compared"]["rows"]} == {order[2], order[3]}
    leader = client.get(address("explain", of), {"a": order[0]})
    assert {row["number"] for row in leader.context["compared"]["rows"]} == {order[0], order[1]}


def test_where_places_bring_no_points_a_place_without_a_game_shows_none(client):
    """[RULES 8.32]"""
    of = make.tournament("riichi_ema")
    rows = make.players(of, 5)
    by = make.organizer_of(of)
    draw = draws.propose(
        of, [of.sessions.get(number=1)], mode="random", seed="test", options=LEFT_OVER, by=by
    )
    draws.publish(draw, by=by)
    played = play.start_session(of.sessions.get(number=1), by=by)
    make.settle(played)
    play.close_session(played, by=by)
    recompute.recompute(of.pk)
    idle = played.tables.get(protocol=None).seats.get().player.registration.number
    page = client.get(address("standings", of)).content.decode()
    [row] = [part for part in page.split("<tr")[1:] if f"/player-{idle}/" in part]
    brought = re.findall(r'([^<>\s]+)\s*<small class="session-points">', row)
    assert (len(rows), set(brought)) == (5, {"2"})


def test_equals_are_told_to_be_equal(client):
    of = event(8)
    first, second = newest_snapshot(of)["rows"][:2]
    page = words(client.get(address("explain", of), {"a": first["number"], "b": second["number"]}))
    assert first["shared"]
    assert "are equal in everything and share the place" in page


@pytest.mark.parametrize("query", [{"a": "999"}, {"a": "x"}, {"a": "1", "b": "-1"}, {"b": "9" * 9}])
def test_players_who_are_not_there_are_not_explained(client, query):
    assert client.get(address("explain", event(4)), query).status_code == 404


def test_explanation_before_the_first_session_says_what_will_come(client):
    assert "No results yet" in words(client.get(address("explain", make.tournament())))


# As of any session


def test_standings_after_a_session_are_those_of_then(client):
    of = event(8, 1)
    then = newest_snapshot(of)["rows"]
    session(of, 2, fans=4)
    recompute.recompute(of.pk)
    page = client.get(address("standings", of), {"after": "1"})
    assert names(page) == [row["name"] for row in then]
    assert "After session 1" in words(page)
    assert "data-live-fragment" not in page.content.decode()
    assert client.get(address("standings", of), {"after": "3"}).status_code == 404


# Teams and groups


def test_on_a_phone_each_result_names_its_session(client):
    of = event(4, sessions=2)
    page = tight(client.get(address("standings", of)))
    assert re.findall(r'title="Session \d"[^>]*>\s*(S\d)', page) == ["S1", "S2"]
    assert len(re.findall('<td class="number session">', page)) == 4
    assert len(re.findall('<td class="number session is-newest">', page)) == 4


def teams(of, *, size, count):
    for number in range(size * count):
        details = registration.Details(name=f"Bird {chr(65 + number)}", team=f"Team {number % count}")
        registration.register_player(of, details, by=make.organizer_of(of))


def test_teams_add_what_their_best_members_have(client):
    """[SBR 2.4.3] [RULES 8.43]"""
    table = {"by": "team", "mode": "best", "best": 1, "ranking": ["game_points"]}
    of = make.tournament(group_tables=[table])
    teams(of, size=4, count=2)
    session(of)
    recompute.recompute(of.pk)
    rows = newest_snapshot(of)["groups"][0]["rows"]
    points = {row["number"]: row["values"]["game_points"] for row in newest_snapshot(of)["rows"]}
    assert [row["values"]["game_points"] for row in rows] == sorted(
        (max(points[number] for number in row["members"]) for row in rows), reverse=True
    )
    page = client.get(address("standings", of), {"table": "1"})
    assert "Team 0" in words(page)
    assert page.content.decode().count("is-not-counted") == 6
    assert client.get(address("standings", of), {"table": "2"}).status_code == 404


def test_country_behind_an_equal_one_is_named_and_not_coded():
    rows = [
        {"name": code, "place": place, "values": {"game_points": 3}, "members": [], "decided_by": parted}
        for place, (code, parted) in enumerate((("CN", ""), ("JP", "first_places")), start=1)
    ]
    for row, firsts in zip(rows, (1, 0), strict=True):
        row["values"]["first_places"] = firsts
    table = {"by": "country", "mode": "sum", "best": None, "rows": rows}
    shown = group_rows({"groups": [table], "rows": []}, 1)["rows"]
    assert [row["label"] for row in shown] == ["China", "Japan"]
    assert shown[0]["reason"]["name"] == "Japan"


def test_who_has_left_is_marked_in_the_standings_and_is_not_told_of_games_missed(client):
    of = event(8)
    gone = of.registrations.get(number=numbers(of)[2])
    assert "Withdrawn" not in words(client.get(address("standings", of)))
    registration.withdraw(gone, by=make.organizer_of(of), reason="Left for the train home.")
    make.seated_short(of, 2)
    recompute.recompute(of.pk)
    page = client.get(address("standings", of)).content.decode()
    assert re.search(rf'{gone.player}</a></span\s*><small class="gone">Withdrawn</small>', page)
    assert page.count("Withdrawn") == 1
    assert "No game in" not in words(client.get(address("player", of, gone.number)))


# Stages


def test_players_below_the_cut_stand_behind_and_are_not_drawn_for(client):
    """[RULES 9.7]"""
    from seating.drafts.queries import to_be_seated

    stage = {"from_session": 2, "carry": "none", "cut": 4}
    of = make.tournament(stages=[stage])
    make.players(of, 12)
    session(of)
    recompute.recompute(of.pk)
    of.registrations.update(lot=None)
    places = {row["number"]: row["place"] for row in newest_snapshot(of)["rows"]}
    through = {row.number for row in to_be_seated(of, 2)}
    assert through == {number for number, place in places.items() if place <= 4}
    assert len(to_be_seated(of, 1)) == 12


def test_stage_that_has_begun_is_told_where_totals_are_shown(client):
    """What the sessions add up to is not the total any more; both pages say why. [RULES 9.7]"""
    stage = {"from_session": 2, "carry": "half", "cut": 4}
    of = make.tournament(stages=[stage])
    make.players(of, 8)
    session(of)
    recompute.recompute(of.pk)
    said = "Half of the points gathered so far are carried over. The first 4 of the standings play on."
    leader = numbers(of)[0]
    pages = [address("standings", of), address("player", of, leader), address("final_protocol", of)]
    assert not any(said in words(client.get(page)) for page in pages)
    session(of, 2)
    recompute.recompute(of.pk)
    assert all(said in words(client.get(page)) for page in pages)


def test_team_table_after_one_session_has_nothing_to_search_for(client):
    """A form with a button alone asks nothing."""
    of = make.tournament(
        group_tables=[{"by": "team", "mode": "sum", "best": None, "ranking": ["game_points"]}]
    )
    teams(of, size=4, count=2)
    session(of)
    recompute.recompute(of.pk)
    assert 'class="filters' in client.get(address("standings", of)).content.decode()
    assert 'class="filters' not in client.get(address("standings", of), {"table": "1"}).content.decode()
    session(of, 2)
    recompute.recompute(of.pk)
    assert 'name="after"' in client.get(address("standings", of), {"table": "1"}).content.decode()


def test_member_of_a_team_who_shares_a_place_is_marked():
    member = {"number": 1, "place": 5, "shared": True, "name": "Avocet", "is_counted": True, "cells": []}
    row = {"place": 1, "shared": False, "label": "Birds", "cells": [], "members": [member]}
    said = {"groups": {"rows": [row], "criteria": []}, "tournament": make.tournament()}
    assert '<td class="place">5=</td>' in render_to_string("tournaments/public/_groups.html", said)


def test_next_ones_move_up_for_those_who_withdrew():
    from seating.drafts.queries import to_be_seated

    stage = {"from_session": 2, "carry": "none", "cut": 1}
    of = make.tournament(stages=[stage])
    make.players(of, 4)
    session(of)
    recompute.recompute(of.pk)
    leader = numbers(of)[0]
    of.registrations.filter(number=leader).update(status="withdrawn")
    assert leader not in {row.number for row in to_be_seated(of, 2)}
    assert to_be_seated(of, 2)


# What it costs


def test_standings_ask_as_much_for_twelve_players_as_for_four(client):
    counts = []
    for number in (4, 12):
        of = event(number)
        client.get(address("standings", of))
        with CaptureQueriesContext(connection) as asked:
            client.get(address("standings", of))
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 4


def test_only_rows_that_changed_are_written():
    of = event(12)
    with CaptureQueriesContext(connection) as asked:
        recompute.recompute_all(of)
    touched = [query["sql"] for query in asked if "tournaments_standing" in query["sql"]]
    assert [sql for sql in touched if sql.startswith(('INSERT INTO "tournaments_standing"', "DELETE"))] == []


def test_rows_of_who_is_no_longer_there_are_dropped():
    of = event(4)
    stray = event(4).standings.first()
    Standing.objects.filter(pk=stray.pk).update(tournament=of)
    recompute.recompute_all(of)
    assert Standing.objects.filter(tournament=of).count() == 4


# The form


def regulation_form(of, **changes):
    from tournaments.desk.forms.regulation import RegulationForm

    empty = RegulationForm(tournament=of)
    data = {}
    for name, field in empty.fields.items():
        value = empty.get_initial_for_field(field, name)
        if name == "ranking":
            data |= {f"ranking_{place}": criterion for place, criterion in enumerate(value)}
        elif value is not None:
            data[name] = value
    form = RegulationForm(data | changes, tournament=of)
    assert form.is_valid(), form.errors
    return form


@pytest.mark.parametrize("preset", PRESETS)
def test_form_that_says_what_is_changes_nothing(preset):
    of = make.tournament(preset)
    changes = regulation_form(of).changes()
    assert {name: of.regulation.get(name) for name in changes} == changes
    assert changes.keys() == of.regulation.keys() - {"version"} | OPTIONAL.keys()
    tournament_operations.change_regulation(of, changes, by=make.actor(of.created_by, "organizer"))
    assert not of.history.filter(kind="regulation_changed").exists()


def test_form_keeps_the_order_of_the_criteria():
    form = regulation_form(
        make.tournament(), ranking_0="lots", ranking_1="best_game", ranking_2="lots", ranking_3=""
    )
    assert form.changes()["ranking"] == ["lots", "best_game"]


def test_form_sets_stages_and_group_tables(client):
    of = make.tournament(announced=False)
    client.force_login(of.created_by)
    form = regulation_form(
        of,
        sessions="4",
        stage_1_from="3",
        stage_1_carry="half",
        stage_1_cut="8",
        group_tables=["team"],
        group_mode="best",
        group_best="2",
    )
    data = {name: value for name, value in form.data.items() if value not in (None, "")}
    answer = client.post(address("edit_regulation", of), data)
    assert answer.status_code == 302
    of = Tournament.objects.get(pk=of.pk)
    assert of.regulation["stages"] == [{"from_session": 3, "carry": "half", "cut": 8}]
    assert of.regulation["group_tables"] == [
        {
            "by": "team",
            "mode": "best",
            "best": 2,
            "ranking": ["tournament_points", "game_points", "first_places"],
        }
    ]


def test_form_says_where_stages_contradict_one_another(client):
    of = make.tournament(announced=False)
    client.force_login(of.created_by)
    data = dict(regulation_form(of, stage_1_from="90", stage_1_carry="half").data)
    answer = client.post(
        address("edit_regulation", of), {k: v for k, v in data.items() if v not in (None, "")}
    )
    assert answer.status_code == 422
    assert "A stage begins after session 1 and no later than session" in words(answer)
