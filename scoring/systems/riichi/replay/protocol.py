"""A logged game as a protocol of these rules: hand for hand where both pay alike, else the reasons why it is none."""

from collections.abc import Iterator
from dataclasses import replace

from scoring.hands import Hand
from scoring.problems import gettext_noop
from scoring.seats import SEATS
from scoring.systems.base import Remark, Situation
from scoring.systems.riichi.play import Riichi
from scoring.systems.riichi.replay.log import LoggedGame, LoggedRound
from scoring.systems.riichi.replay.played import ABORTIVE, hand_of, is_known, label, paid_by


def protocol_of(game: LoggedGame, rules: Riichi) -> tuple[tuple[Hand, ...], tuple[Remark, ...]]:
    """Return the hands of a game by these rules, and every reason why the log moved points or the deal otherwise. [RIICHI 3]

    A table starts with East 1 and without counters, and each hand must leave what the log found before the next one.
    """
    at, hands, against = rules.start(SEATS), list[Hand](), list[Remark]()
    for one in game.rounds:
        hand = replace(hand_of(one, rules), number=at.number)
        against += _against(one, hand, at, rules)
        hands.append(hand)
        if against:
            return (), tuple(against)
        at = rules.following(hand, at)
    return tuple(hands), ()


def _against(logged: LoggedRound, hand: Hand, at: Situation, rules: Riichi) -> Iterator[Remark]:
    """Say what keeps a round from being a hand of the protocol."""
    named = label(logged.number)
    if not is_known(logged, rules):
        yield Remark(BROKEN_OFF, "RIICHI 3.4", {**named, "reason": ABORTIVE[logged.draw]})
        return
    number = SEATS.index(at.round_wind) * len(SEATS) + SEATS.index(at.dealer)
    if at.is_over or (logged.number, logged.counters, logged.bets) != (number, at.counters, at.bets):
        yield Remark(ELSEWHERE, "RIICHI 3.4.11", named)
        return
    for problem in rules.check(hand, at):
        yield Remark(IMPOSSIBLE, problem.clause, named)
    by_rules = rules.payments(hand, at).by_seat
    if tuple(by_rules[seat] for seat in SEATS) != paid_by(logged):
        yield Remark(OTHERWISE, "RIICHI 4.1", named)


BROKEN_OFF = gettext_noop("%(seat)s %(n)s was broken off: %(reason)s. This event plays on.")
ELSEWHERE = gettext_noop(
    "By the rules of this event the hand before does not lead to %(seat)s %(n)s with these counters and bets."
)
IMPOSSIBLE = gettext_noop("%(seat)s %(n)s cannot happen by the rules of this event.")
OTHERWISE = gettext_noop("%(seat)s %(n)s was paid otherwise than this event pays.")
