"""A pasted list: what was understood, and every fault by its line."""

import pytest

from tournaments.people.rules.pasted import Teams, are_swapped, read_pasted
from tournaments.people.rules.registration import Listed

COUNTRIES = {"ru": "RU", "россия": "RU", "russia": "RU", "gb": "GB"}


def read(text, listed=()):
    return read_pasted(text, countries=COUNTRIES, listed=listed)


@pytest.mark.parametrize("separator", ["\t", ";", ", "])
def test_columns_are_found_by_what_parts_them(separator):
    rows = read(
        "\n".join(separator.join(row) for row in (("Heron", "London", "gb"), ("Чиж", "Самара", "RU")))
    )
    assert [(row.values["name"], row.values["city"], row.values["country"]) for row in rows] == [
        ("Heron", "London", "GB"),
        ("Чиж", "Самара", "RU"),
    ]


def test_a_line_parted_otherwise_than_the_others_is_read_all_the_same():
    rows = read("Heron, London, gb\nЧиж; Самара; RU\nЗяблик\tКазань\tRU\nStork, Lund\nGull, Bergen")
    assert [(row.values["name"], row.values.get("city", "")) for row in rows] == [
        ("Heron", "London"),
        ("Чиж", "Самара"),
        ("Зяблик", "Казань"),
        ("Stork", "Lund"),
        ("Gull", "Bergen"),
    ]


def test_a_comma_in_a_list_of_tabs_is_a_mistake_and_parts_nothing():
    rows = read("Heron\tLondon\nЧиж\tСамара\nСиница, Анна")
    assert [problem.code for problem in rows[2].problems] == ["name_bad_char"]


def test_a_header_names_the_columns():
    [row] = read("Город;Имя\nСамара;Чиж")
    assert (row.values["name"], row.values["city"]) == ("Чиж", "Самара")


@pytest.mark.parametrize("said", ["RU", "ru", "Россия", "Russia", "россия"])
def test_a_country_is_known_by_its_code_and_by_its_names(said):
    [row] = read(f"Чиж;Самара;{said}")
    assert (row.values["country"], row.problems) == ("RU", ())


def test_an_unknown_country_stays_as_it_was_typed():
    [row] = read("Чиж;Самара;Тула")
    assert row.values["country"] == "Тула"


def test_names_alone_numbered_or_not_are_enough():
    rows = read("1. Heron\n2) Plover\n\nWren\n")
    assert [row.values["name"] for row in rows] == ["Heron", "Plover", "Wren"]
    assert [row.line for row in rows] == [1, 2, 4]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("<b>", "name_bad_char"),
        ("Heron;London;Narnia", "unknown_place"),
        ("Heron;London;GB;Club;123", "fed_id_invalid"),
        ("Heron;a;GB;b;;too;many", "cells_count"),
    ],
)
def test_every_fault_is_named_by_its_row(line, code):
    [row] = read(line)
    assert [problem.code for problem in row.problems] == [code]


def test_somebody_already_there_is_asked_about():
    rows = read("Heron\nHeron\nPlover", listed=[Listed(7, "Plover")])
    assert [[problem.code for problem in row.questions] for row in rows] == [
        [],
        ["row_duplicate"],
        ["already_registered"],
    ]


def test_a_cell_that_is_too_long_is_named():
    [row] = read("Имя;Город;Команда\nЧиж;" + "С" * 101 + ";Ветер")
    assert [(p.code, p.field, p.details["m"]) for p in row.problems] == [("cell_too_long", "city", 101)]


def test_a_team_that_would_be_too_large_is_named():
    """[SBR 2.4.3]"""
    teams = Teams({"Ветер": 1}, size=2)
    rows = read_pasted(
        "Имя;Команда\nЧиж;Ветер\nСойка;Ветер\nДрозд;", countries=COUNTRIES, listed=(), teams=teams
    )
    assert [[p.code for p in row.problems] for row in rows] == [[], ["team_full"], []]


def test_lines_beyond_the_most_are_named_and_not_cut_off_in_silence():
    names = "\n".join(
        f"Heron {chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676)}" for n in range(2001)
    )
    rows = read(names)
    assert [(row.line, [problem.code for problem in row.problems]) for row in rows if row.problems] == [
        (2001, ["too_many_rows"])
    ]
    assert len(read(names.rpartition("\n")[0])) == 2000


def test_city_and_country_the_other_way_round_are_noticed():
    countries = {"latvia": "LV", "estonia": "EE", "lv": "LV", "ee": "EE"}

    def swapped(text):
        return are_swapped(read_pasted(text, countries=countries, listed=[]), countries)

    assert swapped("Heron,Latvia,Riga\nPlover,Estonia,Tartu\nWren,Riga,Latvia")
    assert not swapped("Heron,Riga,Latvia\nPlover,Tartu,Estonia\nWren,Estonia,Tartu")
    assert not swapped("name,country,city\nHeron,Latvia,Riga")
    assert not swapped("Heron\nPlover")
