"""Why a recorded Sichuan hand is impossible: every event held against those before it, and the check against them all."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from scoring.hands import Check, DeadHand, FalseWin, Hand, Kong, KongKind, Win, Winner
from scoring.problems import Problem, gettext_noop
from scoring.seats import SEATS, Seat, in_turn_from
from scoring.systems.sichuan.fans import CIRCUMSTANCE_NAMES, FAN_BY_NAME, MOST_FANS, Circumstances
from scoring.systems.sichuan.hand import (
    EITHER_KONG,
    KIT,
    ONLY_DISCARD,
    ONLY_SELF_DRAW,
    WALL_IS_NOT_EMPTY,
    Value,
    contradictions,
    value,
    why_no_win,
)
from scoring.systems.sichuan.law import Law
from scoring.systems.sichuan.payments import Deal, given_tile, step
from scoring.systems.sichuan.possible import (
    MOST_SETS,
    Shown,
    listed_others,
    other_fans,
    possible_bases,
    possible_fans,
    quads_of_kongs,
    shown_by,
)
from scoring.tiles.readings import SetKind
from scoring.tiles.tile_hands import TileHand, recorded_tile_hand

EVENT_UNKNOWN = gettext_noop("Sichuan mahjong has no event of this kind.")
FIELD_FOREIGN = gettext_noop("Sichuan mahjong does not know the field “%(name)s”.")
RIICHI_UNKNOWN = gettext_noop("Sichuan mahjong has no riichi bets.")
NOT_AT_TABLE = gettext_noop("Nobody sits at %(seat)s.")
OUT_OF_PLAY = gettext_noop("%(seat)s has already declared a win and takes no further part in the hand.")
HAND_IS_DEAD = gettext_noop(
    "%(seat)s has a dead hand; a win of it is a false win, and it may not claim tiles."
)
DEAD_TWICE = gettext_noop("The hand of %(seat)s is dead already.")
HAND_IS_OVER = gettext_noop("The hand had ended before this event.")
WINNER_DISCARDED = gettext_noop("The winner cannot be the discarder.")
NO_WINNER = gettext_noop("A win has at least one winner.")
ONE_DRAWS = gettext_noop("A self-draw has exactly one winner.")
WINS_TWICE = gettext_noop("%(seat)s is named as a winner twice.")
ORDER_OF_WINNERS = gettext_noop("Winners on one discard stand in turn order from the discarder.")
FANS_NEEDED = gettext_noop("Give the number of fans.")
FANS_RANGE = gettext_noop("A hand is worth from %(low)s to %(high)s fans here; recorded are %(fans)s.")
FANS_IMPOSSIBLE = gettext_noop(
    "A hand with these kongs, won in this way, can be worth so many fans: %(possible)s. Recorded are %(fans)s."
)
NO_SUCH_HAND = gettext_noop("No hand with these kongs can be won in this way.")
WALL_WAS_OUT = gettext_noop("The win just before was on the last tile; nothing can follow it.")
ONE_TILE_ONE_EVENT = gettext_noop("All who win on one tile are winners of one event; add this winner to it.")
KONG_NOT_BEFORE = gettext_noop("The event just before is not the kong that this win speaks of.")
KONG_NOT_ROBBED = gettext_noop("This kong is marked as robbed, but no win robs it.")
TOO_MANY_KONGS = gettext_noop("A hand has four sets; %(seat)s cannot declare a fifth kong.")
ONLY_ADDED_ROBBED = gettext_noop("Only an added kong can be robbed.")
DISCARDER_NEEDED = gettext_noop("Choose who discarded.")
DISCARDER_UNEXPECTED = gettext_noop("Only an open kong has a discarder.")
DISCARDER_IS_SELF = gettext_noop("Nobody takes a tile from oneself.")
FALSE_WIN_KIND = gettext_noop("Say whether the hand of the false win was waiting.")
FAN_UNKNOWN = gettext_noop("There is no fan “%(name)s” in Sichuan mahjong.")
FAN_TOO_OFTEN = gettext_noop("The fan “%(fan)s” counts at most %(most)s times.")
FAN_CONTRADICTS = gettext_noop("The fan “%(fan)s” and how the tile came contradict each other.")
FAN_LIST_SUM = gettext_noop("The listed fans add up to %(sum)s; recorded are %(fans)s.")
FAN_LIST_KONGS = gettext_noop(
    "The hand has %(kongs)s declared kongs that count as “%(fan)s”; listed are %(listed)s."
)
FANS_APART = gettext_noop("No hand with these kongs has the listed fans together.")
TILES_KONGS = gettext_noop("The tiles do not hold the kongs that %(seat)s declared.")
LIST_OF_TILES = gettext_noop("The listed fans are not those of these tiles, which are: %(fans)s.")
ONE_WINNING_TILE = gettext_noop("These winners won on one tile, but different ones are entered: %(tiles)s.")
FIVE_COPIES = gettext_noop("The tiles of this hand hold more than four of %(tiles)s.")
TILES_WORTH = gettext_noop("These tiles are worth %(worth)s fans; recorded are %(fans)s.")
CHECK_NEEDED = gettext_noop("Say what the check of the hand of %(seat)s showed.")
CHECK_OF_WINNER = gettext_noop("%(seat)s has declared a win; such a hand is not checked at the end.")
STATE_UNKNOWN = gettext_noop("The check may show one of: %(states)s.")
MAX_BASE_NEEDED = gettext_noop("Give the highest base points of the waiting hand, one of: %(bases)s.")
MAX_BASE_UNEXPECTED = gettext_noop("Only a waiting hand has highest base points.")
DEAD_HAND_WAITS = gettext_noop("%(seat)s has a dead hand, which cannot win and so is not waiting.")

COPIES = 4
"""How many tiles of a kind there are. [SBR 2.3] [WMSG 1.1]"""

FOREIGN_WINNER_FIELDS: Mapping[str, object] = {
    "flowers": 0,
    "han": None,
    "fu": None,
    "limit": "",
    "liable": None,
    "nagashi": False,
    "without_drawn_tile": False,
    "yaku": None,
}
"""Fields of other systems and the values that say nothing."""


@dataclass(frozen=True)
class Story:
    """A hand as far as it is told: what stands, whose hand is dead, and the problems found."""

    deal: Deal
    law: Law
    events: Sequence[object]
    dead: frozenset[Seat] = frozenset()
    problems: list[Problem] = field(default_factory=list)

    def note(
        self, code: str, sentence: str, at: str, clause: str = "", details: Mapping[str, object] | None = None
    ) -> None:
        """Note one problem; the clause is named by its key in the law."""
        tag = self.law.clauses.get(clause, clause)
        self.problems.append(Problem(code, sentence, field=at, clause=tag, details=details or {}))


def check(hand: Hand, seats: tuple[Seat, ...], law: Law) -> list[Problem]:
    """List everything that makes a recorded hand impossible; empty when it may stand."""
    story = Story(Deal(seats), law, hand.events)
    if hand.riichi:
        story.note("unknown_field", RIICHI_UNKNOWN, "riichi")
    for index, event in enumerate(hand.events):
        story = _with_event(story, index, event)
    _check_end(story, hand)
    if not law.is_first_reading:
        _check_copies(story, hand)
    return story.problems


def _check_copies(story: Story, hand: Hand) -> None:
    """Count the entered tiles of all winners: who wins on one tile holds it in common, and there are four of each.

    [SBR 2.3] [SBR 2.6.1.6] [WMSG 1.1]
    """
    held: Counter[str] = Counter()
    for index, event in enumerate(hand.events):
        shown = [winner.tiles for winner in event.winners if winner.tiles] if isinstance(event, Win) else []
        won = sorted({tiles.winning_tile for tiles in shown})
        if len(won) > 1:
            details = {"tiles": " ".join(won)}
            story.note(
                "outcome_conflict", ONE_WINNING_TILE, f"events.{index}.winners", "several_wins", details
            )
        held.update(won)
        for tiles in shown:
            held.update([*tiles.concealed, *(tile for meld in tiles.melds for tile in meld.tiles)])
    if many := sorted(tile for tile, count in held.items() if count > COPIES):
        story.note("outcome_conflict", FIVE_COPIES, "events", "copies", {"tiles": " ".join(many)})


def _with_event(story: Story, index: int, event: object) -> Story:
    """Check one event; where it may stand, let it happen, so that what follows is judged by it."""
    at = f"events.{index}"
    if story.deal.is_won_out:
        story.note("outcome_conflict", HAND_IS_OVER, at, "after_end")
    elif not story.law.is_first_reading and _is_after_last_tile(story.events[:index], event):
        story.note("outcome_conflict", WALL_WAS_OUT, at, "no_kong_without_wall")
    if isinstance(event, Kong):
        _check_kong(story, index, event)
    elif isinstance(event, Win):
        _check_win(story, index, event)
    elif isinstance(event, FalseWin):
        _check_false_win(story, index, event)
    elif isinstance(event, DeadHand):
        _check_dead_hand(story, at, event)
    else:
        story.note("event_unknown", EVENT_UNKNOWN, at)
    if not isinstance(event, Kong | Win | FalseWin | DeadHand) or not _can_happen(story, event):
        return story
    dead = story.dead | {event.seat} if isinstance(event, DeadHand) else story.dead
    return replace(story, deal=step(story.deal, event, story.law)[0], dead=dead)


def _is_after_last_tile(before: Sequence[object], event: object) -> bool:
    """Return whether the last tile was won on, and the event is neither a win nor a false win on that tile.

    [SBR 2.5.7] [SBR 2.5.8.2] [RULES 8.46]
    """
    last = next((won for won in before if isinstance(won, Win) and won.last_tile), None)
    return last is not None and not (isinstance(event, Win | FalseWin) and _is_on_same_tile(last, event))


def _can_happen(story: Story, event: Kong | Win | FalseWin | DeadHand) -> bool:
    """Return whether points can be worked out at all, so that one wrong event does not make the next look wrong too."""
    seats = [winner.seat for winner in event.winners] if isinstance(event, Win) else [event.seat]
    is_kind_known = not isinstance(event, FalseWin) or event.kind in story.law.false_win
    return is_kind_known and all(seat in story.deal.seats for seat in seats)


def _is_in_play(story: Story, seat: Seat, at: str) -> bool:
    """Hold a seat against the table and against those who have declared a win. [SBR 2.6.2.2] [WMSG 7.2] [RULES 8.44]"""
    if seat not in story.deal.seats:
        story.note("seat_empty", NOT_AT_TABLE, at, details={"seat": seat})
    elif seat in story.deal.winners:
        story.note("outcome_conflict", OUT_OF_PLAY, at, "out_of_play", {"seat": seat})
    elif seat in story.deal.false_winners:
        story.note("outcome_conflict", OUT_OF_PLAY, at, "false_winner", {"seat": seat})
    else:
        return True
    return False


def _check_kong(story: Story, index: int, kong: Kong) -> None:
    """Check who declares a kong on whose tile, and that a robbed one is an added one that somebody robs.

    [SBR 2.5.7] [SBR 2.8.3] [RULES 8.14]
    """
    at = f"events.{index}"
    _is_in_play(story, kong.seat, f"{at}.seat")
    if too_many_kongs(story.events[: index + 1], kong.seat):
        story.note("outcome_conflict", TOO_MANY_KONGS, at, "shape", {"seat": kong.seat})
    if kong.kind is KongKind.OPEN:
        if kong.seat in story.dead:
            story.note("outcome_conflict", HAND_IS_DEAD, f"{at}.seat", "dead_hand", {"seat": kong.seat})
        if kong.discarder is None:
            story.note("discarder_needed", DISCARDER_NEEDED, f"{at}.from", "open")
        else:
            _check_discarder(story, kong.seat, kong.discarder, f"{at}.from")
    elif kong.discarder is not None:
        story.note("discarder_unexpected", DISCARDER_UNEXPECTED, f"{at}.from", kong.kind)
    if kong.robbed and kong.kind not in (KongKind.ADDED, KongKind.DELAYED):
        story.note("outcome_conflict", ONLY_ADDED_ROBBED, f"{at}.robbed", "robbed")
    elif kong.robbed and not _is_robbed(story.events[index + 1 :], kong.seat):
        story.note("outcome_conflict", KONG_NOT_ROBBED, f"{at}.robbed", "robbed")


def too_many_kongs(events: Sequence[object], seat: Seat) -> bool:
    """Return whether a seat has declared more kongs than a hand has sets; a robbed one leaves its pung behind.

    [SBR 2.6.1.1] [WMSG 3.1] [RULES 8.14]
    """
    return sum(isinstance(event, Kong) and event.seat == seat for event in events) > MOST_SETS


def _check_discarder(story: Story, seat: Seat, discarder: Seat, at: str) -> None:
    if discarder == seat:
        story.note("outcome_conflict", DISCARDER_IS_SELF, at)
    else:
        _is_in_play(story, discarder, at)


def _is_robbed(following: Sequence[object], seat: Seat) -> bool:
    """Return whether the next event, dead hands aside, is a win or a false win that robs the seat's kong."""
    event = next((event for event in following if not isinstance(event, DeadHand)), None)
    return isinstance(event, Win | FalseWin) and event.robbing_kong and event.discarder == seat


