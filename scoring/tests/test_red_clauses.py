"""Red mahjong: every clause that touches points is cited by code and by a test, and every sentence is there in Russian."""

import ast
from pathlib import Path

import pytest

from scoring.clauses import citations, rows
from scoring.rulesets.red.clauses import CLAUSES
from scoring.words import catalogue

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "scoring/rulesets/red"
CITED = citations(ROOT, ["scoring"])


def marked(package):
    """Find every sentence that is marked for translation."""
    for path in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("_", "gettext_noop")
            ):
                yield ast.literal_eval(node.args[0])


@pytest.mark.parametrize("clause", CLAUSES, ids=lambda clause: clause.tag)
def test_clause_has_a_function_and_a_test(clause):
    """[RULES 6] [RED tiles 2]"""
    found = rows([clause], CITED)[0]
    assert found.functions
    assert found.tests


def test_every_sentence_is_there_in_russian():
    """[RULES 6]"""
    russian = catalogue("ru")
    assert [sentence for sentence in marked(PACKAGE) if not russian.get(sentence)] == []
