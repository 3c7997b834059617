"""What a player sees of the judgements about them."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Q
from django.utils import timezone

from penalties.appeals.queries import all_appeals, appealable_sessions
from penalties.ladder.queries.penalties import (
    Effect,
    JudgedEvent,
    all_penalties,
    consequences,
    penalty_rows,
)
from penalties.models import Appeal, Lateness
from tournaments.models import Player, Registration, Tournament
from tournaments.privacy.queries import fields_of
from tournaments.web.access import link_of


def own_judging(tournament: Tournament, registration: Registration) -> dict[str, Any]:
    """Gather a player's penalties, latenesses and appeals, with what each did to the account."""
    player = registration.player
    penalties = list(all_penalties(tournament).filter(player=player))
    judged, did = JudgedEvent(tournament), consequences(tournament, penalties)
    latenesses = Lateness.objects.filter(player=player).exclude(state=Lateness.State.MISTAKE)
    return {
        "registration": registration,
        "link": link_of(registration),
        "rows": [
            (row, _own_effect(did.get(row.penalty.pk, []), player))
            for row in penalty_rows(tournament, penalties)
        ],
        "latenesses": [
            (row, judged.lateness_cost(row), judged.replaced(row))
            for row in latenesses.select_related("session", "player")
        ],
        "appeals": all_appeals(tournament).filter(Q(player=player) | Q(filed_actor=f"player:{player.pk}")),
        "sessions": appealable_sessions(tournament, player, now=timezone.now()),
        "has_policy": tournament.regulation["appeals"] is not None,
    }


def judgements_about(player: Player) -> dict[str, Any]:
    """Return a player's penalties, latenesses and appeals, for that person to read."""
    mine = Q(player=player) | Q(filed_actor=f"player:{player.pk}")
    return {
        "penalties": [fields_of(row) for row in player.penalties.all()],
        "latenesses": [fields_of(row) for row in player.latenesses.all()],
        "appeals": [
            fields_of(row)
            | {
                "statements": [fields_of(one) for one in row.statements.all()],
                "files": [fields_of(one) for one in row.files.defer("content")],
            }
            for row in Appeal.objects.filter(mine)
        ],
    }


def _own_effect(effects: Sequence[Effect], player: Player) -> Effect | None:
    """Find what a penalty changed for the player's own place and points, if anything."""
    for one in effects:
        if player.pk in (one.seat.player_id, one.seat.kept_for_id) and one.is_changed:
            return one
    return None
