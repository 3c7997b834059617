"""The cases of sport mahjong in docs/HANDS.md: a JSON case in, exactly the promised fields out, or a refusal."""

from collections.abc import Mapping

from scoring.fields import Fields
from scoring.seats import SEATS
from scoring.systems.mcr.hand import KIT, MINIMUM, HandValue, evaluate, refusals
from scoring.systems.mcr.payments import shares
from scoring.systems.mcr.views import Circumstances
from scoring.tiles.tile import NUMBERS
from scoring.tiles.tile_hands import TileHand, read_tile_hand

Answer = dict[str, object]

MOST_FLOWERS = 8


def answer(case: Mapping[str, object]) -> Answer:
    """Answer one case, or refuse it with all its problems."""
    fields = Fields(case)
    fields.ignore("id", "ruleset")
    fields.choice("kind", ("hand",), default="hand")
    hand, win = read_hand(fields, fields.inner("win"))
    fields.finish()
    if hand:
        fields.problems.extend(refusals(hand, win))
    fields.refuse()
    assert hand is not None
    value = evaluate(hand, win)
    return {
        "fans": list_fans(value),
        "points_without_flowers": value.points,
        "total": value.total,
        "meets_minimum": value.points >= MINIMUM,
        "payments": _payments(value, win),
    }


def read_hand(
    fields: Fields, win: Fields, most_flowers: int = MOST_FLOWERS
) -> tuple[TileHand | None, Circumstances]:
    """Read the tiles and how they won. Flowers and seasons are eight at most. [MCR fan 81]"""
    hand = read_tile_hand(fields.inner("hand"), KIT)
    circumstances = Circumstances(
        self_drawn=win.choice("by", ("discard", "self_draw")) == "self_draw",
        last_of_kind=win.flag("last_of_kind"),
        replacement_after_kong=win.flag("replacement_after_kong"),
        robbing_kong=win.flag("robbing_kong"),
        last_wall_tile=win.flag("last_wall_tile"),
        seat_wind=_wind(fields, "seat_wind"),
        round_wind=_wind(fields, "round_wind"),
        flowers=fields.number("flowers", high=most_flowers, default=0),
    )
    win.finish()
    return hand, circumstances


def list_fans(value: HandValue) -> list[dict[str, object]]:
    """Write the fans that count, by number."""
    return [
        {"no": row.fan.number, "name": row.fan.name, "count": row.count, "points": row.points}
        for row in value.fans
    ]


def _wind(fields: Fields, name: str) -> int:
    return NUMBERS[fields.seat(name, SEATS) or SEATS[0]]


def _payments(value: HandValue, win: Circumstances) -> Answer | None:
    """Return what the winner gets and the others pay; nothing below the minimum. [MCR scoring 1a]"""
    if value.points < MINIMUM:
        return None
    winner, discarder, other = shares(value.total, self_drawn=win.self_drawn)
    return {"winner": winner, "discarder": None if win.self_drawn else discarder, "each_other": other}
