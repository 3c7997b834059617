"""Every list of fans that a hand of sport mahjong can have: found, held against the engine, and written as the table of the program.

    python bench/lists.py write [--compiler c++] [--witnesses FILE]                 half an hour on one core
    python bench/lists.py check [--hands 200000] [--seed 1] [--witnesses FILE]      three minutes

`write` compiles bench/lists.cpp, which values every hand by rules of its own and tells each list with a hand that has it. The
engine values each of those hands again: a list goes into `scoring/systems/mcr/lists.json` only as what the engine says as well.
`check` asks the table about random hands, of which it may refuse none, and about lists made of theirs by changing them at random: with
the witnesses that `write` left, every one that is accepted is shown to be some hand's. Both tell how long the table takes to answer.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from pathlib import Path
from random import Random
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scoring.systems.mcr import lists
from scoring.systems.mcr.fans import FANS
from scoring.systems.mcr.hand import best_lists, contradictions, evaluate
from scoring.systems.mcr.lists import Way
from scoring.systems.siamese.hand import BARRED_WITHOUT_DRAWN_TILE
from scoring.tests.oracles.mcr_hands import random_hands
from scoring.tests.oracles.mcr_notation import hand, won

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "scoring/systems/mcr/lists.json"
SOURCE = ROOT / "bench/lists.cpp"
SINGLE, DOUBLE, BOTH = range(3)
DISCARD, DRAW, UNDRAWN = range(3)
WINDS = {SINGLE: (False,), DOUBLE: (True,), BOTH: (False, True)}
MARKS = (lists.MAY_LACK_LAST_TILE, lists.MAY_HAVE_LAST_TILE, lists.MAY_ROB)
FLAGS = ((), ("last_of_kind",), ("robbing_kong",))
LAST_TILES = {
    44: "last_wall_tile",
    45: "last_wall_tile",
    46: "replacement_after_kong",
    47: "robbing_kong",
    58: "last_of_kind",
}
SLOWEST_MS = 50


class Witness(NamedTuple):
    """A list without how the last tile came, the hand that has it, and which mark of the last tile it shows.

    `winds` says for which winds it holds, `way` how the hand was won.
    """

    winds: int
    way: int
    fans: tuple[int, ...]
    mark: int
    hand: str


def find(compiler: str) -> Iterator[Witness]:
    """Compile the finder, tell it what the fans exclude, and read what it found."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "lists"
        excluded = "".join(
            f"exclude({number}, {{{', '.join(map(str, sorted(fan.excludes)))}}});\n"
            for number, fan in sorted(FANS.items())
        )
        (Path(folder) / "excluded.inc").write_text(excluded, encoding="ascii")
        subprocess.run([compiler, "-O3", "-std=c++17", f"-I{folder}", "-o", program, SOURCE], check=True)
        with subprocess.Popen([program], stdout=subprocess.PIPE, text=True) as found:
            assert found.stdout
            for line in found.stdout:
                head, *hands = line.rstrip("\n").split(";")
                kind, _, fans = head.split()
                winds, way = divmod(int(kind), 3)
                listed = () if fans == "-" else tuple(sorted(map(int, fans.split(","))))
                for mark, text in enumerate(hands):
                    if text:
                        yield Witness(winds, way, listed, mark, text)


def faults(witness: Witness) -> Iterator[str]:
    """Say where the engine disagrees: the hand contradicts itself, has another list, or the table does not know it."""
    tiles = hand(witness.hand)
    flags = [*FLAGS[witness.mark], *(("self_drawn",) if witness.way else ())]
    barred = BARRED_WITHOUT_DRAWN_TILE if witness.way == UNDRAWN else frozenset[int]()
    for is_double in WINDS[witness.winds]:
        win = won(*flags, seat="E", round_="E" if is_double else "S")
        if contradictions(tiles, win):
            yield f"{witness}: contradicts itself"
        if whole(witness) not in best_lists(tiles, win, barred):
            yield f"{witness}: the engine says {evaluate(tiles, win, barred).counts}"


def whole(witness: Witness) -> dict[int, int]:
    """Return the list of a witness with how its last tile came."""
    counts = Counter(witness.fans) + Counter({1: {58: 1}, 2: {47: 1}}.get(witness.mark, {}))
    if witness.way != DISCARD and 56 not in counts:
        counts[80] = 1
    return dict(counts) or {43: 1}


def table_of(witnesses: Iterable[Witness]) -> str:
    """Write the table: the finishes, the classes of equal finishes, the cores with their class, and what counts beside what."""
    known: tuple[dict[int, list[dict[int, int]]], ...] = ({}, {})
    for one in witnesses:
        core = lists.bits_of(Counter(fan for fan in one.fans if fan not in lists.FINISHES))
        finish = lists.bits_of(Counter(fan for fan in one.fans if fan in lists.FINISHES))
        for is_double in WINDS[one.winds]:
            marks = known[is_double].setdefault(core, [{}, {}, {}])[one.way]
            marks[finish] = marks.get(finish, 0) | MARKS[one.mark]
    finishes = sorted(
        {finish for cores in known for ways in cores.values() for marks in ways for finish in marks}
    )
    place = {finish: number for number, finish in enumerate(finishes)}
    classes: dict[tuple[tuple[tuple[int, int], ...], ...], int] = {}
    cores = []
    for one_table in known:
        numbers = []
        for core in sorted(one_table):
            ways = tuple(
                tuple(sorted((place[f], mark) for f, mark in marks.items())) for marks in one_table[core]
            )
            numbers.append(classes.setdefault(ways, len(classes)))
        cores.append([sorted(one_table), numbers])
    said = {"finishes": finishes, "classes": list(classes), "cores": cores}
    return json.dumps({**said, "beside": beside(cores, finishes, list(classes))}, separators=(",", ":"))


