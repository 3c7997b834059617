"""Random hands of sport mahjong, valued here and by PyMahjongGB: `python -m scoring.tests.oracles.mcr --hands 20000 --seed 1`.

Where the rulebook differs from that library, a difference below names the clause, and brings the library's fans over to the
rulebook before the two are compared. Whatever still differs then is a mistake of one of them.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from scoring.systems.mcr.fans import FANS
from scoring.systems.mcr.hand import HandValue, evaluate, every_value
from scoring.systems.mcr.views import Held
from scoring.tests.oracles.mcr_hands import Drawn, random_hands
from scoring.tiles.readings import Form, SetKind
from scoring.tiles.tile import EAST, RED, write_compact

try:
    from MahjongGB import MahjongFanCalculator
except ImportError:  # it needs a compiler; where it is missing nothing is compared
    MahjongFanCalculator = None

IS_HERE = MahjongFanCalculator is not None
NOT_HERE = (
    "PyMahjongGB is not installed, so no hand was compared with it (pip install -r requirements-ci.txt)"
)

Fans = Counter[int]
"""How often each fan counts, by its number."""

KINDS = {SetKind.CHOW: "CHI", SetKind.PUNG: "PENG", SetKind.KONG: "GANG"}
OTHER_NAMES = {
    "All Green": 3,
    "Quadruple Chow": 14,
    "Four Pure Shifted Chows": 16,
    "Three-Suited Terminal Chows": 29,
    "All Five": 31,
    "Robbing The Kong": 47,
    "Two Dragons Pungs": 54,
    "Fully Concealed Hand": 56,
    "Prevalent Wind": 60,
    "Seat Wind": 61,
    "Flower Tiles": 81,
}
BOTH_KONGS = "Concealed Kong and Melded Kong"
NUMBERS = {row.name: row.number for row in FANS.values()} | OTHER_NAMES
CHOW_PAIRS = (69, 70, 71, 72)


@dataclass(frozen=True)
class Difference:
    """A way in which the rulebook differs from the library: which clause says so, and what it makes of the fans."""

    clause: str
    bring_over: Callable[[Drawn, HandValue, Fans], None]


def kongs(drawn: Drawn) -> tuple[int, int]:
    """Count the open and the concealed kongs of a hand."""
    open_ones = [meld.is_open for meld in drawn.hand.melds if meld.kind is SetKind.KONG]
    return sum(open_ones), len(open_ones) - sum(open_ones)


def one_concealed_kong_among_several(drawn: Drawn, ours: HandValue, fans: Fans) -> None:
    """With three or four kongs, a single concealed one is counted by itself. [RULES 8.17]"""
    if sum(kongs(drawn)) > 2 and kongs(drawn)[1] == 1:
        fans[67] = 1


def fully_concealed_special_hands(drawn: Drawn, ours: HandValue, fans: Fans) -> None:
    """Special hands and Four Concealed Pungs from the wall are Fully Concealed, not Self-Drawn. [RULES 8.19]"""
    if drawn.win.self_drawn and any(fans[special] for special in (4, 6, 7, 12, 19, 20, 34)):
        fans[56], fans[80] = 1, 0


def seven_pairs_before_fives(drawn: Drawn, ours: HandValue, fans: Fans) -> None:
    """From the wall Seven Pairs are worth three more here than there, and then the better reading. [RULES 8.19]"""
    mine = our_fans(ours)
    if drawn.win.self_drawn and mine[19] and not fans[19] and points(mine) - 3 <= points(fans):
        fans.clear()
        fans.update(mine)


def knitted_straight_on_a_discard(drawn: Drawn, ours: HandValue, fans: Fans) -> None:
    """Knitted Straight is never a Concealed Hand. [RULES 8.18] [MCR fan 35]"""
    if fans[35]:
        fans[62] = 0


def green_half_flush(drawn: Drawn, ours: HandValue, fans: Fans) -> None:
    """All Greens combines with Half Flush. [RULES 8.19] [MCR fan 3]"""
    if fans[3] and any(tile >= EAST for tile in drawn.hand.all_tiles):
        fans[50] = 1


def nine_gates_without_pungs(drawn: Drawn, ours: HandValue, fans: Fans) -> None:
    """Nine Gates excludes fan 73 altogether. [RULES 8.19] [MCR fan 4]"""
    if fans[4]:
        fans[73] = 0


def terminals_in_two_suits(drawn: Drawn, ours: HandValue, fans: Fans) -> None:
    """All Terminals combines with Double Pung. [RULES 8.19] [MCR fan 8]"""
    if fans[8] and ours.reading.form is Form.REGULAR:
        suits = Counter(tile % 9 for _, tile, _ in ours.reading.sets)
        fans[65] = sum(number == 2 for number in suits.values())


DIFFERENCES = (
    Difference("RULES 8.17", one_concealed_kong_among_several),
    Difference("RULES 8.19", fully_concealed_special_hands),
    Difference("RULES 8.19", seven_pairs_before_fives),
    Difference("RULES 8.18", knitted_straight_on_a_discard),
    Difference("RULES 8.19", green_half_flush),
    Difference("RULES 8.19", nine_gates_without_pungs),
    Difference("RULES 8.19", terminals_in_two_suits),
)


@dataclass(frozen=True)
class Disagreement:
    """A hand that the two value differently although every known difference was brought over."""

    drawn: Drawn
    ours: Fans
    theirs: Fans

    def __str__(self) -> str:
        """Show the hand and what each has that the other lacks."""
        hand = self.drawn.hand
        melds = " ".join(
            f"{meld.kind}:{write_compact(meld.tiles)}{'' if meld.is_open else '!'}" for meld in hand.declared
        )
        tiles = f"{write_compact(hand.concealed)} + {write_compact(hand.in_hand[-1:])} [{melds}]"
        return f"{tiles} {self.drawn.win}: ours {self.ours - self.theirs}, theirs {self.theirs - self.ours}"


def disagreements(hands: Iterable[Drawn]) -> Iterator[Disagreement]:
    """List the hands on which the two do not agree; among readings of equal worth either may be named."""
    for drawn in hands:
        value = evaluate(drawn.hand, drawn.win)
        theirs = brought_over(drawn, value)
        if points(theirs) != value.total or merged(theirs) not in best_fans(drawn, value):
            yield Disagreement(drawn, our_fans(value), theirs)


def best_fans(drawn: Drawn, value: HandValue) -> list[Fans]:
    """List the fans of every reading of our highest value."""
    if merged(our_fans(value)) == merged(brought_over(drawn, value)):
        return [merged(our_fans(value))]
    hand = drawn.hand
    held = Held(hand.counted, hand.melds, hand.in_hand[-1], drawn.win)
    return [merged(our_fans(other)) for other in every_value(held) if other.points == value.points]


def our_fans(value: HandValue) -> Fans:
    """Return our fans by number."""
    return Counter({counted.fan.number: counted.count for counted in value.fans})


def brought_over(drawn: Drawn, ours: HandValue) -> Fans:
    """Return the library's fans in the rulebook's reading."""
    fans = their_fans(drawn)
    for difference in DIFFERENCES:
        difference.bring_over(drawn, ours, fans)
    return +fans


def points(fans: Fans) -> int:
    """Add up the values of the rulebook; two concealed kongs are 8 there, not 6. [RULES 8.17]"""
    return sum(FANS[number].value * count for number, count in fans.items())


def merged(fans: Fans) -> Fans:
    """Treat the one-point fans of two chows as one: which of them is named where only one may be is the player's choice."""
    merged = Counter({number: count for number, count in fans.items() if number not in CHOW_PAIRS})
    merged[CHOW_PAIRS[0]] = sum(fans[number] for number in CHOW_PAIRS)
    return +merged


