"""Every sentence and name of this package has its Russian translation."""

import ast
import re
from pathlib import Path

import pytest

from scoring import words
from scoring.fields import WRONG_VALUE
from scoring.problems import Problem
from scoring.systems import SYSTEMS
from scoring.terms import speaking
from scoring.words import CATALOGUES, LANGUAGES, catalogue, fill, say, translate

ROOT = Path(__file__).parents[1]
SOURCES = sorted(path for path in ROOT.rglob("*.py") if "tests" not in path.parts)
PLACEHOLDER = re.compile(r"%\([a-z_]+\)[sd]|%%")


def marked(path: Path) -> list[str]:
    """List what a module marks for translation."""
    return [
        ast.literal_eval(node.args[0])
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "gettext_noop"
    ]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_marked_sentence_is_translated(path):
    """[RULES 1.1]"""
    assert [sentence for sentence in marked(path) if not catalogue("ru").get(sentence)] == []


def test_translations_keep_the_details_of_their_sentences():
    """[RULES 1.1]"""
    assert {
        sentence
        for sentence, translation in catalogue("ru").items()
        if set(PLACEHOLDER.findall(sentence)) != set(PLACEHOLDER.findall(translation))
    } == set()


def test_translations_are_in_russian():
    """[RULES 1.1]"""
    names = re.compile(r"[А-Яа-яЁё]")
    latin = {sentence for sentence, told in catalogue("ru").items() if not names.search(told)}
    assert latin <= {"%(points)s"}


@pytest.mark.parametrize("path", sorted(CATALOGUES.rglob("*.po")), ids=lambda path: path.stem)
def test_no_two_catalogues_disagree(path):
    """[RULES 1.1]"""
    own = words._entries(path.read_text(encoding="utf-8"))
    assert {sentence: catalogue("ru")[sentence] for sentence in own} == own


def test_master_text_stands_where_there_is_no_translation():
    """[RULES 1.1]"""
    assert LANGUAGES == ("en", "ru")
    assert catalogue("en") == {}
    assert translate("Nobody has translated this.", "ru") == "Nobody has translated this."
    assert translate("Penalties", "ru") == "Штрафы"


def test_problem_is_said_with_its_details():
    """[RULES 1.1]"""
    problem = Problem("unit", "Points must be a multiple of %(unit)s.", details={"unit": 100})
    assert say(problem) == str(problem) == "Points must be a multiple of 100."
    assert say(problem, "ru") == "Очки должны быть кратны 100."
    assert say(Problem("x", "The chief referee may not play."), "ru") == "Главный судья не играет."
    assert str(Problem("x", "The chief referee may not play.")) == "The chief referee may not play."


def test_details_that_are_names_are_translated_too():
    """[RULES 1.1]"""
    assert fill("“%(name)s” occurs twice.", {"name": "club"}, "ru") == "«клуб» встречается дважды."
    assert fill("“%(name)s” occurs twice.", {"name": 5}, "ru") == "«5» встречается дважды."


def test_what_somebody_wrote_is_repeated_letter_by_letter():
    """The word “kong” in a field is no name of a set, in no language."""
    wrong = Problem(
        "value_unknown", WRONG_VALUE, details={"field": "type", "value": "kong", "options": "pung"}
    )
    assert say(wrong, "ru") == "Поле «type» не может быть «kong»; допустимо одно из: pung."


def test_catalogue_reads_long_entries_and_leaves_out_empty_ones():
    """[RULES 1.1]"""
    text = 'msgid ""\nmsgstr "head"\n\n#: x\nmsgid "a "\n"b"\nmsgstr "в "\n"г"\n\nmsgid "c"\nmsgstr ""\n'
    assert words._entries(text) == {"a b": "в г", "c": ""}


def test_a_wording_of_a_system_comes_before_the_general_one(monkeypatch):
    """[RULES 1.1]"""
    own = {f"RIICHI{words.CONTEXT}Hand": "Раздача-2", "Hand": "Сдача"}
    monkeypatch.setattr(words, "catalogue", lambda language: own)
    with speaking(SYSTEMS["RIICHI"].terms):
        assert translate("Hand", "ru") == "Раздача-2"
    assert translate("Hand", "ru") == "Сдача"
