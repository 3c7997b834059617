"""Penalties: given, approved by a second person, revoked; ladders and registrations follow."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from penalties.appeals.queries import seat_in
from penalties.ladder.operations import dead_hands
from penalties.ladder.operations.lines import settle
from penalties.ladder.queries.outlook import changes_nothing
from penalties.ladder.queries.penalties import (
    JudgedEvent,
    all_penalties,
    given_of,
    may_decide_afterwards,
    records_hands,
)
from penalties.ladder.rules import ladder
from penalties.ladder.rules.offences import offence
from penalties.models import Appeal, Penalty
from scoring.problems import Problem, gettext_noop
from scoring.regulation import LadderScope, Timing
from scoring.standings.sessions import Step
from scoring.systems.offences import Mode, Offence
from tournaments.models import Player, Registration, Seat, Session, Tournament, User
from tournaments.record import history, receipts
from tournaments.record.actors import Actor
from tournaments.record.history import Kind
from tournaments.record.locks import lock_registration, lock_session, lock_tournament
from tournaments.record.refusal import Refused, need_reason, refuse
from tournaments.tables.operations.substitutes import clear_seats, give_back_seats
from tournaments.tables.queries.events import TAKING_PART

EFFECTS = Penalty.Effect
STATES = Penalty.State
TWICE = timedelta(minutes=5)
"""The same penalty by another referee sooner than this is probably the same case. [INTEGRITY 116]"""
OUT = {
    EFFECTS.REMOVAL.value: Registration.Status.REMOVED,
    EFFECTS.DISQUALIFICATION.value: Registration.Status.DISQUALIFIED,
}

SECONDS = ("organizer", "chief_referee", "referee", "committee")
"""Who may approve a disqualification as the second person."""
TAKING = (EFFECTS.GAME_POINTS, EFFECTS.TOURNAMENT_POINTS)
BOUND_TO_PLAY = (*TAKING, EFFECTS.DEAD_HAND)
WITH_PENALTY = "Penalty no. %s: %s"
NO_SEAT = gettext_noop(
    "%(name)s has no seat in session %(n)s, so that nothing would be taken there. Give the penalty for the whole event."
)
NO_STANDING = gettext_noop(
    "%(name)s has no standing here, so that nothing would be taken. Give a warning or a removal."
)
NO_TOURNAMENT_POINTS = gettext_noop(
    "Tournament points decide nothing in this event, so taking them would change nothing. "
    "Take game points, or give a warning or a removal."
)

CHANGES_NOTHING = gettext_noop(
    "This would change nothing for %(name)s in this session: no points, no places. Give the penalty for the whole event, or a warning or a removal."
)
CHANGES_NOTHING_HERE = gettext_noop(
    "This would change nothing for %(name)s: the ranking counts no game points. Give it in a session, or a warning or a removal."
)


@dataclass(frozen=True)
class Case:
    """What somebody did and what shall follow; without kind, points and effect the regulation says it all."""

    player: Player
    offence: str
    session: Session | None = None
    hand: int | None = None
    kind: str = ""
    effect: str = EFFECTS.GAME_POINTS
    clause: str = ""
    reason: str = ""
    points: Fraction | None = None
    to: str = ""
    to_player: Player | None = None
    timing: str = ""
    until: date | None = None


@transaction.atomic
def give(
    tournament: Tournament,
    case: Case,
    *,
    by: Actor,
    key: str,
    is_sure: bool = False,
    shown_step: int | None = None,
) -> Penalty:
    """Give a penalty. Sent again under the same key, it changes nothing. [RULES 1.8] [SBR 2.8]

    `shown_step` is the step of the ladder that whoever gives it was shown; if it is another one by now, it is asked again.
    """
    tournament = lock_tournament(tournament)
    body = _body(case)
    if answer := receipts.answered(tournament, key, by=by, body=body):
        return Penalty.objects.get(tournament=tournament, number=answer["penalty"])
    session = lock_session(case.session) if case.session else None
    registration = _registration(case.player, case.effect)
    _check_scene(tournament, case, session, by)
    named = _named(tournament, case, session)
    _check_case(tournament, case, named, by)
    _check_account(tournament, case, session)
    if case.effect == EFFECTS.DEAD_HAND and session is not None:
        seat = seat_in(session, case.player)
        dead_hands.lock_table(seat.table if seat else None)
    if not is_sure:
        _check_not_twice(tournament, case, by)
    _check_as_shown(tournament, case, named, shown_step)
    _check_changes(tournament, case)
    row = _create(tournament, case, named, by)
    _record(Kind.PENALTY_GIVEN, row, by=by, reason=case.reason, data={**body, "state": row.state})
    _follow(row, registration, by=by)
    dead_hands.enter(row, by=by)
    settle(tournament, by=by)
    receipts.store(tournament, key, by=by, body=body, answer={"penalty": row.number})
    return row


def give_by_ruling(tournament: Tournament, case: Case, *, by: Actor) -> Penalty:
    """Give a penalty that a ruling decided, in whatever state session and event are. [SBR 2.9.5]

    The caller has locked the tournament and checked that the body does not decide its own case.
    """
    registration = _registration(case.player, case.effect)
    named = _named(tournament, case, case.session)
    _check_case(tournament, case, named, by)
    _check_account(tournament, case, case.session)
    row = _create(tournament, case, named, by)
    _record(Kind.PENALTY_GIVEN, row, by=by, reason=case.reason, data={**_body(case), "state": row.state})
    _follow(row, registration, by=by)
    settle(tournament, by=by)
    return row


@transaction.atomic
def approve(penalty: Penalty, *, by: Actor) -> Penalty:
    """Put a disqualification into force: it takes two people, one of them the chief referee. [SBR 2.8.5]"""
    tournament = lock_tournament(penalty.tournament)
    row = _fresh(penalty, tournament)
    registration = _registration(row.player, row.effect)
    if row.state != STATES.PROPOSED:
        refuse("wrong_state", gettext_noop("This penalty needs no approval."))
    _check_afterwards(tournament, by)
    if row.given_by_id == by.id and has_second(tournament, by):
        refuse("second_needed", gettext_noop("A disqualification needs a second approval."))
    if row.decided_by != Penalty.Decider.CHIEF_REFEREE and not by.has_role("chief_referee"):
        refuse(
            "penalty_limit",
            gettext_noop("A disqualification needs the chief referee among the two who decide it."),
        )
    row.state, row.approved_by_id, row.approved_at = STATES.IN_FORCE, by.id, timezone.now()
    row.save(update_fields=["state", "approved_by", "approved_at"])
    _record(Kind.PENALTY_APPROVED, row, by=by)
    _follow(row, registration, by=by)
    settle(tournament, by=by)
    return row


@transaction.atomic
def revoke(penalty: Penalty, *, by: Actor, reason: str, appeal: Appeal | None = None) -> Penalty:
    """Undo a penalty; later ones on its ladder move down a step. [RULES 1.8] [RULES 8.38]"""
    need_reason(reason)
    tournament = lock_tournament(penalty.tournament)
    row = _fresh(penalty, tournament)
    registration = _registration(row.player, row.effect)
    if row.state == STATES.REVOKED:
        refuse(
            "already_cancelled",
            gettext_noop("Cancelled by %(user)s at %(time)s."),
            user=row.revoked_by.title if row.revoked_by else "—",
            time=_clock(tournament, row.revoked_at),
        )
    if appeal is None:
        _check_may_revoke(tournament, row, by)
    if row.effect == EFFECTS.DEAD_HAND:
        dead_hands.lock_table(row.table)
    row.state, row.revoked_by_id, row.revoked_at = STATES.REVOKED, by.id, timezone.now()
    row.revoke_reason, row.appeal = reason, appeal
    row.save(update_fields=["state", "revoked_by", "revoked_at", "revoke_reason", "appeal"])
    data = {"appeal": appeal.number} if appeal else {}
    _record(Kind.PENALTY_REVOKED, row, by=by, reason=reason, data=data)
    _readmit(row, registration, by=by)
    dead_hands.leave(row, by=by if appeal is None else replace(by, roles=by.roles | {"chief_referee"}))
    settle(tournament, by=by, reason=reason)
    return row


def is_for_a_ruling(row: Penalty) -> bool:
    """Return whether only a ruling can undo a penalty; an appeal that was withdrawn or not accepted gets none. [RECORD 2] [SBR 2.9.2]"""
    unheard = (Appeal.State.WITHDRAWN, Appeal.State.NOT_ACCEPTED)
    return row.appeals.exclude(state__in=unheard).exists()


def seat_left(row: Penalty) -> Seat | None:
    """Return the seat that a removal has left empty in a game in play. [RULES 8.55]"""
    seat = seat_in(row.session, row.player) if row.session and row.effect in OUT else None
    is_left = seat is not None and (seat.has_left or seat.player_id is None)
    return seat if is_left and row.state == STATES.IN_FORCE else None


def follow_regulation(tournament: Tournament, *, by: Actor, reason: str = "") -> None:
    """Price the penalties of the whole event by its new regulation; sessions keep their own copies. [RULES 8.30]

    A regulation without a price for a penalty in force is refused: the penalty would silently cost nothing.
    """
    rules = JudgedEvent(tournament).rules_of(None).penalties
    priced = [Penalty.Kind.LADDER, Penalty.Kind.FIXED]
    rows = tournament.penalties.filter(session=None, state=STATES.IN_FORCE, kind__in=priced)
    for row in rows.select_related("player"):
        is_ladder = row.kind == Penalty.Kind.LADDER
        if (rules.ladder_of(row.offence) is None) if is_ladder else (row.offence not in rules.fixed):
            refuse(
                "penalty_unpriced",
                gettext_noop(
                    "Penalty no. %(n)s (%(name)s) has its price from the present regulation, and the new one names none. "
                    "Revoke the penalty first."
                ),
                n=row.number,
                name=str(row.player),
            )
    settle(tournament, by=by, reason=reason)


# Checks


def _check_scene(tournament: Tournament, case: Case, session: Session | None, by: Actor) -> None:
    """Refuse a penalty for a player of another event, before the session, or at one's own table. [INTEGRITY 7.5]"""
    if case.player.tournament_id != tournament.pk or (
        case.to_player is not None and case.to_player.tournament_id != tournament.pk
    ):
        refuse("player_not_found", gettext_noop("No such player in this event."), field="player")
    _check_afterwards(tournament, by)
    _check_office(tournament, by)
    if session is None:
        return
    if session.state == Session.State.PLANNED:
        refuse("not_started", gettext_noop("Session %(n)s has not started."), n=session.number)
    if session.state == Session.State.CLOSED and not by.has_role("chief_referee", "committee"):
        refuse("forbidden", gettext_noop("In a closed session only the chief referee gives penalties."))
    seat = seat_in(session, case.player)
    if seat is None:
        return
    if seat.table.seats.filter(player_id__in=by.player_ids).exists():
        refuse("conflict_of_interest", gettext_noop("You play at this table."))
    if case.to_player is not None and not seat.table.seats.filter(player=case.to_player).exists():
        refuse("receiver", gettext_noop("Only somebody at the table can receive the points."), field="to")


