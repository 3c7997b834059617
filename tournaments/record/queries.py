"""Protocols as they are read to be changed or shown: with table, session, and what there is beside the hands."""

from collections.abc import Sequence
from functools import lru_cache
from threading import get_ident

from django.db.models import Exists, OuterRef, QuerySet

from tournaments.models import Adjustment, FinalResult, HistoryEntry, Protocol, Session
from tournaments.models.protocol import InForce

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
