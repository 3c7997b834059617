"""The tiles of a logged win, read from the log and valued by themselves: what they are worth, and where the log says otherwise."""

from collections.abc import Iterator, Sequence

from scoring.problems import Refusal, gettext_noop
from scoring.seats import SEATS
from scoring.systems.base import Remark, Situation
from scoring.systems.riichi.fans import BONUSES
from scoring.systems.riichi.hand import Value, evaluate
from scoring.systems.riichi.limits import Limits
from scoring.systems.riichi.replay.log import RED_FIVES, LoggedTiles, LoggedWin, refuse
from scoring.systems.riichi.view import FLAGS, Circumstances
from scoring.tiles.readings import SetKind
from scoring.tiles.tile import EAST, GREEN_DRAGON, RED, WHITE
from scoring.tiles.tile_hands import Declared, TileHand

COPIES = 4
KINDS_OF_LOG: tuple[int, ...] = (*range(EAST + 4), WHITE, GREEN_DRAGON, RED)
"""A log counts the dragons from the white one on."""

WORD = 1 << 16
CHOW, PUNG, ADDED, NORTH_TAKEN = 0x4, 0x8, 0x10, 0x20
SAME_YAKU = {
    "suuankou_tanki": "suuankou",
    "chuuren_nine_waits": "chuuren",
    "kokushi_thirteen_waits": "kokushi",
}
"""Double yakuman of a log, by the yaku that they are."""


def tile_of(number: int) -> int:
    """Return the tile that one of 136 tiles of a log is."""
    if not 0 <= number < COPIES * len(KINDS_OF_LOG):
        raise refuse("log_form", NO_TILE)
    return KINDS_OF_LOG[number // COPIES]


def declared_of(written: int) -> Declared:
    """Read a declared set from the bits in which a log in XML packs it."""
    if not 0 <= written < WORD or (written & NORTH_TAKEN and not written & (CHOW | PUNG | ADDED)):
        raise refuse("log_form", NO_TILE)
    if written & CHOW:
        lowest = (written >> 10) // 3
        suit, number = divmod(lowest, 7)
        tiles = [COPIES * (9 * suit + number + step) for step in range(3)]
        return Declared(SetKind.CHOW, tuple(map(tile_of, tiles)), True)
    if written & (PUNG | ADDED):
        tile = tile_of(COPIES * ((written >> 9) // 3))
        is_kong = not written & PUNG
        kind = SetKind.KONG if is_kong else SetKind.PUNG
        return Declared(kind, (tile,) * (4 if is_kong else 3), True)
    return Declared(SetKind.KONG, (tile_of(written >> 8),) * 4, bool(written & 3))


def tiles_of(
    held: Sequence[int], sets: Sequence[int], won: int, dora: Sequence[int], ura: Sequence[int]
) -> LoggedTiles:
    """Read the tiles of a win: those in hand with the winning one, the declared sets, and both kinds of indicators."""
    concealed = list(held)
    if won not in concealed:
        raise refuse("log_form", NO_TILE)
    concealed.remove(won)
    hand = TileHand(tuple(map(tile_of, concealed)), tuple(map(declared_of, sets)), tile_of(won))
    return LoggedTiles(hand, tuple(map(tile_of, dora)), tuple(map(tile_of, ura)))


def remarks(win: LoggedWin, at: Situation, limits: Limits) -> Iterator[Remark]:
    """Value the tiles of a win and name where the log differs: yaku, dora, minipoints. [RIICHI 4.1] [RIICHI 4.2]"""
    if win.tiles is None:
        return
    seat = SEATS[win.winner]
    try:
        value = evaluate(win.tiles.hand, _circumstances(win, at), limits)
    except Refusal as refusal:
        reason = refusal.problems[0]
        yield Remark(NO_VALUE, reason.clause, {"seat": seat, "reason": str(reason)}, is_explained=False)
        return
    logged, own = _logged(win), {one.name: one.han for one in value.yaku}
    if value.is_yakuman:
        logged = {name: han for name, han in logged.items() if name not in BONUSES}
    if logged != own:
        yaku = {"seat": seat, "yaku": _listed(own, logged), "declared": _listed(logged, own)}
        yield Remark(OTHER_YAKU, "RIICHI 4.2", yaku, is_explained=False)
    if value.fu is not None and win.fu is not None and value.fu != win.fu:
        fu = {"seat": seat, "own": value.fu, "logged": win.fu, "reasons": _reasons(value)}
        yield Remark(OTHER_FU, "RIICHI 4.1.1", fu, is_explained=False)


def _circumstances(win: LoggedWin, at: Situation) -> Circumstances:
    """Say how a logged hand was won: the winds of seat and round, and what the tiles do not show."""
    assert win.tiles is not None
    seat_wind = (win.winner - SEATS.index(at.dealer)) % len(SEATS)
    return Circumstances(
        win.winner == win.discarder,
        EAST + seat_wind,
        EAST + SEATS.index(at.round_wind),
        frozenset(name for name in win.yaku if name in FLAGS),
        win.tiles.indicators,
        win.tiles.ura_indicators,
    )


def _logged(win: LoggedWin) -> dict[str, int]:
    """Return the yaku of a log by their names here; red fives are told apart."""
    return {SAME_YAKU.get(name, name): han for name, han in win.yaku.items() if name != RED_FIVES}


def _listed(yaku: dict[str, int], others: dict[str, int]) -> str:
    """List the yaku of one side that the other has not, or counts otherwise."""
    return ", ".join(f"{name} {han}" for name, han in sorted(yaku.items()) if others.get(name) != han) or "–"


def _reasons(value: Value) -> str:
    """Name what the minipoints are made of."""
    return "; ".join(part.reason for part in value.minipoints)


NO_TILE = gettext_noop("The tiles of this win cannot be read.")
NO_VALUE = gettext_noop("The tiles of %(seat)s are no win by these rules: %(reason)s")
OTHER_YAKU = gettext_noop("By the tiles %(seat)s has: %(yaku)s; by the log: %(declared)s.")
OTHER_FU = gettext_noop("By the tiles %(seat)s has %(own)s minipoints (%(reasons)s); the log has %(logged)s.")
