"""Sichuan at the table: who deals, when a hand is over, and the ruleset as the rest of the program sees it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.fields import Fields
from scoring.hands import Hand
from scoring.problems import Problem
from scoring.seats import Seat, after
from scoring.systems.base import Payments, Situation, first_dealer
from scoring.systems.sichuan import checks, payments
from scoring.systems.sichuan.law import FalseWinner, Law, law_of


def next_dealer(hand: Hand, dealer: Seat) -> Seat:
    """Return who deals next: after no win the same, after one first winner that player, after several the discarder.

    A false win does not count. [SBR 2.1.9] [SBR 2.6.2.6] [WMSG 6.1] [WMSG 6.2] [WMSG 6.3]
    """
    if not hand.wins:
        return dealer
    first = hand.wins[0]
    if len(first.winners) > 1 and first.discarder:
        return first.discarder
    return first.winners[0].seat


@dataclass(frozen=True)
class Sichuan:
    """Sichuan mahjong, SBR or WMSG, with its one setting. What does not say it was played before there was one. [RULES 8.44]"""

    system: str = "SBR"
    false_winner: FalseWinner = FalseWinner.PLAYS_ON

    def law(self, hand: Hand) -> Law:
        """Return the edition by which a hand is judged."""
        return law_of(self.system, self.false_winner, is_first_reading=hand.first_reading)

    def start(self, seats: Sequence[Seat]) -> Situation:
        """East deals the first hand, or the next occupied seat. [SBR 2.1.9] [RULES 8.34]"""
        return Situation(tuple(seats), dealer=first_dealer(seats), round_wind=Seat.EAST)

    def check(self, hand: Hand, at: Situation) -> list[Problem]:
        """List everything that makes the recorded hand impossible."""
        return checks.check(hand, at.seats, self.law(hand))

    def payments(self, hand: Hand, at: Situation) -> Payments:
        """Work out who pays whom. [SBR 2.7.1] [WMSG 7.1]"""
        return payments.payments(hand, at.seats, self.law(hand))

    def following(self, hand: Hand, at: Situation) -> Situation:
        """Pass the deal on; a session ends by its clock or its number of hands, not by these rules. [SBR 2.4.4]"""
        return at.but(number=at.number + 1, dealer=next_dealer(hand, at.dealer))

    def without_dealer(self, at: Situation) -> Situation:
        """The next player deals. [SBR 3.1.2] [RULES 8.55]"""
        return at.but(dealer=after(at.dealer, at.seats))


def from_rules(system: str, rules: Mapping[str, object]) -> Sichuan:
    """Build the ruleset from the regulation's settings. [RULES 8.44]"""
    fields = Fields(rules, "system_rules")
    chosen = fields.choice("false_winner", list(FalseWinner), default=FalseWinner.PLAYS_ON)
    fields.finish()
    fields.refuse()
    return Sichuan(system, FalseWinner(chosen))
