"""Why a recorded hand of sport mahjong is impossible: every event held against the table and those before it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product

from scoring.hands import DeadHand, Exposure, FalseWin, Hand, Win, Winner
from scoring.problems import Offer, Problem, gettext_noop
from scoring.seats import Seat
from scoring.systems.base import Situation
from scoring.systems.mcr import lists
from scoring.systems.mcr.fans import FANS, Fan
from scoring.systems.mcr.hand import FLOWERS, KIT, MINIMUM, best_lists, contradictions, evaluate, no_win
from scoring.systems.mcr.offences import OFFENCES
from scoring.systems.mcr.payments import FALSE_WINS
from scoring.systems.mcr.views import Circumstances
from scoring.systems.mcr.waits import wins
from scoring.systems.offences import Mode
from scoring.tiles.tile import NUMBERS
from scoring.tiles.tile_hands import TileHand, recorded_tile_hand

LARGEST = 400
"""More than any hand is worth: four kongs of winds, all honors, drawn as the last tile after a kong, are 328."""

MOST_FLOWERS = 8

FOREIGN_OF_WIN = ("replacement_win", "discard_after_kong", "robbing_kong", "last_tile")
FOREIGN_OF_WINNER = ("han", "fu", "limit", "liable", "nagashi", "yaku")
FOREIGN_OF_FALSE_WIN = ("discarder", "discard_after_kong", "robbing_kong")


@dataclass
class Story:
    """A hand as far as it is told: the table, who may win no more and by which clause, who has won, and the problems."""

    at: Situation
    winds: Mapping[Seat, Seat]
    minimum: int = MINIMUM
    two_hands: bool = False
    is_of_first_reading: bool = False
    dead: dict[Seat, str] = field(default_factory=dict)
    declared_dead: set[Seat] = field(default_factory=set)
    wins: list[Win] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def note(self, code: str, sentence: str, place: str, clause: str = "", **details: object) -> None:
        """Note one problem."""
        self.problems.append(Problem(code, sentence, field=place, clause=clause, details=details))

    def is_at_table(self, seat: Seat, place: str) -> bool:
        """Return whether somebody sits there, and note it if not."""
        if seat in self.at.seats:
            return True
        self.note("seat_empty", NOT_AT_TABLE, place, seat=seat)
        return False


def check(hand: Hand, at: Situation, minimum: int, winds: Mapping[Seat, Seat]) -> list[Problem]:
    """List everything that makes a recorded hand impossible; `winds` are the players' own winds. [MCR terms 2]"""
    story = Story(at, winds, minimum)
    story.is_of_first_reading = hand.first_reading
    check_situation(story, hand)
    for index, event in enumerate(hand.events):
        place = f"events.{index}"
        if story.wins:
            story.note("outcome_conflict", HAND_IS_OVER, place, "MCR terms 2")
        if isinstance(event, Win):
            _check_win(story, event, place)
        else:
            check_offence(story, event, place)
    return story.problems


def check_situation(story: Story, hand: Hand) -> None:
    """Hold a hand against the game: not after its end, and without what only other systems record. [MCR terms 4]"""
    if story.at.is_over:
        story.note("game_over", GAME_IS_OVER, "number", "MCR terms 4", number=story.at.number - 1)
    for name in ("end", "riichi"):
        if getattr(hand, name):
            story.note("unknown_field", FIELD_FOREIGN, name, name=name)


def check_offence(story: Story, event: object, place: str) -> None:
    """Check who offends and how; an offender may win no more in this hand. [MCR offences 6] [MCR offences 7]

    Tiles may be shown after an invalid win that was itself not punished, so no false win need stand before it.
    """
    if not isinstance(event, FalseWin | Exposure | DeadHand):
        story.note("event_unknown", EVENT_UNKNOWN, place)
        return
    story.is_at_table(event.seat, f"{place}.seat")
    if isinstance(event, FalseWin):
        if event.kind not in FALSE_WINS:
            kinds = ", ".join(FALSE_WINS)
            story.note("value_unknown", FALSE_WIN_KIND, f"{place}.kind", "MCR offences 6", kinds=kinds)
        check_foreign(story, event, FOREIGN_OF_FALSE_WIN, place)
    if isinstance(event, DeadHand):
        if event.seat in story.declared_dead:
            clause = clause_of_dead_hand(event)
            story.note("outcome_conflict", DEAD_TWICE, f"{place}.seat", clause, seat=event.seat)
        story.declared_dead.add(event.seat)
    story.dead.setdefault(event.seat, clause_of_dead_hand(event))


