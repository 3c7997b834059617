"""Settings of a system that a regulation may change: how each is read, and how its value is told to people."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring import parsers
from scoring.parsers import Parser
from scoring.problems import gettext_noop

Sentence = tuple[str, Mapping[str, object]]
"""A sentence, English and marked for translation, with its details."""


@dataclass(frozen=True)
class Setting:
    """One setting: how its value is read from JSON, the sentences that tell it, and how a form offers it.

    A form asks for one of the `values`; where there are none, for a number in the `bounds`; where `rows` name
    something, for such a number for each of them, and the value leads from the numbers to the names; where `parts` name
    something, for any of them, and the value lists those that were chosen. `unsaid` is what a
    regulation means that does not say it, because it is older than the setting; without it every regulation says it.
    """

    read: Parser
    told: Callable[[Any], Iterable[Sentence]]
    label: str = ""
    values: tuple[Any, ...] = ()
    bounds: tuple[int, int] = (0, parsers.LARGEST)
    rows: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)
    unsaid: Any = None


def amount(label: str, sentence: str, least: int = 0, most: int = parsers.LARGEST) -> Setting:
    """Make a setting that is a number of points, told as `points` of the sentence."""
    return Setting(
        parsers.whole(least, most), lambda value: [(sentence, {"points": value})], label, bounds=(least, most)
    )


def one_of(sentences: Mapping[str, str], label: str = "", unsaid: str | None = None) -> Setting:
    """Make a setting that is one of some words, each told by a sentence of its own."""
    values = tuple(sentences)
    return Setting(
        parsers.choice(values), lambda value: [(sentences[value], {})], label, values, unsaid=unsaid
    )


def either(yes: str, no: str, label: str = "") -> Setting:
    """Make a setting that holds or does not."""
    return Setting(parsers.truth, lambda value: [(yes if value else no, {})], label, (True, False))


def any_of(parts: Mapping[str, str], some: str, none: str, label: str) -> Setting:
    """Make a setting that lists any of some parts; none of them is what is meant where nothing is said."""

    def told(value: Any) -> Iterable[Sentence]:
        return [(some, {"parts": tuple(parts[one] for one in value)})] if value else [(none, {})]

    read = parsers.several(parsers.choice(tuple(parts)), unique=True)
    return Setting(read, told, label, parts=parts, unsaid=())


def _minimum(points: int) -> Iterable[Sentence]:
    if points:
        return [(gettext_noop("A win needs %(points)s points without flowers."), {"points": points})]
    return [(gettext_noop("A win needs no minimum of points."), {})]


MINIMUM = Setting(parsers.natural, _minimum, gettext_noop("Points a win needs"))
"""What a hand must be worth to win, in several systems. [RULES 8.23]"""
