"""The yaku of EMA 2016: a function each, then the table with their han, and which yaku takes the place of which."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from scoring.problems import gettext_noop
from scoring.systems.riichi.view import View, mask_of
from scoring.tiles.readings import Form, SetKind, TileSet
from scoring.tiles.tile import (
    DRAGONS,
    GREEN,
    GREEN_DRAGON,
    HONORS,
    ORPHANS,
    RED,
    SUITS,
    TERMINALS,
    WHITE,
    WINDS,
)

Test = Callable[[View], bool]
Sets = Callable[[View], tuple[TileSet, ...]]

YAKUMAN_HAN = 13
"""What a yakuman counts; also the most that any hand counts. [RIICHI 4.2]"""

HONORS_MASK, ORPHANS_MASK = mask_of(HONORS), mask_of(ORPHANS)
NO_HONORS, NO_TERMINALS, NO_GREENS = ~HONORS_MASK, ~mask_of(TERMINALS), ~mask_of(GREEN)
SUIT_MASKS = tuple(mask_of(suit) for suit in SUITS)
NINE_GATES = (3, 1, 1, 1, 1, 1, 1, 1, 3)
TRIPLES = (SetKind.PUNG, SetKind.KONG)


@dataclass(frozen=True, slots=True)
class Yaku:
    """A yaku: its name in records, its name for people, its han in a closed and in an open hand, and its test.

    No han in an open hand means that the hand must be closed.
    """

    name: str
    title: str
    closed: int
    opened: int
    clause: str
    holds: Test
    sets: Sets | None = None
    is_yakuman: bool = False

    @property
    def is_closed_only(self) -> bool:
        """Return whether an open hand cannot have it."""
        return not self.opened


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A yaku that is not counted beside another one, and the clause that says so."""

    kept: str
    dropped: str
    clause: str


def riichi(view: View) -> bool:
    """A closed waiting hand was declared, with a bet of 1 000. [RIICHI 4.2.1]"""
    return "riichi" in view.flags


def double_riichi(view: View) -> bool:
    """Riichi was declared in the player's very first turn, before any claim. [RIICHI 4.2.1] [RULES 8.28]"""
    return "double_riichi" in view.flags


def ippatsu(view: View) -> bool:
    """The win came within the first unbroken go-around after riichi. [RIICHI 4.2.1] [RIICHI 3.3.14]"""
    return "ippatsu" in view.flags


def menzen_tsumo(view: View) -> bool:
    """A closed hand was won from the wall. [RIICHI 4.2.1]"""
    return view.how.self_draw


def pinfu(view: View) -> bool:
    """Four chows, a pair without value, and a wait on two sides. [RIICHI 4.2.1]

    An open hand of this shape is no yaku, but has its own minipoints. [RIICHI 4.1.1]
    """
    return len(view.chows) == 4 and not view.pair_worth and view.chow_wait == "two_sided"


def iipeikou(view: View) -> bool:
    """Two identical chows in a closed hand. [RIICHI 4.2.1]"""
    return len(set(view.chows)) < len(view.chows)


def tanyao(view: View) -> bool:
    """No terminals and no honors; the hand may be open. [RIICHI 4.2.1] [RULES 8.28]"""
    return not view.kinds & ORPHANS_MASK


def sanshoku_doujun(view: View) -> bool:
    """Three chows of the same numbers, one in each suit. [RIICHI 4.2.1]"""
    chows = view.chows
    return any(low < 9 and low + 9 in chows and low + 18 in chows for low in chows)


def ittsu(view: View) -> bool:
    """Chows 1-2-3, 4-5-6 and 7-8-9 in one suit. [RULES 8.26]"""
    chows = view.chows
    return any(low % 9 == 0 and low + 3 in chows and low + 6 in chows for low in chows)


def haku(view: View) -> bool:
    """A pung or kong of the white dragon. [RIICHI 4.2.1]"""
    return WHITE in view.triples


def hatsu(view: View) -> bool:
    """A pung or kong of the green dragon. [RIICHI 4.2.1]"""
    return GREEN_DRAGON in view.triples


def chun(view: View) -> bool:
    """A pung or kong of the red dragon. [RIICHI 4.2.1]"""
    return RED in view.triples


def seat_wind(view: View) -> bool:
    """A pung or kong of the player's own wind. [RIICHI 4.2.1]"""
    return view.how.seat_wind in view.triples


