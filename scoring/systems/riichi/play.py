"""How a game of riichi goes on: who deals, which wind the round has, counters and bets, when it is over."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.hands import Chombo, Hand
from scoring.problems import Problem
from scoring.seats import Seat, after
from scoring.systems.base import Payments, Situation, first_dealer
from scoring.systems.riichi import checks
from scoring.systems.riichi import payments as paid
from scoring.systems.riichi.limits import EMA_LIMITS, Limits


@dataclass(frozen=True)
class Riichi:
    """Riichi by EMA 2016 with its settings: the limits, nagashi mangan, and who of several winners gets counters and bets. [RULES 7] [RULES 9.21]"""

    system: str = "RIICHI"
    limits: Limits = EMA_LIMITS
    nagashi_mangan: bool = False
    sharing: paid.Sharing = paid.EMA_SHARING

    @classmethod
    def from_rules(cls, system: str, rules: Mapping[str, object]) -> "Riichi":
        """Take the settings of a regulation; what it leaves out is as in EMA 2016. [RULES 8.27] [RIICHI 4.2.6]"""
        limits = rules.get("limits")
        return cls(
            system=system,
            limits=Limits.read(limits) if isinstance(limits, Mapping) else EMA_LIMITS,
            nagashi_mangan=rules.get("nagashi_mangan") is True,
            sharing=paid.Sharing(
                counters_to_nearest=rules.get("counters_to") == "nearest",
                bets_to_nearest=rules.get("bets_to") == "nearest",
            ),
        )

    def start(self, seats: Sequence[Seat]) -> Situation:
        """Begin with East as the dealer, in the east round. [RIICHI 2.2]"""
        return Situation(seats=tuple(seats), dealer=first_dealer(seats))

    def check(self, hand: Hand, at: Situation) -> list[Problem]:
        """List everything that makes the hand impossible."""
        return checks.problems(hand, at, self.limits, nagashi_allowed=self.nagashi_mangan)

    def payments(self, hand: Hand, at: Situation) -> Payments:
        """Work out who pays whom, bets included. [RIICHI 4.1]"""
        return paid.payments(hand, at, self.limits, self.sharing)

    def following(self, hand: Hand, at: Situation) -> Situation:
        """Return what stands after the hand; one ended by chombo is replayed as it was. [RIICHI 3.4.6] [RIICHI 3.4.11]"""
        number, bets = at.number + 1, paid.bets_after(hand, at)
        if any(isinstance(event, Chombo) for event in hand.events):
            return at.but(number=number, bets=bets)
        counters = counters_after(hand, at)
        if dealer_stays(hand, at):
            return at.but(number=number, bets=bets, counters=counters)
        return deal_passed(at).but(number=number, bets=bets, counters=counters)

    def without_dealer(self, at: Situation) -> Situation:
        """Pass the deal on; counters and bets stay where they lie. [RIICHI 3.4.11] [RULES 8.55]"""
        return deal_passed(at)


def dealer_stays(hand: Hand, at: Situation) -> bool:
    """East stays after a win of his own, or when waiting at an exhausted wall. [RIICHI 3.4.11]"""
    if hand.end:
        return hand.end[at.dealer].state == "waiting"
    return _has_won(at.dealer, hand)


def counters_after(hand: Hand, at: Situation) -> int:
    """Add a counter when East has won or the wall was exhausted; else take all away. [RIICHI 3.4.10] [RIICHI 3.4.2]"""
    return at.counters + 1 if hand.end or _has_won(at.dealer, hand) else 0


def deal_passed(at: Situation) -> Situation:
    """Pass the deal on; when it comes back to the first dealer, a round is over, and the game after south.

    There is no end before that, whoever leads. [RIICHI 2.2] [RIICHI 3.5] [RIICHI 3.6]
    """
    dealer = after(at.dealer, at.seats)
    if dealer != first_dealer(at.seats):
        return at.but(dealer=dealer)
    if at.round_wind == Seat.EAST:
        return at.but(dealer=dealer, round_wind=Seat.SOUTH)
    return at.but(dealer=dealer, is_over=True)


def _has_won(seat: Seat, hand: Hand) -> bool:
    return any(winner.seat == seat for event in hand.wins for winner in event.winners)
