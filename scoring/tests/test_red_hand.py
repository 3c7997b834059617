"""Red mahjong hands: the eighteen fans, their combinations, the cap, jokers, the chaotic hand, the best reading."""

from collections import Counter
from itertools import combinations, product
from math import comb
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.systems.red.checks import MOST_POINTS, apart
from scoring.systems.red.fans import CHAOTIC_HAND, FANS, View
from scoring.systems.red.hand import evaluate, views, why_no_win
from scoring.systems.red.law import Law
from scoring.tests.oracles.riichi_hands import hand, random_case
from scoring.tiles.readings import CHOWS, PUNGS, Form, SetKind
from scoring.tiles.tile import DRAGONS, HONORS, JOKER, KINDS, RED, SUITED, SUITS, counts, parse_compact, write
from scoring.tiles.tile_hands import Declared, TileHand

LAW = Law()
JOKERS = Law(jokers=True)


def fans(tiles, law=LAW, flowers=0):
    """Return the fans of a hand with their counts."""
    value = evaluate(tiles, law, flowers)
    return {counted.fan.number: counted.count for counted in value.fans}


ROWS = [
    (2, hand("234m 678p 345s 12s 9p", "s3"), None),  # no pair
    (2, hand("678p 345s 12s 99p", "s3", "234m"), {2: 1}),
    (3, hand("234m 234p 999s 111z 3m", "m3"), {3: 1, 6: 1}),
    (4, hand("222m 222p 789s 111z 3m", "m3"), {4: 1, 6: 1}),
    (5, hand("123m 789m 222p 111z 3m", "m3"), {5: 1, 6: 1}),
    (6, hand("111z 777z 456m 678p 3m", "m3"), {6: 2}),
    (7, hand("234m 678p 999s 111z 5m", "m5"), {6: 1, 7: 1}),
    (8, hand("111m 333m 555p 777s 9s", "s9"), {8: 1}),
    (9, hand("234m 234m 999p 111z 3s", "s3"), {6: 1, 9: 1}),
    (10, hand("123m 456m 789m 111z 3s", "s3"), {5: 1, 6: 1, 10: 1}),
    (11, hand("147m 258p 369s 1234z", "Wh"), {11: 1}),
    (12, hand("123m 456m 888m 111z 3m", "m3"), {6: 1, 12: 1}),
    (13, hand("123m 456p 888s 111z 5z", "Wh"), {6: 1, 13: 1}),
    (14, hand("123m 345p 111s 444m 3s", "s3"), {14: 1}),
    (15, hand("567m 789p 666s 999m 7s", "s7"), {15: 1}),
    (16, hand("111m 333m 777m 777z 9p", "p9"), {6: 1, 8: 1, 16: 1}),
    (17, hand("555z 666z 777z 123m 9p", "p9"), {6: 3, 17: 1}),
    (18, hand("123m 456m 888m 777m 3m", "m3"), {18: 1}),
]


@pytest.mark.parametrize(
    ("number", "tiles", "expected"), ROWS, ids=[f"fan {row[0]}-{i}" for i, row in enumerate(ROWS)]
)
def test_fans_follow_the_table(number, tiles, expected):
    """[RED fan 2] [RED fan 3] [RED fan 4] [RED fan 5] [RED fan 6] [RED fan 7] [RED fan 8] [RED fan 9] [RED fan 10]
    [RED fan 11] [RED fan 12] [RED fan 13] [RED fan 14] [RED fan 15] [RED fan 16] [RED fan 17] [RED fan 18]
    """
    if expected is None:
        assert evaluate(tiles, LAW) is None
    else:
        assert number in expected
        assert fans(tiles) == expected


VALUES = [3, 3, 3, 3, 3, 3, 3, 12, 12, 12, 12, 12, 16, 24, 24, 32, 64, 64]


@pytest.mark.parametrize(("number", "points"), list(enumerate(VALUES, start=1)))
def test_values_are_those_of_the_table(number, points):
    """[RED scoring 2] [RULES 8.23]"""
    assert LAW.points(number) == points


def test_flowers_bring_three_each():
    """[RED fan 1] [RED tiles 7]"""
    value = evaluate(hand("111m 333m 555p 777s 9s", "s9"), LAW, 5)
    assert (value.total, value.without_flowers) == (27, 12)
    first = value.fans[0]
    assert (first.fan.number, first.count, first.points, first.clause) == (1, 5, 15, "RED fan 1")


