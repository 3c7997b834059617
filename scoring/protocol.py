"""From a table's hands, or its final points, to the game points of every seat."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scoring.hands import Chombo, Hand
from scoring.problems import Problem, Refusal, gettext_noop
from scoring.seats import Seat
from scoring.systems.base import Payments, Ruleset, Situation

BET = 1000
"""What one riichi bet is worth. [RIICHI 3.3.14]"""


@dataclass(frozen=True)
class PlayedHand:
    """A hand with what stood on the table before it, who pays whom, and what stands there after it."""

    hand: Hand
    before: Situation
    payments: Payments
    after: Situation


@dataclass(frozen=True)
class Vacancy:
    """A seat whose player left in the middle of the game: empty after a hand, until another player's first one if there is one.

    [SBR 3.1.2] [RULES 8.55]
    """

    seat: Seat
    after: int
    until: int | None = None

    def covers(self, hand: int) -> bool:
        """Return whether the seat is empty in a hand."""
        return hand > self.after and (self.until is None or hand < self.until)


@dataclass(frozen=True)
class Sitting:
    """Who sits at a table: the seats that have points, when some of them were empty, and how few may play on."""

    seats: tuple[Seat, ...]
    vacancies: tuple[Vacancy, ...] = ()
    smallest: int = 1

    def present(self, hand: int) -> tuple[Seat, ...]:
        """Return the seats that play a hand."""
        empty = {one.seat for one in self.vacancies if one.covers(hand)}
        return tuple(seat for seat in self.seats if seat not in empty)


@dataclass(frozen=True)
class Game:
    """A table's session as far as it is recorded.

    `totals` adds the payments and `left_over`, the bets left at the end; `situation` is that of the next hand.
    """

    sitting: Sitting
    hands: tuple[PlayedHand, ...]
    situation: Situation
    left_over: Mapping[Seat, int]
    totals: Mapping[Seat, int]

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Return the seats that have points, also those whose players have left."""
        return self.sitting.seats


def play(
    ruleset: Ruleset,
    seats: Sequence[Seat],
    hands: Sequence[Hand],
    *,
    hands_limit: int | None = None,
    points_unit: int = 1,
    vacancies: Sequence[Vacancy] = (),
    smallest: int = 1,
) -> Game:
    """Play the recorded hands one after another; an impossible one is refused with all its problems. [RULES 1.5]

    Where a player has left, the hands after that are played by the others, if they are not fewer than may play. [RULES 8.55]
    """
    sitting = Sitting(tuple(seats), tuple(vacancies), smallest)
    situation = _seated(ruleset, ruleset.start(sitting.seats), sitting)
    played: list[PlayedHand] = []
    counted = 0
    for index, hand in enumerate(hands):
        situation = _as_dealt(ruleset, hand, situation, sitting)
        problems = _problems(ruleset, hand, situation, counted, hands_limit)
        if problems:
            raise Refusal(*(_at(f"hands.{index}", problem) for problem in problems))
        played.append(_played(ruleset, hand, situation))
        situation = _seated(ruleset, played[-1].after, sitting)
        counted += _counts(hand)
    return _game(sitting, tuple(played), situation, points_unit)


def play_on(ruleset: Ruleset, game: Game, hand: Hand, *, points_unit: int = 1) -> Game:
    """Add to a game the hand that `check_next` has found fit to follow it."""
    played = _played(ruleset, hand, game.situation)
    situation = _seated(ruleset, played.after, game.sitting)
    return _game(game.sitting, (*game.hands, played), situation, points_unit)


def check_next(ruleset: Ruleset, game: Game, hand: Hand, *, hands_limit: int | None = None) -> list[Problem]:
    """List the problems of a hand that is to follow a game. [RULES 1.5]"""
    counted = sum(_counts(one.hand) for one in game.hands)
    return _problems(ruleset, hand, game.situation, counted, hands_limit)


def needs_first_reading(ruleset: Ruleset, played: PlayedHand) -> bool:
    """Return whether the rules of today refuse a hand of the first reading, pay it otherwise, or go on otherwise.

    Where they do not, it makes no difference by which reading the hand is judged, and records need not say. [RULES 8.44]
    """
    if not played.hand.first_reading:
        return False
    today = replace(played.hand, first_reading=False)
    if ruleset.check(today, played.before):
        return True
    again = _played(ruleset, today, played.before)
    return (again.payments.by_seat, again.after) != (played.payments.by_seat, played.after)


def _seated(ruleset: Ruleset, at: Situation, sitting: Sitting) -> Situation:
    """Let those play the next hand who are there; where the dealer has left, the deal passes on. [SBR 3.1.2] [RULES 8.55]

    Where too few are left, the game is over with the hands that it has. [RULES 8.33]
    """
    if not sitting.vacancies or at.is_over:
        return at
    present = sitting.present(at.number)
    if len(present) < sitting.smallest:
        return at.but(is_over=True)
    while at.dealer not in present and not at.is_over:
        at = ruleset.without_dealer(at)
    return at if at.is_over else at.but(seats=present)


def _as_dealt(ruleset: Ruleset, hand: Hand, at: Situation, sitting: Sitting) -> Situation:
    """Let a hand be dealt as it was played, where that was kept; bets follow from the hands all the same. [RULES 9.23]"""
    kept = hand.as_played
    if kept is None or kept.dealer not in sitting.seats:
        return at
    dealt = at.but(dealer=kept.dealer, round_wind=kept.round_wind, counters=kept.counters, is_over=False)
    return _seated(ruleset, dealt, sitting)


