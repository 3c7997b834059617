"""Everything that the pure packages define and rooms offer is reached by the site, its commands or the doors for programs."""

import re

import pytest
from django.conf import settings

from bench import life
from config.tests.reachability import called_writes, named_in, unreached

ROOT = settings.BASE_DIR
FOR_OTHERS = {
    "scoring.criteria.register": "a site of one's own makes a criterion known by it",
    "scoring.presets.register": "and a preset",
    "scoring.systems.register": "and a system",
    "tournaments.privacy.rules.FATES": "what becomes of every field, against which a test holds the models",
    "tournaments.privacy.rules.Fate": "a row of that list",
    "tournaments.privacy.rules.NOT_PERSONAL": "and the models that hold nothing of a person",
    "tournaments.privacy.rules._kept": "and why something is kept",
    "tournaments.standings.queries.table.StandingsTable.order_name": "called by django-tables2",
    "tournaments.standings.queries.table.StandingsTable.order_place": "called by django-tables2",
}


def words_of_templates():
    for template in (ROOT / "templates").rglob("*.*"):
        yield from re.findall(r"\w+", template.read_text(encoding="utf-8"))


def test_nothing_is_there_for_tests_alone():
    assert unreached(ROOT, words_of_templates()) == sorted(FOR_OTHERS)


def test_every_operation_that_is_called_and_writes_is_killed_by_the_bench_or_left_out_with_its_reason():
    """[INTEGRITY 5]"""
    writes, killed = called_writes(ROOT), named_in(ROOT, ROOT / "bench/life.py")
    assert sorted(writes - killed - set(life.LEFT_OUT)) == []
    assert sorted(set(life.LEFT_OUT) - (writes - killed)) == []


PLANTED = {
    "a-function": "def lonely():\n    return 1\n",
    "a-constant": "LONELY = 1\n",
    "a-class": "class Lonely:\n    pass\n",
    "two-that-call-each-other": "def one():\n    return other()\n\n\ndef other():\n    return one()\n",
    "a-method": "from scoring.used import use\n\n\nclass Known:\n    def lonely_method(self):\n        return use\n",
}


@pytest.fixture
def tree(tmp_path):
    for package in ("config", "penalties", "scoring", "seating", "tournaments"):
        (tmp_path / package).mkdir()
    (tmp_path / "scoring/used.py").write_text(
        "def use():\n    return _helper()\n\n\ndef _helper():\n    return 1\n"
    )
    (tmp_path / "tournaments/page.py").write_text("from scoring.used import use\n\nuse()\n")
    return tmp_path


def test_what_a_page_calls_is_reached_with_what_that_calls(tree):
    assert unreached(tree) == []


@pytest.mark.parametrize("text", PLANTED.values(), ids=PLANTED)
def test_what_nobody_calls_is_found(tree, text):
    (tree / "scoring/added.py").write_text(text)
    assert unreached(tree) != []


def test_a_job_of_a_child_process_is_reached_by_its_name(tree):
    (tree / "scoring/added.py").write_text("def job():\n    return 1\n")
    (tree / "tournaments/upload.py").write_text('run("scoring.added:job")\n')
    assert unreached(tree) == []
