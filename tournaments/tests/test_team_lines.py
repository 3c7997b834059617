"""Points of a team itself: posted at the desk, counted in its table alone, told to the public, in and out of records."""

from copy import deepcopy
from fractions import Fraction

import jsonschema
import pytest
from django.test import Client
from django.urls import reverse

from tournaments.exchange.intake import import_record
from tournaments.exchange.record import export_record
from tournaments.models import TeamLine, Tournament
from tournaments.people.operations import registration
from tournaments.record.refusal import Refused
from tournaments.standings.operations import recompute, team_lines
from tournaments.standings.operations.team_lines import TeamEntry
from tournaments.standings.operations.verification import verify
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered
from tournaments.tests.test_record import SCHEMA

pytestmark = pytest.mark.django_db

REASON = "Two of them talked about the hands of the others."
TABLE = {"by": "team", "mode": "sum", "best": None, "ranking": ["tournament_points", "game_points"]}


@pytest.fixture
@remembered
def of():
    """Return an event of two teams of two in play."""
    of = make.tournament(team_size=2, sessions=1, group_tables=[TABLE])
    for index, row in enumerate(make.players(of, 4)):
        details = registration.Details(name=row.player.name, team=["Storks", "Swans"][index % 2])
        row.tournament = row.player.tournament = of
        registration.change_player(row, details, by=make.organizer_of(of))
    make.in_play(of)
    return of


def post(of, **said):
    team = of.teams.get(name="Storks")
    return team_lines.post(of, TeamEntry(team, **{"reason": REASON, **said}), by=make.chief_referee_of(of))


def page(of, name, *at, language="en"):
    client = Client(headers={"accept-language": language})
    return client.get(reverse(f"tournaments:{name}", args=[of.slug, *at]), {"by": "team", "table": "1"})


def values(of):
    recompute.recompute(of.pk)
    rows = export_record(of)["computed"]["group_tables"][0]["rows"]
    return {row["name"]: (row["values"]["tournament_points"], row["values"]["game_points"]) for row in rows}


def test_a_line_counts_in_the_table_of_teams_and_can_be_taken_back(of):
    """[RULES 9.13]"""
    before = values(of)
    line = post(of, game_points=-8, offence="other", clause="SBR 2.8.4")
    post(of, tournament_points=Fraction(1, 2))
    after = values(of)
    assert after["Swans"] == before["Swans"]
    assert Fraction(after["Storks"][0]) - Fraction(before["Storks"][0]) == Fraction(1, 2)
    assert int(after["Storks"][1]) - int(before["Storks"][1]) == -8
    assert verify(of) == []
    team_lines.reverse(line, by=make.chief_referee_of(of), reason="It was the other team.")
    assert values(of)["Storks"][1] == before["Storks"][1]
    assert verify(of) == []
    with pytest.raises(Refused):
        team_lines.reverse(line, by=make.chief_referee_of(of), reason="It was the other team.")


def test_a_line_that_was_changed_by_hand_is_found(of):
    line = post(of, game_points=-8)
    TeamLine.objects.filter(pk=line.pk).update(game_points=-80)
    assert [fault.number for fault in verify(of)] != []


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({}, "one_change"),
        ({"game_points": 1, "tournament_points": Fraction(1)}, "one_change"),
        ({"game_points": 0}, "out_of_range"),
        ({"tournament_points": Fraction(10_000)}, "out_of_range"),
        ({"game_points": 5, "offence": "other"}, "penalty_amount"),
        ({"game_points": 5, "reason": "Because"}, "reason_needed"),
    ],
)
def test_what_a_line_cannot_be(of, said, code):
    with pytest.raises(Refused) as refused:
        post(of, **said)
    assert code in {problem.code for problem in refused.value.problems} or code == "reason_needed"
    assert not of.team_lines.exists()


def test_points_that_no_table_counts_are_refused(of):
    """[RULES 8.51]"""
    regulation = deepcopy(of.regulation)
    regulation["group_tables"][0]["ranking"] = ["tournament_points"]
    Tournament.objects.filter(pk=of.pk).update(regulation=regulation)
    of.refresh_from_db()
    with pytest.raises(Refused) as refused:
        post(of, game_points=-8)
    assert [problem.code for problem in refused.value.problems] == ["moves_nothing"]
    assert post(of, tournament_points=Fraction(-1))


def test_a_team_of_another_event_has_no_line_here(of):
    other = make.tournament()
    with pytest.raises(Refused) as refused:
        team_lines.post(
            other, TeamEntry(of.teams.first(), game_points=1, reason=REASON), by=make.chief_referee_of(other)
        )
    assert "no_team" in {problem.code for problem in refused.value.problems}


def test_a_record_brings_points_of_teams_back(of):
    """[RECORD 2] [RULES 9.13]"""
    post(of, game_points=-8, offence="other", clause="SBR 2.8.4")
    post(of, tournament_points=Fraction(-1, 2), offence="other", clause="SBR 2.8.4")
    post(of, game_points=3)
    recompute.recompute(of.pk)
    said = export_record(of)
    jsonschema.validate(said, SCHEMA)
    assert [one["team"] for one in said["declared"]["penalties"]] == ["Storks", "Storks"]
    said["declared"]["tournament"]["slug"] = "taken-in"
    taken = import_record(said, by=make.actor(make.user(), "organizer"))
    assert list(taken.differences) == []
    again = export_record(Tournament.objects.get(pk=taken.tournament.pk))
    assert again["declared"] == said["declared"]
    assert again["computed"] == said["computed"]
    assert verify(taken.tournament) == []


def test_the_public_table_tells_what_a_team_lost_and_why(of):
    post(of, game_points=-8, offence="other", clause="SBR 2.8.4")
    post(of, tournament_points=Fraction(1, 2))
    recompute.recompute(of.pk)
    html = Client().get(reverse("tournaments:standings", args=[of.slug]), {"table": "1"}).content.decode()
    assert "−8" in html
    assert "[SBR 2.8.4]" in html
    assert REASON in html


def test_the_desk_posts_and_reverses(of):
    client = Client()
    client.force_login(make.staff(of, "chief_referee"))
    address = reverse("penalties:teams", args=[of.slug])
    assert address in client.get(reverse("penalties:judging", args=[of.slug])).content.decode()
    assert "A line of a team" in client.get(address).content.decode()
    body = {"team": of.teams.get(name="Storks").pk, "offence": "other", "game_points": "-8", "reason": REASON}
    assert client.post(address, {**body, "game_points": ""}).status_code == 422
    assert client.post(address, {**body, "team": "0"}).status_code == 422
    assert client.post(address, body).status_code == 302
    line = of.team_lines.get()
    assert (line.game_points, line.clause) == (-8, "RULES 9.13")
    assert REASON in client.get(address).content.decode()
    client.post(
        reverse("penalties:reverse_team", args=[of.slug, line.code]), {"reason": "It was the other team."}
    )
    line.refresh_from_db()
    assert line.reversed_at is not None
    assert "It was the other team." in client.get(address).content.decode()


def test_an_event_without_teams_says_so():
    of = make.tournament()
    client = Client()
    client.force_login(make.staff(of, "chief_referee"))
    assert "Points of teams" not in client.get(reverse("penalties:judging", args=[of.slug])).content.decode()
    assert "No teams yet" in client.get(reverse("penalties:teams", args=[of.slug])).content.decode()
