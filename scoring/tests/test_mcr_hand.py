"""The value of a sport mahjong hand as a whole: the best reading, the five principles, what is refused, and laws for all hands."""

from dataclasses import replace
from itertools import chain, combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.citations import listed
from scoring.problems import Refusal
from scoring.systems.mcr.combinations import (
    ACCOUNT_ONCE,
    NO_IDENTITY,
    NO_REPEAT,
    are_joined_once,
    best_chow_groups,
    choose,
    groups_of_chows,
    groups_of_pungs,
    obstacle,
    why_not,
    worth,
)
from scoring.systems.mcr.explanation import explained
from scoring.systems.mcr.fans import FANS
from scoring.systems.mcr.hand import contradictions, evaluate, every_value, refusals
from scoring.systems.mcr.views import Held
from scoring.systems.mcr.waits import is_lone_wait, wins
from scoring.tests.oracles.mcr_hands import random_hand
from scoring.tests.oracles.mcr_notation import fans, hand, value, won
from scoring.tiles.readings import SetKind, TileSet
from scoring.tiles.tile import KINDS, counts, parse_compact

RANDOM_HANDS = st.integers(0, 2**32).map(lambda seed: random_hand(Random(seed)))


def codes(problems):
    """List where the problems are."""
    return [(problem.code, problem.field, problem.clause) for problem in problems]


# The answer says why


def test_value_names_reading_fans_and_sets():
    """Every fan comes with the sets it is made of. [MCR scoring 1e]"""
    found = value("(123m) (123p) (999m) 78p 11z + 9p")
    by_number = {row.fan.number: row.sets for row in found.fans}
    chow = SetKind.CHOW

    assert by_number[70] == ((TileSet(chow, 0, True), TileSet(chow, 9, True)),)
    assert by_number[72] == ((TileSet(chow, 15), TileSet(chow, 9, True)),)
    assert by_number[73] == ((TileSet(SetKind.PUNG, 8, True),),)
    assert by_number[55] == ((*found.reading.sets, TileSet(SetKind.PAIR, 27)),)


def test_dropped_fans_say_by_which_clause():
    """What does not count is listed with its reason. [MCR scoring 1e1] [MCR scoring 1e5]"""
    found = value("(123m) (123p) (567m) 78p 44s + 9p", "self_drawn")

    assert [(row.fan.number, row.clause, [by.number for by in row.by]) for row in found.dropped] == [
        (76, "MCR fan 63", [63])
    ]


def test_groups_left_out_say_by_which_principle():
    """Within a pure straight nothing counts again; the fourth chow is joined once. [MCR scoring 1e1] [MCR scoring 1e5]"""
    found = value("(123m) (456m) (789m) 78m 99p + 9m")

    assert [(row.fan.number, row.clause) for row in found.dropped] == [
        (28, "MCR scoring 1e3"),
        (71, "MCR scoring 1e1"),
        (71, "MCR scoring 1e1"),
        (71, "MCR scoring 1e5"),
        (72, "MCR scoring 1e1"),
        (72, "MCR scoring 1e5"),
        (76, "MCR fan 63"),
    ]


@given(RANDOM_HANDS)
@settings(deadline=None)
def test_only_counted_fans_are_blamed(drawn):
    """What dropped a fan counts itself. [MCR scoring 1e]"""
    found = evaluate(drawn.hand, drawn.win)

    assert {by.number for row in found.dropped for by in row.by} <= set(found.numbers)
    assert all(row.by for row in found.dropped)


@given(RANDOM_HANDS)
@settings(deadline=None)
def test_every_clause_of_an_explanation_is_one_of_the_rulebook(drawn):
    """A line names a clause that the reader opens, and where a fan dropped another, one that counts. [RULES 1.1]"""
    found = evaluate(drawn.hand, drawn.win)
    told = explained(found, drawn.hand, {}, (0, 0, 0), all_pay=True)
    known, counted = {clause.tag for clause in listed()}, {term.name for term in told.terms}

    cited = [line.clause for line in (*told.terms, *told.omissions)]
    assert {tag for clause in cited for tag in clause.split(", ")} <= known
    blamed = {one.details[name] for one in told.omissions for name in NAMED if name in one.details}
    assert blamed <= counted
    assert all(one.details["fan"] for one in told.omissions)


