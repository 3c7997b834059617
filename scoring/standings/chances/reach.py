"""Which places are still possible, proved by what games can bring and never by chance. [RULES 9.22]

A game can end in any order with any points, so a criterion that counts points has no bound. One that counts places at
tables has, and each table gives out its places once.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, permutations
from typing import NamedTuple

from scoring.criteria import GAME_POINTS, Criterion
from scoring.regulation import Carry
from scoring.standings.book import Book, Player, Share
from scoring.standings.chances.finishes import Cast, cast_of
from scoring.standings.chances.keys import Keys
from scoring.standings.chances.left import Outlook, SessionLeft, TableLeft
from scoring.standings.sessions import SessionFact, TableFact, TableReader
from scoring.standings.stages import begun_stages

STEP = 10**9
"""Points between neighbours in an order that nothing charged at a table can turn round."""


class Reach(NamedTuple):
    """The best and the worst place that is not ruled out; `is_exact` where both can really come about."""

    best: int
    worst: int
    is_exact: bool


class Gains(NamedTuple):
    """What one way for a table to end adds to everybody there, by the first criterion; more is better.

    `alone` names by their rank, from 1, those who have no equal at the table.
    """

    of: Mapping[Player, int]
    alone: Mapping[int, Player]


def reaches(outlook: Outlook) -> dict[Player, Reach]:
    """Return the places still possible for everybody ranked."""
    cast = cast_of(outlook)
    inside = [cast.book.entrants[at].player for at in cast.inside]
    fixed = {player: Reach(place, place, is_exact=True) for player, place in cast.fixed.items()}
    if not outlook.left or not is_plain(outlook):
        return fixed | {player: Reach(1, len(inside), is_exact=False) for player in inside}
    playing = {seat.player for left in outlook.left for table in left.tables for seat in table.seats}
    keys = _first_alone(outlook, cast.book)
    totals = {cast.book.entrants[at].player: keys.totals[0][at] for at in cast.inside}
    if keys.parts[0].by_point:
        return fixed | _without_bound(outlook, totals, playing)
    if is_last_session(outlook):
        is_free = _second_is_free(outlook.event.regulation.ranking, keys)
        last = LastSession(totals, _gains(outlook, outlook.left[0], keys))
        return fixed | {who: _in_last_session(who, last, is_free=is_free) for who in inside}
    return fixed | _in_bounds(outlook, totals, keys)


class Points(NamedTuple):
    """The game points so far, where they part equals: in parts of a point, with the unit of results.

    `moved` names those whose result of this session is not that of the table alone.
    """

    of: Mapping[Player, int]
    by_point: int
    unit: int
    moved: frozenset[Player]


class LastSession:
    """What the first criterion has to say about the last session: totals so far, and every way for its tables to end."""

    def __init__(
        self, totals: Mapping[Player, int], tables: Sequence[Sequence[Gains]], points: Points | None = None
    ) -> None:
        """Note who sits where."""
        self.totals, self.tables, self.points = totals, tables, points
        self.table_of = {player: at for at, ways in enumerate(tables) for player in ways[0].of}
        self._least = [self._by_rank(ways, min) for ways in tables]
        self._most = [self._by_rank(ways, max) for ways in tables]
        still = [total for player, total in totals.items() if player not in self.table_of]
        self._lowest = sorted([*chain.from_iterable(self._least), *still])
        self._highest = sorted([*chain.from_iterable(self._most), *still])

    def _by_rank(self, ways: Sequence[Gains], choose: Callable[[Iterable[int]], int]) -> list[int]:
        """Return for the best at a table, the second and so on the least or the most they can end with.

        So many are above a total at least as even the least leaves above it: each table ends as it likes.
        """
        totals = self.totals
        by_way = (
            sorted([totals[who] + more for who, more in way.of.items() if who in totals], reverse=True)
            for way in ways
        )
        return [choose(rank) for rank in zip(*by_way, strict=True)]

    def ways_of(self, who: Player) -> Sequence[Gains]:
        """Return the ways for a player's own table to end; none for somebody who has no table."""
        at = self.table_of.get(who)
        return () if at is None else self.tables[at]

    def elsewhere(self, who: Player, total: int, *, most: bool) -> int:
        """Count those at other tables or at none who are at least above a total, or at most above or equal."""
        everywhere = self._highest if most else self._lowest
        found = len(everywhere) - (bisect_left if most else bisect_right)(everywhere, total)
        at = self.table_of.get(who)
        if at is None:
            own = [self.totals[who]]
        else:
            own = (self._most if most else self._least)[at]
        return found - sum(has >= total if most else has > total for has in own)

    def points_to_pass(self, who: Player, total: int) -> list[int]:
        """Tell how many points at the table pass each of those who are done with the same total, the nearest first."""
        if self.points is None or who in self.points.moved:
            return []
        has, by_point, unit, _ = self.points
        done = [player for player, own in self.totals.items() if own == total and player not in self.table_of]
        return sorted(
            unit * ((has[player] - has[who]) // by_point // unit + 1) for player in done if player != who
        )

    def above(self, way: Gains, total: int, *, equals: bool, but: Player | None = None) -> int:
        """Count those whom one way for a table to end brings above a total, or up to it."""
        totals = self.totals
        found = [totals[who] + more for who, more in way.of.items() if who != but and who in totals]
        return sum(has > total or (equals and has == total) for has in found)


def last_session(outlook: Outlook) -> LastSession | None:
    """Return it where places can be proved by it: seats are known and the first criterion has bounds."""
    if not is_last_session(outlook) or not is_plain(outlook):
        return None
    cast = cast_of(outlook)
    keys = _first_alone(outlook, cast.book)
    if keys.parts[0].by_point:
        return None
    totals = {cast.book.entrants[at].player: keys.totals[0][at] for at in cast.inside}
    return LastSession(totals, _gains(outlook, outlook.left[0], keys), _by_points(outlook, cast))


def _by_points(outlook: Outlook, cast: Cast) -> Points | None:
    """Return the game points that part equals, of all whose result in this session will be that of the table; else nothing."""
    ranking, session = outlook.event.regulation.ranking, outlook.left[0]
    if ranking[1:2] != (GAME_POINTS,):
        return None
    moved = {charge.player for charge in outlook.event.charges if charge.session == session.number}
    moved |= {player for number, player in outlook.event.given if number == session.number}
    keys = alone_by(ranking[1:2], outlook, cast.book)
    totals = {cast.book.entrants[at].player: keys.totals[0][at] for at in cast.inside}
    return Points(totals, keys.by_point, session.regulation.points_unit, frozenset(moved))


def is_last_session(outlook: Outlook) -> bool:
    """Return whether one session is left, with known seats."""
    return len(outlook.left) == 1 and bool(outlook.left[0].tables)


def is_plain(outlook: Outlook) -> bool:
    """Return whether a sum counts all sessions alike and nobody leaves the event on the way."""
    stages = outlook.event.regulation.stages
    ahead = [stage for stage in stages if stage not in begun_stages(outlook.event)]
    whole = all(stage.cut is None and stage.carry is Carry.FULL for stage in ahead)
    return whole and outlook.event.regulation.ranking[0].adds is not None


def _first_alone(outlook: Outlook, book: Book) -> Keys:
    return alone_by(outlook.event.regulation.ranking[:1], outlook, book)


def alone_by(ranking: Sequence[Criterion], outlook: Outlook, book: Book) -> Keys:
    """Count by one criterion alone, with the games that everybody will have."""
    numbers = {entrant.player: at for at, entrant in enumerate(book.entrants)}
    games = [sum(1 for share in shares if share.place is not None) for shares in book.shares]
    for left in outlook.left:
        seated = {seat.kept_for or seat.player for table in left.tables for seat in table.seats}
        for player in seated if left.tables else outlook.plays:
            if player in numbers:
                games[numbers[player]] += 1
    return Keys(ranking, book, games, 0, (), 1)


def _second_is_free(ranking: Sequence[Criterion], keys: Keys) -> bool:
    """Return whether those equal by the first criterion are parted by points, which have no bound."""
    if len(ranking) < 2 or (adds := ranking[1].adds) is None or ranking[1].is_mean:
        return False
    nothing = keys.nothing
    return adds(1, nothing, keys.scale) != adds(0, nothing, keys.scale)


def _gains(outlook: Outlook, session: SessionLeft, keys: Keys) -> list[list[Gains]]:
    """List for each table of a session what every order of it brings, equals included."""
    reader = TableReader(outlook.event, SessionFact(session.number, session.regulation, ()), keys.scale)
    numbers = {entrant.player: at for at, entrant in enumerate(outlook.event.entrants)}
    plain = _Plain(reader, keys, numbers)
    return [
        plain.gains(table)
        if session.may_play(len(table.seats)) and reader.is_plain(TableFact(table.number, table.seats))
        else list(_any_gains(reader, session, table, keys, numbers))
        for table in session.tables
    ]


def _ends(outlook: Outlook, session: SessionLeft, keys: Keys) -> dict[Player, tuple[int, int]]:
    """Return the least and the most that a session may bring everybody whose seat is known."""
    reader = TableReader(outlook.event, SessionFact(session.number, session.regulation, ()), keys.scale)
    numbers = {entrant.player: at for at, entrant in enumerate(outlook.event.entrants)}
    plain = _Plain(reader, keys, numbers)
    found: dict[Player, tuple[int, int]] = {}
    for table in session.tables:
        if session.may_play(len(table.seats)) and reader.is_plain(TableFact(table.number, table.seats)):
            columns = plain.columns(table)
        else:
            ways = [way.of for way in _any_gains(reader, session, table, keys, numbers)]
            columns = {player: [way[player] for way in ways] for player in ways[0]}
        found |= {player: (min(brought), max(brought)) for player, brought in columns.items()}
    return found


class _Plain:
    """Tables of a session at which points are all there is: each order of so many seats is worked out once."""

    def __init__(self, reader: TableReader, keys: Keys, numbers: Mapping[Player, int]) -> None:
        """Note by what tables are read."""
        self.reader, self.keys, self.numbers = reader, keys, numbers
        self._orders: dict[int, list[tuple[list[Share], list[tuple[int, int]]]]] = {}
        self._worth: dict[tuple[int, int], list[list[int]]] = {}

    def gains(self, table: TableLeft) -> list[Gains]:
        """List what every order of a table brings."""
        columns = self.columns(table)
        players, orders = list(columns), self._orders[len(columns)]
        return [
            Gains(
                dict(zip(players, brought, strict=True)),
                {rank: players[seat] for rank, seat in alone},
            )
            for brought, (_, alone) in zip(zip(*columns.values(), strict=True), orders, strict=True)
        ]

    def columns(self, table: TableLeft) -> dict[Player, list[int]]:
        """Return for everybody at a table what each order of it brings."""
        size = len(table.seats)
        if size not in self._orders:
            self._orders[size] = [self._order(ranks) for ranks in _weak_orders(size)]
        return {
            seat.player: self._column(self.numbers[seat.player], size, at)
            for at, seat in enumerate(table.seats)
        }

    def _order(self, ranks: Sequence[int]) -> tuple[list[Share], list[tuple[int, int]]]:
        """Return the share of each seat, and by its number, from 1, who holds a rank alone."""
        order = sorted(range(len(ranks)), key=ranks.__getitem__)
        shares = dict(zip(order, self.reader.shares([-ranks[seat] for seat in order]), strict=True))
        alone = [(rank, int(str(seat))) for rank, seat in _alone(dict(enumerate(ranks))).items()]
        return [shares[seat] for seat in range(len(ranks))], alone

    def _column(self, number: int, size: int, seat: int) -> list[int]:
        """Return what each order is worth to an entrant in a seat; entrants with one factor share it."""
        key = (self.keys.factors[number], size)
        known = self._worth.get(key)
        if known is None:
            known = self._worth[key] = [
                [self.keys.of_share(number, shares[at]) for shares, _ in self._orders[size]]
                for at in range(size)
            ]
        return known[seat]


def _any_gains(
    reader: TableReader, session: SessionLeft, table: TableLeft, keys: Keys, numbers: Mapping[Player, int]
) -> Iterator[Gains]:
    """List what every order of any table brings: one with a substitute, an empty seat or a penalty."""
    sitting = [seat.player for seat in table.seats if seat.player is not None]
    if not session.may_play(len(sitting)):
        rows = reader.results(TableFact(table.number, table.seats, is_played=False))
        yield Gains({who: keys.of_share(numbers[who], share) for who, _, share in rows}, {})
        return
    for ranks in _weak_orders(len(sitting)):
        points = dict(zip(sitting, ranks, strict=True))
        seats = tuple(
            seat if seat.player is None else seat._replace(points=-STEP * points[seat.player])
            for seat in table.seats
        )
        rows = reader.results(TableFact(table.number, seats))
        yield Gains({who: keys.of_share(numbers[who], share) for who, _, share in rows}, _alone(points))


def _alone(ranks: Mapping[Player, int]) -> dict[int, Player]:
    """Return by its number, from 1, who holds a rank alone."""
    holders = Counter(ranks.values())
    return {
        1 + sum(1 for other in ranks.values() if other < own): player
        for player, own in ranks.items()
        if holders[own] == 1
    }


@lru_cache(maxsize=8)
def _weak_orders(size: int) -> tuple[tuple[int, ...], ...]:
    """List every order of so many seats with equals, as the rank of each seat from 0."""
    found = set()
    for order in permutations(range(size)):
        for ties in range(2 ** (size - 1)):
            ranks, rank = [0] * size, 0
            for place, seat in enumerate(order):
                rank += bool(place) and not ties >> (place - 1) & 1
                ranks[seat] = rank
            found.add(tuple(ranks))
    return tuple(sorted(found))


def _in_last_session(who: Player, last: LastSession, *, is_free: bool) -> Reach:
    """Choose the best and the worst end of every table apart: in one session no player sits at two. [RULES 9.22]"""
    own = last.ways_of(who)
    size = len(own[0].of) if own else 0
    best = places_with(who, [way for way in own if way.alone.get(1) == who] or own, last)
    worst = places_with(who, [way for way in own if way.alone.get(size) == who] or own, last)
    plays = any(way.alone.get(1) == who for way in own)
    return Reach(best.best, worst.worst, is_exact=plays and is_free)


def places_with(who: Player, own: Sequence[Gains], last: LastSession) -> Reach:
    """Return the best and the worst place of a player whose own table ends in one of some ways."""
    own = own or [Gains({}, {})]
    totals = [last.totals[who] + way.of.get(who, 0) for way in own]
    best, worst = max(totals), min(totals)
    fewest = last.elsewhere(who, best, most=False) + min(
        last.above(way, best, equals=False, but=who)
        for way, total in zip(own, totals, strict=True)
        if total == best
    )
    most = last.elsewhere(who, worst, most=True) + max(
        last.above(way, worst, equals=True, but=who)
        for way, total in zip(own, totals, strict=True)
        if total == worst
    )
    return Reach(1 + fewest, 1 + most, is_exact=False)


def _in_bounds(outlook: Outlook, totals: Mapping[Player, int], keys: Keys) -> dict[Player, Reach]:
    """Rule out what even the best of one's own results and the worst of the others' cannot bring about."""
    least, most = dict(totals), dict(totals)
    for session in outlook.left:
        known = _ends(outlook, session, keys)
        for player in totals:
            if session.tables:
                low, high = known.get(player, (0, 0))
            elif player in outlook.plays:
                brought = _any_place(session, keys, outlook, player)
                low, high = min(brought), max(brought)
            else:
                continue
            least[player] += low
            most[player] += high
    lowest, highest, count = sorted(least.values()), sorted(most.values()), len(totals)
    return {
        who: Reach(
            1 + count - bisect_right(lowest, most[who]),
            count - bisect_left(highest, least[who]),
            is_exact=False,
        )
        for who in totals
    }


def _any_place(session: SessionLeft, keys: Keys, outlook: Outlook, player: Player) -> list[int]:
    """Return what any table of any size may bring a player whose seat is not known, or none at all."""
    rules, number = session.regulation, {e.player: at for at, e in enumerate(outlook.event.entrants)}[player]
    reader = TableReader(outlook.event, SessionFact(session.number, rules, ()), keys.scale)
    brought = []
    for size in range(rules.smallest_table, rules.table_size + 1):
        shares = reader.shares([-rank for rank in range(size)])
        brought += [keys.of_share(number, share) for share in (shares[0], shares[-1])]
    left_over = reader.left_over(player)
    return [*brought, *(keys.of_share(number, share) for share in left_over)]


def _without_bound(
    outlook: Outlook, totals: Mapping[Player, int], playing: set[Player | None]
) -> dict[Player, Reach]:
    """Where points themselves are ranked, whoever still plays may end anywhere; others stay behind those they are behind."""
    is_known = all(left.tables for left in outlook.left)
    moving = {
        who for who in totals if (who in playing if is_known else who in playing or who in outlook.plays)
    }
    still = {who: total for who, total in totals.items() if who not in moving}
    return {
        who: Reach(1, len(totals), is_exact=len(moving) > 1)
        if who in moving
        else Reach(
            1 + sum(total > totals[who] for total in still.values()),
            len(totals) - sum(total < totals[who] for total in still.values()),
            is_exact=False,
        )
        for who in totals
    }
