"""Stages leave and come back in a record of version 1, which ranks all sessions together. [RULES 9.7] [RECORD]"""

import json
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from random import Random

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoring
from scoring.presets import PRESETS
from scoring.record.computed import computed
from scoring.record.declared import read_declared
from scoring.regulation import Carry, Regulation
from tournaments.exchange.intake import import_record
from tournaments.exchange.record import export_record
from tournaments.models import Session, Standing, Tournament
from tournaments.record.refusal import Refused
from tournaments.sessions.rules import stages
from tournaments.standings.operations import recompute
from tournaments.standings.operations.verification import verify
from tournaments.tests import factories as make
from tournaments.tests import naive
from tournaments.tests.random_records import moved, random_record

SCHEMA = json.loads((Path(scoring.__file__).parents[1] / "docs" / "record.schema.json").read_text("utf-8"))
VALID = jsonschema.Draft202012Validator(SCHEMA)
CARRIES = [str(carry) for carry in Carry]
CASES = [pytest.param(code, seed, id=f"{code}-{seed}") for code in PRESETS for seed in (20, 21, 22, 23)]


def staged(preset, seed):
    """Make up a record of several sessions that are played in stages."""
    chance = Random(f"stages {preset} {seed}")
    record = next(
        one
        for one in (random_record(preset, 1000 * seed + more) for more in range(99))
        if len(one["declared"]["sessions"]) >= 2
        and all(session["state"] != "open" for session in one["declared"]["sessions"])
    )
    sessions = record["declared"]["sessions"]
    record["declared"]["regulation"]["sessions"] = len(sessions) + 1
    chosen = chance.sample(range(2, len(sessions) + 1), chance.randint(1, len(sessions) - 1))
    made, cut = [], chance.randint(6, 12)
    for number in sorted(chosen):
        has_cut = chance.random() < 0.7
        stage = {
            "from_session": number,
            "carry": chance.choice(CARRIES),
            "cut": cut if has_cut else None,
        }
        cut -= has_cut
        made.append(stage)
        seating = sessions[number - 1]["seating"]
        seating["method"] = stages.told(seating.get("method", ""), stage)
    return json.loads(json.dumps(record)), made


def ranked(tournament):
    rows = Standing.objects.filter(tournament=tournament).select_related("player").order_by("position")
    return [(row.player.code, row.place, row.is_shared, row.stage, row.values) for row in rows]


@pytest.mark.django_db
@pytest.mark.parametrize(("preset", "seed"), CASES)
def test_record_of_stages_is_of_version_1_and_comes_back_as_it_was(preset, seed):
    """What a stranger works out of it is what it says. [RECORD 4]"""
    said, made = staged(preset, seed)
    VALID.validate(said)
    assert list(naive_differences(said)) == []
    taken = import_record(said, by=make.actor(make.user(), "organizer"))
    assert list(taken.differences) == []
    assert taken.tournament.regulation["system_rules"]["stages"] == made
    out = json.loads(json.dumps(export_record(Tournament.objects.get(pk=taken.tournament.pk))))
    VALID.validate(out)
    assert (out["declared"], out["computed"]) == (said["declared"], said["computed"])
    assert verify(taken.tournament) == []


def naive_differences(record):
    ours = naive.computed_of(record["declared"])
    return [name for name in ours if ours[name] != record["computed"][name]]


@pytest.mark.django_db
@pytest.mark.parametrize(("preset", "seed"), CASES)
def test_the_site_ranks_by_stages_whatever_came_by_a_record(preset, seed):
    """[RULES 9.7]"""
    said, made = staged(preset, seed)
    by = make.actor(make.user(), "organizer")
    first = import_record(said, by=by).tournament
    second = import_record(moved(export_record(first), "once-more"), by=by).tournament
    for one in (first, second):
        recompute.recompute(one.pk)
    declared = read_declared(said["declared"])
    rules = Regulation.from_json(
        stages.with_stages(declared.regulation.to_json(), made), system=declared.system
    )
    expected = computed(replace(declared, regulation=rules))["standings"]
    assert [row[:3] for row in ranked(first)] == [
        (row["player"], row["place"], row["shared"]) for row in expected
    ]
    assert ranked(first) == ranked(second)


