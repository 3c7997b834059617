"""Protocols as they are read to be changed or shown: with table, session, and what there is beside the hands and entries."""

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from threading import get_ident

from django.db.models import Exists, OuterRef, QuerySet

from tournaments.models import Adjustment, FinalResult, HistoryEntry, Objection, Player, Protocol, Session
from tournaments.models.protocol import InForce
from tournaments.record.rules import ERASED_TEXT

OBJECTION_NOTED = "objection_noted"


def read_protocol(protocol: Protocol) -> Protocol:
    """Read a protocol with its table, session and tournament as they are now, and what there is beside its hands."""
    found: Protocol = _whole(get_ident()).select_related("table__session__tournament").get(pk=protocol.pk)
    return found


def read_protocols(protocol_ids: Sequence[int]) -> list[Protocol]:
    """Read several protocols in the same way; a session is read once for all its tables."""
    protocols = list(_whole(get_ident()).filter(pk__in=protocol_ids)) if protocol_ids else []
    needed = {protocol.table.session_id for protocol in protocols}
    sessions = Session.objects.select_related("tournament").in_bulk(needed)
    for protocol in protocols:
        protocol.table.session = sessions[protocol.table.session_id]
    return protocols


@lru_cache(maxsize=64)
def _whole(_thread: int) -> QuerySet[Protocol]:
    """Build the queryset once per thread: building it takes as long as running it."""
    of_it = {"protocol": OuterRef("pk")}
    moved = Adjustment.objects.filter(
        session=OuterRef("table__session"), reversed_at=None, result__isnull=True
    )
    return Protocol.objects.select_related("table").annotate(
        has_final=Exists(FinalResult.objects.filter(**of_it, status=InForce.IN_FORCE)),
        has_objection=Exists(HistoryEntry.objects.filter(**of_it, kind=OBJECTION_NOTED)),
        has_adjustment=Exists(moved),
    )


def words_of_objections(entries: Iterable[HistoryEntry]) -> dict[int, str]:
    """Return what players wrote in their objections, by entry. [INTEGRITY 1]

    Earlier versions sealed the words with the entry: those of erased players are not shown any more.
    """
    rows = {row.pk: row for row in entries if row.kind == OBJECTION_NOTED}
    if not rows:
        return {}
    words = dict(Objection.objects.filter(entry__in=rows).values_list("entry", "text"))
    sealed = {pk: json.loads(row.content) for pk, row in rows.items() if pk not in words}
    wrote = {content["data"]["player"] for content in sealed.values()}
    erased = set(Player.objects.filter(pk__in=wrote, erased_at__isnull=False).values_list("pk", flat=True))
    for pk, content in sealed.items():
        words[pk] = ERASED_TEXT if content["data"]["player"] in erased else content["reason"]
    return words
