"""The door for programs: strict JSON in, checked seatings out, every refusal with its reason."""

import json
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest

from bench import checker
from scoring.problems import Refusal
from seating.rules import door
from seating.rules.__main__ import main
from seating.tests.requests import random_request

ROOT = Path(__file__).resolve().parents[2]
EIGHT = [{"id": number} for number in range(1, 9)]


def ask(method, asked, *options):
    """Ask the door and return its status and answer."""
    sink = BytesIO()
    raw = asked if isinstance(asked, bytes) else json.dumps(asked).encode()
    status = main([method, *options], BytesIO(raw), sink)
    return status, json.loads(sink.getvalue())


def test_random_answers_the_published_vector():
    """[SBR 2.4.1]"""
    assert ask("random", {"seed": "x", "numbers": list(range(1, 10))}) == (
        0,
        {
            "method": "four-winds/1",
            "seed": "x",
            "numbers": list(range(1, 10)),
            "tables": [[5, 9, 7, 2], [3, 8, 6, 1]],
            "off": [4],
        },
    )


def test_random_leaves_north_empty():
    """[SBR 3.1.3]"""
    _, answer = ask("random", {"seed": "x", "numbers": list(range(1, 8))})
    assert [table[3] is None for table in answer["tables"]] == [False, True]


def test_fixed_answers_rounds_and_quality():
    request = {"players": [{"id": f"p{n}", "group": n % 5} for n in range(40)], "rounds_wanted": 8, "seed": 7}
    status, answer = ask("fixed", request)
    assert status == 0
    assert checker.faults(request, answer) == []
    assert {code: measure["value"] for code, measure in answer["quality"].items()} == {
        "same_group": 0,
        "repeats": 0,
        "short_again": 0,
        "winds": 0,
        "winds_in_between": 0,
        "table_repeats": 0,
    }


def test_fixed_gives_standing_rounds_back_as_they_came():
    existing = [[[1, 2, 3, 4], [5, 6, 7, 8]], {"tables": [[1, 5, 2, None]], "off": [3, 4, 6, 7, 8]}]
    _, answer = ask("fixed", {"players": EIGHT, "rounds_wanted": 3, "existing": existing})
    assert answer["rounds"][:2] == existing


def test_swiss_answers_the_tables_best_first():
    request = {
        "round": 2,
        "table_size": 4,
        "seed": "s",
        "standings": [{"id": n, "rank": n, "tp": 4, "gp": 10, "group": "a"} for n in range(1, 10)],
        "history": [[[1, 2, 3, 4], [5, 6, 7, 8]]],
        "was_short": [9],
    }
    status, tables = ask("swiss", request, "--mode", "strict")
    assert status == 0
    assert [sorted(table) for table in tables] == [[1, 2, 3, 4], [5, 6, 7, 9]]


NINE = {"standings": [{"id": n} for n in range(1, 10)], "history": [[[1, 2, 3, 4], [5, 6, 7, 8]]]}


def test_a_request_may_name_its_mode_and_the_command_overrules_it():
    """[SEATING 14]"""
    _, strict = ask("swiss", NINE, "--mode", "strict")
    assert ask("swiss", {**NINE, "mode": "strict"}) == (0, strict)
    assert ask("swiss", {**NINE, "mode": "balanced"}, "--mode", "strict") == (0, strict)
    assert ask("swiss", {**NINE, "mode": "no_repeats"})[1] != strict


@pytest.mark.parametrize(
    ("method", "asked"),
    [("fixed", {"players": EIGHT, "rounds_wanted": 1}), ("random", {"seed": "x", "numbers": [1, 2, 3, 4]})],
)
def test_methods_without_modes_pass_over_the_mode(method, asked):
    """[SEATING 14]"""
    assert ask(method, {**asked, "mode": "balanced"}) == ask(method, asked)


