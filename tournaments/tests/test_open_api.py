"""The public read API: every documented address answers as it is described, cheaply, and tells nothing private."""

import json
import re
from datetime import timedelta

import jsonschema
import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tournaments.api import shapes
from tournaments.api import urls as api_urls
from tournaments.api.endpoints import ENDPOINTS, document
from tournaments.models import Player, Protocol, Registration, Session, Tournament
from tournaments.people.operations import registration
from tournaments.standings.operations import recompute
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh():
    cache.clear()


@pytest.fixture
@remembered
def of():
    """A tournament in play: two sessions, the first seated, hands at a table, teams, somebody who left."""
    table = {"by": "team", "mode": "sum", "best": None, "ranking": ["tournament_points", "game_points"]}
    made = make.tournament("sbr", team_size=4, group_tables=[table])
    by = make.organizer_of(made)
    for index in range(9):
        details = registration.Details(
            name=f"Wren {'ABCDEFGHI'[index]}",
            country=("RU", "GB", "")[index % 3],
            team=("North", "South", "West")[index % 3],
            email="wren@example.org",
            phone="+7 900",
            comment="Needs a ramp",
            federation_ids={"EMA": f"0401000{index}"} if index % 2 else {},
        )
        registration.register_player(made, details, by=by)
    registration.withdraw(_row(made, 9), by=by)
    session = make.in_play(made)
    make.record(_protocol(session))
    recompute.recompute(made.pk)
    return Tournament.objects.get(pk=made.pk)


def _row(of, number):
    row = of.registrations.select_related("player").get(number=number)
    row.tournament = of
    return row


def _protocol(session):
    rows = Protocol.objects.select_related("table__session__tournament")
    return rows.get(table__session=session, table__number=1)


def address(endpoint, of):
    parts = {"slug": of.slug, "session": "1", "table": "1", "number": "1"}
    return endpoint.template.format(**parts)


def validator(name):
    """Judge answers by the description as a stranger reads it, references and all."""
    said = json.loads(Client().get("/api/1/openapi.json").content)
    schema = {"$ref": f"#/components/schemas/{name}", "components": said["components"]}
    return jsonschema.Draft202012Validator(schema)


def ask(url, **query):
    return Client().get(url, query)


# The description


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda one: one.name)
def test_every_documented_address_answers_as_it_is_described(of, endpoint):
    answer = ask(address(endpoint, of))
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
    validator(endpoint.answer.__name__).validate(answer.json())


@pytest.mark.parametrize("preset", ["mcr", "red", "riichi_ema", "siamese", "wmsg"])
def test_every_system_answers_as_it_is_described(preset):
    made = make.tournament(preset)
    make.players(made, 4)
    make.in_play(made)
    recompute.recompute(made.pk)
    for endpoint in ENDPOINTS:
        validator(endpoint.answer.__name__).validate(ask(address(endpoint, made)).json())


def test_every_address_of_the_api_is_described():
    described = {reverse_route(one.template) for one in ENDPOINTS}
    served = {
        reverse_route("/" + str(one.pattern))
        for one in api_urls.urlpatterns
        if one.name not in {"public_api_openapi", "public_api_docs", "public_api_nowhere"}
    }
    assert served == described == {reverse_route(path) for path in document()["paths"]}


def reverse_route(text):
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", text)