def _check_afterwards(tournament: Tournament, by: Actor) -> None:
    """Refuse penalties in a finished event to all but the committee; where there is none, to all but the chief referee.

    [INTEGRITY 119] [RULES 8.53]
    """
    if tournament.is_finished and not may_decide_afterwards(tournament, by):
        refuse("event_finished", gettext_noop("The event is finished; use a committee decision."))


def _check_office(tournament: Tournament, by: Actor) -> None:
    """Refuse penalties of the committee in play: until the event is finished it only hears appeals. [SBR 2.9.5]"""
    if (
        not tournament.is_finished
        and by.has_role("committee")
        and not by.has_role("referee", "chief_referee")
    ):
        refuse(
            "forbidden",
            gettext_noop("While the event is in play the referees decide; the committee hears appeals."),
        )


def has_second(tournament: Tournament, by: Actor) -> bool:
    """Return whether anybody else works here who could approve a disqualification. [SBR 2.8.5] [INTEGRITY 121]"""
    rows = tournament.roles.filter(kind__in=SECONDS, user__isnull=False)
    return rows.exclude(user_id=by.id).exists()


def _check_account(tournament: Tournament, case: Case, session: Session | None) -> None:
    """Refuse to take points from somebody with neither a seat in the session nor a standing; other effects need none.

    Tournament points are taken from a person with a standing, where the ranking counts them. [RULES 8.6] [RULES 8.51]
    """
    seat = seat_in(session, case.player) if session else None
    details = {"name": case.player.name, "n": session.number if session else ""}
    is_tp = case.effect == EFFECTS.TOURNAMENT_POINTS
    if session is not None and seat is None and case.effect in BOUND_TO_PLAY:
        raise Refused(Problem("player_not_found", NO_SEAT, "player", "RECORD 4", details))
    if (session is None or is_tp) and case.effect in TAKING and not _has_standing(case.player):
        raise Refused(Problem("no_standing", NO_STANDING, "player", "RULES 8.6", details))
    if is_tp and "tournament_points" not in tournament.regulation["ranking"]:
        raise Refused(Problem("no_tournament_points", NO_TOURNAMENT_POINTS, "effect", "RULES 8.51"))


