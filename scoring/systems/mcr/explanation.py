"""A hand of sport mahjong explained, and what the record keeps of it."""

from collections.abc import Mapping
from typing import Any

from scoring.fields import Fields
from scoring.problems import Problem, gettext_noop
from scoring.systems.explained import (
    DISCARDER_AND_OTHERS,
    DROPPED_BY,
    EACH_PAYS,
    IN_ALL,
    SHORT,
    WITHOUT_FLOWERS,
    Explanation,
    Omission,
    Term,
    Total,
    read_flags,
    read_hand,
    read_wind,
    refuse,
    set_names,
    sets_of,
)
from scoring.systems.mcr import hand as mcr
from scoring.systems.mcr.combinations import ACCOUNT_ONCE
from scoring.systems.mcr.fans import FANS, clause_of
from scoring.systems.mcr.payments import shares
from scoring.systems.mcr.views import Circumstances
from scoring.systems.system import ListedFan
from scoring.tiles.tile_hands import TileHand

MARKS = ("last_of_kind", "replacement_after_kong", "robbing_kong", "last_wall_tile")
"""The circumstances of a win that the tiles do not show."""

MARK_NAMES: Mapping[str, str] = {
    "last_of_kind": gettext_noop("Last tile of its kind"),
    "replacement_after_kong": FANS[46].name,
    "robbing_kong": FANS[47].name,
    "last_wall_tile": gettext_noop("Last tile of the wall"),
}
"""What the marks are called."""

SWAPPED = frozenset({clause_of(20), clause_of(34)})
"""The rows of the two fans whose names and values the rulebook swaps. [RULES 8.15]"""

NAMES: Mapping[str, str] = {str(number): fan.name for number, fan in FANS.items()}
CODES: Mapping[str, str] = {fan.name: str(number) for number, fan in FANS.items() if number != mcr.FLOWERS}


def explain(fields: Fields, rules: Mapping[str, Any]) -> Explanation:
    """Explain a hand in its best reading."""
    hand = read_hand(fields, mcr.KIT)
    win = read_circumstances(fields, most_flowers=8)
    refuse(fields, mcr.refusals(hand, win) if hand else [])
    value = mcr.evaluate(hand, win)
    paid = shares(value.total, self_drawn=win.self_drawn)
    return explained(value, hand, rules, paid, all_pay=win.self_drawn)


def read_circumstances(fields: Fields, *, most_flowers: int) -> Circumstances:
    """Read how the hand was won."""
    return Circumstances(
        self_drawn=fields.flag("self_draw"),
        seat_wind=read_wind(fields, "seat_wind"),
        round_wind=read_wind(fields, "round_wind"),
        flowers=fields.number("flowers", high=most_flowers, default=0),
        **dict.fromkeys(read_flags(fields, MARKS), True),
    )


def explained(
    value: mcr.HandValue,
    hand: TileHand,
    rules: Mapping[str, Any],
    paid: tuple[int, int, int],
    *,
    all_pay: bool,
) -> Explanation:
    """Put the value of a hand into words; below the minimum nothing is paid. [SIAM 23]"""
    minimum = int(str(rules.get("minimum", mcr.MINIMUM)))
    is_short = value.points < minimum
    details = {"least": minimum, "points": value.points}
    return Explanation(
        sets_of(value.reading, hand),
        tuple(
            Term(one.fan.name, tuple(map(set_names, one.sets)), one.count, one.points, cited(one.fan.clause))
            for one in value.fans
        ),
        tuple(map(omission, value.dropped)),
        (Total(WITHOUT_FLOWERS, value.points), Total(IN_ALL, value.total)),
        "" if is_short else EACH_PAYS if all_pay else DISCARDER_AND_OTHERS,
        {"points": -paid[1], "other": -paid[2]},
        (Problem("below_minimum", SHORT, "hand", "MCR scoring 1a", details),) if is_short else (),
    )


def omission(dropped: mcr.Dropped) -> Omission:
    """Return why a fan is not counted, with the counted fans to blame and the sets in question. [MCR scoring 1e]"""
    told: dict[str, object] = dict(
        zip(("fan", "other", "third"), (fan.name for fan in dropped.by), strict=False)
    )
    told |= {"sets": set_names(dropped.sets), "shared": set_names(dropped.shared)}
    if not dropped.sets:
        sentence = DROPPED_BY
    elif dropped.shared:
        sentence = USED_FOR_THE_SAME
    elif dropped.clause == ACCOUNT_ONCE:
        sentence = JOINED_BY_THREE if "third" in told else JOINED_BY_TWO
    else:
        sentence = WITHIN
    return Omission(dropped.fan.name, sentence, told, cited(dropped.clause))


def cited(clause: str) -> str:
    """Name the decision as well where the rulebook has the row of a fan the wrong way round. [RULES 8.15]"""
    return f"{clause}, RULES 8.15" if clause in SWAPPED else clause


def facts(found: Explanation, how: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the record keeps of a winner's value. [RECORD 3]"""
    listed = {CODES[one.name]: one.times for one in found.terms if one.name in CODES}
    return {"fans": found.total(WITHOUT_FLOWERS), "fan_list": listed}


def choices(rules: Mapping[str, Any]) -> list[ListedFan]:
    """List the fans that can be chosen by name; flowers are counted apart."""
    return [
        ListedFan(
            str(number), fan.name, fan.value, fan.most, tuple(str(other) for other in fan.excludes), fan.only
        )
        for number, fan in sorted(FANS.items())
        if number != mcr.FLOWERS
    ]


WITHIN = gettext_noop("%(sets)s: part of “%(fan)s” already")
USED_FOR_THE_SAME = gettext_noop("%(sets)s: %(shared)s made this fan with other sets already")
JOINED_BY_TWO = gettext_noop(
    "%(sets)s: joined by “%(fan)s” and “%(other)s”; a set that was used is joined once only"
)
JOINED_BY_THREE = gettext_noop(
    "%(sets)s: joined by “%(fan)s”, “%(other)s” and “%(third)s”; a set that was used is joined once only"
)
