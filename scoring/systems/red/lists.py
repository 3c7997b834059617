"""Which lists of fans a hand of Red mahjong can have: `lists.json` keeps every one, with a hand that has it. [RED scoring 2]

There are few, for nothing depends on how a hand was won. Jokers add those of hands with five tiles of a kind or more.
`bench/red_lists.py` makes the file by laying out every hand. [RED jokers 1] [RULES 8.23]
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files


def is_possible(counts: Mapping[int, int], *, with_jokers: bool) -> bool:
    """Return whether some hand has exactly these fans, each so often; flowers stand apart. [RED scoring 2] [RED scoring 4]"""
    return in_words(counts) in known(with_jokers=with_jokers)


def in_words(counts: Mapping[int, int]) -> str:
    """Write a list as the table has it: the numbers in order, each with how often it counts."""
    return " ".join(f"{number}×{count}" for number, count in sorted(counts.items()))


@cache
def known(*, with_jokers: bool) -> Mapping[str, str]:
    """Return every list with a hand that has it; the chaotic hand, which has no sets, is not shown."""
    table = json.loads(files(__package__).joinpath("lists.json").read_text(encoding="utf-8"))
    return dict(table["without_jokers"]) | (dict(table["with_jokers"]) if with_jokers else {})
