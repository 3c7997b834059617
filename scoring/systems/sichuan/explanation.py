"""A hand of Sichuan explained, and what the record keeps of it."""

from collections.abc import Callable, Mapping
from typing import Any

from scoring.fields import Fields
from scoring.problems import Refusal
from scoring.systems.explained import (
    BASE_POINTS,
    DISCARDER_PAYS,
    EACH_PAYS,
    FANS,
    Explanation,
    Term,
    Total,
    read_flags,
    read_hand,
    refuse,
    sets_of,
    tiles_of,
)
from scoring.systems.sichuan import hand as sichuan
from scoring.systems.sichuan.cases import answer
from scoring.systems.sichuan.fans import FANS as ALL_FANS
from scoring.systems.sichuan.fans import Circumstances
from scoring.systems.sichuan.law import Law

FLAGS = ("replacement_win", "discard_after_kong", "robbing_kong", "last_tile")
"""The circumstances of a win that the tiles do not show."""

NAMES: Mapping[str, str] = {fan.name: fan.title for fan in ALL_FANS}
CODES: Mapping[str, str] = {fan.title: fan.name for fan in ALL_FANS}


def explain_by(law: Law) -> Callable[[Fields, Mapping[str, Any]], Explanation]:
    """Return the function that explains hands by one of the two editions."""

    def explain(fields: Fields, rules: Mapping[str, Any]) -> Explanation:
        hand = read_hand(fields, sichuan.KIT)
        suit = fields.choice("forbidden_suit", "mps", default="")
        forbidden = "mps".index(suit) if suit else None
        self_draw, flags = fields.flag("self_draw"), read_flags(fields, FLAGS)
        came = Circumstances(**dict.fromkeys(flags, True))
        against = sichuan.contradicting_ways(came, law, self_drawn=self_draw)
        refuse(fields, [*against, *(sichuan.contradictions(hand, came, law) if hand else [])])
        value = sichuan.value(hand, law, came=came, forbidden_suit=forbidden)
        if value is None:
            raise Refusal(*sichuan.why_no_win(hand, law, forbidden))
        return Explanation(
            sets_of(value.reading, hand),
            tuple(
                Term(one.fan.title, tuple(map(tiles_of, one.found)), one.count, one.fans, one.fan.clause(law))
                for one in value.fans
            ),
            (),
            (Total(FANS, value.fan_sum), Total(BASE_POINTS, value.base, _cap(value.fan_sum, law))),
            EACH_PAYS if self_draw else DISCARDER_PAYS,
            {"points": value.base + self_draw},
        )

    return explain


def _cap(fans: int, law: Law) -> str:
    """Cite the cap where it takes fans away. [SBR 2.7.3.3] [WMSG 9.3]"""
    return law.clauses["cap"] if fans > law.cap else ""


def facts(found: Explanation, how: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the record keeps of a winner's value. [RECORD 3]"""
    listed = {CODES[one.name]: one.times for one in found.terms if one.name in CODES}
    return {"fans": found.total(FANS), "fan_list": listed}


def waiting_by(door: str) -> Callable[[object, str], Mapping[str, Any]]:
    """Return the function that says what a hand waits for, and the most it could be worth. [SBR 2.7.4.4]"""

    def waiting(hand: object, forbidden_suit: str) -> Mapping[str, Any]:
        case = {"ruleset": door, "kind": "waiting_value", "hand": hand}
        return answer(case | ({"forbidden_suit": forbidden_suit} if forbidden_suit else {}))

    return waiting
