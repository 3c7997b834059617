"""Tossing a coin: two players, one outcome. Everything that the site asks a system for, in one small file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoring import criteria
from scoring.clauses import Clause
from scoring.criteria import Criterion, Groups, Look
from scoring.fields import Fields
from scoring.hands import Hand
from scoring.presets import PRESETS, Preset
from scoring.problems import Problem, Refusal, gettext_noop
from scoring.seats import Seat
from scoring.standings.book import Book, Scale
from scoring.systems.base import PaymentLine, Payments, Situation, add_up, first_dealer
from scoring.systems.explained import Explanation
from scoring.systems.offences import Mode, Offence
from scoring.systems.settings import amount
from scoring.systems.system import POINTS, WHO, Blank, RecordedHand, System, TileValue, Worth

Rules = Mapping[str, Any]


@dataclass(frozen=True)
class Coin:
    """Whoever wins the toss gets the stake from the other; the toss passes on each time."""

    system: str
    stake: int = 1

    @classmethod
    def from_rules(cls, system: str, rules: Rules) -> "Coin":
        """Take the stake that the regulation names."""
        return cls(system, rules.get("stake", 1))

    def start(self, seats: Sequence[Seat]) -> Situation:
        """Let East toss first."""
        return Situation(seats=tuple(seats), dealer=first_dealer(seats))

    def check(self, hand: Hand, at: Situation) -> list[Problem]:
        """Somebody at the table wins, alone."""
        winners = [winner.seat for win in hand.wins for winner in win.winners]
        if len(winners) == 1 and winners[0] in at.seats:
            return []
        return [Problem("one_wins", ONE_WINS, field="events", clause="COIN 1")]

    def payments(self, hand: Hand, at: Situation) -> Payments:
        """Let the other pay the stake."""
        (winner,) = hand.wins[0].winners
        moved = {seat: self.stake if seat == winner.seat else -self.stake for seat in at.seats}
        return add_up(at.seats, [PaymentLine(TOSSED, moved, "COIN 1", {"points": self.stake})])

    def following(self, hand: Hand, at: Situation) -> Situation:
        """Pass the coin on."""
        others = [seat for seat in at.seats if seat != at.dealer]
        return at.but(number=at.number + 1, dealer=others[0])

    def without_dealer(self, at: Situation) -> Situation:
        """Pass the coin on."""
        return at.but(dealer=next(seat for seat in at.seats if seat != at.dealer))


def no_tiles(fields: Fields, rules: Rules) -> Explanation:
    """Refuse: a coin has no tiles."""
    raise Refusal(Problem("no_tiles", NO_TILES, clause="COIN 1"))


ONE_WINS = gettext_noop("One of the two wins the toss.")
TOSSED = gettext_noop("The toss is lost: %(points)s.")
NO_TILES = gettext_noop("A coin has no tiles.")

COIN = System(
    code="COIN",
    name="Tossing a coin",
    short_name="Coin",
    ruleset=Coin.from_rules,
    recorded=RecordedHand(
        events={"win": frozenset({"winners"})},
        winner_needs=frozenset({"seat", "fans"}),
        winner_may=frozenset(),
    ),
    tiles=TileValue(explain=no_tiles, facts=lambda found, how: {}, fans={}, knows_winds=False),
    worth=Worth(lambda winner, rules, is_dealer, is_self_draw: rules.get("stake", 1)),
    blank=Blank((WHO,), (POINTS,), ("The loser pays the stake.",)),
    offences=(
        Offence("dropped_coin", "Coin dropped", "COIN 2"),
        Offence("false_win", "Toss called wrongly", "COIN 1", Mode.IN_HAND),
    ),
    clauses=(Clause("COIN 1", "one of the two wins"),),
    settings={"stake": amount(gettext_noop("Stake"), gettext_noop("The stake is %(points)s."), 1)},
)


def _sessions_won(book: Book, groups: Groups) -> Scale:
    """Count the sessions that ended above nought; more is better."""
    won = [sum(points > 0 for points in games) for games in book.games]
    return Scale([-number for number in won], won.__getitem__)


SESSIONS_WON = Criterion(
    code="sessions_won",
    name="sessions won",
    heading="Sessions won",
    scale=_sessions_won,
    look=Look.WHOLE,
)

TOSSES = Preset(
    "coin",
    "COIN",
    "Tossing a coin",
    PRESETS["mcr"].regulation.but(
        table_size=2,
        smallest_table=2,
        hands_limit=4,
        tournament_points={2: (Fraction(1), Fraction(0))},
        fixed_result=PRESETS["siamese"].regulation.fixed_result,
        ranking=(criteria.TOURNAMENT_POINTS, SESSIONS_WON, criteria.GAME_POINTS),
        penalties=PRESETS["red"].regulation.penalties,
        system_rules={"stake": 3},
    ),
)