def their_fans(drawn: Drawn) -> Fans:
    """Ask the library. One open and one concealed kong are fans 57 and 67 here. [RULES 8.17]"""
    hand, win = drawn.hand, drawn.win
    rows = MahjongFanCalculator(
        tuple(
            (KINDS[kind], name(tile + (kind is SetKind.CHOW)), int(is_open))
            for kind, tile, is_open in hand.melds
        ),
        tuple(map(name, hand.concealed)),
        name(hand.in_hand[-1]),
        win.flowers,
        win.self_drawn,
        win.last_of_kind,
        win.replacement_after_kong or win.robbing_kong,
        win.last_wall_tile,
        win.seat_wind - EAST,
        win.round_wind - EAST,
        True,
    )
    fans: Fans = Counter()
    for _, count, _, english in rows:
        fans.update([57, 67] if english == BOTH_KONGS else {NUMBERS[english]: count})
    return fans


def name(tile: int) -> str:
    """Name a tile as the library does."""
    if tile >= EAST:
        return f"J{tile - RED + 1}" if tile >= RED else f"F{tile - EAST + 1}"
    return f"{'WBT'[tile // 9]}{tile % 9 + 1}"


def main() -> int:
    """Compare as many hands as asked for; exit 1 when they disagree, 2 when there is nothing to compare with."""
    parser = argparse.ArgumentParser(description="Compare sport mahjong hands with PyMahjongGB.")
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    if not IS_HERE:
        sys.stderr.write(NOT_HERE + "\n")
        return 2
    found = list(disagreements(random_hands(wanted.seed, wanted.hands)))
    for disagreement in found[:20]:
        sys.stdout.write(f"{disagreement}\n")
    sys.stdout.write(f"{wanted.hands} hands, seed {wanted.seed}: {len(found)} disagreements\n")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
