"""From results and adjustments to standings: exact, in whole numbers, with the reason for every broken tie."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from scoring.criteria import Criterion
from scoring.standings.book import Book, Player, Scale, Value


class Reason(NamedTuple):
    """Why a place is behind the one above: the criterion, the value above and the own one."""

    criterion: Criterion
    above: Value
    own: Value


class Standing(NamedTuple):
    """One row of the standings. No place for who was removed or disqualified; no reason for the first place.

    `stage` is the last one the player reached, counted from 1; 0 in a tournament without stages, or out of all.
    """

    player: Player
    place: int | None
    shared: bool
    reason: Reason | None
    values: Mapping[Criterion, Value]
    stage: int = 0

    @property
    def decided_by(self) -> Criterion | None:
        """Name the criterion that put this place behind the one above."""
        return self.reason.criterion if self.reason else None


def rank(book: Book, ranking: Sequence[Criterion]) -> tuple[Standing, ...]:
    """Put everybody in order: by each criterion in turn, equals sharing a place. [RULES 1.7] [RULES 8.43]"""
    groups = [Equals([number for number, entrant in enumerate(book.entrants) if entrant.is_ranked])]
    scales: dict[Criterion, Scale] = {}
    for criterion in ranking:
        scales[criterion] = criterion.scale(book, [group.members for group in groups])
        groups = [part for group in groups for part in group.split(criterion, scales[criterion].keys)]
    return (*_ranked(book, groups, scales), *_unranked(book, scales))


@dataclass(slots=True)
class Equals:
    """Entrants equal so far, and what put them behind the group above: its first member and the criterion."""

    members: list[int]
    behind: int | None = None
    criterion: Criterion | None = None

    def split(self, criterion: Criterion, keys: Sequence[float]) -> Iterator["Equals"]:
        """Split the group by a criterion; a stable sort keeps equals in the order of registration."""
        if len(self.members) < 2:
            yield self
            return
        behind, decided_by = self.behind, self.criterion
        for _, equals in groupby(sorted(self.members, key=keys.__getitem__), key=keys.__getitem__):
            part = Equals(list(equals), behind, decided_by)
            yield part
            behind, decided_by = part.members[0], criterion


def _ranked(book: Book, groups: Sequence[Equals], scales: Mapping[Criterion, Scale]) -> Iterator[Standing]:
    """Number the places: those who are equal share one, and the next ones are skipped. [RULES 1.7]"""
    place = 1
    for group in groups:
        reason = None
        if group.criterion is not None and group.behind is not None:
            value = scales[group.criterion].value
            reason = Reason(group.criterion, value(group.behind), value(group.members[0]))
        shared = len(group.members) > 1
        for number in group.members:
            values = {criterion: scale.value(number) for criterion, scale in scales.items()}
            yield Standing(book.entrants[number].player, place, shared, reason, values)
        place += len(group.members)


def _unranked(book: Book, scales: Mapping[Criterion, Scale]) -> Iterator[Standing]:
    """Show who was removed or disqualified at the end, without a place. [RULES 8.7]"""
    for number, entrant in enumerate(book.entrants):
        if not entrant.is_ranked:
            values = {criterion: scale.value(number) for criterion, scale in scales.items()}
            yield Standing(entrant.player, None, False, None, values)
