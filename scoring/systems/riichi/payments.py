"""Who pays whom in riichi: wins with counters, bets and liability, the exhausted wall, chombo. [RIICHI 4.1]"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scoring.hands import Abort, Chombo, Hand, Win, Winner
from scoring.problems import gettext_noop
from scoring.seats import Seat, in_turn_from
from scoring.systems.base import PaymentLine, Payments, Situation, add_up
from scoring.systems.riichi.limits import BASES, Limits, clause_of_limit, title_of

BET = 1000
"""What a declared riichi puts on the table. [RIICHI 3.3.14]"""

COUNTER = 100
"""What each opponent pays for each counter on a win from the wall; a discarder pays it three times. [RIICHI 3.4.10]"""

NOT_WAITING = 3000
"""What those who are not waiting pay in all at an exhausted wall. [RIICHI 3.4.2]"""

BETS_PLACED = gettext_noop("Riichi bets: 1000 each onto the table.")
BETS_OWN = gettext_noop("The winner's own riichi bet returns.")
BETS_TAKEN = gettext_noop("The winner takes %(bets)s riichi bets from the table.")
BET_TAKEN = gettext_noop("The winner takes 1 riichi bet from the table.")
BET_TAKEN_NEAREST = gettext_noop(
    "The winner nearest to the right of the discarder takes 1 riichi bet from the table."
)
BETS_TAKEN_NEAREST = gettext_noop(
    "The winner nearest to the right of the discarder takes %(bets)s riichi bets from the table."
)
BETS_RETURNED = gettext_noop("After a chombo the riichi bets are returned.")
WIN_ON_DISCARD = gettext_noop("%(han)s han, %(fu)s fu on a discard: the discarder pays %(points)s.")
WIN_FROM_WALL = gettext_noop("%(han)s han, %(fu)s fu from the wall: all opponents pay, %(points)s together.")
LIMIT_ON_DISCARD = gettext_noop("%(limit)s on a discard: the discarder pays %(points)s.")
LIMIT_FROM_WALL = gettext_noop("%(limit)s from the wall: all opponents pay, %(points)s together.")
LIABLE_ALONE = gettext_noop("%(limit)s: the liable player pays all of %(points)s.")
LIABLE_HALF = gettext_noop("%(limit)s: the discarder and the liable player pay half of %(points)s each.")
LIABLE_FOR_ONE = gettext_noop(
    "%(limit)s, %(points)s together: the liable player answers for one yakuman, the others are paid as usual."
)
BROKEN_OFF = gettext_noop(
    "The hand was broken off (%(reason)s): nobody pays, and the bets stay on the table."
)
REASONS: Mapping[Abort, str] = {
    Abort.NINE_KINDS: gettext_noop("nine kinds of terminals and honors"),
    Abort.FOUR_WINDS: gettext_noop("four equal winds discarded"),
    Abort.FOUR_RIICHI: gettext_noop("four riichi"),
    Abort.FOUR_KONGS: gettext_noop("four kongs of several players"),
    Abort.THREE_WINS: gettext_noop("three winners on one discard"),
}
NAGASHI = gettext_noop(
    "Nagashi mangan: all opponents pay as for a mangan from the wall, %(points)s together."
)
COUNTERS = gettext_noop("%(counters)s counters: %(points)s more for the winner.")
COUNTER_OF_ONE = gettext_noop("1 counter: %(points)s more for the winner.")
WAITING = gettext_noop("Exhausted wall: those who are not waiting pay 3000 in all to those who are.")
NOBODY_PAYS = gettext_noop("Exhausted wall: all are waiting or nobody is, so nobody pays.")
CHOMBO = gettext_noop("Chombo: a mangan in reverse, to each opponent what that opponent would have to pay.")


@dataclass(frozen=True, slots=True)
class Sharing:
    """Who of several winners on one discard gets counters and bets: by EMA 2016 counters go to each, own bets return.

    Some leagues give the counters, or all bets, to the winner nearest to the discarder alone. [RULES 9.21]
    """

    counters_to_nearest: bool = False
    bets_to_nearest: bool = False


EMA_SHARING = Sharing()


@dataclass(frozen=True, slots=True)
class Price:
    """What a hand costs on a discard, and from the wall: East's part, and that of each other opponent."""

    discarder: int
    dealer: int
    other: int


def price(base: int, *, is_dealer: bool) -> Price:
    """Work out the payments from the base, rounded up to whole hundreds; East gets and pays double. [RIICHI 4.1.2]"""
    if is_dealer:
        return Price(discarder=hundreds(6 * base), dealer=0, other=hundreds(2 * base))
    return Price(discarder=hundreds(4 * base), dealer=hundreds(2 * base), other=hundreds(base))


