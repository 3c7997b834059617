"""How good a plan is: every measure beside what no plan could better, in numbers and in words."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from scoring.problems import gettext_noop
from seating.rules import bounds
from seating.rules.plan import LABELS, Entrant, Id, Round, meetings
from seating.rules.winds import uneven_moments


@dataclass(frozen=True)
class Remark:
    """A sentence about a plan: English master text with %(name)s for details."""

    code: str
    sentence: str
    details: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return the English sentence."""
        return self.sentence % self.details if self.details else self.sentence


@dataclass(frozen=True)
class Measure:
    """One figure of a plan; the bound is what no plan undercuts, None where nothing is known, and may hold what was played already."""

    code: str
    value: int
    bound: int | None
    affected: tuple[tuple[Id, ...], ...] = ()
    holds_past: bool = False

    @property
    def is_best(self) -> bool:
        """Return whether no plan can be better in this."""
        return self.bound is not None and self.value <= self.bound

    @property
    def remark(self) -> Remark:
        """Say the figure in words."""
        none, best, worse, plain = SENTENCES[self.code]
        further = worse if self.bound else plain
        reached = further if self.holds_past else best
        sentence = none if self.value == 0 else reached if self.is_best else further
        return Remark(self.code, sentence, {"value": self.value, "bound": self.bound})


@dataclass(frozen=True)
class Quality:
    """All measures of a plan, the most important first."""

    measures: tuple[Measure, ...]

    def __getitem__(self, code: str) -> Measure:
        """Find a measure by its code."""
        return next(measure for measure in self.measures if measure.code == code)

    def get(self, code: str) -> int:
        """Return the value of a measure; what was not measured is 0."""
        return next((measure.value for measure in self.measures if measure.code == code), 0)

    @property
    def is_best(self) -> bool:
        """Return whether no plan can be better in anything that has a bound."""
        return all(measure.is_best for measure in self.measures if measure.bound is not None)