def _check_win(story: Story, index: int, win: Win) -> None:
    """Check who wins from whom and how. [SBR 2.6.2.2] [SBR 2.6.2.3] [SBR 2.8.3] [WMSG 3.3]"""
    at = f"events.{index}"
    if not win.winners:
        story.note("outcome_conflict", NO_WINNER, f"{at}.winners")
    if win.discarder is None and len(win.winners) > 1:
        story.note("multi_win", ONE_DRAWS, f"{at}.winners", "self_draw")
    if win.discarder is not None and _is_in_play(story, win.discarder, f"{at}.from"):
        _check_order(story, win, f"{at}.winners")
    if win.same_turn:
        story.note("unknown_field", FIELD_FOREIGN, f"{at}.same_turn", details={"name": "same_turn"})
    _check_circumstances(story, index, win)
    if not story.law.is_first_reading and _is_second_on_tile(story.events[:index], win):
        story.note("multi_win", ONE_TILE_ONE_EVENT, at, "one_tile")
    for number, winner in enumerate(win.winners):
        shown = shown_by(story.events[:index], winner.seat)
        _check_winner(story, win, winner, shown, f"{at}.winners.{number}")


def _is_second_on_tile(before: Sequence[object], win: Win) -> bool:
    """Return whether an earlier event is a win on the very tile: one kong robbed, one discard after it, the last tile.

    Where nothing marks the tile, a second win from the same discarder is on a later discard. [RULES 8.45]
    """
    same = list(takewhile(lambda event: _is_on_same_tile(event, win), reversed(before)))
    wins = [event for event in same if isinstance(event, Win)]
    return any(win.discard_after_kong or win.robbing_kong or event.last_tile for event in wins)


