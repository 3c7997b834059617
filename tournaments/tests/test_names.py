"""Names: people's real ones are accepted, those that hide or mislead are refused. [INTEGRITY 7.1, 7.8]"""

import pytest

from tournaments.people.rules import spelling
from tournaments.people.rules.names import name_problems, search_key, tidy_name, tidy_slug
from tournaments.tests import node

ACCEPTED = [
    "О'Коннор",
    "О’Коннор",
    "Жан-Поль д'Артаньян",
    "Nguyễn Thị Ánh",
    "李小龍",
    "Ólafur",
    "Heron",
    "Е",
    "Петров В.",
    "Анна-Мария",
    "x" * 100,
    "Müller",
    "محمد",
    "Соня О",
]


@pytest.mark.parametrize("name", ACCEPTED)
def test_real_names_are_accepted(name):
    assert name_problems(tidy_name(name)) == []


REFUSED = [
    ("", "name_required"),
    ("   ", "name_required"),
    ("\u200b\u200d", "name_required"),
    ("x" * 101, "name_too_long"),
    ("Анна\u202eанна", "name_bad_char"),
    ("Heron\u0007", "name_bad_char"),
    ("Heron\nPlover", "name_bad_char"),
    ("<script>alert(1)</script>", "name_bad_char"),
    ("=HYPERLINK(1)", "name_bad_char"),
    ("+7", "name_bad_char"),
    ("@heron", "name_bad_char"),
    ("Heron 2", "name_bad_char"),
    ("Ивaнов", "name_mixed_script"),
    ("🀀", "name_bad_char"),
]


@pytest.mark.parametrize(("name", "code"), REFUSED, ids=lambda part: ascii(part)[:30])
def test_names_that_hide_or_mislead_are_refused(name, code):
    assert [problem.code for problem in name_problems(tidy_name(name))] == [code]


def test_a_refusal_names_the_position_of_the_hidden_character():
    [problem] = name_problems("Анна\u202eанна")
    assert str(problem) == "The name contains an invisible control character at position 5; remove it."


def test_a_refusal_names_the_letters_of_the_other_alphabet():
    [problem] = name_problems("Ивaнов")
    assert problem.details == {"chars": "a"}


def test_two_alphabets_may_stand_in_two_words():
    assert name_problems("Heron Цапля") == []


def test_names_are_composed_and_trimmed_and_nothing_else():
    assert tidy_name("  A\u0301nna   Heron ") == "\u00c1nna Heron"


@pytest.mark.parametrize(
    ("one", "other"),
    [("Пётр", "ПЕТР"), ("О’Коннор", "о'коннор"), ("Ánh", "anh"), ("Heron  B", "heron b")],
)
def test_search_finds_names_whatever_their_case_accents_and_apostrophes(one, other):
    assert search_key(one) == search_key(other)


def test_search_keeps_different_letters_apart():
    assert search_key("Соня") != search_key("Сеня")


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        pytest.param("spring-cup-2026", "spring-cup-2026", id="tidy already"),
        pytest.param("Spring_Cup", "spring-cup", id="capitals and underscores"),
        pytest.param("-spring--cup-", "spring-cup", id="hyphens without anything between"),
        pytest.param("___", "", id="nothing left"),
    ],
)
def test_an_address_is_one_that_a_record_may_have(typed, address):
    """[RECORD 2]"""
    assert tidy_slug(typed) == address


SOUND_ALIKE = [
    ("petr", "Пётр Орлов"), ("pyotr", "Пётр Орлов"), ("Юлия", "Yuliya Ivanova"), ("julia", "Юлия Щербакова"), ("yulia", "Юлия Щербакова"),
    ("scherbak", "Юлия Щербакова"), ("shcherbak", "Юлия Щербакова"), ("khabar", "Хабаров"), ("habar", "Хабаров"), ("tsvet", "Цветаева"), ("cvet", "Цветаева"),
    ("yekaterina", "Екатерина"), ("alex", "Александр"), ("петр", "Petr Novák"), ("anna", "Анна"), ("novak", "Petr Novák"), ("wal", "Вальтер"),
]  # fmt: skip
OTHERS = [("petr", "Павел"), ("ivan", "Пётр"), ("орл", "Petr Novák")]


@pytest.mark.parametrize(("query", "name"), SOUND_ALIKE)
def test_names_are_found_in_the_other_alphabet(query, name):
    assert spelling.answers(query, name)


@pytest.mark.parametrize(("query", "name"), OTHERS)
def test_names_that_sound_otherwise_are_not_found(query, name):
    assert not spelling.answers(query, name)


@pytest.mark.node
def test_script_finds_the_same_names_as_the_site():
    program = """
import { answers } from "../../../static/js/names.js";
import { readFileSync } from "node:fs";
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(([query, name]) => answers(query, name))));
"""
    assert node.answers(program, SOUND_ALIKE + OTHERS) == [True] * len(SOUND_ALIKE) + [False] * len(OTHERS)
