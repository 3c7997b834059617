"""How the facts of a hand tell that it is dead: the mark put in, and taken out again."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Facts = dict[str, Any]
DEAD = "dead_hand"


def is_dead(facts: Mapping[str, Any], wind: str) -> bool:
    """Return whether the hand of a seat is marked as dead."""
    return any(_is_mark(event, wind) for event in facts["events"])


def with_mark(facts: Mapping[str, Any], wind: str, offence: str, *, state: str | None) -> Iterator[Facts]:
    """Yield a hand with the mark put at its end, then one place earlier each time.

    A dead hand does not count as waiting at an exhausted wall, but as `state`; a pig stays one. [RIICHI 3.4.7] [RULES 8.47]
    """
    event = {"type": DEAD, "seat": wind, "offence": offence}
    events = list(facts["events"])
    end = dict(facts.get("end", {}))
    if state and end.get(wind, {}).get("state") == "waiting":
        end[wind] = {"state": state}
    for at in range(len(events), -1, -1):
        changed = {**facts, "events": [*events[:at], event, *events[at:]]}
        yield {**changed, "end": end} if end else changed


def without_mark(versions: Sequence[Mapping[str, Any]], wind: str) -> Facts:
    """Return a hand without its mark; `versions` are the hand as it stands and those it replaced, the newest first.

    What the check of the seat had shown in the last one that was not dead is put back.
    """
    newest = versions[0]
    facts = {**newest, "events": [event for event in newest["events"] if not _is_mark(event, wind)]}
    before = next((one for one in versions if not is_dead(one, wind)), {})
    shown = before.get("end", {}).get(wind)
    if shown is None or wind not in facts.get("end", {}):
        return facts
    return {**facts, "end": {**facts["end"], wind: shown}}


def _is_mark(event: Mapping[str, Any], wind: str) -> bool:
    return (event["type"], event.get("seat")) == (DEAD, wind)
