"""Worked examples of every system are worth what they say, and every fan has one."""

import pytest

from scoring.calculator import Question
from scoring.presets import PRESETS
from scoring.systems import SYSTEMS

USUAL = {preset.system: preset for preset in reversed(PRESETS.values())}
EXAMPLES = [(code, one) for code, system in SYSTEMS.items() for one in system.examples]


@pytest.mark.parametrize(("system", "example"), EXAMPLES, ids=lambda part: getattr(part, "tiles", part))
def test_an_example_counts_what_it_says(system, example):
    """[RULES 1.1] [RULES 8.20]"""
    asked = Question(USUAL[system], example.tiles, example.how)
    hand, lacking = asked.hand()
    facts = SYSTEMS[system].tiles.facts(asked.explained(hand), example.how)
    assert lacking == 0
    assert facts.get("fan_list", facts.get("yaku")) == dict(example.fans)


@pytest.mark.parametrize("system", [code for code, system in SYSTEMS.items() if system.examples])
def test_every_fan_of_the_tiles_has_an_example(system):
    """[RULES 1.1]"""
    shown = {fan for one in SYSTEMS[system].examples for fan in one.fans}
    missing = set(SYSTEMS[system].tiles.fans) - shown
    assert missing <= LEFT_TO_CIRCUMSTANCE.get(system, set())


LEFT_TO_CIRCUMSTANCE = {
    "MCR": {"44", "45", "46", "47", "58", "60", "61", "81"},
    "RED": {"1"},
    "RIICHI": {"dora", "ura_dora"},
    "WMSG": {"kong"},
}
"""Fans that no printed hand shows: flowers, the way in which the last tile came, dora; WMSG has no kong of its own."""


def test_every_example_stands_under_a_clause_of_its_rulebook():
    """[RULES 1.1]"""
    assert {one.clause.split()[0] for code, one in EXAMPLES if one.clause.split()[0] != code} <= {"RULES"}
