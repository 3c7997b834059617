"""Reading JSON field by field: all problems are gathered, none stops the reading."""

import pytest

from scoring.fields import Fields
from scoring.problems import Refusal
from scoring.seats import SEATS, Seat
from scoring.words import fill


def problems_of(fields):
    """Return codes and fields of what was noted."""
    return [(problem.code, problem.field) for problem in fields.problems]


@pytest.mark.parametrize(
    ("value", "expected", "problems"),
    [
        (True, True, []),
        (False, False, []),
        (None, False, []),
        (1, False, [("value_type", "a")]),
        ("true", False, [("value_type", "a")]),
    ],
)
def test_a_flag_is_true_or_false(value, expected, problems):
    """Absent flags, and null as elsewhere, are false; nothing else stands for them. [HANDS]"""
    fields = Fields({"a": value})
    assert (fields.flag("a"), problems_of(fields)) == (expected, problems)
    assert fields.flag("absent") is False


@pytest.mark.parametrize(
    ("value", "options", "expected", "problems"),
    [
        (3, {}, 3, []),
        (-1, {}, 0, [("out_of_range", "a")]),
        (5, {"high": 4}, 0, [("out_of_range", "a")]),
        (4, {"high": 4}, 4, []),
        (True, {}, 0, [("number_type", "a")]),
        (3.0, {"low": 1}, 1, [("number_type", "a")]),
        ("3", {}, 0, [("number_type", "a")]),
        (None, {}, 0, [("field_needed", "a")]),
        (None, {"default": 7}, 7, []),
    ],
)
def test_a_number_is_whole_and_within_bounds(value, options, expected, problems):
    """Whole numbers only: neither true nor 3.0 is one."""
    fields = Fields({"a": value})
    assert (fields.number("a", **options), problems_of(fields)) == (expected, problems)


@pytest.mark.parametrize(("options", "ending"), [({}, "0 or more."), ({"high": 4}, "from 0 to 4.")])
def test_a_number_that_is_out_of_bounds_is_told_the_bounds_there_are(options, ending):
    fields = Fields({"a": -1})
    fields.number("a", **options)
    (problem,) = fields.problems
    assert fill(problem.sentence, problem.details).endswith(ending)


def test_a_choice_names_its_options():
    """The sentence shows what may stand there."""
    fields = Fields({"a": "x", "b": "y", "c": ["x"]}, "case")
    assert (fields.choice("a", "xy"), fields.choice("b", ("x", "z")), fields.choice("c", "xy")) == (
        "x",
        "",
        "",
    )
    assert (fields.choice("d", "xy"), fields.choice("d", "xy", default="y")) == ("", "y")
    assert problems_of(fields) == [
        ("value_unknown", "case.b"),
        ("value_unknown", "case.c"),
        ("field_needed", "case.d"),
    ]
    assert str(fields.problems[0]) == "The field “case.b” may not be “y”; it is one of: x, z."


def test_a_text_is_a_text():
    """Numbers are none."""
    fields = Fields({"a": "x", "b": 1})
    assert (fields.text("a"), fields.text("b"), fields.text("c"), fields.text("c", default="d")) == (
        "x",
        "",
        "",
        "d",
    )
    assert problems_of(fields) == [("value_type", "b"), ("field_needed", "c")]


def test_seats_are_those_in_play():
    """Unknown seats and repeated ones are told apart."""
    fields = Fields({"a": "E", "b": "N", "c": ["S", "E"], "d": ["E", "E", "X", 1]})
    assert fields.seat("a", SEATS) is Seat.EAST
    assert fields.seat("b", SEATS[:3]) is None
    assert (fields.seat("e", SEATS), fields.seat("e", SEATS, needed=False)) == (None, None)
    assert fields.seats("c", SEATS) == (Seat.SOUTH, Seat.EAST)
    assert fields.seats("d", SEATS) == (Seat.EAST,)
    assert problems_of(fields) == [
        ("value_unknown", "b"),
        ("field_needed", "e"),
        ("value_unknown", "d.2"),
        ("value_unknown", "d.3"),
        ("seat_repeated", "d"),
    ]


def test_inner_objects_share_the_list_of_problems():
    """Paths lead to the field, however deep."""
    fields = Fields({"a": {"b": [{"c": 1}, 2]}, "d": "x"})
    first, second = fields.inner("a").objects("b")
    assert (first.number("c"), second.has("c")) == (1, False)
    assert fields.inner("e", needed=False).raw == {}
    assert fields.inner("f").items("g", needed=False) == []
    assert fields.items("d") == []
    assert fields.items("h") == []
    assert problems_of(fields) == [
        ("value_type", "a.b.1"),
        ("field_needed", "f"),
        ("value_type", "d"),
        ("field_needed", "h"),
    ]


def test_unasked_fields_are_unknown():
    """What nobody asks for is a problem, unless somebody else reads it."""
    fields = Fields({"a": 1, "b": 2, "id": 3})
    fields.number("a")
    fields.ignore("id")
    fields.finish()
    assert problems_of(fields) == [("unknown_field", "b")]
    with pytest.raises(Refusal):
        fields.refuse()


def test_nothing_wrong_is_not_refused():
    """Silence when all is well."""
    fields = Fields({})
    fields.finish()
    assert fields.refuse() is None
