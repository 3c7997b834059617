"""Starting winds: balanced for everybody at every moment, or drawn by lot."""

from collections.abc import Callable, Mapping, Sequence

from seating.rules.chance import limits
from seating.rules.stream import Dice

Rounds = list[list[list[int]]]
Seated = list[list[list[int | None]]]

STAGES = 24
_CHAINS_TRIED = 60


def balanced_winds(
    rounds: Rounds,
    size: int,
    *,
    history: Mapping[int, Sequence[int]] | None = None,
    pinned: Mapping[tuple[int, int], int] | None = None,
    dice: Dice | None = None,
) -> Seated:
    """Seat every table so that each player has every wind once in each run of as many own games as winds.

    Players are split into copies of `size` consecutive own games. Copies and tables form a bipartite graph
    with at most `size` edges at a node, so König's theorem colours its edges with `size` winds: a table gives
    each wind once, a copy takes each wind at most once. Whole runs hold every wind once and the last, unfinished
    run none twice: at every moment a player's winds differ by one at most. Winds already had in an unfinished
    run and locked seats are edges whose colour is wanted; they get it as far as the tables allow. [SBR 2.4.6]
    """
    colouring = _Colouring(size)
    numbers, wanted = _edges(colouring, rounds, size, history or {}, pinned or {})
    if wanted:
        colouring.fulfil(wanted, dice or Dice("0", "winds"))
    return [
        [
            _ordered(table, [colouring.colour[number] for number in edges], size)
            for table, edges in zip(tables, row, strict=True)
        ]
        for tables, row in zip(rounds, numbers, strict=True)
    ]


