"""Files, modules and functions that documents, docstrings, comments and scripts name exist."""

import pytest
from django.conf import settings

from config.tests.named_things import lost_members, lost_modules, lost_names, lost_paths, tracked

ROOT = settings.BASE_DIR
KNOWN = tracked(ROOT)


def texts(*endings):
    for name in KNOWN:
        if name.endswith(endings):
            yield name, (ROOT / name).read_text(encoding="utf-8")


def test_the_tree_is_read():
    assert {
        "README.md",
        ".ci/run",
        "Dockerfile",
        "docker-compose.yml",
        "docs/DESIGN.md",
        "bench/gate.py",
    } <= set(KNOWN)


def test_named_files_exist():
    assert [str(lost) for name, text in texts("") for lost in lost_paths(ROOT, name, text)] == []


def test_named_modules_exist():
    assert [str(lost) for name, text in texts("") for lost in lost_modules(ROOT, name, text)] == []


def test_functions_and_bare_names_of_the_documents_exist():
    pages = list(texts(".md"))
    assert [str(lost) for name, text in pages for lost in lost_members(ROOT, name, text)] == []
    assert [str(lost) for name, text in pages for lost in lost_names(ROOT, name, text, KNOWN)] == []


PLANTED = {
    "a-file-in-a-document": ("docs/A.md", "`operations/history.py` is the only writer.", lost_paths),
    "a-file-in-a-comment": ("config/a.py", "X = 1  # see config/cells.py\n", lost_paths),
    "a-file-in-a-docstring": ("scoring/a.py", '"""As docs/NOWHERE.md says."""\n', lost_paths),
    "a-file-in-a-script": (".ci/run", "python bench/nothing.py --gate", lost_paths),
    "a-module-in-a-script": (".ci/run", "python -m config.smoke", lost_modules),
    "a-module-in-a-string": ("tournaments/a.py", 'X = "tournaments.operations.history"\n', lost_modules),
    "a-module-in-a-test": (
        "config/tests/test_a.py",
        'X = "from tournaments.operations import registration"\n',
        lost_modules,
    ),
    "a-member-of-a-module": ("docs/A.md", "celery -A config.celery.workers", lost_modules),
    "a-function": ("docs/A.md", "`tournaments/record/history.py: remember` writes", lost_members),
}


@pytest.mark.parametrize(("name", "text", "lost"), PLANTED.values(), ids=PLANTED)
def test_a_planted_name_is_found(name, text, lost):
    assert len(list(lost(ROOT, name, text))) == 1


def test_a_planted_bare_name_is_found():
    assert len(list(lost_names(ROOT, "docs/A.md", "`nothing_like_it.py`", KNOWN))) == 1


LAWFUL = {
    "a-file": ("docs/A.md", "`tournaments/record/history.py: record` and [more](../README.md)", lost_paths),
    "a-file-beside": ("penalties/ladder/a.py", '"""See rules/ladder.py."""\n', lost_paths),
    "a-model": ("tournaments/a.py", 'X = "tournaments.Player"\n', lost_modules),
    "a-made-up-tree": ("config/tests/test_a.py", 'X = "scoring/a.py"\n', lost_paths),
    "a-host": ("docs/A.md", "https://tournaments.example.org/", lost_modules),
}


@pytest.mark.parametrize(("name", "text", "lost"), LAWFUL.values(), ids=LAWFUL)
def test_a_lawful_name_is_left_alone(name, text, lost):
    assert list(lost(ROOT, name, text)) == []
