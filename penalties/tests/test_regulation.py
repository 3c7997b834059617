"""Penalties of the whole event follow its regulation; those of a session its own copy. [RULES 8.30]"""

import pytest

from penalties.tests import factories as judge
from tournaments.desk.forms.regulation import RegulationForm
from tournaments.record.refusal import Refused
from tournaments.sessions.operations.tournaments import change_regulation
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db
REASON = "Decided by the organizing committee."
WHOLE = {"offences": ["rudeness"], "mode": "total", "scope": "tournament", "steps": [0, 5, 20]}


@pytest.fixture
@remembered
def session():
    of = make.tournament("sbr")
    make.players(of, 4)
    change(of, fixed={"loud_phone": 8}, ladders=[*of.regulation["penalties"]["ladders"], WHOLE])
    row = make.in_play(of)
    row.tournament = type(of).objects.get(pk=of.pk)
    return row


def change(of, **penalties):
    return change_regulation(
        of,
        {"penalties": {**of.regulation["penalties"], **penalties}},
        by=make.organizer_of(of),
        reason=REASON,
        is_sure=True,
    )


def lines(of) -> list[int]:
    return [row.game_points for row in of.adjustments.filter(reversed_at=None).order_by("pk")]


def test_a_new_price_is_posted_and_the_old_one_reversed(session):
    of, east = session.tournament, judge.seat(session, "E")
    judge.give(east, "loud_phone")
    judge.give(east, "loud_phone", session)
    assert lines(of) == [-8, -8]
    change(of, fixed={"loud_phone": 12})
    assert sorted(lines(of)) == [-12, -8]
    opposite = of.adjustments.get(code__endswith="-reversed")
    assert (opposite.game_points, opposite.session, opposite.reason) == (8, None, REASON)


def test_new_steps_of_a_ladder_of_the_whole_event_are_worked_out(session):
    of, east = session.tournament, judge.seat(session, "E")
    for _ in range(3):
        judge.give(east, "rudeness")
    assert lines(of) == [-5, -15]
    change(of, ladders=[{**WHOLE, "steps": [0, 1, 2]}])
    assert sorted(lines(of)) == [-1, -1]


def test_a_regulation_that_forgets_a_price_is_refused_until_the_penalty_is_revoked(session):
    of, east = session.tournament, judge.seat(session, "E")
    given = judge.give(east, "loud_phone")
    before = of.regulation
    with pytest.raises(Refused) as refused:
        change(of, fixed={})
    assert refused.value.problems[0].code == "penalty_unpriced"
    assert type(of).objects.get(pk=of.pk).regulation == before
    assert lines(of) == [-8]
    from penalties.ladder.operations.penalties import revoke

    revoke(given, by=make.chief_referee_of(of), reason="Given by mistake.")
    change(of, fixed={})
    assert lines(of) == []


def test_the_organizer_sets_how_judging_works():
    """Before or after the places, telephones on the ladder, appeals and their deposit. [SBR 2.8.4.6] [SBR 2.9.2] [RULES 1.1]"""
    of = make.tournament("sbr")
    offences = [one for one in of.regulation["penalties"]["ladders"][0]["offences"] if one != "phone"]
    judging = {
        "penalty_timing": "after",
        "ladder_1_offences": [*offences, "phone"],
        "has_appeals": "on",
        "appeal_minutes": "20",
        "deposit_fees": "3",
        "committee": "",
    }
    rules = set_at_the_desk(of, judging)
    assert rules["penalties"]["timing"] == "after"
    assert rules["penalties"]["ladders"][0]["offences"] == [*offences, "phone"]
    assert rules["appeals"] == {"minutes": 20, "deposit_fees": 3, "committee": False}
    rules = set_at_the_desk(of, {**judging, "ladder_1_offences": offences, "has_appeals": ""})
    assert rules["appeals"] is None
    assert "phone" not in rules["penalties"]["ladders"][0]["offences"]


def set_at_the_desk(of, changes):
    """Save the regulation as the form shows it, but for some controls."""
    of = type(of).objects.get(pk=of.pk)
    empty = RegulationForm(tournament=of)
    shown = {name: empty[name].value() for name in empty.fields}
    data = {name: value for name, value in shown.items() if value is not None and value is not False}
    data |= {f"ranking_{place}": code for place, code in enumerate(data.pop("ranking"))}
    form = RegulationForm(data | changes, tournament=of)
    assert form.is_valid(), form.errors
    return change_regulation(of, form.changes(), by=make.organizer_of(of)).regulation