def test_example_of_the_footnote():
    """123 123 456 789 88 of bamboos: two pure straights, pure double chow, special pair; every other fan counts too.

    The footnote names four fans; nothing excludes the others. [RED scoring 2] [RULES 8.23]
    """
    tiles = hand("123s 123s 456s 789s 8s", "s8")
    assert fans(tiles) == {2: 1, 5: 2, 7: 1, 9: 1, 10: 2, 18: 1}
    assert evaluate(tiles, LAW).total == 3 + 6 + 3 + 12 + 24 + 64


def test_combinations_name_their_sets():
    """[RED scoring 2]"""
    value = evaluate(hand("123s 123s 456s 789s 8s", "s8"), LAW)
    straights = next(counted for counted in value.fans if counted.fan.number == 10).combinations
    assert [[formed.tiles[0] for formed in three] for three in straights] == [[18, 21, 24], [18, 21, 24]]


@pytest.mark.parametrize(
    ("tiles", "number", "count"),
    [
        (hand("234m 234p 234s 999s 1z", "E"), 3, 3),
        (hand("234m 234m 234p 999s 1z", "E"), 3, 2),
        (hand("222m 222p 222s 999s 1z", "E"), 4, 3),
        (hand("123m 123m 789m 999s 1z", "E"), 5, 2),
        (hand("123m 123m 789m 789m 1z", "E"), 5, 4),
        (hand("234m 234m 234m 234m 1z", "E"), 9, 6),
        (hand("234m 234m 345m 345m 1z", "E"), 9, 2),
    ],
)
def test_fan_counts_once_for_each_combination(tiles, number, count):
    """[RED scoring 2] [RULES 8.23]"""
    assert fans(tiles)[number] == count


def test_half_flush_needs_an_honor_and_one_suit():
    """[RED fan 12] [RULES 8.23]"""
    assert 12 not in fans(hand("123m 456m 888m 777m 3m", "m3"))
    assert 12 not in fans(hand("111z 222z 333z 555z 6z", "G"))
    assert 12 not in fans(hand("123m 456m 888m 111z 3p", "p3"))


def test_hand_may_be_worth_nothing():
    """[RED scoring 3] [RULES 8.25]"""
    value = evaluate(hand("123m 456p 678s 999s 1s", "s1"), LAW)
    assert (value.fans, value.points) == ((), 0)


def test_cap_holds_the_value_with_flowers():
    """[RED scoring 5]"""
    tiles = hand("123s 123s 456s 789s 8s", "s8")
    value = evaluate(tiles, Law(limit=100), 8)
    assert (value.total, value.points) == (136, 100)
    assert LAW.capped(302) == 300


def test_organizers_may_change_two_values():
    """[RED fan 7] [RED fan 11] [RULES 8.23]"""
    law = Law(special_pair=2, chaotic_hand=3)
    assert evaluate(hand("234m 678p 999s 111z 5m", "m5"), law).total == 5
    assert evaluate(hand("147m 258p 369s 1234z", "Wh"), law).total == 3


# Readings


def test_best_reading_is_taken():
    """Three equal chows are worth more than three pungs here. [RED counting 6]"""
    tiles = hand("222333444m 999p 1z", "E")
    assert fans(tiles) == {9: 3}
    both = hand("111222333m 555p 1z", "E")
    assert evaluate(both, LAW).total == max(
        sum(LAW.points(f.number) * len(f.find(v)) for f in FANS) for v in views(both)
    )


@pytest.mark.parametrize(
    "tiles",
    [
        hand("1188m 22p 5566s 33z 5z", "Wh"),
        hand("19m 19p 19s 123456z 1m", "R"),
        hand("146m 258p 369s 1234z", "Wh"),
    ],
    ids=["seven pairs", "thirteen orphans", "too close"],
)
def test_nothing_else_wins(tiles):
    """[RED winning hand 2] [RED winning hand 3] [RED winning hand 4]"""
    assert evaluate(tiles, LAW) is None
    assert why_no_win(tiles).code == "no_win"


def test_chaotic_hand_has_no_declared_sets():
    """[RED winning hand 3]"""
    tiles = TileHand(
        tuple(parse_compact("147m 258p 1234z")), (Declared(SetKind.CHOW, (18, 19, 20), True),), 31
    )
    assert evaluate(tiles, LAW) is None


def test_chaotic_hand_combines_only_with_flowers():
    """[RED fan 11] [RULES 8.23]"""
    value = evaluate(hand("147m 258p 369s 1234z", "Wh"), LAW, 2)
    assert [(counted.fan.number, counted.points) for counted in value.fans] == [(1, 6), (11, 12)]
    assert value.view.form is Form.CHAOTIC


