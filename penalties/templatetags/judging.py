"""Template helpers of the judges, also for pages of the record that show what was judged."""

from collections.abc import Sequence
from typing import Any

from django import template
from django.utils.translation import gettext

from penalties.appeals.queries import appeals_at
from penalties.ladder.queries.penalties import PenaltyRow, offences_behind
from penalties.models import Appeal, Lateness, Penalty
from penalties.paper.queries import penalties_in_force
from penalties.player.queries import own_judging
from scoring.systems import SYSTEMS
from tournaments.models import Adjustment, Registration, Session, Table, Tournament

register = template.Library()

LOOKS = {
    Penalty.State.PROPOSED: "wait",
    Penalty.State.IN_FORCE: "live",
    Penalty.State.REVOKED: "stop",
    Lateness.State.RUNNING: "alert",
    Lateness.State.ARRIVED: "done",
    Lateness.State.ABSENT: "stop",
    Lateness.State.MISTAKE: "idle",
    Appeal.State.CHIEF_REFEREE: "wait",
    Appeal.State.COMMITTEE: "wait",
    Appeal.State.RECOMMENDED: "wait",
    Appeal.State.UPHELD: "done",
    Appeal.State.DISMISSED: "stop",
    Appeal.State.WITHDRAWN: "idle",
    Appeal.State.NOT_ACCEPTED: "stop",
}


@register.filter
def judged(row: Any) -> str:
    """Return the look of a judgement's state."""
    return LOOKS.get(row.state, "idle")


@register.filter
def minutes(seconds: int | None) -> str:
    """Write seconds as minutes and seconds."""
    whole, rest = divmod(seconds or 0, 60)
    return f"{whole}:{rest:02}"


@register.filter
def in_words(sentence: str) -> str:
    """Return a master text in the reader's language."""
    return gettext(sentence) if sentence else ""


@register.simple_tag
def with_offences(adjustments: Sequence[Adjustment], *beside: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Pair the lines of an account with the offence that each was posted for, its clause, and what stands beside them."""
    names = offences_behind(adjustments)
    said = [in_words(names.get(row.pk, "")) for row in adjustments]
    return list(zip(adjustments, said, map(_clause, adjustments), *beside, strict=True))


def _clause(row: Adjustment) -> str:
    """Return by which clause a line was posted; a penalty's line carries that of the penalty as its reason."""
    if row.origin == Adjustment.Origin.PENALTY:
        return row.reason
    is_late = row.origin == Adjustment.Origin.LATENESS
    return SYSTEMS[row.tournament.system].lateness_clause if is_late else ""


@register.simple_tag
def late_here(session: Session) -> set[int]:
    """Find the players of a session whose minutes of lateness run."""
    rows = Lateness.objects.filter(session=session, state=Lateness.State.RUNNING)
    return set(rows.values_list("player_id", flat=True))


@register.simple_tag
def appeals_about(table: Table) -> list[Appeal]:
    """Find the appeals about a table, for those who may read them."""
    return appeals_at(table)


@register.inclusion_tag("penalties/_own.html", takes_context=True)
def own_judgements(context: template.RequestContext, registration: Registration) -> dict[str, Any]:
    """Show a player's own penalties and appeals within another page."""
    tournament = context["tournament"]
    registration.tournament = tournament
    return {**own_judging(tournament, registration), "tournament": tournament, "is_part": True}


@register.simple_tag
def penalties_that_count(tournament: Tournament) -> list[PenaltyRow]:
    """List the penalties in force, for the final protocol."""
    return penalties_in_force(tournament)
