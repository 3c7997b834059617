"""Every list of fans that a hand of Red mahjong can have: found without the engine, held against it, and written as the table of the program.

    python bench/red_lists.py write                                     a quarter of a minute
    python bench/red_lists.py check [--hands 200000] [--seed 1]

`write` lays out every hand of four sets and a pair and counts its fans by rules of its own; a list goes into
`scoring/systems/red/lists.json` with a hand that has it. `check` lays them out again and asks the program about recorded hands: random
legal ones, of which it may refuse none, and the same with their lists changed in one to three places, of which it may accept those alone
that were found. [RED scoring 2] [RED jokers 1] [RULES 8.23]
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scoring.hands import Hand, Win, Winner
from scoring.seats import SEATS
from scoring.systems.red.fans import BY_NUMBER, FANS
from scoring.systems.red.hand import MOST_FLOWERS
from scoring.systems.red.law import Law
from scoring.systems.red.play import Red
from scoring.tiles.tile import write as name_of

TABLE = Path(__file__).resolve().parents[1] / "scoring/systems/red/lists.json"
SUITED, RED_DRAGON, KINDS, JOKERS = 27, 31, 34, 4
WINDS, DRAGONS = range(27, 31), range(31, 34)
Set = tuple[int, bool]
"""The lowest tile of a set, and whether it is a pung."""
List = tuple[tuple[int, int], ...]
SETS: list[Set] = [(9 * suit + low, False) for suit in range(3) for low in range(7)] + [
    (tile, True) for tile in range(KINDS)
]


def tiles_of(one: Set) -> list[int]:
    """List the tiles of a set."""
    return [one[0]] * 3 if one[1] else [one[0], one[0] + 1, one[0] + 2]


def missing(sets: Sequence[Set], pair: int) -> Counter[int]:
    """Return the tiles of which a hand has more than the four there are: jokers stand for them."""
    held = Counter(tile for one in sets for tile in tiles_of(one)) + Counter({pair: 2})
    return Counter({tile: number - 4 for tile, number in held.items() if number > 4})


def fans_of_sets(sets: Sequence[Set]) -> dict[int, int]:
    """Count the fans that sets alone make."""
    chows, pungs = (
        [tile for tile, is_pung in sets if not is_pung],
        [tile for tile, is_pung in sets if is_pung],
    )
    suited = [tile for tile in pungs if tile < SUITED]
    found = {
        2: int(len(chows) == 4),
        3: sum(a != b and a % 9 == b % 9 for a, b in combinations(chows, 2)),
        4: sum(a != b and a % 9 == b % 9 for a, b in combinations(suited, 2)),
        5: sum(a // 9 == b // 9 and {a % 9, b % 9} == {0, 6} for a, b in combinations(chows, 2)),
        6: len(pungs) - len(suited),
        8: int(len(pungs) == 4),
        9: sum(a == b for a, b in combinations(chows, 2)),
        10: sum(
            a // 9 == b // 9 == c // 9 and {a % 9, b % 9, c % 9} == {0, 3, 6}
            for a, b, c in combinations(chows, 3)
        ),
        16: int(len(pungs) == 4 and RED_DRAGON in pungs and sum(tile < 9 for tile in pungs) == 3),
        17: len(list(combinations([tile for tile in pungs if tile in DRAGONS], 3))),
    }
    return {number: count for number, count in found.items() if count}


def fans_of_all(kinds: set[int], pair: int) -> dict[int, int]:
    """Count the fans that sets and pair make together."""
    suits = {tile // 9 for tile in kinds if tile < SUITED}
    numbers = {tile % 9 + 1 for tile in kinds if tile < SUITED}
    honors = any(tile >= SUITED for tile in kinds)
    found = {
        7: pair < SUITED and pair % 9 + 1 in (2, 5, 8),
        12: len(suits) == 1 and honors,
        13: len(suits) == 3 and bool(kinds & {*WINDS}) and bool(kinds & {*DRAGONS}),
        14: not honors and max(numbers) <= 5,
        15: not honors and min(numbers or {0}) >= 5,
        18: len(suits) == 1 and not honors,
    }
    return {number: 1 for number, holds in found.items() if holds}


def is_first(sets: Sequence[Set]) -> bool:
    """Of hands that differ by two suits or by winds alone one is laid out; characters and red dragons have a fan."""
    other = sorted(
        ((tile + 9 if tile < 18 else tile - 9) if 9 <= tile < SUITED else tile, is_pung)
        for tile, is_pung in sets
    )
    winds = sorted({tile for tile, _ in sets if tile in WINDS})
    return sorted(sets) <= other and winds == list(WINDS[: len(winds)])


def laid_out() -> Iterator[tuple[List, int, tuple[Set, ...], int]]:
    """Yield the list of each hand, how many jokers it needs, its sets and its pair."""
    for sets in combinations_with_replacement(SETS, 4):
        if not is_first(sets):
            continue
        made, kinds = fans_of_sets(sets), {tile for one in sets for tile in tiles_of(one)}
        for pair in range(KINDS):
            jokers = missing(sets, pair).total()
            if jokers <= JOKERS:
                yield tuple(sorted((made | fans_of_all(kinds | {pair}, pair)).items())), jokers, sets, pair


def every_list() -> dict[List, tuple[int, tuple[Set, ...], int]]:
    """Return each list with the hand that needs the fewest jokers for it."""
    found: dict[List, tuple[int, tuple[Set, ...], int]] = {}
    for listed, jokers, sets, pair in laid_out():
        if listed not in found or jokers < found[listed][0]:
            found[listed] = jokers, sets, pair
    return found


def in_words(listed: List) -> str:
    """Write a list as the table has it."""
    return " ".join(f"{number}×{count}" for number, count in listed)


def shown(sets: Sequence[Set], pair: int) -> str:
    """Write a hand; a joker stands for a tile of which there are too many, in a chow for the middle one if it can."""
    over = missing(sets, pair)
    groups = [tiles_of(one) for one in sets] + [[pair, pair]]
    written = [[name_of(tile) for tile in group] for group in groups]
    for tile, number in over.items():
        places = [(g, p) for g, group in enumerate(groups) for p, one in enumerate(group) if one == tile]
        pungs = [(g, p) for g, p in places if len(set(groups[g])) == 1 and p]
        for g, p in (pungs + [(g, p) for g, p in places if (g, p) not in pungs])[:number]:
            written[g][p] = "J"
    return " ".join("".join(group) for group in written)


def write() -> None:
    """Find every list and write the table."""
    found = every_list()
    table: dict[str, dict[str, str]] = {"without_jokers": {}, "with_jokers": {}}
    for listed, (jokers, sets, pair) in sorted(found.items()):
        table["with_jokers" if jokers else "without_jokers"][in_words(listed)] = shown(sets, pair)
    table["without_jokers"][in_words(((11, 1),))] = ""
    TABLE.write_text(json.dumps(table, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    print({name: len(lists) for name, lists in table.items()})


def drawn(random: Random) -> tuple[List, int]:
    """Lay out a random hand, often of few kinds of tiles, and return its list and how many jokers it needs."""
    while True:
        some = random.sample(SETS, random.choice((2, 3, 6, 12, len(SETS))))
        sets, pair = [random.choice(some) for _ in range(4)], random.randrange(KINDS)
        jokers = missing(sets, pair).total()
        if jokers <= JOKERS:
            kinds = {tile for one in sets for tile in tiles_of(one)} | {pair}
            return tuple(sorted((fans_of_sets(sets) | fans_of_all(kinds, pair)).items())), jokers


def changed(random: Random, listed: List) -> List:
    """Change a list in one to three places."""
    counts = Counter(dict(listed))
    for _ in range(random.choice((1, 1, 2, 3))):
        if counts and random.random() < 0.4:
            counts[random.choice(sorted(counts))] -= 1
        else:
            number = random.randrange(2, len(FANS) + 1)
            counts[number] = min(counts[number] + 1, BY_NUMBER[number].most)
        counts = +counts
    return tuple(sorted(counts.items()))


def is_accepted(listed: List, ruleset: Red, random: Random) -> bool:
    """Ask the program about a recorded hand with this list."""
    winner, *others = random.sample(SEATS, 2)
    fans = sum(ruleset.law.points(number) * count for number, count in listed)
    counts = {str(number): count for number, count in listed}
    won = Winner(winner, fans=fans, fan_list=counts, flowers=random.randint(0, MOST_FLOWERS))
    return not ruleset.check(Hand(1, (Win((won,), random.choice([None, *others])),)), ruleset.start(SEATS))


def check(hands: int, seed: int) -> int:
    """Ask about random hands and changed lists; return how many are judged wrongly."""
    known, random, counted = every_list(), Random(seed), Counter[str]()
    needed = {listed: jokers for listed, (jokers, *_) in known.items()} | {((11, 1),): 0}
    for _ in range(hands):
        listed, jokers = drawn(random)
        law = Law(jokers=bool(jokers) or random.random() < 0.5, special_pair=random.choice((2, 3)))
        counted["refused"] += not is_accepted(listed, Red(law=law), random)
        other = changed(random, listed)
        if is_accepted(other, Red(law=law), random):
            counted["accepted"] += 1
            counted["without a hand"] += needed.get(other, JOKERS + 1) > JOKERS * law.jokers
        else:
            counted["possible, refused"] += needed.get(other, JOKERS + 1) <= JOKERS * law.jokers
    print(
        f"{hands:,} hands: {counted['refused']} refused; of as many changed lists {counted['accepted']:,} accepted"
        f" ({counted['without a hand']} without a hand), {counted['possible, refused']} refused that a hand has"
    )
    return counted["refused"] + counted["without a hand"] + counted["possible, refused"]


def main() -> int:
    """Write the table, or ask it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("write", "check"))
    parser.add_argument("--hands", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if asked.what == "write":
        write()
        return 0
    return int(check(asked.hands, asked.seed) > 0)


if __name__ == "__main__":
    sys.exit(main())
