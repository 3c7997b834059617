"""Which yaku a hand of riichi can have together: found without the engine, held against it, and written as the table of the program.

    python bench/yaku.py write [--compiler c++]
    python bench/yaku.py check [--hands 200000] [--seed 1]

`write` compiles bench/yaku.cpp, which lays out every hand by rules of its own, and writes `scoring/systems/riichi/lists.json`. `check`
asks the program about recorded hands without tiles: those of random hands as the engine values them, of which it may refuse none, and
the same changed in one to three places. What of these it accepts must be a list that was found. [RIICHI 4.1.1] [RIICHI 4.2]
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scoring.hands import Hand, Win, Winner
from scoring.problems import Refusal
from scoring.seats import SEATS
from scoring.systems.riichi.fans import BONUSES, BY_NAME, YAKU
from scoring.systems.riichi.hand import evaluate
from scoring.systems.riichi.limits import MOST_HAN
from scoring.systems.riichi.lists import CIRCUMSTANCES, MINIPOINTS, in_words
from scoring.systems.riichi.play import Riichi
from scoring.tests.oracles.riichi_hands import Case, random_case

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "scoring/systems/riichi/lists.json"
NAMES = [
    "pinfu",
    "iipeikou",
    "ryanpeikou",
    "tanyao",
    "haku",
    "hatsu",
    "seat_wind",
    "round_wind",
    "chanta",
    "junchan",
    "sanshoku_doujun",
    "sanshoku_doukou",
    "ittsu",
    "chiitoitsu",
    "toitoi",
    "sanankou",
    "sankantsu",
    "honitsu",
    "chinitsu",
    "shousangen",
    "honroutou",
    "kokushi",
    "chuuren",
    "suuankou",
    "suukantsu",
    "ryuuiisou",
    "chinroutou",
    "tsuuiisou",
    "daisangen",
    "shousuushii",
    "daisuushii",
]
"""The bits of bench/yaku.cpp."""

SEVEN_PAIRS = ("", "tanyao", "honitsu", "honitsu honroutou", "honroutou", "chinitsu", "tanyao chinitsu")
WITHOUT_SETS = [(f"chiitoitsu {others}", 1 << 1) for others in SEVEN_PAIRS] + [
    ("tsuuiisou", 0),
    ("kokushi", 0),
]


def found(compiler: str) -> Iterator[tuple[str, int]]:
    """Compile the finder and read each list with a way of winning, and the hands that have no sets besides."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "yaku"
        subprocess.run([compiler, "-O2", "-std=c++17", "-o", program, ROOT / "bench/yaku.cpp"], check=True)
        with subprocess.Popen([program], stdout=subprocess.PIPE, text=True) as lines:
            assert lines.stdout
            yield from read(lines.stdout)


def read(lines: Iterator[str]) -> Iterator[tuple[str, int]]:
    """Read what the finder prints."""
    for line in lines:
        *marks, yaku, fu = map(int, line.split())
        names = [name for place, name in enumerate(NAMES) if yaku >> place & 1]
        yield in_words(names), sum(mark << place for place, mark in enumerate(marks)) | fu << 5
    for words, fu in WITHOUT_SETS:
        for number in range(8):
            is_double, from_wall, is_single = (number >> place & 1 for place in range(3))
            if not is_single or words == "kokushi":
                row = is_double | 1 << 1 | from_wall << 2 | is_single << 4
                yield in_words(words.split()), row | fu << 5


def write(rows: Iterator[tuple[str, int]]) -> None:
    """Write the table; ways that differ by their marks alone are told apart."""
    table: dict[str, set[int]] = defaultdict(set)
    for words, row in rows:
        table[words].add(row)
    said = {words: sorted(table[words]) for words in sorted(table)}
    lines = ",\n".join(
        f"{json.dumps(words)}:{json.dumps(rows, separators=(',', ':'))}" for words, rows in said.items()
    )
    TABLE.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    print(f"{len(said)} lists, {sum(map(len, said.values()))} ways")


# Asking the program

Facts = dict[str, Any]


def recorded(case: Case) -> Facts | None:
    """Write a random hand as the engine values it, without its tiles, or nothing where that has no yaku."""
    try:
        value = evaluate(case.hand, case.how)
    except Refusal:
        return None
    facts: Facts = {"yaku": {one.name: one.han for one in value.yaku}, "from_wall": case.how.self_draw}
    facts |= (
        {"limit": "yakuman"} if value.is_yakuman else {"han": value.han, "fu": value.fu, "limit": value.limit}
    )
    return facts | {"is_double": case.how.seat_wind == case.how.round_wind}


