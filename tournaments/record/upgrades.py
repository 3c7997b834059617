"""Versions of history entries: what an entry of an earlier release says, in the words of this one.

The stored text stays as it is, for the digests of the chain are taken over it; only what is read from it is upgraded. An
entry has one version, and so have the regulation, the changes and the facts that it holds: whenever one of those gets a
new version, history entries get one too.
"""

from collections.abc import Mapping
from typing import Any

from scoring.upgrades import REGULATION, Versions, by_the_first_reading

Json = Mapping[str, Any]


def _with_stages(content: Json) -> Json:
    """Version 2: a regulation has its stages by themselves, and so has what was changed in it. [RULES 9.7]"""
    data = content.get("data", {})
    if data.get("regulation"):
        regulation = REGULATION.steps[0](data["regulation"])
        return {**content, "data": {**data, "regulation": regulation}}
    if "system_rules" in data.get("changes", {}):
        return {**content, "data": {**data, "changes": _changes_with_stages(data["changes"])}}
    return content


def _changes_with_stages(changes: Json) -> Json:
    """Tell a change of the settings in which stages stood as what it was: of the settings, of the stages or of both."""
    rules = changes["system_rules"]
    settings = [{name: value for name, value in one.items() if name != "stages"} for one in rules]
    stages = [one.get("stages", []) for one in rules]
    upgraded = {name: change for name, change in changes.items() if name != "system_rules"}
    for name, (before, after) in (("system_rules", settings), ("stages", stages)):
        if before != after:
            upgraded[name] = [before, after]
    return upgraded


def _by_the_first_reading(content: Json) -> Json:
    """Version 3: a hand that was recorded before the second reading of the rulebooks is judged as it was then. [RULES 8.44]"""
    data = content.get("data", {})
    if "facts" not in data:
        return content
    return {**content, "data": {**data, "facts": by_the_first_reading(data["facts"])}}


HISTORY = Versions("history entry", (_with_stages, _by_the_first_reading))
"""What a history entry says."""