def round_wind(view: View) -> bool:
    """A pung or kong of the wind of the round. [RIICHI 4.2.1]"""
    return view.how.round_wind in view.triples


def chanta(view: View) -> bool:
    """A terminal or an honor in each set and in the pair, with at least one chow. [RIICHI 4.2.1]"""
    return _outside(view, ORPHANS)


def rinshan(view: View) -> bool:
    """The winning tile replaced a kong; it counts as one from the wall. [RIICHI 4.2.1]"""
    return "rinshan" in view.flags


def chankan(view: View) -> bool:
    """The winning tile was being added to a pung by an opponent; it counts as a discard. [RIICHI 4.2.1]"""
    return "chankan" in view.flags


def haitei(view: View) -> bool:
    """The winning tile was the last of the wall. [RIICHI 4.2.1]"""
    return "haitei" in view.flags


def houtei(view: View) -> bool:
    """The winning tile was the last discard of the hand. [RIICHI 4.2.1]"""
    return "houtei" in view.flags


def chiitoitsu(view: View) -> bool:
    """Seven different pairs. [RIICHI 4.2.2]"""
    return view.form is Form.SEVEN_PAIRS


def sanshoku_doukou(view: View) -> bool:
    """Three pungs or kongs of the same number, one in each suit. [RIICHI 4.2.2]"""
    triples = view.triples
    return any(tile < 9 and tile + 9 in triples and tile + 18 in triples for tile in triples)


def sanankou(view: View) -> bool:
    """Three concealed pungs or kongs; the hand itself may be open. [RIICHI 4.2.2]"""
    return view.concealed_triples == 3


def sankantsu(view: View) -> bool:
    """Three kongs. [RIICHI 4.2.2]"""
    return view.kongs == 3


def toitoi(view: View) -> bool:
    """Four pungs or kongs and a pair. [RIICHI 4.2.2]"""
    return len(view.triples) == 4


def honitsu(view: View) -> bool:
    """Tiles of one suit together with honors. [RIICHI 4.2.2]"""
    return bool(view.kinds & HONORS_MASK) and _suits(view) == 1


def shousangen(view: View) -> bool:
    """Two pungs or kongs of dragons and a pair of the third; each of the two counts besides. [RIICHI 4.2.2]"""
    return view.pair in DRAGONS and _count_in(view, DRAGONS) == 2


def honroutou(view: View) -> bool:
    """Nothing but terminals and honors; all pungs or seven pairs count besides. [RIICHI 4.2.2]"""
    return not view.kinds & ~ORPHANS_MASK


def junchan(view: View) -> bool:
    """A terminal in each set and in the pair, with at least one chow. [RIICHI 4.2.2]"""
    return _outside(view, TERMINALS)


def ryanpeikou(view: View) -> bool:
    """Four chows, identical two by two, in a closed hand. [RIICHI 4.2.3]"""
    chows = sorted(view.chows)
    return len(chows) == 4 and chows[0] == chows[1] and chows[2] == chows[3]


def chinitsu(view: View) -> bool:
    """Tiles of one suit and no honors. [RIICHI 4.2.4]"""
    return not view.kinds & HONORS_MASK and _suits(view) == 1


def renhou(view: View) -> bool:
    """A discard was won in the first unbroken go-around before the player's own turn. [RIICHI 4.2.4]

    It is added to other yaku. [RULES 8.28]
    """
    return "renhou" in view.flags


def kokushi(view: View) -> bool:
    """One of each terminal and honor, and one more of them. [RIICHI 4.2.5]"""
    return view.form is Form.THIRTEEN_ORPHANS


def chuuren(view: View) -> bool:
    """1-1-1-2-3-4-5-6-7-8-9-9-9 of one suit and one more of it; no kong. [RIICHI 4.2.5]"""
    if view.has_melds or view.kinds not in SUIT_MASKS:
        return False
    suit = SUITS[SUIT_MASKS.index(view.kinds)]
    return all(view.counted[tile] >= least for tile, least in zip(suit, NINE_GATES, strict=True))


def tenhou(view: View) -> bool:
    """East wins with the tiles as dealt. [RIICHI 4.2.5]"""
    return "tenhou" in view.flags


def chiihou(view: View) -> bool:
    """A win from the wall in the first unbroken go-around. [RIICHI 4.2.5]"""
    return "chiihou" in view.flags


