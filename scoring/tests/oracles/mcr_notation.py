"""Hands of sport mahjong as the tests write them: `(123m) [1111z] 45p 77z + 6p`.

Open sets stand in round brackets, concealed kongs in square ones, the rest is in hand; the winning tile comes last.
"""

import re

from scoring.systems.mcr.hand import HandValue, evaluate
from scoring.systems.mcr.views import Circumstances
from scoring.tiles.readings import SetKind
from scoring.tiles.tile import NUMBERS, parse_compact
from scoring.tiles.tile_hands import Declared, TileHand

SETS = re.compile(r"\(([^)]*)\)|\[([^]]*)\]")


def hand(text: str) -> TileHand:
    """Read a hand."""
    held, _, winning = text.partition("+")
    declared = tuple(_declared(match) for match in SETS.finditer(held))
    concealed = tuple(parse_compact(SETS.sub(" ", held).strip()))
    return TileHand(concealed, declared, parse_compact(winning.strip())[0])


def won(*flags: str, seat: str = "S", round_: str = "W", flowers: int = 0) -> Circumstances:
    """Return the circumstances: names of flags, winds by letter."""
    return Circumstances(
        **dict.fromkeys(flags, True), seat_wind=NUMBERS[seat], round_wind=NUMBERS[round_], flowers=flowers
    )


def value(text: str, *flags: str, seat: str = "S", round_: str = "W", flowers: int = 0) -> HandValue:
    """Value a hand; without flags it is won on a discard, by South in the round of West."""
    return evaluate(hand(text), won(*flags, seat=seat, round_=round_, flowers=flowers))


def fans(text: str, *flags: str, seat: str = "S", round_: str = "W") -> dict[int, int]:
    """Return the fans of a hand and how often each counts."""
    return {row.fan.number: row.count for row in value(text, *flags, seat=seat, round_=round_).fans}


def _declared(match: re.Match[str]) -> Declared:
    tiles = tuple(sorted(parse_compact(match[1] or match[2])))
    kind = SetKind.KONG if len(tiles) == 4 else SetKind.PUNG if len(set(tiles)) == 1 else SetKind.CHOW
    return Declared(kind, tiles, match[1] is not None)
