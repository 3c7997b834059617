"""Logs of games as plain values. They are read in a child process, because anybody may upload one."""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.door import parse
from scoring.problems import Problem, Refusal, gettext_noop
from scoring.record.hands import write_hand
from scoring.systems import SYSTEMS
from scoring.systems.base import Remark

MOST_HANDS = 200
NO_HANDS = gettext_noop(
    "This is no game that can be read: neither a log of this system nor hands as a record has them."
)


def job(details: Mapping[str, Any], files: Sequence[bytes]) -> tuple[dict[str, Any], list[bytes]]:
    """Read hands as a record writes them, or the log of a program that the system knows. [RECORD 3] [RIICHI 3]"""
    raw = files[0]
    read, flaws = parse(raw) if raw.lstrip().startswith(b"{") else (None, [])
    if isinstance(read, dict) and "hands" in read:
        return {"hands": _hands(read["hands"], flaws)}, []
    replay = SYSTEMS[details["system"]].replay
    if replay is None:
        raise Refusal(Problem("log_form", NO_HANDS, "text"))
    found = replay(raw, details["rules"])
    told = {
        "hands": [_without_number(write_hand(hand)) for hand in found.hands],
        "names": list(found.names),
        "differences": [_as_json(line) for line in found.lines[:-1] if line.clause],
        "against": [_as_json(line) for line in found.against],
    }
    return told, []


def _hands(written: object, flaws: list[Problem]) -> list[Mapping[str, Any]]:
    is_list = isinstance(written, list) and 0 < len(written) <= MOST_HANDS
    if flaws or not is_list or not all(isinstance(hand, dict) for hand in written):  # type: ignore[attr-defined]
        raise Refusal(Problem("log_form", NO_HANDS, "text"))
    return [_without_number(hand) for hand in written]  # type: ignore[attr-defined]


def _without_number(hand: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in hand.items() if name != "number"}


def _as_json(line: Remark) -> list[Any]:
    return [line.sentence, line.clause, dict(line.details)]