# For each measure: nothing of it, no more than must be, more than must be, more where none must be.
SENTENCES: dict[str, tuple[str, str, str, str]] = {
    "apart": (
        gettext_noop("Nobody meets a person they must not meet."),
        gettext_noop("Meetings of people who must not meet: %(value)s; fewer are impossible."),
        gettext_noop("Meetings of people who must not meet: %(value)s."),
        gettext_noop("Meetings of people who must not meet: %(value)s."),
    ),
    "same_team": (
        gettext_noop("Nobody meets a teammate."),
        gettext_noop(
            "Meetings of teammates: %(value)s; best possible, teams are larger than the tables allow."
        ),
        gettext_noop("Meetings of teammates: %(value)s; at least %(bound)s cannot be avoided."),
        gettext_noop("Meetings of teammates: %(value)s."),
    ),
    "same_club": (
        gettext_noop("Nobody meets a player of the same club."),
        gettext_noop(
            "Meetings within a club: %(value)s; best possible, one club has more players than there are tables."
        ),
        gettext_noop("Meetings within a club: %(value)s; at least %(bound)s cannot be avoided."),
        gettext_noop("Meetings within a club: %(value)s."),
    ),
    "same_group": (
        gettext_noop("Nobody meets a player of the same group."),
        gettext_noop(
            "Meetings within a group: %(value)s; best possible, one group has more players than there are tables."
        ),
        gettext_noop("Meetings within a group: %(value)s; at least %(bound)s cannot be avoided."),
        gettext_noop("Meetings within a group: %(value)s."),
    ),
    "same_region": (
        gettext_noop("Nobody meets a player from the same region."),
        gettext_noop(
            "Meetings within a region: %(value)s; best possible, one region has more players than there are tables."
        ),
        gettext_noop("Meetings within a region: %(value)s; at least %(bound)s cannot be avoided."),
        gettext_noop("Meetings within a region: %(value)s."),
    ),
    "same_country": (
        gettext_noop("Nobody meets a player from the same country."),
        gettext_noop(
            "Meetings within a country: %(value)s; best possible, one country has more players than there are tables."
        ),
        gettext_noop("Meetings within a country: %(value)s; at least %(bound)s cannot be avoided."),
        gettext_noop("Meetings within a country: %(value)s."),
    ),
    "repeats": (
        gettext_noop("Nobody meets anybody twice; best possible."),
        gettext_noop("Repeated meetings: %(value)s; best possible."),
        gettext_noop("Repeated meetings: %(value)s; at least %(bound)s cannot be avoided."),
        gettext_noop(
            "Repeated meetings: %(value)s; counting alone asks for none, but other wishes can cost some."
        ),
    ),
    "short_again": (
        gettext_noop("Nobody is left over or at an incomplete table twice."),
        gettext_noop(
            "Left over or at an incomplete table again: %(value)s; best possible with so many sessions."
        ),
        gettext_noop(
            "Left over or at an incomplete table again: %(value)s; at least %(bound)s cannot be avoided."
        ),
        gettext_noop("Left over or at an incomplete table again: %(value)s."),
    ),
    "winds": (
        gettext_noop("Everybody has every wind equally often, or once more; best possible."),
        gettext_noop("Players whose winds are uneven at the end: %(value)s; best possible."),
        gettext_noop("Players whose winds are uneven at the end: %(value)s."),
        gettext_noop("Players whose winds are uneven at the end: %(value)s."),
    ),
    "winds_in_between": (
        gettext_noop("Winds are even after every session, too; best possible."),
        gettext_noop("Moments at which a player's winds are uneven: %(value)s; best possible."),
        gettext_noop("Moments at which a player's winds are uneven: %(value)s."),
        gettext_noop("Moments at which a player's winds are uneven: %(value)s."),
    ),
    "swiss_span": (
        gettext_noop("Every table seats neighbours in the standings; best possible."),
        gettext_noop("Every table seats neighbours in the standings; best possible."),
        gettext_noop(
            "Places at the widest table lie %(value)s apart; neighbours would be %(bound)s apart. "
            "The difference is the price of keeping people apart and of new company."
        ),
        gettext_noop("Places at the widest table lie %(value)s apart."),
    ),
    "table_repeats": (
        gettext_noop("Nobody plays at the same table twice; best possible."),
        gettext_noop("Returns to a table number: %(value)s; best possible."),
        gettext_noop("Returns to a table number: %(value)s; at least %(bound)s cannot be avoided."),
        gettext_noop("Returns to a table number: %(value)s."),
    ),
}


def quality(
    rounds: Sequence[Round],
    players: Sequence[Entrant],
    *,
    table_size: int = 4,
    standing: int = 0,
    apart: Iterable[tuple[Id, Id]] = (),
) -> Quality:
    """Measure a plan; the first rounds that stand already are no part of what could have been better."""
    met = meetings(rounds)
    measures = [*_kept_apart(rounds, met, apart, standing)]
    for kind in LABELS:
        measures += _same_label(kind, rounds, players, met, standing)
    measures.append(_repeats(rounds, met, standing))
    measures.append(_short_again(rounds, table_size, standing))
    measures += _winds(rounds, table_size, standing)
    measures.append(_table_repeats(rounds, standing))
    return Quality(tuple(measures))


def _kept_apart(
    rounds: Sequence[Round], met: Mapping[frozenset[Id], int], apart: Iterable[tuple[Id, Id]], standing: int
) -> list[Measure]:
    pairs = [pair for pair in apart if met.get(frozenset(pair), 0)]
    before = meetings(rounds[:standing])
    wanted = list(apart)
    if not wanted:
        return []
    value = sum(met[frozenset(pair)] for pair in pairs)
    return [Measure("apart", value, sum(before.get(frozenset(pair), 0) for pair in pairs), tuple(pairs))]


