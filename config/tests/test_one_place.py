"""What depends on a system of play is asked of its object, and what is known of a person stands in one list.

Outside of its own folder no code names a system, and no module but `tournaments/person_fields.py` lists fields of a person.
"""

import ast
import re
from collections.abc import Iterator

import pytest
from django.conf import settings

from scoring.presets import PRESETS
from scoring.systems import SYSTEMS
from tournaments.person_fields import PERSON

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


OF_A_PERSON = {name for one in PERSON for name in (one.name, one.column)} - {"name", "number", "comment"}
"""The fields of the list, but for words that much else is called by, too."""
TOGETHER = 3
"""Two of them are a choice, such as what quotas count by; more are the list once again."""
MAY_LIST = {
    "tournaments/people/rules/pasted.py": "the columns of a pasted list without a header: as the page asks for them",
    "tournaments/api/answers.py": "what the API promises, with a type for each field in `shapes.py`",
    "scoring/record/form.py": "what the record promises, published with `scoring` alone",
    "seating/rules/plan.py": "what `seating.rules` calls labels, a library that knows no people",
    "seating/rules/fixed.py": "what each of these labels weighs",
    "config/rehearsal/operations.py": "invented people, of whom only this is known",
    "config/tools/demo/world.py": "invented people, of whom only this is known",
}
"""Modules that list fields all the same, and why; `test_person_fields.py` holds those that promise something against the list."""


def lists_of_fields(text: str) -> Iterator[set[str]]:
    """Find what names several fields of a person at once: in a collection, as keys, or as arguments of a call."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts) | ast.Dict(keys=parts):
                said = {part.value for part in parts if isinstance(part, ast.Constant)}
            case ast.Call(keywords=keywords):
                said = {keyword.arg for keyword in keywords}
            case _:
                continue
        if len(said & OF_A_PERSON) >= TOGETHER:
            yield said & OF_A_PERSON


def test_no_module_lists_the_fields_of_a_person_anew():
    named = {name for name, text in sources() if any(lists_of_fields(text))}
    assert named == set(MAY_LIST), "take them from tournaments/person_fields.py"


@pytest.mark.parametrize(
    "text",
    [
        'FACE = ("number", "name", "country", "city", "club")\n',
        'def f():\n    return {name for name in ["email", "phone", "club"]}\n',
        'LABELS = {"city": "City", "club": "Club", "team": "Team"}\n',
        "said(region=player.region, city=player.city, federation_ids={})\n",
    ],
)
def test_a_planted_list_of_fields_is_found(text):
    assert list(lists_of_fields(text))


@pytest.mark.parametrize("text", ['BY = ("country", "club")\n', 'ORDERS = ("number", "name", "comment")\n'])
def test_a_choice_of_fields_is_no_list(text):
    assert not list(lists_of_fields(text))
