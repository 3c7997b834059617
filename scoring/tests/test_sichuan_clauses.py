"""Every clause of the two Sichuan rulebooks has its function and its test; every sentence its Russian."""

import ast
import re
from pathlib import Path

import pytest

from scoring.rulesets import sichuan
from scoring.rulesets.sichuan.clauses import CLAUSES
from scoring.rulesets.sichuan.fans import FANS
from scoring.rulesets.sichuan.law import LAWS
from scoring.words import translate

PACKAGE = sorted(Path(sichuan.__file__).parent.glob("*.py"))
TESTS = sorted(Path(__file__).parent.glob("test_sichuan_*.py"))
TAGS = [clause.tag for clause in CLAUSES]


def cited(paths):
    """Collect the clauses that docstrings of functions cite."""
    functions = [
        node
        for path in paths
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef)
    ]
    docstrings = [ast.get_docstring(function) or "" for function in functions]
    return {tag for text in docstrings for tag in re.findall(r"\[((?:SBR|WMSG|RULES) [^\]]+)\]", text)}


@pytest.mark.parametrize("paths", [PACKAGE, TESTS], ids=["functions", "tests"])
def test_every_clause_is_cited(paths):
    """None that touches points is without code, none without proof."""
    assert [tag for tag in TAGS if tag not in cited(paths)] == []


def test_no_clause_is_listed_twice():
    """A tag leads to one title."""
    assert len(set(TAGS)) == len(TAGS)


def test_lines_and_problems_cite_listed_clauses():
    """What people read at a payment is in the list."""
    named = {tag for law in LAWS.values() for tag in law.clauses.values()}
    named |= {fan.clause(law) for fan in FANS for law in LAWS.values()}
    assert named <= set(TAGS)


def marked(path):
    """Collect the sentences that a module marks for translation."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("gettext_noop", "_"):
            yield node.args[0].value


@pytest.mark.parametrize("path", PACKAGE, ids=lambda path: path.stem)
def test_every_sentence_has_its_russian(path):
    """With the same details in it."""
    for sentence in marked(path):
        russian = translate(sentence, "ru")
        assert re.search("[а-яё]", russian), sentence
        details = re.compile(r"%\(\w+\)s")
        assert set(details.findall(russian)) == set(details.findall(sentence)), sentence
