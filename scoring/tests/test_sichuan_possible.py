"""Which fans a Sichuan hand can have together: what is told of it, held against hands laid out tile by tile."""

from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.hands import Kong, KongKind
from scoring.seats import Seat
from scoring.systems.sichuan.fans import CIRCUMSTANCE_NAMES, Circumstances
from scoring.systems.sichuan.hand import contradictions, value
from scoring.systems.sichuan.law import LAWS, SBR, WMSG
from scoring.systems.sichuan.possible import (
    OtherFans,
    Shown,
    listed_others,
    other_fans,
    possible_bases,
    possible_fans,
    shown_by,
)
from scoring.tests.strategies import sichuan_hands
from scoring.tiles.readings import SetKind
from scoring.tiles.tile import counts
from scoring.tiles.tile_hands import Declared, TileHand

CHOWS = [(tile, tile + 1, tile + 2) for tile in range(7)]
PUNGS = [(tile,) * 3 for tile in (0, 1, 2, 3, 9)]
PAIRS = [(tile,) * 2 for tile in range(10)]
SHOWN = [Shown(kongs, 0, pungs) for kongs, pungs in product(range(5), range(5)) if kongs + pungs <= 4]


def hands(shown):
    """Lay out hands over a few tiles: what the seat showed in one suit or the other, the other sets in hand or declared."""
    for suit in (0, 1) if shown != Shown() else (0,):
        tiles = iter(range(suit * 9 + 5, suit * 9 + 9))
        kongs = [Declared(SetKind.KONG, (next(tiles),) * 4, True, "open") for _ in range(shown.kongs)]
        fixed = kongs + [Declared(SetKind.PUNG, (next(tiles),) * 3, True) for _ in range(shown.pungs)]
        for sets in combinations_with_replacement(CHOWS + PUNGS, shown.sets_left):
            for pair in PAIRS:
                yield from split(fixed, sets, pair)
    if shown == Shown():
        for chosen in combinations_with_replacement(PAIRS, 7):
            if all(chosen.count(pair) <= 2 for pair in chosen):
                yield TileHand(sum(chosen, ())[1:], (), chosen[0][0])


def split(fixed, sets, pair):
    """Take the pungs as concealed and as declared, where there are tiles enough; the tile of a robbed kong is gone."""
    everything = [*sum(sets, ()), *pair, *(tile for meld in fixed for tile in meld.tiles)]
    left = [tile for meld in fixed for tile in meld.tiles[:1] if meld.kind is SetKind.PUNG]
    if max(counts(everything)) > 4 or any(everything.count(tile) > 3 for tile in left):
        return
    pungs = [formed for formed in sets if len(set(formed)) == 1]
    for declared in ([], pungs) if pungs else ([],):
        held = [tile for formed in sets if formed not in declared for tile in formed] + list(pair)
        tile = next((tile for tile in held if everything.count(tile) == 1), held[0])
        held.remove(tile)
        yield TileHand(tuple(held), (*fixed, *(Declared(SetKind.PUNG, one, True) for one in declared)), tile)


def fans_beside_kongs(found, shown):
    """Return what the value of a hand counts beside its kongs."""
    return listed_others({counted.fan.name: counted.count for counted in found.fans}, shown, SBR)


@pytest.mark.parametrize("robs", [False, True], ids=["any tile", "a robbed tile"])
@pytest.mark.parametrize("shown", SHOWN, ids=lambda shown: f"{shown.kongs} kongs, {shown.pungs} pungs")
def test_the_fans_of_a_hand_are_those_that_some_hand_has(shown, robs):
    """Nothing that can be is left out, and nothing is named that no hand has. [SBR 2.6.1.1] [SBR 2.7.3.6] [RULES 8.46]"""
    came = Circumstances(robbing_kong=robs)
    worth = [value(hand, SBR) for hand in hands(shown) if not contradictions(hand, came, SBR)]
    found = {fans_beside_kongs(one, shown) for one in worth}
    assert found == other_fans(shown, robs=robs)


@settings(deadline=None)
@given(sichuan_hands(), st.sampled_from(list(LAWS.values())), st.sets(st.sampled_from(CIRCUMSTANCE_NAMES)))
def test_every_winning_hand_is_possible(hand, law, names):
    """Whatever the tiles are and however they came. [SBR 2.7.3.6] [WMSG 10.1] [RULES 8.46]"""
    came = Circumstances(**dict.fromkeys(names, True))
    if contradictions(hand, came, law):
        return
    kinds = [KongKind(meld.kong) for meld in hand.declared if meld.kong]
    shown = shown_by([Kong(Seat.EAST, kind) for kind in kinds], Seat.EAST)
    found = value(hand, law, came=came)
    listed = {counted.fan.name: counted.count for counted in found.fans}
    assert found.fan_sum in possible_fans(shown, robs=came.robbing_kong, by_tile=len(names))
    assert listed_others(listed, shown, law) in other_fans(shown, robs=came.robbing_kong)


def test_only_own_kongs_are_shown():
    """Robbed ones leave a pung, delayed ones are four of a kind. [SBR App. 1] [RULES 8.14] [RULES 8.46]"""
    events = [
        Kong(Seat.EAST, KongKind.CONCEALED),
        Kong(Seat.SOUTH, KongKind.CONCEALED),
        Kong(Seat.EAST, KongKind.DELAYED),
        Kong(Seat.EAST, KongKind.DELAYED, robbed=True),
        Kong(Seat.EAST, KongKind.OPEN, Seat.SOUTH),
    ]
    assert shown_by(events, Seat.EAST) == Shown(kongs=2, delayed=1, pungs=1, concealed=1)


@pytest.mark.parametrize(
    ("shown", "law", "bases"),
    [
        (Shown(), SBR, (1, 2, 4, 8, 16)),
        (Shown(2), SBR, (4, 8, 16)),
        (Shown(1, 1), SBR, (4, 8, 16)),
        (Shown(4), SBR, (16,)),
        (Shown(0, 0, 4), SBR, (4, 16)),
        (Shown(2), WMSG, (4, 8)),
        (Shown(4), WMSG, (8,)),
        (Shown(5), SBR, ()),
    ],
)
def test_kongs_set_the_least_base_points(shown, law, bases):
    """A hand that waits with two kongs waits for two fans at least. [SBR 2.7.4.4] [WMSG 11.3] [RULES 8.46]"""
    assert possible_bases(shown, law) == bases


def test_a_robbed_tile_completes_no_pair():
    """The other three tiles are in the kong, so that four declared sets cannot win on it. [RULES 8.46]"""
    assert possible_fans(Shown(4), robs=True, by_tile=1) == ()
    assert possible_fans(Shown(3), robs=True, by_tile=1) == (4, 6)
    assert OtherFans(all_pungs=1) not in other_fans(Shown(), robs=True)
