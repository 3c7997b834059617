"""What waits for somebody at the desk: one thing each, in words, with the press that answers it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from math import inf


class Urgency(IntEnum):
    """How much somebody is kept waiting."""

    NOW = 1
    SOON = 2
    LATER = 3


@dataclass(frozen=True)
class Remedy:
    """What to press: its words, the view it opens, and the capability that this takes; with fields to send it is a button."""

    text: str
    view: str
    args: tuple[object, ...]
    capability: str
    query: str = ""
    sends: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Need:
    """Something that waits for somebody: since when, or until when."""

    code: str
    urgency: Urgency
    sentence: str
    remedy: Remedy
    details: Mapping[str, object] = field(default_factory=dict)
    since: datetime | None = None
    until: datetime | None = None


def ranked(needs: Iterable[Need]) -> list[Need]:
    """Put the most urgent first; of equals what ends sooner, then what has waited longer."""
    return sorted(needs, key=_place)


def _place(need: Need) -> tuple[int, bool, float]:
    moment = need.until or need.since
    return need.urgency, need.until is None, moment.timestamp() if moment else inf
