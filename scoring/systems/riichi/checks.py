"""What makes a recorded hand of riichi impossible: events, winners, bets, the check at an exhausted wall."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from scoring.hands import Abort, Chombo, DeadHand, Event, Exposure, FalseWin, Hand, Kong, Win, Winner
from scoring.problems import Problem, gettext_noop
from scoring.seats import SEATS, Seat
from scoring.systems.base import Situation
from scoring.systems.riichi import declared, recorded
from scoring.systems.riichi.limits import Limits

FOUR_PLAYERS = gettext_noop("Riichi is played by four.")
FOREIGN_EVENT = gettext_noop("Riichi has no such event: “%(event)s”.")
FOREIGN_FIELD = gettext_noop("Riichi does not record “%(field)s”.")
NOTHING_AFTER = gettext_noop("The hand has ended; nothing can follow a win or a chombo.")
CHOMBO_ANNULLED = gettext_noop("A win declared at the same time annuls the chombo; record one of them.")
NO_OUTCOME = gettext_noop("Record a win, a chombo, or who was waiting when the wall was exhausted.")
TWO_OUTCOMES = gettext_noop("The wall was not exhausted in a hand that ended with a win or a chombo.")
NO_WINNER = gettext_noop("Choose the winner.")
WINNER_TWICE = gettext_noop("A player wins a hand once.")
DISCARDER_NEEDED = gettext_noop("Choose who discarded: several can win only on a discard.")
WINNER_DISCARDED = gettext_noop("The winner cannot be the discarder.")
DEAD_HAND_WON = gettext_noop("A dead hand cannot win.")
DEAD_HAND_TWICE = gettext_noop("The hand of this player is already dead.")
DEAD_HAND_WAITING = gettext_noop("A dead hand is not waiting.")
RIICHI_TWICE = gettext_noop("A player declares riichi once in a hand.")
RIICHI_NOT_READY = gettext_noop(
    "Whoever declared riichi must be waiting; otherwise it is a chombo, or the hand was dead."
)
TENPAI_SEATS = gettext_noop("Say of exactly these seats whether they were waiting: %(seats)s.")
TENPAI_STATE = gettext_noop("In riichi a player is waiting or not, nothing else: “%(state)s”.")
LIABLE_SELF = gettext_noop("The winner cannot answer for the hand.")
NAGASHI_OFF = gettext_noop("These rules do not have nagashi mangan.")
NAGASHI_FORM = gettext_noop("Nagashi mangan is recorded as a self-drawn mangan and combines with nothing.")

ABORT_OFF = gettext_noop("The regulation of this event has no such abortive draw.")
ABORTED_WITH_OUTCOME = gettext_noop(
    "A hand that was broken off has no win, no chombo and no check of the hands."
)
FOUR_BETS = gettext_noop("Four riichi are the bets of all four players.")
NINE_KINDS_BET = gettext_noop("Who shows nine kinds has not declared riichi.")
FOUR_RIICHI_END = gettext_noop("With the fourth riichi the hand is broken off.")
THREE_WINS_END = gettext_noop("With three winners on one discard the hand is broken off.")

FOREIGN_EVENTS: Mapping[type[Event], str] = {Kong: "kong", FalseWin: "false_win", Exposure: "exposure"}
"""Events of other systems, as records name them. [RECORD 3]"""


@dataclass(frozen=True)
class Record:
    """A recorded hand under the check."""

    hand: Hand
    at: Situation
    limits: Limits
    nagashi_allowed: bool
    abortive: frozenset[Abort] = frozenset()

    @property
    def dead(self) -> frozenset[Seat]:
        """List whose hands were declared dead."""
        return frozenset(event.seat for event in self.hand.events if isinstance(event, DeadHand))


def problems(
    hand: Hand,
    at: Situation,
    limits: Limits,
    *,
    nagashi_allowed: bool,
    abortive: frozenset[Abort] = frozenset(),
) -> list[Problem]:
    """List everything that makes the recorded hand impossible."""
    if set(at.seats) != set(SEATS):
        return [Problem("wrong_players", FOUR_PLAYERS, clause="RIICHI 2.1")]
    record = Record(hand, at, limits, nagashi_allowed, abortive)
    found: list[Problem] = []
    for part in (_events, _outcome, _riichi, _abort, _end):
        found += part(record)
    for index, event in enumerate(hand.events):
        if isinstance(event, Win):
            found += _within(f"events.{index}", _win(event, record))
    return found


def _events(record: Record) -> Iterator[Problem]:
    """Wins, dead hands and chombo are all that happens; nobody's hand dies twice. [RIICHI 3.4] [RIICHI 3.4.7]"""
    dead: set[Seat] = set()
    for index, event in enumerate(record.hand.events):
        field = f"events.{index}"
        if not isinstance(event, Win | DeadHand | Chombo):
            details = {"event": FOREIGN_EVENTS[type(event)]}
            yield Problem("event_unknown", FOREIGN_EVENT, field=field, clause="RECORD 3", details=details)
        elif isinstance(event, DeadHand):
            if event.seat in dead:
                yield Problem("dead_hand", DEAD_HAND_TWICE, field=f"{field}.seat", clause="RIICHI 3.4.7")
            dead.add(event.seat)


