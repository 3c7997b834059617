"""Appeals: filed in time, with text, files and deposit; heard, voted on, ruled, and put into effect."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from fractions import Fraction
from hashlib import sha256
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.db.models import Count, F, Max, Q
from django.template.defaultfilters import floatformat
from django.utils import timezone

from penalties.appeals.queries import (
    appeal_deadline,
    appeal_rules,
    deposit_of,
    first_end,
    is_chief_final,
    is_final_decision,
    lateness_known_at,
    penalty_known_at,
    seat_in,
    standing_at,
    tables_known_at,
)
from penalties.appeals.rules import appeals as rules
from penalties.appeals.rules.attachments import MOST_FILES, Attachment, count_problems, size_problems
from penalties.ladder.operations import dead_hands
from penalties.ladder.operations.penalties import Case, free_code, give_by_ruling, revoke
from penalties.lateness.operations import forgive
from penalties.models import (
    Appeal,
    AppealFile,
    Conflict,
    Lateness,
    Line,
    Penalty,
    Ruling,
    Statement,
    Verdict,
    Vote,
)
from scoring.problems import Problem, Refusal, gettext_noop
from scoring.regulation import AppealRules
from scoring.systems import SYSTEMS
from tournaments.models import Adjustment, Hand, Player, Protocol, Role, Session, Table, Tournament
from tournaments.models.protocol import InForce
from tournaments.people.operations import push
from tournaments.record import history, receipts
from tournaments.record.actors import Actor, ActorKind
from tournaments.record.history import Kind
from tournaments.record.locks import lock_protocol, lock_session, lock_tournament
from tournaments.record.refusal import Refused, refuse
from tournaments.record.rules import ERASED_TEXT
from tournaments.standings.operations import adjustments
from tournaments.standings.operations.adjustments import Entry
from tournaments.tables.operations import protocols
from tournaments.tables.operations.recording import Intent
from tournaments.web import sandbox

STATES = Appeal.State
Upload = tuple[str, bytes]
"""A file as it was sent: its name and its bytes."""
Named = tuple[str, Attachment]
RULED = "Appeal no. %(number)s"
"""The master text by which an appeal names itself."""


@dataclass(frozen=True)
class Grounds:
    """What an appeal says: about which session, against which decision or hand, and why; a paper has its own time.

    The chief referee alone settles the matter; what others send about it is ignored. [RULES 8.53]
    """

    session: Session
    player: Player
    text: str
    by: str = Appeal.By.PLAYER
    matter: str = Appeal.Matter.RULES
    penalty: Penalty | None = None
    table: Table | None = None
    hand: int | None = None
    files: Sequence[Upload] = ()
    lateness: Lateness | None = None
    handed_in_at: datetime | None = None


@dataclass(frozen=True)
class Instead:
    """The decision that a ruling puts in the place of a penalty: a smaller one, or one of another kind. [SBR 2.9.5.2]"""

    effect: str
    points: Fraction | None = None


@dataclass(frozen=True)
class Order:
    """What an upheld appeal against a table puts into effect, beside the words of the ruling.

    `void_seen` is the state of the protocol over which whoever rules was shown what striking the hand moves.
    """

    void_hand: int | None = None
    void_seen: int | None = None
    final: Mapping[str, int] = field(default_factory=dict)
    left_on_table: int = 0
    points: Mapping[int, int] = field(default_factory=dict)
    names_penalty: bool = False
    instead: Instead | None = None


def file_appeal(tournament: Tournament, grounds: Grounds, *, by: Actor, key: str) -> Appeal:
    """File an appeal. Sent again under the same key, it changes nothing. [SBR 2.9.2]

    Its files are read before anything is locked: that may take seconds.
    """
    return _file_appeal(tournament, grounds, _read_files(grounds.files), by=by, key=key)


@transaction.atomic
def _file_appeal(
    tournament: Tournament, grounds: Grounds, attachments: Sequence[Named], *, by: Actor, key: str
) -> Appeal:
    tournament = lock_tournament(tournament)
    body = _body(grounds)
    if answer := receipts.answered(tournament, key, by=by, body=body):
        return Appeal.objects.get(tournament=tournament, number=answer["appeal"])
    session = lock_session(grounds.session)
    session.tournament = tournament
    policy = _check_filing(tournament, session, grounds, by)
    appeal = _create(tournament, session, grounds, policy, by)
    _attach(appeal, attachments)
    _record(Kind.APPEAL_FILED, appeal, by=by, data={**body, "deposit": str(appeal.deposit)})
    receipts.store(tournament, key, by=by, body=body, answer={"appeal": appeal.number})
    return appeal


def add_statement(
    appeal: Appeal, text: str, *, by: Actor, key: str, files: Sequence[Upload] = ()
) -> Statement:
    """Add a text and files to an appeal that is still open. [INTEGRITY 124]

    Sent again under the same key, it changes nothing.
    """
    body = {"appeal": appeal.number, "text": _digest(text.strip()), "files": _digests(files)}
    return _add_statement(appeal, text.strip(), body, _read_files(files), by=by, key=key)


@transaction.atomic
def _add_statement(
    appeal: Appeal, text: str, body: dict[str, Any], attachments: Sequence[Named], *, by: Actor, key: str
) -> Statement:
    row = _lock(appeal)
    if answer := receipts.answered(row.tournament, key, by=by, body=body):
        return row.statements.get(pk=answer["statement"])
    _check_undecided(row)
    _refuse_if(rules.text_problems(len(text)))
    _refuse_if(count_problems(row.files.count() + len(attachments)))
    statement = Statement.objects.create(appeal=row, text=text, actor=str(by), at=timezone.now())
    _attach(row, attachments)
    _record(Kind.APPEAL_STATED, row, by=by, data={"text": _digest(text), "files": len(attachments)})
    receipts.store(row.tournament, key, by=by, body=body, answer={"statement": statement.pk})
    return statement


@transaction.atomic
def withdraw_appeal(appeal: Appeal, *, by: Actor) -> Appeal:
    """Take an appeal back while it is undecided; the deposit goes back with it. [INTEGRITY 132]"""
    row = _lock(appeal)
    _check_undecided(row)
    row.state, row.ended_at = STATES.WITHDRAWN, timezone.now()
    row.save(update_fields=["state", "ended_at"])
    _record(Kind.APPEAL_WITHDRAWN, row, by=by)
    return row


@transaction.atomic
def erase_words_of(player: Player) -> None:
    """Erase the texts and files of a player's appeals; the appeals stay, as decisions rest on them."""
    author = f"{ActorKind.PLAYER}:{player.pk}"
    own = list(Appeal.objects.filter(Q(player=player) | Q(filed_actor=author)).values_list("pk", flat=True))
    Appeal.objects.filter(pk__in=own).update(text=ERASED_TEXT)
    Appeal.objects.filter(pk__in=own).exclude(heard="").update(heard=ERASED_TEXT)
    Statement.objects.filter(actor=author).update(text=ERASED_TEXT)
    AppealFile.objects.filter(appeal__in=own).delete()


