"""Lists of fans: those of every hand are possible, others are not, and the nearest possible ones are offered."""

from collections import Counter
from itertools import islice
from random import Random

import pytest

from scoring.systems.mcr import lists
from scoring.systems.mcr.fans import FANS
from scoring.systems.mcr.hand import best_lists, contradictions, evaluate
from scoring.systems.mcr.lists import Way
from scoring.systems.siamese.hand import BARRED_WITHOUT_DRAWN_TILE
from scoring.tests.oracles.mcr_hands import random_hands
from scoring.tests.oracles.mcr_notation import fans, hand, won

DISCARD, DRAW = Way(False, False), Way(True, False)


def way_of(win, **more):
    """Return the way in which a hand was won."""
    return Way(win.self_drawn, win.seat_wind == win.round_wind, **more)


@pytest.mark.parametrize("seed", range(3))
def test_every_list_of_a_hand_is_possible(seed):
    """[RULES 8.48]"""
    for tiles, win in ((one.hand, one.win) for one in random_hands(seed, 500)):
        for listed in best_lists(tiles, win):
            assert lists.is_possible(listed, way_of(win)), (listed, tiles, win)


def test_the_list_of_the_engine_is_one_of_the_best():
    """[RULES 8.48]"""
    for one in random_hands(4, 300):
        assert evaluate(one.hand, one.win).counts in best_lists(one.hand, one.win)


def test_every_list_without_the_drawn_tile_is_possible():
    """[SIAM 17]"""
    drawn = (one for one in random_hands(5, 900) if one.win.self_drawn)
    for tiles, win in ((one.hand, one.win) for one in islice(drawn, 300)):
        for listed in best_lists(tiles, win, BARRED_WITHOUT_DRAWN_TILE):
            assert lists.is_possible(listed, way_of(win, uses_drawn_tile=False, has_other_hand=True))


@pytest.mark.parametrize(
    ("listed", "way", "clause", "names"),
    [
        ({28: 1, 77: 1, 78: 1}, DISCARD, "RULES 8.16", (77, 78)),
        ({22: 1, 78: 1, 79: 1}, DISCARD, "RULES 8.16", (78, 79)),
        ({28: 1, 69: 1, 71: 1, 76: 1}, DISCARD, "MCR scoring 1e5", (28, 69, 71)),
        ({28: 1, 71: 1, 72: 1, 76: 1}, DISCARD, "MCR scoring 1e5", (28, 71, 72)),
        ({41: 1, 74: 1, 67: 1}, DISCARD, "RULES 8.17", (67, 74)),
        ({41: 1, 43: 1}, DISCARD, "MCR fan 43", (41, 43)),
        ({43: 1, 51: 1}, DISCARD, "MCR fan 43", (43, 51)),
        ({1: 1, 43: 1}, DISCARD, "MCR fan 43", (1, 43)),
        ({38: 1, 73: 1}, DISCARD, "MCR scoring 1e", ()),
        ({28: 1, 41: 1, 80: 1}, DRAW, "MCR scoring 1e5", (28, 41)),
        ({43: 1, 80: 1}, DRAW, "MCR fan 43", (43, 80)),
        ({5: 1, 49: 1}, DRAW, "MCR fan 5", (5, 49)),
    ],
)
def test_what_cannot_stand_together_is_said_with_its_clause(listed, way, clause, names):
    """[RULES 8.48]"""
    assert not lists.is_possible(listed, way)
    why = lists.conflict(listed, way)
    assert (why.clause, why.fans) == (clause, names)


def test_no_list_is_none_of_a_hand():
    """Even a chicken hand has a fan. [MCR fan 43]"""
    assert not lists.is_possible({}, DISCARD)
    assert lists.is_possible({43: 1}, DISCARD)
    assert not lists.is_possible({43: 1}, DRAW)


def test_a_double_wind_counts_as_both_winds():
    """[MCR fan 61]"""
    assert lists.is_possible({22: 1, 60: 1}, DISCARD) is False
    single = fans("(111z) (234m) (567m) 22p 56s + 7s", seat="E", round_="S")
    double = fans("(111z) (234m) (567m) 22p 56s + 7s", seat="E", round_="E")
    assert (61 in single, 60 in single, 60 in double, 61 in double) == (True, False, True, True)
    assert lists.is_possible(single, DISCARD)
    assert not lists.is_possible(single, DISCARD._replace(is_double_wind=True))
    assert lists.is_possible(double, DISCARD._replace(is_double_wind=True))


