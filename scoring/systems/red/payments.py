"""Who pays whom in Red mahjong: the discarder or all opponents, and a false win. [RED payments]"""

from scoring.hands import FalseWin, Hand, Win
from scoring.problems import gettext_noop
from scoring.seats import Seat, in_turn_from
from scoring.systems.base import PaymentLine, Payments, Situation, add_up
from scoring.systems.red.fans import BY_NUMBER, FLOWER
from scoring.systems.red.law import Law

FALSE_WIN = 9
"""What a false win costs to each other player. [RED penalties 1]"""

WIN_ON_DISCARD = gettext_noop("Win on a discard: the discarder pays %(points)s.")
WIN_FROM_WALL = gettext_noop("Win from the wall: each opponent pays %(points)s.")
WIN_ON_DISCARD_CAPPED = gettext_noop(
    "Win on a discard, %(total)s points held at the cap: the discarder pays %(points)s."
)
WIN_FROM_WALL_CAPPED = gettext_noop(
    "Win from the wall, %(total)s points held at the cap: each opponent pays %(points)s."
)
FALSE_WIN_PAID = gettext_noop("False win: 9 to each other player.")


def payments(hand: Hand, at: Situation, law: Law) -> Payments:
    """Pay for a hand; without a winner nobody pays but for false wins. [RED payments 1] [RED last tile 4]"""
    lines: list[PaymentLine] = []
    for event in hand.events:
        if isinstance(event, FalseWin):
            lines.append(false_win(event.seat, at.seats))
        elif isinstance(event, Win):
            winner = event.winners[0]
            total = (winner.fans or 0) + flower_points(winner.flowers)
            lines.append(win(winner.seat, event.discarder, total, at.seats, law))
    return add_up(at.seats, lines)


def flower_points(flowers: int) -> int:
    """Count 3 for each flower and season. [RED fan 1]"""
    return BY_NUMBER[FLOWER].points * flowers


def win(winner: Seat, discarder: Seat | None, total: int, seats: tuple[Seat, ...], law: Law) -> PaymentLine:
    """Let the discarder alone pay the value, or each opponent on a win from the wall.

    The winner gets it once, three times, twice or once. [RED payments 1] [RED payments 2] [RED payments 3]
    [RED payments 4] [RED payments 5] [RED scoring 5]
    """
    points = law.capped(total)
    payers = (discarder,) if discarder else in_turn_from(winner, seats)
    moved = dict.fromkeys(payers, -points) | {winner: points * len(payers)}
    details = {"points": points, "total": total}
    sentence, clause = (WIN_ON_DISCARD, "RED payments 4") if discarder else (WIN_FROM_WALL, "RED payments 5")
    if total > points:
        sentence = WIN_ON_DISCARD_CAPPED if discarder else WIN_FROM_WALL_CAPPED
        clause += ", RED scoring 5"
    return PaymentLine(sentence, moved, clause, details)


def false_win(offender: Seat, seats: tuple[Seat, ...]) -> PaymentLine:
    """Let the offender pay 9 to each other player; the hand goes on. [RED penalties 1] [RED wrong claims 5]"""
    others = in_turn_from(offender, seats)
    moved = dict.fromkeys(others, FALSE_WIN) | {offender: -FALSE_WIN * len(others)}
    return PaymentLine(FALSE_WIN_PAID, moved, "RED penalties 1")
