"""Random entries of a tablet in every system, right and wrong, with what the server says of each; none has tiles."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from random import Random
from typing import Any
from unittest.mock import patch

from django.utils import translation

from scoring.presets import PRESETS
from scoring.problems import Refusal
from scoring.record.hands import read_hand
from scoring.seats import Seat
from scoring.systems import SYSTEMS, ruleset
from scoring.systems.mcr import lists
from scoring.systems.mcr.fans import FANS as SPORT_FANS
from scoring.systems.sichuan.fans import CIRCUMSTANCE_NAMES
from tournaments.record.refusal import Refused
from tournaments.tables.views.tablet_tiles import legality_state
from tournaments.tests.random_hands import random_facts

Facts = dict[str, Any]
OUT = {"false_winner": "out"}
TABLES: Mapping[str, tuple[tuple[str, str, Mapping[str, Any]], ...]] = {
    "SBR": (("sbr", "ESWN", {}), ("sbr", "ESW", OUT), ("sbr", "ESWN", {"false_winner": "plays_on"})),
    "WMSG": (("wmsg", "ESWN", OUT), ("wmsg", "ESW", {"false_winner": "plays_on"})),
    "MCR": (("mcr", "ESWN", {}), ("mcr", "ESWN", {"minimum": 0}), ("mcr", "ESW", {})),
    "SIAM": (("siamese", "ESW", {}), ("siamese", "ES", {})),
    "RED": (("red", "ESWN", {}), ("red", "EW", {"jokers": True, "minimum": 5, "special_pair": 2})),
    "RIICHI": (
        ("riichi_ema", "ESWN", {}),
        (
            "riichi_ema",
            "ESWN",
            {"abortive_draws": ["nine_kinds", "four_riichi", "three_wins"], "yakuman": "several"},
        ),
        ("riichi_ema", "ESWN", {"nagashi_mangan": True, "limits": {"4": "mangan", "6": "haneman"}}),
    ),
}
"""Tables of each system: a preset, who sits there, and settings that differ."""

SEATS = "ESWN"
STATES = ("waiting", "no_wait", "pig", "pig_active", "pig_passive")
OFFENCES = ("", "exposed_tiles", "sixteen_tiles")
SICHUAN_FANS = ("kong", "quad", "all_pungs", "golden_wait", "pure_suit", "seven_pairs", *CIRCUMSTANCE_NAMES)


def entries(system: str, number: int, seed: str = "") -> Iterator[dict[str, Any]]:
    """Yield so many entries with the table, its rules and the problems that the server finds, the same every time."""
    chance = Random(f"{system} {seed}")
    made = 0
    while made < number:
        preset, seats, settings = chance.choice(TABLES[system])
        rules = PRESETS[preset].regulation.to_json()["system_rules"] | settings
        law = ruleset(system, rules)
        at = law.start(tuple(Seat(seat) for seat in seats))
        for _ in range(chance.randint(0, 5)):
            at = law.following(read_hand({"number": at.number, **_nothing(system, at)}), at)
        if at.is_over:
            continue
        facts = _ordered(_spoiled(system, random_facts(system, at, chance, rules), law, chance))
        try:
            hand = read_hand({**facts, "number": at.number})
        except Refusal:
            continue
        made += 1
        yield {
            "table": f"{preset} {seats} {settings}",
            "system": system,
            "rules": rules,
            "facts": facts,
            "at": {
                "seats": [str(seat) for seat in at.seats],
                "number": at.number,
                "dealer": str(at.dealer),
                "round": str(at.round_wind),
                "is_over": at.is_over,
            },
            "problems": said(_checked(law, hand, at)),
        }


def _checked(law: Any, hand: Any, at: Any) -> Any:
    """Ask the rules, without the nearest lists that a refusal offers: they take long and are not compared."""
    with patch.object(lists, "nearest", return_value=[]):
        return law.check(hand, at)


def said(problems: Any) -> list[dict[str, str]]:
    """Return what the server answers, without what it offers instead."""
    if not problems:
        return []
    told = Refused(*problems).as_json()["problems"]
    return [{name: one[name] for name in ("code", "field", "sentence", "clause")} for one in told]


def known(entries: list[dict[str, Any]], language: str) -> dict[str, Any]:
    """Return what a tablet has been told for each table."""
    with translation.override(language):
        tables = {one["table"]: one for one in entries}
        return {name: legality_state(one["system"], one["rules"]) for name, one in tables.items()}


def _nothing(system: str, at: Any) -> Facts:
    if system == "RIICHI":
        return {"events": [], "end": {str(seat): {"state": "waiting"} for seat in at.seats}}
    return {"events": []}


def _ordered(facts: Facts) -> Facts:
    """Write what the tablet writes in its order: seats as they sit, fans by their numbers."""
    if "end" in facts:
        facts["end"] = {seat: facts["end"][seat] for seat in SEATS if seat in facts["end"]}
    for event in facts["events"]:
        for winner in event.get("winners", []):
            if all(name.isdecimal() for name in winner.get("fan_list", {})):
                listed = winner.get("fan_list", {}).items()
                if listed:
                    winner["fan_list"] = dict(sorted(listed, key=lambda one: int(one[0])))
    return facts


# What a hasty or mistaken scorer does to a hand


def _spoiled(system: str, facts: Facts, law: Any, chance: Random) -> Facts:
    facts = deepcopy(facts)
    for _ in range(chance.choice([0, 0, 1, 1, 2, 3])):
        _spoil(system, facts, chance)
    wins = [event for event in facts["events"] if event["type"] == "win"]
    for win in wins:
        for winner in win["winners"]:
            _value(system, win, winner, chance)
    return facts


def _spoil(system: str, facts: Facts, chance: Random) -> None:
    """Change one thing."""
    events = facts["events"]
    what = chance.choice(
        ["move", "double", "drop", "seat", "from", "flag", "end", "riichi", "dead", "winner"]
    )
    event = chance.choice(events) if events else None
    if what == "riichi" and SYSTEMS[system].recorded.has_bets:
        facts["riichi"] = [*facts.get("riichi", []), chance.choice(SEATS)][-4:]
    elif what == "end" and SYSTEMS[system].recorded.end_states:
        _spoil_end(system, facts, chance)
    elif what == "dead":
        dead = {"type": "dead_hand", "seat": chance.choice(SEATS)}
        if system in ("MCR", "SIAM") and chance.random() < 0.5:
            dead["offence"] = chance.choice(OFFENCES[1:])
        events.insert(chance.randint(0, len(events)), dead)
    elif event is None:
        return
    elif what == "move":
        events.remove(event)
        events.insert(chance.randint(0, len(events)), event)
    elif what == "double":
        events.insert(chance.randint(0, len(events)), deepcopy(event))
    elif what == "drop":
        events.remove(event)
    elif what == "seat":
        chance.choice(event.get("winners", [event]))["seat"] = chance.choice(SEATS)
    elif what == "from":
        _spoil_from(system, event, chance)
    elif what == "winner" and event["type"] == "win":
        event["winners"].append(deepcopy(event["winners"][0]) | {"seat": chance.choice(SEATS)})
    elif what == "flag":
        _spoil_flag(system, event, chance)


def _spoil_end(system: str, facts: Facts, chance: Random) -> None:
    end = facts.setdefault("end", {})
    seat = chance.choice(SEATS)
    if seat in end and chance.random() < 0.5:
        del end[seat]
    elif system == "RIICHI":
        end[seat] = {"state": chance.choice(STATES[:2])}
    else:
        end[seat] = {"state": chance.choice(STATES)}
        if chance.random() < 0.6:
            end[seat]["max_base"] = chance.choice([1, 2, 4, 8, 16])
    if not end:
        del facts["end"]


def _spoil_from(system: str, event: Facts, chance: Random) -> None:
    if "from" not in SYSTEMS[system].recorded.events[event["type"]]:
        return
    event.pop("from", None)
    if chance.random() < 0.7:
        event["from"] = chance.choice(SEATS)


def _spoil_flag(system: str, event: Facts, chance: Random) -> None:
    """Turn a flag of the system's events over, or say something else of a kong or false win."""
    may = SYSTEMS[system].recorded.events[event["type"]]
    flags = sorted(may & {*CIRCUMSTANCE_NAMES, "same_turn", "robbed"})
    if event["type"] == "kong" and chance.random() < 0.5:
        event["kind"] = chance.choice(["concealed", "open", "added", "delayed"])
    elif flags:
        flag = chance.choice(flags)
        if event.pop(flag, None) is None:
            event[flag] = True
    if system == "SIAM" and event["type"] == "win" and chance.random() < 0.5:
        event.pop("from", None)
        event["winners"][0]["without_drawn_tile"] = True