def _outcome(record: Record) -> Iterator[Problem]:
    """Check that a hand ends once: with a win, a chombo, or an exhausted wall. [RIICHI 3.4] [RIICHI 3.4.6]"""
    hand = record.hand
    ends = [index for index, event in enumerate(hand.events) if isinstance(event, Win | Chombo)]
    if not ends and not hand.end and not hand.abort:
        yield Problem("outcome_conflict", NO_OUTCOME, field="events", clause="RIICHI 3.4")
    if ends and hand.end:
        yield Problem("outcome_conflict", TWO_OUTCOMES, field="end", clause="RIICHI 3.4")
    if hand.abort and (ends or hand.end):
        yield Problem("outcome_conflict", ABORTED_WITH_OUTCOME, field="abort", clause="RULES 9.34")
    kinds = {type(hand.events[index]) for index in ends}
    if ends and ends[0] < len(hand.events) - 1:
        sentence = CHOMBO_ANNULLED if kinds == {Win, Chombo} else NOTHING_AFTER
        field = f"events.{ends[0] + 1}"
        yield Problem("outcome_conflict", sentence, field=field, clause="RIICHI 3.4.6")


def _riichi(record: Record) -> Iterator[Problem]:
    """Check that each seat declares riichi once. [RIICHI 3.3.14]"""
    riichi = record.hand.riichi
    if len(set(riichi)) < len(riichi):
        yield Problem("riichi_twice", RIICHI_TWICE, field="riichi", clause="RIICHI 3.3.14")


def _abort(record: Record) -> Iterator[Problem]:
    """Check that the regulation has this abortive draw, and that no hand goes on past one. [RULES 9.34]"""
    hand, four = record.hand, len(record.hand.riichi) == len(SEATS)
    if hand.abort and hand.abort not in record.abortive:
        yield Problem("abort_unknown", ABORT_OFF, field="abort", clause="RULES 9.34")
    if hand.abort is Abort.FOUR_RIICHI and not four:
        yield Problem("outcome_conflict", FOUR_BETS, field="riichi", clause="RULES 9.34")
    if hand.abort is Abort.NINE_KINDS and four:
        yield Problem("outcome_conflict", NINE_KINDS_BET, field="riichi", clause="RULES 9.34")
    is_out = hand.abort not in (None, Abort.FOUR_RIICHI) or bool(hand.wins or hand.end)
    if four and is_out and Abort.FOUR_RIICHI in record.abortive:
        yield Problem("outcome_conflict", FOUR_RIICHI_END, field="riichi", clause="RULES 9.34")
    if Abort.THREE_WINS in record.abortive and any(len(win.winners) == len(SEATS) - 1 for win in hand.wins):
        yield Problem("outcome_conflict", THREE_WINS_END, field="events", clause="RULES 9.34")


def _end(record: Record) -> Iterator[Problem]:
    """Check that at an exhausted wall all four say whether they are waiting; riichi must be, a dead hand cannot.

    [RIICHI 3.4.2] [RIICHI 3.3.13]
    """
    end = record.hand.end
    if end and set(end) != set(record.at.seats):
        details = {"seats": ", ".join(record.at.seats)}
        yield Problem("tenpai_list", TENPAI_SEATS, field="end", clause="RIICHI 3.4.2", details=details)
    for seat, check in end.items():
        field = f"end.{seat}"
        if check.state not in ("waiting", "no_wait"):
            state = {"state": check.state}
            yield Problem("tenpai_list", TENPAI_STATE, field=field, clause="RIICHI 3.4.2", details=state)
        if check.max_base is not None:
            yield _foreign("max_base", field)
        if check.state == "waiting" and seat in record.dead:
            yield Problem("tenpai_list", DEAD_HAND_WAITING, field=field, clause="RIICHI 3.3.13")
        if check.state == "no_wait" and seat in record.hand.riichi and seat not in record.dead:
            yield Problem("riichi_not_ready", RIICHI_NOT_READY, field=field, clause="RIICHI 3.4.6")