NAMED = ("fan", "other", "third")


@pytest.mark.parametrize(
    ("text", "number", "expected"),
    [
        ("111m 999m 111p 999p 1s + 1s", 49, ("MCR fan 8", 8)),
        ("111m 999m 111p 999p 1s + 1s", 73, ("MCR fan 8", 8)),
        ("111222333555z 6z + 6z", 55, ("MCR fan 11", 11)),
        ("19m 19p 19s 123456z 7z + 7z", 62, ("MCR fan 7", 7)),
    ],
)
def test_dropped_fan_is_blamed_on_a_counted_one(text, number, expected):
    """A fan that is itself dropped explains nothing. [MCR fan 8] [MCR fan 11] [MCR scoring 1e]"""
    (dropped,) = (row for row in value(text).dropped if row.fan.number == number)
    assert (dropped.clause, dropped.by[0].number) == expected


def test_group_within_a_fan_is_dropped_by_the_clause_of_that_fan():
    """Four Shifted Chows have clauses for what lies within them. [MCR fan 16] [RULES 8.19] [MCR scoring 1e1]"""
    wide = value("(123m) (345m) 567m 789m 5p + 5p").dropped
    close = value("(123m) (234m) 345m 456m 5p + 5p").dropped

    assert {(row.fan.number, row.clause, row.by[0].number) for row in wide if row.sets} == {
        (30, "MCR scoring 1e1", 16),
        (72, "RULES 8.19", 16),
    }
    assert {(row.fan.number, row.clause) for row in close if row.sets} == {
        (30, "MCR scoring 1e1"),
        (71, "MCR fan 16"),
    }


def test_fan_excluded_as_a_whole_is_dropped_once():
    """Beside Three Suited Terminal Chows no other fan is to blame for the second Two Terminal Chows. [MCR fan 29]"""
    dropped = value("(123m) (123p) 789m 789p 5s + 5s").dropped
    assert [(row.clause, row.by[0].number) for row in dropped if row.fan.number == 72] == [("MCR fan 29", 29)]


@given(st.lists(st.sampled_from([tile for tile in range(27) if tile % 9 < 7]), min_size=2, max_size=4))
@settings(deadline=None)
def test_obstacle_names_the_fewest_groups_that_suffice(chows):
    """Without any of the groups named the dropped one could join them. [MCR scoring 1e1] [MCR scoring 1e3] [MCR scoring 1e5]"""
    chows = tuple(sorted(chows))
    chosen = best_chow_groups(chows)
    for group in groups_of_chows(chows):
        if group not in chosen:
            against = obstacle(group, chosen).groups
            assert why_not(group, against)
            assert all(why_not(group, [one for one in against if one != left]) is None for left in against)


def test_chosen_groups_explain_those_left_out():
    """With four chows three pairs at most count, each set joined once; a used chow makes no second equal fan.

    [MCR scoring 1e3] [MCR scoring 1e5]
    """
    chosen = ((69, 0b0011), (69, 0b1100), (72, 0b0101))

    assert best_chow_groups((0, 0, 6, 6)) == chosen
    assert why_not((72, 0b1010), chosen) == ACCOUNT_ONCE
    assert why_not((72, 0b0110), chosen) == NO_IDENTITY
    assert why_not((71, 0b0011), ((28, 0b0111),)) == NO_REPEAT


# The five principles


def test_no_repeat_leaves_contained_fans_out():
    """Upper Tiles are Upper Four as well, and have no honors. [MCR scoring 1e1]"""
    assert fans("(789m) (789s) (888s) 88p 88m + 8p") == {25: 1, 64: 1, 65: 1, 70: 1}


def test_no_separation_keeps_to_one_reading():
    """111222333 are three pungs or three chows, never both. [MCR scoring 1e2]"""
    assert fans("111222333m 77p 11z + 1z", "self_drawn") == {12: 1, 24: 1, 56: 1, 73: 2, 75: 1}
    assert fans("111222333m 456p 7p + 7p")[24] == 1
    assert 23 not in fans("111222333m 456p 7p + 7p")


