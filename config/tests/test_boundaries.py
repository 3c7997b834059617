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
    "rules-know-django": ("penalties/rules/a.py", "from django.db import models", "it must stay pure"),
    "rules-know-models": ("seating/rules/a.py", "from seating import models", "it must stay pure"),
    "rules-know-django-late": ("tournaments/rules/a.py", "def f():\n    import django", "it must stay pure"),
    "seating-knows-penalties": ("seating/views.py", "import penalties.models", "seating may not know penalties"),
    "penalties-know-seating": ("penalties/a.py", "from seating.models import Draw", "penalties may not know seating"),
    "tournaments-know-config": ("tournaments/a.py", "from config import live", "tournaments may not know config"),
    "tournaments-know-seating": ("tournaments/tables/queries/state.py", "import seating", "tournaments may not know seating"),
    "models-know-views": ("tournaments/models/a.py", "from tournaments.views import b", "may not turn back to views"),
    "queries-know-operations": ("seating/drafts/queries.py", "from seating import operations", "may not turn back to operations"),
    "forms-know-views": ("tournaments/desk/forms/event.py", "from .views import b", "may not turn back to views"),
    "a-room's-rules-know-django": ("tournaments/room/rules.py", "from django.db import models", "it must stay pure"),
    "a-room's-queries-know-operations": (
        "tournaments/room/queries.py", "from tournaments.operations import b", "may not turn back to operations",
    ),
    "operations-know-foreign-views": (
        "seating/drafts/operations.py", "from tournaments.views import b", "may not turn back to views",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("path", "line", "sentence"), PLANTED.values(), ids=PLANTED)
def test_planted_crossing_is_found(small_tree, path, line, sentence):
    (small_tree / path).write_text(line + "\n")
    found = boundaries.crossings(boundaries.modules(small_tree))
    assert [each for each in found if sentence in each], found


def test_way_back_through_a_module_beside_the_line_is_found(small_tree):
    (small_tree / "tournaments/web/access.py").write_text("from tournaments.views import b\n")
    (small_tree / "tournaments/operations/a.py").write_text("from tournaments import access\n")
    assert boundaries.crossings(boundaries.modules(small_tree)) == [
        "tournaments.operations.a → tournaments.web.access → tournaments.views.b: operations may not turn back to views",
    ]


def test_lawful_imports_are_left_alone(small_tree):
    (small_tree / "tournaments/views/b.py").write_text(
        "from django.shortcuts import render\nfrom tournaments import models, operations\nfrom scoring import words\n"
    )
    (small_tree / "penalties/rules/a.py").write_text(
        "from fractions import Fraction\nfrom scoring.words import p\n"
    )
    assert boundaries.crossings(boundaries.modules(small_tree)) == []


@pytest.fixture
def small_tree(tmp_path: Path) -> Path:
    """A small tree of the same shape, where nothing is wrong."""
    folders = (
        "config", "scoring/systems", "scoring/standings", "tournaments/models", "tournaments/views", "tournaments/operations",
        "tournaments/rules", "tournaments/room", "tournaments/tests", "seating/rules", "penalties/rules",
    )  # fmt: skip
    for folder in folders:
        path = tmp_path / folder
        path.mkdir(parents=True)
        while path != tmp_path:
            (path / "__init__.py").touch()
            path = path.parent
    for file in ("config/server/live.py", "scoring/words.py", "tournaments/views/b.py", "seating/models.py",
                 "seating/drafts/operations.py", "penalties/models.py"):  # fmt: skip
        (tmp_path / file).touch()
    return tmp_path