def _has_standing(player: Player) -> bool:
    return Registration.objects.filter(player=player, status__in=TAKING_PART).exists()


def _named(tournament: Tournament, case: Case, session: Session | None) -> Offence:
    """Find the offence in the list. [INTEGRITY 113]"""
    rules = JudgedEvent(tournament).rules_of(session.number if session else None).penalties
    named = offence(tournament.system, rules, case.offence)
    if named is None or (named.mode is Mode.IN_HAND and not _may_note(case, session)):
        refuse("penalty_type", gettext_noop("Choose a penalty from the list."), field="offence")
    return named


def _step_taken(tournament: Tournament, case: Case, named: Offence) -> Step | None:
    """Return the step that a decision otherwise than by the ladder takes of it: a harsher one, never a mere warning. [RULES 8.57]"""
    if (
        _kind(case, named) != Penalty.Kind.DECISION
        or case.effect == EFFECTS.WARNING
        or case.session is None
        or case.to
    ):
        return None
    rules = JudgedEvent(tournament).rules_of(case.session.number).penalties
    climbed = rules.ladder_of(case.offence)
    if climbed is None or (climbed.scope is LadderScope.ROUND and case.hand is None):
        return None
    return next_step_of(tournament, case)


def _may_note(case: Case, session: Session | None) -> bool:
    """Return whether what is recorded with a hand is noted as a penalty: where no hands are recorded, and it takes nothing. [RIICHI reg. 6.2]"""
    seat = seat_in(session, case.player) if session else None
    return seat is not None and case.effect == EFFECTS.WARNING and not records_hands(seat.table)


