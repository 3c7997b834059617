"""A hand of Red mahjong explained, and what the record keeps of it."""

from collections.abc import Mapping
from typing import Any

from scoring.fields import Fields
from scoring.problems import Problem, Refusal
from scoring.systems.explained import (
    COUNTED,
    DISCARDER_PAYS,
    EACH_PAYS,
    IN_ALL,
    SHORT,
    Explanation,
    Term,
    Total,
    pair_of,
    read_hand,
    refuse,
    set_name,
    set_names,
    tiles_of,
)
from scoring.systems.red import hand as red
from scoring.systems.red.checks import apart
from scoring.systems.red.fans import CHAOTIC_HAND, FANS, FLOWER, SPECIAL_PAIR
from scoring.systems.red.law import Law
from scoring.systems.system import ListedFan

FLOWER_POINTS = 3
"""What a flower adds. [RED fan 18]"""

NAMES: Mapping[str, str] = {str(fan.number): fan.title for fan in FANS}
CODES: Mapping[str, str] = {fan.title: str(fan.number) for fan in FANS if fan.number != FLOWER}


def explain(fields: Fields, rules: Mapping[str, Any]) -> Explanation:
    """Explain a hand in its best reading."""
    law = Law(**rules)
    hand = read_hand(fields, law.kit)
    flowers, self_draw = fields.number("flowers", high=8, default=0), fields.flag("self_draw")
    refuse(fields, [])
    value = red.evaluate(hand, law, flowers, is_discard=not self_draw)
    if value is None:
        raise Refusal(red.why_no_win(hand, is_discard=not self_draw))
    is_short = value.without_flowers < law.minimum
    details = {"least": law.minimum, "points": value.without_flowers}
    short = Problem("below_minimum", SHORT, "hand", "RED scoring 4", details)
    return Explanation(
        (*map(set_name, value.view.sets), *pair_of(value.view.pair)) or (tiles_of(hand.all_tiles),),
        tuple(
            Term(one.fan.title, tuple(map(set_names, one.combinations)), one.count, one.points, one.clause)
            for one in value.fans
        ),
        (),
        (
            Total(IN_ALL, value.total),
            Total(COUNTED, value.points, "RED scoring 5" if value.points < value.total else ""),
        ),
        "" if is_short else EACH_PAYS if self_draw else DISCARDER_PAYS,
        {"points": value.points},
        (short,) if is_short else (),
    )


def facts(found: Explanation, how: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the record keeps of a winner's value, flowers apart. [RECORD 3]"""
    listed = {CODES[one.name]: one.times for one in found.terms if one.name in CODES}
    flowers = FLOWER_POINTS * int(how.get("flowers", 0))
    return {"fans": int(found.total(IN_ALL) or 0) - flowers, "fan_list": listed}


def choices(rules: Mapping[str, Any]) -> list[ListedFan]:
    """List the fans that can be chosen by name, at the values that the settings give; flowers are counted apart."""
    own = {SPECIAL_PAIR: rules.get("special_pair"), CHAOTIC_HAND: rules.get("chaotic_hand")}
    with_jokers = rules.get("jokers") is True
    return [
        ListedFan(
            str(fan.number),
            fan.title,
            own.get(fan.number) or fan.points,
            fan.most,
            tuple(str(other) for other in apart(fan.number, with_jokers=with_jokers)),
        )
        for fan in FANS
        if fan.number != FLOWER
    ]
