"""Riichi cases of the JSON Lines door: a hand with its circumstances in, its explained value out."""

from collections.abc import Mapping
from typing import Any

from scoring.fields import Fields
from scoring.seats import SEATS
from scoring.systems.riichi.circumstances import problems as contradictions
from scoring.systems.riichi.hand import KIT, Value, evaluate
from scoring.systems.riichi.payments import BET, COUNTER, price
from scoring.systems.riichi.view import FLAGS, Circumstances
from scoring.tiles.tile import EAST, NUMBERS
from scoring.tiles.tile_hands import TILE_FOREIGN, TILE_UNKNOWN, read_tile_hand

_HOW = frozenset({"win", "seat_wind", "round_wind", "dora_indicators", "ura_indicators"})


def answer(case: Mapping[str, object]) -> dict[str, Any]:
    """Answer one case of the kind “hand”, or refuse it with all its problems."""
    fields = Fields(case)
    fields.ignore("id", "ruleset")
    fields.choice("kind", ("hand",), default="hand")
    how = _circumstances(fields)
    honba, bets = fields.number("honba", default=0), fields.number("riichi_sticks_on_table", default=0)
    hand = read_tile_hand(fields.inner("hand"), KIT)
    fields.finish()
    if hand and fields.problems and _is_read(fields):
        fields.problems.extend(contradictions(hand, how))
    fields.refuse()
    value = evaluate(hand, how)  # type: ignore[arg-type]
    payments = _payments(value, how, honba)
    return {
        "yaku": [{"name": counted.name, "han": counted.han} for counted in value.yaku],
        "han": value.han,
        "fu": value.fu,
        "limit": value.limit or None,
        "payments": payments,
        "winner_receives_from_players": _received(payments),
        "riichi_sticks_points": bets * BET,
    }


def _is_read(fields: Fields) -> bool:
    """Return whether all circumstances could be read, so that what contradicts them is no echo of a misread field."""
    names = {
        problem.field.partition(".")[0] for problem in fields.problems if problem.code != "unknown_field"
    }
    return names.isdisjoint(_HOW)


def _circumstances(fields: Fields) -> Circumstances:
    win = fields.inner("win")
    by = win.choice("by", ("ron", "tsumo"))
    flags = frozenset(flag for flag in FLAGS if win.flag(flag))
    win.finish()
    return Circumstances(
        self_draw=by == "tsumo",
        seat_wind=_wind(fields, "seat_wind"),
        round_wind=_wind(fields, "round_wind"),
        flags=flags,
        indicators=_indicators(fields, "dora_indicators"),
        ura_indicators=_indicators(fields, "ura_indicators"),
    )


def _wind(fields: Fields, name: str) -> int:
    return NUMBERS.get(fields.choice(name, SEATS), EAST)


def _indicators(fields: Fields, name: str) -> tuple[int, ...]:
    tiles = []
    for at, written in enumerate(fields.items(name, needed=False)):
        tile = NUMBERS.get(written) if isinstance(written, str) else None
        if tile is None:
            fields.problem("tile_unknown", TILE_UNKNOWN, f"{name}.{at}", tile=str(written))
        elif tile not in KIT.tiles:
            fields.problem("tile_foreign", TILE_FOREIGN, f"{name}.{at}", tile=written)
        else:
            tiles.append(tile)
    return tuple(tiles)


def _payments(value: Value, how: Circumstances, honba: int) -> dict[str, int]:
    """Return who pays what, counters included. [RIICHI 4.1.2] [RIICHI 3.4.10]"""
    is_dealer = how.seat_wind == EAST
    cost = price(value.base, is_dealer=is_dealer)
    counters = COUNTER * honba
    if not how.self_draw:
        return {"discarder": cost.discarder + 3 * counters}
    if is_dealer:
        return {"each": cost.other + counters}
    return {"dealer": cost.dealer + counters, "nondealer": cost.other + counters}


def _received(payments: Mapping[str, int]) -> int:
    """Add up what the opponents pay."""
    payers = {"discarder": 1, "each": 3, "dealer": 1, "nondealer": 2}
    return sum(payers[who] * points for who, points in payments.items())
