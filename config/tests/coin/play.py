"""An event of coins, from the form that announces it to its record on another site; run by config/tests/test_new_system.py."""

import json
from fractions import Fraction
from html.parser import HTMLParser

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from config.tests.coin.system import COIN, SESSIONS_WON
from penalties.ladder.operations.penalties import Case, give
from scoring.door import compute_record
from scoring.systems import SYSTEMS
from tournaments.exchange.intake import import_record
from tournaments.exchange.record import export_record
from tournaments.models import Adjustment, Protocol, Role, Standing, Tournament
from tournaments.sessions.operations import play
from tournaments.standings.operations import recompute
from tournaments.standings.operations.verification import verify
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered
from tournaments.tests.test_tablet_api import Tablet

pytestmark = pytest.mark.django_db
EAST_WINS = {"events": [{"type": "win", "winners": [{"seat": "E", "fans": 1}]}]}
SOUTH_WINS = {"events": [{"type": "win", "winners": [{"seat": "S", "fans": 1}]}]}
NOBODY_WINS = {"events": []}


def posted(tablet, name, body):
    answer = tablet.post(name, body)
    assert answer.status_code == 200, answer.content.decode()
    return answer.json()


@pytest.fixture
@remembered
def event():
    """Four players at two tables; East wins three of four hands, all entered on tablets, and the session is closed."""
    of = make.tournament("coin", sessions=1)
    make.players(of, 4)
    session = make.in_play(of)
    for protocol in Protocol.objects.filter(table__session=session).select_related(
        "table__session__tournament"
    ):
        tablet = Tablet(protocol)
        for facts in (EAST_WINS, SOUTH_WINS, EAST_WINS, EAST_WINS):
            posted(tablet, "hands/", {"facts": facts, "sure": True})
        posted(tablet, "end/", {})
        totals = {"E": 6, "S": -6}
        for wind in totals:
            posted(tablet, "confirm/", {"wind": wind, "totals": totals})
    play.close_session(session, by=make.organizer_of(of))
    recompute.recompute_all(of)
    return Tournament.objects.get(pk=of.pk)


@pytest.fixture
@remembered
def tablet():
    return Tablet(make.protocol("coin", 2))


def test_no_migration_is_needed():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_the_system_is_one_of_seven():
    assert SYSTEMS["COIN"] is COIN
    assert len(SYSTEMS) == 7


def test_the_tablet_enters_previews_corrects_and_takes_back(tablet):
    previewed = posted(tablet, "preview/", {"facts": EAST_WINS})
    assert previewed["payments"] == {"E": 3, "S": -3}
    assert previewed["lines"][0]["sentence"] == "The toss is lost: 3."
    state = posted(tablet, "hands/", {"facts": EAST_WINS})["state"]
    assert [seat["points"] for seat in state["seats"]] == [3, -3]
    state = posted(tablet, "undo/", {"number": 1})["state"]
    assert [seat["points"] for seat in state["seats"]] == [0, 0]


def test_what_the_system_refuses_is_told_with_its_clause(tablet):
    answer = tablet.post("hands/", {"facts": NOBODY_WINS})
    assert answer.status_code == 422
    (problem,) = answer.json()["problems"]
    assert (problem["clause"], problem["sentence"]) == ("COIN 1", "One of the two wins the toss.")


def test_what_the_system_does_not_record_is_refused(tablet):
    kong = {"events": [{"type": "kong", "seat": "E", "kind": "concealed"}]}
    assert tablet.post("hands/", {"facts": kong}).status_code == 422
    assert tablet.post("evaluate/", {"text": "123m"}).status_code == 422


def test_the_standings_are_ranked_by_the_new_criterion(event):
    rows = list(Standing.objects.filter(tournament=event).order_by("place"))
    assert [row.place for row in rows] == [1, 1, 3, 3]
    assert str(SESSIONS_WON) in event.regulation["ranking"]
    shown = (
        Client().get(f"/{event.slug}/standings/?why=1", headers={"Accept-Language": "en"}).content.decode()
    )
    assert "Sessions won" in shown


