"""Why a recorded Siamese deal is impossible: two wins a player at most, the golden rule, and what one turn allows."""

from collections.abc import Mapping

from scoring.hands import Hand, Win, Winner
from scoring.problems import Problem, gettext_noop
from scoring.seats import Seat
from scoring.systems.base import Situation
from scoring.systems.mcr.checks import (
    HAND_IS_OVER,
    Story,
    check_foreign,
    check_offence,
    check_situation,
    check_value,
    check_who_wins,
)
from scoring.systems.siamese.hand import barred_fans
from scoring.systems.siamese.payments import who_won_twice


def check(hand: Hand, at: Situation, minimum: int, winds: Mapping[Seat, Seat]) -> list[Problem]:
    """List everything that makes a recorded deal impossible. [SIAM 2] [SIAM 3] [SIAM 9]"""
    story = Story(at, winds, minimum, two_hands=True)
    check_situation(story, hand)
    for index, event in enumerate(hand.events):
        place = f"events.{index}"
        if who_won_twice(_winners(story)):
            story.note("outcome_conflict", HAND_IS_OVER, place, "SIAM 3")
        if isinstance(event, Win):
            _check_win(story, event, place)
        else:
            check_offence(story, event, place)
    return story.problems


def _check_win(story: Story, win: Win, place: str) -> None:
    """Check a win against those before it. [SIAM 4] [SIAM 5] [SIAM 17]"""
    check_who_wins(story, win, place)
    _check_turn(story, win, place)
    for number, winner in enumerate(win.winners):
        where = f"{place}.winners.{number}"
        check_foreign(story, winner, ("flowers",), where)
        earlier = [one for before in story.wins for one in before.winners if one.seat == winner.seat]
        if winner.without_drawn_tile and (earlier or win.discarder is not None):
            story.note("outcome_conflict", ONLY_FIRST_DRAW, f"{where}.without_drawn_tile", "SIAM 17")
        _check_golden_rule(story, winner, earlier, where)
        barred = barred_fans(
            self_drawn=win.discarder is None,
            first_win=not earlier,
            drawn_tile_used=not winner.without_drawn_tile,
        )
        check_value(story, win, winner, where, barred)
    story.wins.append(win)


def _check_turn(story: Story, win: Win, place: str) -> None:
    """Allow two wins in one turn only after a draw from the wall. [SIAM 5]"""
    if not win.same_turn:
        return
    before = story.wins[-1] if story.wins else None
    drawn = before is not None and before.discarder is None and win.discarder is None
    seats = {winner.seat for winner in win.winners}
    if before is None or not drawn or {winner.seat for winner in before.winners} != seats:
        story.note("outcome_conflict", ONE_TURN, f"{place}.same_turn", "SIAM 5")


def _check_golden_rule(story: Story, winner: Winner, earlier: list[Winner], place: str) -> None:
    """The second win is worth at least as much as the first. [SIAM 4]"""
    if earlier and (winner.fans or 0) < (earlier[0].fans or 0):
        first = earlier[0].fans
        story.note("golden_rule", GOLDEN_RULE, f"{place}.fans", "SIAM 4", first=first, second=winner.fans)


def _winners(story: Story) -> list[Seat]:
    return [winner.seat for win in story.wins for winner in win.winners]


ONLY_FIRST_DRAW = gettext_noop("Only a first win from the wall may leave the drawn tile unused.")
ONE_TURN = gettext_noop(
    "Two wins in one turn are both from the wall, by the same player, one after the other."
)
GOLDEN_RULE = gettext_noop(
    "The second win of a player must be worth at least as much as the first: %(first)s, not %(second)s."
)
