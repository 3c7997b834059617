"""Numbers of random events are those of a second opinion that has not seen the program.

Many more are compared by `python -m tournaments.tests.compare_naive`.
"""

import json
from collections import Counter
from pathlib import Path

import jsonschema
import pytest

import scoring
from scoring.presets import PRESETS
from scoring.regulation import Carry
from tournaments.tests.compare_naive import begun_stages, counted, disagreements, event, stored_disagreements
from tournaments.tests.naive import computed_of

ROOT = Path(scoring.__file__).parents[1]
EXAMPLES = sorted((ROOT / "scoring" / "tests" / "vectors").glob("record_*.json"))
SCHEMA = jsonschema.Draft202012Validator(json.loads((ROOT / "docs" / "record.schema.json").read_text()))
CARRIES = [str(carry) for carry in Carry]
BARE = range(1, 31)
STORED = range(1, 3)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_second_opinion_says_of_an_example_what_its_record_says(path):
    """[RECORD 6]"""
    record = json.loads(path.read_text())
    assert computed_of(record["declared"]) == record["computed"]


def test_the_second_opinion_imports_nothing_of_the_program():
    lines = (ROOT / "tournaments" / "tests" / "naive.py").read_text().splitlines()
    assert [line for line in lines if line.startswith(("import ", "from "))] == [
        "from fractions import Fraction"
    ]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_random_event_comes_to_what_the_second_opinion_says(preset):
    """Any criteria, regulations that differ, penalties, substitutes, incomplete tables. [RULES 1.7] [RECORD 4]"""
    found = {number: disagreements(event(preset, number)) for number in BARE}
    assert {number: differing for number, differing in found.items() if differing} == {}


@pytest.mark.django_db
@pytest.mark.parametrize("preset", PRESETS)
def test_a_random_event_taken_in_and_recomputed_comes_to_what_the_second_opinion_says(preset):
    """[RECORD 4] [DESIGN 5]"""
    found = {number: stored_disagreements(event(preset, number, in_play=False)) for number in STORED}
    assert {number: differing for number, differing in found.items() if differing} == {}


@pytest.mark.django_db
@pytest.mark.once
@pytest.mark.parametrize("carry", CARRIES)
@pytest.mark.parametrize("preset", PRESETS)
def test_the_record_of_a_random_event_in_stages_names_the_winner_that_the_site_names(preset, carry):
    """By the program alone, taken in and recomputed, and by the second opinion: one standings. [RULES 9.7] [RECORD 4]"""
    events = ((number, event(preset, number, in_play=False)) for number in range(1, 999))
    found = (number for number, one in events if carry in [stage["carry"] for stage in begun_stages(one)])
    number = next(found)
    assert disagreements(event(preset, number, in_play=False)) == []
    assert stored_disagreements(event(preset, number, in_play=False)) == []


@pytest.mark.parametrize("preset", PRESETS)
def test_a_random_event_with_the_second_opinion_is_a_record(preset):
    """[RECORD 2] [RECORD 4]"""
    declared = event(preset, 1)
    history = {"tournament": {"entries": 1, "head": "0" * 64}, "protocols": [], "checkpoints": []}
    record = {"format": "four-winds-record", "version": 2, "declared": declared, "history": history}
    assert list(SCHEMA.iter_errors(record | {"computed": computed_of(declared)})) == []


def test_random_events_hold_all_that_can_happen():
    """[RECORD 2] [RECORD 3]"""
    held: Counter[str] = Counter()
    for preset in PRESETS:
        for number in BARE:
            declared = event(preset, number)
            held += counted(declared) + _seldom(declared)
    wanted = ("hands", "penalties", "lateness", "adjustments", *SELDOM)
    assert {name for name in wanted if held[name] < 5} == set()


SELDOM = (
    "replaced", "from_hand", "absent", "seat of nobody", "not played", "incomplete", "final_result", "own regulation",
    "unranked", "group_tables", "revoked_by", "to", "timing", "ladder", "fixed", "decision", "tournament_points", "whole",
    "result", "kong", "false_win", "exposure", "dead_hand", "chombo", "robbed", "nagashi", "liable", "end", "riichi",
    "won out", "drawn after a win", "won twice", "carry full", "carry half", "carry none", "cut", "two stages",
)  # fmt: skip


def _seldom(declared):
    """Count by name what an event holds of the things that happen seldom."""
    held = Counter()
    held["unranked"] = sum(row["status"] in ("removed", "disqualified") for row in declared["registrations"])
    held["group_tables"] = len(declared["regulation"]["group_tables"])
    begun = begun_stages(declared)
    held.update(f"carry {stage['carry']}" for stage in begun)
    held.update("cut" for stage in begun if stage["cut"])
    held["two stages"] = len(begun) > 1
    for session in declared["sessions"]:
        held["own regulation"] += "regulation" in session
        for table in session["tables"]:
            held["not played"] += table["protocol"] is None
            sitting = [seat for seat in table["seats"] if seat["player"]]
            is_full = len(sitting) == declared["regulation"]["table_size"]
            held["incomplete"] += table["protocol"] is not None and not is_full
            held["final_result"] += (table["protocol"] or {}).get("mode") == "final_result"
            for seat in table["seats"]:
                held["absent"] += seat["player"] is None
                held["replaced"] += seat["player"] is not None and "for" in seat
                held["from_hand"] += "from_hand" in seat
                held["seat of nobody"] += "for" not in seat and seat["player"].startswith("s")
            for hand in (table["protocol"] or {}).get("hands", ()):
                held.update(name for name in ("end", "riichi") if name in hand)
                wins = [one for one in hand["events"] if one["type"] == "win"]
                winners = [winner["seat"] for one in wins for winner in one["winners"]]
                is_sichuan = declared["tournament"]["system"] in ("SBR", "WMSG")
                held["won out"] += is_sichuan and len(winners) == len(sitting) - 1
                held["drawn after a win"] += is_sichuan and any("from" not in one for one in wins[1:])
                held["won twice"] += len(set(winners)) < len(winners)
                for one in hand["events"]:
                    held.update([one["type"], *(name for name in one if name == "robbed")])
                    for winner in one.get("winners", ()):
                        held.update(name for name in ("nagashi", "liable") if name in winner)
    for penalty in declared["penalties"]:
        held.update(
            [penalty["kind"], penalty["effect"], "whole" if penalty["session"] is None else "session"]
        )
        held.update(name for name in ("revoked_by", "to", "timing") if name in penalty)
    for adjustment in declared["adjustments"]:
        held.update(name for name in ("result",) if name in adjustment)
    return held
