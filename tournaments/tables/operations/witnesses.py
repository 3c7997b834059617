"""One hand on two tablets: equal entries are one hand with two witnesses, and what is not recorded leaves a reason."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from scoring.problems import gettext_noop
from scoring.record.hands import write_hand
from tournaments.models import HistoryEntry, Protocol, Tournament
from tournaments.models.protocol import InForce
from tournaments.record import history, receipts
from tournaments.record.actors import Actor
from tournaments.record.history import Kind
from tournaments.record.locks import lock_tournament
from tournaments.record.receipts import Answer
from tournaments.record.refusal import need_reason, refuse
from tournaments.tables.operations.dealers import told
from tournaments.tables.operations.recording import Intent, read_deal, receipt_of
from tournaments.tables.queries.sheets import Sheet


class NeedsTournament(Exception):
    """A witness stands in the chain of the tournament, whose lock comes before that of the table: begin anew with it."""


@dataclass(frozen=True)
class Witnesses:
    """Who enters hands that are recorded already, into a tournament whose row is locked."""

    tournament: Tournament
    by: Actor


def witness(
    sheet: Sheet, facts: Mapping[str, Any], intent: Intent, witnesses: Witnesses | None
) -> Answer | None:
    """Return the receipt of the hand that another tablet recorded in this one's place with equal facts; else None.

    The sender knew every entry before that hand and not the hand itself, so both mean the same one. A witness is told in
    the chain of the tournament and not in that of the table: the numbers by which its tablets count their entries stay.
    [RULES 1.5]
    """
    entry = _same_hand(sheet, facts, intent)
    if entry is None:
        return None
    if witnesses is None:
        raise NeedsTournament
    said = history.read(entry.content)
    if said["by"] != str(witnesses.by):
        table = sheet.protocol.table
        history.record(
            Kind.HAND_WITNESSED,
            tournament=witnesses.tournament,
            by=witnesses.by,
            subject=said["subject"],
            data={"session": table.session.number, "table": table.number, "entry": entry.number},
        )
    answer = receipt_of(entry)
    receipts.store(witnesses.tournament, intent.key, by=witnesses.by, body=intent.body, answer=answer)
    return answer


def _same_hand(sheet: Sheet, facts: Mapping[str, Any], intent: Intent) -> HistoryEntry | None:
    """Find the entry that the sender had not seen, if it recorded a hand that is in force with equal facts."""
    protocol = sheet.protocol
    if intent.seen >= protocol.version or protocol.table.session.tournament.is_finished:
        return None
    entry = protocol.history.filter(number=intent.seen + 1, kind=Kind.HAND_RECORDED).first()
    if entry is None:
        return None
    subject = history.read(entry.content)["subject"]
    row = next((row for row in sheet.rows if f"hand:{row.pk}" == subject), None)
    if row is None or told(row.facts, None) != write_hand(read_deal({**facts, "number": row.number})):
        return None
    return entry


@transaction.atomic
def drop_entry(
    protocol: Protocol,
    entry: Mapping[str, Any],
    *,
    intent: Intent,
    by: Actor,
    one_with: int | None = None,
    reason: str = "",
) -> Answer:
    """Note that what a tablet holds is not recorded: it is one with a hand that is, or a reason is given. [INTEGRITY 5.1]"""
    tournament = lock_tournament(protocol.table.session.tournament)
    if answer := receipts.answered(tournament, intent.key, by=by, body=intent.body):
        return answer
    subject = ""
    if one_with is None:
        need_reason(reason)
    else:
        hand = protocol.hands.filter(status=InForce.IN_FORCE, number=one_with).first()
        if hand is None:
            refuse("not_found", gettext_noop("There is no hand %(n)s."), n=one_with)
        subject = f"hand:{hand.pk}"
    table = protocol.table
    noted = history.record(
        Kind.ENTRY_DROPPED,
        tournament=tournament,
        by=by,
        subject=subject,
        data={"session": table.session.number, "table": table.number, "entry": dict(entry)},
        reason=reason,
    )
    answer = receipt_of(noted)
    receipts.store(tournament, intent.key, by=by, body=intent.body, answer=answer)
    return answer