def test_every_reference_of_the_description_leads_somewhere():
    said = document()
    names = re.findall(r'"#/components/schemas/(\w+)"', json.dumps(said))
    assert set(names) == set(said["components"]["schemas"])
    for schema in said["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)


def test_description_is_one_of_openapi_31():
    said = Client().get("/api/1/openapi.json").json()
    assert said["openapi"] == "3.1.0"
    assert {"title", "version"} <= set(said["info"])
    for path, ways in said["paths"].items():
        named = {one["name"] for one in ways["get"]["parameters"] if one["in"] == "path"}
        assert named == set(re.findall(r"\{(\w+)\}", path))
        assert all(one["required"] for one in ways["get"]["parameters"] if one["in"] == "path")
    operations = [ways["get"]["operationId"] for ways in said["paths"].values()]
    assert len(set(operations)) == len(operations)


def test_every_shape_says_what_it_is():
    assert {one.__name__ for one in shapes.MEANINGS} == set(document()["components"]["schemas"])
    assert all(kind.__doc__ == said for kind, said in shapes.MEANINGS.items())


def test_the_description_would_notice_a_field_too_many(of):
    """The judge itself must be able to say no."""
    said = ask(f"/api/1/tournaments/{of.slug}/").json()
    with pytest.raises(jsonschema.ValidationError):
        validator("TournamentWhole").validate({**said, "email": "x"})


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_page_for_people_names_every_address_parameter_and_field(language):
    page = Client(headers={"Accept-Language": language}).get("/api/docs/").content.decode()
    said = document()
    for path, ways in said["paths"].items():
        assert f"GET {path}" in page
        assert all(one["name"] in page for one in ways["get"]["parameters"])
    for name, schema in said["components"]["schemas"].items():
        assert f'id="{name}"' in page
        assert all(field in page for field in schema["properties"])
    assert "<script" not in page.partition("<main")[2].partition("</main>")[0]


# What is told, and what is not


def test_nothing_tells_how_to_reach_anybody(of):
    """[INTEGRITY 4]"""
    for endpoint in ENDPOINTS:
        assert not re.search(r"example.org|\+7 900|ramp", ask(address(endpoint, of)).content.decode()), (
            endpoint.name
        )


def test_a_draft_is_told_to_nobody_not_even_its_owner(of):
    draft = make.tournament(announced=False)
    client = Client()
    client.force_login(draft.created_by)
    for endpoint in ENDPOINTS:
        if endpoint.path:
            assert client.get(address(endpoint, draft)).status_code == 404
    assert draft.slug not in ask("/api/1/tournaments/").content.decode()


def test_a_seating_that_is_not_published_does_not_exist(of):
    Session.objects.filter(tournament=of, number=1).update(published_at=None)
    base = f"/api/1/tournaments/{of.slug}"
    assert ask(f"{base}/sessions/1/").status_code == 404
    assert ask(f"{base}/sessions/1/tables/1/").status_code == 404
    assert ask(f"{base}/players/1/").json()["seats"] == []
    assert ask(f"{base}/history/").json()["protocols"] == []


def test_who_cancelled_is_not_on_the_list(of):
    assert 9 in [
        row["number"] for row in ask(f"/api/1/tournaments/{of.slug}/players/").json()["players"]
    ] or (of.registrations.get(number=9).status == Registration.Status.CANCELLED)
    of.registrations.filter(number=8).update(status=Registration.Status.CANCELLED)
    listed = [row["number"] for row in ask(f"/api/1/tournaments/{of.slug}/players/").json()["players"]]
    assert 8 not in listed
    assert ask(f"/api/1/tournaments/{of.slug}/players/8/").status_code == 404


def test_an_erased_player_has_no_name(of):
    make.nameless(_row(of, 1).player)
    said = ask(f"/api/1/tournaments/{of.slug}/players/1/").json()
    assert (said["player"]["name"], said["player"]["ema_number"]) == (None, "")


def test_the_protocol_is_told_hand_by_hand(of):
    said = ask(f"/api/1/tournaments/{of.slug}/sessions/1/tables/1/").json()
    (hand,) = said["hands"]
    protocol = _protocol(of.sessions.get(number=1))
    assert hand["payments"] == protocol.hands.get().payments
    assert sum(hand["payments"].values()) + hand["unpaid"] == 0
    assert [seat["points"] for seat in said["table"]["seats"]] == [hand["payments"][wind] for wind in "ESWN"]
    assert said["head"] == protocol.history.order_by("-number").first().digest
    assert said["entries"] == protocol.version


def test_standings_are_those_of_the_page(of):
    said = ask(f"/api/1/tournaments/{of.slug}/standings/").json()
    rows = list(of.standings.select_related("player__registration").order_by("position"))
    assert [row["number"] for row in said["rows"]] == [row.player.registration.number for row in rows]
    assert [row["place"] for row in said["rows"]] == [row.place for row in rows]
    assert said["provisional"] is True
    assert {row["name"] for row in said["groups"][0]["rows"]} <= {"North", "South", "West"}


def test_digests_are_those_of_the_record(of):
    from tournaments.exchange.record import history_of

    said, known = ask(f"/api/1/tournaments/{of.slug}/history/").json(), history_of(of)
    assert (said["entries"], said["head"]) == (known["tournament"]["entries"], known["tournament"]["head"])
    assert [(row["session"], row["table"], row["head"]) for row in said["protocols"]] == [
        (row["session"], row["table"], row["head"]) for row in known["protocols"]
    ]


# Lists


def test_pages_together_hold_everybody_once(of):
    url = f"/api/1/tournaments/{of.slug}/players/"
    first = ask(url, page_size=4).json()
    assert first["page"]["size"] == 4
    numbers = [
        row["number"]
        for page in range(1, first["page"]["count"] + 1)
        for row in ask(url, page_size=4, page=page).json()["players"]
    ]
    assert numbers == [row["number"] for row in ask(url).json()["players"]]
    assert len(numbers) == first["page"]["total"]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"page": "0"}, "page_range"),
        ({"page": str(10**9)}, "page_range"),
        ({"page": "1_0"}, "page_range"),
        ({"page": "x"}, "page_range"),
        ({"page_size": "10000"}, "page_range"),
        ({"page_size": "0"}, "page_range"),
        ({"order_by": "password"}, "filter_unknown"),
        ({"order_by": "player__email"}, "filter_unknown"),
        ({"player__email__contains": "w"}, "filter_unknown"),
        ({"status": "cancelled"}, "filter_unknown"),
        ({"q": "x" * 1000}, "query_too_long"),
    ],
    ids=str,
)
def test_what_cannot_be_asked_is_refused(of, query, code):
    """[INTEGRITY 145] [INTEGRITY 146] [INTEGRITY 147]"""
    answer = ask(f"/api/1/tournaments/{of.slug}/players/", **query)
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert answer["Content-Type"] == "application/problem+json"
    validator("ProblemAnswer").validate(answer.json())


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda one: one.name)
def test_no_address_takes_what_is_not_described(of, endpoint):
    """[INTEGRITY 146]"""
    answer = ask(address(endpoint, of), is_staff="1")
    assert (answer.status_code, answer.json()["code"]) == (422, "filter_unknown")