def test_a_replacement_needs_a_kong_of_the_same_player():
    """In Siamese it may be of the other hand. [MCR fan 46] [SIAM 17]"""
    listed = {46: 1, 41: 1}
    assert not lists.is_possible(listed, DRAW)
    assert lists.is_possible(listed, DRAW._replace(has_other_hand=True))
    assert not lists.is_possible(listed, DRAW._replace(has_other_hand=True, uses_drawn_tile=False))
    assert lists.is_possible({46: 1, 41: 1, 74: 1}, DRAW)


# The nearest


def distance(one, other):
    """Count the fans that differ."""
    return sum(((Counter(one) - Counter(other)) + (Counter(other) - Counter(one))).values())


def worth(listed):
    return sum(FANS[fan].value * count for fan, count in listed.items())


def mutated(random, listed):
    """Change a list in one to three places."""
    changed = Counter(listed)
    for _ in range(random.choice((1, 1, 2, 3))):
        fan = random.choice([number for number in FANS if number < 81])
        if random.random() < 0.4 and changed:
            changed[random.choice(sorted(changed))] -= 1
        elif changed[fan] < FANS[fan].most:
            changed[fan] += 1
        changed = +changed
    return dict(changed)


def test_the_nearest_lists_are_possible_worth_enough_and_no_farther_than_the_hand_they_came_from():
    """[RULES 8.48]"""
    random = Random(8)
    for one in random_hands(8, 60):
        listed, way = evaluate(one.hand, one.win).counts, way_of(one.win)
        wrong = mutated(random, listed)
        if lists.is_possible(wrong, way):
            continue
        near = lists.nearest(wrong, way, worth(wrong), least=8)
        assert near
        assert all(lists.is_possible(found, way) and worth(found) >= 8 for found in near)
        assert [distance(found, wrong) for found in near] == sorted(distance(found, wrong) for found in near)
        if worth(listed) >= 8:
            assert distance(near[0], wrong) <= distance(listed, wrong)


@pytest.mark.parametrize(
    ("listed", "points", "found"),
    [
        ({28: 1, 77: 1, 78: 1, 76: 1, 75: 1}, 8, [(1, 19), (1, 19), (2, 18)]),
        ({28: 1, 77: 1, 78: 1, 76: 1, 75: 1}, 20, [(1, 19), (1, 19), (2, 20)]),
        ({28: 1, 77: 1, 78: 1, 76: 1, 75: 1}, 30, [(1, 19), (1, 19), (2, 27)]),
        ({28: 1, 49: 1}, 10, [(2, 10), (2, 12), (2, 12)]),
        ({28: 1, 49: 1}, 40, [(2, 38), (2, 30), (2, 22)]),
    ],
)
def test_of_lists_equally_near_those_of_like_value_come_first(listed, points, found):
    """What was entered as the value decides between lists that differ in as many fans. [RULES 8.48]"""
    near = lists.nearest(listed, DISCARD, points=points, least=8)
    assert [(distance(one, listed), worth(one)) for one in near] == found


def test_a_forgotten_fan_is_offered():
    """Three pungs of winds and one of terminals are All Pungs. [RULES 8.48]"""
    right = fans("(111z) (222z) (333z) 111m 5p + 5p", seat="N", round_="N")
    wrong, way = (
        {fan: count for fan, count in right.items() if fan != 49},
        DISCARD._replace(is_double_wind=True),
    )
    assert lists.is_possible(right, way)
    assert not lists.is_possible(wrong, way)
    assert right in lists.nearest(wrong, way, worth(wrong), least=8)


def test_marks_of_the_last_tile_are_those_of_the_tiles():
    """Three copies in the own declared sets make Last Tile a must. [MCR fan 58]"""
    text = "(111m) (234p) (567s) 23m 99s + 1m"
    assert 58 in fans(text)
    assert not contradictions(hand(text), won())
