"""The queue of a tablet that had no connection: up to fifty writes in order, each with its own answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from scoring import parsers
from scoring.parsers import anything
from scoring.problems import gettext_noop
from tournaments.models import Table, Tournament
from tournaments.record.actors import Actor
from tournaments.record.receipts import check_key
from tournaments.record.refusal import Refused, refuse
from tournaments.tables.views.tablet_writes import OPERATIONS, Done, check_allowed, perform, perform_hands
from tournaments.web.middleware import as_refused
from tournaments.web.strict import fields_of, load_json

SCHEMAS = (1,)
"""The versions of queued operations that are still understood: the present one and the one before."""
MOST_OPERATIONS = 50
QUEUED = {
    "key": parsers.text(1, 128),
    "session": parsers.positive,
    "table": parsers.positive,
    "operation": parsers.choice(OPERATIONS),
    "body": anything,
}
Numbered = tuple[int, Any]


@dataclass(frozen=True)
class Write:
    """One queued write that was read: its operation, table, body and key."""

    operation: str
    table: Table
    body: object
    key: str


class Queue:
    """The writes of one request; after a refusal no later write of the same table is tried."""

    def __init__(self, tournament: Tournament, by: Actor, *, is_brief: bool) -> None:
        """Take the sender, and whether consecutive hands may get brief answers."""
        self.tournament, self.by, self.is_brief = tournament, by, is_brief
        self.held: set[str] = set()
        self.tables: dict[tuple[int, int], Table] = {}

    def settle(self, items: Sequence[Any]) -> list[Done]:
        """Do everything in order; return an answer for each as its own address would give it."""
        return [
            answer
            for _, run in groupby(enumerate(items), self._together)
            for answer in self._settled(list(run))
        ]

    def _together(self, numbered: Numbered) -> object:
        """Return the key of a run: consecutive hands of one table are written together, every other write alone."""
        at, item = numbered
        if self.is_brief and isinstance(item, dict) and item.get("operation") == "hands":
            return _place(item)
        return at

    def _settled(self, run: Sequence[Numbered]) -> list[Done]:
        """Do a run; the error that stops it is the answer of the write where it stopped."""
        told: list[Done] = []
        while len(told) < len(run):
            rest = run[len(told) :]
            item = rest[0][1]
            key = item.get("key") if isinstance(item, dict) else None
            try:
                if _place(item) in self.held:
                    refuse("not_tried", gettext_noop("An earlier entry of this table must be settled first."))
                done = self._done(rest)
            except Exception as error:
                problem = as_refused(error)
                if problem is None:
                    raise
                self.held.add(_place(item))
                told.append({"key": key, "status": problem.status, "problem": problem.as_json()})
            else:
                told += [
                    {"key": sent["key"], "status": 200, **one}
                    for (_, sent), one in zip(rest, done, strict=False)
                ]
        return told

    def _done(self, rest: Sequence[Numbered]) -> list[Done]:
        """Do the first write and those that can be done together with it; raise the refusal of the first."""
        first = self._read(*rest[0])
        if len(rest) == 1:
            return [perform(first.operation, first.table, first.body, key=first.key, by=self.by)]
        sent = [(first.key, first.body)]
        for numbered in rest[1:]:
            try:
                write = self._read(*numbered)
            except Refused:
                break
            sent.append((write.key, write.body))
        return perform_hands(first.table, sent, by=self.by)

    def _read(self, at: int, item: Any) -> Write:
        """Read one write and check it against the role and the tables of its sender."""
        read = fields_of(item, QUEUED, at=f"operations.{at}")
        check_key(read["key"])
        table = self._table(read["session"], read["table"])
        check_allowed(OPERATIONS[read["operation"]], table, self.by)
        return Write(read["operation"], table, body_in(read), read["key"])

    def _table(self, session: int, table: int) -> Table:
        if (session, table) not in self.tables:
            self.tables[session, table] = table_at(self.tournament, session, table)
        return self.tables[session, table]


def read_queue(body: object) -> tuple[list[Any], bool]:
    """Read the writes of a request, and whether it asks for brief answers."""
    read = fields_of(body, {"schema": parsers.positive, "operations": anything}, {"brief": parsers.truth})
    if read["schema"] not in SCHEMAS:
        refuse("client_too_old", gettext_noop("This page is too old; reload it. Unsent hands stay here."))
    items = fields_of(
        {"operations": read["operations"]},
        {"operations": parsers.several(anything, least=1, most=MOST_OPERATIONS)},
    )["operations"]
    return items, read.get("brief", False)


def body_in(write: Mapping[str, Any]) -> Any:
    """Return the body of a queued write; a body sent as text is parsed, since it nests less deeply."""
    body = write["body"]
    return load_json(body.encode()) if isinstance(body, str) else body


def _place(item: Any) -> str:
    return str((item.get("session"), item.get("table")) if isinstance(item, dict) else None)


def table_at(tournament: Tournament, session: int, table: int) -> Table:
    """Find a table by its session and number."""
    rows = Table.objects.select_related("session", "protocol")
    row = rows.filter(session__tournament=tournament, session__number=session, number=table).first()
    if row is None:
        refuse("not_found", gettext_noop("There is nothing at this address."))
    row.session.tournament = tournament
    return row