@pytest.mark.parametrize(
    ("method", "asked", "codes"),
    [
        ("fixed", b"{", ["bad_json"]),
        ("swiss", {**NINE, "mode": "wild"}, ["value_unknown"]),
        ("swiss", {**NINE, "mode": ["strict"]}, ["value_unknown"]),
        ("fixed", b'{"rounds_wanted": NaN, "players": []}', ["bad_json"]),
        ("fixed", b'{"players": [], "players": [], "rounds_wanted": 1}', ["duplicate_key"]),
        ("fixed", [], ["object_type"]),
        ("fixed", {}, ["missing_field", "missing_field"]),
        ("fixed", {"players": EIGHT, "rounds_wanted": 1, "surprise": 1}, ["unknown_field"]),
        ("fixed", {"players": EIGHT, "rounds_wanted": True}, ["number_type"]),
        ("fixed", {"players": EIGHT, "rounds_wanted": 2.0}, ["number_type"]),
        ("fixed", {"players": EIGHT, "rounds_wanted": "2"}, ["number_type"]),
        ("fixed", {"players": EIGHT, "rounds_wanted": -1}, ["out_of_range"]),
        ("fixed", {"players": EIGHT, "rounds_wanted": 10**30}, ["out_of_range"]),
        ("fixed", {"players": EIGHT, "rounds_wanted": 2, "seed": 10**30}, ["seed_invalid"]),
        ("fixed", {"players": EIGHT, "rounds_wanted": 2, "seed": None}, ["seed_invalid"]),
        ("fixed", {"players": EIGHT, "rounds_wanted": 2, "seed": ""}, ["seed_invalid"]),
        ("fixed", {"players": [{"id": None}, *EIGHT], "rounds_wanted": 2}, ["id_type"]),
        ("fixed", {"players": [*EIGHT, {"id": 1}], "rounds_wanted": 2}, ["player_twice"]),
        ("fixed", {"players": [7], "rounds_wanted": 2}, ["object_type"]),
        ("fixed", {"players": EIGHT[:3], "rounds_wanted": 2}, ["too_few_players"]),
        ("fixed", {"players": EIGHT, "rounds_wanted": 2, "absent": {"one": [1]}}, ["number_type"]),
        ("fixed", {"players": EIGHT, "rounds_wanted": 2, "absent": {"3": [1]}}, ["round_number"]),
        (
            "fixed",
            {"players": EIGHT, "rounds_wanted": 2, "locks": [{"round": 1, "id": 1, "table": 3}]},
            ["table_number"],
        ),
        (
            "fixed",
            {"players": EIGHT, "rounds_wanted": 2, "locks": [{"id": 1}]},
            ["missing_field", "number_type"],
        ),
        ("fixed", {"players": EIGHT, "rounds_wanted": 2, "existing": [[[1, 1, 2, 3]]]}, ["player_twice"]),
        ("fixed", {"players": EIGHT, "rounds_wanted": 2, "existing": [7]}, ["list_type"]),
        ("fixed", {"players": EIGHT, "rounds_wanted": 9, "no_repeats": True}, ["seating_impossible"]),
        ("fixed", b'{"players": [], "rounds_wanted": 1, "\\ud800": 1}', ["unknown_field"]),
        ("fixed", b'{"players": [], "rounds_wanted": 1, "absent": {"\\ud800": []}}', ["number_type"]),
        (
            "fixed",
            {"players": EIGHT, "rounds_wanted": 2, "apart": [[1, 2], [2, 3], [1, 3]]},
            ["seating_impossible"],
        ),
        (
            "fixed",
            {"players": EIGHT, "rounds_wanted": 2, "apart": [[1, n] for n in range(2, 8)]},
            ["seating_impossible"],
        ),
        (
            "fixed",
            {
                "players": EIGHT,
                "rounds_wanted": 2,
                "apart": [[1, 2]],
                "locks": [{"round": 2, "id": 1, "table": 1}, {"round": 2, "id": 2, "table": 1, "seat": 3}],
            },
            ["lock_conflict"],
        ),
        ("swiss", {"standings": EIGHT, "apart": [[1, 2], [2, 3], [1, 3]]}, ["seating_impossible"]),
        ("swiss", {"standings": EIGHT, "apart": [[1, 1]]}, ["same_player"]),
        ("swiss", {"standings": [{"id": n} for n in range(2001)]}, ["too_many_players"]),
        ("random", {"seed": "x", "numbers": [1, 2, 3]}, ["too_few_players"]),
        ("random", {"seed": "x", "numbers": [1, 2, 3, 3, 4]}, ["player_twice"]),
        ("random", {"seed": "x", "numbers": [1, 2, "3", 4]}, ["number_type"]),
        ("swiss", {"standings": [{"id": 1}], "round": 1}, ["too_few_players"]),
        ("swiss", {"standings": [{"id": n} for n in (1, 2, 3, 4, 4)], "round": 1}, ["player_twice"]),
    ],
)
def test_refusal_names_every_problem_and_its_field(method, asked, codes):
    status, answer = ask(method, asked)
    assert status == 1
    assert [problem["code"] for problem in answer["problems"]] == codes
    assert all(problem["sentence"] for problem in answer["problems"])


def test_door_stands_at_the_shell():
    ran = subprocess.run(
        [sys.executable, "-m", "seating.rules", "random"],
        cwd=ROOT,
        input=b'{"seed": "x", "numbers": [1, 2, 3]}',
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 1
    assert json.loads(ran.stdout)["problems"][0]["sentence"] == "At least 4 players are needed."


@pytest.mark.parametrize("number", range(24))
def test_any_request_is_seated_without_fault_or_refused_with_a_reason(number):
    """The checker finds every player once, locks kept, standing rounds untouched; bench/seating.py asks 1 000."""
    request = random_request(number, most=120)
    answer, codes = answered(request)
    assert codes <= {"lock_conflict", "table_number", "too_few_players"}
    if answer is None:
        return
    assert checker.faults(request, answer) == []
    figures = checker.figures(request, answer)
    quality = answer["quality"]
    for code, figure in [("repeats", "repeats"), ("winds", "uneven"), ("winds_in_between", "moments")]:
        assert quality[code]["value"] == figures[figure]
    assert all(
        measure["bound"] is None or measure["value"] >= measure["bound"] for measure in quality.values()
    )


def answered(request):
    """Return the answer and no codes, or no answer and the codes of the refusal."""
    try:
        return json.loads(json.dumps(door.fixed(request))), set()
    except Refusal as refusal:
        return None, {problem.code for problem in refusal.problems}