def suuankou(view: View) -> bool:
    """Four concealed pungs or kongs; on a discard only with a wait for the pair. [RIICHI 4.2.5]"""
    return view.concealed_triples == 4


def suukantsu(view: View) -> bool:
    """Four kongs. [RIICHI 4.2.5]"""
    return view.kongs == 4


def ryuuiisou(view: View) -> bool:
    """Green dragons and bamboos 2, 3, 4, 6, 8 alone. [RIICHI 4.2.5]"""
    return not view.kinds & NO_GREENS


def chinroutou(view: View) -> bool:
    """Terminals alone. [RIICHI 4.2.5]"""
    return not view.kinds & NO_TERMINALS


def tsuuiisou(view: View) -> bool:
    """Honors alone. [RIICHI 4.2.5]"""
    return not view.kinds & NO_HONORS


def daisangen(view: View) -> bool:
    """Three pungs or kongs of dragons. [RIICHI 4.2.5]"""
    return _count_in(view, DRAGONS) == 3


def shousuushii(view: View) -> bool:
    """Three pungs or kongs of winds and a pair of the fourth. [RIICHI 4.2.5]"""
    return view.pair in WINDS and _count_in(view, WINDS) == 3


def daisuushii(view: View) -> bool:
    """Four pungs or kongs of winds. [RIICHI 4.2.5]"""
    return _count_in(view, WINDS) == 4


def title(name: str) -> str:
    """Return the name for people, or the code where it is not known."""
    return BY_NAME[name].title if name in BY_NAME else BONUSES.get(name, name)


def _suits(view: View) -> int:
    """Count the suits in the hand."""
    return sum(1 for mask in SUIT_MASKS if view.kinds & mask)


def _count_in(view: View, tiles: frozenset[int]) -> int:
    return sum(1 for tile in view.triples if tile in tiles)


def _outside(view: View, ends: frozenset[int]) -> bool:
    """Return whether each set and the pair has one of the end tiles, and there is a chow."""
    if not view.chows or view.pair not in ends:
        return False
    if any(low % 9 not in (0, 6) for low in view.chows):
        return False
    return all(tile in ends for tile in view.triples)


def _twice(view: View) -> tuple[TileSet, ...]:
    """Show the identical chows."""
    return view.sets_at((SetKind.CHOW,), [low for low in view.chows if view.chows.count(low) > 1][:1])


def _three_suits(view: View) -> tuple[TileSet, ...]:
    low = next(low for low in view.chows if low < 9 and {low + 9, low + 18} <= set(view.chows))
    return view.sets_at((SetKind.CHOW,), (low, low + 9, low + 18))


def _straight(view: View) -> tuple[TileSet, ...]:
    low = next(low for low in view.chows if low % 9 == 0 and {low + 3, low + 6} <= set(view.chows))
    return view.sets_at((SetKind.CHOW,), (low, low + 3, low + 6))


def _three_numbers(view: View) -> tuple[TileSet, ...]:
    low = next(tile for tile in view.triples if tile < 9 and {tile + 9, tile + 18} <= set(view.triples))
    return view.sets_at(TRIPLES, (low, low + 9, low + 18))


def _concealed(view: View) -> tuple[TileSet, ...]:
    taken = None if view.how.self_draw else view.reading.completed
    return tuple(
        formed
        for index, formed in enumerate(view.reading.sets)
        if formed.kind in TRIPLES and not formed.is_open and index != taken
    )


def _kongs(view: View) -> tuple[TileSet, ...]:
    return tuple(formed for formed in view.reading.sets if formed.kind is SetKind.KONG)


def _triples_of(*tiles: int) -> Sets:
    return lambda view: view.sets_at(TRIPLES, tiles)


def _seat_wind_set(view: View) -> tuple[TileSet, ...]:
    return view.sets_at(TRIPLES, (view.how.seat_wind,))


def _round_wind_set(view: View) -> tuple[TileSet, ...]:
    return view.sets_at(TRIPLES, (view.how.round_wind,))


def _yakuman(name: str, title: str, opened: int, holds: Test, sets: Sets | None = None) -> Yaku:
    return Yaku(
        name, title, YAKUMAN_HAN, opened and YAKUMAN_HAN, "RIICHI 4.2.5", holds, sets, is_yakuman=True
    )