def _check_order(story: Story, win: Win, at: str) -> None:
    """Hold the winners on one discard against the turn order from the discarder."""
    named = [winner.seat for winner in win.winners]
    for seat in sorted({seat for seat in named if named.count(seat) > 1}, key=SEATS.index):
        story.note("multi_win", WINS_TWICE, at, "several_wins", {"seat": seat})
    turn = [seat for seat in in_turn_from(win.discarder or named[0], story.deal.seats) if seat in named]
    known = [seat for seat in named if seat in turn]
    if len(set(named)) == len(named) and known != turn:
        story.note("order_of_winners", ORDER_OF_WINNERS, at, "several_wins")


def _check_winner(story: Story, win: Win, winner: Winner, shown: Shown, at: str) -> None:
    if winner.seat == win.discarder:
        story.note("winner_is_discarder", WINNER_DISCARDED, f"{at}.seat")
    elif _is_in_play(story, winner.seat, f"{at}.seat") and winner.seat in story.dead:
        story.note("outcome_conflict", HAND_IS_DEAD, f"{at}.seat", "dead_hand", {"seat": winner.seat})
    for name, nothing in FOREIGN_WINNER_FIELDS.items():
        if getattr(winner, name) != nothing:
            story.note("unknown_field", FIELD_FOREIGN, f"{at}.{name}", details={"name": name})
    if winner.fans is None:
        story.note("field_needed", FANS_NEEDED, f"{at}.fans", "base")
    else:
        _check_fans(story, win, winner, shown, at)