@transaction.atomic
def take_deposit(appeal: Appeal, *, by: Actor) -> Appeal:
    """Note that the deposit was paid; an appeal that was not accepted for want of it is open again. [SBR 2.9.2]

    A withdrawn appeal takes none. [RULES 9.40]
    """
    row = _lock(appeal)
    if row.deposit_paid_at is None and row.deposit:
        if not row.may_still_be_paid:
            _check_undecided(row)
        row.deposit_paid_at, row.deposit_taken_by_id = timezone.now(), by.id
        if row.state == STATES.NOT_ACCEPTED:
            row.state, row.ended_at = _first_state(row), None
        row.save(update_fields=["deposit_paid_at", "deposit_taken_by", "state", "ended_at"])
        _record(Kind.DEPOSIT_TAKEN, row, by=by, data={"deposit": str(row.deposit)})
    return row


@transaction.atomic
def close_unpaid(appeal: Appeal, *, by: Actor) -> Appeal:
    """Close an appeal whose deposit did not come; paid later, it is open again. [SBR 2.9.2] [RULES 8.53]"""
    row = _lock(appeal)
    _check_undecided(row)
    if not row.deposit or row.deposit_paid_at is not None:
        refuse("wrong_state", gettext_noop("Nothing is owed for this appeal; it is decided by a ruling."))
    row.state, row.ended_at = STATES.NOT_ACCEPTED, timezone.now()
    row.save(update_fields=["state", "ended_at"])
    _record(Kind.APPEAL_NOT_ACCEPTED, row, by=by)
    return row


@transaction.atomic
def classify(appeal: Appeal, matter: str, *, by: Actor) -> Appeal:
    """Settle whether an appeal is about the rules, and with that before whom it lies first. [SBR 2.9.3] [RULES 8.53]

    That is a step of the decision: nobody takes it in a case that concerns them. [RULES 9.40]
    """
    row = _lock(appeal)
    _check_undecided(row)
    if not by.has_role("chief_referee"):
        refuse("forbidden", gettext_noop("The chief referee settles whether a matter is one of the rules."))
    if is_party(row, by):
        refuse("conflict_of_interest", rules.OWN_CASE)
    if matter not in Appeal.Matter.values:
        refuse("matter_unknown", gettext_noop("Choose what the appeal is about."), field="matter")
    if row.rulings.exists():
        refuse("wrong_state", gettext_noop("This appeal has been ruled on; its matter stays as it is."))
    if row.matter != matter:
        row.matter = matter
        row.state = _first_state(row)
        row.save(update_fields=["matter", "state"])
        _record(Kind.APPEAL_MOVED, row, by=by, data={"matter": matter, "to": row.state})
    return row


