"""Red cases of the JSON Lines door: a hand with its winner in, its fans and payments out."""

from collections.abc import Mapping
from typing import Any

from scoring.fields import Fields
from scoring.problems import gettext_noop
from scoring.seats import SEATS, Seat
from scoring.systems.red.hand import MOST_FLOWERS, Value, evaluate
from scoring.systems.red.law import Law
from scoring.systems.red.payments import win
from scoring.tiles.tile_hands import read_tile_hand

DISCARDER_NEEDED = gettext_noop("Choose who discarded.")
DISCARDER_UNEXPECTED = gettext_noop("Remove the discarder for a self-draw.")
WINNER_DISCARDED = gettext_noop("The winner cannot be the discarder.")

SEATS_BY_PLAYERS: Mapping[int, tuple[Seat, ...]] = {
    4: SEATS,
    3: (Seat.EAST, Seat.SOUTH, Seat.WEST),
    2: (Seat.EAST, Seat.WEST),
}
"""Three sit at East, South and West, two at East and West. [RED seats 4]"""


def answer(case: Mapping[str, object]) -> dict[str, Any]:
    """Answer one case of the kind “hand”, or refuse it with all its problems."""
    fields = Fields(case)
    fields.ignore("id", "ruleset")
    fields.choice("kind", ("hand",), default="hand")
    law = Law(jokers=fields.flag("jokers_in_play"))
    seats = _seats(fields)
    flowers = fields.number("flowers", high=MOST_FLOWERS, default=0)
    hand = read_tile_hand(fields.inner("hand"), law.kit)
    winner, discarder = _winner(fields.inner("win"), seats)
    fields.finish()
    fields.refuse()
    value = evaluate(hand, law, flowers, is_discard=discarder is not None)  # type: ignore[arg-type]
    return _written(value, winner, discarder, seats, law)


def _seats(fields: Fields) -> tuple[Seat, ...]:
    """Read how many play; while that is wrong, every seat may be named. [RED seats 4]"""
    before = len(fields.problems)
    players = fields.number("players", low=2, high=4)
    return SEATS_BY_PLAYERS[players] if len(fields.problems) == before else SEATS


def _winner(fields: Fields, seats: tuple[Seat, ...]) -> tuple[Seat, Seat | None]:
    """Read who won and, on a discard, from whom. [RED win 2] [RED win 3]"""
    by = fields.choice("by", ("discard", "self_draw"))
    winner = fields.seat("winner", seats)
    discarder = fields.seat("discarder", seats, needed=False)
    if by == "discard" and not fields.has("discarder"):
        fields.problem("discarder_needed", DISCARDER_NEEDED, "discarder", clause="RED win 3")
    if by == "self_draw" and fields.has("discarder"):
        fields.problem("discarder_unexpected", DISCARDER_UNEXPECTED, "discarder", clause="RED win 2")
    if winner and winner == discarder:
        fields.problem("winner_is_discarder", WINNER_DISCARDED, "discarder", clause="RED win 3")
    fields.finish()
    return winner or seats[0], discarder


def _written(
    value: Value | None, winner: Seat, discarder: Seat | None, seats: tuple[Seat, ...], law: Law
) -> dict[str, Any]:
    """Write the value out, with a number for every seat; what is no win pays nothing here."""
    paid: dict[str, int] = {str(seat): 0 for seat in seats}
    if value is None:
        return {"valid_win": False, "fans": [], "points": 0, "payments": paid}
    moved = win(winner, discarder, value.total, seats, law).payments
    return {
        "valid_win": True,
        "fans": [
            {"no": one.fan.number, "name": one.fan.title, "count": one.count, "points": one.points}
            for one in value.fans
        ],
        "points": value.points,
        "payments": paid | {str(seat): points for seat, points in moved.items()},
    }