def test_higher_over_lower_takes_the_best_reading():
    """Of seven pairs and four chows the one worth more counts. [MCR scoring 1e4]"""
    assert fans("223344m 223344p 7s + 7s") == {19: 1, 68: 1}
    assert fans("223344m 22334p 44s + 4p") == {19: 1, 37: 1, 68: 1}
    assert fans("1122334455667m + 7m") == {6: 1}


def test_account_once_joins_the_fourth_chow_once():
    """Three chows make a fan; the fourth joins one of them. [MCR scoring 1e5]"""
    assert fans("(123m) (456m) (789m) 23m 77m + 1m") == {22: 1, 28: 1, 63: 1, 69: 1}


@pytest.mark.parametrize(
    ("groups", "joined"),
    [
        ((0b0011, 0b1100), True),
        ((0b0011, 0b0110, 0b1100), True),
        ((0b0011, 0b0110, 0b0101), False),
        ((0b0111, 0b1001), True),
        ((0b0111, 0b1100, 0b1001), False),
        ((0b0011, 0b1100, 0b0101, 0b1010), False),
    ],
    ids=["apart", "chain", "ring", "joined to three", "joined twice", "square"],
)
def test_groups_are_joined_once_without_a_ring(groups, joined):
    """A set is combined with used ones only once. [MCR scoring 1e5]"""
    assert are_joined_once(groups) is joined


@given(st.lists(st.sampled_from([tile for tile in range(27) if tile % 9 < 7]), min_size=2, max_size=4))
@settings(deadline=None)
def test_chosen_chow_groups_are_worth_most(chows):
    """No other choice that the principles allow is worth more, whatever the order. [MCR scoring 1e4]"""
    groups = groups_of_chows(tuple(sorted(chows)))

    assert worth(choose(groups)) == max(map(worth, _allowed(groups)))


@given(st.lists(st.sampled_from(range(KINDS)), min_size=2, max_size=4, unique=True))
@settings(deadline=None)
def test_chosen_pung_groups_are_worth_most(pungs):
    """No other choice that the principles allow is worth more. [MCR scoring 1e4]"""
    groups = groups_of_pungs(tuple(sorted(pungs)))

    assert worth(choose(groups)) == max(map(worth, _allowed(groups)))


def _allowed(groups):
    """List every subset in which some order of adding breaks no principle."""
    subsets = chain.from_iterable(combinations(groups, size) for size in range(len(groups) + 1))
    return [subset for subset in subsets if len(subset) <= 4 and _can_grow(subset)]


def _can_grow(subset):
    """Return whether the groups can be added one by one, each joining what is not used yet. [MCR scoring 1e5]"""
    if not subset:
        return True
    return any(
        _can_grow((*subset[:at], *subset[at + 1 :])) and _joins(group, subset[:at] + subset[at + 1 :])
        for at, group in enumerate(subset)
    )


def _joins(group, before):
    number, sets = group
    islands = _islands([taken for _, taken in before])
    is_once = all((sets & island).bit_count() < 2 for island in islands)
    return is_once and not any(number == other and sets & taken for other, taken in before)


def _islands(groups):
    islands = []
    for group in groups:
        joined = group
        while touched := [island for island in islands if island & joined]:
            islands = [island for island in islands if island not in touched]
            joined |= sum(touched)
        islands.append(joined)
    return islands


# Waits


def waiting_tiles(before, melds=()):
    """Try every tile."""
    found = []
    for tile in range(KINDS):
        counted = [*before]
        counted[tile] += 1
        if wins(counted, melds, tile):
            found.append(tile)
    return found


@given(RANDOM_HANDS)
@settings(max_examples=150, deadline=None)
def test_lone_wait_is_what_brute_force_finds(drawn):
    """The quick answer about a regular hand agrees with trying all 34 tiles. [RULES 8.16]"""
    tiles = drawn.hand
    before = counts(tiles.concealed)
    waits = waiting_tiles(before, tiles.melds)
    regular = evaluate(tiles, drawn.win).reading.form.value == "regular"

    assert tiles.winning_tile in waits
    if regular:
        assert is_lone_wait(before, tiles.winning_tile) is (waits == [tiles.winning_tile])


