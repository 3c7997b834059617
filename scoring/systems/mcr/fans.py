"""The 81 fans: a function each, found by its number, with its names, value, and what it does not go together with.

A function says where in a hand its fan occurs: `NONE`, `WHOLE`, or a group of sets for each occurrence. The fans made of two
to four chows or pungs list every group that qualifies; which of them may stand side by side is chosen in `combinations`.

Exclusions are data. `bars` are those that the fan's own clause names, `implies` those that it inevitably contains
[MCR scoring 1e1], `decided` those of RULES 8.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from itertools import combinations, pairwise
from typing import Any

from scoring.problems import gettext_noop
from scoring.systems.mcr.views import (
    HONOR_BITS,
    NONE,
    PAIR_BIT,
    SUIT_BITS,
    WHOLE,
    Groups,
    Held,
    View,
    bits,
    singly,
)
from scoring.tiles import tile as tiles
from scoring.tiles.readings import Form
from scoring.tiles.tile import EAST, GREEN_DRAGON, RED, WHITE

INEVITABLE = "MCR scoring 1e1"
"""No repeating: what a fan inevitably implies or contains is not counted beside it."""


class Chapter(Enum):
    """What a fan looks at, and so when it is worth asking for."""

    TILES = "the tiles and the way of winning"
    FORM = "the form of the hand"
    SETS = "four sets and a pair"
    PUNGS = "pungs and kongs"
    KONGS = "kongs"
    CHOW_GROUPS = "groups of chows"
    PUNG_GROUPS = "groups of pungs"
    AFTERWARDS = "what is left over"


@dataclass(frozen=True)
class Fan:
    """A row of the table of fans. `excludes` gives for each fan that it drops the clause that says so."""

    number: int
    value: int
    name: str
    russian: str
    chapter: Chapter
    finds: Callable[[Any], Groups]
    excludes: Mapping[int, str] = field(default_factory=dict)
    most: int = 1
    only: str = ""

    @property
    def clause(self) -> str:
        """Return the clause of the fan."""
        return clause_of(self.number)


def clause_of(number: int) -> str:
    """Return the clause of a fan by its number; the source swaps those of fans 20 and 34. [RULES 8.15]"""
    return f"MCR fan {number}"


FANS: dict[int, Fan] = {}
"""The table, by number."""


def fan(
    chapter: Chapter,
    number: int,
    value: int,
    name: str,
    russian: str,
    *,
    bars: tuple[int, ...] = (),
    implies: tuple[int, ...] = (),
    decided: Mapping[int, str] | None = None,
    most: int = 1,
    only: str = "",
) -> Callable[[Callable[[Any], Groups]], Callable[[Any], Groups]]:
    """Enter a function into the table. `most` is how often the fan can occur, `only` the way of winning it needs."""
    excludes = (
        dict.fromkeys(bars, clause_of(number)) | dict.fromkeys(implies, INEVITABLE) | dict(decided or {})
    )

    def enter(finds: Callable[[Any], Groups]) -> Callable[[Any], Groups]:
        FANS[number] = Fan(number, value, name, russian, chapter, finds, excludes, most, only)
        return finds

    return enter


def when(condition: object) -> Groups:
    """Count a fan of the whole hand once, if its condition holds."""
    return WHOLE if condition else NONE


def sets_when(condition: object, sets: int) -> Groups:
    """Count a fan of some of the sets once, if its condition holds."""
    return (sets,) if condition else NONE


def ranks(lowest: int, highest: int) -> int:
    """Return the suited tiles from one number to another, as bits."""
    return bits(tile for tile in tiles.SUITED if lowest <= tiles.rank(tile) <= highest)


def outside(allowed: int) -> int:
    """Return every tile that is not among the allowed ones, as bits."""
    return ~allowed


NOT_GREEN = outside(bits(tiles.GREEN))
NOT_TERMINAL = outside(bits(tiles.TERMINALS))
NOT_HONOR = outside(HONOR_BITS)
NOT_ORPHAN = outside(bits(tiles.ORPHANS))
NOT_SIMPLE = outside(bits(tiles.SIMPLES))
NOT_REVERSIBLE = outside(bits(tiles.REVERSIBLE))
NOT_EVEN = outside(bits(tile for tile in tiles.SUITED if tiles.rank(tile) % 2 == 0))
NOT_UPPER, NOT_MIDDLE, NOT_LOWER = outside(ranks(7, 9)), outside(ranks(4, 6)), outside(ranks(1, 3))
NOT_UPPER_FOUR, NOT_LOWER_FOUR = outside(ranks(6, 9)), outside(ranks(1, 4))
FIVE_TYPES = (*SUIT_BITS, bits(tiles.WINDS), bits(tiles.DRAGONS))
NINE_GATES = (3, 1, 1, 1, 1, 1, 1, 1, 3)


# Special hands


@fan(
    Chapter.FORM,
    20,
    24,
    gettext_noop("Greater Honors and Knitted Tiles"),
    "Большие благородные и переплетённые плитки",
    bars=(52, 62),
)
def greater_honors_and_knitted(view: View) -> Groups:
    """Count single tiles: all seven honors, and suited ones of three knitted rows. [MCR fan 20] [RULES 8.15]"""
    return when(view.form is Form.KNITTED_HONORS and view.held.kinds & HONOR_BITS == HONOR_BITS)


@fan(Chapter.FORM, 35, 12, gettext_noop("Knitted Straight"), "Переплетённый ряд", bars=(62,))
def knitted_straight(view: View) -> Groups:
    """Count 1-4-7, 2-5-8 and 3-6-9 in three suits, with a set and a pair or among single tiles. [MCR fan 35] [RULES 8.18]"""
    if view.form is Form.KNITTED_STRAIGHT:
        return (0b111,)
    suited = (view.held.kinds & NOT_HONOR).bit_count()
    return when(view.form is Form.KNITTED_HONORS and suited == 9)


@fan(Chapter.FORM, 19, 24, gettext_noop("Seven Pairs"), "Семь пар", bars=(62, 79))
def seven_pairs(view: View) -> Groups:
    """Count seven pairs; four equal tiles are two of them. [MCR fan 19] [RULES 8.18]"""
    return when(view.form is Form.SEVEN_PAIRS)


@fan(
    Chapter.FORM,
    34,
    12,
    gettext_noop("Lesser Honors and Knitted Tiles"),
    "Малые благородные и переплетённые плитки",
    bars=(52, 62),
)
def lesser_honors_and_knitted(view: View) -> Groups:
    """Count single tiles: any honors but not all, and suited ones of three knitted rows. [MCR fan 34] [RULES 8.15]"""
    return when(view.form is Form.KNITTED_HONORS and view.held.kinds & HONOR_BITS != HONOR_BITS)


@fan(Chapter.SETS, 4, 88, gettext_noop("Nine Gates"), "Девять врат", bars=(22, 62, 73), implies=(76,))
def nine_gates(view: View) -> Groups:
    """Count 1112345678999 of a suit in hand, waiting for each of its nine tiles. [MCR fan 4] [RULES 8.19]"""
    held = view.held
    if held.melds or held.suits != 1 or held.has_honors:
        return NONE
    suit = held.winning_tile // 9 * 9
    return when(tuple(held.waiting[suit : suit + 9]) == NINE_GATES)


@fan(
    Chapter.FORM,
    6,
    88,
    gettext_noop("Seven Shifted Pairs"),
    "Семь смещённых пар",
    bars=(22, 62, 79),
    implies=(19, 76),
)
def seven_shifted_pairs(view: View) -> Groups:
    """Count seven pairs of one suit, each a number above the other; honors have no numbers. [MCR fan 6]"""
    if view.form is not Form.SEVEN_PAIRS or view.held.has_honors:
        return NONE
    low, high = view.reading.sets[0].tile, view.reading.sets[-1].tile
    return when(view.held.suits == 1 and high - low == 6 and view.held.kinds.bit_count() == 7)


@fan(
    Chapter.FORM,
    7,
    88,
    gettext_noop("Thirteen Orphans"),
    "Тринадцать сирот",
    bars=(52, 62, 79),
    implies=(18,),
)
def thirteen_orphans(view: View) -> Groups:
    """Count one of each terminal and honor and one more of them. [MCR fan 7]"""
    return when(view.form is Form.THIRTEEN_ORPHANS)


# Single elements: pungs, kongs, honors


@fan(Chapter.AFTERWARDS, 81, 1, gettext_noop("Flowers and Seasons"), "Цветы и сезоны", most=8)
def flowers_and_seasons(held: Held) -> Groups:
    """Count each flower and season; they stand in no set and do not help to reach the minimum. [MCR fan 81]"""
    return (0,) * held.win.flowers


@fan(
    Chapter.PUNGS,
    73,
    1,
    gettext_noop("Pung of Terminals or Honors"),
    "Панг терминальных или благородных",
    most=4,
)
def pung_of_terminals_or_guest_winds(view: View) -> Groups:
    """Count each pung or kong of terminals or of a wind neither own nor of the round. [MCR fan 73] [RULES 8.19]"""
    win = view.held.win
    return singly(view.terminal_pungs) + tuple(
        group
        for group in singly(view.wind_pungs)
        if group not in view.pung_of(win.seat_wind) and group not in view.pung_of(win.round_wind)
    )


@fan(Chapter.SETS, 64, 2, gettext_noop("Tile Hog"), "Четыре врозь", most=3)
def tile_hog(view: View) -> Groups:
    """Count each tile of which all four are used without being a kong. [MCR fan 64] [RULES 8.18]"""
    return tuple(view.sets_with(tile) for tile in view.held.quadruplets)


@fan(Chapter.PUNGS, 59, 2, gettext_noop("Dragon Pung"), "Панг драконов", most=2)
def dragon_pung(view: View) -> Groups:
    """Count each pung or kong of dragons. [MCR fan 59]"""
    return singly(view.dragon_pungs)


@fan(Chapter.PUNGS, 60, 2, gettext_noop("Prevalent Wind Pung"), "Ветер раунда")
def prevalent_wind_pung(view: View) -> Groups:
    """Count a pung or kong of the wind of the round. [MCR fan 60]"""
    return view.pung_of(view.held.win.round_wind)


@fan(Chapter.PUNGS, 61, 2, gettext_noop("Seat Wind Pung"), "Ветер места")
def seat_wind_pung(view: View) -> Groups:
    """Count a pung or kong of the player's own wind; a double wind counts as both. [MCR fan 61]"""
    return view.pung_of(view.held.win.seat_wind)


