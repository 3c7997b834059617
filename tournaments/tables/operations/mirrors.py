"""What players say of a recorded hand on their phones: right or not. It stands in the history and holds nobody up. [RULES 9.24]"""

from django.db import transaction
from django.utils import timezone

from scoring.problems import gettext_noop
from tournaments.models import Hand, HandCheck, Protocol, Seat, Tournament
from tournaments.models.protocol import InForce
from tournaments.record import history, receipts
from tournaments.record.actors import Actor
from tournaments.record.history import Kind
from tournaments.record.locks import lock_tournament
from tournaments.record.receipts import Answer
from tournaments.record.refusal import need_reason, refuse
from tournaments.tables.operations.recording import Intent, check_session, receipt_of


@transaction.atomic
def check_hand(
    protocol: Protocol, hand: int, wind: str, *, is_right: bool, text: str, intent: Intent, by: Actor
) -> Answer:
    """Note that the player at a seat finds a hand right, or what is wrong with it; the last word replaces the one before.

    It stands in the chain of the tournament: the numbers by which the tablets of the table count their entries stay. A player's words
    stay out of that chain, which is sealed: beside the hand they can be erased with their author.
    """
    tournament = lock_tournament(protocol.table.session.tournament)
    if answer := receipts.answered(tournament, intent.key, by=by, body=intent.body):
        return answer
    check_session(protocol)
    row = _in_force(protocol, hand)
    seat = protocol.table.seats.filter(wind=wind, player__isnull=False).select_related("player").first()
    if seat is None or seat.player is None or not _played(seat, row):
        refuse("not_seated", gettext_noop("Nobody sits there."))
    wrong = "" if is_right else text
    said = {"is_right": is_right, "text": wrong, "player": seat.player, "settled_at": None}
    HandCheck.objects.update_or_create(hand=row, wind=wind, defaults=said)
    kind = Kind.HAND_AGREED if is_right else Kind.HAND_DISPUTED
    return _noted(kind, tournament, row, wind, intent=intent, by=by, reason="")


@transaction.atomic
def settle_dispute(
    protocol: Protocol, hand: int, wind: str, *, reason: str, intent: Intent, by: Actor
) -> Answer:
    """Let a disputed hand stand as it is, as a referee and with a reason."""
    need_reason(reason)
    tournament = lock_tournament(protocol.table.session.tournament)
    if answer := receipts.answered(tournament, intent.key, by=by, body=intent.body):
        return answer
    if protocol.table.seats.filter(player_id__in=by.player_ids).exists():
        refuse("conflict_of_interest", gettext_noop("You play at this table; ask another referee."))
    row = _in_force(protocol, hand)
    settled = HandCheck.objects.filter(hand=row, wind=wind, is_right=False, settled_at=None)
    if not settled.update(settled_at=timezone.now()):
        refuse("not_found", gettext_noop("This dispute is settled already."))
    return _noted(Kind.DISPUTE_SETTLED, tournament, row, wind, intent=intent, by=by, reason=reason)


def _in_force(protocol: Protocol, hand: int) -> Hand:
    row = protocol.hands.filter(pk=hand, status=InForce.IN_FORCE).first() if hand < 10**15 else None
    if row is None:
        refuse("totals_changed", gettext_noop("This hand was changed after you saw it; look at it again."))
    return row


def _played(seat: Seat, hand: Hand) -> bool:
    """Return whether the player who sits there played the hand. [RULES 8.55]"""
    return seat.wind in hand.payments and not seat.is_empty_in(hand.number)


def _noted(
    kind: Kind, tournament: Tournament, hand: Hand, wind: str, *, intent: Intent, by: Actor, reason: str
) -> Answer:
    table = hand.protocol.table
    noted = history.record(
        kind,
        tournament=tournament,
        by=by,
        subject=f"hand:{hand.pk}",
        data={"session": table.session.number, "table": table.number, "number": hand.number, "wind": wind},
        reason=reason,
        moves_standings=kind != Kind.HAND_AGREED,
    )
    answer = receipt_of(noted)
    receipts.store(tournament, intent.key, by=by, body=intent.body, answer=answer)
    return answer