def test_lists_are_narrowed_and_sorted(of):
    base = f"/api/1/tournaments/{of.slug}"
    named = [row["number"] for row in ask(f"{base}/players/", q="wREN b").json()["players"]]
    assert named == [2]
    rows = ask(f"{base}/standings/", country="RU", order_by="number").json()["rows"]
    assert [row["number"] for row in rows] == sorted(row["number"] for row in rows)
    assert {row["country"] for row in rows} == {"RU"}
    assert [one["slug"] for one in ask("/api/1/tournaments/", state="running").json()["tournaments"]] == [
        of.slug
    ]
    assert ask("/api/1/tournaments/", system="MCR").json()["tournaments"] == []
    assert [one["slug"] for one in ask("/api/1/tournaments/", q="SAMARA").json()["tournaments"]] == [of.slug]


# Errors


@pytest.mark.parametrize(
    "path",
    [
        "tournaments/nothing/",
        "tournaments/{slug}/players/999/",
        "tournaments/{slug}/players/9223372036854775808/",
        "tournaments/{slug}/players/-1/",
        "tournaments/{slug}/players/x/",
        "tournaments/{slug}/sessions/9/",
        "tournaments/{slug}/sessions/1/tables/99/",
        "tournaments/{slug}/sessions/%00/",
        "nothing/",
        "tournaments/{slug}",
    ],
)
def test_what_is_not_there_is_said_in_json(of, path):
    """[INTEGRITY 142] [INTEGRITY 143]"""
    answer = ask("/api/1/" + path.format(slug=of.slug))
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    validator("ProblemAnswer").validate(answer.json())