# Kongs count by number [RULES 8.17]


@fan(Chapter.KONGS, 74, 1, gettext_noop("Melded Kong"), "Открытый конг")
def melded_kong(view: View) -> Groups:
    """Count the only kong of a hand, if it is open. [MCR fan 74] [RULES 8.17]"""
    return sets_when(_kongs(view) == (1, 0), view.open_kongs)


@fan(Chapter.KONGS, 67, 2, gettext_noop("Concealed Kong"), "Закрытый конг")
def concealed_kong(view: View) -> Groups:
    """Count the only concealed kong of a hand, whatever other kongs it has. [MCR fan 67] [RULES 8.17]"""
    return sets_when(_kongs(view)[1] == 1, view.concealed_kongs)


@fan(Chapter.KONGS, 57, 4, gettext_noop("Two Melded Kongs"), "Два открытых конга")
def two_melded_kongs(view: View) -> Groups:
    """Count two kongs, at least one of them open; a concealed one beside it makes six points. [MCR fan 57] [RULES 8.17]"""
    return sets_when(_kongs(view) in ((2, 0), (1, 1)), view.open_kongs | view.concealed_kongs)


@fan(
    Chapter.KONGS,
    48,
    8,
    gettext_noop("Two Concealed Kongs"),
    "Два закрытых конга",
    decided={66: "RULES 8.17"},
)
def two_concealed_kongs(view: View) -> Groups:
    """Count two concealed kongs, their two concealed pungs among it. [MCR fan 48] [RULES 8.17]"""
    return sets_when(_kongs(view) == (0, 2), view.concealed_kongs)


