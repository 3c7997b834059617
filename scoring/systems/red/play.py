"""How a game of Red mahjong goes on: who deals, and which wind the round has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scoring.hands import Hand
from scoring.problems import Problem
from scoring.seats import Seat
from scoring.systems.base import Payments, Situation, first_dealer, pass_round
from scoring.systems.red import checks
from scoring.systems.red import payments as paid
from scoring.systems.red.law import Law


@dataclass(frozen=True)
class Red:
    """Red mahjong for two to four players, under the organizer's settings. [RULES 6]"""

    system: str = "RED"
    law: Law = field(default_factory=Law)

    @classmethod
    def from_rules(cls, system: str, rules: Mapping[str, object]) -> "Red":
        """Take the settings of a regulation; what it leaves out is as in the rulebook. [RULES 8.23] [RULES 8.24]"""
        return cls(system=system, law=Law(**rules))  # type: ignore[arg-type]

    def start(self, seats: Sequence[Seat]) -> Situation:
        """Begin with East as the dealer, in the east round. [RED dealer 3]"""
        return Situation(seats=tuple(seats), dealer=first_dealer(seats))

    def check(self, hand: Hand, at: Situation) -> list[Problem]:
        """List everything that makes the hand impossible."""
        return checks.problems(hand, at, self.law)

    def payments(self, hand: Hand, at: Situation) -> Payments:
        """Work out who pays whom. [RED payments 1]"""
        return paid.payments(hand, at, self.law)

    def following(self, hand: Hand, at: Situation) -> Situation:
        """Return what stands after the hand; after north the next round begins, and how many hands are played is agreed. [RED dealer 3]"""
        number = at.number + 1
        if dealer_stays(hand, at, self.law):
            return at.but(number=number)
        return pass_round(at).but(number=number)

    def without_dealer(self, at: Situation) -> Situation:
        """Pass the deal to the next player. [RED dealer 3] [RULES 8.55]"""
        return pass_round(at)


def dealer_stays(hand: Hand, at: Situation, law: Law) -> bool:
    """East stays after a win of his own, and without a winner; of two players only after his win.

    [RED dealer 4] [RED dealer 5] [RULES 8.24]
    """
    if hand.wins:
        return hand.wins[0].winners[0].seat == at.dealer
    return len(at.seats) > 2 or law.two_players_no_win == "stays"
