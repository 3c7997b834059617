"""The only writer of the history: numbered, chained by SHA-256, and never changed afterwards."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from tournaments.models import HistoryEntry, Protocol, StandingsRevision, Tournament
from tournaments.models.rows import insert
from tournaments.record.actors import Actor
from tournaments.record.queries import OBJECTION_NOTED
from tournaments.record.upgrades import HISTORY
from tournaments.record.wakeup import wake

GENESIS = "0" * 64


class Kind(StrEnum):
    """What can happen to the record; labels for people are in `tournaments.web.labels`."""

    TOURNAMENT_CREATED = "tournament_created"
    TOURNAMENT_CHANGED = "tournament_changed"
    REGULATION_CHANGED = "regulation_changed"
    TOURNAMENT_ANNOUNCED = "tournament_announced"
    TOURNAMENT_STARTED = "tournament_started"
    TOURNAMENT_CLOSED = "tournament_closed"
    TOURNAMENT_REOPENED = "tournament_reopened"
    TOURNAMENT_CANCELLED = "tournament_cancelled"
    CANCELLATION_TAKEN_BACK = "cancellation_taken_back"
    TOURNAMENT_DELETED = "tournament_deleted"
    LISTING_CHANGED = "listing_changed"
    ROLE_GRANTED = "role_granted"
    ROLE_TAKEN = "role_taken"
    STAFF_NAMED = "staff_named"
    STAFF_INVITED = "staff_invited"
    MAIL_TEXT_CHANGED = "mail_text_changed"
    INVITATION_ACCEPTED = "invitation_accepted"
    INVITATION_WITHDRAWN = "invitation_withdrawn"
    PLAYER_REGISTERED = "player_registered"
    PLAYER_CHANGED = "player_changed"
    PLAYER_ERASED = "player_erased"
    ERASURE_REQUESTED = "erasure_requested"
    ERASURE_DECLINED = "erasure_declined"
    CONTACTS_FORGOTTEN = "contacts_forgotten"
    REGISTRATION_CHANGED = "registration_changed"
    PLACE_OFFERED = "place_offered"
    PLACE_ACCEPTED = "place_accepted"
    OFFER_LAPSED = "offer_lapsed"
    OFFER_TAKEN_BACK = "offer_taken_back"
    PLAYER_CHECKED_IN = "player_checked_in"
    CHECK_IN_UNDONE = "check_in_undone"
    FEE_PAID = "fee_paid"
    FEE_PAYMENT_UNDONE = "fee_payment_undone"
    SUBSTITUTE_NAMED = "substitute_named"
    DRAW_PROMISED = "draw_promised"
    SEATING_PUBLISHED = "seating_published"
    SEATING_CHANGED = "seating_changed"
    SEATING_WITHDRAWN = "seating_withdrawn"
    SUBSTITUTE_SEATED = "substitute_seated"
    SEAT_LEFT_EMPTY = "seat_left_empty"
    PLAYER_RETURNED = "player_returned"
    SESSION_STARTED = "session_started"
    SESSION_START_TAKEN_BACK = "session_start_taken_back"
    SESSION_CLOCK_CHANGED = "session_clock_changed"
    SESSION_CLOSED = "session_closed"
    SESSION_REOPENED = "session_reopened"
    HAND_RECORDED = "hand_recorded"
    HAND_CORRECTED = "hand_corrected"
    HAND_UNDONE = "hand_undone"
    HAND_VOIDED = "hand_voided"
    AUDIT_DRAWN = "audit_drawn"
    PAPER_TYPED = "paper_typed"
    HAND_AGREED = "hand_agreed"
    HAND_DISPUTED = "hand_disputed"
    DISPUTE_SETTLED = "dispute_settled"
    HAND_WITNESSED = "hand_witnessed"
    ENTRY_DROPPED = "entry_dropped"
    HAND_RESTORED = "hand_restored"
    FINAL_RESULT_RECORDED = "final_result_recorded"
    SEATS_REPAIRED = "seats_repaired"
    PROTOCOL_ENDED = "protocol_ended"
    PROTOCOL_RESUMED = "protocol_resumed"
    SEAT_CONFIRMED = "seat_confirmed"
    OBJECTION_NOTED = OBJECTION_NOTED
    CONFIRMATION_WITHDRAWN = "confirmation_withdrawn"
    PROTOCOL_SIGNED_OFF = "protocol_signed_off"
    ADJUSTMENT_POSTED = "adjustment_posted"
    ADJUSTMENT_REVERSED = "adjustment_reversed"
    TEAM_LINE_POSTED = "team_line_posted"
    TEAM_LINE_REVERSED = "team_line_reversed"
    PENALTY_GIVEN = "penalty_given"
    PENALTY_APPROVED = "penalty_approved"
    PENALTY_REVOKED = "penalty_revoked"
    LATENESS_NOTED = "lateness_noted"
    LATENESS_ENDED = "lateness_ended"
    LATENESS_CHANGED = "lateness_changed"
    APPEAL_FILED = "appeal_filed"
    APPEAL_STATED = "appeal_stated"
    APPEAL_HEARD = "appeal_heard"
    CONFLICT_DECLARED = "conflict_declared"
    APPEAL_VOTED = "appeal_voted"
    APPEAL_RULED = "appeal_ruled"
    APPEAL_MOVED = "appeal_moved"
    APPEAL_WITHDRAWN = "appeal_withdrawn"
    APPEAL_NOT_ACCEPTED = "appeal_not_accepted"
    DEPOSIT_TAKEN = "deposit_taken"
    DEPOSIT_RETURNED = "deposit_returned"
    DEVICE_INVITED = "device_invited"
    DEVICE_ADMITTED = "device_admitted"
    DEVICE_REVOKED = "device_revoked"
    DEVICE_SENT_OVER = "device_sent_over"
    DEVICE_KEPT = "device_kept"
    HALL_STEERED = "hall_steered"
    STANDINGS_FROZEN = "standings_frozen"
    STANDINGS_SHOWN = "standings_shown"
    PLACES_REVEALED = "places_revealed"
    REVEAL_ENDED = "reveal_ended"
    FRAMES_ALLOWED = "frames_allowed"
    PASSWORD_ALLOWED = "password_allowed"  # noqa: S105 -- names an event
    PASSWORD_SET = "password_set"  # noqa: S105 -- names an event
    RECORD_IMPORTED = "record_imported"


@dataclass(frozen=True)
class NewEntry:
    """An entry to be recorded: its kind, what it is about, its data and the reason given."""

    kind: str
    subject: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""


def record(
    kind: str,
    *,
    tournament: Tournament,
    by: Actor,
    protocol: Protocol | None = None,
    subject: str = "",
    data: Mapping[str, Any] | None = None,
    reason: str = "",
    moves_standings: bool = True,
) -> HistoryEntry:
    """Append one entry to the chain of the protocol, else of the tournament, and ask for fresh standings unless it moves none."""
    number = _raise_version(tournament, protocol)
    new = NewEntry(kind, subject, data or {}, reason)
    previous = head(tournament, protocol)
    made = entry(new, tournament=tournament, protocol=protocol, by=by, number=number, previous=previous)
    made.save(force_insert=True)
    if moves_standings:
        ask_for_standings(tournament.pk)
    return made


@dataclass(frozen=True)
class ProtocolEntries:
    """New entries for the chain of one protocol, in order: who made them, and the digest that the first follows."""

    protocol: Protocol
    entries: Sequence[NewEntry]
    by: Actor
    previous: str | None


def record_at_tables(batch: Sequence[ProtocolEntries], *, tournament: Tournament) -> list[list[HistoryEntry]]:
    """Append entries to the chains of protocols that the caller has locked and then read.

    The caller calls `ask_for_standings` after its other writes: that row is shared by all tables, which wait for it in turn.
    """
    _raise_versions(batch)
    made = [_chained(rows, tournament) for rows in batch]
    insert([one for entries in made for one in entries])
    return made


def _chained(rows: ProtocolEntries, tournament: Tournament) -> list[HistoryEntry]:
    """Make the entries of one chain, each following the one before it."""
    made: list[HistoryEntry] = []
    first = rows.protocol.version - len(rows.entries) + 1
    previous = rows.previous or GENESIS
    for number, new in enumerate(rows.entries, start=first):
        made.append(
            entry(
                new,
                tournament=tournament,
                protocol=rows.protocol,
                by=rows.by,
                number=number,
                previous=previous,
            )
        )
        previous = made[-1].digest
    return made


def entry(
    new: NewEntry, *, tournament: Tournament, protocol: Protocol | None, by: Actor, number: int, previous: str
) -> HistoryEntry:
    """Make an entry that follows another, not yet stored."""
    at = timezone.now()
    content = canonical(
        {
            "at": at.isoformat(),
            "by": str(by),
            "chain": f"protocol:{protocol.pk}" if protocol else f"tournament:{tournament.pk}",
            "data": new.data,
            "device": by.device_id,
            "kind": new.kind,
            "number": number,
            "previous": previous,
            "reason": new.reason,
            "roles": sorted(by.roles),
            "subject": new.subject,
            "version": HISTORY.newest,
        }
    )
    return HistoryEntry(
        tournament=tournament,
        protocol=protocol,
        number=number,
        kind=new.kind,
        content=content,
        previous=previous,
        digest=digest(content),
        at=at,
    )


def canonical(value: Mapping[str, Any]) -> str:
    """Write JSON in one way only: keys sorted, no spaces."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def digest(content: str) -> str:
    """Return the SHA-256 that the next entry will carry."""
    return hashlib.sha256(content.encode()).hexdigest()


