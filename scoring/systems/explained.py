"""How a valued hand is explained: what every system's explanation is made of, and how tiles and sums are called."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from scoring.fields import Fields
from scoring.problems import Problem, gettext_noop
from scoring.seats import SEATS
from scoring.tiles.readings import Reading, TileSet
from scoring.tiles.tile import NUMBERS, write_compact
from scoring.tiles.tile_hands import Kit, TileHand, read_tile_hand


class Term(NamedTuple):
    """A fan that counts: its name, the tiles of each time it was found, what it adds in all, and its clause."""

    name: str
    made_of: tuple[str, ...]
    times: int
    points: int
    clause: str


class Omission(NamedTuple):
    """A fan that the tiles show and that does not count, with the reason and its clause."""

    name: str
    reason: str
    details: Mapping[str, object]
    clause: str


class Total(NamedTuple):
    """A figure of the hand: what it is, how much, and the clause by which it is less than the fans add up to."""

    label: str
    value: int | str
    clause: str = ""


@dataclass(frozen=True)
class Explanation:
    """The value of a winning hand in its best reading.

    `payment` says who pays what; `reasons` say why the hand may not be declared although it is a win.
    """

    reading: tuple[str, ...]
    terms: tuple[Term, ...]
    omissions: tuple[Omission, ...]
    totals: tuple[Total, ...]
    payment: str = ""
    details: Mapping[str, object] = field(default_factory=dict)
    reasons: tuple[Problem, ...] = ()

    def total(self, label: str) -> int | str | None:
        """Return one of the figures by what it is, if the hand has it."""
        return next((one.value for one in self.totals if one.label == label), None)


# Reading


def read_hand(fields: Fields, kit: Kit) -> TileHand:
    """Read the tiles; where they cannot be read, the problems stand in the fields and nothing is valued."""
    return read_tile_hand(fields.inner("hand"), kit)  # type: ignore[return-value]


def read_flags(fields: Fields, known: Iterable[str]) -> frozenset[str]:
    """Read which circumstances of the win are marked."""
    return frozenset(name for name in known if fields.flag(name))


def read_wind(fields: Fields, name: str) -> int:
    """Read a wind as its tile."""
    return NUMBERS[fields.choice(name, SEATS, default="E") or "E"]


def refuse(fields: Fields, problems: Iterable[Problem]) -> None:
    """Refuse the hand if anything about it is wrong."""
    fields.finish()
    fields.problems.extend(problems)
    fields.refuse()


# Tiles in words


def sets_of(reading: Reading, hand: TileHand) -> tuple[str, ...]:
    """Name the sets and the pair; a hand that is not made of them alone is named tile by tile."""
    within = sum(len(one.tiles) for one in reading.sets) + (0 if reading.pair is None else 2)
    if within < len(hand.all_tiles):
        return (tiles_of(hand.all_tiles),)
    return (*map(set_name, reading.sets), *pair_of(reading.pair))


def pair_of(tile: int | None) -> tuple[str, ...]:
    """Write the pair, if there is one."""
    return () if tile is None else (write_compact([tile, tile]),)


def set_name(one: TileSet) -> str:
    """Write the tiles of a set."""
    return tiles_of(one.tiles)


def set_names(sets: Iterable[TileSet]) -> str:
    """Write several sets that make one fan."""
    return " + ".join(map(set_name, sets))


def tiles_of(tiles: Iterable[int]) -> str:
    """Write tiles in the compact notation."""
    return write_compact(tiles)


FANS = gettext_noop("Fans")
BASE_POINTS = gettext_noop("Base points")
WITHOUT_FLOWERS = gettext_noop("Points without flowers")
IN_ALL = gettext_noop("Points in all")
COUNTED = gettext_noop("Points after the limit")
HAN = gettext_noop("Han")
MINIPOINTS = gettext_noop("Fu")
LIMIT = gettext_noop("Limit")
DISCARDER_PAYS = gettext_noop("The discarder pays %(points)s.")
DISCARDER_AND_OTHERS = gettext_noop("The discarder pays %(points)s, each other player %(other)s.")
EACH_PAYS = gettext_noop("Every other player pays %(points)s.")
EAST_AND_OTHERS = gettext_noop("East pays %(dealer)s, each other player %(other)s.")
SHORT = gettext_noop("At least %(least)s points without flowers are needed to win; the hand has %(points)s.")
DROPPED_BY = gettext_noop("not counted beside “%(fan)s”")
