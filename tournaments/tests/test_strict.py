"""Reading what strangers send: stricter than the language. [INTEGRITY 4, 7.7]"""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.record.refusal import Refused
from tournaments.web.strict import MAX_DEPTH, load_json, parse_whole

BAD = [
    (b"{", "bad_json", 400),
    (b"", "bad_json", 400),
    (b'{"a": 1, "a": 2}', "duplicate_key", 400),
    (b'{"a": {"b": 1, "b": 1}}', "duplicate_key", 400),
    (b'{"a": NaN}', "number_not_json", 400),
    (b'{"a": -Infinity}', "number_not_json", 400),
    (b'{"a": 1' + b"0" * 30 + b"}", "number_not_json", 400),
    (b"[" * 11 + b"]" * 11, "too_deep", 400),
    (b'"' + b"x" * 70_000 + b'"', "too_large", 413),
    (b"[" + b"1," * 20_000 + b"1]", "too_large", 413),
    (b'"\xff"', "bad_text", 400),
    (b'"a\\u0000"', "bad_text", 400),
    (b'"\\ud800"', "bad_text", 400),
]


@pytest.mark.parametrize(("body", "code", "status"), BAD, ids=lambda part: str(part)[:20])
def test_bad_json_is_refused_with_its_reason(body, code, status):
    with pytest.raises(Refused) as refused:
        load_json(body)
    assert (refused.value.problems[0].code, refused.value.status) == (code, status)


def test_brackets_inside_texts_do_not_count_as_depth():
    assert load_json(json.dumps({"a": "[[[[[[[[[[[[["}).encode()) == {"a": "[[[[[[[[[[[[["}


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(10**17), 10**17) | TEXTS,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
        max_leaves=8,
    )
)
def test_ordinary_json_is_read_as_it_is(value):
    body = json.dumps(value).encode()
    if depth(value) > MAX_DEPTH:
        with pytest.raises(Refused, match="nested"):
            load_json(body)
    else:
        assert load_json(body) == value


def depth(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth, inner), default=0)


@pytest.mark.parametrize("text", ["0", "-1", "8000", " 12 ", "999999999999999999"])
def test_whole_numbers_are_read(text):
    assert parse_whole(text) == int(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "+1",
        "01",
        "1.0",
        "8 000",
        "8,000",
        "8.000",
        "−8000",
        "1_000",
        "8e3",
        "１２",
        "٣",
        "true",
        "0x10",
        "1" * 19,
    ],
)
def test_anything_else_is_no_number(text):
    with pytest.raises(Refused) as refused:
        parse_whole(text, field="delta")
    [problem] = refused.value.problems
    assert (problem.code, problem.field) == ("number_format", "delta")


@pytest.mark.parametrize("text", ["0", "10001", "-5"])
def test_numbers_out_of_range_are_told_the_range(text):
    with pytest.raises(Refused) as refused:
        parse_whole(text, least=1, most=10_000)
    assert str(refused.value.problems[0]) == "Write a number from 1 to 10000."