def _edges(
    colouring: "_Colouring",
    rounds: Rounds,
    size: int,
    past: Mapping[int, Sequence[int]],
    pinned: Mapping[tuple[int, int], int],
) -> tuple[list[list[list[int]]], dict[int, int]]:
    """Add an edge for every seat; return their numbers by round, table and player, and the winds that some must have."""
    wanted: dict[int, int] = {}
    for player, row in past.items():
        for wind in dict.fromkeys(row[len(row) - len(row) % size :]):
            wanted[colouring.add((player, len(row) // size), ("past", player, wind))] = wind
    games = {player: len(row) for player, row in past.items()}
    numbers: list[list[list[int]]] = []
    for r, tables in enumerate(rounds):
        numbers.append([])
        for t, table in enumerate(tables):
            numbers[r].append([])
            for player in table:
                game = games.get(player, 0)
                games[player] = game + 1
                number = colouring.add((player, game // size), (r, t))
                numbers[r][t].append(number)
                if (r, player) in pinned:
                    wanted[number] = pinned[r, player]
    return numbers, wanted


def _ordered(table: Sequence[int], winds: Sequence[int], size: int) -> list[int | None]:
    seats: list[int | None] = [None] * size
    for player, wind in zip(table, winds, strict=True):
        seats[wind] = player
    return seats


class _Colouring:
    """A bipartite graph whose edges are coloured so that equal colours never meet."""

    def __init__(self, colours: int) -> None:
        self.colours = colours
        self.edges: list[tuple[tuple[int, object], tuple[int, object]]] = []
        self.colour: list[int] = []
        self.at: dict[tuple[int, object], list[int]] = {}

    def add(self, left: object, right: object) -> int:
        """Add an edge and return its number, changing an alternating path where no colour is free at both ends."""
        number, ends = len(self.edges), ((0, left), (1, right))
        free = [self.at.setdefault(end, [-1] * self.colours) for end in ends]
        both = (colour for colour in range(self.colours) if free[0][colour] == free[1][colour] == -1)
        one = next(both, -1)
        if one < 0:
            one, other = free[0].index(-1), free[1].index(-1)
            self._exchange(self._path(ends[1], one, other), one, other)
        self.edges.append(ends)
        self.colour.append(one)
        for node in free:
            node[one] = number
        return number

    def _path(self, end: tuple[int, object], one: int, other: int) -> list[int]:
        """Follow edges of two colours in turn from an end, beginning with the first, until the path ends or closes."""
        path: list[int] = []
        while (number := self.at[end][one]) != -1 and number not in path[:1]:
            path.append(number)
            ends = self.edges[number]
            end = ends[1] if ends[0] == end else ends[0]
            one, other = other, one
        return path

    def _exchange(self, path: Sequence[int], one: int, other: int) -> None:
        for number in path:
            for end in self.edges[number]:
                if self.at[end][self.colour[number]] == number:
                    self.at[end][self.colour[number]] = -1
        for number in path:
            self.colour[number] = one + other - self.colour[number]
        for number in path:
            for end in self.edges[number]:
                self.at[end][self.colour[number]] = number

    def _chain(self, number: int, other: int) -> list[int]:
        """Return all edges that change when one edge takes another colour."""
        one = self.colour[number]
        left, right = self.edges[number]
        forth = self._path(left, one, other)
        back = self._path(right, one, other)
        return list(dict.fromkeys([*forth, *back]))

    def fulfil(self, wanted: Mapping[int, int], dice: Dice) -> None:
        """Exchange colours along chains until edges have the colours wanted for them, where that is possible."""
        unmet = [number for number, colour in wanted.items() if self.colour[number] != colour]
        throws: list[int] = []
        for _ in range(_CHAINS_TRIED * len(wanted)):
            if not unmet:
                return
            throws = throws or dice.throw()
            throw = throws.pop()
            number = unmet[throw % len(unmet)]
            by_chance = throw // len(unmet) % 16
            other = wanted[number] if by_chance > 1 else throw // (16 * len(unmet)) % self.colours
            one = self.colour[number]
            if other == one:
                continue
            chain = self._chain(number, other)
            touched = [edge for edge in chain if edge in wanted]
            lost = sum(self.colour[edge] == wanted[edge] for edge in touched)
            won = sum(one + other - self.colour[edge] == wanted[edge] for edge in touched)
            if won < lost or (won == lost and by_chance < 8 and len(wanted) > 1 and won):
                continue
            self._exchange(chain, one, other)
            unmet = [edge for edge, colour in wanted.items() if self.colour[edge] != colour]


def uneven_moments(winds: Sequence[int], size: int) -> int:
    """Count the moments at which some wind came two or more times oftener than another."""
    counts = [0] * size
    moments = 0
    for wind in winds:
        counts[wind] += 1
        moments += max(counts) - min(counts) > 1
    return moments


def rebalanced_winds(
    seated: Seated,
    size: int,
    dice: Dice,
    tries: int,
    *,
    history: Mapping[int, Sequence[int]],
    pinned: Mapping[tuple[int, int], int],
    steps: Callable[[int], None] = lambda done: None,
) -> Seated:
    """Keep earlier winds and locked seats, and exchange the other winds until all are as even as can be."""
    hall = _Hall(seated, size, history, pinned)
    for stage in range(STAGES):
        if hall.cost == 0 or not hall.free:
            break
        warmth = 5 - 4 * stage // (STAGES - 1)
        limit = limits((warmth, 1), largest=80)
        done = 0
        while done * STAGES < tries and hall.cost:
            throws = dice.throw()
            hall.swaps(throws, limit)
            done += len(throws) // 2
        steps(done)
    return hall.kept


class _Hall:
    """All tables with their winds, and what each player's row of winds costs."""

    def __init__(
        self,
        seated: Seated,
        size: int,
        history: Mapping[int, Sequence[int]],
        pinned: Mapping[tuple[int, int], int],
    ) -> None:
        self.size = size
        self.seated = [[_pinned(table, r, pinned) for table in tables] for r, tables in enumerate(seated)]
        players = {p for tables in seated for table in tables for p in table if p is not None}
        self.winds: dict[int, list[int]] = {player: list(history.get(player, ())) for player in players}
        self.games: dict[tuple[int, int], int] = {}
        for r, tables in enumerate(self.seated):
            for table in tables:
                for wind, player in enumerate(table):
                    if player is not None:
                        self.games[r, player] = len(self.winds[player])
                        self.winds[player].append(wind)
        self.free = [
            (r, table, movable)
            for r, tables in enumerate(self.seated)
            for table in tables
            if len(movable := [w for w, p in enumerate(table) if p is None or (r, p) not in pinned]) > 1
        ]
        least = {player: self._unavoidable(history.get(player, ())) for player in players}
        self.prices = {player: self._price(player) - least[player] for player in players}
        self.least = least
        self.cost = self.best = sum(self.prices.values())
        self.kept = self._copy()

    def _copy(self) -> Seated:
        return [[list(table) for table in tables] for tables in self.seated]

    def _unavoidable(self, past: Sequence[int]) -> int:
        return 10 * uneven_moments(past, self.size)

    def _price(self, player: int) -> int:
        """Return what a row of winds costs: first the moments when it is uneven, then what is uneven at the end."""
        winds = self.winds[player]
        counts = [winds.count(wind) for wind in range(self.size)]
        even = max(counts) - min(counts) - 1
        return 10 * uneven_moments(winds, self.size) + (5 * even if even > 0 else 0)

    def swaps(self, throws: list[int], limit: list[int]) -> None:
        """Try a handful of exchanges of two seats at one table."""
        ways = len(self.free)
        for throw, chance in zip(throws[::2], throws[1::2], strict=True):
            r, table, movable = self.free[throw % ways]
            throw //= ways
            one = movable[throw % len(movable)]
            other = movable[throw // len(movable) % len(movable)]
            moving = [p for p in (table[one], table[other]) if p is not None]
            if one == other or not any(self.prices[player] for player in moving):
                continue
            before = sum(self.prices[player] for player in moving)
            self._exchange(r, table, one, other)
            after = {player: self._price(player) - self.least[player] for player in moving}
            change = sum(after.values()) - before
            if change <= 0 or (change < len(limit) and chance < limit[change]):
                self.prices.update(after)
                self.cost += change
                if self.cost < self.best:
                    self.best, self.kept = self.cost, self._copy()
                    if not self.cost:
                        return
            else:
                self._exchange(r, table, one, other)

    def _exchange(self, r: int, table: list[int | None], one: int, other: int) -> None:
        table[one], table[other] = table[other], table[one]
        for wind in (one, other):
            player = table[wind]
            if player is not None:
                self.winds[player][self.games[r, player]] = wind


def _pinned(table: Sequence[int | None], r: int, pinned: Mapping[tuple[int, int], int]) -> list[int | None]:
    """Put those with a locked seat on it; whoever sat there takes the seat that becomes free."""
    seats = list(table)
    for player in table:
        if player is not None and (r, player) in pinned:
            here, there = seats.index(player), pinned[r, player]
            seats[here], seats[there] = seats[there], seats[here]
    return seats