class Addresses(HTMLParser):
    """The addresses that a page leads to."""

    def __init__(self):
        super().__init__()
        self.found = set()

    def handle_starttag(self, tag, attrs):
        if tag == "a":
            self.found |= {value.partition("#")[0] for name, value in attrs if name == "href" and value}


def walked(client, start, language):
    """Follow every link within the event; the statuses by address."""
    seen, waiting = {}, {start}
    while waiting:
        address = waiting.pop()
        answer = client.get(address, headers={"Accept-Language": language})
        seen[address] = answer.status_code
        if answer.headers["Content-Type"].startswith("text/html") and answer.status_code == 200:
            page = Addresses()
            page.feed(answer.content.decode())
            base = start.split("/")[1]
            waiting |= {one for one in page.found if one.startswith(f"/{base}/")} - set(seen)
    return seen


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_page_of_the_event_is_shown(event, language):
    give(event, case_of(event), by=make.chief_referee_of(event), key="k" * 20)
    recompute.recompute_all(event)
    walked_as_stranger = walked(Client(), f"/{event.slug}/", language)
    assert len(walked_as_stranger) > 20
    assert {address: status for address, status in walked_as_stranger.items() if status >= 400} == {}
    client = Client()
    client.force_login(event.created_by)
    Role.objects.create(tournament=event, user=event.created_by, kind="chief_referee")
    walked_as_judge = walked(client, f"/{event.slug}/desk/", language)
    walked_as_judge |= walked(client, f"/{event.slug}/desk/judging/", language)
    assert {address: status for address, status in walked_as_judge.items() if status >= 400} == {}
    assert f"/{event.slug}/desk/regulation/" in walked_as_judge
    assert f"/{event.slug}/desk/penalties/1/" in walked_as_judge


def case_of(event):
    row = event.registrations.order_by("number").first()
    return Case(row.player, "dropped_coin", event.sessions.get(number=1), points=Fraction(2))


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_paper_has_its_columns(tablet, language):
    of = tablet.tournament
    client = Client()
    client.force_login(of.created_by)
    page = client.get(f"/{of.slug}/desk/sessions/1/sheets/", headers={"Accept-Language": language})
    assert page.status_code == 200
    assert "The loser pays the stake." in page.content.decode()


def test_a_penalty_costs_what_the_judge_decides(event):
    give(event, case_of(event), by=make.chief_referee_of(event), key="k" * 20)
    assert [-row.game_points for row in Adjustment.objects.all()] == [2]


def test_the_record_leaves_and_comes_back(event):
    out = export_record(event)
    assert out["declared"]["tournament"]["system"] == "COIN"
    assert compute_record(out)[1] == []
    text = json.dumps(out).replace(event.slug, "elsewhere")
    taken = import_record(json.loads(text), by=make.actor(make.user(), "organizer"))
    assert list(taken.differences) == []
    back = export_record(Tournament.objects.get(pk=taken.tournament.pk))
    assert back["declared"] == json.loads(text)["declared"]
    assert back["computed"] == json.loads(text)["computed"]
    assert verify(taken.tournament) == []


def test_the_api_tells_it(event):
    answer = Client().get("/api/1/tournaments/?system=COIN")
    assert answer.status_code == 200, answer.content.decode()
    assert event.slug in answer.content.decode()


@pytest.mark.parametrize("language", ["en", "ru"])
def test_an_event_is_announced_by_its_form(language):
    client = Client(headers={"Accept-Language": language})
    client.force_login(make.user())
    page = client.get(reverse("tournaments:new")).content.decode()
    assert 'value="coin"' in page


def test_its_clauses_are_listed(capsys):
    """The command ends with 1 as long as a clause lacks a function or a test; a tag in a test counts as neither."""
    with pytest.raises(SystemExit):
        call_command("rules", "COIN")
    assert "COIN 1] one of the two wins" in capsys.readouterr().out
