"""A short run of the hostile requests that `bench/fuzz.py` sends in numbers. [INTEGRITY 6]"""

import importlib
import random
import subprocess
import sys

import pytest
from django.conf import settings


def test_hostile_requests_meet_no_fault_of_ours():
    """A few of each, the same ones each time; against a server of their own. How long they take is measured elsewhere."""
    done = subprocess.run(
        [sys.executable, "bench/fuzz.py", "--requests", "600", "--forms", "150", "--seed", "20261119", "--longest", "60"],
        cwd=settings.BASE_DIR, capture_output=True, text=True, timeout=900, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert done.stdout.count("faults: 0") == 2
    assert all(word in done.stdout for word in ("api 200", "api 422", "form 302", "form 422"))


@pytest.fixture(scope="module")
def fuzz():
    return importlib.import_module("bench.fuzz")


SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": ["integer", "null"]}, "of": {"type": "array", "items": {"$ref": "#/components/schemas/A"}}},
    "required": ["n"],
    "additionalProperties": False,
}  # fmt: skip
DOCUMENT = {"components": {"schemas": {"A": {"type": "string", "enum": ["x"], "pattern": "^x"}}}}


@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        ({"n": 1, "of": ["x"]}, []), ({"n": None}, []), ({}, ["$ lacks n"]), ({"n": True}, ["$.n is no ['integer', 'null']"]),
        ({"n": 1, "of": ["y"]}, ["$.of[0] is none of the values", "$.of[0] does not fit ^x"]), ({"n": 1, "m": 1}, ["$ has m"]),
        ([], ["$ is no object"]),
    ],
)  # fmt: skip
def test_answers_are_held_against_the_schema(fuzz, value, wrong):
    assert list(fuzz.mismatches(value, SCHEMA, DOCUMENT, "$")) == wrong


@pytest.mark.parametrize(
    ("status", "took", "faults"), [(200, 0.1, 0), (500, 0.1, 1), (599, 0.1, 1), (422, 6.0, 1)]
)
def test_faults_are_told(fuzz, status, took, faults):
    findings = fuzz.Findings()
    findings.note("form", "POST /", status, took, [])
    assert len(findings.faults) == faults


def test_forms_are_read_and_changed(fuzz):
    page = """<form method="post" action="/x/"><input name="csrfmiddlewaretoken" value="t"><input name="a" value="1">
    <select name="b"><option value="1">1<option value="2" selected>2</select><textarea name="c">text</textarea></form>"""
    reader = fuzz.Forms("/p/")
    reader.feed(page)
    (form,) = reader.found
    assert (form.action, form.fields[1:]) == ("/x/", [("a", "1"), ("b", "2"), ("c", "text")])
    sent = [fuzz.changed(form, random.Random(number)) for number in range(40)]
    assert all(("csrfmiddlewaretoken", "t") in one for one in sent)
    assert len({tuple(one) for one in sent}) > 20
