"""The doors: cases line by line, tournaments, clauses, hands."""

import io
import json
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from scoring import door
from scoring.__main__ import main
from scoring.door import compute_record, differences, evaluate, parse, read_json, serve
from scoring.problems import Refusal

VECTORS = Path(__file__).parent / "vectors"
HANDS = (VECTORS / "hands_examples.jsonl").read_bytes()
VOLGA = (VECTORS / "record_volga_open.json").read_bytes()

RIICHI = (
    '{"id":"r","ruleset":"riichi_ema2016","seat_wind":"S","round_wind":"E","honba":%s,"win":{"by":"ron","riichi":true},"hand":'
    '{"concealed":["m2","m3","m4","p2","p3","p4","s6","s7","s8","m6","m7","m5","m5"],"melds":[],"winning_tile":"m8"}}'
)


def answers(*lines: str | bytes, language: str = "en") -> list[Any]:
    raw = [line.encode() if isinstance(line, str) else line for line in lines]
    return [json.loads(line) for line in evaluate(raw, language)]


def codes(*lines: str | bytes) -> list[tuple[Any, list[str]]]:
    return [(one["id"], [problem["code"] for problem in one["problems"]]) for one in answers(*lines)]


def test_examples_of_the_exchange_are_answered_in_order():
    """[HANDS]"""
    a, b, c = answers(*HANDS.splitlines())
    fans = [(fan["no"], fan["count"], fan["points"]) for fan in a.pop("fans")]
    assert fans == [(39, 1, 8), (56, 1, 4), (63, 1, 2), (70, 1, 1), (81, 1, 1)]
    assert a == {
        "id": "a",
        "points_without_flowers": 15,
        "total": 16,
        "meets_minimum": True,
        "payments": {"winner": 72, "discarder": None, "each_other": -24},
    }
    assert b == {
        "id": "b",
        "per_event": [{"E": -2, "S": 6, "W": -2, "N": -2}, {"E": -5, "S": 15, "W": -5, "N": -5}],
        "final": {"E": -7, "S": 21, "W": -7, "N": -7},
    }
    fans = [(fan["no"], fan["count"], fan["points"]) for fan in c.pop("fans")]
    assert fans == [(1, 1, 3), (3, 1, 3), (6, 1, 3), (7, 1, 3)]
    assert c == {"id": "c", "valid_win": True, "points": 12, "payments": {"E": 0, "S": 0, "W": 12, "N": -12}}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", (None, ["bad_json"])),
        ("{", (None, ["bad_json"])),
        ("[1]", (None, ["object_type"])),
        ("7", (None, ["object_type"])),
        (b'{"id":"\xff"}', (None, ["bad_text"])),
        ('{"id":1,"id":2,"ruleset":"mcr"}', (2, ["duplicate_key"])),
        ('{"id":3,"hand":{"a":1,"a":2}}', (3, ["duplicate_key"])),
        ('{"id":4,"a":NaN,"b":-Infinity}', (4, ["bad_json", "bad_json"])),
        ('{"id":5,"a":1e999}', (5, ["bad_json"])),
        ('{"id":6,"a":' + "9" * 5000 + "}", (6, ["number_type"])),
        ('{"id":7,"a":' + "[" * 100000 + "]" * 100000 + "}", (None, ["too_deep"])),
        ('{"id":8}', (8, ["ruleset"])),
        ('{"id":9,"ruleset":"go"}', (9, ["ruleset"])),
        ('{"id":10,"ruleset":["mcr"]}', (10, ["ruleset"])),
        ('\ufeff{"id":11}', (None, ["bad_json"])),
    ],
    ids=[
        "empty line",
        "broken",
        "list",
        "number",
        "not utf-8",
        "id twice",
        "inner key twice",
        "not a number",
        "overflow",
        "long number",
        "deep",
        "no ruleset",
        "unknown ruleset",
        "ruleset of another kind",
        "byte order mark",
    ],
)
def test_case_that_cannot_be_read_is_answered_with_its_problems(line, expected):
    """[HANDS]"""
    assert codes(line) == [expected]


