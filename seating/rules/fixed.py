"""Plans for several sessions at once: who meets whom, at which table, on which wind, all as even as can be."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from scoring.problems import Problem, Refusal, gettext_noop
from seating.rules import bounds
from seating.rules.adapt import adapted, placed
from seating.rules.checks import check_request, hall_of, new_rounds
from seating.rules.classplan import class_plan
from seating.rules.matching import match_numbers
from seating.rules.meetings import SHORT_AGAIN, UNIT, Meetings, Rounds
from seating.rules.parted import parted
from seating.rules.people import people_on_numbers
from seating.rules.plan import LABELS, FixedRequest, Hall, Id, Lock, Round, meetings
from seating.rules.progress import Meter, Report, Steps
from seating.rules.quality import Quality, quality, shortness, wind_rows
from seating.rules.skeleton import Skeleton, skeleton
from seating.rules.stored import stored
from seating.rules.stream import Dice, Stream
from seating.rules.table_numbers import number_tables
from seating.rules.winds import Seated, balanced_winds, rebalanced_winds

FIRST_METHOD = "four-winds-fixed/1"
METHOD = "four-winds-fixed/2"
METHODS = frozenset({FIRST_METHOD, METHOD})
"""What was published by the first method is worked out by it again."""

WEIGHTS = {
    "team": 24 * UNIT,
    "club": 3 * UNIT,
    "group": 2 * UNIT,
    "region": 2 * UNIT - 2,
    "country": 2 * UNIT - 4,
}
APART = 30 * UNIT
MET_BEFORE = UNIT
PEOPLE_TRIES = 400_000
MEETING_TRIES = 1_600_000
TRIES_FOR_EACH = 40_000
TABLE_TRIES = 2_000_000
TABLE_TRIES_FOR_EACH = 50_000
WIND_TRIES = 300_000
PASSES = ((5, 1), (14, 1), (9, 4))
_ALL_STEPS = 3_000_000


@dataclass(frozen=True)
class FixedPlan:
    """All rounds, those that stood first, with how good they are."""

    rounds: tuple[Round, ...]
    quality: Quality
    method: str = METHOD


def fixed_plan(
    request: FixedRequest,
    *,
    method: str = METHOD,
    progress: Report | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> FixedPlan:
    """Plan all sessions; the same request gives the same plan anywhere. [RULES 1.3] [SBR 3.1.3]"""
    if problems := check_request(request):
        raise Refusal(*problems)
    meter = Meter(_ALL_STEPS, progress, is_cancelled)
    rounds = (*request.existing, *_Draft(request, meter, method).rounds())
    report = quality(
        rounds,
        request.players,
        table_size=request.table_size,
        standing=len(request.existing),
        apart=request.apart,
    )
    if request.no_repeats and report["repeats"].value:
        raise Refusal(_repeats_remain(report["repeats"].value))
    meter.finish()
    return FixedPlan(tuple(rounds), report, method)


def _repeats_remain(value: int) -> Problem:
    return Problem(
        "seating_impossible",
        gettext_noop(
            "No plan was found in which nobody meets twice; the best one repeats %(value)s meetings."
        ),
        field="rounds_wanted",
        details={"value": value},
    )


class _Draft:
    """One request on its way to a plan; people are numbered in the order in which they were given."""

    def __init__(self, request: FixedRequest, steps: Steps, method: str) -> None:
        self.request = request
        self.is_first = method == FIRST_METHOD
        self.steps = steps
        self.numbers = list(new_rounds(request))
        present = [set(request.present(number)) for number in self.numbers]
        self.players = [player for player in request.players if any(player.id in there for there in present)]
        self.ids: list[Id] = [player.id for player in self.players]
        self.place = {player: place for place, player in enumerate(self.ids)}
        self.present = [[self.place[p] for p in self.ids if p in there] for there in present]
        self.halls: list[Hall] = [hall_of(request, number) for number in self.numbers]
        self._tables_known = 0
        self.locks = [lock for lock in request.locks if lock.round in set(self.numbers)]

    def rounds(self) -> Iterator[Round]:
        """Go through all stages."""
        if not self.numbers:
            return
        plan = self._met()
        numbered = self._numbered([r[: hall.tables] for r, hall in zip(plan, self.halls, strict=True)])
        for there, seated in zip(self.present, self._seated(numbered), strict=True):
            playing = {player for table in seated for player in table}
            yield Round(
                tuple(tuple(None if p is None else self.ids[p] for p in table) for table in seated),
                tuple(self.ids[p] for p in there if p not in playing),
            )

    @cached_property
    def _before(self) -> dict[tuple[int, int], int]:
        """Return who met whom in the rounds that stand."""
        known = {}
        for pair, times in meetings(self.request.existing).items():
            if pair <= self.place.keys():
                one, other = sorted(self.place[player] for player in pair)
                known[one, other] = times
        return dict(sorted(known.items()))

    @cached_property
    def _short_before(self) -> dict[int, int]:
        short = shortness(self.request.existing, self.request.table_size)
        return {self.place[player]: times for player, times in short.items() if player in self.place}

    @cached_property
    def _labels(self) -> list[tuple[int, list[int]]]:
        """List the people of every label with the weight of a meeting among them."""
        members: dict[tuple[str, object], list[int]] = {}
        for place, player in enumerate(self.players):
            for kind in LABELS:
                label = player.label(kind)
                if label is not None:
                    members.setdefault((kind, label), []).append(place)
        return [(WEIGHTS[kind], people) for (kind, _), people in members.items() if len(people) > 1]

    @cached_property
    def _extra(self) -> dict[tuple[int, int], int]:
        """Return what a meeting of two costs because of who they are."""
        extra: Counter[tuple[int, int]] = Counter()
        for weight, people in self._labels:
            for pair in combinations(people, 2):
                extra[pair] += weight
        for one, other in self.request.apart:
            if one in self.place and other in self.place:
                low, high = sorted((self.place[one], self.place[other]))
                extra[low, high] += APART
        return dict(extra)

    def _met(self) -> Rounds:
        """Decide who sits with whom: take a known plan, put people on its numbers, then swap what is wrong."""
        known, people = self._numbers()
        rounds = self._fitted(known, people)
        content = self._content(known)
        target = max(self._least_cost(rounds), content)
        best = self._meetings(rounds)
        if best.cost > target:
            best = self._improved(rounds, best, target)
        if content and not self._places and best.cost <= content:
            self._tables_known = known.table_repeats
        nobody = len(self.ids)
        return [[[p for p in table if p != nobody] for table in tables] for tables in best.result()]

    def _improved(self, rounds: Rounds, start: Meetings, target: int) -> Meetings:
        """Swap from the start, gently and then boldly; while labels meet needlessly, once more at a higher price."""
        least_labels = self._least_labels(self._sketch(rounds))
        tries = min(MEETING_TRIES, TRIES_FOR_EACH * len(self.ids))
        best = start
        for warmth, price in PASSES:
            if best.cost <= target or (price > 1 and self._label_cost(best) <= least_labels):
                break
            trial = self._meetings(self._plain(best) if price > 1 else rounds, price)
            dice = Dice(self.request.seed, f"meetings/{warmth}")
            aim = target + (price - 1) * least_labels
            trial.improve(dice, tries, target=aim, hottest=warmth, steps=self.steps)
            trial = self._meetings(self._plain(trial)) if price > 1 else trial
            best = min(best, trial, key=lambda plan: (self._label_cost(plan), plan.cost))
        return best

    def _plain(self, plan: Meetings) -> Rounds:
        """Return the tables of a plan without nobody and without those left over."""
        return [
            [[p for p in table if p != plan.nobody] for table in tables[: hall.tables]]
            for tables, hall in zip(plan.result(), self.halls, strict=True)
        ]

    def _label_cost(self, plan: Meetings) -> int:
        """Return what the meetings of people who should be apart cost."""
        return sum(
            self._extra.get((a, b) if a < b else (b, a), 0)
            for tables in plan.result()
            for table in tables
            for a, b in combinations(table, 2)
        )

    def _meetings(self, rounds: Rounds, price: int = 1) -> Meetings:
        extra = {pair: price * weight for pair, weight in self._extra.items()}
        return Meetings(
            len(self.ids),
            self._with_nobody(rounds),
            extra,
            self._before,
            self._short_before,
            list(self._places),
        )

    def _content(self, known: Skeleton) -> int:
        """Return the cost of the known plan when people lie on it as well as can be; it needs no swaps then.

        One is added so that a plan without any cost differs from none that fits.
        """
        whole = list(range(len(self.ids)))
        if self._before or self._short_before or any(there != whole for there in self.present):
            return 0
        rounds = [
            [list(table) for table in tables][: hall.tables]
            for tables, hall in zip(known.rounds, self.halls, strict=True)
        ]
        if any(len(tables) != hall.tables for tables, hall in zip(known.rounds, self.halls, strict=True)):
            return 0
        plain = Meetings(len(whole), self._with_nobody(rounds)).cost
        return 1 + plain + self._least_labels(self._sketch(rounds))

    def _fitted(self, known: Skeleton, people: Sequence[int]) -> Rounds:
        """Fit the plan to who is there and who is locked."""
        short = Counter(self._short_before)
        size = self.request.table_size
        rounds = []
        for r, tables in enumerate(known.rounds):
            seated = [[people[number] for number in table] for table in tables]
            fitted = adapted(seated, self.present[r], self.halls[r], size, short)
            fitted = placed(fitted, self.halls[r], size, self._locks_of(r))
            playing = {player for table in fitted for player in table}
            short.update(player for player in self.present[r] if player not in playing)
            for table in fitted:
                short.update(table if len(table) < size else ())
            rounds.append(fitted)
        return rounds

    def _numbers(self) -> tuple[Skeleton, list[int]]:
        """Choose a known plan and put people on its numbers; a plan made for teams where another parts none."""
        size, rounds, count = self.request.table_size, len(self.numbers), len(self.ids)
        if count < size:
            return Skeleton([[] for _ in range(rounds)], count, 0, 0, (1,) * count), list(range(count))
        teams = self._have_a_round_of_their_own()
        known = skeleton(count, rounds, size, teams=teams, later=not self.is_first, steps=self.steps)
        people, weight = self._people(known)
        for other in self._made_for_labels(known, weight):
            others, lighter = self._people(other)
            if lighter < weight:
                known, people, weight = other, others, lighter
        return known, people

    def _made_for_labels(self, known: Skeleton, weight: int) -> Iterator[Skeleton]:
        """List plans made for teams or for large clubs, where people meet on the known plan who need not."""
        if not weight or weight <= self._least_labels(self._sketch(known.rounds)):
            return
        count, rounds, size = len(self.ids), len(self.numbers), self.request.table_size
        if self._are_teams():
            yield skeleton(count, rounds, size, teams=True, steps=self.steps)
        groups = [len(part) for part in self._parts(range(count), count)]
        if known.repeats == 0 and (made := parted(count, rounds, size, groups, steps=self.steps)):
            yield made

    def _have_a_round_of_their_own(self) -> bool:
        """Return whether a round is kept for these teams that no arithmetic replaces, so that none need be searched."""
        count, rounds = len(self.ids), len(self.numbers)
        if not self._are_teams() or class_plan(count // 4, rounds, first_step=1):
            return False
        return bool(stored(count, rounds, teams=True))

    def _are_teams(self) -> bool:
        """Return whether all play in teams of four, so that a plan made for teams may help."""
        teams = [people for weight, people in self._labels if weight == WEIGHTS["team"]]
        count = len(self.ids)
        fours = count >= 16 and count % 4 == 0 and sorted(map(len, teams)) == [4] * (count // 4)
        return fours and self.request.table_size == 4 and len(self.numbers) <= count // 4

    def _people(self, known: Skeleton) -> tuple[list[int], int]:
        """Put people on numbers, by chance where nothing speaks for one of them, and weigh what is left."""
        stream = Stream(f"{self.request.seed}/people")
        chance = stream.shuffled(range(len(self.ids)))
        weights = dict(self._extra)
        for pair, times in self._before.items():
            weights[pair] = weights.get(pair, 0) + MET_BEFORE * times
        target = 0 if self._before else self._least_labels(self._sketch(known.rounds))
        dice = Dice(self.request.seed, "people")
        return people_on_numbers(
            known.rounds,
            self._orders(chance, known.parts),
            weights,
            dice,
            PEOPLE_TRIES,
            target=target,
            steps=self.steps,
        )

    def _orders(self, chance: list[int], parts: Sequence[int]) -> list[list[int]]:
        """List starts: teams across the quarters of a plan, labels within its parts, side by side, and pure chance."""
        packed = self._packed(chance)
        orders = [packed, chance] if packed != chance else [chance]
        count = len(chance)
        if packed != chance and 1 < max(parts) < count:
            orders.insert(0, self._within(packed, parts))
        if self._are_teams():
            orders.insert(0, [packed[place * 4 % count + place * 4 // count] for place in range(count)])
        return orders

    def _within(self, packed: Sequence[int], sizes: Sequence[int]) -> list[int]:
        """Fill the parts of a plan, whose numbers never meet, with whole labels, the largest first, where they fit."""
        rooms: list[list[int]] = [[] for _ in sizes]
        for part in self._parts(packed, max(sizes)):
            left = list(part)
            while left:
                free = [size - len(room) for room, size in zip(rooms, sizes, strict=True)]
                fits = [place for place, space in enumerate(free) if space >= len(left)]
                if fits:
                    place = min(fits, key=lambda place: (free[place], place))
                else:
                    place = max(range(len(free)), key=lambda place: (free[place], -place))
                rooms[place] += left[: free[place]]
                left = left[free[place] :]
        return [person for room in rooms for person in room]

    def _parts(self, packed: Sequence[int], most: int) -> list[list[int]]:
        """Split people by label into parts no larger than allowed, the largest first, those without a label last."""
        main: dict[int, int] = {}
        for number, (_, people) in enumerate(sorted(self._labels, key=lambda label: -len(label[1]))):
            for person in people:
                main.setdefault(person, number)
        together: dict[int, list[int]] = {}
        alone = []
        for person in packed:
            if person in main:
                together.setdefault(main[person], []).append(person)
            else:
                alone.append([person])
        cut = [people[at : at + most] for people in together.values() for at in range(0, len(people), most)]
        return [*sorted(cut, key=lambda part: -len(part)), *alone]

    def _packed(self, chance: Sequence[int]) -> list[int]:
        """Order people by label, larger labels first, and by chance within and among equals."""
        rank = {person: place for place, person in enumerate(chance)}
        key = {person: (1, 0, rank[person]) for person in chance}
        for _, people in self._labels:
            leader = min(rank[person] for person in people)
            for person in people:
                key[person] = min(key[person], (0, -len(people) * len(chance) + leader, rank[person]))
        return sorted(chance, key=key.__getitem__)

    def _sketch(self, rounds: Rounds) -> list[Round]:
        """Write tables of people without winds as rounds, so that the bounds can be asked."""
        sketch = []
        for there, hall, tables in zip(self.present, self.halls, rounds, strict=True):
            seated = tables[: hall.tables]
            playing = {player for table in seated for player in table}
            sketch.append(Round(tuple(map(tuple, seated)), tuple(p for p in there if p not in playing)))
        return sketch

    def _least_labels(self, rounds: Sequence[Round]) -> int:
        return sum(
            weight
            * bounds.fewest_same_labels([people for other, people in self._labels if other == weight], rounds)
            for weight in sorted({weight for weight, _ in self._labels})
        )

    def _least_cost(self, rounds: Rounds) -> int:
        """Return a cost that no plan undercuts, so that the search may stop there."""
        new = self._sketch(rounds)
        past = sum(times * (times - 1) // 2 for times in self._before.values())
        old = [self._known_only(a_round) for a_round in self.request.existing]
        repeats = bounds.fewest_repeats([*old, *new], len(old)) - past
        levels = Counter(self._short_before.get(place, 0) for place in range(len(self.ids)))
        short = sum(
            len(a_round.off)
            + sum(len(table) for table in a_round.tables if len(table) < self.request.table_size)
            for a_round in new
        )
        return UNIT * max(0, repeats) + self._least_labels(new) + SHORT_AGAIN * bounds.filled(levels, short)

    def _known_only(self, a_round: Round) -> Round:
        return Round(
            tuple(
                tuple(self.place[p] for p in table if p is not None and p in self.place)
                for table in a_round.tables
            )
        )

    def _with_nobody(self, rounds: Rounds) -> Rounds:
        """Let nobody sit at a table of three and beside each one left over."""
        nobody, size = len(self.ids), self.request.table_size
        plan = []
        for tables, sketch in zip(rounds, self._sketch(rounds), strict=True):
            seated = [[*table, *[nobody] * (len(table) < size)] for table in tables[: len(sketch.tables)]]
            plan.append([*seated, *([self_off, nobody] for self_off in map(int, sketch.off))])
        return plan

    def _locks_of(self, r: int) -> dict[int, Lock]:
        """Join the locks of each person in a round."""
        joined: dict[int, Lock] = {}
        for lock in self.locks:
            if lock.round == self.numbers[r]:
                place = self.place[lock.id]
                known = joined.get(place, lock)
                joined[place] = Lock(
                    lock.round,
                    lock.id,
                    known.table if lock.table is None else lock.table,
                    known.seat if lock.seat is None else lock.seat,
                )
        return joined

    @cached_property
    def _places(self) -> dict[tuple[int, int], Lock]:
        """List everybody who must not be moved, by round and place in the list."""
        return {
            (r, place): lock for r in range(len(self.numbers)) for place, lock in self._locks_of(r).items()
        }

    def _numbered(self, tables: Rounds) -> Rounds:
        visited: Counter[tuple[int, int]] = Counter()
        for a_round in self.request.existing:
            for number, table in enumerate(a_round.tables):
                visited.update((self.place[p], number) for p in table if p is not None and p in self.place)
        pinned = [(r, lock.table - 1) for (r, _), lock in self._places.items() if lock.table is not None]
        sketch = self._sketch(tables)
        old = [self._known_only(a_round) for a_round in self.request.existing]
        target = bounds.fewest_table_visits([*old, *sketch], len(old))
        numbered = number_tables(
            tables,
            len(self.ids),
            Dice(self.request.seed, "tables"),
            min(TABLE_TRIES, TABLE_TRIES_FOR_EACH * len(self.ids)),
            visited=visited,
            pinned=pinned,
            target=max(target, self._tables_known),
            steps=self.steps,
        )
        if self.is_first:
            return numbered
        dice = Dice(self.request.seed, "matching")
        return match_numbers(
            numbered,
            len(self.ids),
            dice,
            visited=visited,
            pinned=pinned,
            target=target,
            steps=self.steps,
        )

    def _seated(self, tables: Rounds) -> Seated:
        size = self.request.table_size
        history: Mapping[Id, list[int]] = wind_rows(self.request.existing)
        past = {self.place[player]: row for player, row in history.items() if player in self.place}
        pinned = {key: lock.seat for key, lock in self._places.items() if lock.seat is not None}
        dice = Dice(self.request.seed, "winds")
        seated = balanced_winds(tables, size, history=past, pinned=pinned, dice=dice)
        if not past and not pinned:
            return seated
        return rebalanced_winds(seated, size, dice, WIND_TRIES, history=past, pinned=pinned, steps=self.steps)
