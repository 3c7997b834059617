"""The eighteen fans of Red mahjong: a function each, giving every combination of sets that makes the fan.

A fan is counted once for each combination; a fan of the hand as a whole has one combination without sets.
Nothing excludes anything: a set may serve in several fans. [RED scoring 2] [RULES 8.23]
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from scoring.problems import gettext_noop
from scoring.tiles.readings import Form, SetKind, TileSet
from scoring.tiles.tile import DRAGONS, HONORS, RED, SUITS, WINDS

Combination = tuple[TileSet, ...]
Combinations = Sequence[Combination]

NONE: Combinations = ()
WHOLE_HAND: Combinations = ((),)


def _mask(tiles: Sequence[int] | frozenset[int] | range) -> int:
    return sum(1 << tile for tile in tiles)


_HONORS = _mask(HONORS)
_SUITS = tuple(_mask(suit) for suit in SUITS)
_LOWER = _mask([suit[number] for suit in SUITS for number in range(5)])
_UPPER = _mask([suit[number] for suit in SUITS for number in range(4, 9)])
_SPECIAL = frozenset(suit[number] for suit in SUITS for number in (1, 4, 7))


class View:
    """A winning hand as four sets and a pair, or as the chaotic hand, with its flowers."""

    __slots__ = ("chows", "flowers", "form", "kinds", "pair", "pungs", "sets")

    def __init__(self, form: Form, sets: tuple[TileSet, ...], pair: int | None, flowers: int) -> None:
        """Sort the sets; a chaotic hand has none."""
        chows: list[TileSet] = []
        pungs: list[TileSet] = []
        kinds = 0 if pair is None else 1 << pair
        for formed in sets:
            if formed[0] is SetKind.CHOW:
                chows.append(formed)
                kinds |= 7 << formed[1]
            else:
                pungs.append(formed)
                kinds |= 1 << formed[1]
        self.form, self.sets, self.pair, self.flowers = form, sets, pair, flowers
        self.chows, self.pungs, self.kinds = chows, pungs, kinds

    @property
    def suits(self) -> int:
        """Count the suits in the hand."""
        return sum(1 for suit in _SUITS if self.kinds & suit)


def flower(view: View) -> Combinations:
    """Each flower or season. [RED fan 1]"""
    return ((),) * view.flowers


def all_chows(view: View) -> Combinations:
    """All sets are chows; the pair is any. [RED fan 2]"""
    return WHOLE_HAND if len(view.chows) == 4 else NONE


def mixed_double_chow(view: View) -> Combinations:
    """Two chows of the same numbers in two suits. [RED fan 3]"""
    return _pairs(view.chows, lambda a, b: a != b and (b - a) % 9 == 0)


def double_pung(view: View) -> Combinations:
    """Two pungs of the same number in two suits. [RED fan 4]"""
    suited = [pung for pung in view.pungs if pung.tile < 27]
    return _pairs(suited, lambda a, b: a != b and (b - a) % 9 == 0)


def two_terminal_chows(view: View) -> Combinations:
    """Chows 1-2-3 and 7-8-9 in one suit. [RED fan 5]"""
    return _pairs(view.chows, lambda a, b: abs(b - a) == 6 and min(a, b) % 9 == 0)


def honor_pung(view: View) -> Combinations:
    """A pung of dragons or winds. [RED fan 6]"""
    return [(pung,) for pung in view.pungs if pung[1] in HONORS]


def special_pair(view: View) -> Combinations:
    """The pair is of 2, 5 or 8. [RED fan 7] [RULES 8.23]"""
    return WHOLE_HAND if view.pair in _SPECIAL else NONE


def all_pungs(view: View) -> Combinations:
    """All sets are pungs; the pair is any. [RED fan 8]"""
    return WHOLE_HAND if len(view.pungs) == 4 else NONE


def pure_double_chow(view: View) -> Combinations:
    """Two chows of the same numbers in one suit. [RED fan 9]"""
    return _pairs(view.chows, lambda a, b: a == b)


def pure_straight(view: View) -> Combinations:
    """Chows 1-2-3, 4-5-6 and 7-8-9 in one suit; each different three of them. [RED fan 10] [RED scoring 2]"""
    if len(view.chows) < 3:
        return NONE
    return [three for three in combinations(view.chows, 3) if _is_straight(*(chow[1] for chow in three))]


def chaotic(view: View) -> Combinations:
    """Single honors, and single suited tiles at least three numbers apart; no sets. [RED fan 11]"""
    return WHOLE_HAND if view.form is Form.CHAOTIC else NONE


def half_flush(view: View) -> Combinations:
    """Sets and pair of one suit, and at least one of honors. [RED fan 12] [RULES 8.23]"""
    return WHOLE_HAND if view.kinds & _HONORS and view.suits == 1 else NONE


def all_types(view: View) -> Combinations:
    """Sets and pair of all three suits, winds and dragons. [RED fan 13]"""
    if view.pair is None:
        return NONE
    types = {_type(tile) for tile in (view.pair, *(formed[1] for formed in view.sets))}
    return WHOLE_HAND if len(types) == 5 else NONE


def lower_five(view: View) -> Combinations:
    """Sets and pair of the numbers 1 to 5. [RED fan 14]"""
    return WHOLE_HAND if view.kinds and not view.kinds & ~_LOWER else NONE


def upper_five(view: View) -> Combinations:
    """Sets and pair of the numbers 5 to 9. [RED fan 15]"""
    return WHOLE_HAND if view.kinds and not view.kinds & ~_UPPER else NONE


def red_hand(view: View) -> Combinations:
    """Three pungs of characters and one of red dragons; the pair is any. [RED fan 16]"""
    if len(view.pungs) < 4:
        return NONE
    tiles = [pung[1] for pung in view.pungs]
    return WHOLE_HAND if RED in tiles and sum(tile < 9 for tile in tiles) == 3 else NONE


def big_three_dragons(view: View) -> Combinations:
    """Three pungs of dragons; each three of them where jokers make more. [RED fan 17] [RULES 9.8]"""
    if len(view.pungs) < 3:
        return NONE
    return list(combinations([pung for pung in view.pungs if pung[1] in DRAGONS], 3))


def full_flush(view: View) -> Combinations:
    """Sets and pair of one suit. [RED fan 18]"""
    return WHOLE_HAND if view.kinds and not view.kinds & _HONORS and view.suits == 1 else NONE


def _pairs(sets: Sequence[TileSet], fits: Callable[[int, int], bool]) -> Combinations:
    """Choose two sets whose lowest tiles fit together."""
    return [(a, b) for a, b in combinations(sets, 2) if fits(a[1], b[1])]


def _is_straight(*lows: int) -> bool:
    first, second, third = sorted(lows)
    return first % 9 == 0 and second == first + 3 and third == first + 6


def _type(tile: int) -> int:
    """Tell suits, winds and dragons apart."""
    if tile < 27:
        return tile // 9
    return 3 if tile in WINDS else 4


@dataclass(frozen=True, slots=True)
class Fan:
    """A fan: its number and name, its value, the function that finds it, and how often a hand can have it."""

    number: int
    title: str
    points: int
    find: Callable[[View], Combinations]
    most: int = 1

    @property
    def clause(self) -> str:
        """Return the row of the table."""
        return f"RED fan {self.number}"


_ = gettext_noop
FANS: tuple[Fan, ...] = (
    Fan(1, _("Flower or season"), 3, flower, most=8),
    Fan(2, _("All chows"), 3, all_chows),
    Fan(3, _("Mixed double chow"), 3, mixed_double_chow, most=5),
    Fan(4, _("Double pung"), 3, double_pung, most=5),
    Fan(5, _("Two terminal chows"), 3, two_terminal_chows, most=4),
    Fan(6, _("Pung of honors"), 3, honor_pung, most=4),
    Fan(7, _("Special pair"), 3, special_pair),
    Fan(8, _("All pungs"), 12, all_pungs),
    Fan(9, _("Pure double chow"), 12, pure_double_chow, most=6),
    Fan(10, _("Pure straight"), 12, pure_straight, most=2),
    Fan(11, _("Chaotic hand"), 12, chaotic),
    Fan(12, _("Half flush"), 12, half_flush),
    Fan(13, _("All types"), 16, all_types),
    Fan(14, _("Lower five"), 24, lower_five),
    Fan(15, _("Upper five"), 24, upper_five),
    Fan(16, _("Red hand"), 32, red_hand),
    Fan(17, _("Big three dragons"), 64, big_three_dragons, most=4),
    Fan(18, _("Full flush"), 64, full_flush),
)
BY_NUMBER: dict[int, Fan] = {fan.number: fan for fan in FANS}
FLOWER, SPECIAL_PAIR, CHAOTIC_HAND = 1, 7, 11
