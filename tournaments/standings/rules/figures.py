"""What recorded hands tell about an event and its players: wins, self-draws, deals in, values, fans, the best hands."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scoring.seats import SEATS, Seat
from scoring.systems import SYSTEMS
from scoring.systems.base import Situation
from scoring.systems.system import Rules, System, Worth

MOST_BEST = 20
WINDS = ("E", "S", "W", "N")

Facts = Mapping[str, Any]


class Sitter(NamedTuple):
    """Who sat in a seat, and for whom somebody else sat there before a hand."""

    player: int | None
    kept_for: int | None = None
    from_hand: int = 1
    left_after: int | None = None

    def at(self, hand: int) -> int | None:
        """Return who played the hand: a substitute who came later did not play those before, who has left not those after.

        [RULES 8.55]
        """
        if self.left_after is not None and hand > self.left_after:
            is_taken_again = self.kept_for is not None and self.from_hand > self.left_after
            return self.player if is_taken_again and hand >= self.from_hand else None
        return self.kept_for if hand < self.from_hand else self.player


class Dealt(NamedTuple):
    """One hand in force as the record keeps it, with what it moved."""

    number: int
    dealer: str
    facts: Facts
    payments: Mapping[str, int]
    round_wind: str = "E"


class TableHands(NamedTuple):
    """A table of a session with everything dealt at it, in order."""

    session: int
    table: int
    sitters: Mapping[str, Sitter]
    hands: Sequence[Dealt]


class WonHand(NamedTuple):
    """One win: what it is worth in the terms of its system, what it brought, and where it stands.

    Where a hand has more events than this win, the record keeps what all of them moved together, and what the win
    alone brought stays open.
    """

    worth: int
    gained: int | None
    session: int
    table: int
    hand: int
    player: int | None
    discarder: int | None
    is_self_draw: bool
    value: Facts

    @property
    def order(self) -> tuple[int, ...]:
        """Sort the best first; equal ones in the order in which they were played."""
        return (-self.worth, -(self.gained or 0), self.session, self.table, self.hand)


@dataclass(slots=True)
class Part:
    """Some of a player's hands: those with one wind, or those with one opponent at the table.

    With an opponent, wins are those by the opponent's discard, and deals in those that the opponent won.
    """

    hands: int = 0
    wins: int = 0
    deals_in: int = 0
    worth: int = 0

    def add(self, other: "Part") -> None:
        """Take in what was counted elsewhere."""
        self.hands += other.hands
        self.wins += other.wins
        self.deals_in += other.deals_in
        self.worth += other.worth


@dataclass
class Tally:
    """What one player did in the hands they played: in all, by the wind they had, and by whom they met."""

    hands: int = 0
    wins: int = 0
    self_draws: int = 0
    deals_in: int = 0
    worth: int = 0
    best: WonHand | None = None
    fans: Counter[str] = field(default_factory=Counter)
    winds: dict[str, Part] = field(default_factory=dict)
    against: dict[int, Part] = field(default_factory=dict)

    def add(self, other: "Tally") -> None:
        """Take in what was counted elsewhere."""
        self.hands += other.hands
        self.wins += other.wins
        self.self_draws += other.self_draws
        self.deals_in += other.deals_in
        self.worth += other.worth
        self.best = better(self.best, other.best)
        self.fans.update(other.fans)
        for wind, part in other.winds.items():
            self.winds.setdefault(wind, Part()).add(part)
        for player, part in other.against.items():
            self.against.setdefault(player, Part()).add(part)


class Streak(NamedTuple):
    """Hands in a row that one player won at one table."""

    length: int
    player: int | None
    session: int
    table: int


@dataclass
class Figures:
    """What the hands of a session, or of a whole event, come to."""

    hands: int = 0
    no_win: int = 0
    wins: int = 0
    self_draws: int = 0
    worth: int = 0
    told: int = 0
    fans: Counter[str] = field(default_factory=Counter)
    best: list[WonHand] = field(default_factory=list)
    streak: Streak | None = None
    players: dict[int, Tally] = field(default_factory=dict)

    def add(self, other: "Figures") -> None:
        """Take in another session."""
        self.hands += other.hands
        self.no_win += other.no_win
        self.wins += other.wins
        self.self_draws += other.self_draws
        self.worth += other.worth
        self.told += other.told
        self.fans.update(other.fans)
        self.best = sorted([*self.best, *other.best], key=lambda won: won.order)[:MOST_BEST]
        self.streak = longer(self.streak, other.streak)
        for player, tally in other.players.items():
            self.players.setdefault(player, Tally()).add(tally)


def figures_of(system: str, rules: Mapping[str, Any], tables: Iterable[TableHands]) -> Figures:
    """Count everything that the hands of these tables tell."""
    found = Figures()
    for table in tables:
        _count_table(found, SYSTEMS[system], rules, table)
    found.best = sorted(found.best, key=lambda won: won.order)[:MOST_BEST]
    return found


def _count_table(found: Figures, system: System, rules: Rules, table: TableHands) -> None:
    """Count the hands of one table; a chain of wins by the same player is broken by any hand without one."""
    running: dict[int, int] = {}
    for hand in table.hands:
        won = list(wins_of(system.worth, rules, table, hand))
        found.hands += 1
        found.no_win += not won
        sitting = _sitting(system, table, hand)
        for player, wind in sitting.items():
            _count_hand(found.players.setdefault(player, Tally()), player, wind, sitting)
        for one in won:
            _count_win(found, one)
            _count_parts(found, one, sitting)
        _count_deals_in(found, table, hand, sitting)
        winners = {one.player for one in won if one.player is not None}
        running = {player: running.get(player, 0) + 1 for player in winners}
        for player, length in running.items():
            found.streak = longer(found.streak, Streak(length, player, table.session, table.table))


def _sitting(system: System, table: TableHands, hand: Dealt) -> dict[int, str]:
    """Find who played the hand, each with the wind of this hand: the dealer is East. [RULES 9.37] [MCR seats]"""
    playing = {
        seat: player for seat, one in table.sitters.items() if (player := one.at(hand.number)) is not None
    }
    seats = tuple(seat for seat in SEATS if seat in playing)
    if hand.dealer not in seats:
        return dict(zip((playing[seat] for seat in seats), WINDS, strict=False))
    at = Situation(seats, dealer=Seat(hand.dealer), round_wind=Seat(hand.round_wind))
    return {playing[seat]: wind for seat, wind in zip(system.turn_order(at), WINDS, strict=False)}


def _count_hand(tally: Tally, player: int, wind: str, sitting: Mapping[int, str]) -> None:
    tally.hands += 1
    tally.winds.setdefault(wind, Part()).hands += 1
    for other in sitting:
        if other != player:
            tally.against.setdefault(other, Part()).hands += 1


def _count_parts(found: Figures, won: WonHand, sitting: Mapping[int, str]) -> None:
    """Count a win for the winner's wind, and for both where it was one player's discard."""
    if won.player is None or won.player not in sitting:
        return
    tally, alone = found.players[won.player], Part(wins=1, worth=won.worth)
    tally.winds[sitting[won.player]].add(alone)
    if won.discarder is not None and won.discarder in sitting and won.discarder != won.player:
        tally.against[won.discarder].add(alone)
        found.players[won.discarder].against[won.player].deals_in += 1


def _count_win(found: Figures, won: WonHand) -> None:
    found.wins += 1
    found.self_draws += won.is_self_draw
    found.worth += won.worth
    fans = won.value.get("fan_list") or won.value.get("yaku")
    if fans:
        found.told += 1
        found.fans.update(fans.keys())
    found.best.append(won)
    if won.player is not None:
        told = Counter(list(fans or ()))
        alone = Tally(wins=1, self_draws=int(won.is_self_draw), worth=won.worth, best=won, fans=told)
        found.players.setdefault(won.player, Tally()).add(alone)


def _count_deals_in(found: Figures, table: TableHands, hand: Dealt, sitting: Mapping[int, str]) -> None:
    """Count a discard once, however many won on it."""
    for event in hand.facts["events"]:
        if event["type"] == "win" and "from" in event:
            player = table.sitters[event["from"]].at(hand.number)
            if player is not None:
                tally = found.players.setdefault(player, Tally())
                tally.deals_in += 1
                if player in sitting:
                    tally.winds[sitting[player]].deals_in += 1


def wins_of(worth: Worth, rules: Rules, table: TableHands, hand: Dealt) -> Iterable[WonHand]:
    """List the wins of a hand in order."""
    is_alone = len(hand.facts["events"]) == 1
    for event in hand.facts["events"]:
        if event["type"] != "win":
            continue
        source = event.get("from")
        for winner in event["winners"]:
            seat = winner["seat"]
            yield WonHand(
                worth=worth.of(winner, rules, seat == hand.dealer, not source),
                gained=hand.payments.get(seat, 0) if is_alone else None,
                session=table.session,
                table=table.table,
                hand=hand.number,
                player=table.sitters[seat].at(hand.number),
                discarder=table.sitters[source].at(hand.number) if source else None,
                is_self_draw=not source,
                value=winner,
            )


def better(one: WonHand | None, other: WonHand | None) -> WonHand | None:
    """Return the better of two hands."""
    if one is None or other is None:
        return one or other
    return min(one, other, key=lambda won: won.order)


def longer(one: Streak | None, other: Streak | None) -> Streak | None:
    """Return the longer of two chains; of equal ones the first."""
    if one is None or other is None:
        return one or other
    return min(one, other, key=lambda streak: (-streak.length, streak.session, streak.table))
