"""Cases worked out by hand from the rulebooks, played through the real door of HANDS, line by line."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from scoring.door import compute_record
from scoring.problems import Refusal

VECTORS = Path(__file__).parent / "vectors"
SYSTEMS = ("mcr", "siamese_mcr", "riichi_ema2016", "sichuan_sbr", "sichuan_wmsg", "red", "reading")


@cache
def vectors(system: str) -> list[dict[str, Any]]:
    """Read the vectors of one file: a case (or a raw line), its answer, and why."""
    lines = (VECTORS / f"{system}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@cache
def answers(system: str, language: str = "en") -> list[dict[str, Any]]:
    """Send all cases of a file through the door in one run and read what comes back."""
    lines = [
        vector["line"] if "line" in vector else json.dumps(vector["case"], ensure_ascii=False)
        for vector in vectors(system)
    ]
    run = subprocess.run(
        [sys.executable, "-m", "scoring", "evaluate", "--lang", language],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    )
    return [json.loads(line) for line in run.stdout.splitlines()]


def plain(answer: dict[str, Any]) -> dict[str, Any]:
    """Leave of problems what does not depend on wording: code and field, in no order."""
    if "problems" not in answer:
        return answer
    problems = sorted([problem["code"], problem["field"]] for problem in answer["problems"])
    return {**answer, "problems": problems}


def everything() -> list[Any]:
    """Name every vector by its file and id."""
    return [
        pytest.param(system, at, id=f"{system}-{(vector.get('case') or {}).get('id', at)}")
        for system in SYSTEMS
        for at, vector in enumerate(vectors(system))
    ]


@pytest.mark.parametrize("system", SYSTEMS)
def test_door_answers_every_line_in_order(system: str) -> None:
    """One answer for each line, with the id of its case. [HANDS]"""
    assert [answer["id"] for answer in answers(system)] == [
        vector["answer"]["id"] for vector in vectors(system)
    ]


@pytest.mark.parametrize(("system", "at"), everything())
def test_vector_is_answered_as_worked_out(system: str, at: int) -> None:
    """The answer is the one worked out from the clause that the vector names."""
    vector = vectors(system)[at]
    assert plain(answers(system)[at]) == plain(vector["answer"]), vector["why"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_problems_name_clause_and_sentence(system: str) -> None:
    """A problem has a code, a field, a sentence and a clause, and stands alone in its answer. [HANDS]"""
    for answer in answers(system):
        for problem in answer.get("problems", []):
            assert set(answer) == {"id", "problems"}
            assert set(problem) == {"code", "field", "sentence", "clause"}
            assert problem["sentence"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_russian_door_differs_in_sentences_only(system: str) -> None:
    """`--lang ru` tells the same problems in Russian, and the same values. [HANDS]"""
    for english, russian in zip(answers(system), answers(system, "ru"), strict=True):
        assert plain(russian) == plain(english)
        for problem in russian.get("problems", []):
            assert any("а" <= letter <= "я" for letter in problem["sentence"].lower()), problem


# Whole protocols


@cache
def protocols() -> list[dict[str, Any]]:
    """Read the declared records with what has to follow from them, by path."""
    lines = (VECTORS / "protocols.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def found(computed: Any, path: str) -> Any:
    """Follow a path of names and places into the computed part; seats as a list stand in the order E S W N."""
    for part in path.split("/"):
        computed = computed[int(part)] if isinstance(computed, list) else computed[part]
    if path.endswith("/payments"):
        return [computed[wind] for wind in "ESWN" if wind in computed]
    return computed


@pytest.mark.parametrize("record", protocols(), ids=lambda record: record["name"])
def test_record_is_computed_as_worked_out(record: dict[str, Any]) -> None:
    """What people declared becomes the payments, places and standings worked out by hand. [RECORD 4]"""
    expected = dict(record["expect"])
    refused = expected.pop("refused", None)
    if refused is not None:
        with pytest.raises(Refusal) as refusal:
            compute_record(record["declared"])
        assert [[one.code, one.field] for one in refusal.value.problems] == refused, record["why"]
        return
    computed, _ = compute_record(record["declared"])
    assert {path: found(computed, path) for path in expected} == expected, record["why"]
