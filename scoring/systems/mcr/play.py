"""Sport mahjong at the table: dealers, winds and seats through sixteen hands, and the ruleset as others see it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.fields import Fields
from scoring.hands import Hand
from scoring.problems import Problem
from scoring.seats import SEATS, Seat
from scoring.systems.base import Payments, Situation, first_dealer
from scoring.systems.mcr import checks, payments
from scoring.systems.mcr.hand import MINIMUM

EAST, SOUTH, WEST, NORTH = SEATS

ROUNDS: tuple[tuple[Seat, ...], ...] = (
    (EAST, SOUTH, WEST, NORTH),
    (SOUTH, EAST, NORTH, WEST),
    (WEST, NORTH, SOUTH, EAST),
    (NORTH, WEST, EAST, SOUTH),
)
"""Who sits at East, South, West and North when a round begins, by starting seat. [MCR seats]"""


def turn_order(at: Situation) -> tuple[Seat, ...]:
    """Return the seats in turn order from the dealer, as the players sit in this round. [MCR seats] [MCR play 2]"""
    order = order_in_round(at.seats, SEATS.index(at.round_wind))
    start = order.index(at.dealer)
    return order[start:] + order[:start]


def order_in_round(seats: Sequence[Seat], number: int) -> tuple[Seat, ...]:
    """Return the occupied seats in the order in which they deal in a round, counted from 0. [MCR seats]"""
    return tuple(seat for seat in ROUNDS[number] if seat in seats)


def own_wind(seat: Seat, at: Situation) -> Seat:
    """Return which wind a player's place has in this hand: the dealer's is East. [MCR terms 6] [MCR terms 10]"""
    return SEATS[turn_order(at).index(seat)]


@dataclass(frozen=True)
class Mcr:
    """Sport mahjong by 81 fans. `minimum` is what a win needs without flowers. [MCR scoring 1a]"""

    system: str = "MCR"
    minimum: int = MINIMUM

    @classmethod
    def from_rules(cls, system: str, rules: Mapping[str, object]) -> "Mcr":
        """Build the ruleset from the regulation's settings: the minimum."""
        return cls(system, read_minimum(rules))

    def start(self, seats: Sequence[Seat]) -> Situation:
        """East deals the first hand, or the next occupied seat. [MCR terms 10] [RULES 8.34]"""
        return Situation(tuple(seats), dealer=first_dealer(seats), round_wind=EAST)

    def check(self, hand: Hand, at: Situation) -> list[Problem]:
        """List everything that makes the recorded hand impossible."""
        winds = {seat: own_wind(seat, at) for seat in at.seats}
        return checks.check(hand, at, self.minimum, winds)

    def payments(self, hand: Hand, at: Situation) -> Payments:
        """Work out who pays whom. [MCR scoring 1c]"""
        return payments.payments(hand, at.seats)

    def following(self, hand: Hand, at: Situation) -> Situation:
        """Pass the deal on, won or not; each round everybody deals once, and after four rounds the game is over.

        [MCR terms 3] [MCR terms 4] [MCR terms 5] [MCR terms 10] [MCR terms 11]
        """
        return self.without_dealer(at).but(number=at.number + 1)

    def without_dealer(self, at: Situation) -> Situation:
        """Pass the deal to the next of the round, else to the first of the next round. [MCR seats] [RULES 8.55]"""
        number = SEATS.index(at.round_wind)
        later = order_in_round(at.seats, number)
        later = later[later.index(at.dealer) + 1 :]
        if later:
            return at.but(dealer=later[0])
        if number + 1 == len(ROUNDS):
            return at.but(is_over=True)
        return at.but(dealer=order_in_round(at.seats, number + 1)[0], round_wind=SEATS[number + 1])


def read_minimum(rules: Mapping[str, object]) -> int:
    """Read the only setting, the least value of a win. [MCR scoring 1a]"""
    fields = Fields(rules, "system_rules")
    minimum = fields.number("minimum", high=checks.LARGEST, default=MINIMUM)
    fields.finish()
    fields.refuse()
    return minimum
