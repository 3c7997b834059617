"""Circumstances of a win that contradict one another or the tiles: as data, clause by clause."""

from collections.abc import Callable
from dataclasses import dataclass

from scoring.problems import Problem, gettext_noop
from scoring.systems.riichi.fans import title
from scoring.systems.riichi.view import Circumstances
from scoring.tiles.readings import SetKind
from scoring.tiles.tile import EAST, write
from scoring.tiles.tile_hands import TileHand

WALL_ONLY = gettext_noop("“%(flag)s” is only possible on a win from the wall.")
DISCARD_ONLY = gettext_noop("“%(flag)s” is only possible on a discard.")
TOGETHER = gettext_noop("“%(a)s” and “%(b)s” cannot occur together.")
IPPATSU_ALONE = gettext_noop("Ippatsu is only possible after riichi.")
CLOSED_NEEDED = gettext_noop("“%(yaku)s” needs a closed hand.")
EAST_ONLY = gettext_noop("“%(flag)s” is only possible for East.")
NOT_EAST = gettext_noop("“%(flag)s” is not possible for East.")
NO_MELDS = gettext_noop("“%(flag)s” is not possible with a declared set, not even a concealed kong.")
KONG_NEEDED = gettext_noop("A win after a kong needs a declared kong.")
ROBBED_HELD = gettext_noop("A robbed kong has all four tiles %(tile)s; the hand cannot hold another.")
TOO_MANY_INDICATORS = gettext_noop("There are at most five indicators of each sort.")
TOO_MANY_URA = gettext_noop("There are no more ura indicators than dora indicators.")
FIFTH_TILE = gettext_noop("With the indicators there are more than four tiles %(tile)s.")

FIRST_TURN = ("tenhou", "chiihou", "renhou")
CLAUSES = {
    "riichi": "RIICHI 3.3.14",
    "double_riichi": "RIICHI 3.3.14",
    "ippatsu": "RIICHI 3.3.14",
    "tenhou": "RIICHI 4.2.5",
    "chiihou": "RIICHI 4.2.5",
    "renhou": "RIICHI 4.2.4",
}

_FROM_THE_WALL = ("rinshan", "haitei", "tenhou", "chiihou")
_ON_A_DISCARD = ("chankan", "houtei", "renhou")
_APART = (
    ("rinshan", "ippatsu"),
    ("chankan", "houtei"),
    ("renhou", "chankan"),
    *(
        (first, other)
        for first in FIRST_TURN
        for other in ("riichi", "double_riichi", "ippatsu", "haitei", "houtei")
    ),
)
"""A kong breaks the go-around and needs a tile left in the wall; in the first turn nothing else has happened yet,
not even the pung to which a robbed tile is added."""


@dataclass(frozen=True)
class _Facts:
    """A hand and its circumstances under the check."""

    hand: TileHand
    how: Circumstances

    @property
    def is_open(self) -> bool:
        return any(meld.is_open for meld in self.hand.declared)


def problems(hand: TileHand, how: Circumstances) -> list[Problem]:
    """List everything about the circumstances that cannot be."""
    found: list[Problem] = []
    if how.flags:
        facts = _Facts(hand, how)
        for check in _CHECKS:
            found += check(facts)
    if how.indicators or how.ura_indicators:
        found += _indicators(hand, how)
    return found


def _from_where(facts: _Facts) -> list[Problem]:
    """After a kong, the last tile of the wall, heaven and earth are drawn; the others are discards. [RIICHI 4.2.1]"""
    wrong, sentence = (_ON_A_DISCARD, DISCARD_ONLY) if facts.how.self_draw else (_FROM_THE_WALL, WALL_ONLY)
    return [
        _conflict(flag, sentence, CLAUSES.get(flag, "RIICHI 4.2.1"), flag=title(flag))
        for flag in wrong
        if flag in facts.how.flags
    ]


