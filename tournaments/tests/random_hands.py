"""Random facts of hands in every system, most of them possible; those that are not, the rulebook sorts out."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from scoring.seats import in_turn_from
from scoring.systems.base import Situation

Facts = dict[str, Any]
BASES = {"SBR": (1, 2, 4, 8, 16), "WMSG": (1, 2, 4, 8)}
STATES = {"SBR": ("waiting", "no_wait", "pig_active", "pig_passive"), "WMSG": ("waiting", "no_wait", "pig")}
LIMITS = ("mangan", "haneman", "baiman", "sanbaiman", "counted_yakuman", "yakuman")


def random_facts(system: str, at: Situation, chance: Random, rules: Mapping[str, Any] | None = None) -> Facts:
    """Make up what happened in a hand; where the rules are told, also what only house rules allow."""
    made = {
        "SBR": _sichuan,
        "WMSG": _sichuan,
        "MCR": _mcr,
        "SIAM": _siamese,
        "RED": _red,
        "RIICHI": _riichi,
    }
    facts = made[system](system, at, chance)
    if rules and "abortive_draws" in rules:
        _by_house_rules(facts, rules["abortive_draws"], [str(seat) for seat in at.seats], chance)
    return facts


def _by_house_rules(facts: Facts, aborts: Sequence[str], seats: list[str], chance: Random) -> None:
    """Break some hands off, and let some winners have several yakuman. [RULES 9.33] [RULES 9.34]"""
    if chance.random() < 0.2:
        facts.pop("end", None)
        facts["abort"] = chance.choice(list(aborts))
        facts["events"] = []
        if facts["abort"] == "four_riichi":
            facts["riichi"] = seats
    for event in facts["events"]:
        for winner in event.get("winners", ()):
            if winner.get("limit") == "yakuman" and chance.random() < 0.5:
                winner["yakuman"] = chance.randint(2, 6)


def _sichuan(system: str, at: Situation, chance: Random) -> Facts:
    seats = [str(seat) for seat in at.seats]
    events: list[Facts] = []
    left = list(seats)
    for _ in range(chance.randint(0, 7)):
        if len(left) < 2:
            break
        events += _sichuan_events(left, at, chance)
    facts: Facts = {"events": events}
    end = {seat: _checked(system, chance) for seat in left}
    if len(left) > 1 or chance.random() < 0.7:
        facts["end"] = end
    return facts


def _sichuan_events(left: list[str], at: Situation, chance: Random) -> list[Facts]:
    """Return what happens next; who wins leaves `left`."""
    seat, other = chance.sample(left, 2)
    what = chance.choice(
        ["win", "win", "win", "drawn", "both", "kong", "kong", "after_kong", "robbed", "false", "dead"]
    )
    flag = chance.choice(["discard_after_kong", "robbing_kong"])
    fans = chance.randint(0, 9)
    kong = chance.choice(["concealed", "added", "delayed"])
    own = {"type": "kong", "seat": seat, "kind": kong}
    if what == "kong":
        return [chance.choice([own, {"type": "kong", "seat": seat, "kind": "open", "from": other}])]
    if what == "dead":
        return [{"type": "dead_hand", "seat": seat}]
    if what == "false":
        false = {"type": "false_win", "seat": seat, "kind": chance.choice(["waiting", "no_wait"])}
        if chance.random() < 0.5:
            left.remove(seat)
        if chance.random() < 0.5:
            return [
                {**own, "seat": other, "kind": "concealed"},
                {**false, "from": other, "discard_after_kong": True},
            ]
        return [{**false, "from": other} if chance.random() < 0.5 else false]
    if what == "both":
        order = [str(one) for one in in_turn_from(at.seats[[*map(str, at.seats)].index(other)], at.seats)]
        winners = [one for one in order if one in left][: chance.randint(1, 3)]
        win = {
            "type": "win",
            "from": other,
            "winners": [{"seat": one, "fans": chance.randint(0, 5)} for one in winners],
        }
        for one in winners:
            left.remove(one)
        return [win]
    left.remove(seat)
    if what == "drawn":
        if chance.random() < 0.4:
            return [
                own,
                {"type": "win", "winners": [{"seat": seat, "fans": fans + 1}], "replacement_win": True},
            ]
        return [{"type": "win", "winners": [{"seat": seat, "fans": fans}]}]
    win = {"type": "win", "from": other, "winners": [{"seat": seat, "fans": fans + 1}]}
    if what in ("after_kong", "robbed"):
        before: Facts = {"type": "kong", "seat": other, "kind": "added"}
        if flag == "robbing_kong":
            before["robbed"] = True
        return [before, {**win, flag: True}]
    return [{**win, "last_tile": True} if chance.random() < 0.2 else win]


def _checked(system: str, chance: Random) -> Facts:
    state = chance.choice(STATES[system])
    return {"state": state} | ({"max_base": chance.choice(BASES[system])} if state == "waiting" else {})


def _offence(seat: str, chance: Random) -> Facts:
    return chance.choice(
        [
            {"type": "false_win", "seat": seat, "kind": "below_minimum"},
            {"type": "false_win", "seat": seat, "kind": "wrong_claim"},
            {"type": "exposure", "seat": seat},
            {"type": "dead_hand", "seat": seat},
        ]
    )


def _mcr(system: str, at: Situation, chance: Random) -> Facts:
    seats = [str(seat) for seat in at.seats]
    events = [_offence(chance.choice(seats), chance) for _ in range(chance.choice([0, 0, 0, 1, 2]))]
    if chance.random() < 0.8:
        events.append(_win(seats, {"fans": chance.randint(8, 120)} | _flowers(chance), chance))
    return {"events": events}


def _flowers(chance: Random) -> Facts:
    return {"flowers": chance.randint(1, 8)} if chance.random() < 0.5 else {}


def _win(seats: list[str], value: Facts, chance: Random) -> Facts:
    seat, other = chance.sample(seats, 2)
    win: Facts = {"type": "win", "winners": [{"seat": seat, **value}]}
    return win | ({"from": other} if chance.random() < 0.6 else {})


def _siamese(system: str, at: Situation, chance: Random) -> Facts:
    seats = [str(seat) for seat in at.seats]
    events = [_offence(chance.choice(seats), chance) for _ in range(chance.choice([0, 0, 0, 1]))]
    won: list[str] = []
    for _ in range(chance.randint(0, 4)):
        win = _win(seats, {"fans": chance.randint(8, 60)}, chance)
        events.append(win)
        won.append(win["winners"][0]["seat"])
        if won.count(won[-1]) == 2:
            break
    return {"events": events}


def _red(system: str, at: Situation, chance: Random) -> Facts:
    seats = [str(seat) for seat in at.seats]
    events: list[Facts] = []
    for _ in range(chance.choice([0, 0, 0, 1, 2])):
        events.append({"type": chance.choice(["false_win", "dead_hand"]), "seat": chance.choice(seats)})
    if chance.random() < 0.8:
        events.append(_win(seats, {"fans": chance.randint(0, 320)} | _flowers(chance), chance))
    return {"events": events}


def _riichi(system: str, at: Situation, chance: Random) -> Facts:
    seats = [str(seat) for seat in at.seats]
    riichi = chance.sample(seats, chance.choice([0, 0, 1, 2, 3]))
    facts: Facts = {"events": []} | ({"riichi": riichi} if riichi else {})
    what = chance.choice(["win", "win", "win", "several", "wall", "chombo"])
    if what == "chombo":
        facts["events"] = [{"type": "chombo", "seat": chance.choice(seats)}]
    elif what == "wall":
        states = {
            seat: "waiting" if seat in riichi else chance.choice(["waiting", "no_wait"]) for seat in seats
        }
        facts["end"] = {seat: {"state": state} for seat, state in states.items()}
    elif what == "several":
        other, *winners = chance.sample(seats, chance.randint(3, 4))
        facts["events"] = [
            {
                "type": "win",
                "from": other,
                "winners": [{"seat": seat, **_han(seats, seat, chance)} for seat in winners],
            }
        ]
    else:
        win = _win(seats, {}, chance)
        win["winners"][0] |= _han(seats, win["winners"][0]["seat"], chance)
        facts["events"] = [win]
    return facts


def _han(seats: list[str], seat: str, chance: Random) -> Facts:
    if chance.random() < 0.15:
        liable = chance.choice([other for other in seats if other != seat])
        return {"limit": "yakuman", "liable": liable}
    if chance.random() < 0.3:
        return {"limit": chance.choice(LIMITS)}
    if chance.random() < 0.2:
        return {"han": chance.randint(5, 13)}
    return {"han": chance.randint(1, 4), "fu": chance.choice([20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110])}