@fan(Chapter.KONGS, 17, 32, gettext_noop("Three Kongs"), "Три конга")
def three_kongs(view: View) -> Groups:
    """Count three kongs of any kind. [MCR fan 17] [RULES 8.17]"""
    return sets_when(sum(_kongs(view)) == 3, view.open_kongs | view.concealed_kongs)


@fan(Chapter.KONGS, 5, 88, gettext_noop("Four Kongs"), "Четыре конга", bars=(74, 79), implies=(49,))
def four_kongs(view: View) -> Groups:
    """Count four kongs of any kind. [MCR fan 5] [RULES 8.17]"""
    return when(sum(_kongs(view)) == 4)


def _kongs(view: View) -> tuple[int, int]:
    return view.open_kongs.bit_count(), view.concealed_kongs.bit_count()


# Groups of chows: each function gets the lowest tiles of the chows of a hand


_GROUPS = [[list(combinations(range(sets), size)) for size in range(5)] for sets in range(5)]
"""The choices of so many among so many sets."""


def _groups_of(size: int, sets: tuple[int, ...]) -> Iterator[tuple[int, list[int]]]:
    """List every group of so many sets, as bits and by tile; the sets come in order."""
    for group in _GROUPS[len(sets)][size]:
        yield sum(1 << at for at in group), [sets[at] for at in group]


def _numbers(starts: list[int]) -> list[int]:
    return sorted(start % 9 for start in starts)


def _is_of_one_suit(starts: list[int]) -> bool:
    return starts[0] // 9 == starts[-1] // 9