def _win(event: Win, record: Record) -> Iterator[Problem]:
    """One wins from the wall, up to three on a discard, the discarder never. [RIICHI 3.4.9] [RIICHI 3.3.1]"""
    seats = [winner.seat for winner in event.winners]
    if not seats:
        yield Problem("outcome_conflict", NO_WINNER, field="winners", clause="RIICHI 3.4.9")
    if len(set(seats)) < len(seats):
        yield Problem("outcome_conflict", WINNER_TWICE, field="winners", clause="RIICHI 3.4.9")
    if event.discarder is None and len(set(seats)) > 1:
        yield Problem("discarder_needed", DISCARDER_NEEDED, field="from", clause="RIICHI 3.4.9")
    yield from _foreign_circumstances(event)
    for index, winner in enumerate(event.winners):
        yield from _within(f"winners.{index}", _winner(winner, event, record))


def _foreign_circumstances(event: Win) -> Iterator[Problem]:
    for name in ("replacement_win", "discard_after_kong", "robbing_kong", "last_tile", "same_turn"):
        if getattr(event, name):
            yield _foreign(name, name)


def _winner(winner: Winner, event: Win, record: Record) -> Iterator[Problem]:
    """A winner has a live hand, did not discard, and declares a value that can be. [RIICHI 3.3.11] [RIICHI 3.4.7]"""
    if winner.seat == event.discarder:
        yield Problem("winner_is_discarder", WINNER_DISCARDED, field="seat", clause="RIICHI 3.3.11")
    if winner.seat in record.dead:
        yield Problem("dead_hand", DEAD_HAND_WON, field="seat", clause="RIICHI 3.4.7")
    if winner.liable == winner.seat:
        yield Problem("pao_unexpected", LIABLE_SELF, field="liable", clause="RIICHI 3.3.9")
    yield from _foreign_values(winner)
    if winner.nagashi:
        yield from _nagashi(winner, event, record)
        return
    in_riichi = winner.seat in record.hand.riichi
    turn = SEATS.index(winner.seat) - SEATS.index(record.at.dealer)
    is_double = turn % len(SEATS) == SEATS.index(record.at.round_wind)
    is_discard = event.discarder is not None
    declaration = declared.Declaration(
        winner, is_discard, in_riichi, record.limits, is_double, record.hand.first_reading
    )
    found = list(declared.problems(declaration))
    yield from found
    if winner.tiles is not None and not found:
        yield from recorded.problems(declaration, record.at)


def _foreign_values(winner: Winner) -> Iterator[Problem]:
    """Refuse fans, flowers and the drawn tile, which belong to other systems. [RECORD 3]"""
    for name, is_there in (
        ("fans", winner.fans is not None),
        ("flowers", winner.flowers != 0),
        ("fan_list", winner.fan_list is not None),
        ("without_drawn_tile", winner.without_drawn_tile),
    ):
        if is_there:
            yield _foreign(name, name)


def _nagashi(winner: Winner, event: Win, record: Record) -> Iterator[Problem]:
    """Nagashi mangan is a local option, is paid like a mangan from the wall, and stands alone. [RIICHI 4.2.6]"""
    if not record.nagashi_allowed:
        yield Problem("nagashi_off", NAGASHI_OFF, field="nagashi", clause="RIICHI 4.2.6")
    others = (winner.han, winner.fu, winner.liable, winner.yaku, winner.tiles, winner.yakuman)
    if winner.limit != "mangan" or event.discarder is not None or any(other is not None for other in others):
        yield Problem("outcome_conflict", NAGASHI_FORM, field="nagashi", clause="RIICHI 4.2.6")


def _within(path: str, found: Iterable[Problem]) -> Iterator[Problem]:
    for problem in found:
        yield replace(problem, field=f"{path}.{problem.field}" if problem.field else path)


def _foreign(name: str, field: str) -> Problem:
    return Problem("unknown_field", FOREIGN_FIELD, field=field, clause="RECORD 3", details={"field": name})
