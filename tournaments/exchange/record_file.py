"""The record of a tournament as a file, with the digest by which anybody can tell it from another."""

import gzip
import hashlib
import json
from dataclasses import dataclass

from django.core.cache import cache

from scoring.record.form import VERSION
from tournaments.exchange.record import export_record
from tournaments.models import StandingsRevision, Tournament

KEPT_SECONDS = 3600


@dataclass(frozen=True)
class RecordFile:
    """The file, compressed, and the SHA-256 of what it unpacks to."""

    packed: bytes
    digest: str

    @property
    def body(self) -> bytes:
        """Return the file itself."""
        return gzip.decompress(self.packed)


def record_file(tournament: Tournament) -> RecordFile:
    """Write the record once for each state of the tournament: the same bytes as the command gives. [RECORD 1]"""
    wanted = StandingsRevision.objects.filter(pk=tournament.pk).values_list("wanted", flat=True).first() or 0
    key = f"record-file:{VERSION}:{tournament.pk}:{tournament.created_at.timestamp()}:{wanted}"
    kept = cache.get(key)
    if kept is None:
        body = record_text(tournament).encode()
        kept = (gzip.compress(body, mtime=0), hashlib.sha256(body).hexdigest())
        cache.set(key, kept, KEPT_SECONDS)
    return RecordFile(*kept)


def record_text(tournament: Tournament) -> str:
    """Write the record as people can read it."""
    return json.dumps(export_record(tournament), ensure_ascii=False, indent=1) + "\n"
