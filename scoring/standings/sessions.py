"""From a tournament's tables, penalties and adjustments to every player's session results."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise
from math import lcm
from operator import itemgetter
from typing import NamedTuple

from scoring.regulation import GivenResult, Ladder, LadderMode, LadderScope, Regulation, Timing
from scoring.seats import Seat
from scoring.standings.book import Book, Entrant, Player, Share
from scoring.standings.shares import places_of, points_row, ranks_of, shares


class ResultKind(StrEnum):
    """Where a session's result comes from."""

    PLAYED = "played"
    FIXED = "fixed"
    AWARDED = "awarded"
    ADJUSTED = "adjusted"


class Origin(StrEnum):
    """What took or gave points beside the hands."""

    PENALTY = "penalty"
    LATENESS = "lateness"
    ADJUSTMENT = "adjustment"


@dataclass(frozen=True, slots=True)
class Charge:
    """Points taken from (negative) or given to an account beside the hands; no session: the whole tournament."""

    player: Player
    session: int | None
    game_points: int = 0
    tournament_points: Fraction = Fraction(0)
    timing: Timing = Timing.BEFORE
    origin: Origin = Origin.PENALTY


class SeatFact(NamedTuple):
    """A seat of a table: who sat there, for whom, and what its hands add up to (bets left over included).

    `player` is nobody where the player `kept_for` is missing; `kept_for` is nobody where players sit for themselves.
    """

    seat: Seat
    player: Player | None
    kept_for: Player | None = None
    points: int = 0


class TableFact(NamedTuple):
    """A table of a session; where too few sat it was not played."""

    number: int
    seats: tuple[SeatFact, ...]
    is_played: bool = True


@dataclass(frozen=True)
class SessionFact:
    """A closed session with its own copy of the regulation. [RULES 8.30]"""

    number: int
    regulation: Regulation
    tables: Sequence[TableFact]


@dataclass(frozen=True)
class Event:
    """A tournament as far as it is played: entrants in the order of registration, and all that moves points.

    `given` holds the results that adjustments put in the place of a session's whole result.
    """

    regulation: Regulation
    entrants: Sequence[Entrant]
    sessions: Sequence[SessionFact]
    charges: Sequence[Charge] = ()
    given: Mapping[tuple[int, Player], GivenResult] = field(default_factory=dict)


class SeatLedger(NamedTuple):
    """What a seat's table came to, substitutes included. [RECORD 4]"""

    hands: int
    table_points: int
    place: Fraction
    tournament_points: Fraction | None
    uma: Fraction | None


class Result(NamedTuple):
    """What a session brought a registered player. [RECORD 4]"""

    kind: ResultKind
    game_points: int
    tournament_points: Fraction | None
    place: Fraction | None
    uma: Fraction | None
    rank: int = 0


@dataclass(frozen=True)
class SessionLedger:
    """A session worked out: every seat of the tables that played, every registered player's result."""

    number: int
    tables: Mapping[int, Mapping[Seat, SeatLedger]]
    results: Mapping[Player, Result]


# Ladders


class Step(NamedTuple):
    """A step of a ladder: its number from 1, what this offence costs, and what all of them cost together."""

    number: int
    cost: int
    total: int


def step(ladder: Ladder, count: int) -> Step:
    """Return what the offence costs that is the count-th on its ladder. [SBR 2.8.2] [RULES 8.1] [RULES 8.38]

    After the last step the count stays on it: where the step reached is the total, nothing more is taken.
    """
    reached = min(count, len(ladder.steps))
    together = ladder.steps[reached - 1]
    if ladder.mode is LadderMode.EACH:
        costs = [ladder.steps[min(number, len(ladder.steps)) - 1] for number in range(1, count + 1)]
        return Step(reached, together, sum(costs))
    before = ladder.steps[min(count - 1, len(ladder.steps)) - 1] if count > 1 else 0
    return Step(reached, together - before, together)