def _apart(facts: _Facts) -> list[Problem]:
    """Check that a kong ends ippatsu; no kong is declared on the last tile; the first turn excludes what comes later.

    [RIICHI 3.4.1] [RIICHI 4.2.4]
    """
    flags = facts.how.flags
    if len(flags) < 2:
        return []
    return [
        _conflict(a, TOGETHER, CLAUSES.get(a, "RIICHI 3.4.1"), a=title(a), b=title(b))
        for a, b in _APART
        if a in flags and b in flags
    ]


def _riichi(facts: _Facts) -> list[Problem]:
    """Check that riichi needs a closed hand, ippatsu a riichi. [RIICHI 3.3.14]"""
    flags = facts.how.flags
    declared = [flag for flag in ("riichi", "double_riichi") if flag in flags]
    found = []
    if facts.is_open:
        found = [
            _conflict(flag, CLOSED_NEEDED, "RIICHI 3.3.14", code="closed_only", yaku=title(flag))
            for flag in declared
        ]
    if "ippatsu" in flags and not declared:
        found.append(_conflict("ippatsu", IPPATSU_ALONE, "RIICHI 3.3.14"))
    return found


def _first_turn(facts: _Facts) -> list[Problem]:
    """Heaven is for East, earth and man for the others, all without declared sets. [RIICHI 4.2.5] [RULES 8.28]"""
    found = []
    is_east = facts.how.seat_wind == EAST
    for flag in FIRST_TURN:
        if flag not in facts.how.flags:
            continue
        if is_east != (flag == "tenhou"):
            sentence = NOT_EAST if is_east else EAST_ONLY
            found.append(
                _conflict(
                    flag, sentence, "RULES 8.28" if flag == "renhou" else CLAUSES[flag], flag=title(flag)
                )
            )
        if facts.hand.declared:
            found.append(_conflict(flag, NO_MELDS, CLAUSES[flag], flag=title(flag)))
    return found


def _kongs(facts: _Facts) -> list[Problem]:
    """A replacement follows a kong; a robbed kong leaves no tile of its kind to others. [RIICHI 3.3.6] [RIICHI 4.2.1]"""
    hand, flags = facts.hand, facts.how.flags
    found = []
    if "rinshan" in flags and not any(meld.kind is SetKind.KONG for meld in hand.declared):
        found.append(_conflict("rinshan", KONG_NEEDED, "RIICHI 4.2.1"))
    if "chankan" in flags and hand.all_tiles.count(hand.winning_tile) > 1:
        tile = write(hand.winning_tile)  # type: ignore[arg-type]
        found.append(_conflict("chankan", ROBBED_HELD, "RIICHI 3.3.6", tile=tile))
    return found


_CHECKS: tuple[Callable[[_Facts], list[Problem]], ...] = (_from_where, _apart, _riichi, _first_turn, _kongs)


def _indicators(hand: TileHand, how: Circumstances) -> list[Problem]:
    """One indicator and one for each kong, four kongs at most; of each tile there are four. [RIICHI 2.7] [RIICHI 3.3.10]"""
    dora, ura = how.indicators, how.ura_indicators
    found = []
    if len(dora) > 5:
        found.append(
            Problem("indicators", TOO_MANY_INDICATORS, field="dora_indicators", clause="RIICHI 3.3.10")
        )
    if dora and len(ura) > len(dora):
        found.append(Problem("indicators", TOO_MANY_URA, field="ura_indicators", clause="RIICHI 3.3.14"))
    shown = (*dora, *ura)
    everything = hand.all_tiles + shown
    for tile in sorted(set(shown)):
        if everything.count(tile) > 4:
            details = {"tile": write(tile)}
            found.append(
                Problem(
                    "tile_copies", FIFTH_TILE, field="dora_indicators", clause="RIICHI 2.7", details=details
                )
            )
    return found


def _conflict(
    flag: str, sentence: str, clause: str, /, *, code: str = "flag_conflict", **details: object
) -> Problem:
    return Problem(code, sentence, field=f"win.{flag}", clause=clause, details=details)