_ = gettext_noop
YAKU: tuple[Yaku, ...] = (
    Yaku("riichi", _("Riichi"), 1, 0, "RIICHI 4.2.1", riichi),
    Yaku("double_riichi", _("Double riichi"), 2, 0, "RIICHI 4.2.1", double_riichi),
    Yaku("ippatsu", _("Ippatsu"), 1, 0, "RIICHI 4.2.1", ippatsu),
    Yaku("menzen_tsumo", _("Fully concealed hand (menzen tsumo)"), 1, 0, "RIICHI 4.2.1", menzen_tsumo),
    Yaku("pinfu", _("Pinfu"), 1, 0, "RIICHI 4.2.1", pinfu),
    Yaku("iipeikou", _("Pure double chow (iipeikou)"), 1, 0, "RIICHI 4.2.1", iipeikou, _twice),
    Yaku("ryanpeikou", _("Twice pure double chow (ryanpeikou)"), 3, 0, "RIICHI 4.2.3", ryanpeikou),
    Yaku("tanyao", _("All simples (tanyao)"), 1, 1, "RIICHI 4.2.1", tanyao),
    Yaku("haku", _("Pung of white dragons (haku)"), 1, 1, "RIICHI 4.2.1", haku, _triples_of(WHITE)),
    Yaku("hatsu", _("Pung of green dragons (hatsu)"), 1, 1, "RIICHI 4.2.1", hatsu, _triples_of(GREEN_DRAGON)),
    Yaku("chun", _("Pung of red dragons (chun)"), 1, 1, "RIICHI 4.2.1", chun, _triples_of(RED)),
    Yaku("seat_wind", _("Pung of the seat wind"), 1, 1, "RIICHI 4.2.1", seat_wind, _seat_wind_set),
    Yaku("round_wind", _("Pung of the round wind"), 1, 1, "RIICHI 4.2.1", round_wind, _round_wind_set),
    Yaku("chanta", _("Outside hand (chanta)"), 2, 1, "RIICHI 4.2.1", chanta),
    Yaku("junchan", _("Terminals in all sets (junchan)"), 3, 2, "RIICHI 4.2.2", junchan),
    Yaku(
        "sanshoku_doujun",
        _("Mixed triple chow (sanshoku doujun)"),
        2,
        1,
        "RIICHI 4.2.1",
        sanshoku_doujun,
        _three_suits,
    ),
    Yaku(
        "sanshoku_doukou",
        _("Triple pung (sanshoku doukou)"),
        2,
        2,
        "RIICHI 4.2.2",
        sanshoku_doukou,
        _three_numbers,
    ),
    Yaku("ittsu", _("Pure straight (ittsu)"), 2, 1, "RULES 8.26", ittsu, _straight),
    Yaku("chiitoitsu", _("Seven pairs (chiitoitsu)"), 2, 0, "RIICHI 4.2.2", chiitoitsu),
    Yaku("toitoi", _("All pungs (toitoi)"), 2, 2, "RIICHI 4.2.2", toitoi),
    Yaku("sanankou", _("Three concealed pungs (sanankou)"), 2, 2, "RIICHI 4.2.2", sanankou, _concealed),
    Yaku("sankantsu", _("Three kongs (sankantsu)"), 2, 2, "RIICHI 4.2.2", sankantsu, _kongs),
    Yaku("honitsu", _("Half flush (honitsu)"), 3, 2, "RIICHI 4.2.2", honitsu),
    Yaku("chinitsu", _("Full flush (chinitsu)"), 6, 5, "RIICHI 4.2.4", chinitsu),
    Yaku(
        "shousangen",
        _("Little three dragons (shousangen)"),
        2,
        2,
        "RIICHI 4.2.2",
        shousangen,
        _triples_of(*sorted(DRAGONS)),
    ),
    Yaku("honroutou", _("All terminals and honors (honroutou)"), 2, 2, "RIICHI 4.2.2", honroutou),
    Yaku("rinshan", _("After a kong (rinshan)"), 1, 1, "RIICHI 4.2.1", rinshan),
    Yaku("chankan", _("Robbing a kong (chankan)"), 1, 1, "RIICHI 4.2.1", chankan),
    Yaku("haitei", _("Under the sea, from the wall (haitei)"), 1, 1, "RIICHI 4.2.1", haitei),
    Yaku("houtei", _("Under the sea, on a discard (houtei)"), 1, 1, "RIICHI 4.2.1", houtei),
    Yaku("renhou", _("Blessing of man (renhou)"), 5, 0, "RIICHI 4.2.4", renhou),
    _yakuman("kokushi", _("Thirteen orphans (kokushi)"), 0, kokushi),
    _yakuman("chuuren", _("Nine gates (chuuren)"), 0, chuuren),
    _yakuman("tenhou", _("Blessing of heaven (tenhou)"), 0, tenhou),
    _yakuman("chiihou", _("Blessing of earth (chiihou)"), 0, chiihou),
    _yakuman("suuankou", _("Four concealed pungs (suuankou)"), 0, suuankou, _concealed),
    _yakuman("suukantsu", _("Four kongs (suukantsu)"), 1, suukantsu, _kongs),
    _yakuman("ryuuiisou", _("All green (ryuuiisou)"), 1, ryuuiisou),
    _yakuman("chinroutou", _("All terminals (chinroutou)"), 1, chinroutou),
    _yakuman("tsuuiisou", _("All honors (tsuuiisou)"), 1, tsuuiisou),
    _yakuman("daisangen", _("Big three dragons (daisangen)"), 1, daisangen, _triples_of(*sorted(DRAGONS))),
    _yakuman(
        "shousuushii", _("Little four winds (shousuushii)"), 1, shousuushii, _triples_of(*sorted(WINDS))
    ),
    _yakuman("daisuushii", _("Big four winds (daisuushii)"), 1, daisuushii, _triples_of(*sorted(WINDS))),
)
BONUSES: dict[str, str] = {"dora": _("Dora"), "ura_dora": _("Ura dora")}
"""What is added to a hand that has a yaku, and is none itself. [RIICHI 4.1]"""

