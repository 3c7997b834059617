"""Begin a rehearsal, play it on, change how, and wipe it."""

import random
import secrets
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from config.rehearsal import rules
from config.tools.demo import people, play, removal
from scoring.problems import gettext_noop
from tournaments.models import Protocol, Role, Session, Tournament, User
from tournaments.models.protocol import InForce
from tournaments.people.operations import registration
from tournaments.record.actors import Actor
from tournaments.record.locks import lock_tournament
from tournaments.record.refusal import Refused, refuse
from tournaments.sessions.operations import play as sessions
from tournaments.sessions.operations import tournaments as events

OF_THE_DESK = (Role.Kind.ORGANIZER, Role.Kind.CHIEF_REFEREE, Role.Kind.REFEREE)
MOST_STEPS = 40
LONGEST_NAME = 120
Pace = dict[str, Any]


@transaction.atomic
def begin(source: Tournament, *, by: Actor, players: int, speed: int, own: int, is_alone: bool) -> Tournament:
    """Make an event like this one with invented players, all of them there; it is on no list and sends no mail. [RULES 9.26]"""
    source = lock_tournament(source)
    if source.rehearsal_of_id is not None:
        refuse("wrong_state", gettext_noop("A rehearsal is not rehearsed itself."))
    if source.rehearsals.exists():
        refuse("wrong_state", gettext_noop("There is a rehearsal already; wipe it first."))
    made = _event_like(source, by=by)
    Tournament.objects.filter(pk=made.pk).update(
        listing=Tournament.Listing.HIDDEN,
        rehearsal_of=source,
        pace=_pace(speed=speed, own=own, is_alone=is_alone),
    )
    made = Tournament.objects.get(pk=made.pk)
    events.take_staff(source, made, by=by)
    for kind in OF_THE_DESK:
        events.grant_role(made, User.objects.get(pk=by.id), kind, by=by)
    made = events.announce_tournament(made, by=by)
    _fill(made, players, by=by)
    return made


def _pace(*, speed: int, own: int, is_alone: bool) -> Pace:
    now = timezone.now().timestamp()
    return {"speed": speed, "own": own, "is_alone": is_alone, "turned_at": now, "owed": 0.0, "idle": 0.0}


def _event_like(source: Tournament, *, by: Actor) -> Tournament:
    today = timezone.localdate(timezone=source.zone)
    announcement = events.Announcement(
        name=(_("Rehearsal: %(name)s") % {"name": source.name})[:LONGEST_NAME],
        slug=f"{source.slug[:70]}-rehearsal-{secrets.token_hex(4)}",
        first_day=today,
        last_day=today,
        time_zone=source.time_zone,
        city=source.city,
        venue=source.venue,
        currency=source.currency,
        prize_places=source.prize_places,
        first_table=source.first_table,
        language=source.language,
    )
    return events.create_tournament(
        announcement, preset=source.preset, by=by, changes=source.regulation, is_demo=True
    )


