"""Seating by standing: neighbours in the table meet, and nobody meets the same people again and again."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from itertools import combinations, permutations

from scoring.problems import Problem, Refusal, gettext_noop
from seating.rules import checks
from seating.rules.chance import climbs, cooling
from seating.rules.plan import Id, Label, Round, hall, meetings
from seating.rules.progress import Meter, Report, Steps
from seating.rules.quality import Measure, Remark, wind_rows
from seating.rules.stream import Dice, Stream

METHOD = "four-winds-swiss/1"

GROUP = 60
GROUP_AT_FIRST = 10_000
"""What a meeting within a group costs where there are no standings yet: more than all winds and repeats together."""
APART = 100_000
WIND = 5
REACH = 24
STAGES = 32
HOTTEST, COLDEST = 500, 7
TRIES = 300_000
TRIES_FOR_EACH = 2_000
MOST_TRIES = 1_500_000
CANDIDATES = 16
SMALL_FIELD, SMALL_FIELD_RELIEF = 96, 50
WIDE = 2
"""A table is wide, and says why, when its places lie apart by so many tables."""
_AGAIN = (0, 1, 3, 6, 7)


class Mode(StrEnum):
    """How much a repeated meeting counts against the distance in the standings."""

    BALANCED = "balanced"
    NO_REPEATS = "no_repeats"
    STRICT = "strict"


REPEAT_WEIGHTS: Mapping[Mode, int] = {Mode.BALANCED: 40, Mode.NO_REPEATS: 200, Mode.STRICT: 0}


@dataclass(frozen=True)
class Placed:
    """A registration in the standings. The person is who sits for it this time, when it is a substitute.

    Where there are no standings yet, and for a substitute who fills a table, the rank only orders; it is no place.
    """

    id: Id
    rank: int
    group: Label | None = None
    person: Id | None = None
    has_place: bool = True

    @property
    def sits(self) -> Id:
        """Name who takes the seat: meetings and winds are theirs, the standing is the registration's."""
        return self.id if self.person is None else self.person