def _check_fans(story: Story, win: Win, winner: Winner, shown: Shown, at: str) -> None:
    """Hold the number of fans against the kongs, how the tile came, the listed fans and the tiles.

    [SBR 2.7.3.6] [WMSG 10] [RULES 8.46]
    """
    fans = winner.fans or 0
    if story.law.is_first_reading:
        _check_range(story, win, fans, at)
    else:
        _check_possible(story, win, fans, shown, at)
    if winner.fan_list is not None:
        noted = len(story.problems)
        _check_fan_list(story, win, winner.fan_list, fans, f"{at}.fan_list")
        if len(story.problems) == noted and not story.law.is_first_reading:
            _check_listed_together(story, win, winner.fan_list, shown, f"{at}.fan_list")
    if winner.tiles is not None:
        tiles = recorded_tile_hand(winner.tiles, KIT, f"{at}.tiles", story.problems)
        if tiles:
            if not story.law.is_first_reading:
                _check_shown(story, winner.seat, tiles, shown, f"{at}.tiles")
            _check_tiles(story, win, winner, tiles, shown, at)


def _check_range(story: Story, win: Win, fans: int, at: str) -> None:
    """Hold the number of fans against how the tile came and the richest hand, as the first reading did. [SBR 2.7.3.6]"""
    low = sum(getattr(win, name) for name in CIRCUMSTANCE_NAMES)
    if not low <= fans <= MOST_FANS:
        shown = {"low": low, "high": MOST_FANS, "fans": fans}
        story.note("out_of_range", FANS_RANGE, f"{at}.fans", "base", shown)


