"""A game that was played elsewhere, read from its file: the hands of a protocol, and what is to be known of them before."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoring.problems import Problem, gettext_noop
from tournaments.record.refusal import refuse, say
from tournaments.tables.rules.logs import NO_HANDS
from tournaments.web import sandbox

MOST_BYTES = 1024 * 1024
PACKED = b"\x1f\x8b"


@dataclass(frozen=True)
class Game:
    """A game as its file has it: who played, its hands as they are recorded, and the sentences that tell of differences.

    Where there is something `against` it, it cannot be a protocol here, and there are no hands.
    """

    hands: tuple[Mapping[str, Any], ...]
    names: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()
    against: tuple[str, ...] = ()


def unpacked(raw: bytes) -> bytes:
    """Unpack a file that is packed by gzip, one byte beyond the limit at most. [INTEGRITY 4]"""
    if not raw.startswith(PACKED):
        return raw
    try:
        return zlib.decompressobj(wbits=31).decompress(raw, MOST_BYTES + 1)
    except zlib.error:
        refuse("log_form", NO_HANDS, field="file")


def read_game(system: str, rules: Mapping[str, Any], raw: bytes) -> Game:
    """Read a game in a child process, under limits of time and memory. [INTEGRITY 5]"""
    if len(raw) > MOST_BYTES:
        refuse("log_form", TOO_LARGE, field="file")
    details = {"system": system, "rules": dict(rules)}
    found, _ = sandbox.run("tournaments.tables.rules.logs:job", [raw], field="text", details=details)
    return Game(
        tuple(found["hands"]),
        tuple(found.get("names", ())),
        tuple(_said(*line) for line in found.get("differences", ())),
        tuple(_said(*line) for line in found.get("against", ())),
    )


def _said(sentence: str, clause: str, details: Mapping[str, Any]) -> str:
    where = f" [{clause}]" if clause else ""
    return say(Problem("told", sentence, details=details)) + where


TOO_LARGE = gettext_noop("The file is too large; a game has at most 1 MB.")
