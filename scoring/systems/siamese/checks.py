"""Why a recorded Siamese deal is impossible: two wins a player at most, the golden rule, and what one turn allows."""

from collections import Counter
from collections.abc import Mapping

from scoring.hands import Hand, Win, Winner
from scoring.problems import Problem, gettext_noop
from scoring.seats import SEATS, Seat
from scoring.systems.base import Situation
from scoring.systems.mcr.checks import (
    HAND_IS_OVER,
    Story,
    check_foreign,
    check_offence,
    check_situation,
    check_value,
    check_who_wins,
    circumstances,
)
from scoring.systems.mcr.fans import Chapter, of_chapter
from scoring.systems.mcr.hand import KIT, contradictions, evaluate
from scoring.systems.siamese.hand import BARRED_WITHOUT_DRAWN_TILE, barred_fans
from scoring.systems.siamese.payments import who_won_twice
from scoring.tiles.readings import SetKind
from scoring.tiles.tile import DRAGONS, write
from scoring.tiles.tile_hands import recorded_tile_hand

DRAGON_SETS = {2: 3, 10: 3, 54: 2, 59: 1}
"""How many of the three dragons a fan needs at least three tiles of, or leaves too few of. [MCR fan 10]"""

WIND_SETS = {1: 4, 9: 4, 38: 3}
"""How many of the four winds a fan needs in the same way. [MCR fan 9]"""

ROUND_WIND, OWN_WIND = 60, 61

KONG_FANS = frozenset(str(number) for number, _ in of_chapter(Chapter.KONGS))

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
            _check_drawn_tile(story, win, winner, earlier[-1], where)
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
    _check_honors(story, win, place)


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


def _check_drawn_tile(story: Story, win: Win, winner: Winner, before: Winner, place: str) -> None:
    """Let one of two wins in a turn use the drawn tile, unless a kong brought another one.

    Both cannot leave it, for the two hands hold all 28 tiles of the player. Where only values are recorded nothing
    tells which of the two used it. [SIAM 8] [SIAM 17] [RULES 8.49]
    """
    pair = (before, winner)
    has_two = any(_may_be_of_replacement(story, win, *one) for one in (pair, pair[::-1]))
    if all(one.without_drawn_tile for one in pair):
        story.note("outcome_conflict", NOBODY_USED, f"{place}.without_drawn_tile", "RULES 8.49")
    elif not has_two and all(map(_shows_the_drawn_tile, pair)):
        story.note("outcome_conflict", BOTH_USED, f"{place}.without_drawn_tile", "RULES 8.49")


def _shows_the_drawn_tile(winner: Winner) -> bool:
    """Return whether a win is recorded as completed by the drawn tile: tile by tile, or by a fan that needs it."""
    listed = {str(number) for number in BARRED_WITHOUT_DRAWN_TILE} & set(winner.fan_list or {})
    return not winner.without_drawn_tile and (winner.tiles is not None or bool(listed))


def _may_be_of_replacement(story: Story, win: Win, winner: Winner, other: Winner) -> bool:
    """Return whether a kong may have brought the tile of a win: its list says so, or the worth of its tiles. [MCR fan 46]"""
    if winner.fan_list is not None or winner.tiles is None:
        return REPLACEMENT in (winner.fan_list or {})
    tiles = recorded_tile_hand(winner.tiles, KIT, "", [])
    return tiles is not None and any(
        way.replacement_after_kong
        and not contradictions(tiles, way, kong_elsewhere=_may_hold_kong(other))
        and evaluate(tiles, way).points == winner.fans
        for way in circumstances(story, win, winner, None)
    )


def _may_hold_kong(winner: Winner) -> bool:
    """Return whether the tiles or the listed fans of a win leave room for a kong; a value alone does."""
    if winner.tiles is not None:
        return any(meld.type == SetKind.KONG for meld in winner.tiles.melds)
    return winner.fan_list is None or not KONG_FANS.isdisjoint(winner.fan_list)


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


def _check_honors(story: Story, win: Win, place: str) -> None:
    """Hold the listed fans of honors of all hands against the four tiles of each wind and dragon. [RULES 8.49]

    A pung of one kind leaves too few for another in any other hand, and so does the pair of a fan of small sets.
    """
    hands = [(winner, frozenset(winner.fan_list or {})) for one in story.wins for winner in one.winners]
    dragons, winds, named = 0, 0, Counter[Seat]()
    for winner, fans in hands:
        own = {story.winds[winner.seat]} if str(OWN_WIND) in fans and winner.seat in story.winds else set()
        kinds = own | ({story.at.round_wind} if str(ROUND_WIND) in fans else set())
        dragons += _most(DRAGON_SETS, winner)
        winds += max(_most(WIND_SETS, winner), len(kinds))
        named.update(kinds)
    is_wrong = dragons > len(DRAGONS) or winds > len(SEATS) or any(count > 1 for count in named.values())
    if is_wrong and any(winner.fan_list for winner in win.winners):
        story.note("yaku_conflict", HONORS_OF_ANOTHER, f"{place}.winners.0.fan_list", "RULES 8.49")


def _most(sets: Mapping[int, int], winner: Winner) -> int:
    """Return how many kinds the listed fans need; a fan listed twice needs twice as many."""
    listed = winner.fan_list or {}
    return max((needed * listed.get(str(number), 0) for number, needed in sets.items()), default=0)


def _check_golden_rule(story: Story, winner: Winner, earlier: list[Winner], place: str) -> None:
    """Check that the second win is worth at least as much as the first. [SIAM 4]"""
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
HONORS_OF_ANOTHER = gettext_noop(
    "The hands won in this deal need more than four equal winds or dragons: one of them has a set that another holds."
)
ONE_TURN = gettext_noop(
    "Two wins in one turn are both from the wall, by the same player, one after the other."
)
GOLDEN_RULE = gettext_noop(
    "The second win of a player must be worth at least as much as the first: %(first)s, not %(second)s."
)