# Jokers


def with_jokers(concealed, tile, melds=()):
    """Build a hand in which 0z and J are jokers; melds as (kind, compact)."""
    sets = tuple(Declared(SetKind(kind), tuple(parse_compact(text)), True) for kind, text in melds)
    winning = parse_compact(tile)[0]
    return TileHand(tuple(parse_compact(concealed)), sets, winning)


def test_joker_stands_for_the_best_tile():
    """[RED jokers 1] [RULES 8.25]"""
    tiles = with_jokers("123m 45m 0z 789m 111z 3m", "3m")
    assert fans(tiles, JOKERS) == {5: 1, 6: 1, 10: 1, 12: 1}


def test_set_and_pair_need_a_real_tile():
    """[RED jokers 3] [RULES 8.25]"""
    assert (
        evaluate(
            with_jokers("0z", "0z", [("chow", "123m"), ("chow", "456m"), ("pung", "999p"), ("pung", "111z")]),
            JOKERS,
        )
        is None
    )
    assert evaluate(with_jokers("000z 123m 456m 999p 1z", "1z"), JOKERS) is not None
    assert evaluate(with_jokers("0000z 147m 28p 36s 12z", "3z"), JOKERS) is not None


def test_footnote_on_a_joker_beside_a_joker():
    """234 of bamboos and a joker win on a second joker: the first moves into the chow. [RED jokers 5] [RED jokers 3]"""
    declared = [("chow", "123m"), ("chow", "456m"), ("pung", "111z")]
    assert evaluate(with_jokers("234s 0z", "0z", declared), JOKERS) is not None
    assert evaluate(with_jokers("0z", "0z", [*declared, ("chow", "234s")]), JOKERS) is None


def test_discarded_joker_cannot_be_claimed():
    """[RED jokers 2]"""
    tiles = with_jokers("234s 0z", "0z", [("chow", "123m"), ("chow", "456m"), ("pung", "111z")])
    assert evaluate(tiles, JOKERS, is_discard=True) is None
    assert why_no_win(tiles, is_discard=True).clause == "RED jokers 2"
    assert why_no_win(tiles).clause == "RED winning hand 4"


def test_jokers_in_declared_sets_leave_the_best_choice():
    """[RED jokers 4] [RULES 8.25]"""
    declared = [("chow", "0z 23m"), ("pung", "00z 1z")]
    tiles = with_jokers("456m 789m 3m", "3m", declared)
    assert fans(tiles, JOKERS) == {5: 1, 6: 1, 10: 1, 12: 1}


def test_chaotic_hand_with_jokers():
    """[RED jokers 1] [RED fan 11]"""
    assert fans(with_jokers("00z 47m 258p 369s 123z", "5z"), JOKERS) == {11: 1}


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**9))
def test_jokers_are_worth_the_best_substitution(seed):
    """Every tile tried for every joker finds nothing better, and nothing else. [RED jokers 1] [RULES 8.25]"""
    random = Random(seed)
    tiles = _without_kongs(random)
    held = [*tiles.concealed, tiles.winning_tile]
    for at in random.sample(range(len(held)), min(2, len(held))):
        held[at] = JOKER
    joker_hand = TileHand(tuple(held[:-1]), tiles.declared, held[-1])
    best = max(_substituted(held, tiles.declared), default=None)
    found = evaluate(joker_hand, JOKERS)
    assert (found.total if found else None) == best


def _substituted(held, declared):
    """Value every reading of every substitution, but those whose pair is made of two jokers."""
    places = [at for at, tile in enumerate(held) if tile == JOKER]
    for chosen in product(range(KINDS), repeat=len(places)):
        tried = list(held)
        for at, tile in zip(places, chosen, strict=True):
            tried[at] = tile
        for view in views(TileHand(tuple(tried[:-1]), declared, tried[-1])):
            if len(set(chosen)) > 1 or view.pair != chosen[0] or chosen[0] in held:
                yield sum(LAW.points(fan.number) * len(fan.find(view)) for fan in FANS)


def _without_kongs(random):
    while True:
        tiles = random_case(random).hand
        if all(meld.kind is not SetKind.KONG for meld in tiles.declared) and evaluate(tiles, LAW):
            return tiles


# Waits