def test_nothing_can_be_written(of):
    """[INTEGRITY 144]"""
    for method in ("post", "put", "patch", "delete"):
        answer = getattr(Client(enforce_csrf_checks=True), method)(f"/api/1/tournaments/{of.slug}/")
        assert (answer.status_code, answer["Allow"]) == (405, "GET, OPTIONS, HEAD")
        assert answer.json()["code"] == "method_not_allowed"


def test_a_sentence_comes_in_the_language_asked_for(of):
    answer = Client(headers={"Accept-Language": "ru"}).get("/api/1/tournaments/nothing/")
    assert re.search("[а-яё]{4,}", answer.json()["title"], re.IGNORECASE)


# Cheap, and open to other sites


def test_an_answer_that_is_known_is_not_sent_again(of):
    for endpoint in ENDPOINTS:
        url = address(endpoint, of)
        tag = ask(url)["ETag"]
        again = Client().get(url, headers={"If-None-Match": tag})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag), endpoint.name


def test_an_answer_changes_its_tag_with_the_record(of):
    urls = [address(one, of) for one in ENDPOINTS if one.path]
    before = [ask(url)["ETag"] for url in urls]
    make.record(_protocol(of.sessions.get(number=1)))
    assert not set(before) & {ask(url)["ETag"] for url in urls}


def test_what_is_not_changed_costs_two_queries(of):
    url = f"/api/1/tournaments/{of.slug}/standings/"
    tag = ask(url)["ETag"]
    with CaptureQueriesContext(connection) as captured:
        assert Client().get(url, headers={"If-None-Match": tag}).status_code == 304
    assert len(captured) == 2


def test_no_answer_asks_more_for_more_rows():
    counts = {}
    for number in (4, 12):
        made = make.tournament()
        make.players(made, number)
        make.record(_protocol(make.in_play(made)))
        recompute.recompute(made.pk)
        for endpoint in ENDPOINTS:
            with CaptureQueriesContext(connection) as captured:
                ask(address(endpoint, made))
            counts.setdefault(endpoint.name, []).append(len(captured))
    assert all(few == many for few, many in counts.values()), counts
    assert max(many for _, many in counts.values()) <= 12


def test_standings_ask_nothing_of_the_hands(of):
    with CaptureQueriesContext(connection) as captured:
        ask(f"/api/1/tournaments/{of.slug}/standings/")
    assert not any("tournaments_hand" in query["sql"] for query in captured)


def test_pages_of_other_sites_may_read(of):
    url = f"/api/1/tournaments/{of.slug}/"
    for answer in (ask(url), ask("/api/1/nothing/"), ask(url, x="1")):
        assert answer["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in answer
    asked = Client().options(url, headers={"Origin": "https://example.org"})
    assert (asked.status_code, asked.content) == (204, b"")
    assert "If-None-Match" in asked["Access-Control-Allow-Headers"]


def test_reading_writes_nothing(of):
    """[INTEGRITY 4]"""
    for endpoint in ENDPOINTS:
        with CaptureQueriesContext(connection) as captured:
            ask(address(endpoint, of))
        assert not [one for one in captured if one["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]


def test_finished_events_are_there_for_good(of):
    Tournament.objects.filter(pk=of.pk).update(state="closed")
    assert ask("/api/1/tournaments/", state="closed").json()["tournaments"][0]["players"] == 8


def test_instants_are_in_utc(of):
    moment = timezone.now() + timedelta(hours=3)
    Session.objects.filter(tournament=of, number=2).update(planned_at=moment)
    said = ask(f"/api/1/tournaments/{of.slug}/sessions/").json()["sessions"][1]
    assert said["planned_at"] == moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def test_the_api_is_found_where_people_look():
    assert reverse("tournaments:public_api_docs") in Client().get("/").content.decode()
    assert Player.objects.count() == 0
