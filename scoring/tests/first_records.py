"""Records as version 1 wrote them: stages are told after the method of the seating that they begin with."""

from typing import Any

LONGEST_METHOD = 100

Json = dict[str, Any]


def first_version(record: Json, computed: Json | None = None) -> Json:
    """Write a record of today in version 1; what it computed knows no stages, and is given where there are some."""
    declared = record["declared"]
    stages = {stage["from_session"]: stage for stage in declared["regulation"]["stages"]}
    return {
        **record,
        "version": 1,
        "declared": {
            **declared,
            "regulation": without_stages(declared["regulation"]),
            "sessions": [_session(one, stages.get(one["number"])) for one in declared["sessions"]],
        },
        "computed": record["computed"] if computed is None else computed,
    }


def without_stages(regulation: Json) -> Json:
    """Leave out the field that version 1 does not have."""
    return {name: value for name, value in regulation.items() if name != "stages"}


def method_with_stage(method: str, stage: Json) -> str:
    """Write a stage after a method, which is cut short where both are too long."""
    words = ["[stage", stage["carry"], *([str(stage["cut"])] if stage["cut"] else [])]
    mark = " ".join(words) + "]"
    before = method[: LONGEST_METHOD - len(mark) - 1]
    return f"{before} {mark}" if before else mark


def _session(session: Json, stage: Json | None) -> Json:
    if "regulation" in session:
        session = {**session, "regulation": without_stages(session["regulation"])}
    if stage is None:
        return session
    seating = session["seating"]
    return {**session, "seating": {**seating, "method": method_with_stage(seating.get("method", ""), stage)}}
