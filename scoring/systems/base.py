"""What every system answers: is this hand possible, who pays whom, and how does the game go on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from scoring.hands import Hand
from scoring.problems import Problem
from scoring.seats import SEATS, Seat, after


@dataclass(frozen=True)
class Situation:
    """What stands on the table before a hand is dealt.

    `gained` says what everybody has won so far, where the end of the game depends on it. [RULES 9.35]
    """

    seats: tuple[Seat, ...]
    number: int = 1
    dealer: Seat = Seat.EAST
    round_wind: Seat = Seat.EAST
    counters: int = 0
    bets: int = 0
    is_over: bool = False
    gained: tuple[tuple[Seat, int], ...] = ()

    def but(self, **changes: object) -> "Situation":
        """Return the same situation with some values changed."""
        return Situation(**{**vars(self), **changes})  # asked of every hand, and `replace` takes longer


@dataclass(frozen=True)
class PaymentLine:
    """One reason why points moved: the signed numbers of one clause, and the words that explain them."""

    sentence: str
    payments: Mapping[Seat, int]
    clause: str = ""
    details: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Payments:
    """The signed number of every occupied seat, and the lines that add up to it.

    `unpaid` is what nobody received (a fine, a bet left on the table); the seats and it add up to zero.
    """

    by_seat: Mapping[Seat, int]
    lines: tuple[PaymentLine, ...] = ()
    unpaid: int = 0


@dataclass(frozen=True)
class Remark:
    """A line about a game that was played again: its sentence, and whether a rule of a house explains what it tells."""

    sentence: str
    clause: str = ""
    details: Mapping[str, object] = field(default_factory=dict)
    is_explained: bool = True
    depth: int = 0


@dataclass(frozen=True)
class ReplayedLog:
    """A log of another program played again: who played, and line by line what it paid and where it differs.

    `hands` are the game as a protocol; where these rules pay or go on otherwise there are none, and `against` says why.
    """

    names: tuple[str, ...]
    lines: tuple[Remark, ...]
    hands: tuple[Hand, ...] = ()
    against: tuple[Remark, ...] = ()

    @property
    def is_explained(self) -> bool:
        """Return whether nothing differs but by rules of the house."""
        return all(line.is_explained for line in self.lines)


class Ruleset(Protocol):
    """A system with its named settings (the regulation's `system_rules`); stateless and frozen."""

    @property
    def system(self) -> str:
        """Name the system by its code."""

    def start(self, seats: Sequence[Seat]) -> Situation:
        """Say what stands before the first hand; the first dealer is East or the next occupied seat."""

    def check(self, hand: Hand, at: Situation) -> list[Problem]:
        """List everything that makes the recorded hand impossible; empty when it may stand."""

    def payments(self, hand: Hand, at: Situation) -> Payments:
        """Work out who pays whom for a hand that passed the check."""

    def following(self, hand: Hand, at: Situation) -> Situation:
        """Say what stands on the table after the hand: number, dealer, round, counters, bets, end of game."""

    def without_dealer(self, at: Situation) -> Situation:
        """Pass the deal on because the dealer has left the table; nothing was played. [RULES 8.55]"""


def add_up(seats: Sequence[Seat], lines: Sequence[PaymentLine]) -> Payments:
    """Add the lines into one number a seat; what does not cancel out was paid to nobody."""
    totals = {seat: sum(line.payments.get(seat, 0) for line in lines) for seat in seats}
    return Payments(by_seat=totals, lines=tuple(lines), unpaid=-sum(totals.values()))


def pass_round(at: Situation) -> Situation:
    """Pass the deal to the next seat; when it comes back to the first dealer, the next round begins."""
    dealer = after(at.dealer, at.seats)
    if dealer != first_dealer(at.seats):
        return at.but(dealer=dealer)
    return at.but(dealer=dealer, round_wind=after(at.round_wind, SEATS))


def first_dealer(seats: Sequence[Seat]) -> Seat:
    """East deals first; where East is empty, the next occupied seat in turn. [RULES 8.34]"""
    return next(seat for seat in SEATS if seat in seats)
