"""A function fits on a screen: at most forty lines, or the reason stands beside it."""

import ast
from collections.abc import Iterator

import pytest
from django.conf import settings

from config.tests.named_things import PACKAGES

ROOT = settings.BASE_DIR
LONGEST = 40
LONGER = {
    "bench/life.py: steps": "a table of the steps of an event",
    "bench/scoring.py: mahjong_library": "its two functions know names that are imported only there",
    "seating/rules/turned.py: _anneal": "the innermost loop of a search: it runs for every step",
    "tournaments/web/rules.py: split_records": "one loop that runs for every character of an uploaded file",
}


def long_functions(text: str) -> Iterator[str]:
    """Find functions with more lines than a screen has."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            if node.end_lineno - node.lineno >= LONGEST:
                yield node.name


def test_only_functions_with_a_reason_are_longer_than_a_screen():
    found = set()
    for path in [
        *ROOT.glob("*.py"),
        *(one for package in PACKAGES for one in (ROOT / package).rglob("*.py")),
    ]:
        if not {"tests", "migrations"} & set(path.parts):
            name = path.relative_to(ROOT).as_posix()
            found |= {f"{name}: {function}" for function in long_functions(path.read_text(encoding="utf-8"))}
    assert found == set(LONGER)


@pytest.mark.parametrize(("lines", "found"), [(38, []), (39, []), (40, ["long"])])
def test_a_long_function_is_found(lines, found):
    assert list(long_functions("def long():\n" + "    pass\n" * lines)) == found