def clause_of_dead_hand(event: FalseWin | Exposure | DeadHand) -> str:
    """Say by which clause a player may win no more; an offence that no list names makes a hand dead as a wrong set does.

    [MCR offences 2] [MCR offences 6] [MCR offences 7]
    """
    if isinstance(event, DeadHand):
        return DEAD_HANDS.get(event.offence, "MCR offences 2")
    return "MCR offences 6" if isinstance(event, FalseWin) else "MCR offences 7"


DEAD_HANDS: Mapping[str, str] = {one.code: one.clause for one in OFFENCES if one.mode is Mode.DEAD_HAND}
"""The clauses of the offences that cost the right to win. [MCR offences 2]"""


def check_foreign(story: Story, thing: Win | Winner | FalseWin, names: tuple[str, ...], place: str) -> None:
    """Note fields that say something in other systems only."""
    for name in names:
        if getattr(thing, name) not in (None, "", 0, False):
            shown = "from" if name == "discarder" else name
            story.note("unknown_field", FIELD_FOREIGN, f"{place}.{shown}", name=shown)


def _check_win(story: Story, win: Win, place: str) -> None:
    """Check a win, of which a hand has one. [MCR winning 2e]"""
    check_foreign(story, win, ("same_turn",), place)
    check_who_wins(story, win, place)
    for number, winner in enumerate(win.winners):
        where = f"{place}.winners.{number}"
        check_foreign(story, winner, ("without_drawn_tile",), where)
        if not 0 <= winner.flowers <= MOST_FLOWERS:
            story.note("out_of_range", TOO_MANY_FLOWERS, f"{where}.flowers", "MCR fan 81", most=MOST_FLOWERS)
        check_value(story, win, winner, where)
    story.wins.append(win)


def check_who_wins(story: Story, win: Win, place: str) -> None:
    """Check the seats of a win: one winner, the nearest to the discarder in turn, with a live hand.

    [MCR winning 2d] [MCR winning 2e] [MCR offences 2] [MCR offences 6]
    """
    check_foreign(story, win, FOREIGN_OF_WIN, place)
    if not win.winners:
        story.note("outcome_conflict", NO_WINNER, f"{place}.winners")
    if len(win.winners) > 1:
        story.note("multi_win", ONE_WINNER, f"{place}.winners", "MCR winning 2e")
    if win.discarder is not None:
        story.is_at_table(win.discarder, f"{place}.from")
    for number, winner in enumerate(win.winners):
        where = f"{place}.winners.{number}"
        check_foreign(story, winner, FOREIGN_OF_WINNER, where)
        if winner.seat == win.discarder:
            story.note("winner_is_discarder", WINNER_DISCARDED, f"{where}.seat", "MCR winning 2d")
        if story.is_at_table(winner.seat, f"{where}.seat") and winner.seat in story.dead:
            clause = story.dead[winner.seat]
            story.note("outcome_conflict", HAND_IS_DEAD, f"{where}.seat", clause, seat=winner.seat)


def check_value(
    story: Story, win: Win, winner: Winner, place: str, barred: frozenset[int] = frozenset()
) -> None:
    """Hold the declared value against the minimum, the listed fans and the tiles. [MCR scoring 1a] [MCR scoring 1d]"""
    if winner.fans is None:
        story.note("field_needed", FANS_NEEDED, f"{place}.fans", "MCR scoring 1d")
        return
    if winner.fans < story.minimum:
        shown = {"minimum": story.minimum, "points": winner.fans}
        story.note("below_minimum", BELOW_MINIMUM, f"{place}.fans", "MCR scoring 1a", **shown)
    if winner.fans > LARGEST:
        story.note("out_of_range", TOO_MUCH, f"{place}.fans", largest=LARGEST)
    listed = None
    if winner.fan_list is not None:
        listed = _check_fan_list(story, win, winner, f"{place}.fan_list", barred)
    if winner.tiles is not None:
        tiles = recorded_tile_hand(winner.tiles, KIT, f"{place}.tiles", story.problems)
        if tiles and winner.seat in story.winds:
            _check_tiles(story, win, winner, tiles, listed, barred, place)


