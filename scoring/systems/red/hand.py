"""What a winning hand of Red mahjong is worth: its best reading, every fan with its combinations, and the cap."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from scoring.problems import Problem, gettext_noop
from scoring.systems.red.fans import FANS, FLOWER, Combination, Combinations, Fan, View
from scoring.systems.red.law import Law
from scoring.tiles.readings import Form, TileSet, arrangements, chaotic, is_regular, joker_arrangements
from scoring.tiles.tile import JOKER
from scoring.tiles.tile_hands import TileHand

NO_WIN = gettext_noop("The tiles are neither four sets and a pair nor the chaotic hand.")
JOKER_CLAIMED = gettext_noop("A discarded joker cannot be claimed.")

MOST_FLOWERS = 8


@dataclass(frozen=True, slots=True)
class Counted:
    """A fan that counts, and the combinations of sets that make it: one for each time it is counted."""

    fan: Fan
    points_each: int
    combinations: tuple[Combination, ...]

    @property
    def count(self) -> int:
        """Return how often the fan is counted. [RED scoring 2]"""
        return len(self.combinations)

    @property
    def points(self) -> int:
        """Return what the fan brings in all."""
        return self.points_each * self.count

    @property
    def clause(self) -> str:
        """Return the row of the table."""
        return self.fan.clause


@dataclass(frozen=True, slots=True)
class Value:
    """The value of a hand in its best reading. `total` is all fans, `points` what the cap leaves of them."""

    view: View
    fans: tuple[Counted, ...]
    total: int
    points: int

    @property
    def without_flowers(self) -> int:
        """Return the value of all fans but the flowers, uncapped: what the minimum asks for. [RED scoring 4]"""
        return sum(counted.points for counted in self.fans if counted.fan.number != FLOWER)


def evaluate(hand: TileHand, law: Law, flowers: int = 0, *, is_discard: bool = False) -> Value | None:
    """Value a hand in the best of its readings, or give nothing when it is no win.

    [RED win 1] [RED counting 6] [RULES 8.25]
    """
    if why_never(hand, is_discard=is_discard):
        return None
    best, most = None, -1
    for view in views(hand, flowers):
        found = [(fan, made) for fan in FANS if (made := fan.find(view))]
        total = _total(found, law)
        if total > most:
            best, most = (view, found), total
    if best is None:
        return None
    view, found = best
    counted = tuple(Counted(fan, law.points(fan.number), tuple(made)) for fan, made in found)
    return Value(view, counted, most, law.capped(most))


def _total(found: Sequence[tuple[Fan, Combinations]], law: Law) -> int:
    """Add up the fans, each as often as there are combinations. [RED scoring 2]"""
    return sum(law.points(fan.number) * len(made) for fan, made in found)


def why_never(hand: TileHand, *, is_discard: bool) -> Problem | None:
    """Return why the hand is no win whatever its shape: a discarded joker is nobody's. [RED jokers 2]"""
    if is_discard and hand.winning_tile == JOKER:
        return Problem("no_win", JOKER_CLAIMED, field="hand.winning_tile", clause="RED jokers 2")
    return None


def why_no_win(hand: TileHand, *, is_discard: bool = False) -> Problem:
    """Return why a hand that has no value is no win. [RED winning hand 4]"""
    shapeless = Problem("no_win", NO_WIN, field="hand", clause="RED winning hand 4")
    return why_never(hand, is_discard=is_discard) or shapeless


def views(hand: TileHand, flowers: int = 0) -> Iterator[View]:
    """Read the hand in every way: four sets and a pair, or the chaotic hand. [RED winning hand 2] [RED winning hand 3]"""
    counted, jokers = hand.counted, hand.jokers
    for declared in _meanings(hand):
        for sets, pair in _split(counted, jokers):
            yield View(Form.REGULAR, sets + declared, pair, flowers)
    if not hand.declared and chaotic(counted, jokers):
        yield View(Form.CHAOTIC, (), None, flowers)


def _meanings(hand: TileHand) -> Iterator[tuple[TileSet, ...]]:
    """List what the declared sets can stand for; jokers in them leave a choice. [RED jokers 4] [RULES 8.25]"""
    yield from product(*(meld.sets for meld in hand.declared))


def _split(counted: list[int], jokers: int) -> Sequence[tuple[tuple[TileSet, ...], int | None]]:
    """Split the tiles in hand; a joker is any tile, but never all of a set.

    [RED jokers 1] [RED jokers 3] [RED jokers 5]
    """
    if jokers:
        return joker_arrangements(counted, jokers)
    return arrangements(counted) if is_regular(counted) else ()