@pytest.mark.parametrize(
    ("concealed", "expected"),
    [
        ("234m 567m 345p 99s 67s", "s5 s8"),
        ("147m 258p 369s 1234z", "R G Wh"),
        ("147m 69p 258s 12345z", "p1 p2 p3 R G"),
        ("123m 456m 789m 999p 0z", "*"),
        ("123m 456m 147p 258s 0z", ""),
    ],
)
def test_a_waiting_hand_wins_on_the_tiles_it_waits_for(concealed, expected):
    """A single joker waits for any tile; the footnote's chaotic hand for dots 1, 2, 3 and two honors. [RED win 1] [RED jokers 5]"""
    tiles = tuple(parse_compact(concealed))
    law = Law(jokers="0z" in concealed)
    won = [write(tile) for tile in range(KINDS) if evaluate(TileHand(tiles, winning_tile=tile), law)]
    assert won == ([write(tile) for tile in range(KINDS)] if expected == "*" else expected.split())


# Laws


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**9), st.randoms(use_true_random=False), st.integers(0, 8))
def test_order_of_tiles_does_not_matter(seed, shuffler, flowers):
    """[RED counting 6]"""
    tiles = _without_kongs(Random(seed))
    held, melds = list(tiles.in_hand), list(tiles.declared)
    shuffler.shuffle(held)
    shuffler.shuffle(melds)
    other = TileHand(tuple(held[1:]), tuple(melds), held[0])
    assert fans(other, flowers=flowers) == fans(tiles, flowers=flowers)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**9))
def test_value_is_that_of_the_best_reading(seed):
    """Sets found by trying them one by one, and fans counted by their words, return no more. [RED counting 6]"""
    tiles = _without_kongs(Random(seed))
    declared = [(meld.kind == SetKind.CHOW, meld.sets[0].tile) for meld in tiles.declared]
    best = max(_points([*declared, *sets], pair) for sets, pair in _splits(tiles.counted))
    assert evaluate(tiles, LAW).total == best


def _splits(counted):
    for pair in range(KINDS):
        if counted[pair] >= 2:
            rest = [count - 2 * (tile == pair) for tile, count in enumerate(counted)]
            yield from ((sets, pair) for sets in _sets(rest))


def _sets(counted):
    low = next((tile for tile, count in enumerate(counted) if count), None)
    if low is None:
        yield []
        return
    for is_chow, taken in ((False, [low] * 3), (True, [low, low + 1, low + 2])):
        if is_chow and (low >= 27 or low % 9 > 6):
            continue
        rest = [count - taken.count(tile) for tile, count in enumerate(counted)]
        if min(rest) >= 0:
            yield from ([(is_chow, low), *sets] for sets in _sets(rest))