@transaction.atomic
def return_deposit(appeal: Appeal, *, by: Actor) -> Appeal:
    """Note that the deposit went back: in full if upheld, not at all if dismissed. [SBR 2.9.2]"""
    row = _lock(appeal)
    if row.state not in {STATES.UPHELD, STATES.WITHDRAWN} or row.deposit_paid_at is None:
        refuse("wrong_state", gettext_noop("The deposit is returned when the appeal is upheld or withdrawn."))
    if row.deposit_returned_at is None:
        row.deposit_returned_at, row.deposit_returned_by_id = timezone.now(), by.id
        row.save(update_fields=["deposit_returned_at", "deposit_returned_by"])
        _record(Kind.DEPOSIT_RETURNED, row, by=by, data={"deposit": str(row.deposit)})
    return row


@transaction.atomic
def set_hearing(appeal: Appeal, *, at: datetime, place: str, by: Actor, heard: str = "") -> Appeal:
    """Set when and where an appeal is heard, and afterwards who was heard."""
    row = _lock(appeal)
    _check_undecided(row)
    said = (at, place.strip(), heard.strip())
    if (row.hearing_at, row.hearing_place, row.heard) == said:
        return row
    row.hearing_at, row.hearing_place, row.heard = said
    row.save(update_fields=["hearing_at", "hearing_place", "heard"])
    _record(Kind.APPEAL_HEARD, row, by=by, data={"at": at.isoformat(), "heard": _digest(row.heard)})
    return row


@transaction.atomic
def declare_conflict(appeal: Appeal, *, by: Actor, is_free: bool = False) -> Appeal:
    """Note that somebody who could decide a case declares a conflict of interest in it, or takes that back. [SBR 2.9.5] [RULES 9.40]"""
    row = _lock(appeal)
    _check_undecided(row)
    if not by.has_role("chief_referee", "committee"):
        refuse("forbidden", gettext_noop("You do not hold this office here."))
    declared = Conflict.objects.filter(appeal=row, user_id=by.id)
    if declared.exists() is not is_free:
        return row
    if is_free:
        declared.delete()
    else:
        Conflict.objects.create(appeal=row, user_id=by.id, at=timezone.now())
    _record(Kind.CONFLICT_DECLARED, row, by=by, data={"is_free": is_free})
    return row


@transaction.atomic
def vote(appeal: Appeal, verdict: str, *, by: Actor) -> Vote:
    """Cast or change a committee member's vote while the appeal is before the committee. [SBR 2.9.5]

    The same vote cast again changes nothing.
    """
    row = _lock(appeal)
    _check_before(row, rules.Body.COMMITTEE)
    if not by.has_role("committee"):
        refuse("forbidden", gettext_noop("Only members of the committee vote."))
    if by.id not in members(row) or is_party(row, by):
        refuse("conflict_of_interest", rules.OWN_CASE)
    if verdict not in Verdict.values:
        refuse("verdict_unknown", gettext_noop("Choose a verdict."), field="verdict")
    _check_verdict(row, rules.Body.COMMITTEE, verdict)
    own: dict[str, Any] = {"appeal": row, "turn": _turn(row), "member_id": by.id}
    if (cast := Vote.objects.filter(**own, verdict=verdict).first()) is not None:
        return cast
    cast, _ = Vote.objects.update_or_create(**own, defaults={"verdict": verdict, "at": timezone.now()})
    _record(Kind.APPEAL_VOTED, row, by=by, data={"verdict": verdict})
    return cast


@transaction.atomic
def take_further(appeal: Appeal, *, by: Actor) -> Appeal:
    """Turn to the committee when the chief referee dismissed an appeal on the rules. [SBR 2.9.3]"""
    row = _lock(appeal)
    policy = _policy(row)
    last = row.rulings.last()
    may = last is not None and rules.may_go_further(
        policy,
        rules.Matter(row.matter),
        rules.Body(last.by),
        rules.Verdict(last.verdict),
        members=len(members(row)),
    )
    if (
        row.state != STATES.DISMISSED
        or last is None
        or not may
        or row.rulings.filter(by="committee").exists()
    ):
        refuse("wrong_state", gettext_noop("This appeal cannot be taken to the committee."))
    if not rules.is_in_time(policy, last.at, timezone.now()):
        until = rules.deadline(policy, last.at)
        refuse(
            "appeal_late",
            gettext_noop("Appeals for session %(r)s were possible until %(time)s."),
            r=row.session.number,
            time=_clock(row.tournament, until),
        )
    row.state, row.ended_at = STATES.COMMITTEE, None
    row.save(update_fields=["state", "ended_at"])
    _record(Kind.APPEAL_MOVED, row, by=by)
    return row


