"""The faults that the mutation bench plants: small, different from what stands there, and in the places it names."""

import ast
import gc
import importlib
import re
from collections import Counter
from pathlib import Path

import pytest
from django.utils.functional import SimpleLazyObject

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted((ROOT / "static/js").rglob("*.js"))


@pytest.fixture
def bench():
    return lambda name: importlib.import_module(f"bench.mutants.{name}")


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_is_read_to_its_last_letter(bench, path):
    text = path.read_text(encoding="utf-8")
    assert "".join(token.text for token in bench("scripts").tokens(text)) == text


def test_texts_comments_and_regular_expressions_of_a_script_are_left_alone(bench):
    script = 'const a = "1 && 2"; // 3 < 4\nconst b = /[5>]/g.test(`6 ${c > d} 7`);\n'
    kinds = [(kind, script[start:end]) for start, end, _, kind in bench("scripts").faults_of(script)]
    assert kinds == [("> to >=", ">")]


def test_faults_of_a_script_are_of_every_kind(bench):
    script = "if (!a && b < 1) return list.filter((one) => one.is).some(c);\nthis.draw();\n"
    faults = [
        script[:start] + fresh + script[end:] for start, end, fresh, _ in bench("scripts").faults_of(script)
    ]
    assert {text.strip().splitlines()[0] for text in faults} >= {
        "if (!(!a && b < 1)) return list.filter((one) => one.is).some(c);",
        "if (a && b < 1) return list.filter((one) => one.is).some(c);",
        "if (!a || b < 1) return list.filter((one) => one.is).some(c);",
        "if (!a && b <= 1) return list.filter((one) => one.is).some(c);",
        "if (!a && b < (1 + 1)) return list.filter((one) => one.is).some(c);",
        "if (!a && b < 1) return list.some(c);",
        "if (!a && b < 1) return list.filter((one) => one.is).every(c);",
    }
    assert any("draw" not in text for text in faults)


PYTHON = '''"""A page."""


@needs("see")
def page(request: Request, number: int = 3) -> Answer:
    """Show it."""
    rows = Row.objects.filter(of=request.of, number=number).exclude(is_gone=True).order_by("-at", "pk")
    if rows and number > 0:
        record(rows)
    return [row for row in rows if row.is_seen]
'''


def test_faults_of_python_are_of_every_kind(bench, tmp_path):
    (tmp_path / "page.py").write_text(PYTHON)
    python = bench("python")
    found = {
        one.kind: ast.unparse(python.planted(one, tmp_path))
        for one in python.mutants(tmp_path / "page.py", tmp_path)
    }
    assert set(found) == {
        "decorator left out", "number", "filter left out", "exclude left out", "order_by left out", "order turned round",
        "argument of filter left out", "truth value", "connective", "comparison", "condition", "statement left out",
        "condition of a comprehension",
    }  # fmt: skip
    faultless = ast.unparse(ast.parse(PYTHON))
    assert faultless not in found.values()
    assert "needs" not in found["decorator left out"]
    assert "record" not in found["statement left out"]
    assert re.search(r"order_by\('-at', '-pk'\)", found["order turned round"])


def test_a_fault_in_a_function_is_planted_without_another_import(bench):
    python = bench("python")

    def pair(after):
        old, new = (compile(text, "page.py", "exec") for text in (PYTHON, PYTHON.replace(*after)))
        found = python.changed_codes(old, new)
        return found and [code.co_name for code, _ in found]

    assert pair(("number > 0", "number >= 0")) == ["page"]
    assert pair(('@needs("see")', '@needs("say")')) is None
    assert pair(("number: int = 3", "number: int = 4")) is None


def test_faults_of_a_template_are_of_every_kind(bench, tmp_path):
    text = "{% if of.is_open and rows %}{{ of.name|upper }}{% for row in rows %}{{ row }}{% endfor %}{% include 'a.html' %}{% endif %}"
    (tmp_path / "page.html").write_text(text)
    templates = bench("templates")
    found = {
        one.kind: templates.planted(one, tmp_path)
        for one in templates.mutants(tmp_path / "page.html", tmp_path)
    }
    assert set(found) == {
        "condition",
        "connective",
        "filter upper left out",
        "value left out",
        "order turned round",
        "include left out",
    }
    assert found["condition"].startswith("{% if not of.is_open and rows %}")
    assert "{{ of.name }}" in found["filter upper left out"]


def test_a_fault_is_planted_also_in_what_the_start_has_frozen(bench):
    """The collector lists nothing that is frozen, and a fault that is not found there costs a process of its own; what is lazy sleeps on."""
    code = "def three(): return 3\n"
    before, after = (compile(text, "frozen.py", "exec") for text in (code, code.replace("3\n", "4\n")))
    names: dict = {}
    exec(before, names)
    lazy = SimpleLazyObject(lambda: 1 / 0)
    gc.freeze()
    try:
        bench("runner").plant_codes(bench("python").changed_codes(before, after))
        assert names["three"]() == 4
        assert type(lazy) is SimpleLazyObject
    finally:
        gc.unfreeze()


def test_a_module_that_runs_only_when_it_is_imported_is_asked_of_the_tests_named_for_it(bench, monkeypatch):
    map_of = bench("coverage_map").CoverageMap
    seen = map_of.__new__(map_of)
    seen.home, seen.failed = ROOT, set()
    seen.size = Counter(
        {"scoring/tests/test_examples.py::test_a": 3, "scoring/tests/test_examples_page.py::test_b": 2}
    )
    seen.size |= Counter({"scoring/tests/test_tiles.py::test_c": 1})
    monkeypatch.setattr(map_of, "lines", lambda self, path: {})
    (fault, *_) = bench("python").mutants(ROOT / "scoring/systems/red/examples.py", ROOT)
    assert seen.tests(fault) == [
        "scoring/tests/test_examples_page.py::test_b",
        "scoring/tests/test_examples.py::test_a",
    ]