@pytest.mark.parametrize(
    ("tiles", "waits"),
    [
        ("123m 456p 789s 78m 22p", "6m 9m"),
        ("1112345678999m", "1m 2m 3m 4m 5m 6m 7m 8m 9m"),
        ("19m 19p 19s 1234567z", "19m 19p 19s 1234765z"),
        ("147m 258p 36s 111z 22z", "9s"),
        ("123456z 147m 258p 3s", "69s 7z"),
        ("1133557799m 113p", "3p"),
        ("1111m 23m 456p 789s 9p", "9p"),
        ("11m 11p 111222333s", "1m 1p"),
    ],
    ids=["two-sided", "nine gates", "orphans", "knitted straight", "knitted", "pairs", "single", "two pairs"],
)
def test_waiting_tiles_are_listed_for_every_form(tiles, waits):
    """Waits are judged by shape in each form of a complete hand. [RULES 8.16] [MCR winning 2c]"""
    assert waiting_tiles(counts(parse_compact(tiles))) == parse_compact(waits)


def test_wait_may_be_for_a_tile_that_is_used_up():
    """All four ones are in hand, and still 1111234 waits by shape for a one as well as for a four. [RULES 8.16]"""
    assert waiting_tiles(counts(parse_compact("1111234m 456p 789s"))) == parse_compact("1m 4m")
    assert fans("(456p) (777z) 1111234m + 4m") == {59: 1, 64: 1, 73: 1, 75: 1}


def test_six_pairs_wait_for_the_seventh_as_well():
    """The closed wait for a five is annulled by the wait of the pairs for a six. [RULES 8.16] [MCR fan 19]"""
    assert waiting_tiles(counts(parse_compact("1111222233446m"))) == parse_compact("5m 6m")
    assert fans("1111222233446m + 5m", "self_drawn") == {22: 1, 56: 1, 64: 2, 71: 1, 73: 1}


@pytest.mark.parametrize(
    ("text", "wait"),
    [
        ("(123p) (444s) 111m 789m 7z + 7z", 79),
        ("(123p) (444s) 111m 77z 79m + 8m", 78),
        ("(123p) (444s) (789m) 11m 77z + 7z", None),
        ("147m 258p 369s 12m 77z + 3m", 77),
        ("147m 258p 369s 13m 77z + 2m", 78),
        ("147m 258p 369s 23m 77z + 4m", None),
        ("147m 258p 36s 777z 5z 5z + 9s", None),
    ],
    ids=["pair", "middle", "two pairs", "knitted edge", "knitted middle", "knitted open", "knitted tile"],
)
def test_wait_fan_needs_one_waiting_tile(text, wait):
    """One waiting tile gives exactly one of edge, closed and single, in a knitted straight too. [RULES 8.16] [RULES 8.18]"""
    assert [number for number in fans(text) if number in (77, 78, 79)] == ([wait] if wait else [])


# What is refused


def test_tiles_that_are_no_win_are_refused():
    """A hand must be four sets and a pair or a special hand. [MCR winning 2a] [MCR winning 2c]"""
    with pytest.raises(Refusal) as refused:
        value("123m 456p 789s 78m 22p + 1z")

    assert codes(refused.value.problems) == [("no_win", "hand", "MCR winning 2a")]


def test_waiting_hand_is_no_win():
    """Without a winning tile there is nothing to value. [MCR winning 2a]"""
    waiting = replace(hand("123m 456p 789s 78m 22p + 9m"), winning_tile=None)

    assert codes(refusals(waiting, won())) == [("no_win", "hand", "MCR winning 2a")]
    with pytest.raises(Refusal):
        evaluate(waiting, won())