@transaction.atomic
def decide(
    appeal: Appeal, verdict: str, reasons: str, *, body: str, by: Actor, order: Order | None = None
) -> Ruling:
    """Rule on an appeal: if it is upheld, its penalty is revoked or its table corrected, by operations. [SBR 2.9.5]"""
    order = order or Order()
    row = _lock(appeal)
    protocol = _lock_protocol(row) if _touches_protocol(order) else None
    table = _table_of(row)
    if row.penalty is not None and row.penalty.effect == Penalty.Effect.DEAD_HAND:
        dead_hands.lock_table(row.penalty.table)
    _check_ruling(row, verdict, reasons, body, by)
    if verdict != Verdict.UPHELD and (_touches_protocol(order) or order.points or order.instead):
        refuse("order_unexpected", gettext_noop("Only an upheld appeal changes a result."), field="verdict")
    _check_order(row, order)
    _check_strike_seen(protocol, order)
    before = standing_at(table) if table and verdict == Verdict.UPHELD else []
    done = _correct(row, protocol, order, by=_with_powers(by)) if protocol is not None else {}
    ruling = Ruling.objects.create(
        appeal=row,
        by=body,
        verdict=verdict,
        reasons=reasons.strip(),
        at=timezone.now(),
        signed_by_id=by.id,
    )
    row.state = STATES(verdict)
    row.ended_at = None if verdict == Verdict.RECOMMENDED else ruling.at
    row.save(update_fields=["state", "ended_at"])
    data = {"verdict": verdict, "body": body, "reasons": _digest(ruling.reasons)}
    _record(Kind.APPEAL_RULED, row, by=by, data={**data, **_ordered(order)})
    if row.tournament.push_subscriptions.exists():
        push.queue_decision(row.tournament, [row.player_id], f"{row.number}-{ruling.pk}")
    if verdict == Verdict.UPHELD:
        done |= _put_into_effect(row, order, body=body, by=by)
        after = standing_at(table) if table else []
        ruling.effect = {**done, "before": before, "after": after}
        ruling.save(update_fields=["effect"])
    return ruling


def follow_struck_hand(table: Table, number: int, hand: Hand) -> None:
    """Renumber the hands named by appeals after a hand was struck; open appeals against it name none. [RULES 1.5]

    If they kept the number, the next ruling would strike the hand that has it now.
    """
    rows = Appeal.objects.filter(table=table)
    rows.filter(hand=number).update(struck=hand)
    rows.filter(hand=number, state__in=Appeal.OPEN).update(hand=None)
    rows.filter(hand__gt=number).update(hand=F("hand") - 1)


def follow_restored_hand(table: Table, number: int, hand: Hand) -> None:
    """Renumber the hands named by appeals after a hand was restored; those that were against it name it again."""
    rows = Appeal.objects.filter(table=table)
    about = list(rows.filter(struck=hand).values_list("pk", flat=True))
    rows.filter(hand__gte=number).update(hand=F("hand") + 1)
    rows.filter(pk__in=about).update(hand=number, struck=None)


# Checks


def _check_filing(tournament: Tournament, session: Session, grounds: Grounds, by: Actor) -> AppealRules:
    """Check by whom, about what and when an appeal is filed. [SBR 2.9.2] [INTEGRITY 7.6]"""
    if session.started_at is None:
        refuse("not_started", gettext_noop("Session %(n)s has not started."), n=session.number)
    policy, known_at = appeal_rules(session), _known_at(grounds)
    until = appeal_deadline(session, known_at)
    seat = seat_in(session, grounds.player)
    about = grounds.penalty or grounds.lateness
    against = grounds.penalty.table_id if grounds.penalty else getattr(grounds.table, "pk", None)
    is_own = about is not None and about.player_id == grounds.player.pk
    is_for_event = grounds.penalty is not None and grounds.penalty.session_id is None
    filing = rules.Filing(
        session=session.number,
        ended_at=first_end(session),
        now=_check_handed_in(session, grounds, by),
        known_at=known_at,
        length=len(grounds.text.strip()),
        is_party=_speaks_for(grounds, by),
        is_same_table=(is_own and is_for_event)
        or (seat is not None and (is_own or against == seat.table_id)),
        open_number=_open_on_same(tournament, grounds),
        speaks_for="" if _is_self(grounds, by) else str(grounds.player),
    )
    _refuse_if(rules.filing_problems(policy, filing, closed_at=_clock(tournament, until)))
    if policy is None or (about is None and grounds.table is None):
        refuse("appeal_against", gettext_noop("Say which penalty or which hand the appeal is against."))
    _check_not_final(tournament, grounds)
    if grounds.penalty is not None and grounds.penalty.state == Penalty.State.REVOKED:
        refuse("wrong_state", gettext_noop("This penalty has been revoked already."), field="against")
    if grounds.hand is not None and not 1 <= grounds.hand <= 999:
        refuse("out_of_range", gettext_noop("Hands are numbered from 1."), field="hand")
    return policy


