"""Between which bounds the edge of a goal lies in each finish, foretold from the few finishes that are looked at whole.

What is foretold is never believed: whoever uses the bounds compares the edge that is found with them.
"""

from bisect import bisect_left
from collections.abc import Sequence
from math import ceil, floor
from typing import NamedTuple

from scoring.standings.chances.lanes import Ruler

PASS, NEAR, WHOLE = 1.8, 400.0, 150.0
"""What it costs in a finish to compare one player, to look at one who is near the edge, and at one where the bounds are wrong: in ns."""
MOST_HALVINGS = 8
RARE = 200
"""One in so many finishes may lie outside the bounds: looking at those whole costs less than wide bounds for all."""
ENOUGH = 60
"""So many of the finishes looked at are enough to weigh costs by."""


class Bounds(NamedTuple):
    """Between how many steps above a guess the edge lies; less than nothing is below it."""

    least: int
    most: int


class Bracket(NamedTuple):
    """A guess; for each number of those above it, between which bounds around it the edge lies; and how often they are halved.

    Where nothing needs to be counted the bounds are the same for every number, and there is one.
    """

    guess: int
    bounds: Sequence[Bounds]
    halvings: int = 0


def bracket_of(
    ruler: Ruler, looked_at: Sequence[Sequence[float]], places: int, others: int, *, is_open: bool
) -> Bracket:
    """Choose what to count before looking, so that all of it costs least; each finish looked at is in ascending order.

    With `is_open` everybody above the edge is looked at, so the bound above is of no use and is not moved.
    """
    edges = [ruler.exact(ordered[-places]) for ordered in looked_at]
    guess = round(sum(edges) / len(edges))
    finishes = [
        _Finish(ordered, edge, bisect_left(ordered, ruler.total(guess)))
        for ordered, edge in zip(looked_at, edges, strict=True)
    ]
    plain = Bracket(guess, [_bounds([edge - guess for edge in edges])])
    counted = Bracket(guess, _by_count(ruler, finishes, guess, places))
    tried = [plain, *(counted._replace(halvings=more) for more in range(1 if is_open else MOST_HALVINGS))]
    return min(tried, key=lambda bracket: _cost(ruler, finishes[:ENOUGH], bracket, others, is_open=is_open))


class _Finish(NamedTuple):
    """A finish that is looked at whole: the totals in ascending order, the steps of the edge, and where the guess lies."""

    ordered: Sequence[float]
    edge: float
    at: int


def _bounds(off: Sequence[float]) -> Bounds:
    return Bounds(floor(min(off)), ceil(max(off)))


def _by_count(ruler: Ruler, finishes: Sequence[_Finish], guess: int, places: int) -> list[Bounds]:
    """Say for every number of those above the guess where the edge lies: so many places further up as there are too many."""
    players = len(finishes[0].ordered)
    seen = [players - one.at - places for one in finishes]
    known = {}
    for more in range(min(seen) - 2, max(seen) + 3):
        there = [one.ordered[one.at + more] for one in finishes if 0 <= one.at + more < players]
        if there:
            there.sort()
            rare = len(there) // RARE
            known[more] = _bounds([ruler.exact(there[rare]) - guess, ruler.exact(there[-1 - rare]) - guess])
    low, high = min(known), max(known)
    return [known[min(max(count - places, low), high)] for count in range(players + 1)]


def _cost(
    ruler: Ruler, finishes: Sequence[_Finish], bracket: Bracket, others: int, *, is_open: bool
) -> float:
    """Weigh what a finish costs: those compared, those near the edge, or all where the edge is elsewhere."""
    passes = bracket.halvings + (len(bracket.bounds) > 1)
    cost = 0.0
    for ordered, edge, at in finishes:
        which = len(ordered) - at if len(bracket.bounds) > 1 else 0
        low, high = (bracket.guess + one for one in bracket.bounds[which])
        is_wrong = edge < low or (edge > high and not is_open)
        for _ in range(bracket.halvings):
            middle = (low + high) // 2
            low, high = (middle, high) if edge >= middle else (low, middle)
        most = len(ordered) if is_open else bisect_left(ordered, ruler.total(high + ruler.rough))
        near = most - bisect_left(ordered, ruler.total(low - ruler.rough))
        cost += near * NEAR + is_wrong * others * WHOLE
    return passes * others * PASS + cost / len(finishes)
