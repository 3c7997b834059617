"""Random winning hands of sport mahjong, repeatable from a seed: every form, declared sets, kongs and circumstances."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from scoring.systems.mcr.views import Circumstances
from scoring.tiles.readings import KNITTED_TILES, KNITTINGS, SetKind, TileSet
from scoring.tiles.tile import HONORS, ORPHANS, PLAYABLE, SUITED, TERMINALS, WINDS
from scoring.tiles.tile_hands import Declared, TileHand

FLAVOURS: tuple[frozenset[int], ...] = (
    PLAYABLE,
    SUITED,
    frozenset(range(9)),
    frozenset(range(9)) | HONORS,
    frozenset(range(18)),
    HONORS,
    ORPHANS,
    TERMINALS,
    frozenset(tile for tile in SUITED if tile % 9 in (0, 1, 2)),
    frozenset(tile for tile in SUITED if tile % 9 in (0, 1, 2, 3)),
    frozenset(tile for tile in SUITED if tile % 9 in (3, 4, 5)),
    frozenset(tile for tile in SUITED if tile % 9 in (5, 6, 7, 8)),
    frozenset(tile for tile in SUITED if tile % 9 in (1, 3, 5, 7)),
    frozenset(range(18, 27)) | {32},
    frozenset({9, 10, 11, 12, 13, 16, 17, 19, 21, 22, 23, 25, 26, 33}),
    frozenset(tile for tile in SUITED if tile % 9 in (0, 1, 2, 6, 7, 8, 4)),
)
"""Tiles from which a hand is drawn, so that rare fans occur often enough."""


@dataclass(frozen=True)
class Drawn:
    """A hand and how it was won."""

    hand: TileHand
    win: Circumstances


def random_hands(seed: int, number: int) -> Iterator[Drawn]:
    """Draw so many legal winning hands."""
    random = Random(seed)
    for _ in range(number):
        yield random_hand(random)


def random_hand(random: Random) -> Drawn:
    """Draw one hand of a random form."""
    draw = random.choices(
        (_regular, _seven_pairs, _orphans, _knitted_honors, _knitted_straight, _gates, _ends, _plain),
        (76, 6, 1, 4, 7, 2, 2, 2),
    )[0]
    while True:
        tiles, melds = draw(random)
        every = Counter(tiles) + Counter(tile for meld in melds for tile in meld.tiles)
        if max(every.values()) <= 4:
            return _won(random, tiles, melds)


def _regular(random: Random) -> tuple[list[int], list[TileSet]]:
    flavour = random.choice(FLAVOURS)
    chowy = random.random()
    sets = [_random_set(random, flavour, chowy) for _ in range(4)]
    pair = random.choice(sorted(flavour))
    return _declared(random, sets, [pair, pair])


def _random_set(random: Random, flavour: frozenset[int], chowy: float) -> TileSet:
    chows = [tile for tile in flavour if tile % 9 < 7 and {tile + 1, tile + 2} <= flavour and tile < 25]
    if chows and random.random() < chowy:
        return TileSet(SetKind.CHOW, random.choice(sorted(chows)))
    return TileSet(SetKind.PUNG, random.choice(sorted(flavour)))


def _declared(random: Random, sets: list[TileSet], tiles: list[int]) -> tuple[list[int], list[TileSet]]:
    """Declare some of the sets, raise some pungs to kongs, and put the rest into the hand."""
    share = random.choice((0.0, 0.0, 0.4, 0.7, 1.0))
    kongs = random.choice((0.1, 0.1, 0.9))
    melds: list[TileSet] = []
    for formed in sets:
        if formed.kind is SetKind.PUNG and random.random() < kongs * 0.6:
            melds.append(TileSet(SetKind.KONG, formed.tile, random.random() < share))
        elif random.random() < share:
            melds.append(formed._replace(is_open=True))
        else:
            tiles = [*tiles, *formed.tiles]
    return tiles, melds


def _seven_pairs(random: Random) -> tuple[list[int], list[TileSet]]:
    flavour = sorted(random.choice(FLAVOURS))
    if len(flavour) == 9 and random.random() < 0.4:
        low = random.randrange(3)
        return [tile for tile in flavour[low : low + 7] for _ in range(2)], []
    pairs = random.choices(flavour, k=7)
    return pairs * 2, []


def _orphans(random: Random) -> tuple[list[int], list[TileSet]]:
    return [*ORPHANS, random.choice(sorted(ORPHANS))], []


def _knitted_honors(random: Random) -> tuple[list[int], list[TileSet]]:
    honors = random.randint(5, 7)
    knitted = random.choice(KNITTED_TILES)
    return random.sample(sorted(HONORS), honors) + random.sample(sorted(knitted), 14 - honors), []


def _knitted_straight(random: Random) -> tuple[list[int], list[TileSet]]:
    flavour = random.choice(FLAVOURS)
    pair = random.choice(sorted(flavour))
    tiles, melds = _declared(random, [_random_set(random, flavour, 0.5)], [pair, pair])
    return [*tiles, *(start + step for start in random.choice(KNITTINGS) for step in (0, 3, 6))], melds


def _gates(random: Random) -> tuple[list[int], list[TileSet]]:
    suit = random.choice((0, 9, 18))
    return [suit + at for at in (0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, random.randrange(9))], []


def _ends(random: Random) -> tuple[list[int], list[TileSet]]:
    """Draw two low and two high terminal chows of one or two suits, and a pair of fives."""
    one, other, third = random.sample((0, 9, 18), 3)
    if random.random() < 0.5:
        other = third = one
    chows = [TileSet(SetKind.CHOW, suit + start) for suit in (one, other) for start in (0, 6)]
    return _declared(random, chows, [third + 4] * 2)


def _plain(random: Random) -> tuple[list[int], list[TileSet]]:
    """Draw a hand that is next to nothing: unlike sets of three suits, mostly open, a pair of honors."""
    sets = [TileSet(SetKind.CHOW, 0), TileSet(SetKind.CHOW, 14), TileSet(SetKind.CHOW, 20)]
    pung = TileSet(SetKind.PUNG, random.choice((3, 10, 25)))
    tiles = [*random.choice(sets).tiles, *[random.choice(sorted(HONORS))] * 2]
    melds = [formed._replace(is_open=True) for formed in (*sets, pung) if not set(formed.tiles) <= set(tiles)]
    return tiles, melds


def _won(random: Random, tiles: list[int], melds: list[TileSet]) -> Drawn:
    """Choose the winning tile and circumstances that do not contradict the tiles."""
    tiles = random.sample(tiles, len(tiles))
    *concealed, winning_tile = tiles
    random.shuffle(melds)
    self_drawn = random.random() < 0.5
    every = [*tiles, *(tile for meld in melds for tile in meld.tiles)]
    rare = random.random() < 0.3
    robbing = rare and not self_drawn and every.count(winning_tile) == 1 and random.random() < 0.5
    replaced = rare and self_drawn and any(meld.kind is SetKind.KONG for meld in melds)
    win = Circumstances(
        self_drawn=self_drawn,
        last_of_kind=winning_tile not in concealed and rare and random.random() < 0.5,
        replacement_after_kong=replaced and random.random() < 0.5,
        robbing_kong=robbing,
        last_wall_tile=rare and not robbing and random.random() < 0.5,
        seat_wind=random.choice(sorted(WINDS)),
        round_wind=random.choice(sorted(WINDS)),
        flowers=random.choice((0, 0, 1, 3)),
    )
    return Drawn(TileHand(tuple(concealed), tuple(map(_lying, melds)), winning_tile), win)


def _lying(meld: TileSet) -> Declared:
    return Declared(meld.kind, meld.tiles, meld.is_open)
