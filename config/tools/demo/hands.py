"""Hands thrown by dice, in the shape of docs/RECORD.md; the few that a rulebook refuses are thrown again."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from scoring.systems.system import RecordedHand, System

Facts = dict[str, Any]
ABOVE_MINIMUM = (0, 0, 1, 2, 4, 5, 8, 12, 16, 20, 25, 40)


def random_facts(
    system: System, rules: Mapping[str, Any], seats: Sequence[str], dice: random.Random
) -> Facts:
    """Throw a hand that could have been played by the system's settings."""
    recorded = system.recorded
    if "kong" in recorded.events:
        return _until_three_have_won(recorded, list(seats), dice)
    if dice.random() < 0.1:
        return {"events": []} | _check_at_the_end(recorded, seats, dice)
    if "fans" in recorded.winner_needs:
        value = {"fans": rules.get("minimum", 0) + dice.choice(ABOVE_MINIMUM)}
    elif system.limits and dice.random() < 0.15:
        value = {"limit": dice.choice(list(system.limits)[:3])}
    else:
        value = {"han": dice.choice((1, 1, 2, 2, 3, 4)), "fu": dice.choice((30, 30, 40, 50))}
    if "flowers" in recorded.winner_may and (flowers := dice.randrange(3)):
        value["flowers"] = flowers
    win = _win(seats, value, dice)
    has_bet = recorded.has_bets and dice.random() < 0.3
    return {"events": [win]} | ({"riichi": [win["winners"][0]["seat"]]} if has_bet else {})


def _win(seats: Sequence[str], value: Facts, dice: random.Random) -> Facts:
    """Let one of the seats win, on a discard more often than not."""
    winner, *others = dice.sample(list(seats), len(seats))
    win: Facts = {"type": "win", "winners": [{"seat": winner, **value}]}
    return win | ({"from": others[0]} if dice.random() < 0.65 else {})


def _until_three_have_won(recorded: RecordedHand, seats: list[str], dice: random.Random) -> Facts:
    """Let one win after another until three have won or the wall is out."""
    playing, happened = seats, list[Facts]()
    while len(playing) > 1 and dice.random() < 0.8:
        if dice.random() < 0.15:
            seat = dice.choice(playing)
            happened.append({"type": "kong", "seat": seat, "kind": dice.choice(("concealed", "added"))})
        win = _win(playing, {"fans": dice.choice((0, 0, 0, 1, 1, 2, 2, 3, 4))}, dice)
        happened.append(win)
        playing.remove(win["winners"][0]["seat"])
        if len(playing) == 1:
            return {"events": happened, **_kong_check(playing, happened)}
    return {"events": happened} | _check_at_the_end(recorded, playing, dice)


def _kong_check(playing: Sequence[str], happened: Sequence[Facts]) -> Facts:
    """Check after the last win only who has kong points at stake."""
    with_kongs = {event["seat"] for event in happened if event["type"] == "kong"}
    left = [seat for seat in playing if seat in with_kongs]
    return {"end": {seat: {"state": "waiting", "max_base": 2} for seat in left}} if left else {}


def _check_at_the_end(recorded: RecordedHand, seats: Sequence[str], dice: random.Random) -> Facts:
    """Check the hands at an exhausted wall, where the system does."""
    if recorded.end_states is None:
        return {}
    return {"end": {seat: _check(recorded, dice) for seat in seats}}


def _check(recorded: RecordedHand, dice: random.Random) -> Facts:
    if dice.random() >= 0.6:
        return {"state": "no_wait"}
    base = {"max_base": dice.choice((1, 1, 2, 2, 4, 8))} if recorded.end_has_base else {}
    return {"state": "waiting", **base}
