"""Riichi hands: every yaku, minipoints, dora, limits, the best reading, waits, and what is refused."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.fields import Fields
from scoring.problems import Refusal
from scoring.systems.riichi.fans import EXCLUSIONS, YAKU, title
from scoring.systems.riichi.fu import minipoints, rounded
from scoring.systems.riichi.hand import (
    KIT,
    bonuses,
    evaluate,
    indicated,
    views_of,
)
from scoring.systems.riichi.limits import EMA_LIMITS, Limits, formula
from scoring.tests.oracles.riichi_hands import hand, random_case, won
from scoring.tiles.readings import Form, SetKind, TileSet
from scoring.tiles.tile import NUMBERS, parse_compact, write
from scoring.tiles.tile_hands import TileHand, read_tile_hand

RON, TSUMO = won(), won("tsumo")


def names(value):
    """Return what counts as a mapping of han."""
    return {counted.name: counted.han for counted in value.yaku}


def refused(tiles, how):
    """Return the codes and fields of a refusal."""
    with pytest.raises(Refusal) as refusal:
        evaluate(tiles, how)
    assert all(str(problem) and problem.clause for problem in refusal.value.problems)
    return [(problem.code, problem.field) for problem in refusal.value.problems]


YAKU_ROWS = [
    # 4.2.1: one han
    ("riichi", hand("234m 567m 345p 99s 11z", "E"), won("ron", "S", "E", "riichi"), 1),
    ("double_riichi", hand("234m 567m 345p 99s 33z", "W"), won("ron", "S", "E", "double_riichi"), 2),
    ("ippatsu", hand("234m 567m 345p 99s 33z", "W"), won("ron", "S", "E", "riichi", "ippatsu"), 1),
    ("menzen_tsumo", hand("234m 567m 345p 99s 33z", "W"), TSUMO, 1),
    ("pinfu", hand("234m 567m 345p 99s 67s", "s8"), RON, 1),
    ("iipeikou", hand("234m 234m 345p 99s 99p", "s9"), RON, 1),
    ("tanyao", hand("234m 567m 345p 66s 88p", "s6"), RON, 1),
    ("tanyao", hand("345p 66s 88p", "s6", "234m 567m"), RON, 1),
    ("sanshoku_doujun", hand("234m 234p 34s 999m 11p", "s2"), RON, 2),
    ("sanshoku_doujun", hand("234p 34s 999m 11p", "s2", "234m"), RON, 1),
    ("haku", hand("555z 567m 345p 99s 88p", "s9"), RON, 1),
    ("hatsu", hand("567m 345p 99s 88p", "s9", "666z"), RON, 1),
    ("chun", hand("567m 345p 99s 88p", "s9", "-7777z"), RON, 1),
    ("seat_wind", hand("222z 567m 345p 99s 88p", "s9"), RON, 1),
    ("round_wind", hand("111z 567m 345p 99s 88p", "s9"), RON, 1),
    ("chanta", hand("123m 789p 11z 999s 23s", "s1"), RON, 2),
    ("chanta", hand("789p 11z 999s 23s", "s1", "123m"), RON, 1),
    ("rinshan", hand("567m 345p 99s 88p", "s9", "1111s"), won("tsumo", "S", "E", "rinshan"), 1),
    ("chankan", hand("567m 345s 99s 46p", "p5", "111s"), won("ron", "S", "E", "chankan"), 1),
    ("haitei", hand("567m 345p 99s 88p", "s9", "111s"), won("tsumo", "S", "E", "haitei"), 1),
    ("houtei", hand("567m 345p 99s 88p", "s9", "111s"), won("ron", "S", "E", "houtei"), 1),
    # 4.2.2: two han
    ("chiitoitsu", hand("1188m 22p 5566s 33z 5z", "Wh"), RON, 2),
    ("sanshoku_doukou", hand("222p 567m 99s 22s", "s2", "222m"), RON, 2),
    ("sanankou", hand("222p 333s 555m 23m 99s", "m1"), RON, 2),
    ("sanankou", hand("222p 333s 9s", "s9", "-5555m 123m"), RON, 2),
    ("sankantsu", hand("23m 99s", "m1", "2222p 3333s -5555m"), RON, 2),
    ("toitoi", hand("222p 55m 99s", "s9", "333s 777p"), RON, 2),
    ("honitsu", hand("123p 456p 99p 77p 333z", "p9"), RON, 3),
    ("honitsu", hand("456p 99p 77p 333z", "p9", "123p"), RON, 2),
    ("shousangen", hand("555z 666z 77z 123m 34s", "s5"), RON, 2),
    ("honroutou", hand("111m 99p 11z", "E", "999s 333z"), won("ron", "W", "S"), 2),
    ("honroutou", hand("1199m 11p 99s 1133z 5z", "Wh"), RON, 2),
    ("junchan", hand("123m 789p 11s 999s 23s", "s1"), RON, 3),
    ("junchan", hand("789p 11m 999s 23s", "s1", "123m"), RON, 2),
    # 4.2.3: three han
    ("ryanpeikou", hand("223344m 667788p 9s", "s9"), RON, 3),
    # 4.2.4: five han
    ("chinitsu", hand("123p 456p 999p 77p 44p", "p7"), RON, 6),
    ("chinitsu", hand("456p 999p 77p 44p", "p7", "123p"), RON, 5),
    ("renhou", hand("234m 567m 345p 99s 33z", "W"), won("ron", "S", "E", "renhou"), 5),
    # RULES 8.26
    ("ittsu", hand("123m 456m 789m 99s 55p", "s9"), RON, 2),
    ("ittsu", hand("456m 789m 99s 55p", "s9", "123m"), RON, 1),
]


@pytest.mark.parametrize(
    ("name", "tiles", "how", "han"), YAKU_ROWS, ids=[f"{row[0]}-{row[3]}" for row in YAKU_ROWS]
)
def test_yaku_is_worth_its_han(name, tiles, how, han):
    """[RIICHI 4.2.1] [RIICHI 4.2.2] [RIICHI 4.2.3] [RIICHI 4.2.4] [RULES 8.26] [RULES 8.28]"""
    assert names(evaluate(tiles, how))[name] == han


YAKUMAN_ROWS = [
    ("kokushi", hand("19m 19p 19s 123456z 1m", "R"), RON),
    ("kokushi", hand("19m 19p 19s 1234567z", "R"), RON),
    ("chuuren", hand("1112345678999s", "s5"), RON),
    ("chuuren", hand("1112345678899s", "s9"), TSUMO),
    ("tenhou", hand("234m 567m 345p 99s 33z", "W"), won("tsumo", "E", "E", "tenhou")),
    ("chiihou", hand("234m 567m 345p 99s 33z", "W"), won("tsumo", "S", "E", "chiihou")),
    ("suuankou", hand("222m 444p 666s 88s 11z", "E"), TSUMO),
    ("suuankou", hand("222m 444p 666s 888s 1z", "E"), RON),
    ("suukantsu", hand("1z", "E", "2222m 4444p -6666s 8888s"), RON),
    ("ryuuiisou", hand("234s 66s 88s 666z", "s8", "234s"), RON),
    ("chinroutou", hand("111m 99p 11s", "p9", "999m 111p"), RON),
    ("tsuuiisou", hand("11z 22z 33z 44z 55z 66z 7z", "R"), RON),
    ("tsuuiisou", hand("11z 333z 55z", "E", "222z 444z"), RON),
    ("daisangen", hand("55z 123m 88p", "Wh", "666z 777z"), RON),
    ("shousuushii", hand("111z 44z 123m 22z", "S", "333z"), RON),
    ("daisuushii", hand("11z 55m", "E", "222z 333z 444z"), RON),
]


@pytest.mark.parametrize(
    ("name", "tiles", "how"),
    YAKUMAN_ROWS,
    ids=[f"{row[0]}-{index}" for index, row in enumerate(YAKUMAN_ROWS)],
)
def test_yakuman_counts_thirteen_and_has_no_minipoints(name, tiles, how):
    """[RIICHI 4.2.5] [RIICHI 4.2]"""
    value = evaluate(tiles, how)
    assert names(value)[name] == 13
    assert (value.han, value.fu, value.limit, value.base, value.minipoints) == (13, None, "yakuman", 8000, ())


def test_every_yaku_has_a_row():
    """[RIICHI 4.2]"""
    assert {row[0] for row in (*YAKU_ROWS, *YAKUMAN_ROWS)} == {yaku.name for yaku in YAKU}


def test_yakuman_do_not_add_up():
    """[RIICHI 4.2]"""
    value = evaluate(hand("111z 222z 33z 55z", "W", "444z"), RON)
    assert set(names(value)) == {"daisuushii", "tsuuiisou"}
    assert value.han == 13
    value = evaluate(hand("111z 222z 333z 44z 55z", "N"), won("tsumo", "S", "E", dora="3z"))
    assert set(names(value)) == {"daisuushii", "tsuuiisou", "suuankou"}
    assert (value.han, value.base) == (13, 8000)
    assert [dropped.name for dropped in value.dropped if dropped.name in ("dora", "toitoi")] == [
        "toitoi",
        "dora",
    ]


def test_four_pungs_on_a_discard_are_four_concealed_only_with_a_pair_wait():
    """[RIICHI 4.2.5]"""
    value = evaluate(hand("222m 444p 666s 88s 11z", "E"), RON)
    assert names(value) == {"round_wind": 1, "toitoi": 2, "sanankou": 2}


def test_nine_gates_allow_no_kong():
    """[RIICHI 4.2.5]"""
    found = evaluate(hand("234567m 99m 88m", "m8", "-1111m"), TSUMO)
    assert "chuuren" not in names(found)
    assert names(found)["chinitsu"] == 6


def test_examples_of_the_overview():
    """All simples with mixed triple chow is 4 han closed from the wall; open it is 2. [RIICHI 4.2] [RULES 8.28]"""
    closed = evaluate(hand("234m 234p 34s 66s 678m", "s2"), TSUMO)
    assert {name: han for name, han in names(closed).items() if name != "pinfu"} == {
        "menzen_tsumo": 1,
        "tanyao": 1,
        "sanshoku_doujun": 2,
    }
    assert names(evaluate(hand("234p 34s 66s 678m", "s2", "234m"), TSUMO)) == {
        "tanyao": 1,
        "sanshoku_doujun": 1,
    }


def test_double_riichi_is_two_han_in_all():
    """[RULES 8.28]"""
    tiles = hand("234m 567m 345p 99s 33z", "W")
    for flags in (("double_riichi",), ("riichi", "double_riichi")):
        assert names(evaluate(tiles, won("ron", "S", "E", *flags))) == {"double_riichi": 2}


def test_after_a_kong_under_the_sea_counts_both():
    """[RULES 8.28] [RIICHI 3.4.1]"""
    how = won("tsumo", "S", "E", "rinshan", "haitei")
    assert names(evaluate(hand("567m 345p 99s 88p", "s9", "1111s"), how)) == {"rinshan": 1, "haitei": 1}


def test_renhou_is_added_to_other_yaku():
    """[RULES 8.28]"""
    value = evaluate(hand("234m 567m 345p 99s 67s", "s8"), won("ron", "S", "E", "renhou"))
    assert names(value) == {"pinfu": 1, "renhou": 5}
    assert value.limit == "haneman"


def test_double_wind_gives_both_winds():
    """[RIICHI 4.2.1]"""
    value = evaluate(hand("111z 567m 345p 99s 88p", "s9"), won("ron", "E", "E"))
    assert names(value) == {"seat_wind": 1, "round_wind": 1}


def test_little_three_dragons_count_each_dragon_besides():
    """[RIICHI 4.2.2]"""
    value = evaluate(hand("555z 666z 77z 123m 34s", "s5"), RON)
    assert names(value) == {"haku": 1, "hatsu": 1, "shousangen": 2}


def test_all_terminals_and_honors_count_their_shape_besides():
    """[RIICHI 4.2.2]"""
    assert names(evaluate(hand("1199m 11p 99s 1133z 5z", "Wh"), RON)) == {"chiitoitsu": 2, "honroutou": 2}
    pungs = names(evaluate(hand("111m 99p 11z", "p9", "999s 333z"), RON))
    assert pungs == {"toitoi": 2, "honroutou": 2}


def test_three_concealed_pungs_may_stand_in_an_open_hand():
    """[RIICHI 4.2.2]"""
    value = evaluate(hand("222p 333s 555m 9s", "s9", "123m"), RON)
    assert names(value) == {"sanankou": 2}


def test_seven_pairs_must_differ():
    """[RIICHI 4.2.2]"""
    assert refused(hand("1111m 22p 5566s 33z 5z", "Wh"), RON) == [("no_win", "hand")]


# Minipoints

FU_ROWS = [
    ("closed on a discard", hand("234m 567m 345p 99s 67s", "s8"), RON, 30, [30]),
    ("pinfu from the wall", hand("234m 567m 345p 99s 67s", "s8"), TSUMO, 20, [20]),
    ("seven pairs", hand("1188m 22p 5566s 33z 5z", "Wh"), RON, 25, [25]),
    (
        "seven pairs of dragons too",
        hand("1188m 22p 55s 5577z 6z", "G"),
        TSUMO,
        25,
        [25],
    ),
    ("open pinfu", hand("567m 345p 66s 67s", "s8", "234m"), RON, 30, [2, 20]),
    ("open pinfu from the wall", hand("567m 345p 66s 67s", "s8", "234m"), TSUMO, 30, [2, 20]),
    ("edge wait", hand("234m 567m 345p 99s 12s", "s3"), won("ron", "S", "E", "riichi"), 40, [2, 30]),
    ("upper edge wait", hand("234m 567m 345p 99s 89s", "s7"), won("ron", "S", "E", "riichi"), 40, [2, 30]),
    ("closed wait", hand("234m 567m 345p 99s 13s", "s2"), won("ron", "S", "E", "riichi"), 40, [2, 30]),
    ("pair wait", hand("234m 567m 345p 234s 9s", "s9"), won("ron", "S", "E", "riichi"), 40, [2, 30]),
    ("pair of dragons", hand("234m 567m 345p 55z 67s", "s8"), won("ron", "S", "E", "riichi"), 40, [2, 30]),
    (
        "pair of the seat wind",
        hand("234m 567m 345p 22z 67s", "s8"),
        won("ron", "S", "E", "riichi"),
        40,
        [2, 30],
    ),
    (
        "pair of the round wind",
        hand("234m 567m 345p 11z 67s", "s8"),
        won("ron", "S", "E", "riichi"),
        40,
        [2, 30],
    ),
    ("pair of both winds", hand("234m 567m 345p 11z 67s", "s8"), won("ron", "E", "E", "riichi"), 40, [4, 30]),
    ("pair of a guest wind", hand("234m 567m 345p 33z 67s", "s8"), RON, 30, [30]),
    ("open pung of simples", hand("567m 345p 66s 67s", "s8", "222m"), RON, 30, [2, 20]),
    ("closed pung of simples", hand("222m 567m 345p 66s 67s", "s8"), RON, 40, [4, 30]),
    ("open pung of terminals", hand("111z 345p 66s 67s", "s8", "999m"), RON, 40, [8, 4, 20]),
    ("closed pung of honors", hand("111z 567m 345p 66s 67s", "s8"), RON, 40, [8, 30]),
    ("open kong of simples", hand("567m 345p 66s 67s", "s8", "2222m"), RON, 30, [8, 20]),
    ("closed kong of simples", hand("567m 345p 66s 67s", "s8", "-2222m"), RON, 50, [16, 30]),
    ("open kong of honors", hand("567m 345p 66s 67s", "s8", "1111z"), RON, 40, [16, 20]),
    ("closed kong of honors", hand("567m 345p 66s 67s", "s8", "-1111z"), RON, 70, [32, 30]),
    (
        "pung completed by a discard",
        hand("567m 345p 66s 99s 345p", "s9"),
        won("ron", "S", "E", "riichi"),
        40,
        [4, 30],
    ),
    ("pung completed from the wall", hand("567m 345p 66s 99s 345p", "s9"), TSUMO, 30, [8, 2, 20]),
]


@pytest.mark.parametrize(
    ("tiles", "how", "fu", "reasons"), [row[1:] for row in FU_ROWS], ids=[row[0] for row in FU_ROWS]
)
def test_minipoints_follow_the_table(tiles, how, fu, reasons):
    """[RIICHI 4.1.1] [RIICHI 4.1]"""
    value = evaluate(tiles, how)
    assert value.fu == fu
    assert [counted.points for counted in value.minipoints] == reasons


def test_minipoints_are_rounded_up_to_ten():
    """32 become 40. [RIICHI 4.1]"""
    view = views_of(hand("234m 567m 345p 55z 67s", "s8"), RON)[0]
    assert sum(counted.points for counted in minipoints(view)) == 32
    assert rounded(minipoints(view)) == 40


# Dora


@pytest.mark.parametrize(
    ("indicator", "dora"),
    [
        *(("mps"[s] + str(n), "mps"[s] + str(n % 9 + 1)) for s in range(3) for n in range(1, 10)),
        ("E", "S"),
        ("S", "W"),
        ("W", "N"),
        ("N", "E"),
        ("R", "Wh"),
        ("Wh", "G"),
        ("G", "R"),
    ],
)
def test_indicator_shows_the_next_tile(indicator, dora):
    """[RIICHI 2.7]"""
    assert write(indicated(NUMBERS[indicator])) == dora


def test_dora_count_for_every_indicator():
    """[RIICHI 2.7] [RIICHI 4.1]"""
    how = won("ron", "S", "E", "riichi", dora="1m 1m", ura="8s 5p")
    value = evaluate(hand("222m 567m 345p 99s 67s", "s8"), how)
    assert names(value) == {"riichi": 1, "dora": 6, "ura_dora": 2}
    assert value.han == 9


def test_dora_are_dropped_only_from_a_yakuman_that_has_them():
    """[RIICHI 4.2]"""
    without = evaluate(hand("111z 222z 333z 44z 55z", "N"), won("tsumo", "S", "E", dora="5p"))
    assert "dora" not in {dropped.name for dropped in without.dropped}
    counted = evaluate(hand("222m 567m 345p 99s 67s", "s8"), won("ron", "S", "E", "riichi", dora="1m"))
    assert names(counted)["dora"] == 3
    assert "dora" not in {dropped.name for dropped in counted.dropped}


def test_ura_dora_need_riichi():
    """[RIICHI 3.3.14]"""
    value = evaluate(hand("234m 567m 345p 99s 67s", "s8"), won(dora="9p", ura="8s"))
    assert names(value) == {"pinfu": 1}
    assert [(dropped.name, dropped.clause) for dropped in value.dropped] == [("ura_dora", "RIICHI 3.3.14")]


def test_dora_alone_do_not_win():
    """[RIICHI 3.2]"""
    assert refused(hand("567m 345p 99s 88p", "s9", "111s"), won(dora="9s")) == [("no_yaku", "hand")]


def test_no_more_than_thirteen_han_count():
    """[RIICHI 4.2]"""
    how = won("tsumo", "S", "E", "riichi", "ippatsu", dora="1m 3m", ura="5m 6m")
    value = evaluate(hand("2233445566778m", "m8"), how)
    assert sum(names(value).values()) > 13
    assert (value.han, value.limit, value.base) == (13, "counted_yakuman", 8000)


# Limits


@pytest.mark.parametrize(
    ("han", "name"),
    [
        (1, ""),
        (4, ""),
        (5, "mangan"),
        (6, "haneman"),
        (7, "haneman"),
        (8, "baiman"),
        (9, "baiman"),
        (10, "baiman"),
        (11, "sanbaiman"),
        (12, "sanbaiman"),
        (13, "counted_yakuman"),
    ],
)
def test_limit_by_han(han, name):
    """[RULES 8.27] [RIICHI 4.1.3]"""
    assert EMA_LIMITS.by_han(han) == name


@pytest.mark.parametrize(
    ("han", "fu", "base", "name"),
    [
        (4, 30, 1920, ""),
        (3, 60, 1920, ""),
        (4, 40, 2000, "mangan"),
        (3, 70, 2000, "mangan"),
        (2, 110, 1760, ""),
    ],
)
def test_formula_is_held_at_mangan_but_never_rounded_up_to_it(han, fu, base, name):
    """[RIICHI 4.1.2] [RULES 8.27]"""
    assert (EMA_LIMITS.base(han, fu), EMA_LIMITS.name(han, fu)) == (base, name)
    assert formula(han, fu) == fu * 2 ** (han + 2)


def test_wall_has_136_tiles_and_a_fifth_of_a_kind_is_refused():
    """[RIICHI 2.4]"""
    assert len(KIT.tiles) * KIT.copies == 136
    concealed = [*["m1"] * 4, "m2", "m3", "p5", "p6", "p7", *["s9"] * 3, "E"]
    fields = Fields({"concealed": concealed, "winning_tile": "m1"})
    assert read_tile_hand(fields, KIT) is None
    assert [problem.code for problem in fields.problems] == ["tile_copies"]


def test_limits_are_a_setting():
    """[RULES 8.27]"""
    limits = Limits.read({"4": "mangan", "6": "haneman"})
    assert [limits.by_han(han) for han in (3, 4, 6, 13)] == ["", "mangan", "haneman", "haneman"]
    assert limits.names == ("mangan", "haneman", "yakuman")


@pytest.mark.parametrize(
    "wrong", [{"0": "mangan"}, {"14": "mangan"}, {"x": "mangan"}, {5: "mangan"}, {"5": "none"}]
)
def test_limits_that_are_none_are_refused(wrong):
    """[RULES 8.27]"""
    with pytest.raises(Refusal) as refusal:
        Limits.read(wrong)
    assert [problem.code for problem in refusal.value.problems] == ["limits"]


# Readings


def test_best_reading_is_taken():
    """The dearer way in which the winning tile completes the hand. [RIICHI 3.4.9]"""
    value = evaluate(hand("234m 567m 345p 3345s", "s3"), TSUMO)
    assert names(value) == {"menzen_tsumo": 1, "pinfu": 1, "tanyao": 1}
    three = evaluate(hand("222333444m 99p 67s", "s8"), RON)
    assert names(three)["sanankou"] == 2


def test_ryanpeikou_is_taken_before_seven_pairs():
    """[RIICHI 4.2.3]"""
    value = evaluate(hand("223344m 667788p 9s", "s9"), RON)
    assert names(value) == {"ryanpeikou": 3}
    assert value.reading.form is Form.REGULAR
    assert [(d.name, d.clause) for d in value.dropped] == [("iipeikou", "RIICHI 4.2.3")]


def test_dropped_yaku_name_their_clause():
    """[RIICHI 4.2.1] [RIICHI 4.2.2]"""
    value = evaluate(hand("234m 34m 66s 678p", "m2", "567s"), TSUMO)
    assert {(d.name, d.clause) for d in value.dropped} == {
        ("menzen_tsumo", "RIICHI 4.2.1"),
        ("iipeikou", "RIICHI 4.2.1"),
        ("pinfu", "RIICHI 4.2.1"),
    }
    ends = evaluate(hand("123m 789p 11s 999s 23s", "s1"), RON)
    assert ("chanta", "RIICHI 4.2.2") in {(d.name, d.clause) for d in ends.dropped}


@pytest.mark.parametrize(
    ("tiles", "how", "sets"),
    [
        (hand("234m 234m 345p 99s 99p", "s9"), RON, {"iipeikou": ["234m", "234m"]}),
        (hand("123m 567p 567p 99s 99m", "s9"), RON, {"iipeikou": ["567p", "567p"]}),
        (hand("234m 234p 34s 999m 11p", "s2"), RON, {"sanshoku_doujun": ["234m", "234p", "234s"]}),
        (hand("222p 567m 99s 22s", "s2", "222m"), RON, {"sanshoku_doukou": ["222p", "222s", "222m"]}),
        (hand("123m 456m 789m 99s 55p", "s9"), RON, {"ittsu": ["123m", "456m", "789m"]}),
        (hand("222p 333s 555m 99s 88m", "s9"), RON, {"sanankou": ["555m", "222p", "333s"], "toitoi": []}),
        (hand("23m 99s", "m1", "2222p 3333s -5555m"), RON, {"sankantsu": ["2222p", "3333s", "5555m"]}),
        (hand("555z 222z 99s 345p 45p", "p6"), RON, {"haku": ["555z"], "seat_wind": ["222z"]}),
        (hand("111z 567m 345p 99s 88p", "s9"), won("ron", "W", "E"), {"round_wind": ["111z"]}),
    ],
    ids=[
        "iipeikou",
        "iipeikou later",
        "doujun",
        "doukou",
        "ittsu",
        "sanankou",
        "sankantsu",
        "honors",
        "round wind",
    ],
)
def test_yaku_name_their_sets(tiles, how, sets):
    """[RIICHI 4.2]"""
    found = {counted.name: counted.sets for counted in evaluate(tiles, how).yaku}
    for name, texts in sets.items():
        assert [formed.tiles for formed in found[name]] == [tuple(parse_compact(text)) for text in texts]


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**9))
def test_value_is_that_of_the_best_reading(seed):
    """No reading found by taking tiles apart one by one is worth more. [RIICHI 3.4.9]"""
    case = random_case(Random(seed))
    outcome = _outcome(case.hand, case.how)
    shapes = {frozenset(Counter(sets).items()) for sets, _ in _splits(case.hand.counted)}
    free = 4 - len(case.hand.declared)
    regular_readings = [
        view.reading for view in views_of(case.hand, case.how) if view.reading.form is Form.REGULAR
    ]
    assert {frozenset(Counter(r.sets[:free]).items()) for r in regular_readings} == shapes
    worths = [_worth(view, case.hand, case.how) for view in views_of(case.hand, case.how)]
    if outcome == ["no_yaku"]:
        assert {han for han, _, _ in worths} == {0}
    elif outcome[3] != "yakuman":
        assert outcome[4] == max(base for han, _, base in worths if han)


def _splits(counted):
    """Take the tiles apart by trying a pair, then a pung or chow at the lowest tile."""
    for pair in range(34):
        if counted[pair] >= 2:
            rest = [count - 2 * (tile == pair) for tile, count in enumerate(counted)]
            yield from ((sets, pair) for sets in _sets(rest))


def _sets(counted):
    low = next((tile for tile, count in enumerate(counted) if count), None)
    if low is None:
        yield ()
        return
    chow = [low, low + 1, low + 2] if low < 27 and low % 9 < 7 else []
    for kind, taken in ((SetKind.PUNG, [low] * 3), (SetKind.CHOW, chow)):
        rest = [count - taken.count(tile) for tile, count in enumerate(counted)]
        if taken and min(rest) >= 0:
            yield from ((TileSet(kind, low), *sets) for sets in _sets(rest))


def _worth(view, tiles, how):
    """Count han (0 without yaku), minipoints and base of a reading by asking every yaku."""
    found = {y.name: y.closed if view.is_closed else y.opened for y in YAKU if y.holds(view)}
    for exclusion in EXCLUSIONS:
        if found.get(exclusion.kept) and exclusion.dropped in found:
            del found[exclusion.dropped]
    dora, ura_dora = bonuses(tiles, how)
    han, fu = sum(found.values()), rounded(minipoints(view))
    return han, fu, EMA_LIMITS.base(han + dora + ura_dora, fu)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.randoms(use_true_random=False))
def test_order_of_tiles_does_not_matter(seed, shuffler):
    """[RIICHI 4.1]"""
    case = random_case(Random(seed))
    tiles, melds = list(case.hand.concealed), list(case.hand.declared)
    shuffler.shuffle(tiles)
    shuffler.shuffle(melds)
    other = TileHand(tuple(tiles), tuple(melds), case.hand.winning_tile)
    assert _outcome(other, case.how) == _outcome(case.hand, case.how)


def _outcome(tiles, how):
    try:
        value = evaluate(tiles, how)
    except Refusal as refusal:
        return [problem.code for problem in refusal.problems]
    return names(value), value.han, value.fu, value.limit, value.base


# Waits


# Refusals

PLAIN = hand("234m 567m 345p 99s 33z", "W")
OPEN = hand("567m 345p 99s 88p", "s9", "111s")
KONG = hand("567m 345p 99s 88p", "s9", "-1111s")


@pytest.mark.parametrize("flag", ["rinshan", "haitei", "tenhou", "chiihou"])
def test_flags_of_a_draw_are_refused_on_a_discard(flag):
    """[RIICHI 4.2.1] [RIICHI 4.2.5]"""
    seat = "E" if flag == "tenhou" else "S"
    tiles = KONG if flag == "rinshan" else PLAIN
    assert refused(tiles, won("ron", seat, "E", flag)) == [("flag_conflict", f"win.{flag}")]


@pytest.mark.parametrize("flag", ["chankan", "houtei", "renhou"])
def test_flags_of_a_discard_are_refused_from_the_wall(flag):
    """[RIICHI 4.2.1] [RIICHI 4.2.4]"""
    tiles = hand("234m 567m 345p 99s 13s", "s2")
    assert refused(tiles, won("tsumo", "S", "E", flag)) == [("flag_conflict", f"win.{flag}")]


@pytest.mark.parametrize("flag", ["riichi", "double_riichi"])
def test_riichi_needs_a_closed_hand(flag):
    """A concealed kong leaves the hand closed. [RIICHI 3.3.14]"""
    assert refused(OPEN, won("ron", "S", "E", flag)) == [("closed_only", f"win.{flag}")]
    assert evaluate(KONG, won("ron", "S", "E", flag)).kept[0].name == flag


def test_ippatsu_needs_riichi():
    """[RIICHI 3.3.14]"""
    assert refused(PLAIN, won("ron", "S", "E", "ippatsu")) == [("flag_conflict", "win.ippatsu")]


def test_replacement_needs_a_kong():
    """[RIICHI 4.2.1]"""
    assert refused(OPEN, won("tsumo", "S", "E", "rinshan")) == [("flag_conflict", "win.rinshan")]


def test_robbed_tile_cannot_be_held():
    """[RIICHI 3.3.6]"""
    assert refused(PLAIN, won("ron", "S", "E", "chankan", "riichi")) == [("flag_conflict", "win.chankan")]


def test_robbing_a_concealed_kong_with_thirteen_orphans():
    """[RIICHI 4.2.1]"""
    value = evaluate(hand("19m 19p 19s 123456z 1m", "R"), won("ron", "S", "E", "chankan"))
    assert names(value) == {"kokushi": 13}


@pytest.mark.parametrize(
    ("flags", "field"),
    [
        (("riichi", "ippatsu", "rinshan"), "win.rinshan"),
        (("chankan", "houtei"), "win.chankan"),
        (("renhou", "chankan"), "win.renhou"),
    ],
)
def test_flags_that_exclude_each_other(flags, field):
    """[RIICHI 3.3.14] [RIICHI 3.4.1]"""
    by, tiles = ("tsumo", KONG) if "rinshan" in flags else ("ron", hand("234m 567m 345p 99s 13s", "s2"))
    assert refused(tiles, won(by, "S", "E", *flags)) == [("flag_conflict", field)]


@pytest.mark.parametrize("other", ["riichi", "double_riichi", "haitei"])
def test_first_turn_excludes_what_comes_later(other):
    """[RIICHI 4.2.5]"""
    how = won("tsumo", "S", "E", "chiihou", other)
    assert ("flag_conflict", "win.chiihou") in refused(PLAIN, how)


@pytest.mark.parametrize(
    ("flag", "by", "seat"), [("tenhou", "tsumo", "S"), ("chiihou", "tsumo", "E"), ("renhou", "ron", "E")]
)
def test_blessings_are_for_their_seats(flag, by, seat):
    """[RIICHI 4.2.5] [RULES 8.28]"""
    assert refused(PLAIN, won(by, seat, "E", flag)) == [("flag_conflict", f"win.{flag}")]


@pytest.mark.parametrize(
    ("flag", "by", "seat"), [("tenhou", "tsumo", "E"), ("chiihou", "tsumo", "S"), ("renhou", "ron", "S")]
)
def test_blessings_allow_no_declared_set(flag, by, seat):
    """Not even a concealed kong. [RIICHI 4.2.5]"""
    assert refused(KONG, won(by, seat, "E", flag)) == [("flag_conflict", f"win.{flag}")]


def test_all_problems_come_at_once():
    """[RIICHI 3.3.14]"""
    how = won("tsumo", "S", "E", "riichi", "houtei", "renhou", dora="1s 1s")
    assert refused(OPEN, how) == [
        ("flag_conflict", "win.houtei"),
        ("flag_conflict", "win.renhou"),
        ("flag_conflict", "win.renhou"),
        ("flag_conflict", "win.renhou"),
        ("closed_only", "win.riichi"),
        ("flag_conflict", "win.renhou"),
        ("tile_copies", "dora_indicators"),
    ]


def test_indicators_are_bounded():
    """One and one for each of four kongs; ura no more than dora. [RIICHI 3.3.10] [RIICHI 3.3.14]"""
    assert refused(PLAIN, won("ron", "S", "E", "riichi", dora="1p 1p 2p 2p 6p 6p")) == [
        ("indicators", "dora_indicators")
    ]
    assert refused(PLAIN, won("ron", "S", "E", "riichi", dora="1p", ura="2p 6p")) == [
        ("indicators", "ura_indicators")
    ]
    assert names(evaluate(PLAIN, won("ron", "S", "E", "riichi", ura="2p 6p")))["riichi"] == 1


def test_tiles_that_are_no_win_are_refused():
    """[RIICHI 3.2]"""
    assert refused(hand("147m 258p 369s 1234z", "Wh"), TSUMO) == [("no_win", "hand")]


def test_titles_are_for_people():
    """[RIICHI 4.2]"""
    assert [title(name) for name in ("riichi", "dora", "xyz")] == ["Riichi", "Dora", "xyz"]