def _points(sets, pair):
    """Count a reading by the words of the table, with other means than the fans' own functions."""
    chows = [low for is_chow, low in sets if is_chow]
    pungs = [low for is_chow, low in sets if not is_chow]
    tiles = (
        [t for low in chows for t in (low, low + 1, low + 2)]
        + [t for low in pungs for t in [low] * 3]
        + [pair] * 2
    )
    suits = {t // 9 for t in tiles if t < 27}
    has_honors = any(t >= 27 for t in tiles)
    two, three = list(combinations(chows, 2)), list(combinations(chows, 3))
    numbers = [t % 9 + 1 for t in tiles]
    kinds = {(low // 9 if low < 27 else 3 + (low > 30)) for low in [*chows, *pungs, pair]}
    return (
        3 * (len(chows) == 4)
        + 3 * sum(a % 9 == b % 9 and a != b for a, b in two)
        + 3 * sum(a % 9 == b % 9 for a, b in combinations([p for p in pungs if p < 27], 2))
        + 3 * sum(a // 9 == b // 9 and {a % 9, b % 9} == {0, 6} for a, b in two)
        + 3 * sum(p >= 27 for p in pungs)
        + 3 * (pair < 27 and pair % 9 in (1, 4, 7))
        + 12 * (len(pungs) == 4)
        + 12 * sum(a == b for a, b in two)
        + 12 * sum(len({c // 9 for c in t}) == 1 and {c % 9 for c in t} == {0, 3, 6} for t in three)
        + 12 * (len(suits) == 1 and has_honors)
        + 16 * (len(kinds) == 5)
        + 24 * (not has_honors and max(numbers) <= 5)
        + 24 * (not has_honors and min(numbers) >= 5)
        + 32 * (len(pungs) == 4 and sum(p < 9 for p in pungs) == 3 and 31 in pungs)
        + 64 * comb(sum(p > 30 for p in pungs), 3)
        + 64 * (len(suits) == 1 and not has_honors)
    )


THEMES = [
    range(KINDS),
    *SUITS,
    *(sorted({*suit, *HONORS}) for suit in SUITS),
    sorted(HONORS),
    sorted(DRAGONS | {*SUITS[0]}),
    sorted(DRAGONS | {1, 4, 10, 13}),
    [tile for tile in SUITED if tile % 9 < 5],
    [tile for tile in SUITED if tile % 9 > 3],
    [tile for tile in SUITED if tile % 9 in (0, 1, 2)],
    [tile for tile in SUITED if tile % 9 in (3, 4, 5)],
    [*SUITS[0], RED, 13],
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    [0, 1, 2, 6, 7, 8, 9, 10, 11, 15, 16, 17, 31],
    [1, 2, 3, 10, 11, 12, 19, 20, 21, 27, 31],
]


def _random_views(random, count, jokers):
    """Put random sets and a pair together, from tiles that favour this or that fan; jokers stand for a fifth tile."""
    for _ in range(count):
        theme = random.choice(THEMES)
        sets = [PUNGS[tile] for tile in theme]
        sets += 2 * [chow for low, chow in CHOWS.items() if {low, low + 1, low + 2} <= {*theme}]
        chosen, pair = random.choices(sets, k=4), random.choice([*theme])
        used = Counter([pair, pair, *(tile for one in chosen for tile in one.tiles)])
        if sum(max(0, times - 4) for times in used.values()) <= jokers:
            yield View(Form.REGULAR, tuple(chosen), pair, 0)


@pytest.mark.parametrize("jokers", [0, 4])
def test_contradicting_fans_are_just_those_that_never_meet(jokers):
    """All other pairs of fans meet in some hand, and no fan is counted more often than its most.

    [RED scoring 2] [RED jokers 1]
    """
    never = {(fan.number, b) for fan in FANS for b in apart(fan.number, with_jokers=jokers > 0)}
    seen, most = set(), Counter({1: 8, CHAOTIC_HAND: 1})
    for view in _random_views(Random(4), 60_000, jokers):
        found = {fan.number: len(made) for fan in FANS if (made := fan.find(view))}
        seen |= set(combinations(sorted(found), 2))
        most |= Counter(found)
    assert set(combinations(range(2, 19), 2)) - seen == {(min(pair), max(pair)) for pair in never}
    if jokers:
        assert most == {fan.number: fan.most for fan in FANS}


def test_lower_and_upper_five_meet_only_in_fives():
    """Two jokers beside the fives of two suits make four pungs of fives. [RED fan 14] [RED fan 15] [RED jokers 1]"""
    tiles = with_jokers("5555m 00z 5555p 00z 5s", "s5")
    assert fans(tiles, JOKERS) == {4: 5, 7: 1, 8: 1, 14: 1, 15: 1}


def test_three_pungs_of_dragons_need_not_be_of_three_dragons():
    """[RED fan 17] [RULES 9.8]"""
    tiles = with_jokers("7777z 00z 666z 123m 1z", "E")
    assert fans(tiles, JOKERS) == {6: 3, 12: 1, 17: 1}


def test_each_three_of_four_pungs_of_dragons_are_big_three_dragons():
    """[RED fan 17] [RULES 8.23] [RULES 9.8]"""
    pungs = [("pung", "770z"), ("pung", "770z"), ("pung", "666z"), ("pung", "555z")]
    value = evaluate(with_jokers("5m", "m5", pungs), JOKERS)
    assert {one.fan.number: one.count for one in value.fans} == {6: 4, 7: 1, 8: 1, 12: 1, 17: 4}
    assert (value.total, value.points) == (12 + 3 + 12 + 12 + 4 * 64, 295)


def test_a_joker_pung_of_the_same_suit_is_no_double_pung():
    """Two suits are needed, however many tiles there are. [RED fan 4] [RED jokers 1]"""
    tiles = with_jokers("0z 66s 4s", "0z", [("pung", "111z"), ("chow", "567s"), ("pung", "444s")])
    assert {one.fan.number: one.count for one in evaluate(tiles, JOKERS).fans} == {6: 1, 12: 1}


def test_no_hand_is_worth_more_than_the_bound():
    """[RED scoring 2]"""
    assert MOST_POINTS == 608
    assert max(counts(hand("234m 234m 234m 234m 1z", "E").in_hand)) == 4
