"""Minipoints of a winning hand, reason by reason. [RIICHI 4.1.1]"""

from typing import NamedTuple

from scoring.problems import gettext_noop
from scoring.systems.riichi.fans import pinfu
from scoring.systems.riichi.view import View
from scoring.tiles.readings import Form, SetKind
from scoring.tiles.tile import ORPHANS

SEVEN_PAIRS_FU = 25


class Minipoints(NamedTuple):
    """So many minipoints and the reason for them."""

    points: int
    reason: str


CLOSED_DISCARD = Minipoints(30, gettext_noop("closed hand on a discard"))
OTHER_WIN = Minipoints(20, gettext_noop("win from the wall or with an open hand"))
SEVEN_PAIRS = Minipoints(SEVEN_PAIRS_FU, gettext_noop("seven pairs, nothing is added"))
VALUE_PAIR = Minipoints(2, gettext_noop("pair of dragons or of an own wind"))
DOUBLE_WIND_PAIR = Minipoints(4, gettext_noop("pair of the seat wind that is also the round wind"))
WAIT = Minipoints(2, gettext_noop("edge, closed or pair wait"))
FROM_THE_WALL = Minipoints(2, gettext_noop("win from the wall"))
OPEN_PINFU = Minipoints(2, gettext_noop("open pinfu"))

_PUNG_OR_KONG = gettext_noop("three equal tiles"), gettext_noop("four equal tiles, declared")
_TRIPLES = {
    (is_kong, is_outer, is_open): Minipoints(
        (2 << (not is_open)) << (2 * is_kong + is_outer), _PUNG_OR_KONG[is_kong]
    )
    for is_kong in (False, True)
    for is_outer in (False, True)
    for is_open in (False, True)
}
"""A pung of simples is 2 when open; each of concealed and terminal or honor doubles that, and a kong is four times it."""


def minipoints(view: View) -> list[Minipoints]:
    """List the minipoints of the hand with their reasons; thirteen orphans have none. [RIICHI 4.1.1]"""
    if view.form is not Form.REGULAR:
        return [SEVEN_PAIRS] if view.form is Form.SEVEN_PAIRS else []
    found = _sets(view)
    found += _pair_and_wait(view)
    if view.how.self_draw:
        if not (view.is_closed and pinfu(view)):
            found.append(FROM_THE_WALL)
    elif not found and not view.is_closed:
        found.append(OPEN_PINFU)
    found.append(CLOSED_DISCARD if view.is_closed and not view.how.self_draw else OTHER_WIN)
    return found


def rounded(found: list[Minipoints]) -> int:
    """Add up and round up to the next ten; the 25 of seven pairs stay as they are. [RIICHI 4.1]"""
    total = 0
    for points, _ in found:
        total += points
    return total if total == SEVEN_PAIRS_FU else -(-total // 10) * 10


def _sets(view: View) -> list[Minipoints]:
    """Count pungs and kongs; chows have no minipoints. [RIICHI 4.1.1]"""
    found = []
    taken = None if view.how.self_draw else view.reading.completed
    for index, (kind, tile, is_open) in enumerate(view.reading.sets):
        if kind is not SetKind.CHOW:
            found.append(_TRIPLES[kind is SetKind.KONG, tile in ORPHANS, is_open or index == taken])
    return found


def _pair_and_wait(view: View) -> list[Minipoints]:
    """Count the pair of value and the wait; a pair of both winds counts for each. [RIICHI 4.1.1]"""
    worth = view.pair_worth
    found = [DOUBLE_WIND_PAIR if worth == 2 else VALUE_PAIR] if worth else []
    if view.completes_pair or view.chow_wait in ("edge", "closed"):
        found.append(WAIT)
    return found
