"""Stages stand in a record as they are on the site; a record of version 1 tells them with its seatings. [RULES 9.7] [RECORD]"""

import json
from copy import deepcopy
from pathlib import Path
from random import Random

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoring
from scoring.door import compute_record
from scoring.presets import PRESETS
from scoring.record.computed import compute
from scoring.record.upgrades import MARK, found_stages
from scoring.regulation import Carry
from scoring.tests.first_records import LONGEST_METHOD, first_version, method_with_stage
from tournaments.exchange.intake import import_record
from tournaments.exchange.record import export_record
from tournaments.models import Session, Standing, Tournament
from tournaments.record.refusal import Refused
from tournaments.standings.operations import recompute
from tournaments.standings.operations.verification import verify
from tournaments.tests import factories as make
from tournaments.tests import naive
from tournaments.tests.compare_naive import in_text
from tournaments.tests.random_records import moved, random_record

DOCS = Path(scoring.__file__).parents[1] / "docs"
FIRST, SECOND = (
    jsonschema.Draft202012Validator(json.loads((DOCS / name).read_text("utf-8")))
    for name in ("record.1.schema.json", "record.schema.json")
)
CARRIES = [str(carry) for carry in Carry]
CASES = [pytest.param(code, seed, id=f"{code}-{seed}") for code in PRESETS for seed in (20, 21, 22, 23)]


def staged(preset, seed, *, is_of_first=False):
    """Make up a record of several sessions that are played in stages, perhaps by rules that version 1 has words for."""
    chance = Random(f"stages {preset} {seed}")
    record = next(
        one
        for one in (random_record(preset, 1000 * seed + more) for more in range(999))
        if len(one["declared"]["sessions"]) >= 2
        and all(session["state"] != "open" for session in one["declared"]["sessions"])
        and not (is_of_first and "false_winner" in one["declared"]["regulation"]["system_rules"])
        and (not is_of_first or FIRST.is_valid(of_version_1(one)))
    )
    declared = record["declared"]
    sessions = declared["sessions"]
    declared["regulation"]["sessions"] = len(sessions) + 1
    chosen = chance.sample(range(2, len(sessions) + 1), chance.randint(1, len(sessions) - 1))
    made, cut = [], chance.randint(6, 12)
    for number in sorted(chosen):
        has_cut = chance.random() < 0.7
        carry = chance.choice(CARRIES)
        made.append({"from_session": number, "carry": carry, "cut": cut if has_cut else None})
        cut -= has_cut
    declared["regulation"]["stages"] = made
    return json.loads(json.dumps(record | {"computed": compute(declared)}))


def of_version_1(record):
    """Write a record as version 1 did; whoever computed it ranked all sessions together."""
    together = deepcopy(record["declared"])
    together["regulation"]["stages"] = []
    return first_version(record, compute(together))


def ranked(tournament):
    """Return the standings of the site in the words of a record, values as text."""
    rows = Standing.objects.filter(tournament=tournament).select_related("player").order_by("position")
    return [
        {
            "player": row.player.code,
            "place": row.place,
            "shared": row.is_shared,
            "decided_by": row.decided_by or None,
            "values": in_text(row.values),
            **({"stage": row.stage} if row.stage else {}),
        }
        for row in rows
    ]


def said_of(record):
    """Return the standings that a record says, values as text."""
    return [{**row, "values": in_text(row["values"])} for row in record["computed"]["standings"]]


@pytest.mark.django_db
@pytest.mark.parametrize(("preset", "seed"), CASES)
def test_a_record_of_stages_comes_back_as_it_was(preset, seed):
    """The second opinion, the record and the site rank alike. [RECORD 4]"""
    said = staged(preset, seed)
    SECOND.validate(said)
    ours = naive.computed_of(said["declared"])
    assert [name for name in ours if ours[name] != said["computed"][name]] == []
    taken = import_record(said, by=make.actor(make.user(), "organizer"))
    assert list(taken.differences) == []
    out = json.loads(json.dumps(export_record(Tournament.objects.get(pk=taken.tournament.pk))))
    SECOND.validate(out)
    assert (out["version"], out["declared"], out["computed"]) == (2, said["declared"], said["computed"])
    recompute.recompute(taken.tournament.pk)
    assert ranked(taken.tournament) == said_of(out)
    assert verify(taken.tournament) == []


@pytest.mark.django_db
@pytest.mark.once
@pytest.mark.parametrize(("preset", "seed"), CASES)
def test_a_record_of_version_1_is_read_as_if_it_were_of_version_2(preset, seed):
    """[RECORD 2]"""
    new = staged(preset, seed, is_of_first=True)
    old = of_version_1(new)
    FIRST.validate(old)
    taken = import_record(old, by=make.actor(make.user(), "organizer"))
    assert list(taken.differences) == []
    out = json.loads(json.dumps(export_record(Tournament.objects.get(pk=taken.tournament.pk))))
    assert (out["version"], out["declared"], out["computed"]) == (2, new["declared"], new["computed"])
    recompute.recompute(taken.tournament.pk)
    assert ranked(taken.tournament) == said_of(new)
    assert verify(taken.tournament) == []


