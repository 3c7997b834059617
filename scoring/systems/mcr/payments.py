"""Who pays whom in sport mahjong: wins, false wins of both kinds, and tiles shown after another's invalid win."""

from collections.abc import Mapping, Sequence

from scoring.hands import Exposure, FalseWin, Hand, Win, Winner
from scoring.problems import gettext_noop
from scoring.seats import Seat
from scoring.systems.base import PaymentLine, Payments, add_up

EXTRA = 8
"""What each of the others pays the winner beside the value of the hand. [MCR scoring 1b1]"""

FALSE_WINS: Mapping[str, int] = {"below_minimum": 10, "wrong_claim": 20}
"""What a false win costs to each other player, by its kind. [MCR offences 6]"""

EXPOSURE = 10
"""What showing all tiles after an invalid win costs to each other player. [RULES 8.21]"""


def payments(hand: Hand, seats: Sequence[Seat]) -> Payments:
    """Work out a hand event by event; a dead hand alone moves nothing. [MCR scoring 1b]"""
    lines: list[PaymentLine] = []
    for event in hand.events:
        if isinstance(event, Win):
            lines += win_lines(event, seats)
        elif isinstance(event, FalseWin | Exposure):
            lines.append(offence_line(event, seats))
    return add_up(seats, lines)


def shares(value: int, *, self_drawn: bool, others: int = 3) -> tuple[int, int, int]:
    """Return what the winner gets, the discarder pays and each other player pays; on a self-draw all pay the same.

    [MCR scoring 1c1] [MCR scoring 1c2] [MCR payment 1] [MCR payment 2]
    """
    if self_drawn:
        return others * (EXTRA + value), -(EXTRA + value), -(EXTRA + value)
    return others * EXTRA + value, -(EXTRA + value), -EXTRA


def win_lines(win: Win, seats: Sequence[Seat]) -> list[PaymentLine]:
    """Pay the additional points and the value of the hand with its flowers. [MCR scoring 1b1] [MCR scoring 1b2]"""
    winner = win.winners[0]
    others = [seat for seat in seats if seat != winner.seat]
    value = (winner.fans or 0) + winner.flowers
    payers = others if win.discarder is None else [win.discarder]
    sentence, clause = (
        (SELF_DRAW, "MCR scoring 1c1") if win.discarder is None else (DISCARD, "MCR scoring 1c2")
    )
    told = {**_value_details(winner), "value": value}
    return [
        PaymentLine(ADDITIONAL, paid(winner.seat, others, EXTRA), "MCR scoring 1b1", {"points": EXTRA}),
        PaymentLine(sentence, paid(winner.seat, payers, value), clause, told),
    ]


def offence_line(event: FalseWin | Exposure, seats: Sequence[Seat]) -> PaymentLine:
    """Pay for a false win or for showing all tiles, so much to each of the others. [MCR offences 6] [MCR offences 7]"""
    others = [seat for seat in seats if seat != event.seat]
    if isinstance(event, Exposure):
        return PaymentLine(EXPOSED, paid(event.seat, others, -EXPOSURE), "RULES 8.21", {"points": EXPOSURE})
    points = FALSE_WINS[event.kind]
    return PaymentLine(
        FALSE_WIN_LINES[event.kind], paid(event.seat, others, -points), "MCR offences 6", {"points": points}
    )


def paid(to: Seat, payers: Sequence[Seat], points: int) -> dict[Seat, int]:
    """Let each payer give so many points; a negative number goes the other way."""
    return {to: points * len(payers)} | dict.fromkeys(payers, -points)


def _value_details(winner: Winner) -> dict[str, object]:
    return {"fans": winner.fans, "flowers": winner.flowers}


ADDITIONAL = gettext_noop("Win: %(points)s additional points from each other player.")
SELF_DRAW = gettext_noop(
    "Self-draw: each other player pays the value of the hand, %(value)s (%(fans)s and %(flowers)s for flowers)."
)
DISCARD = gettext_noop(
    "Win on a discard: the discarder pays the value of the hand, %(value)s (%(fans)s and %(flowers)s for flowers)."
)
FALSE_WIN_LINES: Mapping[str, str] = {
    "below_minimum": gettext_noop("Win below the minimum: %(points)s to each other player."),
    "wrong_claim": gettext_noop("Wrong claim of a win: %(points)s to each other player."),
}
EXPOSED = gettext_noop("All tiles shown after another's invalid win: %(points)s to each other player.")