def _kind(case: Case, named: Offence) -> str:
    """Take the price from the regulation unless somebody decided otherwise."""
    if case.kind:
        return case.kind
    is_priced = named.mode in {Mode.LADDER, Mode.FIXED}
    by_rule = case.effect == EFFECTS.GAME_POINTS and case.points is None
    return str(named.mode) if is_priced and by_rule else Penalty.Kind.DECISION.value


def _check_case(tournament: Tournament, case: Case, named: Offence, by: Actor) -> None:
    number = case.session.number if case.session else None
    wanted = ladder.ProposedPenalty(
        offence=case.offence,
        kind=_kind(case, named),
        effect=case.effect,
        clause=case.clause or named.clause,
        reason=case.reason,
        session=number,
        hand=case.hand,
        points=case.points,
        is_received=bool(case.to),
        has_until=case.until is not None,
        step_cost=step.cost if (step := _step_taken(tournament, case, named)) else 0,
    )
    is_chief = by.has_role("chief_referee", "committee")
    problems = ladder.problems(wanted, JudgedEvent(tournament).rules_of(number), is_chief=is_chief)
    _refuse_if([*problems, *_shape_problems(case)])


def _shape_problems(case: Case) -> list[Problem]:
    """Return what is wrong with values that the form does not offer."""
    problems = []
    if case.effect not in EFFECTS.values or (case.kind and case.kind not in Penalty.Kind.values):
        problems.append(Problem("penalty_type", ladder.PENALTY_TYPE, field="effect"))
    if case.to not in Penalty.Receiver.values or (case.to == "player") != (case.to_player is not None):
        problems.append(Problem("receiver", gettext_noop("Choose who receives the points."), field="to"))
    elif case.to_player is not None and case.to_player.pk == case.player.pk:
        sentence = gettext_noop("The offender cannot receive the points.")
        problems.append(Problem("receiver", sentence, field="to"))
    if case.hand is not None and not 1 <= case.hand <= 999:
        problems.append(Problem("out_of_range", gettext_noop("Hands are numbered from 1."), field="hand"))
    return problems


