"""Who works at a tournament and plays in it: known as that player, so that nobody judges the own table. [INTEGRITY 3]"""

import pytest
from django.test import Client

from scoring.record.form import ROLES
from tournaments.models import Protocol, Role
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import tournaments as events
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db
REASON = "The hand was not played"


@pytest.fixture
@remembered
def of():
    made = make.tournament()
    make.players(made, 8)
    return made


def granted(of, who, kind, number=""):
    client = Client()
    client.force_login(of.created_by)
    body = {"username": who.username, "kind": kind, "player": number}
    return client.post(f"/{of.slug}/desk/staff/", body)


def test_referee_who_plays_corrects_every_table_but_the_own(of):
    who = make.user()
    assert granted(of, who, "referee", "1").status_code == 302
    session = make.in_play(of)
    client = Client()
    client.force_login(who)
    own = session.seats.get(player__registration__number=1).table.number
    for protocol in Protocol.objects.filter(table__session=session).select_related(
        "table__session__tournament"
    ):
        make.record(protocol)
        number = protocol.table.number
        body = {"reason": REASON, "seen": 1, "key": f"table-{number}-of-session-1"}
        answer = client.post(f"/{of.slug}/desk/tables/1/{number}/correct/1/", body)
        assert answer.status_code == (422 if number == own else 302)
        assert protocol.hands.filter(status="voided").exists() is (number != own)


def test_further_role_knows_the_player_too(of):
    who = make.user()
    granted(of, who, "referee", "1")
    granted(of, who, "committee")
    assert set(of.roles.filter(user=who).values_list("kind", "player__registration__number")) == {
        ("referee", 1),
        ("committee", 1),
    }


@pytest.mark.parametrize("first", ["referee", "chief_referee"])
def test_chief_referee_does_not_play(of, first):
    who, by = make.user(), make.organizer_of(of)
    player = of.registrations.get(number=1).player
    second = {"referee": "chief_referee", "chief_referee": "referee"}[first]
    events.grant_role(of, who, first, by=by, player=player if first == "referee" else None)
    with pytest.raises(Refused) as refused:
        events.grant_role(of, who, second, by=by, player=player if second == "referee" else None)
    assert [problem.code for problem in refused.value.problems] == ["conflict_of_interest"]


def test_role_taken_twice_is_told_once(of):
    who, by = make.user(), make.organizer_of(of)
    role = events.grant_role(of, who, "referee", by=by)
    stale = of.roles.get(pk=role.pk)
    events.take_role(role, by=by)
    events.take_role(stale, by=by)
    assert of.history.filter(kind="role_taken").count() == 1


def test_a_record_knows_every_role():
    """[RULES 1.2] [RECORD 2]"""
    assert list(ROLES) == list(Role.Kind.values)