def beside(
    cores: Sequence[Sequence[Sequence[int]]],
    finishes: Sequence[int],
    classes: Sequence[Sequence[Sequence[tuple[int, int]]]],
) -> list[int]:
    """Return for each bit all that is ever counted in one list with it."""
    ways = (Way(False, False), Way(True, False, has_other_hand=True), Way(True, False, uses_drawn_tile=False))
    endings = [
        {
            ending
            for way, marked in zip(ways, of_class, strict=True)
            for finish, marks in marked
            for ending in lists.with_last_tile(finishes[finish], marks, way)
        }
        for of_class in classes
    ]
    joined = [reduce(or_, of_class, 0) for of_class in endings]
    found: dict[int, int] = defaultdict(int)
    for core, number in ((core, number) for table in cores for core, number in zip(*table, strict=True)):
        for bit in lists.bits_in(core | joined[number]):
            found[bit] |= core | (joined[number] if bit & core else 0)
    for ending in set().union(*endings):
        for bit in lists.bits_in(ending):
            found[bit] |= ending
    return [found.get(1 << place, 0) for place in range(max(found).bit_length())]


def write(compiler: str, kept: Path | None) -> int:
    """Find every list, hold each against the engine, and write the table; return how many disagree."""
    witnesses = list(find(compiler))
    wrong = [fault for witness in witnesses for fault in faults(witness)]
    print(
        f"{len(witnesses):,} hands shown; {len(wrong)} with which the engine disagrees", *wrong[:20], sep="\n"
    )
    if kept:
        kept.write_text(json.dumps(witnesses), encoding="utf-8")
    if not wrong:
        TABLE.write_text(table_of(witnesses), encoding="utf-8")
    return len(wrong)


# Asking the table


class Shown:
    """The witnesses by what they show, so that a list can be shown to be a hand's."""

    def __init__(self, kept: Path) -> None:
        rows = [
            Witness(winds, way, tuple(fans), *rest)
            for winds, way, fans, *rest in json.loads(kept.read_text())
        ]
        self.hands = {
            (is_double, one.way, one.fans, one.mark): one.hand
            for one in rows
            for is_double in WINDS[one.winds]
        }

    def has(self, listed: Mapping[int, int], way: Way) -> bool:
        """Return whether the engine gives a witness exactly this list, won in this way."""
        fans = tuple(
            sorted(
                Counter({fan: n for fan, n in listed.items() if fan not in {43, 80, *LAST_TILES}}).elements()
            )
        )
        kind = DRAW if way.is_self_drawn else DISCARD
        text = self.hands.get(
            (way.is_double_wind, kind, fans, 2 if 47 in listed else 1 if 58 in listed else 0)
        )
        if text is None:
            return False
        flags = {name for fan, name in LAST_TILES.items() if fan in listed} | (
            {"self_drawn"} if kind else set()
        )
        win, tiles = won(*flags, seat="E", round_="E" if way.is_double_wind else "S"), hand(text)
        return not contradictions(tiles, win) and dict(listed) in best_lists(tiles, win)


def mutated(random: Random, listed: Mapping[int, int]) -> dict[int, int]:
    """Change a list in one to three places."""
    changed = Counter(listed)
    for _ in range(random.choice((1, 1, 2, 3))):
        fan = random.randrange(1, 81)
        if changed and random.random() < 0.4:
            changed[random.choice(sorted(changed))] -= 1
        elif changed[fan] < FANS[fan].most:
            changed[fan] += 1
        changed = +changed
    return dict(changed)


def check(hands: int, seed: int, kept: Path | None) -> int:
    """Ask about random hands and about lists changed at random; return how many answers are wrong or late."""
    random, shown = Random(seed), Shown(kept) if kept else None
    refused, unshown, accepted, times = 0, 0, 0, []
    for drawn in random_hands(seed, hands):
        way = Way(drawn.win.self_drawn, drawn.win.seat_wind == drawn.win.round_wind)
        listed = evaluate(drawn.hand, drawn.win).counts
        refused += not lists.is_possible(listed, way)
        changed = mutated(random, listed)
        began = time.process_time()
        is_accepted = lists.is_possible(changed, way)
        if not is_accepted and changed:
            lists.conflict(changed, way)
            lists.nearest(changed, way, 20, 8)
        times.append(1000 * (time.process_time() - began))
        accepted += is_accepted
        unshown += bool(is_accepted and shown and not shown.has(changed, way))
    times.sort()
    said = f"{hands:,} hands: {refused} refused; of as many changed lists {accepted:,} accepted"
    print(said, f"({unshown} without a hand)" if shown else "(not held against hands)")
    late = sum(took > SLOWEST_MS for took in times)
    print(
        f"an answer takes {times[len(times) // 2]:.2f} ms, 99 of 100 {times[len(times) * 99 // 100]:.1f}, at most {times[-1]:.1f}"
    )
    return refused + unshown + late


def main() -> int:
    """Write the table, or ask it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("write", "check"))
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--hands", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--witnesses", type=Path)
    asked = parser.parse_args()
    if asked.what == "write":
        return int(write(asked.compiler, asked.witnesses) > 0)
    return int(check(asked.hands, asked.seed, asked.witnesses) > 0)


if __name__ == "__main__":
    sys.exit(main())