def _check_not_twice(tournament: Tournament, case: Case, by: Actor) -> None:
    """Ask before giving what another referee has just given. [INTEGRITY 116]"""
    since = timezone.now() - TWICE
    same = tournament.penalties.filter(
        player=case.player, offence=case.offence, session=case.session, given_at__gt=since
    ).exclude(given_by_id=by.id)
    row = same.exclude(state=STATES.REVOKED).select_related("given_by").last()
    if row is not None:
        refuse(
            "looks_doubled",
            gettext_noop("%(user)s gave this penalty at %(time)s. Confirm if it is a second case."),
            user=row.given_by.title,
            time=_clock(tournament, row.given_at),
        )


def _check_as_shown(tournament: Tournament, case: Case, named: Offence, shown: int | None) -> None:
    """Ask again if the ladder stands otherwise than was shown, because somebody acted meanwhile. [RULES 1.8] [SBR 2.8.2]"""
    reached = next_step_of(tournament, case) if shown is not None and _kind(case, named) == "ladder" else None
    if reached is not None and reached.number != shown:
        refuse(
            "step_changed",
            gettext_noop(
                "The ladder has moved meanwhile: this is step %(step)s now, which costs %(cost)s. Press again to give it."
            ),
            step=reached.number,
            cost=reached.cost,
        )


def _check_changes(tournament: Tournament, case: Case) -> None:
    """Refuse to take points that count nowhere: what stands announced must have its effect. [RULES 8.51]

    A warning, and a step that costs nothing, are meant to take nothing.
    """
    if case.effect not in TAKING:
        return
    seat = seat_in(case.session, case.player) if case.session else None
    if seat is not None and case.session is not None:
        seat.table.session = seat.session = case.session
        case.session.tournament = tournament
    plays = seat is not None and hasattr(seat.table, "protocol")
    if changes_nothing(tournament, seat if plays else None, wanted_by(tournament, case)):
        details = {"name": case.player.name}
        sentence = CHANGES_NOTHING if case.session else CHANGES_NOTHING_HERE
        raise Refused(Problem("changes_nothing", sentence, "effect", "RULES 8.51", details))