def _known_at(grounds: Grounds) -> datetime | None:
    """Return when the decision that is appealed against was made known. [RULES 8.53]"""
    if grounds.penalty is not None:
        return penalty_known_at(grounds.penalty)
    if grounds.lateness is not None:
        return lateness_known_at(grounds.lateness)
    return tables_known_at([grounds.table.pk]).get(grounds.table.pk) if grounds.table else None


def _check_handed_in(session: Session, grounds: Grounds, by: Actor) -> datetime:
    """Return the moment that counts: when a paper was handed in, which the desk enters, else now. [RULES 8.53]"""
    now = timezone.now()
    at = now if by.kind == ActorKind.PLAYER else grounds.handed_in_at or now
    if not (session.started_at or now) <= at <= now:
        refuse(
            "handed_in",
            gettext_noop("A paper is handed in after its session has begun and before it is entered here."),
            field="handed_in",
        )
    return at


def _check_not_final(tournament: Tournament, grounds: Grounds) -> None:
    """Refuse appeals against final decisions, such as a hand's count that all players have checked. [RULES 8.53]"""
    system = SYSTEMS[tournament.system]
    is_chiefs = grounds.penalty is not None and is_final_decision(tournament, grounds.penalty)
    if is_chief_final(tournament) and (is_chiefs or (grounds.penalty or grounds.lateness) is None):
        refuse("no_appeals", rules.CHIEF_IS_FINAL, field="against")
    if grounds.hand is None or grounds.penalty or grounds.lateness or not system.final_hand_clause:
        return
    if Protocol.objects.filter(table=grounds.table, state=Protocol.State.CONFIRMED).exists():
        problem = Problem("no_appeals", rules.HAND_IS_FINAL, "hand", system.final_hand_clause)
        raise Refused(problem)


def _speaks_for(grounds: Grounds, by: Actor) -> bool:
    """Return whether the sender may file for the player: at the desk for all, else for oneself or as team leader."""
    if by.kind != ActorKind.PLAYER or _is_self(grounds, by):
        return True
    own = Player.objects.select_related("team__captain").get(pk=by.id)
    is_team_mate = own.team_id is not None and own.team_id == grounds.player.team_id
    return is_team_mate and grounds.by == Appeal.By.TEAM_LEADER and may_lead(own)


def may_lead(player: Player) -> bool:
    """Return whether a player speaks for the team: its captain, or whoever says so where none is named. [SBR 2.9.2]"""
    captain = player.team.captain if player.team else None
    return captain is None or captain.team_id != player.team_id or captain.pk == player.pk


def _is_self(grounds: Grounds, by: Actor) -> bool:
    return by.kind == ActorKind.PLAYER and grounds.player.pk == by.id


def _open_on_same(tournament: Tournament, grounds: Grounds) -> int | None:
    """Find an open appeal of the same player on the same matter."""
    rows = tournament.appeals.filter(player=grounds.player, state__in=Appeal.OPEN)
    if grounds.penalty is not None:
        same = rows.filter(penalty=grounds.penalty)
    elif grounds.lateness is not None:
        same = rows.filter(lateness=grounds.lateness)
    else:
        same = rows.filter(penalty=None, lateness=None, table=grounds.table, hand=grounds.hand)
    return same.values_list("number", flat=True).first()


def _check_undecided(row: Appeal) -> None:
    if not row.is_open:
        refuse("already_decided", gettext_noop("Decided on %(date)s."), date=_day(row))


def _check_before(row: Appeal, body: rules.Body) -> None:
    """Refuse a body that the appeal is not before; after a recommendation it is before the chief referee again."""
    _check_undecided(row)
    if body_of(row) is not body:
        refuse("wrong_state", gettext_noop("This appeal is not before you now."))


def body_of(row: Appeal) -> rules.Body:
    """Return before whom an appeal lies: whom it was brought before, or the other one where nobody there is free. [SBR 2.9.5] [RULES 9.40]"""
    if members(row) and (row.state == STATES.COMMITTEE or not chiefs(row)):
        return rules.Body.COMMITTEE
    return rules.Body.CHIEF_REFEREE


def is_party(row: Appeal, by: Actor) -> bool:
    """Return whether somebody would decide their own case: as a player of the table, or by the decision appealed against.

    The chief referee hears appeals against own decisions as well: the committee comes after. [SBR 2.9.5]
    """
    table = _table_about(row)
    sits = table is not None and (
        table.seats.filter(player_id__in=by.player_ids).exists()
        or table.seats.filter(kept_for_id__in=by.player_ids).exists()
    )
    is_own_decision = by.id in {
        row.penalty.given_by_id if row.penalty else None,
        row.lateness.noted_by_id if row.lateness else None,
    }
    has_declared = by.id is not None and Conflict.objects.filter(appeal_id=row.pk, user_id=by.id).exists()
    is_excluded = is_own_decision and not by.has_role("chief_referee")
    return row.player_id in by.player_ids or sits or has_declared or is_excluded


