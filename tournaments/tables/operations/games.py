"""Games as they were written a moment ago, so that the next hand of a table need not read and play all those before it.

A game is found by two digests: of the newest entry about its table, and of the newest about the event. They stand for
everything that was ever written of either, and nothing that a sheet shows changes without an entry, but for the table's
call. So whoever writes in between, in this process or in another, makes the game not found; none is ever put right.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from threading import get_ident
from typing import NamedTuple

from django.db.models import OuterRef, QuerySet, Subquery

from scoring.protocol import Game
from tournaments.models import HistoryEntry, Protocol
from tournaments.record.queries import read_protocols
from tournaments.tables.queries.sheets import Sheet, sheets_of

MOST = 300
"""For so many tables."""


class Heads(NamedTuple):
    """The digests under which a game is found."""

    table: str | None
    event: str | None


@dataclass(frozen=True)
class Opened:
    """A sheet with its game, and the heads that the event and the table had before it was read."""

    sheet: Sheet
    game: Game
    heads: Heads

    @property
    def place(self) -> tuple[int, int]:
        """Name the table by its session's number and its own."""
        table = self.sheet.protocol.table
        return table.session.number, table.number


_kept: OrderedDict[Heads, tuple[Sheet, Game]] = OrderedDict()
_lock = threading.Lock()


def keep(heads: Heads, sheet: Sheet, game: Game) -> None:
    """Keep a game that is stored; the longest unused one gives way."""
    with _lock:
        _kept[heads] = sheet, game
        while len(_kept) > MOST:
            _kept.popitem(last=False)


def opened(protocol_ids: Sequence[int]) -> dict[int, Opened]:
    """Return sheets and games of protocols that are locked; they are read and played only where none are kept."""
    found: dict[int, Opened] = {}
    missing: dict[int, Heads] = {}
    for pk, called_at, answered_at, *digests in _newest(get_ident()).filter(pk__in=protocol_ids):
        heads = Heads(*digests)
        if known := _taken(heads):
            found[pk] = Opened(_own(known[0]), known[1], heads)
            _call(found[pk].sheet, called_at, answered_at)
        else:
            missing[pk] = heads
    for pk, sheet in sheets_of(read_protocols(list(missing))).items():
        found[pk] = Opened(sheet, sheet.play(), missing[pk])
    return found


@lru_cache(maxsize=64)
def _newest(
    _thread: int,
) -> QuerySet[Protocol, tuple[int, datetime | None, datetime | None, str | None, str | None]]:
    """Ask for calls and heads; put together once for each thread, since Django counts within a question it compiles."""
    of_table = HistoryEntry.objects.filter(protocol=OuterRef("pk"), number=OuterRef("version")).order_by()
    tournament = OuterRef("table__session__tournament")
    of_event = HistoryEntry.objects.filter(tournament=tournament, protocol=None).order_by("-number")
    return Protocol.objects.order_by().values_list(
        "pk",
        "table__called_at",
        "table__answered_at",
        Subquery(of_table.values("digest")),
        Subquery(of_event.values("digest")[:1]),
    )


def _taken(heads: Heads) -> tuple[Sheet, Game] | None:
    """Take a game out: what is written next is kept under other digests."""
    with _lock:
        return _kept.pop(heads, None)


def _own(sheet: Sheet) -> Sheet:
    """Copy what a write changes in its rows: whoever wrote the hand before may still be showing them."""
    protocol = copy(sheet.protocol)
    protocol.table = copy(protocol.table)
    seats = tuple(copy(seat) for seat in sheet.seats)
    for seat in seats:
        seat.table = protocol.table
    return replace(sheet, protocol=protocol, seats=seats)


def _call(sheet: Sheet, called_at: datetime | None, answered_at: datetime | None) -> None:
    table = sheet.protocol.table
    table.called_at, table.answered_at = called_at, answered_at