def wanted_by(tournament: Tournament, case: Case) -> ladder.Given:
    """Return a penalty as the rules would read it if it were given now; what cannot be given is refused. [RULES 1.8]"""
    named = _named(tournament, case, case.session)
    is_gp, is_tp = case.effect == EFFECTS.GAME_POINTS, case.effect == EFFECTS.TOURNAMENT_POINTS
    if case.points is not None and case.points.denominator != 1 and is_gp:
        refuse("unit", gettext_noop("Penalties are given in whole points."), field="points")
    to: int | str | None = ladder.TABLE if case.to == Penalty.Receiver.TABLE else None
    return ladder.Given(
        key=None,
        player=case.player.pk,
        session=case.session.number if case.session else None,
        offence=case.offence,
        kind=_kind(case, named),
        effect=case.effect,
        hand=case.hand,
        points=int(case.points or 0) if is_gp else 0,
        tournament_points=case.points or Fraction(0) if is_tp else Fraction(0),
        to=case.to_player.pk if case.to_player else to,
        timing=Timing(case.timing) if case.timing else None,
        is_on_ladder=_step_taken(tournament, case, named) is not None,
    )


def next_step_of(tournament: Tournament, case: Case) -> Step | None:
    """Return the step that an offence would reach now, if it stands on a ladder. [SBR 2.8.2]"""
    judged = JudgedEvent(tournament)
    number = case.session.number if case.session else None
    climbed = judged.rules_of(number).penalties.ladder_of(case.offence)
    if climbed is None:
        return None
    wanted = ladder.Given(
        key=None,
        player=case.player.pk,
        session=number,
        offence=case.offence,
        kind="ladder",
        effect="game_points",
        hand=case.hand,
    )
    earlier = [given_of(row) for row in all_penalties(tournament)]
    return ladder.next_step(climbed, wanted, earlier, judged.rules_of, judged.others)


def _check_may_revoke(tournament: Tournament, row: Penalty, by: Actor) -> None:
    """Refuse to let a referee revoke what another gave, or anything in a closed session: the chief referee does.

    A penalty that was appealed against is revoked by a ruling alone, so that the record says who revoked it.
    [RULES 1.8] [RECORD 2]
    """
    _check_afterwards(tournament, by)
    _check_office(tournament, by)
    if is_for_a_ruling(row):
        refuse(
            "wrong_state",
            gettext_noop("This penalty has been appealed against; only a ruling can undo it."),
        )
    if by.has_role("chief_referee") or tournament.is_finished:
        return
    is_over = row.session is not None and row.session.state == Session.State.CLOSED
    if row.given_by_id != by.id or is_over:
        refuse("forbidden", gettext_noop("Only the chief referee can revoke this penalty."))


# Writing


def _create(tournament: Tournament, case: Case, named: Offence, by: Actor) -> Penalty:
    is_tp = case.effect == EFFECTS.TOURNAMENT_POINTS
    has_gp = case.effect == EFFECTS.GAME_POINTS and case.points is not None
    seat = seat_in(case.session, case.player) if case.session else None
    last = tournament.penalties.aggregate(last=Max("number"))["last"] or 0
    needs_second = case.effect == EFFECTS.DISQUALIFICATION
    return Penalty.objects.create(
        tournament=tournament,
        number=last + 1,
        code=free_code(tournament.penalties, "n", last + 1),
        session=case.session,
        table=seat.table if seat else None,
        hand=case.hand,
        player=case.player,
        offence=case.offence,
        clause=case.clause.strip() or named.clause,
        kind=_kind(case, named),
        is_on_ladder=_step_taken(tournament, case, named) is not None,
        effect=case.effect,
        points=int(case.points) if has_gp and case.points else None,
        tournament_points=str(case.points) if is_tp else "",
        to=case.to,
        to_player=case.to_player,
        timing=case.timing,
        until=case.until,
        decided_by=office_of(by),
        reason=case.reason.strip(),
        state=STATES.PROPOSED if needs_second else STATES.IN_FORCE,
        given_by=User.objects.get(pk=by.id),
        given_at=timezone.now(),
    )


def free_code(rows: Any, letter: str, number: int) -> str:
    """Find an id for a record that nothing which came in a record has taken."""
    taken = set(rows.values_list("code", flat=True))
    while f"{letter}{number}" in taken:
        number += 1
    return f"{letter}{number}"


