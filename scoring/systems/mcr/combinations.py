"""Which groups of chows or pungs are counted side by side: the choice worth most among all that the principles allow."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from scoring.systems.mcr.fans import FANS, Chapter, of_chapter

Group = tuple[int, int]
"""The number of a fan and the sets it is made of, as bits."""

NO_IDENTITY = "MCR scoring 1e3"
ACCOUNT_ONCE = "MCR scoring 1e5"
NO_REPEAT = "MCR scoring 1e1"

CHOW_FANS = of_chapter(Chapter.CHOW_GROUPS)
PUNG_FANS = of_chapter(Chapter.PUNG_GROUPS)


@lru_cache(maxsize=1 << 15)
def best_chow_groups(chows: tuple[int, ...]) -> tuple[Group, ...]:
    """Choose among the groups that these chows make. [MCR scoring 1e4]"""
    return choose(groups_of_chows(chows))


@lru_cache(maxsize=1 << 15)
def best_pung_groups(pungs: tuple[int, ...]) -> tuple[Group, ...]:
    """Choose among the groups that these pungs make. [MCR scoring 1e4]"""
    return choose(groups_of_pungs(pungs))


def equal_choices(groups: Sequence[Group]) -> list[tuple[Group, ...]]:
    """List every allowed choice that is worth as much as the best one. [MCR scoring 1e4]"""
    allowed = list(choices(groups))
    most = max(map(worth, allowed))
    return [chosen for chosen in allowed if worth(chosen) == most]


def groups_of_chows(chows: tuple[int, ...]) -> list[Group]:
    """List every group of chows that makes a fan."""
    return [(number, group) for number, finds in CHOW_FANS for group in finds(chows)]


def groups_of_pungs(pungs: tuple[int, ...]) -> list[Group]:
    """List every group of pungs that makes a fan."""
    return [(number, group) for number, finds in PUNG_FANS for group in finds(pungs)]


def choose(groups: Sequence[Group]) -> tuple[Group, ...]:
    """Return the allowed choice worth most; among equals the one whose fans have the lowest numbers. [MCR scoring 1e4]"""
    ranked = sorted(groups, key=lambda group: (-FANS[group[0]].value, group))
    return min(choices(ranked), key=lambda chosen: (-worth(chosen), [number for number, _ in chosen]))


def choices(groups: Sequence[Group]) -> Iterator[tuple[Group, ...]]:
    """List every choice that the principles allow, the empty one too."""
    if not groups:
        yield ()
        return
    first, rest = groups[0], groups[1:]
    for chosen in choices(rest):
        yield chosen
        if why_not(first, chosen) is None:
            yield (first, *chosen)


def worth(groups: Sequence[Group]) -> int:
    """Add the values of the groups."""
    return sum(FANS[number].value for number, _ in groups)


def why_not(group: Group, chosen: Sequence[Group]) -> str | None:
    """Name the principle by which a group cannot join those chosen, if there is one.

    A set that made a fan makes no second one of the same name, and what lies within a counted group is contained in it.
    [MCR scoring 1e1] [MCR scoring 1e3] [MCR scoring 1e5]
    """
    number, sets = group
    if any(number == other and sets & taken for other, taken in chosen):
        return NO_IDENTITY
    if any(sets | taken == taken for _, taken in chosen):
        return NO_REPEAT
    return None if are_joined_once([taken for _, taken in chosen] + [sets]) else ACCOUNT_ONCE


class Obstacle(NamedTuple):
    """Why a group is not counted: the clause, the chosen groups that stand against it, and the set they share with it."""

    clause: str
    groups: tuple[Group, ...]
    shared: int = 0


def obstacle(group: Group, chosen: Sequence[Group]) -> Obstacle:
    """Return which of the chosen groups keep a group out, and by which clause.

    What lies within a counted group is contained in it, unless the fan of that group has a clause of its own for it.
    [MCR scoring 1e1] [MCR scoring 1e3] [MCR scoring 1e5] [RULES 8.19]
    """
    number, sets = group
    for one in chosen:
        if sets | one[1] == one[1]:
            return Obstacle(FANS[one[0]].excludes.get(number, NO_REPEAT), (one,))
    for one in chosen:
        if one[0] == number and one[1] & sets:
            return Obstacle(NO_IDENTITY, (one,), one[1] & sets)
    return Obstacle(ACCOUNT_ONCE, _ring(sets, chosen))


def _ring(sets: int, chosen: Sequence[Group]) -> tuple[Group, ...]:
    """Find the fewest chosen groups that join the sets of a group already. [MCR scoring 1e5]"""
    return next(
        some
        for size in range(1, len(chosen) + 1)
        for some in combinations(chosen, size)
        if not are_joined_once([*(taken for _, taken in some), sets])
    )


def are_joined_once(groups: Sequence[int]) -> bool:
    """Return whether no set is joined to the others in more than one way: the groups make no ring. [MCR scoring 1e5]

    A set that is not used yet may be joined to used ones once. So groups grow like a tree: each adds to what it touches
    all of its sets but one.
    """
    islands: list[int] = []
    for group in groups:
        touched = [island for island in islands if island & group]
        if any((island & group).bit_count() > 1 for island in touched):
            return False
        islands = [island for island in islands if not island & group]
        islands.append(group | sum(touched))
    return True