def _check_possible(story: Story, win: Win, fans: int, shown: Shown, at: str) -> None:
    """Hold the number of fans against what hands with the declared kongs can be worth. [RULES 8.46]"""
    by_tile = sum(getattr(win, name) for name in CIRCUMSTANCE_NAMES)
    possible = possible_fans(shown, robs=win.robbing_kong, by_tile=by_tile)
    if not possible:
        story.note("outcome_conflict", NO_SUCH_HAND, at, "kongs")
    elif fans not in possible:
        details = {"possible": ", ".join(map(str, possible)), "fans": fans}
        story.note("out_of_range", FANS_IMPOSSIBLE, f"{at}.fans", "kongs", details)


def _check_fan_list(story: Story, win: Win, fan_list: Mapping[str, int], fans: int, at: str) -> None:
    """Hold the listed fans against their sum and the circumstances of the win. [SBR 2.7.3.6] [WMSG 10.1]"""
    for name, count in fan_list.items():
        fan = FAN_BY_NAME.get(name)
        if fan is None:
            story.note("value_unknown", FAN_UNKNOWN, at, details={"name": name})
        elif not 1 <= count <= fan.most:
            story.note(
                "out_of_range",
                FAN_TOO_OFTEN,
                at,
                fan.clause(story.law),
                {"fan": fan.title, "most": fan.most},
            )
    for name in CIRCUMSTANCE_NAMES:
        if (name in fan_list) != getattr(win, name):
            fan = FAN_BY_NAME[name]
            story.note("outcome_conflict", FAN_CONTRADICTS, at, fan.clause(story.law), {"fan": fan.title})
    total = sum(FAN_BY_NAME[name].fans * count for name, count in fan_list.items() if name in FAN_BY_NAME)
    if total != fans:
        story.note("payment_mismatch", FAN_LIST_SUM, at, "base", {"sum": total, "fans": fans})


def _check_listed_together(
    story: Story, win: Win, fan_list: Mapping[str, int], shown: Shown, at: str
) -> None:
    """Hold the listed fans against the declared kongs and against one another.

    [SBR 2.6.1.1] [SBR 2.7.3.6 (1)] [SBR 2.7.3.6 (2)] [WMSG 10.1] [RULES 8.46]
    """
    kong, quad = FAN_BY_NAME["kong"], FAN_BY_NAME["quad"]
    quads = quads_of_kongs(shown, story.law)
    kongs = shown.standing - quads
    for fan, declared, is_wrong in (
        (kong, kongs, fan_list.get("kong", 0) != kongs),
        (quad, quads, fan_list.get("quad", 0) < quads),
    ):
        if is_wrong:
            details = {"kongs": declared, "fan": fan.title, "listed": fan_list.get(fan.name, 0)}
            story.note("outcome_conflict", FAN_LIST_KONGS, at, fan.clause(story.law), details)
            return
    ways = other_fans(shown, robs=win.robbing_kong)
    if ways and listed_others(fan_list, shown, story.law) not in ways:
        story.note("outcome_conflict", FANS_APART, at, "kongs")