def _check_fan_list(
    story: Story, win: Win, winner: Winner, place: str, barred: frozenset[int]
) -> frozenset[int]:
    """Hold the listed fans against each other, how the hand was won, their sum and all hands; return their numbers.

    [MCR scoring 1d] [MCR scoring 1e1] [RULES 8.48]
    """
    before = len(story.problems)
    counts = {int(name): count for name, count in (winner.fan_list or {}).items() if _is_number(name)}
    for name in winner.fan_list or {}:
        if not _is_number(name):
            story.note("value_unknown", FAN_UNKNOWN, place, name=name)
    rows = [FANS[number] for number in counts]
    for row in rows:
        _check_listed(story, row, counts[row.number], win, place, barred)
        for number in sorted(row.excludes.keys() & counts.keys()):
            story.note(
                "yaku_conflict", EXCLUDED, place, row.excludes[number], a=row.name, b=FANS[number].name
            )
    total = sum(row.value * counts[row.number] for row in rows)
    if total != winner.fans:
        story.note("payment_mismatch", FAN_LIST_SUM, place, "MCR scoring 1d", sum=total, points=winner.fans)
    if len(story.problems) == before and winner.tiles is None and winner.seat in story.winds:
        _check_some_hand_has(story, win, winner, counts, place, barred)
    return frozenset(counts)


def _check_some_hand_has(
    story: Story, win: Win, winner: Winner, counts: Mapping[int, int], place: str, barred: frozenset[int]
) -> None:
    """Refuse a list that no hand won in this way has, and offer the nearest that one has. [RULES 8.48]"""
    if story.is_of_first_reading:
        return
    way = lists.Way(
        is_self_drawn=win.discarder is None,
        is_double_wind=story.winds[winner.seat] == story.at.round_wind,
        uses_drawn_tile=not barred,
        has_other_hand=story.two_hands,
    )
    if lists.is_possible(counts, way):
        return
    why = lists.conflict(counts, way)
    names = [FANS[number].name for number in why.fans]
    told: dict[str, object] = dict(zip(("a", "b"), names, strict=False))
    sentence = NEVER_TOGETHER if len(names) == 2 else NOT_OF_FOUR_CHOWS if names else NO_HAND_HAS
    offers = lists.nearest(counts, way, winner.fans or 0, story.minimum)
    story.problems.append(
        Problem("yaku_conflict", sentence, place, why.clause, told, tuple(map(offered, offers)))
    )


def offered(counts: Mapping[int, int]) -> Offer:
    """Offer a list of fans as what would be recorded of the winner."""
    listed = {str(number): count for number, count in counts.items()}
    points = _worth(counts)
    parts = tuple((FANS[number].name, count) for number, count in counts.items())
    return Offer({"fans": points, "fan_list": listed}, parts)


def _is_number(name: str) -> bool:
    """Return whether a name is the number of a fan of the tiles; flowers stand in a field of their own."""
    return name in _NUMBERS


_NUMBERS = frozenset(str(number) for number in FANS if number != FLOWERS)


def _check_listed(story: Story, row: Fan, count: int, win: Win, place: str, barred: frozenset[int]) -> None:
    if not 1 <= count <= row.most:
        story.note("out_of_range", FAN_TOO_OFTEN, place, row.clause, fan=row.name, most=row.most)
    if row.only and (row.only == "self_draw") != (win.discarder is None):
        story.note("outcome_conflict", FAN_CONTRADICTS, place, row.clause, fan=row.name)
    if row.number in barred:
        story.note("outcome_conflict", FAN_BARRED, place, "SIAM 17", fan=row.name)


def _check_tiles(
    story: Story,
    win: Win,
    winner: Winner,
    tiles: TileHand,
    listed: frozenset[int] | None,
    barred: frozenset[int],
    place: str,
) -> None:
    """Hold the declared value against what the tiles are worth in the circumstances that fit, and the list as well.

    [MCR scoring 1d] [RULES 8.48]
    """
    if not wins(tiles.counted, tiles.melds, tiles.winning_tile or 0):
        story.problems.append(replace(no_win(), field=f"{place}.tiles"))
        return
    ways = [
        way
        for way in circumstances(story, win, winner, listed)
        if not contradictions(tiles, way, kong_elsewhere=story.two_hands)
    ]
    worths = sorted({evaluate(tiles, way, barred).points for way in ways})
    if not worths:
        story.note("outcome_conflict", FAN_LIST_CONTRADICTS, f"{place}.fan_list")
    elif winner.fans not in worths:
        story.note(
            "payment_mismatch",
            TILES_WORTH,
            f"{place}.fans",
            "MCR scoring 1d",
            worth=", ".join(map(str, worths)),
            points=winner.fans,
        )
    elif listed is not None and not story.is_of_first_reading:
        best = [one for way in ways for one in best_lists(tiles, way, barred)]
        if {int(name): count for name, count in (winner.fan_list or {}).items()} not in best:
            offers = tuple(offered(one) for one in best if _worth(one) == winner.fans)
            story.problems.append(
                Problem("payment_mismatch", OTHER_FANS, f"{place}.fan_list", "RULES 8.48", {}, offers)
            )


