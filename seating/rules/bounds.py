"""What no plan can do better: proofs as arithmetic, given who plays in which round."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from seating.rules.plan import Id, Round, meetings

MOST_SEATS = 4
_NO_RESOLVABLE_DESIGN = {(20, 6)}
_TABLES_PROVED = {(16, 5): 40}


def spread(items: int, places: int) -> int:
    """Count the pairs that share a place when items are spread as evenly as possible."""
    if places <= 0:
        return 0
    each, more = divmod(items, places)
    return places * each * (each - 1) // 2 + more * each


def filled(levels: Counter[int], items: int) -> int:
    """Count the pairs that arise when items go, one by one, to the places that hold least so far."""
    cost, level = 0, 0
    open_places = 0
    highest = max(levels, default=0)
    while items > 0:
        open_places += levels.get(level, 0)
        if not open_places and level > highest:
            return cost
        taken = min(items, open_places)
        cost += taken * level
        items -= taken
        level += 1
    return cost


def fewest_repeats(rounds: Sequence[Round], standing: int = 0) -> int:
    """Return a number of repeated meetings that no plan with the same people in the same rounds can undercut.

    Either way of counting holds. By players: each meets the others as evenly as can be. By two rounds: the
    members of a table fall on the tables of the other round as evenly as can be.
    """
    before = meetings(rounds[:standing])
    known = sum(times * (times - 1) // 2 for times in before.values())
    new = rounds[standing:]
    by_players = known + -(-_by_players(new, before) // 2)
    by_rounds = known + sum(_by_two_rounds(one, other) for one, other in combinations(new, 2))
    by_rounds += sum(_by_standing_tables(old, one) for old in rounds[:standing] for one in new)
    least = max(by_players, by_rounds)
    return max(least, 1) if not standing and _is_known_gap(new) else least


def _by_players(new: Sequence[Round], before: dict[frozenset[Id], int]) -> int:
    to_meet: Counter[Id] = Counter()
    numbers: dict[Id, int] = {}
    companies: Counter[Id] = Counter()
    for a_round in new:
        members = list(a_round.seated())
        mask = 0
        for player in members:
            mask |= 1 << numbers.setdefault(player, len(numbers))
        for player in members:
            companies[player] |= mask
        for table in a_round.tables:
            sitting = [player for player in table if player is not None]
            for player in sitting:
                to_meet[player] += len(sitting) - 1
    known: dict[Id, Counter[int]] = {}
    for pair, times in before.items():
        one, other = pair
        for player, opponent in ((one, other), (other, one)):
            if companies.get(player, 0) >> numbers.get(opponent, len(numbers)) & 1:
                known.setdefault(player, Counter())[times] += 1
    total = 0
    for player, games in to_meet.items():
        levels = known.get(player, Counter())
        levels[0] = companies[player].bit_count() - 1 - sum(levels.values())
        total += filled(levels, games)
    return total


def _by_two_rounds(one: Round, other: Round) -> int:
    """Count the repeats two rounds force on each other; only few tables force any."""
    tables, others = len(one.tables), len(other.tables)
    if not 0 < others < MOST_SEATS or not tables:
        return 0
    both = len({*one.seated(), *one.off} & {*other.seated(), *other.off}) - len(one.off) - len(other.off)
    each, more = divmod(max(0, both), tables)
    return more * spread(each + 1, others) + (tables - more) * spread(each, others)


def _by_standing_tables(old: Round, new: Round) -> int:
    """Count the meetings of a standing round that a new round must repeat, because it has too few tables."""
    tables = len(new.tables)
    if not 0 < tables < MOST_SEATS:
        return 0
    there = {*new.seated(), *new.off}
    counts = [sum(player in there for player in table) for table in old.tables]
    for _ in new.off:
        largest = max(range(len(counts)), key=counts.__getitem__, default=-1)
        if largest >= 0:
            counts[largest] = max(0, counts[largest] - 1)
    return sum(spread(count, tables) for count in counts)


def _is_known_gap(rounds: Sequence[Round]) -> bool:
    """Return whether a plan without repeat is proved not to exist though counting would allow it."""
    everybody = {player for a_round in rounds for player in a_round.seated()}
    full = all(len(a_round.tables) * 4 == len(everybody) == len(list(a_round.seated())) for a_round in rounds)
    return full and any(
        len(everybody) == players and len(rounds) >= least for players, least in _NO_RESOLVABLE_DESIGN
    )


def fewest_table_visits(rounds: Sequence[Round], standing: int = 0) -> int:
    """Return a number of repeated table numbers that no plan with the same people in the same rounds undercuts."""
    tables = max((len(a_round.tables) for a_round in rounds), default=0)
    visits: dict[Id, Counter[int]] = {}
    for a_round in rounds[:standing]:
        for number, table in enumerate(a_round.tables):
            for player in table:
                if player is not None:
                    visits.setdefault(player, Counter())[number] += 1
    games: Counter[Id] = Counter(player for a_round in rounds[standing:] for player in a_round.seated())
    total = 0
    for player in {**visits, **games}:
        seen = visits.get(player, Counter())
        total += sum(times * (times - 1) // 2 for times in seen.values())
        levels = Counter(seen[number] for number in range(tables))
        total += filled(levels, games[player])
    proved = _TABLES_PROVED.get((len(games), len(rounds)), 0)
    return max(total, 0 if standing else proved)


def fewest_same_labels(labels: Sequence[Sequence[Id]], rounds: Sequence[Round], standing: int = 0) -> int:
    """Count the meetings among people of one label that no seating of the rounds can avoid, over all labels."""
    insides = [set(members) for members in labels]
    return sum(
        _met_inside(insides, a_round) if number < standing else _forced_inside(insides, a_round)
        for number, a_round in enumerate(rounds)
    )


def _met_inside(insides: Sequence[set[Id]], a_round: Round) -> int:
    counts = (sum(player in inside for player in table) for inside in insides for table in a_round.tables)
    return sum(count * (count - 1) // 2 for count in counts)


def _forced_inside(insides: Sequence[set[Id]], a_round: Round) -> int:
    """Return the fewest meetings within labels: leave out those who save most, and spread the others evenly."""
    there = {player for table in a_round.tables for player in table if player is not None} | set(a_round.off)
    sizes = [sum(player is not None for player in table) for table in a_round.tables]
    people = [len(inside & there) for inside in insides]
    forced = [_fewest_together(count, sizes) for count in people]
    for _ in a_round.off:
        spared = [
            before - _fewest_together(count - 1, sizes) if count else 0
            for before, count in zip(forced, people, strict=True)
        ]
        most = max(range(len(spared)), key=spared.__getitem__, default=-1)
        if most < 0 or not spared[most]:
            break
        people[most] -= 1
        forced[most] -= spared[most]
    return sum(forced)


def _fewest_together(people: int, sizes: Sequence[int]) -> int:
    """Return the fewest pairs that share a table when people are spread over tables of these sizes."""
    pairs = 0
    level = 0
    while people > 0:
        open_tables = sum(size > level for size in sizes)
        taken = min(people, open_tables)
        if not taken:
            return pairs
        pairs += taken * level
        people -= taken
        level += 1
    return pairs
