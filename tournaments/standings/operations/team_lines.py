"""Points taken from a team or given to it, and to none of its members: posted, and taken back with a reason."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.utils import timezone

from scoring.problems import Problem, gettext_noop
from scoring.regulation import Regulation
from scoring.standings.groups import MOVES_NO_TEAM, moves_teams
from tournaments.models import Session, Team, TeamLine, Tournament
from tournaments.record import history, receipts
from tournaments.record.actors import Actor
from tournaments.record.history import Kind
from tournaments.record.locks import lock_tournament
from tournaments.record.refusal import Refused, need_reason, refuse, refuse_finished
from tournaments.standings.operations.adjustments import MOST_POINTS, POINTS

MOST_TOURNAMENT_POINTS = 1000


@dataclass(frozen=True)
class TeamEntry:
    """What a line says: points of one kind, signed; with an offence it is a penalty and takes them."""

    team: Team
    game_points: int | None = None
    tournament_points: Fraction | None = None
    offence: str = ""
    clause: str = ""
    session: Session | None = None
    reason: str = ""
    decided_by: str = "chief_referee"


@transaction.atomic
def post(tournament: Tournament, entry: TeamEntry, *, by: Actor, key: str = "") -> TeamLine:
    """Post a line on the account of a team; it stands in its table and in no session. [SBR 2.4.3] [RULES 9.13]

    Sent again under the same key, it changes nothing: no team loses the points twice. [INTEGRITY 2]
    """
    tournament = lock_tournament(tournament)
    body = _body(entry)
    if key and (given := receipts.answered(tournament, key, by=by, body=body)) is not None:
        return tournament.team_lines.get(code=given["line"])
    need_reason(entry.reason)
    refuse_finished(tournament)
    if problems := _problems(tournament, entry):
        raise Refused(*problems)
    row = write(tournament, entry, by=by)
    if key:
        receipts.store(tournament, key, by=by, body=body, answer={"line": row.code})
    return row


@transaction.atomic
def reverse(line: TeamLine, *, by: Actor, reason: str) -> TeamLine:
    """Take a line back; it stays readable and is counted no more. [RULES 1.8]"""
    tournament = lock_tournament(line.tournament)
    need_reason(reason)
    refuse_finished(tournament)
    row = TeamLine.objects.select_related("team", "session").get(pk=line.pk)
    if row.reversed_at is not None:
        at = timezone.localtime(row.reversed_at, tournament.zone).strftime("%H:%M")
        refuse("already_cancelled", gettext_noop("This line was reversed at %(time)s."), time=at)
    row.reversed_at, row.reverse_reason = timezone.now(), reason
    row.save(update_fields=["reversed_at", "reverse_reason"])
    _record(Kind.TEAM_LINE_REVERSED, tournament, row, by=by, reason=reason)
    return row


def write(tournament: Tournament, entry: TeamEntry, *, by: Actor) -> TeamLine:
    """Write a line and its history; the tournament is locked and the entry checked."""
    points = entry.tournament_points
    row = TeamLine.objects.create(
        tournament=tournament,
        code=_next_code(tournament),
        team=entry.team,
        session=entry.session,
        offence=entry.offence,
        clause=entry.clause,
        decided_by=entry.decided_by,
        game_points=entry.game_points,
        tournament_points="" if points is None else str(points),
        reason=entry.reason,
    )
    _record(Kind.TEAM_LINE_POSTED, tournament, row, by=by, reason=entry.reason)
    return row


def _body(entry: TeamEntry) -> dict[str, Any]:
    """Return what is posted, as its receipt knows it."""
    points = entry.tournament_points
    return {
        "team": entry.team.pk,
        "game_points": entry.game_points,
        "tournament_points": None if points is None else str(points),
        "offence": entry.offence,
        "clause": entry.clause,
        "session": entry.session.number if entry.session else None,
        "reason": entry.reason,
    }


def _problems(tournament: Tournament, entry: TeamEntry) -> list[Problem]:
    """One kind of points, of a size that can be meant, that moves the table of a team of this event. [RULES 8.51]"""
    game_points, tournament_points = entry.game_points, entry.tournament_points
    problems = []
    if (game_points is None) == (tournament_points is None):
        problems.append(Problem("one_change", ONE_KIND, field="game_points", clause="RECORD 2"))
    if game_points is not None and not 0 < abs(game_points) <= MOST_POINTS:
        problems.append(Problem("out_of_range", POINTS, field="game_points"))
    if tournament_points is not None and not 0 < abs(tournament_points) <= MOST_TOURNAMENT_POINTS:
        problems.append(Problem("out_of_range", POINTS, field="tournament_points"))
    if entry.offence and ((game_points or 0) > 0 or (tournament_points or 0) > 0):
        problems.append(Problem("penalty_amount", TAKES, field="game_points", clause="RULES 1.8"))
    if entry.team.tournament_id != tournament.pk:
        problems.append(Problem("no_team", NO_TEAM, field="team"))
    rules = Regulation.from_json(tournament.regulation, system=tournament.system)
    if not problems and not moves_teams(rules, in_game_points=game_points is not None):
        problems.append(Problem("moves_nothing", MOVES_NO_TEAM, field="team", clause="RULES 8.51"))
    return problems


def _next_code(tournament: Tournament) -> str:
    """Number the lines beside penalties and adjustments, whose ids a record keeps apart."""
    taken = set(tournament.team_lines.values_list("code", flat=True))
    number = len(taken) + 1
    while f"t{number}" in taken:
        number += 1
    return f"t{number}"


def _record(kind: Kind, tournament: Tournament, row: TeamLine, *, by: Actor, reason: str) -> None:
    history.record(
        kind, tournament=tournament, by=by, subject=f"team:{row.team_id}", data=facts_of(row), reason=reason
    )


def facts_of(row: TeamLine) -> dict[str, Any]:
    """Return what the history tells of a line."""
    return {
        "code": row.code,
        "team": row.team_id,
        "session": row.session.number if row.session else None,
        "offence": row.offence,
        "clause": row.clause,
        "game_points": row.game_points,
        "tournament_points": row.tournament_points,
    }


ONE_KIND = gettext_noop("Give game points or tournament points: exactly one of them.")
TAKES = gettext_noop("A penalty takes points: write them with a minus, or leave the offence out.")
NO_TEAM = gettext_noop("No such team in this event.")
