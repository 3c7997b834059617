"""The systems of play: each is one object that knows its hands, payments, words and papers, and is listed here."""

from collections.abc import Mapping
from types import MappingProxyType

from scoring.problems import Problem, Refusal, gettext_noop
from scoring.systems.base import Ruleset
from scoring.systems.mcr.system import MCR
from scoring.systems.red.system import RED
from scoring.systems.riichi.system import RIICHI
from scoring.systems.siamese.system import SIAMESE
from scoring.systems.sichuan.system import SBR, WMSG
from scoring.systems.system import System

_all: dict[str, System] = {one.code: one for one in (SBR, WMSG, MCR, SIAMESE, RED, RIICHI)}
SYSTEMS: Mapping[str, System] = MappingProxyType(_all)
"""Every system by its code, in the order in which people choose from them."""


def register(added: System) -> None:
    """Make a system known beside the shipped ones; to be called before the site starts, for forms and API list them then."""
    if added.code in _all:
        raise ValueError(f"There is a system {added.code} already.")
    _all[added.code] = added


def system(code: str) -> System:
    """Return a system by its code, or refuse a code that nobody knows. [RULES 1.1]"""
    if code not in SYSTEMS:
        details = {"system": code, "systems": ", ".join(SYSTEMS)}
        raise Refusal(Problem("system", UNKNOWN_SYSTEM, field="system", details=details))
    return SYSTEMS[code]


def ruleset(code: str, rules: Mapping[str, object]) -> Ruleset:
    """Return the ruleset of a system under its named settings (a regulation's `system_rules`). [RULES 1.1]"""
    return system(code).ruleset(code, rules)


UNKNOWN_SYSTEM = gettext_noop("The system “%(system)s” is not known; these are: %(systems)s.")
