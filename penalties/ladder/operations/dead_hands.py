"""Dead hands given as penalties: marked in the protocol of their hand, once, and unmarked when they are revoked."""

from collections.abc import Iterable
from uuid import uuid4

from django.db import transaction
from django.db.models import Q

from penalties.ladder.operations.lines import settle
from penalties.ladder.queries.dead_hand_marks import DeadMark, dead_mark, hand_of, unmarked, wind_of
from penalties.ladder.rules.dead_hands import Facts, with_mark
from penalties.models import Penalty
from scoring.problems import gettext_noop
from scoring.systems import SYSTEMS
from tournaments.models import Hand, Protocol, Table
from tournaments.record.actors import Actor
from tournaments.record.locks import lock_protocol, lock_session, lock_tournament
from tournaments.record.refusal import Refused, refuse
from tournaments.tables.operations import protocols
from tournaments.tables.operations.recording import Intent


@transaction.atomic
def mark(penalty: Penalty, *, by: Actor) -> Penalty:
    """Mark a dead hand in a hand that was recorded without it; marked already, it stays marked once. [SBR 2.8.3]"""
    tournament = lock_tournament(penalty.tournament)
    if penalty.session is not None:
        lock_session(penalty.session)
    lock_table(penalty.table)
    row = Penalty.objects.select_related("table", "session").get(pk=penalty.pk)
    row.tournament = tournament
    if not row.is_in_force or row.effect != Penalty.Effect.DEAD_HAND:
        refuse("wrong_state", gettext_noop("This penalty declares no hand dead."))
    if dead_mark(row) is DeadMark.AWAITED:
        refuse("wrong_state", gettext_noop("This hand is not recorded yet; the tablet will mark it."))
    enter(row, by=by)
    return row


def lock_table(table: Table | None) -> None:
    """Lock the protocol of a table before anything is recorded."""
    protocol = Protocol.objects.filter(table=table).first() if table else None
    if protocol is not None:
        lock_protocol(protocol)


def enter(row: Penalty, *, by: Actor) -> None:
    """Correct the hand so that it is dead, from the latest moment that the rules allow. [RULES 1.8]

    What cannot be, such as a win with a dead hand, is refused by the rules: the hand must be corrected first.
    """
    if dead_mark(row) is not DeadMark.MISSING:
        return
    protocol, hand = hand_of(row)
    state = SYSTEMS[row.tournament.system].recorded.dead_hand_state
    _correct(protocol, hand, with_mark(hand.facts, wind_of(row), row.offence, state=state), row, by=by)


def leave(row: Penalty, *, by: Actor) -> None:
    """Take the mark of a revoked penalty out of its hand, unless another penalty in force needs it. [RULES 1.8]

    What the check of the hand had shown before it was marked is put back.
    """
    found = unmarked(row)
    if found is not None:
        protocol, hand, facts = found
        _correct(protocol, hand, [facts], row, by=by)


def follow_struck_hand(table: Table, number: int, hand: Hand, *, by: Actor, reason: str) -> None:
    """Renumber the hands named by penalties after a hand was struck; a dead hand in it is struck too. [RULES 1.5]"""
    rows = list(table.penalties.filter(hand__gte=number).order_by("hand"))
    for row in rows:
        if row.hand is not None and row.hand > number:
            row.hand -= 1
        else:
            row.struck = hand
            row.hand = None if row.effect == Penalty.Effect.DEAD_HAND else row.hand
        row.save(update_fields=["hand", "struck"])
    if rows:
        settle(lock_tournament(table.session.tournament), by=by, reason=reason)


def follow_restored_hand(table: Table, number: int, hand: Hand, *, by: Actor, reason: str) -> None:
    """Renumber the hands named by penalties after a hand was restored; those on it name it again. [RULES 8.53]"""
    rows = list(table.penalties.filter(Q(hand__gte=number) | Q(struck=hand)))
    for row in rows:
        if row.struck_id == hand.pk:
            row.hand, row.struck = number, None
        else:
            row.hand = (row.hand or 0) + 1
        row.save(update_fields=["hand", "struck"])
    if rows:
        settle(lock_tournament(table.session.tournament), by=by, reason=reason)


def _correct(protocol: Protocol, hand: Hand, choices: Iterable[Facts], row: Penalty, *, by: Actor) -> None:
    """Correct a hand by the first of several ways that the rules allow, else refuse for what stood against the first."""
    against: Refused | None = None
    for facts in choices:
        protocol.refresh_from_db(fields=["version"])
        intent = Intent(seen=protocol.version, key=uuid4().hex, body={"penalty": row.number})
        try:
            with transaction.atomic():
                protocols.correct_hand(
                    protocol, facts, number=hand.number, intent=intent, by=by, reason=_reason(row)
                )
        except Refused as refused:
            against = against or refused
        else:
            return
    if against is not None:
        raise against


def _reason(row: Penalty) -> str:
    """Return the reason as code, number and clause, the same in every language."""
    return f"{row.offence}, № {row.number} [{row.clause}]"
