"""Who may sit for whom."""

from collections import Counter
from typing import Any

from penalties.lateness.queries import _seats
from tournaments.models import Seat, Session, Tournament


def free_substitutes(session: Session) -> list[Any]:
    """List who of the pool does not sit in the session."""
    sitting = set(session.seats.filter(player__isnull=False).values_list("player_id", flat=True))
    pool = session.tournament.substitutes.select_related("player").order_by("id")
    return [substitute for substitute in pool if substitute.player_id not in sitting]


def carried_over(session: Session) -> list[tuple[Seat, Seat]]:
    """Find players whom a substitute replaced in the session before and who sit themselves in this one."""
    earlier = session.tournament.sessions.filter(number=session.number - 1).first()
    if earlier is None or session.state == Session.State.CLOSED:
        return []
    own = {seat.player_id: seat for seat in _seats(session) if seat.kept_for_id is None}
    return [
        (before, own[before.kept_for_id])
        for before in _seats(earlier)
        if before.kept_for_id in own and before.player_id is not None and before.player_id not in own
    ]


def times_at_incomplete_tables(tournament: Tournament, *, before: int) -> Counter[int]:
    """Count how often players were drawn to a table that is not full, or left over. [SBR 3.1.4] [RULES 8.33]"""
    size = tournament.regulation["table_size"]
    times: Counter[int] = Counter()
    rows = Seat.objects.filter(session__tournament=tournament, session__number__lt=before)
    tables: dict[int, list[int]] = {}
    for table, player, kept_for in rows.values_list("table_id", "player_id", "kept_for_id"):
        tables.setdefault(table, []).append(kept_for or player)
    for seated in tables.values():
        if len(seated) < size:
            times.update(seated)
    return times
