"""Versions of stored values: what an earlier release wrote is brought to the newest version when it is read.

A value says its version in the field `version`; a value without one is of version 1. `STEPS[n - 1]` turns version n into
version n + 1: it is the only place where a field that version n does not have gets its value. Whoever adds a field to the
regulation adds a step here, a sample under `scoring/tests/samples`, and nothing anywhere else.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Json = Mapping[str, Any]
Step = Callable[[Json], Json]

FIELD = "version"
FIRST = 1


class NewerVersion(ValueError):
    """A stored value was written by a later release than this one."""


@dataclass(frozen=True)
class Versions:
    """The versions of one kind of value, and the step that leads from each to the next."""

    name: str
    steps: tuple[Step, ...] = ()

    @property
    def newest(self) -> int:
        """Return the version that this release writes."""
        return FIRST + len(self.steps)

    def read(self, stored: Json) -> dict[str, Any]:
        """Return a stored value in the newest version, without saying which; the stored one is left as it is."""
        value = {name: part for name, part in stored.items() if name != FIELD}
        return dict(self.upgraded(value, stored.get(FIELD, FIRST)))

    def upgraded(self, value: Json, version: int) -> Json:
        """Return a value of a version in the newest one."""
        if not FIRST <= version <= self.newest:
            raise NewerVersion(f"{self.name}: version {version} is not known, only {FIRST} to {self.newest}")
        for step in self.steps[version - FIRST :]:
            value = step(value)
        return value

    def stamped(self, value: Json) -> dict[str, Any]:
        """Return a value as it is stored, with the version that this release writes."""
        return {FIELD: self.newest, **value}


def _stages_by_themselves(regulation: Json) -> Json:
    """Version 2: stages are a field of the regulation; they stood among the settings of the system. [RULES 9.7]

    The copy of a session that came with a record may plan fewer sessions than its stages need: those are left out.
    """
    settings = {name: value for name, value in regulation["system_rules"].items() if name != "stages"}
    stages = regulation["system_rules"].get("stages", ())
    fitting = [stage for stage in stages if stage["from_session"] <= regulation["sessions"]]
    return {**regulation, "system_rules": settings, "stages": fitting}


REGULATION = Versions("regulation", (_stages_by_themselves,))
"""The regulation of a tournament, and the copy of it that a session is played by."""


def by_the_first_reading(facts: Json) -> Json:
    """Version 2: what was recorded before the second reading of the rulebooks is judged as it was then. [RULES 8.44]"""
    return {**facts, "first_reading": True}


FACTS = Versions("facts of a hand", (by_the_first_reading,))
"""What a hand was recorded as, docs/RECORD.md section 3."""
