"""A cache of games, so that the next hand of a table need not read and play all the hands before it.

The key of a game is two digests: of the newest history entry of its table, and of the newest of its event. Everything a
sheet holds changes only with a new entry, except the call for a referee, which is read anew. So after any other write, in
this process or in another, the game is not found under its old key and is read from the database; no entry of the cache is
ever corrected.
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
"""How many games are kept."""


class ChainDigests(NamedTuple):
    """The key of a game: the digests of the newest entries of its table and of its event."""

    table: str | None
    event: str | None


@dataclass(frozen=True)
class LockedGame:
    """The sheet of a locked protocol with its game, and the digests that table and event had before it was read."""

    sheet: Sheet
    game: Game
    digests: ChainDigests

    @property
    def table(self) -> tuple[int, int]:
        """Return the number of the session and that of the table."""
        table = self.sheet.protocol.table
        return table.session.number, table.number


_cache: OrderedDict[ChainDigests, tuple[Sheet, Game]] = OrderedDict()
_lock = threading.Lock()


def cache(digests: ChainDigests, sheet: Sheet, game: Game) -> None:
    """Put a stored game into the cache; the one unused for longest is dropped."""
    with _lock:
        _cache[digests] = sheet, game
        while len(_cache) > MOST:
            _cache.popitem(last=False)


def locked_games(protocol_ids: Sequence[int]) -> dict[int, LockedGame]:
    """Return the sheets and games of locked protocols; those that are not in the cache are read and played."""
    found: dict[int, LockedGame] = {}
    missing: dict[int, ChainDigests] = {}
    for pk, called_at, answered_at, *newest in _newest(get_ident()).filter(pk__in=protocol_ids):
        digests = ChainDigests(*newest)
        if known := _pop(digests):
            found[pk] = LockedGame(_copied(known[0]), known[1], digests)
            _set_call(found[pk].sheet, called_at, answered_at)
        else:
            missing[pk] = digests
    if missing:
        for pk, sheet in sheets_of(read_protocols(list(missing))).items():
            found[pk] = LockedGame(sheet, sheet.play(), missing[pk])
    return found


@lru_cache(maxsize=64)
def _newest(
    _thread: int,
) -> QuerySet[Protocol, tuple[int, datetime | None, datetime | None, str | None, str | None]]:
    """Build the queryset of calls and digests, once per thread: compiling a queryset changes it, so threads do not share one."""
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


def _pop(digests: ChainDigests) -> tuple[Sheet, Game] | None:
    """Take a game out of the cache: after the next write it has other digests."""
    with _lock:
        return _cache.pop(digests, None)


def _copied(sheet: Sheet) -> Sheet:
    """Copy the rows that a write changes: the request that wrote the hand before may still be rendering them."""
    protocol = copy(sheet.protocol)
    protocol.table = copy(protocol.table)
    seats = tuple(copy(seat) for seat in sheet.seats)
    for seat in seats:
        seat.table = protocol.table
    return replace(sheet, protocol=protocol, seats=seats)


def _set_call(sheet: Sheet, called_at: datetime | None, answered_at: datetime | None) -> None:
    table = sheet.protocol.table
    table.called_at, table.answered_at = called_at, answered_at
