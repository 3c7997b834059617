"""The record's schema says of the shape what the reader says."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from scoring.criteria import CRITERIA
from scoring.presets import PRESETS
from scoring.record.computed import compute
from scoring.systems import SYSTEMS

jsonschema = pytest.importorskip("jsonschema")

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs" / "record.schema.json").read_text(encoding="utf-8"))
RECORDS = sorted((Path(__file__).parent / "vectors").glob("record_*.json"))


def valid(record: Any) -> bool:
    return bool(jsonschema.Draft202012Validator(SCHEMA).is_valid(record))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_what_is_worked_out_has_the_shape_of_the_schema(path):
    """[RECORD 4]"""
    record = json.loads(path.read_text(encoding="utf-8"))
    assert valid(record)
    assert valid({**record, "computed": compute(record["declared"])})


@pytest.mark.parametrize("code", PRESETS)
def test_preset_is_written_in_the_shape_of_the_schema(code):
    """[RECORD 2]"""
    preset = PRESETS[code]
    record = next(
        found
        for path in RECORDS
        if (found := json.loads(path.read_text(encoding="utf-8")))["declared"]["tournament"]["system"]
        == preset.system
    )
    again = deepcopy(record)
    again["declared"]["regulation"] = preset.regulation.to_json()
    assert valid(again)


def test_the_schema_lists_every_system_preset_and_criterion():
    """[RECORD 2]"""
    named = SCHEMA["$defs"]
    assert named["system"]["enum"] == list(SYSTEMS)
    assert named["criterion"]["enum"] == list(CRITERIA)
    assert named["tournament"]["properties"]["preset"]["enum"] == list(PRESETS)
