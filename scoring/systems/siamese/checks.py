"""Why a recorded Siamese deal is impossible: two wins a player at most, the golden rule, and what one turn allows."""

from collections import Counter
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
from scoring.systems.mcr.hand import KIT
from scoring.systems.siamese.hand import BARRED_WITHOUT_DRAWN_TILE, barred_fans
from scoring.systems.siamese.payments import who_won_twice
from scoring.tiles.tile import write
from scoring.tiles.tile_hands import recorded_tile_hand

REPLACEMENT = "46"
"""The fan that tells of a second tile drawn in the same turn. [MCR fan 46]"""


def check(hand: Hand, at: Situation, minimum: int, winds: Mapping[Seat, Seat]) -> list[Problem]:
    """List everything that makes a recorded deal impossible. [SIAM 2] [SIAM 3] [SIAM 9]"""
    story = Story(at, winds, minimum, two_hands=True)
    story.is_of_first_reading = hand.first_reading
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
    """Check a win against those before it. [SIAM 4] [SIAM 5] [SIAM 17] [RULES 8.49]"""
    check_who_wins(story, win, place)
    is_second_of_turn = _is_second_of_turn(story, win, place)
    for number, winner in enumerate(win.winners):
        where = f"{place}.winners.{number}"
        check_foreign(story, winner, ("flowers",), where)
        earlier = [one for before in story.wins for one in before.winners if one.seat == winner.seat]
        if is_second_of_turn:
            _check_drawn_tile(story, winner, earlier[-1], where)
        elif winner.without_drawn_tile and (earlier or win.discarder is not None):
            story.note("outcome_conflict", ONLY_FIRST_DRAW, f"{where}.without_drawn_tile", "SIAM 17")
        _check_golden_rule(story, winner, earlier, where)
        barred = barred_fans(
            self_drawn=win.discarder is None,
            first_win=not earlier or is_second_of_turn,
            drawn_tile_used=not winner.without_drawn_tile,
        )
        check_value(story, win, winner, where, barred)
    story.wins.append(win)
    _check_copies(story, win, place)


def _is_second_of_turn(story: Story, win: Win, place: str) -> bool:
    """Allow two wins in one turn only after a draw from the wall. [SIAM 5]"""
    if not win.same_turn:
        return False
    before = story.wins[-1] if story.wins else None
    drawn = before is not None and before.discarder is None and win.discarder is None
    seats = {winner.seat for winner in win.winners}
    if before is None or not drawn or {winner.seat for winner in before.winners} != seats:
        story.note("outcome_conflict", ONE_TURN, f"{place}.same_turn", "SIAM 5")
        return False
    return True


def _check_drawn_tile(story: Story, winner: Winner, before: Winner, place: str) -> None:
    """Let one of two wins in a turn use the drawn tile, unless a kong brought another one.

    Both cannot leave it, for the two hands hold all 28 tiles of the player. Where only values are recorded nothing
    tells which of the two used it. [SIAM 8] [SIAM 17] [RULES 8.49]
    """
    pair = (before, winner)
    has_two = any(REPLACEMENT in (one.fan_list or {}) for one in pair)
    if all(one.without_drawn_tile for one in pair):
        story.note("outcome_conflict", NOBODY_USED, f"{place}.without_drawn_tile", "RULES 8.49")
    elif not has_two and all(map(_shows_the_drawn_tile, pair)):
        story.note("outcome_conflict", BOTH_USED, f"{place}.without_drawn_tile", "RULES 8.49")


def _shows_the_drawn_tile(winner: Winner) -> bool:
    """Return whether a win is recorded as completed by the drawn tile: tile by tile, or by a fan that needs it."""
    listed = {str(number) for number in BARRED_WITHOUT_DRAWN_TILE} & set(winner.fan_list or {})
    return not winner.without_drawn_tile and (winner.tiles is not None or bool(listed))


def _check_copies(story: Story, win: Win, place: str) -> None:
    """Hold the tiles of all hands won in a deal against the four there are of each. [SIAM 7] [RULES 8.49]"""
    tiles = [winner.tiles for one in story.wins for winner in one.winners if winner.tiles]
    hands = [recorded_tile_hand(one, KIT, "", []) for one in tiles]
    held = Counter(tile for hand in hands if hand for tile in hand.all_tiles)
    if not any(winner.tiles for winner in win.winners):
        return
    for tile, count in sorted(held.items()):
        if count > KIT.copies:
            shown = {"tile": write(tile), "copies": KIT.copies, "count": count}
            story.note("tile_copies", TOO_MANY_COPIES_WON, f"{place}.winners.0.tiles", "RULES 8.49", **shown)


def _check_golden_rule(story: Story, winner: Winner, earlier: list[Winner], place: str) -> None:
    """The second win is worth at least as much as the first. [SIAM 4]"""
    if earlier and (winner.fans or 0) < (earlier[0].fans or 0):
        first = earlier[0].fans
        story.note("golden_rule", GOLDEN_RULE, f"{place}.fans", "SIAM 4", first=first, second=winner.fans)


def _winners(story: Story) -> list[Seat]:
    return [winner.seat for win in story.wins for winner in win.winners]


ONLY_FIRST_DRAW = gettext_noop(
    "Only a first win from the wall, or the second win of the same turn, may leave the drawn tile unused."
)
BOTH_USED = gettext_noop(
    "The drawn tile completes one hand: of two wins in one turn, mark the one that does not use it."
)
NOBODY_USED = gettext_noop("Of two wins in one turn, one uses the drawn tile: the two hands hold all tiles.")
TOO_MANY_COPIES_WON = gettext_noop(
    "There are only %(copies)s tiles %(tile)s; the hands won in this deal hold %(count)s."
)
ONE_TURN = gettext_noop(
    "Two wins in one turn are both from the wall, by the same player, one after the other."
)
GOLDEN_RULE = gettext_noop(
    "The second win of a player must be worth at least as much as the first: %(first)s, not %(second)s."
)
