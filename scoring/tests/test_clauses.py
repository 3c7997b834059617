"""Clauses held against the code and its tests, and sentences against their Russian, for all systems together."""

import ast
import re
from pathlib import Path

import pytest

from scoring.citations import (
    Citation,
    Row,
    citations,
    docstrings,
    lacking,
    listed,
    report,
    rows,
)
from scoring.clauses import EVENT, Clause
from scoring.systems import SYSTEMS
from scoring.words import translate

ROOT = Path(__file__).parents[2]
MODULE = '''
"""A module. [NO 1]"""

LIMIT = 3
"""Three. [SBR 1]"""

KNOWN: int = 3
"""Known. [SBR 1]"""

"""Nothing before it. [NO 2]"""

a.b = 3
"""No name. [NO 3]"""

def pay():
    """Pay. [SBR 2.1] [MCR fan 81] [SBR 2.1]"""

async def wait():
    """Wait. [SBR 2.1]"""

def silent():
    return 1

class Table:
    """A table. [RULES 8.1]"""

    size = 4
    """Four. [RULES 8.2]"""

    def play(self):
        """Play. [RECORD]"""
'''


def test_docstrings_of_functions_classes_and_constants_are_found():
    """[RULES 1.1]"""
    assert [name for name, _ in docstrings(ast.parse(MODULE))] == [
        "LIMIT",
        "KNOWN",
        "pay",
        "wait",
        "Table",
        "Table.size",
        "Table.play",
    ]


def test_citations_name_file_and_function(tmp_path):
    """[RULES 1.1]"""
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "pay.py").write_text(MODULE, encoding="utf-8")
    found = citations(tmp_path, ["pack"])
    assert found["SBR 2.1"] == [Citation("pack/pay.py", "pay"), Citation("pack/pay.py", "wait")]
    assert found["RULES 8.2"] == [Citation("pack/pay.py", "Table.size")]
    assert "NO 1" not in found
    assert found["RECORD"] == [Citation("pack/pay.py", "Table.play")]


def test_clause_without_function_or_test_is_named():
    """[RULES 1.1]"""
    cited = {
        "A 1": [Citation("x.py", "pay"), Citation("tests/test_x.py", "test_pay")],
        "A 2": [Citation("x.py", "pay"), Citation("x/tests/strategies.py", "hands")],
        "A 3": [Citation("tests/test_x.py", "TestPay.test_pay")],
    }
    table = rows([Clause(tag, "words") for tag in ("A 1", "A 2", "A 3", "A 4")], cited)
    assert table[0] == Row(Clause("A 1", "words"), (cited["A 1"][0],), (cited["A 1"][1],))
    assert [row.clause.tag for row in lacking(table)] == ["A 2", "A 3", "A 4"]
    assert report(table)[-4:] == [
        "Clauses: 4; without a function or a test: 3.",
        "[A 2] no test cites it",
        "[A 3] no function cites it",
        "[A 4] no function cites it",
    ]
    assert report(table, "ru")[:3] == ["[A 1] words", "    x.py  pay", "    тест: tests/test_x.py  test_pay"]


CITED = citations(ROOT, ["scoring"])
RULESETS = sorted((ROOT / "scoring/systems").rglob("*.py"))


@pytest.mark.parametrize("clause", listed(), ids=lambda clause: clause.tag)
def test_every_clause_about_points_has_its_function_and_its_test(clause):
    """[RULES 1.1]"""
    assert lacking(rows([clause], CITED)) == ()


def marked(path):
    """Find the sentences that a module marks for translation."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("gettext_noop", "_"):
            yield ast.literal_eval(node.args[0])


def sentences():
    """Return every sentence of the rulesets once, with the module that says it."""
    found = {sentence: path for path in RULESETS for sentence in marked(path)}
    return [pytest.param(each, id=f"{path.parent.name}-{each[:40]}") for each, path in found.items()]


@pytest.mark.parametrize("sentence", sentences())
def test_every_sentence_of_a_ruleset_is_there_in_russian_with_the_same_details(sentence):
    """[RULES 1.1]"""
    russian, details = translate(sentence, "ru"), re.compile(r"%\(\w+\)s")
    assert re.search("[а-яё]", russian)
    assert set(details.findall(russian)) == set(details.findall(sentence))


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_lists_its_clauses(system):
    """[RULES 1.1]"""
    tags = [clause.tag for clause in listed(system)]
    assert len(tags) == len(set(tags)) > 10
    assert {tag.split()[0] for tag in tags} <= {system, "RULES"}


def test_all_clauses_are_listed_once():
    """[RULES 1.1]"""
    tags = [clause.tag for clause in listed()]
    assert len(tags) == len(set(tags))
    assert {clause.tag for clause in EVENT} <= set(tags)


def test_decisions_about_points_are_listed():
    """A decision that a function carries out is found by the command that lists them. [RULES 1.1]"""
    cited = rows([Clause(tag, "") for tag in CITED if tag.startswith(("RULES 8.", "RULES 9."))], CITED)
    decisions = {row.clause.tag for row in cited if row.functions}
    assert decisions - {clause.tag for clause in listed()} == {"RULES 9.1"}


@pytest.mark.parametrize("clause", listed(), ids=lambda clause: clause.tag)
def test_every_title_is_there_in_russian(clause):
    """[RULES 1.1]"""
    assert translate(clause.title, "ru") != clause.title


def test_decisions_cited_are_written_down():
    """Every tag of a page of docs/ leads to a heading or an item there. [RULES 1.1]"""
    told = {
        name: (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
        for name in ("RULES", "HANDS", "RECORD")
    }
    own = [tag for tag in CITED if tag.split()[0] in told]
    assert [tag for tag in own if not _leads(tag, told[tag.split()[0]])] == []
    assert not _leads("RULES 8.99", told["RULES"])


def _leads(tag: str, text: str) -> bool:
    """A number is an anchor: a heading `## 4 …`, `### 1.6 …`, or an item `**8.30**`."""
    _, _, number = tag.partition(" ")
    return not number or f"**{number}**" in text or f"# {number} " in text