@pytest.mark.parametrize(
    ("text", "flags", "field", "clause"),
    [
        ("(123p) (444s) (789m) 34p 77z + 5p", ("robbing_kong", "self_drawn"), "robbing_kong", "MCR fan 47"),
        ("(123p) (444s) (789m) 34p 77z + 2p", ("robbing_kong",), "robbing_kong", "MCR fan 47"),
        (
            "(123p) (444s) (789m) 34p 77z + 5p",
            ("robbing_kong", "last_wall_tile"),
            "last_wall_tile",
            "MCR fan 45",
        ),
        (
            "(4444s) (789m) 123p 34p 77z + 5p",
            ("replacement_after_kong",),
            "replacement_after_kong",
            "MCR fan 46",
        ),
        (
            "(444s) (789m) 123p 34p 77z + 5p",
            ("replacement_after_kong", "self_drawn"),
            "replacement_after_kong",
            "MCR fan 46",
        ),
        ("(444s) (789m) 123p 34p 77z + 2p", ("last_of_kind",), "last_of_kind", "MCR fan 58"),
    ],
    ids=[
        "robbing one's own",
        "robbing a tile held",
        "robbing without wall",
        "replacement on a discard",
        "replacement without kong",
        "last tile held twice",
    ],
)
def test_contradicting_circumstances_are_refused(text, flags, field, clause):
    """Circumstances that tiles or each other rule out are not corrected. [MCR fan 45] [MCR fan 46] [MCR fan 47] [MCR fan 58]"""
    assert codes(contradictions(hand(text), won(*flags))) == [("outcome_conflict", f"win.{field}", clause)]


def test_kong_of_another_hand_explains_a_replacement():
    """Where a player builds two hands the kong may be in the other one. [SIAM 10]"""
    tiles = hand("(444s) (789m) 123p 34p 77z + 5p")

    assert contradictions(tiles, won("replacement_after_kong", "self_drawn"), kong_elsewhere=True) == []


# Laws


@given(RANDOM_HANDS, st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_order_of_tiles_and_sets_does_not_matter(drawn, random):
    """A hand is worth the same however it is laid out."""
    tiles = drawn.hand
    shuffled = replace(
        tiles,
        concealed=tuple(random.sample(tiles.concealed, len(tiles.concealed))),
        declared=tuple(random.sample(tiles.declared, len(tiles.declared))),
    )
    ours, theirs = evaluate(tiles, drawn.win), evaluate(shuffled, drawn.win)

    assert [(row.fan, row.count) for row in ours.fans] == [(row.fan, row.count) for row in theirs.fans]


@given(RANDOM_HANDS)
@settings(max_examples=100, deadline=None)
def test_value_is_that_of_the_best_reading(drawn):
    """No reading is worth more, and the fans add up to the value. [MCR scoring 1e4]"""
    tiles = drawn.hand
    found = evaluate(tiles, drawn.win)
    held = Held(tiles.counted, tiles.melds, tiles.winning_tile, drawn.win)

    assert found.points == max(other.points for other in every_value(held))
    assert found.total == sum(row.points for row in found.fans)
    assert found.points > 0


@given(RANDOM_HANDS)
@settings(max_examples=100, deadline=None)
def test_counted_fans_never_exclude_each_other(drawn):
    """No repeating: what one fan excludes is dropped, and the reason is named. [MCR scoring 1e1]"""
    found = evaluate(drawn.hand, drawn.win)
    counted = {row.fan.number for row in found.fans}

    assert not any(counted & set(row.fan.excludes) for row in found.fans)
    assert all(row.clause for row in found.dropped)
    assert all(row.count <= row.fan.most for row in found.fans)


@given(RANDOM_HANDS)
@settings(max_examples=60, deadline=None)
def test_barring_a_fan_never_raises_a_hand(drawn):
    """A hand that may not count a fan is worth no more than with it, unless it becomes a chicken hand. [SIAM 17]"""
    found = evaluate(drawn.hand, drawn.win)
    barred = evaluate(drawn.hand, drawn.win, frozenset({4, 46, 58, 77, 78, 79}))

    assert barred.points <= found.points or 43 in {row.fan.number for row in barred.fans}


def test_every_fan_is_exclusive_of_known_fans_only():
    """Exclusions are data: each names a fan and a clause. [MCR scoring 1e1]"""
    assert all(other in FANS and clause for row in FANS.values() for other, clause in row.excludes.items())