def office_of(by: Actor) -> str:
    """Return in which office somebody decides."""
    if by.has_role("chief_referee"):
        return Penalty.Decider.CHIEF_REFEREE.value
    return Penalty.Decider.REFEREE.value if by.has_role("referee") else Penalty.Decider.COMMITTEE.value


def _registration(player: Player, effect: str) -> Registration | None:
    """Lock the registration where the penalty moves it; before anything is recorded."""
    found = Registration.objects.filter(player=player).first() if effect in OUT else None
    return lock_registration(found) if found else None


def _follow(row: Penalty, registration: Registration | None, *, by: Actor) -> None:
    """Take a removed or disqualified player out of the ranking and from the table. [SBR 2.8.5] [RULES 8.7] [RULES 8.55]"""
    if row.state != STATES.IN_FORCE or registration is None:
        return
    row.status_before = registration.status
    row.save(update_fields=["status_before"])
    _set_status(registration, OUT[row.effect], row.until, by=by, reason=row.clause)
    reason = row.reason or row.clause
    clear_seats(row.player, by=by, reason=WITH_PENALTY % (row.number, reason), penalty=row.number)


def _readmit(row: Penalty, registration: Registration | None, *, by: Actor) -> None:
    """Give a player back the place that a revoked removal took, unless another removal stands."""
    if registration is None or not row.status_before:
        return
    standing = row.tournament.penalties.filter(player=row.player, state=STATES.IN_FORCE, effect__in=OUT)
    graver = standing.filter(effect=EFFECTS.DISQUALIFICATION).last() or standing.last()
    if graver is None:
        _set_status(registration, row.status_before, None, by=by, reason=row.revoke_reason)
        give_back_seats(row.player, by=by, reason=row.revoke_reason, penalty=row.number)
        return
    if graver.status_before in set(OUT.values()):
        graver.status_before = row.status_before
        graver.save(update_fields=["status_before"])
    _set_status(registration, OUT[graver.effect], graver.until, by=by, reason=row.revoke_reason)


def _set_status(
    registration: Registration, status: str, until: date | None, *, by: Actor, reason: str
) -> None:
    registration.status, registration.disqualified_until = status, until
    registration.save(update_fields=["status", "disqualified_until"])
    data: dict[str, Any] = {"status": str(status)}
    if until:
        data["until"] = until.isoformat()
    history.record(
        Kind.REGISTRATION_CHANGED,
        tournament=registration.tournament,
        by=by,
        subject=f"registration:{registration.pk}",
        data=data,
        reason=reason,
    )


def _record(
    kind: Kind, row: Penalty, *, by: Actor, reason: str = "", data: dict[str, Any] | None = None
) -> None:
    history.record(
        kind,
        tournament=row.tournament,
        by=by,
        subject=f"penalty:{row.number}",
        data=data or {},
        reason=reason,
    )


def _body(case: Case) -> dict[str, Any]:
    """Return a case as the history stores it, to tell it from another one sent under the same key."""
    return {
        "player": case.player.pk,
        "offence": case.offence,
        "session": case.session.number if case.session else None,
        "hand": case.hand,
        "kind": case.kind,
        "effect": str(case.effect),
        "clause": case.clause,
        "points": None if case.points is None else str(case.points),
        "to": case.to,
        "to_player": case.to_player.pk if case.to_player else None,
        "timing": case.timing,
        "until": case.until.isoformat() if case.until else None,
    }


def _fresh(penalty: Penalty, tournament: Tournament) -> Penalty:
    row = Penalty.objects.select_related("session", "player", "revoked_by").get(pk=penalty.pk)
    row.tournament = tournament
    return row


def _clock(tournament: Tournament, at: Any) -> str:
    return timezone.localtime(at, tournament.zone).strftime("%H:%M") if at else "—"


def _refuse_if(problems: Sequence[Problem]) -> None:
    if problems:
        raise Refused(*problems)
