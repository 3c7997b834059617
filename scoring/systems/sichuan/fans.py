"""The fans of Sichuan: a function for each, and the table of their names, values and clauses.

A fan's function finds the tiles that earn it: one tuple for each time it counts, an empty tuple where it is how the
tile came that earns it, and nothing where it does not apply. Every fan combines with every other. [SBR 2.7.3.6]
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from scoring.problems import gettext_noop
from scoring.systems.sichuan.law import Law
from scoring.tiles.readings import Form, Reading, SetKind
from scoring.tiles.tile import suit

Found = tuple[tuple[int, ...], ...]
ONCE: Found = ((),)
NEVER: Found = ()


@dataclass(frozen=True)
class Circumstances:
    """How the winning tile came."""

    replacement_win: bool = False
    discard_after_kong: bool = False
    robbing_kong: bool = False
    last_tile: bool = False


class Held(NamedTuple):
    """A winning hand read in one way: all its tiles in order, the tiles of its declared kongs, and how the last tile came."""

    reading: Reading
    tiles: tuple[int, ...]
    kongs: frozenset[int]
    delayed_kongs: frozenset[int]
    declared_sets: int
    came: Circumstances
    law: Law


def kong(held: Held) -> Found:
    """Count 1 fan for each declared kong that was not delayed. [SBR 2.7.3.6 (1)]

    In WMSG such a kong is a four of a kind. [WMSG 10.1]
    """
    if held.law.kongs_count_as_quads:
        return NEVER
    return tuple((tile,) * 4 for tile in sorted(held.kongs - held.delayed_kongs))


def quad(held: Held) -> Found:
    """Count 1 fan for each four equal tiles not in a kong, also when three are a declared pung.

    A delayed kong counts here. In WMSG so does every kong. [SBR 2.7.3.6 (2)] [SBR App. 1] [WMSG 10.1] [RULES 8.10]
    """
    in_kongs = NEVER if held.law.kongs_count_as_quads else held.kongs - held.delayed_kongs
    fours = sorted(tile for tile in set(held.tiles) if held.tiles.count(tile) >= 4 and tile not in in_kongs)
    return tuple((tile,) * 4 for tile in fours)


def all_pungs(held: Held) -> Found:
    """Count 1 fan when the four sets are pungs or kongs. [SBR 2.7.3.6 (3)] [WMSG 10.2]"""
    sets = held.reading.sets
    no_chow = all(formed.kind in (SetKind.PUNG, SetKind.KONG) for formed in sets)
    return (tuple(tile for formed in sets for tile in formed.tiles),) if no_chow else NEVER


def golden_wait(held: Held) -> Found:
    """Count 1 fan when all four sets were declared and one tile was left in hand. [SBR 2.7.3.6 (4)] [WMSG 10.3]"""
    pair = held.reading.pair
    return ((pair, pair),) if held.declared_sets == 4 and pair is not None else NEVER


def pure_suit(held: Held) -> Found:
    """Count 2 fans when all tiles are of one suit. [SBR 2.7.3.6 (5)] [WMSG 10.4]"""
    return (held.tiles,) if suit(held.tiles[0]) == suit(held.tiles[-1]) else NEVER


def seven_pairs(held: Held) -> Found:
    """Count 2 fans for seven pairs, four equal tiles being two. [SBR 2.7.3.6 (6)] [WMSG 10.5] [RULES 8.8]"""
    return (held.tiles,) if held.reading.form is Form.SEVEN_PAIRS else NEVER


def replacement_win(held: Held) -> Found:
    """Count 1 fan for a win on the replacement tile of a kong. [SBR 2.7.3.6 (7)] [WMSG 10.6] [RULES 8.8]"""
    return ONCE if held.came.replacement_win else NEVER


def discard_after_kong(held: Held) -> Found:
    """Count 1 fan for a win on a discard that follows a kong. [SBR 2.7.3.6 (8)] [WMSG 10.7]"""
    return ONCE if held.came.discard_after_kong else NEVER


def robbing_kong(held: Held) -> Found:
    """Count 1 fan for a win on the tile of another's added kong. [SBR 2.7.3.6 (9)] [WMSG 10.8] [RULES 8.14]"""
    return ONCE if held.came.robbing_kong else NEVER


def last_tile(held: Held) -> Found:
    """Count 1 fan for a win by draw or discard when the wall is empty. [SBR 2.7.3.6 (10)] [WMSG 10.9]"""
    return ONCE if held.came.last_tile else NEVER


@dataclass(frozen=True)
class Fan:
    """One row of the fan table."""

    name: str
    title: str
    fans: int
    find: Callable[[Held], Found]
    sbr: str
    wmsg: str
    most: int = 1

    def clause(self, law: Law) -> str:
        """Return the clause of the edition."""
        return self.sbr if law.system == "SBR" else self.wmsg


FANS: tuple[Fan, ...] = (
    Fan("kong", gettext_noop("Kong"), 1, kong, "SBR 2.7.3.6 (1)", "WMSG 10.1", most=4),
    Fan("quad", gettext_noop("Four of a kind"), 1, quad, "SBR 2.7.3.6 (2)", "WMSG 10.1", most=4),
    Fan("all_pungs", gettext_noop("All pungs"), 1, all_pungs, "SBR 2.7.3.6 (3)", "WMSG 10.2"),
    Fan("golden_wait", gettext_noop("Golden wait"), 1, golden_wait, "SBR 2.7.3.6 (4)", "WMSG 10.3"),
    Fan("pure_suit", gettext_noop("Full flush"), 2, pure_suit, "SBR 2.7.3.6 (5)", "WMSG 10.4"),
    Fan("seven_pairs", gettext_noop("Seven pairs"), 2, seven_pairs, "SBR 2.7.3.6 (6)", "WMSG 10.5"),
    Fan(
        "replacement_win",
        gettext_noop("Win on a replacement tile"),
        1,
        replacement_win,
        "SBR 2.7.3.6 (7)",
        "WMSG 10.6",
    ),
    Fan(
        "discard_after_kong",
        gettext_noop("Discard after a kong"),
        1,
        discard_after_kong,
        "SBR 2.7.3.6 (8)",
        "WMSG 10.7",
    ),
    Fan("robbing_kong", gettext_noop("Robbing a kong"), 1, robbing_kong, "SBR 2.7.3.6 (9)", "WMSG 10.8"),
    Fan("last_tile", gettext_noop("Last tile"), 1, last_tile, "SBR 2.7.3.6 (10)", "WMSG 10.9"),
)

FAN_BY_NAME: Mapping[str, Fan] = {fan.name: fan for fan in FANS}

CIRCUMSTANCE_NAMES = ("replacement_win", "discard_after_kong", "robbing_kong", "last_tile")

MOST_FANS = 10
"""Golden wait on four kongs of one suit, won on the last tile of the wall as a replacement tile. [SBR 2.7.3.6]"""