def _same_label(
    kind: str,
    rounds: Sequence[Round],
    players: Sequence[Entrant],
    met: Mapping[frozenset[Id], int],
    standing: int,
) -> list[Measure]:
    members: dict[object, list[Id]] = {}
    for player in players:
        if (label := player.label(kind)) is not None:
            members.setdefault(label, []).append(player.id)
    if not members:
        return []
    pairs = [
        pair for group in members.values() for pair in combinations(group, 2) if met.get(frozenset(pair), 0)
    ]
    value = sum(met[frozenset(pair)] for pair in pairs)
    groups = [group for group in members.values() if len(group) > 1]
    bound = bounds.fewest_same_labels(groups, rounds, standing)
    past = bounds.fewest_same_labels(groups, rounds[:standing], standing)
    return [Measure(f"same_{kind}", value, bound, tuple(pairs), holds_past=past > 0)]


def _repeats(rounds: Sequence[Round], met: Mapping[frozenset[Id], int], standing: int) -> Measure:
    again = [(pair, times) for pair, times in met.items() if times > 1]
    value = sum(times * (times - 1) // 2 for _, times in again)
    order = {player: place for place, player in enumerate(_everybody(rounds))}
    affected = tuple(tuple(sorted(pair, key=order.__getitem__)) for pair, _ in again)
    return Measure("repeats", value, bounds.fewest_repeats(rounds, standing), affected)


def _everybody(rounds: Sequence[Round]) -> dict[Id, None]:
    return dict.fromkeys(player for a_round in rounds for player in (*a_round.seated(), *a_round.off))


def shortness(rounds: Sequence[Round], table_size: int = 4) -> Counter[Id]:
    """Count how often each was left over or at an incomplete table. [SBR 3.1.4] [RULES 8.33]"""
    short: Counter[Id] = Counter()
    for a_round in rounds:
        short.update(a_round.off)
        for table in a_round.tables:
            sitting = [player for player in table if player is not None]
            if len(sitting) < table_size:
                short.update(sitting)
    return short


def _short_again(rounds: Sequence[Round], table_size: int, standing: int) -> Measure:
    short = shortness(rounds, table_size)
    people = len(_everybody(rounds))
    past = sum(times - 1 for times in shortness(rounds[:standing], table_size).values())
    value = sum(times - 1 for times in short.values())
    bound = max(past, short.total() - people)
    return Measure(
        "short_again", value, bound, tuple((player,) for player, times in short.items() if times > 1)
    )


def wind_rows(rounds: Sequence[Round]) -> dict[Id, list[int]]:
    """List the winds of each player's games in their order, East 0."""
    rows: dict[Id, list[int]] = {}
    for a_round in rounds:
        for table in a_round.tables:
            for wind, player in enumerate(table):
                if player is not None:
                    rows.setdefault(player, []).append(wind)
    return rows


def _winds(rounds: Sequence[Round], table_size: int, standing: int) -> list[Measure]:
    rows = wind_rows(rounds)
    before = wind_rows(rounds[:standing])
    uneven = []
    for player, row in rows.items():
        counts = [row.count(wind) for wind in range(table_size)]
        if max(counts) - min(counts) > 1:
            uneven.append(player)
    moments = {player: uneven_moments(row, table_size) for player, row in rows.items()}
    past = sum(uneven_moments(row, table_size) for row in before.values())
    return [
        Measure("winds", len(uneven), 0, tuple((player,) for player in uneven)),
        Measure(
            "winds_in_between",
            sum(moments.values()),
            past,
            tuple((player,) for player, count in moments.items() if count),
        ),
    ]


def _table_repeats(rounds: Sequence[Round], standing: int) -> Measure:
    visits: Counter[tuple[Id, int]] = Counter(
        (player, number)
        for a_round in rounds
        for number, table in enumerate(a_round.tables)
        for player in table
        if player is not None
    )
    value = sum(times * (times - 1) // 2 for times in visits.values())
    affected = tuple(dict.fromkeys((player,) for (player, _), times in visits.items() if times > 1))
    return Measure("table_repeats", value, bounds.fewest_table_visits(rounds, standing), affected)
