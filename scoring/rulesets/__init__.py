"""The systems: each knows its hands, payments, dealer and end of game, and is found here by its code."""

from collections.abc import Mapping
from importlib import import_module
from operator import attrgetter
from types import MappingProxyType

from scoring.problems import Problem, Refusal, gettext_noop
from scoring.rulesets.base import Ruleset

PLACES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "SBR": ("scoring.rulesets.sichuan.play", "from_rules"),
        "WMSG": ("scoring.rulesets.sichuan.play", "from_rules"),
        "MCR": ("scoring.rulesets.mcr.play", "Mcr.from_rules"),
        "SIAM": ("scoring.rulesets.siamese.play", "Siamese.from_rules"),
        "RED": ("scoring.rulesets.red.play", "Red.from_rules"),
        "RIICHI": ("scoring.rulesets.riichi.play", "Riichi.from_rules"),
    }
)
"""Where each system's ruleset is built from its settings; it is imported when first asked for."""


def ruleset(system: str, rules: Mapping[str, object]) -> Ruleset:
    """Give the ruleset of a system under its named settings (a regulation's `system_rules`). [RULES 1.1]"""
    if system not in PLACES:
        details = {"system": system, "systems": ", ".join(PLACES)}
        raise Refusal(Problem("system", UNKNOWN_SYSTEM, field="system", details=details))
    module, maker = PLACES[system]
    made: Ruleset = attrgetter(maker)(import_module(module))(system, of_hands(rules))
    return made


def of_hands(rules: Mapping[str, object]) -> dict[str, object]:
    """Leave the stages out of a regulation's settings, among which they stand: they say nothing of hands. [RULES 9.7]"""
    return {name: value for name, value in rules.items() if name != "stages"}


UNKNOWN_SYSTEM = gettext_noop("The system “%(system)s” is not known; these are: %(systems)s.")