def test_program_goes_on_after_a_bad_case():
    """[HANDS]"""
    lines = HANDS.splitlines()
    assert [one["id"] for one in answers(lines[1], b"{", lines[2])] == ["b", None, "c"]


def test_problem_has_four_fields_in_the_language_asked_for():
    """[HANDS]"""
    (answer,) = answers('{"id":1,"ruleset":"go"}', language="ru")
    (problem,) = answer["problems"]
    assert list(answer) == ["id", "problems"]
    assert list(problem) == ["code", "field", "sentence", "clause"]
    assert problem["sentence"].startswith("«ruleset» должно быть одним из: sichuan_sbr")


def test_broken_json_is_told_by_its_position_from_one():
    """[HANDS]"""
    (answer,) = answers('{"id":1;}')
    assert answer["problems"][0]["sentence"] == "This is not valid JSON (position 8)."


@pytest.mark.parametrize(("levels", "code"), [(100, "object_type"), (101, "too_deep")])
def test_a_line_nests_a_hundred_levels_at_most(levels, code):
    """[HANDS]"""
    (answer,) = answers("[" * levels + "]" * levels)
    assert [problem["code"] for problem in answer["problems"]] == [code]


def test_number_within_bounds_is_standard():
    """[HANDS]"""
    assert read_json(b'{"a":1.5,"b":-0}') == {"a": 1.5, "b": 0}
    assert parse(b"[1]") == ([1], [])
    with pytest.raises(Refusal):
        read_json(b'{"a":1,"a":1}')


@pytest.mark.parametrize("digits", [1_001, 4_300, 100_000])
def test_number_too_long_to_be_worked_with_is_a_problem(digits):
    """What it would grow into could not be written, and no case after it would be answered. [HANDS]"""
    long = "-" + "9" * digits
    assert codes(RIICHI % long, f'{{"id":{long}}}') == [("r", ["number_type"]), (None, ["number_type"])]


def test_number_of_a_thousand_digits_is_worked_with():
    """[HANDS]"""
    (answer,) = answers(RIICHI % ("9" * 1_000))
    assert answer["payments"] == {"discarder": 3_900 + 300 * (10**1_000 - 1)}


def test_id_that_utf8_cannot_hold_is_echoed_in_escapes():
    """[HANDS]"""
    assert answers('{"id":"\\ud800"}')[0]["id"] == "\ud800"


def test_fault_of_ours_is_told_and_the_next_case_answered(monkeypatch, capsys):
    """[HANDS]"""

    def fail(case: object) -> None:
        raise KeyError("lost")

    monkeypatch.setitem(door.RULESETS, "mcr", fail)
    assert codes('{"id":1,"ruleset":"mcr"}', '{"id":2,"ruleset":"mcr"}') == [
        (1, ["internal_error"]),
        (2, ["internal_error"]),
    ]
    assert "lost" in capsys.readouterr().err


def test_answers_are_written_as_cases_come():
    """[HANDS]"""
    sink = io.BytesIO()
    serve(io.BytesIO(HANDS), sink)
    assert len(sink.getvalue().splitlines()) == 3


# Tournaments


def test_record_agrees_with_its_own_numbers():
    """[RECORD]"""
    record = json.loads(VOLGA)
    assert compute_record(record) == (record["computed"], [])
    assert compute_record(record["declared"]) == (record["computed"], [])
    facts = {name: record[name] for name in ("format", "version", "declared")}
    assert compute_record(facts) == (record["computed"], [])


def test_every_difference_is_listed():
    """[RECORD]"""
    record = json.loads(VOLGA)
    record["computed"]["standings"][0]["values"]["game_points"] = "45"
    record["computed"]["sessions"][0]["results"].pop("p4")
    record["computed"]["lateness"] = []
    _, found = compute_record(record)
    assert [line.split(":")[0] for line in found] == [
        "computed.sessions.0.results.p4",
        "computed.lateness",
        "computed.standings.0.values.game_points",
    ]
    assert found[2].endswith('"45", 45')
    assert list(differences({"a": True}, {"a": 1}, "x")) == ["x.a: true, 1"]
    assert list(differences({"a": 1}, {}, "x")) == ["x.a: 1, –"]


# At a shell


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str, given: bytes = b"") -> int:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(given)))
    return main(arguments)


