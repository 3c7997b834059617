"""Red mahjong: which fans a hand can have together; the table is held against hands, and hands against the table."""

import re
from itertools import combinations
from random import Random

import pytest

from bench import red_lists
from scoring.hands import Hand, Win, Winner
from scoring.systems.red import lists
from scoring.systems.red.checks import apart
from scoring.systems.red.fans import FANS, FLOWER, View
from scoring.systems.red.hand import evaluate
from scoring.systems.red.law import Law
from scoring.systems.red.play import Red
from scoring.tests.test_red_checks import S, W, of_winner, problems
from scoring.tiles.readings import Form, SetKind, TileSet
from scoring.tiles.tile import NUMBERS
from scoring.tiles.tile_hands import Declared, TileHand

WITH_JOKERS = Red(law=Law(jokers=True))


def laid_out(text):
    """Read a hand of the table; all its sets are declared, so that it has one reading."""
    *groups, pair = (
        tuple(NUMBERS[tile] for tile in re.findall("[mps][1-9]|Wh|[ESWNRGJ]", one)) for one in text.split()
    )
    return TileHand((pair[1],), tuple(Declared(_kind(group), group, True) for group in groups), pair[0])


def _kind(group):
    real = {tile for tile in group if tile != NUMBERS["J"]}
    return SetKind.PUNG if len(real) == 1 else SetKind.CHOW


@pytest.mark.parametrize("with_jokers", [False, True])
def test_every_list_is_that_of_a_hand(with_jokers):
    """[RED scoring 2] [RED jokers 1]"""
    shown = {words: text for words, text in lists.known(with_jokers=with_jokers).items() if text}
    assert len(shown) > 390
    for words, text in shown.items():
        value = evaluate(laid_out(text), Law(jokers=with_jokers))
        assert lists.in_words({one.fan.number: one.count for one in value.fans}) == words, text


@pytest.mark.parametrize("seed", [1, 2])
def test_every_hand_has_a_list_of_the_table(seed):
    """Random sets, often of few kinds of tiles. [RED scoring 2] [RULES 8.23]"""
    random, seen = Random(seed), set()
    for _ in range(1500):
        listed, jokers = red_lists.drawn(random)
        seen.add(listed)
        assert lists.is_possible(dict(listed), with_jokers=bool(jokers)), listed
    assert len(seen) > 100


def test_the_second_opinion_counts_as_the_engine_does():
    """What wrote the table knows nothing of the engine. [RED scoring 2]"""
    random = Random(3)
    for _ in range(400):
        sets, pair = [random.choice(red_lists.SETS) for _ in range(4)], random.randrange(red_lists.KINDS)
        kinds = {tile for one in sets for tile in red_lists.tiles_of(one)} | {pair}
        view = View(
            Form.REGULAR,
            tuple(TileSet(SetKind.PUNG if is_pung else SetKind.CHOW, tile) for tile, is_pung in sets),
            pair,
            0,
        )
        counted = {fan.number: len(made) for fan in FANS if (made := fan.find(view))}
        assert red_lists.fans_of_sets(sets) | red_lists.fans_of_all(kinds, pair) == counted


@pytest.mark.parametrize(
    ("listed", "fans"),
    [
        ({"10": 2}, 24),  # two straights of four chows are all chows
        ({"6": 4}, 12),  # four pungs of honors are all pungs
        ({"6": 3, "9": 1}, 21),  # five sets
        ({"16": 1, "8": 1}, 44),  # the pung of red dragons is one of honors
        ({"3": 5, "2": 1}, 18),  # five pairs of chows need two alike
        ({"4": 2}, 6),  # two double pungs of three pungs need jokers
        ({"12": 1, "18": 1}, 76),
    ],
)
def test_lists_that_no_hand_has_are_refused(listed, fans):
    """[RED scoring 2] [RULES 8.23]"""
    assert of_winner({"fans": fans, "fan_list": listed}) == [("yaku_conflict", "fan_list")]


def test_jokers_make_more_lists():
    """Three pungs of which two are alike, and the third of the same number. [RED jokers 1]"""
    assert of_winner({"fans": 6, "fan_list": {"4": 2}}, ruleset=WITH_JOKERS) == []
    assert of_winner({"fans": 24, "fan_list": {"10": 2}}, ruleset=WITH_JOKERS) == [
        ("yaku_conflict", "fan_list")
    ]


@pytest.mark.parametrize("listed", [{"2": 1, "5": 1, "9": 1, "10": 2}, {"11": 1}, {"6": 1}, {}])
def test_lists_of_hands_stand(listed):
    """[RED scoring 2] [RED fan 11]"""
    worth = sum(Law().points(int(number)) * count for number, count in listed.items())
    assert of_winner({"fans": worth, "fan_list": listed}) == []


def test_hands_of_the_first_reading_are_not_asked():
    """Other people's files of version 1 are judged as they were. [RECORD 7]"""
    impossible = Win((Winner(S, fans=24, fan_list={"10": 2}),), W)
    assert problems(Hand(1, (impossible,))) == [("yaku_conflict", "events.0.winners.0.fan_list")]
    assert problems(Hand(1, (impossible,), first_reading=True)) == []


@pytest.mark.parametrize("with_jokers", [False, True])
def test_fans_are_told_apart_exactly_where_no_list_has_both(with_jokers):
    """[RED fan 11] [RULES 8.23]"""
    numbers = [fan.number for fan in FANS if fan.number != FLOWER]
    together = set()
    for listed in lists.known(with_jokers=with_jokers):
        together |= {
            frozenset(pair) for pair in combinations([int(one.split("×")[0]) for one in listed.split()], 2)
        }
    told = {frozenset((one, other)) for one in numbers for other in apart(one, with_jokers=with_jokers)}
    assert told == {frozenset(pair) for pair in combinations(numbers, 2)} - together