def _value(system: str, win: Facts, winner: Facts, chance: Random) -> None:
    """Give a winner another value, often with a list of fans."""
    if system == "RIICHI":
        _han(winner, chance)
    elif system in ("MCR", "SIAM"):
        _sport_list(win, winner, chance)
    elif system == "RED":
        _red_list(winner, chance)
    else:
        _sichuan_list(win, winner, chance)
    if system == "SIAM":
        winner.pop("flowers", None)


def _han(winner: Facts, chance: Random) -> None:
    if chance.random() < 0.5:
        return
    for name in ("han", "fu", "limit", "liable", "nagashi"):
        winner.pop(name, None)
    if chance.random() < 0.1:
        winner |= {"nagashi": True, "limit": chance.choice(["mangan", "mangan", "yakuman"])}
        return
    if chance.random() < 0.8:
        winner["han"] = chance.choice([*range(1, 5), *range(1, 5), *range(1, 14)])
    if chance.random() < 0.8:
        winner["fu"] = chance.choice([20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 35])
    if chance.random() < 0.3:
        winner["limit"] = chance.choice(
            ["mangan", "haneman", "baiman", "sanbaiman", "counted_yakuman", "yakuman"]
        )
    if chance.random() < 0.15:
        winner["liable"] = chance.choice(SEATS)