def _table_about(row: Appeal) -> Table | None:
    return row.table or (row.penalty.table if row.penalty else None)


def _check_verdict(row: Appeal, body: rules.Body, verdict: str) -> None:
    found = rules.ruling_problems(
        _policy(row),
        body=body,
        matter=rules.Matter(row.matter),
        verdict=rules.Verdict(verdict),
        is_party=False,
        votes=1,
        members=1,
        has_chief=bool(chiefs(row)),
    )
    _refuse_if(found)


def _check_ruling(row: Appeal, verdict: str, reasons: str, body: str, by: Actor) -> None:
    """Refuse a ruling if the office, the case, the votes or the reasons are missing. [INTEGRITY 130]"""
    if body not in set(rules.Body) or not by.has_role(body):
        refuse("forbidden", gettext_noop("You do not hold this office here."))
    if verdict not in Verdict.values:
        refuse("verdict_unknown", gettext_noop("Choose a verdict."), field="verdict")
    _check_before(row, rules.Body(body))
    problems = _office_problems(row, rules.Verdict(verdict), rules.Body(body), by)
    if not rules.SHORTEST <= len(reasons.strip()) <= rules.LONGEST:
        problems.append(Problem("text_length", rules.TEXT_LENGTH, field="reasons"))
    _refuse_if(problems)
    if row.deposit and row.deposit_paid_at is None:
        refuse(
            "deposit_unpaid",
            gettext_noop("Note the deposit of %(amount)s before the appeal is decided."),
            amount=" ".join(filter(None, (floatformat(row.deposit, "-2"), row.tournament.currency))),
        )


def _office_problems(row: Appeal, verdict: rules.Verdict, body: rules.Body, by: Actor) -> list[Problem]:
    free, cast = members(row), votes_for(row)
    is_committee = body is rules.Body.COMMITTEE
    return rules.ruling_problems(
        _policy(row),
        body=body,
        matter=rules.Matter(row.matter),
        verdict=verdict,
        is_party=by.id not in free if is_committee else is_party(row, by),
        votes=cast.get(verdict, 0),
        members=len(free),
        is_parted=rules.is_parted(cast.values(), len(free)),
        has_chief=bool(chiefs(row)),
    )


def votes_for(row: Appeal) -> dict[str, int]:
    """Count the votes of those members who may decide, by verdict."""
    cast = row.votes.filter(turn=_turn(row), member_id__in=members(row)).order_by()
    return dict(cast.values_list("verdict").annotate(Count("id")))


def verdicts_for(row: Appeal, by: Actor, body: str) -> list[str]:
    """List how somebody may rule on an appeal now, in an office: nothing while votes or the deposit are missing. [RULES 9.40]"""
    if row.deposit and row.deposit_paid_at is None:
        return []
    return [str(one) for one in rules.Verdict if not _office_problems(row, one, rules.Body(body), by)]


def members(row: Appeal) -> list[int]:
    """List the committee's members who may decide this case: not whom it concerns, nor who has ruled on it as chief referee."""
    signed = Ruling.objects.filter(appeal_id=row.pk, by="chief_referee")
    ruled = set(signed.values_list("signed_by", flat=True))
    return [user for user in _free(row, Role.Kind.COMMITTEE) if user not in ruled]


def chiefs(row: Appeal) -> list[int]:
    """List the chief referees who may decide this case."""
    return _free(row, Role.Kind.CHIEF_REFEREE)


def _free(row: Appeal, kind: str) -> list[int]:
    """List who holds an office and is free of a case."""
    roles = row.tournament.roles.filter(kind=kind, user__isnull=False)
    held: dict[int, set[int]] = {}
    for user, player in roles.values_list("user_id", "player_id"):
        held.setdefault(user, set()).update([player] if player else [])
    office = frozenset({str(kind)})
    return [
        user
        for user, players in held.items()
        if not is_party(row, Actor(ActorKind.USER, user, office, player_ids=frozenset(players)))
    ]


def _check_order(row: Appeal, order: Order) -> None:
    """Refuse an order that would create points, or give them to others than the players of the table. [INTEGRITY 131]

    Only a penalty can be replaced by another decision.
    """
    if order.instead is not None and row.penalty is None:
        refuse("order_unexpected", gettext_noop("Only a penalty can be replaced by another decision."))
    _refuse_if(rules.order_problems(list(order.points.values()), names_penalty=order.names_penalty))
    seated = {seat.player_id for seat in row.table.seats.all()} if row.table else set()
    kept = {seat.kept_for_id for seat in row.table.seats.all()} if row.table else set()
    if not set(order.points) <= seated | kept:
        refuse("wrong_players", gettext_noop("Points can be ordered for the players of the table only."))


