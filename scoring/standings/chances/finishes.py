"""Thousands of finishes of a tournament, and how often each player reached what. [RULES 9.22]

Totals are whole numbers kept as floats below 2**53, so every comparison is exact; criteria that are no sums are asked only
where somebody is equal at the edge of a goal.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import add, itemgetter

from scoring.criteria import OPPONENTS_POINTS, Criterion
from scoring.regulation import Carry, SeatingMode, Stage
from scoring.seats import SEATS
from scoring.standings.book import Book, Player, Share
from scoring.standings.chances import lanes
from scoring.standings.chances.edges import Edges, Part, Pool, Total
from scoring.standings.chances.keys import Keys
from scoring.standings.chances.left import Goal, Outlook, SessionLeft, TableLeft
from scoring.standings.chances.outcomes import Form, Outcomes, Ways, form_of
from scoring.standings.ranking import rank
from scoring.standings.sessions import SeatFact
from scoring.standings.stages import begun_stages, book_of, standings

FINISHES = 10_000
CHUNK, TOGETHER = 1000, 5000
OUTCOMES = 24_000
"""So many ways for tables to end are made in all; a finish chooses one for every table."""
WORLDS = 10
"""Where seats are not known, so many draws of them share the finishes, as long as the event is small."""
SMALL = 200
SUMMED = 256
LOOKED_AT = 20
"""Of every so many finishes one is kept whole, for the places between which a player ends."""
ABOVE_ALL_TABLES = 1_000_000
MOST_PARTED = 2000
"""Equals at the edge of a goal are parted by the later criteria so many times; more would take too long, and share."""


@dataclass
class Finishes:
    """How often each player reached each goal, and the places between which most finishes left them."""

    count: int
    reached: dict[Goal, Counter[Player]] = field(default_factory=dict)
    places: dict[Player, list[int]] = field(default_factory=dict)

    def chance(self, player: Player, goal: Goal) -> float:
        """Return the share of finishes in which the player reached the goal."""
        return self.reached[goal][player] / self.count

    def between(self, player: Player) -> tuple[int, int]:
        """Return the places that nine of ten finishes lie between."""
        seen = sorted(self.places[player])
        return seen[len(seen) // 20], seen[-1 - len(seen) // 20]


def simulate(outlook: Outlook, *, seed: str, finishes: int = FINISHES) -> Finishes | None:
    """Finish the tournament many times; nothing where there is no result yet or nothing left to play."""
    form = form_of(outlook)
    if form is None or not outlook.left:
        return None
    chance = random.Random(seed)
    cast = cast_of(outlook)
    first, later = _phases(outlook)
    unknown = sum(1 for session in first if not session.tables)
    worlds = WORLDS if unknown and len(cast.inside) * len(first) <= SMALL else 1
    if not _sums(outlook):
        finishes = min(finishes, 500)
    found = Finishes(0, {goal: Counter() for goal in outlook.goals}, {})
    for _ in range(worlds):
        world = _World(outlook, cast, form, chance, first, later, worlds)
        world.play(finishes // worlds, found)
    return found


def _sums(outlook: Outlook) -> bool:
    return outlook.event.regulation.ranking[0].adds is not None


@dataclass(frozen=True)
class Cast:
    """The book so far, the numbers of those who may still take each other's places, and the places of all others."""

    book: Book
    inside: tuple[int, ...]
    fixed: Mapping[Player, int]


def cast_of(outlook: Outlook) -> Cast:
    """Tell those who play in the stage that has begun from those whose place was fixed by its cut. [RULES 9.7]"""
    event = outlook.event
    rows = standings(event)
    seated = {seat.player for left in outlook.left for table in left.tables for seat in table.seats}
    seated |= {seat.kept_for for left in outlook.left for table in left.tables for seat in table.seats}
    stages = begun_stages(event)
    last = len(stages) + 1 if stages else 0
    ranked = [row for row in rows if row.place is not None]
    through = {row.player for row in ranked if row.stage == last or row.player in seated}
    number = {entrant.player: at for at, entrant in enumerate(event.entrants)}
    outside = [row for row in ranked if row.player not in through]
    fixed = {
        row.player: len(through) + 1 + sum(1 for other in outside if (other.place or 0) < (row.place or 0))
        for row in outside
    }
    return Cast(book_of(event), tuple(number[row.player] for row in ranked if row.player in through), fixed)


