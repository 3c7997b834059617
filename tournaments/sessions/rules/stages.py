"""Stages in a record of version 1, which has no field for them: they are told with the seating they begin with."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

MARK = re.compile(
    r"(?:(?P<method>.+) )?\[stage (?P<carry>full|half|none)(?: (?P<cut>[1-9][0-9]{0,8}))?\]", re.DOTALL
)
LONGEST_METHOD = 100

Json = Mapping[str, Any]


def told(method: str, stage: Json | None) -> str:
    """Say after the method of a seating which stage begins with it: `draw 2 [stage half 16]`. [RULES 9.7] [RECORD 2]"""
    if stage is None:
        return method
    mark = " ".join(["[stage", stage["carry"], *([str(stage["cut"])] if stage["cut"] else [])]) + "]"
    before = method[: LONGEST_METHOD - len(mark) - 1]
    return f"{before} {mark}" if before else mark


def heard(methods: Sequence[str], sessions: int) -> tuple[list[str], list[dict[str, Any]]]:
    """Read the stages out of the methods of all seatings, and give the methods without them.

    Stages that no tournament of so many sessions can have are none: what looks like them is somebody's name.
    """
    found = [MARK.fullmatch(method) for method in methods]
    stages = [_stage(number, mark) for number, mark in enumerate(found, start=1) if mark]
    if not _fit(stages, sessions):
        return list(methods), []
    plain = [(mark["method"] or "") if mark else method for mark, method in zip(found, methods, strict=True)]
    return plain, stages


def _stage(number: int, mark: re.Match[str]) -> dict[str, Any]:
    cut = mark["cut"]
    return {"from_session": number, "carry": mark["carry"], "cut": int(cut) if cut else None}


def _fit(stages: Sequence[Json], sessions: int) -> bool:
    """Tell whether stages follow the first session, within those planned, and ever fewer play on. [RULES 9.7]"""
    numbers = [stage["from_session"] for stage in stages]
    cuts = [stage["cut"] for stage in stages if stage["cut"] is not None]
    return all(1 < number <= sessions for number in numbers) and all(
        more > less for more, less in pairwise(cuts)
    )


def without_stages(regulation: Json) -> dict[str, Any]:
    """Return a regulation as records have it, where no system knows stages."""
    rules = {name: value for name, value in regulation["system_rules"].items() if name != "stages"}
    return {**regulation, "system_rules": rules}


def with_stages(regulation: Json, stages: Iterable[Json]) -> dict[str, Any]:
    """Return a regulation with its stages among the settings, where there are some. [RULES 9.7]"""
    stages = list(stages)
    rules = {**regulation["system_rules"], **({"stages": stages} if stages else {})}
    return {**regulation, "system_rules": rules}


def beginning_with(regulation: Json, session: int) -> Json | None:
    """Find the stage that begins with a session."""
    stages: Iterable[Json] = regulation["system_rules"].get("stages", ())
    return next((stage for stage in stages if stage["from_session"] == session), None)


def last_beginning(regulation: Json) -> int:
    """Return the session with which the last stage begins, 0 without stages."""
    return max((stage["from_session"] for stage in regulation["system_rules"].get("stages", ())), default=0)