def _check_strike_seen(protocol: Protocol | None, order: Order) -> None:
    """Refuse to strike a hand unless what that changes has been shown and confirmed. [RULES 8.53]"""
    if protocol is None or order.void_hand is None or order.void_seen == protocol.version:
        return
    protocols.preview_struck(protocol, number=order.void_hand)
    refuse(
        "strike_unseen",
        gettext_noop("Look at what striking hand %(n)s changes, and confirm it."),
        field="void_hand",
        n=order.void_hand,
    )


# Effect


def _touches_protocol(order: Order) -> bool:
    return order.void_hand is not None or bool(order.final)


def _lock_protocol(row: Appeal) -> Protocol:
    """Lock the table's protocol before anything is recorded."""
    found = Protocol.objects.filter(table=row.table).first() if row.table else None
    if found is None:
        refuse("not_found", gettext_noop("This appeal is not against a table that played."))
    return lock_protocol(found)


def _with_powers(by: Actor) -> Actor:
    """Return the actor with the powers of a chief referee, which every ruling body has. [SBR 2.9.5]"""
    return replace(by, roles=by.roles | {"chief_referee"})


def _table_of(row: Appeal) -> Table | None:
    """Find the table at which an appeal can change something."""
    found = _table_about(row)
    if found is not None:
        found.session = row.session
    return found


def _as_reason(row: Appeal) -> str:
    """Return what a ruling writes as the reason of what it changes: the master text, which pages say in the reader's language."""
    return RULED % {"number": row.number}


def _ordered(order: Order) -> dict[str, Any]:
    """Return what a ruling orders, as the history stores it."""
    said = {
        "void_hand": order.void_hand,
        "final": dict(order.final),
        "points": {str(player): points for player, points in order.points.items() if points},
        "instead": order.instead.effect if order.instead else "",
    }
    return {name: value for name, value in said.items() if value}


def _correct(row: Appeal, protocol: Protocol, order: Order, *, by: Actor) -> dict[str, Any]:
    """Correct the table through the operations that everybody uses; return what was done, for the ruling to tell."""
    intent = Intent(seen=protocol.version, key=uuid4().hex, body={"appeal": row.number})
    if order.void_hand is not None:
        hand = protocol.hands.filter(number=order.void_hand, status=InForce.IN_FORCE).first()
        protocols.void_hand(protocol, number=order.void_hand, intent=intent, by=by, reason=_as_reason(row))
        Appeal.objects.filter(pk=row.pk).update(hand=row.hand)
        return {"struck": {"number": order.void_hand, "hand": hand.pk if hand else 0}}
    start = (row.session.regulation or row.tournament.regulation)["start_points"]
    left = order.left_on_table
    total = sum(order.final.values()) + left - start * len(order.final)
    _refuse_if(rules.order_problems([total], names_penalty=False))
    protocols.record_final_result(
        protocol, order.final, left_on_table=left, intent=intent, by=by, reason=_as_reason(row)
    )
    return {"final": dict(order.final)}


def _put_into_effect(row: Appeal, order: Order, *, body: str, by: Actor) -> dict[str, Any]:
    """Revoke the decision appealed against, put another in its place, post what was ordered. Nothing is deleted. [RULES 1.8]"""
    done: dict[str, Any] = {}
    if row.penalty is not None:
        penalty = Penalty.objects.get(pk=row.penalty.pk)
        if penalty.state != Penalty.State.REVOKED:
            revoke(penalty, by=by, reason=_as_reason(row), appeal=row)
        if order.instead is not None:
            done["instead"] = _replace(row, penalty, order.instead, body=body, by=by).number
    if row.lateness is not None:
        forgive(row.lateness, by=by, ruling=_as_reason(row))
    for player, points in order.points.items():
        if not points:
            continue
        entry = Entry(
            player=Player.objects.get(pk=player),
            session=row.session,
            game_points=points,
            origin=Adjustment.Origin.APPEAL,
            reason=_as_reason(row),
            appeal=row.record_code,
        )
        posted = adjustments.write(row.tournament, entry, by=by)
        Line.objects.create(adjustment=posted, appeal=row)
    return done


def _replace(row: Appeal, penalty: Penalty, instead: Instead, *, body: str, by: Actor) -> Penalty:
    """Give the penalty that a ruling puts in place of another, within a referee's powers. [SBR 2.9.5] [RULES 8.53]"""
    case = Case(
        player=penalty.player,
        offence=penalty.offence,
        session=penalty.session,
        hand=penalty.hand,
        kind=Penalty.Kind.DECISION,
        effect=instead.effect,
        clause=penalty.clause,
        reason=_as_reason(row),
        points=instead.points,
    )
    return give_by_ruling(row.tournament, case, by=replace(by, roles=frozenset({body})))


# Writing