@pytest.mark.django_db
@pytest.mark.parametrize("preset", PRESETS)
def test_stages_are_told_before_anything_is_seated(preset):
    """[RULES 9.7]"""
    rules = PRESETS[preset].regulation.system_rules
    made = [{"from_session": 2, "carry": "half", "cut": 8}, {"from_session": 4, "carry": "none", "cut": None}]
    of = make.tournament(preset, sessions=5, system_rules={**rules, "stages": made})
    make.players(of, 8)
    out = export_record(of)
    VALID.validate(out)
    assert [one["seating"].get("method") for one in out["declared"]["sessions"]] == [
        None,
        "[stage half 8]",
        None,
        "[stage none]",
    ]
    back = import_record(moved(out, "elsewhere"), by=make.organizer_of(of)).tournament
    assert back.regulation == Tournament.objects.get(pk=of.pk).regulation
    assert list(back.sessions.values_list("number", "method")) == [(number, "") for number in range(1, 6)]
    make.seated(back, 1)
    assert back.sessions.get(number=1).is_published


@pytest.mark.django_db
@pytest.mark.parametrize("where", ["regulation", "sessions.0.regulation"])
def test_a_record_may_not_name_stages_among_the_settings(where):
    """[RECORD 1]"""
    said = next(
        one for one in (random_record("mcr", seed) for seed in range(99)) if one["declared"]["sessions"]
    )
    rules = {"minimum": 8, "stages": [{"from_session": 2, "carry": "full", "cut": None}]}
    target = said["declared"] if where == "regulation" else said["declared"]["sessions"][0]
    target.setdefault("regulation", {})["system_rules"] = rules
    with pytest.raises(Refused) as refused:
        import_record(said, by=make.actor(make.user(), "organizer"))
    assert [(one.code, one.field, one.clause) for one in refused.value.problems] == [
        ("unknown_field", f"declared.{where}.system_rules.stages", "RECORD 2")
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("methods", "sessions"),
    [
        pytest.param(["[stage full]", "draw 2"], 4, id="the first session"),
        pytest.param(["", "[stage full 4]", "[stage full 4]"], 4, id="as many play on"),
        pytest.param(["", "draw [stage half 16]"], 1, id="after the last session"),
        pytest.param(
            ["", "[stage double]", "[stage half 0]", "[stage half]!", " [stage none]"], 5, id="another name"
        ),
    ],
)
def test_a_name_that_tells_of_no_possible_stage_is_a_name(methods, sessions):
    said = deepcopy(random_record("sbr", 0))
    said["declared"] |= {
        "sessions": [
            {
                "number": number,
                "state": "planned",
                "seating": {"mode": "swiss", "seed": "1"} | ({"method": method} if method else {}),
                "tables": [],
            }
            for number, method in enumerate(methods, start=1)
        ],
        **{part: [] for part in ("lateness", "penalties", "adjustments", "appeals")},
    }
    said["declared"]["regulation"]["sessions"] = sessions
    del said["computed"]
    tournament = import_record(said, by=make.actor(make.user(), "organizer")).tournament
    assert "stages" not in tournament.regulation["system_rules"]
    assert export_record(tournament)["declared"] == said["declared"]


@given(
    method=st.text(max_size=100).filter(lambda method: not stages.MARK.fullmatch(method)),
    carry=st.sampled_from(CARRIES),
    cut=st.none() | st.integers(1, 999_999_999),
)
def test_what_is_told_of_a_stage_is_heard(method, carry, cut):
    """A method that leaves too little room is cut short, and is told the same from then on."""
    stage = {"from_session": 2, "carry": carry, "cut": cut}
    written = stages.told(method, stage)
    (first, kept), found = stages.heard(["", written], 2)
    assert len(written) <= stages.LONGEST_METHOD
    assert (first, found) == ("", [stage])
    assert method.startswith(kept)
    assert stages.told(kept, stage) == written
    if len(method) <= 70:
        assert kept == method


def test_sessions_are_told_of_no_stage_where_there_is_none():
    assert stages.told("draw 2", None) == "draw 2"
    assert stages.heard(["draw 2", ""], 2) == (["draw 2", ""], [])
    assert Session._meta.get_field("method").max_length == stages.LONGEST_METHOD
