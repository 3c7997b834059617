"""The two lines of imports hold, and a module that crosses one is found."""

from pathlib import Path

import pytest
from django.conf import settings

from config.tests import boundaries


def test_no_import_crosses_a_line():
    known = boundaries.modules(settings.BASE_DIR)
    assert {"scoring.problems", "tournaments.models.tournament", "seating.rules.random_draw"} <= set(known)
    assert boundaries.crossings(known) == []


PLANTED = {
    "scoring-knows-tournaments": ("scoring/a.py", "from tournaments import models", "scoring may not know tournaments"),
    "scoring-knows-django": ("scoring/a.py", "import django.utils", "it must stay pure"),
    "scoring-knows-numpy": ("scoring/systems/a.py", "import numpy as np", "it must stay pure"),
    "rules-know-django": ("penalties/appeals/rules.py", "from django.db import models", "it must stay pure"),
    "rules-know-models": ("seating/rules/a.py", "from seating import models", "it must stay pure"),
    "rules-know-django-late": ("tournaments/desk/rules.py", "def f():\n    import django", "it must stay pure"),
    "seating-knows-penalties": ("seating/desk/views.py", "import penalties.models", "seating may not know penalties"),
    "penalties-know-seating": ("penalties/judges.py", "from seating.models import Draw", "penalties may not know seating"),
    "tournaments-know-config": ("tournaments/web/a.py", "from config.server import live", "tournaments may not know config"),
    "tournaments-know-seating": ("tournaments/tables/queries.py", "import seating", "tournaments may not know seating"),
    "queries-know-operations": (
        "seating/drafts/queries.py", "from seating.drafts import operations", "may not turn back to operations",
    ),
    "forms-know-views": ("tournaments/desk/forms.py", "from .views import b", "may not turn back to views"),
    "operations-know-foreign-views": (
        "seating/drafts/operations.py", "from tournaments.desk.views import b", "may not turn back to views",
    ),
    "models-know-the-record": ("tournaments/models/a.py", "from tournaments.record import news", "models may not know record"),
    "people-know-sessions": ("tournaments/people/queries.py", "from tournaments.sessions import queries", "people may not know sessions"),
    "tables-know-standings": (
        "tournaments/tables/operations.py", "def f():\n    from tournaments.standings import queries", "tables may not know standings",
    ),
    "the-desk-knows-public-pages": ("tournaments/desk/rules.py", "import tournaments.public.rules", "desk may not know public"),
    "a-wall-in-tournaments": ("tournaments/desk/views/b.py", "from tournaments.tables import forms", "it is no door of tables"),
    "a-wall-from-outside": ("seating/desk/views.py", "from tournaments.tables.forms import A", "it is no door of tables"),
    "no-room": ("tournaments/helpers.py", "", "tournaments.helpers has no room"),
    "no-room-elsewhere": ("penalties/helpers.py", "", "penalties.helpers has no room"),
}  # fmt: skip


@pytest.mark.parametrize(("path", "line", "sentence"), PLANTED.values(), ids=PLANTED)
def test_planted_crossing_is_found(small_tree, path, line, sentence):
    (small_tree / path).write_text(line + "\n")
    found = boundaries.crossings(boundaries.modules(small_tree))
    assert [each for each in found if sentence in each], found


def test_way_back_through_a_module_beside_the_line_is_found(small_tree):
    (small_tree / "tournaments/desk/beside.py").write_text("from tournaments.desk.views import b\n")
    (small_tree / "tournaments/desk/operations.py").write_text("from tournaments.desk import beside\n")
    assert boundaries.crossings(boundaries.modules(small_tree)) == [
        "tournaments.desk.operations → tournaments.desk.beside → tournaments.desk.views.b: operations may not turn back to views",
    ]


def test_a_circle_is_found_unless_one_part_of_it_waits_for_a_call(small_tree):
    (small_tree / "seating/drafts/one.py").write_text("from seating.drafts import two\n")
    (small_tree / "seating/drafts/two.py").write_text("def f():\n    from seating.drafts import one\n")
    assert boundaries.crossings(boundaries.modules(small_tree)) == []
    (small_tree / "seating/drafts/two.py").write_text("class A:\n    from seating.drafts import one\n")
    assert boundaries.crossings(boundaries.modules(small_tree)) == [
        "seating.drafts.one → seating.drafts.two → seating.drafts.one"
    ]


def test_lawful_imports_are_left_alone(small_tree):
    (small_tree / "tournaments/desk/views/b.py").write_text(
        "from django.shortcuts import render\nfrom tournaments import models\nfrom tournaments.tables import queries\n"
    )
    (small_tree / "penalties/appeals/rules.py").write_text(
        "from fractions import Fraction\nfrom scoring.words import p\nfrom tournaments.calendar import moved\n"
    )
    assert boundaries.crossings(boundaries.modules(small_tree)) == []


def test_every_exception_is_still_needed():
    known = boundaries.modules(settings.BASE_DIR)
    assert [each for each in boundaries.EXCEPTIONS if each[1] not in known[each[0]].imports] == []


@pytest.fixture
def small_tree(tmp_path: Path) -> Path:
    """A small tree of the same shape, where nothing is wrong."""
    folders = (
        "config/server", "scoring/systems", "tournaments/models", "tournaments/record", "tournaments/web", "tournaments/people",
        "tournaments/sessions", "tournaments/tables", "tournaments/standings", "tournaments/public", "tournaments/desk/views",
        "seating/rules", "seating/drafts", "seating/desk", "penalties/appeals",
    )  # fmt: skip
    for folder in folders:
        path = tmp_path / folder
        path.mkdir(parents=True, exist_ok=True)
        while path != tmp_path:
            (path / "__init__.py").touch()
            path = path.parent
    for file in (
        "config/server/live.py", "scoring/words.py", "tournaments/calendar.py", "tournaments/desk/views/b.py",
        "tournaments/record/news.py", "tournaments/tables/forms.py", "tournaments/tables/queries.py", "tournaments/public/rules.py",
        "tournaments/sessions/queries.py", "tournaments/standings/queries.py", "seating/models.py", "seating/desk/views.py",
        "seating/drafts/operations.py", "penalties/models.py", "penalties/judges.py",
    ):  # fmt: skip
        (tmp_path / file).touch()
    return tmp_path