def is_accepted(facts: Facts, random: Random) -> bool:
    """Ask the program about a record of it; riichi is on the table where it is among the yaku."""
    seat = random.choice(SEATS)
    round_wind = random.choice((SEATS[0], SEATS[1]))
    turn = SEATS.index(round_wind) + (0 if facts["is_double"] else random.choice((1, 2, 3)))
    dealer = SEATS[(SEATS.index(seat) - turn) % 4]
    value = {name: facts[name] for name in ("yaku", "han", "fu", "limit") if facts.get(name)}
    giver = None if facts["from_wall"] else random.choice([one for one in SEATS if one != seat])
    riichi = (seat,) if {"riichi", "double_riichi"} & set(facts["yaku"]) else ()
    hand = Hand(1, (Win((Winner(seat, **value),), giver),), riichi=riichi)
    rules = Riichi()
    return not rules.check(hand, rules.start(SEATS).but(dealer=dealer, round_wind=round_wind))


def changed(facts: Facts, random: Random) -> Facts:
    """Change the yaku, the minipoints or the way in one to three places; the han follow."""
    yaku, other = dict(facts["yaku"]), dict(facts)
    for _ in range(random.choice((1, 1, 2, 3))):
        what = random.random()
        if what < 0.3 and yaku:
            yaku.pop(random.choice(sorted(yaku)))
        elif what < 0.7:
            one = random.choice(YAKU)
            yaku[one.name] = (
                one.closed if "menzen_tsumo" in yaku or random.random() < 0.5 else one.opened or one.closed
            )
        elif what < 0.9:
            other["fu"] = random.choice(MINIPOINTS)
        else:
            other["from_wall"] = not other["from_wall"]
    is_yakuman = any(BY_NAME[name].is_yakuman for name in yaku if name in BY_NAME)
    han = min(sum(yaku.values()), MOST_HAN)
    other |= {"han": None, "fu": None, "limit": "yakuman"} if is_yakuman else {"han": han, "limit": ""}
    return other | {"yaku": yaku}


def is_known(facts: Facts, ways: Mapping[str, set[int]]) -> bool:
    """Whether a hand was laid out that has this list; pinfu may be left out, and of several yakuman all but one. [RECORD 7]"""
    names = {name for name in facts["yaku"] if name not in BONUSES}
    shown = names - CIRCUMSTANCES
    if names & {"tenhou", "chiihou"} and not shown:
        return True
    if any(BY_NAME[name].is_yakuman for name in names):
        lists = [words for words in ways if set(in_words(shown).split()) <= set(words.split())]
    else:
        lists = [in_words(shown), in_words(shown | {"pinfu"})]
    return any(is_won_so(facts, row) for words in lists for row in ways.get(words, ()))


def is_won_so(facts: Facts, row: int) -> bool:
    """Whether the hands of a row can have been won in the way of a record, open or closed as its han say."""
    is_double, is_closed, from_wall, has_kong, is_single = (bool(row >> place & 1) for place in range(5))
    names = {name for name in facts["yaku"] if name not in BONUSES}
    is_yakuman = any(BY_NAME[name].is_yakuman for name in names)
    counted = {
        facts["yaku"][name] == BY_NAME[name].closed
        for name in names
        if BY_NAME[name].closed > BY_NAME[name].opened
    }
    if not is_yakuman and from_wall:
        counted.add("menzen_tsumo" in names)
    return (
        is_double == facts["is_double"]
        and from_wall == facts["from_wall"]
        and counted <= {is_closed}
        and (has_kong or "rinshan" not in names)
        and (is_single or "chankan" not in names)
        and not (has_kong and names & {"renhou", "tenhou", "chiihou"})
        and (is_yakuman or not facts.get("fu") or bool(row >> 5 + MINIPOINTS.index(facts["fu"]) & 1))
    )


def check(hands: int, seed: int, compiler: str) -> int:
    """Ask about random hands and changes of them; return how many are judged wrongly."""
    ways: dict[str, set[int]] = defaultdict(set)
    for words, row in found(compiler):
        ways[words].add(row)
    random, counted, asked = Random(seed), Counter[str](), 0
    while asked < hands:
        facts = recorded(random_case(random))
        if facts is None:
            continue
        asked += 1
        counted["refused"] += not is_accepted(facts, random)
        other = changed(facts, random)
        if is_accepted(other, random):
            counted["accepted"] += 1
            if not is_known(other, ways):
                counted["without a hand"] += 1
                print(other)
    print(
        f"{hands:,} hands: {counted['refused']} refused; of as many changed ones {counted['accepted']:,} accepted"
        f" ({counted['without a hand']} without a hand)"
    )
    return counted["refused"] + counted["without a hand"]


def main() -> int:
    """Write the table, or ask the program."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("write", "check"))
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--hands", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if asked.what == "write":
        write(found(asked.compiler))
        return 0
    return int(check(asked.hands, asked.seed, asked.compiler) > 0)


if __name__ == "__main__":
    sys.exit(main())