def _check_shown(story: Story, seat: Seat, tiles: TileHand, shown: Shown, at: str) -> None:
    """Find the declared kongs, and the pungs that robbed ones left, among the declared sets of the tiles. [RULES 8.46]"""
    kongs = [meld for meld in tiles.declared if meld.kind is SetKind.KONG]
    pungs, concealed = len(tiles.declared) - len(kongs), sum(not kong.is_open for kong in kongs)
    if (len(kongs), concealed) != (shown.standing, shown.concealed) or pungs < shown.pungs:
        story.note("outcome_conflict", TILES_KONGS, at, "kongs", {"seat": seat})


def _check_tiles(story: Story, win: Win, winner: Winner, tiles: TileHand, shown: Shown, at: str) -> None:
    """Hold the recorded fans against what the tiles are worth. [SBR 2.5.8.3] [SBR 2.7.3]"""
    fans = winner.fans or 0
    came = Circumstances(**{name: getattr(win, name) for name in CIRCUMSTANCE_NAMES})
    against = [*contradictions(tiles, came, story.law), *why_no_win(tiles, story.law)]
    story.problems.extend(replace(problem, field=f"{at}.tiles") for problem in against)
    worth = value(tiles, story.law, came=came)
    if worth and worth.fan_sum != fans:
        details = {"worth": worth.fan_sum, "fans": fans}
        story.note("payment_mismatch", TILES_WORTH, f"{at}.fans", "base", details)
    elif worth and winner.fan_list is not None and not story.law.is_first_reading:
        _check_list_of_tiles(story, worth, winner.fan_list, shown, f"{at}.fan_list")


def _check_list_of_tiles(
    story: Story, worth: Value, fan_list: Mapping[str, int], shown: Shown, at: str
) -> None:
    """Hold the listed fans against those of the tiles; no two readings of one sum differ in their fans.

    Recorded tiles do not say which of the kongs were delayed; the events do. [SBR 2.5.8.5] [SBR App. 1]
    """
    counts = Counter({counted.fan.name: counted.count for counted in worth.fans})
    if not story.law.kongs_count_as_quads:
        counts += Counter(quad=shown.delayed)
        counts -= Counter(kong=shown.delayed)
    found = dict(counts)
    if found != dict(fan_list):
        named = ", ".join(f"{name} × {count}" for name, count in found.items()) or "—"
        story.note("outcome_conflict", LIST_OF_TILES, at, "base", {"fans": named})


def _check_circumstances(story: Story, index: int, win: Win | FalseWin) -> None:
    """Hold how the tile came against who gave it and the kong just before.

    [SBR 2.5.7] [SBR 2.7.3.6 (7)] [SBR 2.7.3.6 (8)] [SBR 2.7.3.6 (9)]
    """
    at = f"events.{index}"
    is_drawn = isinstance(win, Win) and win.replacement_win
    if is_drawn and win.discarder is not None:
        story.note("discarder_unexpected", ONLY_SELF_DRAW, f"{at}.from", "replacement")
    if (win.discard_after_kong or win.robbing_kong) and win.discarder is None:
        story.note("discarder_needed", ONLY_DISCARD, f"{at}.from", "discard_after_kong")
    if win.discard_after_kong and win.robbing_kong:
        story.note("outcome_conflict", EITHER_KONG, f"{at}.robbing_kong", "robbed")
    if isinstance(win, Win) and win.robbing_kong and win.last_tile:
        story.note("outcome_conflict", WALL_IS_NOT_EMPTY, f"{at}.last_tile", "no_kong_without_wall")
    _check_kong_before(story, index, win)


def _check_kong_before(story: Story, index: int, win: Win | FalseWin) -> None:
    """Find the kong of which the win speaks just before it, declared by who drew or gave the tile."""
    is_drawn = isinstance(win, Win) and win.replacement_win
    declarer = _drawer(win) if is_drawn else win.discarder
    if declarer is None or not (is_drawn or win.discard_after_kong or win.robbing_kong):
        return
    kong = _kong_before(story.events[:index], win)
    if kong is None or kong.seat != declarer or kong.robbed != win.robbing_kong:
        key = "robbed" if win.robbing_kong else "replacement" if is_drawn else "discard_after_kong"
        story.note("outcome_conflict", KONG_NOT_BEFORE, f"events.{index}", key)


def _drawer(win: Win | FalseWin) -> Seat | None:
    return win.winners[0].seat if isinstance(win, Win) and win.winners else None


