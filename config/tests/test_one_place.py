"""What depends on a system of play is asked of its object: outside of its own folder no code names a system."""

import ast
import re
from collections.abc import Iterator

import pytest
from django.conf import settings

from scoring.presets import PRESETS
from scoring.systems import SYSTEMS

ROOT = settings.BASE_DIR
PACKAGES = ("config", "penalties", "scoring", "seating", "tournaments")
CODES = frozenset({*SYSTEMS, *PRESETS})
HOME = re.compile(r"scoring\.systems\.(?!base|explained|legality|offences|settings|system\b)\w+")
IN_SCRIPTS = re.compile(rf"""["'`]({"|".join(SYSTEMS)})["'`]|[{{,]\s*({"|".join(SYSTEMS)}):""")
IN_TEMPLATES = re.compile(rf"""["']({"|".join(sorted(CODES))})["']""")

MAY_NAME = {
    "scoring/systems/__init__.py": "the list of the systems",
    "scoring/presets.py": "the shipped regulations, each of a system",
    "scoring/__main__.py": "a hand typed at a shell is valued by MCR unless told otherwise",
    "config/tools/demo/series.py": "the events that the demo shows, each of a shipped regulation",
}
"""Outside of the systems' own folders, and why."""


def names_of_systems(text: str) -> Iterator[str]:
    """Find the systems that a module names: by a code as a text, or by importing from the folder of one."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(value)) if value in CODES:
                yield value
            case ast.ImportFrom(module=str(module)) if HOME.match(module):
                yield module
            case ast.Import(names=names):
                yield from (alias.name for alias in names if HOME.match(alias.name))


def sources() -> Iterator[tuple[str, str]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not {"tests", "migrations"} & set(path.parts):
                yield name, path.read_text(encoding="utf-8")


def test_no_module_outside_its_folder_names_a_system():
    named = {name for name, text in sources() if any(names_of_systems(text))}
    own = {name for name in named if re.match(r"scoring/systems/\w+/", name)}
    assert own
    assert named - own == set(MAY_NAME)


def test_no_script_outside_its_file_names_a_system():
    scripts = {
        path
        for path in (ROOT / "static/js").rglob("*.js")
        if IN_SCRIPTS.search(path.read_text(encoding="utf-8"))
    }
    home = ROOT / "static/js/tablet/systems"
    assert {path.parent for path in scripts} == {home}
    assert not scripts & {home / name for name in ("index.js", "account.js", "words.js")}


def test_every_system_has_its_file_for_the_tablet():
    told = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "static/js/tablet/systems").glob("*.js")
    )
    codes = re.findall(r"codes: \[([^\]]*)\]", told)
    assert {code for row in codes for code in re.findall(r'"(\w+)"', row)} == set(SYSTEMS)


def test_no_template_names_a_system():
    named = [
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "templates").rglob("*.html"))
        if IN_TEMPLATES.search(path.read_text(encoding="utf-8"))
    ]
    assert named == []


@pytest.mark.parametrize(
    "text",
    [
        'if system == "MCR":\n    pass\n',
        'TABLE = {"RIICHI": 1}\n',
        'initial = "sbr"\n',
        "from scoring.systems.riichi.limits import TITLES\n",
        "import scoring.systems.red.fans\n",
    ],
)
def test_a_planted_name_is_found(text):
    assert list(names_of_systems(text))


@pytest.mark.parametrize("text", ['state.system === "MCR"', "const OWN = { SBR: [], RIICHI: [] };"])
def test_a_name_planted_in_a_script_is_found(text):
    assert IN_SCRIPTS.search(text)


def test_parts_that_all_systems_share_may_be_imported():
    assert (
        list(
            names_of_systems(
                "from scoring.systems.base import Ruleset\nfrom scoring.systems import SYSTEMS\n"
            )
        )
        == []
    )
