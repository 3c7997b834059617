"""Hands tile by tile on the tablet: what they are worth and why, and the fans that can be chosen from a list."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext

from scoring.explanation import (
    FANS as FANS_LABEL,
)
from scoring.explanation import (
    FLAGS_OF,
    HAN,
    IN_ALL,
    MINIPOINTS,
    TITLES,
    WITHOUT_FLOWERS,
    Explanation,
    Term,
    explain,
    read_text,
)
from scoring.problems import Problem, Refusal
from scoring.rulesets.mcr.fans import FANS as MCR_FANS
from scoring.rulesets.mcr.hand import FLOWERS
from scoring.rulesets.red.checks import apart
from scoring.rulesets.red.fans import CHAOTIC_HAND as RED_CHAOTIC
from scoring.rulesets.red.fans import FANS as RED_FANS
from scoring.rulesets.red.fans import FLOWER, SPECIAL_PAIR
from scoring.rulesets.sichuan.cases import answer as sichuan_answer
from scoring.rulesets.sichuan.fans import FANS as SICHUAN_FANS
from tournaments.refusal import Refused, say

Answer = dict[str, Any]
FLOWER_POINTS = 3
RULESETS = {"SBR": "sichuan_sbr", "WMSG": "sichuan_wmsg"}


def evaluated(
    system: str, rules: Mapping[str, Any], hand: object, text: str | None, how: Mapping[str, Any]
) -> Answer:
    """Value a hand in its best reading, or refuse it with every reason why it is no win. [RULES 1.1]"""
    try:
        tiles = hand if text is None else read_text(text, kong_kinds=system in {"SBR", "WMSG"})
        found = explain(system, tiles, how, rules)
    except Refusal as refusal:
        raise Refused(*refusal.problems) from refusal
    return {
        "tiles": _recorded(tiles),
        "reading": list(found.reading),
        "terms": [_term(one) for one in found.terms],
        "omissions": [
            {"name": gettext(one.name), "reason": _filled(one.reason, one.details), "clause": one.clause}
            for one in found.omissions
        ],
        "totals": [{"label": gettext(one.label), "value": _shown(one.value)} for one in found.totals],
        "payment": _filled(found.payment, found.details) if found.payment else "",
        "reasons": [{"sentence": say(one), "clause": one.clause} for one in found.reasons],
        "winner": _facts(system, found, how) if not found.reasons else None,
    }


def waiting(system: str, hand: object, forbidden_suit: str) -> Answer:
    """Say what a hand of Sichuan waits for at an exhausted wall, and the most it could be worth. [SBR 2.7.4.4]"""
    case = {"ruleset": RULESETS[system], "kind": "waiting_value", "hand": hand}
    try:
        found = sichuan_answer(case | ({"forbidden_suit": forbidden_suit} if forbidden_suit else {}))
    except Refusal as refusal:
        raise Refused(*refusal.problems) from refusal
    return dict(found)


def _recorded(tiles: Any) -> Answer:
    """Write the tiles as a record does: without the kind of a kong. [RECORD 3]"""
    melds = [{name: meld[name] for name in ("type", "tiles", "open")} for meld in tiles.get("melds", [])]
    return {**tiles, "melds": melds}


def _term(one: Term) -> Answer:
    return {
        "name": gettext(one.name),
        "made_of": [part for part in one.made_of if part],
        "times": one.times,
        "points": one.points,
        "clause": one.clause,
    }


def _shown(value: int | str) -> int | str:
    return gettext(value) if isinstance(value, str) else value


def _filled(sentence: str, details: Mapping[str, Any]) -> str:
    told = {
        name: gettext(value) if isinstance(value, str) and value else value for name, value in details.items()
    }
    return say(Problem("told", sentence, details=told))


# The value as it is recorded


def _facts(system: str, found: Explanation, how: Mapping[str, Any]) -> Answer:
    """Give what the record keeps of a winner's value, the fans by the codes of the system. [RECORD 3]"""
    totals = {one.label: one.value for one in found.totals}
    if system == "RIICHI":
        return _riichi_facts(found, totals)
    listed = _listed(system, found.terms)
    if system == "RED":
        return {"fans": int(totals[IN_ALL]) - FLOWER_POINTS * int(how.get("flowers", 0)), "fan_list": listed}
    label = FANS_LABEL if system in {"SBR", "WMSG"} else WITHOUT_FLOWERS
    return {"fans": totals[label], "fan_list": listed}


def _riichi_facts(found: Explanation, totals: Mapping[str, int | str]) -> Answer:
    names = {title: name for name, title in TITLES.items()}
    yaku = {names[one.name]: one.points for one in found.terms}
    if MINIPOINTS not in totals:
        return {"limit": "yakuman", "yaku": yaku}
    return {"han": totals[HAN], "fu": totals[MINIPOINTS], "yaku": yaku}


def _listed(system: str, terms: Iterable[Term]) -> dict[str, int]:
    codes = CODES[system]
    return {codes[one.name]: one.times for one in terms if one.name in codes}


SICHUAN_CODES = {fan.title: fan.name for fan in SICHUAN_FANS}
MCR_CODES = {fan.name: str(number) for number, fan in MCR_FANS.items() if number != FLOWERS}
RED_CODES = {fan.title: str(fan.number) for fan in RED_FANS if fan.number != FLOWER}
CODES: Mapping[str, Mapping[str, str]] = {
    "SBR": SICHUAN_CODES,
    "WMSG": SICHUAN_CODES,
    "MCR": MCR_CODES,
    "SIAM": MCR_CODES,
    "RED": RED_CODES,
}


# Fans to choose from


def fan_table(system: str, rules: Mapping[str, Any]) -> Answer:
    """List the fans of a system that counts points, what each is worth and what it does not go together with."""
    rows = {"MCR": _mcr_rows, "SIAM": _mcr_rows, "RED": _red_rows}.get(system)
    return {"fans": rows(rules) if rows else [], "flags": list(FLAGS_OF[system])}


def _mcr_rows(rules: Mapping[str, Any]) -> list[Answer]:
    return [
        {
            "code": str(number),
            "name": gettext(fan.name),
            "points": fan.value,
            "most": fan.most,
            "excludes": [str(other) for other in fan.excludes],
            "only": fan.only,
        }
        for number, fan in sorted(MCR_FANS.items())
        if number != FLOWERS
    ]


def _red_rows(rules: Mapping[str, Any]) -> list[Answer]:
    own = {SPECIAL_PAIR: rules.get("special_pair"), RED_CHAOTIC: rules.get("chaotic_hand")}
    with_jokers = rules.get("jokers") is True
    return [
        {
            "code": str(fan.number),
            "name": gettext(fan.title),
            "points": own.get(fan.number) or fan.points,
            "most": fan.most,
            "excludes": [str(other) for other in apart(fan.number, with_jokers=with_jokers)],
            "only": "",
        }
        for fan in RED_FANS
        if fan.number != FLOWER
    ]
