"""Siamese sport mahjong at the table: dealers, winds and the number of hands, and the ruleset as others see it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.hands import Hand
from scoring.problems import Problem
from scoring.seats import SEATS, Seat, in_turn_from
from scoring.systems.base import Payments, Situation, first_dealer, pass_round
from scoring.systems.mcr.hand import MINIMUM
from scoring.systems.mcr.play import read_minimum
from scoring.systems.siamese import checks, payments

HANDS = 12
"""What three play: sixteen hands without those of North, numbered from 1 without a gap. [SIAM 6] [RULES 8.41]"""

PAIR = 2
"""Two play as many hands as were agreed; the regulation's `hands_limit` ends their game. [SIAM 24] [RULES 8.49]"""


def own_wind(seat: Seat, at: Situation) -> Seat:
    """Return which wind a player has in this deal: the dealer is East, the others follow in turn. [SIAM 6] [SIAM 8]"""
    return SEATS[(at.dealer, *in_turn_from(at.dealer, at.seats)).index(seat)]


@dataclass(frozen=True)
class Siamese:
    """Siamese sport mahjong for three or two. `minimum` is what a win needs. [MCR scoring 1a]"""

    system: str = "SIAM"
    minimum: int = MINIMUM

    @classmethod
    def from_rules(cls, system: str, rules: Mapping[str, object]) -> "Siamese":
        """Build the ruleset from the regulation's settings: the minimum."""
        return cls(system, read_minimum(rules))

    def start(self, seats: Sequence[Seat]) -> Situation:
        """East deals the first hand, or the next occupied seat. [SIAM 6] [RULES 8.34]"""
        return Situation(tuple(seats), dealer=first_dealer(seats), round_wind=Seat.EAST)

    def check(self, hand: Hand, at: Situation) -> list[Problem]:
        """List everything that makes the recorded deal impossible."""
        winds = {seat: own_wind(seat, at) for seat in at.seats}
        return checks.check(hand, at, self.minimum, winds)

    def payments(self, hand: Hand, at: Situation) -> Payments:
        """Work out who pays whom. [SIAM 13] [SIAM 14]"""
        return payments.payments(hand, at.seats)

    def following(self, hand: Hand, at: Situation) -> Situation:
        """Pass the deal round the seats, which are not changed; a round has as many hands as players, East follows North.

        After twelve hands the game of three is over.

        [SIAM 6] [SIAM 24] [RULES 8.41] [RULES 8.49]
        """
        number = at.number + 1
        if number > HANDS and len(at.seats) > PAIR:
            return at.but(number=number, is_over=True)
        return pass_round(at).but(number=number)

    def without_dealer(self, at: Situation) -> Situation:
        """Pass the deal round the seats. [SIAM 6] [RULES 8.55]"""
        return pass_round(at)