def _raise_version(tournament: Tournament, protocol: Protocol | None) -> int:
    """Raise the number of entries on the locked row and return it; an object that is behind its row is read again."""
    if protocol is not None:
        now = timezone.now()
        while not Protocol.objects.filter(pk=protocol.pk, version=protocol.version).update(
            version=protocol.version + 1, changed_at=now
        ):
            protocol.refresh_from_db(fields=["version"])
        protocol.version, protocol.changed_at = protocol.version + 1, now
        return protocol.version
    while not Tournament.objects.filter(pk=tournament.pk, entries=tournament.entries).update(
        entries=tournament.entries + 1
    ):
        tournament.refresh_from_db(fields=["entries"])
    tournament.entries += 1
    return tournament.entries


def _raise_versions(batch: Sequence[ProtocolEntries]) -> None:
    """Raise the versions of the protocols: one statement for all that get the same number of entries."""
    now = timezone.now()
    by_count: dict[int, list[Protocol]] = {}
    for rows in batch:
        by_count.setdefault(len(rows.entries), []).append(rows.protocol)
    for count, protocols in by_count.items():
        behind = Protocol.objects.filter(pk__in=[protocol.pk for protocol in protocols])
        behind.update(version=F("version") + count, changed_at=now)
        for protocol in protocols:
            protocol.version, protocol.changed_at = protocol.version + count, now


def head(tournament: Tournament, protocol: Protocol | None = None) -> str:
    """Return the digest of the newest entry of the chain."""
    chain = HistoryEntry.objects.filter(tournament=tournament, protocol=protocol)
    return chain.order_by("-number").values_list("digest", flat=True).first() or GENESIS


def heads(tournament: Tournament) -> dict[int, str]:
    """Return the digests of the newest entries of all the protocols' chains, by protocol, in one query."""
    newest = HistoryEntry.objects.filter(tournament=tournament, number=F("protocol__version"))
    return dict(newest.values_list("protocol", "digest"))


def ask_for_standings(tournament_id: int) -> None:
    """Raise the wanted revision, as the last lock of the transaction, and request the recomputation after the commit."""
    moved = StandingsRevision.objects.filter(pk=tournament_id).update(wanted=F("wanted") + 1)
    if not moved:
        StandingsRevision.objects.create(tournament_id=tournament_id, wanted=1)
    transaction.on_commit(lambda: wake(tournament_id), robust=True)


def read(content: str) -> dict[str, Any]:
    """Parse the content of a stored entry, of whatever version it is."""
    return HISTORY.read(json.loads(content))
