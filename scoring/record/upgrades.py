"""Versions of the tournament record: a file of an earlier version is read as if it had been written today.

What is no record at all is left as it is; whoever reads it strictly says what is wrong with it.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from scoring.upgrades import Versions

Json = Mapping[str, Any]

MARK = re.compile(
    r"(?:(?P<method>.+) )?\[stage (?P<carry>full|half|none)(?: (?P<cut>[1-9][0-9]{0,8}))?\]", re.DOTALL
)
"""A stage as version 1 tells it, after the method of the seating that it begins with: `draw 2 [stage half 16]`."""


LAST = 1000
"""The last session with which a stage may begin."""


def _with_stages(declared: Json) -> Json:
    """Version 2: stages are a field of the regulation; they were told after the methods of seatings. [RULES 9.7]"""
    regulation, sessions = declared.get("regulation"), declared.get("sessions")
    if not isinstance(regulation, Mapping) or "stages" in regulation:
        return declared
    if not isinstance(sessions, list | tuple) or not all(isinstance(one, Mapping) for one in sessions):
        return {**declared, "regulation": {**regulation, "stages": []}}
    methods, stages = found_stages([_method(one) for one in sessions], regulation.get("sessions"))
    pairs = zip(sessions, methods, strict=True)
    upgraded = [_with_method(_with_own_stages(one, stages), method) for one, method in pairs]
    return {**declared, "regulation": {**regulation, "stages": stages}, "sessions": upgraded}


RECORD = Versions("record", (_with_stages,))
"""The file of a whole tournament; the steps turn what it declares."""


def version_of(declared: object) -> int:
    """Return the version of what is declared where no file says it: the first one knows no stages."""
    regulation = declared.get("regulation") if isinstance(declared, Mapping) else None
    return 1 if isinstance(regulation, Mapping) and "stages" not in regulation else RECORD.newest


def found_stages(methods: Sequence[str], sessions: object) -> tuple[list[str], list[dict[str, Any]]]:
    """Return the methods of all seatings without the stages that are told after them, and those stages.

    Stages that no tournament of so many sessions can have are none: what looks like them is part of a name.
    """
    marks = [MARK.fullmatch(method) for method in methods]
    stages = [_stage(number, mark) for number, mark in enumerate(marks, start=1) if mark]
    if not isinstance(sessions, int) or not _are_possible(stages, sessions):
        return list(methods), []
    plain = [(mark["method"] or "") if mark else method for mark, method in zip(marks, methods, strict=True)]
    return plain, stages


def _stage(number: int, mark: re.Match[str]) -> dict[str, Any]:
    cut = mark["cut"]
    return {"from_session": number, "carry": mark["carry"], "cut": int(cut) if cut else None}


def _are_possible(stages: Sequence[Json], sessions: int) -> bool:
    """Return whether stages follow the first session, within those planned, and ever fewer play on. [RULES 9.7]"""
    numbers = [stage["from_session"] for stage in stages]
    cuts = [stage["cut"] for stage in stages if stage["cut"] is not None]
    return all(1 < number <= min(sessions, LAST) for number in numbers) and all(
        more > less for more, less in pairwise(cuts)
    )


def _method(session: Json) -> str:
    """Return the method of a seating, empty where there is none."""
    seating = session.get("seating")
    method = seating.get("method") if isinstance(seating, Mapping) else None
    return method if isinstance(method, str) else ""


def _with_method(session: Json, method: str) -> Json:
    """Return a session with another method of seating; an empty one is not written."""
    if method == _method(session):
        return session
    others = {name: value for name, value in session["seating"].items() if name != "method"}
    return {**session, "seating": {**others, "method": method} if method else others}


def _with_own_stages(session: Json, stages: Sequence[Json]) -> Json:
    """Return a session whose copy of the regulation has no stage after the last session that it plans."""
    own = session.get("regulation")
    planned = own.get("sessions") if isinstance(own, Mapping) else None
    if not isinstance(own, Mapping) or not isinstance(planned, int):
        return session
    fitting = [stage for stage in stages if stage["from_session"] <= planned]
    return session if fitting == list(stages) else {**session, "regulation": {**own, "stages": fitting}}
