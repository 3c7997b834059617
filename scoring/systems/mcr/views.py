"""What the fans look at: the tiles and the way of winning once a hand, the sets and the pair once a reading."""

from collections.abc import Iterable
from dataclasses import dataclass

from scoring.systems.mcr.waits import is_lone_wait
from scoring.tiles.readings import PAIR, Form, Reading, SetKind, TileSet
from scoring.tiles.tile import EAST, RED, SUITS

Groups = tuple[int, ...]
"""The occurrences of a fan: for each the sets it is made of, bit 0 for the first set of the reading."""

PAIR_BIT = 1 << 7
EVERYTHING = (1 << 8) - 1
NONE: Groups = ()
WHOLE: Groups = (EVERYTHING,)


def bits(tiles: Iterable[int]) -> int:
    """Write a set of tiles as a number with a bit for each."""
    return sum(1 << tile for tile in frozenset(tiles))


SUIT_BITS = tuple(bits(suit) for suit in SUITS)
HONOR_BITS = bits(range(EAST, RED + 3))


@dataclass(frozen=True, slots=True)
class Circumstances:
    """How a hand was won: what the tiles alone do not tell. Winds are tiles."""

    self_drawn: bool = False
    last_of_kind: bool = False
    replacement_after_kong: bool = False
    robbing_kong: bool = False
    last_wall_tile: bool = False
    seat_wind: int = EAST
    round_wind: int = EAST
    flowers: int = 0


class Held:
    """The tiles of a winning hand and how it was won; the same for each of its readings."""

    __slots__ = (
        "counted",
        "has_honors",
        "is_concealed",
        "kinds",
        "melds",
        "quadruplets",
        "shown",
        "suits",
        "win",
        "winning_tile",
    )

    def __init__(
        self, counted: list[int], melds: tuple[TileSet, ...], winning_tile: int, win: Circumstances
    ) -> None:
        """Take the counts in hand with the winning tile, the declared sets, and the circumstances."""
        self.counted = counted
        self.melds = melds
        self.winning_tile = winning_tile
        self.win = win
        every = counted if not melds else _with_melds(counted, melds)
        kinds = 0
        for tile, count in enumerate(every):
            if count:
                kinds |= 1 << tile
        self.kinds = kinds
        self.suits = sum(1 for suit in SUIT_BITS if kinds & suit)
        self.has_honors = kinds & HONOR_BITS != 0
        self.shown = every[winning_tile] - counted[winning_tile]
        """How many copies of the winning tile lie in declared sets; a kong has none left."""
        self.is_concealed = not any(meld[2] for meld in melds)
        self.quadruplets = _without_kongs(every, melds) if 4 in every else ()

    @property
    def waiting(self) -> list[int]:
        """Count the tiles in hand before the winning tile came."""
        before = list(self.counted)
        before[self.winning_tile] -= 1
        return before


class View:
    """One reading of a hand, its sets sorted by kind."""

    __slots__ = (
        "chow_at",
        "chows",
        "concealed_kongs",
        "concealed_pungs",
        "dragon_pungs",
        "form",
        "held",
        "open_kongs",
        "pair",
        "pung_at",
        "pungs",
        "reading",
        "terminal_pungs",
        "wind_pungs",
    )

    def __init__(self, held: Held, reading: Reading) -> None:
        """Sort the sets of the reading by kind, once."""
        self.held = held
        self.reading = reading
        self.form, sets, self.pair, completed = reading
        chows: list[tuple[int, int]] = []
        pungs: list[tuple[int, int]] = []
        self.concealed_pungs = self.concealed_kongs = self.open_kongs = 0
        self.dragon_pungs = self.wind_pungs = self.terminal_pungs = 0
        claimed = None if held.win.self_drawn else completed
        for at, (kind, tile, is_open) in enumerate(sets):
            if kind is SetKind.CHOW:
                chows.append((tile, at))
            elif kind is SetKind.PUNG or kind is SetKind.KONG:
                pungs.append((tile, at))
                self._sort_pung(1 << at, kind, tile, is_open or at == claimed)
        self.chows, self.chow_at = _apart(chows)
        self.pungs, self.pung_at = _apart(pungs)

    def _sort_pung(self, bit: int, kind: SetKind, tile: int, is_open: bool) -> None:
        if not is_open:
            self.concealed_pungs |= bit
        if kind is SetKind.KONG:
            if is_open:
                self.open_kongs |= bit
            else:
                self.concealed_kongs |= bit
        if tile >= RED:
            self.dragon_pungs |= bit
        elif tile >= EAST:
            self.wind_pungs |= bit
        elif tile % 9 in (0, 8):
            self.terminal_pungs |= bit

    @property
    def is_lone_wait(self) -> bool:
        """Return whether the hand waited for one tile only. [RULES 8.16]"""
        before = self.held.waiting
        if self.form is Form.KNITTED_STRAIGHT:
            for knitted in self.reading.sets[:3]:
                for tile in knitted.tiles:
                    before[tile] -= 1
        return is_lone_wait(before, self.held.winning_tile)

    @property
    def completed_chow(self) -> int | None:
        """Return the lowest tile of the chow that the winning tile completes."""
        completed = self.reading.completed_set
        return completed.tile if completed and completed.kind is SetKind.CHOW else None

    @property
    def completed_bit(self) -> int:
        """Return the set or pair that the winning tile completes, as a bit; nothing where it completes neither."""
        completed = self.reading.completed
        if completed is None:
            return 0
        return PAIR_BIT if completed == PAIR else 1 << completed

    @property
    def completes_pair(self) -> bool:
        """Return whether the winning tile completes the pair."""
        return self.reading.completed == PAIR

    def sets_with(self, tile: int) -> int:
        """Return the sets and the pair in which a tile stands, as bits."""
        found = PAIR_BIT if self.pair == tile else 0
        for at, formed in enumerate(self.reading.sets):
            if tile in formed.tiles:
                found |= 1 << at
        return found

    def pung_of(self, tile: int) -> Groups:
        """Return the pung or kong of a tile, if there is one."""
        if tile not in self.pungs:
            return NONE
        return (1 << self.pung_at[self.pungs.index(tile)],)


def singly(sets: int) -> Groups:
    """Count each of the sets for itself."""
    return tuple(1 << at for at in range(7) if sets >> at & 1)


def _apart(placed: list[tuple[int, int]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Put sets in the order of their tiles, and tell the tiles from the places."""
    if len(placed) < 2:
        return ((placed[0][0],), (placed[0][1],)) if placed else ((), ())
    placed.sort()
    tiles, places = zip(*placed, strict=True)
    return tiles, places


def _without_kongs(counted: list[int], melds: tuple[TileSet, ...]) -> tuple[int, ...]:
    kongs = {meld.tile for meld in melds if meld.kind is SetKind.KONG}
    return tuple(tile for tile, count in enumerate(counted) if count == 4 and tile not in kongs)


def _with_melds(counted: list[int], melds: tuple[TileSet, ...]) -> list[int]:
    every = list(counted)
    for kind, tile, _ in melds:
        if kind is SetKind.CHOW:
            every[tile] += 1
            every[tile + 1] += 1
            every[tile + 2] += 1
        else:
            every[tile] += 4 if kind is SetKind.KONG else 3
    return every
