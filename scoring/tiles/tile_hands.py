"""Hands tile by tile: reading them from JSON or a record and checking them before anybody evaluates them.

A system says with a `Kit` which tiles and claims it knows; `read_tile_hand` then reads `{concealed, melds, winning_tile}`
and notes every problem at once: unknown or foreign tiles, wrong counts, a fifth copy, sets that are none.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from scoring.fields import Fields, as_written
from scoring.hands import Tiles
from scoring.problems import Problem, gettext_noop
from scoring.tiles.readings import CHOWS, SetKind, TileSet
from scoring.tiles.tile import JOKER, NUMBERS, PLAYABLE, counts, write

TILE_UNKNOWN = gettext_noop("There is no tile “%(tile)s”.")
TILE_FOREIGN = gettext_noop("The tile %(tile)s is not used in these rules.")
TOO_MANY_COPIES = gettext_noop("There are only %(copies)s tiles %(tile)s; the hand has %(count)s.")
WRONG_COUNT = gettext_noop(
    "With %(melds)s declared sets the hand has %(expected)s concealed tiles, not %(count)s."
)
TOO_MANY_SETS = gettext_noop("A hand has at most four declared sets, not %(count)s.")
NO_SET = gettext_noop("These tiles are no %(type)s: %(tiles)s.")
CLOSED_CLAIM = gettext_noop("Only a concealed kong lies closed; a declared chow or pung is open.")
KONG_CONTRADICTS = gettext_noop("A kong of the kind “%(kong)s” does not lie as the field “open” says.")
KONG_KIND_UNEXPECTED = gettext_noop("Only a kong has a kind of kong.")

SET_NAMES = {
    SetKind.CHOW: gettext_noop("chow"),
    SetKind.PUNG: gettext_noop("pung"),
    SetKind.KONG: gettext_noop("kong"),
}
KONG_KINDS = ("concealed", "open", "added", "delayed")


@dataclass(frozen=True)
class Kit:
    """What a system plays with: its tiles, the sets that may be declared, and whether kongs say how they came."""

    tiles: frozenset[int] = PLAYABLE
    claims: tuple[SetKind, ...] = (SetKind.CHOW, SetKind.PUNG, SetKind.KONG)
    kong_kinds: bool = False
    copies: int = 4


@dataclass(frozen=True)
class Declared:
    """A declared set as it lies on the table. With jokers it may stand for several sets; `sets` lists them all."""

    kind: SetKind
    tiles: tuple[int, ...]
    is_open: bool
    kong: str = ""

    @cached_property
    def sets(self) -> tuple[TileSet, ...]:
        """List the sets that the tiles can stand for: one, unless a joker leaves a choice; none when illegal."""
        return _possible_sets(self.kind, self.tiles, self.is_open)


@dataclass(frozen=True)
class TileHand:
    """A checked hand. `concealed` leaves out the winning tile and the declared sets; jokers stand among the tiles."""

    concealed: tuple[int, ...]
    declared: tuple[Declared, ...] = ()
    winning_tile: int | None = None

    @cached_property
    def melds(self) -> tuple[TileSet, ...]:
        """Return the declared sets, each in its first (without jokers: only) meaning."""
        return tuple(meld.sets[0] for meld in self.declared)

    @property
    def in_hand(self) -> tuple[int, ...]:
        """List the tiles in hand, the winning tile among them where there is one."""
        return self.concealed if self.winning_tile is None else (*self.concealed, self.winning_tile)

    @property
    def counted(self) -> list[int]:
        """Count the real tiles in hand, the winning tile among them: what `scoring.tiles.readings` asks for."""
        held = self.in_hand
        return counts([tile for tile in held if tile != JOKER] if JOKER in held else held)

    @property
    def jokers(self) -> int:
        """Count the jokers in hand; those in declared sets are not among them."""
        return self.in_hand.count(JOKER)

    @property
    def all_tiles(self) -> tuple[int, ...]:
        """List every tile of the hand, declared ones too."""
        return tuple(chain(self.in_hand, *(meld.tiles for meld in self.declared)))


def read_tile_hand(fields: Fields, kit: Kit, *, is_waiting: bool = False) -> TileHand | None:
    """Read a hand and note all its problems in `fields`; return it only when there are none.

    A waiting hand has no winning tile. Declared sets may be left out when there are none.
    """
    before = len(fields.problems)
    concealed = _read_tiles(fields, "concealed", fields.items("concealed"), kit)
    declared = [_read_meld(meld, kit) for meld in fields.objects("melds", needed=False)]
    winning = () if is_waiting else _read_tiles(fields, "winning_tile", [fields.text("winning_tile")], kit)
    if is_waiting and fields.raw.get("winning_tile") is None:
        fields.ignore("winning_tile")
    fields.finish()
    if len(fields.problems) > before:
        return None
    hand = TileHand(concealed, tuple(meld for meld in declared if meld), winning[0] if winning else None)
    _check_counts(fields, hand)
    _check_copies(fields, hand, kit)
    return None if len(fields.problems) > before else hand


def recorded_tile_hand(tiles: Tiles, kit: Kit, path: str, problems: list[Problem]) -> TileHand | None:
    """Check a hand from a record in the same way; records do not say how a kong came."""
    melds = [{"type": meld.type, "tiles": list(meld.tiles), "open": meld.open} for meld in tiles.melds]
    raw = {"concealed": list(tiles.concealed), "melds": melds, "winning_tile": tiles.winning_tile}
    return read_tile_hand(Fields(raw, path, problems), replace(kit, kong_kinds=False))


def _read_tiles(fields: Fields, name: str, raw: Sequence[object], kit: Kit) -> tuple[int, ...]:
    tiles: list[int] = []
    for value in raw:
        tile = NUMBERS.get(value) if isinstance(value, str) else None
        if tile is None:
            if value != "":
                fields.problem("tile_unknown", TILE_UNKNOWN, name, tile=as_written(value))
        elif tile not in kit.tiles:
            fields.problem("tile_foreign", TILE_FOREIGN, name, tile=value)
        else:
            tiles.append(tile)
    return tuple(tiles)


def _read_meld(fields: Fields, kit: Kit) -> Declared | None:
    kind = fields.choice("type", [str(claim) for claim in kit.claims])
    tiles = _read_tiles(fields, "tiles", raw := fields.items("tiles"), kit)
    is_open, kong = _read_manner(fields, kind, kit)
    fields.finish()
    if not kind or len(tiles) != len(raw):
        return None
    meld = Declared(SetKind(kind), tuple(sorted(tiles)), is_open, kong)
    if not meld.sets:
        fields.problem(
            "no_set", NO_SET, "tiles", type=SET_NAMES[meld.kind], tiles=" ".join(map(write, tiles))
        )
    if not is_open and kind != SetKind.KONG:
        fields.problem("closed_claim", CLOSED_CLAIM, "open")
    return meld


def _read_manner(fields: Fields, kind: str, kit: Kit) -> tuple[bool, str]:
    """Read whether a set lies open and how a kong came; where one is left out, the other tells it. [HANDS]"""
    is_open = fields.flag("open") if fields.has("open") or kind == SetKind.KONG else True
    if not kit.kong_kinds:
        return is_open, ""
    if kind != SetKind.KONG:
        if fields.has("kong"):
            fields.problem("kong_kind", KONG_KIND_UNEXPECTED, "kong")
        return is_open, ""
    kong = fields.choice("kong", KONG_KINDS, default=_kong_by_lie(fields, is_open))
    if not fields.has("open"):
        return kong != "concealed", kong
    if kong and (kong == "concealed") == is_open:
        fields.problem("kong_kind", KONG_CONTRADICTS, "open", kong=kong)
    return is_open, kong


def _kong_by_lie(fields: Fields, is_open: bool) -> str | None:
    """Name the kind of a kong by the way it lies, where that is told."""
    return ("open" if is_open else "concealed") if fields.has("open") else None


def _check_counts(fields: Fields, hand: TileHand) -> None:
    melds, count = len(hand.declared), len(hand.concealed)
    if melds > 4:
        fields.problem("tile_count", TOO_MANY_SETS, "melds", count=melds)
    elif count != 13 - 3 * melds:
        fields.problem(
            "tile_count", WRONG_COUNT, "concealed", melds=melds, expected=13 - 3 * melds, count=count
        )


def _check_copies(fields: Fields, hand: TileHand, kit: Kit) -> None:
    for tile, count in sorted(Counter(hand.all_tiles).items()):
        if count > kit.copies:
            fields.problem("tile_copies", TOO_MANY_COPIES, tile=write(tile), copies=kit.copies, count=count)


def _possible_sets(kind: SetKind, tiles: tuple[int, ...], is_open: bool) -> tuple[TileSet, ...]:
    """List the sets of a kind that these tiles, jokers among them, can stand for; at least one tile is real."""
    real = [tile for tile in tiles if tile != JOKER]
    if len(tiles) != (4 if kind is SetKind.KONG else 3) or not real:
        return ()
    if kind is not SetKind.CHOW:
        return (TileSet(kind, real[0], is_open),) if len(set(real)) == 1 else ()
    if len(set(real)) < len(real):
        return ()
    chows = [CHOWS[low] for low in range(max(real) - 2, min(real) + 1) if low in CHOWS]
    return tuple(chow._replace(is_open=is_open) for chow in chows if set(real) <= set(chow.tiles))