def _fill(made: Tournament, players: int, *, by: Actor) -> None:
    """Put invented people on the list, in teams where there are any, and check them in."""
    size = made.regulation["team_size"]
    for index in range(players):
        person = people.PEOPLE[index % len(people.PEOPLE)]
        turn = index // len(people.PEOPLE)
        name = f"{person.name} {turn + 1}" if turn else person.name
        team = (_("Team %(n)s") % {"n": index // size + 1}) if size else ""
        details = registration.Details(name=name, country=person.country, city=person.city, team=team)
        row = registration.register_player(made, details, by=by)
        if row.status == "active":
            registration.check_in(row, by=by)


@transaction.atomic
def change_pace(rehearsal: Tournament, *, speed: int, own: int, is_alone: bool) -> None:
    """Play it faster or slower, leave other tables to people, or let it go on by itself."""
    row = _locked(rehearsal)
    row.pace = {**_pace_of(row), "speed": speed, "own": own, "is_alone": is_alone}
    row.save(update_fields=["pace"])


@transaction.atomic
def wipe(rehearsal: Tournament) -> None:
    """Delete a rehearsal with everything in it; of any other event nothing is ever deleted."""
    removal.remove_event(_locked(rehearsal))


def _locked(rehearsal: Tournament) -> Tournament:
    row = lock_tournament(rehearsal)
    if row.rehearsal_of_id is None or row.pace is None:
        refuse("wrong_state", gettext_noop("This event is no rehearsal."))
    return row


def _pace_of(rehearsal: Tournament) -> Pace:
    return dict(rehearsal.pace or {})


# A turn


def turn(rehearsal: Tournament, dice: random.Random) -> None:
    """Play what has become due since the last turn: hands at the tables and, where it goes on by itself, draws and sessions."""
    passed = _claim(rehearsal)
    rehearsal = Tournament.objects.get(pk=rehearsal.pk)
    pace = _pace_of(rehearsal)
    session = rehearsal.sessions.filter(state=Session.State.OPEN).first()
    if session is None:
        _go_on(rehearsal, pace, dice)
    elif session.paused_at is None and passed:
        session.tournament = rehearsal
        _move_clock(session, pace)
        _play(rehearsal, session, pace, dice)


@transaction.atomic
def _claim(rehearsal: Tournament) -> float:
    """Return how long ago the last turn was, and write down that this one is taken; two open pages make no two turns."""
    row = _locked(rehearsal)
    now = timezone.now().timestamp()
    pace = _pace_of(row)
    passed = rules.gone_by(pace["turned_at"], now)
    if passed < 1:
        return 0.0
    owed = pace["owed"] + passed * (pace["speed"] - 1)
    idle = pace["idle"] + passed * pace["speed"]
    row.pace = {**pace, "turned_at": now, "owed": owed, "idle": idle}
    row.save(update_fields=["pace"])
    return passed


def _remember(rehearsal: Tournament, **changes: float) -> None:
    with transaction.atomic():
        row = _locked(rehearsal)
        row.pace = {**_pace_of(row), **changes}
        row.save(update_fields=["pace"])


def _move_clock(session: Session, pace: Pace) -> None:
    """Take from the clock what the speed has it ahead of the hall's own, in whole minutes."""
    minutes, owed = rules.minutes_to_take(pace["owed"])
    left = session.ends_at - timezone.now() if session.ends_at else timedelta(0)
    if minutes and left > timedelta(0):
        by = play.actor(session.tournament)
        less = min(minutes, max(1, int(left / timedelta(minutes=1))))
        sessions.change_clock(session, by=by, key=uuid4().hex, minutes=-less)
        session.refresh_from_db()
        session.tournament.refresh_from_db()
    if minutes:
        _remember(session.tournament, owed=owed, idle=0.0)


def _play(rehearsal: Tournament, session: Session, pace: Pace, dice: random.Random) -> None:
    """Let the tables that are nobody's play as many hands as the clock says, and end."""
    left = session.ends_at - timezone.now() if session.ends_at else timedelta(0)
    share = 1 - left / timedelta(minutes=session.minutes)
    due = rules.steps_due(share, **_progress(session, pace["own"]))
    for _step in range(min(due, MOST_STEPS)):
        _try(rehearsal, dice, pace)
    if share >= 1 and pace["is_alone"] and _is_settled(session):
        _try(rehearsal, dice, pace)


def _progress(session: Session, own: int) -> dict[str, int]:
    """Count the steps that the tables left to the rehearsal have to take, and those they have taken."""
    hands = Count("hands", filter=Q(hands__status=InForce.IN_FORCE))
    theirs = list(
        Protocol.objects.filter(table__session=session, table__number__gt=own).annotate(played=hands)
    )
    limit = min(session.tournament.regulation["hands_limit"] or play.HANDS, play.HANDS)
    done = sum(limit + 1 if row.is_settled else min(row.played, limit) for row in theirs)
    return {"all_steps": len(theirs) * (limit + 1), "done": done}


def _is_settled(session: Session) -> bool:
    return all(row.is_settled for row in Protocol.objects.filter(table__session=session))


def _try(rehearsal: Tournament, dice: random.Random, pace: Pace) -> None:
    """Take one step; a hand that the rules refuse is thrown again at the next turn."""
    session = rehearsal.sessions.filter(state=Session.State.OPEN).first()
    if not pace["is_alone"] and (session is None or _is_settled(session)):
        return
    try:
        play.step(rehearsal, dice, is_quiet=dice.random() > 0.05, left_alone=pace["own"])
    except Refused:
        return


def _go_on(rehearsal: Tournament, pace: Pace, dice: random.Random) -> None:
    """Between sessions: where it goes on by itself, draw after a while, and start some minutes later."""
    if not pace["is_alone"] or rehearsal.is_finished:
        return
    is_seated = rehearsal.sessions.filter(state=Session.State.PLANNED, published_at__isnull=False).exists()
    if pace["idle"] >= (rules.START_AFTER if is_seated else rules.SEATS_AFTER):
        _try(rehearsal, dice, pace)
        _remember(rehearsal, idle=0.0, owed=0.0)
