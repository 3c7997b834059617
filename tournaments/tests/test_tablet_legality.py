"""Which hands cannot be is known on the tablet as on the server: the same codes, fields, sentences and clauses, in the same order."""

from collections import Counter
from typing import Any

import pytest
from django.utils import translation

from scoring.systems import SYSTEMS
from tournaments.tests import node
from tournaments.tests.random_entries import TABLES, entries, known

pytestmark = pytest.mark.node

DEVICE = """
import { readFileSync } from "node:fs";
import { load } from "./device.mjs";
const { problemsOf } = await load("tablet/systems/index.js");
const { known, entries } = JSON.parse(readFileSync(0, "utf8"));
const found = entries.map(({ table, system, rules, facts, at }) => problemsOf(system, rules, known[table], facts, at));
console.log(JSON.stringify(found));
"""
NUMBER = 600


def found_by_tablet(made: list[dict[str, Any]], language: str = "en") -> Any:
    """Return what the tablet's script says of the entries."""
    return node.answers(DEVICE, {"known": known(made, language), "entries": made})


@pytest.mark.parametrize("system", sorted(SYSTEMS))
@pytest.mark.parametrize("language", ["en", "ru"])
def test_tablet_and_server_refuse_the_same_hands_in_the_same_words(system: str, language: str) -> None:
    with translation.override(language):
        made = list(entries(system, NUMBER, language))
    assert len({one["table"] for one in made}) == len(TABLES[system])
    told = [one["problems"] for one in made]
    assert found_by_tablet(made, language) == told
    is_refused = Counter(bool(problems) for problems in told)
    assert min(is_refused[True], is_refused[False]) > NUMBER / 10, "right hands and wrong ones both"


def test_without_what_the_engine_told_nothing_is_refused() -> None:
    made = [one for one in entries("RED", 100) if one["problems"]][:5]
    told = {"known": {one["table"]: None for one in made}, "entries": made}
    assert node.answers(DEVICE, told) == [[]] * 5
