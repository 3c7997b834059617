"""What a tablet asks of the rules: hands tile by tile, the fans that can be chosen, and which hands cannot be."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import get_language, gettext

from scoring.calculator import worth
from scoring.codes import codes
from scoring.explanation import explain, read_text
from scoring.near import outlook
from scoring.problems import Problem, Refusal
from scoring.systems import SYSTEMS
from scoring.systems.explained import Term
from scoring.systems.system import ListedFan
from tournaments.record.refusal import Refused, say

Answer = dict[str, Any]


def evaluated(
    system: str, rules: Mapping[str, Any], hand: object, text: str | None, how: Mapping[str, Any]
) -> Answer:
    """Value a hand in its best reading, or refuse it with every reason why it is no win. [RULES 1.1]"""
    try:
        tiles = hand if text is None else read_text(text, kong_kinds=SYSTEMS[system].tiles.says_kong_kinds)
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
        "totals": [
            {"label": gettext(one.label), "value": _shown(one.value), "clause": one.clause}
            for one in found.totals
        ],
        "payment": _filled(found.payment, found.details) if found.payment else "",
        "reasons": [{"sentence": say(one), "clause": one.clause} for one in found.reasons],
        "winner": SYSTEMS[system].tiles.facts(found, how) if not found.reasons else None,
    }


def near(system: str, rules: Mapping[str, Any], text: str, how: Mapping[str, Any]) -> Answer:
    """Tell what a hand is near to while its tiles are still being told, with the tiles that would complete it. [RULES 1.1]"""
    try:
        found = outlook(system, text, how, rules)
    except Refusal as refusal:
        raise Refused(*refusal.problems) from refusal
    return {
        "lacking": found.lacking,
        "sure": [{"name": gettext(one.name), "clause": one.clause} for one in found.sure],
        "near": [
            {
                "name": gettext(one.term.name),
                "clause": one.term.clause,
                "tiles": list(one.way.tiles),
                "worth": worth(one.way.found, get_language() or "en"),
            }
            for one in found.near
        ],
    }


def waiting(system: str, hand: object, forbidden_suit: str) -> Answer | None:
    """Return what a hand waits for at an exhausted wall, and the most it could be worth; None if the system does not ask.

    [SBR 2.7.4.4]
    """
    ask = SYSTEMS[system].tiles.waiting
    try:
        return dict(ask(hand, forbidden_suit)) if ask else None
    except Refusal as refusal:
        raise Refused(*refusal.problems) from refusal


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


# Fans to choose from


def fan_table(system: str, rules: Mapping[str, Any]) -> Answer:
    """List the fans of a system that counts points with what they exclude, and what tells impossible hands."""
    tiles = SYSTEMS[system].tiles
    listed = tiles.choices(rules) if tiles.choices else []
    return {
        "fans": [_choice(fan) for fan in listed],
        "flags": list(tiles.flags),
        "legality": legality_state(system, rules),
    }


def legality_state(system: str, rules: Mapping[str, Any]) -> Answer:
    """Return what a tablet looks up to refuse an impossible hand by itself, in the words in which the server would. [RULES 1.5]"""
    known = SYSTEMS[system].legality(rules)
    names = {**codes(), **known.names}
    return {
        "sentences": {name: gettext(sentence) for name, sentence in known.sentences.items()},
        "names": {
            kind: {code: gettext(name) for code, name in names[kind].items()}
            for kind in ("seat", "state", "kind", "limit", *known.names)
        },
        "tables": known.tables,
    }


def _choice(fan: ListedFan) -> Answer:
    return {
        "code": fan.code,
        "name": gettext(fan.name),
        "points": fan.points,
        "most": fan.most,
        "excludes": list(fan.excludes),
        "only": fan.only,
    }
