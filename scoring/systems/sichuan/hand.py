"""What a Sichuan hand is worth, why it is no win, what it waits for, and the most it could be worth."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from scoring.problems import Problem, gettext_noop
from scoring.systems.sichuan.fans import FANS, Circumstances, Fan, Found, Held
from scoring.systems.sichuan.law import Law
from scoring.tiles.readings import Reading, SetKind, regular, seven_pairs, waits
from scoring.tiles.tile import SUITED, suit, write
from scoring.tiles.tile_hands import Kit, TileHand


def kit() -> Kit:
    """Play with three suits; pungs and kongs may be claimed, chows not. [SBR 2.5.1] [WMSG 1.1] [WMSG 2.1] [WMSG 2.2]"""
    return Kit(tiles=SUITED, claims=(SetKind.PUNG, SetKind.KONG), kong_kinds=True)


KIT = kit()

NOWHERE = Circumstances()

FORBIDDEN_TILES = gettext_noop("The hand holds tiles of the forbidden suit: %(tiles)s.")
THREE_SUITS = gettext_noop("The hand holds tiles of three suits; a win may hold two at most.")
NO_FORM = gettext_noop("The tiles are neither four sets and a pair nor seven pairs.")
KONG_MISSING = gettext_noop("A win on a replacement tile needs a declared kong in the hand.")
ONLY_SELF_DRAW = gettext_noop("A win on a replacement tile is a self-draw; remove the discarder.")
ONLY_DISCARD = gettext_noop(
    "A win after a kong's discard or by robbing a kong needs the seat that declared the kong."
)
EITHER_KONG = gettext_noop("A tile is either discarded after a kong or added to one, not both.")
WALL_IS_NOT_EMPTY = gettext_noop(
    "When a kong was declared the wall was not empty: a robbed tile is not the last."
)
ROBBED_COPIES = gettext_noop(
    "The robbed kong holds the other three tiles %(tile)s; the winner cannot have one of them."
)


@dataclass(frozen=True)
class CountedFan:
    """A fan that the hand earns, how often, and the tiles that earn it each time."""

    fan: Fan
    found: Found

    @property
    def count(self) -> int:
        """Return how often the fan counts."""
        return len(self.found)

    @property
    def fans(self) -> int:
        """Return what the fan adds in all."""
        return self.fan.fans * len(self.found)


@dataclass(frozen=True)
class Value:
    """A winning hand in its best reading: its fans, their sum before the cap, and its base points."""

    reading: Reading
    fans: tuple[CountedFan, ...]
    fan_sum: int
    base: int

    @property
    def by_name(self) -> dict[str, int]:
        """Return the fans that each name adds."""
        return {counted.fan.name: counted.fans for counted in self.fans}


@dataclass(frozen=True)
class WaitingValue:
    """What a hand without its winning tile waits for, and the most it could be worth."""

    waits: tuple[int, ...]
    best: Value | None

    @property
    def is_waiting(self) -> bool:
        """Return whether any tile would make the hand a win."""
        return bool(self.waits)


def readings(counted: Sequence[int], hand: TileHand, winning_tile: int) -> list[Reading]:
    """Read the tiles as four sets and a pair and as seven pairs. [SBR 2.6.1.1] [WMSG 3.1] [RULES 8.8]"""
    found = regular(counted, hand.melds, winning_tile)
    return found if hand.declared else found + seven_pairs(counted, winning_tile, identical_pairs=True)


def value(
    hand: TileHand, law: Law, *, came: Circumstances = NOWHERE, forbidden_suit: int | None = None
) -> Value | None:
    """Return the hand in the reading that is best for the player, or nothing when it is no win.

    Fans of different readings never mix. [SBR 2.5.8.5]
    """
    tile, held = hand.winning_tile, hand.all_tiles
    if tile is None or not _is_of_two_suits(held, forbidden_suit):
        return None
    return _best(readings(hand.counted, hand, tile), hand, held, law, came)


def why_no_win(hand: TileHand, law: Law, forbidden_suit: int | None = None) -> list[Problem]:
    """List why the hand does not win: its suits, its form. [SBR 2.6.1.1] [SBR 2.6.1.2] [WMSG 3.1] [WMSG 3.2]"""
    problems: list[Problem] = []
    clause = law.clauses["suits"]
    forbidden = sorted({tile for tile in hand.all_tiles if suit(tile) == forbidden_suit})
    if forbidden:
        shown = {"tiles": " ".join(map(write, forbidden))}
        problems.append(Problem("forbidden_suit", FORBIDDEN_TILES, "hand", clause, shown))
    elif not _is_of_two_suits(hand.all_tiles, forbidden_suit):
        problems.append(Problem("three_suits", THREE_SUITS, "hand", clause))
    if hand.winning_tile is None or not readings(hand.counted, hand, hand.winning_tile):
        problems.append(Problem("no_form", NO_FORM, "hand", law.clauses["shape"]))
    return problems


def contradictions(hand: TileHand, came: Circumstances, law: Law) -> list[Problem]:
    """List where the way in which the tile came contradicts the tiles. [SBR 2.7.3.6 (7)] [SBR 2.7.3.6 (9)]"""
    problems: list[Problem] = []
    if came.replacement_win and all(meld.kind is not SetKind.KONG for meld in hand.declared):
        clause = law.clauses["replacement"]
        problems.append(Problem("outcome_conflict", KONG_MISSING, "win.replacement_win", clause))
    tile = hand.winning_tile
    if came.robbing_kong and tile is not None and hand.all_tiles.count(tile) > 1:
        clause, shown = law.clauses["robbed"], {"tile": write(tile)}
        problems.append(Problem("outcome_conflict", ROBBED_COPIES, "win.robbing_kong", clause, shown))
    return problems


def contradicting_ways(came: Circumstances, law: Law, *, self_drawn: bool | None) -> list[Problem]:
    """List where the ways in which the tile came contradict one another, or who gave it, where that is known.

    [SBR 2.5.7] [SBR 2.7.3.6 (7)] [SBR 2.7.3.6 (8)] [SBR 2.7.3.6 (9)]
    """
    by_draw, by_discard = self_drawn is True, self_drawn is False
    wrong = (
        (came.replacement_win and by_discard, "replacement_win", ONLY_SELF_DRAW, "replacement"),
        (came.discard_after_kong and by_draw, "discard_after_kong", ONLY_DISCARD, "discard_after_kong"),
        (came.robbing_kong and by_draw, "robbing_kong", ONLY_DISCARD, "discard_after_kong"),
        (came.robbing_kong and came.discard_after_kong, "robbing_kong", EITHER_KONG, "robbed"),
        (came.robbing_kong and came.last_tile, "wall_empty", WALL_IS_NOT_EMPTY, "no_kong_without_wall"),
    )
    return [
        Problem("outcome_conflict", sentence, f"win.{field}", law.clauses[clause])
        for is_wrong, field, sentence, clause in wrong
        if is_wrong
    ]


def waiting_value(hand: TileHand, law: Law, *, forbidden_suit: int | None = None) -> WaitingValue:
    """Return the waits of a hand and its highest theoretical value, however the tile would come.

    A tile of which four stand in hand is no wait; a fifth one is, when some of the four are declared.
    [SBR 2.7.4.2] [SBR 2.7.4.4] [WMSG 11.3] [RULES 8.13]
    """
    if not _is_of_two_suits(hand.all_tiles, forbidden_suit):
        return WaitingValue((), None)
    counted = hand.counted
    candidates = [tile for tile in sorted(SUITED) if counted[tile] < 4]
    values: dict[int, Value] = {}

    def win(held: Sequence[int], tile: int) -> bool:
        found = _won(held, hand, tile, law, forbidden_suit)
        if found:
            values[tile] = found
        return found is not None

    tiles = waits(counted, win, candidates)
    return WaitingValue(tuple(tiles), max(values.values(), key=lambda found: found.fan_sum, default=None))


def _won(
    held: Sequence[int], hand: TileHand, tile: int, law: Law, forbidden_suit: int | None
) -> Value | None:
    """Value the hand as if the tile had come, though it be the fifth of its kind."""
    everything = (*hand.all_tiles, tile)
    if not _is_of_two_suits(everything, forbidden_suit):
        return None
    return _best(readings(held, hand, tile), hand, everything, law, NOWHERE)


def _best(
    found: Sequence[Reading], hand: TileHand, held: Sequence[int], law: Law, came: Circumstances
) -> Value | None:
    if not found:
        return None
    kongs = frozenset(meld.tiles[0] for meld in hand.declared if meld.kind is SetKind.KONG)
    delayed = frozenset(meld.tiles[0] for meld in hand.declared if meld.kong == "delayed")
    tiles, declared = tuple(sorted(held)), len(hand.declared)
    values = [
        _valued(Held(reading, tiles, kongs, delayed, declared, came, law)) for reading in _different(found)
    ]
    return max(values, key=lambda valued: valued.fan_sum)


def _different(found: Sequence[Reading]) -> list[Reading]:
    """Leave one reading for each arrangement; the place of the winning tile changes no fan of Sichuan."""
    return [next(same) for _, same in groupby(found, key=_arrangement)]


def _arrangement(reading: Reading) -> int:
    # Readings of one arrangement share the very same tuple of sets; comparing its tiles would cost more than valuing it.
    return id(reading.sets)


def _valued(held: Held) -> Value:
    fans = tuple(CountedFan(fan, found) for fan in FANS if (found := fan.find(held)))
    fan_sum = sum(counted.fans for counted in fans)
    return Value(held.reading, fans, fan_sum, held.law.base(fan_sum))


def _is_of_two_suits(tiles: Sequence[int], forbidden_suit: int | None) -> bool:
    """Hold the tiles against the forbidden suit, or against two suits where it is not known. [SBR 2.6.1.2] [WMSG 3.2]"""
    suits = {tile // 9 for tile in tiles}
    return len(suits) <= 2 and forbidden_suit not in suits
