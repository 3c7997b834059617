"""One step of a demo event at a time: a hand, the end of a table, the end of a session, the next draw, the end."""

import logging
import random
from collections.abc import Callable

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group
from django.db.models import Count, Q

from config.tools.demo import incidents
from config.tools.demo.hands import random_facts
from scoring.systems import system
from seating.drafts import operations as draws
from tournaments.models import Protocol, Role, Session, Tournament, User
from tournaments.models.protocol import InForce
from tournaments.record.actors import Actor, ActorKind
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import play
from tournaments.sessions.operations import tournaments as events
from tournaments.tables.operations import entering, protocols
from tournaments.tables.operations.recording import Intent
from tournaments.tables.queries.state import protocol_state

logger = logging.getLogger(__name__)

HANDS = 12
PATIENCE = 60
"""After so many refusals in a row an event is stuck."""
PLAYED_BY = "demo-referee"
"""The account in whose name the demo plays; nobody signs in with it, so whatever another account did, a visitor did."""
ORGANIZERS = "organizers of the demo"
ONWARD = "The demo goes on by itself."
"""Said where a visitor has filed an appeal: the demo waits for nobody's ruling."""


def player_account() -> User:
    """Return the account in whose name the demo plays."""
    return User.objects.get_or_create(username=PLAYED_BY, defaults={"password": make_password(None)})[0]


def organizers() -> Group:
    """Return the group of the accounts with which people sign in to the demo."""
    return Group.objects.get_or_create(name=ORGANIZERS)[0]


def actor(tournament: Tournament) -> Actor:
    """Act as whoever made the event, in the roles the demo gave."""
    roles = Role.objects.filter(tournament=tournament, user=tournament.created_by).values_list(
        "kind", flat=True
    )
    return Actor(ActorKind.USER, tournament.created_by_id, frozenset(roles) | {"signed_in"})


def step(tournament: Tournament, dice: random.Random, *, is_quiet: bool = False, left_alone: int = 0) -> None:
    """Let one table record a hand, or take the next step of the event when all are done.

    A quiet step is one of the past: nobody is late, nobody calls a referee. The first tables may be left to people.
    """
    by = actor(tournament)
    session = tournament.sessions.filter(state=Session.State.OPEN).first()
    if session is None:
        _next_session(tournament, by, dice)
        return
    if not is_quiet:
        incidents.happen(tournament, session, by, dice)
    protocol = _open_table(session, dice, left_alone=left_alone)
    if protocol is None and left_alone and _open_table(session, dice):
        return
    if protocol is None:
        incidents.everybody_is_here(session, by)
        play.close_session(session, by=by, reason=ONWARD)
    elif protocol.hand_count < min(tournament.regulation["hands_limit"] or HANDS, HANDS):  # type: ignore[attr-defined]
        _record(protocol, by, dice)
    else:
        _settle(protocol, by, dice)


def play_on(tournament: Tournament, dice: random.Random, is_done: Callable[[], bool]) -> None:
    """Play the past until something is so; give up if nothing goes on any more."""
    refusals = 0
    while not is_done():
        refusals = 0 if _quiet_step(tournament, dice) else refusals + 1
        if refusals > PATIENCE:
            raise RuntimeError(f"The demo cannot play {tournament}.")


def _quiet_step(tournament: Tournament, dice: random.Random) -> bool:
    """Take a step of the past; return whether it was taken, for a hand that the rules refuse is thrown again."""
    tournament.refresh_from_db()
    try:
        step(tournament, dice, is_quiet=True)
    except Refused as refused:
        logger.debug("Thrown again: %s", refused)
        return False
    return True


def closed_sessions(tournament: Tournament) -> int:
    """Return how many sessions are over."""
    return tournament.sessions.filter(state=Session.State.CLOSED).count()


def _open_table(session: Session, dice: random.Random, *, left_alone: int = 0) -> Protocol | None:
    """Choose a table that still plays."""
    hands = Count("hands", filter=Q(hands__status=InForce.IN_FORCE))
    theirs = Protocol.objects.filter(table__session=session, table__number__gt=left_alone)
    tables = theirs.annotate(hand_count=hands)
    playing = [row for row in tables if not row.is_settled]
    return dice.choice(playing) if playing else None


def _next_session(tournament: Tournament, by: Actor, dice: random.Random) -> None:
    """Seat and start the next session, or close an event that has none left."""
    seated = tournament.sessions.filter(state=Session.State.PLANNED, published_at__isnull=False).first()
    if seated is not None:
        play.start_session(seated, by=by)
        return
    following = tournament.sessions.filter(published_at=None).order_by("number").first()
    if following is None:
        events.close_tournament(tournament, by=by, reason=ONWARD)
        return
    following.tournament = tournament
    draw = draws.propose_random(tournament, following, by=by, seed=f"{dice.randrange(10**6):06}")
    draws.publish(draw, by=by)


def _record(protocol: Protocol, by: Actor, dice: random.Random) -> None:
    protocol = Protocol.objects.select_related("table__session__tournament").get(pk=protocol.pk)
    state = protocol_state(protocol)
    if state["next"]["is_over"]:
        _settle(protocol, by, dice)
        return
    seats = [seat["wind"] for seat in state["seats"] if seat["player"]]
    facts = random_facts(system(state["system"]), state["rules"], seats, dice)
    entering.record_hand(protocol, facts, intent=_intent(protocol, dice), by=by, is_sure=True)


def _settle(protocol: Protocol, by: Actor, dice: random.Random) -> None:
    """End the table and let everybody confirm."""
    protocol = Protocol.objects.select_related("table__session__tournament").get(pk=protocol.pk)
    if protocol.state == Protocol.State.OPEN:
        protocols.end_protocol(protocol, intent=_intent(protocol, dice), by=by)
    seats = list(protocol.table.seats.filter(player__isnull=False))
    totals = {seat.wind: seat.hand_points for seat in seats}
    for seat in seats:
        if seat.confirmed_at is None:
            protocol.refresh_from_db()
            protocols.confirm_seat(protocol, seat.wind, totals=totals, intent=_intent(protocol, dice), by=by)


def _intent(protocol: Protocol, dice: random.Random) -> Intent:
    return Intent(seen=protocol.version, key=f"demo-{dice.getrandbits(96):024x}", body={})
