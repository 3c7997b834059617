"""A winning hand in one of its readings, together with how it was won: all that a yaku may ask about."""

from collections.abc import Iterable
from dataclasses import dataclass

from scoring.tiles.readings import PAIR, Form, Reading, SetKind, TileSet
from scoring.tiles.tile import DRAGONS, EAST
from scoring.tiles.tile_hands import TileHand

FLAGS = (
    "riichi",
    "double_riichi",
    "ippatsu",
    "rinshan",
    "chankan",
    "haitei",
    "houtei",
    "tenhou",
    "chiihou",
    "renhou",
)
"""Circumstances of a win that the tiles do not show."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """How a hand was won: from the wall or not, the two winds as tiles, the flags, and the indicators shown."""

    self_draw: bool
    seat_wind: int
    round_wind: int
    flags: frozenset[str] = frozenset()
    indicators: tuple[int, ...] = ()
    ura_indicators: tuple[int, ...] = ()


def mask_of(tiles: Iterable[int]) -> int:
    """Return the kinds of tiles as a number with one bit for each."""
    mask = 0
    for tile in tiles:
        mask |= 1 << tile
    return mask


class View:
    """One reading of a hand, with what most yaku ask for worked out once."""

    __slots__ = (
        "chow_wait",
        "chows",
        "concealed_triples",
        "counted",
        "flags",
        "form",
        "has_melds",
        "how",
        "is_closed",
        "kinds",
        "kongs",
        "pair",
        "pair_worth",
        "reading",
        "triples",
        "winning_tile",
    )

    def __init__(self, hand: TileHand, how: Circumstances, reading: Reading, counted: list[int]) -> None:
        """Look at the hand in this reading; `counted` are the tiles in hand, which all readings share."""
        self.how = how
        self.flags = how.flags
        self.reading = reading
        self.form = reading.form
        self.pair = reading.pair
        self.counted = counted
        self.winning_tile: int = hand.winning_tile  # type: ignore[assignment]
        self.has_melds = bool(hand.declared)
        self._look_at_sets(reading)
        self.pair_worth = self._pair_worth()
        self.chow_wait = self._chow_wait(reading.completed_set)

    def _look_at_sets(self, reading: Reading) -> None:
        """Sort the sets by kind, and see which pungs and kongs are concealed.

        A pung that a discard completes is open although the hand may be closed. [RIICHI 4.1.1] [RIICHI 4.2]
        """
        chows: list[int] = []
        triples: list[int] = []
        kongs = concealed = kinds = 0
        taken = None if self.how.self_draw else reading.completed
        is_closed = True
        for index, (kind, tile, is_open) in enumerate(reading.sets):
            if is_open:
                is_closed = False
            if kind is SetKind.CHOW:
                chows.append(tile)
                kinds |= 7 << tile
                continue
            kinds |= 1 << tile
            if kind is not SetKind.PAIR:
                triples.append(tile)
                kongs += kind is SetKind.KONG
                concealed += not is_open and index != taken
        if self.form is Form.THIRTEEN_ORPHANS:
            kinds = mask_of(tile for tile, count in enumerate(self.counted) if count)
        elif reading.pair is not None:
            kinds |= 1 << reading.pair
        self.chows, self.triples, self.kongs = chows, triples, kongs
        self.concealed_triples, self.kinds, self.is_closed = concealed, kinds, is_closed

    @property
    def completes_pair(self) -> bool:
        """Return whether the winning tile completes the pair of a regular hand."""
        return self.reading.completed == PAIR

    def _chow_wait(self, formed: TileSet | None) -> str:
        """Name the wait for the chow that was completed: edge, closed, two_sided, or nothing for other waits."""
        if formed is None or formed.kind is not SetKind.CHOW:
            return ""
        place, start = self.winning_tile - formed.tile, formed.tile % 9
        if place == 1:
            return "closed"
        return "edge" if (start, place) in ((0, 2), (6, 0)) else "two_sided"

    def _pair_worth(self) -> int:
        """Count how often the pair is of value: a dragon, the seat wind, the round wind. [RIICHI 4.1.1]"""
        pair = self.pair
        if pair is None or pair < EAST:
            return 0
        return (pair in DRAGONS) + (pair == self.how.seat_wind) + (pair == self.how.round_wind)

    def sets_at(self, kinds: Iterable[SetKind], tiles: Iterable[int]) -> tuple[TileSet, ...]:
        """List the sets of some kinds at some tiles, for the explanation of a yaku."""
        kinds, tiles = tuple(kinds), tuple(tiles)
        return tuple(formed for formed in self.reading.sets if formed.kind in kinds and formed.tile in tiles)
