"""What a referee's phone writes: each press once, with a receipt, whether it comes at once or out of its queue."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from penalties.ladder.operations import penalties
from penalties.ladder.operations.penalties import Case
from penalties.ladder.queries.penalties import penalty_rows
from penalties.lateness import operations as lateness
from penalties.models import Lateness, Penalty
from penalties.paper.operations import ask_for_print
from scoring.problems import gettext_noop
from tournaments.models import Player, Receipt, Session, Tournament
from tournaments.record import receipts
from tournaments.record.actors import Actor
from tournaments.record.locks import lock_tournament
from tournaments.record.receipts import Answer
from tournaments.record.refusal import refuse
from tournaments.tables.operations.recording import receipt_of

Press = Mapping[str, Any]
"""What was pressed, read: whom it concerns and what is wanted."""
GIVEN = "-give"
"""The penalty of a press has a key of its own, made from that of the press."""


@transaction.atomic
def carry_out(
    tournament: Tournament, operation: str, press: Press, *, key: str, by: Actor, body: Press
) -> Answer:
    """Do what was pressed. Sent again under the same key, it changes nothing and is told the first answer. [INTEGRITY 2]

    The receipt names the newest entry of the event's history: with the event locked, that is the entry which the press has left.
    """
    tournament = lock_tournament(tournament)
    if answer := receipts.answered(tournament, key, by=by, body=body):
        return answer
    state = PRESSES[operation](tournament, press, key, by)
    entry = tournament.history.filter(protocol=None).order_by("-number").first()
    if entry is None:
        refuse("not_found", NOTHING_THERE)
    answer = {"receipt": receipt_of(entry), "state": state}
    receipts.store(tournament, key, by=by, body=body, answer=answer)
    return answer


def _give(tournament: Tournament, press: Press, key: str, by: Actor) -> Answer:
    """Give a penalty as it was shown on the phone; another step by now is asked again. [RULES 1.8] [SBR 2.8.2]"""
    case = Case(
        player=_player(tournament, press["player"]),
        offence=press["offence"],
        session=_session(tournament, press["session"]),
        hand=press.get("hand"),
        effect=press.get("effect", Penalty.Effect.GAME_POINTS.value),
        points=press.get("points"),
        to=Penalty.Receiver.PLAYER.value if press.get("to") else "",
        to_player=_player(tournament, press["to"]) if press.get("to") else None,
    )
    given = penalties.give(
        tournament,
        case,
        by=by,
        key=f"{key}{GIVEN}",
        is_sure=press.get("sure", False),
        shown_step=press.get("step"),
    )
    row = penalty_rows(tournament, [given])[0]
    return {"penalty": given.number, "step": row.step, "points": row.game_points, "state": given.state}


def _revoke(tournament: Tournament, press: Press, key: str, by: Actor) -> Answer:
    """Revoke a penalty, named by its number or by the press that gave it. [RULES 1.8]"""
    number = press.get("penalty") or _number_under(tournament, press.get("given", ""))
    row = tournament.penalties.filter(number=number).first()
    if row is None:
        refuse("not_found", gettext_noop("There is no such penalty."))
    row.tournament = tournament
    penalties.revoke(row, by=by, reason=press["reason"])
    return {"penalty": row.number, "state": Penalty.State.REVOKED.value}


def _number_under(tournament: Tournament, key: str) -> int:
    """Return the number of the penalty that a press gave; 0 if it gave none."""
    row = Receipt.objects.filter(tournament=tournament, key=f"{key}{GIVEN}").first()
    return int(row.answer.get("penalty", 0)) if row else 0


def _late(tournament: Tournament, press: Press, key: str, by: Actor) -> Answer:
    """Start the minutes of a player whose seat is empty. [SBR 2.8.4.5]"""
    session = _session(tournament, press["session"])
    rows = lateness.mark_late(session, [_player(tournament, press["player"])], by=by)
    return {"state": rows[0].state}


def _arrived(tournament: Tournament, press: Press, key: str, by: Actor) -> Answer:
    """Stop the minutes at the moment at which it was pressed, however late it is sent. [RULES 8.54]"""
    session = _session(tournament, press["session"])
    row = Lateness.objects.filter(session=session, player=press["player"]).first()
    if row is None:
        refuse("not_found", gettext_noop("Nobody has noted this player as late."))
    row.session = session
    at: datetime | None = press.get("at")
    done = lateness.note_arrival(row, by=by, at=at)
    return {"state": done.state, "seconds": done.seconds}


def _print(tournament: Tournament, press: Press, key: str, by: Actor) -> Answer:
    """Ask for a sheet at the desk's printer."""
    ask_for_print(tournament, press["kind"], press["number"], by=by)
    return {"kind": press["kind"], "number": press["number"]}


def _session(tournament: Tournament, number: int) -> Session:
    found = tournament.sessions.filter(number=number).first()
    if found is None:
        refuse("not_found", NOTHING_THERE)
    found.tournament = tournament
    return found


def _player(tournament: Tournament, pk: int) -> Player:
    found = tournament.players.filter(pk=pk).first()
    if found is None:
        refuse("player_not_found", gettext_noop("No such player in this event."), field="player")
    found.tournament = tournament
    return found


NOTHING_THERE = gettext_noop("There is nothing at this address.")
PRESSES: Mapping[str, Callable[[Tournament, Press, str, Actor], Answer]] = {
    "give": _give,
    "revoke": _revoke,
    "late": _late,
    "arrived": _arrived,
    "print": _print,
}
"""What can be pressed, by the name that the phone sends."""