def _kong_before(events: Sequence[object], win: Win | FalseWin) -> Kong | None:
    """Find the kong just before, behind dead hands and other wins on the same tile."""
    before = (event for event in reversed(events) if not _is_on_same_tile(event, win))
    event = next(before, None)
    return event if isinstance(event, Kong) else None


def _is_on_same_tile(event: object, win: Win | FalseWin) -> bool:
    if isinstance(event, DeadHand):
        return True
    if not isinstance(event, Win | FalseWin) or win.discarder is None:
        return False
    return given_tile(event) == given_tile(win)


def _check_false_win(story: Story, index: int, false_win: FalseWin) -> None:
    """Check who declares a false win, on whose tile, and whether the hand was waiting. [SBR 2.8.4.2] [WMSG 11.5]"""
    at, seat = f"events.{index}", false_win.seat
    _is_in_play(story, seat, f"{at}.seat")
    if false_win.kind not in story.law.false_win:
        story.note("value_unknown", FALSE_WIN_KIND, f"{at}.kind", "false_win")
    if false_win.discarder is not None:
        _check_discarder(story, seat, false_win.discarder, f"{at}.from")
    _check_circumstances(story, index, false_win)


def _check_dead_hand(story: Story, at: str, dead: DeadHand) -> None:
    """Check that a hand declared dead is in play and was not dead yet. [SBR 2.8.3]"""
    if _is_in_play(story, dead.seat, f"{at}.seat") and dead.seat in story.dead:
        story.note("outcome_conflict", DEAD_TWICE, f"{at}.seat", "dead_hand", {"seat": dead.seat})


def _check_end(story: Story, hand: Hand) -> None:
    """Hold the check at the end against who is left.

    At an exhausted wall everybody who has not declared a win is checked; after the last win, in SBR, who has kong points
    at stake. [SBR 2.5.8.2] [SBR 2.5.8.3] [SBR 2.7.2.4] [SBR 2.7.4.1] [WMSG 11.1] [RULES 8.44]
    """
    for seat in _must_be_checked(story):
        if seat not in hand.end:
            story.note("check_needed", CHECK_NEEDED, f"end.{seat}", "states", {"seat": seat})
    for seat, state in hand.end.items():
        if seat not in story.deal.seats:
            story.note("seat_empty", NOT_AT_TABLE, f"end.{seat}", details={"seat": seat})
        elif seat in story.deal.winners:
            story.note("outcome_conflict", CHECK_OF_WINNER, f"end.{seat}", "states", {"seat": seat})
        elif seat in story.deal.false_winners:
            story.note("outcome_conflict", CHECK_OF_WINNER, f"end.{seat}", "false_winner", {"seat": seat})
        _check_state(story, seat, state, f"end.{seat}")


def _must_be_checked(story: Story) -> Iterator[Seat]:
    for seat in story.deal.in_play:
        has_stake = story.law.last_win_returns_kongs and story.deal.stake(seat) > 0
        if has_stake or not story.deal.is_won_out:
            yield seat


def _check_state(story: Story, seat: Seat, state: Check, at: str) -> None:
    """Hold a state against those of the edition, and the highest base points against the table and the kongs.

    A dead hand cannot declare a win and so does not wait. After the last win nobody is paid the base points, and they
    may be missing. [SBR 2.1.23] [SBR 2.7.4.1] [SBR 2.7.4.4] [SBR 2.8.3] [WMSG 11.1] [RULES 8.46] [RULES 8.47]
    """
    law = story.law
    unasked = (None,) if story.deal.is_won_out else ()
    bases = law.bases if law.is_first_reading else possible_bases(shown_by(story.events, seat), law)
    if state.state not in law.states:
        story.note("value_unknown", STATE_UNKNOWN, f"{at}.state", "states", {"states": ", ".join(law.states)})
    elif state.state != "waiting" and state.max_base is not None:
        story.note("unknown_field", MAX_BASE_UNEXPECTED, f"{at}.max_base", "no_wait")
    elif state.state == "waiting" and seat in story.dead and not law.is_first_reading:
        story.note("outcome_conflict", DEAD_HAND_WAITS, f"{at}.state", "dead_hand_waits", {"seat": seat})
    elif state.state == "waiting" and state.max_base not in (*bases, *unasked):
        shown = {"bases": ", ".join(map(str, bases))}
        story.note("out_of_range", MAX_BASE_NEEDED, f"{at}.max_base", "no_wait", shown)
