"""How a rule says no: what is wrong, by which clause, in which field, in which words."""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as default


def gettext_noop(sentence: str) -> str:
    """Mark a sentence for translation and leave it as it is."""
    return sentence


def pgettext_noop(context: str, sentence: str) -> str:
    """Mark a sentence for translation in one of its contexts and leave it as it is."""
    return sentence


@dataclass(frozen=True)
class Offer:
    """Facts that could stand in the place of refused ones, and their English names, each with how often it counts."""

    facts: Mapping[str, object]
    parts: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong. The sentence is English master text with %(name)s for details.

    `offers` are what could stand there instead, the nearest first.
    """

    code: str
    sentence: str
    field: str = ""
    clause: str = ""
    details: Mapping[str, object] = default(default_factory=dict)
    offers: tuple[Offer, ...] = ()

    def __str__(self) -> str:
        """Return the English sentence."""
        return self.sentence % self.details if self.details else self.sentence


class Refusal(ValueError):
    """Input that a rule refuses, with all its problems at once."""

    def __init__(self, *problems: Problem) -> None:
        """Keep the problems; there is at least one."""
        super().__init__("; ".join(str(problem) for problem in problems))
        self.problems = problems
