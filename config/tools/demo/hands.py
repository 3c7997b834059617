"""Hands thrown by dice, in the shape of docs/RECORD.md; the few that a rulebook refuses are thrown again."""

import random
from collections.abc import Sequence
from typing import Any

Facts = dict[str, Any]
LIMITS = ("mangan", "mangan", "haneman", "baiman")


def random_facts(system: str, seats: Sequence[str], dice: random.Random) -> Facts:
    """Throw a hand that could have been played."""
    if system in {"SBR", "WMSG"}:
        return _sichuan(list(seats), dice)
    if system == "RIICHI":
        return _riichi(list(seats), dice)
    if dice.random() < 0.08:
        return {"events": []}
    fans = (
        _red_fans(dice) if system == "RED" else dice.choice((8, 8, 9, 10, 12, 13, 16, 20, 24, 28, 33, 48, 64))
    )
    return {"events": [_win(seats, _flowers({"fans": fans}, dice), dice)]}


def _win(seats: Sequence[str], value: Facts, dice: random.Random) -> Facts:
    """One wins, on a discard more often than not."""
    winner, *others = dice.sample(list(seats), len(seats))
    win: Facts = {"type": "win", "winners": [{"seat": winner, **value}]}
    return win | ({"from": others[0]} if dice.random() < 0.65 else {})


def _flowers(value: Facts, dice: random.Random) -> Facts:
    flowers = dice.randrange(3)
    return value | ({"flowers": flowers} if flowers else {})


def _red_fans(dice: random.Random) -> int:
    return dice.choice((1, 2, 3, 4, 5, 6, 8, 10, 12, 20, 40))


def _riichi(seats: list[str], dice: random.Random) -> Facts:
    """A win, or a wall that ran out with some waiting; sometimes with riichi declared."""
    if dice.random() < 0.15:
        return {"events": [], "end": {seat: {"state": dice.choice(("waiting", "no_wait"))} for seat in seats}}
    value: Facts = {"limit": dice.choice(LIMITS)} if dice.random() < 0.15 else _han_and_fu(dice)
    win = _win(seats, value, dice)
    winner = win["winners"][0]["seat"]
    return {"events": [win]} | ({"riichi": [winner]} if dice.random() < 0.3 else {})


def _han_and_fu(dice: random.Random) -> Facts:
    return {"han": dice.choice((1, 1, 2, 2, 3, 4)), "fu": dice.choice((30, 30, 40, 50))}


def _sichuan(seats: list[str], dice: random.Random) -> Facts:
    """One win after another until three have won or the wall is out."""
    playing, happened = list(seats), []
    while len(playing) > 1 and dice.random() < 0.8:
        if dice.random() < 0.15:
            seat = dice.choice(playing)
            happened.append({"type": "kong", "seat": seat, "kind": dice.choice(("concealed", "added"))})
        win = _sichuan_win(playing, dice)
        happened.append(win)
        playing.remove(win["winners"][0]["seat"])
        if len(playing) == 1:
            return {"events": happened, **_kong_check(playing, happened)}
    return {"events": happened, "end": {seat: _check(dice) for seat in playing}}


def _sichuan_win(playing: Sequence[str], dice: random.Random) -> Facts:
    """One of those still playing wins, mostly from another of them."""
    winner, *others = dice.sample(list(playing), len(playing))
    fans = dice.choice((0, 0, 0, 1, 1, 2, 2, 3, 4))
    win: Facts = {"type": "win", "winners": [{"seat": winner, "fans": fans}]}
    return win | ({"from": others[0]} if dice.random() < 0.6 else {})


def _kong_check(playing: Sequence[str], happened: Sequence[Facts]) -> Facts:
    """After the last win only somebody with kong points at stake is checked."""
    with_kongs = {event["seat"] for event in happened if event["type"] == "kong"}
    left = [seat for seat in playing if seat in with_kongs]
    return {"end": {seat: {"state": "waiting", "max_base": 2} for seat in left}} if left else {}


def _check(dice: random.Random) -> Facts:
    if dice.random() < 0.6:
        return {"state": "waiting", "max_base": dice.choice((1, 1, 2, 2, 4, 8))}
    return {"state": "no_wait"}
