"""What an offence is, and how it is answered; the lists stand with their systems."""

from dataclasses import dataclass
from enum import StrEnum

from scoring.problems import gettext_noop


class Mode(StrEnum):
    """How an offence is answered."""

    LADDER = "ladder"
    FIXED = "fixed"
    DECISION = "decision"
    DEAD_HAND = "dead_hand"
    GRAVE = "grave"
    IN_HAND = "in_hand"


@dataclass(frozen=True)
class Offence:
    """One offence: its code in the record, its name for people, its clause, and how it is usually answered.

    `within` is the name as it stands within a sentence, for those that a regulation has a price for. `asks_price` where a warning
    would be too mild, so that whoever decides names the answer.
    """

    code: str
    name: str
    clause: str
    mode: Mode = Mode.DECISION
    to: str = ""
    within: str = ""
    asks_price: bool = False


def numbered(clause: str, mode: Mode, *named: tuple[str, ...]) -> tuple[Offence, ...]:
    """Number offences as the clause numbers them."""
    return tuple(
        Offence(code, name, f"{clause} ({number})", mode, within=within[0] if within else "")
        for number, (code, name, *within) in enumerate(named, start=1)
    )


OTHER = Offence("other", gettext_noop("Another offence"), "")
"""An offence that no list names: its clause and description are written by whoever decides. [INTEGRITY 117]"""
