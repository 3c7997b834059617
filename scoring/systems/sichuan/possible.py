"""Which fans a winning hand can have together, given the kongs and pungs that were declared in it.

A declared kong is in the hand, whatever its tiles are: it is a set, and it is worth a fan. What else the hand can be
worth follows from the sets that are left to form.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from scoring.hands import Kong, KongKind
from scoring.seats import Seat
from scoring.systems.sichuan.fans import FAN_BY_NAME
from scoring.systems.sichuan.law import Law

MOST_SETS = 4


class Shown(NamedTuple):
    """The sets that a seat showed with its kongs.

    Kongs that count as such, how many of them are concealed, delayed kongs, and pungs left by robbed ones.
    """

    kongs: int = 0
    delayed: int = 0
    pungs: int = 0
    concealed: int = 0

    @property
    def standing(self) -> int:
        """Return how many kongs the hand holds; a delayed one is four of a kind, and worth as much. [SBR App. 1]"""
        return self.kongs + self.delayed

    @property
    def sets_left(self) -> int:
        """Return how many of the four sets are not among those shown. [SBR 2.6.1.1] [WMSG 3.1]"""
        return MOST_SETS - self.standing - self.pungs


class OtherFans(NamedTuple):
    """How often each fan counts that neither a declared kong nor the way of the last tile brings."""

    quad: int = 0
    all_pungs: int = 0
    golden_wait: int = 0
    pure_suit: int = 0
    seven_pairs: int = 0

    @property
    def fans(self) -> int:
        """Return what they add together."""
        return sum(FAN_BY_NAME[name].fans * count for name, count in self._asdict().items())


def shown_by(events: Sequence[object], seat: Seat) -> Shown:
    """Count the sets that a seat's kongs left on the table; a robbed kong leaves its pung behind. [RULES 8.14] [RULES 8.46]"""
    own = [event for event in events if isinstance(event, Kong) and event.seat == seat]
    robbed = sum(kong.robbed for kong in own)
    delayed = sum(kong.kind is KongKind.DELAYED and not kong.robbed for kong in own)
    concealed = sum(kong.kind is KongKind.CONCEALED for kong in own)
    return Shown(len(own) - robbed - delayed, delayed, robbed, concealed)


@cache
def other_fans(shown: Shown, *, robs: bool) -> frozenset[OtherFans]:
    """Return every way in which the rest of a winning hand can be worth something.

    A robbed tile is the only one of its kind in the hand, because the declarer holds the other three: it completes
    a chow. [SBR 2.6.1.1] [SBR 2.7.3.6] [WMSG 3.1] [WMSG 10] [RULES 8.46]
    """
    return frozenset(_with_chow(shown, robs=robs)) | (
        frozenset() if robs else frozenset((*_all_pungs(shown), *_pairs(shown)))
    )


def possible_fans(shown: Shown, *, robs: bool = False, by_tile: int = 0) -> tuple[int, ...]:
    """Return the numbers of fans that a win can have, `by_tile` of them for the way in which the last tile came.

    [SBR 2.7.3.6] [WMSG 10] [RULES 8.46]
    """
    sums = {other.fans for other in other_fans(shown, robs=robs)}
    return tuple(sorted(shown.standing + by_tile + fans for fans in sums))


def possible_bases(shown: Shown, law: Law) -> tuple[int, ...]:
    """Return the base points that a winning or waiting hand can have. [SBR 2.7.4.4] [WMSG 11.3] [RULES 8.46]"""
    return tuple(sorted({law.base(fans) for fans in possible_fans(shown)}))


def listed_others(fan_list: Mapping[str, int], shown: Shown, law: Law) -> OtherFans:
    """Return what a list of fans counts beside the declared kongs.

    SBR counts a kong as such and a delayed one as four of a kind, WMSG each as four of a kind, neither any kong as both.
    [SBR 2.7.3.6 (1)] [SBR 2.7.3.6 (2)] [WMSG 10.1] [RULES 8.46]
    """
    listed = OtherFans(**{name: fan_list.get(name, 0) for name in OtherFans._fields})
    return listed._replace(quad=listed.quad - quads_of_kongs(shown, law))


def quads_of_kongs(shown: Shown, law: Law) -> int:
    """Return how many declared kongs are counted as four of a kind. [SBR App. 1] [WMSG 10.1]"""
    return shown.standing if law.kongs_count_as_quads else shown.delayed


def _all_pungs(shown: Shown) -> Iterator[OtherFans]:
    """List hands of pungs and kongs; the wait is golden when all four are declared, and only then."""
    if shown.sets_left < 0:
        return
    for golden_wait in (0, 1) if shown.sets_left else (1,):
        for pure_suit in (0, 1):
            yield OtherFans(all_pungs=1, golden_wait=golden_wait, pure_suit=pure_suit)


def _with_chow(shown: Shown, *, robs: bool) -> Iterator[OtherFans]:
    """List hands with a chow: each set beside one chow can make four equal tiles with the other tiles."""
    for quad in range(shown.sets_left):
        for pure_suit in (0, 1):
            if not (robs and quad == MOST_SETS - 1 and not pure_suit):
                yield OtherFans(quad=quad, pure_suit=pure_suit)


def _pairs(shown: Shown) -> Iterator[OtherFans]:
    """List hands of seven pairs, in which nothing is declared; four equal tiles are two pairs. [RULES 8.8]"""
    if shown == Shown():
        for quad in range(MOST_SETS):
            for pure_suit in (0, 1):
                yield OtherFans(quad=quad, pure_suit=pure_suit, seven_pairs=1)
