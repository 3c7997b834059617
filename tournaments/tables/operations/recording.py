"""What all changes to a protocol share: the checks before them, and the rows written with them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.hands import Hand as Deal
from scoring.parsers import UNKNOWN_FIELD
from scoring.problems import Problem, Refusal, gettext_noop
from scoring.protocol import PlayedHand
from scoring.record.hands import read_hand, write_hand
from scoring.record.readings import MARK
from scoring.seats import Seat as SeatWind
from tournaments.models import Hand, HistoryEntry, Protocol, Seat, Session, rows
from tournaments.models.protocol import InForce
from tournaments.record.receipts import Answer
from tournaments.record.refusal import Refused, Stale, refuse
from tournaments.tables.operations.dealers import FIELD
from tournaments.tables.queries.sheets import COLUMNS, Sheet
from tournaments.tables.queries.state import entries_since, protocol_state

STATES = Protocol.State
TableKey = tuple[int, int]
"""A table by the number of its session and its own."""


@dataclass(frozen=True)
class Intent:
    """One request to write: the number of entries that its device had seen, its key and its body."""

    seen: int
    key: str
    body: Mapping[str, Any]

    @classmethod
    def of(cls, operation: str, table: TableKey, read: Mapping[str, Any], *, key: str) -> "Intent":
        """Return the intent of a request that was read; its body is all that makes it the same when it comes again."""
        session, number = table
        body = {"operation": operation, "session": session, "table": number, **read}
        return cls(seen=read["seen"], key=key, body=body)


def check_session(protocol: Protocol) -> None:
    session = protocol.table.session
    if session.state == Session.State.PLANNED:
        refuse("not_started", gettext_noop("Session %(n)s has not started."), n=session.number)
    if session.tournament.is_cancelled:
        refuse("event_cancelled", gettext_noop("The event is cancelled. Show this to the chief referee."))
    if session.tournament.is_finished:
        refuse("event_finished", gettext_noop("The event is finished. Show this to the chief referee."))
    if session.state == Session.State.CLOSED:
        refuse("round_closed", gettext_noop("Session %(n)s is closed."), n=session.number)


def check_open(protocol: Protocol, *, may_be_ended: bool = False) -> None:
    """Refuse a write unless the session is in play and the table has not ended it."""
    check_session(protocol)
    if protocol.is_settled:
        refuse("game_signed", gettext_noop("The protocol is confirmed; only a referee can correct it."))
    if protocol.state == STATES.ENDED and not may_be_ended:
        refuse("game_signed", gettext_noop("The table has ended its session. Press “Play on” to go on."))


def check_seen(protocol: Protocol, seen: int, *, version: int | None = None) -> None:
    """Refuse a writer who has not seen the newest entry, or claims to have seen more than there is."""
    version = protocol.version if version is None else version
    if seen > version:
        raise Stale(
            Problem(
                "sequence_gap",
                gettext_noop("The tablet knows of entries that the server does not have; reload the table."),
            ),
            current=protocol_state(protocol),
        )
    if seen < version:
        since = entries_since(protocol, seen)
        raise Stale(
            Problem(
                "sequence",
                gettext_noop("Entries made since you looked: %(k)s. Check and enter again if needed."),
                details={"k": len(since)},
            ),
            current={**protocol_state(protocol), "since": since},
        )


def read_deal(facts: Mapping[str, Any], *, instead_of: Hand | None = None) -> Deal:
    """Read a hand that is entered, or one that replaces an earlier one.

    Only what replaces a hand of the first reading may be judged by it again, as when a penalty is marked in it. [RULES 8.44]
    """
    try:
        deal = read_hand(facts)
    except Refusal as refusal:
        raise Refused(*refusal.problems) from refusal
    if deal.first_reading and not (instead_of and instead_of.facts.get(MARK)):
        raise Refused(Problem("unknown_field", UNKNOWN_FIELD, MARK, "RECORD 3", {"name": MARK}))
    if deal.as_played and not instead_of:
        raise Refused(Problem("unknown_field", UNKNOWN_FIELD, FIELD, "RECORD 3", {"name": FIELD}))
    return deal


def refuse_if(problems: Sequence[Problem]) -> None:
    if problems:
        raise Refused(*problems)


def hand_columns(played: PlayedHand) -> dict[str, Any]:
    """Return the derived columns of a hand."""
    return {
        "dealer": str(played.before.dealer),
        "round_wind": str(played.before.round_wind),
        "counters": played.before.counters,
        "bets_left": played.after.bets,
        "unpaid": played.payments.unpaid,
        **{column: played.payments.by_seat.get(SeatWind(wind)) for wind, column in COLUMNS.items()},
    }


def hand_row(protocol: Protocol, played: PlayedHand, **more: Any) -> Hand:
    """Make the row of a hand with its payments, not yet stored."""
    facts = write_hand(played.hand)
    return Hand(
        protocol_id=protocol.pk, number=played.hand.number, facts=facts, **hand_columns(played), **more
    )


def play_on_by_hand(protocol: Protocol) -> None:
    """Undo the final result of a table that plays on: its hands count again."""
    if protocol.has_final:  # type: ignore[attr-defined]
        protocol.final_results.filter(status=InForce.IN_FORCE).update(status=InForce.UNDONE)
        protocol.has_final = False  # type: ignore[attr-defined]


def write_totals(*games: tuple[Sheet, Mapping[SeatWind, int]]) -> None:
    """Store the totals that changed, of all these tables in one statement."""
    moved: dict[int, int] = {}
    for sheet, totals in games:
        for seat in sheet.seats:
            points = totals.get(SeatWind(seat.wind), 0)
            if seat.hand_points != points:
                seat.hand_points = moved[seat.pk] = points
    rows.write(Seat._meta.get_field("hand_points"), moved)


def said_of(hand: Hand) -> dict[str, Any]:
    """Return what the history stores about a hand."""
    return {"number": hand.number, "facts": hand.facts, "payments": hand.payments}


def receipt_of(entry: HistoryEntry) -> Answer:
    """Return the receipt of an entry: its number and digest prove that the server has it."""
    return {"entry": entry.number, "digest": entry.digest, "version": entry.number}
