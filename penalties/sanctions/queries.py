"""The register of sanctions: who was removed or disqualified at which event of the site, why, until when, and whether it stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Q
from django.utils import timezone

from penalties.ladder.queries.penalties import all_penalties
from penalties.models import Penalty
from penalties.sanctions.rules import by_person
from tournaments.models import Player, Role, Tournament
from tournaments.models.tournament import IN_LISTS
from tournaments.people.rules.barred import Person

OUT = (Penalty.Effect.REMOVAL, Penalty.Effect.DISQUALIFICATION)
DECIDERS = (Role.Kind.CHIEF_REFEREE, Role.Kind.COMMITTEE)
"""Who lifts a disqualification, at its own event."""


@dataclass(frozen=True)
class Sanction:
    """A removal or disqualification: the decision, whether it stands, and whether the reader works where it was made."""

    penalty: Penalty
    stands: bool
    is_own: bool
    may_lift: bool
    appeals: Sequence[str]


@dataclass(frozen=True)
class Sanctioned:
    """A person with the decisions about them, the latest first; `stands` tells whether one keeps them out of events now."""

    player: Player
    sanctions: Sequence[Sanction]

    @property
    def stands(self) -> bool:
        """Return whether a disqualification is in force today."""
        return any(one.stands for one in self.sanctions)


def register(tournament: Tournament, user: int) -> list[Sanctioned]:
    """List the decisions of this event and of those that anybody finds, person by person; who is kept out now comes first.

    What was never approved is nobody's sanction. [SBR 2.8.5] [RULES 8.56] [RULES 9.19]
    """
    found = Tournament.objects.filter(IN_LISTS, is_demo=tournament.is_demo)
    rows = (
        Penalty.objects.filter(Q(tournament=tournament) | Q(tournament__in=found), effect__in=OUT)
        .exclude(state=Penalty.State.PROPOSED)
        .select_related("tournament", "player", "given_by", "approved_by", "revoked_by", "session", "appeal")
        .prefetch_related("appeals")
        .order_by("given_at", "pk")
    )
    roles = Role.objects.filter(user_id=user).values_list("tournament_id", "kind")
    works, decides = {pk for pk, _kind in roles}, {pk for pk, kind in roles if kind in DECIDERS}
    today = timezone.localdate(timezone=tournament.zone)
    groups = by_person(list(rows), lambda row: Person.of(row.player))
    told = [
        Sanctioned(
            group[-1].player,
            [_sanction(row, today, works, decides) for row in reversed(group)],
        )
        for group in groups
    ]
    return sorted(told, key=lambda one: (not one.stands, str(one.player)))


def _sanction(row: Penalty, today: date, works: set[int], decides: set[int]) -> Sanction:
    """Show a decision: a removal ends with its event, a disqualification on its day or when it is lifted."""
    lasts = row.effect == Penalty.Effect.DISQUALIFICATION and (row.until is None or row.until >= today)
    stands = row.is_in_force and lasts
    return Sanction(
        penalty=row,
        stands=stands,
        is_own=row.tournament_id in works,
        may_lift=stands and row.tournament_id in decides,
        appeals=[appeal.get_state_display() for appeal in row.appeals.all()],
    )


def in_force(tournament: Tournament) -> list[Penalty]:
    """List the removals and disqualifications of an event that stand, for its federation."""
    rows = all_penalties(tournament).filter(effect__in=OUT, state=Penalty.State.IN_FORCE)
    return list(rows.select_related("player"))