def _phases(outlook: Outlook) -> tuple[list[SessionLeft], list[tuple[Stage, list[SessionLeft]]]]:
    """Part what is left at the cuts to come: who does not pass one plays no further. [RULES 9.7]"""
    begun = begun_stages(outlook.event)
    ahead = [stage for stage in outlook.event.regulation.stages if stage not in begun]
    cuts = [stage for stage in ahead if stage.cut]
    edge = cuts[0].from_session if cuts else None
    first = [one for one in outlook.left if edge is None or one.number < edge]
    later = []
    for at, stage in enumerate(cuts):
        until = cuts[at + 1].from_session if at + 1 < len(cuts) else None
        mine = [
            one
            for one in outlook.left
            if one.number >= stage.from_session and (until is None or one.number < until)
        ]
        later.append((stage, mine))
    return first, later


class _World:
    """One drawing of the seats that are not known, with as many finishes as it is asked for."""

    def __init__(
        self,
        outlook: Outlook,
        cast: Cast,
        form: Form,
        chance: random.Random,
        first: Sequence[SessionLeft],
        later: Sequence[tuple[Stage, list[SessionLeft]]],
        worlds: int,
    ) -> None:
        """Make the ways for tables to end, and number everybody from the likely first to the likely last."""
        self.outlook, self.cast, self.form, self.chance, self.later = outlook, cast, form, chance, later
        self.players = {at: cast.book.entrants[at].player for at in cast.inside}
        self.seated = [(session, self._tables(session)) for session in first]
        count = sum(len(tables) for _, tables in self.seated) * worlds
        ways = 24 * max(2, min(170, OUTCOMES // max(1, count) // 24))
        raw = [[self._outcomes(session, table, ways) for table in tables] for session, tables in self.seated]
        self.keys = self._keys(raw, first, later)
        self.further = self._further()
        self.base = {at: float(self.keys.base(at)) for at in cast.inside}
        self.pools = self._pooled(raw)
        self.order = self._expected()
        self._add_base()
        self.pools_of: dict[int, list[tuple[int, Pool, Ways]]] = {}
        for source, pool in enumerate(self.pools, start=ABOVE_ALL_TABLES):
            if pool.ways:
                for at, _ in pool.adds:
                    self.pools_of.setdefault(at, []).append((source, pool, pool.ways))
        self.ruler, self.totals = self._measured()
        self.finals = self._finals()
        self.parted = 0
        self.seen: list[Sequence[int]] = []

    def _tables(self, session: SessionLeft) -> list[TableLeft]:
        """Return the tables of a session; where seats are not known, draw them. [RULES 1.3]"""
        if session.tables:
            return list(session.tables)
        size = session.regulation.table_size
        playing = [who for who in self.players.values() if who in self.outlook.plays] or list(
            self.players.values()
        )
        if session.regulation.seating is not SeatingMode.SWISS:
            self.chance.shuffle(playing)
        rows = [playing[at : at + size] for at in range(0, len(playing), size)]
        if rows and not session.may_play(len(rows[-1])):
            rows += [[one] for one in rows.pop()]
        return [
            TableLeft(number, tuple(SeatFact(seat, who) for seat, who in zip(SEATS, row, strict=False)))
            for number, row in enumerate(rows, start=1)
        ]

    def _outcomes(self, session: SessionLeft, table: TableLeft, ways: int) -> Ways:
        """Make the ways for a table to end; where they are few some count twice, so that a byte chooses one."""
        maker = Outcomes(self.outlook, session, self.form, self.cast.book.scale, self.chance)
        made = maker.of(table, ways)
        if made.count < SUMMED:
            made.numbers = [*made.numbers, *self.chance.choices(made.numbers, k=SUMMED - made.count)]
        return made

    def _keys(
        self,
        raw: Sequence[Sequence[Ways]],
        first: Sequence[SessionLeft],
        later: Sequence[tuple[Stage, list[SessionLeft]]],
    ) -> Keys:
        """Weigh the criteria for all that may come."""
        columns = [pair for tables in raw for ways in tables for pair in ways.columns.items()]
        book = self.cast.book
        games = [sum(1 for share in shares if share.place is not None) for shares in book.shares]
        number = {entrant.player: at for at, entrant in enumerate(book.entrants)}
        for player, column in columns:
            games[number[player]] += column.shares[0].place is not None
        sessions = len(first) + sum(len(mine) for _, mine in later)
        most = max((max(max(column.points), -min(column.points)) for _, column in columns), default=0)
        shares: dict[int, Share] = {}
        for _, column in columns:
            shares.update(zip(map(id, column.shares), column.shares, strict=True))
        return Keys(self.outlook.event.regulation.ranking, book, games, most, shares.values(), sessions)

    def _further(self) -> tuple[Criterion, ...]:
        """Return the criteria that part equals; the points of opponents are those of everybody, and end the list."""
        rest = self.outlook.event.regulation.ranking[len(self.keys.used) :]
        at = rest.index(OPPONENTS_POINTS) if OPPONENTS_POINTS in rest else len(rest)
        return tuple(rest[:at])

    def _pooled(self, raw: Sequence[Sequence[Ways]]) -> list[Pool]:
        """Turn outcomes into numbers; in large events what comes after the next session is added up before."""
        number = {player: at for at, player in self.players.items()}
        is_large = len(self.players) * len(raw) > 3 * SMALL
        pools = [self._pool(ways, number) for tables in raw[: 1 if is_large else None] for ways in tables]
        if is_large and len(raw) > 1:
            rest: dict[int, list[float]] = {}
            for tables in raw[1:]:
                for ways in tables:
                    for at, adds in self._pool(ways, number).adds:
                        drawn = self.chance.choices(adds, k=SUMMED)
                        rest[at] = list(map(add, rest[at], drawn)) if at in rest else drawn
            pools += [Pool(None, [(at, adds)]) for at, adds in rest.items()]
        return pools

    def _pool(self, ways: Ways, number: Mapping[Player, int]) -> Pool:
        """Weigh what the ways bring."""
        by_point, drawn = self.keys.by_point, itemgetter(*ways.numbers)
        adds = []
        for player, (points, shares) in ways.columns.items():
            at = number.get(player)
            if at is None:
                continue
            which = list(map(id, shares))
            worth = {
                key: self.keys.of_share(at, share)
                for key, share in dict(zip(which, shares, strict=True)).items()
            }
            brought = [
                float(point * by_point + more)
                for point, more in zip(points, map(worth.__getitem__, which), strict=True)
            ]
            adds.append((at, list(drawn(brought))))
        return Pool(ways, adds)

    def _expected(self) -> list[int]:
        """Order everybody by what the ways promise on average: what is nearly sorted is sorted fast."""
        promise = dict(self.base)
        for pool in self.pools:
            for at, adds in pool.adds:
                promise[at] += sum(adds) / len(adds)
        return sorted(promise, key=promise.__getitem__, reverse=True)

    def _add_base(self) -> None:
        """Let the first table of each player bring what is there already."""
        for pool in self.pools:
            for place, (at, adds) in enumerate(pool.adds):
                if at in self.base:
                    pool.adds[place] = (at, list(map(self.base.pop(at).__add__, adds)))

    def _measured(self) -> tuple[lanes.Ruler, list[Total]]:
        """Measure everybody's total by one ruler."""
        parts: dict[int, list[tuple[Pool, list[float]]]] = {at: [] for at in self.order}
        for pool in self.pools:
            for at, adds in pool.adds:
                parts[at].append((pool, adds))
        stands = [self.base.get(at, 0.0) for at in self.order]
        least = [
            has + sum(min(adds) for _, adds in parts[at]) for at, has in zip(self.order, stands, strict=True)
        ]
        most = [
            has + sum(max(adds) for _, adds in parts[at]) for at, has in zip(self.order, stands, strict=True)
        ]
        ruler = lanes.ruler(
            min(least, default=0.0), max(most, default=0.0), max(map(len, parts.values()), default=0)
        )
        totals = []
        for at, has, low in zip(self.order, stands, least, strict=True):
            mine = [Part(pool, adds, lanes.table_of(adds, ruler.step)) for pool, adds in parts[at]]
            steps = ruler.steps(low)
            totals.append(Total(has, mine, steps, steps + sum(part.table.most for part in mine)))
        return ruler, totals

    def _finals(self) -> list[tuple[Stage, dict[int, list[float]]]]:
        """For each cut to come, what the sessions after it may bring whoever can pass it."""
        found = []
        for stage, sessions in self.later:
            likely = self.order[: 4 * (stage.cut or 0) + 16]
            brings: dict[int, list[float]] = {at: [0.0] * SUMMED for at in likely}
            for session in sessions:
                for at in likely:
                    adds = self._alone(session, at)
                    brings[at] = list(map(add, brings[at], self.chance.choices(adds, k=SUMMED)))
            found.append((stage, brings))
        return found

    def _alone(self, session: SessionLeft, at: int) -> list[float]:
        """Return what a session may bring a player against people of usual strength."""
        size = session.regulation.table_size
        others = [object() for _ in range(size - 1)]
        seats = tuple(
            SeatFact(seat, who) for seat, who in zip(SEATS, [self.players[at], *others], strict=False)
        )
        maker = Outcomes(self.outlook, session, self.form, self.cast.book.scale, self.chance)
        pool = self._pool(maker.of(TableLeft(0, seats), 72), {self.players[at]: at})
        return pool.adds[0][1]

    # Playing

    def play(self, finishes: int, found: Finishes) -> None:
        """Finish the tournament so many times and count."""
        together = CHUNK if self.finals else TOGETHER
        for begun in range(0, finishes, together):
            count = min(together, finishes - begun)
            self._choose(count)
            counted = self._one_by_one(count, found) if self.finals else self._together(count, found)
            for goal, reached in counted.items():
                for who, times in (+reached).items():
                    found.reached[goal][self.players[self.order[who]]] += times
                for player, place in self.cast.fixed.items():
                    found.reached[goal][player] += count * (place <= self.outlook.goals[goal])
            found.count += count
        for who, seen in enumerate(zip(*self.seen, strict=True)):
            found.places.setdefault(self.players[self.order[who]], []).extend(seen)

    def _choose(self, count: int) -> None:
        """Choose how each table ends in so many finishes."""
        drawn: list[list[Sequence[int]]] = [[] for _ in self.pools]
        for begun in range(0, count, CHUNK):
            for pool, chunks in zip(self.pools, drawn, strict=True):
                ways = len(pool.adds[0][1]) if pool.adds else 1
                chunks.append(self._choices(ways, min(CHUNK, count - begun)))
        for pool, chunks in zip(self.pools, drawn, strict=True):
            if all(isinstance(chunk, bytes) for chunk in chunks):
                pool.chosen = b"".join(map(bytes, chunks))
            else:
                pool.chosen = list(chain(*chunks))

    def _choices(self, ways: int, count: int) -> Sequence[int]:
        if ways == 256:
            return self.chance.randbytes(count)
        return self.chance.choices(range(ways), k=count)

    def _together(self, count: int, found: Finishes) -> dict[Goal, Counter[int]]:
        """Count who reached what in many finishes at once: only those near the edge of a goal are looked at. [RULES 1.7]"""
        looked_at = range(0, count, LOOKED_AT)
        whole = [
            self._look(totals, found)
            for totals in zip(*(total.at(looked_at) for total in self.totals), strict=True)
        ]
        edges = Edges(self.ruler, self.totals, count, whole).reached(self.outlook.goals.values())
        reached = {
            goal: edges[last]._replace(times=edges[last].times.copy())
            for goal, last in self.outlook.goals.items()
        }
        tied = sorted((at, order) for order, one in enumerate(reached.values()) for at in one.ties)
        for at, order in tied:
            goal = list(reached)[order]
            above, equals = reached[goal].ties[at]
            reached[goal].times.subtract(self._beyond(at, above, equals, self.outlook.goals[goal]))
        return {goal: one.times for goal, one in reached.items()}

    def _beyond(self, at: int, above: int, equals: Sequence[int], last: int) -> list[int]:
        """Return which equals at the edge of a place a later criterion keeps from it; else they share."""
        if not self.further or self.finals or self.parted >= MOST_PARTED:
            return []
        self.parted += 1
        rows = rank(self._book(at, equals), self.further)
        return [equals[int(str(row.player))] for row in rows if not row.place or above + row.place > last]

    def _one_by_one(self, count: int, found: Finishes) -> dict[Goal, Counter[int]]:
        """Count finish by finish, as a cut is ahead: whoever passes it plays on. [RULES 9.7]"""
        counted: dict[Goal, Counter[int]] = {goal: Counter() for goal in self.outlook.goals}
        columns = [total.at(range(count)) for total in self.totals]
        for at, begun in enumerate(zip(*columns, strict=True)):
            order = sorted(range(len(begun)), key=begun.__getitem__, reverse=True)
            order, totals = self._play_on(order, begun)
            for goal, last in self.outlook.goals.items():
                edge = totals[order[min(last, len(order)) - 1]]
                counted[goal].update(
                    order[:last]
                    if last >= len(order) or totals[order[last]] != edge
                    else [who for who in order if totals[who] >= edge]
                )
            if at % LOOKED_AT == 0:
                self._look(begun, found)
        return counted

    def _book(self, at: int, equals: Sequence[int]) -> Book:
        """Write the book of some players as this finish left it; of sessions far ahead only sums are known."""
        old = self.cast.book
        numbers = [self.order[who] for who in equals]
        entrants = [
            old.entrants[number].__class__(str(place), True, old.entrants[number].lot)
            for place, number in enumerate(numbers)
        ]
        book = Book(entrants, old.scale, old.unit)
        local = {self.players[number]: place for place, number in enumerate(numbers)}
        for place, number in enumerate(numbers):
            book.games[place], book.shares[place] = list(old.games[number]), list(old.shares[number])
            book.tables[place], book.seats[place] = list(old.tables[number]), list(old.seats[number])
        for place, number in enumerate(numbers):
            for source, pool, ways in self.pools_of.get(number, ()):
                way = ways.outcome(ways.numbers[pool.chosen[at]])
                for player, points, share in way.rows:
                    if local.get(player) == place:
                        book.games[place].append(points)
                        book.shares[place].append(share)
                for player, share in way.seats:
                    if local.get(player) == place:
                        book.tables[place].append(source)
                        book.seats[place].append(share)
        return book

    def _play_on(self, order: list[int], totals: Sequence[float]) -> tuple[list[int], Sequence[float]]:
        """Let those who pass each cut play on; everybody else stays as they stood there. [RULES 9.7]"""
        now = list(totals)
        for stage, brings in self.finals:
            cut = stage.cut or 0
            if cut >= len(order):
                continue
            edge = now[order[cut - 1]]
            passing = [who for who in order if now[who] >= edge] if now[order[cut]] == edge else order[:cut]
            for who in passing:
                more = brings.get(self.order[who])
                now[who] = _carried(now[who], stage.carry) + (
                    more[self.chance.getrandbits(8)] if more else 0.0
                )
            passing = sorted(passing, key=now.__getitem__, reverse=True)
            rest = order[len(passing) :]
            lift = max(now[who] for who in rest) - min(now[who] for who in passing) + 1 if rest else 0.0
            for who in passing:
                now[who] += max(lift, 0.0)
            order = [*passing, *rest]
        return order, now

    def _look(self, totals: Sequence[float], found: Finishes) -> list[float]:
        """Note the place of everybody in one finish, and return the totals in ascending order."""
        if self.finals:
            order = sorted(range(len(totals)), key=totals.__getitem__, reverse=True)
            _, totals = self._play_on(order, totals)
        ordered = sorted(totals)
        place = dict(zip(ordered, range(len(ordered), 0, -1), strict=True))
        self.seen.append(list(map(place.__getitem__, totals)))
        for player, fixed in self.cast.fixed.items():
            found.places.setdefault(player, []).append(fixed)
        return ordered


def _carried(total: float, carry: Carry) -> float:
    return {Carry.FULL: total, Carry.HALF: total / 2, Carry.NONE: 0.0}[carry]