def _worth(counts: Mapping[int, int]) -> int:
    return sum(FANS[number].value * count for number, count in counts.items())


def circumstances(
    story: Story, win: Win, winner: Winner, listed: frozenset[int] | None
) -> Iterator[Circumstances]:
    """Yield the circumstances in which the hand may have been won: those listed as fans, or else every one."""
    self_drawn = win.discarder is None
    numbers = (58, 46, 44) if self_drawn else (58, 47, 45)
    choices = [(number in listed,) if listed is not None else (False, True) for number in numbers]
    for last_of_kind, by_kong, last_wall_tile in product(*choices):
        yield Circumstances(
            self_drawn=self_drawn,
            last_of_kind=last_of_kind,
            replacement_after_kong=by_kong and self_drawn,
            robbing_kong=by_kong and not self_drawn,
            last_wall_tile=last_wall_tile,
            seat_wind=NUMBERS[story.winds[winner.seat]],
            round_wind=NUMBERS[story.at.round_wind],
        )


GAME_IS_OVER = gettext_noop("The game has ended after hand %(number)s.")
FIELD_FOREIGN = gettext_noop("Sport mahjong does not know the field “%(name)s”.")
EVENT_UNKNOWN = gettext_noop("Sport mahjong has no event of this kind.")
NOT_AT_TABLE = gettext_noop("Nobody sits at %(seat)s.")
HAND_IS_OVER = gettext_noop("The hand had ended before this event.")
FALSE_WIN_KIND = gettext_noop("A false win is one of these: %(kinds)s.")
DEAD_TWICE = gettext_noop("%(seat)s has a dead hand already.")
HAND_IS_DEAD = gettext_noop("%(seat)s may win no more in this hand.")
NO_WINNER = gettext_noop("A win has a winner.")
ONE_WINNER = gettext_noop("In these rules only the first player in turn order wins; choose one.")
WINNER_DISCARDED = gettext_noop("The winner cannot be the discarder.")
FANS_NEEDED = gettext_noop("Give the value of the hand without flowers.")
BELOW_MINIMUM = gettext_noop(
    "At least %(minimum)s points without flowers are needed to win; entered %(points)s."
)
TOO_MUCH = gettext_noop("No hand is worth more than %(largest)s.")
TOO_MANY_FLOWERS = gettext_noop("There are from 0 to %(most)s flowers and seasons.")
FAN_UNKNOWN = gettext_noop("There is no fan “%(name)s” here; flowers stand in a field of their own.")
FAN_TOO_OFTEN = gettext_noop("The fan “%(fan)s” counts at least once and at most %(most)s times.")
FAN_CONTRADICTS = gettext_noop("The fan “%(fan)s” and how the tile came contradict each other.")
FAN_BARRED = gettext_noop("Without the drawn tile the fan “%(fan)s” does not count.")
EXCLUDED = gettext_noop("“%(a)s” excludes “%(b)s”.")
NEVER_TOGETHER = gettext_noop("“%(a)s” and “%(b)s” are never counted in one hand.")
NOT_OF_FOUR_CHOWS = gettext_noop(
    "Four chows do not make all the listed fans of chows: a chow that made one fan is joined to the others once only."
)
NO_HAND_HAS = gettext_noop("No hand won in this way has exactly these fans: one is missing or too many.")
OTHER_FANS = gettext_noop("These tiles make other fans of the same value.")
FAN_LIST_SUM = gettext_noop("The listed fans add up to %(sum)s; recorded are %(points)s.")
FAN_LIST_CONTRADICTS = gettext_noop("The listed fans and the tiles contradict each other.")
TILES_WORTH = gettext_noop("These tiles are worth %(worth)s; recorded are %(points)s.")