def hundreds(points: int) -> int:
    """Round up to the next hundred. [RIICHI 4.1.2]"""
    return -(-points // 100) * 100


def declared_base(winner: Winner, limits: Limits) -> int:
    """Return the base of a hand as declared: by its limit, or by han and fu. [RIICHI 4.1.2]"""
    if winner.limit:
        return BASES[winner.limit] * (winner.yakuman or 1)
    return limits.base(winner.han or 0, winner.fu or 0)


def payments(hand: Hand, at: Situation, limits: Limits, sharing: Sharing = EMA_SHARING) -> Payments:
    """Pay for a hand, bets included; the bets left on the table are paid to nobody yet. [RIICHI 4.1] [RIICHI 3.4.4]"""
    lines = [_place_bets(hand)] if hand.riichi else []
    if hand.abort:
        lines.append(PaymentLine(BROKEN_OFF, {}, "RULES 9.34", {"reason": REASONS[hand.abort]}))
    if hand.end:
        lines.append(exhausted_wall(hand, at))
    for event in hand.events:
        if isinstance(event, Win):
            lines += win(event, hand, at, limits, sharing)
        elif isinstance(event, Chombo):
            lines += chombo(event, hand, at)
    return add_up(at.seats, lines)


def win(
    event: Win, hand: Hand, at: Situation, limits: Limits, sharing: Sharing = EMA_SHARING
) -> list[PaymentLine]:
    """Pay every winner in full, each with the counters, then hand out the bets. [RIICHI 3.4.9] [RIICHI 4.1] [RULES 9.21]"""
    lines: list[PaymentLine] = []
    first = nearest([winner.seat for winner in event.winners], event.discarder, at.seats)
    for winner in event.winners:
        lines.append(_pay_hand(winner, event, at, limits))
        if at.counters and (winner.seat == first or not sharing.counters_to_nearest):
            lines.append(_pay_counters(winner, event, at))
    return lines + _take_bets(event, hand, at, sharing)


def exhausted_wall(hand: Hand, at: Situation) -> PaymentLine:
    """Let those who are not waiting pay 3 000 in all to those who are. [RIICHI 3.4.2]"""
    waiting = [seat for seat in at.seats if hand.end[seat].state == "waiting"]
    others = [seat for seat in at.seats if seat not in waiting]
    if not waiting or not others:
        return PaymentLine(NOBODY_PAYS, {}, "RIICHI 3.4.2")
    gains = dict.fromkeys(waiting, NOT_WAITING // len(waiting))
    losses = dict.fromkeys(others, -NOT_WAITING // len(others))
    return PaymentLine(WAITING, gains | losses, "RIICHI 3.4.2")


def chombo(event: Chombo, hand: Hand, at: Situation) -> list[PaymentLine]:
    """Pay a mangan in reverse, and give the bets of this hand back. [RIICHI 3.4.6]"""
    each = _from_the_wall(BASES["mangan"], event.seat, at)
    paid = {seat: -points for seat, points in each.items()}
    lines = [PaymentLine(CHOMBO, paid | {event.seat: sum(each.values())}, "RIICHI 3.4.6")]
    if hand.riichi:
        lines.append(PaymentLine(BETS_RETURNED, dict.fromkeys(hand.riichi, BET), "RIICHI 3.4.6"))
    return lines


def bets_after(hand: Hand, at: Situation) -> int:
    """Count the bets that lie on the table after a hand: taken by a winner, returned after a chombo, else left.

    [RIICHI 3.3.14] [RIICHI 3.4.4] [RIICHI 3.4.6]
    """
    if hand.wins:
        return 0
    if any(isinstance(event, Chombo) for event in hand.events):
        return at.bets
    return at.bets + len(hand.riichi)


def _place_bets(hand: Hand) -> PaymentLine:
    """Put down the bet of each riichi. [RIICHI 3.3.14]"""
    return PaymentLine(BETS_PLACED, dict.fromkeys(hand.riichi, -BET), "RIICHI 3.3.14")


def _pay_hand(winner: Winner, event: Win, at: Situation, limits: Limits) -> PaymentLine:
    """Pay the value of one winning hand: by the discarder, by all on a win from the wall, or with liability."""
    base = declared_base(winner, limits)
    details = _described(winner, limits)
    if event.discarder is None:
        parts = _from_the_wall(base, winner.seat, at)
        sentence = NAGASHI if winner.nagashi else LIMIT_FROM_WALL if "limit" in details else WIN_FROM_WALL
    else:
        cost = price(base, is_dealer=winner.seat == at.dealer).discarder
        parts = {event.discarder: -cost}
        sentence = LIMIT_ON_DISCARD if "limit" in details else WIN_ON_DISCARD
    total = -sum(parts.values())
    clause = "RIICHI 4.2.6" if winner.nagashi else _clause_of_value(winner, limits)
    if winner.liable:
        clause = "RIICHI 3.3.9"
        once = total // (winner.yakuman or 1)
        answered = liability(once, winner.liable, event.discarder)
        sentence = LIABLE_ALONE if len(answered) == 1 else LIABLE_HALF
        if once < total:
            sentence, clause = LIABLE_FOR_ONE, "RIICHI 3.3.9, RULES 9.33"
            others = {seat: points - points // (winner.yakuman or 1) for seat, points in parts.items()}
            answered = {seat: others.get(seat, 0) + answered.get(seat, 0) for seat in {**others, **answered}}
        parts = answered
    return PaymentLine(sentence, parts | {winner.seat: total}, clause, details | {"points": total})


def _clause_of_value(winner: Winner, limits: Limits) -> str:
    """Cite the formula, or the limit by which a hand is paid less or more than it. [RIICHI 4.1.2] [RIICHI 4.1.3]"""
    name = winner.limit or limits.name(winner.han or 0, winner.fu or 0)
    return clause_of_limit(name, winner.han or 0, limits) or "RIICHI 4.1.2"


def liability(total: int, liable: Seat, discarder: Seat | None) -> dict[Seat, int]:
    """Let the liable player pay all, or half beside another discarder. [RIICHI 3.3.9] [RULES 8.42]"""
    if discarder is None or discarder == liable:
        return {liable: -total}
    return {discarder: -total // 2, liable: -total // 2}


def _pay_counters(winner: Winner, event: Win, at: Situation) -> PaymentLine:
    """Pay 300 a counter by the discarder or the liable player, or 100 by each. [RIICHI 3.4.10] [RULES 8.29]"""
    share = COUNTER * at.counters
    payer = event.discarder or winner.liable
    opponents = in_turn_from(winner.seat, at.seats)
    parts = {payer: -share * len(opponents)} if payer else dict.fromkeys(opponents, -share)
    total = -sum(parts.values())
    details = {"counters": at.counters, "points": total}
    sentence = COUNTER_OF_ONE if at.counters == 1 else COUNTERS
    return PaymentLine(sentence, parts | {winner.seat: total}, "RIICHI 3.4.10", details)


def _take_bets(event: Win, hand: Hand, at: Situation, sharing: Sharing) -> list[PaymentLine]:
    """Return the winners' own bets; all others go to the winner nearest to the discarder's right. [RIICHI 4.1] [RULES 9.21]"""
    winners = [winner.seat for winner in event.winners]
    kept = [nearest(winners, event.discarder, at.seats)] if sharing.bets_to_nearest else winners
    own = [seat for seat in hand.riichi if seat in kept]
    lines = [PaymentLine(BETS_OWN, {seat: BET}, "RIICHI 3.3.14") for seat in own]
    others = at.bets + len(hand.riichi) - len(own)
    if others:
        first = nearest(winners, event.discarder, at.seats)
        several, one = (
            (BETS_TAKEN_NEAREST, BET_TAKEN_NEAREST) if len(winners) > 1 else (BETS_TAKEN, BET_TAKEN)
        )
        sentence = one if others == 1 else several
        lines.append(PaymentLine(sentence, {first: BET * others}, "RIICHI 4.1", {"bets": others}))
    return lines


def nearest(winners: Iterable[Seat], discarder: Seat | None, seats: tuple[Seat, ...]) -> Seat:
    """Find the winner whose turn comes first after the discarder. [RIICHI 4.1]"""
    winners = list(winners)
    if discarder is None:
        return winners[0]
    return next(seat for seat in in_turn_from(discarder, seats) if seat in winners)


def _from_the_wall(base: int, winner: Seat, at: Situation) -> dict[Seat, int]:
    """List what each opponent pays for a win from the wall. [RIICHI 4.1.2]"""
    cost = price(base, is_dealer=winner == at.dealer)
    opponents = in_turn_from(winner, at.seats)
    return {seat: -(cost.dealer if seat == at.dealer else cost.other) for seat in opponents}


def _described(winner: Winner, limits: Limits) -> dict[str, object]:
    """Return the words for a declared hand: its limit, or its han and fu."""
    name = winner.limit or limits.name(winner.han or 0, winner.fu or 0)
    return {"limit": title_of(name, winner.yakuman or 1)} if name else {"han": winner.han, "fu": winner.fu}