@pytest.mark.parametrize("preset", PRESETS)
def test_numbers_without_a_database_are_those_of_the_stages_in_either_version(preset):
    """What version 1 computed is held against what version 1 computes. [RECORD 4]"""
    new = staged(preset, 24)
    old = of_version_1(new)
    assert compute_record(new) == (new["computed"], [])
    assert compute_record(old) == (new["computed"], [])
    assert compute_record(old["declared"]) == (new["computed"], [])
    old["computed"]["standings"][0]["place"] = 7
    assert len(compute_record(old)[1]) == 1


@pytest.mark.django_db
@pytest.mark.parametrize("preset", PRESETS)
def test_stages_are_in_the_record_before_anything_is_seated(preset):
    """[RULES 9.7]"""
    made = [{"from_session": 2, "carry": "half", "cut": 8}, {"from_session": 4, "carry": "none", "cut": None}]
    of = make.tournament(preset, sessions=5, stages=made)
    make.players(of, 8)
    out = export_record(of)
    SECOND.validate(out)
    assert (out["declared"]["regulation"]["stages"], out["declared"]["sessions"]) == (made, [])
    back = import_record(moved(out, "elsewhere"), by=make.organizer_of(of)).tournament
    assert back.regulation == Tournament.objects.get(pk=of.pk).regulation
    assert back.sessions.count() == 5
    make.seated(back, 1)
    assert back.sessions.get(number=1).is_published


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("version", "where", "part"),
    [
        (2, "regulation", "system_rules.stages"),
        (2, "sessions.0.regulation", "system_rules.stages"),
        (1, "regulation", "stages"),
        (1, "regulation", "system_rules.stages"),
        (1, "sessions.0.regulation", "stages"),
    ],
)
def test_stages_stand_nowhere_but_where_the_version_has_them(version, where, part):
    """[RECORD 1]"""
    said = next(
        one
        for one in (random_record("mcr", seed) for seed in range(99))
        if len(one["declared"]["sessions"]) > 1
    )
    said = first_version(said) if version == 1 else said
    target = said["declared"] if where == "regulation" else said["declared"]["sessions"][0]
    stages = [{"from_session": 2, "carry": "full", "cut": None}]
    changed = {"stages": stages} if part == "stages" else {"system_rules": {"minimum": 8, "stages": stages}}
    target["regulation"] = {**target.get("regulation", {}), **changed}
    with pytest.raises(Refused) as refused:
        import_record(said, by=make.actor(make.user(), "organizer"))
    assert [(one.code, one.field, one.clause) for one in refused.value.problems] == [
        ("unknown_field", f"declared.{where}.{part}", "RECORD 2")
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
    said = first_version(deepcopy(random_record("sbr", 0)))
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
    assert tournament.regulation["stages"] == []
    assert export_record(tournament)["declared"]["sessions"] == said["declared"]["sessions"]


@pytest.mark.django_db
def test_a_mark_in_a_record_of_version_2_is_a_name():
    said = staged("sbr", 20)
    said["declared"]["regulation"]["stages"] = []
    said["declared"]["sessions"][1]["seating"]["method"] = "draw [stage half 16]"
    del said["computed"]
    tournament = import_record(said, by=make.actor(make.user(), "organizer")).tournament
    assert export_record(tournament)["declared"] == said["declared"]


@pytest.mark.django_db
def test_a_session_that_plans_fewer_sessions_than_the_stages_need_can_still_be_read():
    """Its copy of the regulation has the stages that fit into it. [RULES 8.30]"""
    old = of_version_1(staged("sbr", 20))
    first = old["declared"]["sessions"][0]
    first["regulation"] = {**first.get("regulation", {}), "sessions": 1}
    del old["computed"]
    tournament = import_record(old, by=make.actor(make.user(), "organizer")).tournament
    assert tournament.sessions.get(number=1).regulation["stages"] == []
    assert tournament.regulation["stages"] != []
    recompute.recompute(tournament.pk)
    assert ranked(tournament) == said_of(export_record(Tournament.objects.get(pk=tournament.pk)))


@given(
    method=st.text(max_size=100).filter(lambda method: not MARK.fullmatch(method)),
    carry=st.sampled_from(CARRIES),
    cut=st.none() | st.integers(1, 999_999_999),
)
def test_what_version_1_tells_of_a_stage_is_found(method, carry, cut):
    """A method that left too little room was cut short."""
    stage = {"from_session": 2, "carry": carry, "cut": cut}
    written = method_with_stage(method, stage)
    (first, kept), found = found_stages(["", written], 2)
    assert len(written) <= LONGEST_METHOD == Session._meta.get_field("method").max_length
    assert (first, found) == ("", [stage])
    assert method.startswith(kept)
    if len(method) <= 70:
        assert kept == method


def test_no_stage_is_found_where_there_is_none():
    assert found_stages(["draw 2", ""], 2) == (["draw 2", ""], [])