def _create(
    tournament: Tournament, session: Session, grounds: Grounds, policy: AppealRules, by: Actor
) -> Appeal:
    last = tournament.appeals.aggregate(last=Max("number"))["last"] or 0
    is_settled = by.has_role("chief_referee")
    row = Appeal(
        tournament=tournament,
        number=last + 1,
        code=free_code(tournament.appeals, "a", last + 1),
        session=session,
        player=grounds.player,
        by=grounds.by,
        matter=grounds.matter if is_settled else Appeal.Matter.RULES,
        penalty=grounds.penalty,
        lateness=grounds.lateness,
        table=grounds.table or _table_of_late(grounds),
        hand=grounds.hand,
        text=grounds.text.strip(),
        filed_at=_check_handed_in(session, grounds, by),
        filed_actor=str(by),
        deposit=deposit_of(session),
    )
    row.state = _first_state(row)
    row.save(force_insert=True)
    return row


def _first_state(row: Appeal) -> str:
    """Return before whom an appeal lies first. [SBR 2.9.3] [SBR 2.9.4] [RULES 8.53]"""
    policy, matter = _policy(row), rules.Matter(row.matter)
    return STATES(str(rules.first_body(policy, matter, members=len(members(row)))))


def _table_of_late(grounds: Grounds) -> Table | None:
    """Return the table of a late player, which a record names for want of a word for latenesses."""
    seat = seat_in(grounds.session, grounds.player) if grounds.lateness else None
    return seat.table if seat else None


def _read_files(files: Sequence[Upload]) -> list[Named]:
    """Read all files in a child process, or refuse the first that is not accepted. [INTEGRITY 126]"""
    if not files:
        return []
    _refuse_if(count_problems(len(files)) or size_problems(max(len(content) for _, content in files)))
    names, contents = [name for name, _ in files], [content for _, content in files]
    try:
        found, clean = sandbox.run(
            "penalties.appeals.rules.attachments:job", contents, field="attachments", details={"names": names}
        )
    except Refusal as refusal:
        raise Refused(*refusal.problems) from refusal
    return [
        (name, Attachment(kind, content))
        for name, kind, content in zip(names, found["types"], clean, strict=True)
    ]


def _attach(appeal: Appeal, attachments: Sequence[Named]) -> None:
    first = appeal.files.count() + 1
    for number, (name, attachment) in enumerate(attachments, start=first):
        AppealFile.objects.create(
            appeal=appeal,
            number=number,
            name=_tidy(name, number),
            content_type=attachment.content_type,
            size=len(attachment.content),
            digest=sha256(attachment.content).hexdigest(),
            content=attachment.content,
            added_at=timezone.now(),
        )


def _tidy(name: str, number: int) -> str:
    """Return the part of a file's name that can be shown, without its folder on the sender's disk."""
    last = name.replace("\\", "/").rpartition("/")[2]
    shown = "".join(character for character in last if character.isprintable())
    return shown[-100:] or f"{number}"


def _record(kind: Kind, row: Appeal, *, by: Actor, data: dict[str, Any] | None = None) -> None:
    history.record(kind, tournament=row.tournament, by=by, subject=f"appeal:{row.number}", data=data or {})


def _body(grounds: Grounds) -> dict[str, Any]:
    """Return what is filed without its text, which may be personal. [INTEGRITY 1]"""
    return {
        "player": grounds.player.pk,
        "session": grounds.session.number,
        "by": str(grounds.by),
        "matter": str(grounds.matter),
        "penalty": grounds.penalty.number if grounds.penalty else None,
        **({"lateness": grounds.lateness.player_id} if grounds.lateness else {}),
        **({"handed_in_at": grounds.handed_in_at.isoformat()} if grounds.handed_in_at else {}),
        "table": grounds.table.number if grounds.table else None,
        "hand": grounds.hand,
        "text": _digest(grounds.text.strip()),
        "files": _digests(grounds.files),
    }


def _digests(files: Sequence[Upload]) -> list[str]:
    return [sha256(content).hexdigest() for _, content in files[:MOST_FILES]]


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _lock(appeal: Appeal) -> Appeal:
    tournament = lock_tournament(appeal.tournament)
    session = lock_session(appeal.session)
    rows = Appeal.objects.select_related("table", "penalty__table", "penalty__player", "lateness", "player")
    row = rows.get(pk=appeal.pk)
    session.tournament = tournament
    row.tournament, row.session = tournament, session
    return row


def _policy(row: Appeal) -> AppealRules:
    policy = appeal_rules(row.session)
    if policy is None:
        refuse("no_appeals", rules.NO_APPEALS)
    return policy


def _turn(row: Appeal) -> int:
    """Count how often the appeal has been before a body; votes belong to one turn."""
    return row.rulings.count() + 1


def _clock(tournament: Tournament, at: datetime | None) -> str:
    return timezone.localtime(at, tournament.zone).strftime("%H:%M") if at else "—"


def _day(row: Appeal) -> str:
    ended = row.ended_at or timezone.now()
    return timezone.localtime(ended, row.tournament.zone).strftime("%d.%m.%Y %H:%M")


def _refuse_if(problems: Sequence[Problem]) -> None:
    if problems:
        raise Refused(*problems)