def _played(ruleset: Ruleset, hand: Hand, before: Situation) -> PlayedHand:
    return PlayedHand(hand, before, ruleset.payments(hand, before), ruleset.following(hand, before))


def _counts(hand: Hand) -> bool:
    """Return whether a hand counts as played; one ended by chombo is replayed and does not. [RIICHI 5.9]"""
    return not any(isinstance(event, Chombo) for event in hand.events)


def _problems(
    ruleset: Ruleset, hand: Hand, at: Situation, counted: int, hands_limit: int | None
) -> list[Problem]:
    if at.is_over or (hands_limit is not None and counted >= hands_limit):
        details = {"number": at.number - 1}
        return [Problem("game_over", GAME_OVER, field="number", clause="RULES 1.4", details=details)]
    if hand.number != at.number:
        details = {"number": hand.number, "expected": at.number}
        return [Problem("hand_number", HAND_NUMBER, field="number", clause="RECORD 1", details=details)]
    if hand.as_played and hand.as_played.dealer not in at.seats:
        return [Problem("wrong_players", DEALER_AWAY, field="as_played.dealer", clause="RULES 9.23")]
    return ruleset.check(hand, at)


def _at(path: str, problem: Problem) -> Problem:
    return replace(problem, field=f"{path}.{problem.field}" if problem.field else path)


def _game(sitting: Sitting, played: tuple[PlayedHand, ...], situation: Situation, points_unit: int) -> Game:
    """Add up the hands and hand out the bets that lie on the table."""
    seats = sitting.seats
    sums = {seat: sum(one.payments.by_seat.get(seat, 0) for one in played) for seat in seats}
    left_over = share_left_over(sums, situation.bets * BET, points_unit)
    totals = {seat: sums[seat] + left_over.get(seat, 0) for seat in seats}
    return Game(sitting, played, situation, left_over, totals)


def share_left_over(points: Mapping[Seat, int], left: int, unit: int) -> dict[Seat, int]:
    """Give what is left on the table to the leader; equal leaders share it in whole units. [RULES 8.42]"""
    if not left:
        return {}
    most = max(points.values())
    leaders = [seat for seat, amount in points.items() if amount == most]
    return dict.fromkeys(leaders, left // len(leaders) // unit * unit)


# Final results


def check_final(
    final: Mapping[Seat, int],
    left_on_table: int,
    *,
    seats: Sequence[Seat],
    start_points: int,
    points_unit: int,
    has_bets: bool = True,
) -> list[Problem]:
    """List what is wrong with final points: seats, unit, sum; only riichi bets stay on a table. [RULES 1.5] [RIICHI reg. 6.2]

    Elsewhere points that are missing are nobody's until a referee says who bears them. [RULES 8.42]
    """
    if set(final) != set(seats):
        details: dict[str, object] = {"seats": ", ".join(seats)}
        return [
            Problem("wrong_players", FINAL_SEATS, field="final", clause="RIICHI reg. 6.2.6", details=details)
        ]
    amounts = {f"final.{seat}": points - start_points for seat, points in final.items()}
    amounts["left_on_table"] = left_on_table
    problems = [
        Problem("unit", UNIT, field=field, clause="RULES 1.5", details={"unit": points_unit})
        for field, points in amounts.items()
        if points % points_unit
    ]
    if left_on_table and not has_bets:
        problems.append(Problem("nothing_left", NOTHING_LEFT, field="left_on_table", clause="RULES 8.42"))
        return problems
    sentence = FINAL_SUM if has_bets else FINAL_SUM_ALONE
    return problems + _sum_problems(sum(final.values()) + left_on_table, len(seats) * start_points, sentence)


def _sum_problems(total: int, due: int, sentence: str) -> list[Problem]:
    if total == due:
        return []
    details = {"total": total, "due": due, "difference": total - due}
    return [Problem("not_zero_sum", sentence, field="final", clause="RULES 1.5", details=details)]


def final_totals(
    final: Mapping[Seat, int],
    left_on_table: int,
    *,
    seats: Sequence[Seat],
    start_points: int,
    points_unit: int,
) -> dict[Seat, int]:
    """Return the game points of each seat: final points less the start, with bets left over. [RECORD 4] [RULES 8.42]

    Whether anything may lie on the table was asked when the points were taken in; earlier releases did not ask.
    """
    problems = check_final(
        final, left_on_table, seats=seats, start_points=start_points, points_unit=points_unit
    )
    if problems:
        raise Refusal(*problems)
    left_over = share_left_over(final, left_on_table, points_unit)
    return {seat: final[seat] - start_points + left_over.get(seat, 0) for seat in seats}


GAME_OVER = gettext_noop("The game ended after hand %(number)s; no more hands can be recorded.")
HAND_NUMBER = gettext_noop("Hand %(expected)s comes next; this one is numbered %(number)s.")
DEALER_AWAY = gettext_noop("The hand is said to be dealt from a seat where nobody sat.")
FINAL_SEATS = gettext_noop("Give the final points of exactly these seats: %(seats)s.")
UNIT = gettext_noop("Points must be a multiple of %(unit)s.")
FINAL_SUM = gettext_noop(
    "The final points with what is left on the table add up to %(total)s; they must add up to %(due)s."
)
FINAL_SUM_ALONE = gettext_noop(
    "The final points add up to %(total)s; they must add up to %(due)s. If the error cannot be found, a referee decides who bears it: write the points so that the sum is right, and post an adjustment for that player."
)
NOTHING_LEFT = gettext_noop(
    "Only riichi bets stay on the table. In these rules the points of the players add up by themselves; if some are missing, a referee decides by an adjustment who bears them."
)
