"""Riichi: which yaku a hand can have together and with how many minipoints; the table is held against hands of the engine."""

from dataclasses import replace
from random import Random

import pytest

from bench import yaku as bench
from scoring.hands import Hand, Win, Winner
from scoring.seats import SEATS
from scoring.systems.riichi.play import Riichi
from scoring.tests.oracles.riichi_hands import random_case

E, S, W, N = SEATS
START = Riichi().start(SEATS)
WALL = None


def problems(yaku, fu=None, by=W, *, seat=S, dora=0, **more):
    """Return codes and fields of a recorded win; a winner with riichi has a bet on the table."""
    listed = yaku | ({"dora": dora} if dora else {})
    han = sum(listed.values())
    value = {"limit": "yakuman"} if han > 12 else {"han": han, "fu": fu}
    bets = (seat,) if {"riichi", "double_riichi"} & set(yaku) else ()
    recorded = Hand(1, (Win((Winner(seat, yaku=listed, **value),), by),), riichi=bets)
    recorded = replace(recorded, first_reading=more.pop("first_reading", False))
    found = Riichi().check(recorded, replace(START, **more))
    assert all(str(problem) and problem.clause for problem in found)
    return [(problem.code, problem.field.removeprefix("events.0.winners.0.")) for problem in found]


NO_HAND = [("yaku_conflict", "yaku")]


@pytest.mark.parametrize(
    ("yaku", "fu", "by"),
    [
        ({"haku": 1, "hatsu": 1, "chun": 1}, 40, W),  # big three dragons
        ({"shousangen": 2}, 50, W),  # its two pungs count besides
        ({"shousangen": 2, "haku": 1}, 50, W),
        ({"haku": 1, "hatsu": 1, "seat_wind": 1, "round_wind": 1, "sanshoku_doujun": 1}, 40, W),  # seven sets
        ({"haku": 1, "hatsu": 1, "seat_wind": 1, "round_wind": 1}, 60, W),  # all pungs
        ({"honroutou": 2}, 40, W),  # all pungs or seven pairs besides
        ({"honitsu": 3, "ittsu": 1}, 40, W),  # closed and open at once
        ({"rinshan": 1, "pinfu": 1, "menzen_tsumo": 1}, 30, WALL),  # pinfu has no kong
        ({"rinshan": 1, "chiitoitsu": 2, "menzen_tsumo": 1}, 25, WALL),
        ({"honitsu": 3, "tanyao": 1}, 40, W),
        ({"pinfu": 1, "tanyao": 1}, 20, WALL),  # a closed hand from the wall is a yaku of its own
        ({"sankantsu": 2, "pinfu": 1}, 60, W),
        ({"kokushi": 13, "daisangen": 13}, None, W),
        ({"chuuren": 13, "suukantsu": 13}, None, W),
        ({"tenhou": 13, "suukantsu": 13}, None, WALL),  # no kong was declared before the first turn
    ],
)
def test_yaku_that_no_hand_has_together_are_refused(yaku, fu, by):
    """[RIICHI 4.2.1] [RIICHI 4.2.2] [RIICHI 4.2.5]"""
    assert NO_HAND[0] in problems(yaku, fu, by)


@pytest.mark.parametrize(
    ("yaku", "fu", "by", "dora"),
    [
        ({"pinfu": 1}, 40, W, 0),
        ({"pinfu": 1, "menzen_tsumo": 1}, 30, WALL, 0),
        ({"chiitoitsu": 2}, 30, W, 0),
        ({"tanyao": 1}, 25, W, 1),
        ({"toitoi": 2, "sanankou": 2}, 30, W, 0),  # three concealed pungs are twelve at the least
        ({"tanyao": 1}, 110, W, 0),  # kongs of simples are worth less
        ({"rinshan": 1}, 20, WALL, 1),
        ({"sankantsu": 2}, 30, W, 0),
    ],
)
def test_minipoints_that_no_hand_with_these_yaku_has_are_refused(yaku, fu, by, dora):
    """[RIICHI 4.1.1]"""
    found = problems(yaku, fu, by, dora=dora)
    assert [field for _, field in found] in (["fu"], ["yaku"])


def test_the_own_wind_counts_twice_where_it_is_that_of_the_round():
    """East in the east round has both or none; everybody else never both with one pung. [RIICHI 4.2.1]"""
    assert problems({"seat_wind": 1}, 30, seat=E) == NO_HAND
    assert problems({"seat_wind": 1, "round_wind": 1}, 30, seat=E) == []
    assert problems({"seat_wind": 1}, 30, seat=S) == []
    assert problems({"seat_wind": 1}, 30, seat=S, dealer=S) == NO_HAND
    assert problems({"seat_wind": 1, "round_wind": 1, "chanta": 1}, 30, seat=S) == []
    assert problems({"seat_wind": 1, "round_wind": 1, "sanshoku_doujun": 1}, 30, seat=S) == NO_HAND
    assert problems({"seat_wind": 1, "round_wind": 1, "sanshoku_doujun": 1}, 30, seat=E) == []


@pytest.mark.parametrize(
    ("yaku", "fu", "by", "dora"),
    [
        ({"riichi": 1}, 30, W, 3),  # pinfu was left out, as in the example of RECORD
        ({"riichi": 1}, 40, W, 0),
        ({"riichi": 1, "pinfu": 1, "menzen_tsumo": 1, "tanyao": 1}, 20, WALL, 0),
        ({"chiitoitsu": 2, "honroutou": 2, "honitsu": 3}, 25, W, 0),
        ({"shousangen": 2, "haku": 1, "chun": 1, "honitsu": 2}, 40, W, 0),
        ({"renhou": 5}, 40, W, 0),
        ({"rinshan": 1}, 30, WALL, 0),
        ({"daisangen": 13, "tsuuiisou": 13}, None, W, 0),
        ({"tsuuiisou": 13}, None, W, 0),
        ({"tenhou": 13}, None, WALL, 0),
        ({"ryuuiisou": 13}, None, W, 0),
        ({"kokushi": 13}, None, W, 0),
    ],
)
def test_yaku_of_hands_stand(yaku, fu, by, dora):
    """[RIICHI 4.1.1] [RIICHI 4.2] [RECORD 7]"""
    assert problems(yaku, fu, by, dora=dora, seat=E if "tenhou" in yaku else S) == []


@pytest.mark.parametrize("seed", [1, 2])
def test_what_the_engine_finds_can_be_recorded_without_tiles(seed):
    """[RIICHI 4.1.1] [RIICHI 4.2]"""
    random, asked = Random(seed), 0
    while asked < 700:
        facts = bench.recorded(random_case(random))
        if facts is not None:
            asked += 1
            assert bench.is_accepted(facts, random), facts


def test_hands_of_the_first_reading_are_not_asked():
    """Other people's files of version 1 are judged as they were. [RECORD 7]"""
    assert problems({"shousangen": 2}, 50) == NO_HAND
    assert problems({"shousangen": 2}, 50, first_reading=True) == []
