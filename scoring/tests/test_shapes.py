"""Strict reading of JSON: kinds, bounds, unknown and missing fields, everything told at once."""

from fractions import Fraction

import pytest

from scoring import parsers
from scoring.problems import Problem, Refusal


def told(parser: parsers.Parser, value: object, at: str = "") -> list[tuple[str, str]]:
    """List code and field of every problem; empty when the value can be read."""
    try:
        parsers.read(parser, value, at)
    except Refusal as refusal:
        return [(problem.code, problem.field) for problem in refusal.problems]
    return []


PAIR = parsers.fields({"one": parsers.natural}, {"two": parsers.truth})


def test_object_gives_its_fields_and_leaves_out_what_is_not_there():
    """[RECORD 1]"""
    assert parsers.read(PAIR, {"one": 1}) == {"one": 1}
    assert parsers.read(PAIR, {"one": 1, "two": False}) == {"one": 1, "two": False}


@pytest.mark.parametrize(
    ("value", "problems"),
    [
        ([], [("object_type", "at")]),
        ("{}", [("object_type", "at")]),
        (None, [("object_type", "at")]),
        ({}, [("required", "at.one")]),
        (
            {"two": 1, "three": 3},
            [("unknown_field", "at.three"), ("required", "at.one"), ("truth_type", "at.two")],
        ),
    ],
    ids=["list", "text", "null", "empty", "three things wrong"],
)
def test_object_is_refused_with_all_its_problems(value, problems):
    """[RECORD 1]"""
    assert told(PAIR, value, "at") == problems


@pytest.mark.parametrize("value", [0, 5, 10**9], ids=str)
def test_whole_number_within_bounds_is_read(value):
    """[RECORD 1]"""
    assert parsers.read(parsers.natural, value) == value


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (True, "number_type"),
        (1.0, "number_type"),
        ("1", "number_type"),
        (None, "number_type"),
        (-1, "out_of_range"),
        (10**9 + 1, "out_of_range"),
    ],
    ids=["true", "float", "text", "null", "negative", "huge"],
)
def test_what_is_no_whole_number_is_refused(value, code):
    """[RECORD 1]"""
    assert told(parsers.natural, value) == [(code, "")]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("0", 0),
        ("3", 3),
        ("-1", -1),
        ("7/2", Fraction(7, 2)),
        ("-1/3", Fraction(-1, 3)),
        ("10/21", Fraction(10, 21)),
    ],
)
def test_fraction_is_read_from_text_in_lowest_terms(written, value):
    """[RECORD 1]"""
    assert parsers.read(parsers.fraction, written) == value


@pytest.mark.parametrize(
    "written",
    [
        "2/4",
        "4/2",
        "3/1",
        "-0",
        "+1",
        "01",
        "1/0",
        " 1",
        "1.5",
        "1/-2",
        "",
        "½",
        "1" * 41,
        1,
        1.5,
        None,
        True,
    ],
    ids=repr,
)
def test_fraction_in_any_other_form_is_refused(written):
    """[RECORD 1]"""
    assert told(parsers.fraction, written, "x") == [("fraction_form", "x")]


@pytest.mark.parametrize("value", [False, "true", 1, None], ids=repr)
def test_mark_is_true_or_not_there(value):
    """[RECORD 1]"""
    assert parsers.read(parsers.mark, True) is True
    assert told(parsers.mark, value) == [("mark_type", "")]


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (5, "text_type"),
        ("", "text_length"),
        ("abcdef", "text_length"),
        ("\u0415\u0308", "text_characters"),
        ("a\x00", "text_characters"),
        ("a\ud800", "text_characters"),
        ("a1", "text_form"),
    ],
    ids=["number", "empty", "long", "decomposed", "zero byte", "surrogate", "form"],
)
def test_text_that_does_not_fit_is_refused(value, code):
    """[RECORD 1]"""
    assert told(parsers.text(1, 5, r"\D+"), value) == [(code, "")]


def test_text_without_a_form_is_read_as_it_is():
    """[RECORD 1]"""
    assert parsers.read(parsers.text(), "Nguyễn Thị Ánh") == "Nguyễn Thị Ánh"


def test_text_may_have_five_thousand_characters_and_no_more():
    """[RECORD 1]"""
    assert told(parsers.text(), "я" * 5000) == []
    assert told(parsers.text(), "я" * 5001) == [("text_length", "")]


def test_choice_gives_the_member_and_refuses_others():
    """[RECORD 1]"""
    assert parsers.read(parsers.choice(("a", "b")), "b") == "b"
    assert told(parsers.choice(("a", "b")), "c") == [("choice", "")]
    assert told(parsers.choice(("a", "b")), ["a"]) == [("choice", "")]


def test_null_is_read_only_where_it_may_stand():
    """[RECORD 1]"""
    assert parsers.read(parsers.maybe(parsers.natural), None) is None
    assert parsers.read(parsers.maybe(parsers.natural), 2) == 2
    assert told(parsers.maybe(parsers.natural), "2") == [("number_type", "")]


@pytest.mark.parametrize(
    ("value", "problems"),
    [
        ({}, [("list_type", "")]),
        ([], [("list_length", "")]),
        ([1, 2, 3], [("list_length", "")]),
        ([1, 1], [("repeated", "")]),
        (["x", 1], [("number_type", "0")]),
    ],
    ids=["object", "too few", "too many", "twice", "wrong kind"],
)
def test_list_is_refused_with_all_its_problems(value, problems):
    """[RECORD 1]"""
    assert told(parsers.several(parsers.natural, least=1, most=2, unique=True), value) == problems


def test_list_without_an_upper_bound_names_the_lower_one():
    """[RECORD 1]"""
    assert told(parsers.several(parsers.natural, least=1), []) == [("list_length", "")]
    assert parsers.read(parsers.several(parsers.natural), [1, 1]) == (1, 1)


def test_object_by_key_reads_names_and_values():
    """[RECORD 1]"""
    parser = parsers.by_key(parsers.choice(("a",)), parsers.natural, least=1)
    assert parsers.read(parser, {"a": 1}) == {"a": 1}
    assert told(parser, []) == [("object_type", "")]
    assert told(parser, {}) == [("list_length", "")]
    assert told(parser, {"b": "x"}) == [("choice", "b"), ("number_type", "b")]


def test_chosen_case_reads_the_rest_of_the_object():
    """[RECORD 3]"""
    parser = parsers.chosen("type", {"a": parsers.fields({"x": parsers.natural}), "b": parsers.fields({})})
    assert parsers.read(parser, {"type": "a", "x": 1}) == {"x": 1}
    assert told(parser, {"type": "b", "x": 1}) == [("unknown_field", "x")]
    assert told(parser, {"type": "c"}) == [("choice", "type")]
    assert told(parser, {}) == [("choice", "type")]
    assert told(parser, 1) == [("object_type", "")]


def test_value_is_built_and_asked_about_only_when_it_could_be_read():
    """[RECORD 1]"""
    asked = []

    def ask(value: object, path: str) -> list[Problem]:
        asked.append(value)
        return [Problem("odd", "Odd.", field=path)]

    parser = parsers.checked(parsers.built(PAIR, lambda one: one + 1), ask)
    assert told(parser, {"one": 1}, "p") == [("odd", "p")]
    assert told(parser, {"one": "1"}, "p") == [("number_type", "p.one")]
    assert asked == [2]


def test_an_object_is_read_whatever_its_fields_hold():
    assert parsers.read(parsers.an_object, {"a": [1, None], "b": {}}) == {"a": [1, None], "b": {}}
    assert told(parsers.an_object, [1]) == [("object_type", "")]
