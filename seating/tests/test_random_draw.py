"""The random draw: its published vector, its fairness, its refusals."""

from collections import Counter
from hashlib import sha256
from itertools import combinations

import pytest

from scoring.problems import Refusal
from seating.rules.random_draw import (
    commitment,
    committed_seed,
    random_draw,
)
from seating.rules.stream import Dice, Stream


def test_draw_gives_the_published_vector():
    """The vector of the method "four-winds/1". [SBR 2.4.1]"""
    draw = random_draw("x", range(1, 10))
    assert draw.tables == ((5, 9, 7, 2), (3, 8, 6, 1))
    assert draw.off == (4,)


def test_order_of_the_list_changes_nothing():
    assert random_draw("x", [9, 3, 1, 2, 8, 7, 4, 6, 5]) == random_draw("x", range(1, 10))


@pytest.mark.parametrize(
    ("players", "sizes", "off"),
    [(4, [4], 0), (5, [4], 1), (6, [4], 2), (7, [4, 3], 0), (8, [4, 4], 0), (103, [4] * 25 + [3], 0)],
)
def test_remainder_has_three_at_the_last_table_or_no_game(players, sizes, off):
    """Three left over play without North; one or two have no game. [SBR 3.1.3] [SBR 3.1.4]"""
    draw = random_draw("any", range(1, players + 1))
    assert [len(table) for table in draw.tables] == sizes
    assert len(draw.off) == off
    seated = [number for table in draw.tables for number in table]
    assert sorted([*seated, *draw.off]) == list(range(1, players + 1))


@pytest.mark.parametrize(
    ("players", "size", "sizes", "off"),
    [(3, 3, [3], 0), (5, 3, [3], 2), (9, 3, [3] * 3, 0), (5, 2, [2] * 2, 1)],
)
def test_systems_with_smaller_tables_deal_in_threes_or_twos(players, size, sizes, off):
    """[SIAM]"""
    draw = random_draw("any", range(1, players + 1), size)
    assert [len(table) for table in draw.tables] == sizes
    assert len(draw.off) == off


@pytest.mark.parametrize(
    ("numbers", "codes"),
    [
        ([], ["too_few_players"]),
        ([1, 2, 3], ["too_few_players"]),
        ([1, 2, 2, 3, 4], ["player_twice"]),
        ([-1, 2, 3, 4], ["number_invalid"]),
        ([1, 1], ["too_few_players", "player_twice"]),
    ],
    ids=["nobody", "three", "twice", "below-zero", "both"],
)
def test_impossible_list_is_refused_with_every_reason(numbers, codes):
    with pytest.raises(Refusal) as refusal:
        random_draw("x", numbers)
    assert [problem.code for problem in refusal.value.problems] == codes


def test_each_seat_and_each_pair_has_its_chance():
    """Sixteen players over 20 000 seeds: each seat 1/4, each pair 3/15, within five deviations. [SBR 2.4.1]"""
    seeds = 20_000
    seats: Counter[tuple[int, int]] = Counter()
    pairs: Counter[tuple[int, int]] = Counter()
    for seed in range(seeds):
        for table in random_draw(f"seed {seed}", range(1, 17)).tables:
            seats.update((number, seat) for seat, number in enumerate(table))
            pairs.update(combinations(sorted(table), 2))
    assert len(seats) == 64
    assert len(pairs) == 120
    for chance, counts in ((0.25, seats), (0.2, pairs)):
        allowed = 5 * (seeds * chance * (1 - chance)) ** 0.5
        assert max(abs(count - seeds * chance) for count in counts.values()) < allowed


def test_commitment_is_kept_by_its_secret_alone():
    published = commitment("west wind")
    assert published == sha256(b"west wind").hexdigest()
    assert published != commitment("east wind")
    assert committed_seed("west wind", "6 1 4") == "west wind:6 1 4"


def test_stream_drops_what_would_favour_small_numbers():
    """A number at or above the largest multiple of the limit is not used. [SBR 2.4.1]"""
    stream = Stream("x")
    stream._waiting = [7, (1 << 64) - 1]
    assert stream.below(10) == 7


def test_dice_of_two_purposes_differ_and_repeat():
    first = Dice("x", "winds").throw()
    assert first == Dice("x", "winds").throw()
    assert first != Dice("x", "tables").throw()
    assert len(first) == 2048


def test_whoever_was_short_is_so_again_only_after_the_others():
    """The vector of the method "four-winds/2", and of nine players each has no game once in nine sessions. [RULES 8.33]"""
    draw = random_draw("x", range(1, 10), short=[4])
    assert (draw.tables, draw.off) == (((5, 9, 7, 2), (3, 8, 6, 4)), (1,))
    short = []
    for session in range(9):
        short += random_draw(f"{session}", range(1, 10), short=short).off
    assert sorted(short) == list(range(1, 10))


@pytest.mark.parametrize("players", [6, 7, 13, 14, 15, 31])
def test_nobody_is_short_twice_while_others_never_were(players):
    """[SBR 3.1.4] [RULES 8.33]"""
    short = []
    for session in range(12):
        draw = random_draw(f"{session}", range(players), short=short)
        short += [*draw.off, *(who for table in draw.tables if len(table) < 4 for who in table)]
        times = [short.count(who) for who in range(players)]
        assert max(times) - min(times) <= 1
