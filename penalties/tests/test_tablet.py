"""What the tablet of a table is told of its judges: points that count before the places there. [RULES 8.36]"""

import pytest

from penalties.ladder.operations.penalties import revoke
from penalties.ladder.queries.penalties import effects
from penalties.tests import factories as judge
from tournaments.models import Session
from tournaments.tests import factories as make
from tournaments.tests.test_tablet_api import Tablet

pytestmark = pytest.mark.django_db


def at_table(preset):
    """A table in play with its tablet, and its session."""
    tablet = Tablet(make.protocol(preset))
    session = Session.objects.select_related("tournament").get(pk=tablet.protocol.table.session_id)
    return tablet, session


def state(tablet):
    return tablet.client.get(tablet.address(""), headers=tablet.headers).json()


def test_what_counts_before_the_places_is_told_by_seat():
    tablet, session = at_table("sbr")
    assert state(tablet)["taken"] == {}
    _first, second = (judge.give(judge.seat(session, "E"), "touching", session) for _ in range(2))
    judge.give(judge.seat(session, "S"), "phone", session, points=8, to="table")
    assert state(tablet)["taken"] == {"E": 6, "S": -24, "W": 8, "N": 8}
    revoke(second, by=make.chief_referee_of(session.tournament), reason="Seen from afar only.")
    assert state(tablet)["taken"] == {"E": 8, "S": -24, "W": 8, "N": 8}


def test_what_counts_after_the_places_moves_none():
    """[RIICHI 5.5] [RULES 8.36]"""
    tablet, session = at_table("riichi_ema")
    judge.give(judge.seat(session, "E"), "disturbance", session, points=8000)
    assert state(tablet)["taken"] == {}
    assert state(tablet)["place_rule"] == "average"


def test_points_and_taken_rank_the_table_as_the_standings_will():
    tablet, session = at_table("sbr")
    tablet.post("hands/", {"facts": make.east_from_south(2)})
    judge.give(judge.seat(session, "E"), "phone", session, points=8)
    told = state(tablet)
    counted = {seat["wind"]: seat["points"] + told["taken"].get(seat["wind"], 0) for seat in told["seats"]}
    table = tablet.protocol.table
    table.session = session
    assert counted == {one.seat.wind: one.before.table_points for one in effects(table, [])}


def test_a_heartbeat_tells_that_judges_have_taken_something():
    tablet, session = at_table("sbr")
    where = {"session": 1, "table": 1, "unsent": 0, "clock": 0}
    judge.give(judge.seat(session, "E"), "phone", session, points=8)
    assert tablet.to("beat/", where).json()["taken"] == {"E": -8}


def test_a_correction_shows_the_places_that_it_will_bring():
    tablet, session = at_table("sbr")
    tablet.post("hands/", {"facts": make.east_from_south(0)})
    judge.give(judge.seat(session, "E"), "phone", session, points=8)
    answer = tablet.post("preview/", {"facts": make.east_from_south(4), "number": 1}).json()
    assert (answer["before"]["E"]["points"], answer["before"]["E"]["place"]) == (-7, "4")
    assert (answer["after"]["E"]["points"], answer["after"]["E"]["place"]) == (8, "1")
