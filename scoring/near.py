"""What a hand is near to while its tiles are still being told: the fans that one or two more tiles would bring.

Every way to complete the hand is valued by the engine, so that nothing is said that would not count.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

from scoring.calculator import FULL, MELD
from scoring.explanation import explain, read_text
from scoring.problems import Refusal
from scoring.systems import SYSTEMS
from scoring.systems.explained import Explanation, Term
from scoring.tiles.readings import (
    PUNGS,
    chaotic,
    is_regular,
    knitted_honors,
    knitted_straight,
    seven_pairs,
    thirteen_orphans,
)
from scoring.tiles.tile import JOKER, NUMBERS, counts, parse_compact, suit, write

FURTHEST = 2
"""Tiles that may be lacking: with three there are thousands of ways to complete a hand."""
VALUED = 12
"""Ways that are valued by the engine, so that the answer comes while a finger is still above the next tile."""
TOLD = 3


@dataclass(frozen=True)
class Way:
    """Tiles that complete the hand, the winning one last, and what it would then be worth."""

    tiles: tuple[str, ...]
    found: Explanation

    @property
    def sum(self) -> int:
        """Add up what the fans bring."""
        return sum(term.points for term in self.found.terms)


@dataclass(frozen=True)
class Near:
    """A fan that is not there yet, and the dearest way to it."""

    term: Term
    way: Way


@dataclass(frozen=True)
class Outlook:
    """Fans that every way to complete the hand brings, and the dearest of those that only some bring."""

    lacking: int
    sure: tuple[Term, ...] = ()
    near: tuple[Near, ...] = ()


def outlook(system: str, text: str, how: Mapping[str, object], rules: Mapping[str, object]) -> Outlook:
    """Look which fans a hand can have with the tiles that it lacks, won as `how` says; it is written as people type it. [RULES 1.1]"""
    hand = read_text(text, kong_kinds=SYSTEMS[system].tiles.says_kong_kinds)
    concealed, melds = [*hand["concealed"], hand["winning_tile"]], hand["melds"]
    lacking = FULL - MELD * len(melds) - len(concealed)
    if not 1 <= lacking <= FURTHEST:
        return Outlook(lacking)
    every = sorted(_completions(system, concealed, melds, rules, lacking), key=_many_suits(concealed, melds))
    valued = [_valued(system, concealed, melds, added, how, rules) for added in every[:VALUED]]
    ways = [way for way in valued if way is not None]
    if not ways:
        return Outlook(lacking)
    common = set.intersection(*({term.name for term in way.found.terms} for way in ways))
    nearest = tuple(_nearest(ways, common)) or _dearest(ways)
    told = {one.term.name for one in nearest}
    sure = [term for term in ways[0].found.terms if term.name in common - told]
    return Outlook(lacking, tuple(sure) if len(every) <= VALUED else (), nearest)


def _completions(
    system: str,
    concealed: Sequence[str],
    melds: Sequence[Mapping[str, Any]],
    rules: Mapping[str, object],
    lacking: int,
) -> Iterator[tuple[int, ...]]:
    """List the tiles that make a hand of any form; whether it is a win by its rules, the engine says."""
    kit = SYSTEMS[system].tiles.kit(rules)
    tiles = [NUMBERS[tile] for tile in concealed]
    declared = [NUMBERS[tile] for meld in melds for tile in meld["tiles"]]
    if JOKER in {*tiles, *declared}:
        return
    held, everything = counts(tiles), counts([*tiles, *declared])
    for added in combinations_with_replacement(sorted(kit.tiles - {JOKER}), lacking):
        for tile in added:
            held[tile] += 1
        fits = all(everything[tile] + added.count(tile) <= kit.copies for tile in added)
        if fits and _has_form(held, added[-1], len(melds)):
            yield added
        for tile in added:
            held[tile] -= 1


def _has_form(held: Sequence[int], last: int, declared: int) -> bool:
    """Return whether the tiles in hand make any of the forms that a system may know."""
    kinds = sum(map(bool, held))
    if is_regular(held) or (kinds > 8 and knitted_straight(held, PUNGS[:declared], last)):
        return True
    if declared or 7 < kinds < 13:
        return False
    if kinds > 13:
        return bool(knitted_honors(held) or chaotic(held))
    return bool(thirteen_orphans(held, last) or seven_pairs(held, last, identical_pairs=True))


def _many_suits(concealed: Sequence[str], melds: Sequence[Mapping[str, Any]]) -> Any:
    """Put hands of few suits first: they are the dearest in every rulebook."""
    held = {suit(NUMBERS[tile]) for tile in concealed}
    held |= {suit(NUMBERS[tile]) for meld in melds for tile in meld["tiles"]}
    return lambda added: len(held | {suit(tile) for tile in added})


def _valued(
    system: str,
    concealed: Sequence[str],
    melds: Sequence[Mapping[str, Any]],
    added: Sequence[int],
    how: Mapping[str, object],
    rules: Mapping[str, object],
) -> Way | None:
    """Value a way; one that is no win by the rules, or may not be declared, is none."""
    *others, last = (write(tile) for tile in added)
    hand = {"concealed": [*concealed, *others], "melds": list(melds), "winning_tile": last}
    try:
        found = explain(system, hand, how, rules)
    except Refusal:
        return None
    return None if found.reasons else Way((*others, last), found)


def _nearest(ways: Sequence[Way], common: set[str]) -> Iterator[Near]:
    """Take for each way its dearest fan that it does not share with all, or that its tiles complete; of the ways to one fan the dearest."""
    told: set[str] = set()
    for way in sorted(ways, key=lambda one: -one.sum):
        own = [term for term in way.found.terms if term.name not in common or _is_completed(term, way)]
        best = max(own, key=lambda term: term.points, default=None)
        if best is not None and any(best.made_of) and best.name not in told and len(told) < TOLD:
            told.add(best.name)
            yield Near(best, way)


def _is_completed(term: Term, way: Way) -> bool:
    """Return whether a fan that is less than the whole hand is made of a tile that was lacking."""
    made_of = parse_compact(" ".join(term.made_of).replace("+", " "))
    return len(made_of) < FULL and any(NUMBERS[tile] in made_of for tile in way.tiles)


def _dearest(ways: Sequence[Way]) -> tuple[Near, ...]:
    """Take the dearest way and its dearest fan, where all ways have the same."""
    way = max(ways, key=lambda one: one.sum)
    term = max(way.found.terms, key=lambda one: one.points, default=None)
    return (Near(term, way),) if term else ()
