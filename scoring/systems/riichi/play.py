"""How a game of riichi goes on: who deals, which wind the round has, counters and bets, when it is over."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.hands import Abort, Chombo, Hand
from scoring.problems import Problem
from scoring.seats import SEATS, Seat, after
from scoring.systems.base import Payments, Situation, first_dealer
from scoring.systems.riichi import checks
from scoring.systems.riichi import payments as paid
from scoring.systems.riichi.limits import EMA_LIMITS, Limits


@dataclass(frozen=True)
class Riichi:
    """Riichi by EMA 2016 with its settings: the limits, nagashi mangan, who of several winners gets counters and bets, and what leagues play otherwise.

    [RULES 7] [RULES 9.21] [RULES 9.33] [RULES 9.34] [RULES 9.35]
    """

    system: str = "RIICHI"
    limits: Limits = EMA_LIMITS
    nagashi_mangan: bool = False
    sharing: paid.Sharing = paid.EMA_SHARING
    abortive_draws: frozenset[Abort] = frozenset()
    west_round: int = 0

    @classmethod
    def from_rules(cls, system: str, rules: Mapping[str, object]) -> "Riichi":
        """Take the settings of a regulation; what it leaves out is as in EMA 2016. [RULES 8.27] [RIICHI 4.2.6]"""
        west_round, abortive = rules.get("west_round"), rules.get("abortive_draws")
        return cls(
            system=system,
            limits=Limits.of(rules),
            nagashi_mangan=rules.get("nagashi_mangan") is True,
            sharing=paid.Sharing(
                counters_to_nearest=rules.get("counters_to") == "nearest",
                bets_to_nearest=rules.get("bets_to") == "nearest",
            ),
            abortive_draws=frozenset(map(Abort, abortive if isinstance(abortive, list | tuple) else ())),
            west_round=west_round if isinstance(west_round, int) else 0,
        )

    def start(self, seats: Sequence[Seat]) -> Situation:
        """Begin with East as the dealer, in the east round. [RIICHI 2.2]"""
        return Situation(seats=tuple(seats), dealer=first_dealer(seats))

    def check(self, hand: Hand, at: Situation) -> list[Problem]:
        """List everything that makes the hand impossible."""
        return checks.problems(
            hand, at, self.limits, nagashi_allowed=self.nagashi_mangan, abortive=self.abortive_draws
        )

    def payments(self, hand: Hand, at: Situation) -> Payments:
        """Work out who pays whom, bets included. [RIICHI 4.1]"""
        return paid.payments(hand, at, self.limits, self.sharing)

    def following(self, hand: Hand, at: Situation) -> Situation:
        """Return what stands after the hand; one ended by chombo is replayed as it was. [RIICHI 3.4.6] [RIICHI 3.4.11]"""
        after = at.but(number=at.number + 1, bets=paid.bets_after(hand, at))
        if self.west_round:
            after = after.but(gained=self._gained(hand, at))
        if any(isinstance(event, Chombo) for event in hand.events):
            return after
        after = after.but(counters=counters_after(hand, at))
        return after if dealer_stays(hand, at) else self.without_dealer(after)

    def without_dealer(self, at: Situation) -> Situation:
        """Pass the deal on; counters and bets stay where they lie. [RIICHI 3.4.11] [RULES 8.55]"""
        if not self.west_round or at.round_wind == Seat.EAST:
            return deal_passed(at)
        if max((points for _, points in at.gained), default=0) >= self.west_round:
            return deal_passed(at) if at.round_wind == Seat.SOUTH else at.but(is_over=True)
        passed = deal_passed(at)
        if passed.is_over and at.round_wind == Seat.SOUTH:
            return passed.but(round_wind=Seat.WEST, is_over=False)
        return passed

    def _gained(self, hand: Hand, at: Situation) -> tuple[tuple[Seat, int], ...]:
        """Add what a hand moved to what everybody had won before; a west round depends on it. [RULES 9.35]"""
        before, moved = dict(at.gained), self.payments(hand, at).by_seat
        return tuple((seat, before.get(seat, 0) + moved.get(seat, 0)) for seat in SEATS)


def dealer_stays(hand: Hand, at: Situation) -> bool:
    """East stays after a win of his own, when waiting at an exhausted wall, or when a hand was broken off. [RIICHI 3.4.11] [RULES 9.34]"""
    if hand.abort:
        return True
    if hand.end:
        return hand.end[at.dealer].state == "waiting"
    return _has_won(at.dealer, hand)


def counters_after(hand: Hand, at: Situation) -> int:
    """Add a counter when East has won, the wall was exhausted or the hand broken off; else take all away. [RIICHI 3.4.10] [RIICHI 3.4.2] [RULES 9.34]"""
    return at.counters + 1 if hand.end or hand.abort or _has_won(at.dealer, hand) else 0


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