def ladder_key(
    ladder: Ladder, player: Player, session: int | None, hand: int | None, table_size: int
) -> Hashable:
    """Return which offences count together: the same player's within a session, a round of it, or the tournament.

    A round is as many hands as there are players. [RULES 1.8] [RECORD 2]
    """
    if ladder.scope is LadderScope.TOURNAMENT:
        return (ladder.offences, player)
    if ladder.scope is LadderScope.SESSION:
        return (ladder.offences, player, session)
    return (ladder.offences, player, session, ((hand or 1) - 1) // table_size)


def climb(offences: Iterable[tuple[Ladder, Hashable] | None]) -> list[Step | None]:
    """Return the step of each offence, in the order given; a revoked one has none and moves later ones down. [RULES 8.38]"""
    counts: Counter[Hashable] = Counter()
    steps: list[Step | None] = []
    for offence in offences:
        if offence is None:
            steps.append(None)
            continue
        ladder, key = offence
        counts[key] += 1
        steps.append(step(ladder, counts[key]))
    return steps


# Tables

TABLES = range(2, 5)
"""How many may play at a table."""

POINTS = itemgetter(3)


def _ties(points: Sequence[int]) -> int | tuple[bool, ...]:
    """Return how points in falling order are tied: their number alone where none are, else who equals the next."""
    size = len(points)
    return size if len(set(points)) == size else tuple([one == other for one, other in pairwise(points)])


class Face(NamedTuple):
    """A share as it is shown: TP, place and uma as fractions."""

    tournament_points: Fraction | None
    place: Fraction
    uma: Fraction | None
    rank: int


class _Shares:
    """The shares of one regulation, worked out once for every number of players and every way to be tied."""

    def __init__(self, regulation: Regulation, scale: int) -> None:
        self.regulation, self.scale = regulation, scale
        self.known: dict[int | tuple[bool, ...], tuple[Share, ...]] = {}
        self.faces: dict[int | tuple[bool, ...], tuple[Face, ...]] = {}

    def face(self, share: Share) -> Face:
        """Show a share as fractions."""
        gives_points = self.regulation.tournament_points is not None
        return Face(
            Fraction(share.tournament_points, self.scale) if gives_points else None,
            Fraction(share.place or 0, 2),
            None if self.regulation.uma is None else Fraction(share.uma, self.scale),
            share.rank,
        )

    def faces_of(self, points: Sequence[int]) -> tuple[Face, ...]:
        """Show the share of every rank as fractions, made once for every way to be tied."""
        ties = _ties(points)
        found = self.faces.get(ties)
        if found is None:
            found = self.faces[ties] = tuple(map(self.face, self.of(points)))
        return found

    def share(self, result: Result) -> Share:
        """Return the share of a result that is not its table's alone."""
        brought, place, uma = result.tournament_points, result.place, result.uma
        return Share(
            0 if brought is None else _scaled(brought, self.scale),
            None if place is None else _scaled(place, 2),
            0 if uma is None else _scaled(uma, self.scale),
            result.rank,
            self.regulation.start_points,
            brought is not None,
        )

    def of(self, points: Sequence[int]) -> tuple[Share, ...]:
        """Return the share of every rank for points in falling order. [RULES 1.6]"""
        ties = _ties(points)
        return self.known.get(ties) or self._work_out(ties)

    def _work_out(self, ties: int | tuple[bool, ...]) -> tuple[Share, ...]:
        """Work out the shares for so many players, or for players tied in a certain way."""
        sizes = [1]
        for is_tied in ties if isinstance(ties, tuple) else (False,) * (ties - 1):
            if is_tied:
                sizes[-1] += 1
            else:
                sizes.append(1)
        self.known[ties] = tuple(self._by_seat(tuple(sizes)))
        return self.known[ties]

    def _by_seat(self, sizes: tuple[int, ...]) -> Iterator[Share]:
        rules, scale = self.regulation, self.scale
        row, uma_row = points_row(rules, sum(sizes)), rules.uma_of(sum(sizes))
        given = shares(sizes, row, rules.tie_rule) if row else None
        uma = shares(sizes, uma_row, rules.tie_rule) if uma_row else None
        ranks = ranks_of(sizes, rules.place_rule)
        for at, place in enumerate(places_of(sizes, rules.place_rule)):
            yield Share(
                _scaled(given[at], scale) if given else 0,
                _scaled(place, 2),
                _scaled(uma[at], scale) if uma else 0,
                ranks[at],
                rules.start_points,
                rules.tournament_points is not None,
            )


def _scaled(value: Fraction, scale: int) -> int:
    return int(value * scale)


def scale_of(event: Event) -> int:
    """Find a number that every fraction of the tournament divides, so that all is counted in whole numbers."""
    regulations = [event.regulation, *(session.regulation for session in event.sessions)]
    fractions = [charge.tournament_points for charge in event.charges]
    given = list(event.given.values())
    for rules in {id(rules): rules for rules in regulations}.values():
        fractions += [points for row in (rules.tournament_points or {}).values() for points in row]
        fractions += (points for size in TABLES for points in rules.uma_of(size) or ())
        given += [rules.fixed_result, rules.awarded_result]
    fractions += [result.tournament_points or Fraction(0) for result in given]
    return 12 * lcm(*(value.denominator for value in fractions))


# Sessions


class _Accounts:
    """What was charged in one session, by player; nothing is looked up where nothing was charged."""

    def __init__(self, charges: Iterable[Charge]) -> None:
        self.of: dict[Player, list[Charge]] = defaultdict(list)
        for charge in charges:
            self.of[charge.player].append(charge)

    def before_places(self, seat: SeatFact) -> int:
        """Add what counts before the places on a seat's account.

        Penalties of a player replaced stay with the seat, adjustments with the player. [RULES 8.35] [RULES 8.36]
        """
        if not self.of:
            return 0
        own = self._sum(seat.player, lambda charge: charge.timing is Timing.BEFORE)
        if seat.kept_for is None:
            return own
        return own + self._sum(
            seat.kept_for,
            lambda charge: charge.timing is Timing.BEFORE and charge.origin is not Origin.ADJUSTMENT,
        )

    def after_places(self, player: Player) -> int:
        """Add what counts after the places."""
        return self._sum(player, lambda charge: charge.timing is Timing.AFTER)

    def everything(self, player: Player) -> int:
        """Add all GP, for a result that comes from no table."""
        return self._sum(player, lambda charge: True)

    def adjustments(self, player: Player) -> int:
        """Add the GP of adjustments alone: a fixed result stands besides. [RULES 8.32]"""
        return self._sum(player, lambda charge: charge.origin is Origin.ADJUSTMENT)

    def tournament_points(self, player: Player, *, penalties_only: bool = False) -> Fraction:
        """Add the TP taken or given."""
        return sum(
            (
                charge.tournament_points
                for charge in self.of.get(player, ())
                if not penalties_only or charge.origin is not Origin.ADJUSTMENT
            ),
            Fraction(0),
        )

    def _sum(self, player: Player | None, counts: Callable[[Charge], bool]) -> int:
        return sum(charge.game_points for charge in self.of.get(player, ()) if counts(charge))


class _Session:
    """One session while it is worked out."""

    def __init__(
        self, event: Event, session: SessionFact, shares: _Shares, registered: Set[Player] | None = None
    ) -> None:
        self.session, self.rules, self.shares = session, session.regulation, shares
        self.registered = _registered(event) if registered is None else registered
        self.accounts = _Accounts(charge for charge in event.charges if charge.session == session.number)
        self.given = {
            player: result for (number, player), result in event.given.items() if number == session.number
        }
        self.charged = {*self.accounts.of, *self.given}

    def is_plain(self, table: TableFact) -> bool:
        """Return whether a table's points are all there is to it."""
        if not table.is_played:
            return False
        for _, player, kept_for, _ in table.seats:
            if kept_for is not None or player in self.charged:
                return False
        return True

    def table(self, table: TableFact) -> list[tuple[SeatFact, int, Share]]:
        """Rank the seats of a table that played: each with its points before the places and its share."""
        counted = [
            (seat.points + self.accounts.before_places(seat), seat)
            for seat in table.seats
            if seat.player is not None
        ]
        counted.sort(key=itemgetter(0), reverse=True)
        given = self.shares.of([points for points, _ in counted])
        return [(seat, points, share) for (points, seat), share in zip(counted, given, strict=True)]

    def seats(self, table: TableFact) -> dict[Seat, SeatLedger]:
        """Return the ledger of a table, substitutes included. [RECORD 4]"""
        ledger = {}
        for seat, points, share in self.table(table):
            brought, place, uma, _ = self.shares.face(share)
            ledger[seat.seat] = SeatLedger(seat.points, points, place, brought, uma)
        return {seat.seat: ledger[seat.seat] for seat in table.seats if seat.seat in ledger}

    def results(self, table: TableFact) -> Iterator[tuple[Player, Result]]:
        """Return the result of every registered player whose seat is at the table. [RULES 1.6] [RULES 8.32]"""
        return self._plain_results(table) if self.is_plain(table) else self._any_results(table)

    def _plain_results(self, table: TableFact) -> Iterator[tuple[Player, Result]]:
        ranked = sorted(table.seats, key=POINTS, reverse=True)
        for seat, face in zip(ranked, self.shares.faces_of([seat[3] for seat in ranked]), strict=True):
            if seat[1] in self.registered:
                yield seat[1], Result(ResultKind.PLAYED, seat[3], *face)

    def _any_results(self, table: TableFact) -> Iterator[tuple[Player, Result]]:
        for seat, points, share in self.table(table) if table.is_played else ():
            player = seat.player
            if seat.kept_for is None and player in self.registered:
                yield player, self._adjusted(player) or self._played(player, points, share)
        for seat in table.seats:
            if seat.kept_for is not None:
                if seat.kept_for not in self.registered:
                    continue
                yield seat.kept_for, self._adjusted(seat.kept_for) or self._fixed(seat.kept_for)
            elif not table.is_played and seat.player in self.registered:
                yield seat.player, self._adjusted(seat.player) or self._awarded(seat.player)

    def _played(self, player: Player, points: int, share: Share) -> Result:
        brought, place, uma, rank = self.shares.face(share)
        if player in self.accounts.of:
            points += self.accounts.after_places(player)
            brought = _with(brought, self.accounts.tournament_points(player))
        return Result(ResultKind.PLAYED, points, brought, place, uma, rank)

    def _fixed(self, player: Player) -> Result:
        """A fixed result stands alone but for adjustments and TP taken. [SBR 2.8.4.5] [RULES 8.32] [RULES 8.51]"""
        taken = self.accounts.tournament_points(player)
        return self._result(
            ResultKind.FIXED, self.rules.fixed_result, self.accounts.adjustments(player), taken
        )

    def _awarded(self, player: Player) -> Result:
        """Who is left over is awarded a result. [SBR 3.1.4] [RULES 8.34]"""
        taken = self.accounts.tournament_points(player)
        return self._result(
            ResultKind.AWARDED, self.rules.awarded_result, self.accounts.everything(player), taken
        )

    def _adjusted(self, player: Player) -> Result | None:
        """Return the result that an adjustment set; TP taken as a penalty are the person's all the same. [RULES 8.51]"""
        given = self.given.get(player)
        if given is None:
            return None
        taken = self.accounts.tournament_points(player, penalties_only=True)
        return self._result(ResultKind.ADJUSTED, given, 0, taken)

    def _result(self, kind: ResultKind, given: GivenResult, points: int, taken: Fraction) -> Result:
        """Return a result that no table made; where the regulation gives no TP, it has none. [RULES 8.52]"""
        place = None if given.place is None else Fraction(given.place)
        has_none = self.rules.tournament_points is None and kind is not ResultKind.ADJUSTED
        return Result(
            kind,
            given.game_points + points,
            _with(None if has_none else given.tournament_points, taken),
            place,
            self._uma_of_place(given.place),
        )

    def _uma_of_place(self, place: int | None) -> Fraction | None:
        """Each place adds its uma, also where it was given. [RULES 8.32]"""
        row = self.rules.uma_of(self.rules.table_size)
        if row is None:
            return None
        return row[place - 1] if place and place <= len(row) else Fraction(0)


def _with(points: Fraction | None, taken: Fraction) -> Fraction | None:
    """Take TP away; where none are given, there is something only once something was taken."""
    if points is None:
        return taken or None
    return points + taken


def session_ledger(event: Event, session: SessionFact) -> SessionLedger:
    """Work out one session: every seat's ledger, every registered player's result. [RECORD 4]"""
    work = _Session(event, session, _Shares(session.regulation, scale_of(event)))
    return SessionLedger(
        number=session.number,
        tables={table.number: work.seats(table) for table in session.tables if table.is_played},
        results=dict(pair for table in session.tables for pair in work.results(table)),
    )


class TableReader:
    """Reads tables of one session as the book would enter them; for tables that have not been played yet."""

    def __init__(self, event: Event, session: SessionFact, scale: int) -> None:
        """Read the charges of the session once."""
        self._work = _Session(event, session, _Shares(session.regulation, scale))

    def is_plain(self, table: TableFact) -> bool:
        """Return whether a table's points are all there is to it, and everybody there is registered."""
        return self._work.is_plain(table) and all(
            seat.player in self._work.registered for seat in table.seats
        )

    def shares(self, points: Sequence[int]) -> tuple[Share, ...]:
        """Return the share of every rank of a plain table, for points in falling order. [RULES 1.6]"""
        return self._work.shares.of(points)

    def results(self, table: TableFact) -> list[tuple[Player, int, Share]]:
        """Return GP and share of every registered player whose seat is at the table. [RULES 1.6] [RULES 8.32]"""
        share = self._work.shares.share
        return [(player, result.game_points, share(result)) for player, result in self._work.results(table)]

    def left_over(self, player: Player) -> list[Share]:
        """Return what a registered player is awarded who has no table. [SBR 3.1.4]"""
        alone = TableFact(0, (SeatFact(Seat.EAST, player),), is_played=False)
        return [share for _, _, share in self.results(alone)]

    def seats(self, table: TableFact) -> list[tuple[Player, Share]]:
        """Return whoever sat at a table for themselves, with what the seat brought. [RULES 8.43]"""
        rows = self._work.table(table) if table.is_played else ()
        registered = self._work.registered
        return [
            (seat.player, share)
            for seat, _, share in rows
            if seat.kept_for is None and seat.player in registered
        ]


def _registered(event: Event) -> Set[Player]:
    return {entrant.player for entrant in event.entrants}


def _sessions(event: Event, scale: int) -> Iterator[_Session]:
    """Open every session in turn; those under one regulation share what is worked out of it."""
    known: dict[int, _Shares] = {}
    registered = _registered(event)
    for session in event.sessions:
        rules = session.regulation
        if id(rules) not in known:
            known[id(rules)] = _Shares(rules, scale)
        yield _Session(event, session, known[id(rules)], registered)


def tally(event: Event) -> Book:
    """Enter every session's results into a book to rank from, in whole numbers alone."""
    return tally_with_sources(event)[0]


def tally_with_sources(event: Event) -> tuple[Book, list[tuple[int, int]]]:
    """Return the book, and of each of its sources the number of the session and of the table."""
    return tally_in_parts(event, 1)


def tally_in_parts(event: Event, unit: int) -> tuple[Book, list[tuple[int, int]]]:
    """Enter the results, with GP that belong to no session in parts of a unit. [RULES 9.7]"""
    book = Book(event.entrants, scale_of(event) * unit, unit)
    sources: list[tuple[int, int]] = []
    numbers = {entrant.player: number for number, entrant in enumerate(event.entrants)}
    columns = zip(book.games, book.shares, book.sources, book.tables, book.seats, strict=True)
    players = (entrant.player for entrant in event.entrants)
    accounts: Mapping[Player | None, _Account] = dict(zip(players, columns, strict=True))
    for work in _sessions(event, book.scale):
        for table in work.session.tables:
            if work.is_plain(table):
                _enter_plain(accounts, work.shares, table, len(sources))
            else:
                _enter(book, numbers, work, table, len(sources))
            sources.append((work.session.number, table.number))
        book.sessions += [work.session.number] * len(work.session.tables)
    _enter_whole_tournament(book, numbers, event)
    return book, sources


_Account = tuple[list[int], list[Share], list[int], list[int], list[Share]]
"""What the book holds of one entrant, a row a session: games, shares, sources, tables and seats."""


def _enter_plain(
    accounts: Mapping[Player | None, _Account], shares: _Shares, table: TableFact, count: int
) -> None:
    """Enter a table where everybody played for themselves and nothing was charged: nearly all tables."""
    ranked = sorted(table.seats, key=POINTS, reverse=True)
    for seat, share in zip(ranked, shares.of([seat[3] for seat in ranked]), strict=True):
        account = accounts.get(seat[1])
        if account is not None:
            games, brought, sources, tables, seats = account
            games.append(seat[3])
            brought.append(share)
            sources.append(count)
            tables.append(count)
            seats.append(share)


def _enter(book: Book, numbers: Mapping[Player, int], work: _Session, table: TableFact, count: int) -> None:
    """Enter any table: who sat there, and a row for each registered player."""
    for seat, _, share in work.table(table) if table.is_played else ():
        if seat.kept_for is None and seat.player in numbers:
            book.tables[numbers[seat.player]].append(count)
            book.seats[numbers[seat.player]].append(share)
    for player, result in work.results(table):
        number = numbers[player]
        if result.kind is not ResultKind.PLAYED:
            book.kinds[number, len(book.games[number])] = str(result.kind)
        book.games[number].append(result.game_points)
        book.shares[number].append(work.shares.share(result))
        book.sources[number].append(count)


def _enter_whole_tournament(book: Book, numbers: Mapping[Player, int], event: Event) -> None:
    """Enter what was taken or given for the tournament as a whole, in every criterion that is a sum. [RULES 8.50]"""
    for charge in event.charges:
        if charge.session is None and charge.player in numbers:
            number = numbers[charge.player]
            book.game_points[number] += charge.game_points * book.unit
            book.points_left[number] -= charge.game_points * book.unit
            book.uma_left[number] -= charge.game_points * book.scale
            book.tournament_points[number] += _scaled(charge.tournament_points, book.scale)
