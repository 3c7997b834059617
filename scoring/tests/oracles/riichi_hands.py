"""Random winning riichi hands with their circumstances: every yaku, every kind of declared set, every flag."""

from dataclasses import dataclass
from random import Random

from scoring.systems.riichi.view import Circumstances
from scoring.tiles.readings import CHOWS, SetKind
from scoring.tiles.tile import (
    DRAGONS,
    EAST,
    GREEN,
    HONORS,
    KINDS,
    NUMBERS,
    ORPHANS,
    PLAYABLE,
    SIMPLES,
    SOUTH,
    SUITS,
    TERMINALS,
    WINDS,
    parse_compact,
)
from scoring.tiles.tile_hands import Declared, TileHand

ENDS = ORPHANS | {1, 2, 6, 7, 10, 11, 15, 16, 19, 20, 24, 25}
"""Tiles of sets that touch an end."""


def declared(text: str) -> Declared:
    """Declare a set: `123m`, `555z`, `7777p` (all open), `-1111s` (a concealed kong)."""
    held = tuple(parse_compact(text.removeprefix("-")))
    kind = SetKind.KONG if len(held) == 4 else SetKind.PUNG if held[0] == held[1] else SetKind.CHOW
    return Declared(kind, held, not text.startswith("-"))


def hand(concealed: str, tile: str, melds: str = "") -> TileHand:
    """Build a hand from compact notation; honors are E S W N Wh G R = 1z to 7z."""
    return TileHand(tuple(parse_compact(concealed)), tuple(map(declared, melds.split())), NUMBERS[tile])


def won(
    by: str = "ron", seat: str = "S", wind: str = "E", *flags: str, dora: str = "", ura: str = ""
) -> Circumstances:
    """Say how a hand was won: `ron` or `tsumo`, the two winds, the flags, the indicators in compact notation."""
    shown, below = tuple(parse_compact(dora)), tuple(parse_compact(ura))
    return Circumstances(by == "tsumo", NUMBERS[seat], NUMBERS[wind], frozenset(flags), shown, below)


@dataclass(frozen=True)
class Case:
    """A winning hand and how it was won."""

    hand: TileHand
    how: Circumstances


def random_case(random: Random) -> Case:
    """Make a hand that wins by shape; it may lack a yaku."""
    while True:
        hand = random.choices((_regular, _seven_pairs, _orphans, _nine_gates), (90, 6, 2, 2))[0](random)
        if hand is not None:
            return Case(hand, _circumstances(random, hand))


def _theme(random: Random) -> tuple[frozenset[int], float]:
    """Choose the tiles to build from, and how often sets are chows."""
    suit = frozenset(random.choice(SUITS))
    low = random.randrange(7)
    numbers = frozenset(low + step + base for base in (0, 9, 18) for step in (0, 1, 2))
    return random.choices(
        (
            (PLAYABLE, 0.6),
            (SIMPLES, 0.7),
            (suit, 0.7),
            (suit | HONORS, 0.5),
            (ENDS, 0.6),
            (ORPHANS, 0.0),
            (TERMINALS, 0.0),
            (HONORS, 0.0),
            (GREEN, 0.4),
            (numbers, 0.8),
            (numbers, 0.1),
            (DRAGONS | suit, 0.3),
            (WINDS | suit, 0.2),
            (PLAYABLE, 0.0),
            (PLAYABLE, 1.0),
        ),
        (20, 12, 8, 8, 8, 3, 1, 1, 3, 8, 6, 6, 5, 8, 8),
    )[0]


def _regular(random: Random) -> TileHand | None:
    tiles, chows = _theme(random)
    left = [4] * KINDS
    sets = [_set(random, tiles, left, chows) for _ in range(4)]
    pairs = [tile for tile in tiles if left[tile] >= 2]
    if None in sets or not pairs:
        return None
    pair = random.choice(sorted(pairs))
    is_open = random.random() < 0.45
    declared, concealed = [], [pair, pair]
    for kind, held in sets:  # type: ignore[misc]
        if kind is SetKind.KONG:
            declared.append(Declared(kind, held, is_open and random.random() < 0.5))
        elif is_open and random.random() < 0.5:
            declared.append(Declared(kind, held, True))
        else:
            concealed += held
    return _won(random, concealed, declared)


def _set(
    random: Random, tiles: frozenset[int], left: list[int], chows: float
) -> tuple[SetKind, tuple[int, ...]] | None:
    if random.random() < chows:
        choice = [low for low, chow in CHOWS.items() if all(t in tiles and left[t] for t in chow.tiles)]
        kind, size = SetKind.CHOW, 1
    else:
        size = random.choices((3, 4), (80, 20))[0]
        choice = [tile for tile in sorted(tiles) if left[tile] >= size]
        kind = SetKind.KONG if size == 4 else SetKind.PUNG
    if not choice:
        return None
    low = random.choice(choice)
    held = CHOWS[low].tiles if kind is SetKind.CHOW else (low,) * size
    for tile in held:
        left[tile] -= 1
    return kind, held


def _seven_pairs(random: Random) -> TileHand | None:
    tiles = sorted(_theme(random)[0])
    return _won(random, [t for t in random.sample(tiles, 7) for _ in "ab"], []) if len(tiles) >= 7 else None


def _orphans(random: Random) -> TileHand:
    return _won(random, [*ORPHANS, random.choice(sorted(ORPHANS))], [])


def _nine_gates(random: Random) -> TileHand:
    suit = random.choice(SUITS)
    return _won(random, [*suit, suit[0], suit[0], suit[8], suit[8], random.choice(suit)], [])


def _won(random: Random, concealed: list[int], declared: list[Declared]) -> TileHand:
    random.shuffle(concealed)
    random.shuffle(declared)
    return TileHand(tuple(concealed[:-1]), tuple(declared), concealed[-1])


def _circumstances(random: Random, hand: TileHand) -> Circumstances:
    self_draw = random.random() < 0.5
    seat_wind = random.randrange(EAST, EAST + 4)
    flags = _flags(random, hand, self_draw, seat_wind)
    wall = [tile for tile in range(KINDS) for _ in range(4 - hand.all_tiles.count(tile))]
    random.shuffle(wall)
    kongs = sum(meld.kind is SetKind.KONG for meld in hand.declared)
    shown = 1 + kongs
    ura = tuple(wall[shown : 2 * shown]) if flags & {"riichi", "double_riichi"} else ()
    return Circumstances(self_draw, seat_wind, random.choice((EAST, SOUTH)), flags, tuple(wall[:shown]), ura)


def _flags(random: Random, hand: TileHand, self_draw: bool, seat_wind: int) -> frozenset[str]:
    flags: set[str] = set()
    is_closed = not any(meld.is_open for meld in hand.declared)
    if not hand.declared and random.random() < 0.04:
        if self_draw:
            return frozenset({"tenhou" if seat_wind == EAST else "chiihou"})
        if seat_wind != EAST:
            return frozenset({"renhou"})
    if is_closed and random.random() < 0.5:
        flags.add("riichi" if random.random() < 0.9 else "double_riichi")
        if random.random() < 0.3:
            flags.add("ippatsu")
    has_kong = any(meld.kind is SetKind.KONG for meld in hand.declared)
    if self_draw:
        if has_kong and "ippatsu" not in flags and random.random() < 0.3:
            flags.add("rinshan")
        if random.random() < 0.08:
            flags.add("haitei")
    elif random.random() < 0.08 and hand.all_tiles.count(hand.winning_tile) == 1:
        flags.add("chankan")
    elif random.random() < 0.08 and "ippatsu" not in flags:
        flags.add("houtei")
    return frozenset(flags)
