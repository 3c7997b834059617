"""What a winning hand is worth: its best reading, every yaku in it, what was dropped and why, minipoints and limit."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scoring.problems import Problem, Refusal, gettext_noop
from scoring.systems.riichi import circumstances
from scoring.systems.riichi.fans import (
    BONUSES,
    DOUBLED,
    EXCLUSIONS,
    HONORS_MASK,
    YAKU,
    YAKUMAN_HAN,
    Yaku,
    candidates,
)
from scoring.systems.riichi.fu import Minipoints, minipoints, rounded
from scoring.systems.riichi.limits import BASES, EMA_LIMITS, MOST_HAN, Limits, YakumanCount
from scoring.systems.riichi.view import Circumstances, View
from scoring.tiles.readings import Reading, TileSet, is_regular, regular, seven_pairs, thirteen_orphans
from scoring.tiles.tile import EAST, GREEN_DRAGON, KINDS, NORTH, RED, SUITS, WHITE
from scoring.tiles.tile_hands import Kit, TileHand

KIT = Kit()
"""136 tiles, four of each kind, no flowers, no red fives. [RIICHI 2.4]"""

NO_WIN = gettext_noop("The tiles are not four sets and a pair, seven different pairs or thirteen orphans.")
NO_YAKU = gettext_noop("The hand has no yaku; at least one is needed to win.")

DROP_OPEN = gettext_noop("It needs a closed hand.")
DROP_WEAKER = gettext_noop("It is contained in a stronger yaku.")
DROP_YAKUMAN = gettext_noop("Nothing is added to a yakuman.")
DROP_NO_RIICHI = gettext_noop("Ura dora count only for a player who declared riichi.")


@dataclass(frozen=True, slots=True)
class Counted:
    """A yaku (or dora) that counts: its han, its clause, and the sets that make it; no sets mean the whole hand."""

    name: str
    han: int
    clause: str
    sets: tuple[TileSet, ...] = ()


@dataclass(frozen=True, slots=True)
class Dropped:
    """A yaku that the tiles show but that does not count, with the reason and its clause."""

    name: str
    reason: str
    clause: str


@dataclass(frozen=True, slots=True)
class Value:
    """The value of a hand in one reading: its yaku, the dora added to them, minipoints, limit and base.

    `han` is at most 13; `fu` is None for a yakuman. `base` is what the payments are reckoned from.
    """

    view: View
    kept: tuple[Yaku, ...]
    dora: int
    ura_dora: int
    han: int
    fu: int | None
    limit: str
    base: int
    minipoints: tuple[Minipoints, ...]

    @property
    def reading(self) -> Reading:
        """Return the reading that was taken."""
        return self.view.reading

    @property
    def is_yakuman(self) -> bool:
        """Return whether the hand is a yakuman."""
        return self.kept[0].is_yakuman

    @property
    def times(self) -> int:
        """Count the yakuman that are paid, 1 for any other hand."""
        return self.base // BASES["yakuman"] if self.is_yakuman else 1

    @property
    def yaku(self) -> tuple[Counted, ...]:
        """List what counts: the yaku with their sets, then dora and ura dora. [RIICHI 4.1]"""
        counted = [_counted(yaku, self.view) for yaku in self.kept]
        if not self.is_yakuman:
            worth = {"dora": self.dora, "ura_dora": self.ura_dora}
            counted += [Counted(name, worth[name], "RIICHI 4.1") for name in BONUSES if worth[name]]
        return tuple(counted)

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """List what the hand shows but does not count, each with the clause that drops it."""
        names = {yaku.name for yaku in self.kept}
        shown = [yaku for yaku in YAKU if yaku.name not in names and yaku.holds(self.view)]
        found = [_why_dropped(yaku, self.view, names) for yaku in shown]
        if self.is_yakuman and self.dora:
            found.append(Dropped("dora", DROP_YAKUMAN, "RIICHI 4.2"))
        if self.view.how.ura_indicators and not _is_riichi(self.view.how):
            found.append(Dropped("ura_dora", DROP_NO_RIICHI, "RIICHI 3.3.14"))
        return tuple(found)


def evaluate(hand: TileHand, how: Circumstances, limits: Limits = EMA_LIMITS) -> Value:
    """Value a winning hand in its best reading, or refuse it with every reason. [RIICHI 3.4.9] [RIICHI 4.1]"""
    problems = circumstances.problems(hand, how)
    if problems:
        raise Refusal(*problems)
    views = views_of(hand, how)
    if not views:
        raise Refusal(Problem("no_win", NO_WIN, field="hand", clause="RIICHI 3.2"))
    dora, ura_dora = bonuses(hand, how)
    worths = [_worth(view, dora + ura_dora, limits) for view in views]
    best = worths[0] if len(worths) == 1 else max(worths, key=_rank)
    if not best.yaku:
        raise Refusal(Problem("no_yaku", NO_YAKU, field="hand", clause="RIICHI 3.2"))
    return _value(best, dora, ura_dora, limits)


def views_of(hand: TileHand, how: Circumstances) -> list[View]:
    """Look at the hand in each of its readings."""
    counted = hand.counted
    readings = _readings(counted, hand.melds, hand.winning_tile)  # type: ignore[arg-type]
    return [View(hand, how, reading, counted) for reading in readings]


def yaku_of(view: View) -> list[Yaku]:
    """List the yaku that count in a reading: its yakuman, or else all others. [RIICHI 4.2]"""
    has_honors = bool(view.kinds & HONORS_MASK)
    yakuman, others = candidates(
        view.is_closed, bool(view.flags), bool(view.chows), bool(view.triples), has_honors
    )
    found = [yaku for yaku in yakuman if yaku.holds(view)]
    if found:
        return found
    found = [yaku for yaku in others if yaku.holds(view)]
    if len(found) < 2:
        return found
    names = {yaku.name for yaku in found}
    dropped = [exclusion.dropped for exclusion in EXCLUSIONS if exclusion.kept in names]
    return [yaku for yaku in found if yaku.name not in dropped] if dropped else found


def bonuses(hand: TileHand, how: Circumstances) -> tuple[int, int]:
    """Count dora and, for a player in riichi, ura dora. [RIICHI 2.7] [RIICHI 3.3.14]"""
    if not how.indicators and not how.ura_indicators:
        return 0, 0
    tiles = hand.all_tiles
    dora = sum(tiles.count(indicated(tile)) for tile in how.indicators)
    ura = how.ura_indicators if _is_riichi(how) else ()
    return dora, sum(tiles.count(indicated(tile)) for tile in ura)


def indicated(indicator: int) -> int:
    """Return the dora of an indicator: the next number, wind or dragon, going round. [RIICHI 2.7]"""
    return _INDICATED[indicator]


def _readings(counted: list[int], melds: Sequence[TileSet], winning_tile: int) -> list[Reading]:
    """List every way in which the tiles make a win: sets and a pair, seven pairs, thirteen orphans. [RIICHI 3.2]"""
    found = regular(counted, melds, winning_tile) if is_regular(counted) else []
    if not melds:
        found = found + seven_pairs(counted, winning_tile)
        if not found:
            found = thirteen_orphans(counted, winning_tile)
    return found


def _is_riichi(how: Circumstances) -> bool:
    return "riichi" in how.flags or "double_riichi" in how.flags


def _going_round() -> list[int]:
    cycles = [*SUITS, range(EAST, NORTH + 1), (RED, WHITE, GREEN_DRAGON)]
    following = [0] * KINDS
    for cycle in cycles:
        for at, tile in enumerate(cycle):
            following[tile] = cycle[(at + 1) % len(cycle)]
    return following


_INDICATED = _going_round()


class _Worth(NamedTuple):
    """A reading with its yaku and what they come to; `han` is not yet bounded."""

    view: View
    yaku: list[Yaku]
    minipoints: list[Minipoints]
    base: int
    han: int
    fu: int


def _worth(view: View, bonus: int, limits: Limits) -> _Worth:
    """Reckon one reading: the han of its yaku and the dora, its minipoints, its base. [RIICHI 4.1]"""
    yaku = yaku_of(view)
    if not yaku:
        return _Worth(view, yaku, [], -1, 0, 0)
    if yaku[0].is_yakuman:
        times = times_of(yaku, view, limits)
        return _Worth(view, yaku, [], BASES["yakuman"] * times, YAKUMAN_HAN * len(yaku), 0)
    found = minipoints(view)
    fu = rounded(found)
    is_closed, han = view.is_closed, bonus
    for one in yaku:
        han += one.closed if is_closed else one.opened
    return _Worth(view, yaku, found, limits.base(han, fu), han, fu)


def times_of(yaku: Sequence[Yaku], view: View, limits: Limits) -> int:
    """Count how many yakuman a hand is paid for. [RIICHI 4.2] [RULES 9.33]"""
    if limits.yakuman is YakumanCount.ONE:
        return 1
    doubled = limits.yakuman is YakumanCount.DOUBLE
    return sum(2 if doubled and one.name in DOUBLED and DOUBLED[one.name](view) else 1 for one in yaku)


def _rank(worth: _Worth) -> tuple[int, bool, int, int]:
    """Rank readings: the dearest is taken; of equals the yakuman, more han, more minipoints. [RIICHI 3.4.9]"""
    is_yakuman = bool(worth.yaku) and worth.yaku[0].is_yakuman
    return worth.base, is_yakuman, worth.han, worth.fu


def _value(best: _Worth, dora: int, ura_dora: int, limits: Limits) -> Value:
    """Return the value of the best reading; nothing counts more than 13 han. [RIICHI 4.2]"""
    is_yakuman = best.yaku[0].is_yakuman
    return Value(
        view=best.view,
        kept=tuple(best.yaku),
        dora=dora,
        ura_dora=ura_dora,
        han=min(best.han, MOST_HAN),
        fu=None if is_yakuman else best.fu,
        limit="yakuman" if is_yakuman else limits.name(best.han, best.fu),
        base=best.base,
        minipoints=tuple(best.minipoints),
    )


def _counted(yaku: Yaku, view: View) -> Counted:
    han = yaku.closed if view.is_closed else yaku.opened
    return Counted(yaku.name, han, yaku.clause, yaku.sets(view) if yaku.sets else ())


def _why_dropped(yaku: Yaku, view: View, kept: set[str]) -> Dropped:
    if yaku.is_closed_only and not view.is_closed:
        return Dropped(yaku.name, DROP_OPEN, yaku.clause)
    for exclusion in EXCLUSIONS:
        if exclusion.dropped == yaku.name and exclusion.kept in kept:
            return Dropped(yaku.name, DROP_WEAKER, exclusion.clause)
    return Dropped(yaku.name, DROP_YAKUMAN, "RIICHI 4.2")
