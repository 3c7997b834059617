"""Lines on a player's account that no hand produced: posted, and undone by their opposite alone."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from scoring.problems import Problem, gettext_noop
from scoring.regulation import GivenResult, jsoned
from tournaments.models import Adjustment, Player, Session, Tournament
from tournaments.record import history, receipts
from tournaments.record.actors import Actor
from tournaments.record.history import Kind
from tournaments.record.locks import lock_tournament
from tournaments.record.refusal import FINISHED, Refused, need_reason, refuse, refuse_finished

MOST_POINTS = 10**9


@dataclass(frozen=True)
class Entry:
    """What a line says: game points, tournament points, or a session's whole result, and only one of them."""

    player: Player
    session: Session | None = None
    game_points: int | None = None
    tournament_points: Fraction | None = None
    result: GivenResult | None = None
    timing: str = ""
    origin: str = Adjustment.Origin.DESK
    reason: str = ""
    appeal: str = ""


@transaction.atomic
def post(tournament: Tournament, entry: Entry, *, by: Actor, key: str = "") -> Adjustment:
    """Post a line on a player's account. [RULES 1.8] [RECORD 2]

    Sent again under the same key, it changes nothing: nobody loses the points twice. [INTEGRITY 2]
    """
    tournament = lock_tournament(tournament)
    body = _body(entry)
    if key and (given := receipts.answered(tournament, key, by=by, body=body)) is not None:
        return tournament.adjustments.get(code=given["line"])
    need_reason(entry.reason)
    if problems := [*_problems(tournament, entry)]:
        raise Refused(*problems)
    row = write(tournament, entry, by=by)
    if key:
        receipts.store(tournament, key, by=by, body=body, answer={"line": row.code})
    return row


@transaction.atomic
def reverse(adjustment: Adjustment, *, by: Actor, reason: str) -> Adjustment:
    """Post the opposite line; the line and its opposite stay readable and are counted no more. [RULES 1.8]"""
    tournament = lock_tournament(adjustment.tournament)
    need_reason(reason)
    row = Adjustment.objects.get(pk=adjustment.pk)
    row.tournament = tournament
    refuse_finished(tournament)
    if row.reversed_at is not None:
        at = timezone.localtime(row.reversed_at, tournament.zone).strftime("%H:%M")
        refuse("already_cancelled", gettext_noop("This line was reversed at %(time)s."), time=at)
    return write_opposite(row, by=by, reason=reason)


def write(tournament: Tournament, entry: Entry, *, by: Actor) -> Adjustment:
    """Write a line and its history; the tournament is locked and the entry checked."""
    points = entry.tournament_points
    row = Adjustment.objects.create(
        tournament=tournament,
        code=_next_code(tournament),
        session=entry.session,
        player=entry.player,
        origin=entry.origin,
        game_points=entry.game_points,
        tournament_points="" if points is None else str(points),
        result=None if entry.result is None else jsoned(entry.result),
        timing=entry.timing,
        reason=entry.reason,
        appeal=entry.appeal,
    )
    _record(Kind.ADJUSTMENT_POSTED, tournament, row, by=by, reason=entry.reason)
    return row


def write_opposite(row: Adjustment, *, by: Actor, reason: str) -> Adjustment:
    """Write the opposite of a line that stands; a whole result has none and is only marked."""
    row.reversed_at = timezone.now()
    row.save(update_fields=["reversed_at"])
    opposite = row
    if row.result is None:
        opposite = Adjustment.objects.create(
            tournament_id=row.tournament_id,
            code=f"{row.code}-reversed",
            session_id=row.session_id,
            player_id=row.player_id,
            origin=row.origin,
            game_points=None if row.game_points is None else -row.game_points,
            tournament_points=str(-Fraction(row.tournament_points)) if row.tournament_points else "",
            timing=row.timing,
            reason=reason,
            reversed_at=row.reversed_at,
        )
    _record(Kind.ADJUSTMENT_REVERSED, row.tournament, row, by=by, reason=reason)
    return opposite


def _body(entry: Entry) -> dict[str, Any]:
    """Return what is posted, as its receipt knows it."""
    points = entry.tournament_points
    return {
        "player": entry.player.pk,
        "session": entry.session.number if entry.session else None,
        "game_points": entry.game_points,
        "tournament_points": None if points is None else str(points),
        "result": None if entry.result is None else jsoned(entry.result),
        "timing": entry.timing,
        "reason": entry.reason,
    }


def _problems(tournament: Tournament, entry: Entry) -> list[Problem]:
    """Return why a line is refused: it makes one change, of plausible size, for a player of the event. [RECORD 2]"""
    given = [entry.game_points, entry.tournament_points, entry.result]
    problems = []
    if sum(part is not None for part in given) != 1:
        problems.append(Problem("one_change", ONE_CHANGE, clause="RECORD 2"))
    if entry.game_points is not None and not 0 < abs(entry.game_points) <= MOST_POINTS:
        problems.append(Problem("out_of_range", POINTS, field="game_points"))
    if entry.tournament_points is not None and not 0 < abs(entry.tournament_points) <= 1000:
        problems.append(Problem("out_of_range", POINTS, field="tournament_points"))
    if entry.result is not None and entry.session is None:
        problems.append(Problem("session_needed", SESSION_NEEDED, field="session", clause="RECORD 2"))
    if entry.player.tournament_id != tournament.pk:
        problems.append(Problem("player_not_found", NO_PLAYER, field="player"))
    if entry.session is not None and _is_without_seat(entry.player, entry.session):
        problems.append(Problem("not_seated", NO_SEAT, field="session", clause="RECORD 2"))
    if tournament.is_finished and entry.origin == Adjustment.Origin.DESK:
        problems.append(Problem("event_finished", FINISHED))
    return problems


def _is_without_seat(player: Player, session: Session) -> bool:
    """Return whether a seated session has no seat of the player: a line about it would move nothing. [RECORD 4]"""
    own = Q(player=player) | Q(kept_for=player)
    return session.seats.exists() and not session.seats.filter(own).exists()


def _next_code(tournament: Tournament) -> str:
    """Number the lines; opposites carry the code of their line, and those of records keep theirs."""
    taken = set(tournament.adjustments.values_list("code", flat=True))
    number = sum(not code.endswith("-reversed") for code in taken) + 1
    while f"d{number}" in taken:
        number += 1
    return f"d{number}"


def _record(kind: Kind, tournament: Tournament, row: Adjustment, *, by: Actor, reason: str) -> None:
    history.record(
        kind,
        tournament=tournament,
        by=by,
        subject=f"adjustment:{row.code}",
        data=facts_of(row),
        reason=reason,
    )


def facts_of(row: Adjustment) -> dict[str, Any]:
    """Return what the history tells of a line."""
    return {
        "code": row.code,
        "player": row.player_id,
        "session": row.session.number if row.session else None,
        "origin": row.origin,
        "game_points": row.game_points,
        "tournament_points": row.tournament_points,
        "result": row.result,
        "timing": row.timing,
    }


ONE_CHANGE = gettext_noop("Give game points, tournament points, or a whole result: exactly one of them.")
POINTS = gettext_noop("Write a number of points other than zero.")
SESSION_NEEDED = gettext_noop("A whole result belongs to a session; choose it.")
NO_PLAYER = gettext_noop("No such player in this event.")
NO_SEAT = gettext_noop("This player has no seat in that session, so that nothing would change.")
