"""The writes that a tablet may request: one row per operation, the same for single requests and for batches."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring import parsers
from scoring.parsers import Parser, an_object
from scoring.problems import gettext_noop
from scoring.seats import SEATS
from tournaments.models import Protocol, Table
from tournaments.record.actors import Actor
from tournaments.record.receipts import Answer
from tournaments.record.refusal import Refused, refuse
from tournaments.tables.operations import entering, protocols, witnesses
from tournaments.tables.operations.entering import EnteredHands, SentHand
from tournaments.tables.operations.recording import Intent, TableKey
from tournaments.tables.queries.state import shown_states, table_state
from tournaments.web.access import CAPABILITIES, check_table
from tournaments.web.strict import fields_of

MOST_POINTS = 10**9
seat = parsers.choice([str(one) for one in SEATS])
points = parsers.by_key(seat, parsers.whole(-MOST_POINTS, MOST_POINTS))
reason = parsers.text(0, 5000)

Work = Callable[[Protocol, Mapping[str, Any], Intent, Actor], Answer | EnteredHands]
Done = dict[str, Any]


@dataclass(frozen=True)
class Operation:
    """A kind of write: who may do it, what it reads beside `seen`, and which operation does it."""

    capability: str
    required: Mapping[str, Parser]
    optional: Mapping[str, Parser]
    work: Work

    @property
    def fields(self) -> Mapping[str, Parser]:
        """Return what its body must hold."""
        return {"seen": parsers.natural, **self.required}


def _record(protocol: Protocol, read: Mapping[str, Any], intent: Intent, by: Actor) -> EnteredHands:
    return entering.enter_hands(protocol, [SentHand.of(read, intent)], by=by)


def _undo(protocol: Protocol, read: Mapping[str, Any], intent: Intent, by: Actor) -> Answer:
    given = read.get("reason", "")
    return protocols.undo_hand(protocol, number=read["number"], intent=intent, by=by, reason=given)


def _correct(protocol: Protocol, read: Mapping[str, Any], intent: Intent, by: Actor) -> Answer:
    return protocols.correct_hand(
        protocol,
        read["facts"],
        number=read["number"],
        intent=intent,
        by=by,
        reason=read["reason"],
        keep_dealers=read.get("keep_dealers"),
    )


def _void(protocol: Protocol, read: Mapping[str, Any], intent: Intent, by: Actor) -> Answer:
    return protocols.void_hand(
        protocol,
        number=read["number"],
        intent=intent,
        by=by,
        reason=read["reason"],
        keep_dealers=read.get("keep_dealers"),
    )


def _final(protocol: Protocol, read: Mapping[str, Any], intent: Intent, by: Actor) -> Answer:
    return protocols.record_final_result(
        protocol,
        read["points"],
        left_on_table=read.get("left_on_table", 0),
        intent=intent,
        by=by,
        reason=read.get("reason", ""),
    )


def _end(protocol: Protocol, read: Mapping[str, Any], intent: Intent, by: Actor) -> Answer:
    return protocols.end_protocol(protocol, intent=intent, by=by)


def _resume(protocol: Protocol, read: Mapping[str, Any], intent: Intent, by: Actor) -> Answer:
    return protocols.resume_protocol(protocol, intent=intent, by=by, reason=read.get("reason", ""))


def _confirm(protocol: Protocol, read: Mapping[str, Any], intent: Intent, by: Actor) -> Answer:
    return protocols.confirm_seat(
        protocol,
        read["wind"],
        totals=read["totals"],
        intent=intent,
        by=by,
        pin=read.get("pin", ""),
        reason=read.get("reason", ""),
    )


def _sign_off(protocol: Protocol, read: Mapping[str, Any], intent: Intent, by: Actor) -> Answer:
    return protocols.sign_off(protocol, intent=intent, by=by, reason=read["reason"])


def _repair(protocol: Protocol, read: Mapping[str, Any], intent: Intent, by: Actor) -> Answer:
    return protocols.repair_seats(protocol, read["sitting"], intent=intent, by=by, reason=read["reason"])


def _object(protocol: Protocol, read: Mapping[str, Any], intent: Intent, by: Actor) -> Answer:
    return protocols.note_objection(protocol, read["wind"], text=read["text"], intent=intent, by=by)


def _drop(protocol: Protocol, read: Mapping[str, Any], intent: Intent, by: Actor) -> Answer:
    return witnesses.drop_entry(
        protocol,
        read["entry"],
        intent=intent,
        by=by,
        one_with=read.get("one_with"),
        reason=read.get("reason", ""),
    )


DEALERS: Mapping[str, Parser] = {"keep_dealers": parsers.truth}
"""Whether the hands after a changed one were dealt as they stand."""

OPERATIONS: Mapping[str, Operation] = {
    "hands": Operation("record_hands", {"facts": an_object}, {"sure": parsers.truth}, _record),
    "undo": Operation("record_hands", {"number": parsers.positive}, {"reason": reason}, _undo),
    "final": Operation(
        "record_hands", {"points": points}, {"left_on_table": parsers.natural, "reason": reason}, _final
    ),
    "end": Operation("record_hands", {}, {}, _end),
    "resume": Operation("record_hands", {}, {"reason": reason}, _resume),
    "confirm": Operation(
        "record_hands",
        {"wind": seat, "totals": points},
        {"pin": parsers.text(0, 20), "reason": reason},
        _confirm,
    ),
    "correct": Operation(
        "correct_hands", {"facts": an_object, "number": parsers.positive, "reason": reason}, DEALERS, _correct
    ),
    "void": Operation("correct_hands", {"number": parsers.positive, "reason": reason}, DEALERS, _void),
    "seats": Operation(
        "correct_hands", {"sitting": parsers.by_key(seat, seat, least=2), "reason": reason}, {}, _repair
    ),
    "objection": Operation("record_hands", {"wind": seat, "text": reason}, {}, _object),
    "sign-off": Operation("correct_hands", {"reason": reason}, {}, _sign_off),
    "drop": Operation(
        "record_hands", {"entry": an_object}, {"one_with": parsers.positive, "reason": reason}, _drop
    ),
}


def perform(name: str, table: Table, body: object, *, key: str, by: Actor) -> Done:
    """Do one write; return its receipt with the state of the table after it."""
    read, intent = _read(name, _key_of(table), body, key=key)
    done = OPERATIONS[name].work(protocol_of(table), read, intent, by)
    (one,) = _with_states(table, done if isinstance(done, EnteredHands) else EnteredHands((done,)))
    return one


def perform_hands(table: Table, sent: Sequence[tuple[str, object]], *, by: Actor) -> list[Done]:
    """Enter hands of one table in order, up to the first that is refused; if that is the very first, raise its refusal."""
    hands = []
    for key, body in sent:
        try:
            hands.append(read_sent_hand(_key_of(table), body, key=key))
        except Refused:
            if not hands:
                raise
            break
    return _with_states(table, entering.enter_hands(protocol_of(table), hands, by=by))


def _with_states(table: Table, entered: EnteredHands) -> list[Done]:
    """Return a receipt for each write, and with the last one the state of the table."""
    done: list[Done] = [{"receipt": answer} for answer in entered.answers]
    done[-1]["state"] = shown_states([entered.written])[0] if entered.written else table_state(table)
    return done


def read_sent_hand(table: TableKey, body: object, *, key: str) -> SentHand:
    """Read a hand that a tablet sends."""
    return SentHand.of(*_read("hands", table, body, key=key))


def _key_of(table: Table) -> TableKey:
    return table.session.number, table.number


def _read(name: str, table: TableKey, body: object, *, key: str) -> tuple[dict[str, Any], Intent]:
    """Read the body of a write, and make its intent."""
    operation = OPERATIONS[name]
    read = fields_of(body, operation.fields, operation.optional)
    return read, Intent.of(name, table, read, key=key)


def protocol_of(table: Table) -> Protocol:
    """Return the protocol of the table; refuse if nobody plays there."""
    if not hasattr(table, "protocol"):
        refuse(
            "not_found", gettext_noop("Table %(table)s does not play in this session."), table=table.number
        )
    return table.protocol


def check_allowed(operation: Operation, table: Table, by: Actor) -> None:
    """Refuse an operation of a batch that the role or the tables of its sender do not allow."""
    if not by.roles & CAPABILITIES[operation.capability]:
        refuse(
            "forbidden",
            gettext_noop("Your role cannot do this; ask the organizer or the chief referee."),
        )
    check_table(by, table)
