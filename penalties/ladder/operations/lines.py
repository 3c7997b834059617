"""From judgements to adjustments: what each brings is computed again, and only differences are posted."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from penalties.ladder.queries.penalties import JudgedEvent, all_penalties
from penalties.models import Lateness, Line, Penalty
from scoring.standings.sessions import Charge
from tournaments.models import Adjustment, Player, Session, Tournament
from tournaments.record.actors import Actor
from tournaments.standings.operations import adjustments
from tournaments.standings.operations.adjustments import Entry

ORIGINS = Adjustment.Origin


class DueLine(NamedTuple):
    """A line that a judgement should have: whose account, which session, how much, and when it counts."""

    player: int
    session: int | None
    game_points: int
    tournament_points: Fraction
    timing: str


@dataclass(frozen=True)
class Judgement:
    """A penalty or a lateness with the lines it should have and the words they carry."""

    penalty: Penalty | None
    lateness: Lateness | None
    due: tuple[DueLine, ...]
    origin: str
    reason: str


def settle(tournament: Tournament, *, by: Actor, reason: str = "") -> int:
    """Post and reverse adjustments until they are what the judgements bring now; return how many were written.

    A revoked penalty moves later ones of its ladder down, a substitution changes who pays and who receives:
    lines that no longer fit are reversed, missing ones are posted. The caller has locked the tournament. [RULES 8.38]
    """
    standing = _standing(tournament)
    moved = 0
    for judgement in _judgements(tournament):
        key = ("penalty", judgement.penalty.pk) if judgement.penalty else _late_key(judgement)
        moved += _fit(tournament, judgement, standing.get(key, []), by=by, reason=reason)
    return moved


def _late_key(judgement: Judgement) -> tuple[str, int]:
    return "lateness", judgement.lateness.pk if judgement.lateness else 0


def _standing(tournament: Tournament) -> dict[tuple[str, int], list[Adjustment]]:
    """Find the lines in force by what they were posted for."""
    rows = Line.objects.filter(
        adjustment__tournament=tournament, adjustment__reversed_at=None, appeal=None
    ).select_related("adjustment__session", "adjustment__tournament")
    found: dict[tuple[str, int], list[Adjustment]] = {}
    for row in rows.order_by("adjustment_id"):
        key = ("penalty", row.penalty_id) if row.penalty_id else ("lateness", row.lateness_id or 0)
        found.setdefault(key, []).append(row.adjustment)
    return found


def _judgements(tournament: Tournament) -> Iterator[Judgement]:
    judged = JudgedEvent(tournament)
    penalties = list(all_penalties(tournament))
    for row, one in zip(penalties, judged.priced(penalties), strict=True):
        due = tuple(_due_line(charge, row.timing) for charge in one.charges)
        yield Judgement(row, None, due, ORIGINS.PENALTY, row.clause)
    for late in _latenesses(tournament):
        cost = judged.lateness_cost(late)
        lines = (DueLine(late.player_id, late.session.number, -cost, Fraction(0), ""),) if cost else ()
        yield Judgement(None, late, lines, ORIGINS.LATENESS, _minutes(late))


def _latenesses(tournament: Tournament) -> Sequence[Lateness]:
    rows = Lateness.objects.filter(session__tournament=tournament).select_related("session", "player")
    return list(rows.order_by("id"))


def _minutes(late: Lateness) -> str:
    minutes, seconds = divmod(late.seconds or 0, 60)
    return f"{minutes}:{seconds:02}"


def _due_line(charge: Charge, timing: str) -> DueLine:
    return DueLine(
        player=int(str(charge.player)),
        session=charge.session,
        game_points=charge.game_points,
        tournament_points=charge.tournament_points,
        timing=timing,
    )


def _fit(
    tournament: Tournament, judgement: Judgement, standing: Sequence[Adjustment], *, by: Actor, reason: str
) -> int:
    """Reverse what a judgement no longer brings and post what it brings and nobody posted."""
    missing = Counter(judgement.due)
    moved = 0
    for row in standing:
        has = _as_due_line(row)
        if missing[has] > 0:
            missing[has] -= 1
            continue
        row.tournament = tournament
        adjustments.write_opposite(row, by=by, reason=reason or judgement.reason)
        moved += 1
    for due in missing.elements():
        row = adjustments.write(tournament, _entry(tournament, judgement, due), by=by)
        Line.objects.create(adjustment=row, penalty=judgement.penalty, lateness=judgement.lateness)
        moved += 1
    return moved


def _as_due_line(row: Adjustment) -> DueLine:
    return DueLine(
        player=row.player_id,
        session=row.session.number if row.session else None,
        game_points=row.game_points or 0,
        tournament_points=Fraction(row.tournament_points or 0),
        timing=row.timing,
    )


def _entry(tournament: Tournament, judgement: Judgement, due: DueLine) -> Entry:
    session = Session.objects.get(tournament=tournament, number=due.session) if due.session else None
    is_gp = bool(due.game_points)
    return Entry(
        player=Player.objects.get(pk=due.player),
        session=session,
        game_points=due.game_points if is_gp else None,
        tournament_points=None if is_gp else due.tournament_points,
        timing=due.timing,
        origin=judgement.origin,
        reason=judgement.reason,
    )