def test_evaluate_answers_at_a_shell(monkeypatch, capfdbinary):
    """[HANDS]"""
    sink = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=sink))
    assert run(monkeypatch, "evaluate", "--lang", "ru", given=b"{\n") == 0
    assert "Это не JSON" in sink.getvalue().decode()


@pytest.mark.parametrize(
    "arguments", [["evaluate", "--lang", "ru"], ["--lang", "ru", "evaluate"], ["--lang=ru", "evaluate"]]
)
def test_language_stands_before_the_command_or_behind_it(monkeypatch, arguments):
    """[HANDS]"""
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"[1]")))
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=(sink := io.BytesIO())))
    assert main(arguments) == 0
    assert "Случай" in json.loads(sink.getvalue())["problems"][0]["sentence"]


def test_compute_prints_what_follows(monkeypatch, capsys):
    """[RECORD]"""
    assert run(monkeypatch, "compute", given=VOLGA) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(VOLGA)["computed"]


def test_compute_checks_a_record(monkeypatch, capsys):
    """[RECORD]"""
    assert run(monkeypatch, "compute", "--check", given=VOLGA) == 0
    assert capsys.readouterr().out == "The record says the same as this program.\n"
    other = VOLGA.replace(b'"table_points": 45', b'"table_points": 46')
    assert run(monkeypatch, "compute", "--check", given=other) == 1
    assert capsys.readouterr().out == "computed.sessions.0.tables.0.seats.E.table_points: 46, 45\n"


def test_compute_tells_what_is_wrong(monkeypatch, capsys):
    """[RECORD]"""
    assert run(monkeypatch, "compute", "--lang", "ru", given=b"{}") == 1
    assert json.loads(capsys.readouterr().out)["problems"][0]["code"] == "required"


def test_rules_prints_clauses_functions_and_tests(monkeypatch, capsys):
    """[RULES 1.1]"""
    run(monkeypatch, "rules", "SBR")
    lines = capsys.readouterr().out.splitlines()
    at = lines.index("[SBR 2.7.2.1] points for an open kong")
    assert "payments.py" in lines[at + 1]


@pytest.mark.parametrize(
    ("arguments", "status", "last"),
    [
        (("19m 19p 19s 123456z 7z 7z",), 0, "The discarder pays 96, each other player 8."),
        (("19m 19p 19s 123456z 7z 7z", "--rules", "riichi_ema", "--lang", "ru"), 0, "Платит снёсший: 48 000."),
        (("123m 456m 789p 22s 55z 5z", "--flowers", "2"), 1, "At least 8 points without flowers are needed to win; the hand has 5. [MCR scoring 1a]"),
        (("123m 456p 789s 123p 55p", "--rules", "sbr"), 1, "The hand holds tiles of three suits; a win may hold two at most. [SBR 2.6.1.2]"),
        (("111222333m 55p 66p 6p", "--rules", "sbr", "--forbidden", "s", "--how", "last_tile"), 0, None),
        (("112233m 445566p 77s", "--rules", "riichi_ema", "--how", "riichi", "--dora", "1m", "--ura", "4p"), 0, None),
        (("hand", "12x"), 1, "There is no tile “12x”."),
    ],
)  # fmt: skip
def test_hand_is_explained_at_a_shell(monkeypatch, capsys, arguments, status, last):
    """[RULES 1.5]"""
    assert run(monkeypatch, *arguments) == status
    told = capsys.readouterr().out.splitlines()
    assert last is None or told[-1] == last


def test_reader_that_leaves_early_ends_the_program_quietly(monkeypatch):
    """[HANDS]"""

    class Gone(io.BytesIO):
        def write(self, _: object) -> int:
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=Gone()))
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert run(monkeypatch, "evaluate", given=HANDS) == 0


def test_package_runs_as_a_program(monkeypatch, capsys):
    """[RULES 1.5]"""
    monkeypatch.setattr(sys, "argv", ["scoring", "rules", "--help"])
    monkeypatch.delitem(sys.modules, "scoring.__main__")
    with pytest.raises(SystemExit) as stop:
        runpy.run_module("scoring", run_name="__main__")
    assert stop.value.code == 0
