"""What every release ever wrote is read by this one: a stored sample of each version, and what it says today."""

import json
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from scoring.door import compute_record
from scoring.hands import Hand
from scoring.problems import Refusal
from scoring.record.computed import computed
from scoring.record.declared import read_record
from scoring.record.hands import read_hand
from scoring.record.upgrades import RECORD
from scoring.regulation import FIELDS, OPTIONAL, Carry, Regulation, Stage
from scoring.upgrades import FACTS, REGULATION, NewerVersion, Versions

SAMPLES = Path(__file__).parent / "samples"
DOCS = Path(__file__).parents[2] / "docs"
SCHEMAS = {1: "record.1.schema.json", 2: "record.schema.json"}
SYSTEM_OF = {
    "autumn-tiles": "MCR", "red-lanterns": "RED", "three-winds": "SIAM", "winter-winds": "RIICHI",
    "spring-peonies": "WMSG", "bamboo-grove": "SBR", "three-stages-2": "MCR", "half-carried-2": "RIICHI",
}  # fmt: skip


def read(name: str) -> Any:
    return json.loads((SAMPLES / name).read_text(encoding="utf-8"))


def versions_of(kind: Versions) -> range:
    return range(1, kind.newest + 1)


def records(version: int) -> list[str]:
    return sorted(path.name for path in (SAMPLES / f"record_{version}").glob("*.json"))


@pytest.mark.parametrize("version", versions_of(REGULATION))
def test_a_regulation_of_every_version_says_the_same(version):
    """[RULES 1.1]"""
    stored, newest = read(f"regulation_{version}.json"), read(f"regulation_{REGULATION.newest}.json")
    kept = deepcopy(stored)
    assert stored.keys() == newest.keys() == SYSTEM_OF.keys()
    for slug, value in stored.items():
        assert value.get("version", 1) == version
        assert REGULATION.stamped(REGULATION.read(value)) == newest[slug]
        again = Regulation.from_json(REGULATION.read(value), system=SYSTEM_OF[slug])
        assert again.to_json() == REGULATION.read(value)
    assert stored == kept


def test_every_field_of_the_regulation_is_in_the_newest_sample():
    """Whoever adds a field adds a version, with what the field is in all that was stored before."""
    for value in read(f"regulation_{REGULATION.newest}.json").values():
        assert value.keys() == {"version", *FIELDS} - set(OPTIONAL)


def test_a_field_that_may_be_left_out_means_in_what_is_stored_what_it_meant_before_there_was_one():
    """No points are returned, and what is written back is what was read. [RULES 9.31] [RECORD 2]"""
    for slug, value in read(f"regulation_{REGULATION.newest}.json").items():
        again = Regulation.from_json(REGULATION.read(value), system=SYSTEM_OF[slug])
        assert {name: getattr(again, name) for name in OPTIONAL} == OPTIONAL
        assert again.uma_of(again.table_size) == again.uma
        assert not set(OPTIONAL) & again.to_json().keys()


def test_stages_of_version_1_are_found_among_the_settings():
    """[RULES 9.7]"""
    stored = read("regulation_1.json")
    one = Regulation.from_json(REGULATION.read(stored["three-stages-2"]), system="MCR")
    assert one.stages == (Stage(2, Carry.FULL, None), Stage(3, Carry.HALF, 8), Stage(4, Carry.NONE, 4))
    assert one.system_rules == {"minimum": 8}
    assert Regulation.from_json(REGULATION.read(stored["autumn-tiles"]), system="MCR").stages == ()
    assert "stages" in stored["three-stages-2"]["system_rules"]


@pytest.mark.parametrize("version", versions_of(FACTS))
def test_facts_of_every_version_say_the_same(version):
    """[RECORD 3]"""
    stored, newest = read(f"facts_{version}.json"), read(f"facts_{FACTS.newest}.json")
    assert {system: len(hands) for system, hands in stored.items()} == dict.fromkeys(
        ("MCR", "RED", "SIAM", "RIICHI", "SBR"), 6
    )
    for system, hands in stored.items():
        found = [read_hand(FACTS.read(hand)) for hand in hands]
        assert found == [read_hand(FACTS.read(hand)) for hand in newest[system]]
        assert all(isinstance(hand, Hand) and hand.events for hand in found)


@pytest.mark.parametrize(
    ("version", "name"), [(version, name) for version in versions_of(RECORD) for name in records(version)]
)
def test_a_record_of_every_version_comes_to_the_same(version, name):
    """It has the shape of its own version, and what it computed is what that version computes. [RECORD 4]"""
    record, newest = read(f"record_{version}/{name}"), read(f"record_{RECORD.newest}/{name}")
    jsonschema.validate(record, json.loads((DOCS / SCHEMAS[version]).read_text(encoding="utf-8")))
    assert record["version"] == version
    declared = read_record(record)
    assert declared.data == newest["declared"]
    assert computed(declared) == newest["computed"]
    assert compute_record(record) == (newest["computed"], [])


def test_there_are_records_of_every_version():
    assert {version: records(version) for version in versions_of(RECORD)} == {
        version: records(1) for version in versions_of(RECORD)
    }
    assert len(records(1)) == 9


@pytest.mark.parametrize(
    ("part", "value", "problem"),
    [
        ("sessions", None, ("list_type", "declared.sessions")),
        ("sessions", ["one"], ("object_type", "declared.sessions.0")),
        ("regulation", 7, ("object_type", "declared.regulation")),
    ],
)
def test_a_record_of_version_1_that_cannot_be_read_is_refused_for_what_is_wrong_with_it(part, value, problem):
    """[RECORD 1]"""
    record = read("record_1/record_volga_open.json")
    record["declared"][part] = value
    with pytest.raises(Refusal) as refused:
        read_record(record)
    assert [(one.code, one.field) for one in refused.value.problems] == [problem]


@pytest.mark.parametrize(
    ("name", "stages"),
    [
        ("record_three_stages.json", [(2, "full", None), (3, "half", 8), (4, "none", 4)]),
        ("record_half_carried.json", [(3, "half", 8)]),
    ],
)
def test_a_record_of_version_1_tells_its_stages_with_its_seatings(name, stages):
    """Ranked together it named another winner than the site, which ranks by stages. [RULES 9.7]"""
    old, new = read(f"record_1/{name}"), read(f"record_2/{name}")
    found = new["declared"]["regulation"]["stages"]
    assert [(one["from_session"], one["carry"], one["cut"]) for one in found] == stages
    assert not any("[stage" in one["seating"].get("method", "") for one in new["declared"]["sessions"])
    order = [[row["player"] for row in one["computed"]["standings"]] for one in (old, new)]
    assert order[0] != order[1]


def test_steps_are_taken_one_after_the_other_and_change_nothing_that_was_given():
    kind = Versions(
        "toy",
        (lambda value: {**value, "second": [value["first"]]}, lambda value: {**value, "third": Fraction(1)}),
    )
    assert kind.newest == 3
    stored = {"first": 1}
    assert kind.read(stored) == {"first": 1, "second": [1], "third": 1}
    assert stored == {"first": 1}
    assert kind.read({"version": 2, "first": 1, "second": 5}) == {"first": 1, "second": 5, "third": 1}
    assert kind.stamped({"first": 1}) == {"version": 3, "first": 1}


@pytest.mark.parametrize("version", [0, 4, 99])
def test_a_value_of_a_later_release_is_not_read_as_if_it_were_known(version):
    with pytest.raises(NewerVersion, match=f"toy: version {version} is not known, only 1 to 1"):
        Versions("toy").read({"version": version})
