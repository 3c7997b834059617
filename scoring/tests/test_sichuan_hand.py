"""Sichuan hands: fans, base points, best reading, waits, and the most a waiting hand could be worth."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.systems.sichuan.fans import FANS, MOST_FANS, Circumstances
from scoring.systems.sichuan.hand import KIT, contradictions, kit, value, waiting_value, why_no_win
from scoring.systems.sichuan.law import KONG_POINTS, LAWS, PIG_FINE, SBR, WMSG
from scoring.tests.strategies import sichuan_hands, tiles
from scoring.tiles.readings import SetKind, regular, seven_pairs
from scoring.tiles.tile import NUMBERS, SUITED, parse_compact, write
from scoring.tiles.tile_hands import Declared, TileHand

CAME = {
    "replacement_win": Circumstances(replacement_win=True),
    "discard_after_kong": Circumstances(discard_after_kong=True),
    "robbing_kong": Circumstances(robbing_kong=True),
    "last_tile": Circumstances(last_tile=True),
}


def declared(text):
    """Declare a pung or a kong: `111m`, `1111m` (open), `1111m:delayed`."""
    compact, _, kong = text.partition(":")
    held = tuple(parse_compact(compact))
    kind = SetKind.KONG if len(held) == 4 else SetKind.PUNG
    return Declared(kind, held, kong != "concealed", kong or ("open" if len(held) == 4 else ""))


def hand(melds, concealed, tile=None):
    """Build a hand from compact notation."""
    winning = NUMBERS[tile] if tile else None
    return TileHand(tuple(parse_compact(concealed)), tuple(map(declared, melds.split())), winning)


EXAMPLES = [
    ("1: two kongs", "1111m 5555p", "234m 66p 78m", "m9", {"kong": 2}, 4),
    ("2: two fours outside kongs", "222m 777p", "234m 78p 55m", "p9", {"quad": 2}, 4),
    ("3: seven pairs with a four", "", "1111m 33m 55m 22p 44p 6p", "p6", {"quad": 1, "seven_pairs": 2}, 8),
    ("4: all pungs", "222m 555m 777p", "999p 3m", "m3", {"all_pungs": 1}, 2),
    (
        "5: kong, all pungs, golden wait",
        "2222m 555m 777p 999p",
        "3m",
        "m3",
        {"kong": 1, "all_pungs": 1, "golden_wait": 1},
        8,
    ),
    ("6: kong and full flush", "2222p", "345p 678p 99p 11p", "p1", {"kong": 1, "pure_suit": 2}, 8),
    ("7: all pungs and full flush", "222p 444p", "666p 88p 99p", "p8", {"all_pungs": 1, "pure_suit": 2}, 8),
    (
        "8: full flush and seven pairs",
        "",
        "11s 22s 33s 55s 66s 88s 9s",
        "s9",
        {"pure_suit": 2, "seven_pairs": 2},
        16,
    ),
    ("9: seven pairs", "", "11s 22s 33s 55s 66m 88m 9m", "m9", {"seven_pairs": 2}, 4),
]


@pytest.mark.parametrize(
    ("melds", "concealed", "tile", "fans", "base"),
    [example[1:] for example in EXAMPLES],
    ids=[example[0] for example in EXAMPLES],
)
def test_the_examples_of_the_rulebook(melds, concealed, tile, fans, base):
    """Examples 1 to 9 as their texts describe them. [SBR 2.7.3.6] [SBR 2.7.3.7] [RULES 8.10]"""
    found = value(hand(melds, concealed, tile), SBR)
    assert (found.by_name, found.base) == (fans, base)


@pytest.mark.parametrize(
    ("name", "melds", "concealed", "tile", "sbr", "wmsg"),
    [
        ("no fans", "", "123m 456m 789m 456p 1m", "m1", {}, {}),
        ("open kong", "2222m", "456m 789m 456p 1m", "m1", {"kong": 1}, {"quad": 1}),
        ("concealed kong", "2222m:concealed", "456m 789m 456p 1m", "m1", {"kong": 1}, {"quad": 1}),
        ("added kong", "2222m:added", "456m 789m 456p 1m", "m1", {"kong": 1}, {"quad": 1}),
        ("delayed kong", "2222m:delayed", "456m 789m 456p 1m", "m1", {"quad": 1}, {"quad": 1}),
        ("kong and a four", "2222m", "444456m 789p 1p", "p1", {"kong": 1, "quad": 1}, {"quad": 2}),
        ("four in hand", "", "1111m 23m 789m 456p 6p", "p6", {"quad": 1}, {"quad": 1}),
        ("four pungs in hand", "", "111m 222m 333m 444p 5p", "p5", {"all_pungs": 1}, {"all_pungs": 1}),
        ("pungs, not chows", "", "111m 222m 333m 44p 55p", "p5", {"all_pungs": 1}, {"all_pungs": 1}),
        ("three declared sets", "111m 222m 333m", "444p 5p", "p5", {"all_pungs": 1}, {"all_pungs": 1}),
        ("pairs of two fours", "", "1111m 2222m 33p 44p 5p", "p5", {"quad": 2, "seven_pairs": 2}, {"quad": 2, "seven_pairs": 2}),
        ("flush of one suit", "", "123m 456m 789m 123m 5m", "m5", {"pure_suit": 2}, {"pure_suit": 2}),
    ],
)  # fmt: skip
def test_fans_of_both_editions(name, melds, concealed, tile, sbr, wmsg):
    """In WMSG a kong is a four of a kind; all else is alike.

    [SBR 2.7.3.6 (1)] [SBR 2.7.3.6 (2)] [SBR 2.7.3.6 (3)] [SBR 2.7.3.6 (4)] [SBR 2.7.3.6 (5)] [SBR 2.7.3.6 (6)]
    [SBR App. 1] [WMSG 10.1] [WMSG 10.2] [WMSG 10.3] [WMSG 10.4] [WMSG 10.5] [RULES 8.8]
    """
    found = [value(hand(melds, concealed, tile), law).by_name for law in (SBR, WMSG)]
    assert found == [sbr, wmsg], name


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@pytest.mark.parametrize("name", CAME)
def test_how_the_tile_came_is_a_fan_each(law, name):
    """Replacement, discard after a kong, robbing, last tile: one fan each.

    [SBR 2.7.3.6 (7)] [SBR 2.7.3.6 (8)] [SBR 2.7.3.6 (9)] [SBR 2.7.3.6 (10)]
    [WMSG 10.6] [WMSG 10.7] [WMSG 10.8] [WMSG 10.9] [RULES 8.14]
    """
    plain = hand("", "123m 456m 789m 456p 1p", "p1")
    found = value(plain, law, came=CAME[name])
    assert (found.by_name, found.fan_sum, found.base) == ({name: 1}, 1, 2)


def test_the_richest_hand_shows_every_fan_with_its_tiles():
    """Four kongs of one suit on the last tile of the wall; the sum is told before the cap. [SBR 2.7.3.3] [WMSG 9.3]"""
    rich = hand("1111m 2222m 3333m:concealed 4444m:added", "5m", "m5")
    came = Circumstances(replacement_win=True, last_tile=True)
    found = value(rich, SBR, came=came)
    assert (found.fan_sum, found.base) == (MOST_FANS, 16)
    assert value(rich, WMSG, came=came).base == 8
    assert {counted.fan.name: (counted.count, counted.found) for counted in found.fans} == {
        "kong": (4, ((0,) * 4, (1,) * 4, (2,) * 4, (3,) * 4)),
        "all_pungs": (1, (tuple(parse_compact("1111m 2222m 3333m 4444m")),)),
        "golden_wait": (1, ((4, 4),)),
        "pure_suit": (1, (tuple(parse_compact("1111m 2222m 3333m 4444m 55m")),)),
        "replacement_win": (1, ((),)),
        "last_tile": (1, ((),)),
    }


@pytest.mark.parametrize(
    ("law", "bases"), [(SBR, [1, 2, 4, 8, 16, 16, 16]), (WMSG, [1, 2, 4, 8, 8, 8, 8])], ids=["SBR", "WMSG"]
)
def test_base_points_double_up_to_the_cap(law, bases):
    """0, 1, 2, 3, 4 and more fans.

    [SBR 2.7.3.1] [SBR 2.7.3.2] [SBR 2.7.3.3] [SBR 2.7.3.7] [WMSG 9.1] [WMSG 9.2] [WMSG 9.3]
    """
    assert [law.base(fans) for fans in range(7)] == bases
    assert law.bases == tuple(sorted(set(bases)))


def test_amounts_are_those_of_the_tables():
    """Kongs, the pig, and a clause of its own for each fan of each edition. [SBR App. 1] [SBR 2.8.4.1] [WMSG 11.2]"""
    assert dict(KONG_POINTS) == {"open": 2, "concealed": 2, "added": 1, "delayed": 0}
    assert PIG_FINE == 48
    assert [fan.clause(SBR) for fan in FANS] == [f"SBR 2.7.3.6 ({number})" for number in range(1, 11)]
    assert [fan.clause(WMSG) for fan in FANS[1:]] == [f"WMSG 10.{number}" for number in range(1, 10)]


def test_chows_may_not_be_claimed():
    """Three suits; pungs and kongs are claimed. [SBR 2.5.1] [WMSG 1.1] [WMSG 2.1] [WMSG 2.2]"""
    assert (kit().tiles, kit().claims, kit().kong_kinds) == (SUITED, ("pung", "kong"), True)
    assert kit() == KIT


@pytest.mark.parametrize(
    ("concealed", "tile", "forbidden", "codes"),
    [
        ("123m 456m 789m 456p 1m", "m1", None, []),
        ("123m 456m 789m 456p 1m", "m1", 2, []),
        ("123m 456m 789m 456p 1m", "m1", 1, ["forbidden_suit"]),
        ("123m 456m 789m 456p 1s", "s1", None, ["three_suits"]),
        ("123m 456m 789m 456p 1s", "s1", 2, ["forbidden_suit"]),
        ("123m 456m 789m 456p 1m", "m2", 2, ["no_form"]),
        ("123m 456m 789m 456p 1m", "s2", 2, ["forbidden_suit", "no_form"]),
        ("123m 456m 789m 456p 1m", None, 2, ["no_form"]),
    ],
)
def test_why_a_hand_is_no_win(concealed, tile, forbidden, codes):
    """Its suits, its form, or both. [SBR 2.6.1.1] [SBR 2.6.1.2] [WMSG 3.1] [WMSG 3.2]"""
    asked = hand("", concealed, tile)
    assert [problem.code for problem in why_no_win(asked, SBR, forbidden)] == codes
    assert (value(asked, SBR, forbidden_suit=forbidden) is None) == bool(codes)


@pytest.mark.parametrize(
    ("melds", "concealed", "tile", "came", "fields"),
    [
        ("1111m", "456m 789m 456p 1p", "p1", "replacement_win", []),
        ("111m", "456m 789m 456p 1p", "p1", "replacement_win", ["win.replacement_win"]),
        ("", "123m 456m 789m 456p 1p", "p1", "robbing_kong", ["win.robbing_kong"]),
        ("", "123m 456m 789m 45p 11p", "p6", "robbing_kong", []),
        ("", "123m 456m 789m 45p 66p", "p6", "robbing_kong", ["win.robbing_kong"]),
        ("", "123m 456m 789m 456p 1p", "p1", "last_tile", []),
    ],
)
def test_tiles_that_contradict_how_the_last_one_came(melds, concealed, tile, came, fields):
    """A replacement needs a kong; who holds a second tile cannot have robbed the kong of the other three.

    [SBR 2.7.3.6 (7)] [SBR 2.7.3.6 (9)]
    """
    problems = contradictions(hand(melds, concealed, tile), CAME[came], SBR)
    assert [problem.field for problem in problems] == fields


@pytest.mark.parametrize(
    ("melds", "concealed", "waits"),
    [
        ("111m 222m 333m", "55p 44p", "p4 p5"),
        ("111m 222m 333m", "5555p", ""),
        ("111m 222m", "5555p 999p", ""),
        ("555p 111m 222m 333m", "5p", "p5"),
    ],
)
def test_a_wait_needs_less_than_four_standing(melds, concealed, waits):
    """Examples 10 to 13: four standing of the only tile that would win are no wait; declared ones do not count.

    [SBR 2.7.4.2]
    """
    found = waiting_value(hand(melds, concealed), SBR)
    assert [write(tile) for tile in found.waits] == waits.split()
    assert found.is_waiting == bool(waits)


@pytest.mark.parametrize(
    ("name", "melds", "concealed", "waits", "fans", "base"),
    [
        ("14: all pungs", "222m 555m", "777p 33m 88p", "m3 p8", 1, 2),
        ("15: flush with a declared pung and its fourth", "333p", "3p 45p 678p 99p 22p", "p2 p9", 3, 8),
        ("16: a fifth tile counts no second four", "555p", "5p 123m 456m 789m", "p5", 1, 2),
        ("17: two fours at once", "222m 777p", "234m 78p 55m", "p6 p9", 2, 4),
    ],
)
def test_the_most_a_waiting_hand_could_be_worth(name, melds, concealed, waits, fans, base):
    """Examples 14 to 17: how the tile would come is left out. [SBR 2.7.4.4] [WMSG 11.3] [RULES 8.13]"""
    found = waiting_value(hand(melds, concealed), SBR)
    assert [write(tile) for tile in found.waits] == waits.split(), name
    assert (found.best.fan_sum, found.best.base) == (fans, base)


@pytest.mark.parametrize(
    ("concealed", "forbidden", "waits"),
    [
        ("123m 456m 789m 45p 11p", 2, "p3 p6"),
        ("123m 456m 789m 45p 11p", 1, ""),
        ("123m 456m 789m 45p 11s", None, ""),
        ("123m 456m 789m 45p 1p 9p", 2, ""),
        ("123m 456m 789m 123m 9p", 1, ""),
        ("123m 456m 789m 123m 9m", 1, "m9 m6 m3"),
    ],
)
def test_tiles_of_the_forbidden_suit_are_no_wait(concealed, forbidden, waits):
    """Held or waited for, they make no win. [SBR 2.6.1.2] [SBR 2.7.4.1] [WMSG 3.2]"""
    found = waiting_value(hand("", concealed), WMSG, forbidden_suit=forbidden)
    assert sorted(map(write, found.waits)) == sorted(waits.split())


@settings(deadline=None)
@given(sichuan_hands(), st.sampled_from(list(LAWS.values())))
def test_value_is_that_of_the_best_reading(won, law):
    """No reading gives more, and what another reading gives the best one gives too. [SBR 2.5.8.5]"""
    best = value(won, law)
    all_readings = regular(won.counted, won.melds, won.winning_tile)
    if not won.declared:
        all_readings += seven_pairs(won.counted, won.winning_tile, identical_pairs=True)
    assert best.reading in all_readings
    sums = [_fans_of(reading, won) for reading in all_readings]
    assert best.fan_sum == max(sums)
    assert best.base == min(2**best.fan_sum, 1 << law.cap)


def _fans_of(reading, won):
    """Count the fans of one reading anew, straight from the table. [SBR 2.7.3.6]"""
    held = won.all_tiles
    fours = len({tile for tile in held if held.count(tile) == 4})
    pungs = all(formed.kind in (SetKind.PUNG, SetKind.KONG) for formed in reading.sets)
    pairs = reading.form == "seven_pairs"
    one_suit = len({tile // 9 for tile in held}) == 1
    return fours + pungs + 2 * pairs + 2 * one_suit + (len(won.declared) == 4)


@settings(deadline=None)
@given(sichuan_hands(), st.randoms())
def test_the_order_of_tiles_does_not_matter(won, random):
    """Shuffled tiles and sets are worth the same. [SBR 2.7.3.6]"""
    concealed = random.sample(won.concealed, len(won.concealed))
    melds = random.sample(won.declared, len(won.declared))
    shuffled = TileHand(tuple(concealed), tuple(melds), won.winning_tile)
    assert value(shuffled, SBR).by_name == value(won, SBR).by_name


@settings(deadline=None)
@given(sichuan_hands(), st.sampled_from(sorted(CAME)), st.sampled_from(list(LAWS.values())))
def test_one_more_fan_never_lowers_a_hand(won, name, law):
    """Below the cap it doubles the base points, above it changes nothing. [SBR 2.7.3.2] [WMSG 9.2]"""
    plain, more = value(won, law), value(won, law, came=CAME[name])
    assert more.fan_sum == plain.fan_sum + 1
    assert more.base == min(plain.base * 2, law.bases[-1])


@settings(deadline=None)
@given(sichuan_hands(), st.sampled_from(list(LAWS.values())))
def test_a_won_hand_was_waiting_and_promised_as_much(won, law):
    """Without its winning tile the hand waits for it and could have been worth at least that. [SBR 2.7.4.4]"""
    found = waiting_value(TileHand(won.concealed, won.declared), law)
    assert won.winning_tile in found.waits
    assert found.best.base >= value(won, law).base


@settings(deadline=None, max_examples=50)
@given(tiles(sorted(SUITED)[:18], min_size=13, max_size=13))
def test_waits_are_the_tiles_that_win(drawn):
    """Any hand waits for exactly the tiles that make it a win, less those it has four of. [SBR 2.7.4.2]"""
    found = waiting_value(TileHand(tuple(drawn)), SBR)
    winning = [
        tile
        for tile in sorted(SUITED)
        if drawn.count(tile) < 4 and value(TileHand(tuple(drawn), (), tile), SBR) is not None
    ]
    assert list(found.waits) == winning