def _is_of_different_suits(starts: list[int]) -> bool:
    return len({start // 9 for start in starts}) == len(starts)


def _steps(starts: list[int]) -> set[int]:
    return {high - low for low, high in pairwise(starts)}


@fan(Chapter.CHOW_GROUPS, 69, 1, gettext_noop("Pure Double Chow"), "Чистое двойное чоу", most=2)
def pure_double_chow(chows: tuple[int, ...]) -> Groups:
    """List two equal chows. [MCR fan 69]"""
    return tuple(group for group, (one, other) in _groups_of(2, chows) if one == other)


@fan(Chapter.CHOW_GROUPS, 23, 24, gettext_noop("Pure Triple Chow"), "Чистое тройное чоу", bars=(24, 69))
def pure_triple_chow(chows: tuple[int, ...]) -> Groups:
    """List three equal chows. [MCR fan 23]"""
    return tuple(group for group, starts in _groups_of(3, chows) if _steps(starts) == {0})


@fan(
    Chapter.CHOW_GROUPS,
    14,
    48,
    gettext_noop("Pure Quadruple Chow"),
    "Чистое четверное чоу",
    bars=(24, 64, 69),
    implies=(23,),
)
def pure_quadruple_chow(chows: tuple[int, ...]) -> Groups:
    """List four equal chows. [MCR fan 14]"""
    return tuple(group for group, starts in _groups_of(4, chows) if _steps(starts) == {0})


@fan(Chapter.CHOW_GROUPS, 70, 1, gettext_noop("Mixed Double Chow"), "Смешанное двойное чоу", most=2)
def mixed_double_chow(chows: tuple[int, ...]) -> Groups:
    """List two chows of the same numbers in two suits. [MCR fan 70]"""
    return tuple(group for group, (one, other) in _groups_of(2, chows) if other - one in (9, 18))


@fan(Chapter.CHOW_GROUPS, 41, 8, gettext_noop("Mixed Triple Chow"), "Смешанное тройное чоу")
def mixed_triple_chow(chows: tuple[int, ...]) -> Groups:
    """List three chows of the same numbers in three suits. [MCR fan 41]"""
    return tuple(group for group, starts in _groups_of(3, chows) if _steps(starts) == {9})


@fan(Chapter.CHOW_GROUPS, 71, 1, gettext_noop("Short Straight"), "Короткий ряд", most=2)
def short_straight(chows: tuple[int, ...]) -> Groups:
    """List two chows that make six numbers of a suit in a row. [MCR fan 71]"""
    return tuple(
        group
        for group, starts in _groups_of(2, chows)
        if _is_of_one_suit(starts) and starts[1] - starts[0] == 3
    )


@fan(Chapter.CHOW_GROUPS, 39, 8, gettext_noop("Mixed Straight"), "Смешанный ряд")
def mixed_straight(chows: tuple[int, ...]) -> Groups:
    """List chows 123, 456 and 789 in three suits. [MCR fan 39]"""
    return tuple(
        group
        for group, starts in _groups_of(3, chows)
        if _is_of_different_suits(starts) and _numbers(starts) == [0, 3, 6]
    )


@fan(Chapter.CHOW_GROUPS, 28, 16, gettext_noop("Pure Straight"), "Чистый ряд")
def pure_straight(chows: tuple[int, ...]) -> Groups:
    """List chows 123, 456 and 789 of a suit. [MCR fan 28]"""
    return tuple(
        group
        for group, starts in _groups_of(3, chows)
        if _is_of_one_suit(starts) and _numbers(starts) == [0, 3, 6]
    )


@fan(Chapter.CHOW_GROUPS, 72, 1, gettext_noop("Two Terminal Chows"), "Два терминальных чоу", most=2)
def two_terminal_chows(chows: tuple[int, ...]) -> Groups:
    """List chows 123 and 789 of a suit. [MCR fan 72]"""
    return tuple(
        group
        for group, starts in _groups_of(2, chows)
        if _is_of_one_suit(starts) and starts[1] - starts[0] == 6
    )


@fan(Chapter.CHOW_GROUPS, 51, 6, gettext_noop("Mixed Shifted Chows"), "Смешанные смещённые чоу")
def mixed_shifted_chows(chows: tuple[int, ...]) -> Groups:
    """List three chows in three suits, each a number above the other. [MCR fan 51]"""
    return tuple(
        group
        for group, starts in _groups_of(3, chows)
        if _is_of_different_suits(starts) and _steps(_numbers(starts)) == {1}
    )


@fan(Chapter.CHOW_GROUPS, 30, 16, gettext_noop("Pure Shifted Chows"), "Чистые смещённые чоу")
def pure_shifted_chows(chows: tuple[int, ...]) -> Groups:
    """List three chows of a suit, each one or each two numbers above the other. [MCR fan 30]"""
    return tuple(
        group
        for group, starts in _groups_of(3, chows)
        if _is_of_one_suit(starts) and _steps(starts) in ({1}, {2})
    )


@fan(
    Chapter.SETS,
    29,
    16,
    gettext_noop("Three Suited Terminal Chows"),
    "Три масти и терминальные чоу",
    bars=(63, 69, 72, 76),
    decided={70: "RULES 8.19"},
)
def three_suited_terminal_chows(view: View) -> Groups:
    """Count 123 and 789 in two suits and a pair of fives in the third. [MCR fan 29] [RULES 8.19]"""
    low, low_end, high, high_end = sorted(view.chows) if len(view.chows) == 4 else (0, 0, 0, 0)
    starts_at_one = low % 9 == 0 and high % 9 == 0 and low != high
    fifth = 3 * 13 - (low + 4) - (high + 4)
    return when(starts_at_one and low_end == low + 6 and high_end == high + 6 and view.pair == fifth)


@fan(
    Chapter.CHOW_GROUPS,
    16,
    32,
    gettext_noop("Four Shifted Chows"),
    "Четыре смещённых чоу",
    bars=(71,),
    implies=(30,),
    decided={72: "RULES 8.19"},
)
def four_shifted_chows(chows: tuple[int, ...]) -> Groups:
    """List four chows of a suit, each one or each two numbers above the other. [MCR fan 16] [RULES 8.19]"""
    return tuple(
        group
        for group, starts in _groups_of(4, chows)
        if _is_of_one_suit(starts) and _steps(starts) in ({1}, {2})
    )


@fan(
    Chapter.SETS,
    13,
    64,
    gettext_noop("Pure Terminal Chows"),
    "Чистые терминальные чоу",
    bars=(19, 22, 63, 69, 72),
    implies=(76,),
)
def pure_terminal_chows(view: View) -> Groups:
    """Count 123, 123, 789, 789 and a pair of fives of one suit. [MCR fan 13]"""
    if len(view.chows) != 4 or view.pair is None:
        return NONE
    one = view.pair - 4
    return when(one % 9 == 0 and one < EAST and sorted(view.chows) == [one, one, one + 6, one + 6])


# Groups of pungs and kongs: each function gets their tiles


@fan(Chapter.PUNG_GROUPS, 65, 2, gettext_noop("Double Pung"), "Двойной панг", most=2)
def double_pung(pungs: tuple[int, ...]) -> Groups:
    """List two pungs of a number in two suits. [MCR fan 65]"""
    return tuple(group for group, (one, other) in _suited_groups(2, pungs) if other - one in (9, 18))


@fan(Chapter.PUNG_GROUPS, 32, 16, gettext_noop("Triple Pung"), "Тройной панг")
def triple_pung(pungs: tuple[int, ...]) -> Groups:
    """List three pungs of a number in three suits. [MCR fan 32]"""
    return tuple(group for group, starts in _suited_groups(3, pungs) if _steps(starts) == {9})


@fan(Chapter.PUNG_GROUPS, 42, 8, gettext_noop("Mixed Shifted Pungs"), "Смешанные смещённые панги")
def mixed_shifted_pungs(pungs: tuple[int, ...]) -> Groups:
    """List three pungs in three suits, each a number above the other. [MCR fan 42]"""
    return tuple(
        group
        for group, starts in _suited_groups(3, pungs)
        if _is_of_different_suits(starts) and _steps(_numbers(starts)) == {1}
    )


@fan(Chapter.PUNG_GROUPS, 24, 24, gettext_noop("Pure Shifted Pungs"), "Чистые смещённые панги", bars=(23,))
def pure_shifted_pungs(pungs: tuple[int, ...]) -> Groups:
    """List three pungs of a suit, each a number above the other. [MCR fan 24]"""
    return tuple(
        group
        for group, starts in _suited_groups(3, pungs)
        if _is_of_one_suit(starts) and _steps(starts) == {1}
    )


@fan(
    Chapter.PUNG_GROUPS,
    15,
    48,
    gettext_noop("Four Pure Shifted Pungs"),
    "Четыре чистых смещённых панга",
    bars=(23, 24, 49),
)
def four_pure_shifted_pungs(pungs: tuple[int, ...]) -> Groups:
    """List four pungs of a suit, each a number above the other. [MCR fan 15]"""
    return tuple(
        group
        for group, starts in _suited_groups(4, pungs)
        if _is_of_one_suit(starts) and _steps(starts) == {1}
    )


def _suited_groups(size: int, pungs: tuple[int, ...]) -> Iterator[tuple[int, list[int]]]:
    return ((group, starts) for group, starts in _groups_of(size, pungs) if starts[-1] < EAST)


# Concealed pungs; a concealed kong is one of them [RULES 8.17]


@fan(Chapter.PUNGS, 66, 2, gettext_noop("Two Concealed Pungs"), "Два закрытых панга")
def two_concealed_pungs(view: View) -> Groups:
    """Count two pungs or kongs formed without a claim. [MCR fan 66] [RULES 8.17]"""
    return sets_when(view.concealed_pungs.bit_count() == 2, view.concealed_pungs)


@fan(Chapter.PUNGS, 33, 16, gettext_noop("Three Concealed Pungs"), "Три закрытых панга")
def three_concealed_pungs(view: View) -> Groups:
    """Count three pungs or kongs formed without a claim. [MCR fan 33] [RULES 8.17]"""
    return sets_when(view.concealed_pungs.bit_count() == 3, view.concealed_pungs)


@fan(Chapter.PUNGS, 12, 64, gettext_noop("Four Concealed Pungs"), "Четыре закрытых панга", bars=(49, 62))
def four_concealed_pungs(view: View) -> Groups:
    """Count four pungs or kongs formed without a claim. [MCR fan 12] [RULES 8.17]"""
    return when(view.concealed_pungs.bit_count() == 4)


# Dragons and winds


@fan(Chapter.PUNGS, 54, 6, gettext_noop("Two Dragon Pungs"), "Два панга драконов", bars=(59,))
def two_dragon_pungs(view: View) -> Groups:
    """Count pungs or kongs of two dragons. [MCR fan 54]"""
    return sets_when(view.dragon_pungs.bit_count() == 2, view.dragon_pungs)


@fan(Chapter.PUNGS, 10, 64, gettext_noop("Little Three Dragons"), "Малые три дракона", bars=(54, 59))
def little_three_dragons(view: View) -> Groups:
    """Count pungs or kongs of two dragons and a pair of the third. [MCR fan 10]"""
    is_pair = view.pair in (RED, GREEN_DRAGON, WHITE)
    return sets_when(is_pair and view.dragon_pungs.bit_count() == 2, view.dragon_pungs | PAIR_BIT)


@fan(Chapter.PUNGS, 2, 88, gettext_noop("Big Three Dragons"), "Большие три дракона", bars=(54, 59))
def big_three_dragons(view: View) -> Groups:
    """Count pungs or kongs of all three dragons. [MCR fan 2]"""
    return sets_when(view.dragon_pungs.bit_count() == 3, view.dragon_pungs)


@fan(Chapter.PUNGS, 38, 12, gettext_noop("Big Three Winds"), "Большие три ветра")
def big_three_winds(view: View) -> Groups:
    """Count pungs or kongs of three winds; they are then no guest winds of fan 73. [MCR fan 38] [RULES 8.19]"""
    return sets_when(view.wind_pungs.bit_count() == 3, view.wind_pungs)


@fan(Chapter.PUNGS, 9, 64, gettext_noop("Little Four Winds"), "Малые четыре ветра", bars=(38, 73))
def little_four_winds(view: View) -> Groups:
    """Count pungs or kongs of three winds and a pair of the fourth. [MCR fan 9]"""
    is_pair = view.pair is not None and EAST <= view.pair < RED
    return sets_when(is_pair and view.wind_pungs.bit_count() == 3, view.wind_pungs | PAIR_BIT)


@fan(
    Chapter.PUNGS,
    1,
    88,
    gettext_noop("Big Four Winds"),
    "Большие четыре ветра",
    bars=(38, 49, 60, 61, 73),
)
def big_four_winds(view: View) -> Groups:
    """Count pungs or kongs of all four winds. [MCR fan 1]"""
    return sets_when(view.wind_pungs.bit_count() == 4, view.wind_pungs)


# The last tile


@fan(Chapter.TILES, 80, 1, gettext_noop("Self-Drawn"), "Выигрыш со стены", only="self_draw")
def self_drawn(held: Held) -> Groups:
    """Count a win with a tile from the wall. [MCR fan 80]"""
    return when(held.win.self_drawn)


@fan(Chapter.SETS, 77, 1, gettext_noop("Edge Wait"), "Краевое ожидание")
def edge_wait(view: View) -> Groups:
    """Count the only wait, for a 3 to 1-2 or a 7 to 8-9. [MCR fan 77] [RULES 8.16]"""
    low, tile = view.completed_chow, view.held.winning_tile
    is_edge = low is not None and (low % 9, tile - low) in ((0, 2), (6, 0))
    return sets_when(is_edge and view.is_lone_wait, view.completed_bit)


@fan(Chapter.SETS, 78, 1, gettext_noop("Closed Wait"), "Закрытое ожидание")
def closed_wait(view: View) -> Groups:
    """Count the only wait, for the middle of a chow. [MCR fan 78] [RULES 8.16]"""
    low, tile = view.completed_chow, view.held.winning_tile
    is_closed = low is not None and tile - low == 1
    return sets_when(is_closed and view.is_lone_wait, view.completed_bit)


@fan(Chapter.SETS, 79, 1, gettext_noop("Single Wait"), "Ожидание единственной")
def single_wait(view: View) -> Groups:
    """Count the only wait, for the second tile of the pair. [MCR fan 79] [RULES 8.16]"""
    return sets_when(view.completes_pair and view.is_lone_wait, PAIR_BIT)


@fan(Chapter.TILES, 58, 4, gettext_noop("Last Tile"), "Последняя плитка")
def last_tile(held: Held) -> Groups:
    """Count a win with the fourth tile of a kind when all can see the other three. [MCR fan 58]

    Three copies in the player's own declared sets are seen by all, whether or not somebody said so.
    """
    return when(held.win.last_of_kind or held.shown >= 3)


@fan(
    Chapter.TILES,
    44,
    8,
    gettext_noop("Last Tile Draw"),
    "Последняя плитка со стены",
    bars=(80,),
    only="self_draw",
)
def last_tile_draw(held: Held) -> Groups:
    """Count a win with the last tile of the wall. [MCR fan 44]"""
    return when(held.win.last_wall_tile and held.win.self_drawn)


@fan(Chapter.TILES, 45, 8, gettext_noop("Last Tile Claim"), "Требование последней плитки", only="discard")
def last_tile_claim(held: Held) -> Groups:
    """Count a win with the last discard of the hand. [MCR fan 45]"""
    return when(held.win.last_wall_tile and not held.win.self_drawn)


@fan(
    Chapter.TILES,
    46,
    8,
    gettext_noop("Out with Replacement Tile"),
    "Выигрыш с замещающей плитки",
    decided={80: "RULES 8.19"},
    only="self_draw",
)
def out_with_replacement_tile(held: Held) -> Groups:
    """Count a win with the tile that replaces a kong, not a flower. [MCR fan 46]"""
    return when(held.win.replacement_after_kong)


@fan(
    Chapter.TILES,
    47,
    8,
    gettext_noop("Robbing the Kong"),
    "Ограбление конга",
    bars=(56, 58, 79),
    only="discard",
)
def robbing_the_kong(held: Held) -> Groups:
    """Count a win with the tile by which another wanted to raise a pung to a kong. [MCR fan 47]"""
    return when(held.win.robbing_kong)


# The hand as a whole


@fan(Chapter.SETS, 53, 6, gettext_noop("Melded Hand"), "Открытая рука", bars=(79,), only="discard")
def melded_hand(view: View) -> Groups:
    """Count four open sets and a pair won on a discard; an added kong is open. [MCR fan 53] [RULES 8.20]"""
    melds = view.held.melds
    return when(len(melds) == 4 and all(meld[2] for meld in melds) and not view.held.win.self_drawn)


@fan(Chapter.TILES, 62, 2, gettext_noop("Concealed Hand"), "Закрытая рука", only="discard")
def concealed_hand(held: Held) -> Groups:
    """Count a hand without open sets won on a discard. [MCR fan 62]"""
    return when(held.is_concealed and not held.win.self_drawn)


@fan(
    Chapter.TILES,
    56,
    4,
    gettext_noop("Fully Concealed"),
    "Полностью закрытая",
    implies=(80,),
    only="self_draw",
)
def fully_concealed(held: Held) -> Groups:
    """Count a hand without open sets won from the wall. [MCR fan 56]"""
    return when(held.is_concealed and held.win.self_drawn)


@fan(Chapter.TILES, 75, 1, gettext_noop("One Voided Suit"), "Пропущенная масть")
def one_voided_suit(held: Held) -> Groups:
    """Count a hand without one of the three suits. [MCR fan 75]"""
    return when(held.suits == 2)


@fan(Chapter.TILES, 76, 1, gettext_noop("No Honors"), "Без благородных плиток")
def no_honors(held: Held) -> Groups:
    """Count a hand without winds and dragons. [MCR fan 76]"""
    return when(not held.has_honors)


@fan(Chapter.SETS, 63, 2, gettext_noop("All Chows"), "Все чоу", bars=(76,))
def all_chows(view: View) -> Groups:
    """Count a hand of chows alone, a knitted straight among them, without honors. [MCR fan 63]"""
    chows = len(view.chows) + (3 if view.form is Form.KNITTED_STRAIGHT else 0)
    return when(chows == 4 and not view.held.has_honors)


@fan(Chapter.TILES, 68, 2, gettext_noop("All Simples"), "Все плитки простые", implies=(76,))
def all_simples(held: Held) -> Groups:
    """Count a hand without terminals and honors. [MCR fan 68]"""
    return when(not held.kinds & NOT_SIMPLE)


@fan(Chapter.SETS, 55, 4, gettext_noop("Outside Hand"), "Внешняя рука")
def outside_hand(view: View) -> Groups:
    """Count a hand with a terminal or honor in each set and in the pair. [MCR fan 55]"""
    return when(
        view.pair in tiles.ORPHANS
        and all(pung in tiles.ORPHANS for pung in view.pungs)
        and all(chow % 9 in (0, 6) for chow in view.chows)
        and view.form is Form.REGULAR
    )


@fan(Chapter.PUNGS, 49, 6, gettext_noop("All Pungs"), "Все группы панги")
def all_pungs(view: View) -> Groups:
    """Count four pungs or kongs and a pair. [MCR fan 49]"""
    return when(len(view.pungs) == 4)


@fan(Chapter.TILES, 50, 6, gettext_noop("Half Flush"), "Пол-изобилия")
def half_flush(held: Held) -> Groups:
    """Count a hand of one suit and honors. [MCR fan 50]"""
    return when(held.suits == 1 and held.has_honors)


@fan(Chapter.TILES, 52, 6, gettext_noop("All Types"), "Все типы мастей")
def all_types(held: Held) -> Groups:
    """Count a hand with characters, bamboos, dots, winds and dragons. [MCR fan 52]"""
    return when(held.suits == 3 and all(held.kinds & kind for kind in FIVE_TYPES))


@fan(Chapter.TILES, 40, 8, gettext_noop("Reversible Tiles"), "Вертикально симметричные плитки", bars=(75,))
def reversible_tiles(held: Held) -> Groups:
    """Count a hand of tiles that look the same upside down. [MCR fan 40]"""
    return when(not held.kinds & NOT_REVERSIBLE)


@fan(Chapter.TILES, 36, 12, gettext_noop("Upper Four"), "Четыре верхних", bars=(76,))
def upper_four(held: Held) -> Groups:
    """Count a hand of the numbers 6 to 9. [MCR fan 36]"""
    return when(not held.kinds & NOT_UPPER_FOUR)


@fan(Chapter.TILES, 37, 12, gettext_noop("Lower Four"), "Четыре нижних", bars=(76,))
def lower_four(held: Held) -> Groups:
    """Count a hand of the numbers 1 to 4. [MCR fan 37]"""
    return when(not held.kinds & NOT_LOWER_FOUR)


@fan(Chapter.SETS, 31, 16, gettext_noop("All Fives"), "Все пятёрки", bars=(68,), implies=(76,))
def all_fives(view: View) -> Groups:
    """Count a hand with a five in each set and in the pair. [MCR fan 31]"""
    return when(
        view.pair in (4, 13, 22)
        and all(chow % 9 in (2, 3, 4) for chow in view.chows)
        and all(pung in (4, 13, 22) for pung in view.pungs)
        and view.form is Form.REGULAR
    )


@fan(Chapter.PUNGS, 21, 24, gettext_noop("All Even Pungs"), "Все чётные панги", bars=(49, 68), implies=(76,))
def all_even_pungs(view: View) -> Groups:
    """Count four pungs or kongs and a pair of even numbers. [MCR fan 21]"""
    return when(len(view.pungs) == 4 and not view.held.kinds & NOT_EVEN)


@fan(Chapter.TILES, 22, 24, gettext_noop("Full Flush"), "Полное изобилие", bars=(76,))
def full_flush(held: Held) -> Groups:
    """Count a hand of one suit. [MCR fan 22]"""
    return when(held.suits == 1 and not held.has_honors)


@fan(Chapter.TILES, 25, 24, gettext_noop("Upper Tiles"), "Верхние плитки", bars=(76,), implies=(36,))
def upper_tiles(held: Held) -> Groups:
    """Count a hand of the numbers 7, 8 and 9. [MCR fan 25]"""
    return when(not held.kinds & NOT_UPPER)


@fan(Chapter.TILES, 26, 24, gettext_noop("Middle Tiles"), "Средние плитки", bars=(68, 76))
def middle_tiles(held: Held) -> Groups:
    """Count a hand of the numbers 4, 5 and 6. [MCR fan 26]"""
    return when(not held.kinds & NOT_MIDDLE)


@fan(Chapter.TILES, 27, 24, gettext_noop("Lower Tiles"), "Нижние плитки", bars=(76,), implies=(37,))
def lower_tiles(held: Held) -> Groups:
    """Count a hand of the numbers 1, 2 and 3. [MCR fan 27]"""
    return when(not held.kinds & NOT_LOWER)


@fan(
    Chapter.TILES,
    18,
    32,
    gettext_noop("All Terminals and Honors"),
    "Все терминальные и благородные",
    bars=(49, 73),
    implies=(55,),
)
def all_terminals_and_honors(held: Held) -> Groups:
    """Count a hand of terminals and honors. [MCR fan 18]"""
    return when(not held.kinds & NOT_ORPHAN)


@fan(
    Chapter.TILES,
    8,
    64,
    gettext_noop("All Terminals"),
    "Все терминальные",
    bars=(49, 55, 73, 76),
    implies=(18,),
)
def all_terminals(held: Held) -> Groups:
    """Count a hand of terminals. [MCR fan 8] [RULES 8.19]"""
    return when(not held.kinds & NOT_TERMINAL)


@fan(Chapter.TILES, 11, 64, gettext_noop("All Honors"), "Все благородные", bars=(49, 55, 73), implies=(18,))
def all_honors(held: Held) -> Groups:
    """Count a hand of honors. [MCR fan 11]"""
    return when(not held.kinds & NOT_HONOR)


@fan(Chapter.TILES, 3, 88, gettext_noop("All Greens"), "Все зелёные")
def all_greens(held: Held) -> Groups:
    """Count a hand of green tiles; the full or half flush counts beside it. [MCR fan 3] [RULES 8.19]"""
    return when(not held.kinds & NOT_GREEN)


@fan(Chapter.AFTERWARDS, 43, 8, gettext_noop("Chicken Hand"), "Цыплячья рука")
def chicken_hand(points: int) -> Groups:
    """Count a hand that is worth nothing otherwise, flowers left out. [MCR fan 43]"""
    return when(points == 0)


def of_chapter(chapter: Chapter) -> tuple[tuple[int, Callable[[Any], Groups]], ...]:
    """List the numbers and functions of a chapter."""
    return tuple((row.number, row.finds) for row in FANS.values() if row.chapter is chapter)