BY_NAME: dict[str, Yaku] = {yaku.name: yaku for yaku in YAKU}
EXCLUSIONS: tuple[Exclusion, ...] = (
    Exclusion("double_riichi", "riichi", "RULES 8.28"),
    Exclusion("ryanpeikou", "iipeikou", "RIICHI 4.2.3"),
    Exclusion("junchan", "chanta", "RIICHI 4.2.2"),
)
"""What a stronger yaku takes the place of; besides, a yakuman takes the place of all that is none. [RIICHI 4.2]"""

DOUBLED: Mapping[str, Test] = {
    "suuankou": lambda view: view.completes_pair,
    "kokushi": lambda view: view.counted[view.winning_tile] == 2,
    "chuuren": lambda view: view.counted[view.winning_tile] in (2, 4),
    "daisuushii": lambda view: True,
}
"""Yakuman that count twice where double ones do, and when: the wait for the pair, for thirteen or for nine tiles. [RULES 9.33]"""

LIABILITY = frozenset({"daisangen", "daisuushii"})
"""The yakuman for which the player who gave the last open set answers. [RIICHI 3.3.9]"""

_FLAGS = {"riichi", "double_riichi", "ippatsu", "rinshan", "chankan", "haitei", "houtei"}
_FLAGS |= {"renhou", "tenhou", "chiihou"}
_CHOWS = {"pinfu", "iipeikou", "ryanpeikou", "chanta", "junchan", "sanshoku_doujun", "ittsu"}
_TRIPLES = {"sanshoku_doukou", "toitoi", "sanankou", "sankantsu", "suuankou", "suukantsu"}
_HONORS = {"haku", "hatsu", "chun", "seat_wind", "round_wind", "shousangen", "honitsu"}
_HONORS |= {"kokushi", "tsuuiisou", "daisangen", "shousuushii", "daisuushii"}


@cache
def candidates(
    is_closed: bool, has_flags: bool, has_chows: bool, has_triples: bool, has_honors: bool
) -> tuple[tuple[Yaku, ...], tuple[Yaku, ...]]:
    """List the yakuman and the other yaku that such a hand can have at all, so that few are asked one by one."""
    lacking: set[str] = set()
    for has, names in (
        (has_flags, _FLAGS),
        (has_chows, _CHOWS),
        (has_triples, _TRIPLES),
        (has_honors, _HONORS),
    ):
        if not has:
            lacking |= names
    possible = [yaku for yaku in YAKU if (is_closed or yaku.opened) and yaku.name not in lacking]
    yakuman = tuple(yaku for yaku in possible if yaku.is_yakuman)
    return yakuman, tuple(yaku for yaku in possible if not yaku.is_yakuman)
