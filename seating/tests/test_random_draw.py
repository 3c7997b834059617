"""The random draw: its published vector, its fairness, its twin in the browser."""

import json
import shutil
import subprocess
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from scoring.problems import Refusal
from seating.rules.random_draw import (
    commitment,
    committed_seed,
    keeps_commitment,
    random_draw,
)
from seating.rules.stream import Dice, Stream

JAVASCRIPT = Path(__file__).resolve().parents[2] / "static" / "js" / "draw.js"
NODE = shutil.which("node")
RERUN = """
import {{ commitment, drawTables }} from {module};
let text = "";
for await (const piece of process.stdin) text += piece;
const answers = [];
for (const [seed, numbers] of JSON.parse(text)) {{
  const draw = await drawTables(seed, numbers);
  answers.push([draw.tables, draw.off, commitment(seed)]);
}}
process.stdout.write(JSON.stringify(answers));
"""


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


@pytest.mark.skipif(NODE is None, reason="not run: the browser's own re-run needs node")
def test_browser_agrees_on_a_thousand_seeds():
    """The visitor's browser gets the same tables without any help of the server."""
    asked = [
        (f"секрет {seed}:{seed * 7}", list(range(1 + seed % 3, 5 + seed % 3 + seed % 97)))
        for seed in range(1000)
    ]
    program = RERUN.format(module=json.dumps(JAVASCRIPT.as_uri()))
    ran = subprocess.run(
        [NODE, "--input-type=module", "--eval", program],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    answers = json.loads(ran.stdout)
    assert len(answers) == len(asked)
    for (seed, numbers), (tables, off, digest) in zip(asked, answers, strict=True):
        draw = random_draw(seed, numbers)
        assert (tuple(map(tuple, tables)), tuple(off)) == (draw.tables, draw.off)
        assert digest == commitment(seed)


def test_commitment_is_kept_by_its_secret_alone():
    published = commitment("west wind")
    assert keeps_commitment(published.upper() + "\n", "west wind")
    assert not keeps_commitment(published, "east wind")
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