def _sport_list(win: Facts, winner: Facts, chance: Random) -> None:
    if chance.random() < 0.3:
        winner["fans"] = chance.choice([0, 1, 7, 8, 9, chance.randint(0, 410)])
        return
    way = lists.Way("from" not in win, chance.random() < 0.3, chance.random() < 0.9, chance.random() < 0.5)
    table = lists._table()
    core, found = chance.choice(_cores(way.is_double_wind))
    place = 0 if not way.is_self_drawn else 1 if way.uses_drawn_tile else 2
    finishes = table.finishes[found][place]
    if not finishes:
        return
    finish, marks = chance.choice(finishes)
    listed = dict(lists.counts_of(core | chance.choice([*lists.with_last_tile(finish, marks, way)])))
    for _ in range(chance.choice([0, 0, 1, 1, 2])):
        number = chance.choice([number for number in SPORT_FANS if number != lists.FLOWERS])
        if listed.pop(number, None) is None:
            listed[number] = chance.choice([1, 1, 1, 2])
    winner["fan_list"] = {str(number): count for number, count in listed.items()}
    winner["fans"] = sum(SPORT_FANS[number].value * count for number, count in listed.items())
    if chance.random() < 0.05:
        winner["fans"] += 1


_known_cores: dict[bool, list[tuple[int, int]]] = {}


def _cores(is_double_wind: bool) -> list[tuple[int, int]]:
    """List the cores once: choosing from a mapping would list them each time."""
    if is_double_wind not in _known_cores:
        _known_cores[is_double_wind] = [*lists._table().cores[is_double_wind].items()]
    return _known_cores[is_double_wind]


def _red_list(winner: Facts, chance: Random) -> None:
    if chance.random() < 0.4:
        winner["fans"] = chance.choice([0, 1, 3, chance.randint(0, 700)])
        winner["flowers"] = chance.choice([0, 0, 8, 9])
        return
    fans = legality_state("RED", {})["tables"]["fans"]
    listed = {
        name: chance.choice([1, 1, 1, 2])
        for name in chance.sample([*map(str, range(1, 20))], chance.randint(1, 3))
    }
    winner["fan_list"] = listed
    winner["fans"] = sum(fans[name]["points"] * count for name, count in listed.items() if name in fans)
    if chance.random() < 0.1:
        winner["fans"] += 1


def _sichuan_list(win: Facts, winner: Facts, chance: Random) -> None:
    if chance.random() < 0.4:
        return
    listed = {
        name: chance.choice([1, 1, 2, 3]) for name in chance.sample(SICHUAN_FANS[:6], chance.randint(0, 2))
    }
    listed |= {name: 1 for name in CIRCUMSTANCE_NAMES if win.get(name) and chance.random() < 0.95}
    winner["fan_list"] = listed
    worth = dict.fromkeys(SICHUAN_FANS, 1) | {"pure_suit": 2, "seven_pairs": 2}
    winner["fans"] = sum(worth[name] * count for name, count in listed.items())
    if chance.random() < 0.1:
        winner["fans"] += 1
