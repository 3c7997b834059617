"""Tables of teams and groups: ranked by what their members have. [SBR 2.4.3]"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import inf
from operator import itemgetter
from typing import NamedTuple

from scoring.criteria import Criterion
from scoring.problems import gettext_noop
from scoring.regulation import GroupMode, GroupTable, Regulation
from scoring.standings.book import Player, Value
from scoring.standings.ranking import Equals, Reason, Standing


class TeamPoints(NamedTuple):
    """What was given to a team or taken from it; none of its members has it. [SBR 2.4.3] [RULES 9.13]"""

    game_points: int = 0
    tournament_points: Fraction = Fraction(0)


MOVES_NO_TEAM = gettext_noop(
    "No table of teams is ranked by these points, so nothing would change: choose others, or let the regulation rank teams by them."
)
NOTHING = TeamPoints()
TEAM = "team"


class GroupStanding(NamedTuple):
    """One row of a group table: its ranked members in the order of the standings."""

    name: str
    place: int
    shared: bool
    reason: Reason | None
    members: tuple[Player, ...]
    values: Mapping[Criterion, Value]

    @property
    def decided_by(self) -> Criterion | None:
        """Name the criterion that put this place behind the one above."""
        return self.reason.criterion if self.reason else None


def moves_teams(rules: Regulation, *, in_game_points: bool) -> bool:
    """Return whether points of a team itself move a table of teams. [RULES 8.51]"""
    points = (1, Fraction(0)) if in_game_points else (0, Fraction(1))
    tables = [table for table in rules.group_tables if str(table.by) == TEAM]
    return any(one.of_team(*points) for table in tables for one in table.ranking)


def rank_groups(
    standings: Sequence[Standing],
    group_of: Mapping[Player, str],
    table: GroupTable,
    own: Mapping[str, TeamPoints] | None = None,
) -> tuple[GroupStanding, ...]:
    """Rank teams or groups by their ranked members' values and what they have of their own. [SBR 2.4.3] [RULES 8.43]"""
    given = own or {}
    members: dict[str, list[Standing]] = {}
    for standing in standings:
        if standing.place is not None and standing.player in group_of:
            members.setdefault(group_of[standing.player], []).append(standing)
    names = sorted(members)
    values = [
        {
            criterion: _with_own(
                _of_group(members[name], criterion, table), criterion, given.get(name, NOTHING)
            )
            for criterion in table.ranking
        }
        for name in names
    ]
    groups = [Equals(list(range(len(names))))] if names else []
    for criterion in table.ranking:
        keys = [_better_first(criterion, mine[criterion]) for mine in values]
        groups = [part for group in groups for part in group.split(criterion, keys)]
    return tuple(_group_rows(groups, names, values, members))


def _of_group(members: Sequence[Standing], criterion: Criterion, table: GroupTable) -> Fraction | None:
    """Add or average what the members have. [RECORD 4] [RULES 9.4]

    Who has no value brings nothing to it; where less is better, that would be best, and they are not counted.
    """
    counted = members[: table.best] if table.mode is GroupMode.BEST else members
    known = [value for member in counted if (value := member.values[criterion]) is not None]
    if criterion.less_is_better and not known:
        return None
    number = len(known) if criterion.less_is_better else len(counted)
    return Fraction(sum(known)) / (number if table.mode is GroupMode.AVERAGE else 1)


def _with_own(value: Fraction | None, criterion: Criterion, own: TeamPoints) -> Fraction | None:
    """Add what the team itself was given, whole, however its members' points are put together. [RULES 9.13]"""
    added = criterion.of_team(own.game_points, own.tournament_points)
    return value + added if value is not None and added else value


def _better_first(criterion: Criterion, value: Value) -> float:
    """Return a key of which the smaller is better; Fractions compare exactly with whole numbers and infinity."""
    if value is None:
        return inf
    return value if criterion.less_is_better else -value  # type: ignore[return-value]


def _group_rows(
    groups: Sequence[Equals],
    names: Sequence[str],
    values: Sequence[Mapping[Criterion, Value]],
    members: Mapping[str, Sequence[Standing]],
) -> Iterator[GroupStanding]:
    place = 1
    for group in groups:
        reason = None
        if group.criterion is not None and group.behind is not None:
            own = values[group.members[0]][group.criterion]
            reason = Reason(group.criterion, values[group.behind][group.criterion], own)
        for number in group.members:
            players = tuple(map(itemgetter(0), members[names[number]]))
            shared = len(group.members) > 1
            yield GroupStanding(names[number], place, shared, reason, players, values[number])
        place += len(group.members)
