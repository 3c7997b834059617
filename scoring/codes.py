"""Codes of the record in words: seats, tiles, states, fans and yaku are never shown to people by their codes."""

from collections.abc import Callable, Mapping
from functools import cache

from scoring.problems import gettext_noop, pgettext_noop
from scoring.systems import SYSTEMS
from scoring.tiles.tile import NUMBERS

Translate = Callable[[str, str], str]
"""What translates a sentence, under a context or under none."""

SEATS: Mapping[str, str] = {
    "E": gettext_noop("East"),
    "S": gettext_noop("South"),
    "W": gettext_noop("West"),
    "N": gettext_noop("North"),
}
STATES: Mapping[str, str] = {
    "waiting": gettext_noop("waiting"),
    "no_wait": gettext_noop("not waiting"),
    "pig": gettext_noop("pig"),
    "pig_active": gettext_noop("active pig"),
    "pig_passive": gettext_noop("passive pig"),
}
KINDS: Mapping[str, str] = {
    "below_minimum": gettext_noop("Below the minimum"),
    "wrong_claim": gettext_noop("Wrong claim"),
}
EVENTS: Mapping[str, str] = {
    "win": gettext_noop("Win"),
    "kong": gettext_noop("Kong"),
    "false_win": gettext_noop("False win"),
    "exposure": gettext_noop("Tiles shown"),
    "dead_hand": gettext_noop("Dead hand"),
    "chombo": gettext_noop("Chombo"),
}
LIMITS: Mapping[str, str] = {
    "mangan": gettext_noop("mangan"),
    "haneman": gettext_noop("haneman"),
    "baiman": gettext_noop("baiman"),
    "sanbaiman": gettext_noop("sanbaiman"),
    "counted_yakuman": gettext_noop("counted yakuman"),
    "yakuman": gettext_noop("yakuman"),
}
HONORS: Mapping[str, str] = {
    "E": gettext_noop("East wind"),
    "S": gettext_noop("South wind"),
    "W": gettext_noop("West wind"),
    "N": gettext_noop("North wind"),
    "R": gettext_noop("Red dragon"),
    "G": gettext_noop("Green dragon"),
    "Wh": gettext_noop("White dragon"),
    "J": gettext_noop("Joker"),
    "F1": gettext_noop("Plum flower"),
    "F2": gettext_noop("Orchid flower"),
    "F3": gettext_noop("Chrysanthemum flower"),
    "F4": gettext_noop("Bamboo flower"),
    "F5": gettext_noop("Spring"),
    "F6": gettext_noop("Summer"),
    "F7": gettext_noop("Autumn"),
    "F8": gettext_noop("Winter"),
}
SUITED: Mapping[tuple[str, str], str] = {
    ("m", "one"): pgettext_noop("one", "%(rank)s of characters"),
    ("m", "few"): pgettext_noop("few", "%(rank)s of characters"),
    ("m", "many"): pgettext_noop("many", "%(rank)s of characters"),
    ("p", "one"): pgettext_noop("one", "%(rank)s of dots"),
    ("p", "few"): pgettext_noop("few", "%(rank)s of dots"),
    ("p", "many"): pgettext_noop("many", "%(rank)s of dots"),
    ("s", "one"): pgettext_noop("one", "%(rank)s of bamboos"),
    ("s", "few"): pgettext_noop("few", "%(rank)s of bamboos"),
    ("s", "many"): pgettext_noop("many", "%(rank)s of bamboos"),
}
"""The numbers on tiles, in the forms that a language has for one, a few and many."""
LISTS: Mapping[str, str] = {
    "tiles": " ",
    "found": ", ",
    "seats": ", ",
    "states": ", ",
    "kinds": ", ",
    "yaku": ", ",
    "declared": ", ",
    "reasons": "; ",
}
"""Details that name several things, and what stands between them."""


def named(detail: str, value: str, translate: Translate) -> str:
    """Return the value of a detail in words; a value that is no code is translated as it is."""
    between = LISTS.get(detail, "")
    parts = value.split(between) if between else [value]
    return ", ".join(_named(detail.removesuffix("s"), part, translate) for part in parts)


def has_codes(detail: str) -> bool:
    """Return whether a detail of this name holds codes."""
    return detail in LISTS or detail in {"tile", "fan"} or detail in codes()


def _named(detail: str, value: str, translate: Translate) -> str:
    if detail == "tile" and value in NUMBERS:
        return tile_name(value, translate)
    known = codes().get(detail, {})
    name, space, times = value.partition(" ")
    if space and name in known:
        return f"{translate(known[name], '')} {times}"
    return translate(known.get(value, value), "")


def tile_name(code: str, translate: Translate) -> str:
    """Name a tile in words: 1 of dots, White dragon."""
    if code in HONORS:
        return translate(HONORS[code], "")
    rank = int(code[1])
    form = "one" if rank == 1 else "few" if rank < 5 else "many"
    return translate(SUITED[code[0], form], form) % {"rank": rank}


@cache
def codes() -> Mapping[str, Mapping[str, str]]:
    """Return the names of codes by the detail that holds them; fans and yaku are named by their systems.

    Of the numbers of fans, those of the last system hold: only Red mahjong's problems name fans by number.
    """
    fans = {code: name for system in SYSTEMS.values() for code, name in system.tiles.fans.items()}
    return {
        "seat": SEATS,
        "state": STATES,
        "kind": KINDS,
        "event": EVENTS,
        "limit": LIMITS,
        **dict.fromkeys(("fan", "flag", "yaku", "declared", "found", "a", "b"), fans),
    }
