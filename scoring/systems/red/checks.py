"""What makes a recorded hand of Red mahjong impossible."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from scoring.hands import DeadHand, Event, FalseWin, Hand, Win, Winner
from scoring.problems import Problem, gettext_noop
from scoring.seats import Seat
from scoring.systems.base import Situation
from scoring.systems.red import lists
from scoring.systems.red.fans import BY_NUMBER, FANS, FLOWER
from scoring.systems.red.hand import MOST_FLOWERS, evaluate, why_no_win
from scoring.systems.red.law import Law
from scoring.tiles.tile_hands import recorded_tile_hand

PLAYERS = gettext_noop("Red mahjong is played by two to four.")
FOREIGN_EVENT = gettext_noop("Red mahjong has no such event: “%(event)s”.")
FOREIGN_FIELD = gettext_noop("Red mahjong does not record “%(field)s”.")
NOT_AT_TABLE = gettext_noop("Nobody sits at %(seat)s at this table.")
NOTHING_AFTER = gettext_noop("The hand has ended; nothing can follow a win.")
NO_WINNER = gettext_noop("Choose the winner.")
ONE_WINNER = gettext_noop("In these rules only the first player in turn order wins; choose one.")
WINNER_DISCARDED = gettext_noop("The winner cannot be the discarder.")
DEAD_HAND_WON = gettext_noop("A dead hand cannot win; after a false win the hand is dead too.")
DEAD_HAND_TWICE = gettext_noop("The hand of this player is already dead.")
FANS_NEEDED = gettext_noop("Give the value of the hand without flowers.")
FANS_RANGE = gettext_noop("A hand is worth from 0 to %(most)s points without flowers, not %(fans)s.")
FLOWERS_RANGE = gettext_noop("There are at most eight flowers and seasons, not %(flowers)s.")
BELOW_MINIMUM = gettext_noop(
    "At least %(minimum)s points without flowers are needed to win; entered %(fans)s."
)
FAN_UNKNOWN = gettext_noop("There is no fan with the number “%(number)s”.")
FAN_COUNT = gettext_noop("The fan “%(fan)s” counts at least once and at most %(most)s times.")
FAN_FLOWERS = gettext_noop("Flowers are recorded by their number, not among the fans.")
FAN_SUM = gettext_noop("The fans add up to %(sum)s points; declared are %(fans)s.")
FANS_APART = gettext_noop("“%(a)s” and “%(b)s” cannot occur together.")
NO_HAND_HAS = gettext_noop("No hand has exactly these fans: one is missing or too many.")
TILES_WORTH = gettext_noop("The tiles are worth %(worth)s points without flowers; declared are %(fans)s.")
FANS_OF_TILES = gettext_noop("The fans of the tiles are %(found)s; written down are %(declared)s.")

MOST_POINTS = sum(fan.points * fan.most for fan in FANS if fan.number != FLOWER)
"""More than all fans together, each as often as any hand can have it, no hand can be worth. [RED scoring 2]"""


def problems(hand: Hand, at: Situation, law: Law) -> list[Problem]:
    """List everything that makes the recorded hand impossible."""
    if not 2 <= len(at.seats) <= 4:
        return [Problem("wrong_players", PLAYERS, clause="RED dealer 4")]
    law = replace(law, is_first_reading=hand.first_reading)
    found = list(_foreign_parts(hand))
    dead: set[Seat] = set()
    for index, event in enumerate(hand.events):
        found += _within(f"events.{index}", _event(event, at, law, dead))
        if index and any(isinstance(earlier, Win) for earlier in hand.events[:index]):
            found.append(_nothing_after(index))
        if isinstance(event, FalseWin | DeadHand):
            dead.add(event.seat)
    return found


def _nothing_after(index: int) -> Problem:
    """Check that a hand goes on until somebody wins. [RED course 4]"""
    return _problem("outcome_conflict", NOTHING_AFTER, f"events.{index}", "RED course 4")


def _foreign_parts(hand: Hand) -> Iterator[Problem]:
    """Refuse riichi bets and the check of hands at the end, which belong to other systems. [RECORD 3]"""
    for name, is_there in (("end", bool(hand.end)), ("riichi", bool(hand.riichi))):
        if is_there:
            yield _foreign(name)


def _event(event: Event, at: Situation, law: Law, dead: set[Seat]) -> Iterator[Problem]:
    """Check that wins, false wins and dead hands are all that happens; a dead hand stays dead. [RED count 5]"""
    if isinstance(event, Win):
        yield from _win(event, at, law, dead)
    elif isinstance(event, FalseWin):
        yield from _at_table(event.seat, "seat", at)
        yield from _foreign_fields(event, ("kind", "discarder", "discard_after_kong", "robbing_kong"))
    elif isinstance(event, DeadHand):
        yield from _at_table(event.seat, "seat", at)
        if event.seat in dead:
            yield _problem("dead_hand", DEAD_HAND_TWICE, "seat", "RED count 5")
    else:
        yield _problem("event_unknown", FOREIGN_EVENT, "", "RECORD 3", event=_event_name(event))


def _win(event: Win, at: Situation, law: Law, dead: set[Seat]) -> Iterator[Problem]:
    """One player wins, the nearest in turn, with a live hand, and did not discard. [RED win 5] [RED hierarchy 2]"""
    others = ("replacement_win", "discard_after_kong", "robbing_kong", "last_tile", "same_turn")
    yield from _foreign_fields(event, others)
    if not event.winners:
        yield _problem("outcome_conflict", NO_WINNER, "winners", "RED win 4")
    if len(event.winners) > 1:
        yield _problem("multi_win", ONE_WINNER, "winners", "RED win 5")
    if event.discarder is not None:
        yield from _at_table(event.discarder, "from", at)
    for index, winner in enumerate(event.winners):
        found = list(_winner(winner, event, at, law, dead))
        yield from _within(f"winners.{index}", found)


def _winner(winner: Winner, event: Win, at: Situation, law: Law, dead: set[Seat]) -> Iterator[Problem]:
    """A winner sits there, did not discard, has a live hand and a value that can be. [RED win 3] [RED count 1]"""
    yield from _at_table(winner.seat, "seat", at)
    if winner.seat == event.discarder:
        yield _problem("winner_is_discarder", WINNER_DISCARDED, "seat", "RED win 3")
    if winner.seat in dead:
        yield _problem("dead_hand", DEAD_HAND_WON, "seat", "RED count 1")
    yield from _foreign_fields(
        winner, ("han", "fu", "limit", "liable", "nagashi", "without_drawn_tile", "yaku")
    )
    wrong = [*_value(winner, law), *_fan_list(winner, law)]
    yield from wrong
    if winner.tiles is not None and not wrong:
        yield from _tiles(winner, law, is_discard=event.discarder is not None)


def _value(winner: Winner, law: Law) -> Iterator[Problem]:
    """Check that the value is given without flowers and reaches the minimum that was agreed.

    [RED scoring 1] [RED scoring 4] [RED tiles 7] [RULES 8.25]
    """
    fans, flowers = winner.fans, winner.flowers
    if fans is None:
        yield _problem("value_needed", FANS_NEEDED, "fans", "RED scoring 1")
    elif not 0 <= fans <= MOST_POINTS:
        yield _problem("out_of_range", FANS_RANGE, "fans", "RED scoring 2", fans=fans, most=MOST_POINTS)
    elif fans < law.minimum:
        yield _problem(
            "below_minimum", BELOW_MINIMUM, "fans", "RED scoring 4", fans=fans, minimum=law.minimum
        )
    if not 0 <= flowers <= MOST_FLOWERS:
        yield _problem("out_of_range", FLOWERS_RANGE, "flowers", "RED tiles 7", flowers=flowers)


def _fan_list(winner: Winner, law: Law) -> Iterator[Problem]:
    """Check that the fans written down are those of some hand, and add up. [RED scoring 2]"""
    if winner.fan_list is None:
        return
    known: dict[int, int] = {}
    for name, count in winner.fan_list.items():
        fan = BY_NUMBER.get(int(name)) if name.isdecimal() and name == str(int(name)) else None
        if fan is None:
            yield _problem("fan_unknown", FAN_UNKNOWN, "fan_list", "RED scoring 2", number=name)
        elif fan.number == FLOWER:
            yield _problem("fan_unknown", FAN_FLOWERS, "fan_list", "RED scoring 4")
        elif not 1 <= count <= fan.most:
            yield _problem("fan_count", FAN_COUNT, "fan_list", fan.clause, fan=name, most=fan.most)
        else:
            known[fan.number] = count
    together = list(_fans_together(known, law))
    yield from together
    are_all_known = len(known) == len(winner.fan_list)
    is_asked = are_all_known and not together and not law.is_first_reading
    if is_asked and not lists.is_possible(known, with_jokers=law.jokers):
        yield _problem("yaku_conflict", NO_HAND_HAS, "fan_list", "RED scoring 2")
    total = sum(law.points(number) * count for number, count in known.items())
    if are_all_known and winner.fans is not None and total != winner.fans:
        yield _problem("payment_mismatch", FAN_SUM, "fan_list", "RED scoring 2", sum=total, fans=winner.fans)


def _fans_together(known: Mapping[int, int], law: Law) -> Iterator[Problem]:
    """Say which two fans contradict one another by their tiles alone. [RED fan 11] [RULES 8.23]"""
    for a in known:
        for b in apart(a, with_jokers=law.jokers):
            if b in known:
                yield _problem("yaku_conflict", FANS_APART, "fan_list", f"RED fan {a}", a=str(a), b=str(b))


APART: Mapping[int, tuple[int, ...]] = {
    2: (4, 6, 8, 13, 16, 17),
    3: (8, 12, 16, 17, 18),
    4: (10, 12, 16, 17, 18),
    5: (8, 13, 14, 15, 16, 17),
    6: (14, 15, 18),
    8: (9, 10),
    9: (13, 16, 17),
    10: (13, 14, 15, 16, 17),
    11: (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 17, 18),
    12: (13, 14, 15, 18),
    13: (14, 15, 16, 17, 18),
    14: (16, 17),
    15: (16, 17),
    16: (17, 18),
    17: (18,),
}
"""Fans that no hand has both of."""

APART_WITHOUT_JOKERS: Mapping[int, tuple[int, ...]] = {14: (15,)}
"""Fans that meet only where jokers stand beside the twelve fives. [RED jokers 1]"""


def apart(fan: int, *, with_jokers: bool) -> tuple[int, ...]:
    """List the fans with higher numbers that no hand has beside this one. [RED fan 11] [RULES 8.23]"""
    return APART.get(fan, ()) + (() if with_jokers else APART_WITHOUT_JOKERS.get(fan, ()))


def _tiles(winner: Winner, law: Law, *, is_discard: bool) -> Iterator[Problem]:
    """Check that the recorded tiles are a win and worth what was declared. [RED counting 3] [RED counting 5]"""
    wrong: list[Problem] = []
    hand = recorded_tile_hand(winner.tiles, law.kit, "tiles", wrong)  # type: ignore[arg-type]
    yield from wrong
    if hand is None:
        return
    value = evaluate(hand, law, is_discard=is_discard)
    if value is None:
        yield replace(why_no_win(hand, is_discard=is_discard), field="tiles")
        return
    found = {counted.fan.number: counted.count for counted in value.fans}
    declared = {int(name): count for name, count in (winner.fan_list or {}).items()}
    if value.without_flowers != winner.fans:
        details = {"worth": value.without_flowers, "fans": winner.fans}
        yield _problem("payment_mismatch", TILES_WORTH, "fans", "RED counting 5", **details)
    elif winner.fan_list is not None and found != declared:
        lists = {"found": _listed(found), "declared": _listed(declared)}
        yield _problem("payment_mismatch", FANS_OF_TILES, "fan_list", "RED counting 5", **lists)


def _at_table(seat: Seat, field: str, at: Situation) -> Iterator[Problem]:
    if seat not in at.seats:
        yield _problem("wrong_players", NOT_AT_TABLE, field, "RED seats 4", seat=seat)


def _foreign_fields(fact: object, names: Iterable[str]) -> Iterator[Problem]:
    """Refuse what other systems record. [RECORD 3]"""
    for name in names:
        if getattr(fact, name) not in (None, "", False):
            yield _foreign("from" if name == "discarder" else name)


def _foreign(name: str) -> Problem:
    return _problem("unknown_field", FOREIGN_FIELD, name, "RECORD 3", field=name)


def _within(path: str, found: Iterable[Problem]) -> Iterator[Problem]:
    for problem in found:
        yield replace(problem, field=f"{path}.{problem.field}" if problem.field else path)


def _event_name(event: Event) -> str:
    return type(event).__name__.lower()


def _listed(fans: Mapping[int, int]) -> str:
    return ", ".join(f"{number}×{count}" for number, count in sorted(fans.items())) or "–"


def _problem(code: str, sentence: str, at: str, clause: str, /, **details: object) -> Problem:
    return Problem(code, sentence, field=at, clause=clause, details=details)
