"""A logged game played again hand by hand: what the rules known here pay, what the log paid, and why they differ."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as replaced
from itertools import product

from scoring.hands import Abort, Check, Hand, Win, Winner
from scoring.problems import gettext_noop
from scoring.seats import SEATS, Seat
from scoring.systems.base import Remark, ReplayedLog, Situation
from scoring.systems.riichi.limits import MOST_HAN, YakumanCount
from scoring.systems.riichi.payments import BET, COUNTER, REASONS, nearest
from scoring.systems.riichi.play import Riichi
from scoring.systems.riichi.replay import tiles
from scoring.systems.riichi.replay.log import RED_FIVES, YAKUMAN, LoggedGame, LoggedRound, LoggedWin

ABORTIVE: Mapping[str, str] = {str(abort): reason for abort, reason in REASONS.items()}
"""How a round was broken off, by the word of a log and of a hand alike. [RULES 9.34]"""


@dataclass(frozen=True)
class House:
    """A rule of a house that moves points otherwise than these rules do."""

    sentence: str
    clause: str
    moves: Callable[[LoggedRound, Hand, Situation, Riichi], Mapping[Seat, int]]


@dataclass(frozen=True)
class ReplayedRound:
    """A round of the log with what these rules pay and everything in which they differ."""

    logged: LoggedRound
    paid: tuple[int, ...]
    by_rules: tuple[int, ...]
    remarks: tuple[Remark, ...]


@dataclass(frozen=True)
class Replay:
    """A whole game played again, and what concerns the game as a whole."""

    rounds: tuple[ReplayedRound, ...]
    remarks: tuple[Remark, ...]

    @property
    def is_explained(self) -> bool:
        """Return whether nothing differs but by rules of the house."""
        rounds = (remark for one in self.rounds for remark in one.remarks)
        return all(remark.is_explained for remark in (*self.remarks, *rounds))


def replay(game: LoggedGame, rules: Riichi) -> Replay:
    """Play a game again, each round from where the log stood, and follow the scores from round to round."""
    rounds = []
    for at, one in enumerate(game.rounds):
        later = game.rounds[at + 1] if at + 1 < len(game.rounds) else None
        rounds.append(_round(one, later, rules, game.rounds[0].scores))
    return Replay(tuple(rounds), tuple(_whole_game(game, rules)))


def _round(
    logged: LoggedRound, later: LoggedRound | None, rules: Riichi, start: Sequence[int]
) -> ReplayedRound:
    at, hand = situation(logged, start), hand_of(logged, rules)
    by_rules = _by_rules(hand, at, rules)
    paid = paid_by(logged)
    remarks = [*_ending(logged, rules), *_values(logged, rules)]
    for win in logged.wins:
        remarks += tiles.remarks(win, at, rules.limits)
    if paid != by_rules:
        remarks += _why(logged, hand, at, rules, paid, by_rules)
    if later is not None:
        remarks += _going_on(logged, hand, at, later, rules, paid)
    return ReplayedRound(logged, paid, by_rules, tuple(remarks))


def situation(logged: LoggedRound, start: Sequence[int]) -> Situation:
    """Return what stood on the table: the players sit E S W N from the first dealer on. [RIICHI 2.1] [RIICHI 2.2]"""
    gained = (points - begun for points, begun in zip(logged.scores, start, strict=True))
    return Situation(
        SEATS,
        number=logged.number + 1,
        dealer=SEATS[logged.number % 4],
        round_wind=SEATS[logged.number // 4],
        counters=logged.counters,
        bets=logged.bets,
        gained=tuple(zip(SEATS, gained, strict=True)),
    )


def hand_of(logged: LoggedRound, rules: Riichi) -> Hand:
    """Write a logged round as a hand of these rules; a round that was broken off has no outcome. [RECORD 3]"""
    riichi = tuple(SEATS[seat] for seat in logged.riichi)
    if logged.wins:
        first = logged.wins[0]
        discarder = None if first.discarder == first.winner else SEATS[first.discarder]
        win = Win(tuple(_winner(one, rules) for one in logged.wins), discarder)
        return Hand(logged.number + 1, (win,), riichi=riichi)
    if logged.draw == "nagashi" and rules.nagashi_mangan:
        seats = [SEATS[seat] for seat, points in enumerate(logged.changes) if points > 0]
        wins = tuple(Win((Winner(seat, limit="mangan", nagashi=True),)) for seat in seats)
        return Hand(logged.number + 1, wins, riichi=riichi)
    if logged.draw in ABORTIVE:
        abort = Abort(logged.draw) if is_known(logged, rules) else None
        return Hand(logged.number + 1, riichi=riichi, abort=abort)
    end = {seat: Check("waiting" if at in logged.waiting else "no_wait") for at, seat in enumerate(SEATS)}
    return Hand(logged.number + 1, end=end, riichi=riichi)


def is_known(logged: LoggedRound, rules: Riichi) -> bool:
    """Return whether these rules break a round off as the log did, or have nothing to do with how it ended. [RULES 9.34]"""
    return logged.draw not in ABORTIVE or Abort(logged.draw) in rules.abortive_draws


def counted_yakuman(win: LoggedWin, rules: Riichi) -> int:
    """Count how many yakuman these rules pay a hand for. [RIICHI 4.2] [RULES 9.33]"""
    if rules.limits.yakuman is YakumanCount.ONE:
        return min(win.yakuman, 1)
    if rules.limits.yakuman is YakumanCount.DOUBLE:
        return win.yakuman
    return sum(han >= YAKUMAN for han in win.yaku.values())


def _winner(win: LoggedWin, rules: Riichi) -> Winner:
    """Write a winner by yakuman, else by han and fu; where a limit hides the fu it is at least a mangan. [RIICHI 4.1.2]"""
    liable = None if win.liable is None else SEATS[win.liable]
    seat = SEATS[win.winner]
    if win.yakuman:
        times = counted_yakuman(win, rules)
        return Winner(seat, limit="yakuman", yakuman=times if times > 1 else None, liable=liable)
    han = min(win.han, MOST_HAN)
    if rules.limits.by_han(han) or win.fu is None:
        return Winner(seat, limit=rules.limits.by_han(han) or "mangan", liable=liable)
    return Winner(seat, han=han, fu=win.fu, liable=liable)


def _by_rules(hand: Hand, at: Situation, rules: Riichi) -> tuple[int, ...]:
    by_seat = rules.payments(hand, at).by_seat
    return tuple(by_seat[seat] for seat in SEATS)


def paid_by(logged: LoggedRound) -> tuple[int, ...]:
    """Add up what the log moved in a round, bets that were put down included. [RIICHI 3.3.14]"""
    moved = [
        sum(column) for column in zip(logged.changes, *(win.changes for win in logged.wins), strict=True)
    ]
    return tuple(points - BET * (seat in logged.riichi) for seat, points in enumerate(moved))


# Why it differs


def _ending(logged: LoggedRound, rules: Riichi) -> Iterator[Remark]:
    """Name an end of a round that these rules do not have. [RIICHI 3.4] [RIICHI 4.2.6]"""
    if not is_known(logged, rules):
        yield Remark(BROKEN_OFF, "RIICHI 3.4", {"reason": ABORTIVE[logged.draw]})
    if logged.draw == "nagashi" and not rules.nagashi_mangan:
        yield Remark(NAGASHI, "RIICHI 4.2.6")


def _values(logged: LoggedRound, rules: Riichi) -> Iterator[Remark]:
    """Name what the value of a win owes to a rule of the house: red fives, several yakuman. [RIICHI 2.4] [RIICHI 4.2]"""
    for win in logged.wins:
        reds = win.yaku.get(RED_FIVES, 0)
        if reds:
            seat = SEATS[win.winner]
            yield Remark(RED if reds > 1 else ONE_RED, "RIICHI 2.4", {"seat": seat, "count": reds})
        if win.yakuman > max(counted_yakuman(win, rules), 1):
            yield Remark(SEVERAL_YAKUMAN, "RIICHI 4.2", {"seat": SEATS[win.winner], "count": win.yakuman})
        if not win.yakuman and win.han - reds - win.yaku.get("dora", 0) - win.yaku.get("ura_dora", 0) < 1:
            yield Remark(NO_YAKU, "RIICHI 3.2", {"seat": SEATS[win.winner]}, is_explained=False)


def _why(
    logged: LoggedRound,
    hand: Hand,
    at: Situation,
    rules: Riichi,
    paid: Sequence[int],
    by_rules: Sequence[int],
) -> list[Remark]:
    """Find rules of the house that together explain the difference, the fewest first; else say that nothing does."""
    if not is_known(logged, rules) or logged.draw == "nagashi":
        return [Remark(NOT_PAID_HERE, "", {"paid": _signed(paid), "by_rules": _signed(by_rules)})]
    for choice in sorted(product((False, True), repeat=len(HOUSES)), key=sum):
        chosen = [house for house, is_on in zip(HOUSES, choice, strict=True) if is_on]
        again = list(_by_rules(hand, at, rules))
        for house in chosen:
            for seat, points in house.moves(logged, hand, at, rules).items():
                again[SEATS.index(seat)] += points
        if again == list(paid):
            return [Remark(house.sentence, house.clause) for house in chosen]
    told = {"paid": _signed(paid), "by_rules": _signed(by_rules)}
    return [Remark(PAID_OTHERWISE, "RIICHI 4.1", told, is_explained=False)]


def _signed(points: Sequence[int]) -> str:
    return " ".join(f"{one:+}".replace("-", "−") if one else "0" for one in points)


def _of_nearest(hand: Hand, at: Situation) -> tuple[list[Seat], Seat, Seat] | None:
    """Return all winners on one discard, the nearest of them and who discarded; nothing where there was one winner."""
    win = next(iter(hand.wins), None)
    if win is None or win.discarder is None or len(win.winners) < 2:
        return None
    seats = [winner.seat for winner in win.winners]
    return seats, nearest(seats, win.discarder, at.seats), win.discarder


def counters_to_the_nearest(
    logged: LoggedRound, hand: Hand, at: Situation, rules: Riichi
) -> Mapping[Seat, int]:
    """Pay counters to the nearest winner alone, where these rules pay them to each. [RIICHI 3.4.10]"""
    found = _of_nearest(hand, at)
    if found is None:
        return {}
    seats, first, discarder = found
    share = 3 * COUNTER * at.counters
    moved = {seat: -share for seat in seats if seat != first}
    return moved | {discarder: share * len(moved)}


def bets_to_the_nearest(logged: LoggedRound, hand: Hand, at: Situation, rules: Riichi) -> Mapping[Seat, int]:
    """Give the nearest winner the bets of the other winners, too, where these rules return them. [RIICHI 4.1]"""
    found = _of_nearest(hand, at)
    if found is None:
        return {}
    seats, first, _ = found
    own = [seat for seat in hand.riichi if seat in seats and seat != first]
    return dict.fromkeys(own, -BET) | {first: BET * len(own)}


def yakuman_added_up(logged: LoggedRound, hand: Hand, at: Situation, rules: Riichi) -> Mapping[Seat, int]:
    """Pay a hand of several yakuman so many times; it is fewer here. [RIICHI 4.2] [RULES 9.33]"""
    moved = dict.fromkeys(SEATS, 0)
    winners = hand.wins[0].winners if logged.wins else ()
    for win, winner in zip(logged.wins, winners, strict=True):
        more = win.yakuman - counted_yakuman(win, rules)
        if more > 0:
            one = replaced(winner, yakuman=None)
            alone = Hand(hand.number, (replaced(hand.wins[0], winners=(one,)),))
            once = Riichi().payments(alone, at.but(counters=0, bets=0)).by_seat
            for seat in SEATS:
                moved[seat] += once[seat] * more
    return moved


HOUSES = (
    House(
        gettext_noop("Of several winners only the nearest is paid the counters; here each is."),
        "RIICHI 3.4.10",
        counters_to_the_nearest,
    ),
    House(
        gettext_noop(
            "The nearest winner takes the bets of the other winners, too; here they return to them."
        ),
        "RIICHI 4.1",
        bets_to_the_nearest,
    ),
    House(gettext_noop("Several yakuman are paid several times; here once."), "RIICHI 4.2", yakuman_added_up),
)


# From round to round


def _going_on(
    logged: LoggedRound, hand: Hand, at: Situation, later: LoggedRound, rules: Riichi, paid: Sequence[int]
) -> Iterator[Remark]:
    """Hold the next round against what these rules would have next: scores, bets, dealer, counters. [RIICHI 3.4.11]"""
    scores = [points + moved for points, moved in zip(logged.scores, paid, strict=True)]
    if scores != list(later.scores):
        told = {"scores": _listed(later.scores), "expected": _listed(scores)}
        yield Remark(SCORES, "", told, is_explained=False)
    if not is_known(logged, rules):
        return
    after = rules.following(hand, at)
    if after.is_over:
        yield Remark(GOES_ON, "RIICHI 3.6")
        return
    expected = SEATS.index(after.round_wind) * 4 + SEATS.index(after.dealer)
    if logged.draw == "nagashi":
        return
    if later.number != expected:
        yield Remark(OTHER_DEALER, "RIICHI 3.4.11", label(expected), is_explained=False)
    if (later.counters, later.bets) != (after.counters, after.bets):
        stand = {
            "counters": later.counters,
            "bets": later.bets,
            "own": after.counters,
            "own_bets": after.bets,
        }
        yield Remark(OTHER_COUNTERS, "RIICHI 3.4.10", stand, is_explained=False)


def _whole_game(game: LoggedGame, rules: Riichi) -> Iterator[Remark]:
    """Name what concerns the whole game: red fives, a west round, an early end, the final scores. [RIICHI 3.6]"""
    if game.has_red_fives:
        yield Remark(PLAYED_WITH_RED, "RIICHI 2.4")
    if any(one.number >= 8 for one in game.rounds) and not rules.west_round:
        yield Remark(WEST_ROUND, "RIICHI 3.5")
    last = game.rounds[-1]
    is_west = last.number >= 8 and not rules.west_round
    is_over = is_west or rules.following(hand_of(last, rules), situation(last, game.rounds[0].scores)).is_over
    if not is_over:
        yield Remark(ENDS_EARLY, "RIICHI 3.6", label(last.number))
    if game.final is None:
        return
    scores = [points + moved for points, moved in zip(last.scores, paid_by(last), strict=True)]
    left = sum(game.final) - sum(scores)
    leader = scores.index(max(scores))
    with_bets = [points + left * (seat == leader) for seat, points in enumerate(scores)]
    if list(game.final) != with_bets or left % BET or left < 0:
        told = {"scores": _listed(game.final), "expected": _listed(scores)}
        yield Remark(FINAL_SCORES, "", told, is_explained=False)


def label(number: int) -> Mapping[str, object]:
    """Name a round by its wind and number."""
    return {"seat": SEATS[number // 4], "n": number % 4 + 1}


def _listed(points: Sequence[int]) -> str:
    return " ".join(map(str, points))


def told(game: LoggedGame, rules: Riichi) -> ReplayedLog:
    """Tell a game that is played again line by line: the game as a whole, then every round with what differs."""
    played = replay(game, rules)
    lines = list(played.remarks)
    for one in played.rounds:
        head = {**label(one.logged.number), "counters": one.logged.counters, "paid": _signed(one.paid)}
        lines.append(Remark(ROUND, details=head))
        lines += [replaced(remark, depth=1) for remark in one.remarks]
    differing = sum(bool(one.remarks) for one in played.rounds)
    lines.append(Remark(SUMMARY, details={"count": len(played.rounds), "differing": differing}))
    lines.append(Remark(EXPLAINED if played.is_explained else UNEXPLAINED))
    return ReplayedLog(game.names, tuple(lines))


ROUND = gettext_noop("%(seat)s %(n)s, counters %(counters)s: %(paid)s")
SUMMARY = gettext_noop("Rounds: %(count)s; with differences: %(differing)s.")
EXPLAINED = gettext_noop("Whatever differs is a rule of that house; every payment is explained.")
UNEXPLAINED = gettext_noop(
    "Some payments are not what these rules would pay, and no known rule of a house explains them."
)
BROKEN_OFF = gettext_noop("The round was broken off: %(reason)s. These rules play on.")
NAGASHI = gettext_noop("Nagashi mangan was paid; these rules pay an exhausted wall.")
RED = gettext_noop("%(seat)s has %(count)s red fives, each of them a dora; there are none in these rules.")
ONE_RED = gettext_noop("%(seat)s has a red five, which is a dora; there are none in these rules.")
SEVERAL_YAKUMAN = gettext_noop(
    "%(seat)s has a hand of %(count)s yakuman; in these rules yakuman do not add up."
)
NO_YAKU = gettext_noop("%(seat)s won without a yaku.")
NOT_PAID_HERE = gettext_noop("The log moves %(paid)s, these rules %(by_rules)s.")
PAID_OTHERWISE = gettext_noop("The log moves %(paid)s; these rules move %(by_rules)s.")
SCORES = gettext_noop("The next round begins with %(scores)s; after this one it should be %(expected)s.")
OTHER_DEALER = gettext_noop("By these rules %(seat)s %(n)s is next.")
OTHER_COUNTERS = gettext_noop(
    "Next stand %(counters)s counters and %(bets)s bets; by these rules %(own)s and %(own_bets)s."
)
GOES_ON = gettext_noop("The game goes on; by these rules it is over.")
PLAYED_WITH_RED = gettext_noop("The game was played with red fives; each counts as a dora there.")
WEST_ROUND = gettext_noop("A west round was played; these rules end after the south round.")
ENDS_EARLY = gettext_noop("The game ended with %(seat)s %(n)s, before it is over by these rules.")
FINAL_SCORES = gettext_noop("The final scores are %(scores)s; by the rounds they are %(expected)s.")
