"""Who pays whom in a Siamese deal: which of the declared wins count, and what each of them moves."""

from collections.abc import Sequence

from scoring.hands import Exposure, FalseWin, Hand, Win
from scoring.problems import gettext_noop
from scoring.seats import Seat
from scoring.systems.base import PaymentLine, Payments, add_up
from scoring.systems.mcr.payments import EXTRA, offence_line, paid


def payments(hand: Hand, seats: Sequence[Seat]) -> Payments:
    """Work out a deal; false wins and shown tiles cost as in sport mahjong. [SIAM 13] [SIAM 14] [RULES 8.41]"""
    twice = who_won_twice([win.winners[0].seat for win in hand.wins])
    lines: list[PaymentLine] = []
    for event in hand.events:
        if isinstance(event, Win):
            lapsed = twice not in (None, event.winners[0].seat)
            lines += [lapsed_line(twice, seats)] if lapsed else win_lines(event, seats)
        elif isinstance(event, FalseWin | Exposure):
            lines.append(offence_line(event, seats))
    return add_up(seats, lines)


def counted_wins(winners: Sequence[Seat]) -> tuple[int, ...]:
    """Return which wins of a deal count, from 0: those of who won twice, or all when the wall ran out.

    [SIAM 3] [SIAM 13] [SIAM 14]
    """
    twice = who_won_twice(winners)
    return tuple(index for index, winner in enumerate(winners) if twice in (None, winner))


def who_won_twice(winners: Sequence[Seat]) -> Seat | None:
    """Find the player who has won with both hands and so ended the deal. [SIAM 3]"""
    return next((seat for seat in winners if winners.count(seat) > 1), None)


def shares(value: int, *, self_drawn: bool, players: int) -> tuple[int, int, int]:
    """Return what a win brings to the winner, the discarder and each other player, as signed numbers.

    Two players move the bare value of the hand. [SIAM 15] [SIAM 16] [SIAM 23] [RULES 8.22]
    """
    if players == 2:
        return value, -value, -value
    if self_drawn:
        return 2 * (value + EXTRA), -(value + EXTRA), -(value + EXTRA)
    return value + 2 * EXTRA, -(value + EXTRA), -EXTRA


def win_points(winner: Seat, discarder: Seat | None, value: int, seats: Sequence[Seat]) -> dict[Seat, int]:
    """Return what a win brings to each seat. [SIAM 15] [SIAM 16] [SIAM 23]"""
    won, by_discarder, by_other = shares(value, self_drawn=discarder is None, players=len(seats))
    return {
        seat: won if seat == winner else by_discarder if seat == discarder else by_other for seat in seats
    }


def win_lines(win: Win, seats: Sequence[Seat]) -> list[PaymentLine]:
    """Explain what a win moves: the value of the hand, and 8 from each when three play. [SIAM 15] [SIAM 16] [SIAM 23]"""
    winner, value = win.winners[0].seat, win.winners[0].fans or 0
    others = [seat for seat in seats if seat != winner]
    if len(seats) == 2:
        return [PaymentLine(BARE_VALUE, paid(winner, others, value), "SIAM 23", {"value": value})]
    clause = "SIAM 15" if win.discarder is None else "SIAM 16"
    sentence = SELF_DRAW if win.discarder is None else DISCARD
    payers = others if win.discarder is None else [win.discarder]
    return [
        PaymentLine(ADDITIONAL, paid(winner, others, EXTRA), clause, {"points": EXTRA}),
        PaymentLine(sentence, paid(winner, payers, value), clause, {"value": value}),
    ]


def lapsed_line(twice: Seat | None, seats: Sequence[Seat]) -> PaymentLine:
    """Explain why a win moves nothing. [SIAM 13]"""
    return PaymentLine(LAPSED, dict.fromkeys(seats, 0), "SIAM 13", {"seat": twice})


ADDITIONAL = gettext_noop("Win: %(points)s additional points from each other player.")
SELF_DRAW = gettext_noop("Self-draw: each other player pays the value of the hand, %(value)s.")
DISCARD = gettext_noop("Win on a discard: the discarder pays the value of the hand, %(value)s.")
BARE_VALUE = gettext_noop("Win of one of two players: the other pays the bare value of the hand, %(value)s.")
LAPSED = gettext_noop("%(seat)s won with both hands, so this win does not count.")
