"""Settings of a system that a regulation may change: how each is read, and how its value is told to people."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scoring import parsers
from scoring.parsers import Parser
from scoring.problems import gettext_noop

Sentence = tuple[str, Mapping[str, object]]
"""A sentence, English and marked for translation, with its details."""


@dataclass(frozen=True)
class Setting:
    """One setting: how its value is read from JSON, and the sentences that tell it."""

    read: Parser
    told: Callable[[Any], Iterable[Sentence]]


def amount(read: Parser, sentence: str) -> Setting:
    """Make a setting that is a number of points, told as `points` of the sentence."""
    return Setting(read, lambda value: [(sentence, {"points": value})])


def one_of(sentences: Mapping[str, str]) -> Setting:
    """Make a setting that is one of some words, each told by a sentence of its own."""
    return Setting(parsers.choice(tuple(sentences)), lambda value: [(sentences[value], {})])


def either(yes: str, no: str) -> Setting:
    """Make a setting that holds or does not."""
    return Setting(parsers.truth, lambda value: [(yes if value else no, {})])


def _minimum(points: int) -> Iterable[Sentence]:
    if points:
        return [(gettext_noop("A win needs %(points)s points without flowers."), {"points": points})]
    return [(gettext_noop("A win needs no minimum of points."), {})]


MINIMUM = Setting(parsers.natural, _minimum)
"""What a hand must be worth to win, in several systems. [RULES 8.23]"""