@dataclass(frozen=True)
class SwissRequest:
    """Everything the tables of one session depend on; standings hold those to be seated, best first.

    Where `has_standings` is false nobody has a place yet: their order means nothing, and groups are apart before all else.
    """

    standings: Sequence[Placed]
    round: int
    mode: Mode = Mode.BALANCED
    table_size: int = 4
    seed: str = "0"
    history: Sequence[Round] = ()
    was_short: Sequence[Id] = ()
    apart: Sequence[tuple[Id, Id]] = ()
    repeat_weight: int | None = None
    incomplete_tables: bool = True
    has_standings: bool = True

    @property
    def weight(self) -> int:
        """Return the price of a repeated meeting in ranks: the mode's, unless set by the slider."""
        if self.repeat_weight is not None:
            return self.repeat_weight
        return REPEAT_WEIGHTS[self.mode] + self._by_size

    @property
    def _by_size(self) -> int:
        """Return the price of a repeat by the number of players: a large field can avoid repeats more easily."""
        people = len(self.standings)
        if self.mode is Mode.BALANCED:
            return min(4, max(0, people - 32) // 16)
        return -SMALL_FIELD_RELIEF if self.mode is Mode.NO_REPEATS and people <= SMALL_FIELD else 0


@dataclass(frozen=True)
class SwissRound:
    """Tables by standing, the best first, each with its reasons; and who has no game."""

    tables: tuple[tuple[Id | None, ...], ...]
    off: tuple[Id, ...]
    remarks: tuple[tuple[Remark, ...], ...]
    cost: int
    method: str = METHOD
    order: tuple[Id, ...] = field(default=())


def swiss_round(
    request: SwissRequest,
    *,
    progress: Report | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> SwissRound:
    """Seat those present by standing; a gap moves to the last table. [RULES 1.3] [SBR 3.1.3]"""
    if problems := check_swiss(request):
        raise Refusal(*problems)
    tries = min(_tries(request), MOST_TRIES)
    meter = Meter(tries, progress, is_cancelled)
    ordered = by_standing(request)
    field_of_play = _Field(request, ordered)
    playing, last, off = field_of_play.split()
    tables = field_of_play.tables(playing, tries, meter)
    if last:
        tables.append(last)
    seated = [field_of_play.winds(table) for table in tables]
    meter.finish()
    return SwissRound(
        tuple(tuple(None if p is None else ordered[p].id for p in table) for table in seated),
        tuple(ordered[p].id for p in off),
        tuple(field_of_play.reasons(table) for table in tables),
        field_of_play.cost(tables),
        order=tuple(placed.id for placed in ordered),
    )


def _tries(request: SwissRequest) -> int:
    """Return how long to search: longer where no repeat is allowed, since that is harder to find."""
    tries = TRIES + TRIES_FOR_EACH * len(request.standings)
    return tries * 8 // 5 if request.mode is Mode.NO_REPEATS else tries


def by_standing(request: SwissRequest) -> list[Placed]:
    """Order those present by rank; lots from the seed decide among equals. [SBR 2.4.1]"""
    lots = Stream(f"{request.seed}/lots/{request.round}").shuffled(request.standings)
    return sorted(lots, key=lambda placed: placed.rank)


class _Field:
    """Those present, in order of standing, with the price of seating any two together."""

    def __init__(self, request: SwissRequest, ordered: Sequence[Placed]) -> None:
        self.request = request
        self.ordered = ordered
        place = {placed.sits: number for number, placed in enumerate(ordered)}
        self.sessions: dict[tuple[int, int], list[int]] = {}
        for session, a_round in enumerate(request.history, start=1):
            for pair in meetings([a_round]):
                if pair <= place.keys():
                    low, high = sorted(place[player] for player in pair)
                    self.sessions.setdefault((low, high), []).append(session)
        self.size = request.table_size
        rows = wind_rows(request.history)
        self.winds_had = [
            [rows.get(placed.sits, []).count(wind) for wind in range(self.size)] for placed in ordered
        ]
        self.masks = [
            sum(1 << wind for wind, had in enumerate(counts) if had == min(counts))
            for counts in self.winds_had
        ]
        self.extra = self._extra(place)

    def _extra(self, place: Mapping[Id, int]) -> dict[tuple[int, int], int]:
        """Return what two cost at one table beside their distance."""
        extra: Counter[tuple[int, int]] = Counter()
        for pair, sessions in self.sessions.items():
            extra[pair] += self.request.weight * again(len(sessions))
        groups: dict[Label, list[int]] = {}
        for number, placed in enumerate(self.ordered):
            if placed.group is not None:
                groups.setdefault(placed.group, []).append(number)
        if self.request.mode is not Mode.STRICT or not self.request.has_standings:
            for members in groups.values():
                for pair in combinations(members, 2):
                    extra[pair] += GROUP if self.request.has_standings else GROUP_AT_FIRST
        registered = {placed.id: number for number, placed in enumerate(self.ordered)}
        for one, other in self.request.apart:
            if one in registered and other in registered:
                low, high = sorted((registered[one], registered[other]))
                extra[low, high] += APART
        return dict(extra)

    def split(self) -> tuple[list[int], list[int], list[int]]:
        """Split the players into those who fill tables, the three at the last table, and those without a game.

        Short are the lowest in the standings who never were, and nobody is twice unless it cannot be avoided. Three who met
        before are replaced by the next above them. [SBR 3.1.3] [SBR 3.1.4]
        """
        room = hall(len(self.ordered), self.size)
        missing = room.off or (self.size - 1 if room.is_short else 0)
        times = Counter(self.request.was_short)
        had = [times[placed.id] for placed in self.ordered]
        from_below = sorted(range(len(had)), key=lambda place: (had[place], -place))
        short = sorted(from_below[:missing])
        if room.is_short:
            fewest = sum(had[place] for place in short)
            likely = [
                place for place in from_below[:CANDIDATES] if had[place] <= had[from_below[missing - 1]]
            ]
            trios = (trio for trio in combinations(likely, missing) if sum(had[p] for p in trio) == fewest)
            short = sorted(min((self._price_of_last(trio), trio) for trio in trios)[1])
        playing = [place for place in range(len(had)) if place not in set(short)]
        return (playing, short, []) if room.is_short else (playing, [], short)

    def _price_of_last(self, trio: tuple[int, ...]) -> int:
        """Price the last table: how far above the end its players stand, and whom they met."""
        met = sum(self.extra.get((min(pair), max(pair)), 0) for pair in combinations(trio, 2))
        above = sum(len(self.ordered) - place for place in trio)
        return met + above

    def tables(self, playing: Sequence[int], tries: int, steps: Steps) -> list[list[int]]:
        """Start with neighbours down the list and exchange players up to 24 places apart; without standings, any two."""
        start = [list(playing[i : i + self.size]) for i in range(0, len(playing), self.size)]
        if self.request.mode is Mode.STRICT and not self.request.apart and self.request.has_standings:
            return start
        search = _Search(self, playing, start)
        search.run(Dice(self.request.seed, f"swiss/{self.request.round}"), tries, steps)
        return sorted(search.kept, key=self._standing_of)

    def _standing_of(self, table: Sequence[int]) -> tuple[int, int, list[int]]:
        """Return the key that orders tables: by their ranks, and by lots where those are equal."""
        return sum(self.ordered[place].rank for place in table), sum(table), sorted(table)

    def price(self, one: int, other: int) -> int:
        """Return what it costs to put two people at one table."""
        low, high = (one, other) if one < other else (other, one)
        distance = high - low if self.request.has_standings else 0
        return distance + self.extra.get((low, high), 0)

    def cost(self, tables: Sequence[Sequence[int]]) -> int:
        """Return what all tables cost, winds included; a table of three has no cost for winds."""
        pairs = sum(self.price(a, b) for table in tables for a, b in combinations(table, 2))
        return pairs + WIND * sum(
            missed_winds(*(self.masks[p] for p in table)) for table in tables if len(table) == self.size
        )

    def winds(self, table: Sequence[int]) -> list[int | None]:
        """Choose among all orders the one in which least is taken above each player's rarest wind.

        Where three play, North is the empty seat. [SBR 3.1.3]
        """
        people = list(table)
        lots = Stream(f"{self.request.seed}/seats/{self.request.round}/{min(table)}").shuffled(people)

        def above(order: Sequence[int]) -> tuple[int, int]:
            excess = [
                self.winds_had[p][wind] - min(self.winds_had[p][: self.size]) for wind, p in enumerate(order)
            ]
            return max(excess), sum(value * value for value in excess)

        def total(order: Sequence[int]) -> int:
            return sum(
                (self.winds_had[p][wind] - min(self.winds_had[p])) ** 2 for wind, p in enumerate(order)
            )

        best = min(permutations(lots), key=lambda order: (total(order), above(order)))
        return [*best, *[None] * (self.size - len(best))]

    def span(self, table: Sequence[int]) -> int:
        """Return how far apart in the standings the first and the last of a table stand."""
        placed = [p for p in table if self.ordered[p].has_place]
        return max(placed) - min(placed) if placed else 0

    def reasons(self, table: Sequence[int]) -> tuple[Remark, ...]:
        """Explain a table: the places of its players, and who met before."""
        placed = [p for p in sorted(table) if self.ordered[p].has_place]
        ranks = ", ".join(str(self.ordered[p].rank) for p in placed)
        remarks = (
            [Remark("swiss_ranks", gettext_noop("Places %(ranks)s."), {"ranks": ranks})] if placed else []
        )
        for low, high in combinations(placed, 2):
            sessions = self.sessions.get((low, high))
            if sessions:
                remarks.append(
                    Remark(
                        "swiss_met",
                        gettext_noop("Places %(one)s and %(other)s met in session %(sessions)s."),
                        {
                            "one": self.ordered[low].rank,
                            "other": self.ordered[high].rank,
                            "sessions": ", ".join(map(str, sessions)),
                        },
                    )
                )
        span = self.span(table)
        if len(placed) == self.size and span >= WIDE * self.size:
            remarks.append(Remark("swiss_wide", WIDE_TABLE, {"span": span}))
        if len(table) < self.size:
            remarks.append(
                Remark("swiss_short", gettext_noop("The table is one player short; North stays empty."))
            )
        return tuple(remarks)


WIDE_TABLE = gettext_noop(
    "Places %(span)s apart: neighbours are of one club or group, or have met, and are kept apart."
)


def again(times: int) -> int:
    """Price the next meeting of two who have met so often."""
    return _AGAIN[times] if times < len(_AGAIN) else _AGAIN[-1] + times - len(_AGAIN) + 1


@cache
def missed_winds(*masks: int) -> int:
    """Count the seats of a table that cannot be given a wind their player has least."""
    best = 0
    for order in permutations(range(len(masks))):
        best = max(best, sum(masks[place] >> wind & 1 for wind, place in enumerate(order)))
    return len(masks) - best


class _MissedWinds(dict[int, int]):
    """Missed winds by the masks of a table written as one number, worked out when first asked."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def __missing__(self, key: int) -> int:
        masks = sorted(key >> 4 * place & 15 for place in range(self.size))
        self[key] = missed = missed_winds(*masks)
        return missed


class _Search:
    """Exchanges between tables, warm at first; costs are whole numbers."""

    def __init__(self, field_of_play: _Field, playing: Sequence[int], tables: list[list[int]]) -> None:
        self.size = field_of_play.size
        self.weight = field_of_play.request.weight
        self.playing = list(playing)
        people = len(field_of_play.ordered)
        has_standings = field_of_play.request.has_standings
        self.reach = REACH if has_standings else people
        self.price = [[abs(a - b) if has_standings else 0 for b in range(people)] for a in range(people)]
        for (a, b), extra in field_of_play.extra.items():
            self.price[a][b] += extra
            self.price[b][a] += extra
        self.masks = field_of_play.masks
        self.missed = _MissedWinds(self.size)
        self.rows = tables
        self.home: dict[int, list[int]] = {player: table for table in tables for player in table}
        self.cost = self.best = field_of_play.cost(tables)
        self.kept = [list(table) for table in tables]

    def run(self, dice: Dice, tries: int, steps: Steps) -> None:
        """Cool down from half the price of a repeat to less than one place."""
        if len(self.rows) < 2:
            return
        for tenths in cooling(self._hottest(), COLDEST, STAGES):
            uphill = climbs((tenths, 10))
            done = 0
            while done * STAGES < tries:
                throws = dice.throw()
                self._exchanges(throws, uphill)
                done += len(throws) // 2
            steps(done)

    def _hottest(self) -> int:
        """Begin, in tenths, at less than half the price of a repeat, but no hotter than what cools in time."""
        return max(20, min(self.weight * 4, HOTTEST))

    def _exchanges(self, throws: list[int], uphill: list[int]) -> None:
        playing, home, price, masks, missed = self.playing, self.home, self.price, self.masks, self.missed
        count = len(playing)
        reach = min(self.reach, count - 1)
        most_winds = 2 * WIND * self.size
        for throw, chance in zip(throws[::2], throws[1::2], strict=True):
            here = throw % count
            there = here + 1 + throw // count % reach
            if there >= count:
                continue
            a, b = playing[here], playing[there]
            table_a, table_b = home[a], home[b]
            if table_a is table_b:
                continue
            price_a, price_b = price[a], price[b]
            change = -2 * price_a[b]
            for x in table_a:
                change += price_b[x] - price_a[x]
            for x in table_b:
                change += price_a[x] - price_b[x]
            allowed = uphill[chance >> 22]
            if change > allowed + most_winds:
                continue
            before_a = before_b = after_a = after_b = 0
            for x in table_a:
                before_a = before_a << 4 | masks[x]
                after_a = after_a << 4 | masks[b if x == a else x]
            for x in table_b:
                before_b = before_b << 4 | masks[x]
                after_b = after_b << 4 | masks[a if x == b else x]
            change += WIND * (missed[after_a] + missed[after_b] - missed[before_a] - missed[before_b])
            if change <= allowed:
                table_a[table_a.index(a)], table_b[table_b.index(b)] = b, a
                home[a], home[b] = table_b, table_a
                self.cost += change
                if self.cost < self.best:
                    self.best = self.cost
                    self.kept = [list(table) for table in self.rows]


def check_swiss(request: SwissRequest) -> tuple[Problem, ...]:
    """Return everything that is wrong with a request for one session. [RULES 1.3]"""
    problems: list[Problem] = []
    if request.table_size not in checks.TABLE_SIZES:
        problems.append(
            Problem(
                "table_size",
                gettext_noop("Tables seat 2, 3 or 4 players, not %(size)s."),
                field="table_size",
                details={"size": request.table_size},
            )
        )
    elif len(request.standings) < request.table_size:
        problems.append(replace(checks.too_few(request.table_size), field="standings"))
    problems += checks.too_many(len(request.standings), field="standings")
    if not 1 <= request.round <= checks.MOST_ROUNDS:
        problems.append(
            Problem(
                "round_number",
                gettext_noop("Session %(round)s does not exist; sessions run from 1 to %(n)s."),
                field="round",
                details={"round": request.round, "n": checks.MOST_ROUNDS},
            )
        )
    if not 0 < len(request.seed) <= checks.SEED_LENGTH:
        problems.append(checks.seed_problem())
    problems += checks.twice([placed.id for placed in request.standings])
    problems += checks.with_themselves(request.apart)
    if not problems and not request.incomplete_tables:
        problems += checks.not_divisible(len(request.standings), request.table_size)
    for number, a_round in enumerate(request.history, start=1):
        problems += checks.check_round(a_round, number, request.table_size, smallest=0)
    if not problems and request.apart:
        present = [placed.sits for placed in request.standings]
        problems += checks.unpartable(
            request.apart, present, hall(len(present), request.table_size), request.round
        )
    return tuple(problems)


def swiss_reasons(
    request: SwissRequest, tables: Sequence[Sequence[Id | None]]
) -> tuple[tuple[Remark, ...], ...]:
    """Explain tables made or changed by hand."""
    ordered = by_standing(request)
    place = {placed.id: number for number, placed in enumerate(ordered)}
    field_of_play = _Field(request, ordered)
    return tuple(field_of_play.reasons([place[p] for p in table if p is not None]) for table in tables)


def swiss_span(request: SwissRequest, tables: Sequence[Sequence[Id | None]]) -> tuple[Measure, ...]:
    """Measure what clubs apart and new company cost: how far the places of the widest whole table lie apart. [RULES 1.3]

    Neighbours alone would lie one place less apart than they are at a table.
    """
    ordered = by_standing(request)
    place = {placed.id: number for number, placed in enumerate(ordered)}
    field_of_play = _Field(request, ordered)
    whole = [table for table in tables if None not in table and all(who in place for who in table)]
    spans = {
        tuple(table): field_of_play.span([place[who] for who in table if who is not None]) for table in whole
    }
    if not spans or not max(spans.values()):
        return ()
    widest = max(spans.values())
    affected = tuple(
        tuple(who for who in table if who is not None) for table, span in spans.items() if span == widest
    )
    bound = request.table_size - 1
    return (Measure("swiss_span", widest, bound, affected if widest > bound else ()),)
