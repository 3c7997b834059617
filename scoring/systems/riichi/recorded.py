"""A winner's recorded tiles against the declared value: they must be worth just that. [RIICHI 4.1]"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from scoring.problems import Problem, gettext_noop
from scoring.seats import SEATS
from scoring.systems.base import Situation
from scoring.systems.riichi import circumstances
from scoring.systems.riichi.declared import Declaration
from scoring.systems.riichi.fans import LIABILITY, YAKUMAN_HAN
from scoring.systems.riichi.fu import minipoints, rounded
from scoring.systems.riichi.hand import KIT, NO_WIN, times_of, views_of, yaku_of
from scoring.systems.riichi.limits import BASES, MOST_HAN, Limits, YakumanCount
from scoring.systems.riichi.view import FLAGS, Circumstances, View
from scoring.tiles.tile import DRAGONS, EAST, WINDS
from scoring.tiles.tile_hands import TileHand, recorded_tile_hand

WORTH = gettext_noop("The tiles are worth %(worth)s; declared is %(declared)s.")
YAKU_DIFFER = gettext_noop("The yaku of the tiles are %(yaku)s; written down are %(declared)s.")
NOT_LAID_OUT = gettext_noop(
    "Nobody is liable unless the last of those sets was claimed with the others declared."
)

_SETS_OF = {"daisangen": (DRAGONS, 3), "daisuushii": (WINDS, 4)}


def problems(declared: Declaration, at: Situation) -> Iterator[Problem]:
    """List why the recorded tiles cannot be worth what was declared."""
    wrong: list[Problem] = []
    hand = recorded_tile_hand(declared.winner.tiles, KIT, "tiles", wrong)  # type: ignore[arg-type]
    yield from wrong
    if hand is None:
        return
    how = circumstances_of(declared, at)
    contradictions = circumstances.problems(hand, how)
    yield from (Problem(p.code, p.sentence, "yaku", p.clause, p.details) for p in contradictions)
    views = views_of(hand, how)
    if not views:
        yield Problem("no_win", NO_WIN, field="tiles", clause="RIICHI 3.2")
    elif not contradictions:
        yield from _worth(declared, views, hand)
        yield from _liability(declared, views, hand)


def circumstances_of(declared: Declaration, at: Situation) -> Circumstances:
    """Return how the hand was won, as far as it is recorded: the winds, and the flags among the yaku. [RIICHI 2.1]"""
    named = declared.winner.yaku
    if named is None:
        flags = frozenset({"riichi"}) if declared.in_riichi else frozenset()
    else:
        flags = frozenset(name for name in named if name in FLAGS)
    seat_wind = (SEATS.index(declared.winner.seat) - SEATS.index(at.dealer)) % len(SEATS)
    round_wind = SEATS.index(at.round_wind)
    return Circumstances(not declared.is_discard, EAST + seat_wind, EAST + round_wind, flags)


def _worth(declared: Declaration, views: Sequence[View], hand: TileHand) -> Iterator[Problem]:
    if declared.winner.yaku is not None:
        yield from _worth_with_yaku(declared, views)
    elif not any(_agrees(declared, *worth) for worth in possible_worths(views, hand, declared.limits)):
        yield _differs(declared, *_best(views, 0, declared.limits))


def _worth_with_yaku(declared: Declaration, views: Sequence[View]) -> Iterator[Problem]:
    """With the yaku written down, dora are all that the tiles do not show. [RIICHI 4.1]

    Where two readings are worth the same, either may be written: three pungs in a row are three chows as well.
    """
    bonus = sum((declared.winner.yaku or {}).values()) - sum(declared.yaku.values())
    ranks = [_rank(_reckon(view, bonus, declared.limits), declared.limits) for view in views]
    best = [view for view, rank in zip(views, ranks, strict=True) if rank == max(ranks)]
    shown = [_shown_by(view) for view in best]
    if dict(declared.yaku) not in shown:
        details = {"yaku": _listed(shown[0]), "declared": _listed(declared.yaku)}
        yield Problem("payment_mismatch", YAKU_DIFFER, field="yaku", clause="RIICHI 4.1", details=details)
    elif not _agrees(declared, *_reckon(best[0], bonus, declared.limits)):
        yield _differs(declared, *_reckon(best[0], bonus, declared.limits))


def _shown_by(view: View) -> dict[str, int]:
    return {yaku.name: yaku.closed if view.is_closed else yaku.opened for yaku in yaku_of(view)}


def possible_worths(views: Sequence[View], hand: TileHand, limits: Limits) -> Iterator[tuple[bool, int, int]]:
    """Say what the tiles can be worth with so many han by dora and by how the hand was won. [RIICHI 3.4.9]"""
    for extra in range(MOST_HAN + 1):
        best = _best(views, extra, limits)
        if best[1]:
            yield best
    if views[0].how.self_draw and not hand.declared:
        is_yakuman, _, times = _best(views, 0, limits)
        adds_up = is_yakuman and limits.yakuman is not YakumanCount.ONE
        yield True, YAKUMAN_HAN, times + 1 if adds_up else 1


def _best(views: Sequence[View], extra: int, limits: Limits) -> tuple[bool, int, int]:
    return max((_reckon(view, extra, limits) for view in views), key=lambda worth: _rank(worth, limits))


def _reckon(view: View, extra: int, limits: Limits) -> tuple[bool, int, int]:
    """Return whether a reading is a yakuman, and its han and minipoints, or how many yakuman it is. [RIICHI 4.1] [RULES 9.33]"""
    yaku = yaku_of(view)
    if yaku and yaku[0].is_yakuman:
        return True, YAKUMAN_HAN, times_of(yaku, view, limits)
    han = sum(one.closed if view.is_closed else one.opened for one in yaku) + extra
    return False, han, rounded(minipoints(view))


def _rank(worth: tuple[bool, int, int], limits: Limits) -> tuple[int, bool, int, int]:
    is_yakuman, han, fu = worth
    base = BASES["yakuman"] * fu if is_yakuman else limits.base(han, fu)
    return base, is_yakuman, han, fu


def _agrees(declared: Declaration, is_yakuman: bool, han: int, fu: int) -> bool:
    """Return whether the declared value is this one. [RIICHI 4.1.2]"""
    winner, capped = declared.winner, min(han, MOST_HAN)
    if is_yakuman:
        return winner.limit == "yakuman" and (winner.yakuman or 1) == fu
    if winner.limit and winner.limit != declared.limits.name(capped, fu):
        return False
    return winner.han in (None, capped) and winner.fu in (None, fu)


def _liability(declared: Declaration, views: Sequence[View], hand: TileHand) -> Iterator[Problem]:
    """Somebody answers only for declared sets of dragons or winds, of which the last was fed. [RIICHI 3.3.9]"""
    if declared.winner.liable is None:
        return
    names = {yaku.name for view in views for yaku in yaku_of(view)} & LIABILITY
    if not any(_was_fed(hand, *_SETS_OF[name]) for name in names):
        yield Problem("pao_unexpected", NOT_LAID_OUT, field="liable", clause="RIICHI 3.3.9")


def _was_fed(hand: TileHand, tiles: Collection[int], number: int) -> bool:
    """Return whether so many sets of these tiles are laid out, and one of them at least with somebody's discard."""
    laid = [meld for meld in hand.declared if meld.tiles[0] in tiles]
    return sum(meld.is_open or len(meld.tiles) == 4 for meld in laid) >= number and any(
        meld.is_open for meld in laid
    )


def _differs(declared: Declaration, is_yakuman: bool, han: int, fu: int) -> Problem:
    winner = declared.winner
    worth = _yakuman(fu) if is_yakuman else f"{han} han, {fu} fu"
    was = _yakuman(winner.yakuman or 1) if winner.limit == "yakuman" else winner.limit
    was = was or f"{winner.han} han, {winner.fu} fu"
    details = {"worth": worth, "declared": was}
    return Problem("payment_mismatch", WORTH, field="tiles", clause="RIICHI 4.1", details=details)


def _yakuman(times: int) -> str:
    return f"{times} × yakuman" if times > 1 else "yakuman"


def _listed(yaku: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {han}" for name, han in sorted(yaku.items()))
