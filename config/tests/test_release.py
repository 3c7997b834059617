"""What a release promises about itself: one number, one licence, and an arithmetic that needs nothing else."""

import re
import tomllib
from importlib import import_module

from django.conf import settings

ROOT = settings.BASE_DIR
SITE = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SCORING = tomllib.loads((ROOT / "scoring/pyproject.toml").read_text(encoding="utf-8"))


def test_site_and_arithmetic_have_one_version_which_the_changelog_tells():
    newest = re.search(
        r"^## (\d+\.\d+\.\d+)\b", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert newest
    assert SITE["project"]["version"] == SCORING["project"]["version"] == newest[1]


def test_every_release_that_asks_something_of_operators_has_a_section():
    series = SITE["project"]["version"].rpartition(".")[0]
    assert f"\n## To {series}\n" in (ROOT / "docs/UPGRADING.md").read_text(encoding="utf-8")


def test_the_arithmetic_needs_nothing_and_carries_the_licence():
    assert SCORING["project"]["dependencies"] == []
    assert SCORING["project"]["license"] == SITE["project"]["license"] == "MIT"
    assert SCORING["project"]["requires-python"] == SITE["project"]["requires-python"]
    assert (ROOT / "scoring/LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_the_example_of_its_readme_says_what_is_written_there(capsys):
    text = (ROOT / "scoring/README.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(program, {})
    told = [line.strip() for line in text.partition("$ python -m scoring")[2].splitlines()[1:7]]
    assert [line.strip() for line in capsys.readouterr().out.splitlines()] == told


def test_the_packages_that_its_readme_names_can_be_imported():
    names = re.findall(r"`(scoring\.\w+)`", (ROOT / "scoring/README.md").read_text(encoding="utf-8"))
    assert names
    assert all(import_module(name) for name in names)


def test_the_readme_is_short_enough_to_be_read():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 170
