"""What else happens in a hall: somebody is late, a referee is called, a penalty, an appeal, a substitute."""

import random
from datetime import timedelta
from typing import Any

from django.utils import timezone

from penalties.appeals import operations as appeals_operations
from penalties.appeals.operations import Grounds
from penalties.ladder.operations import penalties
from penalties.ladder.operations.penalties import Case
from penalties.lateness import operations as lateness_operations
from penalties.models import Appeal, Lateness, Penalty
from tournaments.models import Player, Session, Table, Tournament
from tournaments.record.actors import Actor
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import play
from tournaments.tables.operations import substitutes

LATE = timedelta(minutes=4)
OFTEN = 0.3
REASON = "Claimed after the next tile was drawn. · Заявка после того, как была взята следующая кость."
APPEAL = (
    "I said “pung” before the next tile was drawn; my neighbours heard it. · "
    "Я сказал «понг» до того, как взяли следующую кость; соседи это слышали."
)
REPLACED = "The player was called away. · Игрока срочно вызвали."


def happen(tournament: Tournament, session: Session, by: Actor, dice: random.Random) -> None:
    """Let one of the things happen that this session lacks; what the record refuses just does not happen."""
    session.tournament = tournament
    for incident in (_substitute, _somebody_late, _arrival, _penalty, _appeal, _call):
        try:
            if incident(session, by, dice):
                return
        except Refused:
            continue


def _player(session: Session, dice: random.Random) -> Player | None:
    """Choose somebody of the list who sits at a table that still plays."""
    seats = session.seats.filter(player__registration__isnull=False).select_related(
        "player", "table__protocol"
    )
    playing = [seat for seat in seats if not seat.table.protocol.is_settled]
    player = dice.choice(playing).player if playing else None
    if player is not None:
        player.tournament = session.tournament
    return player


def _substitute(session: Session, by: Actor, dice: random.Random) -> bool:
    """Let a substitute sit for somebody in every session."""
    tournament = session.tournament
    pool = tournament.substitutes.exclude(player__seats__session=session).select_related("player")
    substitute = pool.first()
    if substitute is None or session.seats.filter(player__substitute__isnull=False).exists():
        return False
    player = _player(session, dice)
    if player is None:
        return False
    substitutes.seat_substitute(player, substitute, [session], by=by, reason=REPLACED)
    return True


def _somebody_late(session: Session, by: Actor, dice: random.Random) -> bool:
    """Mark one player as late at the start of a session."""
    player = _player(session, dice)
    if player is None or Lateness.objects.filter(session=session).exists():
        return False
    return bool(lateness_operations.mark_late(session, [player], by=by))


def _arrival(session: Session, by: Actor, dice: random.Random) -> bool:
    """Let whoever is late arrive after some minutes."""
    late = Lateness.objects.filter(session=session, state=Lateness.State.RUNNING).first()
    if late is None or session.started_at is None or timezone.now() < session.started_at + LATE:
        return False
    lateness_operations.note_arrival(late, by=by)
    return True


def everybody_is_here(session: Session, by: Actor) -> None:
    """Let whoever is still awaited arrive: a session is not closed while minutes run."""
    for late in Lateness.objects.filter(session=session, state=Lateness.State.RUNNING):
        lateness_operations.note_arrival(late, by=by)


def _penalty(session: Session, by: Actor, dice: random.Random) -> bool:
    """Give one penalty in a session: a warning in the first place, as the ladder has it."""
    ladders = session.tournament.regulation["penalties"]["ladders"]
    player = _player(session, dice)
    if not ladders or player is None or Penalty.objects.filter(session=session).exists():
        return False
    case = Case(player=player, offence=ladders[0]["offences"][0], session=session, reason=REASON)
    penalties.give(session.tournament, case, by=by, key=_key(dice), is_sure=True)
    return True


def _appeal(session: Session, by: Actor, dice: random.Random) -> bool:
    """Keep one appeal waiting for its ruling: about the newest penalty; an older one is taken back."""
    tournament = session.tournament
    penalty = Penalty.objects.filter(session=session, state=Penalty.State.IN_FORCE).first()
    if penalty is None or tournament.appeals.filter(session=session).exists():
        return False
    for old in tournament.appeals.filter(state__in=Appeal.OPEN):
        appeals_operations.withdraw_appeal(old, by=by)
    penalty.player.tournament = tournament
    grounds = Grounds(session=session, player=penalty.player, text=APPEAL, penalty=penalty)
    appeals_operations.file_appeal(tournament, grounds, by=by, key=_key(dice))
    return True


def _call(session: Session, by: Actor, dice: random.Random) -> bool:
    """Keep one table calling a referee, most of the time."""
    if session.tables.filter(called_at__isnull=False).exists() or dice.random() > OFTEN:
        return False
    playing = [table for table in _tables(session) if not table.protocol.is_settled]
    if not playing:
        return False
    play.call_referee(dice.choice(playing), by=by)
    return True


def _tables(session: Session) -> Any:
    return Table.objects.filter(session=session).select_related("protocol", "session")


def _key(dice: random.Random) -> str:
    return f"demo-{dice.getrandbits(96):024x}"
